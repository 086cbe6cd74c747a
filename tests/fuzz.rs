//! Ten thousand damaged files: each is read, or refused with a message. Nothing panics, hangs or
//! takes the memory of the machine.
//!
//! Files of the repository are mutated with random numbers of a fixed seed, so that a failure
//! repeats; `ZEROSTOKES_FUZZ=SEED` tries others. Files that once found a defect are in
//! `tests/fuzz` and are tried as they are.

#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use mutate::mutated;
use program::scratch;
use zerostokes::case::Case;
use zerostokes::record::{Existing, Launch, WhichFrame, read_frame};
use zerostokes::run::Run;
use zerostokes::study;
use zerostokes::sweep::Sweep;

/// No file takes longer to be read or refused.
const LONGEST: Duration = Duration::from_secs(20);

/// Memory that the whole test may take at most `[bytes]`.
const MEMORY: u64 = 2 << 30;

/// Cases of more particles are begun with this many.
const FEW: usize = 40;

fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder of the repository");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files
        .retain(|path| path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)));
    files.sort();
    files
}

fn seed() -> u64 {
    let given = std::env::var("ZEROSTOKES_FUZZ").ok();
    given.map_or(1, |text| text.parse().expect("ZEROSTOKES_FUZZ is a whole number"))
}

/// Tries mutations of some files, spread over threads.
fn fuzz(what: &str, originals: &[PathBuf], count: u64, attempt: impl Fn(&Path, &[u8]) + Sync) {
    let texts: Vec<Vec<u8>> = originals.iter().map(|path| fs::read(path).unwrap()).collect();
    let here = scratch(&format!("fuzz-{what}"));
    let faults: Vec<String> = (0..count)
        .into_par_iter()
        .filter_map(|number| {
            let index = number as usize % originals.len();
            let bytes = mutated(&texts, index, seed().wrapping_mul(1 << 32) + number);
            let name = originals[index].file_name().unwrap().to_string_lossy();
            let path = here.join(format!("{number}-{name}"));
            fs::write(&path, &bytes).unwrap();
            let fault = tried(&path, &bytes, &attempt);
            if fault.is_none() {
                fs::remove_file(&path).unwrap();
            }
            fault.map(|why| format!("{}: {why}", path.display()))
        })
        .collect();
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    fs::remove_dir_all(&here).unwrap();
    assert!(peak_memory() < MEMORY, "{} bytes", peak_memory());
}

/// What is wrong with how a file is dealt with, if anything.
fn tried(path: &Path, bytes: &[u8], attempt: &(impl Fn(&Path, &[u8]) + Sync)) -> Option<String> {
    let began = Instant::now();
    let attempt = std::panic::AssertUnwindSafe(|| attempt(path, bytes));
    match catch_unwind(attempt) {
        Err(_) => Some("panicked".to_owned()),
        Ok(()) if began.elapsed() > LONGEST => Some(format!("took {:?}", began.elapsed())),
        Ok(()) => None,
    }
}

/// The most memory that this process ever had `[bytes]`; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.map_or(0, |kilobytes| kilobytes * 1024)
}

/// A case is checked and begun.
fn attempt_case(path: &Path, _bytes: &[u8]) {
    let Ok(case) = Case::read(path, &[]) else { return };
    let mut study = study::of(&case);
    let _ = study.meaning(&case);
    let again = Case::from_text(&case.to_toml(), path, &[]);
    assert!(again.is_ok(), "what was resolved does not read back: {:?}", again.err());
    let many = case.particles.count.is_some_and(|count| count > FEW);
    let fewer = if many { vec![format!("particles.count={FEW}")] } else { Vec::new() };
    let Ok(case) = Case::read(path, &fewer) else { return };
    let Ok(mut state) = study.initial(&case) else { return };
    let mut stepper = study.stepper(&case, &state);
    for _ in 0..2 {
        if study.step(&mut stepper, &mut state, study.end(&case)).is_err() {
            return;
        }
    }
}

fn attempt_sweep(path: &Path, _bytes: &[u8]) {
    if let Ok(sweep) = Sweep::read(path) {
        let _ = sweep.describe(0);
    }
}

fn attempt_snapshot(path: &Path, _bytes: &[u8]) {
    for which in [WhichFrame::Last, WhichFrame::Number(1)] {
        let _ = read_frame(path, which);
    }
}

#[test]
fn damaged_cases_are_read_or_refused() {
    let mut cases = files("cases", &["toml"]);
    cases.extend(files("tests/bad", &["toml"]));
    cases.retain(|path| !program::is_sweep(path));
    fuzz("cases", &cases, 5000, attempt_case);
}

#[test]
fn damaged_sweeps_are_read_or_refused() {
    let mut sweeps = files("cases", &["toml"]);
    sweeps.retain(|path| program::is_sweep(path));
    sweeps.extend(files("tests/bad_sweeps", &["toml"]));
    fuzz("sweeps", &sweeps, 1500, attempt_sweep);
}

#[test]
fn damaged_snapshots_are_read_or_refused() {
    let snapshots = files("tests/reference/formats", &["dump", "data", "dat", "txt", "extxyz"]);
    fuzz("snapshots", &snapshots, 3000, attempt_snapshot);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let here = scratch("fuzz-checkpoint");
    let text = "[particles]\ncount = 30\nvolume_fraction = 0.3\n[contact]\nfriction = 0.5\n\
                [drive]\nstrain = 1\n";
    let case = Case::from_text(text, Path::new("case.toml"), &[]).unwrap();
    let launch = || Launch { seed: 1, threads: 1, command: Vec::new() };
    let run = here.join("run");
    let mut steps = 0;
    let mut begun = Run::open(case.clone(), &run, Existing::Keep, launch()).unwrap();
    begun
        .advance(|_, _| {
            steps += 1;
            steps == 3
        })
        .unwrap();
    drop(begun);
    let whole = run.join("checkpoint.json");
    fuzz("checkpoints", std::slice::from_ref(&whole), 500, |path, bytes| {
        let damaged = path.with_extension("run");
        fs::create_dir_all(&damaged).unwrap();
        for file in ["case.toml", "timeseries.csv", "frames.extxyz", "manifest.json"] {
            let _ = fs::copy(run.join(file), damaged.join(file));
        }
        fs::write(damaged.join("checkpoint.json"), bytes).unwrap();
        let same = bytes == fs::read(&whole).unwrap();
        let opened = Run::open(case.clone(), &damaged, Existing::Keep, launch());
        assert!(opened.is_err() || same, "a damaged checkpoint was taken up");
        fs::remove_dir_all(&damaged).unwrap();
    });
    fs::remove_dir_all(&here).unwrap();
}

#[test]
fn files_that_once_found_a_defect_are_read_or_refused() {
    let mut found = files("tests/fuzz", &["toml", "dump", "data", "dat", "txt", "extxyz"]);
    assert!(found.len() >= 5, "only {} files in tests/fuzz", found.len());
    found.sort();
    for path in found {
        let bytes = fs::read(&path).unwrap();
        let fault = match path.extension().is_some_and(|e| e == "toml") {
            true => tried(&path, &bytes, &attempt_case),
            false => tried(&path, &bytes, &attempt_snapshot),
        };
        assert_eq!(fault, None, "{}", path.display());
    }
}
