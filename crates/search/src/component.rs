//! The accepting component of a state that is known to lie in one, among the stored states.
//!
//! Couvreur's algorithm from that state on. The path stands on the search stack above what the
//! search has there, and is gone when the component is found.

use crate::Outcome;
use crate::lasso::{index_of, set_bit, words};
use crate::walk::{Frame, Walk};
use promenade_store::{ChunkedVec, StateId, Tagged};
use promenade_transition_system::{Item, Marks, TransitionSystem};

/// The rank of a state whose component is complete; 0 is that of one not seen yet.
const CLOSED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// Marks of the step into it, and of its own.
    entry: Marks,
    inside: Marks,
    /// Rank of its first state, and the place of that on the search stack.
    root: u32,
    place: u32,
}

/// What a step found.
pub(crate) enum Found {
    Running,
    /// One bit a stored state, by the number that its tag and the number of done states give:
    /// strongly connected, with all marks. Nothing if there was no memory for it.
    Done(Option<Vec<u64>>),
    Ended(Outcome),
}

/// The search for the component.
#[derive(Debug)]
pub(crate) struct ComponentOf {
    all: Marks,
    done: u32,
    /// Length of the search stack before.
    base: usize,
    /// The peak of the stacks before: a counterexample is no part of the search.
    peak: u64,
    ranks: Vec<u32>,
    members: Vec<u64>,
    parts: ChunkedVec<Part>,
    /// The numbers of the states that have a rank, in its order.
    live: ChunkedVec<u32>,
    /// What of the walk's memory is ours.
    charged: u64,
}

impl ComponentOf {
    /// Begins at a stored state; `done` of the stored ones are done. Nothing if there is no memory
    /// for it.
    pub(crate) fn new(walk: &mut Walk<Tagged>, all: Marks, done: u32) -> Option<Box<Self>> {
        let (budget, states) = (walk.run.budget(), walk.run.statistics.states_stored);
        let (states, words) = (usize::try_from(states).ok()?, usize::try_from(words(states)).ok()?);
        let bytes = states as u64 * 4 + words as u64 * 8 + size_of::<Self>() as u64;
        if !walk.fits(bytes) {
            return None;
        }
        let (mut ranks, mut members) = (Vec::new(), Vec::new());
        ranks.try_reserve_exact(states).ok()?;
        members.try_reserve_exact(words).ok()?;
        ranks.resize(states, 0);
        members.resize(words, 0);
        Some(Box::new(Self {
            all,
            done,
            base: walk.stack.len(),
            peak: walk.run.statistics.peak_stack,
            ranks,
            members,
            parts: ChunkedVec::new(budget),
            live: ChunkedVec::new(budget),
            charged: 0,
        }))
    }

    /// Memory of all this.
    fn memory_bytes(&self) -> u64 {
        size_of::<Self>() as u64
            + self.ranks.capacity() as u64 * 4
            + self.members.capacity() as u64 * 8
            + self.parts.memory_bytes()
            + self.live.memory_bytes()
    }

    /// Tells the walk what memory is ours now.
    fn charge(&mut self, walk: &mut Walk<Tagged>) {
        let bytes = self.memory_bytes();
        walk.also = walk.also + bytes - self.charged;
        self.charged = bytes;
        walk.note_peak();
    }

    /// Goes to the first state. The caller forgets the memory in [`Walk::also`] after the end.
    pub(crate) fn begin(
        &mut self,
        walk: &mut Walk<Tagged>,
        system: &mut dyn TransitionSystem,
        id: StateId,
    ) -> Found {
        self.charge(walk);
        self.enter(walk, system, id, 0)
    }

    /// Goes on to a state without a rank.
    fn enter(
        &mut self,
        walk: &mut Walk<Tagged>,
        system: &mut dyn TransitionSystem,
        id: StateId,
        entry: Marks,
    ) -> Found {
        let more = self.live.push_bytes() + self.parts.push_bytes();
        if more > 0 && !walk.fits(more) {
            return self.end(walk, None);
        }
        let index = index_of(walk.store.tag(id), self.done);
        self.live.push(index as u32);
        let (root, place) = (self.live.len() as u32, walk.stack.len() as u32 + 1);
        self.parts.push(Part { entry, inside: 0, root, place });
        if more > 0 {
            self.charge(walk);
        }
        if let Some(rank) = self.ranks.get_mut(index) {
            *rank = root;
        }
        set_bit(&mut self.members, index);
        let end = walk.descend(Frame::new(id, 0)).or_else(|| walk.expand_again(system));
        self.ended(walk, end)
    }

    /// The search goes on without the component if the memory does not suffice.
    fn ended(&mut self, walk: &mut Walk<Tagged>, end: Option<Outcome>) -> Found {
        match end {
            None => Found::Running,
            Some(_) if walk.run.cancelled().is_none() => self.end(walk, None),
            Some(end) => {
                self.end(walk, None);
                Found::Ended(end)
            }
        }
    }

    /// Leaves the search stack as it was, apart from the buffers of its states.
    fn end(&mut self, walk: &mut Walk<Tagged>, found: Option<Vec<u64>>) -> Found {
        while walk.stack.len() > self.base {
            walk.back();
        }
        walk.run.statistics.peak_stack = self.peak;
        Found::Done(found)
    }

    /// Goes on by one transition or state.
    pub(crate) fn step(
        &mut self,
        walk: &mut Walk<Tagged>,
        system: &mut dyn TransitionSystem,
    ) -> Found {
        if !walk.has_more() {
            return self.leave(walk, system);
        }
        let target = match walk.item() {
            Some(&Item::Target { start, end, .. }) => walk.find(start, end),
            _ => None,
        };
        let marks = walk.marks();
        walk.top.next += 1;
        let Some(id) = target else { return Found::Running };
        let index = index_of(walk.store.tag(id), self.done);
        match self.ranks.get(index).copied().unwrap_or(CLOSED) {
            CLOSED => return Found::Running,
            0 => return self.enter(walk, system, id, marks),
            rank => self.merge(rank, marks),
        }
        let whole = self.parts.len() == 1;
        if whole && self.parts.last().is_some_and(|part| part.inside & self.all == self.all) {
            let members = std::mem::take(&mut self.members);
            self.charge(walk);
            return self.end(walk, Some(members));
        }
        Found::Running
    }

    /// Joins the parts down to that of a rank.
    fn merge(&mut self, rank: u32, marks: Marks) {
        let mut marks = marks;
        while let Some(mut top) = self.parts.pop() {
            if top.root <= rank {
                top.inside |= marks;
                self.parts.push(top);
                return;
            }
            marks |= top.inside | top.entry;
        }
    }

    /// The top frame is done, and its part, if it is the first state of that, is a component.
    fn leave(&mut self, walk: &mut Walk<Tagged>, system: &mut dyn TransitionSystem) -> Found {
        let part = self.parts.last().unwrap_or_default();
        if part.place as usize == walk.stack.len() {
            if let Some(index) = self.live.pop() {
                let index = index as usize;
                if let Some(rank) = self.ranks.get_mut(index) {
                    *rank = CLOSED;
                }
                if let Some(word) = self.members.get_mut(index / 64) {
                    *word &= !(1 << (index % 64));
                }
            }
            if self.live.len() as u32 >= part.root {
                return Found::Running;
            }
            self.parts.pop();
        }
        walk.back();
        if walk.stack.len() <= self.base {
            // Only if there is no accepting component.
            return self.end(walk, None);
        }
        let end = if walk.has_more() { walk.refresh(system) } else { None };
        self.ended(walk, end)
    }
}
