mod film;
mod shear;

use std::f64::consts::PI;

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};

use super::*;

/// Bulk, asperities and tangential springs in the ratios of the paper, a film of all components.
fn law() -> Rough {
    Rough {
        viscosity: 1.0,
        stiffness: 1e3,
        asperity_stiffness: 1e3,
        tangential_stiffness: 300.0,
        roughness: 0.01,
        friction: 0.0,
        range: 4.0,
        beginning: Beginning::Truncated,
        film: Film::Printed { sliding: true, rolling: Rolling::Derived },
        remote: Remote::NONE,
    }
}

/// The unit of time of eqs. 14–22 between unit spheres (τ = (3/2)πηa/k_b).
fn tau(law: &Rough) -> f64 {
    1.5 * PI * law.viscosity / law.stiffness
}

/// Unlike spheres that do not turn: the spin is such that their normal stays.
#[derive(Clone, Copy)]
struct Held {
    radii: [f64; 2],
    normal: Vector3<f64>,
    /// Gap of the undeflected surfaces when the step begins.
    apart: f64,
    step: f64,
}

impl Held {
    fn unit(apart: f64, step: f64) -> Self {
        Held { radii: [1.0; 2], normal: Vector3::x(), apart, step }
    }

    /// The pair when a step at a squeeze rate ends.
    fn pair(&self, squeeze: f64) -> Pair {
        let gap = self.apart;
        let distance = self.radii[0] + self.radii[1] + gap + self.step * squeeze;
        Pair { radii: self.radii, normal: self.normal, distance, gap, step: self.step }
    }

    fn rates(&self, squeeze: f64, slide: Vector3<f64>, roll: Vector3<f64>) -> Rates {
        let spin = self.normal.cross(&(-slide / self.pair(squeeze).distance));
        Rates { squeeze, slide, roll, spin, ..Rates::default() }
    }

    fn respond(&self, law: &Rough, memory: &[f64], rates: &Rates) -> PairForce {
        law.respond(&self.pair(rates.squeeze), memory, rates).force(rates)
    }

    /// A step that ends with the given rates: what is remembered after it, and the pair then.
    fn step(&self, law: &Rough, memory: &[f64], rates: &Rates) -> (Vec<f64>, Touch) {
        let mut after = memory.to_vec();
        let pair = self.pair(rates.squeeze);
        law.advance_memory(&pair, &mut after, rates);
        (after, law.touch(&pair, memory, rates).expect("a film"))
    }
}

fn memory(gap: f64, stretch: Vector3<f64>) -> Vec<f64> {
    vec![gap.ln(), stretch.x, stretch.y, stretch.z, 1.0]
}

/// ν_t of eq. 8 with the radius of a pair of unit spheres.
fn nu_t(gap: f64) -> f64 {
    0.5 * PI * (-2.0 + (2.0 + gap) * ((2.0 + gap) / gap).ln())
}

/// A pair somewhere, with what it remembers and how it moves.
struct Sample {
    law: Rough,
    held: Held,
    memory: Vec<f64>,
    squeeze: f64,
    slide: Vector3<f64>,
    roll: Vector3<f64>,
}

/// What tangential motion has to do.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    NoContact,
    Stick,
    Slip,
}

fn samples(rigid: bool, kind: Kind) -> Vec<Sample> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(5);
    (0..60)
        .map(|k| {
            let mut draw = || 2.0 * rng.random::<f64>() - 1.0;
            let radii = [1.0, 1.0 + 0.7 * draw()];
            let normal = Vector3::new(draw(), draw(), draw()).normalize();
            let mut across = || {
                let v = Vector3::new(draw(), draw(), draw());
                v - normal.dot(&v) * normal
            };
            let (direction, slide, roll) = (across(), across(), across());
            let stretched = 2e-3 * direction.normalize();
            let asperities = 0.005 * (radii[0] + radii[1]);
            let share = if kind == Kind::NoContact { 3.0 } else { 0.5 };
            let gap = share * asperities * (1.0 + 0.2 * draw());
            let apart = if rigid { gap } else { gap + 1e-3 * draw() };
            let step = [1e-4, 1e-3][k % 2];
            let friction = match kind {
                Kind::NoContact => 0.4,
                Kind::Stick => 1e4,
                Kind::Slip => 1e-2,
            };
            let film = match k % 3 {
                0 => Film::Printed { sliding: true, rolling: Rolling::Derived },
                1 => Film::Printed { sliding: true, rolling: Rolling::Printed },
                _ => Film::TwoBody,
            };
            let beginning = if k % 5 == 0 { Beginning::Smooth } else { Beginning::Truncated };
            let law = Rough {
                friction,
                film,
                beginning,
                stiffness: if rigid { f64::INFINITY } else { 1e3 },
                ..law()
            };
            let held = Held { radii, normal, apart, step };
            Sample { law, held, memory: memory(gap, stretched), squeeze: 0.3 * draw(), slide, roll }
        })
        .collect()
}

impl Sample {
    fn rates(&self) -> Rates {
        self.held.rates(self.squeeze, self.slide, self.roll)
    }

    fn slides(&self) -> Option<bool> {
        let pair = self.held.pair(self.squeeze);
        self.law.touch(&pair, &self.memory, &self.rates()).expect("a film").slides
    }

    fn force(&self, squeeze: f64, slide: Vector3<f64>, roll: Vector3<f64>) -> PairForce {
        self.held.respond(&self.law, &self.memory, &self.held.rates(squeeze, slide, roll))
    }
}

/// A derivative at zero, of fourth order.
fn slope(f: impl Fn(f64) -> Vector3<f64>, size: f64) -> Vector3<f64> {
    (8.0 * (f(size) - f(-size)) - (f(2.0 * size) - f(-2.0 * size))) / (12.0 * size)
}

fn every_sample() -> Vec<(Kind, Sample)> {
    let kinds = [Kind::NoContact, Kind::Stick, Kind::Slip];
    let cases = kinds.into_iter().flat_map(|kind| [false, true].map(|rigid| (kind, rigid)));
    cases
        .flat_map(|(kind, rigid)| samples(rigid, kind).into_iter().map(move |s| (kind, s)))
        .collect()
}

#[test]
fn slopes_are_the_derivatives_of_the_force_where_the_normal_stays() {
    for (k, (kind, sample)) in every_sample().iter().enumerate() {
        let expected = match kind {
            Kind::NoContact => None,
            Kind::Stick => Some(false),
            Kind::Slip => Some(true),
        };
        assert_eq!(sample.slides(), expected, "{k}");
        let (rates, pair) = (sample.rates(), sample.held.pair(sample.squeeze));
        let response = sample.law.respond(&pair, &sample.memory, &rates);
        let unsymmetric = *response.unsymmetric.clone().expect("friction");
        let r = response.resistance;
        assert!(r.squeeze > 0.0 && r.slide > 0.0 && r.roll > 0.0 && r.twist >= 0.0, "{k}: {r:?}");
        let Sample { squeeze, slide, roll, .. } = *sample;
        // Tension by squeezing.
        let tension = |d: f64| Vector3::x() * sample.force(squeeze + d, slide, roll).normal;
        let found = slope(tension, 1e-3).x;
        assert!((found / r.squeeze - 1.0).abs() < 1e-6, "{k} {kind:?}: {found} {}", r.squeeze);
        // Shear and rolling moment by sliding and rolling, along and across.
        let n = sample.held.normal;
        let along = slide.normalize();
        for direction in [along, n.cross(&along), (along + n.cross(&along)).normalize()] {
            let sheared = |d: f64| sample.force(squeeze, slide + d * direction, roll);
            let found = slope(|d| sheared(d).shear, 1e-3);
            let told = r.slide * direction + unsymmetric.shear_by_slide * direction;
            assert!((found - told).norm() < 1e-6 * r.slide, "{k} {kind:?}: {found} {told}");
        }
        // Tension does not depend on sliding.
        let pulled = sample.force(squeeze, 2.0 * slide, roll).normal;
        assert_eq!(pulled, sample.force(squeeze, slide, roll).normal, "{k}");
        if *kind == Kind::NoContact {
            let rolled = |d: f64| sample.force(squeeze, slide, roll + d * along);
            let by_roll = slope(|d| rolled(d).rolling, 1e-3);
            assert!((by_roll - r.roll * along).norm() < 1e-6 * r.roll, "{k}: {by_roll} {}", r.roll);
            let coupled = slope(|d| rolled(d).shear, 1e-3);
            let wrong = (coupled - r.slide_roll * along).norm();
            assert!(wrong < 1e-6 * (r.roll * r.slide).sqrt(), "{k}: {coupled} {}", r.slide_roll);
        }
    }
}

#[test]
fn squeezing_adds_to_sliding_friction_what_the_skew_says() {
    // The film's own friction changes with its thickness, too, which slopes leave out.
    for (k, sample) in [false, true].into_iter().flat_map(|r| samples(r, Kind::Slip)).enumerate() {
        // Long enough for films to follow.
        let Sample { law, memory, slide, .. } = &sample;
        let (held, size) = (Held { step: 0.5, ..sample.held }, 1e-5);
        let rates = |d: f64| held.rates(1e-3 * sample.squeeze + d, *slide, Vector3::zeros());
        let pair = held.pair(rates(0.0).squeeze);
        let told =
            law.respond(&pair, memory, &rates(0.0)).unsymmetric.expect("friction").shear_by_squeeze;
        let found = slope(|d| held.respond(law, memory, &rates(d)).shear, size);
        let film = |d: f64| {
            let (_, touch) = held.step(law, memory, &rates(d));
            assert_eq!(touch.slides, Some(true));
            let nu = law.viscous(held.radii, touch.gap).slide;
            Vector3::new(nu, law.friction * touch.contact, 0.0)
        };
        let (now, changing) = (film(0.0), slope(film, size));
        // T = (ν|e| + KL)/(ν + K) along e, with K = k_tΔt.
        let spring = law.tangential_stiffness * held.step;
        let base = Vector3::new(memory[1], memory[2], memory[3]);
        let trial = law.tangential_stiffness * base + spring * slide;
        let by_film = spring * (trial.norm() - now.y) / (now.x + spring).powi(2) * changing.x;
        let expected = found - by_film * trial.normalize();
        assert!(told.norm() > 1e-3 && told.dot(&trial) < 0.0, "{k}: {told}");
        assert!((expected - told).norm() < 1e-6 * found.norm(), "{k}: {expected} {told}");
    }
}

#[test]
fn pairs_that_press_beyond_what_asperities_bear_are_told() {
    let law = law();
    // What asperities bear is k_n ε a = 10.
    for (apart, overloaded) in [(-0.0099, false), (-0.0101, true), (0.005, false), (-0.5, true)] {
        let held = Held::unit(apart, 0.0);
        let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
        let touch = law.touch(&held.pair(0.0), &memory(1e-9, Vector3::zeros()), &rates).unwrap();
        assert_eq!(touch.overloaded, overloaded, "{apart}: {touch:?}");
    }
    let smooth = Rough { roughness: 0.0, ..law.clone() };
    let held = Held::unit(-0.5, 0.0);
    let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
    let touch = smooth.touch(&held.pair(0.0), &memory(1e-9, Vector3::zeros()), &rates).unwrap();
    assert!(!touch.overloaded, "smooth spheres have nothing to bear");
    // Between unlike spheres asperities are ε times the mean radius.
    assert_eq!(law.bearable([1.0, 3.0]), 20.0);
}

#[test]
fn the_printed_film_is_that_of_eqs_3_to_6() {
    for radii in [[1.0, 1.0], [1.0, 2.0]] {
        let a = 2.0 * radii[0] * radii[1] / (radii[0] + radii[1]);
        for u in [1e-12, 1e-3, 0.2, 0.9, 3.0] {
            let rough = |rolling| {
                let film = Film::Printed { sliding: true, rolling };
                Rough { film, viscosity: 2.0, ..law() }
            };
            let film = |rolling| rough(rolling).viscous(radii, u);
            let close = |x: f64, y: f64| (x - y).abs() <= 1e-13 * y.abs();
            let derived = film(Rolling::Derived);
            let [squeeze, by_gap] = rough(Rolling::Derived).log_squeeze(radii, u);
            assert!(close(squeeze, 1.5 * PI * 2.0 * a * a) && by_gap == 0.0);
            let slide = PI * (-2.0 * a + (2.0 * a + u) * ((2.0 * a + u) / u).ln());
            assert!(close(derived.slide, slide));
            let log = (a / u).ln().max(0.0);
            let roll = |factor: f64| 2.0 * PI * a.powi(3) * (factor + 63.0 / 500.0 * u / a) * log;
            assert!(close(derived.roll, roll(0.6)));
            assert!(close(film(Rolling::Printed).roll, roll(1.5)));
            assert!(close(derived.twist, 2.0 * PI * a * a * u * log));
            assert_eq!((film(Rolling::None).roll, film(Rolling::None).twist), (0.0, 0.0));
        }
    }
}

#[test]
fn slow_pressing_is_given_back() {
    // Pressed and released so slowly that the film takes nothing: work is energy stored.
    let law = Rough { asperity_stiffness: 400.0, ..law() };
    let (radii, from, to, steps) = ([1.0; 2], 0.01, -0.003, 3000);
    let step = 1e5 * tau(&law);
    let mut now = memory(from, Vector3::zeros());
    let mut work = 0.0;
    let mut apart = from;
    let mut stored = Vec::new();
    for squeeze in [(to - from) / (steps as f64 * step), (from - to) / (steps as f64 * step)] {
        let mut tension = law.stiffness * (apart - now[0].exp());
        for _ in 0..steps {
            let held = Held::unit(apart, step);
            let rates = held.rates(squeeze, Vector3::zeros(), Vector3::zeros());
            let (after, touch) = held.step(&law, &now, &rates);
            work += 0.5 * (tension + touch.tension) * squeeze * step;
            tension = touch.tension;
            apart += squeeze * step;
            now = after;
        }
        stored.push((work, law.stored_energy(radii, apart, &now)));
    }
    let [(pressed, held), (back, left)] = stored[..] else { unreachable!() };
    // Two springs in series, pressed by 0.013.
    let both = 0.5 * (1000.0 * 400.0 / 1400.0) * 0.013 * 0.013;
    assert!((pressed / both - 1.0).abs() < 1e-3, "{pressed} {both}");
    assert!((held / both - 1.0).abs() < 1e-3, "{held} {both}");
    assert!(back.abs() < 1e-3 * both && left < 1e-3 * both, "{back} {left}");
    // A stretched spring adds its own.
    let stretched = law.stored_energy(radii, 0.02, &memory(0.02, Vector3::new(0.0, 0.1, 0.0)));
    assert!((stretched - 0.5 * 300.0 * 0.01).abs() < 1e-12, "{stretched}");
}

#[test]
fn a_pair_wakes_within_its_range_and_is_forgotten_beyond() {
    let law = law();
    let mut now = vec![0.0; law.memory_len()];
    law.init_memory([1.0; 2], &Vector3::new(6.1, 0.0, 0.0), &mut now);
    assert_eq!(now, [0.0; 5]);
    law.init_memory([1.0; 2], &Vector3::new(5.9, 0.0, 0.0), &mut now);
    assert!((now[0] - 3.9f64.ln()).abs() < 1e-14, "{now:?}");
    assert_eq!(now[1..], [0.0, 0.0, 0.0, 1.0]);
    let before = now.clone();
    law.init_memory([1.0; 2], &Vector3::new(2.5, 0.0, 0.0), &mut now);
    assert_eq!(now, before, "what is awake keeps its film");
    law.finish_memory(&Held::unit(4.01, 0.0).pair(0.0), &mut now);
    assert_eq!(now, [0.0; 5]);
    // Spheres that touch from the start have the thinnest film that there may be.
    law.init_memory([1.0; 2], &Vector3::new(2.0, 0.0, 0.0), &mut now);
    assert!(now[0].is_finite() && now[0].exp() > 0.0 && now[0].exp() <= 1e-8);
}

#[test]
fn remote_forces_count_for_their_own_origins() {
    use crate::laws::repulsion::{self, Repulsion};
    let repulsion = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
    let law = Rough { remote: Remote::of(Interactions::of(repulsion)), ..law() };
    assert!(law.all_origins().contains(&repulsion::ORIGIN));
    assert!(law.all_origins().contains(&lubrication::ORIGIN));
}
