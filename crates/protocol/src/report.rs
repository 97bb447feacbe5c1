//! What a run has to say.

use crate::{AutomatonData, Experiment, Trace};
use serde::{Deserialize, Serialize};

/// A place in a file of the experiment. Findings may also be about its property or its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SpanData {
    /// Index into the files, [`SpanData::PROPERTY`] or [`SpanData::SETTINGS`].
    pub file: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte in characters, from 1.
    pub column: u32,
}

impl SpanData {
    /// In place of a file: the property. Of a formula or an automaton that the experiment holds, the
    /// bytes are those of its text; without bytes it is about the whole.
    pub const PROPERTY: u16 = u16::MAX;
    /// In place of a file: the settings.
    pub const SETTINGS: u16 = u16::MAX - 1;

    /// No place in a text, but the property or the settings as a whole.
    pub const fn about(what: u16) -> Self {
        Self { file: what, start: 0, end: 0, line: 1, column: 1 }
    }

    /// Whether it is a place in a file.
    pub fn is_in_file(&self) -> bool {
        self.file < Self::SETTINGS
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Prevents checking.
    Error,
    /// Legal but suspicious.
    Warning,
    /// Worth knowing.
    Note,
}

/// A finding about the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DiagnosticData {
    /// How bad.
    pub level: Level,
    /// Stable name of the rule.
    pub code: String,
    /// Where.
    pub span: SpanData,
    /// What.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Other places that matter.
    pub related: Vec<(SpanData, String)>,
    /// What is probably meant, if the text can be changed to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixData>,
}

/// A change of a text that puts a finding right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FixData {
    /// What it does, as a command: lower case, no full stop.
    pub title: String,
    /// Places, all in the same text, with what stands there afterwards, from left to right.
    pub edits: Vec<(SpanData, String)>,
}

impl FixData {
    /// The text with the edits made; `None` if they do not fit it.
    pub fn applied(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 16);
        let mut done = 0;
        for (span, new) in &self.edits {
            out.push_str(text.get(done..span.start as usize)?);
            out.push_str(new);
            done = span.end as usize;
        }
        out.push_str(text.get(done..)?);
        Some(out)
    }
}

/// Why a run ended before everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The memory budget is used up.
    Memory,
    /// The state limit.
    States,
    /// The depth limit cut off part of the search.
    Depth,
    /// The time limit.
    Time,
    /// Cancelled by the user.
    Cancelled,
    /// Some state has more successors than the checker takes, or an atomic sequence is too long.
    Successors,
    /// An error beyond which no state can be made, such as more processes than there may be.
    Fatal,
    /// Nothing stopped the run, but its store may have taken a new state for a stored one; see
    /// [`Report::confidence`].
    Omissions,
}

/// What a store that may miss states says about its run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confidence {
    /// The store's name.
    pub store: String,
    /// What it keeps a state as: `3 bits of an array`, `a signature of 32 bits`.
    pub kept_as: String,
    /// States stored.
    pub stored: u64,
    /// Bits of the array or cells of the table.
    pub places: u64,
    /// Bits set or cells taken.
    pub places_used: u64,
    /// States that were probably taken for stored ones; `None` where nothing can be said.
    pub expected_omissions: Option<f64>,
    /// Probability that at least one state was missed, 0 to 1.
    pub any_omission: f64,
    /// Of the states that the search came to, the part that is expected not to have been missed through
    /// a collision, 0 to 1. It is no part of all reachable states.
    pub coverage: f64,
    /// Stored states that were forgotten to make room.
    pub replaced: u64,
    /// The search did not come to its end: all this is about the part that was explored.
    #[serde(default)]
    pub partial: bool,
    /// Better settings for the next run, if there are any.
    pub advice: Option<Advice>,
}

/// Settings that suit a model better.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// The settings.
    pub settings: crate::Settings,
    /// What they are, and why.
    pub text: String,
    /// States that will probably be missed with them.
    pub expected_omissions: f64,
}

/// The only verdicts there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Everything within the model was explored, exactly.
    Holds,
    /// Partial: nothing was found in what was explored.
    NoViolationFound {
        /// Why it is partial.
        why: StoppedBy,
    },
    /// At least one violation, replayed on the plain model. [`Report::violations`] is not empty.
    Violated,
    /// The text cannot be checked; see [`Report::diagnostics`].
    InputError,
    /// A bug of ours.
    InternalError {
        /// What happened.
        message: String,
    },
}

/// One violation with its run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Stable name: `assertion`, `invalid_end_state`, `division_by_zero`, ...
    pub kind: String,
    /// In plain words: `assertion violated: x == 2`.
    pub message: String,
    /// The statement at fault, if there is one.
    pub span: Option<SpanData>,
    /// For invalid end states: per blocked process its name, pid and what it waits for.
    pub blocked: Vec<(u8, String, String, Option<SpanData>)>,
    /// The run that leads there, replayed.
    pub trace: Trace,
    /// For infinite runs: how each process fares on the cycle. Empty where that was not looked at.
    #[serde(default)]
    pub fairness: Vec<FairnessEvidence>,
    /// For infinite runs: how many states the cycle has, if that was looked at.
    #[serde(default)]
    pub cycle_states: u32,
    /// For infinite runs: whether the run is weakly fair to every process, if that is known.
    #[serde(default)]
    pub fair: Option<bool>,
}

impl Found {
    /// Whether it answers a property of infinite runs, and is not an error met on the way.
    pub fn is_of_infinite_runs(&self) -> bool {
        matches!(self.kind.as_str(), "acceptance_cycle" | "non_progress_cycle" | "claim_completed")
    }
}

/// How a process fares on the cycle of an infinite run. The run is weakly fair to it if it moves on the
/// cycle, or if it cannot move in some state there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FairnessEvidence {
    /// The process.
    pub pid: u8,
    /// Its type.
    pub process: String,
    /// A step of the cycle that it makes; index into the steps of the trace.
    pub moves_at: Option<u32>,
    /// A step of the cycle before which it cannot move; index into the steps of the trace.
    pub disabled_at: Option<u32>,
    /// States of the cycle in which it can move.
    #[serde(default)]
    pub enabled: u32,
    /// States of the cycle from which it moves.
    #[serde(default)]
    pub moves: u32,
}

impl FairnessEvidence {
    /// Whether the run is weakly fair to the process.
    pub fn is_fair(&self) -> bool {
        self.moves_at.is_some() || self.disabled_at.is_some()
    }
}

/// Numbers of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Distinct states stored.
    pub states_stored: u64,
    /// Arrivals at states already stored.
    pub states_matched: u64,
    /// States of which the steps of one process were taken instead of all.
    #[serde(default)]
    pub states_reduced: u64,
    /// States of other searches of this check: of an earlier one without a reduction that this one has
    /// replaced, and of those that took turns with this one. They count for nothing but the time.
    #[serde(default)]
    pub states_before: u64,
    /// Stored plus matched, as SPIN counts.
    pub transitions: u64,
    /// Moves under an atomic's exclusive right.
    pub atomic_steps: u64,
    /// Longest path on the search stack, in moves (depth-first), or distance (breadth-first).
    pub depth: u64,
    /// Violations counted.
    pub errors: u64,
    /// All steps looked at, those of inner searches included.
    #[serde(default)]
    pub steps: u64,
    /// Most states on all stacks or in the queue at once.
    #[serde(default)]
    pub peak_stack: u64,
    /// Steps to new states that were not followed, as the path or the queue of the search had no room
    /// for them. The search went on elsewhere.
    #[serde(default)]
    pub not_followed: u64,
    /// The least depth of such a state, in moves (depth-first), or its distance (breadth-first).
    #[serde(default)]
    pub not_followed_depth: u64,
    /// Longest state vector, in bytes.
    pub state_bytes: u64,
    /// Memory for states.
    pub store_bytes: u64,
    /// Memory for the search's stack or queue.
    pub stack_bytes: u64,
    /// All memory charged to the budget, peak.
    pub memory_bytes: u64,
    /// From the start of the search to its end.
    pub seconds: f64,
    /// From the text to the executable model.
    pub compile_seconds: f64,
}

impl Statistics {
    /// States stored in a second, those of a search that was replaced included; nothing if it took no
    /// time.
    pub fn states_per_second(&self) -> Option<f64> {
        let states = (self.states_stored + self.states_before) as f64;
        (self.seconds > 0.0).then(|| states / self.seconds)
    }
}

/// Conditions of a formula that are never true in the model, so that it holds without saying anything
/// about it, or in part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vacuity {
    /// The conditions, as text.
    pub never: Vec<String>,
    /// The whole formula says nothing about the model, not only a part.
    pub whole: bool,
}

impl Vacuity {
    /// How the property holds, as the beginning of a sentence.
    pub fn title(&self) -> &'static str {
        if self.whole { "Holds vacuously" } else { "Holds, in part vacuously" }
    }
}

/// A statement that no explored run executes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unreached {
    /// Process type.
    pub process: String,
    /// The statement.
    pub text: String,
    /// Its place.
    pub span: SpanData,
}

/// One element of the state vector.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LayoutRow {
    /// What it belongs to, in words: `global variables`, `each process P`.
    pub part: String,
    /// The declared name, or what it is in words.
    pub name: String,
    /// Its type and values.
    pub range: String,
    /// Bits that its values need, all elements of an array together.
    pub bits: u64,
    /// First byte, counted from the start of its part for processes and for what is not compared.
    pub offset: u32,
    /// Bytes that it has.
    pub bytes: u32,
}

/// The result of one check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Version of the checker.
    pub version: String,
    /// What was checked.
    pub experiment: Experiment,
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict in plain words: what was proved, or found, or missed.
    pub summary: String,
    /// Where a property holds without saying anything about the model.
    #[serde(default)]
    pub vacuity: Option<Vacuity>,
    /// Restrictions and choices that the verdict depends on, one sentence each.
    pub notes: Vec<String>,
    /// Violations in the order found, as far as kept.
    pub violations: Vec<Found>,
    /// Numbers.
    pub statistics: Statistics,
    /// Code that was never executed. Only said when the exploration was complete.
    pub unreached: Vec<Unreached>,
    /// The automaton along which a formula was checked: that of its negation. Steps of a trace say in
    /// which of its states the run is.
    #[serde(default)]
    pub automaton: Option<AutomatonData>,
    /// What the store may have missed, if it can miss something or has forgotten something.
    #[serde(default)]
    pub confidence: Option<Confidence>,
    /// How a state is laid out.
    #[serde(default)]
    pub layout: Vec<LayoutRow>,
    /// What ended the run before everything was explored, also where a violation was found.
    #[serde(default)]
    pub stopped_by: Option<StoppedBy>,
    /// Findings about the text.
    pub diagnostics: Vec<DiagnosticData>,
}
