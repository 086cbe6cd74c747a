//! Initial configurations: spheres at random in a periodic orthogonal box, without overlap.
//!
//! [`draw_radii`] and [`box_lengths`] turn a mixture and a volume fraction into spheres and a
//! box; [`random_packing`] places them. Up to a volume fraction of 0.60 no two spheres touch.
//! Closer to jamming, overlaps of a thousandth of the smallest radius are tolerated; beyond it
//! an error is returned after a bounded number of iterations.

mod neighbours;
mod relax;
mod scatter;
mod sizes;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use relax::Relaxation;
pub use scatter::scatter;
pub use sizes::{Species, box_lengths, draw_radii, even_radii};

/// Volume fraction up to which no overlap is accepted `[1]`.
const STRICT_UP_TO: f64 = 0.60 + 1e-9;
/// Largest overlap accepted above that volume fraction `[smallest radius]`.
const ACCEPTED_OVERLAP: f64 = 1e-3;
/// Overlap that ends the search above that volume fraction `[smallest radius]`.
const SOUGHT_OVERLAP: f64 = 1e-4;
/// Smallest and largest gap that the spheres are pushed towards `[smallest radius]`.
const MARGINS: (f64, f64) = (2e-4, 0.02);
/// Gap below which spheres count as touching `[smallest radius]`.
const LEAST_GAP: f64 = 1e-6;
/// Damping rate below which cooling more slowly does not pay.
const SLOWEST_DAMPING: f64 = 0.005;
/// Number of spheres up to which chance may still help where slow cooling does not.
const MOST_RETRIED: usize = 100;
/// Volume fraction near which random packings jam, for the first guess of the margin `[1]`.
const JAMMING: f64 = 0.64;
/// Distance beyond the jamming point that slower cooling does not make up for `[1]`.
const BEYOND_JAMMING: f64 = 0.03;

/// Spheres placed in a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    /// Centres, in the order of the radii, within `0 ≤ x < L` `[a]`.
    pub positions: Vec<Vector3<f64>>,
    /// Largest overlap of two spheres, 0 when none overlap `[smallest radius]`.
    pub largest_overlap: f64,
    /// Force evaluations it took.
    pub iterations: usize,
}

/// Why spheres could not be placed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The spheres jammed before they stopped overlapping.
    #[error(
        "no random packing found at volume fraction {volume_fraction:.4}: spheres still overlap \
         by {reached_overlap:.2e} of the smallest radius after {iterations} iterations; {hint}"
    )]
    OutOfReach {
        /// Volume fraction asked for `[1]`.
        volume_fraction: f64,
        /// Largest overlap of the best configuration found `[smallest radius]`.
        reached_overlap: f64,
        /// Force evaluations spent.
        iterations: usize,
        /// What to do about it.
        hint: String,
    },
    /// No arrangement at all has this volume fraction.
    #[error(
        "volume fraction {volume_fraction:.4} is impossible: spheres of these radii fill less \
         than {limit:.4} of the box; lower the volume fraction (random packings jam near 0.64)"
    )]
    Impossible {
        /// Volume fraction asked for `[1]`.
        volume_fraction: f64,
        /// Bound on the volume fraction `[1]`.
        limit: f64,
    },
    /// There is no room for all spheres in a region.
    #[error(
        "only {placed} of {count} spheres find room in particles.region: they fill {fraction:.2} \
         of it; make it larger, or draw fewer"
    )]
    NoRoom {
        /// Spheres that found room.
        placed: usize,
        /// All of them.
        count: usize,
        /// What part of the region they would fill `[1]`.
        fraction: f64,
    },
    /// There are too few spheres for every size class.
    #[error(
        "with {count} spheres none has radius {radius}: its share of the volume takes {}; draw more, \
         raise its particles.volume_shares, or leave it out of particles.radii",
        in_words(*needed)
    )]
    ClassWithoutSphere {
        /// Mean radius of the class `[a]`.
        radius: f64,
        /// Spheres asked for.
        count: usize,
        /// Spheres with which it has one.
        needed: f64,
    },
    /// A sphere would overlap its own periodic image.
    #[error(
        "the box is {length:.4} wide but the largest sphere {diameter:.4}: it would overlap its \
         own image; use more particles or a box closer to a cube"
    )]
    TooNarrow {
        /// Shortest box length `[a]`.
        length: f64,
        /// Largest diameter `[a]`.
        diameter: f64,
    },
}

/// More spheres than this are not drawn.
const MOST_SPHERES: f64 = 1e7;

/// How many spheres it takes to have one of a class.
fn in_words(needed: f64) -> String {
    match needed <= MOST_SPHERES {
        true => format!("particles.count = {needed:.0} for the first of them"),
        false => "more spheres than can be drawn".to_owned(),
    }
}

impl From<PackError> for crate::Error {
    fn from(error: PackError) -> Self {
        crate::Error::Pack(Box::new(error))
    }
}

/// Places spheres of the given radii `[a]` at random in a periodic box of the given lengths `[a]`.
///
/// The same arguments give the same positions, bit for bit.
///
/// # Errors
///
/// When the volume fraction is out of reach, or a sphere is wider than the box.
pub fn random_packing(
    radii: &[f64],
    lengths: &Vector3<f64>,
    seed: u64,
) -> Result<Packing, PackError> {
    debug_assert!(radii.iter().all(|a| a.is_finite() && *a > 0.0));
    debug_assert!(lengths.iter().all(|l| l.is_finite() && *l > 0.0));
    if radii.is_empty() {
        return Ok(Packing { positions: Vec::new(), largest_overlap: 0.0, iterations: 0 });
    }
    check_room(radii, lengths)?;
    let mut rng = Pcg64::seed_from_u64(seed);
    let random_point = |_| Vector3::from_fn(|k, _| lengths[k] * rng.random::<f64>());
    let points: Vec<Vector3<f64>> = (0..radii.len()).map(random_point).collect();
    packed(points, radii, lengths, &mut rng)
}

/// Places spheres of the given radii `[a]` at random in a plane of the given lengths `[a]`, all at
/// z = 0.
///
/// # Errors
///
/// When the area fraction is out of reach, or a sphere is wider than the plane.
pub fn random_layer(radii: &[f64], [x, y]: [f64; 2], seed: u64) -> Result<Packing, PackError> {
    // So deep that images above and below are not felt.
    let lengths = Vector3::new(x, y, 5.0 * extremes(radii).1);
    check_room(radii, &lengths)?;
    let mut rng = Pcg64::seed_from_u64(seed);
    let random_point = |_| Vector3::new(x * rng.random::<f64>(), y * rng.random::<f64>(), 0.0);
    let points: Vec<Vector3<f64>> = (0..radii.len()).map(random_point).collect();
    packed(points, radii, &lengths, &mut rng)
}

/// Moves spheres apart from where they were thrown.
fn packed(
    points: Vec<Vector3<f64>>,
    radii: &[f64],
    lengths: &Vector3<f64>,
    rng: &mut Pcg64,
) -> Result<Packing, PackError> {
    let order = neighbours::spatial_order(&points, lengths);
    let sorted_points = order.iter().map(|&i| points[i]).collect();
    let sorted_radii: Vec<f64> = order.iter().map(|&i| radii[i]).collect();
    let mut packing = search(Relaxation::new(sorted_points, sorted_radii, *lengths), rng)?;
    let mut positions = points;
    for (&i, p) in order.iter().zip(&packing.positions) {
        positions[i] = *p;
    }
    packing.positions = positions;
    Ok(packing)
}

/// Spheres from which on their numbers matter for speed.
const FEWEST_ORDERED: usize = 4096;

/// Numbers many spheres along the rows of a grid in y and z, so that those with close numbers are
/// neighbours, and stay so while the box is sheared along x. A few are left as they are.
pub fn numbered_by_layers(
    radii: Vec<f64>,
    positions: Vec<Vector3<f64>>,
) -> (Vec<f64>, Vec<Vector3<f64>>) {
    if radii.len() < FEWEST_ORDERED {
        return (radii, positions);
    }
    let width = 4.0 * extremes(&radii).1;
    let row = |x: &Vector3<f64>| [x.y, x.z].map(|c| (c / width) as u32);
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&positions[a], &positions[b]);
        row(a).cmp(&row(b)).then(a.x.total_cmp(&b.x))
    });
    let pick = |k: &usize| (radii[*k], positions[*k]);
    order.iter().map(pick).unzip()
}

/// Refuses what no search can find.
fn check_room(radii: &[f64], lengths: &Vector3<f64>) -> Result<(), PackError> {
    let (smallest, largest) = extremes(radii);
    let volume_fraction = sizes::solid_volume(radii) / lengths.product();
    // Hales' theorem for equal spheres: nothing is denser than the face-centred cubic lattice.
    let limit = if smallest == largest { PI / 18f64.sqrt() } else { 1.0 };
    if volume_fraction >= limit {
        return Err(PackError::Impossible { volume_fraction, limit });
    }
    let (length, diameter) = (lengths.min(), 2.0 * largest);
    if length <= diameter {
        return Err(PackError::TooNarrow { length, diameter });
    }
    Ok(())
}

/// Smallest and largest of the radii.
fn extremes(radii: &[f64]) -> (f64, f64) {
    radii.iter().fold((f64::INFINITY, 0.0), |(low, high), &a| (low.min(a), high.max(a)))
}

/// Anneals the spheres, each time more slowly, until they are apart or it proves hopeless.
fn search(mut spheres: Relaxation, rng: &mut Pcg64) -> Result<Packing, PackError> {
    let volume_fraction = spheres.volume_fraction();
    let sought = if volume_fraction <= STRICT_UP_TO { -LEAST_GAP } else { SOUGHT_OVERLAP };
    let accepted = if volume_fraction <= STRICT_UP_TO { -LEAST_GAP } else { ACCEPTED_OVERLAP };
    let mut best = (f64::INFINITY, Vec::new());
    let mut jams_at = 0.0;
    let (mut damping, mut margin) = first_choice(volume_fraction);
    for _ in 0..attempts(spheres.count()) {
        let contacts = spheres.anneal(damping, margin, rng);
        let overlap = contacts.largest / spheres.smallest_radius() - margin;
        if overlap < best.0 {
            best = (overlap, spheres.wrapped_positions());
        }
        jams_at = f64::max(jams_at, spheres.jamming_estimate(&contacts));
        let hopeless = spheres.count() > MOST_RETRIED && volume_fraction - jams_at > BEYOND_JAMMING;
        if best.0 <= sought || hopeless {
            break;
        }
        damping = f64::max(0.5 * damping, SLOWEST_DAMPING);
        margin = f64::max(0.5 * margin, MARGINS.0);
    }
    let iterations = spheres.iterations;
    if best.0 <= accepted {
        return Ok(Packing { positions: best.1, largest_overlap: best.0.max(0.0), iterations });
    }
    let hint = hint(jams_at, spheres.count());
    Err(PackError::OutOfReach { volume_fraction, reached_overlap: best.0, iterations, hint })
}

/// What to do about spheres that jam at a lower volume fraction.
fn hint(jams_at: f64, count: usize) -> String {
    let other = if count > MOST_RETRIED { "try another seed" } else { "use more spheres" };
    format!("they jam near {jams_at:.3}: lower the volume fraction below that, or {other}")
}

/// Damping rate and margin `[smallest radius]` to begin with: the denser, the slower and smaller.
fn first_choice(volume_fraction: f64) -> (f64, f64) {
    let damping = if volume_fraction < 0.58 { 0.1 } else { 0.02 };
    let room = (JAMMING / volume_fraction).cbrt() - 1.0;
    (damping, (0.2 * room).clamp(MARGINS.0, MARGINS.1))
}

/// Attempts worth making: chance decides in small systems, the speed of cooling in large ones.
fn attempts(count: usize) -> usize {
    6 + 2000 / count
}
