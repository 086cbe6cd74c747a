//! Checks of what happens: single forces, steps, solver and output.

use super::Check;
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

    /// Everything about steps.
    pub fn steps(&mut self) {
        let time = &self.case.time;
        if let (Some(first), Some(max)) = (time.first_step, time.max_step)
            && first > max
        {
            let problem = format!("{first:?} is beyond max_step = {max:?}");
            self.fault("time.first_step", problem, "leave it out to have it chosen");
        }
        if self.case.laws.gluey.is_none() {
            self.refuse(&["time.step"], "steps are adapted; only those of [gluey] can be given");
        }
    }
}
