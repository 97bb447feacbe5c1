//! What both searches share: outcome, evidence, numbers, bookkeeping of violations.

use promenade_base::Limits;
use promenade_transition_system::{Violation, ViolationKind};

/// Why a search ended before everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The memory budget.
    Memory,
    /// The limit on stored states.
    States,
    /// The depth limit cut off some paths; everything else was explored.
    Depth,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was explored.
    Exhausted,
    /// A limit; numbers are those so far.
    Stopped(StopReason),
    /// As many violations were found as asked for, or a fatal one.
    Found,
}

/// What a slice led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There is more to do.
    Running,
    /// It is over.
    Done(Outcome),
}

/// A violation and how to get there: choice numbers from the initial state. The last choice is the
/// violation's own item, except for invalid end states, where the last state itself is at fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// What.
    pub violation: Violation,
    /// How.
    pub choices: Vec<u32>,
}

/// Numbers of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Distinct states, the initial one included.
    pub stored: u64,
    /// Arrivals at stored states, and cut-offs at the depth limit.
    pub matched: u64,
    /// Moves under an atomic's exclusive right.
    pub atomic_steps: u64,
    /// Reports.
    pub errors: u64,
    /// Longest path in moves: of the stack (depth-first), or of the shortest ways (breadth-first).
    pub max_depth: u64,
    /// Current depth.
    pub depth: u64,
    /// Longest state without hidden bytes.
    pub state_bytes: u64,
    /// Reserved by the store.
    pub store_bytes: u64,
    /// Reserved by stack, queue and buffers.
    pub stack_bytes: u64,
    /// Largest sum of both so far; never above the budget.
    pub peak_bytes: u64,
}

impl Statistics {
    /// Stored plus matched, as SPIN counts.
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }
}

/// Counts violations, keeps the first ones, and says when to stop.
#[derive(Debug)]
pub(crate) struct Reports {
    pub(crate) kept: Vec<Evidence>,
    keep: usize,
    stop_at: Option<u64>,
}

impl Reports {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { kept: Vec::new(), keep: limits.kept_violations, stop_at: limits.violations }
    }

    /// Whether the next violation will be kept.
    pub(crate) fn wants_more(&self) -> bool {
        self.kept.len() < self.keep
    }

    /// Whether the search is over with this violation. `choices` is asked for only if it is kept.
    pub(crate) fn add(
        &mut self,
        statistics: &mut Statistics,
        violation: Violation,
        choices: impl FnOnce() -> Vec<u32>,
    ) -> bool {
        statistics.errors += 1;
        if self.kept.len() < self.keep {
            self.kept.push(Evidence { violation, choices: choices() });
        }
        violation.kind.fatal() || self.stop_at.is_some_and(|n| statistics.errors >= n)
    }
}

/// The violation that an invalid end state is.
pub(crate) fn invalid_end_state() -> Violation {
    Violation { kind: ViolationKind::InvalidEndState, pid: None, edge: None }
}
