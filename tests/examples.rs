//! Every file of `examples/` runs, and the physics that it asserts holds.

#[path = "../examples/bare_velocities.rs"]
mod bare_velocities;
#[path = "../examples/custom_output.rs"]
mod custom_output;
#[path = "../examples/custom_pair_law.rs"]
mod custom_pair_law;
#[path = "../examples/custom_study.rs"]
mod custom_study;

#[test]
fn velocities_of_an_instant() {
    bare_velocities::main();
}

#[test]
fn a_pair_law_of_ones_own() {
    custom_pair_law::main();
}

#[test]
fn a_study_of_ones_own() {
    custom_study::main().unwrap();
}

#[test]
fn an_output_of_ones_own() {
    custom_output::main();
}

#[test]
fn every_example_is_here() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    for name in files.filter_map(|name| name.to_str()?.strip_suffix(".rs").map(str::to_owned)) {
        assert!(include_str!("examples.rs").contains(&format!("{name}::main()")), "{name}");
    }
}
