//! `frames.extxyz`: the particles.

use super::super::output::{Opening, Output, View};
use super::{About, opened};
use crate::error::Error;
use crate::integrate::{Motion, with_flow};
use crate::record::frames::FrameMotion;
use crate::record::{AppendFile, FRAMES, Frame, FrameWriter, frames};

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: FRAMES,
    when: "one configuration per `output.frames`, in extended XYZ: one line per particle, and below \
           `omega` what the comment line holds",
    columns: frames::columns,
    open: |asked| opened(Frames::open(asked.opening)),
};

/// Where the particles are at each frame, and how they move at that instant.
pub struct Frames(FrameWriter);

impl Frames {
    /// At the beginning, or where they go on.
    pub fn open(opening: &Opening) -> Result<Self, Error> {
        Ok(Frames(FrameWriter::new(opening.file(FRAMES)?)))
    }
}

impl Output for Frames {
    fn name(&self) -> &'static str {
        "frames"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_frame(&mut self, view: &View) -> Result<(), Error> {
        let state = view.suspension;
        let vectors = state.cell.images(&state.clock).vectors();
        let Motion { velocities, drive, of_instant } = view.stepper.motion(state);
        let rotation = drive.rotation();
        let spins: Vec<_> = velocities.iter().map(|m| m.angular + rotation).collect();
        self.0.write(&Frame {
            positions: &state.positions,
            radii: &state.radii,
            motion: Some(FrameMotion {
                velocities: &with_flow(&state.positions, &velocities, &drive),
                spins: &spins,
                rate: drive.rates(),
                of_instant,
            }),
            lattice: vectors.map_or([[0.0; 3]; 3], |v| v.map(Into::into)),
            pbc: [vectors.is_some(); 3],
            strain: state.clock.strain,
            time: state.clock.time,
            stiffness: Some(state.stiffness).filter(|stiffness| *stiffness > 0.0),
            ..Frame::default()
        })
    }
}
