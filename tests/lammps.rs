//! Snapshots and inputs of LAMMPS: what they are compared with, and what is written for it.
//!
//! The files in `tests/reference/lammps` were written by LAMMPS (6 Jan 2022): 200 spheres, equal or
//! 1:1.4, sheared at a Stokes number of 0.01 with films and springs, and without friction.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{json, said, scratch, zerostokes};
use zerostokes::analysis::mobility::overrides;
use zerostokes::record::lammps_input::read_lammps_input;
use zerostokes::record::{
    Configuration, Format, WhichFrame, read_columns, read_frame, visit_frames,
};

/// Films like those of LAMMPS, with other factors.
const TRUNCATED: &str = "--set lubrication.hydrodynamics=lubrication --set contact.stiffness=2e4 \
                         --set lubrication.cutoff=truncated --set lubrication.inner_gap=0.01";

fn lammps(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/lammps").join(name)
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
    let told = said(&directory, &(command + " --force --set contact.friction=0.5"));
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
fn with_its_own_law_lammps_differs_by_its_inertia_alone() {
    let directory = scratch("lammps-law");
    // Of a dense solve of LAMMPS's laws by another program: distance of the velocities, viscosity
    // and pressure in each of the three frames.
    for (name, reference) in [
        (
            "mono",
            [
                [0.008491238357848725, 5.5853981345700525, 1.437240742262756],
                [0.003710870274040957, 5.913417687133111, 2.8184520461792926],
                [0.028412248241354392, 5.738936818004527, 1.835089951884551],
            ],
        ),
        (
            "bi",
            [
                [0.0035117768949390134, 7.89049764673289, 2.0733271674236198],
                [0.0033419034426536947, 10.486808257837614, 6.319557655606503],
                [0.009569484191963098, 8.440718095284316, 4.306787089007108],
            ],
        ),
    ] {
        let [dump, input] =
            [format!("{name}_St1e-2.dump"), format!("{name}.in")].map(|f| lammps(&f));
        let given = "--lammps-var kn=2e4 --lammps-var xmu=0 --lammps-var hin=0.01";
        let files = format!("{} --lammps-input {}", dump.display(), input.display());
        said(&directory, &format!("mobility {files} {given} --out {name}"));
        let rows = read_columns(&directory.join(name).join("frames.csv")).unwrap();
        let column = |name: &str| rows.column(name).unwrap();
        for (k, [rms, viscosity, pressure]) in reference.into_iter().enumerate() {
            // The reference has the mean difference in it.
            assert!((column("velocity_rms")[k] / rms - 1.0).abs() < 0.05, "{name} {k}");
            assert!((column("relative_viscosity")[k] / viscosity - 1.0).abs() < 1e-7, "{name} {k}");
            assert!((column("particle_pressure")[k] / pressure - 1.0).abs() < 1e-7, "{name} {k}");
            // The default law is farther off than inertia, for most particles.
            assert!(column("law_rms")[k] > 3.0 * column("velocity_median")[k], "{name} {k}");
        }
    }
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
