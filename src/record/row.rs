//! A row of a table that gathers several samples: means, extremes, sums.

use serde::{Deserialize, Serialize};

use super::column::{Column, Gather};

/// The samples since the last row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The sum of the weights.
    weight: f64,
    /// The sum of the durations.
    time: f64,
    values: Vec<f64>,
}

impl Row {
    /// Adds a sample with its weight in means, and its duration.
    pub fn add<S>(&mut self, columns: &[Column<S>], sample: &S, weight: f64, duration: f64) {
        self.time += duration;
        self.weight += weight;
        let values = columns.iter().map(|column| (column.gather, column.value(sample)));
        if self.values.is_empty() {
            self.values.extend(values.map(|(gather, x)| gather.first(x, weight)));
            return;
        }
        for (v, (gather, x)) in self.values.iter_mut().zip(values) {
            *v = gather.next(*v, x, weight, duration / self.time);
        }
    }

    /// Replaces what was gathered by a row that is made already.
    pub fn replace(&mut self, row: Vec<f64>) {
        self.values = row;
        self.weight = 1.0;
    }

    /// Whether it has no sample yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The row as it would be written now.
    pub fn finished<S>(&self, columns: &[Column<S>]) -> Vec<f64> {
        let mut row = self.values.clone();
        for (v, column) in row.iter_mut().zip(columns) {
            if column.gather == Gather::Mean {
                *v /= self.weight;
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_gathers_in_its_own_way() {
        let column = |gather| Column::new("x", "1", "a number", |x: &f64| *x).gathered(gather);
        let ways = [
            Gather::Last,
            Gather::Mean,
            Gather::Least,
            Gather::Most,
            Gather::Sum,
            Gather::OverTime,
        ];
        let columns = ways.map(column);
        let mut row = Row::default();
        assert!(row.is_empty());
        for (x, weight, duration) in [(4.0, 1.0, 3.0), (1.0, 2.0, 1.0), (2.0, 1.0, 4.0)] {
            row.add(&columns, &x, weight, duration);
        }
        assert_eq!(row.finished(&columns), [2.0, 2.0, 1.0, 4.0, 7.0, 2.625]);
        row.replace(vec![5.0]);
        assert_eq!(row.finished::<f64>(&[]), [5.0]);
    }
}
