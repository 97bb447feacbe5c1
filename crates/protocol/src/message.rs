//! Requests to a session and its events.

use crate::{
    DiagnosticData, Experiment, FormulaOptions, FormulaReport, PatternReport, Property, Report,
    SpanData, StateGraph, TeamMessage, Trace, WordData, WordReport,
};
use serde::{Deserialize, Serialize};

/// What the page or the command line asks. `job` numbers are chosen by the asker and come back in
/// every event of that job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Read the text and say what is wrong with it and what is in it.
    Parse {
        /// Job number.
        job: u32,
        /// The text and its defines.
        experiment: Experiment,
        /// Formulas or automata over its names, to be looked at as well.
        #[serde(default)]
        formulas: Vec<String>,
    },
    /// Check.
    Check {
        /// Job number.
        job: u32,
        /// What.
        experiment: Experiment,
    },
    /// Replay choice numbers (from a link) without a search.
    Replay {
        /// Job number.
        job: u32,
        /// What.
        experiment: Experiment,
        /// Choice numbers.
        choices: Vec<u32>,
        /// Checksum of the last state.
        checksum: u32,
        /// For an infinite run: how many choices come before its cycle.
        #[serde(default)]
        stem: Option<u32>,
    },
    /// Random simulation.
    Simulate {
        /// Job number.
        job: u32,
        /// What.
        experiment: Experiment,
        /// Same seed, same run.
        seed: u64,
        /// At most this many steps.
        steps: u32,
    },
    /// Say everything about a formula, without a model.
    Formula {
        /// Job number.
        job: u32,
        /// The formula, in SPIN's or another spelling.
        formula: String,
        /// How its automata are wanted.
        options: FormulaOptions,
    },
    /// Try a word on a formula.
    Word {
        /// Job number.
        job: u32,
        /// The formula.
        formula: String,
        /// The word.
        word: WordData,
        /// How the automaton is wanted.
        options: FormulaOptions,
    },
    /// Fill in a specification pattern.
    Pattern {
        /// Job number.
        job: u32,
        /// Name of the pattern.
        pattern: String,
        /// Name of the scope.
        scope: String,
        /// Letters with the formulas that they stand for.
        events: Vec<(String, String)>,
    },
    /// Draw the state graph, with what reduction leaves out of it.
    Graph {
        /// Job number.
        job: u32,
        /// What.
        experiment: Experiment,
        /// At most this many states are shown.
        limit: u32,
    },
    /// Check together with other sessions, which share the states: exact, breadth first. Member 0
    /// is the host: it reports, and it is the one to be cancelled.
    Join {
        /// Job number, the same for all members.
        job: u32,
        /// What.
        experiment: Experiment,
        /// Which member this is.
        me: u32,
        /// How many members there are, at most 64.
        of: u32,
    },
    /// A message from another member.
    Team {
        /// Job number.
        job: u32,
        /// Who sent it.
        from: u32,
        /// The message.
        message: TeamMessage,
    },
    /// Stop a running job; its report says so.
    Cancel {
        /// Job number.
        job: u32,
    },
}

/// A thing that a text defines, for outlines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// `proctype`, `inline`, `ltl`, `never`, `global`, `mtype`, `typedef`, `channel`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// Its declaration.
    pub span: SpanData,
}

/// A property found in a text or always there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PropertyInfo {
    /// What to put into the experiment, if this checker can decide it.
    pub property: Option<Property>,
    /// `Safety`, `ltl mutex`, `never claim`.
    pub title: String,
    /// What it means, or why it cannot be checked yet.
    pub description: String,
    /// The formula that every run has to satisfy, as it stands in the text, if it is one.
    #[serde(default)]
    pub formula: Option<String>,
    /// Where it is stated.
    pub span: Option<SpanData>,
    /// The automaton of a never claim.
    #[serde(default)]
    pub automaton: Option<crate::AutomatonData>,
}

/// What is in a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ModelSummary {
    /// Definitions in the order of the text.
    pub symbols: Vec<Symbol>,
    /// Properties to offer.
    pub properties: Vec<PropertyInfo>,
    /// Processes at the start.
    pub initial_processes: u32,
}

/// What is wrong with a formula over the names of a text; nothing, if the list is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FormulaFindings {
    /// The formula, or the automaton.
    pub formula: String,
    /// Findings; their places are bytes of it.
    pub diagnostics: Vec<DiagnosticData>,
}

/// A choice that the planner made, with its reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlanNote {
    /// `search`, `store`, `property`.
    pub topic: String,
    /// One sentence.
    pub text: String,
    /// Why it could not be done, if it was asked for: a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// How far a run is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// States stored so far.
    pub states: u64,
    /// Transitions so far.
    pub transitions: u64,
    /// States per second, lately.
    pub rate: f64,
    /// Current depth.
    pub depth: u64,
    /// Largest depth.
    pub max_depth: u64,
    /// Violations so far.
    pub errors: u64,
    /// Memory charged.
    pub memory_bytes: u64,
    /// The budget.
    pub budget_bytes: u64,
    /// Since the start.
    pub seconds: f64,
    /// Part of the store's places that is used, 0 to 1, where their number is fixed.
    #[serde(default)]
    pub load: Option<f64>,
    /// Of a store that may miss states: the expected part of the states met so far that was
    /// stored, 0 to 1.
    #[serde(default)]
    pub coverage: Option<f64>,
}

/// What a session answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The worker is up (sent once, before anything else).
    Ready {
        /// Version of the checker.
        version: String,
    },
    /// Answer to [`Request::Parse`].
    Parsed {
        /// Job number.
        job: u32,
        /// Findings.
        diagnostics: Vec<DiagnosticData>,
        /// What is in the text, as far as it could be read.
        summary: ModelSummary,
        /// What is wrong with each of the formulas.
        #[serde(default)]
        formulas: Vec<FormulaFindings>,
    },
    /// How a check will be done; before the search starts.
    Planned {
        /// Job number.
        job: u32,
        /// Choices and reasons.
        notes: Vec<PlanNote>,
    },
    /// At least four times a second while something runs: a check, a replay (`transitions` of
    /// `max_depth` choices), a simulation or a state graph.
    Progress {
        /// Job number.
        job: u32,
        /// How far.
        progress: Progress,
    },
    /// Answer to [`Request::Check`].
    Report {
        /// Job number.
        job: u32,
        /// The result.
        report: Box<Report>,
    },
    /// Answer to [`Request::Replay`].
    Replayed {
        /// Job number.
        job: u32,
        /// The run as far as it could be replayed, with the violation it shows.
        report: Box<Report>,
        /// Why it did not arrive where it should, if so.
        mismatch: Option<String>,
    },
    /// Answer to [`Request::Simulate`].
    Simulated {
        /// Job number.
        job: u32,
        /// The run.
        trace: Box<Trace>,
        /// Why it ended: `end state`, `deadlock`, `step limit`, `the claim cannot follow`,
        /// `the steps from here are too many to follow`, `cancelled`, or the violation in plain words.
        ended: String,
        /// Findings (errors: then the trace is empty).
        diagnostics: Vec<DiagnosticData>,
    },
    /// Answer to [`Request::Formula`].
    Formula {
        /// Job number.
        job: u32,
        /// What is known of it.
        report: Box<FormulaReport>,
    },
    /// Answer to [`Request::Word`].
    Word {
        /// Job number.
        job: u32,
        /// What is known of it.
        report: Box<WordReport>,
    },
    /// Answer to [`Request::Pattern`].
    Pattern {
        /// Job number.
        job: u32,
        /// The formula, and what there is to choose.
        report: Box<PatternReport>,
    },
    /// Answer to [`Request::Graph`].
    Graph {
        /// Job number.
        job: u32,
        /// The graph.
        graph: Box<StateGraph>,
    },
    /// A message to another member of the team.
    Team {
        /// Job number.
        job: u32,
        /// Whom it is for.
        to: u32,
        /// The message.
        message: TeamMessage,
    },
    /// A member that is not the host is done.
    Left {
        /// Job number.
        job: u32,
    },
    /// A panic or trap: the sender is dead, start a new one.
    Crashed {
        /// What is known.
        message: String,
    },
}
