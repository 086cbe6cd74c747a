//! Electrostatic double-layer repulsion (\[GB20\] eq. 6):
//! \\(N = -F_{er}\,(\bar a/a_1)\,e^{-\kappa h}\\), with the value at ten Debye lengths subtracted
//! so that it ends continuously there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::harmonic_radius;
use super::{About, CaseUnits, LawKind, LawTable, Origin, Pair, PairLaw, Rates, Response, Sample};

/// The stress of repulsion.
pub const ORIGIN: Origin = Origin::named("repulsion");

/// The law in the register.
pub const ABOUT: About = About {
    name: "repulsion",
    origins: &["repulsion"],
    table: Some(LawKind::of::<RepulsionTable>()),
    samples,
};

/// `[repulsion]`: electric double layer, F = force · exp(−h/debye_length) at the gap h.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepulsionTable {
    /// Force at contact between two of the smallest spheres; between larger ones it grows with the
    /// harmonic mean radius `[force]`.
    #[schemars(extend("minimum" = 0, "remedy" = "repulsive is positive; [attraction] attracts"))]
    pub force: f64,
    /// Debye length, over which the force decays: in smallest radii, whatever the unit of length
    /// `[a]`.
    #[schemars(extend(
        "minimum" = 1e-6,
        "remedy" = "it is in units of the smallest radius, in SI units too: 0.05 for 50 nm at 1 μm"
    ))]
    pub debye_length: f64,
}

impl LawTable for RepulsionTable {
    const NAME: &'static str = "repulsion";

    fn law(&self, CaseUnits { radius, .. }: CaseUnits) -> impl PairLaw + use<> {
        let debye_length = self.debye_length * radius;
        Repulsion { force: self.force, debye_length, smallest_radius: radius }
    }

    fn largest_force(&self, _units: CaseUnits) -> f64 {
        self.force
    }
}

fn samples() -> Vec<Sample> {
    let law = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
    vec![Sample::new("repulsion", law)]
}

/// Debye lengths after which the force has fallen to 5e-5 and is cut off.
const RANGE: f64 = 10.0;

/// Parameters of the repulsion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repulsion {
    /// Force at contact between two of the smallest spheres, F_er `[μγ̇a²]`.
    pub force: f64,
    /// Debye length 1/κ `[a]`.
    pub debye_length: f64,
    /// Radius of the smallest sphere, a₁ `[a]`.
    pub smallest_radius: f64,
}

impl Repulsion {
    /// Tension at a gap, and its slope in the gap.
    pub fn tension(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        let scaled = gap / self.debye_length;
        if scaled >= RANGE {
            return [0.0; 2];
        }
        let force = self.force * harmonic_radius(radii) / self.smallest_radius;
        let decayed = (-scaled).exp();
        [-force * (decayed - (-RANGE).exp()), force * decayed / self.debye_length]
    }
}

impl PairLaw for Repulsion {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        RANGE * self.debye_length
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        let gap = pair.gap + 0.5 * pair.step * rates.squeeze;
        let [tension, stiffness] = self.tension(pair.radii, gap);
        Response::normal(tension, 0.5 * pair.step * stiffness, rates.squeeze)
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }

    fn across_film(&self, radii: [f64; 2], gap: f64) -> Option<[f64; 2]> {
        Some(self.tension(radii, gap))
    }

    fn stored_energy(&self, radii: [f64; 2], gap: f64, _memory: &[f64]) -> f64 {
        let scaled = (gap / self.debye_length).min(RANGE);
        let mean_radius = harmonic_radius(radii);
        let force = self.force * mean_radius / self.smallest_radius;
        let end = (-RANGE).exp();
        force * self.debye_length * ((-scaled).exp() - end - end * (RANGE - scaled))
    }
}
