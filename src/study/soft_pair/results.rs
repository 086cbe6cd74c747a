//! The results of the study.

use std::f64::consts::PI;

use serde::Serialize;

use super::SoftPair;
use crate::error::Error;
use crate::record::keys::described;
use crate::record::{TIMESERIES, Table, read_columns};
use crate::study::Finished;
use crate::study::few::{Conclusion, Load, cost_lines, validity};
use crate::study::quantity::{Quantity, Scale, Source, quantity};

/// Ratios \\(|\delta^n|/h\\) below and above which a film is deep in one regime.
const DEEP: f64 = 30.0;

/// What a case means, one fact a line.
pub(super) fn meaning(pair: &SoftPair) -> Vec<String> {
    vec![
        "particles           2 soft spheres of radius R".to_owned(),
        "units               R, η, τ = 6πηR²/F; F = 6π ηR²/τ".to_owned(),
        format!("softness            κ = {}, E = {:.4e} η/τ", pair.kappa, 6.0 * PI / pair.kappa),
        format!("regimes meet        at h = {:.4e} R", pair.crossover()),
        format!(
            "expected end        {:.4} τ, at the latest {:.4} τ",
            pair.expected_time(),
            pair.longest()
        ),
        "expected cost       under a second".to_owned(),
    ]
}

/// What is compared between runs.
pub(super) fn quantities(pair: &SoftPair) -> Vec<Quantity> {
    let arrival = Source::Arrival("gap", pair.end_gap());
    vec![
        quantity("end_time", "time at the end", "time at the end", arrival, Scale::Own),
        quantity("film", "film over time", "film over time", Source::Ratio("gap"), Scale::None),
    ]
}

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct SoftPairSummary {
        /// What happened.
        pub soft_pair: Motion,
        /// How the run went; times are in `[τ]`.
        #[serde(flatten)]
        pub run: Conclusion,
    }

    /// What the film did, compared with the laws of eqs. 30 and 31.
    #[derive(Clone, Debug, Serialize)]
    pub struct Motion {
        /// Thickness of the film at the end `[R]`.
        pub final_gap: f64,
        /// Centre distance less two radii at the end `[R]`.
        pub final_centre_gap: f64,
        /// Thickness at which the regimes meet `[R]`.
        pub crossover_gap: f64,
        /// Rate of the film over that of eq. 30 of Rognon & Gay (2009), deepest in the Poiseuille
        /// regime (with drag: over that of hard spheres with drag); none if never deep in it `[1]`.
        pub poiseuille_ratio: Option<f64>,
        /// Rate of the film over that of their eq. 31, deepest in the Hertz regime; none if never
        /// deep in it `[1]`.
        pub hertz_ratio: Option<f64>,
        /// Speed of separation over that of two lone spheres, 2F/(6πηR), at the end; when
        /// pulled with drag `[1]`.
        pub stokes_ratio: Option<f64>,
    }
}

/// The results of a study that reached its end.
///
/// # Errors
///
/// When the time series cannot be read.
pub(super) fn summarise(pair: &SoftPair, run: &Finished<'_>) -> Result<SoftPairSummary, Error> {
    let table = read_columns(&run.directory.join(TIMESERIES))?;
    let column = |name: &str| table.column(name).unwrap_or_default();
    let last = |name: &str| column(name).last().copied().unwrap_or(f64::NAN);
    let poiseuille = if pair.drag { "rate_with_drag" } else { "rate_poiseuille" };
    let deflection = column("gap").iter().zip(column("ratio")).map(|(h, r)| h * r);
    let motion = Motion {
        final_gap: last("gap"),
        final_centre_gap: last("centre_gap"),
        crossover_gap: pair.crossover(),
        poiseuille_ratio: deepest(&table, poiseuille, pair.ramp, |ratio| 1.0 / ratio),
        hertz_ratio: deepest(&table, "rate_hertz", pair.ramp, |ratio| ratio),
        stokes_ratio: (pair.drag && pair.load == Load::Pull)
            .then(|| 0.5 * last("centre_rate").abs()),
    };
    let mut advice = validity(pair.gap, deflection.fold(0.0, f64::max));
    let short =
        if pair.load == Load::Pull { 1.0 } else { -1.0 } * (pair.end_gap() - motion.final_gap);
    if short > 0.0 {
        advice.push(format!(
            "the film is {:.3e} R thick and not {:.3e} R at {:.4} τ, where the run ends; a larger \
             soft_pair.max_time, with --force, runs for longer",
            motion.final_gap,
            pair.end_gap(),
            run.state.clock.time
        ));
    }
    Ok(SoftPairSummary { soft_pair: motion, run: Conclusion::new(run, advice) })
}

/// The rate over that of a law, where the film is deepest in its regime once the load is complete.
fn deepest(table: &Table, law: &str, ramp: f64, depth: impl Fn(f64) -> f64) -> Option<f64> {
    let column = |name: &str| table.column(name).unwrap_or_default();
    let (time, ratio) = (column("time"), column("ratio"));
    (0..time.len())
        .filter(|k| time[*k] > ramp && depth(ratio[*k]) > DEEP)
        .max_by(|a, b| depth(ratio[*a]).total_cmp(&depth(ratio[*b])))
        .map(|k| column("rate")[k] / column(law)[k])
}

impl SoftPairSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let m = &self.soft_pair;
        let ratio = |r: Option<f64>| r.map_or("not met".to_owned(), |r| format!("{r:.5}"));
        let mut lines = vec![
            format!("film                h = {:.4e} R at {:.4} τ", m.final_gap, self.run.time),
            format!("centres             r − 2R = {:.4e} R", m.final_centre_gap),
            format!("regimes meet        at h = {:.4e} R", m.crossover_gap),
            format!("Poiseuille          rate / theory = {}", ratio(m.poiseuille_ratio)),
            format!("Hertz               rate / theory = {}", ratio(m.hertz_ratio)),
        ];
        if let Some(stokes) = m.stokes_ratio {
            lines.push(format!("Stokes              speed / that of lone spheres = {stokes:.5}"));
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}
