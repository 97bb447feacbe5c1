//! Searches with a bound that take turns with a depth-first search that only goes deeper.
//!
//! A counter without an end, or a queue that fills up in ever new ways, leads a depth-first search
//! along one path for as long as there is memory, past errors a few steps away. At a few numbers of
//! stored states, each four times the one before, it is therefore looked whether the states lie on one
//! path and hardly one was met twice. If so, the search waits while two others with a fraction of its
//! states look around:
//!
//! - breadth-first: whatever happens within some distance is found. For infinite runs, a search for
//!   accepting cycles among the states within that distance follows, so that a run is found if all
//!   its states are near. The distance bounds states, not paths, so that no state is missed because a
//!   longer path led to it first;
//! - depth-first with a bound on the depth, which grows fourfold whenever everything within it was
//!   explored (iterative deepening: R. E. Korf, Depth-first iterative-deepening, 1985). It gets to
//!   errors that are too far for breadth-first search. Each bound is a search of its own, as a state
//!   that was cut off is no state that was explored.
//!
//! A depth-first search that ends by itself ends as it would alone. If it uses up the memory, all of
//! that is given to the others once more.

use crate::couvreur::Couvreur;
use crate::lasso::UNVISITED;
use crate::nested_dfs::Nested;
use crate::{
    BreadthFirst, DepthFirst, Evidence, Outcome, Progress, Search, SearchEntry, Setup, Statistics,
    Step, StopReason, whole,
};
use promenade_store::{Approximation, Guarantee, Tagged};
use promenade_transition_system::TransitionSystem;

/// After so many stored states it is looked for the first time whether the search only goes deeper.
const FIRST_LOOK: u64 = 1 << 16;
/// The next time after so many times as many.
const GROWTH: u64 = 4;
/// The first bound on the depth.
const FIRST_BOUND: u64 = 1 << 10;
/// Fewer states than this say nothing where the memory was used up.
const LEAST_STATES: u64 = 100;

/// At first one state in so many may have been met twice.
const LEAST_PART_MATCHED: u64 = 8;
/// One state in so many has to lie on the path.
const LEAST_PART_OF_PATH: u64 = 4;

/// Whether the path has a good part of all states.
fn is_one_path(search: &dyn Search) -> bool {
    search.progress().path >= search.statistics().states_stored / LEAST_PART_OF_PATH
}

/// Which search the result is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decider {
    /// The depth-first search without a bound.
    Unbounded,
    /// Breadth-first search.
    BreadthFirst,
    /// For infinite runs: the search among the states that breadth-first search has stored.
    Near,
    /// Depth-first search with this bound.
    DepthFirst(u64),
}

/// What searches with a bound have explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// States of the search without a bound when it was first seen to go deeper only, and how many of
    /// them were on its path.
    pub noticed: (u64, u64),
    /// All runs of up to so many steps were explored. For infinite runs: all among states that so
    /// many steps lead to.
    pub distance: u64,
    /// The largest bound on the depth within which nothing was left unexplored but for states that
    /// were met at the bound first.
    pub complete: Option<u64>,
    /// The bound on the depth within which something was left unexplored, if that was the last one.
    pub incomplete: Option<u64>,
    /// States that all of them have visited, again and again, without those of the last one if it is
    /// the one that decides; then with those of the search without a bound.
    pub states: u64,
    /// Which search the result is from.
    pub decider: Decider,
}

/// The searches with a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Breadth,
    /// Among the states that breadth-first search has stored; all up to this distance are.
    Near(u64),
    Depth(u64),
}

/// One of them.
enum Scout {
    Search(Box<dyn Search>),
    /// Its store is needed afterwards.
    Region(Box<BreadthFirst<Tagged>>),
}

impl Scout {
    fn search(&self) -> &dyn Search {
        match self {
            Self::Search(search) => search.as_ref(),
            Self::Region(search) => search.as_ref(),
        }
    }

    fn search_mut(&mut self) -> &mut dyn Search {
        match self {
            Self::Search(search) => search.as_mut(),
            Self::Region(search) => search.as_mut(),
        }
    }
}

/// A depth-first search, with bounded ones as soon as it only goes deeper.
pub struct Interleaved {
    setup: Setup,
    entry: &'static SearchEntry,
    /// The search without a bound, until it has used up the memory.
    deep: Option<Box<dyn Search>>,
    /// What it had visited by then.
    before: Statistics,
    approximation_before: Approximation,
    /// When to look at it next.
    look_at: u64,
    looks: u32,
    first_look: u64,
    /// The one whose turn it is.
    scout: Option<(Kind, Scout)>,
    /// States that the others may visit in this turn: each, and those that are depth-first together;
    /// and what is left of that.
    allowance: u64,
    left: u64,
    /// Transitions of the others.
    transitions: u64,
    next_bound: u64,
    bounded: Option<Bounded>,
    /// Largest sum of memory.
    peak: u64,
    outcome: Option<Outcome>,
}

impl Interleaved {
    /// Around a search that has not begun, made by this entry. One with a limit of the depth stays as
    /// it is, as does one that is not depth-first.
    pub fn around(
        entry: &'static SearchEntry,
        setup: &Setup,
        search: Box<dyn Search>,
    ) -> Box<dyn Search> {
        if setup.limits.depth.is_some() || entry.shortest {
            return search;
        }
        Box::new(Self::new(entry, setup, search, FIRST_LOOK))
    }

    /// The same, with the number of states after which the search is looked at first.
    pub fn new(
        entry: &'static SearchEntry,
        setup: &Setup,
        search: Box<dyn Search>,
        first_look: u64,
    ) -> Self {
        Self {
            setup: setup.clone(),
            entry,
            deep: Some(search),
            before: Statistics::default(),
            approximation_before: Approximation::none(Guarantee::Exact, 0),
            look_at: first_look.max(1),
            looks: 0,
            first_look: first_look.max(1),
            scout: None,
            allowance: 0,
            left: 0,
            transitions: 0,
            next_bound: FIRST_BOUND.min(first_look.max(1)),
            bounded: None,
            peak: 0,
            outcome: None,
        }
    }

    /// The search that has the word, and in the end the one that decides.
    fn present(&self) -> Option<&dyn Search> {
        let scout = self.scout.as_ref().map(|(_, scout)| scout.search());
        scout.or(self.deep.as_deref())
    }

    fn deep_memory(&self) -> u64 {
        self.deep.as_ref().map_or(0, |deep| deep.memory_bytes())
    }

    /// Whether much of what the search without a bound has stored lies on its path, and hardly a state
    /// was met twice. The longer it goes on like that, the less the latter counts: a counter beside
    /// loops leads to states met before, too.
    fn only_goes_deeper(&self, deep: &dyn Search) -> bool {
        let (stored, matched) = (deep.statistics().states_stored, deep.statistics().states_matched);
        let most = stored.saturating_mul(1 << self.looks.min(16)) / LEAST_PART_MATCHED;
        is_one_path(deep) && matched <= most
    }

    fn has_decided(&self) -> bool {
        self.bounded.is_some_and(|bounded| bounded.decider != Decider::Unbounded)
    }

    /// Notes that the others begin.
    fn notice(&mut self) {
        let Some(deep) = &self.deep else { return };
        let noticed = (deep.statistics().states_stored, deep.progress().path);
        self.bounded.get_or_insert(Bounded {
            noticed,
            distance: 0,
            complete: None,
            incomplete: None,
            states: 0,
            decider: Decider::Unbounded,
        });
    }

    /// A search with a bound for the memory that is left and the states that are.
    fn begin(&mut self, kind: Kind, near: Option<Tagged>, system: &dyn TransitionSystem) {
        let mut setup = self.setup.clone();
        let limits = &mut setup.limits;
        limits.memory_bytes = limits.memory_bytes.saturating_sub(self.deep_memory());
        limits.expansion_bytes = limits.expansion_bytes.min(limits.memory_bytes / 2);
        if self.deep.is_some() {
            let most = if let Kind::Depth(_) = kind { self.left } else { self.allowance };
            limits.states = Some(limits.states.map_or(most, |states| states.min(most)));
        }
        let scout = match (kind, near) {
            (Kind::Breadth, _) if self.entry.liveness => {
                // The rest is for the search among these states, which may all lie on its path.
                limits.memory_bytes /= if system.acceptance().count_ones() > 1 { 6 } else { 3 };
                let store = Tagged::numbered(setup.store, limits.memory_bytes, UNVISITED);
                Scout::Region(Box::new(BreadthFirst::new(&setup, store)))
            }
            (Kind::Breadth, _) => {
                let store = whole(&setup);
                Scout::Search(Box::new(BreadthFirst::new(&setup, store)))
            }
            (Kind::Near(_), Some(store)) if system.acceptance().count_ones() > 1 => {
                Scout::Search(Box::new(Couvreur::within(&setup, store)))
            }
            (Kind::Near(_), Some(store)) => Scout::Search(Box::new(Nested::within(&setup, store))),
            (Kind::Near(_), None) => return,
            (Kind::Depth(bound), _) => {
                limits.depth = Some(bound);
                let search = if self.entry.liveness {
                    (self.entry.build)(&setup)
                } else {
                    Box::new(DepthFirst::new(&setup, whole(&setup)))
                };
                Scout::Search(search)
            }
        };
        self.scout = Some((kind, scout));
    }

    /// Works on the search without a bound until it ends or is to be looked at.
    fn go_deeper(&mut self, system: &mut dyn TransitionSystem, fuel: u64) {
        let Some(deep) = &mut self.deep else { return };
        let stored = deep.statistics().states_stored;
        // A unit of fuel stores a state at most.
        let until = self.look_at.saturating_sub(stored);
        match deep.advance(system, fuel.min(until.max(1))) {
            Step::Done(Outcome::Stopped(StopReason::Memory)) => self.memory_used_up(system),
            Step::Done(outcome) => self.outcome = Some(outcome),
            Step::Running => self.look(system),
        }
    }

    fn look(&mut self, system: &dyn TransitionSystem) {
        let Some(deep) = &self.deep else { return };
        if deep.statistics().states_stored < self.look_at {
            return;
        }
        let turn = self.look_at / 4;
        // Whoever wants more than the first violation wants all that this search finds.
        let turns = self.setup.limits.violations == Some(1) && self.only_goes_deeper(deep.as_ref());
        self.look_at = self.look_at.saturating_mul(GROWTH);
        self.looks += 1;
        if turns {
            self.notice();
            (self.allowance, self.left) = (turn.max(1), turn.max(1));
            self.begin(Kind::Breadth, None, system);
        }
    }

    /// The search without a bound is over: if it only went deeper, the others get what it had.
    fn memory_used_up(&mut self, system: &dyn TransitionSystem) {
        let Some(deep) = &self.deep else { return };
        let enough = deep.statistics().states_stored >= LEAST_STATES.min(self.first_look);
        if !enough || deep.statistics().errors > 0 || !is_one_path(deep.as_ref()) {
            self.outcome = Some(Outcome::Stopped(StopReason::Memory));
            return;
        }
        (self.before, self.approximation_before) = (deep.statistics(), deep.approximation());
        self.notice();
        self.deep = None;
        (self.allowance, self.left) = (u64::MAX, u64::MAX);
        self.begin(Kind::Breadth, None, system);
    }

    /// Works on the search whose turn it is.
    fn look_around(&mut self, system: &mut dyn TransitionSystem, fuel: u64) {
        let Some((kind, scout)) = &mut self.scout else { return };
        let kind = *kind;
        let Step::Done(outcome) = scout.search_mut().advance(system, fuel) else { return };
        let found = scout.search().statistics().errors > 0;
        // After the first one for infinite runs there is another.
        let region = matches!(scout, Scout::Region(_));
        let complete = outcome == Outcome::Exhausted && !region;
        if found || complete || outcome == Outcome::Stopped(StopReason::Cancelled) {
            self.decide(kind, outcome);
        } else {
            self.go_on(kind, outcome, system);
        }
    }

    /// The search whose turn it is has the last word.
    fn decide(&mut self, kind: Kind, outcome: Outcome) {
        self.outcome = Some(outcome);
        let deep = self.deep.as_ref().map_or(self.before, |deep| deep.statistics());
        let Some(bounded) = &mut self.bounded else { return };
        bounded.states += deep.states_stored;
        bounded.decider = match kind {
            Kind::Breadth => Decider::BreadthFirst,
            Kind::Near(_) => Decider::Near,
            Kind::Depth(bound) => Decider::DepthFirst(bound),
        };
    }

    /// Goes on after a search with a bound that has found nothing.
    fn go_on(&mut self, kind: Kind, outcome: Outcome, system: &dyn TransitionSystem) {
        self.note_peak();
        let (Some((_, scout)), Some(bounded)) = (self.scout.take(), &mut self.bounded) else {
            return;
        };
        let statistics = scout.search().statistics();
        let distance = scout.search().progress().depth;
        bounded.states += statistics.states_stored;
        self.transitions += statistics.transitions();
        let whole = outcome == Outcome::Stopped(StopReason::Depth);
        match (kind, scout) {
            (Kind::Breadth, Scout::Region(search)) => {
                let near = Kind::Near(distance);
                return self.begin(near, Some(search.into_store()), system);
            }
            (Kind::Breadth, Scout::Search(_)) => bounded.distance = bounded.distance.max(distance),
            (Kind::Near(distance), _) if whole => {
                bounded.distance = bounded.distance.max(distance);
            }
            (Kind::Near(_), _) => {}
            (Kind::Depth(bound), _) => {
                self.next_bound = bound.saturating_mul(GROWTH);
                self.left = self.left.saturating_sub(statistics.states_stored);
                if whole {
                    (bounded.complete, bounded.incomplete) = (Some(bound), None);
                } else {
                    bounded.incomplete = Some(bound);
                }
                if !whole || self.left == 0 {
                    if self.deep.is_none() {
                        self.outcome = Some(Outcome::Stopped(StopReason::Memory));
                    }
                    return;
                }
            }
        }
        // Nothing is left to find within that distance.
        while self.next_bound / 2 < bounded.distance {
            self.next_bound = self.next_bound.saturating_mul(GROWTH);
        }
        self.begin(Kind::Depth(self.next_bound), None, system);
    }

    fn note_peak(&mut self) {
        self.peak = self.peak.max(self.memory_bytes());
    }
}

impl Search for Interleaved {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        if self.outcome.is_none() {
            if self.scout.is_some() {
                self.look_around(system, fuel);
            } else {
                self.go_deeper(system, fuel);
            }
        }
        self.outcome.map_or(Step::Running, Step::Done)
    }

    fn stop(&mut self, reason: StopReason) -> Outcome {
        if let Some(outcome) = self.outcome {
            return outcome;
        }
        let outcome = Outcome::Stopped(reason);
        self.note_peak();
        match &self.scout {
            Some((kind, scout)) if scout.search().statistics().errors > 0 => {
                self.decide(*kind, outcome);
            }
            _ => self.scout = None,
        }
        self.outcome = Some(outcome);
        outcome
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn statistics(&self) -> Statistics {
        let own = match (&self.scout, &self.deep) {
            (Some((_, scout)), _) if self.has_decided() => scout.search().statistics(),
            (_, Some(deep)) => deep.statistics(),
            (_, None) => self.before,
        };
        let memory_bytes = own.memory_bytes.max(self.peak).max(self.memory_bytes());
        Statistics { memory_bytes, ..own }
    }

    fn progress(&self) -> Progress {
        let deep = self.deep.as_ref().map_or(self.before, |deep| deep.statistics());
        let mut progress = self.present().map_or_else(Progress::default, Search::progress);
        if self.bounded.is_some() && self.scout.is_some() {
            progress.transitions += deep.transitions();
        }
        progress.transitions += self.transitions;
        // The searches meet the same states: the number is the one that the statistics end with.
        progress.states = self.statistics().states_stored;
        progress.max_depth = progress.max_depth.max(deep.depth);
        progress.memory_bytes = self.memory_bytes();
        progress.budget_bytes = self.setup.limits.memory_bytes;
        progress
    }

    fn evidence(&self) -> &[Evidence] {
        match (&self.scout, &self.deep) {
            (Some((_, scout)), _) if self.has_decided() => scout.search().evidence(),
            (_, Some(deep)) => deep.evidence(),
            (_, None) => &[],
        }
    }

    fn memory_bytes(&self) -> u64 {
        let scout = self.scout.as_ref().map_or(0, |(_, scout)| scout.search().memory_bytes());
        self.deep_memory() + scout
    }

    fn states(&self, visit: &mut dyn FnMut(&[u8]) -> bool) {
        if let Some(deep) = &self.deep {
            deep.states(visit);
        }
    }

    fn approximation(&self) -> Approximation {
        match (&self.scout, &self.deep) {
            (Some((_, scout)), _) if self.has_decided() => scout.search().approximation(),
            (_, Some(deep)) => deep.approximation(),
            (_, None) => self.approximation_before,
        }
    }

    fn bounded(&self) -> Option<Bounded> {
        self.bounded
    }
}
