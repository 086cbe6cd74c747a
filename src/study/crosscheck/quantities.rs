//! What is compared in each study.

use super::Question;
use crate::case::{Boundary, Case, Study};

/// A quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Its name in files.
    pub name: &'static str,
    /// In words.
    pub words: &'static str,
    /// In figures.
    pub label: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// What its differences are measured by.
    pub scale: Scale,
}

/// Where a quantity comes from. The last five are no properties of a run but distances between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A number of `summary.json`.
    Result(&'static str),
    /// Mean of a column over the window that all runs share.
    Mean(&'static str),
    /// Smallest value of a column.
    Least(&'static str),
    /// When a column, on a logarithmic scale, reaches the gap at which the case ends.
    Arrival(&'static str),
    /// Rate of the logarithm of a column between the two thicknesses of a falling sphere's film at which
    /// it is measured.
    Decay(&'static str),
    /// Largest distance, over time, of the points whose coordinates these columns are.
    Apart(&'static [&'static str]),
    /// Largest ratio of a column, over time, as a logarithm.
    Ratio(&'static str),
    /// Mean size of the difference of a column over the window that all runs share. (Squares would
    /// make too much of the beginning, when particles with inertia are still at rest in the flow.)
    History(&'static str),
    /// Largest distance of a particle over time, from the frames.
    Paths,
    /// Root-mean-square distance of the particles at the end.
    Ends,
}

impl Source {
    /// Whether it is a distance between two runs: zero for the quasi-static one.
    pub fn is_distance(self) -> bool {
        use Source::{Apart, Ends, History, Paths, Ratio};
        matches!(self, Apart(_) | Ratio(_) | History(_) | Paths | Ends)
    }
}

/// What differences are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The quasi-static value.
    Own,
    /// The quasi-static value of another quantity of the list.
    Of(&'static str),
    /// A unit, `a`.
    Unit(&'static str),
    /// Nothing: it is a ratio.
    None,
}

const fn quantity(
    name: &'static str,
    words: &'static str,
    label: &'static str,
    source: Source,
    scale: Scale,
) -> Quantity {
    Quantity { name, words, label, source, scale }
}

const VISCOSITY: &str = "relative_viscosity";

const RHEOLOGY: [Quantity; 5] = [
    quantity(VISCOSITY, "relative viscosity", "ηᵣ", Source::Mean(VISCOSITY), Scale::Own),
    quantity(
        "particle_pressure",
        "particle pressure",
        "Π",
        Source::Mean("particle_pressure"),
        Scale::Own,
    ),
    quantity("n1", "N₁ (over η_r)", "N₁ / ηᵣ", Source::Mean("n1"), Scale::Of(VISCOSITY)),
    quantity("n2", "N₂ (over η_r)", "N₂ / ηᵣ", Source::Mean("n2"), Scale::Of(VISCOSITY)),
    quantity(
        "viscosity_history",
        "viscosity over strain",
        "ηᵣ(γ)",
        Source::History(VISCOSITY),
        Scale::Of(VISCOSITY),
    ),
];

const SMALLEST_GAP: Quantity = quantity(
    "smallest_gap",
    "smallest gap",
    "smallest gap",
    Source::Least("smallest_gap"),
    Scale::Unit("a"),
);

const THINNEST_FILM: Quantity = quantity(
    "thinnest_film",
    "thinnest film",
    "thinnest film",
    Source::Least("thinnest_film"),
    Scale::Own,
);

const PATHS: Quantity =
    quantity("trajectory", "trajectory", "trajectory", Source::Paths, Scale::Unit("a"));

const ENDS: Quantity = quantity(
    "final_positions",
    "final positions (rms)",
    "final positions",
    Source::Ends,
    Scale::Unit("a"),
);

const T1: [Quantity; 3] = [
    quantity("duration", "duration", "duration Δ", Source::Result("t1.duration"), Scale::Own),
    quantity(
        "final_angle",
        "final angle",
        "final angle θ",
        Source::Result("t1.final_angle_deg"),
        Scale::Own,
    ),
    quantity(
        "gaps",
        "gaps over time",
        "gaps over time",
        Source::Apart(&["gap_horizontal", "gap_vertical", "gap_diagonal"]),
        Scale::Unit("R"),
    ),
];

const SOFT_PAIR: [Quantity; 2] = [
    quantity("end_time", "time at the end", "time at the end", Source::Arrival("gap"), Scale::Own),
    quantity("film", "film over time", "film over time", Source::Ratio("gap"), Scale::None),
];

const SETTLE: [Quantity; 3] = [
    quantity("decay_rate", "decay rate", "decay rate", Source::Decay("gap"), Scale::Own),
    quantity("final_gap", "final gap", "final gap", Source::Result("settle.final_gap"), Scale::Own),
    quantity("film", "film over time", "film over time", Source::Ratio("gap"), Scale::None),
];

const PAIR_SHEAR: [Quantity; 3] = [
    quantity("min_gap", "smallest gap", "smallest gap", Source::Result("pair.min_gap"), Scale::Own),
    quantity(
        "final_offset",
        "final offset",
        "final offset",
        Source::Result("pair.final_offset"),
        Scale::Unit("a"),
    ),
    quantity(
        "trajectory",
        "trajectory",
        "trajectory",
        Source::Apart(&["x", "y", "z"]),
        Scale::Unit("a"),
    ),
];

/// What is compared of a case.
pub fn quantities(question: &Question, case: &Case) -> Vec<Quantity> {
    match case.study {
        Study::Suspension => suspension(case, question.follows_paths(case)),
        Study::T1 => T1.to_vec(),
        Study::SoftPair => SOFT_PAIR.to_vec(),
        Study::Settle => SETTLE.to_vec(),
        Study::PairShear => PAIR_SHEAR.to_vec(),
        Study::Collision | Study::GlueyPlane => Vec::new(),
    }
}

fn suspension(case: &Case, follows_paths: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    if case.domain.boundary == Boundary::Periodic {
        all.extend(RHEOLOGY);
    }
    let films = case.soft.is_some() || case.rough.is_some();
    all.push(if films { THINNEST_FILM } else { SMALLEST_GAP });
    if follows_paths {
        all.push(PATHS);
    }
    all.push(ENDS);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Origin;
    use crate::run::series;
    use crate::study;
    use std::path::Path;

    /// Columns that a quantity needs.
    fn columns(source: Source) -> Vec<&'static str> {
        match source {
            Source::Mean(c) | Source::Least(c) | Source::Arrival(c) => vec![c],
            Source::Decay(c) | Source::Ratio(c) | Source::History(c) => vec![c],
            Source::Apart(all) => all.to_vec(),
            Source::Result(_) | Source::Paths | Source::Ends => Vec::new(),
        }
    }

    #[test]
    fn all_columns_are_there_and_all_names_differ() {
        for name in ["suspension", "two_spheres", "soft_suspension", "t1", "soft_pair"]
            .iter()
            .chain(&["falling_sphere", "pair_shear"])
        {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("cases/{name}.toml"));
            let case = Case::read(&file, &[]).unwrap();
            let (case_file, stokes) = (file, vec![0.1]);
            let question =
                Question { case_file, set: vec![], stokes, scheme: None, accuracy: 0.01 };
            let all = quantities(&question, &case);
            assert!(all.len() >= 2, "{name}");
            for (k, quantity) in all.iter().enumerate() {
                assert!(!all[..k].iter().any(|q| q.name == quantity.name), "{name}: {quantity:?}");
                for column in columns(quantity.source) {
                    let suspension =
                        || series::columns(&Origin::ALL).iter().any(|c| c.name == column);
                    let found =
                        study::columns(case.study).map_or_else(suspension, |c| c.contains(&column));
                    assert!(found, "{name}: {column}");
                }
                if let Scale::Of(other) = quantity.scale {
                    assert!(all.iter().any(|q| q.name == other), "{name}: {other}");
                }
            }
        }
    }
}
