//! The response of a law: a force at rest and its slope in the rates.

use nalgebra::{Matrix3, Vector3};

use super::{PairForce, Rates, Resistance};

/// What a law's slope has beyond the isotropic [`Resistance`]: squeezing that shears, sliding that
/// pulls, and sliding that is resisted differently in different directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unsymmetric {
    /// Tension per slide rate, a vector in the tangent plane `[μa]`.
    pub pull_by_slide: Vector3<f64>,
    /// Shear force per squeeze rate, a vector in the tangent plane `[μa]`.
    pub shear_by_squeeze: Vector3<f64>,
    /// Shear force per slide rate, in the tangent plane `[μa]`.
    pub shear_by_slide: Matrix3<f64>,
    /// Whether the force turns with the mean spin of the pair.
    pub turns: bool,
}

impl Unsymmetric {
    /// As one matrix from squeeze and slide to tension and shear.
    pub fn matrix(&self, normal: &Vector3<f64>) -> Matrix3<f64> {
        normal * self.pull_by_slide.transpose()
            + self.shear_by_squeeze * normal.transpose()
            + self.shear_by_slide
    }

    /// The force at given rates.
    pub fn force(&self, rates: &Rates) -> (f64, Vector3<f64>) {
        let pull = self.pull_by_slide.dot(&rates.slide);
        (pull, rates.squeeze * self.shear_by_squeeze + self.shear_by_slide * rates.slide)
    }

    fn add(&mut self, other: &Self) {
        self.pull_by_slide += other.pull_by_slide;
        self.shear_by_squeeze += other.shear_by_squeeze;
        self.shear_by_slide += other.shear_by_slide;
    }
}

/// The response of a law: force = `at_rest` + (`resistance` + `unsymmetric`) · rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The force at zero rates.
    pub at_rest: PairForce,
    /// The slope.
    pub resistance: Resistance,
    /// What the slope has beyond that; boxed, because most laws have nothing.
    pub unsymmetric: Option<Box<Unsymmetric>>,
}

impl Response {
    /// From the force at the guess `rates` and its slope in squeeze and slide, both as vectors.
    pub fn tensor(
        normal: &Vector3<f64>,
        force: Vector3<f64>,
        slope: Matrix3<f64>,
        rates: &Rates,
    ) -> Self {
        let rest = force - slope * rates.relative(normal);
        let pull = normal.dot(&rest);
        let by_squeeze = slope * normal;
        let squeeze = normal.dot(&by_squeeze);
        let pull_by_slide = slope.transpose() * normal - squeeze * normal;
        let shear_by_squeeze = by_squeeze - squeeze * normal;
        let tangent = Matrix3::identity() - normal * normal.transpose();
        let across = tangent * slope * tangent;
        let slide = 0.5 * across.trace();
        let shear_by_slide = across - slide * tangent;
        let unsymmetric =
            Unsymmetric { pull_by_slide, shear_by_squeeze, shear_by_slide, turns: true };
        Response {
            at_rest: PairForce {
                normal: pull,
                shear: rest - pull * normal,
                ..PairForce::default()
            },
            resistance: Resistance { squeeze, slide, ..Resistance::default() },
            unsymmetric: Some(Box::new(unsymmetric)),
        }
    }

    /// The same force at the guess `rates` with a slope that is symmetric and positive
    /// semi-definite in squeeze and slide, as conjugate gradients need it.
    pub fn symmetrised(self, normal: &Vector3<f64>, rates: &Rates) -> Self {
        let Some(unsymmetric) = &self.unsymmetric else { return self };
        let r = &self.resistance;
        let along = normal * normal.transpose();
        let plain = r.squeeze * along + r.slide * (Matrix3::identity() - along);
        // Without its unsymmetric part the slope of friction is the secant, from which iterations
        // converge steadily.
        let slope =
            plain + if unsymmetric.turns { unsymmetric.matrix(normal) } else { Matrix3::zeros() };
        let mut slope = 0.5 * (slope + slope.transpose());
        if slope.cholesky().is_none() {
            let mut eigen = slope.symmetric_eigen();
            eigen.eigenvalues.iter_mut().for_each(|value| *value = value.max(0.0));
            slope = eigen.recompose();
        }
        let force = self.force(rates);
        // Rolling keeps its own slope.
        let rolled = r.slide_roll * rates.roll;
        let acting = force.normal * normal + force.shear - rolled;
        let tensor = Response::tensor(normal, acting, slope, rates);
        Response {
            at_rest: PairForce {
                rolling: self.at_rest.rolling,
                twisting: self.at_rest.twisting,
                ..tensor.at_rest
            },
            resistance: Resistance {
                squeeze: tensor.resistance.squeeze,
                slide: tensor.resistance.slide,
                ..self.resistance
            },
            unsymmetric: tensor.unsymmetric,
        }
    }

    /// The force at given rates.
    #[inline]
    pub fn force(&self, rates: &Rates) -> PairForce {
        let mut force = self.at_rest + self.resistance.force(rates);
        if let Some(unsymmetric) = &self.unsymmetric {
            let (pull, shear) = unsymmetric.force(rates);
            force.normal += pull;
            force.shear += shear;
        }
        force
    }

    /// A purely normal response: tension `normal` at squeeze rate `squeeze`, with a slope.
    #[inline]
    pub fn normal(normal: f64, slope: f64, squeeze: f64) -> Self {
        let mut response = Response::default();
        response.at_rest.normal = normal - slope * squeeze;
        response.resistance.squeeze = slope;
        response
    }
}

impl std::ops::AddAssign for Response {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.at_rest = self.at_rest + other.at_rest;
        self.resistance += other.resistance;
        match (&mut self.unsymmetric, other.unsymmetric) {
            (Some(own), Some(other)) => own.add(&other),
            (own, Some(other)) => *own = Some(other),
            (_, None) => {}
        }
    }
}
