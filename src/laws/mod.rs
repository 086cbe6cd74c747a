//! Pair laws: each a pure map from the rates of a pair to the forces in it.
//!
//! A law is written in the six rates of a pair ([`crate::rates`]) alone, so no law can act on a
//! rigid motion. `balance` applies what it returns to both particles, with opposite signs, so every
//! law obeys the third law and the balance of torques.
//!
//! Stiff parts are taken implicitly: a law gives its mean force over a step, linearised about the
//! current guess of the rates, as a force at zero rate and a positive semi-definite resistance.
//!
//! A new law is a file here that implements [`PairLaw`] and describes itself in a constant
//! `ABOUT`, which is added to the [`REGISTER`]. Its origins, with their columns, and the tests of
//! every law (`tests/laws`) follow from that; so does the table that names it in case files, if it
//! has a [`LawTable`]. A law from outside the crate is added to the [`Interactions`] of a run, or
//! named in a case that is read with its [`LawKind`].

pub mod attraction;
pub mod collision;
pub mod contact;
mod film;
mod interactions;
pub mod lammps;
mod law;
pub mod lf_dem;
pub mod lubrication;
mod origin;
mod register;
mod remote;
pub mod repulsion;
mod response;
pub mod rough;
pub mod soft;
mod table;

pub use crate::rates::{
    Arms, Levers, Pair, PairForce, Rates, Resistance, gap_at, harmonic_radius, is_flat,
    touching_distance,
};
pub use interactions::Interactions;
pub use law::{CloneLaw, LONGEST_MEMORY, PairEnd, PairLaw, Surfaces};
pub use origin::Origin;
pub use register::{About, LARGE, Sample, WallLimit};
pub use remote::Remote;
pub use response::{Response, Unsymmetric};
pub use table::{CaseUnits, LawKind, LawTable, NamedLaws};

/// All laws of the crate, in the order of their output columns.
pub const REGISTER: &[About] = &[
    lubrication::ABOUT,
    contact::ABOUT,
    repulsion::ABOUT,
    attraction::ABOUT,
    soft::ABOUT,
    rough::ABOUT,
    lf_dem::ABOUT,
    lammps::ABOUT,
];

/// The laws of the register that case files name by tables of their own.
pub fn named() -> Vec<LawKind> {
    REGISTER.iter().filter_map(|about| about.table).collect()
}
