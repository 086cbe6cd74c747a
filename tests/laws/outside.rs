//! A law from outside the crate, with an origin of its own, beside those of the crate.

use nalgebra::Vector3;
use zerostokes::cell::Cell;
use zerostokes::integrate::{End, Setup, Stepper};
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};
use zerostokes::laws::{Interactions, Origin, Pair, PairLaw, Rates, Response};
use zerostokes::state::Suspension;

/// A spring between the surfaces of spheres that are closer than a range: \\(N = k(h - h_0)\\).
#[derive(Clone, Debug)]
struct Tether {
    stiffness: f64,
    range: f64,
}

impl Tether {
    const ORIGIN: Origin = Origin::free(0, "tether");
}

impl PairLaw for Tether {
    fn name(&self) -> &'static str {
        "tether"
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.range
    }

    fn origins(&self) -> [Origin; 2] {
        [Tether::ORIGIN; 2]
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        let gap = pair.gap + 0.5 * pair.step * rates.squeeze;
        let tension = self.stiffness * (gap - self.range).min(0.0);
        Response::normal(tension, 0.5 * pair.step * self.stiffness, rates.squeeze)
    }

    fn stored_energy(&self, _radii: [f64; 2], gap: f64, _memory: &[f64]) -> f64 {
        0.5 * self.stiffness * (gap - self.range).min(0.0).powi(2)
    }
}

#[test]
fn a_law_from_outside_acts_beside_those_of_the_crate() {
    let film = Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-3,
        outer_gap: 0.5,
        cutoff: Cutoff::Smooth,
        film: Film::Leading,
    };
    let tether = Tether { stiffness: 20.0, range: 0.2 };
    let laws = Interactions::of(film).with(tether);
    assert_eq!(laws.origins().last().map(|origin| origin.name()), Some("tether"));
    let positions = vec![Vector3::zeros(), Vector3::new(2.1, 0.0, 0.0)];
    let cell = Cell::periodic(Vector3::repeat(10.0));
    let mut state = Suspension::new(vec![1.0; 2], positions, cell);
    let setup = Setup { laws, ..Setup::default() };
    let mut stepper = Stepper::new(&state, setup);
    let end = End { strain: f64::INFINITY, time: 5.0 };
    let seen = stepper.step(&mut state, end).expect("a step");
    // It pushes the spheres apart, and what it gives goes into film and drag.
    assert!(seen.stress.of(Tether::ORIGIN)[(0, 0)] < 0.0, "{:?}", seen.stress);
    assert!(seen.power.pairs[Tether::ORIGIN.index()] < 0.0 && seen.power_mismatch() < 1e-8);
    assert!(seen.energy.stored > 0.0 && seen.gaps.smallest > 0.1);
}
