//! Pictures of particles among obstacles: one time, or several runs side by side.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::colour_bar::ColourBar;
use super::legend::{Entry, Legend, Sign};
use super::mark::Shape;
use super::ruler::{Axis, Ruler};
use super::scene::{Colouring, LIGHT, Scene, Stage};
use super::style::{BAR_GAP, Size};
use super::text::{Anchor, centred};

/// Scenes beside each other, all with the same view.
#[derive(Debug, Clone, Default)]
pub struct PictureFigure {
    /// The scenes and what is written above them.
    pub panels: Vec<(String, Scene)>,
    /// Which colours particles have.
    pub colouring: Colouring,
    /// The names of the groups of particles; none are needed.
    pub key: Vec<String>,
    /// What the colours of thick lines mean; has a range.
    pub scale: Option<Axis>,
    /// What is written below.
    pub note: String,
    /// The longer side of a scene, in pixels.
    pub side: u32,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If there is nothing to see, or a file cannot be written.
pub fn picture(path_stem: &Path, data: &PictureFigure) -> Result<(), PlotError> {
    Pages::new(data)?.draw().write(path_stem)
}

/// Room around all, and between scenes.
const MARGIN: f64 = 20.0;
const GAP: f64 = 24.0;

/// Least width of the legend, and of the picture.
const NARROWEST: f64 = 320.0;

/// Room between the legend or the note and the scenes.
const APART: f64 = 8.0;

/// Scenes beside each other, at most.
const COLUMNS: usize = 3;

/// A picture with room for everything.
struct Pages<'a> {
    data: &'a PictureFigure,
    /// Size of a scene.
    wide: f64,
    high: f64,
    bar: Option<ColourBar>,
    legend: Legend,
}

impl<'a> Pages<'a> {
    /// Lays out a picture.
    fn new(data: &'a PictureFigure) -> Result<Self, PlotError> {
        let empty = || PlotError::Empty { what: "the picture".into() };
        let view = data.panels.first().ok_or_else(empty)?.1.view;
        let [width, height] = view.sides();
        let scale = f64::from(data.side) / width.max(height);
        if view.is_empty() || !(scale.is_finite() && scale > 0.0) {
            return Err(empty());
        }
        let [wide, high] = [width, height].map(|side| (side * scale).round().max(1.0));
        let bar = data.scale.as_ref().and_then(|axis| {
            let (low, high) = axis.range?;
            let ruler = Ruler { scale: axis.scale, low, high };
            Some(ColourBar::new(&axis.label, ruler).dark_above())
        });
        let entries = data.key.iter().enumerate().map(|(k, label)| Entry {
            label: label.clone(),
            colour: data.colouring.colour(k),
            sign: Sign::Marker(Shape::Disc),
        });
        let columns = data.panels.len().min(COLUMNS) as f64;
        let room = columns * wide + (columns - 1.0) * GAP;
        let legend = Legend::new(entries.collect(), room.max(NARROWEST));
        Ok(Self { data, wide, high, bar, legend })
    }

    fn columns(&self) -> usize {
        self.data.panels.len().min(COLUMNS)
    }

    /// Height of what is written above a scene.
    fn heading(&self) -> f64 {
        let named = self.data.panels.iter().any(|(label, _)| !label.is_empty());
        if named { Size::Large.line() } else { 0.0 }
    }

    /// Height of what is written below.
    fn footing(&self) -> f64 {
        if self.data.note.is_empty() { 0.0 } else { Size::Small.line() }
    }

    /// Where a scene is.
    fn place(&self, k: usize) -> Place {
        let (row, column) = ((k / COLUMNS) as f64, (k % COLUMNS) as f64);
        let left = MARGIN + column * (self.wide + GAP);
        let above = if self.legend.height() > 0.0 { self.legend.height() + APART } else { 0.0 };
        let top = MARGIN + above + self.heading() + row * (self.high + self.heading() + GAP);
        Place { left, top, right: left + self.wide, bottom: top + self.high }
    }

    fn draw(&self) -> Canvas {
        let PictureFigure { panels, colouring, note, .. } = self.data;
        let (beside, last) = (self.place(self.columns() - 1), self.place(panels.len() - 1));
        let bar = self.bar.as_ref().map_or(0.0, |bar| BAR_GAP + bar.width());
        let width = (beside.right + bar).max(MARGIN + NARROWEST) + MARGIN;
        let mut canvas = Canvas::new(width, last.bottom + self.footing() + MARGIN);
        if panels.iter().any(|(_, scene)| scene.balls) {
            canvas.element(LIGHT);
        }
        self.legend.draw(&mut canvas, (MARGIN, 0.5 * MARGIN));
        for (k, (label, scene)) in panels.iter().enumerate() {
            let place = self.place(k);
            let above = (place.middle().0, place.top - 0.55 * Size::Large.line());
            let style = centred(Size::Large, Anchor::Middle).within(label, self.wide);
            canvas.text(label, above, style);
            let bar = self.bar.as_ref();
            Stage { place, scene, colouring: *colouring, bar }.draw(&mut canvas);
        }
        let below = (MARGIN, last.bottom + APART + 0.5 * Size::Small.line());
        let style = centred(Size::Small, Anchor::Start).within(note, width - 2.0 * MARGIN);
        canvas.text(note, below, style);
        if let Some(bar) = &self.bar {
            let (left, inset) = (beside.right + BAR_GAP, 0.05 * beside.height());
            let (top, bottom) = (beside.top + inset, beside.bottom - inset);
            bar.draw(&mut canvas, Place { left, top, bottom, ..beside });
        }
        canvas
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, drum, stem};
    use super::*;

    fn size(figure: &PictureFigure) -> (u32, u32) {
        let canvas = Pages::new(figure).unwrap().draw();
        (canvas.width as u32, canvas.height as u32)
    }

    #[test]
    fn particles_obstacles_and_bonds_are_drawn() {
        let stem = stem("picture");
        let figure = drum(60);
        picture(&stem, &figure).unwrap();
        check_files(&stem, size(&figure), &["left", "t = 1.5", "−γ"]);
    }

    #[test]
    fn pictures_stand_side_by_side() {
        let stem = stem("pictures");
        let mut figure = drum(60);
        let scene = Scene { balls: true, ..figure.panels[0].1.clone() };
        figure.panels =
            ["γ = 0", "γ = −1", "smooth", "rough"].map(|l| (l.into(), scene.clone())).into();
        (figure.side, figure.scale) = (300, None);
        picture(&stem, &figure).unwrap();
        let (width, height) = size(&figure);
        assert!(width > 900 && height > 600 && width > height);
        check_files(&stem, (width, height), &["γ = −1", "rough"]);
    }

    #[test]
    fn many_particles_make_a_small_file() {
        let stem = stem("picture_many");
        let mut figure = drum(20_000);
        figure.panels[0].1.tubes.clear();
        picture(&stem, &figure).unwrap();
        let bytes = std::fs::metadata(stem.with_extension("svg")).unwrap().len();
        assert!(bytes < 3_000_000, "{bytes} bytes");
        for ending in ["svg", "png"] {
            std::fs::remove_file(stem.with_extension(ending)).unwrap();
        }
    }

    #[test]
    fn a_picture_needs_something_to_see() {
        assert!(picture(&stem("nothing"), &PictureFigure::default()).is_err());
        let empty = PictureFigure { panels: vec![Default::default()], side: 300, ..drum(3) };
        assert!(picture(&stem("nothing"), &empty).is_err());
    }
}
