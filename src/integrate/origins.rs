//! The forces of a pair by origin, at the rates that were found.

use super::linearise::PairResponse;
use super::pair_view::{PairView, with_memory};
use super::stage::Stage;
use crate::drive::Drive;
use crate::laws::{Origin, PairForce, PairLaw, lubrication};

impl Stage {
    /// Shows the forces in pair `p`, by origin: those that the laws give, and that of the fluid
    /// around it, which counts as lubrication. The first law that responds smoothly has what the
    /// others leave of the whole, which the stage knows already.
    #[inline]
    pub(super) fn by_origin(
        &self,
        (laws, drive): (&[Box<dyn PairLaw>], &Drive),
        p: usize,
        view: &PairView,
        mut see: impl FnMut(Origin, PairForce),
    ) {
        let response = &self.responses.pairs[p];
        let last = laws.iter().position(|law| law.is_smooth()).filter(|_| response.acts);
        let mut left = match last {
            Some(_) => self.whole(p, view, response, drive.rate),
            None => PairForce::default(),
        };
        let end_gap = view.pair.end_gap(view.guess.squeeze);
        for (k, (law, memory)) in with_memory(laws, view.memory).enumerate() {
            if last == Some(k) || self.is_beyond(law, p, view.pair, end_gap) {
                continue;
            }
            law.parts(view.pair, memory, [view.guess, &view.rates], &mut |origin, force| {
                // Contacts of most pairs are open.
                if force != PairForce::default() {
                    left = left - force;
                    see(origin, force);
                }
            });
        }
        let origins = last.map(|law| laws[law].origins());
        if origins != Some([lubrication::ORIGIN; 2])
            && let Some(around) = self.by_fluid(p, view, drive.rate)
        {
            left = left - around;
            see(lubrication::ORIGIN, around);
        }
        match origins {
            Some([normal, tangential]) if normal == tangential => see(normal, left),
            Some([normal, tangential]) => {
                see(normal, PairForce { normal: left.normal, ..PairForce::default() });
                see(tangential, PairForce { normal: 0.0, ..left });
            }
            None => {}
        }
    }

    /// All that acts in a pair.
    #[inline]
    fn whole(&self, p: usize, view: &PairView, response: &PairResponse, rate: f64) -> PairForce {
        let off = view.rates - *view.guess;
        let mut whole = response.acting + response.resistance.force(&off);
        if let Some(unsymmetric) = &response.unsymmetric {
            let (pull, shear) = unsymmetric.force(&off);
            whole.normal += pull;
            whole.shear += shear;
        }
        let change = rate - self.linearisation.about.rate;
        match self.fields.of(p) {
            Some(far_field) if change != 0.0 => {
                let unit = &self.moment.unit_strain_rate;
                whole + far_field.driven(&view.pair.normal, unit) * change
            }
            _ => whole,
        }
    }

    /// The force of the fluid around a pair, if it does anything.
    fn by_fluid(&self, p: usize, view: &PairView, rate: f64) -> Option<PairForce> {
        let far_field = self.fields.of(p)?;
        let driven = far_field.driven(&view.pair.normal, &self.moment.unit_strain_rate);
        Some(far_field.resistance.force(&view.rates) + driven * rate)
    }
}
