//! What a falling sphere has done, and its results.

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use super::response::{Rebounds, Response, SpherePlace};
use super::{FallSample, SMOOTH_RATE, Settle, SettleStudy};
use crate::record::keys::described;
use crate::study::Finished;
use crate::study::few::{Conclusion, cost_lines};
use crate::study::quantity::{Quantity, Scale, Source, quantity};

/// Spheres of a larger Stokes number fall before they sink `[1]`.
const EXPONENTIAL: f64 = 1.0;

/// What a case means, one fact a line.
pub(super) fn meaning(study: &SettleStudy) -> Vec<String> {
    let settle = &study.table;
    let mut lines = vec![
        "particles           1 fixed sphere and one of weight W, radius a".to_owned(),
        "units               a, η, τ_c = η/(aρg); W = 4π/3 ηa²/τ_c".to_owned(),
        format!("roughness           ε = {}", settle.roughness),
    ];
    lines.push(match (settle.equilibrium_gap(), settle.late_rate()) {
        (Some(gap), _) => format!(
            "equilibrium         u = {gap:.6e} a, contact number K = {}",
            settle.contact_number
        ),
        (None, rate) => format!(
            "equilibrium         none: the film drains at {:.6} / τ_c",
            rate.unwrap_or_default()
        ),
    });
    lines.push(format!(
        "expected end        {:.4} τ_c, at the latest {:.4} τ_c",
        study.expected_end(0.0),
        study.longest()
    ));
    lines.push("expected cost       under a second".to_owned());
    lines
}

/// What is compared between runs.
pub(super) fn quantities(settle: &Settle) -> Vec<Quantity> {
    let decay = Source::Decay("gap", thicknesses(settle));
    let end = Source::Result("settle.final_gap");
    vec![
        quantity("decay_rate", "decay rate", "decay rate", decay, Scale::Own),
        quantity("final_gap", "final gap", "final gap", end, Scale::Own),
        quantity("film", "film over time", "film over time", Source::Ratio("gap"), Scale::None),
    ]
}

/// Thicknesses between which the film of a falling sphere has a rate: at the end where it drains
/// for ever, otherwise before asperities touch, and not from the very beginning, when the sphere is
/// let go.
fn thicknesses(settle: &Settle) -> [f64; 2] {
    match settle.late_rate().is_some() && settle.roughness > 0.0 {
        true => [1e3 * settle.end_gap(), 2.0 * settle.end_gap()],
        false => [0.5 * settle.gap, 2.0 * settle.roughness.max(settle.end_gap())],
    }
}

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct SettleSummary {
        /// What happened.
        pub settle: Settled,
        /// How the run went; times are in `[τ_c]`.
        #[serde(flatten)]
        pub run: Conclusion,
    }

    /// What the film did.
    #[derive(Clone, Debug, Serialize)]
    pub struct Settled {
        /// Rate of ln u: where the film drains for ever that of its end, otherwise that before
        /// asperities touch; none if they touch from the beginning, if the sphere came up again, or
        /// if it falls rather than sinks (St > 1), because it then does not approach exponentially
        /// `[1/τ_c]`.
        pub decay_rate: Option<f64>,
        /// What the theory gives for it `[1/τ_c]`.
        pub theory_rate: f64,
        /// Rate of ln u before asperities touch `[1/τ_c]`.
        pub approach_rate: Option<f64>,
        /// Thickness of the film at the end `[a]`.
        pub final_gap: f64,
        /// Thickness at which asperities bear the weight; none if they cannot `[a]`.
        pub equilibrium_gap: Option<f64>,
        /// Whether the weight is more than the asperities can bear.
        pub overloaded: bool,
        /// Stokes number (eq. 39) `[1]`.
        pub stokes: f64,
        /// What a sphere with inertia does; none without.
        pub response: Option<Response>,
        /// Rebounds in which the surfaces parted.
        pub bounces: usize,
        /// Rebounds in which the film held.
        pub oscillations: usize,
    }
}

/// When ln u was what.
type Point = [f64; 2];

/// What the film has done, as far as rates of ln u need it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettleProgress {
    /// The first step.
    first: Option<Point>,
    /// The last step before asperities touched for the first time.
    above: Option<Point>,
    /// The first step in the last three decades of a film that drains for ever.
    late: Option<Point>,
    /// The last step.
    last: Option<Point>,
    /// Whether asperities have touched.
    #[serde(default)]
    touched: bool,
    /// How often the sphere came up again.
    #[serde(default)]
    pub(super) rebounds: Rebounds,
}

impl SettleProgress {
    /// How a sphere with inertia has responded so far.
    pub fn response(&self) -> Response {
        self.rebounds.response()
    }

    /// Adds a step.
    pub(super) fn add(&mut self, sample: &FallSample, settle: &Settle) {
        let point = [sample.seen.time, sample.log_gap()];
        let first = *self.first.get_or_insert(point);
        self.touched |= point[1] <= settle.roughness.ln();
        if !self.touched {
            self.above = Some(point).filter(|_| first[1] > settle.roughness.ln());
        }
        if point[1] < settle.end_gap().ln() + 3.0 * LN_10 {
            self.late.get_or_insert(point);
        }
        self.last = Some(point);
        let FallSample { centre_gap, velocity, .. } = *sample;
        let at = SpherePlace { film: sample.touch.gap, centre_gap, velocity };
        self.rebounds.add(at, settle.least_rebound());
    }
}

/// Rate of ln u between two steps.
fn rate(from: Option<Point>, to: Option<Point>) -> Option<f64> {
    let ([before, high], [after, low]) = (from?, to?);
    (after > before).then(|| (low - high) / (after - before))
}

/// The results of a study that reached its end.
pub(super) fn summarise(study: &SettleStudy, run: &Finished<'_>) -> SettleSummary {
    let settle = &study.table;
    let final_gap = run.state.memory.values[0].exp();
    let SettleProgress { first, above, late, last, ref rebounds, .. } = study.progress;
    let (approach_rate, late_rate) = (rate(first, above), rate(late, last));
    let (stokes, damped) = (study.stokes(), rebounds.response() == Response::Damped);
    let theory_rate = settle.late_rate().unwrap_or(SMOOTH_RATE);
    let mut advice = Vec::new();
    let unfinished = match settle.equilibrium_gap() {
        Some(gap) => (final_gap / gap - 1.0).abs() > 1e-8,
        None => final_gap > settle.end_gap() * (1.0 + 1e-9),
    };
    let time = run.state.clock.time;
    if unfinished && time >= study.longest() * (1.0 - 1e-9) {
        advice.push(format!(
            "the film is {final_gap:.3e} a thick and has not come to its end at {:.4} τ_c; a larger \
             settle.max_time, with --force, runs for longer",
            time
        ));
    }
    SettleSummary {
        settle: Settled {
            decay_rate: match settle.late_rate() {
                _ if !damped => None,
                Some(_) if settle.roughness > 0.0 => late_rate,
                _ => approach_rate.filter(|_| stokes <= EXPONENTIAL),
            },
            theory_rate,
            approach_rate,
            final_gap,
            equilibrium_gap: settle.equilibrium_gap(),
            overloaded: settle.roughness > 0.0 && !settle.bears(),
            stokes,
            response: study.inertia.map(|_| rebounds.response()),
            bounces: rebounds.bounces,
            oscillations: rebounds.oscillations,
        },
        run: Conclusion::new(run, advice),
    }
}

impl SettleSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let s = &self.settle;
        let rate = match (s.decay_rate, s.bounces + s.oscillations) {
            (Some(rate), _) => format!("{rate:.6} / τ_c"),
            (None, 1..) => "none, because the sphere came up again".to_owned(),
            (None, 0) => "not measured".to_owned(),
        };
        let mut lines = vec![
            format!("film                u = {:.6e} a at {:.4} τ_c", s.final_gap, self.run.time),
            format!("decay rate          {rate}, theory {:.6}", s.theory_rate),
        ];
        lines.push(match s.equilibrium_gap {
            Some(gap) => {
                let off = (s.final_gap / gap - 1.0).abs();
                let reached = if off < 1e-3 { format!("to {off:.0e}") } else { "no".to_owned() };
                format!("equilibrium         u = {gap:.6e} a, reached: {reached}")
            }
            None if s.overloaded => {
                "equilibrium         none: the asperities do not bear the weight".to_owned()
            }
            None => "equilibrium         none: smooth spheres approach for ever".to_owned(),
        });
        if let Some(response) = s.response {
            lines.push(format!(
                "response            {} at St = {:.4}: {} bounces, {} oscillations",
                response.name(),
                s.stokes,
                s.bounces,
                s.oscillations
            ));
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}
