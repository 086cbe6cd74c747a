//! The operators of a sheared, frictional suspension.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Instant;

use zerostokes::balance::Operator;
use zerostokes::case::Case;
use zerostokes::integrate::End;
use zerostokes::state::{Suspension, Wrench};
use zerostokes::study::suspension;

/// Strain to which it is sheared, if the budget allows.
const STRAIN: f64 = 1.0;

/// The last operators of a suspension.
pub struct Sheared {
    pub state: Suspension,
    /// That of the last step, and before it those of earlier steps, newest first.
    pub operators: Vec<Operator>,
    /// The forces that the velocities of the last step meet.
    pub rhs: Vec<Wrench>,
    /// Steps taken.
    pub steps: usize,
}

/// A frictional suspension, everything else by default.
pub fn case(count: usize, phi: f64, more: &str) -> Case {
    let text = format!(
        "[particles]\ncount = {count}\nvolume_fraction = {phi:?}\n{more}\
         [contact]\nfriction = 1.0\n"
    );
    Case::from_text(&text, Path::new("bench.toml"), &[]).expect("a valid case")
}

/// Shears a suspension in at most some seconds, and keeps the operators of the last steps.
pub fn shear(count: usize, seconds: f64, kept: usize) -> Sheared {
    let case = case(count, 0.5, "");
    let mut state = suspension::initial(&case).expect("a packing");
    let mut stepper = suspension::stepper(&case, &state);
    let end = End { strain: f64::INFINITY, time: f64::INFINITY };
    let mut operators = VecDeque::new();
    let mut steps = 0;
    let start = Instant::now();
    while operators.len() <= kept
        || state.clock.strain < STRAIN && start.elapsed().as_secs_f64() < seconds
    {
        stepper.step(&mut state, end).expect("a step");
        operators.push_front(stepper.operator().clone());
        operators.truncate(kept + 1);
        steps += 1;
    }
    let mut rhs = vec![Wrench::default(); count];
    operators[0].apply(&state.velocities, &mut rhs);
    Sheared { state, operators: operators.into(), rhs, steps }
}

/// The particles in an order in which neighbours are close to each other: that of Cuthill and McKee.
pub fn order(operator: &Operator) -> Vec<u32> {
    let n = operator.drag.len();
    let degree = |k: &u32| operator.pairs_of(*k as usize).count();
    let mut firsts: Vec<u32> = (0..n as u32).collect();
    firsts.sort_by_key(degree);
    let mut seen = vec![false; n];
    let mut order: Vec<u32> = Vec::with_capacity(n);
    for first in firsts {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let mut at = order.len();
        order.push(first);
        while at < order.len() {
            let own = order[at];
            let from = order.len();
            for (pair, side) in operator.pairs_of(own as usize) {
                let other = operator.blocks[pair].ids[1 - side];
                if !std::mem::replace(&mut seen[other as usize], true) {
                    order.push(other);
                }
            }
            order[from..].sort_by_key(degree);
            at += 1;
        }
    }
    order
}
