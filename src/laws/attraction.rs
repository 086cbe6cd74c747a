//! Van der Waals attraction (\[GB20\] eq. 7): \\(N = A\bar a/(12(h^2+\epsilon^2))\\) with
//! \\(\epsilon = 0.1\,\bar a\\), less its value at the cutoff so that it ends continuously.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::harmonic_radius;
use super::{About, CaseUnits, LawKind, LawTable, Origin, Pair, PairLaw, Rates, Response, Sample};

/// The stress of attraction.
pub const ORIGIN: Origin = Origin::named("attraction");

/// The law in the register.
pub const ABOUT: About = About {
    name: "attraction",
    origins: &["attraction"],
    table: Some(LawKind::of::<AttractionTable>()),
    samples,
};

/// `[attraction]`: van der Waals forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttractionTable {
    /// Hamaker constant A `[force × length]`.
    #[schemars(extend("minimum" = 0, "remedy" = "attractive is positive; [repulsion] repels"))]
    pub hamaker: f64,
    /// Length that keeps the force finite at contact, over the harmonic mean radius `[1]`.
    #[serde(default = "default_regularisation")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it keeps the force finite at contact, as in 0.1"
    ))]
    pub regularisation: f64,
    /// Gap at which the force has smoothly gone to zero: in smallest radii, whatever the unit of
    /// length `[a]`.
    #[serde(default = "default_range")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it is the gap at which the force ends, as in 0.5"
    ))]
    pub range: f64,
}

fn default_regularisation() -> f64 {
    0.1
}

fn default_range() -> f64 {
    0.5
}

impl LawTable for AttractionTable {
    const NAME: &'static str = "attraction";

    fn law(&self, CaseUnits { radius, .. }: CaseUnits) -> impl PairLaw + use<> {
        let AttractionTable { hamaker, regularisation, range } = *self;
        Attraction { hamaker, regularisation, range: range * radius }
    }

    fn largest_force(&self, CaseUnits { radius, .. }: CaseUnits) -> f64 {
        self.hamaker / (12.0 * (self.regularisation * radius).powi(2)) * radius
    }
}

fn samples() -> Vec<Sample> {
    let law = Attraction { hamaker: 5.0, regularisation: 0.1, range: 0.5 };
    // Its negative stiffness is left out.
    vec![Sample::new("attraction", law).approximate_slope()]
}

/// Parameters of the attraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attraction {
    /// Hamaker constant A `[μγ̇a³]`.
    pub hamaker: f64,
    /// ε over the harmonic mean radius of the pair.
    pub regularisation: f64,
    /// Gap at which it is cut off `[a]`.
    pub range: f64,
}

impl Attraction {
    /// Strength \\(A\bar a/12\\) and regularisation ε of a pair.
    fn scales(&self, radii: [f64; 2]) -> (f64, f64) {
        let mean = harmonic_radius(radii);
        (self.hamaker * mean / 12.0, self.regularisation * mean)
    }

    /// Tension at a gap, and its slope in the gap.
    pub fn tension(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        if gap >= self.range {
            return [0.0; 2];
        }
        let (strength, eps) = self.scales(radii);
        let square = gap * gap + eps * eps;
        let tension = strength * (1.0 / square - 1.0 / (self.range * self.range + eps * eps));
        [tension, -2.0 * strength * gap / (square * square)]
    }
}

impl PairLaw for Attraction {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.range
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        let gap = pair.gap + 0.5 * pair.step * rates.squeeze;
        let [tension, slope] = self.tension(pair.radii, gap);
        // Attraction that grows on approach has a negative stiffness; only its positive part
        // (overlapping spheres) can enter the resistance, the rest is found by iteration.
        Response::normal(tension, 0.5 * pair.step * slope.max(0.0), rates.squeeze)
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }

    fn across_film(&self, radii: [f64; 2], gap: f64) -> Option<[f64; 2]> {
        Some(self.tension(radii, gap))
    }

    fn stored_energy(&self, radii: [f64; 2], gap: f64, _memory: &[f64]) -> f64 {
        let (strength, eps) = self.scales(radii);
        let gap = gap.min(self.range);
        let end = 1.0 / (self.range * self.range + eps * eps);
        let primitive = |h: f64| strength * ((h / eps).atan() / eps - end * h);
        primitive(gap) - primitive(self.range)
    }
}
