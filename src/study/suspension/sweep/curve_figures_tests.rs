//! Figures of pooled curves.

use super::super::jamming::jamming_fits;
use super::*;
use crate::record::Scalar;
use crate::stats::Pooled;

/// A table whose rows have a viscosity, and a pressure twice as large.
fn table(keys: &[&str], rows: &[(&[f64], f64)]) -> CurveTable {
    let row = |(settings, eta): &(&[f64], f64)| {
        let found = |mean: f64| Pooled { mean, stderr: Some(0.02 * mean), runs: 2 };
        CurveRow {
            settings: settings.iter().map(|v| Scalar::Number(*v)).collect(),
            points: 2,
            pooled: 2,
            results: [(ETA, *eta), (PRESSURE, 2.0 * eta)]
                .map(|(name, mean)| (name.to_owned(), found(mean)))
                .into(),
            ..CurveRow::default()
        }
    };
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    CurveTable { keys, rows: rows.iter().map(row).collect() }
}

fn case(rest: &str) -> Case {
    let text = format!("[particles]\ncount = 50\nvolume_fraction = 0.4\n{rest}");
    Case::from_text(&text, Path::new("case.toml"), &[]).unwrap()
}

/// Curves without bands.
fn shown<'a>(table: &'a CurveTable, case: &'a Case, fits: &'a [JammingFit]) -> Shown<'a> {
    Shown { table, banded: None, case, fits }
}

fn scratch(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("zerostokes-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn viscosities_against_the_volume_fraction_have_published_curves_and_fits() {
    let eta = |phi: f64, jams: f64| 1.4 * (1.0 - phi / jams).powf(-1.7);
    let settings: Vec<[f64; 2]> =
        [0.0, 1.0].iter().flat_map(|mu| [0.4, 0.45, 0.5, 0.54].map(|phi| [*mu, phi])).collect();
    let rows: Vec<(&[f64], f64)> =
        settings.iter().map(|s| (&s[..], eta(s[1], 0.65 - 0.07 * s[0]))).collect();
    let table = table(&["contact.friction", FRACTION], &rows);
    let fits = jamming_fits(&table);
    assert_eq!(fits.len(), 2);
    let here = scratch("viscosity");
    let drawn = draw(&here, shown(&table, &case(""), &fits)).unwrap();
    assert_eq!(drawn, [VISCOSITY, NORMAL_VISCOSITY]);
    let svg = std::fs::read_to_string(here.join("viscosity.svg")).unwrap();
    assert!(svg.contains("μ<tspan") && !svg.contains("μ = 1"), "friction is no viscosity");
    for words in [" = 1", "Boyer et al. 2011, frictional", "Eilers", "Mari", "0.65", "0.58"] {
        assert!(svg.contains(words), "{words}");
    }
    let svg = std::fs::read_to_string(here.join("normal_viscosity.svg")).unwrap();
    assert!(svg.contains("Boyer") && here.join("normal_viscosity.png").exists());
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn flow_curves_are_reduced_by_the_force_there_is() {
    let rows: [(&[f64], f64); 2] = [(&[0.1], 10.0), (&[1.0], 40.0)];
    let load = case("[contact]\nfriction = 0.5\ncritical_load = 2.0\n[fluid]\nviscosity = 3.0\n");
    let by_rate = table(&[RATE], &rows);
    let [(_, rate), (_, stress)] = &flow_curves(&by_rate, 0, &load)[..] else { panic!() };
    let close = |found: &[f64], expected: [f64; 2]| {
        found.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-12)
    };
    assert!(close(&rate.points[0].curve.x, [0.15, 1.5]), "{:?}", rate.points[0].curve);
    assert!(close(&stress.points[0].curve.x, [1.5, 60.0]), "{:?}", stress.points[0].curve);
    assert!(rate.x.label.contains("F_CL") && stress.x.label.contains("σa² / F_CL"));
    // In other units of length the same numbers come out.
    let small = case(
        "radii = [1.4e-6, 1e-6]\n[fluid]\nviscosity = 3.0\n\
         [contact]\nfriction = 0.5\ncritical_load = 2e-12\n",
    );
    let [(_, rate), (_, stress)] = &flow_curves(&by_rate, 0, &small)[..] else { panic!() };
    assert!(close(&rate.points[0].curve.x, [0.15, 1.5]), "{:?}", rate.points[0].curve);
    assert!(close(&stress.points[0].curve.x, [1.5, 60.0]), "{:?}", stress.points[0].curve);
    let by_stress = table(&[STRESS], &rows);
    let plain = case("");
    let [(_, rate), (_, stress)] = &flow_curves(&by_stress, 0, &plain)[..] else { panic!() };
    assert!(close(&rate.points[0].curve.x, [0.01, 0.025]), "{:?}", rate.points[0].curve);
    assert!(close(&stress.points[0].curve.x, [0.1, 1.0]) && stress.x.label == "shear stress σ");
}

#[test]
fn any_other_key_is_drawn_and_too_many_curves_are_not() {
    let here = scratch("any-key");
    let rows: [(&[f64], f64); 2] = [(&[0.1], 10.0), (&[1.0], 40.0)];
    let drawn = draw(&here, shown(&table(&["contact.damping"], &rows), &case(""), &[])).unwrap();
    assert_eq!(drawn, [FIGURE]);
    let svg = std::fs::read_to_string(here.join("sweep.svg")).unwrap();
    assert!(svg.contains("damping"), "{svg}");
    let many: Vec<[f64; 2]> =
        (0..26).map(|k| [0.4 + 0.1 * f64::from(k % 2), f64::from(k / 2)]).collect();
    let rows: Vec<(&[f64], f64)> = many.iter().map(|s| (&s[..], 10.0)).collect();
    let drawn = draw(&here, shown(&table(&[FRACTION, "contact.friction"], &rows), &case(""), &[]));
    assert!(drawn.unwrap().is_empty());
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn other_ranges_are_a_band_beside_the_curve() {
    let settings: Vec<[f64; 2]> =
        [0.3, 0.5, 0.7].iter().flat_map(|h| [0.4, 0.5].map(|phi| [*h, phi])).collect();
    let rows: Vec<(&[f64], f64)> =
        settings.iter().map(|s| (&s[..], 10.0 * (1.0 + s[0]) * s[1])).collect();
    let all = table(&["lubrication.outer_gap", FRACTION], &rows);
    let banded = Banded::new(&all).unwrap();
    let case = case("");
    let shown = Shown { banded: Some(&banded), ..shown(&banded.table, &case, &[]) };
    let figure = against_fraction(shown, 1);
    assert_eq!(figure.points.len(), 1);
    assert_eq!((&figure.bands[0].x, figure.bands.len()), (&vec![0.4, 0.5], 1));
    let [low, high] = figure.bands[0].ends[1];
    assert!((low - 6.5).abs() < 1e-12 && (high - 8.5).abs() < 1e-12);
    assert!(figure.bands[0].label.contains("0.3 to 0.7"), "{}", figure.bands[0].label);
}
