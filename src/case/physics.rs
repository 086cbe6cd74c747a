//! The tables that say what the suspension is made of and how it is driven.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::{Gluey, Lubrication, Rough, Soft};
use crate::laws::NamedLaws;

/// Largest number of spheres a run accepts `[1]`.
const MOST_PARTICLES: usize = 10_000_000;

/// `[particles]`: the spheres, drawn at random, read from a file or placed one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Particles {
    /// Number of spheres to draw `[1]`.
    #[schemars(extend(
        "minimum" = 1, "maximum" = MOST_PARTICLES,
        "otherwise" = "required where spheres are drawn",
        "remedy" = "a few hundred spheres are enough for a viscosity"
    ))]
    pub count: Option<usize>,
    /// Volume fraction φ of the spheres to draw; of a layer (`particles.planar`) the fraction of
    /// the area `[1]`.
    #[schemars(extend(
        "otherwise" = "required where spheres are drawn in a box",
        "within" = "> 0 and < 0.74; of a layer < 0.9"
    ))]
    pub volume_fraction: Option<f64>,
    /// Mean radius of each size class; with `positions`, the radius of each sphere. The smallest is
    /// the unit a of other keys `[length]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend(
        "minimum" = 1e-30, "exclusiveMaximum" = 1e30,
        "remedy" = "radii are positive, as in [1.0, 1.4]"
    ))]
    pub radii: Vec<f64>,
    /// Share of the solid volume in each size class, in proportion `[1]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "equal shares",
        "remedy" = "leave out a size class that has no volume"
    ))]
    pub volume_shares: Vec<f64>,
    /// Relative standard deviation of a log-normal distribution about each radius `[1]`.
    #[schemars(extend(
        "minimum" = 0, "exclusiveMaximum" = 1,
        "remedy" = "0 makes all spheres of a class equal"
    ))]
    pub spread: f64,
    /// Whether the spheres spin; without, they only move.
    pub rotation: bool,
    /// Seed of the random numbers of the whole run `[1]`.
    #[schemars(extend("within" = "whole, 0 to 2⁶³ − 1"))]
    pub seed: u64,
    /// A file with a configuration to begin with, instead of drawing one; its path is relative to
    /// the case file.
    pub file: Option<PathBuf>,
    /// Centres of spheres placed one by one `[length]`.
    pub positions: Option<Vec<[f64; 3]>>,
    /// Velocities with which spheres placed one by one begin, where they have inertia
    /// `[length/time]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "at rest"))]
    pub velocities: Option<Vec<[f64; 3]>>,
    /// Two corners of the part of open space in which spheres are drawn, away from obstacles
    /// `[length]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<[[f64; 3]; 2]>,
    /// Smallest and largest radius of spheres drawn with equal probability between them, instead of
    /// size classes `[length]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "radii are positive"))]
    pub radius_range: Option<[f64; 2]>,
    /// Whether all centres are in one plane, that of x and y, and stay there.
    pub planar: bool,
}

/// Bidisperse 1:1.4 in equal volumes, which does not crystallise.
impl Default for Particles {
    fn default() -> Self {
        Self {
            count: None,
            volume_fraction: None,
            radii: vec![1.0, 1.4],
            volume_shares: Vec::new(),
            spread: 0.0,
            rotation: true,
            seed: 1,
            file: None,
            positions: None,
            velocities: None,
            region: None,
            radius_range: None,
            planar: false,
        }
    }
}

impl Particles {
    /// The number of spheres, when the case alone tells it (not when a file does).
    pub fn known_count(&self) -> Option<usize> {
        self.positions.as_ref().map(Vec::len).or(self.count)
    }
}

/// `[domain]`: the space the spheres live in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Domain {
    /// What happens at the edges.
    pub boundary: Boundary,
    /// Proportions of the periodic box along flow, gradient and vorticity `[1]`.
    #[schemars(extend("minimum" = 1e-6, "exclusiveMaximum" = 1e6, "remedy" = "[1, 1, 1] is a cube"))]
    pub aspect: [f64; 3],
    /// Edges of the periodic box of spheres placed one by one `[length]`.
    #[schemars(extend(
        "otherwise" = "required for `particles.positions` in a periodic domain",
        "within" = "3 numbers, at least the largest diameter"
    ))]
    pub lengths: Option<[f64; 3]>,
}

/// A periodic cube.
impl Default for Domain {
    fn default() -> Self {
        Self { boundary: Boundary::Periodic, aspect: [1.0; 3], lengths: None }
    }
}

/// What happens at the edges of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// Periodic, sheared by Lees and Edwards' sliding images.
    Periodic,
    /// No edges: unbounded fluid.
    Open,
}

/// `[fluid]`: the Newtonian liquid between the spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fluid {
    /// Dynamic viscosity μ `[viscosity]`.
    #[schemars(extend(
        "minimum" = 1e-30, "exclusiveMaximum" = 1e30,
        "remedy" = "choose units in which it is closer to 1"
    ))]
    pub viscosity: f64,
    /// Whether single spheres feel Stokes drag; soft ones can do without.
    pub drag: bool,
}

/// μ = 1, with drag.
impl Default for Fluid {
    fn default() -> Self {
        Self { viscosity: 1.0, drag: true }
    }
}

/// The laws between particles, each with a table of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Laws {
    /// The film between close spheres.
    pub lubrication: Lubrication,
    /// Spheres that touch.
    pub contact: Contact,
    /// Laws whose forces add to the others, none unless given.
    #[serde(rename = "[law]")]
    #[schemars(skip)]
    pub named: NamedLaws,
    /// Elastic surfaces with a film between them (Soft Dynamics), in place of lubrication and
    /// contact; none unless given.
    pub soft: Option<Soft>,
    /// A film with elastic bulk, asperities and friction, in place of lubrication and contact; none
    /// unless given.
    pub rough: Option<Rough>,
    /// Particles that must not overlap and stick by their films (\[L09\]), in place of contact
    /// springs; none unless given.
    pub gluey: Option<Gluey>,
}

/// `[contact]`: spheres that touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// Whether touching spheres repel at all.
    pub enabled: bool,
    /// Normal stiffness k_n; `"auto"` chooses it for the overlap bound, with a second spring that
    /// bears bursts of force `[μγ̇a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "\"auto\" chooses it for the overlap bound"
    ))]
    pub stiffness: Stiffness,
    /// Tangential over normal stiffness, k_t/k_n `[1]`.
    #[schemars(extend("minimum" = 0, "otherwise" = "2/7", "remedy" = "2/7 is common"))]
    pub tangential_ratio: f64,
    /// Coulomb's friction coefficient μ_p `[1]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 is frictionless"))]
    pub friction: f64,
    /// Normal force F_CL above which friction acts (critical-load model); 0 lets it act always
    /// `[force]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 lets friction act at any load"))]
    pub critical_load: f64,
    /// Normal damping of contacts γ_n, added to the resistance of the film `[μa]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 is no damping"))]
    pub damping: f64,
    /// Overlap that an automatic stiffness keeps to `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1, "remedy" = "0.01 keeps spheres hard"
    ))]
    pub max_overlap: f64,
}

/// Frictionless, with a stiffness chosen for 1 % of overlap.
impl Default for Contact {
    fn default() -> Self {
        Self {
            enabled: true,
            stiffness: Stiffness::Auto,
            tangential_ratio: 2.0 / 7.0,
            friction: 0.0,
            critical_load: 0.0,
            damping: 0.0,
            max_overlap: 0.01,
        }
    }
}

/// A contact stiffness, written `"auto"` or as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// Chosen for the overlap bound `max_overlap`.
    Auto,
    /// As given `[μγ̇a]`.
    Given(f64),
}

const AUTO: &str = "auto";

impl JsonSchema for Stiffness {
    fn schema_name() -> Cow<'static, str> {
        "Stiffness".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let auto = "Chosen from density, friction and forces so that overlaps keep to \
                    `contact.max_overlap`";
        json_schema!({
            "anyOf": [{ "const": AUTO, "description": auto }, { "type": "number" }]
        })
    }
}

impl Serialize for Stiffness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Stiffness::Auto => serializer.serialize_str(AUTO),
            Stiffness::Given(value) => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Stiffness {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StiffnessVisitor)
    }
}

struct StiffnessVisitor;

impl Visitor<'_> for StiffnessVisitor {
    type Value = Stiffness;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number or \"{AUTO}\"")
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Stiffness, E> {
        Ok(Stiffness::Given(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Stiffness, E> {
        Ok(Stiffness::Given(value as f64))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Stiffness, E> {
        match text {
            AUTO => Ok(Stiffness::Auto),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

/// `[[force]]`: a constant force and torque on some particles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// Numbers of the particles it acts on, counted from 0 `[1]`.
    pub particles: Vec<usize>,
    /// The force on each of them `[force]`.
    pub vector: [f64; 3],
    /// The torque on each of them `[force × length]`.
    #[serde(default)]
    pub torque: [f64; 3],
}
