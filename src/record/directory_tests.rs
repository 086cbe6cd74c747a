use super::super::manifest::Launch;
use super::super::scratch::Scratch;
use super::super::{AppendFile, Mark, write_checkpoint};
use super::*;

const ONE: &str = "[particles]\nseed = 1\n";
const TWO: &str = "[particles]\nseed = 2\n";

fn open(path: &Path, case: &str, existing: Existing) -> Result<(RunDirectory, Start), Error> {
    RunDirectory::open(path, case, existing)
}

fn refusal(path: &Path, case: &str, existing: Existing) -> String {
    let error = open(path, case, existing).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string()
}

fn launch() -> Launch {
    Launch { seed: 1, threads: 2, command: vec!["zerostokes".into(), "run".into()] }
}

/// A run of case ONE that got as far as its first checkpoint.
fn unfinished(path: &Path) -> (RunDirectory, Manifest) {
    let (directory, start) = open(path, ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Fresh);
    let manifest = Manifest::start(path, launch()).unwrap();
    let mut rows = AppendFile::open(directory.file(TIMESERIES), Mark::default()).unwrap();
    rows.append(b"strain\n0\n").unwrap();
    write_checkpoint(path, &3.5, &[&rows]).unwrap();
    (directory, manifest)
}

/// A run of case ONE that reached its end.
fn finished(path: &Path) {
    let (directory, mut manifest) = unfinished(path);
    directory.write_summary(&serde_json::json!({ "finished": true })).unwrap();
    manifest.end(path, Status::Finished, None).unwrap();
}

#[test]
fn an_absent_directory_is_created_with_its_parents() {
    let scratch = Scratch::new();
    let path = scratch.file("a/b");
    let (directory, start) = open(&path, ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Fresh);
    assert_eq!(fs::read_to_string(directory.file(CASE)).unwrap(), ONE);
}

#[test]
fn an_empty_directory_is_fresh() {
    let scratch = Scratch::new();
    let (_, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Fresh);
}

#[test]
fn an_unfinished_run_of_the_same_case_goes_on() {
    let scratch = Scratch::new();
    drop(unfinished(scratch.path()));
    let (directory, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Resume);
    assert_eq!(fs::read_to_string(directory.file(TIMESERIES)).unwrap(), "strain\n0\n");
    let manifest = Manifest::start(scratch.path(), launch()).unwrap();
    assert_eq!(manifest.resumes, 1);
}

#[test]
fn an_interrupted_or_failed_run_goes_on() {
    for status in [Status::Interrupted, Status::Failed] {
        let scratch = Scratch::new();
        let (directory, mut manifest) = unfinished(scratch.path());
        manifest.end(scratch.path(), status, Some("why".to_string())).unwrap();
        drop(directory);
        let (_, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
        assert_eq!(start, Start::Resume);
    }
}

#[test]
fn a_run_killed_before_its_first_checkpoint_starts_anew() {
    let scratch = Scratch::new();
    drop(open(scratch.path(), ONE, Existing::Keep).unwrap());
    fs::write(scratch.file(TIMESERIES), "strain\n0\n").unwrap();
    let (_, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Fresh);
}

#[test]
fn a_run_killed_before_it_wrote_its_case_starts_anew() {
    let scratch = Scratch::new();
    fs::write(scratch.file(LOCK), "4711\n").unwrap();
    fs::write(scratch.file(".case.toml.x4711Z.tmp"), "[part").unwrap();
    let (_, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Fresh);
    assert_eq!(scratch.names(), [LOCK, CASE]);
}

#[test]
fn a_finished_run_is_refused_without_force() {
    let scratch = Scratch::new();
    finished(scratch.path());
    let before = scratch.names();
    let message = refusal(scratch.path(), ONE, Existing::Keep);
    assert!(
        message.contains("finished run of this case") && message.contains("--force"),
        "{message}"
    );
    assert_eq!(scratch.names(), before);
}

#[test]
fn a_finished_run_without_its_manifest_is_still_finished() {
    let scratch = Scratch::new();
    finished(scratch.path());
    fs::remove_file(scratch.file(MANIFEST)).unwrap();
    refusal(scratch.path(), ONE, Existing::Keep);
}

#[test]
fn a_run_killed_between_summary_and_manifest_goes_on() {
    let scratch = Scratch::new();
    let (directory, _) = unfinished(scratch.path());
    directory.write_summary(&serde_json::json!({ "finished": true })).unwrap();
    drop(directory);
    let (_, start) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    assert_eq!(start, Start::Resume);
}

#[test]
fn another_case_is_refused_and_left_as_it_is() {
    let scratch = Scratch::new();
    drop(unfinished(scratch.path()));
    let before = fs::read(scratch.file(CHECKPOINT)).unwrap();
    let message = refusal(scratch.path(), TWO, Existing::Keep);
    let expected = "holds another case; first difference: key particles.seed is 1 there and 2 here; \
        choose another --out";
    assert!(message.contains(expected), "{message}");
    assert_eq!(fs::read_to_string(scratch.file(CASE)).unwrap(), ONE);
    assert_eq!(fs::read(scratch.file(CHECKPOINT)).unwrap(), before);
}

#[test]
fn force_removes_the_files_of_the_run_and_no_others() {
    for case in [ONE, TWO] {
        let scratch = Scratch::new();
        finished(scratch.path());
        fs::write(scratch.file("notes.txt"), "mine").unwrap();
        let (_, start) = open(scratch.path(), case, Existing::Replace).unwrap();
        assert_eq!(start, Start::Fresh);
        assert_eq!(scratch.names(), [LOCK, CASE, "notes.txt"]);
        assert_eq!(fs::read_to_string(scratch.file(CASE)).unwrap(), case);
    }
}

#[test]
fn foreign_files_are_refused_and_the_directory_is_left_as_it_is() {
    let scratch = Scratch::new();
    fs::write(scratch.file("thesis.tex"), "mine").unwrap();
    let message = refusal(scratch.path(), ONE, Existing::Keep);
    assert!(message.contains("thesis.tex") && message.contains("another --out"), "{message}");
    assert_eq!(scratch.names(), ["thesis.tex"]);
    open(scratch.path(), ONE, Existing::Replace).unwrap();
    assert_eq!(scratch.names(), [LOCK, CASE, "thesis.tex"]);
}

#[test]
fn force_removes_what_an_output_of_ones_own_has_written() {
    let scratch = Scratch::new();
    let (directory, _) = open(scratch.path(), ONE, Existing::Keep).unwrap();
    let mut own = AppendFile::open(directory.file("heights.csv"), Mark::default()).unwrap();
    own.append(b"height\n1\n").unwrap();
    write_checkpoint(scratch.path(), &3.5, &[&own]).unwrap();
    fs::write(scratch.file("notes.txt"), "mine").unwrap();
    drop((own, directory));
    open(scratch.path(), TWO, Existing::Replace).unwrap();
    assert!(!scratch.file("heights.csv").exists());
    assert!(scratch.file("notes.txt").exists());
    // Whatever a checkpoint that is not ours may name.
    let names = r#"{"lengths":{"..":1,"":1,".lock":1,"case.toml":1,"../out":1},"state":0}"#;
    fs::write(scratch.file(CHECKPOINT), names).unwrap();
    open(scratch.path(), ONE, Existing::Replace).unwrap();
    assert!(scratch.file(LOCK).exists() && scratch.file(CASE).exists());
}

#[test]
fn force_never_overwrites_a_file_of_unknown_origin() {
    let scratch = Scratch::new();
    fs::write(scratch.file("summary.json"), "mine").unwrap();
    let message = refusal(scratch.path(), ONE, Existing::Replace);
    assert!(message.contains("move summary.json away"), "{message}");
    assert_eq!(scratch.names(), ["summary.json"]);
}

#[test]
fn a_file_in_place_of_the_directory_is_an_error() {
    let scratch = Scratch::new();
    fs::write(scratch.file("out"), "mine").unwrap();
    let error = open(&scratch.file("out"), ONE, Existing::Replace).unwrap_err();
    assert!(error.to_string().contains("out: "), "{error}");
}

#[test]
fn two_runs_at_once_are_refused_even_with_force() {
    let scratch = Scratch::new();
    let first = unfinished(scratch.path());
    for existing in [Existing::Keep, Existing::Replace] {
        let message = refusal(scratch.path(), ONE, existing);
        let holder = format!("process {} is running", std::process::id());
        assert!(message.contains(&holder), "{message}");
    }
    assert!(scratch.file(CHECKPOINT).exists());
    drop(first);
    open(scratch.path(), ONE, Existing::Keep).unwrap();
}

#[test]
fn the_case_text_of_a_run_resumes_it() {
    let scratch = Scratch::new();
    let nothing = RunDirectory::case_text(scratch.path()).unwrap_err();
    assert!(matches!(nothing, Error::NotARun { .. }));
    drop(unfinished(scratch.path()));
    let case = RunDirectory::case_text(scratch.path()).unwrap();
    assert_eq!(open(scratch.path(), &case, Existing::Keep).unwrap().1, Start::Resume);
}
