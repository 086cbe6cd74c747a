//! What a user types, gets and is told.

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeSet;

use program::{complaint, is_sweep, scratch, shipped, write_case, zerostokes};
use zerostokes::case::Case;

#[test]
fn every_shipped_case_is_valid() {
    let here = scratch("shipped");
    for entry in std::fs::read_dir(shipped("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") || is_sweep(&path) {
            continue;
        }
        let done = zerostokes(&here, &format!("check {}", path.display()));
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{}: {}", path.display(), complaint(&done));
        let resolved = Case::read(&path, &[]).unwrap();
        let words: &[&str] = match (resolved.study.name, resolved.laws.soft) {
            ("suspension", None) if resolved.laws.gluey.is_some() => &["box", "force scale"],
            ("suspension", None) => &["box", "force scale", "stiffness"],
            ("suspension", Some(_)) => &["box", "force scale", "softness"],
            ("t1", _) => &["softness", "regime", "expected duration"],
            ("soft-pair", _) => &["softness", "regimes meet", "expected end"],
            ("settle", _) => &["roughness", "equilibrium", "expected end"],
            ("pair-shear", _) => &["roughness", "stiffness", "expected end"],
            ("collision", _) => &["impact", "smallest approach", "St_c"],
            ("gluey-plane", _) => &["expected hit", "expected unstick"],
            (other, _) => panic!("{other}"),
        };
        for word in words.iter().chain(&["particles", "expected cost", "resolved"]) {
            assert!(said.contains(word), "{}: no {word} in {said}", path.display());
        }
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_case_in_metres_is_told_in_metres() {
    let here = scratch("metres");
    write_case(&here, 60, 0.1, "[output]\ninterval = 0.05\n");
    let set = "--set particles.radii=[1e-6,1.4e-6]";
    let checked = zerostokes(&here, &format!("check case.toml {set}"));
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(said.contains("radii 1.000×10⁻⁶ to 1.400×10⁻⁶"), "{said}");
    assert!(said.contains("box                 9.0"), "{said}");
    let few = zerostokes(&here, &format!("check case.toml {set} --set particles.count=8"));
    assert!(complaint(&few).contains("its shortest edge is 4."), "{}", complaint(&few));
    // Gaps are in radii, whatever the unit of length.
    let gap = |set: &str, out: &str| {
        let run = zerostokes(&here, &format!("run case.toml --out {out} {set}"));
        let told = complaint(&run);
        let gap = told.split("gap ").nth(1).and_then(|rest| rest.split_whitespace().next());
        gap.and_then(|gap| gap.parse::<f64>().ok()).unwrap_or_else(|| panic!("{told}"))
    };
    let [small, plain] = [gap(set, "small"), gap("", "plain")];
    assert!((small - plain).abs() < 0.06 * plain.abs(), "{small} {plain}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_run_leaves_a_directory_that_others_can_read() {
    let here = scratch("run");
    let case = shipped("suspension.toml");
    let done = zerostokes(
        &here,
        &format!(
            "run {} --out out --set particles.count=60 --set drive.strain=1 \
             --set output.contacts=true --set lubrication.outer_gap=0.3",
            case.display()
        ),
    );
    assert!(done.status.success(), "{}", complaint(&done));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    for words in ["relative viscosity", "particle pressure", "per unit of strain", "time goes into"]
    {
        assert!(said.contains(words), "no {words} in {said}");
    }
    let files: BTreeSet<String> = std::fs::read_dir(here.join("out"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    for file in [
        "case.toml",
        "manifest.json",
        "timeseries.csv",
        "summary.json",
        "frames.extxyz",
        "contacts.csv",
        "checkpoint.json",
        "timeseries.svg",
        "timeseries.png",
    ] {
        assert!(files.contains(file), "{file} is missing from {files:?}");
    }
    let text = std::fs::read_to_string(here.join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    for key in ["relative_viscosity", "particle_pressure", "n1", "n2"] {
        assert!(summary[key]["mean"].is_f64() && summary[key]["stderr"].is_f64(), "{key}: {text}");
    }
    for key in ["max_overlap", "steps", "solves", "wall_seconds", "worst_force_residual"] {
        assert!(summary[key].is_number(), "{key}: {text}");
    }
    for stage in ["neighbours", "laws", "solve", "measure", "advance"] {
        assert!(summary["stage_seconds"][stage].as_f64() > Some(0.0), "{stage}: {text}");
    }
    assert!(summary["worst_force_residual"].as_f64().unwrap() <= 1e-6);
    assert!(summary["worst_friction_residual"].as_f64().unwrap() <= 2e-2);
    assert!(summary["worst_power_mismatch"].as_f64().unwrap() <= 1e-5);
    assert!(summary["max_overlap"].as_f64().unwrap() <= 0.01);
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_finished_run_is_not_overwritten() {
    let here = scratch("finished");
    write_case(&here, 60, 0.05, "[lubrication]\nouter_gap = 0.3\n");
    assert!(zerostokes(&here, "run case.toml --quiet --out out").status.success());
    let before = std::fs::read(here.join("out/timeseries.csv")).unwrap();
    let again = zerostokes(&here, "run case.toml --quiet --out out");
    assert_eq!(again.status.code(), Some(2));
    assert!(complaint(&again).contains("--force"), "{}", complaint(&again));
    let other = zerostokes(&here, "run case.toml --quiet --out out --set particles.seed=9");
    assert_eq!(other.status.code(), Some(2));
    assert!(complaint(&other).contains("another case"), "{}", complaint(&other));
    assert_eq!(before, std::fs::read(here.join("out/timeseries.csv")).unwrap());
    let forced =
        zerostokes(&here, "run case.toml --quiet --out out --set particles.seed=9 --force");
    assert!(forced.status.success());
    assert_ne!(before, std::fs::read(here.join("out/timeseries.csv")).unwrap());
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn what_cannot_be_set_up_leaves_nothing_behind() {
    let here = scratch("setup");
    write_case(&here, 60, 0.05, "");
    for (set, words) in [
        ("particles.volume_fraction=0.73", "volume fraction"),
        ("particles.count=8", "box is too small"),
        ("particles.volume_fraction=1.2", "volume_fraction"),
        ("particles.file=nowhere.extxyz", "nowhere.extxyz"),
        ("contact.frction=1", "did you mean `friction`"),
    ] {
        let done = zerostokes(&here, &format!("run case.toml --quiet --out out --set {set}"));
        assert_eq!(done.status.code(), Some(2), "{set}: {}", complaint(&done));
        assert!(complaint(&done).contains(words), "{set}: {}", complaint(&done));
        assert!(!here.join("out").exists(), "{set}");
    }
    let missing = zerostokes(&here, "run nowhere.toml");
    assert_eq!(missing.status.code(), Some(2));
    assert!(complaint(&missing).contains("nowhere.toml"));
    let usage = zerostokes(&here, "fly");
    assert_eq!(usage.status.code(), Some(2));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_case_changed_under_a_run_is_noticed() {
    let here = scratch("changed");
    write_case(&here, 60, 0.3, "[lubrication]\nouter_gap = 0.3\n[time]\nmax_steps = 20\n");
    let stopped = zerostokes(&here, "run case.toml --quiet --out out");
    assert_eq!(stopped.status.code(), Some(1), "not finished, so not 0");
    assert!(complaint(&stopped).contains("time.max_steps"), "{}", complaint(&stopped));
    let path = here.join("out/case.toml");
    let text = std::fs::read_to_string(&path).unwrap().replace("friction = 0.5", "friction = 0.7");
    std::fs::write(&path, text).unwrap();
    let resumed = zerostokes(&here, "resume out --quiet");
    assert_eq!(resumed.status.code(), Some(2));
    assert!(complaint(&resumed).contains("friction"), "{}", complaint(&resumed));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn forces_on_nobody_are_refused() {
    let here = scratch("nobody");
    let packed = zerostokes(&here, "pack --count 60 --volume-fraction 0.2 -o p.extxyz");
    assert!(packed.status.success(), "{}", complaint(&packed));
    let case = "[particles]\nfile = \"p.extxyz\"\n\
                [[force]]\nparticles = [60]\nvector = [1.0, 0.0, 0.0]\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    let run = zerostokes(&here, "run case.toml --quiet --out out");
    assert_eq!(run.status.code(), Some(2), "{}", complaint(&run));
    assert!(complaint(&run).contains("force[0].particles"), "{}", complaint(&run));
    assert!(!here.join("out").exists());
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_packing_is_written_and_read_back() {
    let here = scratch("pack");
    let done = zerostokes(&here, "pack --count 80 --volume-fraction 0.45 --seed 3 -o p.extxyz");
    assert!(done.status.success(), "{}", complaint(&done));
    let again = zerostokes(&here, "pack --count 80 --volume-fraction 0.45 --seed 3 -o p.extxyz");
    assert_eq!(again.status.code(), Some(2), "an existing file is not overwritten");
    let case = "[particles]\nfile = \"p.extxyz\"\n[drive]\nstrain = 0.05\n\
                [lubrication]\nouter_gap = 0.3\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    let run = zerostokes(&here, "run case.toml --quiet --out out");
    assert!(run.status.success(), "{}", complaint(&run));
    // The same spheres drawn by the case itself.
    let drawn = "[particles]\ncount = 80\nvolume_fraction = 0.45\nseed = 3\n\
                 [drive]\nstrain = 0.05\n[lubrication]\nouter_gap = 0.3\n";
    std::fs::write(here.join("drawn.toml"), drawn).unwrap();
    assert!(zerostokes(&here, "run drawn.toml --quiet --out drawn").status.success());
    let [file, drawn] =
        ["out", "drawn"].map(|d| std::fs::read(here.join(d).join("timeseries.csv")).unwrap());
    assert!(file == drawn);
    std::fs::remove_dir_all(here).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_no_text_work_or_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let here = scratch("no-text").join(OsStr::from_bytes(b"b\xffd"));
    std::fs::create_dir(&here).unwrap();
    let case = write_case(&here, 60, 0.02, "");
    let out = here.join(OsStr::from_bytes(b"o\xfe"));
    let done =
        program::program(&here).arg("run").arg(&case).arg("--out").arg(&out).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    assert!(out.join("summary.json").exists());
    // A case cannot hold such a path.
    let frames = out.join("frames.extxyz");
    std::fs::copy(frames, here.join("start.extxyz")).unwrap();
    let text = "[particles]\nfile = \"start.extxyz\"\n[drive]\nstrain = 0.02\n";
    std::fs::write(here.join("again.toml"), text).unwrap();
    let done = zerostokes(&here, "check again.toml");
    assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
    assert!(complaint(&done).contains("is no UTF-8 text"), "{}", complaint(&done));
    std::fs::remove_dir_all(here.parent().unwrap()).unwrap();
}
