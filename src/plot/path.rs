//! Curves as drawable pieces: without gaps, inside the axes, no finer than the paper.

use super::ruler::Ruler;

/// A line y(x).
#[derive(Debug, Clone, Default)]
pub struct Curve {
    /// Name in the legend.
    pub label: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates, as many; one that is not finite interrupts the line.
    pub y: Vec<f64>,
}

impl Curve {
    /// A named line.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { label: label.into(), x, y }
    }
}

/// A point in shares of the axes' lengths.
pub(super) type Share = (f64, f64);

/// The parts of a line that lie within the axes, in shares of their lengths.
pub(super) fn visible(x: &[f64], y: &[f64], across: &Ruler, up: &Ruler) -> Vec<Vec<Share>> {
    let mut pieces: Vec<Vec<Share>> = Vec::new();
    let mut last: Option<Share> = None;
    let mut joined = false;
    for (x, y) in x.iter().zip(y) {
        let here = (across.share(*x), up.share(*y));
        let here = (here.0.is_finite() && here.1.is_finite()).then_some(here);
        let kept = last.zip(here).and_then(|(from, to)| clipped(from, to));
        match (kept, pieces.last_mut()) {
            (Some((_, to)), Some(piece)) if joined => piece.push(to),
            (Some((from, to)), _) => pieces.push(vec![from, to]),
            (None, _) => {}
        }
        joined = kept.is_some_and(|(_, to)| Some(to) == here);
        last = here;
    }
    pieces
}

/// The part of a segment within the unit square (Liang and Barsky).
pub(super) fn clipped(from: Share, to: Share) -> Option<(Share, Share)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for (step, room) in [(-dx, from.0), (dx, 1.0 - from.0), (-dy, from.1), (dy, 1.0 - from.1)] {
        if step == 0.0 && room < 0.0 {
            return None;
        }
        if step < 0.0 {
            first = first.max(room / step);
        } else if step > 0.0 {
            last = last.min(room / step);
        }
    }
    let at = |t: f64| (from.0 + t * dx, from.1 + t * dy);
    let start = if first > 0.0 { at(first) } else { from };
    let end = if last < 1.0 { at(last) } else { to };
    (first <= last).then_some((start, end))
}

/// A line with at most four points in each of `columns` columns: the first, the lowest, the
/// highest and the last, which look the same.
pub(super) fn thinned(piece: &[Share], columns: usize) -> Vec<Share> {
    if piece.len() <= 4 * columns {
        return piece.to_vec();
    }
    let column = |p: &Share| (p.0 * columns as f64).floor() as i64;
    let mut thin = Vec::with_capacity(4 * columns);
    for group in piece.chunk_by(|a, b| column(a) == column(b)) {
        let extreme = |sign: f64| {
            (0..group.len()).max_by(|&a, &b| (sign * group[a].1).total_cmp(&(sign * group[b].1)))
        };
        let mut kept = [Some(0), extreme(1.0), extreme(-1.0), group.len().checked_sub(1)];
        kept.sort_unstable();
        let mut kept: Vec<usize> = kept.into_iter().flatten().collect();
        kept.dedup();
        thin.extend(kept.into_iter().map(|k| group[k]));
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::super::ruler::Scale;
    use super::*;

    const UNIT: Ruler = Ruler { scale: Scale::Linear, low: 0.0, high: 1.0 };

    #[test]
    fn a_gap_interrupts_the_line() {
        let x = [0.0, 0.2, 0.4, 0.6, 0.8];
        let pieces = visible(&x, &[0.1, 0.2, f64::NAN, 0.3, 0.4], &UNIT, &UNIT);
        assert_eq!(pieces, [vec![(0.0, 0.1), (0.2, 0.2)], vec![(0.6, 0.3), (0.8, 0.4)]]);
    }

    #[test]
    fn a_line_is_cut_at_the_axes() {
        let pieces = visible(&[0.0, 0.5, 1.0], &[0.5, 1.5, 0.5], &UNIT, &UNIT);
        assert_eq!(pieces, [vec![(0.0, 0.5), (0.25, 1.0)], vec![(0.75, 1.0), (1.0, 0.5)]]);
        assert!(visible(&[-1.0, -0.5], &[0.5, 0.5], &UNIT, &UNIT).is_empty());
    }

    #[test]
    fn thinning_keeps_ends_and_extremes() {
        let line: Vec<Share> =
            (0..10_000).map(|k| k as f64 / 1e4).map(|x| (x, (7e3 * x).sin())).collect();
        let thin = thinned(&line, 100);
        assert!(thin.len() <= 404);
        assert_eq!((thin[0], thin[thin.len() - 1]), (line[0], line[9999]));
        let top = |l: &[Share]| l.iter().map(|p| p.1).fold(f64::MIN, f64::max);
        assert_eq!(top(&thin), top(&line));
        assert!(thin.windows(2).all(|w| w[0].0 < w[1].0));
    }
}
