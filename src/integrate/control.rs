//! How long the next step is: an embedded error estimate and a PI controller.

use crate::state::{Clock, Velocity};

/// What the tolerance is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Steady averages of a chaotic suspension: the root-mean-square displacement error.
    Statistics,
    /// The path itself: the largest displacement error, relative to the gap of close pairs.
    Trajectory,
}

/// The step may grow or shrink by these factors at once.
const CHANGE: [f64; 2] = [0.3, 1.5];

/// The order of the error estimate in the step, for each aim.
fn order(aim: Aim) -> f64 {
    match aim {
        Aim::Statistics => 2.0,
        Aim::Trajectory => 3.0,
    }
}

/// By what factor the step should change after a scaled error (1 is just tolerable), given the
/// error of the last accepted step.
pub fn factor(aim: Aim, error: f64, last: f64) -> f64 {
    let (error, last) = (error.max(1e-4), last.max(1e-4));
    let p = order(aim);
    let wanted = 0.9 * error.powf(-0.7 / p) * last.powf(0.3 / p);
    wanted.clamp(CHANGE[0], CHANGE[1])
}

/// The motion expected from the last one or two accepted steps.
pub fn predict(
    aim: Aim,
    clock: &Clock,
    last: &[Velocity],
    earlier: &[Velocity],
    step: f64,
) -> Vec<Velocity> {
    let [newer, older] = clock.last_steps;
    if aim == Aim::Statistics || earlier.len() != last.len() || older == 0.0 {
        return last.to_vec();
    }
    // Motions belong to the middles of their steps.
    let slope = (newer + step) / (newer + older);
    let extrapolate = |(m, e): (&Velocity, &Velocity)| Velocity {
        linear: m.linear + slope * (m.linear - e.linear),
        angular: m.angular + slope * (m.angular - e.angular),
    };
    last.iter().zip(earlier).map(extrapolate).collect()
}
