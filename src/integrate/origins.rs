//! The forces of a pair by origin, at the rates that were found.

use super::linearise::PairResponse;
use super::pair_view::{PairView, with_memory};
use super::stage::Stage;
use crate::laws::{Origin, PairForce, PairLaw};

impl Stage {
    /// Shows the forces that the laws give in pair `p`, by origin. The first law that responds
    /// smoothly has what the others leave of the whole, which the stage knows already.
    pub(super) fn by_origin(
        &self,
        laws: &[Box<dyn PairLaw>],
        p: usize,
        view: &PairView,
        see: &mut dyn FnMut(Origin, PairForce),
    ) {
        let response = &self.responses.pairs[p];
        let last = laws.iter().position(|law| law.is_smooth()).filter(|_| response.acts);
        let mut left = match last {
            Some(_) => self.of_laws(p, view, response),
            None => PairForce::default(),
        };
        for (k, (law, memory)) in with_memory(laws, view.memory).enumerate() {
            if last != Some(k) {
                law.parts(view.pair, memory, [&view.guess, &view.rates], &mut |origin, force| {
                    // Contacts of most pairs are open.
                    if force != PairForce::default() {
                        left = left - force;
                        see(origin, force);
                    }
                });
            }
        }
        if let Some(law) = last {
            let [normal, tangential] = laws[law].origins();
            see(normal, PairForce { normal: left.normal, ..PairForce::default() });
            see(tangential, PairForce { normal: 0.0, ..left });
        }
    }

    /// What all laws of a pair give, without the fluid around it.
    fn of_laws(&self, p: usize, view: &PairView, response: &PairResponse) -> PairForce {
        let change = view.rates - view.guess;
        let mut whole = response.acting + response.resistance.force(&change);
        if let Some(unsymmetric) = &response.unsymmetric {
            let (pull, shear) = unsymmetric.force(&change);
            whole.normal += pull;
            whole.shear += shear;
        }
        let Some(far_field) = self.fields.of(p) else { return whole };
        let driven = far_field.driven(&view.pair.normal, &self.moment.unit_strain_rate);
        whole - far_field.resistance.force(&view.rates) - driven * self.linearisation.about.rate
    }
}
