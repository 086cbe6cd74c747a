//! One suite of properties for every law, between two spheres and at a flat wall. It runs over the
//! samples of the register.

use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;
use zerostokes::balance::{Mirrored, mean_spin, mirror, rates};
use zerostokes::laws::{Pair, PairForce, PairLaw, Rates, Resistance, Sample, touching_distance};
use zerostokes::state::Velocity;

/// Two spheres, or a sphere and a wall, how they move, and how long.
#[derive(Clone, Debug)]
struct Scene {
    radii: [f64; 2],
    gap: f64,
    normal: Vector3<f64>,
    velocities: [Velocity; 2],
    step: f64,
}

fn vector(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-size..size).prop_map(Vector3::from)
}

fn scene() -> impl Strategy<Value = Scene> {
    // The last two are flat walls.
    let ratio = prop::sample::select(vec![1.0, 1.4, 5.0, 0.2, f64::INFINITY, f64::INFINITY]);
    let gap = prop_oneof![-0.01..0.0, 0.0..0.01, 0.01..0.7];
    let normal = vector(1.0).prop_filter("a direction", |v| v.norm() > 0.1);
    let motion =
        || (vector(3.0), vector(3.0)).prop_map(|(linear, angular)| Velocity { linear, angular });
    let step = prop::sample::select(vec![0.0, 1e-4, 1e-2]);
    (ratio, gap, normal, [motion(), motion()], step).prop_map(
        |(ratio, gap, normal, velocities, step)| Scene {
            radii: [1.0, ratio],
            gap,
            normal: normal.normalize(),
            velocities,
            step,
        },
    )
}

impl Scene {
    /// Every law that has a force here.
    fn laws(&self) -> impl Iterator<Item = Sample> {
        let (open, equal) = (self.gap > 0.0, self.radii[0] == self.radii[1]);
        let overlaps = super::samples().filter(move |sample| open || sample.may_overlap);
        overlaps.filter(move |sample| equal || sample.any_sizes)
    }

    /// The centre distance.
    fn distance(&self) -> f64 {
        touching_distance(self.radii) + self.gap
    }

    /// The pair as a law sees it.
    fn pair(&self, law: &dyn PairLaw) -> Pair {
        let Scene { radii, normal, gap, step, .. } = *self;
        law.levers().see(Pair { radii, normal, distance: self.distance(), gap, step })
    }

    fn rates(&self, law: &dyn PairLaw) -> Rates {
        let [i, j] = &self.velocities;
        let levers = self.pair(law).levers();
        Rates { spin: mean_spin(levers, i, j), ..rates(&self.normal, levers, i, j) }
    }

    /// What the law remembers after one step of this scene from nothing.
    fn memory(&self, law: &dyn PairLaw) -> Vec<f64> {
        // Films are there before spheres are pressed together.
        self.memory_from(self.gap.max(1e-3), &Pair { step: 1e-3, ..self.pair(law) }, law)
    }

    /// What the law remembers after one step of a pair that begins with a gap.
    fn memory_from(&self, gap: f64, pair: &Pair, law: &dyn PairLaw) -> Vec<f64> {
        let mut memory = vec![0.0; law.memory_len()];
        let apart = touching_distance(self.radii) + gap;
        law.init_memory(self.radii, &(apart * self.normal), &mut memory);
        law.advance_memory(pair, &mut memory, &self.rates(law));
        memory
    }

    fn force(&self, law: &dyn PairLaw) -> PairForce {
        let rates = self.rates(law);
        law.respond(&self.pair(law), &self.memory(law), &rates).force(&rates)
    }

    fn mirrored(&self, law: &dyn PairLaw) -> Mirrored {
        mirror(&self.normal, self.pair(law).levers(), &self.force(law))
    }

    fn turned(&self, turn: &Rotation3<f64>) -> Scene {
        let velocities = self
            .velocities
            .map(|m| Velocity { linear: turn * m.linear, angular: turn * m.angular });
        Scene { normal: turn * self.normal, velocities, ..self.clone() }
    }

    fn relabelled(&self) -> Scene {
        let [a, b] = self.radii;
        let [i, j] = self.velocities;
        Scene { radii: [b, a], normal: -self.normal, velocities: [j, i], ..self.clone() }
    }
}

fn close(a: Vector3<f64>, b: Vector3<f64>, scale: f64) -> bool {
    (a - b).norm() <= 1e-12 * scale
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn forces_and_torques_balance(scene in scene()) {
        for Sample { name, law, invariant, .. } in scene.laws() {
            let m = scene.mirrored(law.as_ref());
            let arm = scene.distance() * scene.normal;
            let left = m.torques[0] + m.torques[1] - arm.cross(&m.force);
            let size = 1.0 + arm.norm() * m.force.norm() + m.torques[0].norm();
            // Torques of levers that sum to s lack those of the gap.
            let lacks = match invariant || scene.radii[1].is_infinite() {
                true => Vector3::zeros(),
                false => -scene.gap * scene.normal.cross(&m.force),
            };
            prop_assert!((left - lacks).norm() <= 1e-12 * size, "{name}");
        }
    }

    #[test]
    fn a_rigid_motion_is_no_motion(scene in scene(), drift in vector(3.0), spin in vector(3.0)) {
        for Sample { name, law, invariant, .. } in scene.laws() {
            let pair = scene.pair(law.as_ref());
            let arm = scene.distance() * pair.normal;
            let still = Velocity { linear: drift, angular: spin };
            let carried = Velocity { linear: drift + spin.cross(&arm), angular: spin };
            let rigid = rates(&pair.normal, pair.levers(), &still, &carried);
            let memory = vec![0.0; law.memory_len()];
            let response = law.respond(&pair, &memory, &rigid);
            let felt = response.force(&rigid);
            let rest = response.force(&Rates::default());
            let r = response.resistance;
            let speed = drift.norm() + spin.norm() * pair.distance;
            let largest = r.squeeze.max(r.slide).max(r.roll).max(r.twist) * speed;
            // Levers that sum to s leave the slide of the gap.
            let slide = match invariant || pair.meets_wall() {
                true => Vector3::zeros(),
                false => scene.gap * spin.cross(&pair.normal),
            };
            let left = r.force(&Rates { slide, ..Rates::default() });
            let change = (felt.normal - rest.normal).abs()
                + (felt.shear - rest.shear - left.shear).norm()
                + (felt.rolling - rest.rolling - left.rolling).norm();
            prop_assert!(change <= 1e-12 * largest, "{name}: {change:e} of {largest:e}");
        }
    }

    #[test]
    fn what_acts_on_one_is_the_reaction_to_what_acts_on_the_other(scene in scene()) {
        for Sample { name, law, reciprocal, .. } in scene.laws() {
            let (pair, rates) = (scene.pair(law.as_ref()), scene.rates(law.as_ref()));
            let excess = law.one_sided(&pair, &rates);
            prop_assert!(excess.is_none() || !reciprocal, "{name}");
            let middle = pair.gap + 0.5 * pair.step * rates.squeeze;
            if !reciprocal && !pair.meets_wall() && middle < law.range(pair.radii) {
                // The sample says so with reason: equal spheres have none, unequal ones some.
                let equal = scene.radii[0] == scene.radii[1];
                prop_assert_eq!(excess == Some(Resistance::default()), equal, "{}", name);
            }
        }
    }

    #[test]
    fn resistances_are_positive_semidefinite(scene in scene()) {
        for Sample { name, law, .. } in scene.laws() {
            let memory = scene.memory(law.as_ref());
            let (pair, rates) = (scene.pair(law.as_ref()), scene.rates(law.as_ref()));
            let r = law.respond(&pair, &memory, &rates).resistance;
            prop_assert!(r.squeeze >= 0.0 && r.slide >= 0.0 && r.roll >= 0.0 && r.twist >= 0.0);
            let slack = 1e-12 * r.slide * r.roll;
            prop_assert!(r.slide_roll * r.slide_roll <= r.slide * r.roll + slack, "{name}");
        }
    }

    #[test]
    fn every_force_is_a_number(scene in scene()) {
        for Sample { name, law, .. } in scene.laws() {
            let force = scene.force(law.as_ref());
            let numbers = [force.normal, force.shear.norm(), force.rolling.norm(), force.twisting];
            prop_assert!(numbers.iter().all(|f| f.is_finite()), "{name}: {force:?}");
        }
    }

    #[test]
    fn lubrication_dissipates_in_steps_of_any_length(scene in scene()) {
        for Sample { name, law, .. } in scene.laws().filter(|l| l.name.contains("lubrication")) {
            let power = scene.force(law.as_ref()).power(&scene.rates(law.as_ref()));
            prop_assert!(power >= 0.0, "{name}: {power}");
        }
    }

    #[test]
    fn what_is_not_stored_is_dissipated(scene in scene()) {
        // A step that ends in this scene, from where the rates say that it began.
        let step = 1e-3;
        for Sample { name, law, may_overlap, .. } in scene.laws().filter(|law| law.stores) {
            let rates = scene.rates(law.as_ref());
            let before = scene.gap - step * rates.squeeze;
            let earlier = before - step * rates.squeeze;
            let start = Scene { gap: before, ..scene.clone() };
            let first = Pair { step, gap: earlier, ..start.pair(law.as_ref()) };
            if before.min(earlier) <= 0.0 && !may_overlap {
                continue;
            }
            let pair = Pair { step, gap: before, ..scene.pair(law.as_ref()) };
            let mut memory = match may_overlap {
                true => scene.memory(law.as_ref()),
                // Rigid spheres are as far apart as their film is thick.
                false => start.memory_from(earlier, &first, law.as_ref()),
            };
            if law.has_films() && memory.iter().all(|m| *m == 0.0) {
                continue;
            }
            let stored = law.stored_energy(scene.radii, before, &memory);
            let power = law.respond(&pair, &memory, &rates).force(&rates).power(&rates);
            law.advance_memory(&pair, &mut memory, &rates);
            let gained = (law.stored_energy(scene.radii, scene.gap, &memory) - stored) / step;
            let slack = 1e-9 * (power.abs() + gained.abs() + stored / step);
            prop_assert!(power - gained >= -slack, "{name}: {power} in, {gained} stored");
        }
    }

    #[test]
    fn a_turned_frame_turns_the_forces(scene in scene(), axis in vector(3.0)) {
        let turn = Rotation3::new(axis);
        for Sample { name, law, .. } in scene.laws() {
            let here = scene.mirrored(law.as_ref());
            let there = scene.turned(&turn).mirrored(law.as_ref());
            let scale = 1.0 + here.force.norm() + here.torques[0].norm() + here.torques[1].norm();
            prop_assert!((turn * here.force - there.force).norm() < 1e-9 * scale, "{name}");
            for side in 0..2 {
                let same = turn * here.torques[side] - there.torques[side];
                prop_assert!(same.norm() < 1e-9 * scale, "{name}");
            }
        }
    }

    #[test]
    fn names_of_particles_do_not_matter(scene in scene()) {
        // A wall is always the second.
        prop_assume!(scene.radii[1].is_finite());
        for Sample { name, law, .. } in scene.laws() {
            let here = scene.mirrored(law.as_ref());
            let there = scene.relabelled().mirrored(law.as_ref());
            let scale = 1e3 * (1.0 + here.force.norm() + here.torques[0].norm());
            prop_assert!(close(here.force, -there.force, scale), "{name}");
            prop_assert!(close(here.torques[0], there.torques[1], scale), "{name}");
            prop_assert!(close(here.torques[1], there.torques[0], scale), "{name}");
        }
    }

    #[test]
    fn the_slope_of_the_tension_is_its_derivative(scene in scene()) {
        for Sample { law, name, .. } in scene.laws().filter(|law| law.exact_slope) {
            let memory = scene.memory(law.as_ref());
            let (pair, rates) = (scene.pair(law.as_ref()), scene.rates(law.as_ref()));
            let tension = |squeeze: f64| {
                let rates = Rates { squeeze, ..rates };
                law.respond(&pair, &memory, &rates).force(&rates).normal
            };
            let slope = law.respond(&pair, &memory, &rates).resistance.squeeze;
            let d = 1e-5;
            let [below, here, above] = [-d, 0.0, d].map(|e| tension(rates.squeeze + e));
            let (left, right) = ((here - below) / d, (above - here) / d);
            // Where contact begins or the film saturates the slope jumps; between is right then.
            let margin = 1e-3 * (1.0 + left.abs().max(right.abs()));
            let (low, high) = (left.min(right) - margin, left.max(right) + margin);
            prop_assert!(low <= slope && slope <= high, "{name}: {left} {slope} {right}");
        }
    }

    #[test]
    fn beyond_its_range_a_law_is_silent(scene in scene()) {
        for Sample { name, law, smooth_end, .. } in scene.laws() {
            let range = law.range(scene.radii);
            let still = Scene { step: 0.0, ..scene.clone() };
            let beyond = Scene { gap: range + 1e-9, ..still.clone() };
            prop_assert_eq!(beyond.force(law.as_ref()), PairForce::default(), "{}", name);
            if smooth_end {
                let force = Scene { gap: range - 1e-9, ..still }.force(law.as_ref());
                prop_assert!(force.normal.abs() + force.shear.norm() < 1e-3, "{name}: {force:?}");
            }
        }
    }
}
