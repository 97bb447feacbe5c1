//! What an assignment is, once it is read.

use crate::limits;
use crate::properties::PropertySpec;
use promenade_base::Span;
use promenade_protocol::{Define, Fairness};

/// How much a student is told of a check that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feedback {
    /// Whether it passes.
    Verdict,
    /// Also why not: the counterexample, the separating word.
    #[default]
    Counterexample,
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The student works on it: in its regions, or everywhere if it has none.
    Starter {
        /// Its regions may contain preprocessor directives.
        directives: bool,
    },
    /// The student sees it.
    Given,
    /// The student does not see it.
    Hidden,
    /// A sample solution of the starter file with the same name; only in the author's edition.
    Solution,
}

/// A file of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The text.
    pub text: String,
    /// Where the text stands.
    pub span: Span,
}

/// A part of the instructions, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Markdown.
    Markdown(String),
    /// A file is shown here.
    File(String),
    /// A task is shown here.
    Task(String),
}

/// The kinds of task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Make properties hold.
    Hold,
    /// Make the model deadlock-free while behaviours stay possible.
    DeadlockFree,
    /// Model something from its description.
    Model,
    /// Find a run that violates a property.
    FindBug,
    /// Write a formula.
    Formula,
    /// Write a never claim or an automaton.
    Claim,
    /// Predict what a check says.
    Predict,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Hold,
        Self::DeadlockFree,
        Self::Model,
        Self::FindBug,
        Self::Formula,
        Self::Claim,
        Self::Predict,
    ];

    /// Its word in the format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::DeadlockFree => "deadlock-free",
            Self::Model => "model",
            Self::FindBug => "find-bug",
            Self::Formula => "formula",
            Self::Claim => "claim",
            Self::Predict => "predict",
        }
    }

    /// Whether the student hands in a text of its own for it, apart from files.
    pub fn has_answer(self) -> bool {
        !matches!(self, Self::Hold | Self::DeadlockFree | Self::Model)
    }
}

/// Something that is judged, and whether the student sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated<T> {
    /// What.
    pub what: T,
    /// It stands in a hidden part of the assignment.
    pub hidden: bool,
    /// Where it is stated.
    pub span: Span,
}

/// A file by its name.
pub type FileRef = Stated<String>;

/// How models are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSettings {
    /// Most states of one check.
    pub states: u32,
    /// Memory budget of one check, in mebibytes.
    pub memory_mib: u32,
    /// Which infinite runs count, unless a property says otherwise.
    pub fairness: Fairness,
    /// Messages sent to full channels are lost.
    pub lose_messages: bool,
    /// Macros.
    pub defines: Vec<Define>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            states: limits::STATES_DEFAULT,
            memory_mib: limits::MEMORY_MIB_DEFAULT,
            fairness: Fairness::None,
            lose_messages: false,
            defines: Vec::new(),
        }
    }
}

/// A model that is judged: the file and what it is put together with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judged {
    /// The main file.
    pub file: String,
    /// Files that follow it.
    pub environment: Vec<FileRef>,
}

/// What is to be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// How many states a full search stores.
    States,
    /// The lines whose assertions can fail.
    Assertions,
    /// The names of the runs that exist.
    Runs,
    /// Whether the property holds.
    Verdict,
}

/// A named run whose existence is asked about: some run satisfies the formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// A formula of what happens in it.
    pub formula: String,
}

/// What a task asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// A model: [`Kind::Hold`], [`Kind::DeadlockFree`], [`Kind::Model`].
    Model {
        /// The student's file and its environment.
        model: Judged,
        /// What has to hold.
        properties: Vec<Stated<PropertySpec>>,
        /// Formulas each of which some run has to satisfy.
        witnesses: Vec<Stated<String>>,
    },
    /// A counterexample.
    FindBug {
        /// The model, which is not the student's.
        model: Judged,
        /// What the run has to violate.
        property: Box<Stated<PropertySpec>>,
        /// The name of the violation, if only one kind counts.
        violation: Option<String>,
        /// Most steps of the run.
        steps: Option<u32>,
    },
    /// A formula, or an automaton ([`Kind::Claim`]) that accepts the runs that must not exist.
    Specification {
        /// Models that are right.
        models: Vec<FileRef>,
        /// Models that are wrong.
        mutants: Vec<FileRef>,
        /// A formula, a never claim or an automaton that means the same.
        reference: Option<Stated<String>>,
        /// The formula may contain `X`.
        next: bool,
    },
    /// A prediction.
    Predict {
        /// The model, which is not the student's.
        model: Judged,
        /// What is asked.
        question: Question,
        /// The property, for the verdict.
        property: Box<PropertySpec>,
        /// Runs to choose from.
        runs: Vec<Stated<Run>>,
    },
}

/// A task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its name in submissions and results.
    pub id: String,
    /// For people.
    pub title: String,
    /// Its kind.
    pub kind: Kind,
    /// What it is worth.
    pub points: u32,
    /// Each check that passes counts, instead of all together.
    pub partial: bool,
    /// What is told of a visible check that fails.
    pub feedback: Feedback,
    /// What is told of a hidden one.
    pub hidden_feedback: Feedback,
    /// Hints, one after the other.
    pub hints: Vec<String>,
    /// Failed attempts before the first hint; each further hint takes as many.
    pub hints_after: u32,
    /// How models are checked.
    pub settings: ModelSettings,
    /// What it asks for.
    pub body: Body,
    /// The sample answer; only in the author's edition.
    pub solution: Option<String>,
    /// The author's edition has hidden checks that this one leaves out.
    pub withheld: bool,
    /// Where it stands.
    pub span: Span,
}

impl Task {
    /// The hints that are open after so many failed attempts.
    pub fn hints_after(&self, attempts: u32) -> &[String] {
        let open = attempts.checked_div(self.hints_after).unwrap_or(u32::MAX) as usize;
        self.hints.get(..open.min(self.hints.len())).unwrap_or(&[])
    }

    /// The file that the student changes for it, if there is one.
    pub fn file(&self) -> Option<&str> {
        match &self.body {
            Body::Model { model, .. } => Some(&model.file),
            _ => None,
        }
    }
}

/// An assignment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    /// Its name in submissions: letters, digits, `-`.
    pub id: String,
    /// For people.
    pub title: String,
    /// What a student says about himself when handing in.
    pub fields: Vec<String>,
    /// Markdown, files and tasks in the order of the text.
    pub pieces: Vec<Piece>,
    /// All files.
    pub files: Vec<SourceText>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Hidden parts were sealed in the text and could be opened.
    pub sealed: bool,
    /// Hidden parts are left out of the text.
    pub private: bool,
}

impl Assignment {
    /// A file that is no solution.
    pub fn file(&self, name: &str) -> Option<&SourceText> {
        self.files.iter().find(|file| file.name == name && file.role != Role::Solution)
    }

    /// The files that students change.
    pub fn starters(&self) -> impl Iterator<Item = &SourceText> {
        self.files.iter().filter(|file| matches!(file.role, Role::Starter { .. }))
    }

    /// A task by its name.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// All points.
    pub fn points(&self) -> u32 {
        self.tasks.iter().map(|task| task.points).sum()
    }
}
