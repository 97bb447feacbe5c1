//! What a reduced search has to keep.

use promenade_analysis::Observed;

/// Which verdicts must stay the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserve {
    /// Deadlocks only.
    Deadlocks,
    /// Deadlocks and everything that a step of a process can do wrong: assertions, index errors and
    /// the like; with something observed also whether the claim can reach its end.
    Safety,
    /// All that, and properties of infinite runs that do not change under stuttering.
    Liveness,
}

/// When the search may leave it at the ample set.
///
/// Successors count that the ample set leads to. In a depth-first search, one is *open* unless it is on the
/// stack; in a breadth-first one (any order in which no state is expanded twice), if it still waits
/// for its expansion after the ample set was executed, new ones included. If the condition fails,
/// the next candidate is tried, and at last all processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CycleProviso {
    /// Always.
    Nothing,
    /// At least one successor is open (D. Bosnacki, G. J. Holzmann, Improving Spin's Partial-Order
    /// Reduction for Breadth-First Search, SPIN 2005).
    OneOpen,
    /// All successors are open.
    AllOpen,
}

/// A property class with what it looks at.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Which verdicts.
    pub preserve: Preserve,
    /// What the claim or formula looks at, if there is one.
    pub observed: Option<Observed>,
    /// Accept labels of processes count (acceptance without sets of claim edges).
    pub accept_labels: bool,
    /// Only weakly fair runs count: fairness looks at whether processes can move, so nothing is
    /// reduced.
    pub weak_fairness: bool,
    /// Cycles are broken beforehand, at *sticky* locations where a process is never an ample set.
    /// Every cycle of the reduced graph then has a state that is fully expanded, whatever the search
    /// does, and what is taken in a state depends on nothing but the state.
    pub sticky: bool,
}

impl Goal {
    /// A goal without a claim.
    pub fn new(preserve: Preserve) -> Self {
        let accept_labels = preserve == Preserve::Liveness;
        Self { preserve, observed: None, accept_labels, weak_fairness: false, sticky: false }
    }

    /// What the search has to check on cycles. A claim that can go several ways makes one open
    /// successor too little: it may be the one in which the claim has lost its way.
    pub fn proviso(&self) -> CycleProviso {
        match self.preserve {
            _ if self.sticky => CycleProviso::Nothing,
            _ if self.observed.is_some() => CycleProviso::AllOpen,
            Preserve::Deadlocks => CycleProviso::Nothing,
            Preserve::Safety => CycleProviso::OneOpen,
            Preserve::Liveness => CycleProviso::AllOpen,
        }
    }
}
