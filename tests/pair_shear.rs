//! Two spheres that pass each other in shear: smooth, soft and rough, with lubrication against
//! independent integrations of the same model, and with two-body hydrodynamics against the exact
//! solution.

mod common;

use common::{ReferenceRow, case, reference};
use zerostokes::study::Study;
use zerostokes::study::pair_shear::{self, PairShearStudy};

/// What two spheres did.
#[derive(Clone, Debug)]
struct Passed {
    min_gap: f64,
    /// Where they were when they had passed.
    end: [f64; 3],
    /// The rows of the time series.
    rows: Vec<Vec<f64>>,
}

impl Passed {
    fn column(&self, name: &str) -> Vec<f64> {
        let place = pair_shear::COLUMNS.iter().position(|c| c.name == name).expect("a column");
        self.rows.iter().map(|row| row[place]).collect()
    }

    /// The strain at which they had passed, between two rows.
    fn strain(&self, finish: f64) -> f64 {
        let (x, strain) = (self.column("x"), self.column("strain"));
        let last = x.len() - 1;
        // Beyond the range the velocity along the flow is constant.
        let share = (finish - x[last - 1]) / (x[last] - x[last - 1]);
        strain[last - 1] + share * (strain[last] - strain[last - 1])
    }
}

fn pass(keys: &str) -> Passed {
    pass_within(keys, "")
}

fn pass_within(keys: &str, rest: &str) -> Passed {
    let case = case(&format!("study = \"pair-shear\"\n[pair]\n{keys}\n{rest}"));
    let mut study = PairShearStudy::new(&case);
    let mut state = study.initial(&case).unwrap();
    let mut stepper = study.stepper(&case, &state);
    let end = study.end(&case);
    let (mut over, mut rows, mut worst_residual) = (false, Vec::new(), 0.0f64);
    while !end.reached(&state.clock) && !over {
        let step = study.step(&mut stepper, &mut state, end);
        let step = step.unwrap_or_else(|e| panic!("{keys}: {e}"));
        worst_residual = worst_residual.max(step.seen.effort.force_residual);
        rows.push(step.row.unwrap());
        over = step.over;
    }
    assert!(over, "{keys}: the spheres did not pass each other");
    assert!(worst_residual <= 1e-9, "{keys}: {worst_residual}");
    // What the summary says is what a checkpoint holds.
    let progress = study.progress();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let end = [0, 1, 2].map(|d| number(&progress["end"][d]));
    Passed { min_gap: number(&progress["thinnest"]).exp(), end, rows }
}

/// The keys of a row of a table of reference values.
fn keys(row: &ReferenceRow, stiffness: &str) -> String {
    let mut keys =
        format!("start = {:?}\nroughness = {:?}\n", row.number("start"), row.number("roughness"));
    let bulk = row.number(stiffness);
    if bulk.is_finite() {
        keys +=
            &format!("stiffness = {bulk:?}\ntangential_ratio = {:?}\n", row.number("k_t") / bulk);
    }
    keys
}

#[test]
fn the_same_model_gives_the_same_gaps_and_offsets() {
    let rows = reference("pair_shear_same_model.csv");
    assert_eq!(rows.len(), 18);
    for row in &rows {
        let offset = row.number("offset");
        let keys = format!(
            "offset = {offset:?}\ncutoff = {:?}\n{}",
            row.number("cutoff"),
            keys(row, "stiffness_kb")
        );
        let found = pass(&keys);
        let gap = found.min_gap / row.number("min_gap") - 1.0;
        assert!(gap.abs() < 1e-3, "{keys}: {} is off by {gap:e}", found.min_gap);
        let expected = row.number("final_offset");
        let off = (found.end[1] - expected) / expected;
        assert!(off.abs() < 1e-3, "{keys}: {} {expected}", found.end[1]);
    }
}

#[test]
fn rough_unlike_and_frictional_pairs_are_where_an_independent_program_puts_them() {
    let rows = reference("rough_pairs.csv");
    assert_eq!(rows.len(), 25);
    for (k, row) in rows.iter().enumerate() {
        let [a, b] = [row.number("a1"), row.number("a2")];
        // The reference has its cut-off in harmonic mean radii.
        let cutoff = row.number("cutoff") * 2.0 * a * b / (a + b);
        let bulk = row.number("k_b");
        let ratio = if bulk.is_finite() { row.number("k_n") / bulk } else { 1.0 };
        let keys = format!(
            "radii = [{a:?}, {b:?}]\noffset = {:?}\noffset_z = {:?}\ncutoff = {cutoff:?}\n\
             asperity_ratio = {ratio:?}\nfriction = {:?}\n{}",
            row.number("offset_y"),
            row.number("offset_z"),
            row.number("friction"),
            keys(row, "k_b")
        );
        let found = pass(&keys);
        let gap = found.min_gap / row.number("min_gap") - 1.0;
        assert!(gap.abs() < 1e-5, "row {}: {} is off by {gap:e}", k + 1, found.min_gap);
        for (d, name) in [(1, "final_offset"), (2, "final_z")] {
            let off = found.end[d] - row.number(name);
            assert!(off.abs() < 1e-5, "row {}: {name} {} is off by {off:e}", k + 1, found.end[d]);
        }
        let time = found.strain(-row.number("start")) / row.number("strain") - 1.0;
        assert!(time.abs() < 1e-5, "row {}: the time is off by {time:e}", k + 1);
    }
}

#[test]
fn two_body_hydrodynamics_gives_the_exact_gaps() {
    let rows = reference("pair_shear_exact.csv");
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let offset = row.number("d0_over_a");
        let found = pass(&format!("hydrodynamics = \"two-body\"\noffset = {offset:?}"));
        let gap = found.min_gap / row.number("min_gap_exact_table") - 1.0;
        assert!(gap.abs() < 4e-3, "{offset}: {} is off by {gap:e}", found.min_gap);
        assert!((found.end[1] / offset - 1.0).abs() < 1e-3, "{offset}: {:?}", found.end);
        assert_eq!(found.end[2], 0.0);
    }
}

#[test]
fn smooth_rigid_spheres_end_on_the_streamline_on_which_they_began() {
    let two_body = "hydrodynamics = \"two-body\"\n";
    let lubrication = "hydrodynamics = \"lubrication\"\n";
    for (kind, [a, b], y, z) in [
        (two_body, [1.0, 2.0], 0.2, 0.0),
        (two_body, [1.0, 2.0], 0.5, 1.0),
        (two_body, [1.0, 1.0], 0.1, 0.5),
        (two_body, [1.0, 1.0], 0.5, -1.5),
        (two_body, [1.0, 5.0], 1.0, 0.5),
        (lubrication, [1.0, 1.0], 0.2, 0.8),
        (lubrication, [1.0, 3.0], 0.5, 1.0),
    ] {
        let start = -10.0 * f64::max(a, b).max(1.0);
        let keys = |a: f64, b: f64, z: f64| {
            format!(
                "{kind}radii = [{a:?}, {b:?}]\noffset = {y:?}\noffset_z = {z:?}\nstart = {start:?}"
            )
        };
        let found = pass(&keys(a, b, z));
        let off = [(found.end[1] - y).abs(), (found.end[2] - z).abs()];
        assert!(off[0] < 1e-3 * y && off[1] < 1e-3 * y, "{}: {:?}", keys(a, b, z), found.end);
        // Names of the spheres do not matter, nor does which side of the plane they are on.
        for (what, keys) in [("names", keys(b, a, z)), ("mirrored", keys(a, b, -z))] {
            let same = pass(&keys);
            let gap = same.min_gap / found.min_gap - 1.0;
            assert!(gap.abs() < 1e-5, "{what} {keys}: {gap:e}");
            assert!((same.end[1] - found.end[1]).abs() < 1e-5, "{what} {keys}: {:?}", same.end);
            let sign = if what == "names" { 1.0 } else { -1.0 };
            assert!((same.end[2] - sign * found.end[2]).abs() < 1e-5, "{what}: {:?}", same.end);
        }
    }
}

#[test]
fn the_way_out_mirrors_the_way_in() {
    // At equal distances before and after the meeting, smooth spheres are equally far across the
    // flow.
    for kind in ["two-body", "lubrication"] {
        let found = pass(&format!("hydrodynamics = \"{kind}\"\noffset = 0.3\noffset_z = 0.4"));
        let [x, y, z] = ["x", "y", "z"].map(|name| found.column(name));
        let across = |at: f64, values: &[f64]| {
            let k = (1..x.len()).find(|k| (x[k - 1] < at) != (x[*k] < at)).expect("passed");
            let share = (at - x[k - 1]) / (x[k] - x[k - 1]);
            values[k - 1] + share * (values[k] - values[k - 1])
        };
        for at in [0.5, 1.0, 2.0, 3.0, 5.0, 8.0] {
            for values in [&y, &z] {
                let [before, after] = [across(-at, values), across(at, values)];
                assert!((before - after).abs() < 1e-3, "{kind} at {at}: {before} {after}");
            }
        }
        let spin = found.column("spin_z");
        assert!(spin.iter().all(|w| *w < 0.0 && *w > -1.0), "they spin with the flow");
    }
}

#[test]
fn asperities_that_never_meet_change_nothing() {
    for (kind, below, above) in [("lubrication", 0.08, 0.09), ("two-body", 4e-5, 1e-4)] {
        let keys =
            |rough: f64| format!("hydrodynamics = \"{kind}\"\noffset = 0.1\nroughness = {rough:?}");
        let [smooth, low, high] = [0.0, below, above].map(|rough| pass(&keys(rough)));
        assert!((low.min_gap / smooth.min_gap - 1.0).abs() < 1e-12, "{kind}");
        assert_eq!(low.end, smooth.end, "{kind}");
        assert!(low.column("contact").iter().all(|f| *f == 0.0), "{kind}");
        // A little higher, they keep the spheres apart and shift them.
        assert!(high.min_gap > 0.99 * above && high.min_gap < above, "{kind}: {}", high.min_gap);
        assert!(high.end[1] > 1.05 * smooth.end[1], "{kind}: {:?}", high.end);
        assert!(high.column("contact").iter().any(|f| *f > 0.0), "{kind}");
    }
}

#[test]
fn roughness_and_softness_shift_the_streamline() {
    let offset = |keys: &str| pass(&format!("offset = 0.1\n{keys}")).end[1];
    let rougher = [0.0, 0.1, 0.2].map(|rough| offset(&format!("roughness = {rough:?}")));
    assert!(rougher.is_sorted_by(|a, b| *b > 1.5 * *a), "{rougher:?}");
    let softer = [1e5, 1e4, 1e3, 1e2].map(|k| offset(&format!("stiffness = {k:?}")));
    assert!(softer.is_sorted_by(|a, b| b > a), "{softer:?}");
    assert!((softer[0] - 0.1).abs() < 2e-3, "{softer:?}");
    // Rigid is the limit of stiff.
    let stiff = offset("stiffness = 1e6\nroughness = 0.1");
    assert!((stiff / rougher[1] - 1.0).abs() < 5e-3, "{stiff} {rougher:?}");
}

#[test]
fn two_body_hydrodynamics_may_end_at_a_distance() {
    let gap = |cutoff: &str| {
        pass(&format!("hydrodynamics = \"two-body\"\noffset = 0.5\nstart = -12\n{cutoff}")).min_gap
    };
    let (whole, far, near) = (gap(""), gap("cutoff = 8"), gap("cutoff = 1"));
    // From what is far comes little.
    assert!((far / whole - 1.0).abs() < 0.1, "{far} {whole}");
    assert!((near / whole - 1.0).abs() > (far / whole - 1.0).abs(), "{near} {far} {whole}");
}

#[test]
fn two_body_spheres_may_be_soft_rough_and_frictional() {
    let pass = |keys: &str| {
        pass(&format!("hydrodynamics = \"two-body\"\noffset = 0.1\nroughness = 1e-2\n{keys}"))
    };
    let rigid = pass("");
    assert!(rigid.min_gap > 0.99e-2 && rigid.min_gap < 1e-2, "{}", rigid.min_gap);
    // Asperities of 1e4 give by what the flow presses with, some 20.
    let soft = pass("stiffness = 1e4");
    assert!(soft.min_gap < rigid.min_gap && soft.min_gap > 0.75e-2, "{}", soft.min_gap);
    let rubbing = pass("stiffness = 1e4\nfriction = 0.5");
    assert!(rubbing.column("shear").iter().all(|t| t.is_finite()));
    for found in [&soft, &rubbing] {
        assert!(
            (found.end[1] / rigid.end[1] - 1.0).abs() < 0.05,
            "{:?} {:?}",
            found.end,
            rigid.end
        );
    }
}

#[test]
fn without_sliding_lubrication_the_passage_is_another() {
    // Metzger, Pham & Butler 2013 keep the normal part only; Chèvremont et al., fig. 10.
    let all = pass("offset = 0.1");
    let normal = pass("offset = 0.1\ncomponents = \"normal\"");
    let fixed = pass("offset = 0.1\nrotation = false\nstiffness = 1e6");
    assert!(
        (normal.min_gap / all.min_gap - 1.0).abs() > 0.05,
        "{} {}",
        normal.min_gap,
        all.min_gap
    );
    assert!((fixed.min_gap / all.min_gap - 1.0).abs() > 0.05, "{} {}", fixed.min_gap, all.min_gap);
    for found in [&normal, &fixed] {
        assert!((found.end[1] - 0.1).abs() < 1e-4, "still reversible: {:?}", found.end);
    }
    assert!(fixed.column("spin_z").iter().all(|w| *w == 0.0));
}

#[test]
fn the_error_falls_with_the_tolerance() {
    let keys = "offset = 0.1\nstiffness = 1e4\nroughness = 0.1\nfriction = 0.5";
    let run = |tolerance: f64| {
        let found = pass_within(keys, &format!("[time]\ntolerance = {tolerance:?}\n"));
        (found.end[1], found.rows.len())
    };
    // Row 3 of the table of rough pairs.
    let found = [1e-4, 1e-6, 1e-8].map(run);
    let errors = found.map(|(y, _)| (y - 0.41494365).abs());
    assert!(errors[1] < 0.3 * errors[0] && errors[2] < 0.3 * errors[1], "{found:?}");
    assert!(errors[2] < 1e-5 && found[2].1 > found[0].1, "{found:?}");
}

#[test]
fn friction_of_smooth_rigid_spheres_does_nothing() {
    let base = "hydrodynamics = \"lubrication\"\ncutoff = 4.0\n";
    let (without, with) = (pass(base), pass(&format!("{base}friction = 0.7\n")));
    assert!((with.min_gap / without.min_gap - 1.0).abs() < 1e-6, "{}", with.min_gap);
    assert!((with.end[1] - without.end[1]).abs() < 1e-6);
}

#[test]
fn no_step_jumps_over_a_short_range() {
    // At offset 1.9 spheres that did not feel each other would overlap; the undisturbed gap is
    // −0.1.
    let met = pass("hydrodynamics = \"lubrication\"\ncutoff = 0.1\noffset = 1.9\n");
    assert!(met.min_gap > 0.0 && met.min_gap < 0.1, "{}", met.min_gap);
    assert!((met.end[1] - 1.9).abs() < 1e-4, "{}", met.end[1]);
}

#[test]
fn spheres_that_turn_back_are_on_a_closed_orbit() {
    let text = "study = \"pair-shear\"\n[pair]\nhydrodynamics = \"two-body\"\noffset = 1e-4\n";
    let case = case(text);
    let mut study = PairShearStudy::new(&case);
    let mut state = study.initial(&case).unwrap();
    state.positions =
        vec![nalgebra::Vector3::new(1.5, 0.0, 0.0), nalgebra::Vector3::new(-1.5, 0.0, 0.0)];
    let mut stepper = study.stepper(&case, &state);
    let end = study.end(&case);
    while !study.step(&mut stepper, &mut state, end).unwrap().over {
        assert!(state.clock.strain < 200.0, "three radii apart on one axis, spheres go round");
    }
    assert_eq!(study.progress()["bound"], true);
}

#[test]
fn spheres_held_from_spinning_come_much_closer() {
    let base = "hydrodynamics = \"lubrication\"\ncutoff = 4.0\nstiffness = 1e6\n";
    let held = pass(&format!("{base}rotation = false\n"));
    assert!(held.min_gap < 1e-40 && held.min_gap > 0.0, "{:e}", held.min_gap);
    assert!((held.end[1] - 0.1).abs() < 1e-3, "{}", held.end[1]);
}

#[test]
fn the_map_of_deviations_has_its_regions() {
    let deviation = |roughness: f64, capillary: f64| {
        let keys = format!(
            "hydrodynamics = \"two-body\"\noffset = 0.01\nroughness = {roughness:?}\nstiffness = {:?}",
            1.0 / capillary
        );
        pass(&keys).end[1] - 0.01
    };
    // Smooth spheres come no closer than 4.3e-5: below that roughness changes nothing, and what
    // softness leaves falls with it.
    let [soft, hard] = [1e-5, 1e-6].map(|capillary| deviation(3e-5, capillary));
    assert!((soft - deviation(1e-6, 1e-5)).abs() < 1e-5, "{soft}");
    assert!(soft < 0.01 && hard < 1e-3 && hard > 0.0, "{soft} {hard}");
    // Controlled by roughness: the same at any small capillary number.
    let [rough, rougher] = [1e-3, 1e-2].map(|roughness| deviation(roughness, 1e-6));
    assert!((rough / deviation(1e-3, 1e-5) - 1.0).abs() < 0.01 && rough > 0.6, "{rough}");
    assert!(rougher > rough, "{rough} {rougher}");
    // Controlled by deformation: the same at any small roughness.
    let [stiffer, softer] = [1e-3, 1e-2].map(|capillary| deviation(1e-5, capillary));
    assert!((softer / deviation(1e-4, 1e-2) - 1.0).abs() < 0.01, "{softer}");
    assert!(softer > 3.0 * stiffer && stiffer > 10.0 * soft, "{stiffer} {softer}");
    // Where both are comparable, less than on either side.
    let dip = deviation(1e-2, 1e-2);
    assert!(dip < 0.5 * rougher && dip < 0.9 * deviation(1e-2, 3e-2), "{dip}");
}
