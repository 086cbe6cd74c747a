//! `zerostokes mobility`: frames of one's own balance where they are, and what cannot be compared
//! is not.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use program::{complaint, json, said, scratch, shipped, zerostokes};
use zerostokes::record::read_columns;

const DENSE: &str = "[particles]\ncount = 40\nvolume_fraction = 0.5\n[drive]\nstrain = 0.8\n\
                     [output]\nframes = 0.2\n";

/// Runs a case and balances all its frames; the largest differences of velocities and spins.
fn own_frames(directory: &Path, text: &str, set: &str) -> [f64; 2] {
    fs::write(directory.join("case.toml"), text).unwrap();
    said(directory, &format!("run case.toml --out run --quiet --force {set}"));
    let told = said(directory, "mobility run --out balance --force");
    let rows = read_columns(&directory.join("balance/frames.csv")).unwrap();
    let frames = fs::read_to_string(directory.join("run/frames.extxyz")).unwrap();
    assert_eq!(rows.rows(), frames.matches("Lattice=").count(), "{told}");
    // Films are undeflected and masses at rest at the beginning: particles go with the flow.
    let still = ["[soft]", "[rough]", "[inertia]"].iter().any(|table| text.contains(table));
    let first = usize::from(still);
    ["velocity_largest", "spin_rms"].map(|name| {
        let column = &rows.column(name).unwrap()[first..];
        assert!(column.iter().all(|x| x.is_finite()), "{name} {column:?} {told}");
        column.iter().copied().fold(0.0, f64::max)
    })
}

#[test]
fn frames_of_ones_own_balance_where_they_are() {
    let directory = scratch("own-frames");
    for (name, set, bound) in [
        ("no friction", "--set contact.stiffness=1e4", 1e-6),
        ("automatic stiffness", "", 1e-6),
        ("friction", "--set contact.friction=0.5", 1e-4),
        ("another rate", "--set drive.rate=-2.5 --set contact.friction=0.5", 1e-4),
        ("two-body", "--set lubrication.hydrodynamics=two-body", 1e-6),
    ] {
        let found = own_frames(&directory, DENSE, set);
        assert!(found.iter().all(|x| *x < bound), "{name}: {found:?}");
        let contacts = json(&directory.join("balance/summary.json"))["contacts"].as_u64().unwrap();
        assert!(contacts > 5, "{name}: {contacts} contacts");
    }
    // A law of another stiffness moves them otherwise.
    let told = said(&directory, "mobility run --set contact.stiffness=1e3 --out other");
    let summary = json(&directory.join("other/summary.json"));
    assert!(summary["comparison"]["velocity"]["rms"].as_f64().unwrap() > 1e-3, "{told}");
}

#[test]
fn frames_balance_whatever_is_imposed() {
    let directory = scratch("own-frames-imposed");
    let dense = |drive: &str| DENSE.replace("[drive]\nstrain = 0.8\n", drive);
    for (name, drive) in [
        ("stress", "[drive]\nstress = 20.0\nstrain = 0.2\n"),
        (
            "oscillation",
            "[drive]\noscillation = { amplitude = 0.3, frequency = 0.2, cycles = 1 }\n",
        ),
        (
            "phases",
            "[[drive.phase]]\nrate = 1.0\nstrain = 0.15\n[[drive.phase]]\nrate = -1.0\nstrain = 0.15\n",
        ),
        ("extension", "[drive]\nflow = \"extension\"\nstrain = 0.2\n"),
    ] {
        let found = own_frames(&directory, &dense(drive), "--set contact.friction=0.5");
        assert!(found.iter().all(|x| *x < 1e-4), "{name}: {found:?}");
    }
}

#[test]
fn frames_of_soft_and_rough_particles_balance_with_their_films() {
    let directory = scratch("own-films");
    for (name, law) in [
        ("rough", "[rough]\nroughness = 0.01\nfriction = 0.3\nstiffness = 1e4\n"),
        ("soft", "[soft]\nmodulus = 1e3\n"),
    ] {
        let text = DENSE.replace("0.8", "0.04").replace("0.2", "0.02") + law;
        let found = own_frames(&directory, &text, "");
        assert!(found.iter().all(|x| *x < 1e-4), "{name}: {found:?}");
        // A frame without its run has no films.
        fs::copy(directory.join("run/frames.extxyz"), directory.join("alone.extxyz")).unwrap();
        let alone = zerostokes(&directory, "mobility alone.extxyz run/case.toml --out alone");
        assert_eq!(alone.status.code(), Some(2));
        assert!(complaint(&alone).contains("name its directory"), "{}", complaint(&alone));
    }
}

#[test]
fn particles_with_a_mass_differ_by_their_inertia() {
    let directory = scratch("own-inertia");
    // Explicit steps, and implicit ones that are much longer than a mass takes to stop.
    for (scheme, stokes, ratio) in
        [("verlet", [0.3, 0.03], 4.0..25.0), ("implicit", [0.3, 0.003], 10.0..1000.0)]
    {
        let medians = stokes.map(|stokes| {
            let law = "[contact]\nstiffness = 1e4\n[lubrication]\ninner_gap = 0.02\n";
            let mass = format!("[inertia]\nscheme = \"{scheme}\"\nstokes = {stokes}\n");
            own_frames(&directory, &(DENSE.replace("0.8", "0.2") + law + &mass), "");
            said(&directory, "mobility run --frames last --out last --force");
            let last = read_columns(&directory.join("last/frames.csv")).unwrap();
            assert_eq!((last.rows(), last.column("frame").unwrap()[0] as usize), (1, 2));
            last.column("velocity_median").unwrap()[0]
        });
        let found = medians[0] / medians[1];
        assert!(medians[0] < 0.2 && ratio.contains(&found), "{scheme}: {medians:?}");
    }
}

#[test]
fn asking_for_frames_changes_nothing_else() {
    let directory = scratch("frames-aside");
    fs::write(directory.join("case.toml"), DENSE).unwrap();
    let states = ["0", "0.02"].map(|frames| {
        let set = format!("--set contact.friction=0.5 --set output.frames={frames}");
        said(&directory, &format!("run case.toml --out run --quiet --force {set}"));
        let rows = fs::read_to_string(directory.join("run/timeseries.csv")).unwrap();
        let checkpoint = json(&directory.join("run/checkpoint.json"));
        (rows, checkpoint["state"]["suspension"].clone())
    });
    assert!(states[0] == states[1], "frames changed the run");
    assert!(directory.join("run/pair_memory.csv").exists());
}

#[test]
fn what_has_no_velocities_of_its_instant_is_not_compared() {
    let directory = scratch("not-compared");
    said(&directory, "pack -n 40 -p 0.3 -o packing.extxyz");
    let told = said(&directory, "mobility packing.extxyz --out a");
    assert!(told.contains("not compared: the file has no velocities"), "{told}");
    // As older versions wrote them: at rest in the flow, or not at all.
    let text = fs::read_to_string(directory.join("packing.extxyz")).unwrap();
    for (name, velocity) in [("zero", false), ("flow", true)] {
        let mut lines = text.lines();
        let (count, comment) = (lines.next().unwrap(), lines.next().unwrap());
        let comment = comment.replace("radius:R:1", "radius:R:1:velo:R:3:omega:R:3");
        let mut written = format!("{count}\n{comment}\n");
        for line in lines {
            let y = line.split_whitespace().nth(2).unwrap();
            written += &match velocity {
                true => format!("{line} {y} 0 0 0 0 -0.5\n"),
                false => format!("{line} 0 0 0 0 0 0\n"),
            };
        }
        fs::write(directory.join(format!("{name}.extxyz")), written).unwrap();
        let told = said(&directory, &format!("mobility {name}.extxyz --out {name}"));
        assert!(
            told.contains("not compared: ") && told.contains("before the first step"),
            "{told}"
        );
        let summary = json(&directory.join(name).join("summary.json"));
        assert!(summary["comparison"].is_null() && summary["relative_viscosity"].is_f64());
    }
    let gluey = "[particles]\ncount = 20\nvolume_fraction = 0.2\n[gluey]\n[drive]\nstrain = 0.02\n\
                 [output]\nframes = 0.01\n";
    fs::write(directory.join("gluey.toml"), gluey).unwrap();
    said(&directory, "run gluey.toml --out gluey --quiet");
    let shipped = shipped("suspension.toml");
    let told = said(&directory, &format!("mobility gluey {} --out b", shipped.display()));
    assert!(told.contains("not compared: its velocities are means over a step"), "{told}");
}

/// Positions rounded to so many decimals.
fn rounded(text: &str, decimals: usize) -> String {
    let round = |(k, line): (usize, &str)| {
        if k < 2 {
            return line.to_owned();
        }
        let words = line.split_whitespace().enumerate().map(|(k, word)| match k {
            1..=3 => format!("{:.decimals$}", word.parse::<f64>().unwrap()),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().enumerate().map(|line| round(line) + "\n").collect()
}

#[test]
fn the_noise_of_digits_is_what_rounding_does() {
    let directory = scratch("noise");
    let text = DENSE.replace("frames = 0.2", "frames = 0.8");
    let exact = own_frames(&directory, &text, "--set contact.stiffness=1e4");
    assert!(exact[0] < 1e-6);
    let frames = fs::read_to_string(directory.join("run/frames.extxyz")).unwrap();
    let last = frames.lines().skip(42).map(|line| format!("{line}\n")).collect::<String>();
    for decimals in [4, 6] {
        fs::write(directory.join("rounded.extxyz"), rounded(&last, decimals)).unwrap();
        let case = "run/case.toml --out rounded --force";
        let told = said(&directory, &format!("mobility rounded.extxyz {case}"));
        let compared = &json(&directory.join("rounded/summary.json"))["comparison"];
        let [rms, noise] =
            [&compared["velocity"]["rms"], &compared["noise"]].map(|x| x.as_f64().unwrap());
        assert!(rms < 3.0 * noise && noise < 10.0 * rms, "{rms} {noise} {told}");
        assert!(told.contains("as large as the difference"), "{told}");
    }
}

#[test]
fn a_case_needs_no_particles_and_gaps_are_in_radii() {
    let directory = scratch("no-particles");
    // Two spheres of radius 0.5, 0.05 apart.
    let text = "2\nLattice=\"8 0 0 0 8 0 0 0 8\" pbc=\"T T T\" Properties=pos:R:3:radius:R:1\n\
                1.0 1.0 1.0 0.5\n2.05 1.0 1.0 0.5\n";
    fs::write(directory.join("two.extxyz"), text).unwrap();
    fs::write(directory.join("law.toml"), "[lubrication]\ninner_gap = 0.01\n").unwrap();
    let told = said(&directory, "mobility two.extxyz law.toml --out a");
    assert!(told.contains("smallest gap 1.000e-1 a") && told.contains("a = 0.5 there"), "{told}");
    let summary = json(&directory.join("a/summary.json"));
    assert!((summary["smallest_gap"].as_f64().unwrap() - 0.1).abs() < 1e-12);
    let pairs = read_columns(&directory.join("a/pairs.csv")).unwrap();
    assert!((pairs.column("gap").unwrap()[0] - 0.05).abs() < 1e-12);
    // The same with a case that draws particles of its own, and with none.
    let shipped = shipped("suspension.toml");
    said(&directory, &format!("mobility two.extxyz {} --out b", shipped.display()));
    said(&directory, "mobility two.extxyz --out c");
}
