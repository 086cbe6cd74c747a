//! What a case of the study means.

use super::T1;

/// One fact a line.
pub(super) fn lines(t1: &T1) -> Vec<String> {
    let [x, y] = t1.forces();
    let mut lines = vec![
        "particles           4 soft spheres of radius R".to_owned(),
        format!("units               R, η, τ = 6π√3 ηR²/|N_y|; N_x = {x:.4}, N_y = {y:.4} ηR²/τ"),
        format!("softness            κ = {}, E = {:.4e} η/τ", t1.kappa, t1.modulus()),
        format!("regime              {} of figure 3", t1.regime()),
    ];
    lines.push(if t1.is_expected() {
        format!(
            "expected duration   {:.3} τ for the separation (eqs. 32–33)",
            t1.expected_duration()
        )
    } else {
        "expected duration   none: no rearrangement where N_y < √3 N_x".to_owned()
    });
    lines.push(format!("given up at         {:.3} τ", t1.longest()));
    lines.push("expected cost       under a second".to_owned());
    lines
}
