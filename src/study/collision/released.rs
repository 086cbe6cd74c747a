//! The same spheres at zero Stokes number: let go with asperities pressed together, they come to
//! rest where asperities no longer touch, whatever speed they came with. Nothing carries them on.

use nalgebra::Vector3;
use serde::Serialize;

use super::Collision;
use super::motion::Setting;
use crate::case::Case;
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Stepper};
use crate::laws::rough::{Beginning, Film, Rolling, Rough};
use crate::laws::{Interactions, Remote};
use crate::record::keys::described;
use crate::state::{PairIds, PairMemory, Suspension};
use crate::study::few::Spheres;

/// Film at the start over that at which asperities touch.
const PRESSED: f64 = 0.5;

/// How long spheres are watched, in units of the time in which the film fills.
const TIME_FOLLOWED: f64 = 20.0;

described! {
    /// What spheres without inertia do.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct Released {
        /// Without inertia: the last speed of the bodies over the first `[1]`.
        pub restitution: f64,
        /// Without inertia: the gap at the end `[m]`.
        pub gap: f64,
    }
}

impl Released {
    /// As text.
    pub fn words(&self) -> String {
        format!("at rest at {:.4e} m, {:.0e} of the speed is left", self.gap, self.restitution)
    }
}

/// Two spheres of unit radius whose asperities are as high as the smallest approach.
fn spheres(case: &Case) -> (Stepper, Suspension, f64) {
    let given: Collision = case.study_table();
    let roughness = Setting::new(&given).law.approach / given.radius;
    // The film then fills in about a unit of time.
    let asperity_stiffness = 1.5 * std::f64::consts::PI / roughness;
    let rough = Rough {
        viscosity: 1.0,
        stiffness: asperity_stiffness,
        asperity_stiffness,
        tangential_stiffness: f64::INFINITY,
        roughness,
        friction: 0.0,
        range: f64::INFINITY,
        beginning: Beginning::Truncated,
        film: Film::Printed { sliding: false, rolling: Rolling::None },
        remote: Remote::NONE,
    };
    let film = PRESSED * roughness;
    let positions = vec![Vector3::zeros(), Vector3::new(2.0 + film, 0.0, 0.0)];
    let mut state = Suspension::new(vec![1.0; 2], positions, Cell::Open);
    let values = vec![film.ln(), 0.0, 0.0, 0.0, 1.0];
    state.memory = PairMemory { ids: vec![PairIds::particles(0, 1)], stride: values.len(), values };
    let spheres = Spheres::new(Interactions::of(rough), TIME_FOLLOWED);
    (spheres.stepper(case, &state, Drive::default()), state, given.radius)
}

/// Lets the spheres of a collision go without inertia.
///
/// # Errors
///
/// When a step fails.
pub fn released(case: &Case) -> Result<Released, Error> {
    let (mut stepper, mut state, radius) = spheres(case);
    let end = End { strain: f64::INFINITY, time: TIME_FOLLOWED };
    let mut speeds = Vec::new();
    while !end.reached(&state.clock) {
        let gap = state.memory.values[0].exp();
        let seen = stepper.step(&mut state, end)?;
        speeds.push((state.memory.values[0].exp() - gap) / seen.step);
    }
    let [first, last] = [speeds.first(), speeds.last()].map(|s| s.copied().unwrap_or(0.0));
    let gap = radius * state.memory.values[0].exp();
    Ok(Released { restitution: last / first, gap })
}
