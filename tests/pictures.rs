//! Pictures and animations that a run of gluey particles leaves.

#[path = "common/program.rs"]
mod program;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use program::{complaint, scratch, shipped, zerostokes};

/// Few discs in the drum, for a short time.
const SHORT: &str = "--set particles.count=20 --set drive.time=0.05 --set output.frames=0.01";

/// Width, height and number of pictures of a PNG file, all of which can be read.
fn decoded(path: &Path) -> (u32, u32, u32) {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let (width, height) = reader.info().size();
    let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let mut pixels = vec![0; reader.output_buffer_size()];
    for _ in 0..count {
        reader.next_frame(&mut pixels).unwrap();
    }
    assert!(pixels.iter().any(|c| *c < 100), "{} is blank", path.display());
    (width, height, count)
}

fn run(here: &Path, case: &str, rest: &str) {
    let case = shipped(case);
    let done = zerostokes(here, &format!("run {} --out out --quiet {rest}", case.display()));
    assert!(done.status.success(), "{}", complaint(&done));
}

#[test]
fn a_drum_leaves_pictures_and_an_animation() {
    let here = scratch("pictures");
    run(&here, "gluey_lotto.toml", SHORT);
    let out = here.join("out");
    let frames = std::fs::read_to_string(out.join("frames.extxyz")).unwrap();
    let frames = frames.lines().filter(|line| line.contains("Lattice")).count();
    assert_eq!(frames, 6);
    let (width, _, count) = decoded(&out.join("animation.png"));
    assert!((500..700).contains(&width) && count as usize == frames, "{width}, {count}");
    for (name, words) in [
        ("configuration", &["on the left", "on the right", "t = 0.05", "<polygon"][..]),
        ("bonds", &["t = 0.05", "<polygon"][..]),
    ] {
        let svg = std::fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        words.iter().for_each(|word| assert!(svg.contains(word), "{name}: no {word}"));
        assert!(svg.matches("<circle").count() >= 20);
        assert!(decoded(&out.join(format!("{name}.png"))).0 >= 900);
    }
    assert!(!out.join("paths.svg").exists(), "too many particles for paths");
    std::fs::remove_file(out.join("animation.png")).unwrap();
    let done = zerostokes(&here, "plot out --animate");
    assert!(done.status.success(), "{}", complaint(&done));
    assert_eq!(decoded(&out.join("animation.png")).2, 6);
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
    for words in ["γₘᵢₙ = 0", "γₘᵢₙ = −1", "smooth"] {
        assert!(svg.contains(words), "no {words}");
    }
    let (width, height, _) = decoded(&here.join("out/configurations.png"));
    assert!(width > 2 * height);
    let done = zerostokes(&here, "plot out --animate");
    assert!(!done.status.success() && complaint(&done).contains("directory of a run"));
    std::fs::remove_dir_all(here).unwrap();
}
