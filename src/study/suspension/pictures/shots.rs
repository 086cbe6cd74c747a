//! Frames of a run, as many as are drawn.

use std::path::Path;

use nalgebra::Vector3;

use crate::error::Error;
use crate::plot::Point;
use crate::record::visit_frames;

/// The particles at one time.
pub(super) struct Shot {
    pub time: f64,
    pub positions: Vec<Vector3<f64>>,
}

/// Several times of a run, the first and the last among them.
pub(super) struct Shots {
    pub radii: Vec<f64>,
    shots: Vec<Shot>,
    /// Decimals of a time that tell shots apart.
    decimals: usize,
}

/// How many frames a file has, and how many particles.
pub(super) fn survey(path: &Path) -> Result<(usize, usize), Error> {
    let (mut frames, mut particles) = (0, 0);
    visit_frames(path, |frame| {
        frames += 1;
        particles = frame.positions.len();
        Ok(())
    })?;
    Ok((frames, particles))
}

/// Numbers from 0 to `count` − 1, at most as many as asked for, with both ends.
fn evenly(count: usize, most: usize) -> Vec<usize> {
    let steps = count.min(most.max(2)).saturating_sub(1).max(1);
    let mut chosen: Vec<usize> = (0..=steps).map(|k| k * (count - 1) / steps).collect();
    chosen.dedup();
    chosen
}

/// Decimals that tell times apart.
fn decimals(step: f64) -> usize {
    let whole = |d: &i32| {
        let steps = step * 10f64.powi(*d);
        steps > 0.99 && (steps - steps.round()).abs() < 0.01
    };
    let least = if step > 0.0 { -(1.01 * step).log10().floor() as i32 } else { 0 };
    let fitting = (least..least + 2).find(whole).unwrap_or(least + 1);
    fitting.clamp(0, 9) as usize
}

impl Shots {
    /// Reads at most as many frames as asked for, evenly taken, of a file that has `frames` of them
    /// (1 or more).
    pub fn read(path: &Path, frames: usize, most: usize) -> Result<Self, Error> {
        let chosen = evenly(frames, most);
        let mut all = Shots { radii: Vec::new(), shots: Vec::new(), decimals: 0 };
        let mut place = 0;
        visit_frames(path, |frame| {
            if chosen.binary_search(&place).is_ok() {
                let time = frame.moment.time.unwrap_or(place as f64);
                all.shots.push(Shot { time, positions: frame.positions });
                all.radii = frame.radii;
            }
            place += 1;
            Ok(())
        })?;
        let (first, last) = (all.first().time, all.last().time);
        all.decimals = decimals((last - first) / (frames - 1).max(1) as f64);
        Ok(all)
    }

    pub fn len(&self) -> usize {
        self.shots.len()
    }

    pub fn get(&self, k: usize) -> &Shot {
        &self.shots[k]
    }

    pub fn first(&self) -> &Shot {
        &self.shots[0]
    }

    pub fn last(&self) -> &Shot {
        &self.shots[self.shots.len() - 1]
    }

    /// At most as many of the shots as asked for, with both ends.
    pub fn evenly(&self, most: usize) -> Vec<usize> {
        evenly(self.shots.len(), most)
    }

    /// The time of a shot in words.
    pub fn when(&self, k: usize) -> String {
        format!("t = {:.*}", self.decimals, self.shots[k].time)
    }

    /// Where a particle was, at all times.
    pub fn path(&self, particle: usize) -> Vec<Point> {
        self.shots.iter().map(|shot| shot.positions[particle]).map(|x| [x.x, x.y]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_taken() {
        assert_eq!(evenly(7, 4), [0, 2, 4, 6]);
        assert_eq!(evenly(3, 200), [0, 1, 2]);
        assert_eq!(evenly(1, 5), [0]);
        let many = evenly(1001, 200);
        assert_eq!((many.len(), many[0], many[199]), (200, 0, 1000));
    }

    #[test]
    fn times_have_the_digits_of_their_steps() {
        for (step, expected) in [
            (0.1, 1),
            (0.05, 2),
            (0.25, 2),
            (0.24, 2),
            (2.0, 0),
            (0.5, 1),
            (0.0999999, 1),
            (1e-3, 3),
        ] {
            assert_eq!(decimals(step), expected, "{step}");
        }
        assert!(decimals(0.0) <= 1 && decimals(12.3) <= 1);
    }
}
