//! Reference semantics: runs an executable model as a transition system.
//!
//! [`Interpreter`] gives successors in the order and with the atomicity of SPIN's verifier, so that
//! counts, first errors and trails compare.
#![forbid(unsafe_code)]

mod acceptance;
mod bounds;
mod channel;
mod claim;
mod compile;
mod cut;
mod d_step;
mod enabled;
mod eval;
mod expand;
mod interpreter;
mod labels;
mod layout;
mod native;
mod options;
pub mod program;
mod promise;
mod rendezvous;
mod report;
mod scan;
mod step;
mod trace;
mod view;

pub use cut::Cutter;
pub use interpreter::Interpreter;
pub use layout::{Component, LayoutEntry};
pub use native::{Native, Record, Request, Stop};
pub use options::{MOST_EXPANSION_BYTES, RunOptions};
pub use program::CLAIM_PID;
pub use view::{ChannelView, NamedValue, ProcessView, StateView};
