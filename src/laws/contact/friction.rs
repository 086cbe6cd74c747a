//! The tangential spring of a contact over a step: it sticks, slides, or begins to slide.

use nalgebra::Vector3;

use super::Springs;

/// A tangential spring with a limit.
pub(super) struct Tangential {
    /// Its stiffness k_t `[μγ̇a]`.
    pub stiffness: f64,
    /// The largest friction force T_max `[μγ̇a²]`.
    pub limit: f64,
    /// When in the step it is evaluated.
    pub springs: Springs,
}

/// What a tangential spring does over a step.
pub(super) struct Stretched {
    /// Its stretch at the beginning, no more than what the limit allows `[a]`.
    pub start: Vector3<f64>,
    /// Its stretch at the end `[a]`.
    pub end: Vector3<f64>,
    /// Force per stretch at the beginning `[μγ̇a]`.
    pub per_stretch: f64,
    /// Force per sliding velocity `[μa]`.
    pub per_velocity: f64,
    /// Whether it slides at the end of the step.
    pub slides: bool,
}

impl Tangential {
    /// What it does in a step, given the stretch that is remembered in the present tangent plane
    /// and the sliding velocity.
    pub fn stretched(&self, carried: Vector3<f64>, slide: &Vector3<f64>, step: f64) -> Stretched {
        match self.springs {
            Springs::AtEnd => self.at_end(carried, slide, step),
            Springs::Mean => self.mean(carried, slide, step),
        }
    }

    fn at_end(&self, carried: Vector3<f64>, slide: &Vector3<f64>, step: f64) -> Stretched {
        let stretch = carried + step * slide;
        let length = stretch.norm();
        let slides = self.stiffness * length > self.limit;
        let secant = if slides { self.limit / length } else { self.stiffness };
        Stretched {
            start: carried,
            end: self.within(stretch),
            per_stretch: secant,
            per_velocity: secant * step,
            slides,
        }
    }

    fn mean(&self, carried: Vector3<f64>, slide: &Vector3<f64>, step: f64) -> Stretched {
        let (start, way) = (self.within(carried), step * slide);
        let stuck = share_within(&start, &way, self.limit / self.stiffness);
        if stuck >= 1.0 {
            return Stretched {
                start,
                end: start + way,
                per_stretch: self.stiffness,
                per_velocity: 0.5 * self.stiffness * step,
                slides: false,
            };
        }
        let secant = self.limit / (start + 0.5 * (1.0 + stuck) * way).norm();
        let mean = |stuck: f64| stuck * self.stiffness + (1.0 - stuck) * secant;
        Stretched {
            start,
            end: self.within(start + way),
            per_stretch: mean(stuck),
            per_velocity: 0.5 * step * mean(stuck * stuck),
            slides: true,
        }
    }

    /// A stretch, shortened to what the limit allows.
    fn within(&self, stretch: Vector3<f64>) -> Vector3<f64> {
        let force = self.stiffness * stretch.norm();
        if force > self.limit { stretch * (self.limit / force) } else { stretch }
    }
}

/// The share of a way after which a stretch first exceeds the longest, 1 if it never does; it does
/// not at the beginning.
fn share_within(start: &Vector3<f64>, way: &Vector3<f64>, longest: f64) -> f64 {
    let (square, along) = (way.norm_squared(), start.dot(way));
    let room = (longest * longest - start.norm_squared()).max(0.0);
    if square + 2.0 * along <= room {
        return 1.0;
    }
    let root = (along * along + square * room).sqrt();
    let share = if along > 0.0 { room / (along + root) } else { (root - along) / square };
    share.min(1.0)
}
