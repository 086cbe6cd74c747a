//! Text files as they are, or compressed by gzip or zstd, told apart by their first bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The first bytes of a gzip file (RFC 1952) and of a frame of zstd (RFC 8878).
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What is read line by line.
pub(super) type Text = Box<dyn BufRead + Send>;

/// Opens a file, whatever it is called.
pub(super) fn open(path: &Path) -> io::Result<Text> {
    let mut file = BufReader::new(File::open(path)?);
    let head = file.fill_buf()?;
    if head.starts_with(&GZIP) {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(file))));
    }
    if head.starts_with(&ZSTD) {
        return Ok(Box::new(BufReader::new(Frames::Between(file))));
    }
    Ok(Box::new(file))
}

/// The frames of a zstd file, one after another: programs that append, or compress in parallel,
/// write several.
enum Frames {
    /// Inside one.
    Within(Box<StreamingDecoder<BufReader<File>, FrameDecoder>>),
    /// Before one, or at the end.
    Between(BufReader<File>),
    /// After an error.
    Broken,
}

impl Read for Frames {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Frames::Broken) {
                Frames::Within(mut decoder) => {
                    let count = decoder.read(to)?;
                    if count > 0 || to.is_empty() {
                        *self = Frames::Within(decoder);
                        return Ok(count);
                    }
                    *self = Frames::Between(decoder.into_inner());
                }
                Frames::Between(mut file) => {
                    if file.fill_buf()?.is_empty() {
                        *self = Frames::Between(file);
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(file).map_err(io::Error::other)?;
                    *self = Frames::Within(Box::new(decoder));
                }
                Frames::Broken => return Err(io::Error::other("the zstd file is damaged")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;
    use std::fs;
    use std::io::Write;

    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn text_of(bytes: &[u8]) -> io::Result<String> {
        let scratch = Scratch::new();
        let path = scratch.file("any.txt");
        fs::write(&path, bytes).unwrap();
        let mut text = String::new();
        open(&path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn text_is_read_however_it_is_compressed_and_named() {
        let text = "ITEM: TIMESTEP\n0\n".repeat(5000);
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        for bytes in [text.as_bytes(), &gzip, &zstd] {
            assert_eq!(text_of(bytes).unwrap(), text);
            if bytes != text.as_bytes() {
                assert!(bytes.len() < text.len() / 10);
                // Two files one behind the other are one file, as with cat.
                assert_eq!(text_of(&bytes.repeat(2)).unwrap(), text.repeat(2));
                assert!(text_of(&bytes[..bytes.len() / 2]).is_err(), "a file that is cut");
            }
        }
    }
}
