//! Accepting components by Tarjan's algorithm with early exit, for one acceptance set.
//!
//! J. Geldenhuys and A. Valmari, Tarjan's algorithm makes on-the-fly LTL verification more efficient,
//! 2004, on transitions. All states in question are on a stack with the lowest number that they are
//! known to reach; the search remembers the latest accepting transition on its path. A cycle through
//! it is there as soon as a state reaches back to its source or beyond. An accepting transition
//! to a state in question closes one, too.
//!
//! Where more than one violation is asked for, the search waits after a report until the state before
//! the accepting transition is done; not all cycles are found.

use crate::lasso::{DONE, Lasso, LassoStep, NUMBER, Place};
use crate::on_walk::OnWalk;
use crate::one_set::OneSet;
use crate::walk::{Arrival, Frame, Reduction, Walk};
use crate::{Outcome, Search, SearchEntry, Setup};
use promenade_store::{ChunkedVec, StateId, Tagged};
use promenade_transition_system::{
    Item, Marks, MoreMarks, Reducer, TransitionSystem, Violation, ViolationKind,
};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "geldenhuys_valmari",
    shortest: false,
    liveness: true,
    generalised: false,
    more_marks: false,
    build: |setup| Box::new(OneSet::new(setup, None, make)),
    build_with: Some(|setup, parts| Box::new(OneSet::new(setup, parts.reducer, make))),
};

fn make(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Box<dyn Search> {
    Box::new(GeldenhuysValmari::new(setup, reducer))
}

/// What the next step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Takes the next item of the top frame.
    Search,
    /// The top frame is done.
    Leave,
    /// The component of the top frame is complete: its states are taken from the stack.
    Close,
}

/// The search for one acceptance set. Tags: states in question are numbered by their places on the
/// stack of such states; the others one by one, with [`DONE`].
#[derive(Debug)]
struct GeldenhuysValmari {
    walk: Walk<Tagged>,
    all: Marks,
    /// The states in question.
    live: ChunkedVec<StateId>,
    /// The lowest number that each of them is known to reach.
    low: ChunkedVec<u32>,
    /// Places on the search stack from which an accepting transition leads on.
    accepting: ChunkedVec<u32>,
    done: u32,
    /// The number of the state before the accepting transition that was reported, as long as it is
    /// in question.
    reported: Option<u32>,
    phase: Phase,
    /// A counterexample in the making, and how the search ends after it.
    lasso: Option<Box<Lasso>>,
    ending: Option<Outcome>,
    kept: bool,
}

impl GeldenhuysValmari {
    /// A search that has not begun. A reducer has to choose by the state alone.
    fn new(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Self {
        let budget = setup.limits.memory_bytes;
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        let mut walk = Walk::new(setup, Tagged::new(setup.store, budget), around as u64);
        walk.reduction = reducer.map(Reduction::by_state);
        Self {
            walk,
            all: 0,
            live: ChunkedVec::new(budget),
            low: ChunkedVec::new(budget),
            accepting: ChunkedVec::new(budget),
            done: 0,
            reported: None,
            phase: Phase::Search,
            lasso: None,
            ending: None,
            kept: setup.limits.kept_violations == 0,
        }
    }

    /// Tells the walk what memory is used, and what to keep free for the first cycle.
    fn account(&mut self, more: u64) {
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        self.walk.note_peak();
        let tables =
            self.live.memory_bytes() + self.low.memory_bytes() + self.accepting.memory_bytes();
        self.walk.also = around as u64 + tables;
        let states = (self.live.memory_bytes() + more) / size_of::<StateId>() as u64;
        let free = Lasso::bytes_for(self.walk.run.budget(), states);
        self.walk.kept_free = if self.kept { 0 } else { free };
    }

    /// Gives a new state its number.
    #[inline]
    fn enter(&mut self, id: StateId) -> Option<Outcome> {
        if self.all == 0 {
            return None;
        }
        let live = self.live.push_bytes();
        let more = live + self.low.push_bytes();
        if more > 0 {
            self.account(live);
            if let Some(stop) = self.walk.settle(more) {
                return Some(stop);
            }
        }
        let number = self.live.len() as u32 & NUMBER;
        self.walk.store.set_tag(id, number);
        self.live.push(id);
        self.low.push(number);
        self.walk.note_stack(self.live.len() as u64);
        if more > 0 {
            self.account(0);
            return self.walk.settle(0);
        }
        None
    }

    /// Notes that the step from this place on the search stack is accepting.
    fn mark(&mut self, place: usize) -> Option<Outcome> {
        let more = self.accepting.push_bytes();
        if more > 0
            && let Some(stop) = self.walk.settle(more)
        {
            return Some(stop);
        }
        self.accepting.push(place as u32);
        if more > 0 {
            self.account(0);
            return self.walk.settle(0);
        }
        None
    }

    /// The lowest number that a state in question is known to reach.
    fn low(&self, number: u32) -> u32 {
        self.low.get(number as usize).unwrap_or(number)
    }

    /// A step from the present state leads to one in question.
    fn meet(&mut self, id: StateId, accepting: bool) -> Option<Outcome> {
        let here = self.walk.store.tag(self.walk.top.id) & NUMBER;
        let reached = self.low(self.walk.store.tag(id) & NUMBER);
        if reached < self.low(here) {
            self.low.set(here as usize, reached);
        }
        if self.reported.is_some() {
            return None;
        }
        let place = self.walk.stack.len();
        if accepting {
            return self.report(place, id, here);
        }
        let last = self.accepting.last()? as usize;
        let frame = self.walk.stack.get(last)?;
        let number = self.walk.store.tag(frame.id) & NUMBER;
        if reached > number {
            return None;
        }
        let to = self.walk.stack.get(last + 1).unwrap_or(self.walk.top).id;
        self.report(last, to, number)
    }

    /// Reports a cycle through the accepting step from a place on the search stack to a state; the
    /// state before it has this number.
    #[cold]
    fn report(&mut self, place: usize, to: StateId, number: u32) -> Option<Outcome> {
        self.reported = Some(number);
        let violation = Violation { kind: ViolationKind::AcceptanceCycle, pid: None, edge: None };
        let ending = self.walk.run.count(violation);
        if !self.walk.run.keeps(0, u64::MAX) {
            return ending;
        }
        self.ending = ending;
        let frame = self.walk.stack.get(place).unwrap_or(self.walk.top);
        let choice = self.walk.chosen(place);
        let place = Place::Transition { from: frame.id, choice, to };
        self.lasso =
            Lasso::new(&mut self.walk, place, self.done, (self.all, MoreMarks::NONE), Vec::new());
        if self.lasso.is_none() { self.end_report() } else { None }
    }

    /// Goes on with the counterexample.
    #[cold]
    fn construct(&mut self, system: &mut dyn TransitionSystem, fuel: &mut u64) -> Option<Outcome> {
        let lasso = self.lasso.as_mut()?;
        let found = match lasso.advance(&mut self.walk, system, fuel) {
            LassoStep::Running => return None,
            LassoStep::Cancelled => {
                self.lasso = None;
                return self.walk.run.cancelled();
            }
            LassoStep::Done(found) => found,
        };
        self.lasso = None;
        if let Some((choices, stem)) = found {
            self.kept = true;
            self.walk.run.keep_cycle(choices, stem);
        }
        self.end_report()
    }

    /// Goes on after a report, or ends with it.
    fn end_report(&mut self) -> Option<Outcome> {
        self.account(0);
        self.ending.take().or_else(|| self.walk.settle(0))
    }

    /// The present state is done.
    fn leave(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        if self.all != 0 {
            let number = self.walk.store.tag(self.walk.top.id) & NUMBER;
            if self.low(number) == number {
                self.phase = Phase::Close;
                return None;
            }
        }
        self.back(system, false)
    }

    /// Takes a state of the complete component from the stack, and leaves the component with the
    /// last one, which is the top frame's.
    fn close(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let root = self.walk.top.id;
        let Some(id) = self.live.pop() else { return self.back(system, true) };
        self.low.pop();
        if self.reported == Some(self.live.len() as u32) {
            self.reported = None;
        }
        self.walk.store.set_tag(id, DONE | self.done);
        self.done += 1;
        if id == root { self.back(system, true) } else { None }
    }

    /// Goes back to the state before; the one that is left may be done with its component.
    fn back(&mut self, system: &mut dyn TransitionSystem, dead: bool) -> Option<Outcome> {
        let left = self.walk.top.id;
        if !self.walk.back() {
            return Some(self.walk.run.explored());
        }
        // A state that is done needs no successors any more.
        self.phase = if self.walk.has_more() { Phase::Search } else { Phase::Leave };
        if self.all != 0 {
            let place = self.walk.stack.len() as u32;
            let accepting = self.accepting.last() == Some(place);
            if accepting {
                self.accepting.pop();
            }
            if !dead && let Some(end) = self.meet(left, accepting) {
                return Some(end);
            }
        }
        if self.phase == Phase::Search { self.walk.refresh(system) } else { None }
    }

    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.all = system.acceptance();
        self.account(0);
        match self.walk.begin(system) {
            Ok(true) => {
                let id = self.walk.top.id;
                self.enter(id).or_else(|| self.walk.expand(system))
            }
            Ok(false) => Some(self.walk.run.explored()),
            Err(end) => Some(end),
        }
    }

    /// Takes the next item of the top frame.
    #[inline]
    fn follow(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let walk = &mut self.walk;
        match walk.item() {
            Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                let accepting = walk.marks() & self.all != 0;
                walk.top.next += 1;
                let depth = walk.count_step(moves, atomic_moves);
                match walk.arrive(start, end, depth) {
                    Ok(Arrival::New(id)) => {
                        let place = walk.stack.len();
                        if accepting && let Some(stop) = self.mark(place) {
                            return Some(stop);
                        }
                        self.walk
                            .descend(Frame::new(id, depth))
                            .or_else(|| self.enter(id))
                            .or_else(|| self.walk.expand(system))
                    }
                    Ok(Arrival::Seen(id)) => {
                        let in_question = self.all != 0 && walk.store.tag(id) & DONE == 0;
                        if in_question { self.meet(id, accepting) } else { None }
                    }
                    Ok(Arrival::Cut) => None,
                    Err(stop) => Some(stop),
                }
            }
            Some(&Item::Violation { violation, moves, .. }) => {
                walk.top.next += 1;
                walk.report(violation, moves, true)
            }
            None => {
                self.phase = Phase::Leave;
                walk.report_blocked()
            }
        }
    }
}

impl OnWalk for GeldenhuysValmari {
    type Store = Tagged;

    fn walk(&self) -> &Walk<Tagged> {
        &self.walk
    }

    fn walk_mut(&mut self) -> &mut Walk<Tagged> {
        &mut self.walk
    }

    fn work(&mut self, system: &mut dyn TransitionSystem, mut fuel: u64) -> Option<Outcome> {
        if let Some(cancelled) = self.walk.run.cancelled() {
            return Some(cancelled);
        }
        while fuel > 0 {
            if self.lasso.is_some() {
                if let Some(end) = self.construct(system, &mut fuel) {
                    return Some(end);
                }
                continue;
            }
            fuel -= 1;
            let end = match self.phase {
                _ if !self.walk.started => self.begin(system),
                Phase::Search => self.follow(system),
                Phase::Leave => self.leave(system),
                Phase::Close => self.close(system),
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }
}
