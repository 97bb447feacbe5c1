//! The contents of a header, as data.

use std::fmt;

/// Everything that the header of a gallery model says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What the model is called in lists.
    pub title: String,
    /// The group it is shown in.
    pub topic: Topic,
    /// 1 easy, 2 some experience, 3 advanced.
    pub level: u8,
    /// One paragraph: what the model teaches.
    pub lesson: String,
    /// Names of related entries.
    pub see: Vec<String>,
    /// Macros that a user may set to other values.
    pub parameters: Vec<Parameter>,
    /// Expected verdicts, in the order of the text.
    pub expectations: Vec<Expectation>,
    /// Expected numbers of stored states.
    pub states: Vec<Count>,
    /// Expected numbers of transitions.
    pub transitions: Vec<Count>,
    /// How many lines of the file the header takes, from the first one.
    pub lines: usize,
}

impl Header {
    /// The expected number of stored states under exactly these settings.
    pub fn states_with(&self, settings: &[Setting]) -> Option<u64> {
        Self::count_with(&self.states, settings)
    }

    /// The expected number of transitions under exactly these settings.
    pub fn transitions_with(&self, settings: &[Setting]) -> Option<u64> {
        Self::count_with(&self.transitions, settings)
    }

    fn count_with(counts: &[Count], settings: &[Setting]) -> Option<u64> {
        counts
            .iter()
            .find(|count| same_settings(&count.settings, settings))
            .map(|count| count.value)
    }
}

/// Whether two lists set the same parameters to the same values, in any order.
pub(crate) fn same_settings(left: &[Setting], right: &[Setting]) -> bool {
    left.len() == right.len() && left.iter().all(|setting| right.contains(setting))
}

/// The groups of the gallery. The order of the variants is the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Small models for the first hour.
    FirstSteps,
    /// A solution is a counterexample.
    Puzzles,
    /// At most one process in a critical section.
    MutualExclusion,
    /// Processes that wait for each other in a circle.
    Deadlock,
    /// Semaphores, monitors, locks and their misuse.
    Synchronisation,
    /// Messages over unreliable lines.
    Protocols,
    /// Agreement between many equal processes.
    DistributedAlgorithms,
    /// Protocols against an adversary.
    Security,
    /// One model per special construct of Promela.
    LanguageFeatures,
}

impl Topic {
    /// All topics, in the order in which they are shown.
    pub const ALL: [Topic; 9] = [
        Topic::FirstSteps,
        Topic::Puzzles,
        Topic::MutualExclusion,
        Topic::Deadlock,
        Topic::Synchronisation,
        Topic::Protocols,
        Topic::DistributedAlgorithms,
        Topic::Security,
        Topic::LanguageFeatures,
    ];

    /// The name that headers and lists use.
    pub fn title(self) -> &'static str {
        match self {
            Topic::FirstSteps => "First steps",
            Topic::Puzzles => "Puzzles",
            Topic::MutualExclusion => "Mutual exclusion",
            Topic::Deadlock => "Deadlock",
            Topic::Synchronisation => "Synchronisation",
            Topic::Protocols => "Protocols",
            Topic::DistributedAlgorithms => "Distributed algorithms",
            Topic::Security => "Security",
            Topic::LanguageFeatures => "Language features",
        }
    }

    /// The topic with this title.
    pub fn from_title(title: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.title() == title)
    }
}

/// A macro of the model that a user may set to another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the macro.
    pub name: String,
    /// Its value if nothing is said.
    pub default: i64,
    /// The smallest sensible value.
    pub min: i64,
    /// The largest sensible value.
    pub max: i64,
    /// What it stands for, in a few words.
    pub meaning: String,
}

/// A value for one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name of the parameter.
    pub name: String,
    /// The value.
    pub value: i64,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// What a check of one property must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// Parameters that differ from their defaults.
    pub settings: Vec<Setting>,
    /// What is checked.
    pub property: Property,
    /// What comes out.
    pub verdict: ExpectedVerdict,
    /// The line of the file, counted from 1.
    pub line: usize,
}

/// What is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Property {
    /// Assertions, invalid end states, run-time errors and trace assertions.
    Safety,
    /// One `ltl` block of the model.
    Formula {
        /// Its name.
        name: String,
        /// Under weak fairness.
        fair: bool,
    },
    /// Absence of cycles without progress.
    Progress {
        /// Under weak fairness.
        fair: bool,
    },
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, fair) = match self {
            Property::Safety => ("safety".to_owned(), false),
            Property::Formula { name, fair } => (format!("ltl {name}"), *fair),
            Property::Progress { fair } => ("progress".to_owned(), *fair),
        };
        write!(f, "{text}{}", if fair { " fair" } else { "" })
    }
}

/// The verdict that a check must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedVerdict {
    /// The property holds.
    Holds,
    /// There is a counterexample; for safety its kind is known.
    Violated(Option<ErrorKind>),
}

/// The kinds of violated safety.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A violated `assert`.
    Assertion,
    /// A state without successors in which some process is not at a valid end.
    InvalidEndState,
    /// Division by zero, index out of bounds and the like.
    RunTimeError,
    /// An event that the trace assertion does not allow.
    Trace,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [ErrorKind; 4] = [
        ErrorKind::Assertion,
        ErrorKind::InvalidEndState,
        ErrorKind::RunTimeError,
        ErrorKind::Trace,
    ];

    /// The word that headers use.
    pub fn word(self) -> &'static str {
        match self {
            ErrorKind::Assertion => "assertion",
            ErrorKind::InvalidEndState => "invalid-end-state",
            ErrorKind::RunTimeError => "run-time-error",
            ErrorKind::Trace => "trace",
        }
    }
}

/// An expected number under some settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// Parameters that differ from their defaults.
    pub settings: Vec<Setting>,
    /// The number.
    pub value: u64,
    /// The line of the file, counted from 1.
    pub line: usize,
}
