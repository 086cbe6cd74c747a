//! `zerostokes mobility`: frames of one's own balance where they are, and what is told of frames of
//! other programs.
//!
//! The files in `tests/reference/lammps` were written by LAMMPS (6 Jan 2022): 200 spheres, equal or
//! 1:1.4, sheared at a Stokes number of 0.01 with films and springs, and without friction.

mod common;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{complaint, scratch, zerostokes};
use zerostokes::analysis::mobility::overrides;
use zerostokes::record::lammps_input::read_lammps_input;
use zerostokes::record::{
    Configuration, Format, WhichFrame, read_columns, read_frame, visit_frames,
};

/// Films like those of LAMMPS, with other factors.
const TRUNCATED: &str = "--set lubrication.hydrodynamics=lubrication --set contact.stiffness=2e4 \
                         --set lubrication.cutoff=truncated --set lubrication.inner_gap=0.01";

/// What a command prints, if it succeeds.
fn said(directory: &Path, command: &str) -> String {
    let out = zerostokes(directory, command);
    assert!(out.status.success(), "{command}: {}", complaint(&out));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn lammps(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/lammps").join(name)
}

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
    // Films are undeflected at the beginning, and particles go with the flow.
    let first = usize::from(text.contains("[soft]") || text.contains("[rough]"));
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
    let shipped = program::shipped("suspension.toml");
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
fn the_spin_that_lammps_adds_is_taken_off_and_told() {
    let directory = scratch("lammps-spin");
    let command = format!("mobility {} {TRUNCATED} --out a", lammps("mono_St1e-2.dump").display());
    let told = said(&directory, &command);
    let summary = json(&directory.join("a/summary.json"));
    let excess = summary["comparison"]["lammps_spin"].as_f64().unwrap();
    assert!((excess + 0.5 * (12.794388617850085 - 1.0)).abs() < 1e-12, "{excess}");
    let spin = &summary["comparison"]["spin"];
    assert!(spin["rms"].as_f64().unwrap() < 0.5, "{spin}");
    assert!(told.contains("with friction its results would be wrong"), "{told}");
    let told = said(&directory, &(command.clone() + " --force --set contact.friction=0.5"));
    assert!(told.contains("with friction, as here, its results are wrong"), "{told}");
    // A flow that turns as it should is left alone.
    let text = fs::read_to_string(lammps("mono_St1e-2.dump")).unwrap();
    let mut right = String::new();
    for line in text.lines() {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if words.len() == 12 {
            words[11] = (words[11].parse::<f64>().unwrap() - excess).to_string();
        }
        right += &(words.join(" ") + "\n");
    }
    fs::write(directory.join("right.dump"), right).unwrap();
    said(&directory, &format!("mobility right.dump {TRUNCATED} --out b"));
    let other = json(&directory.join("b/summary.json"));
    assert!(other["comparison"]["lammps_spin"].is_null());
    let rms = |spin: &serde_json::Value| spin["rms"].as_f64().unwrap();
    assert!((rms(&other["comparison"]["spin"]) / rms(spin) - 1.0).abs() < 1e-6);
}

#[test]
fn all_frames_have_rows_means_and_differences_to_look_at() {
    let directory = scratch("all-frames");
    let dump = lammps("mono_St1e-2.dump");
    said(&directory, &format!("mobility {} {TRUNCATED} --out all", dump.display()));
    let rows = read_columns(&directory.join("all/frames.csv")).unwrap();
    assert_eq!(rows.column("time").unwrap(), [40000.0, 100000.0, 200000.0]);
    let summary = json(&directory.join("all/summary.json"));
    let means = &summary["means"];
    for (name, key) in [
        ("velocity_rms", "velocity_rms"),
        ("law_rms", "law_rms"),
        ("relative_viscosity", "relative_viscosity"),
    ] {
        let mean = rows.column(name).unwrap().iter().sum::<f64>() / 3.0;
        assert!((means[key].as_f64().unwrap() / mean - 1.0).abs() < 1e-12, "{name}");
    }
    // Laws that differ from LAMMPS's by 6 to 8 % (its Stokes number makes 0.3 to 1 %).
    let rms = rows.column("velocity_rms").unwrap();
    assert!(rms.iter().all(|x| (0.05..0.09).contains(x)), "{rms:?}");
    let median = rows.column("velocity_median").unwrap();
    assert!(median.iter().zip(rms).all(|(median, rms)| median < rms));
    // The summary is that of the last frame, and one frame alone is the same.
    let of = |summary: &serde_json::Value| summary["relative_viscosity"].as_f64().unwrap();
    assert_eq!(of(&summary), rows.column("relative_viscosity").unwrap()[2]);
    said(&directory, &format!("mobility {} {TRUNCATED} --frame 2 --out two", dump.display()));
    let second = json(&directory.join("two/summary.json"));
    assert_eq!(of(&second), rows.column("relative_viscosity").unwrap()[1]);
    assert!(second["means"].is_null());
    // Frames for OVITO: the difference of every particle, whose root mean square is the one told.
    let mut frames = 0;
    visit_frames(&directory.join("all/differences.extxyz"), |frame| {
        frames += 1;
        assert_eq!((frame.len(), frame.ids[0]), (200, 1));
        Ok(())
    })
    .unwrap();
    let text = fs::read_to_string(directory.join("all/differences.extxyz")).unwrap();
    let kinds = "difference:R:3:difference_size:R:1:spin_difference:R:3:law_difference:R:3:\
                 law_difference_size:R:1";
    assert_eq!((frames, text.matches(kinds).count()), (3, 3));
    let size = |line: &str| line.split_whitespace().nth(15).unwrap().parse::<f64>().unwrap();
    let square: f64 = text.lines().skip(2).take(200).map(|line| size(line).powi(2)).sum();
    assert!(((square / 200.0).sqrt() / rms[0] - 1.0).abs() < 1e-9);
    let worst = summary["worst_particles"][0]["difference"].as_f64().unwrap();
    let largest = summary["comparison"]["velocity"]["largest_without_mean"].as_f64().unwrap();
    assert!((worst / largest - 1.0).abs() < 1e-12);
}

/// The overrides of an input with the variables of the run that wrote the dump.
fn set_by(input: &str, dump: &str) -> (Vec<String>, Vec<String>) {
    let given = [("kn", "2e4"), ("xmu", "0.0"), ("hin", "0.01"), ("St", "0.01")];
    let given: Vec<_> = given.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let read = read_frame(&lammps(dump), WhichFrame::Last).unwrap();
    overrides(&read_lammps_input(&lammps(input), &given).unwrap(), &read).unwrap()
}

#[test]
fn the_laws_of_an_input_of_lammps_are_overrides_of_a_case() {
    for (input, dump, law) in [
        ("mono.in", "mono_St1e-2.dump", "lammps-lubricate"),
        ("bi.in", "bi_St1e-2.dump", "lammps-lubricate-poly"),
    ] {
        let (set, notes) = set_by(input, dump);
        let expected = [
            "fluid.viscosity=1.0".to_owned(),
            "drive.rate=1.0".to_owned(),
            format!("lubrication.hydrodynamics=\"{law}\""),
            "lubrication.inner_gap=0.01".to_owned(),
            "lubrication.outer_gap=0.5".to_owned(),
            "contact.enabled=true".to_owned(),
            "contact.stiffness=20000.0".to_owned(),
            format!("contact.tangential_ratio={:?}", 2.0 / 7.0),
            "contact.friction=0.0".to_owned(),
        ];
        assert_eq!(set, expected);
        assert_eq!(notes, ["its Stokes number ργ̇a²/μ is 1.000e-2"]);
    }
    // Cut-offs of types that are not gaps of their own.
    let read = read_frame(&lammps("bi_St1e-2.dump"), WhichFrame::Last).unwrap();
    let directory = scratch("lammps-input");
    let path = directory.join("in");
    fs::write(&path, "pair_style lubricate/poly 1.0 1 1 2.01 2.5 1 0\npair_coeff * *\n").unwrap();
    let error = overrides(&read_lammps_input(&path, &[]).unwrap(), &read).unwrap_err();
    assert!(
        error.contains("between types 1 and 1 are cut off at gaps 0.010000 and 0.5"),
        "{error}"
    );
    let untyped = Configuration { types: Vec::new(), ..read };
    let error = overrides(&read_lammps_input(&path, &[]).unwrap(), &untyped).unwrap_err();
    assert!(error.contains("one type per size"), "{error}");
}

#[test]
fn compressed_files_are_read_whatever_they_are_called() {
    use std::io::Write;
    let directory = scratch("compressed");
    let plain = fs::read(lammps("bi_St1e-2.dump")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).unwrap();
    let fastest = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(&plain[..], fastest);
    let expected = read_frame(&lammps("bi_St1e-2.dump"), WhichFrame::Number(2)).unwrap();
    for (name, bytes) in [("dump.gz", gzip.finish().unwrap()), ("named.as.any", zstd)] {
        fs::write(directory.join(name), bytes).unwrap();
        let read = read_frame(&directory.join(name), WhichFrame::Number(2)).unwrap();
        assert_eq!(read, expected);
        assert_eq!((read.format, read.types[0]), (Format::LammpsDump, expected.types[0]));
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
    let shipped = program::shipped("suspension.toml");
    said(&directory, &format!("mobility two.extxyz {} --out b", shipped.display()));
    said(&directory, "mobility two.extxyz --out c");
}

#[test]
fn what_is_exported_for_lammps_has_a_type_per_size_and_the_laws_of_the_case() {
    let directory = scratch("export-input");
    said(&directory, "pack -n 60 -p 0.4 --radii 0.5,0.7 -o packing.extxyz");
    let set = "--set lubrication.inner_gap=0.02 --set lubrication.outer_gap=0.4 \
               --set contact.stiffness=1e4 --set contact.friction=0.5 --set drive.rate=2";
    said(&directory, &format!("export packing.extxyz --format lammps-data -o p.data {set}"));
    let read = read_frame(&directory.join("p.data"), WhichFrame::Last).unwrap();
    let kinds = read.types.iter().zip(&read.radii);
    assert!(kinds.clone().all(|(kind, radius)| *kind == if *radius < 0.6 { 1 } else { 2 }));
    assert_eq!(kinds.map(|(kind, _)| kind).max(), Some(&2));
    let input = read_lammps_input(&directory.join("p.in"), &[]).unwrap();
    let (found, notes) = overrides(&input, &read).unwrap();
    for expected in [
        "drive.rate=2.0",
        "lubrication.hydrodynamics=\"lammps-lubricate-poly\"",
        "lubrication.inner_gap=0.02",
        "lubrication.outer_gap=0.4",
        "contact.stiffness=10000.0",
        "contact.friction=0.5",
    ] {
        assert!(found.iter().any(|set| set == expected), "{expected}: {found:?}");
    }
    assert_eq!(notes, ["its Stokes number ργ̇a²/μ is 1.000e-2"]);
    let again = zerostokes(&directory, "export packing.extxyz --format lammps-data -o p.data");
    assert_eq!(again.status.code(), Some(2));
    // Equal spheres have the style for them.
    said(&directory, "pack -n 30 -p 0.3 --radii 1 -o equal.extxyz");
    said(&directory, "export equal.extxyz --format lammps-data -o q.data");
    let equal = read_lammps_input(&directory.join("q.in"), &[]).unwrap();
    assert!(!equal.lubricate.unwrap().poly);
}
