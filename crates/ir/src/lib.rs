//! The executable model: processes as program graphs, variables, channels.
//!
//! A [`Model`] is what every front end produces and every executor runs. It knows nothing of the
//! notation that it came from, except by spans.
//!
//! **Order.** Successors of a state are ordered as SPIN orders them: processes from the youngest to
//! the oldest, the edges of a location in their order in [`Location::edges`].
#![forbid(unsafe_code)]

mod action;
mod channel;
mod expr;
mod graph;
mod model;
mod types;

pub use action::{Action, DStep, Pattern, Print, PrintPart};
pub use channel::{Channel, ChannelType, ChannelTypeId};
pub use expr::{BinaryOp, ChannelTest, Expr, IndexTerm, Place, Region, UnaryOp};
pub use graph::{Edge, EdgeId, Graph, Location, LocationId, StatementId, StatementInfo, Stretch};
pub use model::{
    Claim, ClaimAcceptance, ClaimLabels, Formula, Initializer, LtlProperty, Model, Options,
    Proctype, ProctypeId, Promise, TemporalOp, TraceAssertion, TraceEvent,
};
pub use types::{Dimension, MtypeSet, MtypeSetId, ScalarType, Variable};
