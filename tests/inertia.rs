//! Particles with a mass: closed forms, the order of both schemes, energy, and the limit of no
//! inertia.

mod common;

use common::{bidisperse, case, simulate};
use nalgebra::Vector3;
use zerostokes::case::Case;
use zerostokes::state::Suspension;
use zerostokes::study::settle::{self, SettleProgress, SettleStudy};
use zerostokes::study::t1::T1Study;
use zerostokes::study::{self, Step, Study};

/// A sphere of unit radius pulled across a shear flow and turned, in steps of a fixed length.
fn pulled_case(scheme: &str, step: f64) -> Case {
    let strain = 0.5 * step;
    let explicit = format!("[inertia]\ndensity = 2.25\nscheme = \"verlet\"\nstep = {strain}\n");
    let implicit = "[inertia]\ndensity = 2.25\n".to_owned();
    let inertia = if scheme == "verlet" { explicit } else { implicit };
    // A tolerance at which every step is good enough, so that all have the length that is asked
    // for.
    case(&format!(
        "[particles]\npositions = [[0.0, 0.0, 0.0]]\nradii = [1.0]\n[domain]\nboundary = \"open\"\n\
         [contact]\nenabled = false\n[drive]\nrate = 0.5\ntime = 1.0\n\
         [[force]]\nparticles = [0]\nvector = [0.0, 3.0, 0.0]\n\
         torque = [0.0, 4.0, 0.0]\n[time]\ntolerance = 0.9\nfirst_step = {strain}\n\
         max_step = {strain}\n{inertia}"
    ))
}

/// That sphere after a time of 1, and how long before its end the motion is found.
fn pulled(scheme: &str, step: f64) -> (Suspension, f64) {
    let (state, seen) = simulate(&pulled_case(scheme, step));
    assert_eq!(seen.len(), (1.0 / step).round() as usize, "{scheme}");
    // The motion that is remembered belongs to the middle of the last implicit step.
    (state, if scheme == "verlet" { 0.0 } else { 0.5 * step })
}

/// Where that sphere is at a time in the laboratory, where no terms of the moving frame are needed,
/// by Runge and Kutta's rule in very small steps.
fn in_the_laboratory(until: f64) -> [f64; 4] {
    let pi = std::f64::consts::PI;
    let (mass, drag, rate) = (2.25 * 4.0 / 3.0 * pi, 6.0 * pi, 0.5);
    let slope = |s: [f64; 4]| {
        let [_, y, u, v] = s;
        [u, v, drag * (rate * y - u) / mass, (3.0 - drag * v) / mass]
    };
    let steps = 20_000;
    let h = until / steps as f64;
    let add = |s: [f64; 4], d: [f64; 4], h: f64| std::array::from_fn(|k| s[k] + h * d[k]);
    (0..steps).fold([0.0; 4], |s, _| {
        let a = slope(s);
        let b = slope(add(s, a, 0.5 * h));
        let c = slope(add(s, b, 0.5 * h));
        let d = slope(add(s, c, h));
        std::array::from_fn(|k| s[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]))
    })
}

#[test]
fn a_pulled_sphere_moves_as_in_the_laboratory_to_second_order() {
    let pi = std::f64::consts::PI;
    for scheme in ["implicit", "verlet"] {
        let errors = [0.0625, 0.03125, 0.015625].map(|step| {
            let (state, back) = pulled(scheme, step);
            let [x, y, ..] = in_the_laboratory(1.0);
            let placed = (state.positions[0] - Vector3::new(x, y, 0.0)).norm();
            // The spin relaxes at the rate 8πμa³/I.
            let decay = 8.0 * pi / (0.4 * 2.25 * 4.0 / 3.0 * pi);
            let spin = 4.0 / (8.0 * pi) * (1.0 - (-decay * (1.0 - back)).exp());
            [placed, (state.velocities[0].angular.y - spin).abs()]
        });
        for k in 0..2 {
            for pair in errors.windows(2) {
                let order = (pair[0][k] / pair[1][k]).log2();
                assert!((1.7..2.6).contains(&order), "{scheme}: {order} {errors:?}");
            }
        }
        assert!(errors[2][0] < 1e-4, "{scheme}: {errors:?}");
    }
}

/// A small suspension for a short time.
fn short(count: usize, strain: f64, rest: &str) -> Case {
    let drive =
        format!("[drive]\nstrain = {strain}\n[contact]\nfriction = 0.5\nstiffness = 2e4\n{rest}");
    bidisperse(count, 0.45, &drive)
}

/// Root-mean-square distance of the particles of two states of the same suspension.
fn apart(a: &Suspension, b: &Suspension) -> f64 {
    let images = a.cell.images(&a.clock);
    let square = |(x, y): (&Vector3<f64>, &Vector3<f64>)| images.separation(x, y).norm_squared();
    let sum: f64 = a.positions.iter().zip(&b.positions).map(square).sum();
    (sum / a.len() as f64).sqrt()
}

#[test]
fn both_schemes_move_a_suspension_alike() {
    let fine = "[time]\naim = \"trajectory\"\ntolerance = 1e-4\n";
    let (implicit, _) = simulate(&short(40, 0.05, &format!("{fine}[inertia]\nstokes = 0.1\n")));
    let explicit = "[inertia]\nstokes = 0.1\nscheme = \"verlet\"\n";
    let (explicit, seen) = simulate(&short(40, 0.05, explicit));
    let (without, _) = simulate(&short(40, 0.05, fine));
    let (off, inertia) = (apart(&implicit, &explicit), apart(&without, &explicit));
    assert!(seen.len() > 500, "{}", seen.len());
    assert!(off < 2e-5 && off < 0.03 * inertia, "{off:e} of {inertia:e}");
}

#[test]
fn energy_goes_where_it_is_said_to_go() {
    // What is counted as the power of inertia is the change of the kinetic energy, to the order of
    // the scheme.
    let missing = |safety: f64| {
        let rest = format!("[inertia]\nstokes = 1.0\nscheme = \"verlet\"\nsafety = {safety}\n");
        let (_, seen) = simulate(&short(30, 0.02, &rest));
        let worst = seen.iter().map(|o| o.power_mismatch()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{worst:e}");
        let between = seen.windows(2);
        let gained: f64 =
            between.map(|o| 0.5 * (o[0].power.inertia + o[1].power.inertia) * o[1].step).sum();
        let last = seen.last().unwrap();
        assert!(last.energy.kinetic > 0.0);
        (gained - (last.energy.kinetic - seen[0].energy.kinetic)).abs() / last.energy.kinetic
    };
    let (coarse, fine) = (missing(0.4), missing(0.1));
    assert!(coarse < 1e-2 && fine < 0.15 * coarse, "{fine:e} {coarse:e}");
    for stokes in [0.1, 1.0] {
        let rest = format!("[time]\naim = \"trajectory\"\n[inertia]\nstokes = {stokes}\n");
        let (_, seen) = simulate(&short(30, 0.2, &rest));
        let worst = seen.iter().map(|o| o.power_mismatch()).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{worst:e}");
    }
}

/// Differences to the quasi-static result at two Stokes numbers, and the order that they show.
fn order(measure: impl Fn(f64) -> f64) -> (f64, [f64; 2]) {
    let still = measure(0.0);
    let off = [1e-2, 3e-3].map(|stokes| (measure(stokes) - still).abs());
    ((off[0] / off[1]).ln() / (1e-2f64 / 3e-3).ln(), off)
}

/// Runs a study of a few spheres until it is over; `seen` hears of every step.
fn watch(case: &Case, study: &mut dyn Study, mut seen: impl FnMut(Step)) {
    let mut state = study.initial(case).unwrap();
    let mut stepper = study.stepper(case, &state);
    let (end, mut over) = (study.end(case), false);
    while !end.reached(&state.clock) && !over {
        let step = study.step(&mut stepper, &mut state, end);
        let step = step.unwrap_or_else(|e| panic!("{}: {e}", case.to_toml()));
        over = step.over;
        seen(step);
    }
}

#[test]
fn two_spheres_approach_the_limit_of_no_inertia() {
    let two = |stokes: f64| {
        case(&format!(
            "[particles]\npositions = [[-1.3, 0.0, 0.0], [1.3, 0.2, 0.0]]\nradii = [1.0, 1.4]\n\
             [domain]\nboundary = \"open\"\n[drive]\nrate = 0.5\ntime = 2.0\n\
             [[force]]\nparticles = [0]\nvector = [10.0, 0.0, 0.0]\n[[force]]\nparticles = [1]\n\
             vector = [-10.0, 0.0, 0.0]\n[time]\ntolerance = 1e-5\n[inertia]\nstokes = {stokes}\n"
        ))
    };
    let gap = |stokes: f64| {
        let (state, _) = simulate(&two(stokes));
        (state.positions[1] - state.positions[0]).norm() - 2.4
    };
    let (found, off) = order(gap);
    assert!(found >= 0.9 && off[1] > 1e-7, "{found} {off:?}");
}

#[test]
fn a_suspension_approaches_the_limit_of_no_inertia() {
    let fine = "[time]\naim = \"trajectory\"\ntolerance = 1e-3\n";
    let of = |stokes: f64| {
        let (state, seen) =
            simulate(&short(100, 0.1, &format!("{fine}[inertia]\nstokes = {stokes}\n")));
        let viscosity: f64 = seen.iter().map(|o| common::viscosity(o) * o.step).sum();
        (state, viscosity / 0.1)
    };
    let (still, viscosity) = of(0.0);
    let found = [1e-2, 3e-3].map(|stokes| {
        let (state, other) = of(stokes);
        [apart(&still, &state), (other - viscosity).abs()]
    });
    for k in 0..2 {
        let order = (found[0][k] / found[1][k]).ln() / (1e-2f64 / 3e-3).ln();
        assert!(order >= 0.9, "{order} {found:?}");
    }
}

#[test]
fn a_rearrangement_approaches_the_limit_of_no_inertia() {
    let duration = |stokes: f64| {
        let case = case(&format!("study = \"t1\"\n[inertia]\nstokes = {stokes}\n"));
        let mut study = T1Study::new(&case);
        watch(&case, &mut study, |_| {});
        study.progress.completed.expect("a rearrangement")
    };
    let (found, off) = order(duration);
    assert!(found >= 0.9 && off[0] < 1e-2, "{found} {off:?}");
}

/// A number of a row of a falling sphere.
fn value(row: &[f64], name: &str) -> f64 {
    row[settle::COLUMNS.iter().position(|c| c.name == name).expect("a column")]
}

/// A falling sphere: its rows, and how it responded.
fn falling(keys: &str, inertia: &str) -> (Vec<Vec<f64>>, SettleProgress) {
    let case = case(&format!("study = \"settle\"\n[settle]\n{keys}\n[inertia]\n{inertia}\n"));
    let (mut rows, mut study) = (Vec::new(), SettleStudy::new(&case));
    watch(&case, &mut study, |step| rows.extend(step.row));
    (rows, study.progress)
}

#[test]
fn a_falling_sphere_of_little_inertia_settles_as_without() {
    // The time, and ln u.
    let log =
        |row: &Vec<f64>| [value(row, "time"), value(row, "log10_gap") * std::f64::consts::LN_10];
    let (rows, _) = falling("roughness = 0.0\nend_gap = 1e-8", "stokes = 1e-2");
    let inside: Vec<_> = rows.iter().map(log).filter(|p| p[1] < -1.0).collect();
    let ([from, high], [to, low]) = (inside[0], inside[inside.len() - 1]);
    let rate = (low - high) / (to - from);
    assert!((rate / (-8.0 / 9.0) - 1.0).abs() < 1e-3, "{rate}");
    let (rows, _) = falling("roughness = 1e-3\ncontact_number = 2.0", "stokes = 1e-2");
    let gap = value(&rows[rows.len() - 1], "gap");
    assert!((gap / 5e-4 - 1.0).abs() < 1e-8, "{gap:e}");
    // The film at one time, against the square of the Stokes number: that is what the mass goes
    // with.
    let film = |stokes: f64| {
        let (rows, _) = falling("roughness = 0.0\nmax_time = 1.0", &format!("stokes = {stokes}"));
        log(&rows[rows.len() - 1])[1]
    };
    let still = film(0.0);
    let off = [0.3, 0.1].map(|stokes| film(stokes) - still);
    let order = (off[0] / off[1]).ln() / 3f64.ln();
    assert!((1.8..2.2).contains(&order), "{order} {off:?}");
}

#[test]
fn falling_spheres_are_damped_oscillate_or_bounce() {
    use settle::response::Response;
    let response = |stokes: f64, roughness: f64, number: f64| {
        let keys =
            format!("roughness = {roughness}\ncontact_number = {number}\nuntil = \"response\"");
        falling(&keys, &format!("stokes = {stokes}")).1.response()
    };
    assert_eq!(response(1.0, 1e-3, 100.0), Response::Damped);
    assert_eq!(response(1e4, 1e-2, 1e4), Response::Bouncing);
    assert_eq!(response(1e3, 1e-2, 0.1), Response::Oscillating);
}

#[test]
fn a_sphere_that_rings_on_its_bulk_while_the_film_drains_is_damped() {
    use settle::response::Response;
    for (roughness, number) in [(1e-2, 0.5), (0.1, 0.4), (3e-2, 0.4)] {
        let keys = format!("roughness = {roughness}\ncontact_number = {number}\nend_gap = 1e-4");
        let (rows, fall) = falling(&keys, "stokes = 0.01");
        let column = |name| rows.iter().map(|row| value(row, name)).collect::<Vec<_>>();
        assert!(column("gap").is_sorted_by(|a, b| a > b), "{keys}: the film opens");
        let rising = column("velocity").iter().filter(|v| **v > 0.0).count();
        assert!(rising > 10, "{keys}: it does not ring");
        assert_eq!(fall.response(), Response::Damped, "{keys}");
    }
}

#[test]
fn motions_and_kinetic_energy_are_those_of_the_end_of_a_step() {
    let pi = std::f64::consts::PI;
    let (mass, moment) = (2.25 * 4.0 / 3.0 * pi, 0.4 * 2.25 * 4.0 / 3.0 * pi);
    let spin = 4.0 / (8.0 * pi) * (1.0 - (-8.0 * pi / moment).exp());
    let [_, y, u, v] = in_the_laboratory(1.0);
    let energy = 0.5 * mass * ((u - 0.5 * y).powi(2) + v * v) + 0.5 * moment * spin * spin;
    let errors = [0.0625, 0.03125, 0.015625].map(|step| {
        let case = pulled_case("implicit", step);
        let mut state = study::of(&case).initial(&case).unwrap();
        let mut stepper = study::of(&case).stepper(&case, &state);
        let (end, mut seen) = (study::of(&case).end(&case), None);
        while !end.reached(&state.clock) {
            seen = Some(stepper.step(&mut state, end).unwrap());
        }
        let found = stepper.motion(&state).velocities[0];
        let velocity = found.linear - Vector3::new(u - 0.5 * y, v, 0.0);
        [
            velocity.norm(),
            (found.angular.y - spin).abs(),
            (seen.unwrap().energy.kinetic - energy).abs(),
        ]
    });
    for k in 0..3 {
        for pair in errors.windows(2) {
            let order = (pair[0][k] / pair[1][k]).log2();
            assert!((1.6..2.7).contains(&order), "{k}: {order} {errors:?}");
        }
    }
}

#[test]
fn explicit_steps_that_are_too_long_are_refused() {
    let case = short(30, 0.1, "[inertia]\nstokes = 0.01\nscheme = \"verlet\"\nstep = 1e-2\n");
    let mut state = study::of(&case).initial(&case).unwrap();
    let mut stepper = study::of(&case).stepper(&case, &state);
    let error = stepper.step(&mut state, study::of(&case).end(&case)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("is stable") && text.contains("inertia.step"), "{text}");
    assert_eq!(error.exit_code(), 1);
}
