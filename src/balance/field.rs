//! The fluid around two spheres, beyond their film: what is regular at contact in the two-sphere
//! resistance functions, and the coupling to the rate of strain of the flow.
//!
//! Two spheres alone take all of it: a quadratic form in their twelve velocities relative to the
//! flow and the rate of strain, which makes everything about them exact ([`Reach::TwoBody`]).
//!
//! Between the many spheres of a suspension the drag of a pair that moves as one body is no
//! property of the pair: neighbours screen it, and the sum over pairs would not even be
//! positive. There only what is relative counts ([`Reach::Relative`]): the form that remains
//! when the pair may move as a rigid body as it likes, less the same of two lone spheres. For a
//! pair without net force and torque its rates are still exact; what is left out is the long-ranged
//! part, by which the spheres of a pair carry each other along and turn in the straining flow.
//!
//! In both, forces are \\(\mathsf r\,\mathbf q + \dot\gamma\mathbf g\\) and the stresslet on the
//! unit strain rate is \\(\mathbf g\cdot\mathbf q + \dot\gamma m\\): one form, so \\(\mathsf R_{SU}
//! = \mathsf R_{FE}^T\\) exactly.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::affine_rates;
use super::relative::relative;
use crate::hydro::{Regular, Table};
use crate::laws::lubrication::Cutoff;
use crate::laws::{Pair, PairForce, Rates, Resistance};
use crate::state::{Velocity, Wrench};

/// How much of the fluid around a pair counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All of it: for two spheres alone.
    TwoBody,
    /// What resists relative motion: for the pairs of a suspension.
    Relative,
}

/// How the field of a pair ends at its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Abruptly.
    Truncated,
    /// As films with a window do: what acts at the range fades beyond it.
    Window,
    /// In proportion to what remains of the range.
    Tapered,
    /// By taking its value at the range off.
    Subtracted,
}

/// The field ends as the films do to which it belongs.
impl From<Cutoff> for Ending {
    fn from(cutoff: Cutoff) -> Self {
        match cutoff {
            Cutoff::Window => Ending::Window,
            Cutoff::Truncated => Ending::Truncated,
            Cutoff::Smooth => Ending::Subtracted,
        }
    }
}

/// The fluid around pairs of spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Gap at which it ends `[a]`.
    pub range: f64,
    /// Gap below which nothing changes any more `[a]`.
    pub inner_gap: f64,
    /// How it ends there.
    pub ending: Ending,
    /// How much of it counts.
    pub reach: Reach,
}

/// What the fluid around one pair does.
#[derive(Clone, Debug, Default)]
pub struct FarField {
    /// Resistance to the rates of the pair; nothing for the whole field.
    pub resistance: Resistance,
    /// Coefficients of the forces that strain drives: tension by \\(e_0\\), shear force and rolling
    /// moment by \\(\mathbf e_1\\) `[μa²]`, `[μa³]`.
    pub by_strain: [f64; 3],
    /// Coefficients of the stresslet by strain: \\(e_0\\), \\(\mathbf e_1\\), \\(\mathsf E_2\\)
    /// `[μa³]`.
    pub stresslet: [f64; 3],
    /// The form in absolute velocities, where all of it counts; boxed, because suspensions have
    /// none.
    pub two_body: Option<Box<Regular>>,
}

/// The parts of a strain rate about a normal, \\(e_0\\) and \\(\mathbf e_1\\); what is left of it
/// is \\(\mathsf E_2\\).
struct Strain {
    along: f64,
    across: Vector3<f64>,
}

impl Strain {
    #[inline]
    fn new(normal: &Vector3<f64>, strain_rate: &Matrix3<f64>) -> Self {
        let stretched = strain_rate * normal;
        let along = normal.dot(&stretched);
        Strain { along, across: stretched - along * normal }
    }
}

impl Field {
    /// Whether what the fluid around a sphere of a suspension and another, fixed one does is known:
    /// not at flat walls, and not beyond the ratios of the table.
    pub fn knows(&self, [a, b]: [f64; 2]) -> bool {
        let ratio = (a / b).max(b / a);
        self.reach == Reach::Relative && ratio <= Table::LARGEST_RATIO
    }

    /// The gap beyond which nothing acts `[a]`.
    pub fn reach_gap(&self) -> f64 {
        match self.ending {
            Ending::Window => Cutoff::Window.reach(self.range),
            Ending::Truncated | Ending::Tapered | Ending::Subtracted => self.range,
        }
    }

    /// What the fluid around a pair does at its distance; nothing beyond the range.
    pub fn far_field(&self, pair: &Pair) -> Option<FarField> {
        let gap = (pair.distance - pair.sum()).max(self.inner_gap);
        if gap >= self.reach_gap() {
            return None;
        }
        let share = match self.ending {
            Ending::Tapered => 1.0 - gap / self.range,
            Ending::Window if gap > self.range => Cutoff::Window.left_beyond(self.range, gap),
            _ => 1.0,
        };
        let mut far_field = self.at(pair.radii, gap.min(self.range));
        far_field.scale(self.viscosity * share);
        if self.ending == Ending::Subtracted {
            let mut end = self.at(pair.radii, self.range);
            end.scale(-self.viscosity);
            far_field.add(&end);
        }
        if self.reach == Reach::Relative {
            far_field.in_rates(pair.distance);
        }
        Some(far_field)
    }

    #[inline]
    fn at(&self, radii: [f64; 2], gap: f64) -> FarField {
        if self.reach == Reach::Relative {
            return relative(radii, gap);
        }
        let regular = Table::shared().regular(radii, gap);
        FarField {
            stresslet: [
                regular.axial_strain_strain,
                regular.transverse_strain_strain,
                regular.planar_strain,
            ],
            two_body: Some(Box::new(regular)),
            ..FarField::default()
        }
    }
}

impl FarField {
    #[inline]
    fn scale(&mut self, factor: f64) {
        self.resistance = self.resistance * factor;
        self.by_strain.iter_mut().for_each(|x| *x *= factor);
        self.stresslet.iter_mut().for_each(|x| *x *= factor);
        if let Some(two_body) = &mut self.two_body {
            **two_body = Regular::from_numbers(&two_body.numbers().map(|x| factor * x));
        }
    }

    /// From rates less those of the flow, which strain drives at \\(re_0\\) and \\(r\mathbf e_1\\),
    /// to the rates themselves.
    #[inline]
    fn in_rates(&mut self, r: f64) {
        let Resistance { squeeze, slide, slide_roll, .. } = self.resistance;
        let [pull, shear, rolling] = self.by_strain;
        self.stresslet[0] += r * (r * squeeze - 2.0 * pull);
        self.stresslet[1] += r * (r * slide - 2.0 * shear);
        self.by_strain = [pull - r * squeeze, shear - r * slide, rolling - r * slide_roll];
    }

    fn add(&mut self, other: &FarField) {
        self.resistance += other.resistance;
        self.by_strain.iter_mut().zip(other.by_strain).for_each(|(x, y)| *x += y);
        self.stresslet.iter_mut().zip(other.stresslet).for_each(|(x, y)| *x += y);
    }

    /// The force that a strain rate drives in the rates of a pair.
    #[inline]
    pub fn driven(&self, normal: &Vector3<f64>, strain_rate: &Matrix3<f64>) -> PairForce {
        let Strain { along, across } = Strain::new(normal, strain_rate);
        let [pull, shear, rolling] = self.by_strain;
        PairForce {
            normal: pull * along,
            shear: shear * across,
            rolling: rolling * across,
            twisting: 0.0,
        }
    }

    /// The stresslet of the pair in excess of that of its forces `[μγ̇a³]`.
    pub fn stresslet(
        &self,
        normal: &Vector3<f64>,
        rates: &Rates,
        velocities: [&Velocity; 2],
        strain_rate: &Matrix3<f64>,
    ) -> Matrix3<f64> {
        let Strain { along: e0, across: e1 } = Strain::new(normal, strain_rate);
        let [m0, m1, m2] = self.stresslet;
        let [pull, shear, rolling] = self.by_strain;
        let mut along = pull * rates.squeeze + m0 * e0;
        let mut across = shear * rates.slide + rolling * rates.roll + m1 * e1;
        if let Some(two_body) = &self.two_body {
            for (side, motion) in velocities.iter().enumerate() {
                along += two_body.axial_strain[side] * normal.dot(&motion.linear);
                let flat = motion.linear - normal.dot(&motion.linear) * normal;
                across += two_body.transverse_strain[side] * flat;
                across += two_body.transverse_strain[2 + side] * motion.angular.cross(normal);
            }
        }
        // The strain rate is E₂ and what e₀ and e₁ make of it.
        along -= 1.5 * m2 * e0;
        let sides = 0.5 * (along * normal + across) - m2 * e1;
        let sides = normal * sides.transpose();
        let mut stresslet = m2 * strain_rate + sides + sides.transpose();
        for k in 0..3 {
            stresslet[(k, k)] -= along / 3.0;
        }
        stresslet
    }

    /// The moment on the unit strain rate that this strain rate drives directly, at rest.
    pub fn moment(&self, pair: &Pair, strain_rate: &Matrix3<f64>) -> f64 {
        let affine = affine_rates(pair, strain_rate);
        let still = Velocity::default();
        let stresslet = self.stresslet(&pair.normal, &affine, [&still, &still], strain_rate);
        stresslet.dot(strain_rate)
    }
}

/// The 6×6 block of the form of a whole field between the motion of one side and the force and
/// torque on another.
pub(super) fn block(two_body: &Regular, normal: &Vector3<f64>, sides: [usize; 2]) -> Matrix6<f64> {
    let [i, j] = sides;
    let pick = |entries: &[f64; 3]| entries[i + j];
    let n = normal * normal.transpose();
    let plane = Matrix3::identity() - n;
    let cross = normal.cross_matrix();
    let t = |a: usize, b: usize| upper(&two_body.transverse, a, b);
    super::blocks::six_by_six(
        pick(&two_body.axial) * n + t(i, j) * plane,
        -t(i, 2 + j) * cross,
        t(2 + i, j) * cross,
        pick(&two_body.spin) * n + t(2 + i, 2 + j) * plane,
    )
}

/// The power that two spheres put into a whole field by their velocities.
pub fn two_body_power(
    two_body: &Regular,
    normal: &Vector3<f64>,
    velocities: [&Velocity; 2],
    strain_rate: &Matrix3<f64>,
) -> f64 {
    let mut power = 0.0;
    for (side, motion) in velocities.iter().enumerate() {
        let driven = driven_two_body(two_body, normal, side, strain_rate).vector();
        let resisted: Vector6<f64> = (0..2)
            .map(|from| block(two_body, normal, [side, from]) * velocities[from].vector())
            .sum();
        power += motion.vector().dot(&(driven + resisted));
    }
    power
}

/// The force and torque that a strain rate drives on one sphere of a pair, against its motion.
pub fn driven_two_body(
    two_body: &Regular,
    normal: &Vector3<f64>,
    side: usize,
    strain_rate: &Matrix3<f64>,
) -> Wrench {
    let strain = Strain::new(normal, strain_rate);
    Wrench {
        linear: two_body.axial_strain[side] * strain.along * normal
            + two_body.transverse_strain[side] * strain.across,
        angular: two_body.transverse_strain[2 + side] * normal.cross(&strain.across),
    }
}

/// An entry of a symmetric 4×4 matrix kept as its upper triangle, row by row.
fn upper(entries: &[f64; 10], a: usize, b: usize) -> f64 {
    let (a, b) = (a.min(b), a.max(b));
    entries[4 * a - a * (a + 1) / 2 + b]
}
