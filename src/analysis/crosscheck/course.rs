//! Quantities over time, compared at equal instants although every run has its own steps.

/// Several quantities at the ends of a run's steps.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Time or strain, ascending.
    pub at: Vec<f64>,
    /// One list per quantity, as long as the times.
    pub columns: Vec<Vec<f64>>,
    /// How many of them are the coordinates of one point.
    pub together: usize,
}

impl Course {
    /// A course of rows whose times do not all ascend: those that do not are left out.
    pub fn new(at: &[f64], columns: Vec<Vec<f64>>, together: usize) -> Self {
        let mut last = f64::NEG_INFINITY;
        let mut kept = Vec::new();
        for (k, t) in at.iter().enumerate() {
            if *t > last
                && columns.iter().all(|column| column.get(k).is_some_and(|v| v.is_finite()))
            {
                kept.push(k);
                last = *t;
            }
        }
        let pick = |values: &[f64]| kept.iter().map(|k| values[*k]).collect::<Vec<f64>>();
        let columns = columns.iter().map(|column| pick(column)).collect();
        Self { at: pick(at), columns, together }
    }

    /// The cubic through the four rows around an instant: the first of them and their weights.
    fn weights(&self, t: f64) -> (usize, Vec<f64>) {
        let count = self.at.len().min(4);
        let after = self.at.partition_point(|at| *at < t);
        let first = after.saturating_sub(2).min(self.at.len() - count);
        let nodes = &self.at[first..first + count];
        let weight = |k: usize| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != k);
            others.map(|(_, at)| (t - at) / (nodes[k] - at)).product()
        };
        (first, (0..count).map(weight).collect())
    }

    /// A quantity at an instant.
    fn value(&self, column: usize, t: f64) -> f64 {
        let (first, weights) = self.weights(t);
        weights.iter().zip(&self.columns[column][first..]).map(|(w, v)| w * v).sum()
    }

    /// When a quantity first reaches a level; none if it never does.
    pub fn reaches(&self, column: usize, level: f64) -> Option<f64> {
        let above = |k: usize| self.columns[column][k] >= level;
        let after = (1..self.at.len()).find(|k| above(*k) != above(k - 1))?;
        let (mut low, mut high) = (self.at[after - 1], self.at[after]);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            match (self.value(column, middle) >= level) == above(after) {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(0.5 * (low + high))
    }
}

/// The largest distance of a point of one course from the same point of another at the same
/// instant; none if they share no instant. The course with fewer rows says when.
pub fn largest_distance(one: &Course, other: &Course) -> Option<f64> {
    let (sparse, fine) = if one.at.len() <= other.at.len() { (one, other) } else { (other, one) };
    let (first, last) = (*fine.at.first()?, *fine.at.last()?);
    let mut largest = None;
    for (row, t) in sparse.at.iter().enumerate().filter(|(_, t)| (first..=last).contains(*t)) {
        let (begin, weights) = fine.weights(*t);
        let apart = |k: usize| {
            let fine = weights.iter().zip(&fine.columns[k][begin..]).map(|(w, v)| w * v);
            sparse.columns[k][row] - fine.sum::<f64>()
        };
        for point in 0..sparse.columns.len() / sparse.together {
            let coordinates = point * sparse.together..(point + 1) * sparse.together;
            let distance = coordinates.map(|k| apart(k).powi(2)).sum::<f64>().sqrt();
            largest = Some(distance.max(largest.unwrap_or(0.0)));
        }
    }
    largest
}

/// Means over intervals, each by its end; the first one begins at 0.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Ends of the intervals, ascending.
    pub at: &'a [f64],
    /// Means over them.
    pub value: &'a [f64],
}

/// A series of means up to an end.
pub fn cut(series: Means<'_>, to: f64) -> (Vec<f64>, Vec<f64>) {
    let whole = series.at.partition_point(|end| *end < to);
    let rows = (whole + 1).min(series.value.len());
    let mut at = series.at[..rows].to_vec();
    at.iter_mut().for_each(|end| *end = end.min(to));
    (at, series.value[..rows].to_vec())
}

/// The difference of two series of means as a series of means, up to an end. The series with fewer
/// rows says over which intervals; over these the mean of the other follows from its integral.
pub fn difference(one: Means<'_>, other: Means<'_>, to: f64) -> (Vec<f64>, Vec<f64>) {
    let (one, other) = (cut(one, to), cut(other, to));
    let sign = if one.0.len() <= other.0.len() { 1.0 } else { -1.0 };
    let ((at, value), fine) = if sign > 0.0 { (one, other) } else { (other, one) };
    let mut last = [0.0; 2];
    let grown = fine.0.iter().zip(&fine.1).map(|(end, mean)| {
        last = [*end, last[1] + mean * (end - last[0])];
        last[1]
    });
    let sums = [0.0].into_iter().chain(grown).collect();
    let ends: Vec<f64> = [0.0].iter().chain(&fine.0).copied().collect();
    let integral = Course::new(&ends, vec![sums], 1);
    let begins = [0.0].iter().chain(&at);
    let means = begins
        .zip(&at)
        .map(|(begin, end)| (integral.value(0, *end) - integral.value(0, *begin)) / (end - begin));
    let apart = value.iter().zip(means).map(|(own, mean)| sign * (own - mean)).collect();
    (at, apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(steps: usize, f: impl Fn(f64) -> f64) -> Course {
        // Uneven steps.
        let at: Vec<f64> = (0..=steps).map(|k| (k as f64 / steps as f64).powf(1.3)).collect();
        let value = at.iter().map(|t| f(*t)).collect();
        Course::new(&at, vec![value], 1)
    }

    #[test]
    fn cubics_are_compared_exactly_whatever_the_steps() {
        let cubic = |t: f64| 1.0 - 2.0 * t + t.powi(3);
        let apart = largest_distance(&course(7, cubic), &course(40, |t| cubic(t) + 0.25)).unwrap();
        assert!((apart - 0.25).abs() < 1e-13, "{apart}");
    }

    #[test]
    fn points_are_compared_by_their_distance() {
        let at = [0.0, 1.0, 2.0];
        let flat = |values: [f64; 4]| values.map(|v| vec![v; 3]).to_vec();
        let one = Course::new(&at, flat([0.0, 0.0, 1.0, 1.0]), 2);
        let other = Course::new(&at, flat([0.3, 0.4, 1.0, 1.2]), 2);
        assert!((largest_distance(&one, &other).unwrap() - 0.5).abs() < 1e-15);
        let later =
            Course::new(&[3.0, 4.0], flat([0.0; 4]).iter().map(|c| c[..2].to_vec()).collect(), 2);
        assert_eq!(largest_distance(&one, &later), None);
    }

    #[test]
    fn an_arrival_is_found_between_steps() {
        let found = course(20, |t| t.exp()).reaches(0, 2.0).unwrap();
        assert!((found - 2f64.ln()).abs() < 1e-6, "{found}");
        assert_eq!(course(20, |t| t.exp()).reaches(0, 3.0), None);
    }

    #[test]
    fn rows_that_go_back_or_are_no_numbers_are_left_out() {
        let kept = Course::new(&[0.0, 1.0, 1.0, 2.0], vec![vec![1.0, 2.0, 3.0, f64::NAN]], 1);
        assert_eq!((kept.at, kept.columns), (vec![0.0, 1.0], vec![vec![1.0, 2.0]]));
    }

    /// Means of t² + c.
    fn parabola(at: &[f64], c: f64) -> Vec<f64> {
        let begins = [0.0].iter().chain(at);
        begins.zip(at).map(|(a, b)| (b.powi(3) - a.powi(3)) / (3.0 * (b - a)) + c).collect()
    }

    #[test]
    fn means_are_compared_whatever_their_intervals() {
        let few = [0.5, 0.8, 1.7, 2.0];
        let many: Vec<f64> = (1..=23).map(|k| 2.0 * (f64::from(k) / 23.0).powf(1.2)).collect();
        let (one, other) = (parabola(&few, 0.25), parabola(&many, 0.0));
        let (one, other) = (Means { at: &few, value: &one }, Means { at: &many, value: &other });
        let (at, apart) = difference(one, other, 2.0);
        assert_eq!(at, few);
        assert!(apart.iter().all(|d| (d - 0.25).abs() < 1e-12), "{apart:?}");
        let (_, back) = difference(other, one, 2.0);
        assert!(back.iter().all(|d| (d + 0.25).abs() < 1e-12), "{back:?}");
        assert_eq!(difference(one, other, 0.9).0, [0.5, 0.8, 0.9]);
        assert_eq!(cut(one, 0.9).0, [0.5, 0.8, 0.9]);
        assert_eq!(cut(one, 0.8).0, [0.5, 0.8]);
    }
}
