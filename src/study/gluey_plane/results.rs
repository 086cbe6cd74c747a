//! What the particle has done at the plane, and the results.

use std::f64::consts::PI;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CLOSED_GAP, FORCE, PlaneSample, TURN};
use crate::case::Gluey;
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::keys::described;
use crate::record::{TIMESERIES, read_columns};
use crate::state::Suspension;
use crate::study::Finished;
use crate::study::few::{Conclusion, cost_lines};

/// Gap between particle and plane at the start `[a]`.
pub(super) fn gap(gluey: &Gluey) -> f64 {
    gluey.gap.unwrap_or(Gluey::GAP)
}

/// When the particle hit the plane, and when it came off again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlueyPlaneProgress {
    hit: Option<f64>,
    unstick: Option<f64>,
    /// The least γ so far.
    least: f64,
    worst_complementarity: f64,
    worst_dual: f64,
}

impl GlueyPlaneProgress {
    /// Adds a step; both happen within steps, at the moment that a constant force gives.
    pub(super) fn add(&mut self, gluey: &Gluey, before: &Suspension, sample: &PlaneSample) {
        let inertia = gluey.inertia;
        let (start, step) = (before.clock.time, sample.seen.step);
        let force = if start + 0.5 * step < TURN { FORCE } else { -FORCE };
        let gap = before.positions[0].y - 1.0;
        let gamma = before.memory.values.first().copied().unwrap_or(0.0);
        let closed = sample.gap < CLOSED_GAP;
        if self.hit.is_none() && closed {
            let speed = before.velocities[0].linear.y;
            let within = match inertia {
                // q + ut + ft²/2 = 0
                true => 2.0 * gap / ((speed * speed - 2.0 * force * gap).sqrt() - speed),
                false => 6.0 * PI * gap / -force,
            };
            self.hit = Some(start + within);
        }
        if self.hit.is_some() && self.unstick.is_none() && !closed {
            self.unstick = Some(start + (-gamma / force).max(0.0));
        }
        let worst = &sample.seen.constrained;
        self.least = self.least.min(sample.gamma);
        self.worst_dual = self.worst_dual.max(worst.dual);
        self.worst_complementarity = self.worst_complementarity.max(worst.complementarity);
    }
}

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct GlueyPlaneSummary {
        /// What happened.
        pub gluey: Touched,
        /// Largest overlap `[a]`.
        pub max_overlap: f64,
        /// Pairs that are glued at the end.
        pub glued_pairs: usize,
        /// How the run went; times are in `[t]`.
        #[serde(flatten)]
        pub run: Conclusion,
    }

    /// What the particle did.
    #[derive(Clone, Debug, Serialize)]
    pub struct Touched {
        /// When it hit the plane; none if it did not `[t]`.
        pub hit_time: Option<f64>,
        /// When it came off the plane; none if it did not `[t]`.
        pub unstick_time: Option<f64>,
        /// When the closed form has it hit the plane `[t]`.
        pub expected_hit_time: Option<f64>,
        /// When the closed form has it come off the plane `[t]`.
        pub expected_unstick_time: Option<f64>,
        /// The least potential γ met `[Ft/a²]`.
        pub least_gamma: f64,
        /// Gap at the end `[a]`.
        pub final_gap: f64,
        /// Largest product of gap and force or γ, over the largest force or γ `[a]`.
        pub worst_complementarity: f64,
        /// Largest part of the forces that was not balanced `[1]`.
        pub worst_dual_residual: f64,
    }
}

/// When the closed forms have the particle hit the plane and come off it.
fn theory(gluey: &Gluey) -> [Option<f64>; 2] {
    let gap = gap(gluey);
    let hit = if gluey.inertia { gap.sqrt() } else { 3.0 * PI * gap };
    // With a mass of m all is slower.
    let hit = if gluey.inertia { hit * gluey.mass.unwrap_or(1.0).sqrt() } else { hit };
    if hit > TURN {
        return [None; 2];
    }
    // γ when the force turns round, and what is left of it after a threshold.
    let pushed = if gluey.inertia { FORCE * TURN } else { FORCE * (TURN - hit) };
    let held = pushed.max(gluey.least(1.0));
    [Some(hit), Some(TURN - held / -FORCE)]
}

/// What a case means, one fact a line.
pub(super) fn meaning(gluey: &Gluey) -> Vec<String> {
    let [hit, off] = theory(gluey);
    let time = |t: Option<f64>| t.map_or("never".to_owned(), |t| format!("t = {t:.6}"));
    vec![
        "particles           1 gluey sphere of radius a above a plane".to_owned(),
        "units               a, μ, and the mass; a force of -2 until t = 2, then +2".to_owned(),
        format!("expected hit        {}", time(hit)),
        format!("expected unstick    {}", time(off)),
        "expected cost       under a second".to_owned(),
    ]
}

/// The results of a study that reached its end.
pub(super) fn summarise(
    gluey: &Gluey,
    progress: &GlueyPlaneProgress,
    run: &Finished<'_>,
) -> GlueyPlaneSummary {
    let [expected_hit_time, expected_unstick_time] = theory(gluey);
    let glued = run.state.memory.values.first().is_some_and(|gamma| *gamma < 0.0);
    GlueyPlaneSummary {
        gluey: Touched {
            hit_time: progress.hit,
            unstick_time: progress.unstick,
            expected_hit_time,
            expected_unstick_time,
            least_gamma: progress.least,
            final_gap: run.state.positions[0].y - 1.0,
            worst_complementarity: progress.worst_complementarity,
            worst_dual_residual: progress.worst_dual,
        },
        max_overlap: run.totals.max_overlap,
        glued_pairs: usize::from(glued),
        run: Conclusion::new(run, Vec::new()),
    }
}

impl GlueyPlaneSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let g = &self.gluey;
        let event = |found: Option<f64>, expected: Option<f64>| {
            let text = |t: Option<f64>| t.map_or("never".to_owned(), |t| format!("{t:.8}"));
            format!("t = {}, closed form {}", text(found), text(expected))
        };
        let mut lines = vec![
            format!("hits the plane      {}", event(g.hit_time, g.expected_hit_time)),
            format!("comes off           {}", event(g.unstick_time, g.expected_unstick_time)),
            format!("least γ             {:.6} μ", g.least_gamma),
            format!("gap at the end      {:.6} a", g.final_gap),
            format!(
                "constraints         overlap at most {:.0e} a, complementarity {:.0e} a",
                self.max_overlap, g.worst_complementarity
            ),
        ];
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}

/// `gluey.svg` and `.png`: gap and γ over time.
pub(super) fn draw(directory: &Path) -> Result<(), Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let values = |column: &str| table.column(column).unwrap_or_default().to_vec();
    let panel = |label: &str, column: &str, name: &str| Panel {
        axis: Axis::linear(label),
        traces: vec![Trace::new(name, values("time"), values(column))],
    };
    let figure = TimeSeriesFigure {
        x_label: "time t".to_owned(),
        steady_from: None,
        panels: vec![panel("gap q / a", "gap", "gap"), panel("γ / μ", "gamma", "γ")],
    };
    time_series(&directory.join("gluey"), &figure)?;
    Ok(())
}
