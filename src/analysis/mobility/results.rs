//! The results of a balance, as a summary, and what the user is told about them.

use nalgebra::Vector3;
use serde::Serialize;

use super::survey::Means;
use super::{Comparison, Mobility, advice};
use crate::case::Case;
use crate::laws::Origin;
use crate::record::Configuration;
use crate::record::keys::described;
use crate::stress;
use crate::study::{self, suspension::Scales};

/// How many of the particles that are farthest off are shown.
const SHOWN: usize = 5;

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct Results {
        /// The kind of file.
        pub format: String,
        /// Number of particles N.
        pub particles: usize,
        /// Volume fraction φ; none in open space `[1]`.
        pub volume_fraction: Option<f64>,
        /// Radius a of the smallest particle, in the unit of length of the file `[L]`.
        pub smallest_radius: f64,
        /// Rate of the flow, imposed or found `[1/t]`.
        pub rate: f64,
        /// What the stress amounts to.
        #[serde(flatten)]
        pub rheology: InstantRheology,
        /// Pairs within the range of the laws.
        pub pairs: usize,
        /// Pairs that overlap.
        pub contacts: usize,
        /// Smallest gap, negative when spheres overlap `[a]`.
        pub smallest_gap: f64,
        /// Normal stiffness of contacts `[μγ̇a]`.
        pub stiffness: f64,
        /// What is left of the forces, relative to all `[1]`.
        pub force_residual: f64,
        /// How exact the coordinates are.
        #[serde(flatten)]
        pub precision: Exactness,
        /// The velocities of the file against these.
        #[serde(flatten)]
        pub compared: Compared,
        /// Means over all frames; none if there is but one.
        pub means: Option<Means>,
        /// What is not known, and what the user may want to change.
        pub advice: Vec<String>,
    }

    /// The velocities of the file against those found.
    #[derive(Clone, Debug, Serialize)]
    pub struct Compared {
        /// How far they are apart; none if they cannot be compared.
        pub comparison: Option<Comparison>,
        /// Why they cannot be compared, if so.
        pub not_compared: Option<String>,
        /// Where the stretches of tangential springs and the films come from.
        pub springs: String,
        /// The particles whose velocities are farthest off, without the mean difference.
        pub worst_particles: Vec<WorstParticle>,
    }

    /// A particle whose velocity is far off.
    #[derive(Clone, Debug, Serialize)]
    pub struct WorstParticle {
        /// Its id in the file.
        pub id: u64,
        /// The difference without the mean, over the root mean square found `[1]`.
        pub difference: f64,
        /// Its smallest gap; none if nobody is near `[a]`.
        pub smallest_gap: Option<f64>,
        /// How many others it overlaps with.
        pub contacts: usize,
    }

    /// What the stress of one instant amounts to; none in open space or at rest.
    #[derive(Clone, Debug, Serialize)]
    pub struct InstantRheology {
        /// Viscosity η, the solvent and the spheres' own stresslets included `[μ]`.
        pub relative_viscosity: Option<f64>,
        /// Particle pressure Π `[μγ̇]`.
        pub particle_pressure: Option<f64>,
        /// First normal stress difference `[μγ̇]`.
        pub n1: Option<f64>,
        /// Second normal stress difference `[μγ̇]`.
        pub n2: Option<f64>,
        /// Parts of η due to pairs, by origin `[μ]`.
        pub viscosity: serde_json::Map<String, serde_json::Value>,
        /// The stress tensor, row by row, tension positive `[μγ̇]`.
        pub stress: Option<[[f64; 3]; 3]>,
    }

    /// How exact the coordinates of a file are.
    #[derive(Clone, Debug, Serialize)]
    pub struct Exactness {
        /// Significant digits of the coordinates; none if nothing can be said.
        pub digits: Option<usize>,
        /// The gap below which the rounding of coordinates shows: ten of their last digits `[a]`.
        pub lost_gap: Option<f64>,
        /// Pairs that are closer than that.
        pub lost_pairs: Option<usize>,
    }
}

impl Results {
    /// Of a balance for what was read, with the laws of a case.
    pub fn new(case: &Case, read: &Configuration, found: &Mobility) -> Self {
        let scales = Scales::new(case, found.state.smallest_radius());
        let rate = found.drive.rate;
        let known = found.state.cell.volume().is_some() && rate != 0.0;
        let unit = case.fluid.viscosity * rate.abs();
        let total = found.seen.stress.total();
        let over = |value: f64| known.then_some(value / unit);
        let viscosity = |tensor| found.drive.flow.stress(tensor) / (case.fluid.viscosity * rate);
        let parts = Origin::ALL.into_iter().filter(|_| known).map(|origin| {
            (origin.name().to_owned(), viscosity(found.seen.stress.of(origin)).into())
        });
        let lost = read.precision.map(|precision| precision.coarse_gap() / scales.radius);
        let closer =
            |gap: f64| found.pairs.iter().filter(|p| p.gap.abs() < gap * scales.radius).count();
        let mut results = Results {
            format: read.format.to_string(),
            particles: read.len(),
            volume_fraction: found.state.volume_fraction(),
            smallest_radius: scales.radius,
            rate,
            rheology: InstantRheology {
                relative_viscosity: known.then(|| viscosity(&total)),
                particle_pressure: over(stress::pressure(&total)),
                n1: over(stress::n1(&total)),
                n2: over(stress::n2(&total)),
                viscosity: parts.collect(),
                stress: known.then(|| (total.transpose() / unit).into()),
            },
            pairs: found.pairs.len(),
            contacts: found.seen.contacts.count,
            smallest_gap: found.seen.gaps.smallest / scales.radius,
            stiffness: found.state.stiffness / scales.stiffness(),
            force_residual: found.seen.effort.force_residual,
            precision: Exactness {
                digits: read.precision.map(|precision| precision.digits),
                lost_gap: lost,
                lost_pairs: lost.map(closer),
            },
            compared: Compared {
                comparison: found.comparison.as_ref().ok().cloned(),
                not_compared: found.comparison.as_ref().err().cloned(),
                springs: found.springs.to_string(),
                worst_particles: worst(read, found, scales.radius),
            },
            means: None,
            advice: Vec::new(),
        };
        results.advice = advice::of(case, read, found, &results);
        results.advice.extend(study::of(case).doubts(case, &found.state));
        results
    }
}

/// The particles whose velocities are farthest off.
fn worst(read: &Configuration, found: &Mobility, radius: f64) -> Vec<WorstParticle> {
    let Ok(Comparison { velocity: Some(all), velocities: Some(theirs), .. }) = &found.comparison
    else {
        return Vec::new();
    };
    let mean = Vector3::from(all.mean);
    let ours = found.state.velocities.iter().map(|m| m.linear);
    let apart = theirs.iter().zip(ours).map(|(t, o)| (t - o - mean).norm() / all.scale);
    let mut order: Vec<(usize, f64)> = apart.enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let of = |&(k, difference): &(usize, f64)| {
        let own = found.pairs.iter().filter(|pair| pair.ids.moving().any(|id| id == k));
        let gaps: Vec<f64> = own.map(|pair| pair.gap / radius).collect();
        WorstParticle {
            id: read.ids[k],
            difference,
            smallest_gap: gaps.iter().copied().reduce(f64::min),
            contacts: gaps.iter().filter(|gap| **gap < 0.0).count(),
        }
    };
    order.iter().take(SHOWN).map(of).collect()
}
