//! Plain data that crosses the worker boundary, the command line JSON and the link format.
//!
//! Everything here is in the user's words and knows no core type: the page sees the checker only
//! through this crate. Spans are byte offsets into the experiment's files.
#![forbid(unsafe_code)]

mod automaton;
mod course;
mod experiment;
mod grading;
mod graph;
pub mod link;
mod message;
mod numbers;
mod report;
pub mod swarm;
mod team;
mod trace;

pub use automaton::{
    AdviceData, AutomatonData, AutomatonEdge, AutomatonState, ComponentKind, FormulaOptions,
    FormulaReport, Given, PartData, PatternInfo, PatternReport, SuggestionData, WordData,
    WordReport,
};
pub use course::{
    Course, CourseAsk, CourseEvent, CourseFile, CourseFinding, CoursePiece, CourseRequest,
    CourseTask, CourseWork, MutantCheck, MutantRow,
};
pub use experiment::{Experiment, File, Property};
pub use grading::{CheckGrade, CheckStatus, Grade, TaskGrade, TaskStatus};
pub use graph::{
    AmpleSet, ReductionData, StateEdge, StateEnd, StateGraph, StateNode, StepViolation,
};
pub use message::{
    Event, FormulaFindings, ModelSummary, PlanNote, Progress, PropertyInfo, Request, Symbol,
};
pub use numbers::grouped;
pub use promenade_options as options;
pub use promenade_options::{
    DeadVariables, Define, Emptiness, Fairness, OptionId, Probing, Proviso, Reduction, Search,
    Settings, Store, Traits, WriteOnly,
};
pub use report::{
    Advice, Confidence, DiagnosticData, FairnessEvidence, FixData, Found, LayoutRow, Level, Report,
    SpanData, Statistics, StoppedBy, Unreached, Vacuity, Verdict,
};
pub use team::{Bytes, TeamFound, TeamMessage, TeamStop};
pub use trace::{
    CLAIM, Change, MessageData, ProcessPosition, ProcessState, Slot, SlotOwner, Trace, TraceStep,
};

/// The semantic version of the checker that results and links name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
