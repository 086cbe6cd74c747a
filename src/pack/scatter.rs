//! Spheres thrown at random into a part of open space, one after another, wherever there is room.

use std::collections::HashMap;
use std::f64::consts::PI;

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{PackError, extremes, sizes};
use crate::obstacle::Obstacles;

/// Throws of one sphere at most.
const MOST_THROWS: usize = 20_000;

/// The gap that is left at least, in smallest radii.
const LEAST_GAP: f64 = 1e-3;

/// Places spheres at random between two corners, without overlap with each other or with obstacles.
/// If the corners have the same z, all centres have.
///
/// # Errors
///
/// When there is no room for all.
pub fn scatter(
    radii: &[f64],
    corners: [Vector3<f64>; 2],
    obstacles: &Obstacles,
    seed: u64,
) -> Result<Vec<Vector3<f64>>, PackError> {
    let (smallest, largest) = extremes(radii);
    let (low, high) = (corners[0].inf(&corners[1]), corners[0].sup(&corners[1]));
    let width = 2.0 * largest + LEAST_GAP * smallest;
    let cell = |x: &Vector3<f64>| ((x - low) / width).map(|c| c.floor() as i32);
    let mut cells: HashMap<[i32; 3], Vec<usize>> = HashMap::new();
    let mut positions = vec![Vector3::zeros(); radii.len()];
    let mut rng = Pcg64::seed_from_u64(seed);
    // The largest first: small ones find room between them.
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]).then(i.cmp(&j)));
    for (placed, &k) in order.iter().enumerate() {
        let a = radii[k];
        let inset = (high - low).map(|size| if size > 0.0 { a } else { 0.0 });
        let room = high - low - 2.0 * inset;
        let mut throw = || low + inset + room.map(|size| size.max(0.0) * rng.random::<f64>());
        let fits = |x: &Vector3<f64>| {
            let apart =
                |j: &usize| (x - positions[*j]).norm() > a + radii[*j] + LEAST_GAP * smallest;
            let at = cell(x);
            let mut near = around().filter_map(|step| cells.get::<[i32; 3]>(&(at + step).into()));
            let mut clear = true;
            obstacles.near(x, a + LEAST_GAP * smallest, 0.0, |_, _| clear = false);
            clear && near.all(|members| members.iter().all(apart))
        };
        let enough = room.iter().all(|size| *size >= 0.0);
        let place = (0..MOST_THROWS).map(|_| throw()).find(|x| enough && fits(x));
        let Some(x) = place else {
            let fraction = filled(radii, &(high - low));
            return Err(PackError::NoRoom { placed, count: radii.len(), fraction });
        };
        positions[k] = x;
        cells.entry(cell(&x).into()).or_default().push(k);
    }
    Ok(positions)
}

/// What part of a region, or of a rectangle if it has no depth, spheres fill.
fn filled(radii: &[f64], size: &Vector3<f64>) -> f64 {
    match size.z > 0.0 {
        true => sizes::solid_volume(radii) / size.product(),
        false => radii.iter().map(|a| PI * a * a).sum::<f64>() / (size.x * size.y),
    }
}

/// A cell and its neighbours.
fn around() -> impl Iterator<Item = Vector3<i32>> {
    (0..27).map(|code| Vector3::new(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacle::{Obstacle, Shape};

    #[test]
    fn nobody_overlaps() {
        let plane = Shape::Plane { point: Vector3::zeros(), normal: Vector3::y() };
        let obstacles = Obstacles::new(vec![Obstacle::fixed("floor", plane)]);
        let radii = sizes::even_radii(300, [0.5, 1.0], 3);
        let corners = [Vector3::new(0.0, -5.0, 2.0), Vector3::new(40.0, 35.0, 2.0)];
        let positions = scatter(&radii, corners, &obstacles, 7).unwrap();
        for (i, x) in positions.iter().enumerate() {
            assert!(x.z == 2.0 && x.y > radii[i] && x.x > radii[i] && x.x < 40.0 - radii[i]);
            for j in 0..i {
                assert!((x - positions[j]).norm() > radii[i] + radii[j]);
            }
        }
        assert_eq!(positions, scatter(&radii, corners, &obstacles, 7).unwrap());
        let tight = [Vector3::zeros(), Vector3::new(15.0, 15.0, 0.0)];
        let failed = scatter(&radii, tight, &obstacles, 7);
        assert!(matches!(failed, Err(PackError::NoRoom { .. })), "{failed:?}");
    }
}
