//! What is doubtful about a case before it runs.

use super::Scales;
use super::fluid::note;
use crate::case::{Case, Laws, ObstacleKind, ObstacleTable};
use crate::laws::PairLaw;
use crate::pairs::NeighbourList;
use crate::plot::with_error;
use crate::state::Suspension;

/// A shorter range of a force is not resolved by any step `[a]`.
const SHORTEST_RANGE: f64 = 1e-6;

/// A shorter range of a force, over the gap at which films saturate, does nothing `[1]`.
const SHORTEST_IN_FILMS: f64 = 1e-2;

/// Overlaps that are said where no springs bound them `[a]`.
const DEEP_OVERLAP: f64 = 0.01;

/// What is doubtful about a case that begins with these particles, one thing each.
pub(super) fn doubts(case: &Case, state: &Suspension) -> Vec<String> {
    let scales = Scales::new(case, state.smallest_radius());
    let named = case.laws.named.interactions(scales.case_units());
    let short = named.iter().filter_map(|law| short_range(case, &scales, law.as_ref()));
    let thin = case.obstacle.iter().filter_map(|table| thin_plate(case, &scales, table));
    let films = note(case, state).into_iter();
    films.chain(short).chain(thin).chain(overlapping(case, state)).collect()
}

/// A plate that is thinner than films are long.
fn thin_plate(case: &Case, scales: &Scales, table: &ObstacleTable) -> Option<String> {
    let plates =
        table.kind == ObstacleKind::Plate || table.kind == ObstacleKind::Wheel && table.paddles > 0;
    let Laws { lubrication, soft, rough, .. } = &case.laws;
    let films = lubrication.enabled && soft.is_none() && rough.is_none();
    let range = lubrication.outer_gap * scales.radius;
    let thickness = table.thickness.unwrap_or(ObstacleTable::THICKNESS);
    (plates && films && thickness < range).then(|| {
        format!(
            "films reach {} and act through a plate that is {} thick, between particles on either \
             side of it: give it more obstacle.thickness, or take a smaller lubrication.outer_gap",
            with_error(range, None),
            with_error(thickness, None)
        )
    })
}

/// A force that ends before it can act.
fn short_range(case: &Case, scales: &Scales, law: &dyn PairLaw) -> Option<String> {
    let (a, name) = (scales.radius, law.name());
    let range = law.range([a; 2]) / a;
    let films = &case.laws.lubrication;
    let unit = format!("lengths in [{name}] are in units of the smallest radius a");
    let unit = match a == 1.0 {
        true => unit,
        false => format!("{unit} = {}, not in those of the radii", with_error(a, None)),
    };
    if range > 0.0 && range < SHORTEST_RANGE {
        return Some(format!(
            "the force of [{name}] ends at a gap of {range:.1e} a, which no step resolves, so that it \
             acts as none: {unit}"
        ));
    }
    let blurred = films.enabled && range > 0.0 && range < SHORTEST_IN_FILMS * films.inner_gap;
    blurred.then(|| {
        format!(
            "the force of [{name}] ends at a gap of {range:.1e} a, far below lubrication.inner_gap = \
             {}, where films no longer change: {unit}",
            films.inner_gap
        )
    })
}

/// Spheres that begin inside each other.
fn overlapping(case: &Case, state: &Suspension) -> Option<String> {
    let mut pairs = Vec::new();
    NeighbourList::new(0.0, 0.0).active(state, &mut pairs);
    let deepest = pairs.iter().min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    let overlap = -deepest.gap / state.smallest_radius();
    let contact = &case.laws.contact;
    let bound = if contact.enabled { contact.max_overlap } else { DEEP_OVERLAP };
    let count = pairs.iter().filter(|p| -p.gap > bound * state.smallest_radius()).count();
    let [i, j] = deepest.ids.numbers(state.len());
    let others = match count.saturating_sub(1) {
        0 => String::new(),
        1 => format!(", and another pair by more than {bound} a"),
        more => format!(", and {more} other pairs by more than {bound} a"),
    };
    (overlap > bound).then(|| {
        format!(
            "particles {i} and {j} overlap by {overlap:.2} a at the start{others}: are radii and \
             diameters mixed up, or is the box too small? Forces begin far too large"
        )
    })
}
