//! Is a small Stokes number small enough? One case with inertia, at several Stokes numbers, and
//! without.
//!
//! A [`Question`] becomes a sweep over `inertia.stokes` whose points have names
//! ([`Question::sweep`]): the quasi-static run, a run for every Stokes number, and all of them
//! again with shorter steps, which shows how much of a difference is numerical. Of the runs in
//! their directories the study says what is compared, `measure` and `course` compare it, `fit`
//! finds orders and limits, `verdict` says how small is small enough, `results` writes and tells it
//! and `figure` draws it.
//!
//! | file | what it is |
//! |---|---|
//! | `crosscheck.csv` | one row per quantity and Stokes number |
//! | `crosscheck.json` | per quantity: order, limit, verdict; see [`Crosscheck`] |
//! | `crosscheck.svg`, `.png` | differences against the Stokes number |
//! | `stokes_0`, `stokes_0.1`, … | a run's directory each |
//! | `stokes_0_fine`, … | the same with shorter steps |

mod compare;
mod course;
mod figure;
mod fit;
mod measure;
#[cfg(test)]
mod quantities_tests;
mod results;
mod verdict;

use std::path::{Path, PathBuf};

use crate::case::{Boundary, Case, Inertia, Override, Scheme, read_overrides};
use crate::document::{Node, Value};
use crate::error::{CaseFault, Error, Place};
use crate::study;
use crate::sweep::{CurveBlock, Sweep, SweepAxis};

pub use compare::compare;
pub use figure::draw;
pub use fit::{Limit, Order};
pub use results::{Crosscheck, Finding, Point, Window, files};
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

/// Tolerance of the fine runs over that of the others.
const FINER: f64 = 0.1;

/// Explicit steps of the fine runs over those of the others.
const SHORTER: f64 = 0.5;

/// Paths of more particles are not compared step by step.
const MOST_COMPARED_PATHS: usize = 50;

/// A frame is written after every step.
const EVERY_STEP: f64 = 1e-12;

/// Rows of suspensions whose steps are explicit, of which there are very many, in strain or time.
const EXPLICIT_ROW_INTERVAL: f64 = 1e-3;

/// What is varied.
const STOKES_KEY: &str = "inertia.stokes";

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
    fine: bool,
}

impl Member {
    /// The name of its directory.
    fn name(self) -> String {
        let number = if self.stokes == 0.0 { "0".to_owned() } else { format!("{:?}", self.stokes) };
        format!("stokes_{number}{}", if self.fine { "_fine" } else { "" })
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
        let mut set = self.set.clone();
        set.extend(self.scheme.map(|scheme| format!("inertia.scheme={}", name(scheme))));
        // A table of inertia without a mass waits for that of the check.
        let case = Case::read(&self.case_file, &set).or_else(|_| {
            set.push(format!("{STOKES_KEY}=0"));
            Case::read(&self.case_file, &set)
        })?;
        let fault = |key: &str, problem: &str, remedy: &str| {
            let (file, place) = (self.case_file.clone(), Place::File);
            let [key, problem, remedy] = [key, problem, remedy].map(str::to_owned);
            Err(Error::BadCase { faults: vec![CaseFault { file, place, key, problem, remedy }] })
        };
        if let Some([problem, remedy]) = study::of(&case).always_inertial() {
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
        let own = case.inertia.as_ref().and_then(|inertia| inertia.stokes).filter(|s| *s > 0.0);
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

    /// How steps with inertia are taken.
    fn scheme(&self, case: &Case) -> Scheme {
        let own = case.inertia.as_ref().map(|inertia| inertia.scheme);
        self.scheme.or(own).unwrap_or_default()
    }

    /// Whether the paths of single particles are compared: of a few in open space that make few
    /// steps.
    fn follows_paths(&self, case: &Case) -> bool {
        let few = case.particles.known_count().is_some_and(|count| count <= MOST_COMPARED_PATHS);
        study::of(case).rows_are_means()
            && case.domain.boundary == Boundary::Open
            && self.scheme(case) == Scheme::Implicit
            && few
    }

    /// All runs, the quasi-static one first, and all of them again.
    fn members(&self) -> Vec<Member> {
        let once = |fine: bool| self.numbers().map(move |stokes| Member { stokes, fine });
        once(false).chain(once(true)).collect()
    }

    /// Zero and the Stokes numbers.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        [0.0].into_iter().chain(self.stokes.iter().copied())
    }

    /// What decides on the length of the steps; explicit ones do not follow the tolerance.
    fn pace(&self, case: &Case, fine: bool) -> Vec<Override> {
        let by = "crosscheck";
        let tolerance = case.time.tolerance * if fine { FINER } else { 1.0 };
        let mut set = vec![number("time.tolerance", tolerance, by)];
        if self.scheme(case) == Scheme::Verlet {
            let inertia = case.inertia.clone().unwrap_or_default();
            let shorter = if fine { SHORTER } else { 1.0 };
            let share = inertia.safety.unwrap_or(Inertia::SAFETY);
            set.push(match inertia.step {
                Some(step) => number("inertia.step", step * shorter, by),
                None => number("inertia.safety", share * shorter, by),
            });
        }
        set
    }

    /// The sweep of all runs.
    ///
    /// # Errors
    ///
    /// When the case cannot be run with inertia.
    pub fn sweep(&self, case: &Case) -> Result<Sweep, Error> {
        let bad = |fault| Error::BadCase { faults: vec![fault] };
        let mut set = read_overrides(&self.set, &self.case_file).map_err(bad)?;
        let pace = [false, true].map(|fine| self.pace(case, fine));
        set.retain(|s| {
            s.key() != STOKES_KEY && !pace[0].iter().any(|other| other.key() == s.key())
        });
        if let Some(scheme) = self.scheme {
            let value = Value::Text(name(scheme).to_owned());
            set.push(setting("inertia.scheme", value, "--scheme"));
        }
        set.extend(self.output(case));
        let values: Vec<_> = self.numbers().map(|s| number(STOKES_KEY, s, "--stokes")).collect();
        let curve = |set: Vec<Override>| {
            let (key, values) = (STOKES_KEY.to_owned(), values.clone());
            CurveBlock { set, axes: vec![SweepAxis { key, values }] }
        };
        let names = self.members().into_iter().map(Member::name).collect();
        Sweep::of_case(&self.case_file, set, pace.map(curve).to_vec(), names)
    }

    /// Rows, and frames of a few particles in open space, after every step, so that paths can be
    /// compared. Rows of a suspension are means over their intervals, of any length. Explicit steps
    /// are too many to be written.
    fn output(&self, case: &Case) -> Vec<Override> {
        let of = |key: &str, value: f64| number(key, value, "crosscheck");
        let interval = |value: f64| of("output.interval", value);
        match (study::of(case).rows_are_means(), self.scheme(case)) {
            (true, Scheme::Implicit) if self.follows_paths(case) => {
                vec![interval(0.0), of("output.frames", EVERY_STEP)]
            }
            (true, Scheme::Verlet) if case.output.interval == 0.0 => {
                vec![interval(EXPLICIT_ROW_INTERVAL)]
            }
            (true, _) | (_, Scheme::Verlet) => Vec::new(),
            (false, Scheme::Implicit) => vec![interval(0.0)],
        }
    }
}

/// A scheme as a case names it.
fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Implicit => "implicit",
        Scheme::Verlet => "verlet",
    }
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
        let names: Vec<String> = asked.members().into_iter().map(Member::name).collect();
        assert_eq!(names[..3], ["stokes_0", "stokes_0.1", "stokes_0.01"]);
        assert_eq!(names[3..], ["stokes_0_fine", "stokes_0.1_fine", "stokes_0.01_fine"]);
        let told = |index: usize| {
            let case = sweep.case(index).unwrap();
            (case.inertia.unwrap().stokes.unwrap(), case.time.tolerance, case.output.frames)
        };
        assert_eq!(sweep.len(), 6);
        assert_eq!(told(0), (0.0, 1e-4, EVERY_STEP));
        assert_eq!(told(2), (0.01, 1e-4, EVERY_STEP));
        assert_eq!(told(5), (0.01, 1e-5, EVERY_STEP));
        asked.scheme = Some(Scheme::Verlet);
        asked.set = vec!["inertia.safety=0.4".to_owned()];
        let case = asked.case().unwrap();
        assert!(asked.notes(&case).is_empty());
        let sweep = asked.sweep(&case).unwrap();
        let steps = |index: usize| {
            let inertia = sweep.case(index).unwrap().inertia.unwrap();
            (inertia.scheme, inertia.safety.unwrap())
        };
        assert_eq!(steps(1), (Scheme::Verlet, 0.4));
        assert_eq!(steps(4), (Scheme::Verlet, 0.2));
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
        let said = asked.case().unwrap_err().to_string();
        assert!(said.contains("needs spheres of finite pair.stiffness"), "{said}");
    }
}
