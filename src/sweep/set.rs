//! Keys that are set in all points of a sweep, whatever its file says of them.

use super::grid::{CurveBlock, Sweep, SweepAxis};
use crate::case::{Override, read_overrides};
use crate::error::{CaseFault, Place};

impl Sweep {
    /// Sets keys in all points, `key=value` each.
    pub(super) fn set_all(&mut self, texts: &[String]) -> Result<(), CaseFault> {
        for given in read_overrides(texts, &self.file)? {
            let key = given.key().to_owned();
            let axes = self.axes.iter().chain(self.curves.iter().flat_map(|curve| &curve.axes));
            if axes.into_iter().any(|axis| axis.key == key) {
                let remedy = "leave it out, or change the values in [[over]]";
                return Err(self.refused(&given, "is what the sweep varies", remedy));
            }
            self.curves.iter_mut().for_each(|curve| drop_key(&mut curve.set, &key));
            if alike(&self.curves) {
                let remedy = "leave it out, or change it in [[curve]]";
                return Err(self.refused(&given, "is all that tells two curves apart", remedy));
            }
            drop_key(&mut self.set, &key);
            self.set.push(given);
        }
        Ok(())
    }

    fn refused(&self, given: &Override, problem: &str, remedy: &str) -> CaseFault {
        let value = given.value().to_string();
        CaseFault {
            file: self.file.clone(),
            place: Place::Set(format!("{}={value}", given.key())),
            key: given.key().to_owned(),
            problem: problem.to_owned(),
            remedy: remedy.to_owned(),
        }
    }
}

fn drop_key(set: &mut Vec<Override>, key: &str) {
    set.retain(|own| own.key() != key);
}

/// Whether two curves set and vary the same.
fn alike(curves: &[CurveBlock]) -> bool {
    let axis = |axis: &SweepAxis| axis.values.iter().map(Override::to_string).collect::<Vec<_>>();
    let text = |curve: &CurveBlock| {
        let set: Vec<String> = curve.set.iter().map(Override::to_string).collect();
        (set, curve.axes.iter().map(axis).collect::<Vec<_>>())
    };
    let texts: Vec<_> = curves.iter().map(text).collect();
    texts.iter().enumerate().any(|(k, text)| texts[..k].contains(text))
}
