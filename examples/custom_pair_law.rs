//! A pair law of one's own beside those of the crate: polymer in the liquid presses spheres
//! together (depletion), which makes a sheared suspension more viscous if it is strong.
//!
//! Where the gap h is smaller than the polymer's diameter d, no polymer fits in and its osmotic
//! pressure Π pulls the spheres together. For d small against the radii (Derjaguin) the tension is
//! \\(N = \pi\,\bar a\,\Pi\,(d - h)\\) with the harmonic mean radius \\(\bar a\\).

use std::f64::consts::PI;
use std::path::Path;

use zerostokes::case::Case;
use zerostokes::integrate::{Setup, Stepper};
use zerostokes::laws::{Origin, Pair, PairLaw, Rates, Response, harmonic_radius};
use zerostokes::stress;
use zerostokes::study::suspension;

/// Two classes of spheres in shear, at unit viscosity and rate.
const CASE: &str = "[particles]\ncount = 60\nvolume_fraction = 0.4\nradii = [1.0, 1.4]\n\
    [drive]\nstrain = 3.0\n";

#[derive(Clone, Debug)]
struct Depletion {
    /// Osmotic pressure Π `[μγ̇]`.
    pressure: f64,
    /// Diameter of the polymer d `[a]`.
    diameter: f64,
}

/// The law has a stress of its own, with columns of its own where a table is written.
const ORIGIN: Origin = Origin::free(0, "depletion");

impl PairLaw for Depletion {
    fn name(&self) -> &'static str {
        "depletion"
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.diameter
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        // The force is that of the middle of the step. It falls with the gap, so there is no
        // resistance to give.
        let gap = pair.gap + 0.5 * pair.step * rates.squeeze;
        let tension = PI * pair.harmonic_radius() * self.pressure * (self.diameter - gap).max(0.0);
        Response::normal(tension, 0.0, rates.squeeze)
    }

    fn stored_energy(&self, radii: [f64; 2], gap: f64, _memory: &[f64]) -> f64 {
        let overlap = (self.diameter - gap).max(0.0);
        -0.5 * PI * harmonic_radius(radii) * self.pressure * overlap * overlap
    }
}

/// Means over the second half of a run: viscosity, and viscosity and pressure due to depletion.
fn shear(pressure: f64) -> [f64; 3] {
    let case = Case::from_text(CASE, Path::new("depletion.toml"), &[]).expect("a case");
    let mut state = suspension::initial(&case).expect("a packing");
    let setup = suspension::setup(&case, &state);
    let laws = setup.laws.clone().with(Depletion { pressure, diameter: 0.1 });
    let mut stepper = Stepper::new(&state, Setup { laws, ..setup });
    let end = suspension::end(&case);
    let mut sums = [0.0; 4];
    while !end.reached(&state.clock) {
        let seen = stepper.step(&mut state, end).expect("a step");
        // What the flow gives is dissipated or stored.
        assert!(seen.power_mismatch() < 1e-3, "{}", seen.power_mismatch());
        if seen.strain > 0.5 * end.strain {
            let (all, own) = (seen.stress.total(), seen.stress.of(ORIGIN));
            let values = [1.0, stress::shear(&all), stress::shear(own), stress::pressure(own)];
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += seen.step * value);
        }
    }
    [1, 2, 3].map(|k| sums[k] / sums[0])
}

/// Runs the example.
pub fn main() {
    let found = [0.0, 50.0, 1000.0].map(|pressure| (pressure, shear(pressure)));
    for (pressure, [viscosity, share, own]) in found {
        println!("Π = {pressure:4}  viscosity {viscosity:6.3}, of it depletion {share:6.3}");
        println!("          pressure due to depletion {own:.3}");
    }
    let [(_, [plain, none, _]), (_, weak), (_, strong)] = found;
    assert_eq!(none, 0.0);
    // Attraction is a negative pressure, and the more so the stronger it is.
    assert!(weak[2] < 0.0 && strong[2] < 10.0 * weak[2]);
    // Once it is stronger than the flow, it holds spheres that the flow tears apart.
    assert!(strong[0] > 1.5 * plain && strong[1] > 0.0);
}
