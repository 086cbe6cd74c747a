//! The primal–dual interior-point method of Mehrotra (1992), which tells which constraints act
//! where Newton's method on springs would take long to find out: a pile that is just about rigid
//! has thousands of forces of all sizes.
//!
//! Every constraint has a slack \\(s_k > 0\\) and a dual \\(\lambda_k > 0\\), and their products go
//! to zero together. A step is one factorization of \\(\mathsf A + \sum(\lambda_k/s_k)\,\mathbf
//! g_k\mathbf g_k^T\\), which has the graph of the springs.

use super::{Failure, Problem, Projected, Projection};

/// Most steps.
const MOST_STEPS: usize = 60;

/// Share of the way to the boundary that a step takes.
const BOUNDARY_SHARE: f64 = 0.995;

/// How far slacks and duals are moved from zero to begin with: in the largest residual of the
/// forces, and at least in the largest force.
const INWARD_OF_RESIDUAL: f64 = 0.3;
const INWARD_OF_FORCE: f64 = 1e-3;

/// Residual and complementarity, as forces, at which the iteration ends, over the largest force.
const COMPLEMENTARITY_GOAL: f64 = 1e-7;

/// The constraints on the way.
struct Inside<'a> {
    /// Resistance to their opening.
    resistance: &'a [f64],
    slack: Vec<f64>,
    dual: Vec<f64>,
    /// Residuals of the gaps, and of the forces on the unknowns.
    gap_residual: Vec<f64>,
    residual: Vec<f64>,
    largest_residual: f64,
    /// Right-hand side of the duals, and the changes of slacks and duals.
    rhs: Vec<f64>,
    change: Vec<[f64; 2]>,
}

impl Projection {
    /// Comes so close to the solution that it is plain which constraints act; the multipliers of
    /// all others are set to 0.
    pub(super) fn approach(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        done: &mut Projected,
    ) {
        problem.slacks(&self.found, &mut self.work.slack);
        let resistance = std::mem::take(&mut self.work.resistance);
        let gaps = &self.work.slack;
        let needed = resistance.iter().zip(gaps).map(|(w, s)| -w * s);
        let pulls = problem.constraints.iter().map(|c| -c.pull);
        let force = multipliers.iter().copied().chain(needed).chain(pulls).fold(0.0, f64::max);
        if force > 0.0 {
            let mut inside = Inside::new(multipliers, &resistance, self.found.len());
            inside.evaluate(problem, &self.found);
            let residual = inside.largest_residual;
            let force = force.max(residual);
            inside.centre(gaps, (INWARD_OF_RESIDUAL * residual).max(INWARD_OF_FORCE * force));
            for _ in 0..MOST_STEPS {
                inside.evaluate(problem, &self.found);
                // Near the boundary a factorization may fail: what there is has to do.
                let near = inside.accuracy() <= COMPLEMENTARITY_GOAL * force;
                if near || self.inward_step(problem, &mut inside, done).is_err() {
                    break;
                }
            }
            inside.tell_apart(multipliers);
        }
        self.work.resistance = resistance;
    }

    /// A step of predictor and corrector.
    fn inward_step(
        &mut self,
        problem: &Problem,
        inside: &mut Inside,
        done: &mut Projected,
    ) -> Result<(), Failure> {
        self.factored = None;
        self.matrix.set_values(&self.base);
        for (k, c) in problem.constraints.iter().enumerate() {
            let spring = inside.dual[k] / inside.slack[k];
            problem.unknowns.add_spring(&mut self.matrix, c, self.links.places[k], spring);
        }
        self.matrix.factorize()?;
        done.factorizations += 1;
        done.iterations += 1;
        let before = inside.mean(0.0);
        inside.change.iter_mut().for_each(|change| *change = [0.0; 2]);
        self.inward_direction(problem, inside, 0.0)?;
        let after = inside.mean(inside.length());
        self.inward_direction(problem, inside, before * (after / before).powi(3))?;
        let length = inside.length();
        inside.go(length);
        self.found.iter_mut().zip(&self.direction).for_each(|(x, d)| *x += length * d);
        Ok(())
    }

    /// The direction towards products of slacks and duals that are all `centre`, with the
    /// second-order part of the changes that are known.
    fn inward_direction(
        &mut self,
        problem: &Problem,
        inside: &mut Inside,
        centre: f64,
    ) -> Result<(), Failure> {
        let Inside { slack, dual, gap_residual, residual, rhs, change, .. } = inside;
        self.direction.clear();
        self.direction.extend(residual.iter().map(|r| -r));
        for (k, c) in problem.constraints.iter().enumerate() {
            let product = centre - slack[k] * dual[k] - change[k][0] * change[k][1];
            rhs[k] = (product - dual[k] * gap_residual[k]) / slack[k];
            problem.unknowns.push_apart(&mut self.direction, c, rhs[k]);
        }
        self.matrix.solve(&mut self.direction)?;
        for (k, c) in problem.constraints.iter().enumerate() {
            let opened = problem.unknowns.opening(&self.direction, c);
            change[k] = [opened + gap_residual[k], rhs[k] - dual[k] / slack[k] * opened];
        }
        Ok(())
    }
}

impl<'a> Inside<'a> {
    /// Duals as given, and no slacks.
    fn new(multipliers: &[f64], resistance: &'a [f64], unknowns: usize) -> Self {
        let count = multipliers.len();
        Inside {
            resistance,
            slack: vec![0.0; count],
            dual: multipliers.to_vec(),
            gap_residual: vec![0.0; count],
            residual: vec![0.0; unknowns],
            largest_residual: 0.0,
            rhs: vec![0.0; count],
            change: vec![[0.0; 2]; count],
        }
    }

    /// Slacks and duals close to what they are, but with products as if both were of the size of a
    /// force.
    fn centre(&mut self, gaps: &[f64], force: f64) {
        let pairs = self.slack.iter_mut().zip(&mut self.dual);
        for (((slack, dual), gap), w) in pairs.zip(gaps).zip(self.resistance) {
            let product = force * force / w;
            let between = gap - *dual / w;
            // The larger root, which has no cancellation.
            let root = 0.5 * (between.abs() + (between * between + 4.0 * product / w).sqrt());
            (*slack, *dual) = match between > 0.0 {
                true => (root, product / root),
                false => (product / (w * root), w * root),
            };
        }
    }

    /// Finds the residuals.
    fn evaluate(&mut self, problem: &Problem, found: &[f64]) {
        problem.resist(found, &mut self.residual);
        problem.slacks(found, &mut self.gap_residual);
        for (k, c) in problem.constraints.iter().enumerate() {
            self.gap_residual[k] -= self.slack[k];
            problem.unknowns.push_apart(&mut self.residual, c, -(self.dual[k] + c.pull));
        }
        self.largest_residual =
            problem.unknowns.largest_force(&self.residual, problem.operator.length);
    }

    /// The largest residual, or the mean product of slacks and duals, as a force.
    fn accuracy(&self) -> f64 {
        let product = |k: usize| self.resistance[k] * self.slack[k] * self.dual[k];
        let count = self.slack.len();
        let square = (0..count).map(product).sum::<f64>() / count as f64;
        let gaps = self.gap_residual.iter().zip(self.resistance).map(|(gap, w)| (w * gap).abs());
        gaps.fold(square.sqrt().max(self.largest_residual), f64::max)
    }

    /// The mean product of slacks and duals after a step of some length.
    fn mean(&self, length: f64) -> f64 {
        let values = self.slack.iter().zip(&self.dual).zip(&self.change);
        let product =
            |((s, l), [ds, dl]): ((&f64, &f64), &[f64; 2])| (s + length * ds) * (l + length * dl);
        values.map(product).sum::<f64>() / self.slack.len() as f64
    }

    /// How far changes may go.
    fn length(&self) -> f64 {
        let mut length = 1.0 / BOUNDARY_SHARE;
        for ((s, l), [ds, dl]) in self.slack.iter().zip(&self.dual).zip(&self.change) {
            for (value, change) in [(s, ds), (l, dl)] {
                if *change < 0.0 {
                    length = f64::min(length, -value / change);
                }
            }
        }
        BOUNDARY_SHARE * length
    }

    fn go(&mut self, length: f64) {
        let values = self.slack.iter_mut().zip(&mut self.dual).zip(&self.change);
        for ((s, l), [ds, dl]) in values {
            *s += length * ds;
            *l += length * dl;
        }
    }

    /// Multipliers of the constraints that act.
    fn tell_apart(&self, multipliers: &mut [f64]) {
        for (k, multiplier) in multipliers.iter_mut().enumerate() {
            let acts = self.dual[k] > self.resistance[k] * self.slack[k];
            *multiplier = if acts { self.dual[k] } else { 0.0 };
        }
    }
}
