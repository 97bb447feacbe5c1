//! Searches in slices, with statistics: for violations depth-first and breadth-first, for accepting
//! cycles by components and by nested depth-first search.
//!
//! Numbers are counted as SPIN's verifier counts them (G. J. Holzmann, The SPIN Model Checker,
//! 2003): stored states include the initial one; matched are arrivals at stored states and cut-offs
//! at the depth limit; errors are reports.
//!
//! **No recursion over states, and no call takes longer than its fuel** (but for one expansion).
#![forbid(unsafe_code)]

pub mod breadth_first;
mod component;
pub mod couvreur;
pub mod depth_first;
mod frames;
mod geldenhuys_valmari;
mod generalised_nested_dfs;
mod interleaved;
mod lasso;
mod links;
pub mod nested_dfs;
mod on_walk;
mod one_set;
pub mod partition;
mod pending;
mod ring;
mod run;
mod walk;

pub use breadth_first::BreadthFirst;
pub use couvreur::Couvreur;
pub use depth_first::DepthFirst;
pub use generalised_nested_dfs::GeneralisedNestedDfs;
pub use interleaved::{Bounded, Decider, Interleaved};

use promenade_base::{CancelToken, Limits};
use promenade_store::{Approximation, Guarantee, Made, Store, Whole};
use promenade_transition_system::{Reducer, TransitionSystem, Violation};

/// Why a search ended before everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The memory budget is used up.
    Memory,
    /// The limit of stored states is reached and there is another state.
    States,
    /// Everything within the depth limit was explored, and it cut something off.
    Depth,
    /// The time limit; the caller's, see [`Search::stop`].
    Time,
    /// The cancel token was set.
    Cancelled,
    /// Some states have more successors than the system could give.
    Successors,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was explored.
    Exhausted,
    /// As many violations were reported as asked for.
    ViolationLimit,
    /// A violation was reported after which SPIN does not go on either.
    Fatal,
    /// Something is unexplored.
    Stopped(StopReason),
}

/// What one slice did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There is more to do.
    Running,
    /// The search is over; further calls give the same answer.
    Done(Outcome),
}

/// A violation and the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// One choice number per expansion, from the initial state, [packed] with the selection that it
    /// counts in. The last one is the item that reports the violation, except for [`InvalidEndState`]: there they all lead to the state that
    /// cannot go on. Empty for a violation in the initial step.
    ///
    /// [`InvalidEndState`]: promenade_transition_system::ViolationKind::InvalidEndState
    /// [packed]: promenade_transition_system::pack
    pub choices: Vec<u32>,
    /// For an infinite run: how many of the choices come before its cycle. The other choices lead
    /// back to the state in which the cycle begins.
    pub stem: Option<usize>,
    /// What.
    pub violation: Violation,
    /// How many moves deep, the faulty one included (breadth-first and infinite runs: steps).
    pub depth: u64,
}

/// Numbers of a search so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Distinct states stored, the initial one included.
    pub states_stored: u64,
    /// Arrivals at stored states and cut-offs at the depth limit.
    pub states_matched: u64,
    /// States of which the steps of one process were taken instead of all.
    pub states_reduced: u64,
    /// Moves under an atomic's exclusive right.
    pub atomic_steps: u64,
    /// Depth-first: longest path on the stack, in moves. Breadth-first: largest distance, in steps.
    pub depth: u64,
    /// Violations reported.
    pub errors: u64,
    /// Longest state, in bytes.
    pub state_bytes: u64,
    /// Memory of the store.
    pub store_bytes: u64,
    /// Memory of stack or queue links, buffers and kept evidence.
    pub stack_bytes: u64,
    /// Largest sum of both. Never above the budget.
    pub memory_bytes: u64,
    /// States whose successors were computed again because they were no longer in memory.
    pub expanded_again: u64,
    /// Transitions looked at by inner searches, where a search has them.
    pub inner_transitions: u64,
    /// Largest number of states on the stacks of the search together. A state that waits for its
    /// component counts once, whether it is on the path or not; breadth-first: states in the queue.
    pub peak_stack: u64,
    /// Arrivals at states that were not explored, for want of memory for the path or the queue.
    pub not_followed: u64,
    /// The least depth of such a state; depth-first: in moves, breadth-first: in steps.
    pub not_followed_depth: u64,
}

impl Statistics {
    /// Stored plus matched, as SPIN counts.
    pub fn transitions(&self) -> u64 {
        self.states_stored + self.states_matched
    }

    /// Steps looked at, those of inner searches included: the arrival at the initial state is none.
    pub fn steps(&self) -> u64 {
        self.transitions().saturating_sub(1) + self.inner_transitions
    }
}

/// How far a search is, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Distinct states stored.
    pub states: u64,
    /// Stored plus matched.
    pub transitions: u64,
    /// Depth of the present state.
    pub depth: u64,
    /// Largest depth.
    pub max_depth: u64,
    /// Violations reported.
    pub errors: u64,
    /// Memory charged now.
    pub memory_bytes: u64,
    /// The budget.
    pub budget_bytes: u64,
    /// Breadth-first: states stored and not yet expanded.
    pub queued: u64,
    /// Depth-first: states on the present path.
    pub path: u64,
}

/// A search that advances in slices. The same system has to be passed every time.
///
/// The result does not depend on how the work is cut into slices.
pub trait Search {
    /// Does about `fuel` transitions and expansions, less if the search ends.
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step;

    /// Ends the search from outside, for instance at a time limit; an outcome that is already there
    /// stays.
    fn stop(&mut self, reason: StopReason) -> Outcome;

    /// How it ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Numbers so far.
    fn statistics(&self) -> Statistics;

    /// How far it is.
    fn progress(&self) -> Progress;

    /// The first violations, in the order found; fewer than wanted where memory did not suffice.
    fn evidence(&self) -> &[Evidence];

    /// Memory charged now: store, stack or links, buffers, evidence.
    fn memory_bytes(&self) -> u64;

    /// Shows stored states until `visit` says `false`: from the first one on, as many as the store
    /// has kept as they are.
    fn states(&self, visit: &mut dyn FnMut(&[u8]) -> bool) {
        let _ = visit;
    }

    /// What searches with a bound have visited beside this one, if there were any.
    fn bounded(&self) -> Option<Bounded> {
        None
    }

    /// What the store may have missed.
    fn approximation(&self) -> Approximation {
        Approximation::none(Guarantee::Exact, self.statistics().states_stored)
    }
}

/// What a search needs to begin.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// When to stop. A depth limit cuts off what is that many moves (breadth-first: steps) deep, as
    /// SPIN does.
    pub limits: Limits,
    /// Looked at in every slice and after every expansion.
    pub cancel: CancelToken,
    /// The order in which a depth-first search for violations takes the items of a state: 0 as they
    /// are, another number another order.
    pub shuffle: u32,
    /// How whole states are kept, where a search keeps them; the exact store for a kind that does not
    /// give them back.
    pub store: Store,
}

/// A search to choose from.
#[derive(Clone, Copy, Debug)]
pub struct SearchEntry {
    /// Its id in the catalogue of options, where its name and its description are.
    pub id: &'static str,
    /// Whether the first violation found has a shortest run.
    pub shortest: bool,
    /// Whether it looks for infinite runs that the acceptance condition accepts. The others look at
    /// no marks.
    pub liveness: bool,
    /// Whether it can do so for several acceptance sets; otherwise for one only.
    pub generalised: bool,
    /// Whether it can do so for more of them than 64: it looks at what
    /// [`promenade_transition_system::Successors::more_marks`] says.
    pub more_marks: bool,
    /// Makes one with an exact store.
    pub build: fn(&Setup) -> Box<dyn Search>,
    /// Makes one of other parts, if it can be made of them. A search for infinite runs takes no
    /// store: it has to find states again.
    pub build_with: Option<BuildWith>,
}

/// Makes a search of parts.
pub type BuildWith = fn(&Setup, Parts) -> Box<dyn Search>;

/// What a search can be made of.
#[derive(Debug, Default)]
pub struct Parts {
    /// A store that only tells new states from stored ones.
    pub store: Option<Made>,
    /// What leaves out successors.
    pub reducer: Option<Box<dyn Reducer>>,
}

/// Every search.
pub const ENTRIES: &[SearchEntry] = &[
    depth_first::ENTRY,
    breadth_first::ENTRY,
    couvreur::ENTRY,
    nested_dfs::ENTRY,
    generalised_nested_dfs::ENTRY,
    couvreur::ENTRY_WITHOUT_REM,
    couvreur::ENTRY_SHY,
    nested_dfs::ENTRY_ORIGINAL,
    geldenhuys_valmari::ENTRY,
];

/// The search with this id over an exact store.
pub fn build(id: &str, setup: &Setup) -> Option<Box<dyn Search>> {
    ENTRIES.iter().find(|e| e.id == id).map(|e| (e.build)(setup))
}

pub(crate) fn whole(setup: &Setup) -> Whole {
    Whole::new(setup.store, setup.limits.memory_bytes)
}
