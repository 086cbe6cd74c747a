//! The results of a balance, as a summary and as lines.

use nalgebra::Vector3;
use serde::Serialize;

use super::{Comparison, Mobility};
use crate::case::{Case, Stiffness};
use crate::cell::Cell;
use crate::drive::Flow;
use crate::laws::Origin;
use crate::record::keys::described;
use crate::record::{Configuration, Format};
use crate::stress;
use crate::study::{self, suspension::Scales};

/// Velocities that are farther apart may be those of other laws `[1]`.
const LAWS_DIFFER: f64 = 1e-2;

/// How far apart the shear rates of file and case may be: few particles scatter much.
const RATE_APART: f64 = 0.3;

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct Results {
        /// The kind of file.
        pub format: String,
        /// Number of particles N.
        pub particles: usize,
        /// Volume fraction φ; none in open space `[1]`.
        pub volume_fraction: Option<f64>,
        /// Rate of the flow, imposed or found `[1/t]`.
        pub rate: f64,
        /// What the stress amounts to.
        #[serde(flatten)]
        pub rheology: InstantRheology,
        /// Pairs within the range of the laws.
        pub pairs: usize,
        /// Pairs that overlap.
        pub contacts: usize,
        /// Smallest gap, negative when spheres overlap `[a]`.
        pub smallest_gap: f64,
        /// Normal stiffness of contacts `[μγ̇a]`.
        pub stiffness: f64,
        /// What is left of the forces, relative to all `[1]`.
        pub force_residual: f64,
        /// How exact the coordinates are.
        #[serde(flatten)]
        pub precision: Exactness,
        /// The velocities of the file against these; none if it has none.
        pub comparison: Option<Comparison>,
        /// What is not known, and what the user may want to change.
        pub advice: Vec<String>,
    }

    /// What the stress of one instant amounts to; none in open space or at rest.
    #[derive(Clone, Debug, Serialize)]
    pub struct InstantRheology {
        /// Viscosity η, the solvent and the spheres' own stresslets included `[μ]`.
        pub relative_viscosity: Option<f64>,
        /// Particle pressure Π `[μγ̇]`.
        pub particle_pressure: Option<f64>,
        /// First normal stress difference `[μγ̇]`.
        pub n1: Option<f64>,
        /// Second normal stress difference `[μγ̇]`.
        pub n2: Option<f64>,
        /// Parts of η due to pairs, by origin `[μ]`.
        pub viscosity: serde_json::Map<String, serde_json::Value>,
        /// The stress tensor, row by row, tension positive `[μγ̇]`.
        pub stress: Option<[[f64; 3]; 3]>,
    }

    /// How exact the coordinates of a file are.
    #[derive(Clone, Debug, Serialize)]
    pub struct Exactness {
        /// Significant digits of the coordinates; none if nothing can be said.
        pub digits: Option<usize>,
        /// The gap below which the rounding of coordinates shows: ten of their last digits `[a]`.
        pub lost_gap: Option<f64>,
        /// Pairs that are closer than that.
        pub lost_pairs: Option<usize>,
    }
}

impl Results {
    /// Of a balance for what was read, with the laws of a case.
    pub fn new(case: &Case, read: &Configuration, found: &Mobility) -> Self {
        let scales = Scales::new(case, found.state.smallest_radius());
        let rate = found.drive.rate;
        let known = found.state.cell.volume().is_some() && rate != 0.0;
        let unit = case.fluid.viscosity * rate.abs();
        let total = found.seen.stress.total();
        let over = |value: f64| known.then_some(value / unit);
        let viscosity = |tensor| found.drive.flow.stress(tensor) / (case.fluid.viscosity * rate);
        let parts = Origin::ALL.into_iter().filter(|_| known).map(|origin| {
            (origin.name().to_owned(), viscosity(found.seen.stress.of(origin)).into())
        });
        let lost = read.precision.map(|precision| precision.coarse_gap());
        let closer = |gap: f64| found.pairs.iter().filter(|p| p.gap.abs() < gap).count();
        let mut results = Results {
            format: read.format.to_string(),
            particles: read.len(),
            volume_fraction: found.state.volume_fraction(),
            rate,
            rheology: InstantRheology {
                relative_viscosity: known.then(|| viscosity(&total)),
                particle_pressure: over(stress::pressure(&total)),
                n1: over(stress::n1(&total)),
                n2: over(stress::n2(&total)),
                viscosity: parts.collect(),
                stress: known.then(|| (total.transpose() / unit).into()),
            },
            pairs: found.pairs.len(),
            contacts: found.seen.contacts.count,
            smallest_gap: found.seen.gaps.smallest,
            stiffness: found.state.stiffness / scales.stiffness(),
            force_residual: found.seen.effort.force_residual,
            precision: Exactness {
                digits: read.precision.map(|precision| precision.digits),
                lost_gap: lost,
                lost_pairs: lost.map(closer),
            },
            comparison: found.comparison.clone(),
            advice: Vec::new(),
        };
        results.advice = results.advice(case, &found.drive.flow);
        results.advice.extend(ignored_box(read, &found.state.cell));
        results.advice.extend(study::of(case).notes(case, &found.state));
        results
    }

    fn advice(&self, case: &Case, flow: &Flow) -> Vec<String> {
        let mut advice = Vec::new();
        let precision = &self.precision;
        if let (Some(digits), Some(gap), Some(pairs @ 1..)) =
            (precision.digits, precision.lost_gap, precision.lost_pairs)
        {
            advice.push(format!(
                "coordinates have {digits} digits: gaps below {gap:.1e} are off by a tenth or more, or \
                 lost, and {pairs} pairs are closer than that; write 17 digits (LAMMPS: dump_modify 1 \
                 format float %.17g)"
            ));
        }
        if case.laws.contact.enabled && self.contacts > 0 {
            if case.laws.contact.friction > 0.0 {
                advice.push(
                    "a snapshot does not tell how far tangential springs are stretched: they are \
                     taken as unstretched, so friction gives no force here"
                        .to_owned(),
                );
            }
            if case.laws.contact.stiffness == Stiffness::Auto {
                advice.push(format!(
                    "{} pairs overlap, and their stiffness {:.3e} was guessed; give that of the \
                     program that wrote the file with --set contact.stiffness=…",
                    self.contacts, self.stiffness
                ));
            }
        }
        let velocity = self.comparison.as_ref().and_then(|c| c.velocity);
        if velocity.is_some_and(|velocity| velocity.rms_without_mean > LAWS_DIFFER) {
            advice.push(
                "differences are those of laws as well as of inertia: set lubrication.inner_gap, \
                 .outer_gap and .cutoff, and contacts, as in the program that wrote the file"
                    .to_owned(),
            );
        }
        if let Some(spin) = self.comparison.as_ref().and_then(|c| c.spin)
            && Vector3::from(spin.mean).norm() > spin.scale
        {
            let [x, y, z] = spin.mean;
            advice.push(format!(
                "the mean spin of the file differs from the one here by ({x:.3}, {y:.3}, {z:.3}), more \
                 than particles spin relative to the flow: it is of another flow, or of none"
            ));
        }
        let theirs = self.comparison.as_ref().and_then(|c| c.file_rate);
        if let (Some(theirs), Flow::Shear { along: [along, _] }) = (theirs, flow) {
            let ours = along * self.rate;
            if (theirs - ours).abs() > RATE_APART * ours.abs() {
                advice.push(format!(
                    "the velocities of the file shear at a rate of {theirs:.4}, the case at \
                     {ours:.4}; set drive.rate if it was sheared at another"
                ));
            }
        }
        advice
    }

    /// The results, one fact a line.
    pub fn lines(&self) -> Vec<String> {
        let fraction =
            self.volume_fraction.map_or("open space".to_owned(), |f| format!("φ = {f:.4}"));
        let mut lines = vec![
            format!(
                "file                {}: {} particles, {fraction}",
                self.format, self.particles
            ),
            format!(
                "pairs               {} within range, {} overlap, smallest gap {:.3e} a",
                self.pairs, self.contacts, self.smallest_gap
            ),
        ];
        let (precision, found) = (&self.precision, &self.rheology);
        if let (Some(digits), Some(gap), Some(pairs)) =
            (precision.digits, precision.lost_gap, precision.lost_pairs)
        {
            lines.push(format!(
                "digits              {digits}: they blur gaps below {gap:.1e} a, {pairs} pairs are closer"
            ));
        }
        if let (Some(viscosity), Some(pressure), Some(n1), Some(n2)) =
            (found.relative_viscosity, found.particle_pressure, found.n1, found.n2)
        {
            lines.push(format!("relative viscosity  {viscosity:.6}"));
            lines.push(format!("particle pressure   {pressure:.6} μγ̇"));
            lines.push(format!("N1, N2              {n1:.6}, {n2:.6} μγ̇"));
        }
        lines.push(format!("forces left         {:.1e} of all", self.force_residual));
        if let Some(comparison) = &self.comparison {
            lines.extend(comparison.lines());
        }
        lines
    }
}

/// That the box of a file which repeats is not taken. Data files of LAMMPS do not say whether
/// theirs does.
fn ignored_box(read: &Configuration, cell: &Cell) -> Option<String> {
    let repeats = read.lattice.is_some() && read.pbc != [false; 3];
    (repeats && *cell == Cell::Open && read.format != Format::LammpsData).then(|| {
        "the box of the file repeats and is ignored, because the case says domain.boundary = \"open\"; \
         take one with \"periodic\" for it"
            .to_owned()
    })
}

impl Comparison {
    /// The table of differences.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            "from the file       rms         largest     without the mean: rms, largest, slope"
                .to_owned(),
        ];
        let rows = [("velocity − flow", &self.velocity), ("spin − flow", &self.spin)];
        for (name, difference) in rows {
            if let Some(d) = difference {
                let [rms, largest] = [d.rms, d.largest].map(|x| format!("{x:.3e}"));
                let without = [d.rms_without_mean, d.largest_without_mean];
                let [scattered, most] = without.map(|x| format!("{x:.3e}"));
                lines.push(format!(
                    "  {name:<18}{rms:<12}{largest:<12}{scattered}, {most}, {:.4}",
                    d.slope
                ));
            }
        }
        lines.push("  differences over the root mean square found here".to_owned());
        lines
    }
}
