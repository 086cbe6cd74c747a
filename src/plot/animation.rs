//! Pictures in the course of time, as a PNG file that browsers play.

use std::fs::File;
use std::path::Path;

use rayon::prelude::*;

use super::PlotError;
use super::canvas::{Figure, encoder, pixels};
use super::picture::{Pages, PictureFigure};

/// How long the last picture stays, in milliseconds.
const PAUSE: u16 = 1500;

/// Pictures that are drawn at a time.
const TOGETHER: usize = 8;

/// Draws `count` pictures of the same size into an animated PNG file that takes about as many
/// `seconds`, and plays again and again.
///
/// # Errors
///
/// If there is nothing to see, or the file cannot be written.
pub fn animation(
    path: &Path,
    count: usize,
    seconds: f64,
    picture: impl Fn(usize) -> PictureFigure + Sync,
) -> Result<(), PlotError> {
    let failed = |reason: String| PlotError::Write { path: path.into(), reason };
    if count == 0 {
        return Err(PlotError::Empty { what: "the animation".into() });
    }
    let size = Pages::new(&picture(0))?.size();
    let told = |error: png::EncodingError| failed(error.to_string());
    let file = File::create(path).map_err(|error| failed(error.to_string()))?;
    let mut encoder = encoder(file, size);
    encoder.set_animated(count as u32, 0).map_err(told)?;
    let each = (1000.0 * seconds / count as f64).clamp(20.0, 1000.0).round() as u16;
    encoder.set_frame_delay(each, 1000).map_err(told)?;
    let mut writer = encoder.write_header().map_err(told)?;
    let drawn = |k: usize| -> Result<Vec<u8>, PlotError> {
        pixels(&Pages::new(&picture(k))?).map_err(failed)
    };
    let all: Vec<usize> = (0..count).collect();
    for some in all.chunks(TOGETHER) {
        let pictures: Vec<_> = some.par_iter().map(|k| drawn(*k)).collect();
        for (k, picture) in some.iter().zip(pictures) {
            if k + 1 == count {
                writer.set_frame_delay(PAUSE.max(each), 1000).map_err(told)?;
            }
            writer.write_image_data(&picture?).map_err(told)?;
        }
    }
    writer.finish().map_err(told)
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{drum, stem};
    use super::*;

    #[test]
    fn an_animation_has_all_its_pictures() {
        let path = stem("animation").with_extension("png");
        let small = |k: usize| PictureFigure { note: format!("{k}"), side: 120, ..drum(5 + k) };
        animation(&path, 10, 3.0, small).unwrap();
        let file = std::io::BufReader::new(File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 10);
        let mut pixels = vec![0; reader.output_buffer_size()];
        let mut delays = Vec::new();
        for _ in 0..10 {
            reader.next_frame(&mut pixels).unwrap();
            delays.push(reader.info().frame_control().unwrap().delay_num);
        }
        assert_eq!((delays[0], delays[8], delays[9]), (300, 300, 1500));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn an_animation_needs_pictures() {
        assert!(animation(&stem("nothing"), 0, 1.0, |_| drum(1)).is_err());
    }
}
