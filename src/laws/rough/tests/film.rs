//! The film over a step: its equation, any step, any thickness.

use super::*;

/// The equation for ln u that a step solves, in units of a and τ: eq. 22 with the difference of
/// ln u for that of u, which is the same to first order and has a root for every u.
fn excess(law: &Rough, [before, after]: [f64; 2], apart: f64, step: f64) -> f64 {
    let alpha = if after < law.roughness { law.asperity_stiffness / law.stiffness } else { 0.0 };
    (1.0 + alpha) * after - apart - alpha * law.roughness + (after / before).ln() / step
}

#[test]
fn the_film_ends_a_step_at_the_root_of_its_equation() {
    let law = Rough { asperity_stiffness: 700.0, ..law() };
    for step in [1e-3, 1.0, 30.0, 1e4, 1e8] {
        for apart in [-0.5, -0.02, -1e-4, 0.003, 0.02, 0.7] {
            for before in [1e-30, 1e-6, 0.004, 0.0099, 0.0101, 0.3] {
                let held = Held::unit(apart, step * tau(&law));
                let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
                let (after, touch) = held.step(&law, &memory(before, Vector3::zeros()), &rates);
                let log = after[0];
                assert!(log.is_finite() && touch.gap >= 0.0);
                if touch.gap == 0.0 {
                    continue;
                }
                let off = excess(&law, [before, touch.gap], apart, step);
                let size = touch.gap + apart.abs() + log.abs() / step;
                assert!(off.abs() < 1e-12 * size, "{step} {apart} {before}: {off:e} of {size:e}");
                // Bulk and film carry the same.
                let tension = law.stiffness * (apart - touch.gap);
                let wrong = (touch.tension - tension).abs() / (law.stiffness * size);
                assert!(wrong < 1e-11, "{step} {apart} {before}: {} {tension}", touch.tension);
            }
        }
    }
}

/// Eq. 18, the paper's step in u itself.
fn by_eq_18(law: &Rough, before: f64, apart: f64, step: f64, touching: bool) -> f64 {
    let alpha = if touching { law.asperity_stiffness / law.stiffness } else { 0.0 };
    let b = apart + alpha * law.roughness - 1.0 / step;
    (b + (b * b + 4.0 * (1.0 + alpha) * before / step).sqrt()) / (2.0 * (1.0 + alpha))
}

#[test]
fn short_and_endless_steps_are_those_of_eq_18() {
    let law = law();
    for (before, apart, touching) in [(0.2, 0.15, false), (0.02, -0.01, false), (0.008, -0.1, true)]
    {
        let end = |step: f64| {
            let held = Held::unit(apart, step * tau(&law));
            let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
            held.step(&law, &memory(before, Vector3::zeros()), &rates).1.gap
        };
        // Both are of first order, so that they differ by the square of the step.
        let off = |step: f64| (end(step) / by_eq_18(&law, before, apart, step, touching)).ln();
        let (coarse, fine) = (off(0.02), off(0.01));
        assert!(coarse.abs() < 1e-5 && fine.abs() > 1e-10, "{coarse} {fine}");
        assert!((coarse / fine - 4.0).abs() < 0.1, "{before} {apart}: {coarse} {fine}");
        let moved = (end(0.01) / before).ln().abs();
        assert!(moved > 30.0 * fine.abs(), "{before} {apart}: {moved} {fine}");
    }
    // What is left after a long step is the equilibrium of eq. 14.
    for (apart, expected) in [(0.15, 0.15), (0.001, 0.0055), (-0.002, 0.004)] {
        let held = Held::unit(apart, 1e9 * tau(&law));
        let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
        let (_, touch) = held.step(&law, &memory(0.3, Vector3::zeros()), &rates);
        assert!((touch.gap / expected - 1.0).abs() < 1e-5, "{} {expected}", touch.gap);
        let paper = by_eq_18(&law, 0.3, apart, 1e9, apart < 0.01);
        assert!((touch.gap / paper - 1.0).abs() < 1e-5, "{} {paper}", touch.gap);
    }
}

#[test]
fn asperities_touch_after_the_time_of_eq_20_with_its_sign_mended() {
    let law = law();
    let (roughness, delta) = (law.roughness, 1e-4);
    for (before, apart) in [
        (roughness * (1.0 + delta), -0.3),
        (roughness * (1.0 + delta), 0.9 * roughness),
        (roughness * (1.0 - delta), 0.5),
    ] {
        let time = (before - roughness) / (roughness * (roughness - apart));
        assert!(time > 0.0, "printed, with the other sign, it would be negative");
        let touches = |share: f64| {
            let held = Held::unit(apart, share * time * tau(&law));
            let rates = held.rates(0.0, Vector3::zeros(), Vector3::zeros());
            let (_, touch) = held.step(&law, &memory(before, Vector3::zeros()), &rates);
            (touch.contact > 0.0, touch.gap / roughness - 1.0)
        };
        let closes = before > roughness;
        assert_eq!(touches(0.999).0, !closes, "{before} {apart}");
        assert_eq!(touches(1.001).0, closes, "{before} {apart}");
        let (_, off) = touches(1.0);
        assert!(off.abs() < delta * delta, "{before} {apart}: {off}");
    }
}

#[test]
fn any_step_is_stable() {
    for (k, (_, sample)) in every_sample().into_iter().enumerate() {
        let law = sample.law;
        let unit = tau(&Rough { stiffness: 1e3, ..law.clone() });
        for step in [1e-12 * unit, 1e6 * unit] {
            let held = Held { step, ..sample.held };
            let squeeze = 1e-3 * sample.squeeze * sample.held.apart / step.max(unit);
            let rates = held.rates(squeeze, sample.slide, sample.roll);
            let pair = held.pair(squeeze);
            let response = law.respond(&pair, &sample.memory, &rates);
            let r = response.resistance;
            let force = response.force(&rates);
            let finite = [force.normal, force.shear.norm(), force.rolling.norm()];
            assert!(finite.iter().all(|f| f.is_finite()), "{k} {step:e}: {force:?}");
            assert!(r.squeeze >= 0.0 && r.slide >= 0.0 && r.roll >= 0.0, "{k} {step:e}: {r:?}");
            if law.stiffness.is_finite() {
                // Never stiffer than the bulk, whatever the film.
                assert!(r.squeeze <= law.stiffness * step * (1.0 + 1e-12), "{k} {step:e}: {r:?}");
            }
            let (after, touch) = held.step(&law, &sample.memory, &rates);
            assert!(touch.gap > 0.0 && after.iter().all(|m| m.is_finite()), "{k}: {after:?}");
        }
    }
}

#[test]
fn a_film_of_1e_minus_40_stays_finite_and_positive() {
    drains_and_opens(law().film, 1e-40);
    drains_and_opens(law().film, 1e-250);
    drains_and_opens(Film::TwoBody, 1e-40);
}

#[test]
fn a_two_body_film_whose_square_is_no_number_stays_finite() {
    drains_and_opens(Film::TwoBody, 1e-250);
    // ζu and its slope tend to those of contact, where the slope has a logarithm.
    let law = Rough { film: Film::TwoBody, ..law() };
    let at = |u: f64| law.log_squeeze([1.0, 1.4], u);
    let [near, nearer] = [at(1e-30), at(1e-60)];
    assert!((near[0] / nearer[0] - 1.0).abs() < 1e-12);
    let difference = (nearer[1] - near[1]) / (1e30f64).ln();
    let rise = (at(1e-8)[1] - at(1e-6)[1]) / (1e2f64).ln();
    assert!((difference / rise - 1.0).abs() < 1e-3, "{difference} {rise}");
}

fn drains_and_opens(film: Film, start: f64) {
    let law = Rough { film, friction: 0.5, roughness: 1e-3, ..law() };
    let slide = Vector3::new(0.0, 1.0, 0.0);
    let mut memory = memory(start, Vector3::zeros());
    let mut last = start.ln();
    // Pressed by more than the asperities bear, 1e-3 k_n, so that the film drains.
    for step in [1e-12, 1e-6, 1e-3, 1.0] {
        let held = Held::unit(-0.01, step);
        let rates = held.rates(0.0, slide, Vector3::zeros());
        let force = held.respond(&law, &memory, &rates);
        let (after, touch) = held.step(&law, &memory, &rates);
        assert!(after[0] < last && touch.gap > 0.0, "{} {}", after[0], touch.gap);
        assert!((force.normal + 10.0).abs() < 1e-9, "{force:?}");
        assert!(force.shear.norm().is_finite(), "{force:?}");
        assert!(touch.overloaded);
        last = after[0];
        memory = after;
    }
    // Pulled, it opens again.
    let held = Held::unit(0.05, 100.0);
    let rates = held.rates(0.0, slide, Vector3::zeros());
    let (after, _) = held.step(&law, &memory, &rates);
    assert!(after[0] > last && after[0].is_finite());
}

#[test]
fn the_slope_of_a_thin_film_is_that_of_the_bulk() {
    let law = law();
    let held = Held::unit(-0.02, 1e-3);
    let rates = held.rates(0.1, Vector3::zeros(), Vector3::zeros());
    let r = law.respond(&held.pair(0.1), &memory(1e-40, Vector3::zeros()), &rates).resistance;
    assert!((r.squeeze / (law.stiffness * held.step) - 1.0).abs() < 1e-12, "{r:?}");
}
