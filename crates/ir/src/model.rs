//! The model as a whole.

use crate::{
    Channel, ChannelType, Expr, Graph, LocationId, MtypeSet, Pattern, Place, StatementInfo,
    Variable,
};
use promenade_base::Span;

/// A process type; index into [`Model::proctypes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProctypeId(pub u16);

/// Choices of the user that change the meaning of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Sends to full buffers succeed and the message is lost (`spin -m`).
    pub lose_messages: bool,
}

/// An initial value, evaluated in order when its owner comes to life.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `place = value`, for each of `count` cells that follow each other `stride` bytes apart.
    Value {
        /// First cell.
        place: Place,
        /// The value; may read what was initialised before, parameters included.
        value: Expr,
        /// Number of cells.
        count: u32,
        /// Bytes between them.
        stride: u32,
    },
    /// The number of the owner's channel `channel` is stored in `place`.
    Channel {
        /// The cell.
        place: Place,
        /// Index into the owner's channel list.
        channel: u32,
    },
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// The name; `init` for the initial process, `never` for a claim without a name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Cells of the parameters in order.
    pub parameters: Vec<Place>,
    /// Locals (parameters included) for display.
    pub locals: Vec<Variable>,
    /// Bytes of the locals.
    pub local_bytes: u32,
    /// Run when a process is created, after the arguments are in place.
    pub initializers: Vec<Initializer>,
    /// Channels created with each process.
    pub channels: Vec<Channel>,
    /// The body.
    pub graph: Graph,
    /// Where it starts.
    pub entry: LocationId,
    /// The end of the body: its only edge is [`crate::Action::End`].
    pub exit: LocationId,
    /// A process whose clause is zero cannot move.
    pub provided: Option<Expr>,
    /// `D_proctype`: two executable edges at once are an error.
    pub deterministic: bool,
    /// Priority unless `run` gives another one; 1 by default.
    pub priority: u8,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its graph and locals; [`Proctype::exit`] reached is a violation.
    pub process: Proctype,
    /// The name, if given.
    pub name: Option<String>,
    /// Acceptance by edges of the claim; without it, by accept labels of claim and processes.
    pub acceptance: Option<ClaimAcceptance>,
    /// The edges' conditions as functions of propositions, if a run-time error in one of them counts
    /// only where the condition depends on it. Without them every error met counts.
    pub labels: Option<ClaimLabels>,
}

/// Conditions of a claim's edges as functions of propositions.
///
/// Propositions are evaluated on their own. One that fails has no value; an edge fails with it only
/// if its condition is not the same for both.
#[derive(Clone, Debug, Default)]
pub struct ClaimLabels {
    /// At most 64.
    pub propositions: Vec<Expr>,
    /// An edge's condition as a disjunction of conjunctions: bits of the propositions that must be
    /// true, and of those that must be false.
    pub cubes: Vec<(crate::EdgeId, Vec<(u64, u64)>)>,
}

/// Transition-based generalised Buchi acceptance of a claim: an infinite run is accepting if it takes
/// edges of every set again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimAcceptance {
    /// How many sets, at most 64.
    pub sets: u32,
    /// The sets of an edge, as bits; an edge that is not listed belongs to none.
    pub marks: Vec<(crate::EdgeId, u64)>,
}

/// Temporal operators of [`Formula`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum TemporalOp {
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

/// An LTL formula over state expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Formula {
    /// A state expression with its place and its text.
    Atom(Expr, Span, String),
    Not(Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Binary(TemporalOp, Box<Formula>, Box<Formula>),
}

/// An `ltl` block.
#[derive(Clone, Debug)]
pub struct LtlProperty {
    /// Given or made up (`ltl_0`).
    pub name: String,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// Resolved.
    pub formula: Formula,
}

/// An event that a trace assertion follows.
#[derive(Clone, Debug)]
pub struct TraceEvent {
    /// Channel number, evaluated in the initial state's globals.
    pub channel: Expr,
    /// Send or receive.
    pub send: bool,
    /// Fields; [`Pattern::Match`] and [`Pattern::Any`] only.
    pub patterns: Vec<Pattern>,
}

/// A `trace` or `notrace` assertion: an automaton over channel events. Its edges' actions are
/// [`crate::Action::Skip`] for internal moves; events are looked up by edge id in `events`.
#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// `notrace`
    pub negated: bool,
    /// The automaton. Edges of the automaton refer to `events` by their [`crate::EdgeId`].
    pub process: Proctype,
    /// Events by edge.
    pub events: Vec<(crate::EdgeId, TraceEvent)>,
}

/// A promise of a process type: as long as one of its processes lives, no other process sends to the
/// channel, or none receives from it.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Who promises.
    pub proctype: ProctypeId,
    /// The channel's number, evaluated by the process that promises.
    pub channel: Expr,
    /// Sends (`xs`), or receives (`xr`).
    pub send: bool,
    /// Where it is promised.
    pub span: Span,
}

/// A model: everything that an executor needs.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Choices that change the meaning.
    pub options: Options,
    /// Symbolic names; the plain set, if any, is the first.
    pub mtypes: Vec<MtypeSet>,
    /// Globals in the state, for display.
    pub globals: Vec<Variable>,
    /// Bytes of the globals.
    pub global_bytes: u32,
    /// `hidden` globals, for display.
    pub hidden: Vec<Variable>,
    /// Bytes of the hidden globals.
    pub hidden_bytes: u32,
    /// How many of these, the last ones, hold variables that the text does not hide but on whose
    /// values nothing depends. None unless they were left out of states.
    pub write_only_bytes: u32,
    /// Run in order to make the initial state (channels included), before any process exists.
    pub initializers: Vec<Initializer>,
    /// Global channels in order of creation; numbers count from 1.
    pub channels: Vec<Channel>,
    /// Kinds of channels.
    pub channel_types: Vec<ChannelType>,
    /// Process types.
    pub proctypes: Vec<Proctype>,
    /// Types of the processes that exist from the start, in order of pid.
    pub initial_processes: Vec<ProctypeId>,
    /// Never claims in the order of the text.
    pub claims: Vec<Claim>,
    /// `ltl` blocks in the order of the text.
    pub formulas: Vec<LtlProperty>,
    /// What is promised about the use of channels.
    pub promises: Vec<Promise>,
    /// The trace assertion, if there is one.
    pub trace: Option<TraceAssertion>,
    /// Statements by [`crate::StatementId`].
    pub statements: Vec<StatementInfo>,
    /// Number of [`crate::EdgeId`]s in use.
    pub edge_count: u32,
    /// The model mentions priorities: only enabled processes of the highest one may move, and each
    /// process carries a priority byte in the state.
    pub uses_priorities: bool,
    /// The model mentions `_last`, which is then part of the state.
    pub uses_last: bool,
}
