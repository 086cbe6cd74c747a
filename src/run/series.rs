//! The columns of `timeseries.csv`: what a row tells of the steps since the last one.
//!
//! A new column is one line of a table below. An origin of stress brings its own four.

use nalgebra::Matrix3;

use crate::drive::Flow;
use crate::integrate::Observation;
use crate::laws::Origin;
use crate::record::{Column, Gather, Row};
use crate::stress;

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
    /// Whether the flow turns back and forth: then stresses are in the one unit above, and means
    /// are over time.
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

/// A step as the time series sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What was measured in the step.
    pub seen: Observation,
    /// The units of the run.
    pub units: Units,
    /// The stress of all origins `[F/a²]`.
    pub total: Matrix3<f64>,
    /// The unit of stress, negative where the flow goes backwards `[F/a²]`.
    unit: f64,
}

impl Sample {
    /// Of a step.
    pub fn new(seen: &Observation, units: &Units) -> Self {
        Sample { seen: *seen, units: *units, total: seen.stress.total(), unit: units.of(seen) }
    }

    /// A length in units of the smallest radius.
    fn length(&self, length: f64) -> f64 {
        length / self.units.radius
    }

    /// The part of a stress that the flow works against `[F/a²]`.
    fn driving(&self, stress: &Matrix3<f64>) -> f64 {
        self.units.flow.stress(stress)
    }

    /// The viscosity that a stress makes `[μ]`.
    fn viscosity(&self, stress: &Matrix3<f64>) -> f64 {
        self.driving(stress) / self.unit
    }

    /// A number of a stress in units of the one above, which is taken positive `[μγ̇]`.
    fn normal(&self, number: f64) -> f64 {
        number / self.unit.abs()
    }

    /// The stress of the k-th origin.
    fn origin(&self, k: usize) -> &Matrix3<f64> {
        &self.seen.stress.pairs[k]
    }

    /// Its weight in the means of a row: over strain, so that the mean of σ/(μγ̇) is the mean
    /// stress over the mean rate. Signed: a step that flows backwards has a negative rate and a
    /// negative strain. Its duration where nothing is sheared.
    fn weight(&self) -> f64 {
        let still = self.seen.rate == 0.0 || self.units.oscillates;
        if still { self.seen.step } else { self.seen.rate * self.seen.step }
    }

    /// Adds the step to a row.
    pub fn add_to(&self, row: &mut Row, columns: &[Column<Sample>]) {
        row.add(columns, self, self.weight(), self.seen.step);
    }
}

type Number = fn(&Sample) -> f64;
type NumberByOrigin = fn(&Sample, usize) -> f64;
type Text = &'static str;

const fn last(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value)
}

const fn mean(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value).gathered(Gather::Mean)
}

const fn mean_over_time(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value).gathered(Gather::OverTime)
}

const fn least(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value).gathered(Gather::Least)
}

const fn most(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value).gathered(Gather::Most)
}

const fn sum(name: Text, unit: Text, meaning: Text, value: Number) -> Column<Sample> {
    Column::new(name, unit, meaning, value).gathered(Gather::Sum)
}

/// Where the run is, and its stress.
const FLOW: &[Column<Sample>] = &[
    last("strain", "1", "total strain at the end of the row", |s| s.seen.strain),
    last("time", "t", "time at the end of the row", |s| s.seen.time),
    last("steps", "1", "steps since the start", |s| s.seen.steps as f64),
    sum("step", "t", "duration of the row", |s| s.seen.step),
    mean_over_time("rate", "1/t", "mean rate of the flow", |s| s.seen.rate),
    mean("relative_viscosity", "μ", "mean viscosity of the suspension η", |s| {
        s.viscosity(&s.total)
    }),
    mean("n1", "μγ̇", "mean first normal stress difference N₁", |s| {
        s.normal(stress::n1(&s.total))
    }),
    mean("n2", "μγ̇", "mean second normal stress difference N₂", |s| {
        s.normal(stress::n2(&s.total))
    }),
    mean("particle_pressure", "μγ̇", "mean particle pressure Π", |s| {
        s.normal(stress::pressure(&s.total))
    }),
    mean("viscosity_solvent", "μ", "part of η due to the fluid", |s| {
        s.viscosity(&s.seen.stress.solvent)
    }),
    mean("viscosity_einstein", "μ", "part of η due to single spheres", |s| {
        s.viscosity(&s.seen.stress.einstein)
    }),
];

/// What is told of the stress of every origin.
const BY_ORIGIN: [(Text, Text, Text, NumberByOrigin); 4] = [
    ("viscosity", "μ", "part of η", |s, k| s.viscosity(s.origin(k))),
    ("n1", "μγ̇", "part of N₁", |s, k| s.normal(stress::n1(s.origin(k)))),
    ("n2", "μγ̇", "part of N₂", |s, k| s.normal(stress::n2(s.origin(k)))),
    ("pressure", "μγ̇", "part of Π", |s, k| s.normal(stress::pressure(s.origin(k)))),
];

/// Contacts, powers, costs, and what came later.
const REST: &[Column<Sample>] = &[
    mean("coordination", "1", "mean number of contacts of a particle", |s| {
        s.seen.contacts.coordination
    }),
    mean("sliding_fraction", "1", "fraction of frictional contacts that slide", |s| {
        s.seen.sliding_fraction()
    }),
    least(
        "smallest_gap",
        "a",
        "smallest gap of undeflected surfaces; the range of the laws if none is smaller",
        |s| s.length(s.seen.gaps.smallest),
    ),
    most("largest_overlap", "a", "largest overlap of two particles", |s| {
        s.length(s.seen.largest_overlap())
    }),
    least("thinnest_film", "a", "thinnest film of soft or rough particles", |s| {
        s.length(s.seen.gaps.thinnest_film)
    }),
    most("largest_deflection", "a", "largest normal deflection of soft or rough surfaces", |s| {
        s.length(s.seen.gaps.largest_deflection)
    }),
    last("stiffness", "μγ̇a", "normal stiffness of contacts", |s| {
        s.seen.contacts.stiffness / (s.units.stress * s.units.radius)
    }),
    mean("power_in", "Fa/t", "power of the flow, external forces and obstacles", |s| {
        s.seen.power.input
    }),
    mean("power_drag", "Fa/t", "power dissipated by drag", |s| s.seen.power.drag),
    mean("power_pairs", "Fa/t", "power dissipated or stored by pairs", |s| {
        s.seen.power.pairs.iter().sum()
    }),
    last("stored_energy", "Fa", "energy stored in pairs", |s| s.seen.energy.stored),
    most(
        "power_mismatch",
        "1",
        "largest mismatch of the power that goes in and that taken up, over all powers",
        |s| s.seen.power_mismatch(),
    ),
    most("force_residual", "1", "largest imbalance of forces, over all forces", |s| {
        s.seen.effort.force_residual
    }),
    most(
        "friction_residual",
        "1",
        "largest imbalance of the contact and friction laws, over all forces",
        |s| s.seen.effort.law_residual,
    ),
    sum("solves", "1", "linear systems solved", |s| s.seen.effort.solves as f64),
    sum("iterations", "1", "iterations of the linear solver", |s| s.seen.effort.iterations as f64),
    most("overloaded", "1", "rough pairs pressed by more than their asperities can bear", |s| {
        s.seen.contacts.overloaded as f64
    }),
    last("accumulated_strain", "1", "total strain, counted positive in either direction", |s| {
        s.seen.path
    }),
    last("cross_strain", "1", "total strain along z", |s| s.seen.cross_strain),
    last("phase", "1", "number of the phase, from 0", |s| s.seen.phase as f64),
    mean("shear_stress", "F/a²", "stress that the flow works against", |s| s.driving(&s.total)),
    mean("cross_stress", "F/a²", "stress of a flow along z: its component yz", |s| {
        s.total[(1, 2)]
    }),
    mean("viscosity_kinetic", "μ", "part of η due to inertia", |s| {
        s.viscosity(&s.seen.stress.kinetic)
    }),
    mean("power_inertia", "Fa/t", "power that inertia takes up", |s| s.seen.power.inertia),
    last("kinetic_energy", "Fa", "energy of motion relative to the flow", |s| {
        s.seen.energy.kinetic
    }),
    last("glued_pairs", "1", "pairs that are glued", |s| s.seen.constrained.glued as f64),
    most("constraint_violation", "a", "largest overlap of gluey contacts", |s| {
        s.length(s.seen.constrained.violation)
    }),
    most("dual_residual", "1", "largest imbalance of forces with those of gluey contacts", |s| {
        s.seen.constrained.dual
    }),
    most("complementarity", "a", "largest product of gap and force, over the largest force", |s| {
        s.length(s.seen.constrained.complementarity)
    }),
];

/// The columns of `timeseries.csv` where stresses have these origins.
pub fn columns(origins: &[Origin]) -> Vec<Column<Sample>> {
    let mut columns = FLOW.to_vec();
    for (name, unit, meaning, value) in BY_ORIGIN {
        columns.extend(origins.iter().map(|origin| {
            let of = origin.name();
            let (name, meaning) = (format!("{name}_{of}"), format!("{meaning} due to {of}"));
            Column::part(name, unit, meaning, origin.index(), value).gathered(Gather::Mean)
        }));
    }
    columns.extend_from_slice(REST);
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_origin_has_its_columns_in_order() {
        let names: Vec<String> = columns(&Origin::ALL).iter().map(|c| c.name.to_string()).collect();
        assert_eq!(names.len(), FLOW.len() + 4 * Origin::ALL.len() + REST.len());
        assert_eq!(names[11..13], ["viscosity_lubrication", "viscosity_contact"]);
        let last = FLOW.len() + 4 * Origin::ALL.len() - 1;
        let pressure = format!("pressure_{}", Origin::ALL[Origin::ALL.len() - 1].name());
        assert_eq!(names[last..last + 2], [&*pressure, "coordination"]);
    }

    #[test]
    fn columns_read_the_step() {
        let mut seen = Observation { rate: -2.0, step: 0.5, ..Observation::default() };
        seen.stress.pairs[1][(0, 1)] = -6.0;
        seen.gaps.smallest = -0.25;
        let units = Units {
            viscosity: 1.0,
            stress: 1.0,
            radius: 0.5,
            flow: Flow::default(),
            oscillates: false,
        };
        let sample = Sample::new(&seen, &units);
        let columns = columns(&Origin::ALL);
        let value = |name: &str| columns.iter().find(|c| c.name == name).unwrap().value(&sample);
        assert_eq!(value("viscosity_contact"), 3.0);
        assert_eq!(value("viscosity_friction"), 0.0);
        assert_eq!(value("shear_stress"), -6.0);
        assert_eq!(value("largest_overlap"), 0.5);
        let mut row = Row::default();
        sample.add_to(&mut row, &columns);
        assert_eq!(row.finished(&columns)[5], value("relative_viscosity"));
    }
}
