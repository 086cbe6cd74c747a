//! Particles cut into slabs across the domain, which threads share.

use nalgebra::Vector3;

use super::fractional_positions;
use crate::state::Suspension;

/// Particles from which on they are cut into slabs.
const FEWEST_CUT: usize = 1000;

/// Particles in a slab, about, where there are many: their velocities and forces stay in the cache
/// of a core.
const SLAB: usize = 1024;

/// Particles slab by slab across the domain: only those of neighbouring slabs are pairs. The first
/// and the last slab are neighbours too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slabs {
    /// The particles, slab after slab, neighbours close to each other. Empty where there is one
    /// slab, with the particles in the order of their ids.
    pub order: Vec<u32>,
    /// Where every slab begins in that order, and where the last one ends; their number is even.
    pub starts: Vec<u32>,
}

impl Slabs {
    /// Cuts the domain so that centres of pairs are at most `reach` apart `[a]`.
    pub fn new(state: &Suspension, reach: f64) -> Self {
        if state.len() < FEWEST_CUT {
            return Slabs::default();
        }
        let (fractions, widths, _) = fractional_positions(state);
        let axis = widths.imax();
        let most = (widths[axis] / reach) as usize;
        let count = (state.len() / SLAB).max(4).min(most) & !1;
        if count < 4 {
            return Slabs::default();
        }
        let slab = |f: f64| ((f * count as f64) as u32).min(count as u32 - 1);
        let along = morton_keys(&fractions, &widths);
        let mut keys: Vec<(u32, u32, u32)> = (0u32..)
            .zip(&fractions)
            .map(|(id, f)| (slab(f[axis]), along[id as usize], id))
            .collect();
        keys.sort_unstable();
        let mut starts = vec![0; count + 1];
        keys.iter().for_each(|(slab, ..)| starts[*slab as usize + 1] += 1);
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        Slabs { order: keys.into_iter().map(|(.., id)| id).collect(), starts }
    }
}

/// Where particles are on Morton's curve through the box.
fn morton_keys(fractions: &[Vector3<f64>], widths: &Vector3<f64>) -> Vec<u32> {
    // Cells about as large as a few particles.
    let volume = widths.product() / fractions.len() as f64;
    let bits = widths.map(|w| (w / (4.0 * volume).cbrt()).log2().ceil().clamp(0.0, 10.0));
    let key = |f: &Vector3<f64>| {
        let cell = f.zip_map(&bits, |f, b| ((f * b.exp2()) as u32).min(b.exp2() as u32 - 1));
        spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z)
    };
    fractions.iter().map(key).collect()
}

/// Puts two zeros before every one of ten bits.
fn spread(bits: u32) -> u32 {
    (0..10).fold(0, |all, k| all | (bits >> k & 1) << (3 * k))
}
