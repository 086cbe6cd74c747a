//! A figure is drawn once, as SVG, which resvg turns into PNG.

use std::fmt::{Display, Write};
use std::fs;
use std::path::{Path, PathBuf};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::Tree;

use super::PlotError;
use super::style::{FONTS, Fill, WHITE};
use super::text::{Style, options};

/// A point, in pixels from the upper left corner.
pub(super) type Xy = (f64, f64);

/// A rectangle, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Place {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn middle(&self) -> Xy {
        (0.5 * (self.left + self.right), 0.5 * (self.top + self.bottom))
    }
}

/// What is drawn on: elements of an SVG file, later ones over earlier ones.
pub(super) struct Canvas {
    pub width: f64,
    pub height: f64,
    elements: String,
}

impl Canvas {
    /// An empty canvas of whole pixels.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width: width.ceil(), height: height.ceil(), elements: String::new() }
    }

    /// Adds an element as it is.
    pub fn element(&mut self, element: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.elements, "{element}");
    }

    /// A line through points, inside the shape if it is filled.
    pub fn line(&mut self, points: &[Xy], paint: impl Display) {
        let points = listed(points);
        self.element(format_args!("<polyline points=\"{points}\" {paint}/>"));
    }

    pub fn polygon(&mut self, corners: &[Xy], paint: impl Display) {
        let corners = listed(corners);
        self.element(format_args!("<polygon points=\"{corners}\" {paint}/>"));
    }

    pub fn rectangle(&mut self, place: Place, paint: impl Display) {
        let [x, y] = [place.left, place.top].map(short);
        let [width, height] = [place.width(), place.height()].map(short);
        self.element(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>"
        ));
    }

    pub fn circle(&mut self, (x, y): Xy, radius: f64, paint: impl Display) {
        let [x, y, radius] = [x, y, radius].map(short);
        self.element(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>"));
    }

    /// An ellipse with half axes across and up.
    pub fn ellipse(&mut self, (x, y): Xy, (across, up): Xy, paint: impl Display) {
        let [x, y, across, up] = [x, y, across, up].map(short);
        self.element(format_args!(
            "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{across}\" ry=\"{up}\" {paint}/>"
        ));
    }

    pub fn text(&mut self, text: &str, at: Xy, style: Style) {
        if !text.is_empty() {
            self.elements.push_str(&style.element(text, at));
        }
    }

    /// Draws what is seen only inside a place.
    pub fn inside(&mut self, place: Place, draw: impl FnOnce(&mut Self)) {
        let [x, y] = [place.left, place.top].map(short);
        let [width, height] = [place.width(), place.height()].map(short);
        self.element(format_args!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{x} {y} {width} {height}\">"
        ));
        draw(self);
        self.element("</svg>");
    }

    /// Draws elements that share attributes.
    pub fn group(&mut self, attributes: impl Display, draw: impl FnOnce(&mut Self)) {
        self.element(format_args!("<g {attributes}>"));
        draw(self);
        self.element("</g>");
    }

    /// Puts another canvas on this one, with its upper left corner at a point.
    pub fn put(&mut self, part: &Canvas, (x, y): Xy) {
        let attribute = format!("transform=\"translate({} {})\"", short(x), short(y));
        self.group(attribute, |canvas| canvas.elements.push_str(&part.elements));
    }

    /// The whole file.
    fn svg(&self) -> String {
        let Self { width, height, elements } = self;
        let paper = Fill(WHITE);
        format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{FONTS}\" \
             stroke-linejoin=\"round\">\n\
             <rect width=\"{width}\" height=\"{height}\" {paper}/>\n{elements}</svg>\n"
        )
    }

    /// Writes `stem.svg` and `stem.png`.
    pub fn write(&self, stem: &Path) -> Result<(), PlotError> {
        let drawing = self.svg();
        save(&named(stem, "svg"), Ok(drawing.as_bytes()))?;
        let pixels = png(&drawing, (self.width as u32, self.height as u32));
        save(&named(stem, "png"), pixels.as_deref().map_err(String::as_str))
    }
}

/// A drawing as the content of a PNG file.
fn png(drawing: &str, (width, height): (u32, u32)) -> Result<Vec<u8>, String> {
    let tree = Tree::from_str(drawing, options()).map_err(|error| error.to_string())?;
    let mut pixels = Pixmap::new(width, height).ok_or("it has no size")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

fn save(path: &Path, content: Result<&[u8], &str>) -> Result<(), PlotError> {
    // Nothing is written through a link.
    if fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink()) {
        let _ = fs::remove_file(path);
    }
    let saved = content
        .map_err(str::to_owned)
        .and_then(|content| fs::write(path, content).map_err(|error| error.to_string()));
    saved.map_err(|reason| PlotError::Write { path: path.into(), reason })
}

/// The stem with an ending; a dot in the stem is part of the name.
fn named(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// A length to a hundredth of a pixel.
pub(super) fn short(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}

fn listed(points: &[Xy]) -> String {
    let mut list = String::with_capacity(14 * points.len());
    for (x, y) in points {
        let _ = write!(list, "{},{} ", short(*x), short(*y));
    }
    list.truncate(list.trim_end().len());
    list
}
