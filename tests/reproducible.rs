//! The same bytes, whatever happens.

#[path = "common/program.rs"]
mod program;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use program::{program, scratch, write_case, zerostokes};

const FILES: [&str; 2] = ["timeseries.csv", "frames.extxyz"];

fn assert_same_bytes(a: &Path, b: &Path) {
    for file in FILES {
        let [a, b] = [a, b].map(|d| std::fs::read(d.join(file)).unwrap());
        assert!(a.len() > 1000 && a == b, "{file} differs");
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let here = scratch("threads");
    // Large enough for every loop that threads share.
    write_case(&here, 4500, 0.01, "[output]\nframes = 0.005\n");
    run_with_one_and_two_threads(&here);
}

#[test]
fn threads_do_not_change_a_byte_of_soft_suspensions() {
    let here = scratch("threads-soft");
    // Some 1400 films: enough for the loop over pairs to be shared.
    write_soft(&here, 300, 0.55, "[drive]\nstrain = 0.03\n[output]\nframes = 0.01\n");
    run_with_one_and_two_threads(&here);
}

#[test]
fn threads_do_not_change_a_byte_of_rough_suspensions() {
    for friction in [0.0, 0.5] {
        let here = scratch(&format!("threads-rough-{friction}"));
        let rest = "[drive]\nstrain = 0.02\n[output]\nframes = 0.01\n";
        write_rough(&here, 300, friction, rest);
        run_with_one_and_two_threads(&here);
    }
}

fn run_with_one_and_two_threads(here: &Path) {
    for threads in [1, 2] {
        let done = zerostokes(
            here,
            &format!("run case.toml --quiet --out t{threads} --threads {threads}"),
        );
        assert!(done.status.success(), "{done:?}");
    }
    assert_same_bytes(&here.join("t1"), &here.join("t2"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let here = scratch("kill");
    write_case(&here, 100, 1.0, "[output]\nframes = 0.1\ncheckpoint_seconds = 0.02\n");
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_run_of_many_particles_resumes_to_the_same_bytes() {
    let here = scratch("kill-many");
    // Enough for chunks of neighbours, whose order is that of the present positions.
    let output = "[output]\ninterval = 0.001\nframes = 0.01\ncheckpoint_seconds = 0.05\n";
    write_case(&here, 4500, 0.03, output);
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_run_at_imposed_stress_resumes_to_the_same_bytes() {
    let here = scratch("kill-stress");
    write_case(&here, 100, 0.3, "[output]\nframes = 0.1\ncheckpoint_seconds = 0.02\n");
    kill_and_resume(&here, " --set drive.stress=20");
}

#[test]
fn killed_phases_resume_to_the_same_bytes() {
    let here = scratch("kill-phases");
    let phases = "[[drive.phase]]\nrate = 1\nstrain = 0.4\n[[drive.phase]]\nstress = -20\nto = -40\n\
                  strain = 0.2\n[[drive.phase]]\nrate = 0\ntime = 0.1\n";
    write_protocol(&here, phases);
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_oscillation_resumes_to_the_same_bytes() {
    let here = scratch("kill-oscillation");
    write_protocol(&here, "[drive.oscillation]\namplitude = 0.3\ncycles = 3\n");
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_extension_resumes_to_the_same_bytes() {
    let here = scratch("kill-extension");
    write_protocol(&here, "[drive]\nflow = \"extension\"\nstrain = 1.2\n");
    kill_and_resume(&here, "");
}

#[test]
fn killed_runs_with_inertia_resume_to_the_same_bytes() {
    for (scheme, strain) in [("implicit", 1.0), ("verlet", 0.15)] {
        let here = scratch(&format!("kill-inertia-{scheme}"));
        let rest = format!(
            "[inertia]\nstokes = 0.1\nscheme = \"{scheme}\"\n\
             [output]\ninterval = 0.001\nframes = 0.05\ncheckpoint_seconds = 0.02\n"
        );
        write_case(&here, 100, strain, &rest);
        kill_and_resume(&here, "");
    }
    let here = scratch("kill-inertia-t1");
    let case = "study = \"t1\"\n[t1]\nkappa = 0.1\ngap = 1e-3\n[inertia]\nstokes = 0.1\n\
                [output]\nframes = 500\ncheckpoint_seconds = 0.005\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    kill_and_resume(&here, "");
}

fn write_protocol(directory: &Path, drive: &str) {
    let case = format!(
        "[particles]\ncount = 100\nvolume_fraction = 0.45\n[contact]\nfriction = 0.5\n{drive}\
         [output]\nframes = 0.1\ncheckpoint_seconds = 0.02\n"
    );
    std::fs::write(directory.join("case.toml"), case).unwrap();
}

#[test]
fn a_killed_soft_suspension_resumes_to_the_same_bytes() {
    let here = scratch("kill-soft");
    let rest = "[drive]\nstrain = 1\n[output]\nframes = 0.1\ncheckpoint_seconds = 0.03\n";
    write_soft(&here, 60, 0.4, rest);
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_rearrangement_resumes_to_the_same_bytes() {
    for symmetric in [true, false] {
        let here = scratch(&format!("kill-t1-{symmetric}"));
        let case = format!(
            "study = \"t1\"\n[t1]\nkappa = 0.1\ngap = 1e-3\nsymmetric = {symmetric}\n\
             [output]\nframes = 500\ncheckpoint_seconds = 0.005\n"
        );
        std::fs::write(here.join("case.toml"), case).unwrap();
        kill_and_resume(&here, "");
    }
}

#[test]
fn a_killed_rough_suspension_resumes_to_the_same_bytes() {
    for friction in [0.0, 0.5] {
        let here = scratch(&format!("kill-rough-{friction}"));
        let rest = "[drive]\nstrain = 0.5\n[time]\nmax_step = 0.005\n\
                    [output]\nframes = 0.1\ncheckpoint_seconds = 0.03\n";
        write_rough(&here, 60, friction, rest);
        kill_and_resume(&here, "");
    }
}

#[test]
fn a_killed_passage_resumes_to_the_same_bytes() {
    for hydrodynamics in ["lubrication", "two-body"] {
        let here = scratch(&format!("kill-pair-{hydrodynamics}"));
        let case = format!(
            "study = \"pair-shear\"\n[pair]\noffset = 0.1\noffset_z = 0.1\nroughness = 0.05\n\
             stiffness = 1e4\nfriction = 0.5\nhydrodynamics = \"{hydrodynamics}\"\n\
             [time]\ntolerance = 1e-10\n[output]\nframes = 5\ncheckpoint_seconds = 0.005\n"
        );
        std::fs::write(here.join("case.toml"), case).unwrap();
        kill_and_resume(&here, "");
    }
}

#[test]
fn a_killed_falling_sphere_resumes_to_the_same_bytes() {
    let here = scratch("kill-settle");
    let case = "study = \"settle\"\n[settle]\nroughness = 1e-2\ncontact_number = 0.9\n\
                [time]\ntolerance = 1e-11\n[output]\nframes = 10\ncheckpoint_seconds = 0.005\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    kill_and_resume(&here, "");
}

#[test]
fn a_killed_collision_resumes_to_the_same_bytes() {
    // Oblique, so that a tangential spring is stretched on the way.
    for partner in ["sphere", "wall"] {
        let here = scratch(&format!("kill-collision-{partner}"));
        let case = format!(
            "study = \"collision\"\n[collision]\npartner = \"{partner}\"\nangle_deg = 30\n\
             step = 5e-4\n[output]\nframes = 0.01\ncheckpoint_seconds = 0.01\n"
        );
        std::fs::write(here.join("case.toml"), case).unwrap();
        let summary = kill_and_resume(&here, "");
        assert_eq!(summary["collision"]["rebound"], true, "{summary}");
    }
}

#[test]
fn a_killed_run_that_asks_for_an_accuracy_ends_at_the_same_step() {
    let here = scratch("kill-accuracy");
    // Rows of many steps, so that looks come while one is being gathered.
    let case = "[particles]\ncount = 60\nvolume_fraction = 0.4\n[accuracy]\nrelative_error = 0.1\n\
                [output]\ninterval = 0.07\nframes = 0.5\ncheckpoint_seconds = 0.02\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    let summary = kill_and_resume(&here, "");
    assert_eq!(summary["accuracy"]["met"], true, "{summary}");
    assert!(summary["strain"].as_f64() < Some(50.0), "{summary}");
}

/// Rough spheres of a given stiffness.
fn write_rough(directory: &Path, count: usize, friction: f64, rest: &str) {
    let text = format!(
        "[particles]\ncount = {count}\nvolume_fraction = 0.45\n[rough]\nroughness = 1e-2\n\
         stiffness = 1e4\nfriction = {friction:?}\n{rest}"
    );
    std::fs::write(directory.join("case.toml"), text).unwrap();
}

/// Soft spheres whose films do not drain.
fn write_soft(directory: &Path, count: usize, fraction: f64, rest: &str) {
    let text = format!(
        "[particles]\ncount = {count}\nvolume_fraction = {fraction}\n[soft]\nmodulus = 1e4\n\
         [repulsion]\nforce = 500\ndebye_length = 0.02\n{rest}"
    );
    std::fs::write(directory.join("case.toml"), text).unwrap();
}

/// The results without what the clock and the machine say.
fn summary(out: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(out.join("summary.json")).unwrap();
    let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let results = summary.as_object_mut().unwrap();
    assert!(results.remove("wall_seconds").is_some());
    // Studies of a few spheres do not tell these.
    results.retain(|key, _| key != "stage_seconds" && key != "peak_memory_bytes");
    summary
}

/// Runs the case of a directory at once, and again with kills on the way; what both found.
fn kill_and_resume(here: &Path, set: &str) -> serde_json::Value {
    let run = |out: &str| format!("run case.toml --quiet --out {out}{set}");
    let whole = zerostokes(here, &run("whole"));
    assert!(whole.status.success(), "{whole:?}");
    let length = |out: &str| {
        let rows = std::fs::metadata(here.join(out).join("timeseries.csv"));
        rows.map_or(0.0, |rows| rows.len() as f64)
    };
    let mut kills = 0;
    for share in [0.1, 0.25, 0.4, 0.6, 0.8] {
        // `run` on an unfinished directory resumes by itself; so does `resume`.
        let arguments =
            if kills % 2 == 0 { run("killed") } else { "resume killed --quiet".to_owned() };
        let mut child = program(here)
            .args(arguments.split_whitespace())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while length("killed") < share * length("whole") && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // A few steps more, so that kills come between checkpoints as well.
        std::thread::sleep(Duration::from_millis(3 * kills));
        if child.try_wait().unwrap().is_some() {
            let said = program::complaint(&child.wait_with_output().unwrap());
            assert!(said.is_empty(), "after {kills} kills: {said}");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2, "the run was too fast to be killed");
    // The last kill may have come after all was written.
    let last = zerostokes(here, &run("killed"));
    let said = program::complaint(&last);
    assert!(last.status.success() || said.contains("holds a finished run"), "{said}");
    let [whole, killed] = ["whole", "killed"].map(|out| here.join(out));
    assert_same_bytes(&whole, &killed);
    let found = summary(&whole);
    assert_eq!(found, summary(&killed));
    let manifest = std::fs::read_to_string(killed.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert!(manifest["resumes"].as_u64() >= Some(2), "{manifest}");
    std::fs::remove_dir_all(here).unwrap();
    found
}

#[test]
fn a_terminated_run_says_how_to_go_on() {
    let here = scratch("term");
    write_case(&here, 100, 50.0, "");
    let child =
        program(&here).args(["run", "case.toml", "--out", "out"]).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    while !here.join("out/timeseries.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let terminate = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(terminate.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    let said = program::complaint(&output);
    assert!(said.contains("zerostokes resume out"), "{said}");
    assert!(here.join("out/checkpoint.json").exists());
    std::fs::remove_dir_all(here).unwrap();
}
