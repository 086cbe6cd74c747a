//! The primal–dual interior-point method of Mehrotra (1992), which tells which constraints act where Newton's
//! method on springs would take long to find out: a pile that is just about rigid has thousands of forces of all sizes.
//!
//! Every constraint has an opening \\(s_k > 0\\) and a push \\(\lambda_k > 0\\), and their products go to zero together. A
//! step is one factorization of \\(\mathsf A + \sum(\lambda_k/s_k)\,\mathbf g_k\mathbf g_k^T\\), which has the graph of the springs.

use super::{Failure, Problem, Projected, Projection};

/// Steps at most.
const STEPS: usize = 60;

/// Share of the way to the boundary that a step takes.
const SHORT: f64 = 0.995;

/// How far openings and pushes are moved from zero to begin with: in what is wrong with forces, and at least in the
/// largest force.
const WRONG: f64 = 0.3;
const INWARD: f64 = 1e-3;

/// The force that is neither clearly there nor clearly not at which the end is near enough, in the largest force.
const CLEAR: f64 = 1e-7;

/// The constraints on the way.
struct Inside<'a> {
    /// What resists their opening.
    inertia: &'a [f64],
    open: Vec<f64>,
    push: Vec<f64>,
    /// What the equations are wrong by: openings, and forces on the unknowns.
    short: Vec<f64>,
    left: Vec<f64>,
    largest_left: f64,
    /// Right-hand side of the pushes, and the changes of openings and pushes.
    right: Vec<f64>,
    change: Vec<[f64; 2]>,
}

impl Projection {
    /// Comes so close to the answer that it is plain which constraints act; the multipliers of others are 0 then.
    pub(super) fn approach(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        done: &mut Projected,
    ) {
        problem.slacks(&self.found, &mut self.work.slack);
        let inertia = std::mem::take(&mut self.work.inertia);
        let slack = &self.work.slack;
        let needed = inertia.iter().zip(slack).map(|(w, s)| -w * s);
        let pulls = problem.constraints.iter().map(|c| -c.pull);
        let force = multipliers.iter().copied().chain(needed).chain(pulls).fold(0.0, f64::max);
        if force > 0.0 {
            let mut inside = Inside::new(multipliers, &inertia, self.found.len());
            inside.look(problem, &self.found);
            let wrong = inside.largest_left;
            let force = force.max(wrong);
            inside.centre(slack, (WRONG * wrong).max(INWARD * force));
            for _ in 0..STEPS {
                inside.look(problem, &self.found);
                // Near the boundary a factorization may fail: what there is has to do.
                let near = inside.unclear() <= CLEAR * force;
                if near || self.inward_step(problem, &mut inside, done).is_err() {
                    break;
                }
            }
            inside.tell_apart(multipliers);
        }
        self.work.inertia = inertia;
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
            let spring = inside.push[k] / inside.open[k];
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

    /// The direction towards products of openings and pushes that are all `centre`, with the second-order part of the
    /// changes that are known.
    fn inward_direction(
        &mut self,
        problem: &Problem,
        inside: &mut Inside,
        centre: f64,
    ) -> Result<(), Failure> {
        let Inside { open, push, short, left, right, change, .. } = inside;
        self.direction.clear();
        self.direction.extend(left.iter().map(|r| -r));
        for (k, c) in problem.constraints.iter().enumerate() {
            let product = centre - open[k] * push[k] - change[k][0] * change[k][1];
            right[k] = (product - push[k] * short[k]) / open[k];
            problem.unknowns.push(&mut self.direction, c, right[k]);
        }
        self.matrix.solve(&mut self.direction)?;
        for (k, c) in problem.constraints.iter().enumerate() {
            let opened = problem.unknowns.opening(&self.direction, c);
            change[k] = [opened + short[k], right[k] - push[k] / open[k] * opened];
        }
        Ok(())
    }
}

impl<'a> Inside<'a> {
    /// Pushes as given, and no openings.
    fn new(multipliers: &[f64], inertia: &'a [f64], unknowns: usize) -> Self {
        let count = multipliers.len();
        Inside {
            inertia,
            open: vec![0.0; count],
            push: multipliers.to_vec(),
            short: vec![0.0; count],
            left: vec![0.0; unknowns],
            largest_left: 0.0,
            right: vec![0.0; count],
            change: vec![[0.0; 2]; count],
        }
    }

    /// Openings and pushes close to what they are, but with products as if both were of the size of a force.
    fn centre(&mut self, slack: &[f64], force: f64) {
        let pairs = self.open.iter_mut().zip(&mut self.push);
        for (((open, push), slack), w) in pairs.zip(slack).zip(self.inertia) {
            let product = force * force / w;
            let between = slack - *push / w;
            // The larger root, which has no cancellation.
            let root = 0.5 * (between.abs() + (between * between + 4.0 * product / w).sqrt());
            (*open, *push) = match between > 0.0 {
                true => (root, product / root),
                false => (product / (w * root), w * root),
            };
        }
    }

    /// Finds what the equations are wrong by.
    fn look(&mut self, problem: &Problem, found: &[f64]) {
        problem.resist(found, &mut self.left);
        problem.slacks(found, &mut self.short);
        for (k, c) in problem.constraints.iter().enumerate() {
            self.short[k] -= self.open[k];
            problem.unknowns.push(&mut self.left, c, -(self.push[k] + c.pull));
        }
        self.largest_left = problem.unknowns.largest_force(&self.left, problem.operator.length);
    }

    /// The largest force that is wrong, or that of the mean product of pushes and openings.
    fn unclear(&self) -> f64 {
        let product = |k: usize| self.inertia[k] * self.open[k] * self.push[k];
        let count = self.open.len();
        let square = (0..count).map(product).sum::<f64>() / count as f64;
        let short = self.short.iter().zip(self.inertia).map(|(short, w)| (w * short).abs());
        short.fold(square.sqrt().max(self.largest_left), f64::max)
    }

    /// The mean product of openings and pushes after a step of some length.
    fn mean(&self, length: f64) -> f64 {
        let values = self.open.iter().zip(&self.push).zip(&self.change);
        let product =
            |((s, l), [ds, dl]): ((&f64, &f64), &[f64; 2])| (s + length * ds) * (l + length * dl);
        values.map(product).sum::<f64>() / self.open.len() as f64
    }

    /// How far changes may go.
    fn length(&self) -> f64 {
        let mut length = 1.0 / SHORT;
        for ((s, l), [ds, dl]) in self.open.iter().zip(&self.push).zip(&self.change) {
            for (value, change) in [(s, ds), (l, dl)] {
                if *change < 0.0 {
                    length = f64::min(length, -value / change);
                }
            }
        }
        SHORT * length
    }

    fn go(&mut self, length: f64) {
        let values = self.open.iter_mut().zip(&mut self.push).zip(&self.change);
        for ((s, l), [ds, dl]) in values {
            *s += length * ds;
            *l += length * dl;
        }
    }

    /// Multipliers of the constraints that act.
    fn tell_apart(&self, multipliers: &mut [f64]) {
        for (k, multiplier) in multipliers.iter_mut().enumerate() {
            let acts = self.push[k] > self.inertia[k] * self.open[k];
            *multiplier = if acts { self.push[k] } else { 0.0 };
        }
    }
}
