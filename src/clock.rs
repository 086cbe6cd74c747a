//! Where a run stands: steps, time and strain, and how it goes on.

use serde::{Deserialize, Serialize};

/// Where the run stands and how it goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Accepted steps.
    pub steps: u64,
    /// Time `[t]`.
    pub time: f64,
    /// Total strain, \\(\int \dot\gamma\,dt\\).
    pub strain: f64,
    /// Total strain across, along z.
    pub cross: f64,
    /// Strain in either direction, \\(\int|\dot\gamma|\,dt\\).
    pub path: f64,
    /// The phase of what is imposed, counted from 0.
    pub phase: usize,
    /// Strain in either direction, and time, at which the phase began.
    pub phase_began: [f64; 2],
    /// The step that the controller proposes next `[t]`; 0 before the first step.
    pub next_step: f64,
    /// The last two accepted steps, newest first; 0 where there was none `[t]`.
    pub last_steps: [f64; 2],
    /// The scaled error of the last accepted step.
    pub last_error: f64,
}

impl Clock {
    /// Goes on by an accepted step with its strains along x and along z.
    pub fn go_on(&mut self, step: f64, [along, across]: [f64; 2]) {
        self.steps += 1;
        self.time += step;
        self.strain += along;
        self.cross += across;
        self.path += along.abs();
        self.last_steps = [step, self.last_steps[0]];
    }
}
