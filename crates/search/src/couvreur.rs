//! Search for accepting cycles by strongly connected components, on the fly.
//!
//! J.-M. Couvreur's check (FM 1999) in the iterative form of Couvreur, Duret-Lutz and Poitrenaud
//! (SPIN 2005): one depth-first search in which the components of the states seen so far are kept
//! on a stack and merged when a transition closes a cycle. As soon as one carries all marks, there
//! is an accepting run. Every transition is looked at once, whatever the number of marks. Sets for
//! which a word of marks is too short are kept on a stack of their own from the first transition on
//! that does not belong to all of them.
//!
//! States of components that are not complete stand on the live stack in the order of arrival, so
//! that those of a component are always the upper end of the stack when it is complete; the number
//! of a state is its place there.
//!
//! The variant that is called shy there (by states) looks at those steps of a new state first that
//! lead to stored states. The states stored before it are those with smaller ids, so nothing is
//! kept for that.
//!
//! The variant without that stack, described in the same paper, looks for the states of a complete
//! component by exploring it again from its root: every transition twice, but no more states on
//! stacks than the path has. All states in question that can be reached from the root of a complete
//! component belong to it.

use crate::lasso::{BUFFERS, DONE, Lasso, LassoStep, NUMBER, Place, visit};
use crate::on_walk::OnWalk;
use crate::walk::{Arrival, Frame, Reduction, Walk};
use crate::{Outcome, SearchEntry, Setup};
use promenade_store::{ChunkedVec, StateId, Tagged};
use promenade_transition_system::{
    Item, Marks, MoreMarks, Reducer, TransitionSystem, Violation, ViolationKind,
};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "couvreur",
    shortest: false,
    liveness: true,
    generalised: true,
    more_marks: true,
    build: |setup| Box::new(Couvreur::new(setup)),
    build_with: Some(|setup, parts| Box::new(Couvreur::reduced(setup, parts.reducer))),
};

/// For the list of searches.
pub const ENTRY_WITHOUT_REM: SearchEntry = SearchEntry {
    id: "couvreur_without_rem",
    shortest: false,
    liveness: true,
    generalised: true,
    more_marks: true,
    build: |setup| Box::new(Couvreur::without_rem(setup)),
    build_with: Some(|setup, parts| {
        Box::new(Couvreur::without_rem(setup).reduced_by_state(parts.reducer))
    }),
};

/// For the list of searches.
pub const ENTRY_SHY: SearchEntry = SearchEntry {
    id: "couvreur_shy",
    shortest: false,
    liveness: true,
    generalised: true,
    more_marks: true,
    build: |setup| Box::new(Couvreur::shy(setup)),
    build_with: Some(|setup, parts| Box::new(Couvreur::shy(setup).reduced_by_state(parts.reducer))),
};

/// A component of the states seen so far.
#[derive(Clone, Copy, Debug, Default)]
struct Component {
    /// Marks of the transition that led into it.
    entry: Marks,
    /// Marks of its own transitions.
    inside: Marks,
    /// Number of its first state.
    root: u32,
    /// Place of that state on the search stack.
    place: u32,
}

/// The same for the sets that have no room in the marks.
#[derive(Clone, Copy, Debug, Default)]
struct More {
    entry: MoreMarks,
    inside: MoreMarks,
}

/// What the next step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Takes the next item of the top frame if it leads to a stored state.
    Stored,
    /// Takes the next item of the top frame.
    Search,
    /// The top frame is done.
    Leave,
    /// The top frame's component is complete: its states are taken from the live stack.
    Close,
    /// The same without a live stack: the component is explored again.
    Again,
}

/// Search for accepting cycles, and for violations on the way.
#[derive(Debug)]
pub struct Couvreur {
    walk: Walk<Tagged>,
    all: Marks,
    components: ChunkedVec<Component>,
    /// One for each component once `many` is set.
    more: ChunkedVec<More>,
    /// There was a transition that does not belong to all sets beyond the marks.
    many: bool,
    /// Where complete components are explored again, this stays empty.
    live: ChunkedVec<StateId>,
    without_rem: bool,
    shy: bool,
    /// How many states are in question.
    count: u32,
    /// How many states are done.
    done: u32,
    /// The place of a component that was reported and is not complete yet. While there is one,
    /// others wait until they are complete: they may turn out to belong to it.
    reported: Option<usize>,
    phase: Phase,
    /// A counterexample in the making, and how the search ends after it.
    lasso: Option<Box<Lasso>>,
    ending: Option<Outcome>,
    kept: bool,
    /// Memory of the tables as the walk knows it.
    accounted: u64,
}

impl Couvreur {
    /// A search that has not begun.
    pub fn new(setup: &Setup) -> Self {
        let budget = setup.limits.memory_bytes;
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        Self {
            walk: Walk::new(setup, Tagged::new(setup.store, budget), around as u64),
            all: 0,
            components: ChunkedVec::new(budget),
            more: ChunkedVec::new(budget),
            many: false,
            live: ChunkedVec::new(budget),
            without_rem: false,
            shy: false,
            count: 0,
            done: 0,
            reported: None,
            phase: Phase::Search,
            lasso: None,
            ending: None,
            kept: setup.limits.kept_violations == 0,
            accounted: 0,
        }
    }

    /// A search that leaves out what the reducer says. States in question, which include those of
    /// the path, count as those of the path.
    pub fn reduced(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Self {
        let mut new = Self::new(setup);
        let in_question = |store: &Tagged, id| store.tag(id) & DONE == 0;
        new.walk.reduction = reducer.map(|reducer| Reduction::new(reducer, in_question));
        new
    }

    /// The same search with a reducer that chooses by the state alone.
    fn reduced_by_state(mut self, reducer: Option<Box<dyn Reducer>>) -> Self {
        self.walk.reduction = reducer.map(Reduction::by_state);
        self
    }

    /// A search among the states of a store, none of them visited.
    pub(crate) fn within(setup: &Setup, store: Tagged) -> Self {
        let mut new = Self::new(setup);
        new.walk.keep_to(store, visit);
        new
    }

    /// A search without a live stack, that has not begun.
    pub fn without_rem(setup: &Setup) -> Self {
        Self { without_rem: true, ..Self::new(setup) }
    }

    /// A search that looks at steps to stored states first, that has not begun.
    pub fn shy(setup: &Setup) -> Self {
        Self { shy: true, ..Self::new(setup) }
    }

    fn tables(&self) -> u64 {
        self.components.memory_bytes() + self.more.memory_bytes() + self.live.memory_bytes()
    }

    /// Tells the walk what memory is used, and what to keep free for the first counterexample.
    fn account(&mut self, more: u64) {
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        self.walk.note_peak();
        self.accounted = self.tables();
        self.walk.also = around as u64 + self.accounted;
        let states = (self.live.memory_bytes() + more) / size_of::<StateId>() as u64;
        let budget = self.walk.run.budget();
        // Without a live stack `states` is 0: what the worst case needs would be more than that
        // stack, and would have to be kept free all the time.
        let free = Lasso::bytes_for(budget, states);
        self.walk.kept_free = if self.kept { 0 } else { free };
        self.walk.buffers_free = if self.kept { 0 } else { BUFFERS };
    }

    /// Gives a new state its number and a component of its own.
    #[inline]
    fn enter(&mut self, id: StateId, entry: Marks, beyond: Option<MoreMarks>) -> Option<Outcome> {
        if self.all == 0 {
            return None;
        }
        if beyond.is_some()
            && let Some(stop) = self.widen()
        {
            return Some(stop);
        }
        let live = if self.without_rem { 0 } else { self.live.push_bytes() };
        let wide = if self.many { self.more.push_bytes() } else { 0 };
        let more = live + wide + self.components.push_bytes();
        if more > 0 {
            self.account(live);
            if let Some(stop) = self.walk.settle(more) {
                return Some(stop);
            }
        }
        let root = self.count & NUMBER;
        let place = self.walk.stack.len() as u32;
        self.walk.store.set_tag(id, root);
        self.count += 1;
        if !self.without_rem {
            self.live.push(id);
            self.walk.note_stack(u64::from(self.count));
        }
        self.components.push(Component { entry, inside: 0, root, place });
        if self.many {
            let entry = beyond.unwrap_or(MoreMarks::ALL);
            self.more.push(More { entry, inside: MoreMarks::NONE });
        }
        if more > 0 {
            self.account(0);
            return self.walk.settle(0);
        }
        None
    }

    /// From now on the sets beyond the marks are watched. The transitions so far belong to all of
    /// them, and where there are such inside a component, they have marks.
    #[cold]
    fn widen(&mut self) -> Option<Outcome> {
        if self.many {
            return None;
        }
        let count = self.components.len();
        if let Some(stop) = self.walk.settle(self.more.bytes_for(count as u64)) {
            return Some(stop);
        }
        for component in self.components.iter() {
            let some = component.inside != 0;
            let inside = if some { MoreMarks::ALL } else { MoreMarks::NONE };
            self.more.push(More { entry: MoreMarks::ALL, inside });
        }
        self.many = true;
        self.account(0);
        self.walk.settle(0)
    }

    /// Whether the top component carries all marks.
    #[inline]
    fn accepts(&self, top: &Component) -> bool {
        top.inside & self.all == self.all
            && (!self.many
                || self.more.last().is_some_and(|more| more.inside.has_all(&MoreMarks::ALL)))
    }

    /// A transition with these marks leads from the present state to a stored one.
    #[inline]
    fn meet(&mut self, id: StateId, marks: Marks, beyond: Option<MoreMarks>) -> Option<Outcome> {
        let tag = self.walk.store.tag(id);
        if tag & DONE != 0 || self.all == 0 {
            return None;
        }
        let mut marks = marks;
        let top = self.components.last()?;
        let known = top.root <= tag && top.inside | marks == top.inside;
        if self.many || beyond.is_some() {
            if let Some(stop) = self.widen() {
                return Some(stop);
            }
            if self.meet_more(tag, &beyond.unwrap_or(MoreMarks::ALL)) && known {
                return None;
            }
        } else if known {
            return None;
        }
        let mut top = self.components.pop()?;
        let mut reported = false;
        while top.root > tag {
            marks |= top.inside | top.entry;
            reported |= self.reported == Some(self.components.len());
            let Some(below) = self.components.pop() else { break };
            top = below;
        }
        top.inside |= marks;
        let at = self.components.len();
        self.components.push(top);
        if reported {
            self.reported = Some(at);
        }
        if self.accepts(&top) && self.reported.is_none() {
            self.reported = Some(at);
            return self.report(top);
        }
        None
    }

    /// Merges what there is of the sets beyond the marks in the components down to that of a state,
    /// before they are merged themselves; whether nothing is new in the top one.
    #[cold]
    fn meet_more(&mut self, tag: u32, marks: &MoreMarks) -> bool {
        let mut marks = *marks;
        let mut at = self.components.len();
        while at > 1 && self.components.get(at - 1).is_some_and(|it| it.root > tag) {
            let Some(top) = self.more.pop() else { break };
            marks.unite(&top.inside);
            marks.unite(&top.entry);
            at -= 1;
        }
        let Some(mut top) = self.more.pop() else { return false };
        let known = top.inside.has_all(&marks);
        top.inside.unite(&marks);
        self.more.push(top);
        known
    }

    /// Reports the top component, which carries all marks.
    #[cold]
    fn report(&mut self, component: Component) -> Option<Outcome> {
        let violation = Violation { kind: ViolationKind::AcceptanceCycle, pid: None, edge: None };
        let ending = self.walk.run.count(violation);
        if !self.walk.run.keeps(0, u64::MAX) {
            return ending;
        }
        self.ending = ending;
        // Merging may have left much of the stack of components.
        self.account(0);
        let (root, place) = (component.root, component.place as usize);
        let place = Place::Component { root, place };
        let more = if self.many { MoreMarks::ALL } else { MoreMarks::NONE };
        self.lasso = Lasso::new(&mut self.walk, place, self.done, (self.all, more), Vec::new());
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
            let top = self.components.last().unwrap_or_default();
            if top.place as usize == self.walk.stack.len() {
                self.phase = if self.without_rem { Phase::Again } else { Phase::Close };
                if self.without_rem {
                    self.walk.restart();
                }
                let reported = self.reported == Some(self.components.len() - 1);
                if self.accepts(&top) && !reported {
                    return self.report(top);
                }
                return None;
            }
        }
        self.back(system)
    }

    fn back(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        if !self.walk.back() {
            return Some(self.walk.run.explored());
        }
        if self.walk.has_more() {
            self.phase = Phase::Search;
            return self.walk.refresh(system);
        }
        // A state that is done needs no successors any more.
        self.phase = Phase::Leave;
        None
    }

    /// Takes a state of the complete component from the live stack, and leaves the component with
    /// the last one.
    fn close(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        if let Some(id) = self.live.pop() {
            self.finish(id);
        }
        let root = self.components.last().map_or(0, |top| top.root);
        if self.count > root {
            return None;
        }
        self.closed(system)
    }

    /// The search will not come back to this state.
    #[inline]
    fn finish(&mut self, id: StateId) {
        self.walk.store.set_tag(id, DONE | self.done);
        self.done += 1;
        self.count -= 1;
    }

    /// Takes the next step of the exploration that finishes the complete component. Its root is on
    /// the search stack, the path within the component above it.
    fn again(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let root = self.components.last().unwrap_or_default();
        let walk = &mut self.walk;
        let at_root = walk.stack.len() == root.place as usize;
        if at_root && walk.store.tag(walk.top.id) & DONE == 0 {
            let id = walk.top.id;
            self.finish(id);
            return if self.walk.has_more() { self.walk.refresh(system) } else { None };
        }
        if !walk.has_more() {
            if at_root {
                return self.closed(system);
            }
            walk.back();
            return if walk.has_more() { walk.refresh(system) } else { None };
        }
        let target = match walk.item() {
            Some(&Item::Target { start, end, moves, .. }) => Some((start, end, moves)),
            _ => None,
        };
        let Some((start, end, moves)) = target else {
            walk.top.next += 1;
            return None;
        };
        walk.run.statistics.inner_transitions += 1;
        let found = walk.find(start, end);
        walk.top.next += 1;
        let id = found?;
        if walk.store.tag(id) & DONE != 0 {
            return None;
        }
        let depth = walk.top.depth.saturating_add(moves);
        self.finish(id);
        self.walk.descend(Frame::new(id, depth)).or_else(|| self.walk.expand_again(system))
    }

    /// The top component's states are done.
    fn closed(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.components.pop();
        if self.many {
            self.more.pop();
        }
        if self.reported == Some(self.components.len()) {
            self.reported = None;
        }
        if self.tables() != self.accounted {
            // What was kept free for this component is there for the store again.
            self.account(0);
            if let Some(stop) = self.walk.settle(0) {
                return Some(stop);
            }
        }
        self.back(system)
    }

    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.all = system.acceptance();
        match self.walk.begin(system) {
            Ok(true) => {
                let id = self.walk.top.id;
                self.enter(id, 0, None).or_else(|| self.expand(system))
            }
            Ok(false) => Some(self.walk.run.explored()),
            Err(end) => Some(end),
        }
    }

    /// Begins with a new state.
    #[inline]
    fn expand(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        if self.shy && self.all != 0 {
            self.phase = Phase::Stored;
        }
        self.walk.expand(system)
    }

    /// Takes the next item of the top frame if it leads to a stored state, the others later.
    fn meet_stored(&mut self) -> Option<Outcome> {
        let walk = &mut self.walk;
        let target = match walk.item() {
            Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                walk.find(start, end).map(|id| (id, moves, atomic_moves))
            }
            Some(Item::Violation { .. }) => None,
            None => {
                walk.restart();
                self.phase = Phase::Search;
                return None;
            }
        };
        let (marks, more) = (walk.marks(), walk.more_marks());
        walk.top.next += 1;
        let (id, moves, atomic_moves) = target?;
        walk.count_step(moves, atomic_moves);
        walk.run.statistics.states_matched += 1;
        self.meet(id, marks, more)
    }

    /// Takes the next item of the top frame.
    #[inline]
    fn follow(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let walk = &mut self.walk;
        match walk.item() {
            Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                let (marks, more) = (walk.marks(), walk.more_marks());
                walk.top.next += 1;
                let met = |id: &StateId| *id <= walk.top.id;
                if self.shy && self.all != 0 && walk.find(start, end).as_ref().is_some_and(met) {
                    return None;
                }
                let depth = walk.count_step(moves, atomic_moves);
                match walk.arrive(start, end, depth) {
                    Ok(Arrival::New(id)) => walk
                        .descend(Frame::new(id, depth))
                        .or_else(|| self.enter(id, marks, more))
                        .or_else(|| self.expand(system)),
                    Ok(Arrival::Seen(id)) => self.meet(id, marks, more),
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

impl OnWalk for Couvreur {
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
            let end = if !self.walk.started {
                self.begin(system)
            } else {
                match self.phase {
                    Phase::Stored => self.meet_stored(),
                    Phase::Search => self.follow(system),
                    Phase::Leave => self.leave(system),
                    Phase::Close => self.close(system),
                    Phase::Again => self.again(system),
                }
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }
}
