//! What a rough pair remembers.

use nalgebra::Vector3;

/// Numbers that a pair remembers: ln u, the stretch \\(\mathbf v_e\\), and 1 for a pair that is
/// awake.
pub(super) const REMEMBERED: usize = 5;

/// What a pair remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// ln u.
    pub log_gap: f64,
    /// The stretch \\(\mathbf v_e\\) `[a]`.
    pub stretch: Vector3<f64>,
}

impl Memory {
    /// None for a pair that is asleep.
    pub fn read(memory: &[f64]) -> Option<Self> {
        let stretch = Vector3::new(memory[1], memory[2], memory[3]);
        (memory[4] != 0.0).then_some(Memory { log_gap: memory[0], stretch })
    }

    /// Puts it into the memory of the pair.
    pub fn write(&self, memory: &mut [f64]) {
        memory[0] = self.log_gap;
        memory[1..4].copy_from_slice(self.stretch.as_slice());
    }
}
