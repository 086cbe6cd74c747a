//! The font that measures all text, and draws it in PNG files: DejaVu Sans, which has Greek
//! letters, subscripts and accents. An SVG file names a generic family and is set by its reader.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, OutlinedGlyph, ScaleFont, point};
use plotters::style::text_anchor::VPos;

use super::style::{Size, px};

/// What plotters calls the size of a font, in the em that SVG means.
pub(super) const SIZE_PER_EM: f64 = 1.24;

/// Height of an x in DejaVu Sans, in em.
const X_HEIGHT: f32 = 0.547;

/// How far the baseline lies below the anchor, in em: as in plotters' SVG backend.
pub(super) fn baseline(anchor: VPos) -> f32 {
    match anchor {
        VPos::Top => 0.76,
        VPos::Center => 0.5 * X_HEIGHT,
        VPos::Bottom => -0.5 * X_HEIGHT,
    }
}

/// Length of a text, in grid units.
pub(super) fn width(text: &str, size: Size) -> i32 {
    let em = f64::from(px(size as i32)) / SIZE_PER_EM;
    laid_out(text, em as f32).1.ceil() as i32
}

/// The outlines of a text on a baseline that begins at the origin, and the length of the text.
pub(super) fn laid_out(text: &str, em: f32) -> (Vec<OutlinedGlyph>, f32) {
    let Some(font) = font() else { return (Vec::new(), 0.0) };
    let per_em = font.height_unscaled() / font.units_per_em().unwrap_or(1.0);
    let scaled = font.as_scaled(em * per_em);
    let mut outlines = Vec::new();
    let (mut x, mut last) = (0.0, None);
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        x += last.map_or(0.0, |last| scaled.kern(last, id));
        let glyph = id.with_scale_and_position(scaled.scale(), point(x, 0.0));
        outlines.extend(font.outline_glyph(glyph));
        x += scaled.h_advance(id);
        last = Some(id);
    }
    (outlines, x)
}

/// The font, which is part of the program: a test reads it.
fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(dejavu::sans::regular()).ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_sign_we_write() {
        let signs = "ηφγμΠσξκτδΔΣβθ ⁿᵣᵢⱼₘₙ₀₁₂₃₄₅₆₇₈₉ ⁰¹²³⁴⁵⁶⁷⁸⁹⁻ ±×−–·∗°→↑√≤≥∞⟨⟩∝ \u{307}*'/()[]";
        for sign in signs.chars() {
            assert_ne!(font().unwrap().glyph_id(sign).0, 0, "{sign} is missing");
        }
    }

    #[test]
    fn an_accent_takes_no_room() {
        assert_eq!(width("γ\u{307}", Size::Large), width("γ", Size::Large));
        assert!(width("γγ", Size::Large) > 19 * width("γ", Size::Large) / 10);
    }
}
