//! How contact forces are distributed.

use super::histogram::{Bins, Histogram, Mean};

/// Width of a bin `[⟨f⟩]`.
const BIN_WIDTH: f64 = 0.25;

/// The most that is looked at `[⟨f⟩]`.
const LARGEST: f64 = 20.0;

/// Where the tail begins `[⟨f⟩]`.
pub const TAIL: f64 = 1.5;

/// A contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Normal force, compression positive, in any unit.
    pub force: f64,
    /// Whether it slides.
    pub slides: bool,
}

/// The distribution of normal forces over their mean, f/⟨f⟩.
#[derive(Debug, Clone)]
pub struct ForceDistribution {
    /// The bins of f/⟨f⟩, up to the last that has forces.
    pub bins: Bins,
    /// The probability density in every bin.
    pub density: Vec<Mean>,
    /// The part of the contacts in every bin that slides; not a number where there are none.
    pub sliding: Vec<f64>,
    /// The part of all contacts that slides.
    pub sliding_share: Mean,
    /// The mean force ⟨f⟩, in the unit of the forces.
    pub mean: f64,
    /// The β of a tail ∝ exp(−β f/⟨f⟩) that begins at [`TAIL`], the likeliest one; not a number
    /// without forces there.
    pub decay: Mean,
    /// How many contacts there were in all frames.
    pub contacts: usize,
}

/// The distribution of the forces of contacts, frame by frame; `None` if there is none that
/// presses. Contacts that pull are left out.
pub fn force_distribution(frames: &[Vec<Contact>]) -> Option<ForceDistribution> {
    let presses = |contact: &&Contact| contact.force > 0.0;
    let all = || frames.iter().flatten().filter(presses);
    let contacts = all().count();
    if contacts == 0 {
        return None;
    }
    let mean = all().map(|contact| contact.force).sum::<f64>() / contacts as f64;
    let largest = all().map(|contact| contact.force / mean).fold(0.0, f64::max);
    let bins =
        Bins::even(0.0, BIN_WIDTH, ((largest.min(LARGEST) / BIN_WIDTH).floor() + 1.0) as usize);
    let (mut forces, mut slides) = (Histogram::new(bins), Histogram::new(bins));
    for frame in frames {
        forces.begin();
        slides.begin();
        for contact in frame.iter().filter(presses) {
            forces.count(contact.force / mean);
            if contact.slides {
                slides.count(contact.force / mean);
            }
        }
    }
    let ratios = slides.relative(|_| 1.0).into_iter().zip(forces.relative(|_| 1.0));
    let shares = slides.totals().into_iter().zip(forces.totals()).map(|(s, all)| s / all);
    let shares: Vec<f64> = shares.filter(|share| share.is_finite()).collect();
    Some(ForceDistribution {
        bins,
        density: forces.density(),
        sliding: ratios.map(|(slide, all)| slide.value / all.value).collect(),
        sliding_share: Mean::of(&shares),
        mean,
        decay: decay(frames, mean),
        contacts,
    })
}

/// The likeliest exponential tail: its mean excess over where it begins is 1/β. The error is that
/// of the mean excess, from the scatter between frames.
fn decay(frames: &[Vec<Contact>], mean: f64) -> Mean {
    let excesses: Vec<Vec<f64>> = frames
        .iter()
        .map(|frame| {
            let over = frame.iter().map(|contact| contact.force / mean - TAIL);
            over.filter(|excess| *excess > 0.0).collect()
        })
        .collect();
    let count: usize = excesses.iter().map(Vec::len).sum();
    let excess = excesses.iter().flatten().sum::<f64>() / count as f64;
    // The ratio of two means, to first order in their deviations.
    let per_frame = count as f64 / frames.len() as f64;
    let deviation = |frame: &Vec<f64>| frame.iter().map(|e| e - excess).sum::<f64>() / per_frame;
    let deviations: Vec<f64> = excesses.iter().map(deviation).collect();
    Mean { value: 1.0 / excess, stderr: Mean::of(&deviations).stderr / (excess * excess) }
}

#[cfg(test)]
mod tests {
    use super::super::noise::generator;
    use super::*;
    use rand::RngExt;

    /// Exponential forces of mean 7, of which the weak ones slide.
    fn exponential(frames: usize, contacts: usize, seed: u64) -> Vec<Vec<Contact>> {
        let mut random = generator(seed);
        let mut contact = || {
            let force = -7.0 * (1.0 - random.random::<f64>()).ln();
            Contact { force, slides: force < 3.5 }
        };
        (0..frames).map(|_| (0..contacts).map(|_| contact()).collect()).collect()
    }

    #[test]
    fn an_exponential_is_found() {
        let found = force_distribution(&exponential(50, 400, 3)).unwrap();
        assert!((found.mean - 7.0).abs() < 0.2 && found.contacts == 20_000);
        assert!((found.decay.value - 1.0).abs() < 3.0 * found.decay.stderr, "{:?}", found.decay);
        assert!(found.decay.stderr > 0.008 && found.decay.stderr < 0.03, "{:?}", found.decay);
        let expected = |k: usize| {
            let part = |x: f64| (-x).exp();
            (part(found.bins.edge(k)) - part(found.bins.edge(k + 1))) / found.bins.width()
        };
        for k in 0..12 {
            let Mean { value, stderr } = found.density[k];
            assert!((value - expected(k)).abs() < 4.0 * stderr, "{k}: {value} ± {stderr}");
        }
        // Forces below half the mean slide: two bins of a quarter each.
        assert!(found.sliding[0] == 1.0 && found.sliding[4] == 0.0, "{:?}", found.sliding);
        let share = 1.0 - (-0.5f64).exp();
        assert!((found.sliding_share.value - share).abs() < 0.02);
    }

    #[test]
    fn densities_add_up_to_one_and_pulling_contacts_are_left_out() {
        let mut frames = exponential(5, 30, 4);
        let before = force_distribution(&frames).unwrap();
        frames[2].push(Contact { force: -50.0, slides: false });
        let after = force_distribution(&frames).unwrap();
        assert_eq!((before.mean, before.contacts), (after.mean, after.contacts));
        let sum: f64 = after.density.iter().map(|p| p.value * after.bins.width()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn without_contacts_there_is_no_distribution() {
        assert!(force_distribution(&[Vec::new(), Vec::new()]).is_none());
        assert!(force_distribution(&[]).is_none());
    }
}
