//! Rows of suspensions in steady shear: LF_DEM's table, and figures 2 and 3 of \[GB20\].

use super::bench::{Ran, SUSPENSION, set};
use super::reference::{Entry, LF_DEM, entries};
use super::suspension::row;
use super::{Job, Measure, Reference, Row, Tolerance};

/// Seed of all runs.
const SEED: u64 = 3;

/// Where numbers of LF_DEM come from.
const TABLE: &str = "LF_DEM, lf_dem_viscosity_n200.csv";

/// The same for viscosities.
const TABLE_ETA: &str = "LF_DEM, lf_dem_viscosity_n200.csv, with the 2.5 φ that it leaves out";

/// What is said once of the tolerances.
const RULE: &str = "tolerances against LF_DEM are its error and 10 %: for η_r its standard error; \
    for Π, whose error it does not tell, 0.15/√(its strain) of Π, 0.2/√ with friction, and for N₁ \
    and N₂ twice 0.1 η_r/√(its strain), 0.15 with friction, from the scatter of runs here. φ_J is that for which \
    Π = [φ/(φ_J − φ)]²: near 0.64 the fits all but diverge, so that Π is compared through it";

/// What is said once of LF_DEM's law.
const SOFT: &str = "LF_DEM's contacts overlap by 2 to 3 % of a at φ = 0.58 and 0.60, which lowers \
    η_r and Π: with its law and its springs the spheres are as soft here. Harder ones have η_r = 51 \
    and Π = 81 at 0.58, 10 and 15 % more";

/// What is said once of shares.
const SHARES: &str = "LF_DEM counts dashpots, and films that springs drive, as contacts: 7.17 and \
    not 5.65 of η_r on its frame; shares are compared where these matter less";

/// What is said once of the smallest fraction with friction.
const DILUTE: &str = "with its law: the default one, whose range is half a for all pairs and not \
    0.5 to 0.7 a, gives η_r = 10.0 and Π = 5.45 here, 11 and 18 % less. LF_DEM's contacts now and \
    then lose their tangential spring in friction";

/// A suspension in shear.
#[derive(Clone, Copy)]
struct Sheared {
    phi: f64,
    friction: f64,
    strain: f64,
    /// With the law of LF_DEM.
    alike: bool,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fits,
    Jamming,
    Viscosity,
    Pressure,
    First,
    Second,
    Share,
    Most,
    Forces,
    Power,
    Overlap,
}

use Kind::{
    First, Fits, Forces, Jamming, Most, Overlap, Power, Pressure, Second, Share, Viscosity,
};

/// All of LF_DEM's but shares.
const PEER: [Kind; 4] = [Viscosity, Pressure, First, Second];
/// How well balances hold.
const BALANCES: [Kind; 3] = [Forces, Power, Overlap];

/// A part that takes seconds.
pub fn quick() -> Vec<Job> {
    let kinds = [&[Fits, Viscosity, Pressure][..], &BALANCES].concat();
    vec![job(at(0.45, 0.0, 20.0), kinds, 2.0).noted(RULE)]
}

/// All of it.
pub fn jobs() -> Vec<Job> {
    let with = |first: &[Kind], last: &[Kind]| [first, &PEER[..], last].concat();
    let alike = |sheared| Sheared { alike: true, ..sheared };
    vec![
        job(at(0.40, 0.0, 24.0), with(&[Fits], &[]), 3.0).noted(RULE),
        job(at(0.45, 0.0, 24.0), with(&[Fits, Jamming], &[]), 3.5),
        job(at(0.50, 0.0, 24.0), with(&[Fits, Jamming], &BALANCES), 4.0),
        job(at(0.55, 0.0, 24.0), with(&[Fits, Jamming], &[]), 6.0),
        job(at(0.58, 0.0, 24.0), vec![Fits, Jamming, Viscosity, Share], 8.0),
        job(at(0.60, 0.0, 16.0), vec![Fits, Jamming], 8.0),
        job(at(0.62, 0.0, 6.0), vec![Fits, Jamming, Most], 6.0),
        job(at(0.64, 0.0, 2.0), vec![Fits, Jamming, Most], 12.0),
        job(alike(at(0.58, 0.0, 24.0)), PEER.to_vec(), 4.0).noted(SOFT),
        job(alike(at(0.60, 0.0, 40.0)), with(&[], &[Share]), 5.0).noted(SHARES),
        job(alike(at(0.40, 1.0, 40.0)), PEER.to_vec(), 5.0).noted(DILUTE),
        job(at(0.45, 1.0, 40.0), with(&[], &[Share]), 8.0),
        job(at(0.50, 1.0, 40.0), with(&[], &[Share]), 14.0),
        job(alike(at(0.45, 1.0, 40.0)), PEER.to_vec(), 7.0),
    ]
}

fn at(phi: f64, friction: f64, strain: f64) -> Sheared {
    Sheared { phi, friction, strain, alike: false }
}

fn job(sheared: Sheared, kinds: Vec<Kind>, cost: f64) -> Job {
    let rows = kinds.iter().enumerate().map(|(k, kind)| kind.row(&sheared, k == 0)).collect();
    Job::new(rows, 1, cost, move |bench| {
        let ran = bench.run(SUSPENSION, &sheared.keys())?;
        Ok(kinds.iter().map(|kind| vec![kind.measure(&sheared, &ran)]).collect())
    })
}

impl Sheared {
    fn keys(&self) -> Vec<String> {
        let mut keys = vec![
            set("particles.seed", SEED),
            set("particles.volume_fraction", self.phi),
            set("contact.friction", self.friction),
            set("drive.strain", self.strain),
            set("output.frames", 0.0),
        ];
        if self.alike {
            keys.push(set("lubrication.hydrodynamics", "lf-dem"));
            keys.push(set("contact.max_overlap", 0.5));
        }
        keys
    }

    /// A column of LF_DEM's table.
    fn peer(&self, column: &str) -> f64 {
        let entries = entries(LF_DEM);
        let same =
            |e: &&Entry<'_>| e.number("friction") == self.friction && e.number("phi") == self.phi;
        entries.iter().find(same).map_or(f64::NAN, |e| e.number(column))
    }

    /// η_r of LF_DEM with the 2.5 φ of single spheres.
    fn peer_viscosity(&self) -> f64 {
        self.peer("eta_r") + 2.5 * self.phi
    }

    /// Over which LF_DEM's means are, root.
    fn peer_root_strain(&self) -> f64 {
        (self.peer("strain_end") - 2.0).sqrt()
    }

    fn name(&self, what: &str) -> String {
        let friction = if self.friction > 0.0 { ", friction 1" } else { "" };
        let law = if self.alike { ", its law" } else { "" };
        format!("{what} at φ = {:.2}{friction}{law}", self.phi)
    }
}

impl Kind {
    /// The row, named in full if it is the first of its run.
    fn row(self, run: &Sheared, first: bool) -> Row {
        let what = match self {
            Fits => run.name("η_r") + ", against fits",
            Viscosity if first => run.name("η_r") + ", against LF_DEM",
            Viscosity => "  η_r against LF_DEM".to_owned(),
            Pressure => "  Π against LF_DEM".to_owned(),
            First => "  N₁ against LF_DEM".to_owned(),
            Second => "  N₂ against LF_DEM".to_owned(),
            Share => "  share of contacts in η_r − 2.5 φ".to_owned(),
            Jamming => "  φ_J from Π".to_owned(),
            Most => "  contacts bear over 90 % of η_r".to_owned(),
            Forces => "  forces left, worst of all steps".to_owned(),
            Power => "  power in less power taken up, worst".to_owned(),
            Overlap => "  largest overlap [a]".to_owned(),
        };
        let row = row(what, self.tolerance(run)).source(self.source());
        match self {
            Fits => row.paper("between"),
            Jamming => row.paper("0.645"),
            Most => row.paper("yes, φ ≳ 0.6"),
            _ => row,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Fits => "fits of Mari et al. 2014 and Eilers",
            Jamming => "the paper's figure 3, Boyer et al. 2011",
            Most => "the paper",
            Viscosity => TABLE_ETA,
            Pressure | First | Second | Share => TABLE,
            Forces => "forces and torques balance",
            Power => "power in is dissipated or stored",
            Overlap => "the bound, contact.max_overlap",
        }
    }

    fn tolerance(self, run: &Sheared) -> Tolerance {
        // Cut, not rounded: never wider than the rule.
        let cut = |x: f64, unit: f64| (x / unit).floor() * unit;
        let share = |error: f64| Tolerance::Relative(cut(0.10 + error, 1e-3));
        match self {
            Viscosity => share(run.peer("stderr") / run.peer_viscosity()),
            Pressure => {
                let scatter = if run.friction > 0.0 { 0.20 } else { 0.15 };
                share(scatter / run.peer_root_strain())
            }
            First | Second => {
                let column = if self == First { "n1" } else { "n2" };
                let scatter = if run.friction > 0.0 { 0.15 } else { 0.10 };
                let error = scatter * run.peer_viscosity() / run.peer_root_strain();
                Tolerance::Absolute(cut(0.10 * run.peer(column).abs() + 2.0 * error, 0.01))
            }
            Fits | Share => Tolerance::Relative(0.10),
            Jamming | Overlap => Tolerance::Absolute(0.01),
            Most => Tolerance::Same,
            Forces => Tolerance::Absolute(1e-6),
            Power => Tolerance::Absolute(1e-5),
        }
    }

    fn measure(self, run: &Sheared, ran: &Ran) -> Measure {
        let worst = |place| Measure::new(0.0, ran.number(place));
        let peer = |column| Reference::Value(run.peer(column));
        match self {
            Fits => ran.mean("/relative_viscosity", Reference::Range(published(run.phi))),
            Viscosity => ran.mean("/relative_viscosity", Reference::Value(run.peer_viscosity())),
            Pressure => ran.mean("/particle_pressure", peer("particle_pressure")),
            First => ran.mean("/n1", peer("n1")),
            Second => ran.mean("/n2", peer("n2")),
            Share => {
                let [contact, all] = contact_and_all(ran);
                let there = run.peer("contact") / run.peer("eta_r");
                Measure::new(there, contact / (all - 2.5 * run.phi))
            }
            Most => {
                let [contact, all] = contact_and_all(ran);
                Measure::new(1.0, f64::from(u8::from(contact > 0.9 * all)))
            }
            Jamming => jamming(run.phi, ran.mean("/particle_pressure", Reference::Value(0.645))),
            Forces => worst("/worst_force_residual"),
            Power => worst("/worst_power_mismatch"),
            Overlap => worst("/max_overlap"),
        }
    }
}

/// What springs and friction contribute to the viscosity, and the viscosity.
fn contact_and_all(ran: &Ran) -> [f64; 2] {
    let part = |name: &str| ran.number(&format!("/viscosity/{name}/mean"));
    [part("contact") + part("friction"), ran.number("/relative_viscosity/mean")]
}

/// The fraction φ_J for which a pressure is \\([\phi/(\phi_J-\phi)]^2\\).
fn jamming(phi: f64, pressure: Measure) -> Measure {
    let root = pressure.here.sqrt();
    let stderr = pressure.stderr.map(|e| 0.5 * phi * e / root.powi(3));
    Measure { here: phi * (1.0 + 1.0 / root), stderr, ..pressure }
}

/// \[GB20\] fig. 2: Mari et al. 2014, and Eilers with a jamming fraction of 0.645. The fit of Mari
/// et al. is one of LF_DEM, whose viscosities lack the 2.5 φ of single spheres: it counts without
/// and with it.
fn published(phi: f64) -> [f64; 2] {
    let mari = 1.4 * (1.0 - phi / 0.66).powf(-1.6);
    let eilers = (1.0 + 5.0 / 4.0 * phi / (1.0 - phi / 0.645)).powi(2);
    [mari.min(eilers), (mari + 5.0 / 2.0 * phi).max(eilers)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_the_error_of_the_reference_and_a_tenth() {
        let run = at(0.50, 0.0, 1.0);
        assert_eq!(Viscosity.tolerance(&run), Tolerance::Relative(0.112));
        for job in jobs() {
            for row in job.rows {
                let size = row.tolerance.size();
                assert!(size.is_finite(), "{}: no reference", row.what);
                assert!(!matches!(row.tolerance, Tolerance::Relative(x) if x > 0.18));
            }
        }
    }

    #[test]
    fn fits_and_the_jamming_fraction_are_those_of_the_figures() {
        let [low, high] = published(0.5);
        assert!((low - 13.52).abs() < 0.05 && (high - 14.77).abs() < 0.05, "{low} {high}");
        let pressure = (0.6_f64 / 0.045).powi(2);
        assert!((jamming(0.6, Measure::new(0.645, pressure)).here - 0.645).abs() < 1e-12);
    }
}
