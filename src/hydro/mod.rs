//! Exact hydrodynamics of two spheres: resistance to all their velocities in a linear flow, at any
//! gap and size ratio.
//!
//! All of it follows from one quadratic form, the power that the pair dissipates. Let
//! \\(\mathbf u_\alpha, \boldsymbol\omega_\alpha\\) be velocities and spins relative to the flow at
//! the centres, and \\(\mathsf E\\) the rate of strain of the flow. Beyond what the two spheres
//! would dissipate alone
//! (\\(6\pi au^2 + 8\pi a^3\omega^2 + \tfrac{20}3\pi a^3\,\mathsf E:\mathsf E\\) each), they
//! dissipate \\(\mu D\\); forces are \\(-\tfrac12\partial D/\partial\mathbf u_\alpha\\), torques
//! \\(-\tfrac12\partial D/\partial\boldsymbol\omega_\alpha\\) and the stresslet of both is
//! \\(+\tfrac12\partial D/\partial\mathsf E\\). About the normal the strain is
//! $$\mathsf E = \tfrac32e_0(\mathbf{nn}-\tfrac13\mathsf I) +
//! \mathbf n\mathbf e_1+\mathbf e_1\mathbf n + \mathsf E_2,$$
//! and D is the sum of an axial form in \\(\mathbf n\cdot\mathbf u_\alpha, e_0\\), a form in the
//! spins \\(\mathbf n\cdot\boldsymbol\omega_\alpha\\), a transverse form in the vectors
//! \\(\mathsf P\mathbf u_\alpha, \mathbf w_\alpha = \boldsymbol\omega_\alpha\times\mathbf n,
//! \mathbf e_1\\), and a multiple of \\(\mathsf E_2:\mathsf E_2\\). Each of these has
//! a part that is [`singular`] at contact and acts on the rates of the pair alone,
//! $$\dot h = \mathbf n\cdot(\mathbf u_2-\mathbf u_1)+re_0,\quad
//! \mathbf v = \mathsf P(\mathbf u_2-\mathbf u_1)-l_1\mathbf w_1-l_2\mathbf w_2+r\mathbf e_1,\quad
//! \mathbf q = \mathbf w_1-\mathbf w_2,\quad
//! \tau = \mathbf n\cdot(\boldsymbol\omega_1-\boldsymbol\omega_2),$$
//! with levers \\(l_\alpha = ra_\alpha/(a_1+a_2)\\), and a [`Regular`] part that depends smoothly
//! on the gap down to contact, up to terms \\(\xi^2\ln\xi\\). So no digits are lost at the
//! smallest gaps.
//!
//! The functions are those of \[JO84\] Jeffrey & Onishi 1984 (J. Fluid Mech. 139) and \[J92\]
//! Jeffrey 1992 (Phys. Fluids A 4), rewritten in these variables; [`series`] computes them and
//! [`Table`] looks them up. All are for a fluid of viscosity 1.

mod forms;
mod multipole;
pub mod series;
mod singular;
mod table;

use crate::rates::Resistance;
pub use forms::Forms;
pub use singular::{Singular, singular};
pub use table::Table;

/// The part of the form that depends smoothly on the gap. Matrices count off-diagonal entries
/// twice: the form is \\(\sum_{\alpha\beta}M_{\alpha\beta}x_\alpha x_\beta\\).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regular {
    /// Entries 11, 12, 22 in \\(\mathbf n\cdot\mathbf u_\alpha\\) `[μa]`.
    pub axial: [f64; 3],
    /// Entries of \\(\mathbf n\cdot\mathbf u_\alpha\\) with \\(e_0\\) `[μa²]`.
    pub axial_strain: [f64; 2],
    /// The entry of \\(e_0^2\\) `[μa³]`.
    pub axial_strain_strain: f64,
    /// Entries 11, 12, 22 in \\(\mathbf n\cdot\boldsymbol\omega_\alpha\\) `[μa³]`.
    pub spin: [f64; 3],
    /// Upper triangle, row by row, in \\(\mathbf u_1, \mathbf u_2, \mathbf w_1, \mathbf w_2\\)
    /// across the normal `[μa, μa², μa³]`.
    pub transverse: [f64; 10],
    /// Entries of \\(\mathbf u_1, \mathbf u_2, \mathbf w_1, \mathbf w_2\\) with \\(\mathbf e_1\\)
    /// `[μa², μa³]`.
    pub transverse_strain: [f64; 4],
    /// The entry of \\(\mathbf e_1\cdot\mathbf e_1\\) `[μa³]`.
    pub transverse_strain_strain: f64,
    /// The entry of \\(\mathsf E_2:\mathsf E_2\\) `[μa³]`.
    pub planar_strain: f64,
}

/// Powers of the length in the numbers of [`Regular`], in order.
const POWERS: [i32; Regular::COUNT] =
    [1, 1, 1, 2, 2, 3, 3, 3, 3, 1, 1, 2, 2, 1, 2, 2, 3, 3, 3, 2, 2, 3, 3, 3, 3];

impl Regular {
    /// How many numbers there are.
    pub const COUNT: usize = 25;

    /// All numbers, in the order of the fields.
    pub fn numbers(&self) -> [f64; Self::COUNT] {
        let mut all = [0.0; Self::COUNT];
        all[0..3].copy_from_slice(&self.axial);
        all[3..5].copy_from_slice(&self.axial_strain);
        all[5] = self.axial_strain_strain;
        all[6..9].copy_from_slice(&self.spin);
        all[9..19].copy_from_slice(&self.transverse);
        all[19..23].copy_from_slice(&self.transverse_strain);
        all[23] = self.transverse_strain_strain;
        all[24] = self.planar_strain;
        all
    }

    /// From all numbers, in the order of the fields.
    pub fn from_numbers(x: &[f64; Self::COUNT]) -> Self {
        Regular {
            axial: [x[0], x[1], x[2]],
            axial_strain: [x[3], x[4]],
            axial_strain_strain: x[5],
            spin: [x[6], x[7], x[8]],
            transverse: [x[9], x[10], x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18]],
            transverse_strain: [x[19], x[20], x[21], x[22]],
            transverse_strain_strain: x[23],
            planar_strain: x[24],
        }
    }

    /// The same spheres, larger by a factor.
    fn scaled(&self, length: f64) -> Self {
        let factor = [1.0, length, length * length, length * length * length];
        let mut numbers = self.numbers();
        for (number, power) in numbers.iter_mut().zip(POWERS) {
            *number *= factor[power as usize];
        }
        Regular::from_numbers(&numbers)
    }

    /// The same spheres in the other order.
    fn swapped(&self) -> Self {
        let ([a, b, c], [f, g], [i, j, k]) = (self.axial, self.axial_strain, self.spin);
        let [uu, uv, uw, ux, vv, vw, vx, ww, wx, xx] = self.transverse;
        let [eu, ev, ew, ex] = self.transverse_strain;
        Regular {
            axial: [c, b, a],
            axial_strain: [-g, -f],
            spin: [k, j, i],
            transverse: [vv, uv, -vx, -vw, uu, -ux, -uw, xx, wx, ww],
            transverse_strain: [-ev, -eu, ex, ew],
            ..*self
        }
    }

    /// From the upper triangles of forms.
    fn from_forms(forms: &Forms) -> Self {
        let (a, s, t) = (&forms.axial, &forms.spin, &forms.transverse);
        let mut transverse = [0.0; 10];
        let upper = (0..4).flat_map(|i| (i..4).map(move |j| (i, j)));
        transverse.iter_mut().zip(upper).for_each(|(entry, place)| *entry = t[place]);
        Regular {
            axial: [a[(0, 0)], a[(0, 1)], a[(1, 1)]],
            axial_strain: [a[(0, 2)], a[(1, 2)]],
            axial_strain_strain: a[(2, 2)],
            spin: [s[(0, 0)], s[(0, 1)], s[(1, 1)]],
            transverse,
            transverse_strain: [t[(0, 4)], t[(1, 4)], t[(2, 4)], t[(3, 4)]],
            transverse_strain_strain: t[(4, 4)],
            planar_strain: forms.planar,
        }
    }
}

/// The resistance of two spheres beyond that of both alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoSpheres {
    /// What acts on the rates of the pair and is singular at contact.
    pub singular: Resistance,
    /// What else there is.
    pub regular: Regular,
}

impl TwoSpheres {
    /// Both parts together as matrices, for the radii and the gap that they were found with.
    pub fn forms(&self, radii: [f64; 2], gap: f64) -> Forms {
        Forms::of_rates(&self.singular, radii, gap) + Forms::of_regular(&self.regular)
    }
}

#[cfg(test)]
mod tests;
