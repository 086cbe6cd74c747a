//! Text: its font, its width, and subscripts and superscripts.
//!
//! Labels are plain text. Signs such as `ᵣ`, `₀` or `²`, which few fonts have all of, are set as
//! smaller letters, and so is what follows a symbol and an underscore, as in `F_CL`.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use resvg::usvg::{Node, Options, Tree, fontdb};

use super::canvas::short;
use super::style::{BELOW_MIDDLE, BELOW_TOP, Colour, FONTS, INK, LOWERED, RAISED, SCRIPT, Size};

/// Where the given point lies along a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// How a text is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Length of an em, in pixels.
    em: f64,
    anchor: Anchor,
    /// How far the baseline is below the given point, in em.
    below: f64,
    colour: Colour,
    /// Whether it is read upwards.
    upwards: bool,
}

/// Text whose given point is at half its height.
pub(super) fn centred(size: Size, anchor: Anchor) -> Style {
    Style { em: size.em(), anchor, below: BELOW_MIDDLE, colour: INK, upwards: false }
}

/// Text whose given point is at its top.
pub(super) fn hanging(size: Size, anchor: Anchor) -> Style {
    Style { below: BELOW_TOP, ..centred(size, anchor) }
}

impl Style {
    /// The same style in another colour.
    pub fn in_colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// The same style, read upwards.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }

    /// The same style, smaller if the text is longer than the room for it.
    pub fn within(self, text: &str, room: f64) -> Self {
        let length = length(text, self.em);
        if length > room { Self { em: self.em * room / length, ..self } } else { self }
    }

    /// A text at a point, as an element.
    pub fn element(&self, text: &str, (x, y): (f64, f64)) -> String {
        let Self { em, colour, .. } = *self;
        let (anchor, below) = (self.anchor.name(), self.below * em);
        let place = if self.upwards {
            format!("transform=\"translate({x:.1} {y:.1}) rotate(-90)\" y=\"{below:.1}\"")
        } else {
            format!("x=\"{x:.1}\" y=\"{:.1}\"", y + below)
        };
        let (words, size) = (spans(text, em), short(em));
        format!(
            "<text {place} font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">\
             {words}</text>\n"
        )
    }
}

/// Length of a text, in pixels.
pub(super) fn width(text: &str, size: Size) -> f64 {
    length(text, size.em())
}

/// Length of a text as it is drawn.
fn length(text: &str, em: f64) -> f64 {
    let words = spans(text, em);
    let drawing = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\" \
         font-family=\"{FONTS}\"><text font-size=\"{em}\">{words}</text></svg>"
    );
    let tree = Tree::from_str(&drawing, options()).ok();
    let found = tree.as_ref().and_then(|tree| tree.root().children().first());
    match found {
        Some(Node::Text(text)) => f64::from(text.bounding_box().width()),
        _ => 0.0,
    }
}

/// How drawings are read: with the font that is part of the program, and no other.
pub(super) fn options() -> &'static Options<'static> {
    static OPTIONS: OnceLock<Options<'static>> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(dejavu::sans::regular())));
        Options { fontdb: Arc::new(fonts), ..Options::default() }
    })
}

/// Where a letter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Height {
    Line,
    Below,
    Above,
}

/// Signs below and above the line, and the letters they mean.
const SUBSCRIPTS: (&str, &str) = ("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋", "0123456789aehijklmnoprstuvx+−");
const SUPERSCRIPTS: (&str, &str) = ("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ⁺⁻", "0123456789ni+−");

/// Letters of a symbol before an underscore, at most.
const SYMBOL: usize = 2;

/// The letter that a sign means, and its height.
fn meant(sign: char) -> (char, Height) {
    let find = |(signs, letters): (&str, &str)| {
        signs.chars().zip(letters.chars()).find(|(s, _)| *s == sign).map(|(_, letter)| letter)
    };
    match (find(SUBSCRIPTS), find(SUPERSCRIPTS)) {
        (Some(letter), _) => (letter, Height::Below),
        (_, Some(letter)) => (letter, Height::Above),
        _ => (sign, Height::Line),
    }
}

/// The parts of a text of one height each.
fn parts(text: &str) -> Vec<(Height, String)> {
    let mut parts: Vec<(Height, String)> = Vec::new();
    let (mut symbol, mut after_underscore) = (0, false);
    for sign in text.chars() {
        if sign == '_' && (1..=SYMBOL).contains(&symbol) {
            (symbol, after_underscore) = (0, true);
            continue;
        }
        after_underscore &= sign.is_alphanumeric();
        let (letter, height) = if after_underscore { (sign, Height::Below) } else { meant(sign) };
        symbol = if sign.is_alphabetic() { symbol + 1 } else { 0 };
        match parts.last_mut() {
            Some((last, words)) if *last == height => words.push(letter),
            _ => parts.push((height, letter.to_string())),
        }
    }
    parts
}

/// A text as the inside of an element.
fn spans(text: &str, em: f64) -> String {
    let (mut written, mut down) = (String::new(), 0.0);
    for (height, words) in parts(text) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let wanted = match height {
            Height::Line => 0.0,
            Height::Below => LOWERED * em,
            Height::Above => -RAISED * em,
        };
        let (shift, size) = (short(wanted - down), short(SCRIPT * em));
        let _ = match height {
            Height::Line if shift == 0.0 => write!(written, "{words}"),
            Height::Line => write!(written, "<tspan dy=\"{shift}\">{words}</tspan>"),
            _ => {
                write!(written, "<tspan dy=\"{shift}\" font-size=\"{size}\">{words}</tspan>")
            }
        };
        down = wanted;
    }
    written
}

/// A text, or a drawing, without what is between angle brackets and with plain letters for scripts.
#[cfg(test)]
pub(super) fn plain(text: &str) -> String {
    let mut inside = false;
    let outside = text.chars().filter(|sign| {
        inside = (inside || *sign == '<') && *sign != '>';
        !inside && *sign != '>'
    });
    parts(&outside.collect::<String>()).into_iter().map(|(_, words)| words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_smaller_letters_off_the_line() {
        use Height::{Above, Below, Line};
        let found = |text: &str| -> Vec<(Height, String)> { parts(text) };
        let part = |height: Height, words: &str| (height, words.to_owned());
        assert_eq!(found("γₘᵢₙ = 10⁻²")[1], part(Below, "min"));
        assert_eq!(found("10⁻²"), [part(Line, "10"), part(Above, "−2")]);
        assert_eq!(
            found("σa² / F_CL = 2")[2..],
            [part(Line, " / F"), part(Below, "CL"), part(Line, " = 2")]
        );
        assert_eq!(found("volume_fraction"), [part(Line, "volume_fraction")]);
        assert_eq!(
            spans("h₀ < 1", 100.0),
            "h<tspan dy=\"20\" font-size=\"70\">0</tspan><tspan dy=\"-20\"> &lt; 1</tspan>"
        );
    }

    #[test]
    fn an_accent_takes_no_room() {
        let wide = |text: &str| width(text, Size::Large);
        assert_eq!(wide("γ\u{307}"), wide("γ"));
        assert!(wide("γγ") > 1.9 * wide("γ"));
        assert!(wide("γ₁") > wide("γ") && wide("γ₁") < wide("γ1"));
    }

    #[test]
    fn long_text_becomes_smaller() {
        let style = centred(Size::Large, Anchor::Middle);
        assert_eq!(style.within("ηᵣ", 500.0).em, Size::Large.em());
        let small = style.within("relative viscosity", 100.0);
        assert!((length("relative viscosity", small.em) - 100.0).abs() < 1.0);
    }

    #[test]
    fn the_font_has_every_sign_we_write() {
        let missing = width("\u{10ffff}", Size::Large);
        let signs = "ηφγμΠσξκτδΔΣβθ±×−–·∗°→↑√≤≥∞⟨⟩∝*'/()[]";
        for sign in signs.chars() {
            let wide = width(&sign.to_string(), Size::Large);
            assert!(wide > 0.0 && wide != missing, "{sign} is missing");
        }
    }
}
