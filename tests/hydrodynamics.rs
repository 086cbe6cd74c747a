//! The models by which the spheres of a suspension feel each other through the fluid, as cases
//! choose them.

mod common;
#[path = "common/program.rs"]
mod program;

use std::f64::consts::PI;

use common::{bidisperse, case};
use nalgebra::Vector3;
use zerostokes::case::Case;
use zerostokes::hydro::{Forms, Table};
use zerostokes::integrate::Setup;
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};
use zerostokes::laws::{Pair, PairLaw, Rates, Resistance};
use zerostokes::study::{self, suspension};

/// What a case makes its stepper of.
fn setup(case: &Case) -> Setup {
    let state = suspension::initial(case).unwrap();
    suspension::setup(case, &state)
}

fn lubrication(setup: &Setup) -> Lubrication {
    *setup.laws.find::<Lubrication>().expect("a film").0
}

/// The resistance of film and field of a pair at a gap.
fn resistance(setup: &Setup, radii: [f64; 2], gap: f64) -> Resistance {
    let distance = radii[0] + radii[1] + gap;
    let pair = Pair { radii, normal: Vector3::x(), distance, gap, step: 0.0 };
    let mut all = lubrication(setup).respond(&pair, &[], &Rates::default()).resistance;
    if let Some(far_field) = setup.medium.field.and_then(|field| field.far_field(&pair)) {
        all += far_field.resistance;
    }
    all
}

/// What squeezing two spheres meets that move as they like otherwise, less what they would meet
/// alone: from the whole form of the two.
fn exact_squeeze(radii: [f64; 2], gap: f64) -> f64 {
    let least = |forms: &Forms| {
        let a = &forms.axial;
        let common = a[(0, 0)] + 2.0 * a[(0, 1)] + a[(1, 1)];
        (a[(0, 0)] * a[(1, 1)] - a[(0, 1)].powi(2)) / common
    };
    let alone = Forms::isolated(radii);
    least(&(Table::shared().at(radii, gap).forms(radii, gap) + alone)) - least(&alone)
}

#[test]
fn films_are_those_of_two_spheres_up_to_their_range_unless_a_case_says_otherwise() {
    let setup = setup(&bidisperse(60, 0.4, ""));
    // Jeffrey & Onishi 1984, in units of 6πμa, to the last digit.
    for (gap, reference, digit) in
        [(0.01, 26.2, 0.1), (0.1, 3.21, 0.01), (0.3, 1.32, 0.01), (0.499_999, 0.886, 0.001)]
    {
        let found = resistance(&setup, [1.0; 2], gap).squeeze / (6.0 * PI);
        assert!((found - reference).abs() <= 0.5 * digit, "{gap}: {found} {reference}");
    }
    for radii in [[1.0, 1.0], [1.0, 1.4], [1.4, 1.4]] {
        for gap in [0.01, 0.1, 0.3, 0.49] {
            let (found, exact) =
                (resistance(&setup, radii, gap).squeeze, exact_squeeze(radii, gap));
            assert!((found / exact - 1.0).abs() < 1e-4, "{radii:?} {gap}: {found} {exact}");
        }
    }
    let window = resistance(&setup, [1.0; 2], 0.5125);
    let end = resistance(&setup, [1.0; 2], 0.5);
    for (half, whole) in [(window.squeeze, end.squeeze), (window.slide, end.slide)] {
        assert!((half / whole - 0.5).abs() < 1e-9, "{half} {whole}");
    }
    assert_eq!(resistance(&setup, [1.0; 2], 0.525_001), Resistance::default());
}

#[test]
fn field_and_film_end_together() {
    for (cutoff, reach) in [("window", 0.42), ("truncated", 0.4), ("smooth", 0.4)] {
        let film = format!("[lubrication]\nouter_gap = 0.4\ncutoff = \"{cutoff}\"\n");
        let setup = setup(&bidisperse(60, 0.4, &film));
        let field = setup.medium.field.expect("a field");
        assert!((field.reach_gap() - reach).abs() < 1e-12, "{cutoff}");
        assert!((lubrication(&setup).range([1.0; 2]) - reach).abs() < 1e-12, "{cutoff}");
        let last = resistance(&setup, [1.0; 2], reach - 1e-7);
        assert_eq!(last.squeeze > 1.0, cutoff == "truncated", "{cutoff}: {last:?}");
        let beyond = resistance(&setup, [1.0; 2], reach + 1e-9);
        assert_eq!(beyond, Resistance::default(), "{cutoff}");
    }
}

#[test]
fn ge_and_brandt_have_truncated_films_of_their_own_range() {
    let film = |more: &str| {
        let table = format!("[lubrication]\nhydrodynamics = \"ge-brandt\"\n{more}");
        let setup = setup(&bidisperse(60, 0.4, &table));
        assert!(setup.medium.field.is_none());
        lubrication(&setup)
    };
    let printed = film("");
    assert_eq!((printed.film, printed.cutoff), (Film::Leading, Cutoff::Truncated));
    assert_eq!((printed.inner_gap, printed.outer_gap), (1e-3, 0.2));
    assert_eq!(film("outer_gap = 0.05").outer_gap, 0.05);
}

/// Two spheres in a large box, and more.
fn two(radii: [f64; 2], more: &str) -> String {
    format!(
        "[particles]\nradii = {radii:?}\npositions = [[0, 0, 0], [30, 3, 0]]\n{more}\n\
         [drive]\nstrain = 0.01\n"
    )
}

const BOX: &str = "[domain]\nlengths = [60, 60, 60]";

#[test]
fn what_has_no_two_sphere_functions_falls_back_and_says_why() {
    let plane = "[domain]\nboundary = \"open\"\n[[obstacle]]\nkind = \"plane\"\n\
                 point = [0, -30, 0]\nnormal = [0, 1, 0]";
    for (text, why) in [
        (two([1.0, 12.0], BOX), "a factor of 12.000"),
        (two([1.0, 1.4], plane), "know of no walls"),
    ] {
        let case = case(&text);
        let state = suspension::initial(&case).unwrap();
        let setup = suspension::setup(&case, &state);
        assert_eq!(lubrication(&setup).film, Film::Leading);
        assert!(setup.medium.field.is_none());
        let study = study::of(&case);
        let notes = study.doubts(&case, &state);
        assert!(notes.len() == 1 && notes[0].contains(why), "{notes:?}");
        let said = study.meaning(&case).unwrap().join("\n");
        assert!(said.contains(&format!("note: {}", notes[0])), "{said}");
        // A case that is read back is the same, and still says so.
        let again = Case::from_text(&case.to_toml(), "again.toml".as_ref(), &[]).unwrap();
        assert_eq!(study::of(&again).doubts(&again, &state), notes);
        // Who asks for lubrication at leading order need not be told.
        let asked = text.clone() + "[lubrication]\nhydrodynamics = \"lubrication\"\n";
        let asked = common::case(&asked);
        assert!(study::of(&asked).doubts(&asked, &state).is_empty());
        // Who asks for two-sphere functions is refused.
        let wrong = text + "[lubrication]\nhydrodynamics = \"two-body\"\n";
        assert!(Case::from_text(&wrong, "wrong.toml".as_ref(), &[]).is_err());
    }
    let usual = case(&two([1.0, 1.4], BOX));
    assert!(usual.to_toml().contains("hydrodynamics = \"two-body\""));
    let state = suspension::initial(&usual).unwrap();
    assert!(study::of(&usual).doubts(&usual, &state).is_empty());
}

#[test]
fn radii_that_only_a_file_tells_fall_back_too() {
    let directory = program::scratch("radii-of-a-file");
    let frame = "2\nLattice=\"60 0 0 0 60 0 0 0 60\" Properties=species:S:1:pos:R:3:radius:R:1 \
                 pbc=\"T T T\"\nA 0 0 0 1\nB 30 3 0 12\n";
    std::fs::write(directory.join("two.extxyz"), frame).unwrap();
    let text = "[particles]\nfile = \"two.extxyz\"\n[drive]\nstrain = 0.01\n";
    std::fs::write(directory.join("case.toml"), text).unwrap();
    let checked = program::zerostokes(&directory, "check case.toml");
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(said.contains("note: films follow lubrication at leading order"), "{said}");
    let run = program::zerostokes(&directory, "run case.toml --out out");
    let told = program::complaint(&run);
    assert!(run.status.success(), "{told}");
    assert!(told.matches("note: films follow lubrication at leading order").count() >= 1, "{told}");
    let summary = std::fs::read_to_string(directory.join("out/summary.json")).unwrap();
    assert!(summary.contains("films follow lubrication at leading order"), "{summary}");
    let asked = "run case.toml --out asked --set lubrication.hydrodynamics=\"two-body\"";
    let refused = program::zerostokes(&directory, asked);
    assert_eq!(refused.status.code(), Some(2));
    assert!(program::complaint(&refused).contains("tabulated up to 10"));
    let far = "run case.toml --out far --set lubrication.outer_gap=2";
    let refused = program::complaint(&program::zerostokes(&directory, far));
    assert!(refused.contains("an outer gap below 1"), "{refused}");
    std::fs::remove_dir_all(&directory).unwrap();
}
