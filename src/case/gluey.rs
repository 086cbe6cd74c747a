//! `[gluey]`: contacts that are constraints, and remember.

use std::borrow::Cow;
use std::f64::consts::PI;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::integrate::projected::Potential;

/// `[gluey]`: particles that must not overlap and stick by their films (\[L09\]), in place of
/// contact springs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Gluey {
    /// The least γ, at which films grow no thinner; 0 makes contacts plainly inelastic. With the
    /// potential `"impulse"` its unit is force × time `[viscosity]`.
    #[schemars(extend("maximum" = 0, "remedy" = "0 is inelastic, \"smooth\" has no least one"))]
    pub gamma_min: Least,
    /// Size r of the asperities of all surfaces over the radius, instead of `gamma_min`, which is
    /// 6πμ ln(2r) then `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it is the size of asperities in units of the radius, as in 0.01"
    ))]
    pub roughness: Option<f64>,
    /// How γ changes with the impulse of a contact.
    pub potential: Potential,
    /// Whether particles have a mass.
    pub inertia: bool,
    /// Mass of every particle, where they have one `[force × time²/length]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "1, unless a density is given",
        "remedy" = "leave it out for 1"
    ))]
    pub mass: Option<f64>,
    /// Density, instead of the same mass for all `[force × time²/length⁴]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0, "remedy" = "give the mass per volume"))]
    pub density: Option<f64>,
    /// Initial gap between particle and plane; only in the study `gluey-plane` `[a]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "1 in the study `gluey-plane`",
        "remedy" = "the particle begins above the plane, as in 1"
    ))]
    pub gap: Option<f64>,
}

/// Smooth particles without inertia.
impl Default for Gluey {
    fn default() -> Self {
        Gluey {
            gamma_min: Least::Smooth,
            roughness: None,
            potential: Potential::Film,
            inertia: false,
            mass: None,
            density: None,
            gap: None,
        }
    }
}

impl Gluey {
    /// The initial gap of a particle above a plane unless given `[a]`.
    pub const GAP: f64 = 1.0;

    /// The least γ in a fluid of a viscosity `[μ]`.
    pub fn least(&self, viscosity: f64) -> f64 {
        match (self.roughness, self.gamma_min) {
            (Some(size), _) => (6.0 * PI * viscosity * (2.0 * size).ln()).min(0.0),
            (None, Least::Given(gamma)) => gamma,
            (None, Least::Smooth) => f64::NEG_INFINITY,
        }
    }
}

/// The least γ, written `"smooth"` or as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    /// None: films become ever thinner.
    Smooth,
    /// As given, at most 0 `[μ]`.
    Given(f64),
}

const SMOOTH: &str = "smooth";

impl JsonSchema for Least {
    fn schema_name() -> Cow<'static, str> {
        "Least".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let smooth = "None: films become ever thinner";
        json_schema!({
            "anyOf": [{ "const": SMOOTH, "description": smooth }, { "type": "number" }]
        })
    }
}

impl Serialize for Least {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Least::Smooth => serializer.serialize_str(SMOOTH),
            Least::Given(value) => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Least {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LeastVisitor)
    }
}

struct LeastVisitor;

impl Visitor<'_> for LeastVisitor {
    type Value = Least;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number or \"{SMOOTH}\"")
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Least, E> {
        Ok(Least::Given(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Least, E> {
        Ok(Least::Given(value as f64))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Least, E> {
        match text {
            SMOOTH => Ok(Least::Smooth),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}
