//! The results of a T1 study: summary and the four panels of \[RG09\] figure 4.

use std::path::Path;

use serde::Serialize;

use super::{T1, T1Progress};
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::keys::described;
use crate::record::{TIMESERIES, Table, read_columns};
use crate::study::Finished;
use crate::study::few::{Costs, Load, cost_lines, validity};
use crate::study::quantity::{Quantity, Scale, Source, quantity};

/// What is compared between runs.
pub(super) const QUANTITIES: [Quantity; 3] = [
    quantity("duration", "duration", "duration Δ", Source::Result("t1.duration"), Scale::Own),
    quantity(
        "final_angle",
        "final angle",
        "final angle θ",
        Source::Result("t1.final_angle_deg"),
        Scale::Own,
    ),
    quantity(
        "gaps",
        "gaps over time",
        "gaps over time",
        Source::Apart(&["gap_horizontal", "gap_vertical", "gap_diagonal"]),
        Scale::Unit("R"),
    ),
];

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct T1Summary {
        /// Whether the study reached its end.
        pub finished: bool,
        /// The title of the case.
        pub title: Option<String>,
        /// What became of the group.
        pub t1: Rearrangement,
        /// Time reached `[τ]`.
        pub time: f64,
        /// Costs and residuals.
        #[serde(flatten)]
        pub costs: Costs,
        /// What the user may want to know.
        pub advice: Vec<String>,
    }

    /// What became of the group.
    #[derive(Clone, Debug, Serialize)]
    pub struct Rearrangement {
        /// Whether neighbours were swapped: A and D came closer to each other than B and C, θ <
        /// 45°.
        pub occurred: bool,
        /// Time until the vertical pair carried its share of the force; none if it never did `[τ]`.
        pub duration: Option<f64>,
        /// Whether the horizontal pair was ever deflected by more than its film is thick.
        pub visited_hertz: bool,
        /// θ at completion, or at the end `[°]`.
        pub final_angle_deg: f64,
        /// The regime of figure 3 of Rognon & Gay (2009), by the forces.
        pub regime: &'static str,
        /// When a sphere had left the group; none if it stayed together `[τ]`.
        pub separated_at: Option<f64>,
        /// Duration by their eqs. 32 and 33 with the model's own prefactor; none where no
        /// rearrangement is expected `[τ]`.
        pub expected_duration: Option<f64>,
        /// Force in the vertical pair at the end, over |N_y|, positive in compression `[1]`.
        pub vertical_force: f64,
        /// Largest normal deflection `[R]`.
        pub largest_deflection: f64,
    }
}

/// The results of a study that reached its end.
pub(super) fn summarise(t1: &T1, progress: &T1Progress, run: &Finished<'_>) -> T1Summary {
    T1Summary {
        finished: true,
        title: run.case.title.clone(),
        t1: Rearrangement {
            occurred: progress.occurred(),
            duration: progress.completed,
            visited_hertz: progress.hertz,
            final_angle_deg: progress.angle_deg,
            regime: t1.regime(),
            separated_at: progress.separated,
            expected_duration: t1.is_expected().then(|| t1.expected_duration()),
            vertical_force: progress.vertical,
            largest_deflection: progress.deflection,
        },
        time: run.state.clock.time,
        costs: Costs::of(run),
        advice: advice(t1, progress),
    }
}

fn advice(t1: &T1, progress: &T1Progress) -> Vec<String> {
    let mut advice = validity(t1.gap, progress.deflection);
    if !t1.is_expected() && !progress.occurred() {
        advice.push(format!(
            "regime {}: with N_y < √3 N_x the horizontal pair is not pulled apart, so no T1 is \
             expected; it happens for t1.force_x_ratio below about 0.577 under pressure",
            t1.regime()
        ));
    }
    if let Some(time) = progress.separated {
        let pulled = t1.forces().iter().any(|force| *force < 0.0);
        advice.push(match pulled {
            true => format!("the forces pulled the group apart at {time:.3} τ"),
            false => format!("the group fell over and came apart at {time:.3} τ"),
        });
    }
    if progress.swapped && progress.completed.is_none() && t1.load == Load::Press {
        advice.push(format!(
            "neighbours swapped, but the vertical pair carried {:.6} of N_y at the end and not \
             {:.6}: it has no duration by that measure (t1.completion, t1.max_time)",
            progress.vertical,
            t1.completion_force()
        ));
    }
    if !progress.occurred() && t1.is_expected() && progress.separated.is_some() {
        advice.push(format!(
            "regime {}: a T1 is expected where N_y > √3 N_x, but the group came apart before \
             neighbours had swapped",
            t1.regime()
        ));
    }
    if !progress.occurred() && t1.is_expected() && progress.separated.is_none() {
        advice.push(format!(
            "neighbours had not swapped at {:.4} τ; a larger t1.max_time, with --force, may show it",
            progress.time
        ));
    }
    advice
}

impl T1Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let t1 = &self.t1;
        let happened = if t1.occurred { "neighbours swapped" } else { "no rearrangement" };
        let regime = if t1.visited_hertz { "visited" } else { "not visited" };
        let mut lines = vec![
            format!("T1                  {happened} (regime {})", t1.regime),
            match (t1.duration, t1.expected_duration) {
                (Some(d), Some(e)) => {
                    format!("duration            Δ = {d:.6} τ (eqs. 32–33: {e:.3} τ)")
                }
                (Some(d), None) => format!("duration            Δ = {d:.6} τ"),
                (None, _) => "duration            none".to_owned(),
            },
            format!("Hertz regime        {regime} by the horizontal pair"),
            format!(
                "angle               θ = {:.3}° at {:.4} τ",
                t1.final_angle_deg,
                t1.duration.unwrap_or(self.time)
            ),
        ];
        if let Some(time) = t1.separated_at {
            lines.push(format!("separated           at {time:.4} τ"));
        }
        lines.extend(cost_lines(&self.costs));
        lines
    }
}

/// Draws `t1.svg` and `.png` from the time series.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub fn draw(directory: &Path) -> Result<(), Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
    let trace = |label: &str, name: &str, style: usize| {
        Trace::new(label, column("time"), column(name)).in_style(style)
    };
    let three = |quantity: &str| {
        ["horizontal", "vertical", "diagonal"]
            .into_iter()
            .enumerate()
            .map(|(k, kind)| trace(kind, &format!("{quantity}_{kind}"), k))
            .collect::<Vec<_>>()
    };
    let mut forces = three("normal");
    forces.push(trace("diagonal, tangential", "shear_diagonal", 3));
    let ratio = Axis::log("|δⁿ| / h").between(1e-4, highest(&table, "ratio").max(10.0));
    let figure = TimeSeriesFigure {
        x_label: "time t / τ".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::log("gap h / R"), traces: three("gap") },
            Panel { axis: Axis::linear("angle θ / °"), traces: vec![trace("", "angle_deg", 4)] },
            Panel { axis: Axis::linear("force / |N_y|"), traces: forces },
            Panel { axis: ratio.with_level(1.0, "Hertz", "Poiseuille"), traces: three("ratio") },
        ],
    };
    time_series(&directory.join("t1"), &figure)?;
    Ok(())
}

/// Somewhat more than the largest value of the three columns of a quantity.
fn highest(table: &Table, quantity: &str) -> f64 {
    let kinds = ["horizontal", "vertical", "diagonal"];
    let values = kinds.iter().filter_map(|kind| table.column(&format!("{quantity}_{kind}")));
    2.0 * values.flatten().copied().fold(0.0, f64::max)
}
