//! The dissipation of two spheres as matrices.

use std::f64::consts::PI;

use nalgebra::{SMatrix, SVector};

use super::Regular;
use super::multipole::{Geometry, Mode, Moments, solve};
use crate::rates::Resistance;

/// Quadratic forms in the velocities of two spheres and the strain, one for each symmetry about the
/// normal.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    /// In \\(\mathbf n\cdot\mathbf u_1, \mathbf n\cdot\mathbf u_2, e_0\\) `[μa, μa², μa³]`.
    pub axial: SMatrix<f64, 3, 3>,
    /// In \\(\mathbf n\cdot\boldsymbol\omega_1, \mathbf n\cdot\boldsymbol\omega_2\\) `[μa³]`.
    pub spin: SMatrix<f64, 2, 2>,
    /// In \\(\mathbf u_1, \mathbf u_2, \mathbf w_1, \mathbf w_2, \mathbf e_1\\) `[μa, μa², μa³]`.
    pub transverse: SMatrix<f64, 5, 5>,
    /// The factor of \\(\mathsf E_2:\mathsf E_2\\) `[μa³]`.
    pub planar: f64,
}

impl Forms {
    /// What the spheres dissipate when each is alone.
    pub fn isolated(radii: [f64; 2]) -> Self {
        let [a, b] = radii;
        let [force, torque] = [6.0 * PI, 8.0 * PI];
        let strain = 20.0 / 3.0 * PI * (a.powi(3) + b.powi(3));
        let [turn_a, turn_b] = [torque * a.powi(3), torque * b.powi(3)];
        Forms {
            axial: SMatrix::from_diagonal(&[force * a, force * b, 1.5 * strain].into()),
            spin: SMatrix::from_diagonal(&[turn_a, turn_b].into()),
            transverse: SMatrix::from_diagonal(
                &[force * a, force * b, turn_a, turn_b, 2.0 * strain].into(),
            ),
            planar: strain,
        }
    }

    /// What a resistance to the rates of the pair amounts to.
    pub fn of_rates(resistance: &Resistance, radii: [f64; 2], gap: f64) -> Self {
        let sum = radii[0] + radii[1];
        let r = sum + gap;
        let [l1, l2] = radii.map(|a| a * r / sum);
        let squeeze = SVector::from([-1.0, 1.0, r]);
        let twist = SVector::from([1.0, -1.0]);
        let slide = SVector::from([-1.0, 1.0, -l1, -l2, r]);
        let roll = SVector::from([0.0, 0.0, 1.0, -1.0, 0.0]);
        let mixed = slide * roll.transpose();
        Forms {
            axial: resistance.squeeze * squeeze * squeeze.transpose(),
            spin: resistance.twist * twist * twist.transpose(),
            transverse: resistance.slide * slide * slide.transpose()
                + resistance.slide_roll * (mixed + mixed.transpose())
                + resistance.roll * roll * roll.transpose(),
            planar: 0.0,
        }
    }

    /// The regular part as matrices.
    pub fn of_regular(regular: &Regular) -> Self {
        let ([a, b, c], [f, g], [i, j, k]) = (regular.axial, regular.axial_strain, regular.spin);
        let [uu, uv, uw, ux, vv, vw, vx, ww, wx, xx] = regular.transverse;
        let [ue, ve, we, xe] = regular.transverse_strain;
        let (m0, m1) = (regular.axial_strain_strain, regular.transverse_strain_strain);
        Forms {
            axial: [[a, b, f], [b, c, g], [f, g, m0]].into(),
            spin: [[i, j], [j, k]].into(),
            transverse: [
                [uu, uv, uw, ux, ue],
                [uv, vv, vw, vx, ve],
                [uw, vw, ww, wx, we],
                [ux, vx, wx, xx, xe],
                [ue, ve, we, xe, m1],
            ]
            .into(),
            planar: regular.planar_strain,
        }
    }

    /// All that two spheres dissipate beyond what they do alone, both triangles computed apart, in
    /// units of the sum of the radii.
    pub(super) fn of_multipoles(geometry: &Geometry) -> Self {
        let [a, b] = geometry.share;
        let none = Moments::default();
        let force = |force: f64| Moments { force, ..none };
        let torque = |torque: f64| Moments { torque, ..none };
        let strain = |stresslet: f64| Moments { stresslet, ..none };
        // What moves with the surface is u + ω × x − E·x, seen along the axis of each sphere.
        let axial = [
            [force(1.0), none],
            [none, force(-1.0)],
            [strain(-10.0 / 3.0 * a), strain(-10.0 / 3.0 * b)],
        ];
        let spin = [[torque(a), none], [none, torque(b)]];
        let transverse = [
            [force(1.0), none],
            [none, force(1.0)],
            [torque(a), none],
            [none, torque(-b)],
            [strain(-20.0 / 9.0 * a), strain(20.0 / 9.0 * b)],
        ];
        let planar = [[strain(-10.0 / 9.0 * a), strain(-10.0 / 9.0 * b)]];
        let mode = |m, pressure, vortex| Mode { m, pressure, vortex };
        Forms {
            axial: form(mode(0, true, false), geometry, 0.9 * PI, &axial),
            spin: form(mode(0, false, true), geometry, 0.0, &spin),
            transverse: form(mode(1, true, true), geometry, 2.7 * PI, &transverse),
            planar: form(mode(2, true, true), geometry, 5.4 * PI, &planar)[0],
        }
    }
}

/// The power that each source takes in the flow of each other; `weight` is that of stresslets.
fn form<const N: usize>(
    mode: Mode,
    geometry: &Geometry,
    weight: f64,
    sources: &[[Moments; 2]; N],
) -> SMatrix<f64, N, N> {
    let responses = solve(mode, geometry, sources);
    SMatrix::from_fn(|i, j| {
        let power = |sphere: usize| {
            let (source, response, alone) =
                (sources[i][sphere], responses[j][sphere], sources[j][sphere]);
            geometry.share[sphere]
                * (6.0 * PI * source.force * (response.force - alone.force)
                    + 8.0 * PI * source.torque * (response.torque - alone.torque)
                    + weight * source.stresslet * (response.stresslet - alone.stresslet))
        };
        power(0) + power(1)
    })
}

impl std::ops::Add for Forms {
    type Output = Forms;

    fn add(self, other: Forms) -> Forms {
        Forms {
            axial: self.axial + other.axial,
            spin: self.spin + other.spin,
            transverse: self.transverse + other.transverse,
            planar: self.planar + other.planar,
        }
    }
}
