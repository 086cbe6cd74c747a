//! Published curves of hard spheres to compare with: viscosity and normal viscosity against φ.

use crate::plot::Line;

/// A published curve.
struct Published {
    label: &'static str,
    law: fn(f64) -> f64,
}

/// η_r(φ): two that belong to frictionless spheres, one to frictional ones.
const VISCOSITIES: [Published; 3] = [
    Published { label: "Mari et al. 2014, frictionless", law: mari },
    Published { label: "Eilers, φₘ = 0.645, frictionless", law: eilers },
    Published { label: "Boyer et al. 2011, frictional", law: boyer },
];

/// η_n(φ).
const NORMAL_VISCOSITIES: [Published; 2] = [
    Published { label: "[φ / (0.645 − φ)]², frictionless", law: normal_frictionless },
    Published { label: "Boyer et al. 2011, frictional", law: normal_boyer },
];

/// Jamming fraction of Boyer, Guazzelli & Pouliquen's frictional spheres.
const BOYER_JAMS: f64 = 0.585;

/// Points of a line.
const LINE_POINTS: usize = 200;

/// The published curves of the relative viscosity between two volume fractions.
pub(super) fn viscosities(from: f64, to: f64) -> Vec<Line> {
    VISCOSITIES.iter().map(|published| line(published, from, to)).collect()
}

/// The published curves of Π/(μγ̇) between two volume fractions.
pub(super) fn normal_viscosities(from: f64, to: f64) -> Vec<Line> {
    NORMAL_VISCOSITIES.iter().map(|published| line(published, from, to)).collect()
}

fn line(published: &Published, from: f64, to: f64) -> Line {
    let at = |k: usize| from + (to - from) * k as f64 / (LINE_POINTS - 1) as f64;
    let x: Vec<f64> = (0..LINE_POINTS).map(at).collect();
    let y = x.iter().map(|x| (published.law)(*x)).collect();
    Line::new(published.label, x, y)
}

/// A law that ends where it diverges.
fn below(phi: f64, end: f64, law: impl Fn() -> f64) -> f64 {
    if phi < end { law() } else { f64::NAN }
}

/// The fit of Mari et al. 2014 to frictionless simulations.
fn mari(phi: f64) -> f64 {
    below(phi, 0.66, || 1.4 * (1.0 - phi / 0.66).powf(-1.6))
}

/// Eilers' law, as \[GB20\] fig. 2 uses it.
fn eilers(phi: f64) -> f64 {
    below(phi, 0.645, || (1.0 + 1.25 * phi / (1.0 - phi / 0.645)).powi(2))
}

/// Boyer, Guazzelli & Pouliquen 2011, eqs. for η_s with their constants.
fn boyer(phi: f64) -> f64 {
    let (first, second, inertial) = (0.32, 0.7, 0.005);
    below(phi, BOYER_JAMS, || {
        let remaining = 1.0 - phi / BOYER_JAMS;
        let ratio = phi / (BOYER_JAMS - phi);
        let friction = first + (second - first) / (1.0 + inertial * ratio * ratio);
        1.0 + 2.5 * phi / remaining + friction * normal_boyer(phi)
    })
}

fn normal_boyer(phi: f64) -> f64 {
    below(phi, BOYER_JAMS, || (phi / (BOYER_JAMS - phi)).powi(2))
}

fn normal_frictionless(phi: f64) -> f64 {
    below(phi, 0.645, || (phi / (0.645 - phi)).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_einstein_or_close_when_dilute_and_end_at_jamming() {
        for law in [eilers, boyer] {
            assert!((law(1e-4) - 1.00025).abs() < 1e-6, "{}", law(1e-4));
        }
        assert!(mari(0.67).is_nan() && eilers(0.65).is_nan() && boyer(0.59).is_nan());
        // Frictionless at φ = 0.5, and μ_c tends to μ₁ at jamming.
        assert!((mari(0.5) - 13.51).abs() < 0.01 && (eilers(0.5) - 14.29).abs() < 0.01);
        assert!((boyer(0.5849) / normal_boyer(0.5849) - 0.32).abs() < 2e-2);
        let lines = viscosities(0.4, 0.6);
        assert!(lines.len() == 3 && lines[0].curve.x[LINE_POINTS - 1] == 0.6);
        assert_eq!(normal_viscosities(0.4, 0.5).len(), 2);
    }
}
