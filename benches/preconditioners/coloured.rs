//! Symmetric Gauss–Seidel by colours: particles of a colour are no neighbours of each other, so that
//! eight of them are swept at once, and pairs stay what they are, a few numbers each.

use zerostokes::balance::{Operator, PairBlock};
use zerostokes::solve::lanes::{Eight, LANES, Lanes, Work, vectorised};
use zerostokes::solve::rows::Six;

use super::blocks::{Block, add, own_block};
use super::colour_sweeps::{Backward, Forward, Inward};
use super::iterate::Method;

/// A triangular 6×6 matrix: the entries of its lower triangle, row by row.
const ENTRIES: usize = 21;

/// Six numbers of eight particles.
pub const NUMBERS: usize = 6;

/// One pair of each of eight rows.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub struct Slice {
    pub normal: [Eight; 3],
    /// Force by velocity, and what it has more along the normal; force by spin and torque by velocity,
    /// across; torque by spin, and what it has more along the normal.
    pub numbers: [Eight; 6],
    pub other: [u32; LANES],
}

/// Eight particles of a colour.
#[derive(Clone, Default)]
pub struct Group {
    /// C⁻¹ of every particle, its diagonal block being C Cᵀ.
    pub inverse: [Eight; ENTRIES],
    /// Slices with particles of earlier colours, and of later ones: the first, and how many.
    pub lower: [u32; 2],
    pub upper: [u32; 2],
}

/// The system in the variables of the preconditioner, by Eisenstat's trick.
///
/// Vectors have six numbers of eight particles after the other; only what sweeps find is by particle.
pub struct Coloured {
    /// Where every particle is: group times eight, plus lane.
    slots: Vec<u32>,
    pub groups: Vec<Group>,
    pub lower: Vec<Slice>,
    pub upper: Vec<Slice>,
    /// What a sweep has found, by slot.
    pub found: Vec<Six>,
    /// The same in the variables of the preconditioner.
    pub solved: Vec<Eight>,
}

/// Colours, one particle after the other, each the first that no neighbour has.
fn colours(operator: &Operator) -> Vec<u8> {
    let mut colours = vec![63u8; operator.drag.len()];
    for particle in 0..colours.len() {
        let mut used = 0u64;
        for (pair, side) in operator.pairs_of(particle) {
            used |= 1 << colours[operator.blocks[pair].ids[1 - side] as usize];
        }
        colours[particle] = used.trailing_ones() as u8;
    }
    colours
}

/// Slots by colour, every colour at the begin of a group, particles of a group with about as many
/// neighbours of earlier and of later colours; and the number of groups.
fn slots(operator: &Operator, colours: &[u8]) -> (Vec<u32>, usize) {
    let mut counts = vec![[0u8; 2]; colours.len()];
    for block in &operator.blocks {
        let [i, j] = block.ids.map(|k| k as usize);
        let later = usize::from(colours[j] > colours[i]);
        counts[i][later] += 1;
        counts[j][1 - later] += 1;
    }
    let key = |k: usize| {
        let [lower, upper] = counts[k].map(u64::from);
        u64::from(colours[k]) << 48 | lower << 40 | upper << 32 | k as u64
    };
    let mut keys: Vec<u64> = (0..colours.len()).map(key).collect();
    keys.sort_unstable();
    let mut slots = vec![0; colours.len()];
    let (mut slot, mut colour) = (0usize, 0);
    for key in keys {
        if key >> 48 != colour {
            colour = key >> 48;
            slot = slot.next_multiple_of(LANES);
        }
        slots[(key & 0xFFFF_FFFF) as usize] = slot as u32;
        slot += 1;
    }
    (slots, slot.div_ceil(LANES))
}

impl Coloured {
    /// Colours, lays out and factorizes the diagonal blocks; `None` if one is not positive definite.
    pub fn new(operator: &Operator) -> Option<Self> {
        let colours = colours(operator);
        let (slots, count) = slots(operator, &colours);
        let mut particles = vec![u32::MAX; LANES * count];
        slots.iter().enumerate().for_each(|(k, slot)| particles[*slot as usize] = k as u32);
        let mut coloured = Coloured {
            groups: vec![Group::default(); count],
            lower: Vec::with_capacity(operator.blocks.len() / 6 + count),
            upper: Vec::with_capacity(operator.blocks.len() / 6 + count),
            found: vec![Six::default(); LANES * count],
            solved: vec![Eight::default(); NUMBERS * count],
            slots,
        };
        for (g, members) in particles.chunks_exact(LANES).enumerate() {
            coloured.lay_out(operator, &colours, g, members);
        }
        let diagonal = Diagonal { operator, coloured: &mut coloured };
        vectorised(diagonal).then_some(coloured)
    }

    /// The slices of a group.
    fn lay_out(&mut self, operator: &Operator, colours: &[u8], g: usize, members: &[u32]) {
        let starts = [self.lower.len(), self.upper.len()];
        for (lane, &particle) in members.iter().enumerate() {
            let mut used = starts;
            let particle = particle as usize;
            if particle == u32::MAX as usize {
                continue;
            }
            for (pair, side) in operator.pairs_of(particle) {
                let block = &operator.blocks[pair];
                let other = block.ids[1 - side] as usize;
                let later = usize::from(colours[other] > colours[particle]);
                let slices = if later == 1 { &mut self.upper } else { &mut self.lower };
                if used[later] == slices.len() {
                    slices.push(Slice::default());
                }
                slices[used[later]].put(lane, block, side, self.slots[other]);
                used[later] += 1;
            }
        }
        let range = |start: usize, slices: &[Slice]| [start as u32, (slices.len() - start) as u32];
        self.groups[g].lower = range(starts[0], &self.lower);
        self.groups[g].upper = range(starts[1], &self.upper);
    }
}

impl Slice {
    /// Puts the pair of a particle (its `side`) into a lane.
    fn put(&mut self, lane: usize, pair: &PairBlock, side: usize, other: u32) {
        let (r, [li, lj]) = (&pair.resistance, pair.levers);
        let turn = li * lj * r.slide + (li - lj) * r.slide_roll - r.roll;
        let [force, torque] = [-(lj * r.slide + r.slide_roll), -(li * r.slide - r.slide_roll)];
        // Seen from j the block is transposed, and a cross changes its sign.
        let [force, torque] = if side == 0 { [force, torque] } else { [-torque, -force] };
        let numbers = [-r.slide, r.slide - r.squeeze, force, torque, turn, -r.twist - turn];
        for c in 0..3 {
            self.normal[c][lane] = pair.normal[c] as f32;
        }
        for (to, number) in self.numbers.iter_mut().zip(numbers) {
            to[lane] = number as f32;
        }
        self.other[lane] = other;
    }
}

/// Factorizes the diagonal blocks, eight at once; `false` if one is not positive definite.
struct Diagonal<'a> {
    operator: &'a Operator,
    coloured: &'a mut Coloured,
}

impl Work for Diagonal<'_> {
    type Output = bool;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> bool {
        let mut blocks = vec![Block::default(); self.coloured.found.len()];
        blocks.iter_mut().for_each(|block| (0..6).for_each(|k| block[k][k] = 1.0));
        for (drag, slot) in self.operator.drag.iter().zip(&self.coloured.slots) {
            let own = &mut blocks[*slot as usize];
            (0..6).for_each(|k| own[k][k] = drag[k / 3]);
        }
        for pair in &self.operator.blocks {
            for side in 0..2 {
                let slot = self.coloured.slots[pair.ids[side] as usize];
                add(&mut blocks[slot as usize], &own_block(pair, side));
            }
        }
        let mut positive = true;
        for (group, eight) in self.coloured.groups.iter_mut().zip(blocks.chunks_exact(LANES)) {
            positive &= invert(eight, &mut group.inverse);
        }
        positive
    }
}

/// The inverses of the Cholesky factors of eight blocks.
#[inline(always)]
fn invert(blocks: &[Block], out: &mut [Eight; ENTRIES]) -> bool {
    // l[c][r]: column c, row r.
    let mut l = [[[0.0f64; LANES]; 6]; 6];
    for (lane, block) in blocks.iter().enumerate() {
        for c in 0..6 {
            (c..6).for_each(|r| l[c][r][lane] = block[c][r]);
        }
    }
    let mut positive = true;
    let mut roots = [[0.0f64; LANES]; 6];
    for c in 0..6 {
        for k in 0..LANES {
            positive &= l[c][c][k] > 0.0;
            roots[c][k] = 1.0 / l[c][c][k].sqrt();
        }
        for r in c..6 {
            (0..LANES).for_each(|k| l[c][r][k] *= roots[c][k]);
        }
        let column = l[c];
        for d in c + 1..6 {
            for r in d..6 {
                (0..LANES).for_each(|k| l[d][r][k] -= column[r][k] * column[d][k]);
            }
        }
    }
    let mut inverse = [[[0.0f64; LANES]; 6]; 6];
    for c in 0..6 {
        inverse[c][c] = roots[c];
        for r in c + 1..6 {
            let mut sum = [0.0f64; LANES];
            for m in c..r {
                (0..LANES).for_each(|k| sum[k] -= l[m][r][k] * inverse[c][m][k]);
            }
            (0..LANES).for_each(|k| inverse[c][r][k] = sum[k] * roots[r][k]);
        }
    }
    for r in 0..6 {
        for c in 0..=r {
            out[r * (r + 1) / 2 + c] = inverse[c][r].map(|x| x as f32);
        }
    }
    positive
}

impl Method for Coloured {
    const PRECONDITIONED: bool = false;

    fn inward(&mut self, residual: &mut Vec<Six>) {
        let mut by_slot = vec![Six::default(); self.found.len()];
        for (r, slot) in residual.iter().zip(&self.slots) {
            by_slot[*slot as usize] = *r;
        }
        vectorised(Inward { coloured: self, r: &by_slot });
        residual.clone_from(&self.solved);
    }

    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64 {
        vectorised(Backward { coloured: self, p });
        vectorised(Forward { coloured: self, p, q })
    }

    fn precondition(&mut self, _residual: &[Six], _z: &mut [Six]) {}

    fn outward(&mut self, correction: &mut Vec<Six>) {
        vectorised(Backward { coloured: self, p: correction });
        correction.clear();
        correction.extend(self.slots.iter().map(|slot| self.found[*slot as usize]));
    }

    fn bytes(&self) -> usize {
        let slices = size_of_val(&self.lower[..]) + size_of_val(&self.upper[..]);
        slices + size_of_val(&self.groups[..]) + size_of_val(&self.slots[..])
    }
}
