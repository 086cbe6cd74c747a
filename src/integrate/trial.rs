//! What a trial step has to reach, what it costs, how it may fail and what became of it.

use nalgebra::Vector3;

use crate::solve::{Failure, Solved};
use crate::state::PairIds;

/// A shear stress to be met, as moments of forces: \\(\sigma V\\) and what the fluid and the
/// single spheres contribute per shear rate.
#[derive(Clone, Copy, Debug)]
pub struct StressGoal {
    /// \\(\sigma V\\) `[μγ̇a³]`.
    pub moment: f64,
    /// \\((1 + \tfrac52\phi)\mu V\\) `[μa³]`.
    pub fluid: f64,
}

/// What a trial step cost and reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Linear systems solved.
    pub solves: usize,
    /// Iterations of conjugate gradients in them.
    pub iterations: usize,
    /// Solves in which the second solver had to step in.
    pub fallbacks: usize,
    /// Imbalance of the laws' own forces when the iteration stopped.
    pub law_residual: f64,
    /// Imbalance of the forces as applied.
    pub force_residual: f64,
}

/// Why a trial step failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum StageFailure {
    /// The linear solvers failed.
    #[error("both linear solvers failed ({0:?})")]
    Solve(Failure),
    /// The film between two particles has no solution.
    #[error("the film between {0} has no solution")]
    Film(PairIds),
    /// The iteration over contacts and friction did not converge.
    #[error(
        "the forces of contacts, friction or films did not converge (residual {law_residual:.1e})"
    )]
    Unconverged {
        /// Residual at the end.
        law_residual: f64,
    },
    /// A film begins or ends within the step.
    #[error("a film begins or ends at its cut-off within the step")]
    Cutoff,
    /// A particle would move too far in one step.
    #[error("a particle moves too far in one step")]
    TooFar,
    /// The error estimate is above the tolerance.
    #[error("the error estimate stays above the tolerance")]
    Inaccurate,
}

/// When in a step the geometry is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// In its middle: second order.
    #[default]
    Middle,
    /// At its end: the backward rule, of which the stages of steps with films are made.
    End,
}

impl Effort {
    /// Adds one solve.
    pub(super) fn count(&mut self, solved: Solved) {
        self.solves += 1;
        self.iterations += solved.iterations;
        self.fallbacks += usize::from(solved.fell_back);
    }
}

/// What became of a trial step.
pub(super) enum Trial {
    /// It is good enough; its scaled error, and where it takes the particles.
    Accepted(f64, Moves),
    /// Spheres overlap too much: contacts must be stiffer.
    TooDeep,
    /// A particle may have met another that is not among the pairs of the step.
    Missed,
    /// It has to be tried again, shorter by a factor.
    Shorter(f64, StageFailure),
}

/// Where a trial step takes the particles.
pub(super) struct Moves {
    /// Where they arrive, before they are brought back into the box `[a]`.
    pub arrivals: Vec<Vector3<f64>>,
    /// How far they move relative to the flow `[a]`.
    pub displacements: Vec<Vector3<f64>>,
    /// Strains of the step along x and along z.
    pub strains: [f64; 2],
}

impl Moves {
    /// The size of the strain.
    pub fn strain(&self) -> f64 {
        let [along, across] = self.strains;
        if across == 0.0 { along.abs() } else { along.hypot(across) }
    }
}
