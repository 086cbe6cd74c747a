//! Sliding: relaxation without contact, slip, Coulomb's law, sticking, and stretches that turn.

use super::*;

#[test]
fn without_contact_shear_relaxes_as_eq_27_says() {
    let law = Rough { roughness: 0.0, ..law() };
    let (slide, base) = (Vector3::new(0.0, 0.7, -0.4), Vector3::new(0.0, -2e-3, 1e-3));
    for step in [1e-8, 1e-4, 1e-2, 10.0] {
        for gap in [1e-5, 1e-2, 0.5] {
            let held = Held::unit(gap, step);
            let rates = held.rates(0.0, slide, Vector3::zeros());
            let (after, touch) = held.step(&law, &memory(gap, base), &rates);
            assert!((touch.gap / gap - 1.0).abs() < 1e-12, "nothing is squeezed");
            let (k, nu) = (law.tangential_stiffness, nu_t(gap));
            // The paper's F_s is the force −T.
            let paper = nu * (-k * base - k * step * slide) / (nu + k * step);
            let found = held.respond(&law, &memory(gap, base), &rates).shear;
            assert!((found + paper).norm() < 1e-12 * paper.norm(), "{found} {paper}");
            let stretch = Vector3::new(after[1], after[2], after[3]);
            assert!((k * stretch + paper).norm() < 1e-12 * paper.norm(), "{stretch} {paper}");
            assert_eq!(touch.slides, None);
        }
    }
}

#[test]
fn slip_is_that_of_eqs_32_and_33() {
    let law = Rough { friction: 0.3, ..law() };
    let (gap, apart) = (0.006, 0.002);
    let base = Vector3::new(0.0, 3e-3, 5e-3);
    for step in [1e-8, 1e-5, 1e-2, 10.0] {
        let held = Held::unit(apart, step);
        let slide = Vector3::new(0.0, 0.6, -0.8);
        let rates = held.rates(0.0, slide, Vector3::zeros());
        let (after, touch) = held.step(&law, &memory(gap, base), &rates);
        assert_eq!(touch.slides, Some(true), "{step}");
        let (k, nu) = (law.tangential_stiffness, nu_t(touch.gap));
        let contact = law.asperity_stiffness * (law.roughness - touch.gap);
        assert!((touch.contact - contact).abs() < 1e-12 * contact);
        let trial = -k * base - k * step * slide;
        let limit = law.friction * contact;
        let by_32 = (k * limit * trial / trial.norm() * step + nu * trial) / (nu + k * step);
        let by_33 = trial * (nu + k * step * limit / trial.norm()) / (nu + k * step);
        let found = -held.respond(&law, &memory(gap, base), &rates).shear;
        assert!((found - by_32).norm() < 1e-11 * by_32.norm(), "{step}: {found} {by_32}");
        assert!((found - by_33).norm() < 1e-11 * by_33.norm(), "{step}: {found} {by_33}");
        let stretch = Vector3::new(after[1], after[2], after[3]);
        assert!((k * stretch + by_33).norm() < 1e-11 * by_33.norm(), "{step}: {stretch}");
        assert!((touch.shear + by_33).norm() < 1e-11 * by_33.norm(), "{step}");
    }
}

/// The parts of the force by origin.
fn parts(sample: &Sample) -> Vec<(Origin, PairForce)> {
    let mut parts = Vec::new();
    let rates = sample.rates();
    sample.law.parts(
        &sample.held.pair(sample.squeeze),
        &sample.memory,
        [&rates, &rates],
        &mut |origin, force| parts.push((origin, force)),
    );
    parts
}

#[test]
fn asperities_obey_coulomb_and_parts_add_up() {
    for (k, (kind, sample)) in every_sample().iter().enumerate() {
        let sum = |origin: Origin| {
            let of = parts(sample).into_iter().filter(|(o, _)| *o == origin);
            of.fold(PairForce::default(), |sum, (_, force)| sum + force)
        };
        let bound = sample.law.friction * sum(contact::ORIGIN).normal.abs();
        let friction = sum(FRICTION).shear.norm();
        assert!(friction <= bound * (1.0 + 1e-12), "{k} {kind:?}: {friction} {bound}");
        match kind {
            Kind::NoContact => assert_eq!((bound, friction), (0.0, 0.0)),
            Kind::Stick => assert!(friction > 0.0 && friction < bound),
            Kind::Slip => {
                assert!((friction / bound - 1.0).abs() < 1e-12, "{k}: {friction} {bound}");
            }
        }
        let all = parts(sample).into_iter().fold(PairForce::default(), |sum, (_, f)| sum + f);
        let force = sample.force(sample.squeeze, sample.slide, sample.roll);
        let off = all - force;
        let size = force.normal.abs() + force.shear.norm() + force.rolling.norm();
        let wrong = off.normal.abs() + off.shear.norm() + off.rolling.norm() + off.twisting.abs();
        assert!(wrong < 1e-11 * size, "{k} {kind:?}: {off:?}");
    }
}

#[test]
fn a_contact_that_sticks_does_not_creep() {
    let law = Rough { friction: 1.0, ..law() };
    let start = Vector3::new(0.0, 1e-3, -2e-3);
    // Asperities bear 4 at rest, the spring pulls with 0.67.
    let at_rest = memory(0.006, start);
    let held = Held::unit(0.002, 1e-2);
    let still = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
    let mut now = at_rest.clone();
    for _ in 0..1000 {
        let (after, touch) = held.step(&law, &now, &still);
        assert_eq!(touch.slides, Some(false));
        now = after;
    }
    assert_eq!(now[1..4], at_rest[1..4]);
    // To and fro in steps that are powers of two, so that sums are exact.
    let fro = Held::unit(0.002, 2f64.powi(-10));
    let start = Vector3::new(0.0, 2f64.powi(-10), -(2f64.powi(-11)));
    let mut now = memory(0.006, start);
    for k in 0..64 {
        let speed = if (k / 16) % 2 == 0 { 0.125 } else { -0.125 };
        let rates = fro.rates(0.0, Vector3::new(0.0, speed, 0.0), Vector3::zeros());
        let (after, touch) = fro.step(&law, &now, &rates);
        assert_eq!(touch.slides, Some(false), "{k}");
        now = after;
    }
    let stretch = Vector3::new(now[1], now[2], now[3]);
    assert!((stretch - start).norm() < 1e-15, "{stretch}");
}

#[test]
fn a_stretch_turns_with_the_pair() {
    // A sticking pair that turns as a rigid body by a right angle about z, in small steps.
    let law = Rough { friction: 1e3, ..law() };
    let turned = |steps: usize| {
        let rate = 0.5 * PI / steps as f64;
        let mut now = memory(0.006, Vector3::new(0.0, 1e-3, 2e-3));
        for k in 1..=steps {
            let angle = rate * k as f64;
            let normal = Vector3::new(angle.cos(), angle.sin(), 0.0);
            let spin = Vector3::new(0.0, 0.0, rate);
            let pair = Pair { normal, ..Held::unit(0.002, 1.0).pair(0.0) };
            let rates = Rates { spin, ..Rates::default() };
            law.advance_memory(&pair, &mut now, &rates);
            law.finish_memory(&pair, &mut now);
        }
        Vector3::new(now[1], now[2], now[3])
    };
    let off = |steps: usize| (turned(steps) - Vector3::new(-1e-3, 0.0, 2e-3)).norm() / 1e-3;
    let (coarse, fine) = (off(1000), off(2000));
    assert!(fine < 2e-3 && coarse / fine > 1.9, "{coarse} {fine}");
}
