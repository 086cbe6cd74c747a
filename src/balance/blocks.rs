//! The 6×6 blocks of a pair: what the motion of one particle does to another, or to itself.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::{Mirrored, PairBlock, mirror, rates};
use crate::laws::{Arms, Unsymmetric};
use crate::state::{Velocity, Wrench};

impl PairBlock {
    /// The resistive force of a motion.
    pub(crate) fn force(&self, arms: Arms, i: &Velocity, j: &Velocity) -> Mirrored {
        let rates = rates(&self.normal, arms, i, j);
        mirror(&self.normal, arms, &self.resistance.force(&rates))
    }

    /// The block between the motion of one side and the force and torque on another, wherever
    /// forces act: column by column.
    pub(super) fn block_between(&self, arms: Arms, [to, from]: [usize; 2]) -> Matrix6<f64> {
        let mut block = Matrix6::zeros();
        for k in 0..6 {
            let mut moved = [Velocity::default(); 2];
            match k < 3 {
                true => moved[from].linear[k] = 1.0,
                false => moved[from].angular[k - 3] = 1.0,
            }
            let mut resisted = [Wrench::default()];
            self.force(arms, &moved[0], &moved[1]).opposite().add_to(&mut resisted, to, 0);
            block.set_column(k, &resisted[0].vector());
        }
        block
    }

    /// The diagonal block of particle i (`side` 0) or j (`side` 1).
    pub fn diagonal(&self, side: usize) -> Matrix6<f64> {
        let r = &self.resistance;
        let (normal, plane, cross) = self.projections();
        let lever = self.levers[side];
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let couple = (lever * r.slide + sign * r.slide_roll) * sign * cross;
        let turn = lever * lever * r.slide + sign * 2.0 * lever * r.slide_roll + r.roll;
        six_by_six(
            r.squeeze * normal + r.slide * plane,
            couple,
            couple.transpose(),
            turn * plane + r.twist * normal,
        )
    }

    /// The block that couples the motion of j to the force and torque on i.
    pub(super) fn coupling(&self) -> Matrix6<f64> {
        let r = &self.resistance;
        let (normal, plane, cross) = self.projections();
        let [li, lj] = self.levers;
        let turn = li * lj * r.slide + (li - lj) * r.slide_roll - r.roll;
        six_by_six(
            -(r.squeeze * normal + r.slide * plane),
            -(lj * r.slide + r.slide_roll) * cross,
            -(li * r.slide - r.slide_roll) * cross,
            turn * plane - r.twist * normal,
        )
    }

    /// The 6×6 block that an unsymmetric slope adds between the motion of one side and the force
    /// and torque on another: \\(\mathsf B_a^T\mathsf A\mathsf B_b\\) with \\(\mathsf B = (\mp1,\
    /// l\,\mathbf n\times)\\).
    pub(super) fn unsymmetric_block(
        &self,
        unsymmetric: &Unsymmetric,
        sides: [usize; 2],
    ) -> Matrix6<f64> {
        let slope = unsymmetric.matrix(&self.normal);
        let cross = self.normal.cross_matrix();
        let sign = sides.map(|side| if side == 0 { -1.0 } else { 1.0 });
        let lever = sides.map(|side| self.levers[side]);
        six_by_six(
            sign[0] * sign[1] * slope,
            sign[0] * lever[1] * (slope * cross),
            -lever[0] * sign[1] * (cross * slope),
            -lever[0] * lever[1] * (cross * slope * cross),
        )
    }

    /// What the turning of a force with its particles adds to the slope. A force \\(\mathbf F\\) on
    /// i turns with the mean spin of the pair, and its torques \\(w_{i,j}\mathbf X\times\mathbf
    /// F\\), \\(w = l/r\\), change as the centres move.
    pub fn turned(&self, turn: &Vector3<f64>, sides: [usize; 2]) -> Matrix6<f64> {
        let sign = sides.map(|side| if side == 0 { -1.0 } else { 1.0 });
        let sum = self.levers[0] + self.levers[1];
        if sum == 0.0 {
            return Matrix6::zeros();
        }
        let share = sides.map(|side| self.levers[side] / sum);
        let (turn, cross) = (turn.cross_matrix(), self.normal.cross_matrix());
        six_by_six(
            Matrix3::zeros(),
            -sign[0] * share[1] * turn,
            share[0] * sign[1] * turn,
            self.levers[sides[0]] * share[1] * (cross * turn),
        )
    }

    /// \\(\mathbf n\mathbf n^T\\), \\(\mathsf P\\) and the matrix of \\(\mathbf n\times\\).
    fn projections(&self) -> (Matrix3<f64>, Matrix3<f64>, Matrix3<f64>) {
        let normal = self.normal * self.normal.transpose();
        (normal, Matrix3::identity() - normal, self.normal.cross_matrix())
    }
}

pub(super) fn six_by_six(
    uu: Matrix3<f64>,
    uw: Matrix3<f64>,
    wu: Matrix3<f64>,
    ww: Matrix3<f64>,
) -> Matrix6<f64> {
    let mut block = Matrix6::zeros();
    block.fixed_view_mut::<3, 3>(0, 0).copy_from(&uu);
    block.fixed_view_mut::<3, 3>(0, 3).copy_from(&uw);
    block.fixed_view_mut::<3, 3>(3, 0).copy_from(&wu);
    block.fixed_view_mut::<3, 3>(3, 3).copy_from(&ww);
    block
}
