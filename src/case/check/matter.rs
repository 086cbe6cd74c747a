//! Checks of what the suspension is made of: spheres, box, liquid and pair laws.

use super::Check;
use super::range::Range::Between;
use crate::case::{Boundary, LubricationModel};
use crate::laws::lubrication::Cutoff;
use crate::record::{CASE, CHECKPOINT};

/// Volume fraction beyond which no packing of equal spheres exists, π/√18 rounded down `[1]`.
const DENSEST: f64 = 0.74;
/// Area fraction beyond which no packing of equal discs exists, π/√12 rounded down `[1]`.
const DENSEST_LAYER: f64 = 0.9;

impl Check<'_> {
    /// Everything about what is there, as opposed to what happens to it.
    pub fn matter(&mut self) {
        self.sizes();
        match (&self.case.particles.file, &self.case.particles.positions) {
            (Some(_), Some(_)) => {
                self.refuse(&["particles.positions"], "particles.file already places the spheres");
            }
            (Some(_), None) => self.read_from_file(),
            (None, Some(positions)) => self.placed(positions),
            (None, None) => self.drawn(),
        }
        self.domain();
        self.lubrication();
        self.lubrication_model();
        self.contact();
        self.soft();
        self.rough();
    }

    fn sizes(&mut self) {
        if self.case.particles.radii.is_empty() {
            let remedy = "give at least one, as in [1.0, 1.4]";
            self.fault("particles.radii", "there are no radii", remedy);
        }
    }

    fn read_from_file(&mut self) {
        let keys = ["count", "volume_fraction", "radii", "volume_shares"]
            .map(|key| format!("particles.{key}"));
        let keys: Vec<_> = keys.iter().map(String::as_str).collect();
        self.refuse(&keys, "particles.file tells it");
        self.no_spread("the radii are in particles.file");
        self.refuse(&["domain.lengths"], "particles.file tells the box");
        // A run that has a checkpoint reads it no more.
        let begun = self.file.with_file_name(CHECKPOINT).exists() && self.file.ends_with(CASE);
        if let Some(file) = &self.case.particles.file
            && !file.is_file()
            && !begun
        {
            let problem = format!("there is no file {}", file.display());
            self.fault("particles.file", problem, "paths are relative to the case file");
        } else if let Some(file) = &self.case.particles.file
            && file.to_str().is_none()
        {
            let problem = format!("the path {} is no UTF-8 text", file.display());
            let remedy = "a case file cannot hold it; rename the file or its directory";
            self.fault("particles.file", problem, remedy);
        }
    }

    fn placed(&mut self, positions: &[[f64; 3]]) {
        let given = "particles.positions places each sphere";
        self.refuse(&["particles.count", "particles.volume_fraction"], given);
        self.refuse(&["particles.volume_shares"], given);
        self.no_spread(given);
        let radii = self.case.particles.radii.len();
        if positions.is_empty() {
            self.fault(
                "particles.positions",
                "there are no spheres",
                "give at least one [x, y, z]",
            );
        } else if !self.given("particles.radii") {
            let problem = format!("missing for {} positions", positions.len());
            self.fault("particles.radii", problem, "give one radius for each position");
        } else if radii != positions.len() {
            let problem = format!("{radii} radii for {} positions", positions.len());
            self.fault("particles.radii", problem, "give one radius for each position");
        }
        self.coincident(positions);
    }

    fn coincident(&mut self, positions: &[[f64; 3]]) {
        for (j, position) in positions.iter().enumerate() {
            if let Some(i) = positions[..j].iter().position(|other| other == position) {
                let key = format!("particles.positions[{j}]");
                let problem = format!("the same point as particles.positions[{i}]");
                self.fault(&key, problem, "move one of them");
            }
        }
    }

    fn no_spread(&mut self, reason: &str) {
        if self.case.particles.spread != 0.0 {
            self.refuse(&["particles.spread"], reason);
        }
    }

    fn drawn(&mut self) {
        if let Some(region) = self.case.particles.region {
            return self.scattered(region);
        }
        if self.case.domain.boundary == Boundary::Open {
            let problem = "spheres can only be drawn in a periodic box";
            let remedy = "say where with particles.region, place them with particles.positions, or read them \
                          with particles.file";
            let key = self.given_of(["particles.count", "particles.volume_fraction"]);
            return self.fault(key, problem, remedy);
        }
        self.count();
        self.volume_fraction();
        let (radii, shares) =
            (self.case.particles.radii.len(), self.case.particles.volume_shares.len());
        if self.given("particles.volume_shares") && shares != radii {
            let problem = format!("{shares} shares for {radii} radii");
            let remedy = "give one share for each radius, or none for equal shares";
            self.fault("particles.volume_shares", problem, remedy);
        }
    }

    pub(super) fn count(&mut self) {
        if self.case.particles.count.is_none() {
            let remedy = "say how many spheres to draw, as in count = 500";
            self.fault("particles.count", "missing", remedy);
        }
    }

    fn volume_fraction(&mut self) {
        let key = "particles.volume_fraction";
        match self.case.particles.volume_fraction {
            None => self.fault(key, "missing", "say how dense, as in volume_fraction = 0.5"),
            Some(phi) => {
                let remedy =
                    "it is a fraction; spheres jam near 0.64 and none are packed beyond 0.74";
                match self.case.particles.planar {
                    true => {
                        let remedy =
                            "of a layer it is the fraction of the area; discs jam near 0.84";
                        self.number(key, phi, Between(0.0, DENSEST_LAYER), remedy);
                    }
                    false => self.number(key, phi, Between(0.0, DENSEST), remedy),
                }
            }
        }
    }

    fn domain(&mut self) {
        let domain = &self.case.domain;
        let from_file = self.case.particles.file.is_some();
        let placed = self.case.particles.positions.is_some() && !from_file;
        let periodic = domain.boundary == Boundary::Periodic;
        if domain.aspect != [1.0; 3] && (placed || from_file) {
            self.refuse(&["domain.aspect"], "the box is not made to fit a volume fraction");
        }
        self.lengths();
        if !periodic {
            self.refuse(&["domain.lengths"], "the domain is open");
        } else if placed && domain.lengths.is_none() {
            let remedy = "give [Lx, Ly, Lz], or set domain.boundary = \"open\"";
            self.fault("domain.lengths", "missing for placed spheres in a periodic box", remedy);
        } else if self.case.particles.count.is_some() && !placed {
            self.refuse(&["domain.lengths"], "particles.volume_fraction tells the size of the box");
        }
    }

    fn lengths(&mut self) {
        let largest = self.case.particles.radii.iter().copied().fold(0.0, f64::max);
        for (axis, length) in self.case.domain.lengths.into_iter().flatten().enumerate() {
            if length < 2.0 * largest || length <= 0.0 {
                let diameter = 2.0 * largest;
                let problem = format!("{length:?} is out of range, valid is >= {diameter:?}");
                let remedy = "in a smaller box the largest sphere overlaps its own image";
                self.fault(&format!("domain.lengths[{axis}]"), problem, remedy);
            }
        }
    }

    fn lubrication(&mut self) {
        let film = &self.case.laws.lubrication;
        if film.outer_gap <= film.inner_gap {
            let key = self.given_of(["lubrication.outer_gap", "lubrication.inner_gap"]);
            let (outer, inner) = (film.outer_gap, film.inner_gap);
            let problem = format!("outer_gap = {outer:?} is not beyond inner_gap = {inner:?}");
            self.fault(key, problem, "common are inner_gap = 1e-3 and outer_gap = 0.2 to 0.5");
        } else if self.may_be_two_body() {
            let remedy = "pairs farther apart are screened by those between them";
            self.number("lubrication.outer_gap", film.outer_gap, Between(0.0, 10.0), remedy);
        } else {
            let remedy = "the thin-film formulas hold for gaps below a radius";
            self.number("lubrication.outer_gap", film.outer_gap, Between(0.0, 1.0), remedy);
        }
    }

    /// Whether films follow two-sphere functions, for all that the case tells.
    fn may_be_two_body(&self) -> bool {
        match self.case.laws.lubrication.hydrodynamics {
            None => self.case.without_two_body().is_none() && !self.case.beyond_tables(),
            Some(model) => model == LubricationModel::TwoBody,
        }
    }

    /// What a model of films needs, where it was chosen.
    fn lubrication_model(&mut self) {
        let film = &self.case.laws.lubrication;
        let Some(model) = film.hydrodynamics else { return };
        if model == LubricationModel::TwoBody {
            self.two_body_matter("lubrication.hydrodynamics");
        }
        if model.is_foreign() {
            self.foreign_model(model);
        }
        if model.is_truncated()
            && self.given("lubrication.cutoff")
            && film.cutoff != Cutoff::Truncated
        {
            let problem = format!("\"{}\" is truncated", model.name());
            let remedy = "leave it out, or take \"two-body\" or \"lubrication\"";
            self.fault("lubrication.cutoff", problem, remedy);
        }
    }

    /// What the laws of other programs need.
    fn foreign_model(&mut self, model: LubricationModel) {
        let (key, name) = ("lubrication.hydrodynamics", model.name());
        if !self.case.obstacle.is_empty() {
            let remedy = "take \"lubrication\", or leave out the obstacles";
            self.fault(key, format!("\"{name}\" knows of no walls"), remedy);
        }
        if model == LubricationModel::LammpsLubricatePoly && self.case.drive.imposes_stress() {
            let problem = format!("\"{name}\" is not reciprocal, and a stress is imposed");
            self.fault(key, problem, "impose drive.rate");
        }
    }

    fn contact(&mut self) {
        let contact = &self.case.laws.contact;
        if contact.friction > 0.0 && contact.tangential_ratio == 0.0 {
            let problem = "without tangential stiffness friction cannot act";
            self.fault("contact.tangential_ratio", problem, "give > 0, or contact.friction = 0");
        }
    }

    /// Laws that do not act across films, where all forces go through films.
    pub(super) fn only_across_films(&mut self, table: &str) {
        let faulty = |law: &str| self.has_fault_in(law);
        for law in self.case.laws.named.not_across_films(faulty) {
            let why = format!("forces between spheres of [{table}] go through their films");
            self.unused(law, true, &why);
        }
    }
}
