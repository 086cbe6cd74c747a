//! Checks of what happens: single forces, steps, solver and output.

use super::Check;
use super::range::Range::{Between, NotNegative, Positive};
use crate::case::Force;

impl Check<'_> {
    /// Everything about what happens, as opposed to what is there.
    pub fn motion(&mut self) {
        self.drive();
        self.end();
        for (index, force) in self.case.force.iter().enumerate() {
            self.single_force(index, force);
        }
        self.steps();
    }

    /// Everything about how a case is computed and what is written.
    pub fn steps(&mut self) {
        self.time();
        self.solver();
        self.output();
    }

    fn single_force(&mut self, index: usize, force: &Force) {
        let key = format!("force[{index}].particles");
        if force.particles.is_empty() {
            self.fault(&key, "there are no particles", "give their numbers, counted from 0");
        }
        for (place, &particle) in force.particles.iter().enumerate() {
            let key = format!("{key}[{place}]");
            if let Some(count) = self.case.particles.known_count()
                && particle >= count
            {
                let problem = format!("there is no particle {particle} among {count}");
                let remedy = format!("they are numbered 0 to {}", count.saturating_sub(1));
                self.fault(&key, problem, remedy);
            }
            if force.particles[..place].contains(&particle) {
                let problem = format!("particle {particle} is named twice");
                self.fault(&key, problem, "name it once, with the whole force");
            }
        }
    }

    fn time(&mut self) {
        let time = &self.case.time;
        let tolerance = "2e-3 is the default";
        self.number("time.tolerance", time.tolerance, Between(0.0, 1.0), tolerance);
        let chosen = "leave it out to have it chosen";
        self.optional("time.first_step", time.first_step, Positive, chosen);
        self.optional("time.max_step", time.max_step, Positive, chosen);
        if let (Some(first), Some(max)) = (time.first_step, time.max_step)
            && first > max
        {
            let problem = format!("{first:?} is beyond max_step = {max:?}");
            self.fault("time.first_step", problem, chosen);
        }
        self.optional("time.step", time.step, Positive, chosen);
        if self.case.laws.gluey.is_none() {
            self.refuse(&["time.step"], "steps are adapted; only those of [gluey] can be given");
        }
        if time.max_steps == Some(0) {
            self.fault(
                "time.max_steps",
                "0 is out of range, valid is >= 1",
                "leave it out for no limit",
            );
        }
        let residual = time.friction_residual;
        self.optional("time.friction_residual", residual, Between(0.0, 1.0), chosen);
    }

    fn solver(&mut self) {
        let solver = &self.case.solver;
        let tolerance = "1e-9 is the default";
        self.number("solver.tolerance", solver.tolerance, Between(0.0, 1.0), tolerance);
        if solver.max_iterations == 0 {
            let problem = "0 is out of range, valid is >= 1";
            self.fault("solver.max_iterations", problem, "2000 is the default");
        }
    }

    fn output(&mut self) {
        let output = &self.case.output;
        self.number("output.interval", output.interval, NotNegative, "0 writes every step");
        self.number("output.frames", output.frames, NotNegative, "0 writes no frames");
        let seconds = "0 writes a checkpoint after every step";
        let checkpoint = output.checkpoint_seconds;
        self.number("output.checkpoint_seconds", checkpoint, NotNegative, seconds);
    }
}
