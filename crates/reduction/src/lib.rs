//! Partial-order reduction and statement merging: which process's steps alone suffice in a state, and why others do not.
//!
//! [`Selector`] gives candidates, or expands a state by one; the search knows what the condition on
//! cycles ([`CycleProviso`]) asks for. The static condition on cycles asks nothing of a search: see
//! [`Goal::sticky`].
#![forbid(unsafe_code)]

mod coarsen;
mod conflict;
mod expand;
mod goal;
mod guard;
mod plan;
mod reason;
mod selector;
mod sticky;

pub use coarsen::coarsen;
pub use goal::{CycleProviso, Goal, Preserve};
pub use reason::Reason;
pub use selector::Selector;
