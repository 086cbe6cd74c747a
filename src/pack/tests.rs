use super::*;

/// Spheres of radius 1 and `ratio`, half of the volume each.
fn bidisperse(ratio: f64) -> [Species; 2] {
    [1.0, ratio].map(|radius| Species { radius, volume_share: 0.5, spread: 0.0 })
}

/// Radii and a box for them.
fn setup(
    count: usize,
    species: &[Species],
    volume_fraction: f64,
    aspect: [f64; 3],
) -> (Vec<f64>, Vector3<f64>) {
    let radii = draw_radii(count, species, 7).unwrap();
    let lengths = box_lengths(&radii, volume_fraction, aspect);
    (radii, lengths)
}

/// Smallest gap of any two spheres or images, by trying all pairs `[smallest radius]`.
fn smallest_gap(positions: &[Vector3<f64>], radii: &[f64], lengths: &Vector3<f64>) -> f64 {
    let mut gap = f64::INFINITY;
    for i in 0..radii.len() {
        gap = gap.min(lengths.min() - 2.0 * radii[i]);
        for j in 0..i {
            let apart = positions[i] - positions[j];
            let nearest = apart.zip_map(lengths, |d, length| d - length * (d / length).round());
            gap = gap.min(nearest.norm() - radii[i] - radii[j]);
        }
    }
    gap / radii.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Packs and returns the smallest gap, having checked it against what the packing says.
fn packed_gap(radii: &[f64], lengths: &Vector3<f64>, seed: u64) -> f64 {
    let packing = random_packing(radii, lengths, seed).unwrap();
    let inside = |p: &Vector3<f64>| (0..3).all(|k| (0.0..lengths[k]).contains(&p[k]));
    assert!(packing.positions.iter().all(inside));
    let gap = smallest_gap(&packing.positions, radii, lengths);
    assert!((packing.largest_overlap - (-gap).max(0.0)).abs() < 1e-9);
    gap
}

#[test]
fn equal_volumes_of_two_sizes_give_the_known_numbers() {
    let radii = draw_radii(200, &bidisperse(1.4), 1).unwrap();
    assert_eq!(radii.len(), 200);
    assert!(radii[..147].iter().all(|&a| a == 1.0));
    assert!(radii[147..].iter().all(|&a| a == 1.4));
}

#[test]
fn numbers_of_species_add_up() {
    let shares = [0.2, 0.5, 0.3];
    let species = shares.map(|share| Species { radius: 1.0, volume_share: share, spread: 0.0 });
    for count in [1, 2, 7, 100, 1001] {
        assert_eq!(draw_radii(count, &species, 1).unwrap().len(), count);
    }
}

#[test]
fn every_size_class_has_a_sphere_or_it_is_said_how_many_it_takes() {
    let Err(PackError::ClassWithoutSphere { radius, count, needed }) =
        draw_radii(200, &bidisperse(10.0), 1)
    else {
        panic!("no sphere of radius 10 among 200")
    };
    assert_eq!((radius, count, needed), (10.0, 200, 1001.0));
    let radii = draw_radii(1001, &bidisperse(10.0), 1).unwrap();
    assert_eq!(radii.iter().filter(|a| **a == 10.0).count(), 1);
    let shared = |shares: [f64; 2]| {
        let kinds = bidisperse(1.4).into_iter().zip(shares);
        let kinds = kinds.map(|(kind, volume_share)| Species { volume_share, ..kind });
        draw_radii(200, &kinds.collect::<Vec<_>>(), 1)
    };
    assert_eq!(shared([1e306, 1e306]).unwrap().len(), 200);
    assert!(shared([1e308, 0.5]).is_err());
}

#[test]
fn lognormal_radii_have_their_mean_and_spread() {
    let species = [Species { radius: 2.0, volume_share: 1.0, spread: 0.3 }];
    let radii = draw_radii(100_000, &species, 3).unwrap();
    let mean = radii.iter().sum::<f64>() / 1e5;
    let variance = radii.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / 1e5;
    assert!((mean / 2.0 - 1.0).abs() < 0.005);
    assert!((variance.sqrt() / mean - 0.3).abs() < 0.005);
    assert_eq!(radii, draw_radii(100_000, &species, 3).unwrap());
    assert_ne!(radii, draw_radii(100_000, &species, 4).unwrap());
}

#[test]
fn spread_species_keep_their_share_of_the_volume() {
    let kind = |radius, spread| Species { radius, volume_share: 0.5, spread };
    let radii = draw_radii(40_000, &[kind(1.0, 0.3), kind(3.0, 0.0)], 5).unwrap();
    let large = radii.iter().filter(|&&a| a == 3.0).count() as f64;
    assert!((large * 27.0 * 4.0 / 3.0 * PI / sizes::solid_volume(&radii) - 0.5).abs() < 0.01);
}

#[test]
fn box_has_the_volume_fraction_and_the_aspect() {
    let (radii, lengths) = setup(200, &bidisperse(1.4), 0.55, [4.0, 1.0, 2.0]);
    let solid = (147.0 + 53.0 * 1.4f64.powi(3)) * 4.0 / 3.0 * PI;
    assert!((solid / lengths.product() - 0.55).abs() < 1e-14);
    assert!((lengths.x / lengths.y - 4.0).abs() < 1e-14);
    assert!((lengths.z / lengths.y - 2.0).abs() < 1e-14);
    assert_eq!(radii.len(), 200);
}

#[test]
fn no_overlap_up_to_sixty_percent() {
    for ratio in [1.0, 1.4] {
        for volume_fraction in [0.01, 0.40, 0.50, 0.55, 0.60] {
            let (radii, lengths) = setup(200, &bidisperse(ratio), volume_fraction, [1.0; 3]);
            let gap = packed_gap(&radii, &lengths, 1);
            assert!(gap > 1e-4, "ratio {ratio}, fraction {volume_fraction}: gap {gap}");
        }
    }
}

#[test]
fn close_to_jamming_overlaps_are_tiny() {
    for (ratio, volume_fraction) in [(1.4, 0.64), (1.0, 0.62)] {
        let (radii, lengths) = setup(1000, &bidisperse(ratio), volume_fraction, [1.0; 3]);
        for seed in 1..=3 {
            assert!(packed_gap(&radii, &lengths, seed) > -1e-3);
        }
    }
}

#[test]
fn seed_fixes_every_bit() {
    let (radii, lengths) = setup(300, &bidisperse(1.4), 0.62, [1.0; 3]);
    let once = random_packing(&radii, &lengths, 11).unwrap();
    assert_eq!(once, random_packing(&radii, &lengths, 11).unwrap());
    assert_ne!(once.positions, random_packing(&radii, &lengths, 12).unwrap().positions);
}

#[test]
fn few_spheres() {
    for count in [1, 2, 3, 4, 10, 50] {
        for seed in 1..=5 {
            let (radii, lengths) = setup(count, &bidisperse(1.0), 0.50, [1.0; 3]);
            assert!(packed_gap(&radii, &lengths, seed) > 0.0);
        }
    }
    let nothing = random_packing(&[], &Vector3::repeat(1.0), 1).unwrap();
    assert!(nothing.positions.is_empty());
}

#[test]
fn wide_size_distributions() {
    let (radii, lengths) = setup(1000, &bidisperse(5.0), 0.60, [1.0; 3]);
    assert!(packed_gap(&radii, &lengths, 1) > 0.0);
    let spread = [Species { radius: 1.0, volume_share: 1.0, spread: 0.3 }];
    let (radii, lengths) = setup(500, &spread, 0.60, [1.0; 3]);
    assert!(packed_gap(&radii, &lengths, 1) > 0.0);
}

#[test]
fn elongated_and_narrow_boxes() {
    let (radii, lengths) = setup(400, &bidisperse(1.4), 0.60, [4.0, 1.0, 1.0]);
    assert!(packed_gap(&radii, &lengths, 1) > 0.0);
    // Thinner than two diameters of the large spheres: neighbours on both sides of one another.
    let (radii, lengths) = setup(400, &bidisperse(1.4), 0.60, [0.2, 1.0, 1.0]);
    assert!(lengths.x > 2.8 && lengths.x < 5.6);
    assert!(packed_gap(&radii, &lengths, 1) > 0.0);
}

#[test]
fn out_of_reach_is_an_error_with_a_remedy() {
    let (radii, lengths) = setup(1000, &bidisperse(1.4), 0.70, [1.0; 3]);
    let error = random_packing(&radii, &lengths, 1).unwrap_err();
    let PackError::OutOfReach { volume_fraction, reached_overlap, iterations, .. } = error else {
        panic!("{error}");
    };
    assert!((volume_fraction - 0.70).abs() < 1e-12);
    assert!(reached_overlap > 1e-2 && iterations < 10_000);
    assert!(error.to_string().contains("lower the volume fraction below that"));
}

#[test]
fn few_spheres_out_of_reach_end_too() {
    let (radii, lengths) = setup(10, &bidisperse(1.0), 0.72, [1.0; 3]);
    let error = random_packing(&radii, &lengths, 1).unwrap_err();
    assert!(error.to_string().contains("use more spheres"), "{error}");
}

#[test]
fn impossible_is_told_at_once() {
    for (ratio, volume_fraction) in [(1.0, 0.75), (1.4, 1.0), (1.4, 3.0)] {
        let (radii, lengths) = setup(1000, &bidisperse(ratio), volume_fraction, [1.0; 3]);
        let error = random_packing(&radii, &lengths, 1).unwrap_err();
        assert!(matches!(error, PackError::Impossible { .. }), "{error}");
    }
    let (radii, lengths) = setup(1, &bidisperse(1.0), 0.55, [1.0; 3]);
    let error = random_packing(&radii, &lengths, 1).unwrap_err();
    assert!(matches!(error, PackError::TooNarrow { .. }), "{error}");
}

/// Structure factor $|\sum_j e^{i k \cdot x_j}|^2 / N$ at the wave vector $2\pi n/L$.
fn structure_factor(positions: &[Vector3<f64>], lengths: &Vector3<f64>, n: Vector3<f64>) -> f64 {
    let k = n.component_div(lengths) * (2.0 * PI);
    let (mut real, mut imaginary) = (0.0, 0.0);
    for p in positions {
        let (sine, cosine) = k.dot(p).sin_cos();
        real += cosine;
        imaginary += sine;
    }
    (real * real + imaginary * imaginary) / positions.len() as f64
}

#[test]
fn positions_are_spread_evenly_and_form_no_lattice() {
    // A lattice has S = N = 500 at its Bragg peaks; a liquid has S ~ 3 at most on average,
    // exponentially distributed.
    for volume_fraction in [0.50, 0.62] {
        let (radii, lengths) = setup(500, &bidisperse(1.0), volume_fraction, [1.0; 3]);
        let positions = random_packing(&radii, &lengths, 2).unwrap().positions;
        let mean = positions.iter().sum::<Vector3<f64>>() / 500.0;
        let offset = mean.component_div(&lengths) - Vector3::repeat(0.5);
        assert!(offset.amax() < 4.0 / (12.0f64 * 500.0).sqrt());
        for index in 1..13 * 25 * 25 {
            let (x, y, z) = (index / 625, index / 25 % 25, index % 25);
            let n = Vector3::new(x as f64, y as f64 - 12.0, z as f64 - 12.0);
            if n.norm() > 0.0 {
                let peak = structure_factor(&positions, &lengths, n);
                assert!(peak < 100.0, "S = {peak} at {n}");
            }
        }
    }
}

/// Prints what packings cost:
/// `cargo test --lib pack::tests::costs -- --ignored --nocapture`.
#[test]
#[ignore = "a table for people, not a check"]
fn costs() {
    println!(
        "{:>7} {:>6} {:>6} {:>8} {:>10}  overlap",
        "N", "ratio", "phi", "seconds", "iterations"
    );
    for (count, ratio, volume_fraction) in [
        (200, 1.4, 0.50),
        (200, 1.4, 0.60),
        (200, 1.4, 0.64),
        (1000, 1.4, 0.50),
        (1000, 1.4, 0.60),
        (1000, 1.4, 0.64),
        (1000, 1.0, 0.64),
        (1000, 1.4, 0.65),
        (1000, 1.4, 0.66),
        (1000, 1.4, 0.70),
        (1000, 5.0, 0.60),
        (10_000, 1.4, 0.01),
        (10_000, 1.4, 0.50),
        (10_000, 1.4, 0.55),
        (10_000, 1.4, 0.60),
        (10_000, 1.0, 0.62),
        (10_000, 1.4, 0.64),
        (10_000, 1.4, 0.65),
        (10_000, 5.0, 0.60),
        (10_000, 1.4, 0.66),
        (10_000, 1.4, 0.70),
        (100_000, 1.4, 0.50),
        (100_000, 1.4, 0.64),
    ] {
        let (radii, lengths) = setup(count, &bidisperse(ratio), volume_fraction, [1.0; 3]);
        let clock = std::time::Instant::now();
        let outcome = random_packing(&radii, &lengths, 1);
        let seconds = clock.elapsed().as_secs_f64();
        print!("{count:>7} {ratio:>6} {volume_fraction:>6} {seconds:>8.2} ");
        match outcome {
            Ok(packing) => println!("{:>10}  {:.1e}", packing.iterations, packing.largest_overlap),
            Err(error) => println!("{error}"),
        }
    }
}
