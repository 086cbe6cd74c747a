//! The sweep file: which case, what is set in all points, and what is varied.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::grid::{CurveBlock, MOST_POINTS, Spacing, Sweep, SweepAxis, range};
use crate::case::{Known, Override, Template};
use crate::document::{self, Node, Value, decode, way};
use crate::error::{CaseFault, Error, Place};

/// A case, and what is varied in it.
// Values of any type are taken from the document, where their lines are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    /// A name for reports.
    title: Option<String>,
    /// The case file; its path is relative to the sweep file.
    case: PathBuf,
    /// What is set in all points: keys of the case and their values.
    #[serde(default, rename = "set")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    #[schemars(extend("otherwise" = "none"))]
    _set: BTreeMap<String, IgnoredAny>,
    /// What is varied.
    #[serde(default)]
    over: Vec<WrittenAxis>,
    /// Blocks of points with settings of their own.
    #[serde(default)]
    curve: Vec<WrittenCurve>,
}

/// `[[curve]]`: settings and axes of its own. The axes at the top of the file hold for every curve.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenCurve {
    /// What is set in the points of this curve: keys of the case and their values.
    #[serde(default, rename = "set")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    #[schemars(extend("otherwise" = "none"))]
    _set: BTreeMap<String, IgnoredAny>,
    /// What is varied in this curve alone.
    #[serde(default)]
    over: Vec<WrittenAxis>,
}

/// `[[over]]`: an axis of the grid, with a list of values or a range of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenAxis {
    /// The key of the case that is varied, as in `"contact.friction"`.
    key: String,
    /// Its values, one after another; in the unit of the key.
    #[schemars(with = "Option<Vec<serde_json::Value>>")]
    values: Option<Vec<IgnoredAny>>,
    /// First value of a range, instead of a list `[as the key]`.
    #[schemars(extend("otherwise" = WITHOUT_VALUES, "within" = "any number; > 0 if `\"log\"`"))]
    from: Option<f64>,
    /// Last value of the range `[as the key]`.
    #[schemars(extend("otherwise" = WITHOUT_VALUES, "within" = "any number; > 0 if `\"log\"`"))]
    to: Option<f64>,
    /// Number of values of the range `[1]`.
    #[schemars(extend("otherwise" = WITHOUT_VALUES, "minimum" = 1, "maximum" = MOST_POINTS))]
    count: Option<usize>,
    /// How the values of the range are spaced.
    #[schemars(extend("otherwise" = "\"linear\""))]
    spacing: Option<Spacing>,
}

/// What holds for the keys of a range.
const WITHOUT_VALUES: &str = "required without `values`";

/// The keys of sweep files, as JSON Schema.
pub fn schema() -> serde_json::Value {
    document::schema::of::<Written>()
}

impl Sweep {
    /// Reads a sweep file, and makes sure that every point of it can be run.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or understood, or a point cannot be run.
    pub fn read(path: &Path) -> Result<Sweep, Error> {
        Sweep::read_with(path, &[], &Known::default())
    }

    /// Reads a sweep file whose case may name studies and laws from outside, and sets keys in all
    /// its points, `key=value` each.
    ///
    /// # Errors
    ///
    /// As those of [`Sweep::read`].
    pub fn read_with(path: &Path, set: &[String], known: &Known) -> Result<Sweep, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let remedy = "name a sweep file: a case and what to vary in it".to_owned();
            bad(CaseFault {
                file: path.to_owned(),
                place: Place::File,
                key: String::new(),
                problem: format!("cannot be read: {error}"),
                remedy,
            })
        })?;
        let mut sweep = Self::from_text(&text, path, known).map_err(bad)?;
        sweep.set_all(set).map_err(bad)?;
        sweep.check()?;
        Ok(sweep)
    }

    fn from_text(text: &str, path: &Path, known: &Known) -> Result<Sweep, CaseFault> {
        let document = Node::parse(text, path)?;
        let has = |key: &str| document.find(&way(key)).is_some();
        if (has("study") || has("particles")) && !has("over") && !has("curve") {
            return Err(CaseFault {
                file: path.to_owned(),
                place: Place::File,
                key: String::new(),
                problem: "is a case, not a sweep of cases".to_owned(),
                remedy: "run it with `zerostokes run`".to_owned(),
            });
        }
        let written: Written = decode::decode(&document, path)?;
        let source = Source { document, file: path };
        let (template, case_file) = source.case(&written.case, known)?;
        let set = source.set("set")?;
        let axes = source.axes("over", &written.over)?;
        let curves = written.curve.iter().enumerate();
        let curves = curves.map(|(index, curve)| source.curve(index, curve));
        let curves = curves.collect::<Result<Vec<_>, _>>()?;
        source.check_axes(&axes, &curves, &set)?;
        let (title, file) = (written.title, path.to_owned());
        let names = Vec::new();
        let sweep = Sweep { title, file, case_file, axes, curves, names, set, template };
        source.check_curves(&sweep)?;
        Ok(sweep)
    }
}

fn bad(fault: CaseFault) -> Error {
    Error::BadCase { faults: vec![fault] }
}

/// The document and its name.
pub(super) struct Source<'a> {
    document: Node,
    file: &'a Path,
}

impl Source<'_> {
    /// A fault of a key of the sweep file.
    pub(super) fn fault(
        &self,
        key: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> CaseFault {
        CaseFault {
            file: self.file.to_owned(),
            place: self.document.nearest_place(&way(key)),
            key: key.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    /// The case file, found from where the sweep file is.
    fn case(&self, name: &Path, known: &Known) -> Result<(Template, PathBuf), CaseFault> {
        let path = self.file.parent().unwrap_or(Path::new("")).join(name);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let problem = format!("{} cannot be read: {error}", path.display());
            self.fault("case", problem, "name a case file, seen from where the sweep file is")
        })?;
        let template = Template::parse(&text, &path, known).map_err(|error| match error {
            Error::BadCase { mut faults } => faults.remove(0),
            other => self.fault("case", other.to_string(), ""),
        })?;
        Ok((template, std::path::absolute(&path).unwrap_or(path)))
    }

    fn axes(&self, at: &str, axes: &[WrittenAxis]) -> Result<Vec<SweepAxis>, CaseFault> {
        let axes = axes.iter().enumerate();
        axes.map(|(index, axis)| self.axis(&format!("{at}[{index}]"), axis)).collect()
    }

    fn curve(&self, index: usize, curve: &WrittenCurve) -> Result<CurveBlock, CaseFault> {
        let at = |name: &str| format!("curve[{index}].{name}");
        Ok(CurveBlock { set: self.set(&at("set"))?, axes: self.axes(&at("over"), &curve.over)? })
    }

    /// What is set in all points: `"a.b" = 1` and `a.b = 1` are the same.
    fn set(&self, at: &str) -> Result<Vec<Override>, CaseFault> {
        let mut found = Vec::new();
        if let Some(node) = self.document.find(&way(at)) {
            leaves("", node, &mut found);
        }
        let mut known = BTreeSet::new();
        for (key, node) in &found {
            if !known.insert(key) {
                let place = node.place.clone();
                let fault = self.fault(at, format!("{key} is set twice"), "remove one of them");
                return Err(CaseFault { place, ..fault });
            }
        }
        Ok(found.iter().map(|(key, node)| self.setting(key, node)).collect())
    }

    /// An override that remembers its line.
    fn setting(&self, key: &str, node: &Node) -> Override {
        let line = match node.place {
            Place::Line(line) | Place::Character { line, .. } => line,
            _ => 1,
        };
        let (value, file) = (node.to_toml(), self.file.display());
        let place = Place::Sweep(format!("{key} = {value} ({file}, line {line})").into());
        Override::new(key.to_owned(), node.moved(&place))
    }

    fn axis(&self, over: &str, axis: &WrittenAxis) -> Result<SweepAxis, CaseFault> {
        let at = |name: &str| format!("{over}.{name}");
        if way(&axis.key).is_empty() {
            let remedy = "name a key of the case, as in \"contact.friction\"";
            return Err(self.fault(&at("key"), "empty", remedy));
        }
        let (key, in_list) = (axis.key.trim().to_owned(), axis.values.is_some());
        let given = [
            ("from", axis.from.is_some()),
            ("to", axis.to.is_some()),
            ("count", axis.count.is_some()),
            ("spacing", axis.spacing.is_some()),
        ];
        let nodes = match given.iter().find(|(_, given)| *given == in_list) {
            Some((name, _)) if in_list => {
                let remedy = "give either a list of values, or from, to and count";
                return Err(self.fault(&at(name), "there are values already", remedy));
            }
            None if in_list => self.list(&at("values"))?,
            _ => self.range(over, axis)?,
        };
        let values: Vec<_> = nodes.iter().map(|node| self.setting(&key, node)).collect();
        let mut known = BTreeSet::new();
        for value in &values {
            if !known.insert(value.value().to_string()) {
                let name = at(if in_list { "values" } else { "to" });
                let problem = format!("the value {} comes twice", value.value());
                return Err(self.fault(&name, problem, "give every value once"));
            }
        }
        Ok(SweepAxis { key, values })
    }

    /// A list of values as written.
    fn list(&self, key: &str) -> Result<Vec<Node>, CaseFault> {
        match self.document.find(&way(key)).map(|node| &node.value) {
            Some(Value::Array(items)) if items.len() > MOST_POINTS => Err(self.too_many()),
            Some(Value::Array(items)) if !items.is_empty() => Ok(items.clone()),
            _ => Err(self.fault(key, "empty", "give at least one value")),
        }
    }

    /// The values of a range; whole numbers are integers, which any number may be.
    fn range(&self, over: &str, axis: &WrittenAxis) -> Result<Vec<Node>, CaseFault> {
        let at = |name: &str| format!("{over}.{name}");
        let (from, to, count) = match (axis.from, axis.to, axis.count) {
            (Some(from), Some(to), Some(count)) => (from, to, count),
            (from, to, _) => {
                let name = if from.is_none() {
                    "from"
                } else if to.is_none() {
                    "to"
                } else {
                    "count"
                };
                let remedy = "give a list of values, or from, to and count";
                return Err(self.fault(&at(name), "missing", remedy));
            }
        };
        let spacing = axis.spacing.unwrap_or_default();
        let positive = [("from", from), ("to", to)];
        if let Some((name, end)) = positive.iter().find(|(_, end)| *end <= 0.0)
            && spacing == Spacing::Log
        {
            let problem = format!("{end} is not positive, but the spacing is \"log\"");
            return Err(self.fault(&at(name), problem, "use \"linear\", or a positive end"));
        }
        match count {
            0 => return Err(self.fault(&at("count"), "no values", "give at least 1")),
            1 if from != to => {
                let problem = "one value cannot be at both ends of the range";
                return Err(self.fault(&at("count"), problem, "give at least 2, or use values"));
            }
            n if n > MOST_POINTS => return Err(self.too_many()),
            _ => {}
        }
        let values = if count == 1 { vec![from] } else { range(from, to, count, spacing) };
        let whole = |v: f64| v.fract() == 0.0 && v.abs() < 2f64.powi(53);
        let place = self.document.nearest_place(&way(&at("key")));
        let node = |v: f64| Node {
            value: if whole(v) { Value::Integer(v as i64) } else { Value::Float(v, v.to_string()) },
            place: place.clone(),
        };
        Ok(values.into_iter().map(node).collect())
    }

    pub(super) fn too_many(&self) -> CaseFault {
        let remedy = "take fewer values, or make several sweeps of it";
        let problem = format!("more than {MOST_POINTS} points");
        CaseFault { key: String::new(), ..self.fault("over", problem, remedy) }
    }
}

/// All values below a table, by their dotted keys.
fn leaves<'a>(key: &str, node: &'a Node, found: &mut Vec<(String, &'a Node)>) {
    match &node.value {
        Value::Table(entries) => {
            for (name, inner) in entries {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                leaves(&key, inner, found);
            }
        }
        _ => found.push((key.to_owned(), node)),
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
