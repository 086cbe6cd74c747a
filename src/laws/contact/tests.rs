//! Springs, friction and what contacts remember.

use super::*;

fn law(friction: f64) -> Contact {
    Contact {
        stiffness: 1e4,
        tangential_ratio: 2.0 / 7.0,
        friction,
        critical_load: 0.0,
        damping: 0.0,
        backing: None,
        springs: Springs::AtEnd,
    }
}

const BACKING: Option<Backing> = Some(Backing { overlap: 5e-4, ratio: 15.0 });

fn pair(gap: f64) -> Pair {
    Pair { radii: [1.0, 1.0], normal: Vector3::x(), distance: 2.0 + gap, gap, step: 0.01 }
}

#[test]
fn friction_never_exceeds_the_coulomb_bound() {
    let law = law(0.5);
    for slide in [0.0, 1e-3, 0.1, 10.0] {
        let rates = Rates { squeeze: -0.01, slide: Vector3::y() * slide, ..Rates::default() };
        let force = law.respond(&pair(-0.002), &[0.0, 1e-4, 0.0], &rates).force(&rates);
        assert!(force.shear.norm() <= 0.5 * force.normal.abs() * (1.0 + 1e-14));
    }
}

#[test]
fn a_sliding_contact_remembers_the_stretch_of_its_friction() {
    let law = law(0.5);
    let rates = Rates { slide: Vector3::y() * 10.0, ..Rates::default() };
    let mut memory = [0.0; 3];
    law.advance_memory(&pair(-0.002), &mut memory, &rates);
    let expected = 0.5 * 1e4 * 0.002 / (2.0 / 7.0 * 1e4);
    assert!((memory[1] - expected).abs() < 1e-15 && memory[0] == 0.0);
    law.advance_memory(&pair(0.002), &mut memory, &rates);
    assert_eq!(memory, [0.0; 3], "an open contact forgets");
}

#[test]
fn friction_is_the_mean_over_a_step_in_which_a_contact_begins_to_slide() {
    let mean = Contact { springs: Springs::Mean, ..law(0.5) };
    let (whole, count) = (pair(-0.002), 4000);
    let short = Pair { step: whole.step / f64::from(count), ..whole };
    // Before it slides, at once, turning while it slides, and back through zero.
    for (stretch, [y, z], tolerance) in [
        ([0.0, 1e-3, 0.0], [0.5, 0.0], 1e-3),
        ([0.0, 3.5e-3, 0.0], [0.5, 0.0], 1e-3),
        ([0.0, 1e-3, 0.0], [0.2, 0.4], 5e-3),
        ([0.0, 3e-3, 0.0], [-0.9, 0.0], 1e-3),
    ] {
        let rates = Rates { slide: Vector3::new(0.0, y, z), ..Rates::default() };
        let force = mean.respond(&whole, &stretch, &rates).force(&rates).shear;
        let (mut memory, mut sum) = (stretch, Vector3::zeros());
        for _ in 0..count {
            sum += law(0.5).respond(&short, &memory, &rates).force(&rates).shear;
            law(0.5).advance_memory(&short, &mut memory, &rates);
        }
        let error = (force - sum / f64::from(count)).norm() / force.norm();
        assert!(error < tolerance, "{stretch:?}: {error}");
        let mut end = stretch;
        mean.advance_memory(&whole, &mut end, &rates);
        let apart = (Vector3::from(end) - Vector3::from(memory)).norm();
        assert!(apart < 20.0 * tolerance * 3.5e-3, "{stretch:?}: {end:?}, {memory:?}");
    }
}

#[test]
fn friction_needs_the_critical_load() {
    let law = Contact { critical_load: 30.0, ..law(1.0) };
    let rates = Rates { slide: Vector3::y(), ..Rates::default() };
    let shear = |gap| law.respond(&pair(gap), &[0.0; 3], &rates).force(&rates).shear.norm();
    assert_eq!(shear(-0.002), 0.0);
    assert!((shear(-0.004) - 10.0).abs() < 1e-12);
}

#[test]
fn the_mean_spring_takes_up_what_it_stores() {
    for backing in [None, BACKING] {
        let law = Contact { springs: Springs::Mean, backing, ..law(0.0) };
        for (gap, squeeze) in [(0.001, -0.3), (-0.001, 0.3), (-0.002, 0.1), (-0.001, -0.1)] {
            let rates = Rates { squeeze, ..Rates::default() };
            let pair = pair(gap);
            let force = law.respond(&pair, &[], &rates).force(&rates);
            let taken = force.power(&rates) * pair.step;
            let stored = |h| law.stored_energy(pair.radii, h, &[]);
            let change = stored(pair.end_gap(squeeze)) - stored(gap);
            assert!((taken - change).abs() < 1e-14, "{gap} {squeeze}: {taken} {change}");
        }
    }
}

#[test]
fn slopes_of_springs_are_those_of_their_forces() {
    for springs in [Springs::AtEnd, Springs::Mean] {
        let law = Contact { springs, backing: BACKING, ..law(0.0) };
        for gap in [-0.002, -0.0004, 0.001] {
            let tension = |squeeze| law.pressed(&pair(gap), squeeze).unwrap().tension;
            let slope = law.pressed(&pair(gap), -0.2).unwrap().slope;
            let expected = (tension(-0.2 + 1e-6) - tension(-0.2 - 1e-6)) / 2e-6;
            assert!((slope / expected - 1.0).abs() < 1e-7, "{springs:?} {gap}");
        }
    }
}

#[test]
fn stiff_slopes_leave_the_force_as_it_is() {
    let law = Contact { springs: Springs::Mean, ..law(0.5) };
    let rates = Rates { squeeze: -0.01, slide: Vector3::y() * 30.0, ..Rates::default() };
    let [true_one, stiff] = [Contact::respond, Contact::respond_stiffly]
        .map(|respond| respond(&law, &pair(-0.002), &[0.0, 1e-4, 2e-4], &rates));
    let apart = true_one.force(&rates).shear - stiff.force(&rates).shear;
    assert!(apart.norm() < 1e-12 * true_one.force(&rates).shear.norm());
    assert!(stiff.resistance.slide > 2.0 * true_one.resistance.slide);
}

#[test]
fn a_backed_contact_pushes_harder_from_its_overlap_on() {
    let law = Contact { backing: BACKING, ..law(0.0) };
    let pushed = |gap| -law.respond(&pair(gap), &[], &Rates::default()).at_rest.normal;
    assert!((pushed(-4e-4) - 1e4 * 4e-4).abs() < 1e-12);
    assert!((pushed(-2e-3) - 1e4 * (2e-3 + 15.0 * 1.5e-3)).abs() < 1e-9);
}
