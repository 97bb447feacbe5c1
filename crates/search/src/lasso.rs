//! Counterexamples of infinite runs: a stem and a cycle, put together of shortest pieces.
//!
//! Breadth-first pieces as in "On-the-fly emptiness checks for generalized Büchi automata"
//! (J.-M. Couvreur, A. Duret-Lutz, D. Poitrenaud, SPIN 2005): the shortest way from the initial
//! state to the accepting component, in it shortest ways to the marks that are missing, then back.
//! The result is short, not always shortest. Works in slices and inside the budget of the search.

use crate::run::EVIDENCE_BYTES;
use crate::walk::Walk;
use promenade_store::{ChunkedVec, StateId, StateStore, Tagged};
use promenade_transition_system::{
    Item, Marks, MoreMarks, Selection, Successors, TransitionSystem,
};

/// In the tag of a state: the search will not come back to it. The lower bits number such states
/// one by one. Without it, they number the states that are still in question.
pub(crate) const DONE: u32 = 1 << 31;
/// In the tag of a state: free for the search.
pub(crate) const FLAG: u32 = 1 << 30;
/// The number in a tag. A stored state takes five bytes at least and ids are 32 bits, so there are
/// fewer states than this.
pub(crate) const NUMBER: u32 = FLAG - 1;
/// The tag of a state that is stored but was not visited, in a search that keeps to given states.
pub(crate) const UNVISITED: u32 = u32::MAX;

/// Notes that a state is visited; whether it was not.
pub(crate) fn visit(store: &mut Tagged, id: StateId) -> bool {
    let first = store.tag(id) == UNVISITED;
    if first {
        store.set_tag(id, 0);
    }
    first
}

/// Which states a breadth-first search may enter, and how it numbers them without gaps.
#[derive(Clone, Copy, Debug)]
enum Region {
    /// All stored states, of which this many are done.
    Stored(u32),
    /// The same numbers, but only states of [`Lasso::members`].
    Members(u32),
    /// States in question with this number or a larger one.
    Component(u32),
}

impl Region {
    #[inline]
    fn index(self, tag: u32) -> Option<usize> {
        match self {
            _ if tag == UNVISITED => None,
            Self::Stored(done) | Self::Members(done) => Some(index_of(tag, done)),
            Self::Component(root) if is_member(tag, root) => {
                Some((tag & NUMBER) as usize - root as usize)
            }
            Self::Component(_) => None,
        }
    }
}

/// A number for every stored state, where so many are done.
#[inline]
pub(crate) fn index_of(tag: u32, done: u32) -> usize {
    let number = (tag & NUMBER) as usize;
    if tag & DONE != 0 { number } else { done as usize + number }
}

/// Whether a state is in question and has this number or a larger one.
#[inline]
fn is_member(tag: u32, root: u32) -> bool {
    tag & DONE == 0 && tag & NUMBER >= root
}

/// Where a breadth-first search ends.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// At a state in question with this number or a larger one.
    Component(u32),
    /// After a transition that belongs to any of [`Lasso::missing`].
    Missing,
    /// At this state.
    State(StateId),
    /// At a state of [`Piece::wanted`].
    Wanted,
    /// At a state of [`Lasso::members`].
    Member,
}

/// How many of the largest buffers so far one buffer that is filled again and again can amount to:
/// its parts may have grown for different states, each to twice what was needed.
pub(crate) const BUFFERS: u64 = 4;

/// A state that was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    id: StateId,
    /// Place in the queue of the state before.
    parent: u32,
    choice: u32,
}

enum Reply {
    Running,
    /// The goal and the place of the last transition: parent and choice.
    Found(Reached),
    /// There is no way, or it does not fit into the budget.
    Nothing,
    Cancelled,
}

/// A breadth-first search over stored states.
#[derive(Debug)]
struct Piece {
    region: Region,
    goal: Goal,
    queue: ChunkedVec<Reached>,
    /// One bit a state of the region: it is in the queue.
    seen: Vec<u64>,
    /// One bit a state of the region: it is a goal. Empty for other goals.
    wanted: Vec<u64>,
    /// Place in the queue of the state that is being expanded.
    at: usize,
    expanded: bool,
    next: usize,
}

impl Piece {
    fn bytes(&self) -> u64 {
        let words = self.seen.capacity() + self.wanted.capacity();
        self.queue.memory_bytes() + words as u64 * 8
    }
}

/// Words of a bit table.
pub(crate) fn words(states: u64) -> u64 {
    states.div_ceil(64)
}

pub(crate) fn get_bit(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

pub(crate) fn set_bit(bits: &mut [u64], index: usize) {
    if let Some(word) = bits.get_mut(index / 64) {
        *word |= 1 << (index % 64);
    }
}

/// What is left to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Stem,
    Collect,
    Back,
}

/// Where the cycle is to be looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// States in question from this number on are an accepting component. The search stack enters
    /// it at this place.
    Component { root: u32, place: usize },
    /// The choice leads from the state over an accepting transition to a state from which there is
    /// a way back.
    Transition { from: StateId, choice: u32, to: StateId },
    /// The states of [`Lasso::members`] are strongly connected and carry all marks.
    Members,
}

/// What one slice did.
pub(crate) enum LassoStep {
    Running,
    Cancelled,
    /// A lasso, or none that fits into the budget.
    Done(Option<(Vec<u32>, usize)>),
}

/// The construction of one lasso.
#[derive(Debug)]
pub(crate) struct Lasso {
    place: Place,
    done: u32,
    /// Sets that the cycle is still to meet.
    missing: (Marks, MoreMarks),
    stem: ChunkedVec<u32>,
    cycle: ChunkedVec<u32>,
    /// For a given transition: the states that the choices of the cycle lead to.
    states: ChunkedVec<StateId>,
    /// For given states: one bit a stored state, numbered by [`index_of`].
    members: Vec<u64>,
    part: Part,
    /// Where the cycle begins, and how many of its choices are to be moved to its end for that.
    first: StateId,
    rotation: usize,
    piece: Option<Piece>,
    successors: Successors,
    /// What of the walk's memory is ours.
    charged: u64,
    failed: bool,
}

impl Lasso {
    /// An upper bound of the memory for a component of this many states that is entered by a path
    /// on the stack. It is enough for cycles up to twice as long, and so for one acceptance set
    /// always.
    ///
    /// To that come [`BUFFERS`] buffers of successors.
    pub(crate) fn bytes_for(budget: u64, states: u64) -> u64 {
        // A path on the stack is part of the states. What is used for the pieces is free again when
        // the evidence is written.
        let choices = ChunkedVec::<u32>::new(budget);
        size_of::<Self>() as u64
            + ChunkedVec::<Reached>::new(budget).bytes_for(states + 1)
            + words(states) * 8
            + choices.bytes_for(states)
            + choices.bytes_for(2 * states + 1)
            + EVIDENCE_BYTES
    }

    /// Begins, if there is any memory for it. `done` states of the store are done; the cycle has to
    /// carry all of `marks`; `members` are for [`Place::Members`].
    pub(crate) fn new(
        walk: &mut Walk<Tagged>,
        place: Place,
        done: u32,
        marks: (Marks, MoreMarks),
        members: Vec<u64>,
    ) -> Option<Box<Self>> {
        if !walk.fits(size_of::<Self>() as u64 + members.capacity() as u64 * 8) {
            return None;
        }
        let budget = walk.run.budget();
        let mut lasso = Box::new(Self {
            place,
            done,
            missing: marks,
            stem: ChunkedVec::new(budget),
            cycle: ChunkedVec::new(budget),
            states: ChunkedVec::new(budget),
            members,
            part: Part::Stem,
            first: StateId::default(),
            rotation: 0,
            piece: None,
            successors: Successors::default(),
            charged: 0,
            failed: false,
        });
        lasso.charge(walk);
        lasso.begin(walk);
        Some(lasso)
    }

    fn begin(&mut self, walk: &mut Walk<Tagged>) {
        match self.place {
            Place::Component { root, .. } => {
                let start = walk.store.first().unwrap_or_default();
                if is_member(walk.store.tag(start), root) {
                    self.first = start;
                    self.start(walk, Part::Collect, start);
                } else {
                    self.start(walk, Part::Stem, start);
                }
            }
            Place::Members => {
                let start = walk.store.first().unwrap_or_default();
                if get_bit(&self.members, index_of(walk.store.tag(start), self.done)) {
                    self.first = start;
                    self.start(walk, Part::Collect, start);
                } else {
                    self.start(walk, Part::Stem, start);
                }
            }
            Place::Transition { from, choice, to } => {
                self.first = from;
                self.failed = !self.add(walk, false, 1);
                if self.failed {
                    return;
                }
                self.cycle.set(0, choice);
                self.states.set(0, to);
                if from == to {
                    self.after_cycle(walk);
                } else {
                    self.start(walk, Part::Back, to);
                }
            }
        }
    }

    /// Adds room for so many choices to the stem or the cycle.
    fn add(&mut self, walk: &mut Walk<Tagged>, stem: bool, count: usize) -> bool {
        for _ in 0..count {
            let choices = if stem { &mut self.stem } else { &mut self.cycle };
            let more = choices.push_bytes();
            if more > 0 && !walk.fits(more) {
                return false;
            }
            choices.push(0);
            if more > 0 {
                self.charge(walk);
            }
            if !stem && matches!(self.place, Place::Transition { .. }) {
                let more = self.states.push_bytes();
                if more > 0 && !walk.fits(more) {
                    return false;
                }
                self.states.push(StateId::default());
                if more > 0 {
                    self.charge(walk);
                }
            }
        }
        true
    }

    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
            + self.stem.memory_bytes()
            + self.cycle.memory_bytes()
            + self.states.memory_bytes()
            + self.members.capacity() as u64 * 8
            + self.piece.as_ref().map_or(0, Piece::bytes)
            + self.successors.memory_bytes() as u64
    }

    /// Tells the walk what memory is ours now.
    fn charge(&mut self, walk: &mut Walk<Tagged>) {
        let bytes = self.bytes();
        walk.also = walk.also + bytes - self.charged;
        self.charged = bytes;
        walk.note_peak();
    }

    fn start(&mut self, walk: &mut Walk<Tagged>, part: Part, from: StateId) {
        self.part = part;
        let (region, goal) = match (self.place, part) {
            (Place::Component { root, .. }, Part::Stem) => {
                (Region::Stored(self.done), Goal::Component(root))
            }
            (Place::Component { root, .. }, Part::Collect) => {
                (Region::Component(root), Goal::Missing)
            }
            (Place::Component { root, .. }, Part::Back) => {
                (Region::Component(root), Goal::State(self.first))
            }
            (Place::Members, Part::Stem) => (Region::Stored(self.done), Goal::Member),
            (Place::Members, Part::Collect) => (Region::Members(self.done), Goal::Missing),
            (Place::Members, Part::Back) => (Region::Members(self.done), Goal::State(self.first)),
            (Place::Transition { .. }, Part::Stem) => (Region::Stored(self.done), Goal::Wanted),
            (Place::Transition { .. }, _) => (Region::Stored(self.done), Goal::State(self.first)),
        };
        let stored = walk.run.statistics.states_stored;
        let states = match region {
            Region::Stored(_) | Region::Members(_) => stored,
            Region::Component(root) => stored - u64::from(self.done) - u64::from(root),
        };
        let mut piece = Piece {
            region,
            goal,
            queue: ChunkedVec::new(walk.run.budget()),
            seen: Vec::new(),
            wanted: Vec::new(),
            at: 0,
            expanded: false,
            next: 0,
        };
        let tables = if matches!(goal, Goal::Wanted) { 2 } else { 1 };
        let first = words(states) * 8 * tables + piece.queue.push_bytes();
        let words = usize::try_from(words(states)).unwrap_or(usize::MAX);
        if !walk.fits(first) || piece.seen.try_reserve_exact(words).is_err() {
            self.failed = true;
            return;
        }
        piece.seen.resize(words, 0);
        if matches!(goal, Goal::Wanted) {
            if piece.wanted.try_reserve_exact(words).is_err() {
                self.failed = true;
                return;
            }
            piece.wanted.resize(words, 0);
            let indices = self.states.iter().map(|id| region.index(walk.store.tag(id)));
            indices.flatten().for_each(|index| set_bit(&mut piece.wanted, index));
        }
        piece.queue.push(Reached { id: from, parent: 0, choice: 0 });
        if let Some(index) = region.index(walk.store.tag(from)) {
            set_bit(&mut piece.seen, index);
        }
        self.piece = Some(piece);
        self.charge(walk);
    }

    /// One expansion or transition of the present piece.
    fn step(&mut self, walk: &mut Walk<Tagged>, system: &mut dyn TransitionSystem) -> Reply {
        let Some(piece) = &mut self.piece else { return Reply::Nothing };
        let Some(present) = piece.queue.get(piece.at) else { return Reply::Nothing };
        if !piece.expanded {
            let state = walk.store.get(present.id, &mut walk.buffer);
            system.expand(state, Selection::All, &mut self.successors);
            piece.expanded = true;
            piece.next = 0;
            if walk.run.cancelled().is_some() {
                return Reply::Cancelled;
            }
            let before = self.charged;
            if self.bytes() != before {
                if !walk.fits(self.bytes().saturating_sub(before)) {
                    self.successors = Successors::default();
                    return Reply::Nothing;
                }
                self.charge(walk);
            }
            return Reply::Running;
        }
        let choice = piece.next;
        let Some(item) = self.successors.items.get(choice) else {
            piece.at += 1;
            piece.expanded = false;
            return Reply::Running;
        };
        piece.next += 1;
        let &Item::Target { start, end, .. } = item else { return Reply::Running };
        let state = self.successors.slice((start, end));
        let key = state.len() - walk.hidden.min(state.len());
        let Some(id) = walk.store.find(state, key) else { return Reply::Running };
        let tag = walk.store.tag(id);
        let Some(index) = piece.region.index(tag) else { return Reply::Running };
        let member = get_bit(&self.members, index);
        if matches!(piece.region, Region::Members(_)) && !member {
            return Reply::Running;
        }
        let reached = Reached { id, parent: piece.at as u32, choice: choice as u32 };
        let found = match piece.goal {
            Goal::Component(root) => is_member(tag, root),
            Goal::Missing => {
                let (marks, more) = &self.missing;
                self.successors.marks_of(choice) & marks != 0
                    || match self.successors.more_marks_of(choice) {
                        Some(own) => own.has_any(more),
                        None => *more != MoreMarks::NONE,
                    }
            }
            Goal::State(goal) => id == goal,
            Goal::Wanted => get_bit(&piece.wanted, index),
            Goal::Member => member,
        };
        if found {
            return Reply::Found(reached);
        }
        if get_bit(&piece.seen, index) {
            return Reply::Running;
        }
        set_bit(&mut piece.seen, index);
        let more = piece.queue.push_bytes();
        if more > 0 && !walk.fits(more) {
            return Reply::Nothing;
        }
        piece.queue.push(reached);
        if more > 0 {
            self.charge(walk);
        }
        Reply::Running
    }

    /// Writes down the way that the present piece has found.
    fn take(&mut self, walk: &mut Walk<Tagged>, last: Reached) -> bool {
        let reached = |lasso: &Self, place: u32| {
            let piece = lasso.piece.as_ref();
            piece.and_then(|piece| piece.queue.get(place as usize)).unwrap_or_default()
        };
        // The piece begins at place 0, which nothing has led to.
        let mut length = 1;
        let mut place = last.parent;
        while place > 0 {
            length += 1;
            place = reached(self, place).parent;
        }
        let stem = self.part == Part::Stem;
        let start = if stem { self.stem.len() } else { self.cycle.len() };
        if !self.add(walk, stem, length) {
            return false;
        }
        let mut step = last;
        for at in (start..start + length).rev() {
            let choices = if stem { &mut self.stem } else { &mut self.cycle };
            choices.set(at, step.choice);
            if !stem {
                self.states.set(at, step.id);
            }
            step = reached(self, step.parent);
        }
        self.piece = None;
        self.charge(walk);
        true
    }

    /// The path on the stack as stem, where there is no room to look for a better one.
    fn stem_of_stack(&mut self, walk: &mut Walk<Tagged>) -> bool {
        let Place::Component { place, .. } = self.place else { return false };
        self.piece = None;
        self.successors = Successors::default();
        self.charge(walk);
        if !self.add(walk, true, place) {
            return false;
        }
        for at in 0..place {
            self.stem.set(at, walk.chosen(at));
        }
        self.first = walk.stack.get(place).unwrap_or(walk.top).id;
        self.start(walk, Part::Collect, self.first);
        !self.failed
    }

    /// The cycle through a given transition is there: now its stem, if it needs one.
    fn after_cycle(&mut self, walk: &mut Walk<Tagged>) -> bool {
        let start = walk.store.first().unwrap_or_default();
        if self.begin_cycle_at(start) {
            return true;
        }
        self.start(walk, Part::Stem, start);
        false
    }

    /// Lets the cycle begin at this state, if the state is on it.
    fn begin_cycle_at(&mut self, id: StateId) -> bool {
        let at = self.states.iter().position(|state| state == id);
        self.rotation = at.map_or(0, |at| (at + 1) % self.states.len().max(1));
        at.is_some()
    }

    /// Goes on to the next piece; true if there is none.
    fn proceed(&mut self, walk: &mut Walk<Tagged>, last: Reached) -> bool {
        let end = last.id;
        match (self.place, self.part) {
            (Place::Component { .. } | Place::Members, Part::Stem) => {
                self.first = end;
                self.start(walk, Part::Collect, end);
            }
            (Place::Component { .. } | Place::Members, Part::Collect) => {
                // Nothing else on the way has a missing mark, or the search had ended there.
                let choice = last.choice as usize;
                self.missing.0 &= !self.successors.marks_of(choice);
                let more = self.successors.more_marks_of(choice).unwrap_or(MoreMarks::ALL);
                self.missing.1.remove(&more);
                if self.missing != (0, MoreMarks::NONE) {
                    self.start(walk, Part::Collect, end);
                } else if end == self.first {
                    return true;
                } else {
                    self.start(walk, Part::Back, end);
                }
            }
            (Place::Component { .. } | Place::Members, Part::Back) => return true,
            (Place::Transition { .. }, Part::Stem) => {
                self.failed = !self.begin_cycle_at(end);
                return !self.failed;
            }
            (Place::Transition { .. }, _) => return self.after_cycle(walk),
        }
        false
    }

    /// Does a slice. After [`LassoStep::Done`] nothing of the walk's memory is ours any more; a
    /// lasso is to be kept at once.
    pub(crate) fn advance(
        &mut self,
        walk: &mut Walk<Tagged>,
        system: &mut dyn TransitionSystem,
        fuel: &mut u64,
    ) -> LassoStep {
        while !self.failed {
            // A cycle of one transition at the initial state needs no piece.
            if self.piece.is_none() {
                return self.finish(walk);
            }
            if *fuel == 0 {
                return LassoStep::Running;
            }
            *fuel -= 1;
            match self.step(walk, system) {
                Reply::Running => {}
                Reply::Found(last) => {
                    if !self.take(walk, last) {
                        self.failed = true;
                    } else if self.proceed(walk, last) {
                        return self.finish(walk);
                    }
                }
                Reply::Nothing => {
                    self.failed = self.part != Part::Stem || !self.stem_of_stack(walk)
                }
                Reply::Cancelled => {
                    self.give_back(walk);
                    return LassoStep::Cancelled;
                }
            }
        }
        self.give_back(walk);
        LassoStep::Done(None)
    }

    /// Frees everything.
    fn give_back(&mut self, walk: &mut Walk<Tagged>) {
        self.piece = None;
        self.successors = Successors::default();
        self.stem.clear();
        self.cycle.clear();
        self.states.clear();
        self.members = Vec::new();
        walk.also -= self.charged;
        self.charged = 0;
    }

    fn finish(&mut self, walk: &mut Walk<Tagged>) -> LassoStep {
        self.piece = None;
        self.successors = Successors::default();
        self.members = Vec::new();
        self.charge(walk);
        let length = self.stem.len() + self.cycle.len();
        let mut choices = Vec::new();
        let bytes = EVIDENCE_BYTES + length as u64 * 4;
        if !walk.fits(bytes) || choices.try_reserve_exact(length).is_err() {
            self.give_back(walk);
            return LassoStep::Done(None);
        }
        walk.also += bytes;
        walk.note_peak();
        walk.also -= bytes;
        let stem = self.stem.len();
        choices.extend(self.stem.iter().chain(self.cycle.iter()));
        if let Some(cycle) = choices.get_mut(stem..) {
            cycle.rotate_left(self.rotation.min(cycle.len()));
        }
        self.give_back(walk);
        LassoStep::Done(Some((choices, stem)))
    }
}
