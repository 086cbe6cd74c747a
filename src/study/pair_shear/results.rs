//! The results of the study.

use serde::Serialize;

use super::{PairShear, PairShearProgress};
use crate::record::keys::described;
use crate::study::Finished;
use crate::study::few::{Conclusion, cost_lines};
use crate::study::quantity::{Quantity, Scale, Source, quantity};

/// Deflections beyond this are not small `[a]`.
const LARGE_DEFLECTION: f64 = 0.2;

/// What is compared between runs.
pub(super) const QUANTITIES: [Quantity; 3] = [
    quantity("min_gap", "smallest gap", "smallest gap", Source::Result("pair.min_gap"), Scale::Own),
    quantity(
        "final_offset",
        "final offset",
        "final offset",
        Source::Result("pair.final_offset"),
        Scale::Unit("a"),
    ),
    quantity(
        "trajectory",
        "trajectory",
        "trajectory",
        Source::Apart(&["x", "y", "z"]),
        Scale::Unit("a"),
    ),
];

/// What a case means, one fact a line.
pub(super) fn meaning(pair: &PairShear) -> Vec<String> {
    let stiffness = pair.stiffness.map_or("rigid".to_owned(), |k| {
        format!("k_b = {k:.4e} μγ̇a, capillary number {:.4e}", 1.0 / k)
    });
    let cutoff = pair.cutoff();
    vec![
        format!(
            "particles           2 spheres of radius {} and {} a",
            pair.radii[0], pair.radii[1]
        ),
        "units               a, η, 1/γ̇".to_owned(),
        format!("roughness           ε = {}", pair.roughness),
        format!("stiffness           {stiffness}"),
        match cutoff.is_finite() {
            true => format!("range               gaps up to {cutoff} a"),
            false => "range               any distance".to_owned(),
        },
        format!(
            "expected end        strain {:.1}, given up at {:.1}",
            pair.expected_strain(),
            pair.longest()
        ),
        "expected cost       under a second".to_owned(),
    ]
}

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct PairShearSummary {
        /// What happened.
        pub pair: Passed,
        /// How the run went; times are in `[1/γ̇]`.
        #[serde(flatten)]
        pub run: Conclusion,
    }

    /// What two spheres did that passed each other.
    #[derive(Clone, Debug, Serialize)]
    pub struct Passed {
        /// Thinnest film `[a]`.
        pub min_gap: f64,
        /// Whether the spheres passed each other.
        pub passed: bool,
        /// Whether they turned back instead: a closed orbit.
        pub bound: bool,
        /// Distance of the centres along the gradient when they had passed; none if they did not
        /// `[a]`.
        pub final_offset: Option<f64>,
        /// Distance of the centres along the vorticity then `[a]`.
        pub final_offset_z: Option<f64>,
        /// Change of the distance along the gradient, final less initial `[a]`.
        pub deviation: Option<f64>,
        /// Capillary number, μγ̇a over the stiffness of the bulk; 0 for rigid spheres `[1]`.
        pub capillary_number: f64,
        /// Whether asperities touched.
        pub touched: bool,
        /// Whether they were ever pressed by more than they can bear.
        pub overloaded: bool,
    }
}

/// The results of a study that reached its end.
pub(super) fn summarise(
    pair: &PairShear,
    progress: &PairShearProgress,
    run: &Finished<'_>,
) -> PairShearSummary {
    let final_offset = progress.end.map(|at| at[1]);
    let mut advice = Vec::new();
    if progress.bound {
        advice.push(
            "the spheres turned back and go round each other on a closed orbit: so near to the axis \
             of the flow, only a larger pair.offset or a farther pair.start lets them pass"
                .to_owned(),
        );
    } else if final_offset.is_none() {
        advice.push(format!(
            "the spheres have not passed each other at strain {:.1}, where the run ends; a larger \
             pair.max_strain, with --force, runs for longer",
            run.state.clock.strain
        ));
    }
    if progress.deflection > LARGE_DEFLECTION {
        advice.push(format!(
            "surfaces were deflected by up to {:.2} a: the law holds for deflections well below a, that \
             is for a larger pair.stiffness",
            progress.deflection
        ));
    }
    if progress.overloaded {
        advice.push(
            "the asperities were pressed by more than they can bear, k_n ε a: for that time the film \
             drained as if there were no roughness"
                .to_owned(),
        );
    }
    let passed = Passed {
        min_gap: progress.thinnest.map_or(f64::NAN, f64::exp),
        passed: progress.end.is_some(),
        bound: progress.bound,
        final_offset,
        final_offset_z: progress.end.map(|at| at[2]),
        deviation: final_offset.map(|y| y - pair.offset),
        capillary_number: pair.stiffness.map_or(0.0, |k| 1.0 / k),
        touched: progress.touched,
        overloaded: progress.overloaded,
    };
    PairShearSummary { pair: passed, run: Conclusion::new(run, advice) }
}

impl PairShearSummary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let p = &self.pair;
        let mut lines = vec![format!("smallest gap        u = {:.6e} a", p.min_gap)];
        lines.push(match (p.final_offset, p.deviation) {
            (Some(y), Some(dy)) => {
                format!("final offset        {y:.6} a, {dy:+.3e} a from the initial one")
            }
            _ => "final offset        none: the spheres did not pass each other".to_owned(),
        });
        if p.touched {
            lines.push("contact             asperities touched".to_owned());
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}
