//! Moves overlapping spheres apart.
//!
//! The spheres repel with the harmonic overlap energy
//! $E = \tfrac12 \sum_{i<j} \delta_{ij}^2$, $\delta_{ij} = \max(0, a_i + a_j + m - r_{ij})$,
//! of O'Hern, Silbert, Liu & Nagel, Phys. Rev. E 68, 011306 (2003), where $m$ is a margin that
//! leaves a gap in the end. They are first cooled as a liquid, by damped Newtonian motion: the
//! slower, the denser the packing at which they jam (Chaudhuri, Berthier & Sastry, Phys. Rev.
//! Lett. 104, 165701 (2010)). What overlap is left goes by the fast inertial relaxation engine
//! of Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006), in the semi-implicit form of Guénolé
//! et al., Comput. Mater. Sci. 175, 109584 (2020).
//!
//! Stiffness is 1 and the mass of a sphere of mean radius is 1, which sets the unit of time.

use nalgebra::Vector3;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::neighbours::{Neighbours, wrap};
use super::sizes::solid_volume;

/// Root mean square speed from which the spheres are cooled `[mean radius per unit time]`.
const HOT_SPEED: f64 = 0.1;
/// Speed at which cooling ends.
const COLD_SPEED: f64 = 0.03;
/// Speed above which the motion only undoes gross overlaps.
const WILD_SPEED: f64 = 0.2;
/// Damping rate above the wild speed.
const WILD_DAMPING: f64 = 0.5;
/// Time step, close to the largest that is stable.
const TIME_STEP: f64 = 0.5;
/// Share of the velocity turned towards the acceleration, after a restart.
const MIXING: f64 = 0.15;
/// Ratio of residual to contact forces (root mean squares) below which the spheres are jammed.
const BALANCED: f64 = 0.01;
/// Iterations of the minimiser after which a slower cooling is the better investment.
const MOST_ITERATIONS: usize = 1500;

/// Overlaps of one configuration, of spheres enlarged by the margin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contacts {
    /// Largest overlap.
    pub(super) largest: f64,
    /// Sum of squared overlaps, twice the energy.
    squares: f64,
    /// Sum of overlaps over contact distances.
    strains: f64,
}

/// Sums over all spheres that the minimiser steers by.
#[derive(Default)]
struct Sums {
    /// $\sum F \cdot v$.
    power: f64,
    /// $\sum m v^2$.
    speeds: f64,
    /// $\sum F^2 / m$.
    accelerations: f64,
    /// $\sum F^2$.
    forces: f64,
}

/// Spheres on their way to a configuration without overlap.
pub(super) struct Relaxation {
    positions: Vec<Vector3<f64>>,
    radii: Vec<f64>,
    lengths: Vector3<f64>,
    mean_radius: f64,
    /// Grow with the number of spheres that fit around one, so that frequencies are alike.
    masses: Vec<f64>,
    velocities: Vec<Vector3<f64>>,
    forces: Vec<Vector3<f64>>,
    neighbours: Neighbours,
    skin: f64,
    /// Gap that the spheres are pushed towards.
    margin: f64,
    /// Force evaluations so far.
    pub(super) iterations: usize,
    /// Value of `iterations` at the last listing of the neighbours.
    listed_at: usize,
}

impl Relaxation {
    /// Spheres at rest, not yet relaxed.
    pub(super) fn new(
        positions: Vec<Vector3<f64>>,
        radii: Vec<f64>,
        lengths: Vector3<f64>,
    ) -> Self {
        let count = radii.len();
        let mean_radius = radii.iter().sum::<f64>() / count as f64;
        Self {
            positions,
            lengths,
            mean_radius,
            masses: radii.iter().map(|a| (0.5 + 0.5 * a / mean_radius).powi(2)).collect(),
            velocities: vec![Vector3::zeros(); count],
            forces: vec![Vector3::zeros(); count],
            neighbours: Neighbours::default(),
            radii,
            skin: 0.5 * mean_radius,
            margin: 0.0,
            iterations: 0,
            listed_at: 0,
        }
    }

    /// Number of spheres.
    pub(super) fn count(&self) -> usize {
        self.radii.len()
    }

    /// Smallest radius.
    pub(super) fn smallest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Volume fraction, without the margin.
    pub(super) fn volume_fraction(&self) -> f64 {
        solid_volume(&self.radii) / self.lengths.product()
    }

    /// Volume fraction at which jammed spheres would just touch `[1]`.
    ///
    /// An estimate: each of the $3N$ contacts that balance $3N$ forces at jamming is taken to
    /// have been compressed by the same strain.
    pub(super) fn jamming_estimate(&self, contacts: &Contacts) -> f64 {
        let strain = contacts.strains / (3 * self.count()) as f64;
        self.volume_fraction() * (1.0 - strain.min(1.0)).powi(3)
    }

    /// Positions brought back into the box.
    pub(super) fn wrapped_positions(&self) -> Vec<Vector3<f64>> {
        let mut positions = self.positions.clone();
        positions.iter_mut().for_each(|p| wrap(p, &self.lengths));
        positions
    }

    /// Heats the spheres, cools them at the given damping rate and pushes apart what overlaps,
    /// all enlarged by a margin in units of the smallest radius.
    pub(super) fn anneal(&mut self, damping: f64, margin: f64, rng: &mut Pcg64) -> Contacts {
        self.margin = margin * self.smallest_radius();
        self.heat(rng);
        self.list_neighbours();
        self.cool(damping);
        self.minimise()
    }

    /// Gives the spheres random velocities at the hot speed; those of a layer stay in it.
    fn heat(&mut self, rng: &mut Pcg64) {
        let layer = self.positions.iter().all(|x| x.z == 0.0);
        for (v, m) in self.velocities.iter_mut().zip(&self.masses) {
            let mut direction = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
            if layer {
                direction.z = 0.0;
            }
            *v = direction * (HOT_SPEED * self.mean_radius / m.sqrt());
        }
    }

    /// Damped Newtonian motion from the hot to the cold speed.
    fn cool(&mut self, damping: f64) {
        let unit = self.mean_radius * (self.radii.len() as f64).sqrt();
        let limit = (10.0 / (damping * TIME_STEP)) as usize;
        for _ in 0..limit {
            let contacts = self.push();
            let speed = self.sums().speeds.sqrt() / unit;
            if speed < COLD_SPEED || self.is_separated(&contacts) {
                return;
            }
            let damping = if speed > WILD_SPEED { WILD_DAMPING } else { damping };
            self.advance(TIME_STEP, 1.0 - damping * TIME_STEP, TIME_STEP);
        }
    }

    /// Lowers the energy until no enlarged spheres overlap by more than half the margin, the
    /// forces balance, or iterations run out.
    fn minimise(&mut self) -> Contacts {
        self.velocities.fill(Vector3::zeros());
        let (mut step, mut mixing, mut downhill) = (0.2 * TIME_STEP, MIXING, 0);
        let mut contacts = self.push();
        for _ in 0..MOST_ITERATIONS {
            let sums = self.sums();
            let jammed = sums.forces < BALANCED * BALANCED * contacts.squares;
            if jammed || self.is_separated(&contacts) {
                break;
            }
            if sums.power < 0.0 {
                self.advance(-0.5 * step, 1.0, 0.0);
                self.velocities.fill(Vector3::zeros());
                (step, mixing, downhill) = (0.5 * step, MIXING, 0);
            } else {
                downhill += 1;
                if downhill > 5 {
                    (step, mixing) = ((1.1 * step).min(TIME_STEP), 0.99 * mixing);
                }
                let turn = mixing * (sums.speeds / sums.accelerations).sqrt();
                self.advance(step, 1.0 - mixing, step + turn);
            }
            contacts = self.push();
        }
        contacts
    }

    fn is_separated(&self, contacts: &Contacts) -> bool {
        contacts.largest <= 0.5 * self.margin
    }

    /// Updates the velocities, $v \leftarrow k v + p F/m$, then moves the spheres for a time
    /// `step`.
    fn advance(&mut self, step: f64, keep: f64, push: f64) {
        for i in 0..self.positions.len() {
            let v = self.velocities[i] * keep + self.forces[i] * (push / self.masses[i]);
            self.velocities[i] = v;
            self.positions[i] += v * step;
        }
    }

    /// Contact forces at the present positions.
    fn push(&mut self) -> Contacts {
        if self.neighbours.is_stale(&self.positions) {
            self.adapt_skin();
            self.list_neighbours();
        }
        self.iterations += 1;
        self.forces.fill(Vector3::zeros());
        let mut contacts = Contacts::default();
        for i in 0..self.positions.len() {
            let reach = self.radii[i] + self.margin;
            let mut total = Vector3::zeros();
            for (j, shift) in self.neighbours.of(i) {
                let d = self.positions[j] + shift - self.positions[i];
                let contact = reach + self.radii[j];
                let squared = d.norm_squared();
                if squared < contact * contact {
                    let distance = squared.sqrt().max(f64::MIN_POSITIVE);
                    let overlap = contact - distance;
                    contacts.largest = contacts.largest.max(overlap);
                    contacts.squares += overlap * overlap;
                    contacts.strains += overlap / contact;
                    let force = d * (overlap / distance);
                    total -= force;
                    self.forces[j] += force;
                }
            }
            self.forces[i] += total;
        }
        contacts
    }

    fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for ((f, v), m) in self.forces.iter().zip(&self.velocities).zip(&self.masses) {
            let squared = f.norm_squared();
            sums.power += f.dot(v);
            sums.speeds += m * v.norm_squared();
            sums.accelerations += squared / m;
            sums.forces += squared;
        }
        sums
    }

    /// Widens the skin when lists are short-lived, narrows it when they last.
    fn adapt_skin(&mut self) {
        let lasted = self.iterations - self.listed_at;
        if lasted < 6 {
            self.skin = (1.3 * self.skin).min(0.8 * self.mean_radius);
        } else if lasted > 25 {
            self.skin = (0.75 * self.skin).max(0.1 * self.mean_radius);
        }
    }

    /// Lists the neighbours anew, with all positions back in the box.
    fn list_neighbours(&mut self) {
        self.listed_at = self.iterations;
        for p in &mut self.positions {
            wrap(p, &self.lengths);
        }
        let skin = self.margin + self.skin.min(0.5 * self.lengths.min());
        self.neighbours.build(&self.positions, &self.radii, &self.lengths, skin);
    }
}
