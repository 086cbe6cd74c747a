//! Damage to a text, from single bytes to lines of other files.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Values that are likely to be forgotten.
const VALUES: &[&str] = &[
    "0",
    "-1",
    "1",
    "1e308",
    "-1e308",
    "1e-308",
    "1e306",
    "inf",
    "-inf",
    "nan",
    "9223372036854775807",
    "-9223372036854775808",
    "1e10",
    "1e-10",
    "0.5",
    "2",
    "3",
    "60",
    "true",
    "false",
    "\"\"",
    "\"auto\"",
    "[]",
    "{}",
    "[1, 1]",
    "[0, 0, 0]",
    "[1e308, 0.5]",
    "[[1, 2, 3]]",
    "\"x\"",
    "é",
    "\u{0}",
    "1979-05-27",
];

/// One of the texts with up to four mutations.
pub fn mutated(texts: &[Vec<u8>], index: usize, seed: u64) -> Vec<u8> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut text = texts[index].clone();
    for _ in 0..rng.random_range(1..=4) {
        text = mutation(texts, text, &mut rng);
    }
    text
}

fn mutation(texts: &[Vec<u8>], mut text: Vec<u8>, rng: &mut Pcg64) -> Vec<u8> {
    if text.is_empty() {
        return text;
    }
    let place = rng.random_range(0..text.len());
    match rng.random_range(0..10) {
        0 => text[place] = rng.random_range(0..=255),
        1 => text[place] ^= 1 << rng.random_range(0..8),
        2 => text.truncate(place),
        3 => drop(text.remove(place)),
        4 => lines(&mut text, rng, |lines, k, _| drop(lines.remove(k))),
        5 => lines(&mut text, rng, |lines, k, _| lines.insert(k, lines[k].clone())),
        6 => {
            let other = &texts[rng.random_range(0..texts.len())];
            let from: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
            let line = from[rng.random_range(0..from.len())].to_vec();
            lines(&mut text, rng, |lines, k, _| lines.insert(k, line.clone()));
        }
        _ => value(&mut text, rng),
    }
    text
}

fn lines(text: &mut Vec<u8>, rng: &mut Pcg64, change: impl Fn(&mut Vec<Vec<u8>>, usize, u64)) {
    let mut all: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let k = rng.random_range(0..all.len());
    change(&mut all, k, 0);
    *text = all.join(&b'\n');
}

/// Another value in the place of a word or number.
fn value(text: &mut Vec<u8>, rng: &mut Pcg64) {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || b".-+_\"".contains(&byte);
    let mut words = Vec::new();
    let mut start = None;
    for (k, byte) in text.iter().chain([&b' ']).enumerate() {
        match (inside(*byte), start) {
            (true, None) => start = Some(k),
            (false, Some(from)) => {
                words.push(from..k);
                start = None;
            }
            _ => {}
        }
    }
    // Numbers first: names are mostly found out at once.
    let numbers = words.iter().filter(|word| text[word.start].is_ascii_digit());
    let numbers: Vec<_> = numbers.cloned().collect();
    let from = if numbers.is_empty() || rng.random_range(0..4) == 0 { &words } else { &numbers };
    if from.is_empty() {
        return;
    }
    let word = from[rng.random_range(0..from.len())].clone();
    let value = VALUES[rng.random_range(0..VALUES.len())];
    text.splice(word, value.bytes());
}
