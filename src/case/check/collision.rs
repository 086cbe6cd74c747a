//! Checks of `[collision]`.

use super::Check;
use super::range::Range::{Between, From, NotNegative, Positive};

/// The Stokes numbers that can be computed `[1]`.
const SLOWEST: f64 = 1e-3;
const FASTEST: f64 = 1e7;

/// Beyond this angle spheres hardly meet `[°]`.
const GRAZING: f64 = 89.0;

/// Longest step over the times that bound it `[1]`.
const LONGEST: f64 = 0.2;

impl Check<'_> {
    pub(super) fn collision(&mut self) {
        let collision = self.case.collision.clone().unwrap_or_default();
        let slow = "below about 20 there is no rebound, above 2000 it is as if dry";
        self.number("collision.stokes", collision.stokes, From(SLOWEST, FASTEST), slow);
        let angle = "0 is head-on, 90 would pass by";
        self.number("collision.angle_deg", collision.angle_deg, From(0.0, GRAZING), angle);
        let si = "it is in SI units; 6.35e-3 m is the paper's";
        self.number("collision.radius", collision.radius, Positive, si);
        self.number("collision.viscosity", collision.viscosity, Positive, "water has 1e-3 Pa s");
        let step = "0.02 is the default, smaller is more accurate";
        self.number("collision.step", collision.step, Between(0.0, LONGEST), step);
        let longest = "leave it out to have it chosen";
        self.optional("collision.max_time", collision.max_time, Positive, longest);
        let own = "steps of a collision follow from collision.step";
        self.refuse(&["time.first_step", "time.max_step"], own);
        self.collision_matter();
    }

    fn collision_matter(&mut self) {
        let collision = self.case.collision.clone().unwrap_or_default();
        let given = collision.properties();
        let table = "leave it out for that of the material";
        self.number("collision.density", given.density, Positive, table);
        self.number("collision.modulus", given.modulus, Positive, table);
        self.number("collision.poisson_ratio", given.poisson_ratio, Between(-1.0, 0.5), table);
        let dry = "it is what is left of the speed without a fluid, as in 0.97";
        self.number("collision.dry_restitution", given.dry_restitution, From(1e-3, 1.0), dry);
        self.number("collision.dry_friction", given.dry_friction, NotNegative, "0 has none");
        let film = given.lubricated_friction;
        self.number("collision.lubricated_friction", film, NotNegative, "0 has none");
        let rough = "it is in metres and small against the radius, as in 1e-7; 0 is smooth";
        let most = 0.1 * collision.radius.max(0.0);
        if collision.radius > 0.0 {
            self.number("collision.roughness", given.roughness, From(0.0, most), rough);
        }
    }
}
