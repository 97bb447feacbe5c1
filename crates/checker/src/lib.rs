//! The facade: plans a run, runs it, writes the report.
//!
//! [`start`] reads the text and plans; [`Check::advance`] works in slices; [`Check::finish`] writes
//! the report. [`Replay`] and [`Simulation`] work the same way. There is no clock here: who calls
//! knows the time.
//!
//! **Nothing is reported that does not replay.** Each violation is executed again on a fresh
//! interpreter; what does not come out again is [`promenade_protocol::Verdict::InternalError`].
#![forbid(unsafe_code)]

mod bounded;
pub mod catalog;
mod check;
mod claim;
mod edges;
mod engine;
mod fairness;
mod formula;
mod given;
mod graph;
mod layout;
pub mod native;
mod plan;
mod play;
mod prepared;
mod property;
mod propositions;
mod reducing;
mod replay;
mod report;
mod simulate;
mod sources;
mod state_diff;
mod summary;
mod team;
mod trace;
mod vacuity;
mod value_names;
mod word;
mod words;
mod write_only;

pub use check::{Check, Start, start, start_member};
pub use formula::{formula, pattern};
pub use graph::{Graph, start_graph};
pub use replay::{Replay, start_replay};
pub use report::{cancelled, lost, out_of_time};
pub use simulate::{Simulation, start_simulation};
pub use summary::{findings, parse};
pub use word::word;
