//! What is imposed over time: a steady rate or stress, phases one after another,
//! oscillations.

use std::f64::consts::TAU;

use super::{Drive, Flow};
use crate::state::Clock;

/// Steps in a cycle at least.
const STEPS_IN_CYCLE: f64 = 32.0;

/// Phases and cycles may fall short by rounding.
const ALMOST_OVER: f64 = 1.0 - 1e-12;

/// A sinusoidal strain, \\(\gamma(t) = \gamma_0\sin(2\pi f t)\\).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Amplitude \\(\gamma_0\\).
    pub amplitude: f64,
    /// Cycles per time f `[1/t]`.
    pub frequency: f64,
}

impl Wave {
    /// The strain between two times.
    pub fn strain(&self, from: f64, to: f64) -> f64 {
        // The difference of two sines, without its cancellation.
        let (phase, middle, half) = (TAU * self.frequency, 0.5 * (from + to), 0.5 * (to - from));
        2.0 * self.amplitude * (phase * middle).cos() * (phase * half).sin()
    }

    /// The largest rate \\(2\pi f\gamma_0\\) `[1/t]`.
    pub fn peak_rate(&self) -> f64 {
        (TAU * self.frequency * self.amplitude).abs()
    }

    /// The longest step that resolves it `[t]`.
    fn longest_step(&self) -> f64 {
        1.0 / (STEPS_IN_CYCLE * self.frequency)
    }
}

/// What a phase imposes at its beginning and at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// A rate `[1/t]`.
    Rate([f64; 2]),
    /// A stress `[μγ̇]`.
    Stress([f64; 2]),
}

impl Level {
    /// The value after a share of the phase.
    fn at(ends: [f64; 2], share: f64) -> f64 {
        if ends[0] == ends[1] { ends[0] } else { ends[0] + share * (ends[1] - ends[0]) }
    }
}

/// A rate or stress over some strain or time; a ramp where it ends otherwise than it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// What is imposed.
    pub level: Level,
    /// How much strain it lasts, counted positive; infinite if it is the time that counts.
    pub strain: f64,
    /// How much time it lasts; infinite if it is the strain that counts `[t]`.
    pub time: f64,
}

impl Phase {
    /// How much of it is over.
    pub fn share(&self, clock: &Clock) -> f64 {
        let [path, time] = clock.phase_began;
        ((clock.path - path) / self.strain).max((clock.time - time) / self.time)
    }

    /// What part of it a step of a duration is, at a rate.
    fn share_of(&self, step: f64, rate: f64) -> f64 {
        (rate.abs() * step / self.strain).max(step / self.time)
    }

    /// Whether it is over.
    pub fn is_over(&self, clock: &Clock) -> bool {
        self.share(clock) >= ALMOST_OVER
    }

    /// Imposes what is due in a step of a duration, beginning at `clock`.
    fn impose(&self, drive: &mut Drive, clock: &Clock, step: f64) {
        let begin = self.share(clock).clamp(0.0, 1.0);
        match self.level {
            Level::Rate(ends) => {
                let share = self.share_of(step, Level::at(ends, begin));
                drive.stress = None;
                drive.impose_rate(Level::at(ends, begin + 0.5 * share), step);
            }
            Level::Stress(ends) => {
                let share = self.share_of(step, drive.rate);
                drive.stress = Some(Level::at(ends, (begin + 0.5 * share).min(1.0)));
            }
        }
    }

    /// The time that remains of it at a rate `[t]`.
    fn remaining(&self, clock: &Clock, rate: f64) -> f64 {
        let [path, time] = clock.phase_began;
        let by_strain = (path + self.strain - clock.path) / rate.abs();
        by_strain.min(time + self.time - clock.time)
    }
}

/// What is imposed over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Protocol {
    /// A rate `[1/t]`.
    Rate(f64),
    /// A stress `[μγ̇]`.
    Stress(f64),
    /// One phase after another.
    Phases(Vec<Phase>),
    /// An oscillation in place of a rate.
    Oscillation(Wave),
    /// A steady rate along x, and an oscillation along z.
    Cross {
        /// The rate `[1/t]`.
        rate: f64,
        /// The strain along z.
        wave: Wave,
    },
}

impl Protocol {
    /// What a drive imposes goes on for ever.
    pub fn steady(drive: &Drive) -> Self {
        drive.stress.map_or(Protocol::Rate(drive.rate), Protocol::Stress)
    }

    /// Imposes what is due in a step of a duration, beginning at `clock`.
    pub fn impose(&self, drive: &mut Drive, clock: &Clock, step: f64) {
        let (from, to) = (clock.time, clock.time + step);
        match self {
            Protocol::Rate(rate) => drive.impose_rate(*rate, step),
            Protocol::Stress(stress) => drive.stress = Some(*stress),
            Protocol::Phases(all) => all[clock.phase.min(all.len() - 1)].impose(drive, clock, step),
            Protocol::Oscillation(wave) => drive.impose([wave.strain(from, to), 0.0], step),
            Protocol::Cross { rate, wave } => {
                drive.impose([rate * step, wave.strain(from, to)], step);
            }
        }
    }

    /// The time until something else is imposed `[t]`.
    pub fn remaining(&self, drive: &Drive, clock: &Clock) -> f64 {
        if let Protocol::Oscillation(wave) = self {
            // Steps end where cycles do.
            let cycles = clock.time * wave.frequency;
            return ((cycles / ALMOST_OVER).floor() + 1.0 - cycles) / wave.frequency;
        }
        self.phase(clock).map_or(f64::INFINITY, |phase| phase.remaining(clock, drive.rate))
    }

    /// The phase of now, if there are phases and not all are over.
    fn phase(&self, clock: &Clock) -> Option<&Phase> {
        let Protocol::Phases(phases) = self else { return None };
        phases.get(clock.phase)
    }

    /// The strain at which something else is imposed, counted positive.
    pub fn next_path(&self, clock: &Clock) -> f64 {
        self.phase(clock).map_or(f64::INFINITY, |phase| clock.phase_began[0] + phase.strain)
    }

    /// The longest step that resolves it `[t]`.
    pub fn longest_step(&self) -> f64 {
        match self {
            Protocol::Oscillation(wave) | Protocol::Cross { wave, .. } => wave.longest_step(),
            _ => f64::INFINITY,
        }
    }

    /// Whether there are phases that last some strain.
    pub fn counts_strain(&self) -> bool {
        matches!(self, Protocol::Phases(phases) if phases.iter().any(|p| p.strain.is_finite()))
    }

    /// How much strain, or time, all phases last, as far as can be told; none if there are no
    /// phases.
    pub fn length(&self, strained: bool) -> Option<f64> {
        let Protocol::Phases(phases) = self else { return None };
        let of = |phase: &Phase| {
            let rate = match phase.level {
                Level::Rate([begin, end]) => 0.5 * (begin.abs() + end.abs()),
                Level::Stress(_) => 0.0,
            };
            match (strained, phase.strain.is_finite()) {
                (true, true) => phase.strain,
                (true, false) => phase.time * rate,
                (false, _) => phase.time,
            }
        };
        Some(phases.iter().map(of).sum())
    }

    /// Whether it is over.
    pub fn is_over(&self, clock: &Clock) -> bool {
        matches!(self, Protocol::Phases(phases) if clock.phase >= phases.len())
    }

    /// Takes up the next phase where one has ended; whether it has.
    pub fn turn(&self, clock: &mut Clock) -> bool {
        let ended = self.phase(clock).is_some_and(|phase| phase.is_over(clock));
        if ended {
            clock.phase += 1;
            clock.phase_began = [clock.path, clock.time];
            // What comes says nothing of what was.
            clock.next_step = 0.0;
            clock.last_steps = [0.0; 2];
        }
        ended
    }
}

impl Drive {
    /// Imposes a rate over a step of a duration.
    fn impose_rate(&mut self, rate: f64, step: f64) {
        match self.flow {
            Flow::Shear { .. } => self.rate = rate,
            Flow::Extension => self.impose([rate * step, 0.0], step),
        }
    }

    /// Imposes strains along x and z over a time, at constant rate.
    pub fn impose(&mut self, [along, across]: [f64; 2], time: f64) {
        match &mut self.flow {
            Flow::Shear { along: unit } if across != 0.0 => {
                let size = along.hypot(across);
                *unit = [along / size, across / size];
                self.rate = size / time;
            }
            Flow::Shear { along: unit } => {
                *unit = [1.0, 0.0];
                self.rate = along / time;
            }
            // The midpoint rule stretches by (1 + εΔt/2)/(1 − εΔt/2), and so must the box.
            Flow::Extension => self.rate = 2.0 * (0.5 * along).tanh() / time,
        }
    }

    /// Strain along x, and along z, in a time.
    pub fn strains(&self, time: f64) -> [f64; 2] {
        match self.flow {
            Flow::Shear { along } => along.map(|share| share * self.rate * time),
            Flow::Extension => [2.0 * (0.5 * self.rate * time).atanh(), 0.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(protocol: &Protocol, mut step: f64, until: f64) -> (Clock, Vec<[f64; 3]>) {
        let (mut drive, mut clock, mut seen) = (Drive::default(), Clock::default(), Vec::new());
        let first = step;
        while clock.time < until * ALMOST_OVER && !protocol.is_over(&clock) {
            protocol.impose(&mut drive, &clock, step);
            step = step.min(protocol.remaining(&drive, &clock)).min(until - clock.time);
            protocol.impose(&mut drive, &clock, step);
            let [along, across] = drive.strains(step);
            clock.time += step;
            clock.strain += along;
            clock.cross += across;
            clock.path += along.abs();
            seen.push([clock.time, clock.strain, drive.rate]);
            protocol.turn(&mut clock);
            step = first;
        }
        (clock, seen)
    }

    #[test]
    fn phases_end_where_they_are_told() {
        let phase = |level, strain, time| Phase { level, strain, time };
        let (on, none) = (Level::Rate([2.0; 2]), f64::INFINITY);
        let protocol = Protocol::Phases(vec![
            phase(on, 1.0, none),
            phase(Level::Rate([-0.5; 2]), 0.25, none),
            phase(Level::Rate([0.0; 2]), none, 3.0),
        ]);
        let (clock, seen) = follow(&protocol, 0.013, 100.0);
        assert!((clock.time - (0.5 + 0.5 + 3.0)).abs() < 1e-12, "{clock:?}");
        assert!((clock.strain - 0.75).abs() < 1e-12 && (clock.path - 1.25).abs() < 1e-12);
        assert!(seen.iter().any(|[time, strain, _]| (time - 0.5).abs() < 1e-9 && *strain > 0.999));
    }

    #[test]
    fn ramps_run_from_end_to_end() {
        let level = Level::Rate([1.0, 3.0]);
        let ramp = |strain, time| Protocol::Phases(vec![Phase { level, strain, time }]);
        // In time: the strain is the mean rate times the time.
        let (clock, seen) = follow(&ramp(f64::INFINITY, 2.0), 0.01, 100.0);
        assert!((clock.strain - 4.0).abs() < 1e-9, "{clock:?}");
        assert!(seen[0][2] < 1.02 && seen.last().unwrap()[2] > 2.98);
        // In strain: dt = dγ/γ̇.
        let (clock, _) = follow(&ramp(4.0, f64::INFINITY), 0.001, 100.0);
        assert!((clock.path - 4.0).abs() < 1e-9);
        assert!((clock.time - 2.0 * 3.0f64.ln()).abs() < 1e-5, "{clock:?}");
    }

    #[test]
    fn oscillations_come_back() {
        let wave = Wave { amplitude: 0.3, frequency: 0.7 };
        let (clock, seen) = follow(&Protocol::Oscillation(wave), 0.011, 5.0 / 0.7);
        assert!(clock.strain.abs() < 1e-12 && (clock.path - 5.0 * 1.2).abs() < 1e-2);
        for [time, strain, _] in seen {
            assert!((strain - 0.3 * (TAU * 0.7 * time).sin()).abs() < 1e-12);
        }
        let (clock, _) = follow(&Protocol::Cross { rate: 2.0, wave }, 0.011, 2.25 / 0.7);
        assert!((clock.strain - 4.5 / 0.7).abs() < 1e-12 && (clock.cross - 0.3).abs() < 1e-12);
    }
}
