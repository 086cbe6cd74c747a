//! `[collision]`: two bodies that collide in a fluid, with inertia. In SI units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Check, Range, StudyTable};
use crate::integrate::verlet::Prediction;

/// The Stokes numbers that can be computed `[1]`.
const SLOWEST: f64 = 1e-3;
const FASTEST: f64 = 1e7;

/// Beyond this angle spheres hardly meet `[°]`.
const GRAZING: f64 = 89.0;

/// Longest step over the times that bound it `[1]`.
const LONGEST: f64 = 0.2;

/// What holds where a property is not given, and what to do about one out of range.
const OF_MATERIAL: &str = "that of the material";
const LEAVE_TO_MATERIAL: &str = "leave it out for that of the material";

/// `[collision]`: a sphere that hits another, or a wall, in a fluid. All in SI units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Collision {
    /// What both bodies are made of.
    pub material: Material,
    /// Stokes number of the impact, m*v/(6πμR*²) with the whole speed of approach `[1]`.
    #[schemars(extend(
        "minimum" = SLOWEST, "exclusiveMaximum" = FASTEST,
        "remedy" = "below about 20 there is no rebound, above 2000 it is as if dry"
    ))]
    pub stokes: f64,
    /// Angle between the velocity and the line of centres where spheres would touch `[°]`.
    #[schemars(extend(
        "minimum" = 0, "exclusiveMaximum" = GRAZING,
        "remedy" = "0 is head-on, 90 would pass by"
    ))]
    pub angle_deg: f64,
    /// What is hit: it is at rest.
    pub partner: Partner,
    /// Radius of the spheres `[m]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "it is in SI units; 6.35e-3 m is the paper's"
    ))]
    pub radius: f64,
    /// Properties of the material that are not those of the table.
    #[serde(rename = "roughness density modulus poisson_ratio dry_restitution dry_friction \
                      lubricated_friction")]
    pub given: Given,
    /// Viscosity of the fluid `[Pa s]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "water has 1e-3 Pa s"))]
    pub viscosity: f64,
    /// Step over the shortest of the times that bound it `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = LONGEST,
        "remedy" = "0.02 is the default, smaller is more accurate"
    ))]
    pub step: f64,
    /// Velocities with which forces at the end of a step are found.
    pub prediction: Prediction,
    /// Time at which a collision is given up `[s]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen from speed and radius",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub max_time: Option<f64>,
}

/// Properties that are given beside the material, and filled in from it where they are not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Roughness of both surfaces; 0 is smooth `[m]`.
    #[schemars(extend(
        "otherwise" = OF_MATERIAL, "within" = ">= 0 and less than a tenth of `radius`"
    ))]
    pub roughness: Option<f64>,
    /// Density of the bodies `[kg/m³]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = OF_MATERIAL, "remedy" = LEAVE_TO_MATERIAL
    ))]
    pub density: Option<f64>,
    /// Young's modulus `[Pa]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = OF_MATERIAL, "remedy" = LEAVE_TO_MATERIAL
    ))]
    pub modulus: Option<f64>,
    /// Poisson's ratio `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = -1, "exclusiveMaximum" = 0.5,
        "otherwise" = OF_MATERIAL, "remedy" = LEAVE_TO_MATERIAL
    ))]
    pub poisson_ratio: Option<f64>,
    /// Coefficient of restitution without a fluid `[1]`.
    #[schemars(extend(
        "minimum" = 1e-3, "exclusiveMaximum" = 1, "otherwise" = OF_MATERIAL,
        "remedy" = "it is what is left of the speed without a fluid, as in 0.97"
    ))]
    pub dry_restitution: Option<f64>,
    /// Coefficient of friction between asperities `[1]`.
    #[schemars(extend("minimum" = 0, "otherwise" = OF_MATERIAL, "remedy" = "0 has none"))]
    pub dry_friction: Option<f64>,
    /// Coefficient of friction where a film remains `[1]`.
    #[schemars(extend("minimum" = 0, "otherwise" = OF_MATERIAL, "remedy" = "0 has none"))]
    pub lubricated_friction: Option<f64>,
}

/// Delrin spheres in water, head-on.
impl Default for Collision {
    fn default() -> Self {
        Self {
            material: Material::Delrin,
            stokes: 100.0,
            angle_deg: 0.0,
            partner: Partner::Sphere,
            radius: 6.35e-3,
            given: Given::default(),
            viscosity: 1e-3,
            step: 0.02,
            prediction: Prediction::Whole,
            max_time: None,
        }
    }
}

/// What is hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Partner {
    /// A sphere like the other, free to move.
    #[default]
    Sphere,
    /// A wall of the same material that does not move.
    Wall,
}

/// The materials of \[NOP23\] Table 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Material {
    /// Smooth steel.
    #[serde(rename = "steel-1")]
    Steel1,
    /// Rougher steel.
    #[serde(rename = "steel-2")]
    Steel2,
    /// Glass.
    Glass,
    /// A hard plastic.
    #[default]
    Delrin,
}

/// What Table 1 says of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Density `[kg/m³]`.
    pub density: f64,
    /// Young's modulus `[Pa]`.
    pub modulus: f64,
    /// Poisson's ratio `[1]`.
    pub poisson_ratio: f64,
    /// Restitution without a fluid `[1]`.
    pub dry_restitution: f64,
    /// Roughness `[m]`.
    pub roughness: f64,
    /// Coefficient of friction between asperities `[1]`.
    pub dry_friction: f64,
    /// Coefficient of friction where a film remains `[1]`.
    pub lubricated_friction: f64,
}

impl Material {
    /// All of them.
    pub const ALL: [Material; 4] =
        [Material::Steel1, Material::Steel2, Material::Glass, Material::Delrin];

    /// The name in a case file.
    pub fn name(self) -> &'static str {
        match self {
            Material::Steel1 => "steel-1",
            Material::Steel2 => "steel-2",
            Material::Glass => "glass",
            Material::Delrin => "delrin",
        }
    }

    /// What Table 1 says of it.
    pub fn properties(self) -> Properties {
        let steel = Properties {
            density: 7780.0,
            modulus: 190e9,
            poisson_ratio: 0.27,
            dry_restitution: 0.97,
            roughness: 24e-9,
            dry_friction: 0.11,
            lubricated_friction: 0.02,
        };
        match self {
            Material::Steel1 => steel,
            Material::Steel2 => Properties { roughness: 272e-9, ..steel },
            Material::Glass => Properties {
                density: 2540.0,
                modulus: 60e9,
                poisson_ratio: 0.23,
                roughness: 134e-9,
                dry_friction: 0.40,
                lubricated_friction: 0.10,
                ..steel
            },
            Material::Delrin => Properties {
                density: 1400.0,
                modulus: 2.8e9,
                poisson_ratio: 0.35,
                roughness: 796e-9,
                dry_friction: 0.20,
                lubricated_friction: 0.10,
                ..steel
            },
        }
    }
}

impl Collision {
    /// What the bodies are made of: the material, but for what is given beside it.
    pub fn properties(&self) -> Properties {
        let (given, usual) = (&self.given, self.material.properties());
        Properties {
            density: given.density.unwrap_or(usual.density),
            modulus: given.modulus.unwrap_or(usual.modulus),
            poisson_ratio: given.poisson_ratio.unwrap_or(usual.poisson_ratio),
            dry_restitution: given.dry_restitution.unwrap_or(usual.dry_restitution),
            roughness: given.roughness.unwrap_or(usual.roughness),
            dry_friction: given.dry_friction.unwrap_or(usual.dry_friction),
            lubricated_friction: given.lubricated_friction.unwrap_or(usual.lubricated_friction),
        }
    }

    /// The same collision of another material: what differs from the first one's table was asked
    /// for and stays.
    pub fn made_of(&self, material: Material) -> Self {
        let (given, usual) = (&self.given, self.material.properties());
        let asked = |given: Option<f64>, usual: f64| given.filter(|value| *value != usual);
        let given = Given {
            density: asked(given.density, usual.density),
            modulus: asked(given.modulus, usual.modulus),
            poisson_ratio: asked(given.poisson_ratio, usual.poisson_ratio),
            dry_restitution: asked(given.dry_restitution, usual.dry_restitution),
            roughness: asked(given.roughness, usual.roughness),
            dry_friction: asked(given.dry_friction, usual.dry_friction),
            lubricated_friction: asked(given.lubricated_friction, usual.lubricated_friction),
        };
        Self { material, given, ..self.clone() }
    }

    fn check_matter(&self, check: &mut Check<'_>) {
        let rough = "it is in metres and small against the radius, as in 1e-7; 0 is smooth";
        let (roughness, most) = (self.properties().roughness, 0.1 * self.radius.max(0.0));
        if self.radius > 0.0 {
            check.number("collision.roughness", roughness, Range::From(0.0, most), rough);
        }
    }
}

impl StudyTable for Collision {
    const STUDY: &'static str = "collision";
    const TABLE: &'static str = "collision";

    fn check(&self, check: &mut Check<'_>) {
        let own = "steps of a collision follow from collision.step";
        check.refuse(&["time.first_step", "time.max_step"], own);
        self.check_matter(check);
    }

    fn check_inertia(&self, check: &mut Check<'_>) {
        if check.case.inertia.is_some() {
            let problem = "given although bodies that collide have the mass of their material";
            check.fault("inertia", problem, "leave it out, and set collision.stokes");
        }
    }

    /// Writes down what the material says.
    fn fill_in(&mut self) {
        let all = self.properties();
        self.given = Given {
            density: Some(all.density),
            modulus: Some(all.modulus),
            poisson_ratio: Some(all.poisson_ratio),
            dry_restitution: Some(all.dry_restitution),
            roughness: Some(all.roughness),
            dry_friction: Some(all.dry_friction),
            lubricated_friction: Some(all.lubricated_friction),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_material_keeps_what_was_asked_for() {
        let mut steel = Collision { material: Material::Steel1, ..Collision::default() };
        steel.given.roughness = Some(1e-6);
        steel.fill_in();
        let glass = steel.made_of(Material::Glass).properties();
        assert_eq!(glass.roughness, 1e-6);
        assert_eq!(glass, Properties { roughness: 1e-6, ..Material::Glass.properties() });
    }
}
