//! The tangential part of a rough contact: no contact, stick and slip (\[CBC20\] section 2.2).

use nalgebra::{Matrix3, Vector3};

use super::normal::Squeezed;
use super::viscous::Viscous;
use super::{Memory, Rough};
use crate::laws::{Pair, Rates, Resistance};

/// Most iterations for the speed of slip, which the turning of the pair shifts a little.
const MOST_TURNS: usize = 30;

/// The tangential part of a pair at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheared {
    /// Shear force **T** `[μγ̇a²]`.
    pub shear: Vector3<f64>,
    /// Its part between the asperities `[μγ̇a²]`.
    pub friction: Vector3<f64>,
    /// Rolling moment **M** `[μγ̇a³]`.
    pub rolling: Vector3<f64>,
    /// The stretch \\(\mathbf v_e\\) `[a]`.
    pub stretch: Vector3<f64>,
    /// The most that asperities hold `[μγ̇a²]`.
    pub limit: f64,
    /// Whether they slide.
    pub slides: bool,
    /// Slopes, all but that of squeezing.
    pub resistance: Resistance,
    /// What the slope in the slide rate has beyond that `[μa]`.
    pub anisotropy: Matrix3<f64>,
    /// Shear force per force between the asperities.
    pub shear_by_contact: Vector3<f64>,
}

/// The rotation of a pair: of its normal, and the mean spin about it.
fn rotation(pair: &Pair, rates: &Rates) -> Vector3<f64> {
    let n = &pair.normal;
    if pair.meets_wall() {
        return rates.spin + (rates.swirl - n.dot(&rates.spin)) * n;
    }
    let turn = rates.slide / pair.distance + rates.spin.cross(n);
    n.cross(&turn) + rates.swirl * n
}

impl Rough {
    /// The tangential part at the end of a step from the stretch at its beginning.
    pub(super) fn sheared(
        &self,
        pair: &Pair,
        base: Vector3<f64>,
        rates: &Rates,
        squeezed: &Squeezed,
    ) -> Sheared {
        let film = self.viscous(pair.radii, squeezed.gap);
        let limit = self.friction * squeezed.contact;
        if self.tangential_stiffness.is_infinite() {
            return unstretched(&film, rates);
        }
        if pair.step == 0.0 {
            return self.sheared_now(pair, base, rates, &film, limit);
        }
        let n = pair.normal;
        let plane = Matrix3::identity() - n * n.transpose();
        let turned = Matrix3::identity() - pair.step * rotation(pair, rates).cross_matrix();
        // A stretch that turns with the pair: y − Δt Ω×y = base + Δt (slide − slip).
        let turn = turned.try_inverse().unwrap_or_else(Matrix3::identity);
        let spring = self.tangential_stiffness;
        let across = plane * turn * plane;
        let held = plane * (turn * (base + pair.step * rates.slide));
        let trial = spring * held;
        let rolled = film.slide_roll * rates.roll;
        let excess = trial - rolled;
        let mut sheared = Sheared { limit, ..unstretched(&film, rates) };
        if limit > 0.0 && excess.norm() <= limit {
            sheared.shear = trial;
            sheared.friction = excess;
            sheared.rolling = film.roll * rates.roll;
            sheared.stretch = turn * (base + pair.step * rates.slide);
            sheared.resistance.slide = spring * pair.step;
            sheared.resistance.slide_roll = 0.0;
            sheared.slides = false;
            return sheared;
        }
        let ratio = spring * pair.step / film.slide;
        let slip = slip(&excess, limit, film.slide, &(spring * pair.step * across), &n);
        let speed = slip.norm();
        let along = if speed > 0.0 { slip / speed } else { Vector3::zeros() };
        sheared.shear = film.slide * slip + limit * along + rolled;
        sheared.friction = limit * along;
        sheared.rolling = film.slide_roll * slip + film.roll * rates.roll;
        sheared.stretch = turn * (base + pair.step * (rates.slide - slip));
        sheared.slides = true;
        self.slip_slopes(&mut sheared, &film, ratio, along, excess.norm());
        sheared
    }

    /// Slopes of a contact that slips, or of a film alone.
    fn slip_slopes(
        &self,
        sheared: &mut Sheared,
        film: &Viscous,
        ratio: f64,
        along: Vector3<f64>,
        excess: f64,
    ) {
        let share = ratio / (1.0 + ratio);
        // What is held back turns with the excess instead of growing with it.
        let held = if sheared.limit > 0.0 { sheared.limit / excess } else { 0.0 };
        let free = 1.0 - held;
        sheared.resistance.slide = film.slide * share * (1.0 + ratio * held);
        sheared.resistance.slide_roll = film.slide_roll * share * free;
        let coupled = film.slide_roll * film.slide_roll / film.slide;
        sheared.resistance.roll = film.roll - coupled * free / (1.0 + ratio);
        if sheared.limit > 0.0 {
            sheared.anisotropy = -film.slide * share * ratio * held * along * along.transpose();
            sheared.shear_by_contact = self.friction * share * along;
        }
    }

    /// The tangential part at one instant: the spring's force.
    fn sheared_now(
        &self,
        pair: &Pair,
        stretch: Vector3<f64>,
        rates: &Rates,
        film: &Viscous,
        limit: f64,
    ) -> Sheared {
        let flat = stretch - pair.normal.dot(&stretch) * pair.normal;
        let shear = self.tangential_stiffness * flat;
        let rolled = film.slide_roll * rates.roll;
        let excess = shear - rolled;
        let slides = excess.norm() > limit;
        let friction =
            if !slides { excess } else { limit * excess / excess.norm().max(f64::MIN_POSITIVE) };
        let slip = if slides { (excess - friction) / film.slide } else { Vector3::zeros() };
        let mut sheared =
            Sheared { limit, slides, shear, friction, stretch, ..unstretched(film, rates) };
        sheared.rolling = film.slide_roll * slip + film.roll * rates.roll;
        sheared.resistance.slide = 0.0;
        sheared.resistance.slide_roll = 0.0;
        sheared
    }

    /// Rate of change of the stretch at one instant.
    pub(super) fn stretching(&self, pair: &Pair, now: Memory, rates: &Rates) -> Vector3<f64> {
        if self.tangential_stiffness.is_infinite() {
            return Vector3::zeros();
        }
        let Some(squeezed) = self.squeezed(pair, [now.log_gap; 2], rates.squeeze) else {
            return Vector3::zeros();
        };
        let film = self.viscous(pair.radii, squeezed.gap);
        let limit = self.friction * squeezed.contact;
        let sheared = self.sheared_now(pair, now.stretch, rates, &film, limit);
        let slip = if sheared.slides {
            (sheared.shear - film.slide_roll * rates.roll - sheared.friction) / film.slide
        } else {
            Vector3::zeros()
        };
        rates.slide - slip + rotation(pair, rates).cross(&now.stretch)
    }
}

/// The slip \\(\mathbf s\\) at which film, slider and spring carry the same:
/// \\(\mathbf e = (L/s + \nu)\mathbf s + \mathsf K\mathbf s\\), with what the spring would carry
/// beyond the film if nothing slipped, **e**, longer than the limit L. Its speed solves one
/// equation that falls with s; its direction follows.
fn slip(
    excess: &Vector3<f64>,
    limit: f64,
    friction: f64,
    spring: &Matrix3<f64>,
    normal: &Vector3<f64>,
) -> Vector3<f64> {
    let along = normal * normal.transpose();
    let direction = |speed: f64| {
        let held = limit + friction * speed;
        let matrix = Matrix3::identity() * held + speed * (spring + along * spring.trace());
        matrix.try_inverse().map_or_else(Vector3::zeros, |inverse| inverse * excess)
    };
    if limit == 0.0 {
        return direction(1.0);
    }
    // Close to the answer already: the spring turns what it carries only a little.
    let isotropic = friction + 0.5 * spring.trace();
    let mut speed = (excess.norm() - limit) / isotropic;
    for _ in 0..MOST_TURNS {
        let off = direction(speed).norm() - 1.0;
        let better = speed + off * (limit + isotropic * speed) / isotropic;
        let change = (better - speed).abs();
        speed = better.max(0.0);
        if change <= 1e-15 * speed {
            break;
        }
    }
    speed * direction(speed)
}

/// A film without a spring: what it resists is what it is given.
fn unstretched(film: &Viscous, rates: &Rates) -> Sheared {
    let resistance = Resistance {
        squeeze: 0.0,
        slide: film.slide,
        slide_roll: film.slide_roll,
        roll: film.roll,
        twist: film.twist,
    };
    Sheared {
        shear: film.slide * rates.slide + film.slide_roll * rates.roll,
        friction: Vector3::zeros(),
        rolling: film.slide_roll * rates.slide + film.roll * rates.roll,
        stretch: Vector3::zeros(),
        limit: 0.0,
        slides: false,
        resistance,
        anisotropy: Matrix3::zeros(),
        shear_by_contact: Vector3::zeros(),
    }
}
