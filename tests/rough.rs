//! Rough particles in suspensions: two driven spheres against an independent integration, power and
//! energy, many spheres in shear.

mod common;

use std::f64::consts::PI;

use common::{ReferenceRow, bidisperse, case, pressure, reference, simulate, viscosity};
use nalgebra::Vector3;
use zerostokes::case::Case;
use zerostokes::integrate::{Observation, Stepper};
use zerostokes::laws::contact;
use zerostokes::laws::rough::Touch;
use zerostokes::state::Suspension;
use zerostokes::study::suspension;

/// Two touching spheres, pressed together and driven by torques, as in the table of references.
fn driven(row: &ReferenceRow, time: &str) -> Case {
    let number = |name: &str| row.number(name);
    let [a, b] = [number("a1"), number("a2")];
    let distance = a + b + 0.5 * number("roughness") * (a + b);
    // Stiffness is in units of μ times the rate at which the force drags the small sphere by a
    // radius.
    let unit = number("N") / (6.0 * PI);
    let vector = |name: &str| ["x", "y", "z"].map(|d| number(&format!("{name}{d}")));
    case(&format!(
        "[particles]\npositions = [[0, 0, 0], [{distance:?}, 0, 0]]\nradii = [{a:?}, {b:?}]\n\
         [domain]\nboundary = \"open\"\n\
         [rough]\nroughness = {:?}\nfriction = {:?}\nstiffness = {:?}\nasperity_ratio = {:?}\n\
         tangential_ratio = {:?}\ncutoff = {:?}\nending = \"truncated\"\n\
         [drive]\nrate = 0\ntime = {:?}\n\
         [[force]]\nparticles = [0]\nvector = [{n:?}, 0, 0]\ntorque = {:?}\n\
         [[force]]\nparticles = [1]\nvector = [-{n:?}, 0, 0]\ntorque = {:?}\n{time}",
        number("roughness"),
        number("friction"),
        number("k_b") / unit,
        number("k_n") / number("k_b"),
        number("k_t") / number("k_b"),
        4.0 * 2.0 * a * b / (a + b),
        number("t_end"),
        vector("T1"),
        vector("T2"),
        n = number("N"),
    ))
}

/// Runs a case to its end and looks at every step.
fn watch(case: &Case, mut look: impl FnMut(&Stepper, &Suspension, &Observation)) -> Suspension {
    let mut state = suspension::initial(case).unwrap_or_else(|e| panic!("{e}"));
    let mut stepper = suspension::stepper(case, &state);
    let end = suspension::end(case);
    while !end.reached(&state.clock) {
        let seen = stepper.step(&mut state, end).unwrap_or_else(|e| panic!("{e}"));
        look(&stepper, &state, &seen);
    }
    state
}

#[test]
fn driven_pairs_are_where_an_independent_integration_puts_them() {
    let rows = reference("driven_pairs.csv");
    assert_eq!(rows.len(), 12);
    for (k, row) in rows.iter().enumerate() {
        let mut last = None;
        let case = driven(row, "[time]\ntolerance = 1e-7\n");
        let state = watch(&case, |stepper, _, seen| {
            last = stepper.touches().next().map(|seen| seen.touch);
            assert!(seen.effort.force_residual < 1e-8, "{k}: {}", seen.effort.force_residual);
        });
        let touch: Touch = last.expect("a film");
        let vector = |names: [&str; 3]| Vector3::from(names.map(|name| row.number(name)));
        let apart = state.positions[1] - state.positions[0];
        let wrong = (apart - vector(["X", "Y", "Z"])).norm();
        assert!(wrong < 2e-5, "row {}: separation off by {wrong:e}", k + 1);
        for (id, names) in [["w1x", "w1y", "w1z"], ["w2x", "w2y", "w2z"]].into_iter().enumerate() {
            let wrong = (state.velocities[id].angular - vector(names)).norm();
            assert!(wrong < 2e-5, "row {}: spin {id} off by {wrong:e}", k + 1);
        }
        for (name, found) in [
            ("u", touch.gap),
            ("contact_force", touch.contact),
            ("tangential_force", touch.shear.norm()),
        ] {
            let off = found / row.number(name) - 1.0;
            assert!(off.abs() < 1e-4, "row {}: {name} {found} is off by {off:e}", k + 1);
        }
    }
}

#[test]
fn what_pairs_take_up_they_store_or_dissipate() {
    // Equal spheres with equal torques do not roll: film, asperities and springs take all. Without
    // friction, and with so little that they slip all the time.
    let rows = reference("driven_pairs.csv");
    for row in rows.iter().take(2) {
        let (mut taken, mut spent, mut earlier) = (0.0, 0.0, None);
        let mut stored = [None, None];
        let case = driven(row, "[time]\ntolerance = 1e-8\n");
        watch(&case, |stepper, _, seen| {
            let touch = stepper.touches().next().expect("a film").touch;
            let pairs: f64 = seen.power.pairs.iter().sum();
            assert!(seen.power_mismatch() < 1e-6, "{}", seen.power_mismatch());
            // The film: (N + N_c) u̇ with ζu̇/u = N + N_c; sliding: T·s with νs = |T| − μN_c.
            let u = touch.gap;
            let film = (touch.tension + touch.contact).powi(2) * u / (1.5 * PI);
            let nu = 0.5 * PI * ((2.0 + u) * ((2.0 + u) / u).ln() - 2.0);
            let shear = touch.shear.norm();
            let slip = (shear - row.number("friction") * touch.contact).max(0.0) / nu;
            let now = film + shear * slip;
            // The first steps, in which the load comes on at once, are not resolved by their ends.
            if let Some(before) = earlier.filter(|_| seen.time > 0.02) {
                taken += pairs * seen.step;
                spent += 0.5 * (before + now) * seen.step;
            } else {
                stored[0] = Some(seen.energy.stored);
            }
            stored[1] = Some(seen.energy.stored);
            earlier = Some(now);
        });
        let gained = stored[1].unwrap() - stored[0].unwrap();
        let off = (taken - spent - gained) / taken;
        assert!(off.abs() < 5e-4, "{taken} taken, {spent} spent, {gained} stored");
        assert!(spent > 0.1 * taken, "{spent} of {taken}");
    }
}

#[test]
fn pressed_and_let_go_a_pair_gives_back_what_it_stored() {
    // Pressed by opposite forces until all is at rest: springs in series hold F²/2k each.
    let (force, stiffness) = (10.0, 1e3);
    let unit = force / (6.0 * PI);
    let text = |force: f64, start: f64, roughness: f64| {
        format!(
            "[particles]\npositions = [[0, 0, 0], [{start:?}, 0, 0]]\nradii = [1, 1]\n\
             [domain]\nboundary = \"open\"\n[rough]\nroughness = {roughness:?}\nstiffness = {:?}\n\
             asperity_ratio = 0.5\n[drive]\nrate = 0\ntime = 400\n[time]\ntolerance = 1e-7\n\
             [[force]]\nparticles = [0]\nvector = [{force:?}, 0, 0]\n\
             [[force]]\nparticles = [1]\nvector = [-{force:?}, 0, 0]\n",
            stiffness / unit
        )
    };
    let (state, seen) = simulate(&case(&text(force, 2.05, 0.05)));
    let last = seen.last().unwrap();
    let held = force * force / (2.0 * stiffness) + force * force / stiffness;
    assert!((last.energy.stored / held - 1.0).abs() < 1e-6, "{} {held}", last.energy.stored);
    let gap = (state.positions[1] - state.positions[0]).norm() - 2.0;
    let expected = 0.05 - force / stiffness - force / (0.5 * stiffness);
    assert!((gap - expected).abs() < 1e-8, "{gap} {expected}");
    // Work of the forces, all of which drag and pairs have taken.
    let sum = |f: fn(&Observation) -> f64| seen.iter().map(|o| f(o) * o.step).sum::<f64>();
    let (work, drag) = (sum(|o| o.power.input), sum(|o| o.power.drag));
    let pairs = sum(|o| o.power.pairs.iter().sum());
    assert!((work / (force * (0.05 - expected)) - 1.0).abs() < 1e-3, "{work}");
    assert!((work - drag - pairs).abs() < 1e-6 * work, "{work} {drag} {pairs}");
    assert!(pairs > held, "{pairs} {held}");
    // The power of asperities is that of their spring.
    let contact: f64 = seen.iter().map(|o| o.power.pairs[contact::ORIGIN.index()] * o.step).sum();
    assert!(contact > 0.0 && contact < pairs, "{contact} {pairs}");
    assert_eq!((last.contacts.count, last.contacts.overloaded), (1, 0));
}

#[test]
fn pairs_pressed_too_much_are_counted() {
    let text = |force: f64| {
        format!(
            "[particles]\npositions = [[0, 0, 0], [2.02, 0, 0], [9, 9, 0]]\nradii = [1, 1, 1]\n\
             [domain]\nboundary = \"open\"\n[rough]\nroughness = 0.01\nstiffness = {:?}\n\
             [drive]\nrate = 0\ntime = 20\n[[force]]\nparticles = [0]\nvector = [{force:?}, 0, 0]\n\
             [[force]]\nparticles = [1]\nvector = [-{force:?}, 0, 0]\n",
            // k_n = 1000, so that asperities bear 10.
            1000.0 * 6.0 * PI / force
        )
    };
    for (force, overloaded) in [(9.0, 0), (11.0, 1)] {
        let (_, seen) = simulate(&case(&text(force)));
        assert_eq!(seen.last().unwrap().contacts.overloaded, overloaded, "{force}");
        assert_eq!(seen.last().unwrap().contacts.count, 1);
    }
}

#[test]
fn the_scheme_is_of_third_order_until_asperities_touch() {
    let end = |steps: usize| {
        let text = format!(
            "[particles]\npositions = [[0, 0, 0], [-2.5, 0.5, 0.2]]\nradii = [1, 1.4]\n\
             [domain]\nboundary = \"open\"\n[rough]\nroughness = 0\nstiffness = 100\ncutoff = 4\n\
             ending = \"truncated\"\n[drive]\nrate = 1\nstrain = 0.5\n[time]\ntolerance = 0.99\n\
             first_step = {0:?}\nmax_step = {0:?}\nfriction_residual = 1e-13\n",
            0.5 / steps as f64
        );
        let (state, seen) = simulate(&case(&text));
        assert_eq!(seen.len(), steps);
        state.positions[1] - state.positions[0]
    };
    let exact = end(512);
    let errors = [16, 32, 64].map(|n| (end(n) - exact).norm());
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 2.5, "order {order} in {errors:?}");
    }
}

fn suspended(friction: f64, strain: f64) -> Case {
    let law = format!("[rough]\nroughness = 1e-2\nstiffness = 1e4\nfriction = {friction:?}\n");
    bidisperse(60, 0.45, &format!("{law}[drive]\nstrain = {strain:?}\n"))
}

/// Mean of a quantity between two strains.
fn between(seen: &[Observation], from: f64, to: f64, of: fn(&Observation) -> f64) -> f64 {
    let picked = || seen.iter().filter(|o| o.strain > from && o.strain <= to);
    picked().map(|o| of(o) * o.step).sum::<f64>() / picked().map(|o| o.step).sum::<f64>()
}

#[test]
fn a_rough_suspension_balances_forces_and_power() {
    // Friction converges from secants, to a tenth of the tolerance.
    for (friction, residual) in [(0.0, 1e-6), (0.5, 2e-4)] {
        let (state, seen) = simulate(&suspended(friction, 0.2));
        for o in &seen {
            assert!(o.effort.force_residual <= residual, "{friction}: {}", o.effort.force_residual);
            assert!(o.power_mismatch() < 1e-4, "{friction}: {}", o.power_mismatch());
            assert!(o.gaps.thinnest_film > 0.0 && o.energy.stored > 0.0);
            assert!(
                o.contacts.sliding <= o.contacts.frictional
                    && o.contacts.frictional <= o.contacts.count
            );
        }
        assert!(state.positions.iter().all(|x| x.iter().all(|x| x.is_finite())));
        let last = seen.last().unwrap();
        assert!(last.contacts.count > 2, "{}", last.contacts.count);
        assert_eq!(last.contacts.frictional > 0, friction > 0.0);
    }
}

#[test]
fn rough_suspensions_are_as_viscous_as_frictional_ones_with_hard_contacts() {
    // From the same packing, over the same strain; films down to the asperities do what hard
    // spheres' lubrication with a smallest gap does, where both begin smoothly at their range.
    let of = |case: &Case| {
        let (_, seen) = simulate(case);
        (between(&seen, 0.6, 1.0, viscosity), between(&seen, 0.6, 1.0, pressure))
    };
    let hard = |friction: f64| {
        let rest = format!(
            "[contact]\nfriction = {friction:?}\n[drive]\nstrain = 1\n\
             [lubrication]\nhydrodynamics = \"lubrication\"\ncutoff = \"smooth\"\n"
        );
        of(&bidisperse(60, 0.45, &rest))
    };
    let (low, high) = (hard(0.0), hard(1.0));
    let (smooth, rubbing) = (of(&suspended(0.0, 1.0)), of(&suspended(0.5, 1.0)));
    let all = format!("{low:?} {smooth:?} {rubbing:?} {high:?}");
    assert!((smooth.0 / low.0 - 1.0).abs() < 0.1, "{all}");
    assert!(rubbing.0 > 1.15 * smooth.0 && rubbing.0 < 1.05 * high.0, "{all}");
    assert!(rubbing.1 > smooth.1 && smooth.1 > 0.5 * low.1 && rubbing.1 < 1.5 * high.1, "{all}");
}

#[test]
fn a_suspension_does_not_depend_on_the_solver() {
    // Conjugate gradients have symmetric slopes, direct solutions exact ones.
    let end = |method: &str| {
        let rest = format!(
            "[rough]\nroughness = 1e-2\nstiffness = 1e4\nfriction = 0.5\ncutoff = 0.2\n\
             [drive]\nstrain = 0.02\n[time]\naim = \"trajectory\"\ntolerance = 1e-4\n\
             [solver]\nmethod = \"{method}\"\n"
        );
        simulate(&bidisperse(40, 0.4, &rest)).0.positions
    };
    let (few, many) = (end("auto"), end("cg"));
    let worst = few.iter().zip(&many).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn remote_forces_act_across_rough_films() {
    let text = "[particles]\npositions = [[0, 0, 0], [2.05, 0, 0]]\nradii = [1, 1]\n\
        [domain]\nboundary = \"open\"\n[rough]\nroughness = 1e-3\nstiffness = 1e4\n\
        [repulsion]\nforce = 10\ndebye_length = 0.02\n\
        [attraction]\nhamaker = 0.5\nregularisation = 0.1\nrange = 0.4\n[drive]\nrate = 0\ntime = 3000\n";
    let (state, _) = simulate(&case(text));
    let gap = (state.positions[1] - state.positions[0]).norm() - 2.0;
    let repulsion = 10.0 * ((-gap / 0.02f64).exp() - (-10f64).exp());
    let attraction = 0.5 / 12.0 * (1.0 / (gap * gap + 0.01) - 1.0 / (0.16 + 0.01));
    assert!((repulsion / attraction - 1.0).abs() < 1e-3, "{gap}: {repulsion} {attraction}");
}

#[test]
fn under_imposed_stress_rough_particles_flow_at_the_rate_that_gives_it() {
    let (_, at_rate) = simulate(&suspended(0.0, 0.2));
    let eta = between(&at_rate, 0.05, 0.2, viscosity);
    let text = format!(
        "[rough]\nroughness = 1e-2\nstiffness = {:?}\n[drive]\nstress = {eta:?}\nstrain = 0.2\n",
        1e4 / eta
    );
    let (_, seen) = simulate(&bidisperse(60, 0.45, &text));
    for o in seen.iter().skip(1) {
        let stress = zerostokes::stress::shear(&o.stress.total());
        assert!((stress / eta - 1.0).abs() < 1e-5, "{stress} {eta}");
    }
    let rate = seen.last().unwrap().strain / seen.last().unwrap().time;
    assert!((rate - 1.0).abs() < 0.3, "{rate}");
}
