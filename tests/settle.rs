//! A sphere that sinks onto a fixed one through its film, against the solution of Chèvremont,
//! Bodiguel & Chareyre 2020, eqs. 34–37.

mod common;

use common::case;
use zerostokes::study::Study;
use zerostokes::study::settle::{self, SettleStudy};

/// Rate of ln u of smooth spheres, in 1/τ_c.
const SMOOTH: f64 = 8.0 / 9.0;

/// The rows of a study, with ln u beside them.
struct Fall {
    rows: Vec<Vec<f64>>,
}

impl Fall {
    fn column(&self, name: &str) -> Vec<f64> {
        let place = settle::COLUMNS.iter().position(|c| c.name == name).expect("a column");
        self.rows.iter().map(|row| row[place]).collect()
    }

    fn times(&self) -> Vec<f64> {
        self.column("time")
    }

    fn logs(&self) -> Vec<f64> {
        self.column("log10_gap").iter().map(|g| g * std::f64::consts::LN_10).collect()
    }

    /// Mean rate of ln u over the last decades.
    fn late_rate(&self, decades: f64) -> f64 {
        let (times, logs) = (self.times(), self.logs());
        let last = logs.len() - 1;
        let from = logs[last] + decades * std::f64::consts::LN_10;
        let first = logs.iter().position(|g| *g < from).unwrap();
        assert!(first < last, "several rows in {decades} decades");
        (logs[last] - logs[first]) / (times[last] - times[first])
    }

    fn final_gap(&self) -> f64 {
        self.logs().last().unwrap().exp()
    }
}

fn fall(keys: &str, rest: &str) -> Fall {
    let case = case(&format!("study = \"settle\"\n[settle]\n{keys}\n{rest}"));
    let mut study = SettleStudy::new(&case);
    let mut state = study.initial(&case).unwrap();
    let mut stepper = study.stepper(&case, &state);
    let end = study.end(&case);
    let (mut rows, mut over) = (Vec::new(), false);
    while !end.reached(&state.clock) && !over {
        let step = study.step(&mut stepper, &mut state, end);
        let step = step.unwrap_or_else(|e| panic!("{keys}: {e}"));
        let residual = step.seen.effort.force_residual;
        assert!(residual <= 1e-10, "{keys}: {residual}");
        over = step.over;
        rows.push(step.row.unwrap());
        assert!(rows.len() < 20_000, "{keys}: too many steps");
    }
    let (settle, fall) = (study.table, Fall { rows });
    for row in &fall.rows {
        assert!(row.iter().all(|x| x.is_finite()), "{keys}: {row:?}");
    }
    assert!(fall.column("gap").iter().all(|gap| *gap > 0.0), "{keys}: a closed film");
    // The bulk always carries what the weight is, for there is no drag: to the rounding of
    // positions.
    let bulk = match settle.roughness > 0.0 {
        true => settle.contact_number / settle.roughness / settle.asperity_ratio,
        false => settle.stiffness,
    };
    for tension in fall.column("tension") {
        assert!((tension + 1.0).abs() < 1e-9 + 1e-13 * bulk, "{keys}: {tension}");
    }
    fall
}

/// ln u at a time: eq. 36 until asperities touch; then d ln x/dt = −(8/9)(1 − K + Kx) with x = u/ε,
/// whose solution is x = (1 − K)/(exp((8/9)(1 − K)t) − K).
fn exact(roughness: f64, number: f64, gap: f64, time: f64) -> f64 {
    let (after, start) = match gap > roughness {
        true => (time - (gap / roughness).ln() / SMOOTH, 1.0),
        false => (time, gap / roughness),
    };
    if roughness == 0.0 || after < 0.0 {
        return gap.ln() - SMOOTH * time;
    }
    let rate = SMOOTH * (1.0 - number);
    // 1/x obeys a linear equation.
    let inverse = match number == 1.0 {
        true => 1.0 / start + SMOOTH * after,
        false => {
            let rest = number / (1.0 - number);
            let grown = 1.0 / start + rest;
            // ln(grown e^(rate t) − rest), which may be large.
            let exponent = rate * after;
            return roughness.ln()
                - if exponent > 100.0 {
                    exponent + grown.ln()
                } else {
                    (grown * exponent.exp() - rest).ln()
                };
        }
    };
    roughness.ln() - inverse.ln()
}

#[test]
fn smooth_spheres_approach_exponentially() {
    for (gap, stiffness) in [(1.0, 1e3), (1.0, 10.0), (1e-3, 1e6), (3.0, 1e3)] {
        let keys = format!(
            "roughness = 0\ngap = {gap:?}\nstiffness = {stiffness:?}\nend_gap = {:?}",
            1e-12 * gap
        );
        let fall = fall(&keys, "");
        assert!(fall.final_gap() <= 1e-12 * gap);
        for (time, log) in fall.times().iter().zip(fall.logs()) {
            let rate = (log - gap.ln()) / time;
            assert!((rate / -SMOOTH - 1.0).abs() < 1e-4, "{keys}: {rate} at {time}");
        }
        let whole = (fall.final_gap() / gap).ln() / fall.times().last().unwrap();
        assert!((whole + SMOOTH).abs() < 1e-8, "{keys}: {whole}");
    }
}

#[test]
fn asperities_bear_the_weight_where_eq_37_says() {
    let mut cases = Vec::new();
    for roughness in [1e-6, 1e-4, 1e-3, 1e-2, 1e-1] {
        for number in [1.01, 1.2, 2.0, 10.0, 100.0] {
            cases.push((roughness, number, 1.0));
        }
    }
    for ratio in [0.1, 3.0, 50.0] {
        cases.extend([(1e-3, 2.0, ratio), (1e-2, 1.1, ratio)]);
    }
    // Far more than the weight: asperities are hard.
    cases.extend([(1e-3, 1e4, 1.0), (1e-2, 1e6, 1.0), (1e-2, 1e6, 1e-2)]);
    for (roughness, number, ratio) in cases {
        let keys = format!(
            "roughness = {roughness:?}\ncontact_number = {number:?}\nasperity_ratio = {ratio:?}"
        );
        let fall = fall(&keys, "");
        let expected = roughness * (1.0 - 1.0 / number);
        // Thinner than 1e-7 the rounding of positions, of the order of 2 a, shows.
        let off = (fall.final_gap() - expected).abs();
        assert!(off < 1e-8 * expected.max(1e-7), "{keys}: {} {expected}", fall.final_gap());
        let contact = fall.column("contact").last().unwrap() - 1.0;
        assert!(contact.abs() < 1e-7 + 1e-8 * number, "{keys}: {contact:e}");
        // Bulk and asperities are springs in series.
        let bulk = 1.0 / number * roughness * ratio;
        let centres = fall.column("centre_gap").last().unwrap() - (expected - bulk);
        assert!(centres.abs() < 1e-12 + 1e-8 * (expected + bulk), "{keys}: {centres:e}");
    }
}

#[test]
fn films_follow_the_exact_solution_all_the_way() {
    for (roughness, number, gap) in [
        (1e-2, 0.2, 1.0),
        (1e-2, 0.9, 1.0),
        (1e-2, 1.0, 1.0),
        (1e-2, 1.1, 1.0),
        (1e-3, 2.0, 1.0),
        (1e-3, 100.0, 1.0),
        // From within the asperities.
        (1e-2, 0.5, 3e-3),
        (1e-2, 1.0, 5e-3),
        (1e-2, 2.0, 2e-3),
        (1e-2, 2.0, 8e-3),
    ] {
        let keys = format!("roughness = {roughness:?}\ncontact_number = {number:?}\ngap = {gap:?}");
        let fall = fall(&keys, "");
        for (time, log) in fall.times().into_iter().zip(fall.logs()) {
            let off = log - exact(roughness, number, gap, time);
            assert!(off.abs() < 3e-4, "{keys}: {off:e} at {time}");
        }
    }
}

#[test]
fn overloaded_asperities_slow_the_film_down() {
    for number in [0.2, 0.5, 0.9] {
        let keys = format!("roughness = 1e-3\ncontact_number = {number:?}");
        let fall = fall(&keys, "");
        let rate = fall.late_rate(3.0);
        let expected = -SMOOTH * (1.0 - number);
        assert!((rate / expected - 1.0).abs() < 1e-3, "{keys}: {rate} {expected}");
        assert!(fall.final_gap() <= 1e-9, "{}", fall.final_gap());
    }
}

#[test]
fn films_drain_to_the_thinnest_numbers() {
    for (roughness, number) in [(0.0, 1.0), (1e-3, 0.5)] {
        for end in [1e-40, 1e-300] {
            let keys = format!(
                "roughness = {roughness:?}\ncontact_number = {number:?}\nend_gap = {end:?}"
            );
            let fall = fall(&keys, "");
            assert!(fall.final_gap() <= end && fall.final_gap() > 0.0, "{keys}");
            let expected = -SMOOTH * if roughness > 0.0 { 1.0 - number } else { 1.0 };
            let rate = fall.late_rate(20.0);
            assert!((rate / expected - 1.0).abs() < 1e-6, "{keys}: {rate} {expected}");
            // Nothing is lost in the rounding of positions: the bulk is pressed by the weight.
            let gap = fall.column("centre_gap");
            assert!((gap.last().unwrap() / gap[gap.len() - 2] - 1.0).abs() < 1e-9, "{keys}");
        }
    }
}

#[test]
fn a_weight_that_is_just_borne_is_approached_for_ever() {
    let fall = fall("roughness = 1e-2\ncontact_number = 1", "");
    let (time, log) = (fall.times(), fall.logs());
    let expected = exact(1e-2, 1.0, 1.0, *time.last().unwrap());
    assert!((log.last().unwrap() - expected).abs() < 3e-4);
    assert!(*time.last().unwrap() > 1e3, "{time:?}");
}

#[test]
fn the_error_is_of_the_order_of_the_tolerance() {
    let error = |tolerance: f64| {
        let time = format!("[time]\ntolerance = {tolerance:?}\n");
        let fall = fall("roughness = 1e-2\ncontact_number = 2\nmax_time = 8", &time);
        let off = fall.times().into_iter().zip(fall.logs());
        let off = off.map(|(t, log)| (log - exact(1e-2, 2.0, 1.0, t)).abs()).fold(0.0, f64::max);
        (off, fall.rows.len(), fall.final_gap())
    };
    let found = [1e-2, 1e-4, 1e-6, 1e-8].map(error);
    for (tolerance, (off, ..)) in [1e-2, 1e-4, 1e-6, 1e-8].iter().zip(found) {
        assert!(off < 100.0 * tolerance, "{tolerance}: {found:?}");
    }
    for pair in found.windows(2) {
        assert!(pair[1].0 < pair[0].0 && pair[1].1 > pair[0].1, "{found:?}");
    }
    // Where it comes to rest does not depend on the tolerance at all.
    for tolerance in [1e-2, 1e-5] {
        let time = format!("[time]\ntolerance = {tolerance:?}\n");
        let gap = fall("roughness = 1e-2\ncontact_number = 2", &time).final_gap();
        assert!((gap / 5e-3 - 1.0).abs() < 1e-8, "{tolerance}: {gap}");
    }
}
