use super::super::noise::generator;
use super::*;
use crate::cell::Cell;
use nalgebra::Vector3;
use rand::RngExt;

const SMOOTH: Closeness = Closeness { touching: 0.0, near: 0.05 };

/// Points anywhere in a box, with two radii, however they overlap.
fn anywhere(count: usize, lengths: Vector3<f64>, seed: u64) -> Suspension {
    let mut random = generator(seed);
    let mut point = || Vector3::from_fn(|k, _| lengths[k] * random.random::<f64>());
    let positions = (0..count).map(|_| point()).collect();
    let radii = (0..count).map(|k| if k % 3 == 0 { 1.4 } else { 1.0 }).collect();
    Suspension::new(radii, positions, Cell::periodic(lengths))
}

/// The largest deviation of means from a value, in their standard errors, and how many there are.
fn deviation(means: &[Mean], value: f64) -> f64 {
    let square = means.iter().map(|m| ((m.value - value) / m.stderr).powi(2));
    (square.sum::<f64>() / means.len() as f64).sqrt()
}

/// Few points in a small, tilted box: N(N−1) instead of N² matters by 7 %.
#[test]
fn points_without_order_have_g_equal_to_one() {
    let lengths = Vector3::new(17.5, 18.0, 19.0);
    let mut structure = PairStructure::new(&anywhere(15, lengths, 0), SMOOTH).unwrap();
    for seed in 0..2000 {
        let mut frame = anywhere(15, lengths, seed);
        frame.clock.strain = 0.37;
        structure.add(&frame, 1.0);
    }
    let all = structure.distribution();
    assert_eq!(all.len(), 126);
    let mean = all[40..].iter().map(|g| g.value).sum::<f64>() / (all.len() - 40) as f64;
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
    assert!(deviation(&all, 1.0) < 1.3, "{}", deviation(&all, 1.0));
    for kind in structure.distribution_by_species().unwrap() {
        let mean = kind[40..].iter().map(|g| g.value).sum::<f64>() / (kind.len() - 40) as f64;
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
    }
}

/// Directions are even on a sphere, so angles in any plane are even too.
#[test]
fn points_without_order_have_no_preferred_angle() {
    let lengths = Vector3::repeat(12.0);
    let near = Closeness { touching: 0.0, near: 1.0 };
    let mut structure = PairStructure::new(&anywhere(60, lengths, 0), near).unwrap();
    (0..300).for_each(|seed| structure.add(&anywhere(60, lengths, seed), 1.0));
    let angles = relative_angles(&structure.angles);
    assert_eq!(angles.len(), ANGLES);
    assert!(angles.iter().all(|p| (p.value - 1.0).abs() < 0.05), "{angles:?}");
    assert!(deviation(&angles, 1.0) < 1.5);
    let share = compressed_share(&structure.angles);
    assert!((share.value - 0.5).abs() < 4.0 * share.stderr && share.stderr < 0.01, "{share:?}");
}

/// A simple cubic lattice of touching spheres: 6 neighbours at 1, 12 at √2, 8 at √3, 6 at 2, 24 at
/// √5.
#[test]
fn a_cubic_lattice_has_its_shells() {
    let (side, spacing) = (6usize, 2.0 + 1e-9);
    let place = |k: usize| [k % side, k / side % side, k / (side * side)];
    let at = |k: usize| Vector3::from(place(k).map(|n| spacing * n as f64));
    let count = side.pow(3);
    let cell = Cell::periodic(Vector3::repeat(spacing * side as f64));
    let lattice = Suspension::new(vec![1.0; count], (0..count).map(at).collect(), cell);
    let mut structure = PairStructure::new(&lattice, SMOOTH).unwrap();
    structure.add(&lattice, 1.0);
    let bins = structure.distances.bins;
    let counts: Vec<f64> = structure.distances.frames().next().unwrap().to_vec();
    for (distance, neighbours) in
        [(1.0, 6.0), (2f64.sqrt(), 12.0), (3f64.sqrt(), 8.0), (2.0, 6.0), (5f64.sqrt(), 24.0)]
    {
        let bin = bins.find(distance).unwrap();
        assert_eq!(2.0 * counts[bin] / count as f64, neighbours, "at {distance}");
    }
    // All other bins up to √5 are empty.
    let inner = bins.find(2.3).unwrap();
    let within: f64 = counts[..inner].iter().sum();
    assert_eq!(2.0 * within / count as f64, 56.0);
    // Neighbours lie along x, y and z; those along z have no angle of their own and count as 0°.
    assert_eq!(structure.angles.totals(), [3.0 * count as f64]);
    assert_eq!(structure.coordination().value, 0.0);
    assert!(structure.by_species.is_none());
}

/// Counts by trying every image of every pair, without the nearest one being known.
fn all_images(frame: &Suspension, structure: &PairStructure) -> Vec<f64> {
    let bins = structure.distances.bins;
    let mut counts = vec![0.0; bins.count()];
    let [a, b, c] = frame.cell.images(&frame.clock).vectors().unwrap();
    for i in 0..frame.len() {
        for j in i + 1..frame.len() {
            for image in 0..125 {
                let [l, m, n] = [image % 5, image / 5 % 5, image / 25].map(|k| f64::from(k) - 2.0);
                let d = frame.positions[j] - frame.positions[i] + l * a + m * b + n * c;
                if let Some(bin) = bins.find(d.norm() / (frame.radii[i] + frame.radii[j])) {
                    counts[bin] += 1.0;
                }
            }
        }
    }
    counts
}

/// Both for few particles, where all pairs are tried, and for many, where cells are.
#[test]
fn sheared_images_are_those_of_the_tilted_lattice() {
    for (count, lengths) in [(40, [11.0, 12.0, 13.0]), (700, [30.0, 26.0, 28.0])] {
        for strain in [0.0, 0.3, 0.49, -0.8, 7.77] {
            let mut frame = anywhere(count, Vector3::from(lengths), 3);
            frame.clock.strain = strain;
            let mut structure = PairStructure::new(&frame, SMOOTH).unwrap();
            structure.add(&frame, 1.0);
            let found: Vec<f64> = structure.distances.frames().next().unwrap().to_vec();
            assert_eq!(found, all_images(&frame, &structure), "{count} at strain {strain}");
        }
    }
}

/// Three pairs with known gaps, one along the compression axis, at both signs of the flow.
#[test]
fn gaps_and_angles_of_pairs_are_found() {
    let origin = Vector3::repeat(2.0);
    let diagonal = Vector3::new(-1.0, 1.0, 0.0).normalize();
    let positions = vec![
        origin,
        origin + diagonal * (2.4 - 1.2e-3),
        Vector3::new(12.0, 12.0, 12.0),
        Vector3::new(14.0 + 2.8e-2, 12.0, 12.0),
    ];
    let radii = vec![1.0, 1.4, 1.0, 1.0];
    let frame = Suspension::new(radii, positions, Cell::periodic(Vector3::repeat(20.0)));
    let mut structure = PairStructure::new(&frame, SMOOTH).unwrap();
    structure.add(&frame, 1.0);
    structure.add(&frame, -1.0);
    let bins = structure.angles.bins;
    let angles: Vec<&[f64]> = structure.touching_angles.frames().collect();
    assert_eq!(
        (angles[0][bins.find(135.0).unwrap()], structure.touching_angles.totals()[0]),
        (1.0, 1.0)
    );
    assert_eq!(angles[1][bins.find(45.0).unwrap()], 1.0);
    assert_eq!(structure.angles.totals(), [2.0, 2.0]);
    assert_eq!(structure.coordination().value, 0.5);
    let count = |h: &Histogram, gap: f64| h.frames().next().unwrap()[h.bins.find(gap).unwrap()];
    assert_eq!((count(&structure.overlaps, 1.2e-3), count(&structure.gaps, 2.8e-2)), (1.0, 1.0));
    // With a roughness of 5 % both pairs touch.
    let rough = Closeness { touching: 0.05, near: 0.05 };
    let mut structure = PairStructure::new(&frame, rough).unwrap();
    structure.add(&frame, 1.0);
    assert_eq!(structure.coordination().value, 1.0);
    assert_eq!(count(&structure.overlaps, 2.2e-2), 1.0);
}

#[test]
fn open_space_has_no_pair_distribution() {
    let frame = Suspension::new(vec![1.0; 2], vec![Vector3::zeros(), Vector3::x()], Cell::Open);
    assert!(PairStructure::new(&frame, SMOOTH).is_none());
}
