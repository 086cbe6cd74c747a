//! One drawing, two files.
//!
//! A figure is drawn on a grid finer than its pixels. The SVG keeps the grid as its view box; the
//! PNG averages it, which is what smooths lines and text.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::style::WHITE;

use super::PlotError;
use super::raster::Raster;
use super::style::UNITS;

/// What is drawn on: coordinates are grid units from the upper left corner.
pub(super) type Canvas<DB> = DrawingArea<DB, Shift>;

/// The outcome of drawing on a backend.
pub(super) type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Something that can be drawn.
pub(super) trait Figure {
    /// Width and height, in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws on a white canvas.
    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB>;
}

/// Writes `stem.svg` and `stem.png`.
pub(super) fn write(stem: &Path, figure: &impl Figure) -> Result<(), PlotError> {
    write_svg(&named(stem, "svg"), figure)?;
    write_png(&named(stem, "png"), figure)
}

/// The stem with an ending; a dot in the stem is part of the name.
fn named(stem: &Path, ending: &str) -> std::path::PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// The size of the grid a figure is drawn on.
fn grid(figure: &impl Figure) -> (u32, u32) {
    let (width, height) = figure.size();
    (width * UNITS as u32, height * UNITS as u32)
}

/// Draws a figure on a backend, on white.
fn draw_on<DB: DrawingBackend>(backend: DB, figure: &impl Figure) -> Result<(), String> {
    let canvas = backend.into_drawing_area();
    let drawn = canvas.fill(&WHITE).and_then(|()| figure.draw(&canvas));
    drawn.and_then(|()| canvas.present()).map_err(|error| error.to_string())
}

fn write_svg(path: &Path, figure: &impl Figure) -> Result<(), PlotError> {
    let failed = |reason: String| PlotError::Write { path: path.into(), reason };
    let mut drawing = String::new();
    draw_on(SVGBackend::with_string(&mut drawing, grid(figure)), figure).map_err(failed)?;
    let (width, height) = figure.size();
    let (fine, fine_height) = grid(figure);
    let drawn_size = format!("<svg width=\"{fine}\" height=\"{fine_height}\"");
    let shown_size =
        format!("<svg width=\"{width}\" height=\"{height}\" stroke-linejoin=\"round\"");
    let drawing = drawing.replacen(&drawn_size, &shown_size, 1);
    fs::write(path, drawing).map_err(|error| failed(error.to_string()))
}

fn write_png(path: &Path, figure: &impl Figure) -> Result<(), PlotError> {
    let failed = |reason: String| PlotError::Write { path: path.into(), reason };
    let pixels = pixels(figure).map_err(failed)?;
    let encoded = || -> Result<(), png::EncodingError> {
        let mut writer = encoder(File::create(path)?, figure.size()).write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()
    };
    encoded().map_err(|error| failed(error.to_string()))
}

/// What writes pictures of a size into a PNG file.
pub(super) fn encoder<'a>(
    file: File,
    (width, height): (u32, u32),
) -> png::Encoder<'a, BufWriter<File>> {
    let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    encoder
}

/// Red, green and blue of every pixel, row by row from the upper left corner.
pub(super) fn pixels(figure: &impl Figure) -> Result<Vec<u8>, String> {
    let (fine, fine_height) = grid(figure);
    let mut fine_pixels = vec![0; 3 * fine as usize * fine_height as usize];
    let backend = BitMapBackend::with_buffer(&mut fine_pixels, (fine, fine_height));
    draw_on(Raster(backend), figure)?;
    Ok(averaged(&fine_pixels, fine as usize))
}

/// The mean colour of every square of grid units.
fn averaged(fine: &[u8], width: usize) -> Vec<u8> {
    let units = UNITS as usize;
    let mut pixels = Vec::with_capacity(fine.len() / (units * units));
    let mut sums = vec![0u32; 3 * width / units];
    for rows in fine.chunks_exact(3 * width * units) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * width) {
            for (k, square) in row.chunks_exact(3 * units).enumerate() {
                for (c, value) in square.iter().enumerate() {
                    sums[3 * k + c % 3] += u32::from(*value);
                }
            }
        }
        pixels.extend(sums.iter().map(|sum| (sum / (units * units) as u32) as u8));
    }
    pixels
}
