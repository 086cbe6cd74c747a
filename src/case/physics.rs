//! The tables that say what the suspension is made of and how it is driven.

use std::fmt;
use std::path::PathBuf;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::{Gluey, Lubrication, Rough, Soft};
use crate::laws::NamedLaws;

/// `[particles]`: the spheres, drawn at random, read from a file or placed one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Particles {
    /// Number of spheres to draw `[1]`.
    pub count: Option<usize>,
    /// Volume fraction φ of the spheres to draw `[1]`.
    pub volume_fraction: Option<f64>,
    /// Mean radius of each size class; with `positions`, the radius of each sphere `[a]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub radii: Vec<f64>,
    /// Share of the solid volume in each size class, in proportion; filled in with equal shares
    /// when spheres are drawn and none are given `[1]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volume_shares: Vec<f64>,
    /// Relative standard deviation of a log-normal distribution about each radius `[1]`.
    pub spread: f64,
    /// Whether the spheres spin; without, they only move.
    pub rotation: bool,
    /// Seed of the random numbers of the whole run, at most 2⁶³ − 1.
    pub seed: u64,
    /// A configuration to read instead of drawing one; relative to the case file, absolute
    /// once the case is read.
    pub file: Option<PathBuf>,
    /// Centres of spheres placed one by one `[a]`.
    pub positions: Option<Vec<[f64; 3]>>,
    /// Velocities with which spheres placed one by one begin, where they have inertia `[a/t]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocities: Option<Vec<[f64; 3]>>,
    /// Two corners of the part of open space in which spheres are drawn, away from obstacles `[a]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<[[f64; 3]; 2]>,
    /// Smallest and largest radius of spheres drawn with equal probability between them, instead of
    /// size classes `[a]`.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Domain {
    /// What happens at the edges.
    pub boundary: Boundary,
    /// Proportions of the periodic box along flow, gradient and vorticity `[1]`.
    pub aspect: [f64; 3],
    /// Edges of the periodic box of spheres placed one by one `[a]`.
    pub lengths: Option<[f64; 3]>,
}

/// A periodic cube.
impl Default for Domain {
    fn default() -> Self {
        Self { boundary: Boundary::Periodic, aspect: [1.0; 3], lengths: None }
    }
}

/// What happens at the edges of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// Periodic, sheared by Lees and Edwards' sliding images.
    Periodic,
    /// No edges: unbounded fluid.
    Open,
}

/// `[fluid]`: the Newtonian liquid between the spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fluid {
    /// Dynamic viscosity μ; the unit of viscosity unless set.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Laws {
    /// The film between close spheres.
    pub lubrication: Lubrication,
    /// Spheres that touch.
    pub contact: Contact,
    /// Laws whose forces add to the others, none unless given.
    #[serde(rename = "[law]")]
    pub named: NamedLaws,
    /// Soft surfaces in place of lubrication and contact, none unless given.
    pub soft: Option<Soft>,
    /// Rough surfaces in place of lubrication and contact, none unless given.
    pub rough: Option<Rough>,
    /// Contacts that are constraints and remember, in place of springs, none unless given.
    pub gluey: Option<Gluey>,
}

/// `[contact]`: spheres that touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// Whether touching spheres repel at all.
    pub enabled: bool,
    /// Normal stiffness k_n `[μγ̇a]`.
    pub stiffness: Stiffness,
    /// Tangential over normal stiffness, k_t/k_n `[1]`.
    pub tangential_ratio: f64,
    /// Coulomb friction coefficient `[1]`.
    pub friction: f64,
    /// Normal force F_CL above which friction acts (critical-load model); 0 = always.
    pub critical_load: f64,
    /// Normal contact damping γ_n, added to the resistance of the film.
    pub damping: f64,
    /// Overlap that an automatic stiffness keeps to `[a]`.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// The particles it acts on, numbered from 0.
    pub particles: Vec<usize>,
    /// The force on each of them.
    pub vector: [f64; 3],
    /// The torque on each of them; none unless given.
    #[serde(default)]
    pub torque: [f64; 3],
}
