//! The rows of `timeseries.csv`: means, extremes and counts of the steps since the last row.

use serde::{Deserialize, Serialize};

use crate::drive::Flow;
use crate::integrate::Observation;
use crate::laws::Origin;
use crate::stress;

/// How a column gathers the steps of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gather {
    /// The value of the last step.
    Last,
    /// Mean, weighted by the strain of the steps.
    Mean,
    /// Smallest.
    Least,
    /// Largest.
    Most,
    /// Sum.
    Sum,
    /// Mean, weighted by the duration of the steps.
    OverTime,
}

use Gather::{Last, Least, Mean, Most, OverTime, Sum};

/// Number of columns.
const COUNT: usize = 64;

/// Names of the columns of `timeseries.csv`, and how each gathers.
const TABLE: [(&str, Gather); COUNT] = [
    ("strain", Last),
    ("time", Last),
    ("steps", Last),
    ("step", Sum),
    ("rate", OverTime),
    ("relative_viscosity", Mean),
    ("n1", Mean),
    ("n2", Mean),
    ("particle_pressure", Mean),
    ("viscosity_solvent", Mean),
    ("viscosity_einstein", Mean),
    ("viscosity_lubrication", Mean),
    ("viscosity_contact", Mean),
    ("viscosity_friction", Mean),
    ("viscosity_repulsion", Mean),
    ("viscosity_attraction", Mean),
    ("viscosity_deflection", Mean),
    ("n1_lubrication", Mean),
    ("n1_contact", Mean),
    ("n1_friction", Mean),
    ("n1_repulsion", Mean),
    ("n1_attraction", Mean),
    ("n1_deflection", Mean),
    ("n2_lubrication", Mean),
    ("n2_contact", Mean),
    ("n2_friction", Mean),
    ("n2_repulsion", Mean),
    ("n2_attraction", Mean),
    ("n2_deflection", Mean),
    ("pressure_lubrication", Mean),
    ("pressure_contact", Mean),
    ("pressure_friction", Mean),
    ("pressure_repulsion", Mean),
    ("pressure_attraction", Mean),
    ("pressure_deflection", Mean),
    ("coordination", Mean),
    ("sliding_fraction", Mean),
    ("smallest_gap", Least),
    ("largest_overlap", Most),
    ("thinnest_film", Least),
    ("largest_deflection", Most),
    ("stiffness", Last),
    ("power_in", Mean),
    ("power_drag", Mean),
    ("power_pairs", Mean),
    ("stored_energy", Last),
    ("power_mismatch", Most),
    ("force_residual", Most),
    ("friction_residual", Most),
    ("solves", Sum),
    ("iterations", Sum),
    ("overloaded", Most),
    ("accumulated_strain", Last),
    ("cross_strain", Last),
    ("phase", Last),
    ("shear_stress", Mean),
    ("cross_stress", Mean),
    ("viscosity_kinetic", Mean),
    ("power_inertia", Mean),
    ("kinetic_energy", Last),
    ("glued_pairs", Last),
    ("constraint_violation", Most),
    ("dual_residual", Most),
    ("complementarity", Most),
];

/// Names of the columns of `timeseries.csv`.
pub const COLUMNS: &[&str; COUNT] = &{
    let mut names = [""; COUNT];
    let mut k = 0;
    while k < COUNT {
        names[k] = TABLE[k].0;
        k += 1;
    }
    names
};

/// Units in which a run reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Viscosity of the fluid; stresses are reported in μγ̇ with the rate of the step `[μ]`.
    pub viscosity: f64,
    /// The unit of stress where nothing is sheared, and of stiffness `[μγ̇]`.
    pub stress: f64,
    /// The smallest radius `[a]`.
    pub radius: f64,
    /// The imposed flow, which says what its stress is.
    pub flow: Flow,
    /// Whether the flow turns back and forth: then stresses are in the one unit above, and means are
    /// over time.
    pub oscillates: bool,
}

impl Units {
    /// The unit of stress in a step `[μγ̇]`.
    fn of(&self, seen: &Observation) -> f64 {
        match seen.rate == 0.0 || self.oscillates {
            true => self.stress,
            false => self.viscosity * seen.rate,
        }
    }
}

/// The steps since the last row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Strain of the steps, or their duration where nothing is sheared.
    weight: f64,
    /// Duration of the steps.
    time: f64,
    values: Vec<f64>,
}

impl Row {
    /// Takes up one step.
    pub fn add(&mut self, seen: &Observation, units: &Units) {
        let fresh = numbers(seen, units);
        // Over strain, so that the mean of σ/(μγ̇) is the mean stress over the mean rate.
        // Signed: a step that flows backwards has a negative rate and a negative strain.
        let still = seen.rate == 0.0 || units.oscillates;
        let weight = if still { seen.step } else { seen.rate * seen.step };
        self.time += seen.step;
        if self.values.is_empty() {
            self.values = fresh.to_vec();
            for (v, (_, gather)) in self.values.iter_mut().zip(&TABLE) {
                if *gather == Mean {
                    *v *= weight;
                }
            }
        } else {
            for ((v, x), (_, gather)) in self.values.iter_mut().zip(fresh).zip(&TABLE) {
                match gather {
                    Last => *v = x,
                    Mean => *v += x * weight,
                    Least => *v = v.min(x),
                    Most => *v = v.max(x),
                    Sum => *v += x,
                    OverTime => *v += (x - *v) * (seen.step / self.time),
                }
            }
        }
        self.weight += weight;
    }

    /// Takes a row that a study has made itself, in place of what was gathered.
    pub fn replace(&mut self, row: Vec<f64>) {
        self.values = row;
        self.weight = 1.0;
    }

    /// Whether no step has been taken up.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The finished row; the next one begins empty.
    pub fn take(&mut self) -> Vec<f64> {
        let mut row = std::mem::take(&mut self.values);
        for (v, (_, gather)) in row.iter_mut().zip(&TABLE) {
            if *gather == Mean {
                *v /= self.weight;
            }
        }
        (self.weight, self.time) = (0.0, 0.0);
        row
    }
}

fn numbers(seen: &Observation, units: &Units) -> [f64; COUNT] {
    let total = seen.stress.total();
    let driving = |s: &nalgebra::Matrix3<f64>| units.flow.stress(s);
    let by_origin = |f: &dyn Fn(&nalgebra::Matrix3<f64>) -> f64, unit: f64| {
        Origin::ALL.map(|origin| f(seen.stress.of(origin)) / unit)
    };
    let unit = units.of(seen);
    let magnitude = unit.abs();
    let mut row = [0.0; COUNT];
    let mut filled = 0;
    let mut put = |values: &[f64]| {
        row[filled..filled + values.len()].copy_from_slice(values);
        filled += values.len();
    };
    put(&[seen.strain, seen.time, seen.steps as f64, seen.step, seen.rate]);
    put(&[driving(&total) / unit]);
    put(&[stress::n1, stress::n2, stress::pressure].map(|f| f(&total) / magnitude));
    put(&[&seen.stress.solvent, &seen.stress.einstein].map(|s| driving(s) / unit));
    put(&by_origin(&driving, unit));
    put(&by_origin(&stress::n1, magnitude));
    put(&by_origin(&stress::n2, magnitude));
    put(&by_origin(&stress::pressure, magnitude));
    put(&[seen.coordination, seen.sliding_fraction()]);
    put(&[seen.smallest_gap / units.radius, seen.largest_overlap() / units.radius]);
    put(&[seen.thinnest_film / units.radius, seen.largest_deflection / units.radius]);
    put(&[seen.stiffness / (units.stress * units.radius)]);
    put(&[seen.power_in, seen.power_drag, seen.power_pairs.iter().sum(), seen.stored_energy]);
    put(&[seen.power_mismatch(), seen.effort.force_residual, seen.effort.law_residual]);
    put(&[seen.effort.solves as f64, seen.effort.iterations as f64]);
    put(&[seen.overloaded as f64]);
    put(&[seen.path, seen.cross_strain, seen.phase as f64]);
    put(&[driving(&total), total[(1, 2)]]);
    put(&[driving(&seen.stress.kinetic) / unit, seen.power_inertia, seen.kinetic_energy]);
    let met = &seen.constrained;
    put(&[met.glued as f64, met.violation / units.radius, met.dual]);
    put(&[met.complementarity / units.radius]);
    assert_eq!(filled, COUNT, "one number per column");
    row
}
