//! What a user wants checked: model, property, settings.

use serde::{Deserialize, Serialize};

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct File {
    /// The name under which `#include` finds it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// `-Dname=value`
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Define {
    /// Macro name.
    pub name: String,
    /// Its value; `None` is like `-Dname`.
    pub value: Option<String>,
}

/// What to check.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Property {
    /// Assertions, invalid end states, run-time errors; claims in the text are left out.
    #[default]
    Safety,
    /// The same, with a never claim of the text moving along (as `pan -DSAFETY` does).
    Claim {
        /// Its name; `None` is the first in the text.
        name: Option<String>,
    },
    /// Every run satisfies the formula of an `ltl` block.
    Ltl {
        /// Its name; `None` is the first in the text.
        name: Option<String>,
    },
    /// Every run satisfies this formula.
    Formula {
        /// As in an `ltl` block, over the variables of the model.
        text: String,
    },
    /// No infinite run comes again and again to an accept label, of a process or of a never claim
    /// (as `pan -a` checks).
    Acceptance {
        /// The claim that moves along; `None` is the first in the text, if there is one.
        claim: Option<String>,
    },
    /// Every infinite run comes again and again to a progress label (as `pan -DNP -l` checks).
    Progress,
}

impl Property {
    /// Whether a claim that moves along is written as statements in the text, which move like those
    /// of a process. Others are made from formulas: their moves are parts of the model's steps.
    pub fn claim_has_statements(&self) -> bool {
        matches!(self, Self::Safety | Self::Claim { .. } | Self::Acceptance { .. })
    }
}

/// Which infinite runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no process that can always move from some point on stands still for ever.
    Weak,
}

/// How accepting cycles are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emptiness {
    /// What suits the property, with the reason told.
    #[default]
    Automatic,
    /// Nested depth-first search; one acceptance set, no fairness.
    NestedDfs,
    /// Couvreur's search for strongly connected components.
    Couvreur,
    /// The same, with steps to stored states first.
    CouvreurShy,
    /// The same without a list of the states of unfinished components: less memory, more time.
    CouvreurWithoutRem,
    /// Nested depth-first search for several acceptance sets.
    GeneralisedNestedDfs,
    /// Nested depth-first search in its first form; one acceptance set, no fairness.
    OriginalNestedDfs,
    /// Geldenhuys and Valmari's search for components with early exit; one acceptance set, no
    /// fairness.
    GeldenhuysValmari,
}

impl Emptiness {
    /// Whether it takes one acceptance set only, and so no fairness.
    pub fn takes_one_set(self) -> bool {
        matches!(self, Self::NestedDfs | Self::OriginalNestedDfs | Self::GeldenhuysValmari)
    }
}

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// SPIN's order; least memory for the stack.
    #[default]
    DepthFirst,
    /// Finds a shortest counterexample.
    BreadthFirst,
}

/// How visited states are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    /// Whole states; the search ends when the memory is used up.
    #[default]
    Exact,
    /// Whole states as long as they fit, then signatures.
    Automatic,
    /// Whole states, their parts stored once each.
    Collapse,
    /// Whole states, as the words of a smallest automaton.
    Automaton,
    /// Whole states, most of them as a step from another one, in chains of at most
    /// [`Settings::chain`] steps.
    Delta,
    /// Whole states, of which some are forgotten when the memory is used up.
    Caching,
    /// Signatures of [`Settings::cell_bits`] bits.
    HashCompact,
    /// [`Settings::hashes`] bits of one array.
    Bitstate,
}

impl Store {
    /// Every store, in the order of the choice.
    pub const ALL: [Self; 8] = [
        Self::Exact,
        Self::Automatic,
        Self::Collapse,
        Self::Automaton,
        Self::Delta,
        Self::Caching,
        Self::HashCompact,
        Self::Bitstate,
    ];

    /// Whether it can take a new state for a stored one.
    pub fn is_lossy(self) -> bool {
        matches!(self, Self::Automatic | Self::HashCompact | Self::Bitstate)
    }

    /// Whether it hashes with [`Settings::seed`].
    pub fn has_seed(self) -> bool {
        self.is_lossy() || self == Self::Caching
    }

    /// Whether it keeps signatures of [`Settings::cell_bits`].
    pub fn has_signatures(self) -> bool {
        matches!(self, Self::Automatic | Self::HashCompact)
    }
}

/// Which successors are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// Ample sets in large searches for the first error, if they can be had; small state spaces are
    /// visited whole.
    #[default]
    Automatic,
    /// None.
    None,
    /// Those that ample sets make unnecessary, where the property and the search allow that.
    AmpleSets,
}

/// How a reduced search makes sure that no process is put off for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proviso {
    /// What suits the search, with the reason told.
    #[default]
    Automatic,
    /// It looks at its stack or at its queue.
    Dynamic,
    /// Loops of processes are broken beforehand.
    Static,
}

/// What becomes of the values of local variables that will not be read before they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeadVariables {
    /// They stay, as the text has it: states that differ in nothing else are different.
    #[default]
    Keep,
    /// They are set to 0.
    Reset,
}

/// What becomes of global variables on whose values nothing depends: they are assigned, counted and
/// printed only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteOnly {
    /// They are no part of a state: states that differ in nothing else are the same.
    #[default]
    LeaveOut,
    /// They are a part of it.
    Keep,
}

/// How the bits of a state are placed in a bitstate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probing {
    /// From two numbers of one hash: cheapest.
    Double,
    /// From two numbers of one hash, at distances that grow.
    EnhancedDouble,
    /// From three numbers of one hash.
    #[default]
    Triple,
    /// From a hash function each: most accurate, slowest.
    Independent,
    /// All in one short block of the array: fastest; misses more with as many bits.
    Blocked,
}

/// Everything that can be chosen about a run. `Default` is what the page starts with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Order of the search.
    pub search: Search,
    /// Go on after a violation and count all (the first [`Settings::keep_violations`] are kept).
    pub all_errors: bool,
    /// Stop at this many violations; `None` is 1, or all with `all_errors`.
    pub stop_at: Option<u32>,
    /// Violations kept with a trace.
    pub keep_violations: u32,
    /// Memory budget in mebibytes.
    pub memory_mib: u32,
    /// At most this many moves deep.
    pub depth_limit: Option<u32>,
    /// At most this many stored states.
    pub state_limit: Option<u32>,
    /// At most this many seconds.
    pub time_limit_seconds: Option<u32>,
    /// Report violated assertions.
    pub assertions: bool,
    /// Report invalid end states (deadlocks).
    pub end_states: bool,
    /// A valid end state needs empty channels (`pan -q`).
    pub empty_channels_at_end: bool,
    /// Sends to full channels lose the message (`spin -m`).
    pub lose_messages: bool,
    /// Inner `unless` escapes win (`spin -J`).
    pub inner_unless_first: bool,
    /// Which infinite runs count, for properties of infinite runs.
    pub fairness: Fairness,
    /// How accepting cycles are looked for, for properties of infinite runs.
    pub emptiness: Emptiness,
    /// How visited states are remembered.
    pub store: Store,
    /// Bits per state of a bitstate search, 1 to 64.
    pub hashes: u32,
    /// How these are placed.
    pub probing: Probing,
    /// Width of a signature in bits, 4 to 64.
    pub cell_bits: u32,
    /// Longest chain of steps of the delta store, 0 to 63.
    pub chain: u32,
    /// Seed of the hash functions: another one is an independent trial.
    pub seed: u32,
    /// Which successors are left out.
    pub reduction: Reduction,
    /// How a reduced search makes sure that no process is put off for ever.
    pub proviso: Proviso,
    /// Steps that nobody can notice are made together with the step before, for properties of
    /// finite runs.
    pub merge: bool,
    /// What becomes of the values of local variables that are not used any more.
    pub dead_variables: DeadVariables,
    /// What becomes of global variables on whose values nothing depends.
    pub write_only: WriteOnly,
    /// Order in which a depth-first search takes the steps of a state: 0 as in the text, another
    /// number another order.
    pub shuffle: u32,
    /// Macro definitions.
    pub defines: Vec<Define>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            search: Search::default(),
            all_errors: false,
            stop_at: None,
            keep_violations: 20,
            memory_mib: 512,
            depth_limit: None,
            state_limit: None,
            time_limit_seconds: None,
            assertions: true,
            end_states: true,
            empty_channels_at_end: false,
            lose_messages: false,
            inner_unless_first: false,
            fairness: Fairness::None,
            emptiness: Emptiness::Automatic,
            store: Store::Exact,
            hashes: 3,
            probing: Probing::default(),
            cell_bits: 32,
            chain: 9,
            seed: 0,
            reduction: Reduction::Automatic,
            proviso: Proviso::default(),
            merge: false,
            dead_variables: DeadVariables::Keep,
            write_only: WriteOnly::default(),
            shuffle: 0,
            defines: Vec::new(),
        }
    }
}

/// A complete, reproducible experiment. Links carry it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Experiment {
    /// The first is the main file.
    pub files: Vec<File>,
    /// What to check.
    pub property: Property,
    /// How.
    pub settings: Settings,
}
