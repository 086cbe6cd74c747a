//! Made-up results that look like real ones, and checks of the files drawn from them.

use std::fs;
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use resvg::tiny_skia::Pixmap;

use super::text::plain;
use super::{
    Axis, Body, Colouring, CurveFigure, Disc, Family, FamilyFigure, FamilyPanel, Line, MapFigure,
    Panel, PictureFigure, Points, Scene, SceneDisc, TimeSeriesFigure, Trace, Trajectory,
    TrajectoryFigure, Tube, View,
};

/// A place for a test's files, of this process alone.
pub fn stem(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join("zerostokes-figures");
    fs::create_dir_all(&directory).unwrap();
    directory.join(format!("{name}-{}", std::process::id()))
}

/// Both files exist, the PNG decodes to its size and is not blank, the SVG has the words. The files
/// are then removed, unless `KEEP_FIGURES` is set in the environment for someone to look at them.
pub fn check_files(stem: &Path, size: (u32, u32), words: &[&str]) {
    let svg = fs::read_to_string(stem.with_extension("svg")).unwrap();
    let written = plain(&svg);
    for word in words {
        assert!(written.contains(&plain(word)), "'{word}' is not in the SVG");
    }
    assert!(svg.starts_with(&format!("<svg width=\"{}\" height=\"{}\"", size.0, size.1)));
    assert!(svg.trim_end().ends_with("</svg>") && svg.contains("sans-serif"));
    assert!(svg.len() < 2_000_000, "{} bytes", svg.len());
    let pixels = Pixmap::load_png(stem.with_extension("png")).unwrap();
    assert_eq!((pixels.width(), pixels.height()), size);
    let dark = pixels.pixels().iter().filter(|p| p.red().max(p.green()).max(p.blue()) < 100);
    assert!(dark.count() > 1000, "the picture is blank");
    if std::env::var_os("KEEP_FIGURES").is_none() {
        fs::remove_file(stem.with_extension("svg")).unwrap();
        fs::remove_file(stem.with_extension("png")).unwrap();
    }
}

/// Noise within ±1 that remembers its past over `memory` steps.
fn noise(count: usize, memory: f64, seed: u64) -> Vec<f64> {
    let mut random = Pcg64::seed_from_u64(seed);
    let keep = (-1.0 / memory).exp();
    let mut value = 0.0;
    let mut next = || {
        value = keep * value + (1.0 - keep) * random.random_range(-1.0..1.0) * memory.sqrt();
        value
    };
    (0..count).map(|_| f64::clamp(next(), -1.0, 1.0)).collect()
}

/// A frictional suspension, φ = 0.5, started from an equilibrated configuration.
pub fn run() -> TimeSeriesFigure {
    let count = 4000;
    let strain: Vec<f64> = (1..=count).map(|k| 10.0 * k as f64 / count as f64).collect();
    let like = |level: f64, start: f64, swing: f64, seed: u64| -> Vec<f64> {
        let fluctuation = noise(count, 60.0, seed);
        let rise = |g: &f64| level - (level - start) * (-g / 0.4).exp();
        strain.iter().zip(fluctuation).map(|(g, n)| rise(g) + swing * n).collect()
    };
    let contact = like(30.0, 4.0, 9.0, 1);
    let friction = like(21.0, 1.0, 7.0, 2);
    let lubrication = like(10.9, 14.0, 1.0, 3);
    let background = vec![2.25; count];
    let sum = |k: usize| contact[k] + friction[k] + lubrication[k] + background[k];
    let total: Vec<f64> = (0..count).map(sum).collect();
    let trace = |label: &str, y: Vec<f64>| Trace::new(label, strain.clone(), y);
    let viscosity = vec![
        trace("total", total).with_mean("ηᵣ", 64.23, Some(1.87)),
        trace("contact", contact),
        trace("friction", friction),
        trace("lubrication", lubrication),
        trace("Einstein + solvent", background),
    ];
    let stresses = vec![
        trace("particle pressure Π", like(52.0, 9.0, 14.0, 4)).with_mean("Π", 52.1, Some(2.2)),
        trace("N₁", like(-3.0, 0.0, 6.0, 5)).with_mean("N₁", -3.06, Some(0.71)),
        trace("N₂", like(-19.0, -3.0, 6.0, 6)).with_mean("N₂", -18.8, Some(0.9)),
    ];
    TimeSeriesFigure {
        x_label: "strain γ".into(),
        steady_from: Some(1.75),
        panels: vec![
            Panel { axis: Axis::linear("relative viscosity ηᵣ"), traces: viscosity },
            Panel { axis: Axis::linear("normal stress / μγ̇"), traces: stresses },
        ],
    }
}

/// Relative viscosity against volume fraction, with and without friction.
pub fn viscosity() -> CurveFigure {
    let measured = |label: &str, jammed: f64, fractions: &[f64], seed: u64| {
        let y: Vec<f64> = fractions
            .iter()
            .zip(noise(fractions.len(), 1.0, seed))
            .map(|(phi, n)| (1.0 - phi / jammed).powi(-2) * (1.0 + 0.1 * n))
            .collect();
        let error = y.iter().map(|y| 0.06 * y).collect();
        Points::new(label, fractions.to_vec(), y).with_error(error)
    };
    let law = |label: &str, jammed: f64| {
        let x: Vec<f64> =
            (0..400).map(|k| 0.3 + k as f64 * 1e-3).take_while(|p| *p < jammed).collect();
        let y = x.iter().map(|phi| (1.0 - phi / jammed).powi(-2)).collect();
        Line::new(label, x, y)
    };
    CurveFigure {
        x: Axis::linear("volume fraction φ"),
        y: Axis::log("relative viscosity ηᵣ"),
        points: vec![
            measured("μ_p = 0", 0.65, &[0.40, 0.45, 0.50, 0.54, 0.56, 0.58, 0.60], 7),
            measured("μ_p = 0.5", 0.60, &[0.40, 0.45, 0.50, 0.52, 0.54, 0.56], 8),
            measured("μ_p = 1", 0.582, &[0.40, 0.45, 0.50, 0.52, 0.54, 0.555], 9),
        ],
        lines: vec![
            law("Maron–Pierce, φ_J = 0.65", 0.65).belonging_to(0),
            law("0.60", 0.60).belonging_to(1),
            law("0.582", 0.582).belonging_to(2),
        ],
        ..CurveFigure::default()
    }
}

/// Shear thickening: viscosity against stress on log axes.
pub fn flow_curve() -> CurveFigure {
    let stress: Vec<f64> = (0..16).map(|k| 10f64.powf(-2.0 + 0.333 * k as f64)).collect();
    let thick = |low: f64, high: f64, seed: u64| -> Vec<f64> {
        let n = noise(16, 1.0, seed);
        let level = |s: f64| low * (high / low).powf((-1.0 / s).exp());
        stress.iter().zip(n).map(|(s, n)| level(*s) * (1.0 + 0.1 * n)).collect()
    };
    let points = |label: &str, y: Vec<f64>| {
        let error = y.iter().map(|y| 0.15 * y).collect();
        Points::new(label, stress.clone(), y).with_error(error).joined()
    };
    CurveFigure {
        x: Axis::log("shear stress σ / (F*/a²)"),
        y: Axis::log("relative viscosity ηᵣ"),
        points: vec![
            points("φ = 0.50", thick(15.0, 60.0, 10)),
            points("φ = 0.56", thick(40.0, 900.0, 11)),
        ],
        ..CurveFigure::default()
    }
}

/// Four spheres that change neighbours: gaps, angle, forces and deflections of their pairs.
pub fn four_panels() -> TimeSeriesFigure {
    let stiffness = 3e-3;
    let time: Vec<f64> = (0..1500).map(|k| 0.01 * k as f64).collect();
    let along = |f: &dyn Fn(f64) -> f64| -> Vec<f64> { time.iter().map(|t| f(*t)).collect() };
    let angle = |t: f64| 45.0 - 15.0 * ((t - 8.0) / 1.5).tanh();
    let ramp = |t: f64| t.min(1.0);
    let passed = |t: f64| (60.0 - angle(t)) / 30.0;
    let gaps: [&dyn Fn(f64) -> f64; 3] = [
        &|t| 0.01 + 2e-3 * t.min(8.0) + 4.0 * angle(t).to_radians().cos() - 2.0,
        &|t| 6e-3 + 4.0 * angle(t).to_radians().sin() - 2.0,
        &|t| 0.01 - 6e-3 * (1.0 - (-t / 6.0).exp()),
    ];
    let forces: [&dyn Fn(f64) -> f64; 3] =
        [&|t| -0.577 * ramp(t) * (1.0 - passed(t)), &|t| passed(t).powi(3), &|t| {
            0.577 * ramp(t) * (1.0 - 0.97 * passed(t))
        }];
    let shear = |t: f64| 0.4 * ramp(t) * passed(t) * (1.0 - passed(t));
    let names = ["horizontal", "vertical", "diagonal"];
    let kinds = |f: &dyn Fn(usize, f64) -> f64| -> Vec<Trace> {
        let trace = |k: usize| Trace::new(names[k], time.clone(), along(&|t| f(k, t))).in_style(k);
        (0..3).map(trace).collect()
    };
    let mut force = kinds(&|k, t| forces[k](t));
    force.push(Trace::new("diagonal, tangential", time.clone(), along(&shear)).in_style(3));
    let turn = vec![Trace::new("", time.clone(), along(&angle)).in_style(4)];
    let ratio = kinds(&|k, t| stiffness * forces[k](t).abs() / gaps[k](t).powf(1.5));
    let regime = Axis::log("|δⁿ| / h").between(3e-4, 50.0).with_level(1.0, "Hertz", "Poiseuille");
    let panel = |axis: Axis, traces: Vec<Trace>| Panel { axis, traces };
    TimeSeriesFigure {
        x_label: "time t / τ".into(),
        steady_from: None,
        panels: vec![
            panel(Axis::log("gap h / R"), kinds(&|k, t| gaps[k](t))),
            panel(Axis::linear("angle θ / °"), turn),
            panel(Axis::linear("force / load"), force),
            panel(regime, ratio),
        ],
    }
}

/// How long four spheres take to change neighbours, in theory: the gap where the horizontal pair
/// leaves the Hertz regime is κ^(2/3).
fn duration(kappa: f64, gap: f64) -> f64 {
    let leaves = kappa.powf(2.0 / 3.0);
    let slow = (2.0 * kappa).powf(4.0 / 3.0) / 8.0 * (gap.powi(-2) - leaves.powi(-2));
    if gap < leaves { slow + (2.5 / leaves).ln() } else { (2.5 / gap).ln() }
}

/// Values with equal ratios; a single one is the lowest.
fn spread(count: usize, low: f64, high: f64) -> Vec<f64> {
    let step = (high / low).powf(1.0 / (count - 1).max(1) as f64);
    (0..count).map(|k| low * step.powi(k as i32)).collect()
}

/// Durations against gap and against force, from `forces` forces and `gaps` gaps over decades, of
/// which some runs failed.
pub fn durations(forces: usize, gaps: usize) -> FamilyFigure {
    let (kappas, widths) = (spread(forces, 1e-4, 0.1), spread(gaps, 1e-3, 0.8));
    let family = |j: usize, along: &[f64], law: &dyn Fn(f64) -> f64, full: &dyn Fn(f64) -> bool| {
        let done = along.iter().enumerate().filter(|(k, _)| (j + k) % 7 != 6);
        let x: Vec<f64> = done.map(|(_, x)| *x).collect();
        let dense = spread(300, along[0], along[along.len() - 1]);
        let measured = x.iter().map(|x| 1.3 * law(*x) + 3.0).collect();
        let filled = x.iter().map(|x| full(*x)).collect();
        let theory = dense.iter().map(|x| law(*x)).collect();
        Family::new(0.0, x, measured).with_filled(filled).with_theory(dense, theory)
    };
    let hertz = |kappa: f64, gap: f64| gap < kappa.powf(2.0 / 3.0);
    let by_force = kappas.iter().enumerate().map(|(j, &k)| Family {
        value: k,
        ..family(j, &widths, &|gap| duration(k, gap), &|gap| hertz(k, gap))
    });
    let by_gap = widths.iter().enumerate().map(|(j, &gap)| Family {
        value: gap,
        ..family(j, &kappas, &|k| duration(k, gap), &|k| hertz(k, gap))
    });
    let panel = |x: &str, parameter: &str, families: Vec<Family>| FamilyPanel {
        x: Axis::log(x),
        y: Axis::log("duration Δ / τ"),
        parameter: parameter.into(),
        families,
    };
    FamilyFigure {
        panels: vec![
            panel("initial gap h₀ / R", "κ", by_force.collect()),
            panel("force κ", "h₀ / R", by_gap.collect()),
        ],
        marks: ["Hertz visited".into(), "Poiseuille only".into()],
        theory: "theory".into(),
    }
}

/// How far two soft spheres that pass each other end from their first lines, over `columns` gaps
/// and `rows` capillary numbers: nothing where they hardly deform, and some runs failed.
pub fn deviations(columns: usize, rows: usize) -> MapFigure {
    let (xs, ys) = (spread(columns, 1e-7, 0.1), spread(rows, 1e-7, 0.1));
    let value = |x: f64, y: f64| match y / x {
        _ if y > 0.01 && x < 2e-6 => f64::NAN,
        ratio if ratio < 1e-2 => 1e-9,
        ratio => 0.3 * y.powf(0.4) * (ratio / (1.0 + ratio)).powf(0.5),
    };
    let values = ys.iter().flat_map(|y| xs.iter().map(|x| value(*x, *y))).collect();
    let ends = || vec![1e-8, 1.0];
    MapFigure {
        x: Axis::log("film thickness ε / R"),
        y: Axis::log("capillary number Ca"),
        values,
        xs,
        ys,
        label: "deviation Δ / R".into(),
        logarithmic: true,
        zero_below: Some((1e-8, "no deviation".into())),
        lines: vec![
            Line::new("Ca = ε", ends(), ends()),
            Line::new("Ca = 0.01 ε", ends(), vec![1e-10, 1e-2]),
        ],
    }
}

/// Paths about a sphere in shear: they come from the left, pass it and leave it a bit higher.
pub fn passes(count: usize) -> TrajectoryFigure {
    let along = |k: i32| -5.0 + 0.01 * f64::from(k);
    let path = |offset: f64| {
        let x: Vec<f64> = (0..=1000).map(along).collect();
        let height = |x: f64| {
            let far = offset + 0.08 * (1.0 + (1.5 * x).tanh());
            (far * far + 4.1 / (1.0 + (x / 2.0).powi(4))).sqrt()
        };
        let y = x.iter().map(|x| height(*x)).collect();
        Trajectory::new(format!("y₀ = {offset:.2}"), x, y)
    };
    let disc =
        |radius: f64, filled: bool, label: &str| Disc { radius, filled, label: label.into() };
    TrajectoryFigure {
        x: Axis::linear("flow x / R").between(-5.0, 5.0),
        y: Axis::linear("gradient y / R").between(-0.5, 2.5),
        discs: vec![disc(1.0, true, "sphere"), disc(2.0, false, "touching")],
        paths: (0..count).map(|k| path(0.05 + 0.2 * k as f64)).collect(),
        ..TrajectoryFigure::default()
    }
}

/// Discs in a square drum with a stone, some of them glued to the next one.
pub fn drum(count: usize) -> PictureFigure {
    let mut random = Pcg64::seed_from_u64(13);
    let radius = 0.4 / (count as f64).sqrt();
    let discs: Vec<SceneDisc> = (0..count)
        .map(|_| [0, 0, 0].map(|_| random.random_range(-0.9..0.9)))
        .map(|centre| SceneDisc {
            centre,
            radius,
            group: usize::from(centre[0] > 0.0),
            strength: 1.0,
        })
        .collect();
    let flat = |disc: &SceneDisc| [disc.centre[0], disc.centre[1]];
    let tube = |(k, pair): (usize, &[SceneDisc])| Tube {
        from: flat(&pair[0]),
        to: flat(&pair[1]),
        value: (k % 3 > 0).then_some(k as f64 / count as f64),
    };
    let square = vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let stone = vec![[0.0, -0.3], [0.4, -0.5], [0.1, 0.2]];
    let scene = Scene {
        view: View { low: [-1.1; 2], high: [1.1; 2] },
        tubes: discs.windows(2).enumerate().map(tube).collect(),
        discs,
        bodies: vec![Body::Wall { path: square, closed: true }, Body::Solid(vec![stone])],
        ..Scene::default()
    };
    PictureFigure {
        panels: vec![(String::new(), scene)],
        colouring: Colouring::Halves,
        key: vec!["at first left".into(), "at first right".into()],
        scale: Some(Axis::linear("−γ / μ").between(0.0, 1.0)),
        note: "t = 1.5".into(),
        side: 700,
    }
}
