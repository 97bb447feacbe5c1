//! Automata over infinite words, ready to draw, and what is known of a formula.

use crate::DiagnosticData;
use serde::{Deserialize, Serialize};

/// What the cycles of a strongly connected component are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComponentKind {
    /// One state without a loop.
    #[default]
    Trivial,
    /// No cycle is accepting.
    Rejecting,
    /// Some cycles are accepting, others are not.
    Accepting,
    /// Every cycle is accepting.
    Weak,
    /// Every cycle is accepting, and every letter leads on: whoever is here accepts.
    Terminal,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AutomatonState {
    /// Its name in the text that it comes from, such as a label of a never claim; empty if it has none.
    #[serde(default)]
    pub name: String,
    /// What is still to be satisfied from here, as a formula; empty if unknown.
    pub meaning: String,
    /// Accepting, in an automaton with accepting states.
    pub accepting: bool,
    /// Number of its component, see [`AutomatonData::components`].
    pub component: u32,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AutomatonEdge {
    /// Number of the state that it leaves.
    pub from: u32,
    /// Number of the state that it leads to.
    pub to: u32,
    /// When it can be taken, as a condition over the propositions.
    pub label: String,
    /// Numbers of the acceptance sets that it belongs to.
    pub marks: Vec<u32>,
}

/// An automaton over infinite words: accepting are the runs that take edges of every acceptance set
/// again and again, or come again and again to an accepting state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AutomatonData {
    /// The formula whose words it accepts.
    pub formula: String,
    /// States by number.
    pub states: Vec<AutomatonState>,
    /// Edges in the order of the states that they leave.
    pub edges: Vec<AutomatonEdge>,
    /// The initial state; `None` without states.
    pub initial: Option<u32>,
    /// Number of acceptance sets; with none, every infinite run is accepting.
    pub sets: u32,
    /// Acceptance is by states and not by edges.
    pub state_based: bool,
    /// Every letter leads from every state along one edge at most.
    pub deterministic: bool,
    /// Strongly connected components by number.
    pub components: Vec<ComponentKind>,
    /// A run is a tree: at a state named `∧` it goes on in all ways at once, at one named `∨` in one
    /// of them, and `⊤` accepts whatever comes. Edges that leave the first two read nothing and have
    /// an empty label. On no branch may a run stay for ever in a state that is `accepting`.
    #[serde(default)]
    pub alternating: bool,
}

/// How the automaton of a formula is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FormulaOptions {
    /// One acceptance set, on states, instead of several on edges.
    pub buchi: bool,
    /// As the construction makes it, without simplification.
    pub raw: bool,
    /// By way of the alternating automaton, instead of the best of several ways.
    pub alternating: bool,
}

/// A word `prefix cycle cycle ..` over the propositions of a formula: for each position the
/// propositions that hold.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WordData {
    /// Positions that come once.
    pub prefix: Vec<Vec<String>>,
    /// Positions that come again and again; not empty.
    pub cycle: Vec<Vec<String>>,
}

/// Advice on a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AdviceData {
    /// What is noticed, in one sentence.
    pub message: String,
    /// Why it matters.
    pub reason: String,
    /// Formulas that say something related, the best guess first.
    pub suggestions: Vec<SuggestionData>,
}

/// A formula to try instead.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuggestionData {
    /// The formula.
    pub formula: String,
    /// What it says.
    pub meaning: String,
}

/// What stood in place of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// A formula: what has to hold.
    #[default]
    Formula,
    /// A never claim: the runs that must not exist. [`FormulaReport::automaton`] is that of the
    /// claim, and there is no negation.
    NeverClaim,
    /// An automaton in the Hanoi format; it is taken as a never claim is.
    Hoa,
}

/// Everything about a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FormulaReport {
    /// What was read.
    #[serde(default)]
    pub given: Given,
    /// What is wrong with it or worth knowing; places are bytes of the formula.
    pub diagnostics: Vec<DiagnosticData>,
    /// As it is read, with all parentheses.
    pub grouped: String,
    /// In SPIN's spelling.
    pub spin: String,
    /// In mathematical signs.
    pub signs: String,
    /// For LaTeX.
    pub latex: String,
    /// Its propositions.
    pub propositions: Vec<String>,
    /// Its class: `safety`, `guarantee`, `obligation`, `recurrence`, `persistence`, `reactivity`.
    pub class: String,
    /// What the class means for checking, in a sentence.
    pub class_meaning: String,
    /// Holds on every word, or on none, or neither.
    pub constant: Option<bool>,
    /// Whether repeating letters never matters; `None` if that was not found out.
    pub stutter_invariant: Option<bool>,
    /// Two words that differ only in repeated letters, of which one satisfies the formula.
    pub stutter_words: Option<(WordData, WordData)>,
    /// In words, if it is a known specification pattern.
    pub pattern: Option<String>,
    /// Advice.
    pub advice: Vec<AdviceData>,
    /// The automaton of the formula.
    pub automaton: AutomatonData,
    /// The automaton of its negation, along which a model is checked. Without states if an automaton
    /// was given: its complement is not made.
    pub negation: AutomatonData,
    /// The very weak alternating automaton of the formula; without states if there is none to show.
    #[serde(default)]
    pub alternating: AutomatonData,
    /// The negation as a never claim; of a given automaton the automaton itself.
    pub never_claim: String,
    /// The formula's automaton in the Hanoi omega-automata format.
    pub hoa: String,
    /// The formula's automaton for Graphviz.
    pub dot: String,
}

/// A part of a formula with its value at each position of a word.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PartData {
    /// The part.
    pub text: String,
    /// One value for each position, those of the prefix first.
    pub values: Vec<bool>,
}

/// What a formula and its automaton say about a word.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WordReport {
    /// What is wrong with formula or word.
    pub diagnostics: Vec<DiagnosticData>,
    /// The propositions of the formula, for letters.
    pub propositions: Vec<String>,
    /// The word satisfies the formula.
    pub satisfied: bool,
    /// The formula and its parts, the smallest first.
    pub parts: Vec<PartData>,
    /// The automaton of the formula.
    pub automaton: AutomatonData,
    /// An accepting run of it: numbers of edges; then those of the cycle that follows, which may go
    /// round the word's cycle several times.
    pub run: Option<(Vec<u32>, Vec<u32>)>,
    /// For each position, the states in which a run can be there. A position without states is where
    /// every run ends.
    pub reached: Vec<Vec<u32>>,
    /// For each position, those of these states that no edge leaves with the letter there.
    #[serde(default)]
    pub stuck: Vec<Vec<u32>>,
    /// Some run goes on for ever, accepting or not.
    #[serde(default)]
    pub endless: bool,
}

/// A specification pattern or a scope to choose.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PatternInfo {
    /// Its name.
    pub name: String,
    /// The letters that stand for events.
    pub letters: Vec<String>,
}

/// A pattern with its events filled in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PatternReport {
    /// What is wrong with the events.
    pub diagnostics: Vec<DiagnosticData>,
    /// All patterns.
    pub patterns: Vec<PatternInfo>,
    /// All scopes.
    pub scopes: Vec<PatternInfo>,
    /// The formula in SPIN's spelling; empty if an event is missing.
    pub formula: String,
    /// What it says.
    pub sentence: String,
}
