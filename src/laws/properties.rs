//! One suite of properties for every law, between two spheres and at a flat wall. A new law joins by being
//! listed in [`every_law`], films between rough spheres in [`rough_laws`].

use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;

use super::attraction::Attraction;
use super::contact::{Contact, Springs};
use super::lubrication::{Cutoff, Film, Lubrication};
use super::repulsion::Repulsion;
use super::rough::{self, Rolling, Rough};
use super::soft::Soft;
use super::{Pair, PairForce, PairLaw, Rates};
use crate::balance::{Mirrored, mean_spin, mirror, rates};
use crate::state::Velocity;

/// Every law, with the gap beyond which it must be silent, and whether it gets there smoothly.
fn every_law() -> Vec<(&'static str, Box<dyn PairLaw>, bool)> {
    let lubrication = Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-3,
        outer_gap: 0.3,
        cutoff: Cutoff::Smooth,
        film: Film::Leading,
    };
    let contact = Contact {
        stiffness: 1e5,
        tangential_ratio: 2.0 / 7.0,
        friction: 0.7,
        critical_load: 20.0,
        damping: 0.0,
        springs: Springs::AtEnd,
    };
    let repulsion = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
    let attraction = Attraction { hamaker: 5.0, regularisation: 0.1, range: 0.5 };
    let soft = Soft {
        viscosity: 1.0,
        modulus: 300.0,
        elastic_factors: [1.0, 0.7],
        range: 0.5,
        rolling: false,
        repulsion: None,
        attraction: None,
    };
    vec![
        ("lubrication", Box::new(lubrication), true),
        (
            "truncated lubrication",
            Box::new(Lubrication { cutoff: Cutoff::Truncated, ..lubrication }),
            false,
        ),
        (
            "two-body lubrication",
            Box::new(Lubrication { film: Film::TwoBody, ..lubrication }),
            true,
        ),
        ("contact", Box::new(contact), true),
        ("mean contact", Box::new(Contact { springs: Springs::Mean, ..contact }), true),
        ("damped contact", Box::new(Contact { damping: 3.0, ..contact }), false),
        ("repulsion", Box::new(repulsion), true),
        ("attraction", Box::new(attraction), true),
        // A thousandth of the film's friction is left at its range.
        ("soft", Box::new(soft), false),
        ("rolling soft", Box::new(Soft { rolling: true, ..soft }), false),
    ]
}

/// Films between rough spheres: what is left of their friction at the range is a thousandth, or all
/// of it where they are truncated.
fn rough_laws() -> Vec<(&'static str, Box<dyn PairLaw>, bool)> {
    let film = |rolling| rough::Film::Printed { sliding: true, rolling };
    let rough = Rough {
        viscosity: 1.0,
        stiffness: 1e4,
        asperity_stiffness: 1e4,
        tangential_stiffness: 3e3,
        roughness: 5e-3,
        friction: 0.0,
        range: 0.5,
        cutoff: Cutoff::Smooth,
        film: film(Rolling::None),
        repulsion: None,
        attraction: None,
    };
    let frictional = Rough { friction: 0.4, ..rough };
    let rigid = Rough { stiffness: f64::INFINITY, ..rough };
    let remote = Rough {
        repulsion: Some(Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 }),
        attraction: Some(Attraction { hamaker: 0.5, regularisation: 0.1, range: 0.4 }),
        ..frictional
    };
    [
        ("frictionless rough", rough),
        ("frictional rough", frictional),
        ("truncated rough", Rough { cutoff: Cutoff::Truncated, ..frictional }),
        ("rolling rough", Rough { film: film(Rolling::Derived), ..frictional }),
        ("rolling as printed rough", Rough { film: film(Rolling::Printed), ..frictional }),
        ("two-body rough", Rough { film: rough::Film::TwoBody, ..frictional }),
        ("remote rough", remote),
        ("rigid frictional rough", Rough { friction: 0.4, ..rigid }),
        ("rigid rough", Rough { tangential_stiffness: f64::INFINITY, ..rigid }),
    ]
    .map(|(name, law)| (name, Box::new(law) as Box<dyn PairLaw>, false))
    .into_iter()
    .collect()
}

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
    // Without a radius the second is a wall.
    let ratio = prop::sample::select(vec![1.0, 1.4, 5.0, 0.2, 0.0, 0.0]);
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
    /// Every law that has an answer: rigid spheres cannot overlap.
    fn laws(&self) -> Vec<(&'static str, Box<dyn PairLaw>, bool)> {
        let possible = |name: &str| self.gap > 0.0 || !name.starts_with("rigid");
        every_law().into_iter().chain(rough_laws()).filter(|law| possible(law.0)).collect()
    }

    fn pair(&self) -> Pair {
        let distance = self.radii[0] + self.radii[1] + self.gap;
        Pair { radii: self.radii, normal: self.normal, distance, gap: self.gap, step: self.step }
    }

    fn rates(&self) -> Rates {
        let [i, j] = &self.velocities;
        let levers = self.pair().levers();
        Rates { spin: mean_spin(levers, i, j), ..rates(&self.normal, levers, i, j) }
    }

    /// What the law remembers after one step of this scene from nothing.
    fn memory(&self, law: &dyn PairLaw) -> Vec<f64> {
        let mut memory = vec![0.0; law.memory_len()];
        // Films are there before spheres are pressed together.
        let apart = self.radii[0] + self.radii[1] + self.gap.max(1e-3);
        law.init_memory(self.radii, &(apart * self.normal), &mut memory);
        law.advance_memory(&Pair { step: 1e-3, ..self.pair() }, &mut memory, &self.rates());
        memory
    }

    fn force(&self, law: &dyn PairLaw) -> PairForce {
        let rates = self.rates();
        law.respond(&self.pair(), &self.memory(law), &rates).force(&rates)
    }

    fn mirrored(&self, law: &dyn PairLaw) -> Mirrored {
        mirror(&self.normal, self.pair().levers(), &self.force(law))
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
        for (name, law, _) in scene.laws() {
            let m = scene.mirrored(law.as_ref());
            let arm = scene.pair().distance * scene.normal;
            let left = m.torques[0] + m.torques[1] - arm.cross(&m.force);
            let size = 1.0 + arm.norm() * m.force.norm() + m.torques[0].norm();
            prop_assert!(left.norm() <= 1e-12 * size, "{name}");
        }
    }

    #[test]
    fn a_rigid_motion_is_no_motion(scene in scene(), drift in vector(3.0), spin in vector(3.0)) {
        let pair = scene.pair();
        let still = Velocity { linear: drift, angular: spin };
        let carried = Velocity {
            linear: drift + spin.cross(&(pair.distance * pair.normal)),
            angular: spin,
        };
        let rigid = rates(&pair.normal, pair.levers(), &still, &carried);
        for (name, law, _) in scene.laws() {
            let memory = vec![0.0; law.memory_len()];
            let response = law.respond(&pair, &memory, &rigid);
            let felt = response.force(&rigid);
            let rest = response.force(&Rates::default());
            let r = response.resistance;
            let speed = drift.norm() + spin.norm() * pair.distance;
            let largest = r.squeeze.max(r.slide).max(r.roll).max(r.twist) * speed;
            let change = (felt.normal - rest.normal).abs()
                + (felt.shear - rest.shear).norm()
                + (felt.rolling - rest.rolling).norm();
            prop_assert!(change <= 1e-12 * largest, "{name}: {change:e} of {largest:e}");
        }
    }

    #[test]
    fn resistances_are_positive_semidefinite(scene in scene()) {
        for (name, law, _) in scene.laws() {
            let r = law.respond(&scene.pair(), &scene.memory(law.as_ref()), &scene.rates()).resistance;
            prop_assert!(r.squeeze >= 0.0 && r.slide >= 0.0 && r.roll >= 0.0 && r.twist >= 0.0);
            let slack = 1e-12 * r.slide * r.roll;
            prop_assert!(r.slide_roll * r.slide_roll <= r.slide * r.roll + slack, "{name}");
        }
    }

    #[test]
    fn lubrication_dissipates(scene in scene()) {
        for (name, law, _) in scene.laws().into_iter().filter(|l| l.0.contains("lubrication")) {
            let power = scene.force(law.as_ref()).power(&scene.rates());
            prop_assert!(power >= 0.0, "{name}: {power}");
        }
    }

    #[test]
    fn every_force_is_a_number(scene in scene()) {
        for (name, law, _) in scene.laws() {
            let force = scene.force(law.as_ref());
            let numbers = [force.normal, force.shear.norm(), force.rolling.norm(), force.twisting];
            prop_assert!(numbers.iter().all(|f| f.is_finite()), "{name}: {force:?}");
        }
    }

    #[test]
    fn rough_contacts_dissipate_what_they_do_not_store(scene in scene()) {
        // A step that ends in this scene, from where the rates say that it began.
        let step = 1e-3;
        for (name, law, _) in scene.laws().into_iter().filter(|l| l.0.ends_with("rough")) {
            if name.starts_with("remote") {
                continue;
            }
            let pair = Pair { step, ..scene.pair() };
            let mut memory = scene.memory(law.as_ref());
            if memory.iter().all(|m| *m == 0.0) {
                continue;
            }
            let rates = scene.rates();
            let before = scene.gap - step * rates.squeeze;
            if name.starts_with("rigid") {
                prop_assume!(before > 0.0);
                memory[0] = before.ln();
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
        for (name, law, _) in scene.laws() {
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
        prop_assume!(!scene.pair().meets_wall());
        for (name, law, _) in scene.laws() {
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
        // Attraction leaves its negative stiffness out on purpose. The slope of soft and rough films
        // is that of a force that changes because the centres move, which is tested with the laws.
        let films = |name: &str| name.ends_with("soft") || name.ends_with("rough");
        let other = |name: &str| name == "attraction" || films(name);
        for (name, law, _) in scene.laws().into_iter().filter(|l| !other(l.0)) {
            let memory = scene.memory(law.as_ref());
            let rates = scene.rates();
            let tension = |squeeze: f64| {
                let rates = Rates { squeeze, ..rates };
                law.respond(&scene.pair(), &memory, &rates).force(&rates).normal
            };
            let slope = law.respond(&scene.pair(), &memory, &rates).resistance.squeeze;
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
        for (name, law, smooth) in scene.laws() {
            let range = law.range(scene.radii);
            let still = Scene { step: 0.0, ..scene.clone() };
            let beyond = Scene { gap: range + 1e-9, ..still.clone() };
            prop_assert_eq!(beyond.force(law.as_ref()), PairForce::default(), "{}", name);
            if smooth {
                let force = Scene { gap: range - 1e-9, ..still }.force(law.as_ref());
                prop_assert!(force.normal.abs() + force.shear.norm() < 1e-3, "{name}: {force:?}");
            }
        }
    }
}
