//! `[pair]`: the table of the study.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Check, Hydrodynamics, ROUGHEST, SMALL_ASPERITIES, Scheme, StudyTable, Time};
use crate::laws::rough::Rolling;

/// The farthest that two spheres may be apart `[a]`.
const FARTHEST_START: f64 = 1e4;

/// `[pair]`: two spheres that pass each other in a shear flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PairShear {
    /// Distance of the centres along the gradient at the start `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "on one streamline spheres never meet; give a distance > 0, as in 0.1"
    ))]
    pub offset: f64,
    /// Distance of the centres along the vorticity at the start `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = -FARTHEST_START, "exclusiveMaximum" = FARTHEST_START,
        "remedy" = "0 is the plane of shear"
    ))]
    pub offset_z: f64,
    /// Distance of the centres along the flow at the start, negative; the run ends at its opposite
    /// `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = -FARTHEST_START, "exclusiveMaximum" = 0, "remedy" = "as in -10"
    ))]
    pub start: f64,
    /// The two radii; the unit a is 1, also where neither of them is `[a]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1 and 1 are equal spheres"))]
    pub radii: [f64; 2],
    /// Size of the asperities over the mean radius, ε; 0 is smooth `[1]`.
    #[schemars(extend("minimum" = 0, "exclusiveMaximum" = ROUGHEST, "remedy" = SMALL_ASPERITIES))]
    pub roughness: f64,
    /// Stiffness of the bulk, k_b; its inverse is the capillary number `[μγ̇a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "rigid spheres",
        "remedy" = "films need elastic bulk; leave it out for rigid spheres"
    ))]
    pub stiffness: Option<f64>,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1 is the paper's"))]
    pub asperity_ratio: f64,
    /// Tangential stiffness over that of the bulk, k_t/k_b `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "0.3 is common"))]
    pub tangential_ratio: f64,
    /// Coefficient of friction between asperities `[1]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 is frictionless"))]
    pub friction: f64,
    /// Gap beyond which the spheres do not feel each other, beyond the asperities `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "4 for `\"lubrication\"`, none for `\"two-body\"`",
        "remedy" = "it is the gap at which the film begins"
    ))]
    pub cutoff: Option<f64>,
    /// How the spheres feel each other through the fluid.
    pub hydrodynamics: Hydrodynamics,
    /// Whether the film resists sliding, rolling and twisting, or only squeezing.
    pub components: Components,
    /// How the film resists rolling and twisting.
    pub rolling: Rolling,
    /// Whether the spheres spin; without, they only move.
    pub rotation: bool,
    /// Strain at which spheres that do not part are given up `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen from `start` and `offset`",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub max_strain: Option<f64>,
}

/// What of lubrication acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Components {
    /// Squeezing, sliding, rolling and twisting.
    #[default]
    All,
    /// Squeezing only.
    Normal,
}

/// Smooth rigid spheres nearly on one streamline.
impl Default for PairShear {
    fn default() -> Self {
        Self {
            offset: 0.1,
            offset_z: 0.0,
            start: -10.0,
            radii: [1.0; 2],
            roughness: 0.0,
            stiffness: None,
            asperity_ratio: 1.0,
            tangential_ratio: 0.3,
            friction: 0.0,
            cutoff: None,
            hydrodynamics: Hydrodynamics::Lubrication,
            components: Components::All,
            rolling: Rolling::Derived,
            rotation: true,
            max_strain: None,
        }
    }
}

impl PairShear {
    /// Where lubrication begins when nothing is said, the value of \[CBC20\] `[a]`.
    pub const DEFAULT_CUTOFF: f64 = 4.0;

    /// Gap beyond which the spheres do not feel each other `[a]`.
    pub fn cutoff(&self) -> f64 {
        self.cutoff.unwrap_or(match self.hydrodynamics {
            Hydrodynamics::Lubrication => Self::DEFAULT_CUTOFF,
            Hydrodynamics::TwoBody => f64::INFINITY,
        })
    }

    /// Strain that it takes to pass each other on undisturbed streamlines, and to turn about each
    /// other.
    pub fn expected_strain(&self) -> f64 {
        2.0 * self.start.abs() / self.offset.abs().max(1e-6) + 10.0
    }

    /// Strain at which spheres that do not part are given up.
    pub fn longest(&self) -> f64 {
        self.max_strain.unwrap_or(2.0 * self.expected_strain() + 200.0)
    }
}

impl StudyTable for PairShear {
    const STUDY: &'static str = "pair-shear";
    const TABLE: &'static str = "pair";
    const TOLERANCE: f64 = Time::PASSING;

    fn check(&self, check: &mut Check<'_>) {
        let [x, y, z] = [self.start, self.offset, self.offset_z];
        let distance = (x * x + y * y + z * z).sqrt();
        if distance <= self.radii[0] + self.radii[1] {
            let problem = format!("the spheres overlap at the start, {distance:.3} apart");
            check.fault("pair.start", problem, "start farther apart, as in -10");
        }
        let mean = 0.5 * (self.radii[0] + self.radii[1]);
        check.asperities("pair", self.roughness, self.cutoff(), mean);
        if self.hydrodynamics == Hydrodynamics::TwoBody {
            check.size_ratio("pair.radii", &self.radii);
            // The defaults mean what they say, and are in every resolved case.
            let why = "two-body hydrodynamics has all components";
            if self.components != Components::All {
                check.refuse(&["pair.components"], why);
            }
            if self.rolling != Rolling::Derived {
                check.refuse(&["pair.rolling"], why);
            }
            if !self.rotation {
                check.refuse(&["pair.rotation"], "two-body hydrodynamics has spheres that spin");
            }
        }
    }

    fn check_inertia(&self, check: &mut Check<'_>) {
        check.inertia();
        let explicit = check.case.inertia.as_ref().is_some_and(|i| i.scheme == Scheme::Verlet);
        if explicit && self.stiffness.is_none() {
            let problem = "the explicit scheme needs spheres of finite pair.stiffness";
            check.fault("inertia.scheme", problem, "take inertia.scheme = \"implicit\"");
        }
    }

    fn fill_in(&mut self) {
        let cutoff = self.cutoff();
        self.cutoff = cutoff.is_finite().then_some(cutoff);
    }
}
