//! What is compared between runs of a suspension.

use crate::case::{Boundary, Case};
use crate::study::quantity::{Quantity, Scale, Source, quantity};

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

/// What is compared of a case; `paths` if those of single particles are known.
pub(super) fn quantities(case: &Case, paths: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    if case.domain.boundary == Boundary::Periodic {
        all.extend(RHEOLOGY);
    }
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    all.push(if films { THINNEST_FILM } else { SMALLEST_GAP });
    if paths {
        all.push(PATHS);
    }
    all.push(ENDS);
    all
}
