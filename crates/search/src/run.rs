//! What both searches share: limits, numbers, evidence, the end.

use crate::{Evidence, Outcome, Setup, Statistics, StopReason};
use promenade_transition_system::{Violation, ViolationKind};

/// Memory of one piece of evidence without its choices, with room for a growing list.
pub(crate) const EVIDENCE_BYTES: u64 = 3 * size_of::<Evidence>() as u64;

/// Evidence beyond the first may take one part in so many of the budget.
const EVIDENCE_SHARE: u64 = 16;
/// Unless that is less than this.
const LEAST_EVIDENCE: u64 = 64 << 10;

/// Expansions that may be given up by the system before the search stops.
const MOST_GIVEN_UP: u32 = 8;

/// The state of a search apart from its order.
#[derive(Debug)]
pub(crate) struct Run {
    pub setup: Setup,
    pub statistics: Statistics,
    pub evidence: Vec<Evidence>,
    /// Memory of the evidence.
    pub evidence_bytes: u64,
    pub outcome: Option<Outcome>,
    /// The depth limit cut off a state that is not stored.
    pub cut: bool,
    /// Expansions that the system gave up.
    pub given_up: u32,
    pub depth_limit: u64,
    pub state_limit: u64,
}

impl Run {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            statistics: Statistics::default(),
            evidence: Vec::new(),
            evidence_bytes: 0,
            outcome: None,
            cut: false,
            given_up: 0,
            depth_limit: setup.limits.depth.unwrap_or(u64::MAX),
            state_limit: setup.limits.states.unwrap_or(u64::MAX),
        }
    }

    pub(crate) fn budget(&self) -> u64 {
        self.setup.limits.memory_bytes
    }

    /// Memory to keep free so that the first violation can be kept with a path of this length.
    pub(crate) fn reserve(&self, path: u64) -> u64 {
        if self.evidence.is_empty() && self.setup.limits.kept_violations > 0 {
            EVIDENCE_BYTES + path * 4
        } else {
            0
        }
    }

    pub(crate) fn cancelled(&self) -> Option<Outcome> {
        let cancelled = self.setup.cancel.is_cancelled();
        cancelled.then_some(Outcome::Stopped(StopReason::Cancelled))
    }

    /// Notes an expansion that the system gave up; the outcome if there have been too many of them.
    /// Each may have taken a second.
    #[cold]
    pub(crate) fn incomplete(&mut self) -> Option<Outcome> {
        self.given_up += 1;
        (self.given_up > MOST_GIVEN_UP).then_some(Outcome::Stopped(StopReason::Successors))
    }

    /// Notes a state that is not explored for want of memory.
    #[cold]
    pub(crate) fn not_followed(&mut self, depth: u64) {
        let statistics = &mut self.statistics;
        let first = statistics.not_followed == 0;
        let least = if first { depth } else { statistics.not_followed_depth.min(depth) };
        (statistics.not_followed, statistics.not_followed_depth) =
            (statistics.not_followed + 1, least);
    }

    /// Whether the next violation ends the search.
    pub(crate) fn ends_next(&self) -> bool {
        self.setup.limits.violations.is_some_and(|n| self.statistics.errors + 1 >= n)
    }

    /// The outcome when nothing is left to explore.
    pub(crate) fn explored(&self) -> Outcome {
        if self.given_up > 0 {
            Outcome::Stopped(StopReason::Successors)
        } else if self.statistics.not_followed > 0 {
            Outcome::Stopped(StopReason::Memory)
        } else if self.cut {
            Outcome::Stopped(StopReason::Depth)
        } else {
            Outcome::Exhausted
        }
    }

    /// Whether a violation with a path of this length is to be kept, if `available` bytes suffice.
    /// All but the first have a part of the budget only: the search is to go on.
    pub(crate) fn keeps(&self, path: usize, available: u64) -> bool {
        let bytes = EVIDENCE_BYTES + path as u64 * 4;
        self.evidence.len() < self.setup.limits.kept_violations
            && bytes <= available
            && (self.evidence.is_empty()
                || self.evidence_bytes + bytes
                    <= (self.budget() / EVIDENCE_SHARE).max(LEAST_EVIDENCE))
    }

    /// Keeps a violation.
    pub(crate) fn keep(&mut self, evidence: Evidence) {
        self.evidence_bytes += EVIDENCE_BYTES + evidence.choices.capacity() as u64 * 4;
        self.evidence.push(evidence);
    }

    /// Keeps an accepting cycle: the first `stem` choices lead to it.
    pub(crate) fn keep_cycle(&mut self, choices: Vec<u32>, stem: usize) {
        let kind = ViolationKind::AcceptanceCycle;
        let violation = Violation { kind, pid: None, edge: None };
        let depth = choices.len() as u64;
        self.keep(Evidence { choices, stem: Some(stem), violation, depth });
    }

    /// Counts a violation; the outcome if the search ends with it.
    pub(crate) fn count(&mut self, violation: Violation) -> Option<Outcome> {
        self.statistics.errors += 1;
        if violation.kind.fatal() {
            return Some(Outcome::Fatal);
        }
        let limit = self.setup.limits.violations;
        limit.is_some_and(|n| self.statistics.errors >= n).then_some(Outcome::ViolationLimit)
    }
}
