//! Sweep files.

use super::*;
use crate::case::StudyKind;
use crate::study::STUDIES;
use toml::Value as Toml;

fn read(rest: &str) -> Sweep {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/suspension.toml");
    let text = format!("case = {:?}\n{rest}", case.display().to_string());
    let sweep = Sweep::from_text(&text, Path::new("sweep.toml"), &Known::default());
    let sweep = sweep.unwrap_or_else(|fault| panic!("{fault}"));
    sweep.check().unwrap_or_else(|error| panic!("{error}"));
    sweep
}

const TWO_AXES: &str = "title = \"two\"\n[set]\n\"output.frames\" = 0\ndrive.strain = 2\n\
    [[over]]\nkey = \"particles.volume_fraction\"\nfrom = 0.3\nto = 0.5\ncount = 3\n\
    [[over]]\nkey = \"particles.seed\"\nvalues = [7, 8]\n";

#[test]
fn the_grid_is_the_product_with_the_last_axis_fastest() {
    let sweep = read(TWO_AXES);
    assert_eq!(sweep.len(), 6);
    let point = |index: usize| {
        let case = sweep.case(index).unwrap();
        assert_eq!((case.output.frames, case.drive.strain), (0.0, Some(2.0)));
        (case.particles.volume_fraction.unwrap(), case.particles.seed)
    };
    assert_eq!([0, 1, 2, 5].map(point), [(0.3, 7), (0.3, 8), (0.4, 7), (0.5, 8)]);
    assert_eq!(sweep.describe(3), "particles.volume_fraction = 0.4, particles.seed = 8");
}

#[test]
fn a_sweep_written_out_reads_back_as_the_same() {
    let sweep = read(TWO_AXES);
    let again = Path::new("elsewhere/sweep.toml");
    let again = Sweep::from_text(&sweep.to_toml(), again, &Known::default()).unwrap();
    assert_eq!(again.to_toml(), sweep.to_toml());
    assert_eq!(again.identity(), sweep.identity());
    for index in 0..sweep.len() {
        assert_eq!(again.case(index).unwrap(), sweep.case(index).unwrap());
    }
    assert_ne!(read(&TWO_AXES.replace("[7, 8]", "[8, 7]")).identity(), sweep.identity());
}

#[test]
fn whole_numbers_are_integers_and_others_are_not() {
    let range = |key: &str, ends: &str| {
        let sweep = read(&format!("[[over]]\nkey = {key:?}\n{ends}\n"));
        sweep.axes[0].values.iter().map(Override::value).collect::<Vec<_>>()
    };
    let counts = range("particles.count", "from = 200\nto = 400.0\ncount = 3");
    assert_eq!(counts, [200, 300, 400].map(Toml::Integer));
    let logs = range("particles.seed", "from = 1\nto = 1000\ncount = 4\nspacing = \"log\"");
    assert_eq!(logs, [1, 10, 100, 1000].map(Toml::Integer));
    let mixed = range("contact.friction", "from = 0\nto = 1\ncount = 3");
    assert_eq!(mixed, [Toml::Integer(0), Toml::Float(0.5), Toml::Integer(1)]);
}

#[test]
fn words_and_flags_are_values_too() {
    let sweep = read(
        "[[over]]\nkey = \"contact.enabled\"\nvalues = [true, false]\n\
         [[over]]\nkey = \"contact.stiffness\"\nvalues = [\"auto\", 1e5]\n\
         [[over]]\nkey = \"particles.radii\"\nvalues = [[1.0, 2.0], [1.0, 1.4]]\n",
    );
    assert_eq!(sweep.len(), 8);
    let last = sweep.case(7).unwrap();
    assert!(!last.laws.contact.enabled && last.particles.radii == [1.0, 1.4]);
}

const CURVES: &str = "[[over]]\nkey = \"particles.seed\"\nvalues = [7, 8]\n\
    [[curve]]\nset = { \"contact.friction\" = 0, \"drive.strain\" = 3 }\n\
    over = [{ key = \"particles.volume_fraction\", values = [0.4, 0.5] }]\n\
    [[curve]]\nover = [{ key = \"particles.volume_fraction\", values = [0.3] }]\n\
    [curve.set]\ndrive.strain = 2\ncontact.friction = 1\n";

#[test]
fn curves_follow_each_other_and_share_what_is_varied_in_all() {
    let sweep = read(CURVES);
    let keys = ["contact.friction", "drive.strain", "particles.volume_fraction", "particles.seed"];
    assert_eq!((sweep.len(), sweep.keys()), (6, keys.to_vec()));
    let point = |index: usize| {
        let case = sweep.case(index).unwrap();
        let strain = case.drive.strain.unwrap();
        let fraction = case.particles.volume_fraction.unwrap();
        (case.laws.contact.friction, strain, fraction, case.particles.seed)
    };
    assert_eq!([0, 1, 2].map(point), [(0.0, 3.0, 0.4, 7), (0.0, 3.0, 0.4, 8), (0.0, 3.0, 0.5, 7)]);
    assert_eq!([3, 4, 5].map(point), [(0.0, 3.0, 0.5, 8), (1.0, 2.0, 0.3, 7), (1.0, 2.0, 0.3, 8)]);
    let words = "contact.friction = 1, drive.strain = 2, particles.volume_fraction = 0.3, \
                 particles.seed = 7";
    assert_eq!(sweep.describe(4), words);
}

#[test]
fn curves_written_out_read_back_as_the_same() {
    let sweep = read(CURVES);
    let again = Path::new("elsewhere/sweep.toml");
    let again = Sweep::from_text(&sweep.to_toml(), again, &Known::default()).unwrap();
    assert_eq!(again.identity(), sweep.identity());
    let all = |sweep: &Sweep| (0..sweep.len()).map(|k| sweep.describe(k)).collect::<Vec<_>>();
    assert_eq!(all(&again), all(&sweep));
    assert_ne!(read(&CURVES.replace("[0.3]", "[0.35]")).identity(), sweep.identity());
    assert_ne!(read(&CURVES.replace("strain = 2", "strain = 2.5")).identity(), sweep.identity());
    // Curves alone are a sweep, too.
    let alone = read(&CURVES[CURVES.find("[[curve]]").unwrap()..]);
    assert_eq!(alone.len(), 3);
}

#[test]
fn studies_and_laws_from_outside_can_be_swept() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/suspension.toml");
    let text = format!("case = {case:?}\n[set]\nstudy = \"outside\"\npush.force = 1.0\n")
        + "[[over]]\nkey = \"push.debye_length\"\nvalues = [0.01, 0.02]\n";
    let file = std::env::temp_dir().join(format!("zerostokes-outside-{}.toml", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let outside = StudyKind { name: "outside", ..STUDIES[0] };
    let mut push = crate::laws::repulsion::ABOUT.table.unwrap();
    push.name = "push";
    let sweep = Sweep::read_with(&file, &[], &Known::default().with_study(outside).with_law(push));
    let unknown = Sweep::read(&file);
    std::fs::remove_file(&file).unwrap();
    let last = sweep.unwrap().case(1).unwrap();
    assert_eq!((last.study, last.laws.named.kinds().collect()), (outside, vec![push]));
    assert!(unknown.unwrap_err().to_string().contains("outside"));
}
