//! What the parts of a sweep file must be together: no key twice, curves that name the same keys.

use std::collections::BTreeSet;

use super::file::Source;
use super::grid::{CurveBlock, MOST_POINTS, Sweep, SweepAxis};
use crate::case::Override;
use crate::document::way;
use crate::error::CaseFault;

impl Source<'_> {
    /// Every key is given once: in all points, or varied in all, or in the curves.
    pub(super) fn check_axes(
        &self,
        axes: &[SweepAxis],
        curves: &[CurveBlock],
        set: &[Override],
    ) -> Result<(), CaseFault> {
        if axes.is_empty() && curves.is_empty() {
            let remedy = "write [[over]] with a key and its values, once for every key to vary";
            return Err(self.fault("over", "missing", remedy));
        }
        let mut known: Vec<String> = Vec::new();
        self.check_keys("over", axes, set, &mut known)?;
        for (index, curve) in curves.iter().enumerate() {
            let mut known = known.clone();
            for own in &curve.set {
                let key = own.key();
                let same = |other: &&Override| way(other.key()) == way(key);
                if known.iter().any(|k| way(k) == way(key)) || set.iter().any(|s| same(&s)) {
                    let problem = format!("{key} is in all points already");
                    let at = format!("curve[{index}].set");
                    return Err(self.fault(&at, problem, "remove it there or here"));
                }
                known.push(key.to_owned());
            }
            self.check_keys(&format!("curve[{index}].over"), &curve.axes, set, &mut known)?;
        }
        Ok(())
    }

    /// Axes whose keys are neither set in all points nor known; they are known from now on.
    fn check_keys(
        &self,
        over: &str,
        axes: &[SweepAxis],
        set: &[Override],
        known: &mut Vec<String>,
    ) -> Result<(), CaseFault> {
        for (index, axis) in axes.iter().enumerate() {
            let at = format!("{over}[{index}].key");
            let same = |key: &str| way(key) == way(&axis.key);
            if known.iter().any(|other| same(other)) {
                let problem = format!("{} is varied twice", axis.key);
                return Err(self.fault(&at, problem, "put all its values in one [[over]]"));
            }
            if set.iter().any(|s| same(s.key())) {
                let problem = format!("{} is in [set] as well", axis.key);
                return Err(self.fault(&at, problem, "remove it there or here"));
            }
            known.push(axis.key.clone());
        }
        Ok(())
    }

    /// The size of the grid, and curves that name the same keys but share no point.
    pub(super) fn check_curves(&self, sweep: &Sweep) -> Result<(), CaseFault> {
        let size = |axes: &[SweepAxis]| {
            axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(axis.values.len()))
        };
        let mut own = sweep.curves.iter().map(|curve| size(&curve.axes));
        let own = own.try_fold(0_usize, |all, n| all.checked_add(n?));
        let own = if sweep.curves.is_empty() { Some(1) } else { own };
        let points = own.and_then(|n| n.checked_mul(size(&sweep.axes)?));
        if points.is_none_or(|n| n > MOST_POINTS) {
            return Err(self.too_many());
        }
        self.check_same_keys(&sweep.curves)?;
        if sweep.curves.is_empty() {
            return Ok(());
        }
        let mut known = BTreeSet::new();
        match (0..sweep.len()).find(|k| !known.insert(sweep.describe(*k))) {
            None => Ok(()),
            Some(point) => {
                let problem = format!("the point {} is in two curves", sweep.describe(point));
                Err(self.fault("curve", problem, "remove it from one of them"))
            }
        }
    }

    /// Every curve names the same keys, so that every point has a value for each.
    fn check_same_keys(&self, curves: &[CurveBlock]) -> Result<(), CaseFault> {
        let lacks = |curve: &CurveBlock, other: &CurveBlock| {
            let missing = |key: &&str| !curve.keys().any(|own| way(own) == way(key));
            other.keys().find(missing).map(str::to_owned)
        };
        for (index, curve) in curves.iter().enumerate() {
            let (who, key) = match (lacks(curve, &curves[0]), lacks(&curves[0], curve)) {
                (Some(key), _) => ("this curve", key),
                (None, Some(key)) => ("the first curve", key),
                (None, None) => continue,
            };
            let remedy = "set or vary the same keys in every [[curve]]";
            let problem = format!("{who} does not say {key}");
            return Err(self.fault(&format!("curve[{index}]"), problem, remedy));
        }
        Ok(())
    }
}
