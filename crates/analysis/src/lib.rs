//! Static facts of a model: what each edge reads and writes, which channels it may use, what a
//! process may still do from a location, and what a claim or formula looks at.
//!
//! The facts err in the safe direction only.
#![forbid(unsafe_code)]

mod bits;
mod cells;
mod channels;
mod effects;
mod facts;
mod failures;
mod liveness;
mod promises;
mod relocate;
mod walk;
mod write_only;

pub use bits::Bits;
pub use cells::Cells;
pub use channels::{ChannelRef, Channels};
pub use effects::{Effects, Operation, Special};
pub use facts::{ChannelUse, EdgeFacts, Facts, Future, LocationFacts, Observed, TypeFacts};
pub use failures::may_fail;
pub use liveness::reset_dead;
pub use promises::promises_are_kept;
pub use relocate::without_spans;
pub use walk::{Visitor, each_action, visit_action, visit_expr};
pub use write_only::{WriteOnly, leave_out};
