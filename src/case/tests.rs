//! Defaults, overrides and the way back to TOML.

use super::*;
use crate::error::Place;
use crate::laws::attraction::Attraction;
use crate::laws::{CaseUnits, LawKind, LawTable, PairLaw};

fn parse(text: &str, overrides: &[&str]) -> Result<Case, Error> {
    let overrides: Vec<_> = overrides.iter().map(|&text| text.to_owned()).collect();
    Case::from_text(text, Path::new("case.toml"), &overrides)
}

fn read(text: &str, overrides: &[&str]) -> Case {
    parse(text, overrides).unwrap_or_else(|error| panic!("{error}"))
}

const SHORT: &str = "[particles]\ncount = 200\nvolume_fraction = 0.5\n";
const PAIR: &str = "[particles]\npositions = [[0, 0, 0], [2.5, 0.1, 0]]\nradii = [1, 1]\n\
    [domain]\nboundary = \"open\"\n[drive]\nstrain = 4\n";

fn round_trip(case: &Case) {
    let text = case.to_toml();
    assert_eq!(&read(&text, &[]), case, "{text}");
    assert_eq!(read(&text, &[]).to_toml(), text);
}

#[test]
fn defaults_are_filled_in() {
    let case = read(SHORT, &[]);
    assert_eq!(case.study.name, "suspension");
    assert_eq!(case.particles.radii, [1.0, 1.4]);
    assert_eq!(case.particles.volume_shares, [0.5, 0.5]);
    assert_eq!(case.drive.imposed(), Imposed::Rate(1.0));
    assert_eq!(case.drive.strain, Some(10.0));
    assert_eq!(case.time.aim, Some(Aim::Statistics));
    assert_eq!(case.laws.contact.stiffness, Stiffness::Auto);
    assert_eq!(case.laws.named.kinds().count(), 0);
}

#[test]
fn a_pair_in_open_fluid_wants_its_trajectory() {
    let case = read(PAIR, &[]);
    assert_eq!(case.aim(), Aim::Trajectory);
    assert_eq!(case.particles.known_count(), Some(2));
    assert_eq!(case.drive.time, None);
}

#[test]
fn a_resolved_case_reads_back_identically() {
    round_trip(&read(SHORT, &[]));
    round_trip(&read(PAIR, &[]));
    round_trip(&read(SHORT, &["drive.stress=1.5", "contact.stiffness=1e5", "title=one two"]));
    round_trip(&read(SHORT, &["repulsion={force=1,debye_length=0.02}", "attraction.hamaker=0.1"]));
    round_trip(&read(SHORT, &["accuracy.relative_error=0.02", "drive.time=9"]));
    round_trip(&read(
        PAIR,
        &["force=[{particles=[0],vector=[0.1,0,-1e-300]}]", "time.max_steps=9"],
    ));
    round_trip(&read(
        PAIR,
        &["drive.rate=0", "drive.strain=3", "drive.rate=2", "output.contacts=true"],
    ));
}

#[test]
fn a_resolved_case_with_a_file_reads_back_identically() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let case = read("", &[&format!("particles.file={}", file.display())]);
    assert!(case.particles.file.as_ref().is_some_and(|file| file.is_absolute()));
    round_trip(&case);
}

#[test]
fn an_accuracy_can_be_asked_for_in_place_of_a_strain() {
    let case = read(SHORT, &["accuracy.relative_error=0.02"]);
    let asked = case.accuracy.expect("it was set");
    assert_eq!((asked.relative_error, asked.quantity), (0.02, Quantity::RelativeViscosity));
    assert_eq!(case.drive.strain, Some(50.0));
    let text =
        format!("{SHORT}[accuracy]\nrelative_error = 0.1\nquantity = \"particle_pressure\"\n");
    let case = read(&text, &["drive.strain=7", "accuracy.relative_error=0.2"]);
    let asked = case.accuracy.expect("it was given");
    assert_eq!((asked.relative_error, asked.quantity), (0.2, Quantity::ParticlePressure));
    assert_eq!(case.drive.strain, Some(7.0));
}

#[test]
fn defaults_are_written_out() {
    let text = read(SHORT, &[]).to_toml();
    for line in ["outer_gap = 0.5", "tangential_ratio = 0.2857142857142857", "strain = 10.0"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("stress") && !text.contains("repulsion"), "{text}");
    assert!(!text.contains("accuracy"), "{text}");
}

/// A case reads back as it is; a fault says what is wrong, and where in the text or in which
/// override.
fn case_or_fault(text: &str, overrides: &[&str]) {
    let faults = match parse(text, overrides) {
        Ok(case) => return round_trip(&case),
        Err(Error::BadCase { faults }) => faults,
        Err(error) => panic!("{error}"),
    };
    assert!(!faults.is_empty());
    // The end of the text may be on a line of its own.
    let lines = text.matches('\n').count() + 1;
    for fault in faults {
        assert!(fault.file == Path::new("case.toml") && !fault.problem.is_empty(), "{fault:?}");
        match &fault.place {
            Place::File => assert!(overrides.is_empty() || !fault.key.is_empty(), "{fault:?}"),
            Place::Line(line) | Place::Character { line, .. } => {
                assert!((1..=lines).contains(line), "{fault:?}");
            }
            Place::Set(set) => assert!(overrides.iter().any(|o| o == set), "{fault:?}"),
            Place::Sweep(_) => panic!("{fault:?}"),
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_and_override_is_a_case_or_a_fault_with_a_place(
        text in "[a-z=\\[\\]{}.,#\"0-9 \n\u{e9}-]{0,40}", word in "[a-z.=\\[\\]{}\"0-9 -]{0,20}",
    ) {
        case_or_fault(&text, &[]);
        case_or_fault(&format!("{SHORT}{text}"), &[]);
        case_or_fault(SHORT, &[&word]);
        case_or_fault(SHORT, &[&format!("particles.radii={word}")]);
    }

    #[test]
    fn floats_survive_exactly(
        mantissa in 0.0..1.0f64, exponent in -300..300i32, phi in 0.01..0.73f64,
    ) {
        let mut case = read(SHORT, &[]);
        case.drive.force = [mantissa * 10f64.powi(exponent), -mantissa, 1.0 / 3.0];
        case.particles.volume_fraction = Some(phi);
        proptest::prop_assert_eq!(read(&case.to_toml(), &[]), case);
    }
}

#[test]
fn overrides_take_toml_values_and_bare_words() {
    let overrides = [
        "contact.stiffness=1e4",
        "contact.stiffness=auto",
        "solver.method=cg",
        "particles.radii=[1, 1.2, 1.5]",
        " particles.seed = 7 ",
        "title=\"quoted\"",
        "output.contacts=true",
    ];
    let case = read(SHORT, &overrides);
    assert_eq!(case.laws.contact.stiffness, Stiffness::Auto);
    assert_eq!(case.solver.method, crate::solve::Method::Cg);
    assert_eq!(case.particles.radii, [1.0, 1.2, 1.5]);
    assert_eq!(case.particles.volume_shares.len(), 3);
    assert_eq!(case.particles.seed, 7);
    assert_eq!(case.title.as_deref(), Some("quoted"));
    assert!(case.output.contacts);
}

#[test]
fn an_array_item_can_be_set() {
    let text = format!("{SHORT}[domain]\naspect = [1, 1, 1]\n");
    assert_eq!(read(&text, &["domain.aspect[1]=2"]).domain.aspect, [1.0, 2.0, 1.0]);
}

#[test]
fn a_stress_on_the_command_line_replaces_the_rate_of_the_file() {
    let text = format!("{SHORT}[drive]\nrate = 0.05\n");
    let case = read(&text, &["drive.stress=2"]);
    assert_eq!((case.drive.imposed(), case.drive.rate), (Imposed::Stress(2.0), None));
    assert!(parse(&text, &["drive.stress=2", "drive.rate=1"]).is_err());
}

#[test]
fn an_unreadable_file_is_bad_input() {
    let error = Case::read(Path::new("no-such-case.toml"), &[]).expect_err("there is none");
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().starts_with("no-such-case.toml: cannot be read: "), "{error}");
}

#[test]
fn every_semantic_problem_is_reported() {
    let error = parse(SHORT, &["contact.friction=-1", "particles.count=0"]).expect_err("bad");
    assert_eq!(error.to_string().lines().count(), 2, "{error}");
}

/// `[pull]`: the table of a law that the crate does not have.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pull {
    /// Hamaker constant `[force × length]`.
    #[schemars(extend("minimum" = 0, "remedy" = "it pulls"))]
    hamaker: f64,
}

impl LawTable for Pull {
    const NAME: &'static str = "pull";

    fn law(&self, units: CaseUnits) -> impl PairLaw + use<> {
        assert!(self.hamaker >= 0.0, "made of a table that was refused");
        Attraction { hamaker: self.hamaker, regularisation: 0.1, range: units.radius }
    }
}

#[test]
fn the_table_of_a_law_from_outside_is_like_any_other() {
    let known = Known::default().with_law(LawKind::of::<Pull>());
    let read = |rest: &str, set: &[&str]| {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        Template::parse(&format!("{SHORT}{rest}"), Path::new("case.toml"), &known)?.with_texts(&set)
    };
    let case = read("[pull]\nhamaker = 2\n", &["pull.hamaker=3"]).unwrap();
    assert_eq!(case.laws.named.get::<Pull>().map(|pull| pull.hamaker), Some(3.0));
    assert!(case.to_toml().contains("[pull]\nhamaker = 3.0\n"), "{}", case.to_toml());
    let faults = [
        ("[pull]\nhamaker = -2\n", "-2.0 is out of range, valid is >= 0; it pulls"),
        ("[pull]\nhamaker = true\n", "expected a number, found the boolean true"),
        ("[pull]\n\n", "missing; give it in [pull]"),
        ("[pull]\nhamaker = 1\nhamakr = 1\n", "unknown key; did you mean `hamaker`?"),
        ("[pul]\nhamaker = 1\n", "unknown key; did you mean `pull`?"),
    ];
    for (text, expected) in faults {
        let fault = read(text, &[]).unwrap_err().to_string();
        assert!(fault.starts_with("case.toml, line ") && fault.contains(expected), "{fault}");
    }
    let fault = read("", &["pull.hamaker=-1"]).unwrap_err().to_string();
    let expected =
        "case.toml, --set pull.hamaker=-1: -1.0 is out of range, valid is >= 0; it pulls";
    assert_eq!(fault, expected);
    // No law is made of a table that has a fault.
    let fault = read("[soft]\nmodulus = 1e4\n", &["pull.hamaker=-1"]).unwrap_err().to_string();
    assert!(fault.contains(expected), "{fault}");
}

#[test]
fn a_table_belongs_to_one_law_or_study() {
    let law = || LawKind::of::<Pull>();
    for name in ["pull", "drive", "contact", "t1", "attraction"] {
        let known = Known::default().with_law(law());
        let mut twice = law();
        twice.name = name;
        let add = std::panic::AssertUnwindSafe(|| known.with_law(twice));
        let refused = std::panic::catch_unwind(add).unwrap_err();
        let message = refused.downcast_ref::<String>().unwrap();
        assert_eq!(*message, format!("cases have a key {name:?} already"));
    }
    let case = Case::from_text(SHORT, Path::new("case.toml"), &[]).unwrap();
    // Those of a case that are known are known once.
    let _ = Known::default().with_those_of(&case);
}
