//! Pictures of particles among obstacles: one time, or several runs side by side.

use std::path::Path;

use plotters::backend::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};

use super::PlotError;
use super::canvas::{Canvas, Drawn, Figure, write};
use super::colour_bar::ColourBar;
use super::frame::{Place, Shape};
use super::legend::{Entry, Legend, Sign};
use super::ruler::{Axis, Ruler};
use super::scene::{Colouring, Scene, Stage};
use super::style::{INK, Size, UNITS, line_height, px, text};

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
    write(path_stem, &Pages::new(data)?)
}

/// Room around and between scenes, and beside the colour bar.
const MARGIN: i32 = px(20);
const GAP: i32 = px(24);

/// Scenes beside each other, at most.
const COLUMNS: usize = 3;

/// A picture with room for everything.
pub(super) struct Pages<'a> {
    data: &'a PictureFigure,
    /// Size of a scene.
    wide: i32,
    high: i32,
    bar: Option<ColourBar>,
    legend: Legend,
}

impl<'a> Pages<'a> {
    /// Lays out a picture.
    pub fn new(data: &'a PictureFigure) -> Result<Self, PlotError> {
        let empty = || PlotError::Empty { what: "the picture".into() };
        let view = data.panels.first().ok_or_else(empty)?.1.view;
        let [width, height] = view.sides();
        let scale = f64::from(px(data.side as i32)) / width.max(height);
        if view.is_empty() || !(scale.is_finite() && scale > 0.0) {
            return Err(empty());
        }
        let [wide, high] = [width, height].map(|side| ((side * scale).round() as i32).max(px(1)));
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
        let columns = data.panels.len().min(COLUMNS) as i32;
        let room = columns * wide + (columns - 1) * GAP;
        let legend = Legend::new(entries.collect(), room.max(px(300)));
        Ok(Self { data, wide, high, bar, legend })
    }

    fn columns(&self) -> usize {
        self.data.panels.len().min(COLUMNS)
    }

    /// Height of what is written above a scene.
    fn heading(&self) -> i32 {
        let named = self.data.panels.iter().any(|(label, _)| !label.is_empty());
        if named { line_height(Size::Large) } else { 0 }
    }

    /// Height of what is written below.
    fn footing(&self) -> i32 {
        if self.data.note.is_empty() { 0 } else { line_height(Size::Small) }
    }

    /// Where a scene is.
    fn place(&self, k: usize) -> Place {
        let (row, column) = ((k / COLUMNS) as i32, (k % COLUMNS) as i32);
        let left = MARGIN + column * (self.wide + GAP);
        let above = if self.legend.height() > 0 { self.legend.height() + px(8) } else { 0 };
        let top = MARGIN + above + self.heading() + row * (self.high + self.heading() + GAP);
        Place { left, top, right: left + self.wide, bottom: top + self.high }
    }
}

impl Figure for Pages<'_> {
    fn size(&self) -> (u32, u32) {
        let corner = self.place(self.columns() - 1);
        let bar = self.bar.as_ref().map_or(0, |bar| GAP + bar.width());
        let width = (corner.right + bar).max(px(340)) + MARGIN;
        let bottom = self.place(self.data.panels.len() - 1).bottom;
        let height = bottom + self.footing() + MARGIN;
        [width, height].map(|units| ((units + UNITS - 1) / UNITS) as u32).into()
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB> {
        let PictureFigure { panels, colouring, note, .. } = self.data;
        self.legend.draw(canvas, (MARGIN, MARGIN / 2))?;
        let name = text(Size::Large, INK, HPos::Center, VPos::Center);
        for (k, (label, scene)) in panels.iter().enumerate() {
            let place = self.place(k);
            let above =
                ((place.left + place.right) / 2, place.top - line_height(Size::Large) * 11 / 20);
            canvas.draw_text(label, &name, above)?;
            let bar = self.bar.as_ref();
            Stage { canvas, place, scene, colouring: *colouring, bar }.draw()?;
        }
        let last = self.place(panels.len() - 1);
        let small = text(Size::Small, INK, HPos::Left, VPos::Center);
        let below = (MARGIN, last.bottom + px(6) + line_height(Size::Small) / 2);
        canvas.draw_text(note, &small, below)?;
        let Some(bar) = &self.bar else { return Ok(()) };
        let beside = self.place(self.columns() - 1);
        let inset = (beside.bottom - beside.top) / 20;
        let place = Place {
            left: beside.right + GAP,
            top: beside.top + inset,
            bottom: beside.bottom - inset,
            ..beside
        };
        bar.draw(canvas, place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, drum, stem};
    use super::*;

    #[test]
    fn particles_obstacles_and_bonds_are_drawn() {
        let stem = stem("picture");
        let figure = drum(60);
        picture(&stem, &figure).unwrap();
        check_files(
            &stem,
            Pages::new(&figure).unwrap().size(),
            &["left", "t = 1.5", "−γ", "<polygon"],
        );
    }

    #[test]
    fn pictures_stand_side_by_side() {
        let stem = stem("pictures");
        let mut figure = drum(60);
        let scene = figure.panels[0].1.clone();
        figure.panels =
            ["γ = 0", "γ = −1", "smooth", "rough"].map(|l| (l.into(), scene.clone())).into();
        (figure.side, figure.scale) = (300, None);
        picture(&stem, &figure).unwrap();
        let (width, height) = Pages::new(&figure).unwrap().size();
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
