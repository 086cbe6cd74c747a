//! Is a small Stokes number small enough? One case with inertia, at several Stokes numbers, and without.
//!
//! A [`Question`] becomes a sweep over `inertia.stokes` whose points have names ([`Question::sweep`]):
//! the quasi-static run, a run for every Stokes number, and both ends of that list again with a
//! coarser tolerance, which shows how much of a difference is numerical. Of the runs in their
//! directories `quantities` says what is compared, `measure` and `course` compare it, `fit`
//! finds orders and limits, `verdict` says how small is small enough, `results` writes and tells it
//! and `figure` draws it.
//!
//! | file | what it is |
//! |---|---|
//! | `crosscheck.csv` | one row per quantity and Stokes number |
//! | `crosscheck.json` | per quantity: order, limit, verdict; see [`Crosscheck`] |
//! | `crosscheck.svg`, `.png` | differences against the Stokes number |
//! | `stokes_0`, `stokes_0.1`, … | a run's directory each |
//! | `stokes_0_coarse`, … | the same with a coarser tolerance |

mod compare;
mod course;
mod figure;
mod fit;
mod measure;
mod quantities;
mod results;
mod verdict;

use std::path::{Path, PathBuf};

use crate::case::document::{Node, Value};
use crate::case::{Boundary, Case, Override, Scheme, Study, read_overrides};
use crate::error::{CaseFault, Error, Place};
use crate::sweep::{Axis, CurveBlock, Sweep};

pub use compare::compare;
pub use figure::draw;
pub use fit::{Limit, Order};
pub use results::{Crosscheck, Finding, Point, Window};
pub use verdict::{Basis, Verdict};

/// One row per quantity and Stokes number.
pub const TABLE: &str = "crosscheck.csv";
/// Orders, limits and verdicts.
pub const RESULTS: &str = "crosscheck.json";
/// The figure, without its extension.
pub const FIGURE: &str = "crosscheck";

/// The Stokes numbers that are tried unless others are given.
pub const STOKES: [f64; 4] = [1e-1, 3e-2, 1e-2, 3e-3];
/// The difference that the verdict is about unless another is given `[1]`.
pub const ACCURACY: f64 = 0.01;

/// Tolerance of the coarse runs over that of the others.
const COARSER: f64 = 4.0;

/// Paths of more particles are not compared step by step.
const FEW: usize = 50;

/// A frame is written after every step.
const EVERY_STEP: f64 = 1e-12;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The case file.
    pub case_file: PathBuf,
    /// Its overrides, `key=value` each.
    pub set: Vec<String>,
    /// Stokes numbers, positive, in descending order.
    pub stokes: Vec<f64>,
    /// How steps with inertia are taken; as the case says unless given.
    pub scheme: Option<Scheme>,
    /// The difference that the verdict is about `[1]`.
    pub accuracy: f64,
}

/// A run of the check.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Member {
    stokes: f64,
    coarse: bool,
}

impl Member {
    /// The name of its directory.
    fn name(self) -> String {
        let number = if self.stokes == 0.0 { "0".to_owned() } else { format!("{:?}", self.stokes) };
        format!("stokes_{number}{}", if self.coarse { "_coarse" } else { "" })
    }
}

/// The Stokes numbers in descending order, without the zero that is always there.
///
/// # Errors
///
/// When one of them is none, comes twice, or there is none but zero.
pub fn checked_stokes(given: &[f64]) -> Result<Vec<f64>, Error> {
    let usage = |reason: String| Err(Error::Usage { reason });
    if let Some(bad) = given.iter().find(|s| !s.is_finite() || **s < 0.0) {
        return usage(format!(
            "--stokes: {bad} is no Stokes number; give positive numbers, as in --stokes 1e-1,1e-2"
        ));
    }
    let mut stokes: Vec<f64> = given.iter().copied().filter(|s| *s > 0.0).collect();
    if stokes.is_empty() {
        return usage(
            "--stokes: there is no number but 0, which is run in any case; give what to compare \
             with it, as in --stokes 1e-1,1e-2"
                .to_owned(),
        );
    }
    stokes.sort_by(|a, b| b.total_cmp(a));
    if let Some(twice) = stokes.windows(2).find(|pair| pair[0] == pair[1]) {
        return usage(format!("--stokes: {} comes twice; give every number once", twice[0]));
    }
    Ok(stokes)
}

impl Question {
    /// The case without inertia.
    ///
    /// # Errors
    ///
    /// When it cannot be run, or not with inertia.
    pub fn case(&self) -> Result<Case, Error> {
        let case = Case::read(&self.case_file, &self.set)?;
        let fault = |key: &str, problem: &str, remedy: &str| {
            let (file, place) = (self.case_file.clone(), Place::File);
            let [key, problem, remedy] = [key, problem, remedy].map(str::to_owned);
            Err(Error::BadCase { faults: vec![CaseFault { file, place, key, problem, remedy }] })
        };
        if case.study == Study::Collision {
            let problem = "bodies that collide always have inertia: there is no quasi-static run to \
                           compare with";
            let remedy =
                "vary collision.stokes in a sweep, as cases/collision_stokes_sweep.toml does";
            return fault("study", problem, remedy);
        }
        if case.inertia.as_ref().is_some_and(|inertia| inertia.density.is_some()) {
            let problem = "given although the check sets inertia.stokes, which says the same";
            return fault("inertia.density", problem, "leave it out, and choose --stokes");
        }
        Ok(case)
    }

    /// What the user may want to know before anything runs.
    pub fn notes(&self, case: &Case) -> Vec<String> {
        let own = case.inertia.as_ref().and_then(|inertia| inertia.stokes);
        let mut notes = Vec::new();
        if let Some(own) = own {
            notes.push(format!(
                "inertia.stokes = {own} of the case is set aside: the check has its own, see --stokes"
            ));
        }
        if self.stokes.len() == 1 {
            notes
                .push("one Stokes number gives a difference but no order: give two or more".into());
        }
        notes
    }

    /// All runs, the quasi-static one first.
    fn members(&self, case: &Case) -> Vec<Member> {
        let fine = [0.0].iter().chain(&self.stokes);
        let mut members: Vec<Member> =
            fine.map(|&stokes| Member { stokes, coarse: false }).collect();
        members.extend(self.coarse(case).map(|stokes| Member { stokes, coarse: true }));
        members
    }

    /// Stokes numbers of the coarse runs: steps of the explicit scheme do not follow the tolerance.
    fn coarse(&self, case: &Case) -> impl Iterator<Item = f64> {
        let own = case.inertia.as_ref().map(|inertia| inertia.scheme);
        let adaptive = self.scheme.or(own).unwrap_or_default() == Scheme::Implicit;
        let least = self.stokes.last().copied().filter(|_| adaptive);
        [0.0].into_iter().chain(least)
    }

    /// The sweep of all runs.
    ///
    /// # Errors
    ///
    /// When the case cannot be run with inertia.
    pub fn sweep(&self, case: &Case) -> Result<Sweep, Error> {
        let bad = |fault| Error::BadCase { faults: vec![fault] };
        let mut set = read_overrides(&self.set, &self.case_file).map_err(bad)?;
        set.retain(|s| !["inertia.stokes", "time.tolerance"].contains(&s.key()));
        if let Some(scheme) = self.scheme {
            let name = if scheme == Scheme::Verlet { "verlet" } else { "implicit" };
            set.push(setting("inertia.scheme", Value::Text(name.to_owned()), "--scheme"));
        }
        set.extend(finer_output(case));
        let axis = |stokes: &mut dyn Iterator<Item = f64>| Axis {
            key: "inertia.stokes".to_owned(),
            values: stokes.map(|s| number("inertia.stokes", s, "--stokes")).collect(),
        };
        let block = |tolerance: f64, stokes: &mut dyn Iterator<Item = f64>| CurveBlock {
            set: vec![number("time.tolerance", tolerance, "crosscheck")],
            axes: vec![axis(stokes)],
        };
        let tolerance = case.time.tolerance;
        let curves = vec![
            block(tolerance, &mut [0.0].into_iter().chain(self.stokes.iter().copied())),
            block(COARSER * tolerance, &mut self.coarse(case)),
        ];
        let names = self.members(case).into_iter().map(Member::name).collect();
        Sweep::of_case(&self.case_file, set, curves, names)
    }
}

/// Rows, and frames of a few particles in open space, after every step, so that paths can be
/// compared. Rows of a suspension are means over their intervals, of any length.
fn finer_output(case: &Case) -> Vec<Override> {
    let of = |key: &str, value: f64| number(key, value, "crosscheck");
    match case.study {
        Study::Suspension if follows_paths(case) => {
            vec![of("output.interval", 0.0), of("output.frames", EVERY_STEP)]
        }
        Study::Suspension => Vec::new(),
        _ => vec![of("output.interval", 0.0)],
    }
}

/// Whether the paths of single particles are compared.
fn follows_paths(case: &Case) -> bool {
    let few = case.particles.known_count().is_some_and(|count| count <= FEW);
    case.study == Study::Suspension && case.domain.boundary == Boundary::Open && few
}

fn number(key: &str, value: f64, by: &str) -> Override {
    setting(key, Value::Float(value, format!("{value:?}")), by)
}

/// A setting that remembers what brought it.
fn setting(key: &str, value: Value, by: &str) -> Override {
    let node = Node { value, place: Place::File };
    let place = Place::Sweep(format!("{key} = {} ({by})", node.to_toml()).into());
    Override::new(key.to_owned(), Node { place, ..node })
}

/// Reads the results in a directory and draws their figure again.
///
/// # Errors
///
/// When they cannot be read or the figure cannot be written.
pub fn draw_again(directory: &Path) -> Result<Crosscheck, Error> {
    let path = directory.join(RESULTS);
    let text = std::fs::read(&path).map_err(|source| Error::Io { path: path.clone(), source })?;
    let results: Crosscheck = serde_json::from_slice(&text).map_err(|e| Error::BadLine {
        path,
        line: e.line() as u64,
        reason: format!("{e}; the same `zerostokes crosscheck` command writes it again"),
    })?;
    draw(directory, &results)?;
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(case: &str, set: &[&str]) -> Question {
        Question {
            case_file: Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(case),
            set: set.iter().map(|s| (*s).to_owned()).collect(),
            stokes: vec![0.1, 0.01],
            scheme: None,
            accuracy: ACCURACY,
        }
    }

    #[test]
    fn stokes_numbers_are_sorted_and_checked() {
        assert_eq!(checked_stokes(&[1e-3, 0.0, 0.1]).unwrap(), [0.1, 1e-3]);
        let message = |given: &[f64]| checked_stokes(given).unwrap_err().to_string();
        assert!(message(&[0.1, -0.2]).starts_with("--stokes: -0.2 is no Stokes number"));
        assert!(message(&[f64::NAN]).starts_with("--stokes: NaN is no Stokes number"));
        assert!(message(&[f64::INFINITY]).starts_with("--stokes: inf is no Stokes number"));
        assert!(message(&[0.0]).starts_with("--stokes: there is no number but 0"));
        assert!(message(&[0.1, 0.2, 0.1]).starts_with("--stokes: 0.1 comes twice"));
        assert!(message(&[]).starts_with("--stokes: there is no number"));
    }

    #[test]
    fn every_run_has_its_settings_and_its_name() {
        let mut asked = question("two_spheres.toml", &["time.tolerance=1e-4", "inertia.stokes=3"]);
        let case = asked.case().unwrap();
        assert!(asked.notes(&case)[0].starts_with("inertia.stokes = 3 of the case is set aside"));
        let sweep = asked.sweep(&case).unwrap();
        let names: Vec<String> = asked.members(&case).into_iter().map(Member::name).collect();
        let expected =
            ["stokes_0", "stokes_0.1", "stokes_0.01", "stokes_0_coarse", "stokes_0.01_coarse"];
        assert_eq!(names, expected);
        let told = |index: usize| {
            let case = sweep.case(index).unwrap();
            (case.inertia.unwrap().stokes.unwrap(), case.time.tolerance, case.output.frames)
        };
        assert_eq!(sweep.len(), 5);
        assert_eq!(told(0), (0.0, 1e-4, EVERY_STEP));
        assert_eq!(told(2), (0.01, 1e-4, EVERY_STEP));
        assert_eq!(told(4), (0.01, 4e-4, EVERY_STEP));
        asked.scheme = Some(Scheme::Verlet);
        let sweep = asked.sweep(&case).unwrap();
        assert_eq!(sweep.len(), 4);
        assert_eq!(sweep.case(1).unwrap().inertia.unwrap().scheme, Scheme::Verlet);
    }

    #[test]
    fn cases_without_a_quasi_static_run_are_refused() {
        let refused = |case: &str, set: &[&str]| {
            let error = question(case, set).case().unwrap_err();
            assert_eq!(error.exit_code(), 2);
            error.to_string()
        };
        let collision = refused("collision.toml", &[]);
        assert!(
            collision.contains("study: bodies that collide always have inertia"),
            "{collision}"
        );
        assert!(collision.contains("collision_stokes_sweep.toml"), "{collision}");
        let density = refused("t1.toml", &["inertia.density=1"]);
        assert!(density.contains("inertia.density: given although the check sets"), "{density}");
    }

    #[test]
    fn what_the_explicit_scheme_cannot_do_is_said_before_anything_runs() {
        let mut asked = question("pair_shear.toml", &[]);
        asked.scheme = Some(Scheme::Verlet);
        let case = asked.case().unwrap();
        let said = asked.sweep(&case).unwrap_err().to_string();
        assert!(said.contains("all 4 points") && said.contains("pair.stiffness"), "{said}");
    }
}
