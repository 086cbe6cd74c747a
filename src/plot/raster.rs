//! Plotters' bitmap backend with whole lines and well-set text.

use ab_glyph::point;
use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind,
};

use super::font::{SIZE_PER_EM, baseline, laid_out};

/// A bitmap to draw on.
///
/// The plain backend turns a wide line into one polygon, which has holes where a noisy line crosses
/// itself; here every segment is filled by itself. Lines must therefore be opaque. The plain backend
/// also drops the space before a glyph, which misplaces accents such as the dot of γ̇, and sets
/// text higher than the SVG backend does.
pub(super) struct Raster<'a>(pub BitMapBackend<'a>);

/// The outcome of drawing on a bitmap.
type Drawn<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> DrawingBackend for Raster<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn<'a> {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<'a> {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn<'a> {
        self.0.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn<'a> {
        self.0.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        self.0.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn<'a> {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        for ends in path.windows(2) {
            self.0.draw_line(ends[0], ends[1], style)?;
        }
        let joints = path.get(1..path.len().saturating_sub(1)).unwrap_or_default();
        for joint in joints {
            self.0.draw_circle(*joint, style.stroke_width() / 2, &style.color(), true)?;
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Drawn<'a> {
        let em = (style.size() / SIZE_PER_EM) as f32;
        let (outlines, width) = laid_out(text, em);
        let across = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * width,
            HPos::Right => -width,
        };
        let down = baseline(style.anchor().v_pos) * em;
        let (colour, turn) = (style.color(), style.transform());
        let mut outcome = Ok(());
        for outline in outlines {
            let corner = outline.px_bounds().min + point(across.round(), down.round());
            outline.draw(|x, y, cover| {
                let (x, y) = turn.transform(corner.x as i32 + x as i32, corner.y as i32 + y as i32);
                let shade = BackendColor { alpha: colour.alpha * f64::from(cover), ..colour };
                let drawn = self.0.draw_pixel((place.0 + x, place.1 + y), shade);
                if outcome.is_ok() {
                    outcome = drawn;
                }
            });
        }
        outcome
    }
}
