//! With how many digits coordinates were written, and what gaps that loses.
//!
//! A program that writes six significant digits into a box of some ten radii rounds centres to 10⁻⁴
//! radii; the gaps of a dense suspension are often smaller than that.

/// Fewer digits than these are those of numbers written by hand, which are exact.
const FEWEST: usize = 4;

/// How finely coordinates were written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Significant digits.
    pub digits: usize,
    /// The last digit of the largest coordinate: gaps below it are lost `[a]`.
    pub resolution: f64,
}

impl Precision {
    /// The gap below which rounding changes gaps by a tenth or more: ten last digits `[a]`.
    pub fn coarse_gap(&self) -> f64 {
        10.0 * self.resolution
    }
}

/// Looks at coordinates as they are written.
#[derive(Debug, Default)]
pub(super) struct DigitCounter {
    digits: usize,
    largest: f64,
}

impl DigitCounter {
    /// Counts the digits of a number as it is written, given its value.
    pub fn add(&mut self, word: &str, value: f64) {
        self.digits = self.digits.max(significant(word));
        self.largest = self.largest.max(value.abs());
    }

    /// The most digits seen; `None` when nothing can be said.
    pub fn digits(&self) -> Option<usize> {
        (self.digits >= FEWEST).then_some(self.digits)
    }

    /// What was seen, if each unit written is a length of `unit` (1, or a box edge where
    /// coordinates are fractions of it); `None` when nothing can be said.
    pub fn precision(&self, unit: f64) -> Option<Precision> {
        self.digits().filter(|_| self.largest > 0.0)?;
        let decade = self.largest.log10().floor() as i32 + 1;
        let resolution = unit * 10f64.powi(decade - self.digits as i32);
        Some(Precision { digits: self.digits, resolution })
    }
}

/// The significant digits of a number as it is written.
fn significant(word: &str) -> usize {
    let mantissa = word.split(['e', 'E', 'd', 'D']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    digits.skip_while(|digit| *digit == b'0').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Option<Precision> {
        let mut counter = DigitCounter::default();
        words.iter().for_each(|word| counter.add(word, word.parse().unwrap()));
        counter.precision(1.0)
    }

    #[test]
    fn digits_are_counted_however_numbers_are_written() {
        for (word, digits) in
            [("0.0473347", 6), ("-15.9578", 6), ("1.50e-3", 3), ("12", 2), ("0", 0), ("100.0", 4)]
        {
            assert_eq!(significant(word), digits, "{word}");
        }
    }

    #[test]
    fn the_largest_coordinate_is_the_coarsest() {
        let six = of(&["9.71365", "15.958", "0.0473347", "2"]).unwrap();
        assert_eq!(six.digits, 6);
        assert!((six.resolution / 1e-4 - 1.0).abs() < 1e-12);
        let fixed = of(&["1.00000000", "15.12345678"]).unwrap();
        assert!((fixed.resolution / 1e-8 - 1.0).abs() < 1e-12);
        assert_eq!(of(&["0", "2.5", "10"]), None);
    }
}
