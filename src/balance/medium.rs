//! What surrounds the spheres: drag on single ones, and what the fluid around pairs does.

use std::f64::consts::PI;

use super::field::Field;

/// What surrounds the spheres, and what they are free to do in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Whether single spheres feel Stokes drag.
    pub drag: bool,
    /// Whether they spin.
    pub rotation: bool,
    /// What the fluid around pairs does beyond their films.
    pub field: Option<Field>,
}

/// A fluid of unit viscosity around spheres that feel its drag and spin.
impl Default for Medium {
    fn default() -> Self {
        Medium { viscosity: 1.0, drag: true, rotation: true, field: None }
    }
}

impl Medium {
    /// Resistance of a single sphere to translation and rotation. Spheres that must not spin have
    /// no levers, and any resistance keeps them from it.
    pub fn drag(&self, radius: f64) -> [f64; 2] {
        let [slow, turn] = stokes_drag(self.viscosity, radius);
        let slow = if self.drag { slow } else { 0.0 };
        [slow, if self.drag || !self.rotation { turn } else { 0.0 }]
    }
}

/// Stokes drag of a sphere on translation and rotation (\[GB20\] eq. 3).
pub fn stokes_drag(viscosity: f64, radius: f64) -> [f64; 2] {
    [6.0 * PI * viscosity * radius, 8.0 * PI * viscosity * radius.powi(3)]
}
