//! Counterexamples: replay on the plain model, choice-number trails.
//!
//! **Nothing is shown that does not replay.** A search's evidence is only numbers; replay executes
//! them one by one on a fresh system, and [`confirm`] looks whether the violation is really there.
#![forbid(unsafe_code)]

mod checksum;
mod encode;
mod lift;
mod refine;
mod replay;

pub use checksum::checksum;
pub use encode::{DecodeError, decode, encode};
pub use lift::lift;
pub use refine::{Refined, refine};
pub use replay::{Mismatch, Replayed, ReplayedStep, confirm, replay};
