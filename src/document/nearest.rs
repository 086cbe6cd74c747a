//! The nearest valid word to a misspelt one.

/// The candidate closest to `word`, if one is close enough to be meant.
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let within = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .iter()
        .map(|&candidate| (distance(word, candidate), candidate))
        .filter(|&(edits, _)| edits <= within)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Damerau's edit distance (optimal string alignment), case ignored, `-` and `_` alike.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (plain(a), plain(b));
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
                let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replace.min(swap).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
        }
    }
    table[a.len()][b.len()]
}

fn plain(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KEYS: [&str; 4] = ["count", "volume_fraction", "volume_shares", "seed"];

    #[test]
    fn finds_slips_of_the_hand() {
        assert_eq!(nearest("cuont", &KEYS), Some("count"));
        assert_eq!(nearest("volume-fraktion", &KEYS), Some("volume_fraction"));
        assert_eq!(nearest("Seed", &KEYS), Some("seed"));
    }

    #[test]
    fn offers_nothing_far_fetched() {
        assert_eq!(nearest("temperature", &KEYS), None);
        assert_eq!(nearest("x", &KEYS), None);
    }
}
