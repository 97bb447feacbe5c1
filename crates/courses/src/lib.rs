//! A session for assignments without I/O: requests in, events out.
//!
//! It is to assignments what `promenade_service::Session` is to checks: it reads, grades in slices so that
//! a cancellation is heard, and makes what is handed in. The page loads it as a program of its own when
//! an assignment is opened.
//!
//! What it tells is what a student may see: hidden checks without their titles, counterexamples where
//! the assignment gives them, instructions as HTML that can do no harm.
#![forbid(unsafe_code)]

mod session;
mod student;

pub use session::Session;
