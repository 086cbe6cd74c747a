//! The phases of an iteration, and of what comes before and after it.

use Phase::*;

/// What is done to every chunk before anything else is done to any. Chunks have two ranks, that
/// come one after the other in sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Rows, blocks and the first residual.
    Begin,
    /// The forces of a free shear rate, transformed.
    TransformFirst,
    TransformSecond,
    /// Takes the residual that is known in double precision.
    TakeFirst,
    TakeSecond,
    /// The next direction, and how velocities change along it; the product in chunks of first rank.
    TurnSecond,
    TurnFirst,
    /// The product in the others, and the curvature of the direction.
    Curve,
    /// A step along the direction.
    Update,
    /// The residual of the forces, as single precision knows it, and its square.
    Show,
    RecoverSecond,
    RecoverFirst,
    /// The residual and its square in double precision.
    Prove,
}

/// All phases.
pub const PHASES: [Phase; 13] = [
    Begin,
    TransformFirst,
    TransformSecond,
    TakeFirst,
    TakeSecond,
    TurnSecond,
    TurnFirst,
    Curve,
    Update,
    Show,
    RecoverSecond,
    RecoverFirst,
    Prove,
];

impl Phase {
    /// The rank of the chunks in which there is something to do.
    pub fn rank(self) -> Option<usize> {
        match self {
            TransformFirst | TakeFirst | TurnFirst | Show | RecoverFirst => Some(0),
            TransformSecond | TakeSecond | TurnSecond | RecoverSecond => Some(1),
            Begin | Curve | Update | Prove => None,
        }
    }

    /// Whether a chunk of a rank looks at what its neighbours show. It must not where they change
    /// it.
    pub fn looks_around(self, rank: usize) -> bool {
        match self {
            TurnFirst => rank == 0,
            TransformSecond | TakeSecond | Curve | RecoverSecond => rank == 1,
            _ => false,
        }
    }
}
