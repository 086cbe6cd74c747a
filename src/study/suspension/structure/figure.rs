//! The figure of the structure: four panels.

use super::{Forces, NEAR_GAP, Structure};
use crate::case::{Case, Imposed};
use crate::plot::{Axis, Distribution, DistributionFigure, DistributionPanel, Line, with_error};
use crate::stats::forces::{ForceDistribution, TAIL};
use crate::stats::histogram::{Bins, Histogram, Mean};
use crate::stats::structure::{compressed_share, relative_angles};

/// Bins of forces with fewer contacts are merged with their neighbours.
const FEWEST_CONTACTS: f64 = 4.5;

/// Where the level axis of the pair distribution begins `[aᵢ+aⱼ]`.
const FIRST_SHOWN: f64 = 0.8;

/// The structure of a run in four panels, with what it was made from above them.
pub(super) fn figure(structure: &Structure, case: &Case) -> DistributionFigure {
    let strains = structure.strains.iter().map(|s| s.abs());
    let (first, last) = strains.fold((f64::INFINITY, 0.0), |(a, b), s| (s.min(a), s.max(b)));
    DistributionFigure {
        heading: format!(
            "N = {}, φ = {:.3}: {} frames, strain {first:.2} to {last:.2}{}",
            structure.pairs.particles,
            structure.volume_fraction,
            structure.strains.len(),
            if structure.settled { "" } else { " (not settled)" },
        ),
        panels: vec![
            distances(structure),
            angles(structure, case),
            gaps(structure, case),
            forces(structure, case),
        ],
    }
}

/// Means bin by bin.
fn distribution(label: impl Into<String>, bins: Bins, means: &[Mean]) -> Distribution {
    Distribution {
        label: label.into(),
        edges: (0..=bins.count()).map(|k| bins.edge(k)).collect(),
        values: means.iter().map(|mean| mean.value).collect(),
        errors: means.iter().map(|mean| mean.stderr).collect(),
    }
}

/// A share as a percentage with its error.
fn percent(share: Mean) -> String {
    with_error(100.0 * share.value, Some(100.0 * share.stderr).filter(|e| e.is_finite())) + " %"
}

/// g(r), of all pairs and of those of two species.
fn distances(structure: &Structure) -> DistributionPanel {
    let pairs = &structure.pairs;
    let (bins, g) = (pairs.distances.bins, pairs.distribution());
    let middles: Vec<f64> = (0..bins.count()).map(|k| bins.middle(k)).collect();
    let mut lines = Vec::new();
    if let (Some((species, _)), Some(each)) = (&pairs.by_species, pairs.distribution_by_species()) {
        let [a, b] = species.radii;
        let names = [format!("radii {a}, {a}"), format!("{a}, {b}"), format!("{b}, {b}")];
        for (k, (name, means)) in names.into_iter().zip(each).enumerate() {
            let g = means.iter().map(|mean| mean.value).collect();
            lines.push(Line::new(name, middles.clone(), g).belonging_to(k + 1));
        }
    }
    let contact = bins.find(1.0).map_or(0.0, |k| g[k].value);
    DistributionPanel {
        x: Axis::linear("distance r / (aᵢ+aⱼ)").between(FIRST_SHOWN, bins.edge(bins.count())),
        y: Axis::log("pair distribution g(r)"),
        distributions: vec![distribution("all pairs", bins, &g)],
        lines,
        results: vec![format!("g = {contact:.1} at contact (1 ± {})", bins.width() / 2.0)],
        ..DistributionPanel::default()
    }
}

/// Directions in the plane of flow and gradient.
fn angles(structure: &Structure, case: &Case) -> DistributionPanel {
    let pairs = &structure.pairs;
    let is_empty = |angles: &Histogram| angles.totals().iter().sum::<f64>() == 0.0;
    let beyond = if case.laws.rough.is_some() { "distance from touching" } else { "gap" };
    let near = format!("{beyond} < {NEAR_GAP} a");
    let touching = if case.laws.soft.is_some() { "gap < 0" } else { "contacts" };
    let sorts = [(touching, &pairs.touching_angles), (near.as_str(), &pairs.angles)];
    let mut panel = DistributionPanel {
        x: Axis::linear("angle θ from the flow direction (°)").between(0.0, 180.0),
        y: Axis::linear("pairs / isotropic"),
        lines: vec![Line::new("isotropic", vec![0.0, 180.0], vec![1.0; 2])],
        marks: vec![(45.0, "extension".to_owned()), (135.0, "compression".to_owned())],
        instead: vec![format!("no pair with a {near}")],
        ..DistributionPanel::default()
    };
    for (name, angles) in sorts.into_iter().filter(|(_, angles)| !is_empty(angles)) {
        let bins = angles.bins;
        panel.distributions.push(distribution(name, bins, &relative_angles(angles)));
        if panel.results.is_empty() {
            let share = percent(compressed_share(angles));
            panel.results.push(format!("{name} in the compressive quadrant: {share}"));
        }
    }
    panel
}

/// Gaps, and overlaps of contacts.
fn gaps(structure: &Structure, case: &Case) -> DistributionPanel {
    let pairs = &structure.pairs;
    let touching = if case.laws.soft.is_some() { "overlaps" } else { "contacts" };
    let (apart, beyond, label) = match (&case.laws.rough, &case.laws.soft) {
        (Some(_), _) => ("apart", "in contact", "distance from touching / a"),
        (None, Some(_)) => {
            ("apart", "pressed into each other", "gap of undeflected spheres |h| / a")
        }
        (None, None) => ("gaps", "overlaps of contacts", "gap or overlap |h| / a"),
    };
    let (bins, z) = (pairs.gaps.bins, pairs.coordination());
    let sorts = [(apart, &pairs.gaps), (beyond, &pairs.overlaps)];
    let all = sorts.map(|(name, gaps)| distribution(name, bins, &pairs.per_decade(gaps)));
    let some = |k: &usize| all.iter().any(|sort| sort.values[*k] > 0.0);
    let first = (0..bins.count()).find(some).unwrap_or(0);
    let last = (0..bins.count()).rev().find(some).map_or(bins.count(), |k| k + 1);
    let filled = |sort: &Distribution| sort.values.iter().any(|y| *y > 0.0);
    DistributionPanel {
        x: Axis::log(label).between(bins.edge(first), bins.edge(last)),
        y: Axis::log("neighbours per decade"),
        distributions: all.into_iter().filter(filled).collect(),
        marks: saturation(case).into_iter().collect(),
        results: vec![format!("{} {touching} per particle", with_error(z.value, Some(z.stderr)))],
        instead: vec!["no pair is close".to_owned()],
        ..DistributionPanel::default()
    }
}

/// The gap below which lubrication no longer grows, between hard spheres.
fn saturation(case: &Case) -> Option<(f64, String)> {
    let hard = case.laws.soft.is_none() && case.laws.rough.is_none();
    let lubrication = Some(&case.laws.lubrication).filter(|l| l.enabled && hard);
    lubrication.map(|l| (l.inner_gap, "inner gap of films".to_owned()))
}

/// Normal forces of contacts, with their tail.
fn forces(structure: &Structure, case: &Case) -> DistributionPanel {
    let instead = |lines: &[&str]| DistributionPanel {
        instead: lines.iter().map(|&line| line.to_owned()).collect(),
        ..DistributionPanel::default()
    };
    match &structure.forces {
        Forces::NotRecorded => {
            instead(&["contact forces were not recorded:", "set output.contacts = true"])
        }
        Forces::None => instead(&["no contact in these frames"]),
        Forces::Known { distribution: found, mean, frictional } => {
            let unit = match case.drive.imposed() {
                Imposed::Stress(_) => "σa²",
                Imposed::Rate(_) => "μγ\u{307}a²",
            };
            let mut results = vec![format!("⟨f⟩ = {} {unit}", with_error(*mean, None))];
            if *frictional {
                results[0] += &format!(", {} slide", percent(found.sliding_share));
            }
            DistributionPanel {
                x: Axis::linear("normal contact force f / ⟨f⟩"),
                y: Axis::log("probability density"),
                distributions: vec![merged(found)],
                lines: tail(found).into_iter().collect(),
                results,
                ..DistributionPanel::default()
            }
        }
    }
}

/// The distribution with bins merged until each has a few contacts, so that a log axis shows them.
fn merged(found: &ForceDistribution) -> Distribution {
    let (bins, density) = (found.bins, &found.density);
    let per_bin = found.contacts as f64 * bins.width();
    let (mut ends, mut contacts) = (vec![0], 0.0);
    for (k, mean) in density.iter().enumerate() {
        contacts += mean.value * per_bin;
        if contacts >= FEWEST_CONTACTS {
            ends.push(k + 1);
            contacts = 0.0;
        }
    }
    // What is left belongs to the last bin.
    if ends.len() > 1 {
        ends.pop();
    }
    ends.push(density.len());
    let means = ends.windows(2).map(|ends| &density[ends[0]..ends[1]]);
    let sum = |means: &[Mean], part: fn(&Mean) -> f64| means.iter().map(part).sum::<f64>();
    Distribution {
        label: "contacts".into(),
        edges: ends.iter().map(|k| bins.edge(*k)).collect(),
        values: means.clone().map(|m| sum(m, |mean| mean.value) / m.len() as f64).collect(),
        errors: means.map(|m| sum(m, |e| e.stderr.powi(2)).sqrt() / m.len() as f64).collect(),
    }
}

/// The exponential through the forces beyond where the tail begins.
fn tail(found: &ForceDistribution) -> Option<Line> {
    let Mean { value: decay, stderr } = found.decay;
    let (bins, end) = (found.bins, found.bins.edge(found.bins.count()));
    let first = bins.find(TAIL)?;
    let weight: f64 = found.density[first..].iter().map(|p| p.value * bins.width()).sum();
    let at = |f: f64| weight * decay * (-decay * (f - bins.edge(first))).exp();
    let x: Vec<f64> = (0..=50).map(|k| TAIL + (end - TAIL) * f64::from(k) / 50.0).collect();
    let y = x.iter().map(|f| at(*f)).collect();
    let error = Some(stderr).filter(|e| e.is_finite());
    let name = format!("tail ∝ exp(−β f/⟨f⟩), β = {}", with_error(decay, error));
    decay.is_finite().then(|| Line::new(name, x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::forces::{Contact, force_distribution};

    #[test]
    fn rare_forces_share_a_bin() {
        let contact = |force: f64| Contact { force, slides: false };
        // Fifty forces near the mean, and seven far beyond it.
        let mut frame: Vec<Contact> =
            (0..50).map(|k| contact(0.8 + 0.005 * f64::from(k))).collect();
        frame.extend((0..7).map(|k| contact(4.0 + f64::from(k))));
        let found = force_distribution(&[frame.clone(), frame]).unwrap();
        let drawn = merged(&found);
        assert_eq!(drawn.edges.len(), drawn.values.len() + 1);
        assert_eq!(drawn.edges.last(), Some(&found.bins.edge(found.bins.count())));
        let widths = drawn.edges.windows(2).map(|ends| ends[1] - ends[0]);
        let counts: Vec<f64> = widths.zip(&drawn.values).map(|(w, p)| 114.0 * w * p).collect();
        assert!((counts.iter().sum::<f64>() - 114.0).abs() < 1e-9, "{counts:?}");
        assert!(counts.len() > 2 && counts.iter().all(|n| *n > 4.9), "{counts:?}");
    }
}
