//! Rearrangements of four soft spheres, against independent integrations and the theory
//! (Rognon & Gay 2009).

mod common;

use common::{case, reference};
use zerostokes::case::Case;
use zerostokes::study::Study;
use zerostokes::study::t1::{COLUMNS, T1Progress, T1Study};

/// What a study found, and what it took.
struct Found {
    progress: T1Progress,
    solves: usize,
    worst_residual: f64,
}

fn rearrange(case: &Case) -> Found {
    let mut study = T1Study::new(case);
    let mut state = study.initial(case).unwrap();
    let mut stepper = study.stepper(case, &state);
    let (end, mut over) = (study.end(case), false);
    let (mut solves, mut worst_residual) = (0, 0.0f64);
    while !end.reached(&state.clock) && !over {
        let step = study.step(&mut stepper, &mut state, end);
        let step = step.unwrap_or_else(|e| panic!("{e}"));
        over = step.over;
        solves += step.seen.effort.solves;
        worst_residual = worst_residual.max(step.seen.effort.force_residual);
    }
    Found { progress: study.progress, solves, worst_residual }
}

fn t1(keys: &str) -> Case {
    case(&format!("study = \"t1\"\n[t1]\n{keys}"))
}

fn duration(kappa: f64, gap: f64, rest: &str) -> f64 {
    let found = rearrange(&t1(&format!("kappa = {kappa:?}\ngap = {gap:?}\n{rest}")));
    found.progress.completed.expect("a rearrangement that completes")
}

/// When the horizontal film has opened to a thickness.
fn opening_time(kappa: f64, gap: f64, opened: f64) -> f64 {
    let case = t1(&format!("kappa = {kappa:?}\ngap = {gap:?}\n"));
    let mut study = T1Study::new(&case);
    let mut state = study.initial(&case).unwrap();
    let mut stepper = study.stepper(&case, &state);
    let end = study.end(&case);
    let horizontal = COLUMNS.iter().position(|column| column.name == "gap_horizontal").unwrap();
    let mut before = [0.0, gap.ln()];
    loop {
        let step = study.step(&mut stepper, &mut state, end).unwrap();
        let film = step.row.unwrap()[horizontal];
        let now = [step.seen.time, film.ln()];
        if film > opened {
            let share = (opened.ln() - before[1]) / (now[1] - before[1]);
            return before[0] + share * (now[0] - before[0]);
        }
        before = now;
    }
}

#[test]
fn durations_are_those_of_an_independent_integration() {
    let rows = reference("t1_durations.csv");
    assert_eq!(rows.len(), 34);
    for row in rows {
        let keys = format!(
            "kappa = {:?}\ngap = {:?}\nc_n = {:?}\nc_t = {:?}\n",
            row.number("kappa"),
            row.number("h0_over_R"),
            row.number("c_n"),
            row.number("c_t")
        );
        let found = rearrange(&t1(&keys));
        let ratio = found.progress.completed.unwrap() / row.number("duration_over_tau");
        assert!((ratio - 1.0).abs() < 1e-3, "{keys}: {ratio}");
        assert_eq!(found.progress.hertz, row.text("hertz_visited") == "True", "{keys}");
        assert!(found.worst_residual <= 1e-8, "{keys}: {}", found.worst_residual);
    }
}

#[test]
fn unlike_elastic_factors_horizontal_forces_and_drag_agree_too() {
    for row in reference("t1_more.csv") {
        let keys = format!(
            "kappa = {:?}\ngap = {:?}\nc_n = {:?}\nc_t = {:?}\nforce_x_ratio = {:?}\ndrag = {}\n",
            row.number("kappa"),
            row.number("gap"),
            row.number("c_n"),
            row.number("c_t"),
            row.number("force_x_ratio"),
            row.number("drag") == 1.0
        );
        let found = rearrange(&t1(&keys));
        let ratio = found.progress.completed.unwrap() / row.number("duration");
        assert!((ratio - 1.0).abs() < 2e-3, "{keys}: {ratio}");
        let angle = found.progress.angle_deg - row.number("final_angle_deg");
        assert!(angle.abs() < 0.02, "{keys}: {angle}");
        assert_eq!(found.progress.hertz, row.text("hertz_visited") == "True", "{keys}");
    }
}

#[test]
fn only_the_product_of_modulus_and_factor_counts() {
    let soft = duration(2e-2, 1e-2, "c_n = 2.0\nc_t = 2.0\n");
    let hard = duration(1e-2, 1e-2, "");
    assert!((soft / hard - 1.0).abs() < 1e-6, "{soft} {hard}");
}

#[test]
fn deep_in_the_hertz_regime_durations_go_as_kappa_to_four_thirds_over_the_square_of_the_gap() {
    let slope = |a: f64, b: f64, ratio: f64| (b / a).ln() / ratio.ln();
    let [thin, soft, thick] =
        [(1e-3, 1e-5), (1e-2, 1e-5), (1e-2, 1e-4)].map(|(k, h)| duration(k, h, ""));
    let in_kappa = slope(thin, soft, 10.0);
    assert!((in_kappa - 4.0 / 3.0).abs() < 0.02, "{in_kappa}");
    let in_gap = slope(soft, thick, 10.0);
    assert!((in_gap + 2.0).abs() < 0.01, "{in_gap}");
    // The prefactor is the model's own: (2κ/c)^{4/3}/8, less than a twentieth more for the rest.
    let expected = (2.0 * 1e-3f64).powf(4.0 / 3.0) * 1e10 / 8.0;
    assert!((1.0..1.05).contains(&(thin / expected)), "{}", thin / expected);
}

#[test]
fn in_the_poiseuille_regime_durations_grow_with_the_logarithm_of_the_gap() {
    // The horizontal film opens as exp(t/τ); then the vertical one has to close, the farther the
    // thinner the diagonal ones are: between one and two times ln(1/h₀).
    let gaps = [1e-2, 1e-3];
    let opened = gaps.map(|gap| opening_time(1e-7, gap, 0.1));
    let opening = (opened[1] - opened[0]) / 10f64.ln();
    assert!((opening - 1.0).abs() < 0.03, "{opened:?}");
    let all = gaps.map(|gap| duration(1e-7, gap, ""));
    let whole = (all[1] - all[0]) / 10f64.ln();
    assert!((1.0..2.0).contains(&whole), "{all:?}");
}

#[test]
fn neighbours_swap_where_the_horizontal_pair_is_pulled_apart() {
    let outcome = |keys: &str| {
        let found = rearrange(&t1(&format!("kappa = 1e-2\ngap = 0.05\n{keys}"))).progress;
        (found.occurred(), found.separated.is_some())
    };
    let pull = "load = \"pull\"\n";
    assert_eq!(outcome("force_x_ratio = 0.8\n"), (false, false), "I");
    assert_eq!(outcome("force_x_ratio = 0.65\n"), (false, false), "I");
    assert_eq!(outcome("force_x_ratio = 0.5\n"), (true, false), "II");
    assert_eq!(outcome("force_x_ratio = -0.5\n"), (true, true), "III");
    assert_eq!(outcome(&format!("{pull}force_x_ratio = 2.0\n")), (true, true), "IV");
    assert_eq!(outcome(&format!("{pull}force_x_ratio = 0.3\n")), (false, true), "V");
    assert_eq!(outcome(&format!("{pull}force_x_ratio = -0.5\n")), (false, true), "VI");
}

#[test]
fn horizontal_pressure_leaves_less_for_the_vertical_pair() {
    // B and C end as a wedge: N_v tends to N_y (1 − 0.3 tan 28.97°) = 0.834 N_y.
    let keys = "kappa = 1e-2\ngap = 1e-2\nforce_x_ratio = 0.3\n";
    let found = rearrange(&t1(keys)).progress;
    assert!((found.vertical - 0.99 * (1.0 - 0.3 / 3f64.sqrt())).abs() < 1e-6, "{found:?}");
    let time = found.completed.expect("a duration");
    assert!((20.0..30.0).contains(&time), "{time}");
}

#[test]
fn a_group_left_to_itself_falls_over() {
    // Rounding is enough: κ = 0.1, h₀ = 1e-3 needs 18876 τ, and tilts long before.
    let keys = "kappa = 0.1\ngap = 1e-3\nsymmetric = false\nmax_time = 30000.0\n";
    let found = rearrange(&t1(keys)).progress;
    assert!(found.completed.is_none_or(|time| (time / 18876.0 - 1.0).abs() > 0.01), "{found:?}");
}

#[test]
fn tighter_tolerances_converge_on_the_duration() {
    let exact = 207.368_885_56;
    let error = |tolerance: f64| {
        let case = case(&format!(
            "study = \"t1\"\n[t1]\nkappa = 0.1\ngap = 0.01\n[time]\ntolerance = {tolerance:?}\n"
        ));
        let found = rearrange(&case);
        ((found.progress.completed.unwrap() / exact - 1.0).abs(), found.solves)
    };
    let [coarse, fine, finest] = [1e-3, 1e-5, 1e-7].map(error);
    assert!(coarse.0 < 1e-2 && fine.0 < 1e-4 && finest.0 < 2e-6, "{coarse:?} {fine:?} {finest:?}");
    assert!(finest.1 < 5000, "{} solves", finest.1);
}
