//! Partial-order reduction: which process's steps alone suffice in a state, and why others do not.
//!
//! [`Selector`] gives candidates; the search checks the condition on cycles ([`CycleProviso`]).
#![forbid(unsafe_code)]

mod conflict;
mod goal;
mod guard;
mod plan;
mod reason;
mod selector;

pub use goal::{CycleProviso, Goal, Preserve};
pub use reason::Reason;
pub use selector::Selector;
