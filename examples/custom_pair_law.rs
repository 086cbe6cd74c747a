//! A pair law of one's own beside those of the crate: polymer in the liquid presses spheres
//! together (depletion), which makes a sheared suspension more viscous if it is strong.
//!
//! Where the gap h is smaller than the polymer's diameter d, no polymer fits in and its osmotic
//! pressure Π pulls the spheres together. For d small against the radii (Derjaguin) the tension is
//! \\(N = \pi\,\bar a\,\Pi\,(d - h)\\) with the harmonic mean radius \\(\bar a\\).
//!
//! The law is added to those of a run by hand, and then named in a case by a table of its own.

use std::f64::consts::PI;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zerostokes::Error;
use zerostokes::case::{Case, Known, Template};
use zerostokes::integrate::{Setup, Stepper};
use zerostokes::laws::{CaseUnits, LawKind, LawTable};
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

/// `[depletion]`: the table of a case that names the law. Comments are the meaning of its keys,
/// with their units; what bounds a number is a keyword of JSON Schema.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DepletionTable {
    /// Osmotic pressure of the polymer `[force/length²]`.
    #[schemars(extend("minimum" = 0, "remedy" = "polymer pulls spheres together; 0 is none"))]
    pressure: f64,
    /// Diameter of the polymer `[a]`.
    #[serde(default = "default_diameter")]
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 0.2, "remedy" = "as in 0.1"))]
    diameter: f64,
}

fn default_diameter() -> f64 {
    0.1
}

impl LawTable for DepletionTable {
    const NAME: &'static str = "depletion";

    fn law(&self, CaseUnits { radius, .. }: CaseUnits) -> impl PairLaw + use<> {
        Depletion { pressure: self.pressure, diameter: self.diameter * radius }
    }

    fn largest_force(&self, CaseUnits { radius, .. }: CaseUnits) -> f64 {
        PI * radius * self.pressure * self.diameter * radius
    }
}

/// A case that may have `[depletion]`.
fn case(text: &str) -> Result<Case, Error> {
    let known = Known::default().with_law(LawKind::of::<DepletionTable>());
    Template::parse(&format!("{CASE}{text}"), Path::new("depletion.toml"), &known)?.with_texts(&[])
}

/// The law added to those of a case by hand.
fn by_hand(pressure: f64) -> [f64; 3] {
    let case = case("").expect("a case");
    shear(&case, |setup| Setup {
        laws: setup.laws.with(Depletion { pressure, diameter: 0.1 }),
        ..setup
    })
}

/// The law named in the case.
fn by_name(pressure: f64) -> [f64; 3] {
    let text = format!("[depletion]\npressure = {pressure}\n");
    shear(&case(&text).expect("a case"), |setup| setup)
}

/// Means over the second half of a run: viscosity, and viscosity and pressure due to depletion.
fn shear(case: &Case, change: impl Fn(Setup) -> Setup) -> [f64; 3] {
    let mut state = suspension::initial(case).expect("a packing");
    let setup = change(suspension::setup(case, &state));
    let mut stepper = Stepper::new(&state, setup);
    let end = suspension::end(case);
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

/// A slip in the table is reported like one in any other: file, line, key and what to do.
fn slips() {
    let message = |text: &str| case(text).expect_err("a slip").to_string();
    assert_eq!(
        message("[depletion]\npressure = -1\ndiameter = 2\n"),
        "depletion.toml, line 8: depletion.pressure: -1.0 is out of range, valid is >= 0; \
         polymer pulls spheres together; 0 is none\n\
         depletion.toml, line 9: depletion.diameter: 2.0 is out of range, \
         valid is > 0 and <= 0.2; as in 0.1"
    );
    assert_eq!(
        message("[depletion]\npressure = 1\ndiametre = 0.1\n"),
        "depletion.toml, line 9: depletion.diametre: unknown key; did you mean `diameter`? \
         valid in [depletion]: pressure, diameter"
    );
    // It does not act across the films of soft spheres.
    let soft = message("[depletion]\npressure = 1\n[soft]\nmodulus = 1e4\n");
    assert!(soft.contains("line 7: depletion: given although"), "{soft}");
}

/// Runs the example.
pub fn main() {
    slips();
    let found = [(0.0, by_hand(0.0)), (50.0, by_hand(50.0)), (1000.0, by_name(1000.0))];
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
