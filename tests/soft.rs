//! Soft particles beyond the T1: two spheres against the laws of the film, five spheres in three
//! dimensions against an independent integration, suspensions.

mod common;

use common::{bidisperse, case, reference, simulate, viscosity};
use nalgebra::Vector3;
use zerostokes::balance::Medium;
use zerostokes::case::Case;
use zerostokes::cell::Cell;
use zerostokes::drive::Drive;
use zerostokes::integrate::Aim;
use zerostokes::integrate::Convergence;
use zerostokes::integrate::{End, Setup, StepSettings, Stepper};
use zerostokes::laws::repulsion::Repulsion;
use zerostokes::laws::soft::Soft;
use zerostokes::laws::{Interactions, Remote};
use zerostokes::solve::{Method, Solver};
use zerostokes::state::{Suspension, Wrench};
use zerostokes::study::Study;
use zerostokes::study::soft_pair::{self, SoftPairStudy};

/// The rows of a study of two spheres.
fn pair_rows(text: &str) -> Vec<Vec<f64>> {
    let case = case(text);
    let mut study = SoftPairStudy::new(&case);
    let mut state = study.initial(&case).unwrap();
    let mut stepper = study.stepper(&case, &state);
    let end = study.end(&case);
    let (mut rows, mut over) = (Vec::new(), false);
    while !end.reached(&state.clock) && !over {
        let step = study.step(&mut stepper, &mut state, end);
        let step = step.unwrap_or_else(|e| panic!("{e}"));
        over = step.over;
        rows.push(step.row.unwrap());
    }
    rows
}

fn column(name: &str) -> usize {
    soft_pair::COLUMNS.iter().position(|c| c.name == name).expect("a column")
}

#[test]
fn two_spheres_are_where_an_independent_integration_puts_them() {
    // R = η = 1, E = 1000, force ±1 after a ramp over t = 1, initial gap 0.05: film thickness at a
    // time, without and with drag (Radau at rtol 1e-13 by a separate program).
    let rows = [
        (false, "pull", 20.0, 0.13201153117903436),
        (false, "pull", 100.0, 9.021800649631562),
        (false, "press", 20.0, 0.021853926358626975),
        (false, "press", 100.0, 0.004748595152347622),
        (true, "pull", 20.0, 0.12718013107247017),
        (true, "pull", 100.0, 2.5702435559584567),
        (true, "press", 20.0, 0.022091292595641493),
        (true, "press", 100.0, 0.004765713118557747),
    ];
    let tau = 6.0 * std::f64::consts::PI;
    for (drag, load, time, expected) in rows {
        let end_gap = if load == "pull" { 1e3 } else { 1e-9 };
        let text = format!(
            "study = \"soft-pair\"\n[soft_pair]\nkappa = 1e-3\ngap = 0.05\nload = \"{load}\"\n\
             drag = {drag}\nramp = {:?}\nend_gap = {end_gap:?}\nmax_time = {:?}\n",
            1.0 / tau,
            time / tau
        );
        let found = pair_rows(&text).last().unwrap()[column("gap")];
        assert!((found / expected - 1.0).abs() < 1e-4, "{load} {drag} {time}: {found} {expected}");
    }
}

#[test]
fn films_open_by_the_laws_of_both_regimes() {
    let text = "study = \"soft-pair\"\n[soft_pair]\nkappa = 1e-2\ngap = 1e-5\nend_gap = 1e3\n";
    let rows = pair_rows(text);
    let loaded = rows.iter().filter(|r| r[0] > 0.1);
    let mut deep = [0, 0];
    for row in loaded {
        let (ratio, rate) = (row[column("ratio")], row[column("rate")]);
        if ratio > 1000.0 {
            deep[0] += 1;
            assert!((rate / row[column("rate_hertz")] - 1.0).abs() < 5e-3, "{row:?}");
        } else if ratio < 1e-3 {
            deep[1] += 1;
            assert!((rate / row[column("rate_poiseuille")] - 1.0).abs() < 5e-3, "{row:?}");
        }
    }
    assert!(deep[0] > 5 && deep[1] > 5, "{deep:?}");
}

#[test]
fn far_apart_spheres_with_drag_move_as_lone_ones() {
    let text = "study = \"soft-pair\"\n[soft_pair]\nkappa = 1e-3\ngap = 0.1\ndrag = true\nend_gap = 500.0\n";
    let rows = pair_rows(text);
    let last = rows.last().unwrap();
    assert!((last[column("rate")] / last[column("rate_with_drag")] - 1.0).abs() < 1e-3);
    assert!((last[column("centre_rate")] / 2.0 - 1.0).abs() < 5e-3, "{last:?}");
}

/// Film thickness after a fixed number of equal steps.
fn in_steps(count: usize) -> f64 {
    let text = format!(
        "study = \"soft-pair\"\n[soft_pair]\nkappa = 1e-3\ngap = 0.05\nload = \"press\"\nramp = 0.5\n\
         end_gap = 1e-9\nmax_time = 1.0\n[time]\ntolerance = 0.99\nfirst_step = {0:?}\nmax_step = {0:?}\n",
        1.0 / count as f64
    );
    let rows = pair_rows(&text);
    assert_eq!(rows.len(), count, "equal steps");
    rows.last().unwrap()[column("gap")]
}

#[test]
fn the_scheme_is_of_third_order() {
    let exact = in_steps(512);
    let errors: Vec<f64> = [16, 32, 64].map(|n| (in_steps(n) - exact).abs()).to_vec();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 2.6, "order {order} in {errors:?}");
    }
}

const RADII: [f64; 5] = [1.0, 1.2, 0.8, 1.4, 1.0];
const POSITIONS: [[f64; 3]; 5] = [
    [0.225510521942, -0.844456576974, 0.673758528141],
    [0.222409716041, 1.40042810519, 0.522156586235],
    [-0.132079775353, -0.089860615866, -0.943372918205],
    [-2.072990982735, -0.179714238141, 0.249602358833],
    [1.757150520106, -0.286396674209, -0.502144555004],
];
const FORCES: [[f64; 3]; 5] = [
    [-25.956, -25.262, -16.997],
    [-5.467, -37.944, 0.25],
    [-25.789, 17.8, 28.088],
    [37.178, 15.067, 1.443],
    [20.034, 30.339, -12.784],
];

/// The five spheres with E = 200, c_n = 1, c_t = 2/3, repulsion 2 R̄ exp(−h/0.02), a torque on the
/// third, loads growing over t = 0.5.
fn cluster(medium: Medium, modulus: f64, tolerance: f64) -> (Suspension, Stepper) {
    let state = Suspension::new(RADII.to_vec(), POSITIONS.map(Vector3::from).to_vec(), Cell::Open);
    let repulsion = Repulsion { force: 1.6, debye_length: 0.02, smallest_radius: 0.8 };
    let soft = Soft {
        viscosity: 1.0,
        modulus,
        elastic_factors: [1.0, 2.0 / 3.0],
        range: f64::INFINITY,
        rolling: false,
        remote: Remote::of(Interactions::of(repulsion)),
    };
    let interactions = Interactions::of(soft);
    let mut external: Vec<Wrench> =
        FORCES.iter().map(|f| Wrench { linear: Vector3::from(*f), ..Wrench::default() }).collect();
    if medium.rotation {
        external[2].angular = Vector3::new(2.133, 1.519, -9.651);
    }
    let drive = Drive { external, ramp: 0.5, ..Drive::default() };
    let settings = StepSettings {
        tolerance,
        aim: Aim::Trajectory,
        first_step: 1e-4,
        max_step: 1.0,
        min_step: 1e-12,
        max_strain: 0.0,
        max_overlap: 1.0,
        max_stiffness: 1.0,
        adapt_stiffness: false,
        convergence: Convergence { law_residual: 1e-9, linear_residual: 1e-12, most: 20 },
    };
    let solver = Solver::new(Method::Auto, 1000);
    let stepper = Stepper::new(&state, Setup::new(interactions, drive, medium, settings, solver));
    (state, stepper)
}

fn run_to(state: &mut Suspension, stepper: &mut Stepper, time: f64) {
    let end = End { strain: f64::INFINITY, time };
    while !end.reached(&state.clock) {
        stepper.step(state, end).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn five_unlike_spheres_that_spin_agree_with_an_independent_integration() {
    let medium = Medium { viscosity: 1.0, drag: true, rotation: true, field: None };
    let (mut state, mut stepper) = cluster(medium, 200.0, 1e-5);
    let rows = reference("soft_cluster.csv");
    for time in [1.0, 5.0] {
        run_to(&mut state, &mut stepper, time);
        let films: Vec<_> = stepper.films().collect();
        for row in rows.iter().filter(|r| r.number("t") == time) {
            let id = row.number("i") as usize - 1;
            let vector = || Vector3::new(row.number("v1"), row.number("v2"), row.number("v3"));
            let wrong = match row.text("kind") {
                "position" => (state.positions[id] - vector()).norm(),
                "spin" => (state.velocities[id].angular - vector()).norm(),
                "film_gap" => {
                    let other = row.number("j") as u32 - 1;
                    let film =
                        films.iter().find(|f| f.ids.slots() == [id, other as usize]).unwrap();
                    (film.film.gap / row.number("v1") - 1.0).abs()
                }
                _ => 0.0,
            };
            // The reference's repulsion has no cut-off, ours ends at ten Debye lengths.
            assert!(wrong < 1e-4, "{} {id} at {time}: {wrong}", row.text("kind"));
        }
    }
}

#[test]
fn without_drag_the_mean_stays_and_films_carry_every_force() {
    let free = Medium { viscosity: 1.0, drag: false, rotation: false, field: None };
    let (mut state, mut stepper) = cluster(free, 2000.0, 1e-5);
    let mean = |s: &Suspension| s.positions.iter().sum::<Vector3<f64>>() / s.len() as f64;
    let start = mean(&state);
    run_to(&mut state, &mut stepper, 1.0);
    assert!((mean(&state) - start).norm() < 1e-12, "{}", mean(&state) - start);
    // The state in which the step ends balances, not only the middle of the step.
    let mut left = FORCES.map(Vector3::from);
    for seen in stepper.films() {
        let [i, j] = seen.ids.slots();
        left[i] += seen.film.force;
        left[j] -= seen.film.force;
    }
    let worst = left.iter().map(|f| f.norm()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

fn soft(count: usize, fraction: f64, rest: &str) -> Case {
    bidisperse(count, fraction, rest)
}

#[test]
fn a_soft_suspension_balances_forces_and_power() {
    let rest = "[soft]\nmodulus = 1e4\n[repulsion]\nforce = 100\ndebye_length = 0.02\n[drive]\nstrain = 0.5\n";
    let (_, seen) = simulate(&soft(80, 0.5, rest));
    for o in &seen {
        assert!(o.effort.force_residual <= 1e-6, "{}", o.effort.force_residual);
        assert!(o.power_mismatch() < 1e-4, "{}", o.power_mismatch());
        assert!(o.gaps.thinnest_film > 0.0);
    }
    let last = viscosity(seen.last().unwrap());
    assert!((8.0..40.0).contains(&last), "{last}");
}

#[test]
fn few_and_many_particles_take_the_same_path() {
    // Up to 40 particles Newton's method has exact slopes; conjugate gradients have symmetric ones.
    let rest = "[soft]\nmodulus = 1e4\nrange = 0.2\n[drive]\nstrain = 0.05\n";
    let end = |method: &str| {
        let time = "[time]\naim = \"trajectory\"\ntolerance = 1e-5\n";
        let text = format!("{rest}{time}[solver]\nmethod = \"{method}\"\n");
        let (state, _) = simulate(&soft(40, 0.3, &text));
        state.positions
    };
    let (few, many) = (end("auto"), end("cg"));
    let worst = few.iter().zip(&many).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn under_imposed_stress_soft_particles_flow_at_the_rate_that_gives_it() {
    let laws = "[soft]\nmodulus = 1e4\n[repulsion]\nforce = 100\ndebye_length = 0.02\n";
    let (_, at_rate) =
        simulate(&soft(60, 0.4, &format!("{laws}[drive]\nrate = 1\nstrain = 0.2\n")));
    let eta = viscosity(at_rate.last().unwrap());
    let stressed = format!("{laws}[drive]\nstress = {eta:?}\nstrain = 0.2\n");
    let (_, seen) = simulate(&soft(60, 0.4, &stressed));
    for o in seen.iter().skip(1) {
        let stress = zerostokes::stress::shear(&o.stress.total());
        assert!((stress / eta - 1.0).abs() < 1e-5, "{stress} {eta}");
    }
}

#[test]
fn two_spheres_settle_where_repulsion_and_attraction_balance() {
    let text = "[particles]\npositions = [[0, 0, 0], [2.05, 0, 0]]\nradii = [1, 1]\n\
        [domain]\nboundary = \"open\"\n[soft]\nmodulus = 1e4\n[repulsion]\nforce = 10\ndebye_length = 0.02\n\
        [attraction]\nhamaker = 0.5\nregularisation = 0.1\nrange = 0.5\n[drive]\nrate = 0\ntime = 3000\n";
    let (state, seen) = simulate(&case(text));
    let gap = (state.positions[1] - state.positions[0]).norm() - 2.0;
    let repulsion = 10.0 * ((-gap / 0.02f64).exp() - (-10f64).exp());
    let attraction = 0.5 / 12.0 * (1.0 / (gap * gap + 0.01) - 1.0 / (0.25 + 0.01));
    assert!((repulsion / attraction - 1.0).abs() < 1e-3, "{gap}: {repulsion} {attraction}");
    assert!(seen.len() < 50_000, "{} steps at rest", seen.len());
}
