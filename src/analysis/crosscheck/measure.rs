//! Numbers from the directories of finished runs.

use std::path::Path;

use nalgebra::Vector3;
use serde_json::Value;

use super::course::{Course, Means, cut, difference, largest_distance};
use super::results::Window;
use crate::case::Case;
use crate::error::Error;
use crate::record::{
    FRAMES, SUMMARY, TIMESERIES, Table, read_checkpoint, read_columns, visit_frames,
};
use crate::run::RunState;
use crate::state::Suspension;
use crate::stats::{Series, Steady, estimate};
use crate::study;
use crate::study::quantity::Source;

/// Strains and times are equal if they differ by less `[1]`.
const SAME: f64 = 1e-9;

/// A finished run, as far as it is compared.
pub struct Seen {
    summary: Value,
    rows: Table,
    /// The column that counts: strain or time.
    clock: &'static str,
    /// The particles at the end.
    last: Option<Suspension>,
    /// Their paths, if they were followed.
    paths: Option<Course>,
}

impl Seen {
    /// Reads a run of a case.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn read(directory: &Path, case: &Case, with_paths: bool) -> Result<Self, Error> {
        let path = directory.join(SUMMARY);
        let text =
            std::fs::read(&path).map_err(|source| Error::Io { path: path.clone(), source })?;
        let damaged = |e: serde_json::Error| Error::Damaged { path, reason: e.to_string() };
        let summary = serde_json::from_slice(&text).map_err(damaged)?;
        let rows = read_columns(&directory.join(TIMESERIES))?;
        let study = study::of(case);
        let clock = study.clock(&rows);
        let compares_ends =
            study.quantities(case, with_paths).iter().any(|q| q.source == Source::Ends);
        let last = match compares_ends {
            true => read_checkpoint::<RunState>(directory)?,
            false => None,
        };
        let paths = if with_paths { paths(directory, &rows)? } else { None };
        Ok(Seen {
            summary,
            clock,
            last: last.map(|checkpoint| checkpoint.state.suspension),
            paths,
            rows,
        })
    }

    fn column(&self, name: &str) -> &[f64] {
        self.rows.column(name).unwrap_or_default()
    }

    fn means(&self, name: &str) -> Means<'_> {
        Means { at: self.column(self.clock), value: self.column(name) }
    }

    /// Some columns over time, each changed by a function.
    fn course(&self, names: &[&str], change: fn(f64) -> f64) -> Course {
        let column = |name: &&str| self.column(name).iter().map(|v| change(*v)).collect();
        let columns = names.iter().map(column).collect();
        Course::new(self.column(self.clock), columns, names.len())
    }

    /// Where the steady state begins, if the run settled.
    fn steady_from(&self) -> Option<f64> {
        let steady: Option<Steady> = serde_json::from_value(self.summary["steady"].clone()).ok()?;
        steady.filter(|steady| steady.settled).map(|steady| steady.start)
    }

    /// Normal stiffness in use at the end, if there is one `[μγ̇a]`.
    pub fn stiffness(&self) -> Option<f64> {
        self.summary["stiffness"].as_f64()
    }

    /// A quantity that is no distance between runs; none if this run has no such thing.
    pub fn value(&self, source: Source, window: &Window) -> Option<f64> {
        let found = match source {
            Source::Result(key) => {
                let inner = key.split('.').try_fold(&self.summary, |value, name| value.get(name));
                inner?.as_f64()
            }
            Source::Mean(name) => self.mean(name, window).map(|(mean, _)| mean),
            Source::Least(name) => {
                let rows = self.column(self.clock).iter().zip(self.column(name));
                let within = rows.filter(|(at, _)| **at <= window.to * (1.0 + SAME));
                within.map(|(_, value)| *value).reduce(f64::min)
            }
            Source::Arrival(name, value) => self.course(&[name], f64::ln).reaches(0, value.ln()),
            Source::Decay(name, values) => {
                let course = self.course(&[name], f64::ln);
                let [from, to] = values.map(f64::ln);
                let [begin, end] = [course.reaches(0, from)?, course.reaches(0, to)?];
                (end > begin).then(|| (to - from) / (end - begin))
            }
            _ => None,
        };
        found.filter(|value| value.is_finite())
    }

    /// Standard error of a mean over a steady window.
    pub fn stderr(&self, source: Source, window: &Window) -> Option<f64> {
        match source {
            Source::Mean(name) if window.steady => self.mean(name, window)?.1,
            _ => None,
        }
    }

    fn mean(&self, name: &str, window: &Window) -> Option<(f64, Option<f64>)> {
        let (at, value) = cut(self.means(name), window.to);
        let found = estimate(Series::new(&at, &value), window.from)?;
        Some((found.mean, found.stderr))
    }

    /// How far a quantity is from that of another run; none if one of them has no such thing.
    pub fn difference(&self, other: &Seen, source: Source, window: &Window) -> Option<f64> {
        match source {
            Source::Apart(names) => {
                largest_distance(&self.course(names, |v| v), &other.course(names, |v| v))
            }
            Source::Ratio(name) => {
                largest_distance(&self.course(&[name], f64::ln), &other.course(&[name], f64::ln))
            }
            Source::History(name) => {
                let (at, apart) = difference(self.means(name), other.means(name), window.to);
                let sizes: Vec<f64> = apart.iter().map(|d| d.abs()).collect();
                estimate(Series::new(&at, &sizes), window.from).map(|e| e.mean)
            }
            Source::Paths => largest_distance(self.paths.as_ref()?, other.paths.as_ref()?),
            Source::Ends => ends_apart(self.last.as_ref()?, other.last.as_ref()?),
            _ => Some(self.value(source, window)? - other.value(source, window)?),
        }
    }

    /// Standard error of the difference of two means over a steady window: of the difference as a
    /// series, because runs that go together fluctuate together.
    pub fn paired_error(&self, other: &Seen, source: Source, window: &Window) -> Option<f64> {
        let Source::Mean(name) = source else { return None };
        if !window.steady {
            return None;
        }
        let (at, apart) = difference(self.means(name), other.means(name), window.to);
        estimate(Series::new(&at, &apart), window.from)?.stderr
    }
}

fn last_of(rows: &Table, name: &str) -> f64 {
    rows.column(name).and_then(|column| column.last().copied()).unwrap_or(0.0)
}

/// The part of the runs that means are over: from where all are steady, or else from the beginning,
/// to where the first of them ends.
pub fn window<'a>(runs: impl Iterator<Item = &'a Seen> + Clone) -> Window {
    let ends = runs.clone().map(|run| last_of(&run.rows, run.clock));
    let to = ends.fold(f64::INFINITY, f64::min);
    let starts: Option<Vec<f64>> = runs.map(Seen::steady_from).collect();
    let from = starts.and_then(|all| all.into_iter().reduce(f64::max)).filter(|from| *from < to);
    Window { from: from.unwrap_or(0.0), to, steady: from.is_some() }
}

/// The paths of all particles, if every step has a row and a frame; the first frame is the
/// beginning.
fn paths(directory: &Path, rows: &Table) -> Result<Option<Course>, Error> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    visit_frames(&directory.join(FRAMES), |frame| {
        let coordinates = frame.positions.iter().flat_map(|x| [x.x, x.y, x.z]);
        columns.resize(3 * frame.positions.len(), Vec::new());
        columns.iter_mut().zip(coordinates).for_each(|(column, x)| column.push(x));
        Ok(())
    })?;
    let at: Vec<f64> =
        [0.0].iter().chain(rows.column("time").unwrap_or_default()).copied().collect();
    let whole = columns.iter().all(|column| column.len() == at.len());
    Ok((whole && !columns.is_empty()).then(|| Course::new(&at, columns, 3)))
}

/// Root-mean-square distance of the same particles at the same instant, by nearest images; none if
/// it is not the same instant.
fn ends_apart(one: &Suspension, other: &Suspension) -> Option<f64> {
    let same = |a: f64, b: f64| (a - b).abs() <= SAME * (1.0 + a.abs());
    let (a, b) = (&one.clock, &other.clock);
    let open = one.cell.volume().is_none();
    if one.len() != other.len() || !same(a.path, b.path) || (open && !same(a.time, b.time)) {
        return None;
    }
    let images = other.cell.images(b);
    let apart = |(x, y): (&Vector3<f64>, &Vector3<f64>)| images.nearest(x - y).norm_squared();
    let sum: f64 = one.positions.iter().zip(&other.positions).map(apart).sum();
    Some((sum / one.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    fn two(x: f64, strain: f64) -> Suspension {
        let cell = Cell::periodic(Vector3::new(10.0, 10.0, 10.0));
        let positions = vec![Vector3::new(x, 5.0, 5.0), Vector3::new(5.0, 5.0, 5.0)];
        let mut state = Suspension::new(vec![1.0; 2], positions, cell);
        (state.clock.strain, state.clock.path) = (strain, strain);
        state
    }

    #[test]
    fn ends_are_compared_by_nearest_images_at_equal_strain() {
        let apart = ends_apart(&two(9.9, 0.3), &two(0.1, 0.3)).unwrap();
        assert!((apart - 0.2 / 2f64.sqrt()).abs() < 1e-12, "{apart}");
        assert_eq!(ends_apart(&two(9.9, 0.3), &two(0.1, 0.31)), None);
    }
}
