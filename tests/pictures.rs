//! Pictures that a run of gluey particles leaves.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::{complaint, scratch, shipped, words, zerostokes};
use resvg::tiny_skia::Pixmap;

/// Few discs in the drum, for a short time.
const SHORT: &str = "--set particles.count=20 --set drive.time=0.05 --set output.frames=0.01";

/// Width and height of a PNG file, which can be read and is not blank.
fn decoded(path: &Path) -> (u32, u32) {
    let pixels = Pixmap::load_png(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let dark = |p: u8| p < 100;
    assert!(pixels.pixels().iter().any(|p| dark(p.green())), "{} is blank", path.display());
    (pixels.width(), pixels.height())
}

fn run(here: &Path, case: &str, rest: &str) {
    let case = shipped(case);
    let done = zerostokes(here, &format!("run {} --out out --quiet {rest}", case.display()));
    assert!(done.status.success(), "{}", complaint(&done));
}

#[test]
fn a_drum_leaves_pictures() {
    let here = scratch("pictures");
    run(&here, "gluey_lotto.toml", SHORT);
    let out = here.join("out");
    for (name, said) in [
        ("configuration", &["on the left", "on the right", "t = 0.05", "<polygon"][..]),
        ("bonds", &["t = 0.05", "<polygon"][..]),
    ] {
        let svg = std::fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        said.iter().for_each(|word| assert!(svg.contains(word), "{name}: no {word}"));
        assert!(svg.matches("<circle").count() >= 20);
        assert!(decoded(&out.join(format!("{name}.png"))).0 >= 900);
    }
    assert!(!out.join("paths.svg").exists(), "too many particles for paths");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn two_particles_leave_their_paths() {
    let here = scratch("paths");
    run(&here, "gluey_billiard.toml", "--set output.frames=1");
    let svg = std::fs::read_to_string(here.join("out/paths.svg")).unwrap();
    assert!(svg.contains("particle 1") && svg.matches("<polyline").count() >= 2, "{svg}");
    decoded(&here.join("out/paths.png"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_sweep_shows_configurations_side_by_side() {
    let here = scratch("beside");
    let text = format!(
        "case = {:?}\n[set]\n\"particles.count\" = 20\n\"drive.time\" = 0.05\n[[over]]\n\
         key = \"gluey.gamma_min\"\nvalues = [0.0, -1.0, \"smooth\"]\n",
        shipped("gluey_lotto.toml")
    );
    std::fs::write(here.join("sweep.toml"), text).unwrap();
    let done = zerostokes(&here, "sweep sweep.toml --out out --quiet");
    assert!(done.status.success(), "{}", complaint(&done));
    let svg = std::fs::read_to_string(here.join("out/configurations.svg")).unwrap();
    for label in ["γmin = 0", "γmin = −1", "smooth"] {
        assert!(words(&svg).contains(label), "no {label}");
    }
    let (width, height) = decoded(&here.join("out/configurations.png"));
    assert!(width > 2 * height);
    std::fs::remove_dir_all(here).unwrap();
}
