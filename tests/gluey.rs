//! Gluey contacts (Lefebvre 2009): closed forms, no overlap, memory. Numbers are those of the
//! paper's example and of the quasi-static closed forms that follow from the same impulse balance.

mod common;
#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use common::{case, simulate};
use program::{complaint, scratch, zerostokes};
use zerostokes::integrate::Observation;
use zerostokes::study::suspension;

/// Discs in a turning box, with further lines of TOML.
fn lotto(count: usize, step: f64, time: f64, gluey: &str) -> zerostokes::case::Case {
    case(&format!(
        "[particles]\ncount = {count}\nradius_range = [0.007, 0.015]\nplanar = true\n\
         region = [[-0.24, -0.24, 0], [0.24, 0.24, 0]]\n\
         [domain]\nboundary = \"open\"\n[fluid]\ndrag = false\n[lubrication]\nenabled = false\n\
         [gluey]\ninertia = true\npotential = \"impulse\"\n{gluey}\n\
         [[obstacle]]\nkind = \"box\"\ninside = true\nlengths = [0.5, 0.5]\nspin = [0, 0, 1]\n\
         [drive]\nrate = 0\nforce = [0, -10, 0]\ntime = {time}\n[time]\nstep = {step}\n"
    ))
}

fn assert_met(seen: &[Observation], radius: f64) {
    for o in seen {
        let met = &o.constrained;
        assert!(met.violation < 1e-6 * radius, "overlap {:e} at {}", met.violation, o.time);
        assert!(met.complementarity < 1e-6 * radius, "{:e} at {}", met.complementarity, o.time);
        assert!(met.dual < 1e-8, "{:e} at {}", met.dual, o.time);
        assert!(o.power_mismatch() < 1e-6, "{:e} at {}", o.power_mismatch(), o.time);
    }
}

#[test]
fn nobody_overlaps_at_any_step() {
    // At rest at first, after half a second at 5 a per time: the longest steps are a radius.
    for gluey in ["gamma_min = 0", "gamma_min = -1", ""] {
        for step in [5e-4, 2e-3, 4e-3] {
            let (state, seen) = simulate(&lotto(60, step, 0.5, gluey));
            assert_met(&seen, 0.007);
            for (i, x) in state.positions.iter().enumerate() {
                assert_eq!(x.z, 0.0, "motion stays in the plane");
                for j in 0..i {
                    let apart = (x - state.positions[j]).norm();
                    let overlap = state.radii[i] + state.radii[j] - apart;
                    assert!(overlap < 1e-6 * 0.007, "{overlap:e}");
                }
            }
        }
    }
}

#[test]
fn smooth_particles_stick_where_inelastic_ones_do_not() {
    let glued = |gluey: &str| {
        let (state, seen) = simulate(&lotto(60, 2e-3, 0.6, gluey));
        let count = state.memory.values.chunks(2).filter(|m| m[0] < 0.0).count();
        assert_eq!(count, seen.last().unwrap().constrained.glued);
        count
    };
    assert_eq!(glued("gamma_min = 0"), 0);
    assert!(glued("") > 60);
}

#[test]
fn the_billiard_separates_when_the_centrifugal_force_has_undone_the_impact() {
    // Two spheres glued at a distance d turn at v_t: tension m*v_t²/d undoes the impulse m*v_n
    // after d v_n/v_t².
    let (d, position, velocity) = (0.04f64, [-0.25f64, -0.25], [0.05f64, 0.046]);
    let along = position[0] * velocity[0] + position[1] * velocity[1];
    let speed = velocity[0].hypot(velocity[1]);
    let beyond = position[0].hypot(position[1]).powi(2) - d * d;
    let hit = (-along - (along * along - speed * speed * beyond).sqrt()) / (speed * speed);
    let n = [0, 1].map(|k| (position[k] + hit * velocity[k]) / d);
    let normal = -(velocity[0] * n[0] + velocity[1] * n[1]);
    let across = (speed * speed - normal * normal).sqrt();
    let off = hit + d * normal / (across * across);
    let text = std::fs::read_to_string(program::shipped("gluey_billiard.toml")).unwrap();
    let mut errors = Vec::new();
    for step in [0.01, 0.0025] {
        let (_, seen) = simulate(&case(&text.replace("step = 0.01 ", &format!("step = {step} "))));
        let glued = || seen.iter().filter(|o| o.constrained.glued > 0).map(|o| o.time);
        let (first, last) = (glued().next().unwrap(), glued().next_back().unwrap());
        assert!((first - hit).abs() <= step && last - first > 3.0, "{first} {hit}");
        errors.push((last - off).abs());
        assert_met(&seen, 0.02);
    }
    assert!(errors[0] < 0.1 && errors[1] < 0.3 * errors[0] + 0.0025, "{errors:?}");
}

#[test]
fn nothing_lets_a_particle_through_a_plane() {
    // A thousand times its own drag, steps in which it would go far beyond, in space.
    for step in [0.01, 1.0, 30.0] {
        let (state, seen) = simulate(&case(&format!(
            "[particles]\npositions = [[0, 1.5, 0], [0.3, 3.8, 0.1]]\nradii = [1, 1.2]\n\
             [domain]\nboundary = \"open\"\n[lubrication]\nenabled = false\n[gluey]\n\
             [[obstacle]]\nkind = \"plane\"\nnormal = [0.1, 1, 0]\n\
             [[obstacle]]\nkind = \"box\"\ninside = true\nlengths = [8, 40, 8]\n\
             [drive]\nrate = 0\nforce = [3000, -20000, 500]\ntime = {}\n[time]\nstep = {step}\n",
            20.0 * step
        )));
        assert_met(&seen, 1.0);
        let normal = nalgebra::Vector3::new(0.1, 1.0, 0.0).normalize();
        for (x, a) in state.positions.iter().zip(&state.radii) {
            assert!(normal.dot(x) > a - 1e-6 && x.x.abs() < 4.0 - a + 1e-6 && x.z.abs() < 4.0);
        }
    }
}

#[test]
fn a_pile_comes_to_rest_and_takes_few_factorizations_then() {
    let case = case(
        "[particles]\ncount = 120\nradius_range = [0.7, 1.0]\nregion = [[-12, 0, 0], [12, 22, 0]]\nplanar = true\n\
         [domain]\nboundary = \"open\"\n[lubrication]\nenabled = false\n[gluey]\ngamma_min = 0\n\
         [[obstacle]]\nkind = \"box\"\ninside = true\npoint = [0, 28, 0]\nlengths = [26, 60]\n\
         [drive]\nrate = 0\nforce = [0, -20, 0]\ntime = 150\n",
    );
    let (state, seen) = simulate(&case);
    assert_met(&seen, 0.7);
    let fastest = state.velocities.iter().map(|m| m.linear.norm()).fold(0.0, f64::max);
    let last = &seen[seen.len() - 20..];
    let mean = |of: fn(&Observation) -> usize| last.iter().map(of).sum::<usize>() as f64 / 20.0;
    let (factors, acting) =
        (mean(|o| o.constrained.factorizations), mean(|o| o.constrained.acting));
    assert!(fastest < 1e-3 && acting > 220.0 && factors < 5.0, "{fastest} {acting} {factors}");
}

#[test]
fn nobody_jumps_over_a_stone() {
    // A step takes the particle far beyond the stone and the plate that are in its way.
    let stone = "kind = \"sphere\"\npoint = [4, 0, 0]\nradius = 1\n";
    let plate = "kind = \"plate\"\nedges = [[3.1, -9, 0], [3.1, 9, 0]]\nthickness = 0.2\n";
    for obstacle in [stone, plate] {
        for step in [0.3, 3.0, 30.0] {
            let (state, seen) = simulate(&case(&format!(
                "[particles]\npositions = [[0, 0, 0]]\nradii = [1]\nplanar = true\n\
                 [domain]\nboundary = \"open\"\n[lubrication]\nenabled = false\n[gluey]\n\
                 [[obstacle]]\n{obstacle}[drive]\nrate = 0\nforce = [20, 0, 0]\ntime = 60\n[time]\nstep = {step}\n"
            )));
            assert_met(&seen, 1.0);
            assert!((state.positions[0].x - 2.0).abs() < 1e-7, "{step}: {}", state.positions[0]);
        }
    }
}

#[test]
fn nobody_is_pushed_through_a_stone() {
    // A piston takes a particle along in one step that would end far beyond the stone.
    let (state, seen) = simulate(&case(
        "[particles]\npositions = [[0, 0.3, 0]]\nradii = [1]\nplanar = true\n\
         [domain]\nboundary = \"open\"\n[lubrication]\nenabled = false\n[gluey]\n\
         [[obstacle]]\nkind = \"plane\"\npoint = [-2, 0, 0]\nnormal = [1, 0, 0]\nvelocity = [10, 0, 0]\n\
         [[obstacle]]\nkind = \"sphere\"\npoint = [4, 0, 0]\nradius = 1\n\
         [drive]\nrate = 0\nforce = [0, 0, 0]\ntime = 1\n[time]\nstep = 1\n",
    ));
    assert_met(&seen, 1.0);
    let x = &state.positions[0];
    // Not straight through: it has gone round the stone, where it was moved aside.
    assert!((x.x - 9.0).abs() < 1e-6 && x.y.abs() > 1.9, "{x}");
}

#[test]
fn drums_spheres_and_wheels_hold_particles_apart() {
    let (state, seen) = simulate(&case(
        "[particles]\ncount = 40\nradius_range = [0.1, 0.15]\nregion = [[-1.2, -0.2, 0], [1.2, 1.3, 0]]\nplanar = true\n\
         [domain]\nboundary = \"open\"\n[fluid]\ndrag = false\n[lubrication]\nenabled = false\n[gluey]\ninertia = true\n\
         [[obstacle]]\nkind = \"cylinder\"\nradius = 2\ninside = true\nspin = [0, 0, 1]\n\
         [[obstacle]]\nkind = \"wheel\"\npoint = [0, -1, 0]\nradius = 0.2\npaddles = 5\nreach = 0.6\nthickness = 0.05\nspin = [0, 0, 3]\n\
         [[obstacle]]\nkind = \"sphere\"\npoint = [1.2, -0.9, 0]\nradius = 0.2\n\
         [drive]\nrate = 0\nforce = [0, -10, 0]\ntime = 1.5\n[time]\nstep = 2e-3\n",
    ));
    assert_met(&seen, 0.1);
    assert!(state.positions.iter().zip(&state.radii).all(|(x, a)| x.norm() < 2.0 - a + 1e-7));
    assert!(seen.last().unwrap().constrained.acting > 20);
}

#[test]
fn sheared_spheres_without_springs_have_the_viscosity_of_hard_ones() {
    // Constraints in place of stiff springs, with lubrication and Stokes drag: the same suspension.
    let text = "[particles]\ncount = 60\nvolume_fraction = 0.45\n[drive]\nstrain = 3\n";
    let springs = simulate(&case(text)).1;
    let rigid = simulate(&case(&format!("{text}[gluey]\ngamma_min = 0\n"))).1;
    let [soft, hard] =
        [&springs, &rigid].map(|seen| common::mean(seen, 0.5, common::viscosity).mean);
    assert!((hard / soft - 1.0).abs() < 0.12, "{hard} {soft}");
    assert!(rigid.iter().all(|o| o.constrained.violation < 1e-6 && o.power_mismatch() < 1e-6));
}

#[test]
fn layers_stay_layers() {
    // Monolayers of any law: springs with friction, constraints, films of soft and rough surfaces.
    for law in ["[contact]\nfriction = 0.5\n", "[gluey]\n", "[soft]\nmodulus = 1e4\n", "[rough]\n"]
    {
        let (state, seen) = simulate(&case(&format!(
            "[particles]\ncount = 40\nvolume_fraction = 0.6\nplanar = true\n{law}[drive]\nstrain = 0.3\n"
        )));
        assert!(state.positions.iter().all(|x| x.z == 0.0), "{law}");
        let flat = |m: &zerostokes::state::Velocity| {
            m.linear.z == 0.0 && m.angular.x == 0.0 && m.angular.y == 0.0
        };
        assert!(state.velocities.iter().all(flat), "{law}");
        let covered: f64 = state.radii.iter().map(|a| std::f64::consts::PI * a * a).sum();
        let lengths = state.cell.images(&state.clock).vectors().unwrap();
        assert!((covered / (lengths[0].x * lengths[1].y) - 0.6).abs() < 1e-12);
        assert!(
            seen.iter().all(|o| common::viscosity(o) > 1.0 && o.power_mismatch() < 1e-3),
            "{law}"
        );
    }
}

#[test]
fn gamma_survives_a_restart() {
    let case = lotto(40, 2e-3, 0.4, "");
    let end = suspension::end(&case);
    let mut whole = suspension::initial(&case).unwrap();
    let mut stepper = suspension::stepper(&case, &whole);
    let mut kept = None;
    while !end.reached(&whole.clock) {
        stepper.step(&mut whole, end).unwrap();
        if whole.clock.steps == 120 {
            kept = Some(serde_json::to_string(&whole).unwrap());
        }
    }
    let mut again: zerostokes::state::Suspension = serde_json::from_str(&kept.unwrap()).unwrap();
    assert!(again.memory.values.chunks(2).any(|m| m[0] < 0.0));
    let mut stepper = suspension::stepper(&case, &again);
    while !end.reached(&again.clock) {
        stepper.step(&mut again, end).unwrap();
    }
    assert_eq!(whole, again);
}

#[test]
fn gluey_suspensions_are_sheared_without_films() {
    // Between encounters no force acts at all, which is no failure.
    for (fraction, lubrication) in [
        (0.02, "hydrodynamics = \"lubrication\""),
        (0.1, "enabled = false"),
        (0.4, "enabled = false"),
    ] {
        for gluey in ["", "gamma_min = 0\n", "gamma_min = -1\n"] {
            let (_, seen) = simulate(&case(&format!(
                "[particles]\ncount = 40\nvolume_fraction = {fraction}\n[lubrication]\n\
                 {lubrication}\n[gluey]\n{gluey}[drive]\nstrain = 0.6\n"
            )));
            assert!(seen.iter().all(|o| o.constrained.violation < 1e-6), "{fraction} {gluey}");
            let touched = seen.iter().any(|o| o.constrained.acting > 0);
            assert!(touched || fraction < 0.1, "{fraction} {gluey}");
        }
    }
}

#[test]
fn the_smallest_gap_to_a_wall_is_seen_from_a_radius_on() {
    // Dragged by its weight it falls by 0.9 a from where it begins.
    let (_, seen) = simulate(&case(
        "[particles]\npositions = [[0, 1.95, 0]]\nradii = [1]\n[domain]\nboundary = \"open\"\n\
         [lubrication]\nenabled = false\n[gluey]\n[[obstacle]]\nkind = \"plane\"\n\
         normal = [0, 1, 0]\n[drive]\nrate = 0\nforce = [0, -18.84955592153876, 0]\ntime = 0.9\n\
         [time]\nstep = 0.05\n",
    ));
    for o in &seen {
        assert!((o.gaps.smallest - (0.95 - o.time)).abs() < 1e-9, "{} {}", o.gaps.smallest, o.time);
    }
}

#[test]
fn what_cannot_be_is_said() {
    let here = scratch("gluey-bad");
    let write = |name: &str, obstacles: &str, time: f64| {
        let text = format!(
            "[particles]\npositions = [[0, 0, 0]]\nradii = [1]\n[domain]\nboundary = \"open\"\n\
             [lubrication]\nenabled = false\n[gluey]\n[drive]\nrate = 0\nforce = [0, -1, 0]\ntime = {time}\n{obstacles}"
        );
        std::fs::write(here.join(name), text).unwrap();
    };
    let squeeze = "[[obstacle]]\nkind = \"plane\"\nname = \"piston\"\npoint = [0, 3, 0]\nnormal = [0, -1, 0]\nvelocity = [0, -1, 0]\n\
                   [[obstacle]]\nkind = \"plane\"\nname = \"floor\"\npoint = [0, -1, 0]\nnormal = [0, 1, 0]\n";
    write("squeeze.toml", squeeze, 5.0);
    let done = zerostokes(&here, "run squeeze.toml --quiet");
    assert_eq!(done.status.code(), Some(1));
    let said = complaint(&done);
    assert!(
        said.contains("no motion keeps all particles apart") && said.contains("particle 0"),
        "{said}"
    );
    assert!(said.contains("piston") || said.contains("floor"), "{said}");
    let inside =
        "[[obstacle]]\nkind = \"sphere\"\nname = \"stone\"\npoint = [1.5, 0, 0]\nradius = 1\n";
    write("inside.toml", inside, 1.0);
    let done = zerostokes(&here, "run inside.toml --quiet");
    assert_eq!(done.status.code(), Some(2));
    let said = complaint(&done);
    assert!(said.contains("particle 0 and obstacle \"stone\" overlap by 5.000e-1"), "{said}");
    let open = "[[obstacle]]\nkind = \"box\"\ninside = true\nopen = [\"-y\"]\nlengths = [4, 4]\n";
    write("open.toml", open, 100.0);
    let done = zerostokes(&here, "run open.toml --out left");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    assert!(complaint(&done).contains("1 of 1 particles have left"), "{}", complaint(&done));
    std::fs::remove_dir_all(here).unwrap();
}
