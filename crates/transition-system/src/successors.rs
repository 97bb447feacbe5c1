//! The successor buffer, reused from state to state.

use crate::Violation;

/// Acceptance sets as bits: a transition belongs to set `i` if bit `i` is set.
pub type Marks = u64;

/// Acceptance sets beyond those of [`Marks`]. A transition for which a system does not give any
/// belongs to all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoreMarks([u64; 4]);

impl MoreMarks {
    /// No set.
    pub const NONE: Self = Self([0; 4]);
    /// All sets.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// Adds a set by its number, from 0; there is room for 256, and others are left out.
    pub fn add(&mut self, set: u32) {
        if let Some(word) = self.0.get_mut(set as usize / 64) {
            *word |= 1 << (set % 64);
        }
    }

    /// Adds all sets of another.
    pub fn unite(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// Takes all sets of another away.
    pub fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Whether all sets of another are in it.
    pub fn has_all(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(word, other)| other & !word == 0)
    }

    /// Whether some set of another is in it.
    pub fn has_any(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| other & word != 0)
    }
}

/// Why a state has no successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// Every process has ended or rests at a valid end location.
    ValidEnd,
    /// A deadlock: some process is stuck elsewhere (or the trace assertion is unfinished).
    InvalidEnd,
}

/// One thing that happens when a state is expanded, in order.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A successor state.
    Target {
        /// Its bytes in the buffer.
        start: u32,
        /// One past its last byte.
        end: u32,
        /// Moves made on the way: 1 for a plain step, 2 for a rendezvous, more in an atomic.
        moves: u32,
        /// Of these, moves under an atomic's exclusive right.
        atomic_moves: u32,
        /// Micro steps in [`Successors::steps`], if recording.
        steps: (u32, u32),
    },
    /// Something went wrong on the way. Unless the path ends there, the target follows as an item
    /// of its own.
    Violation {
        /// What.
        violation: Violation,
        /// Moves made, the faulty one included.
        moves: u32,
        /// Micro steps up to and including the faulty one, if recording.
        steps: (u32, u32),
    },
}

/// How a message moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// Into a buffer.
    Send,
    /// Out of a buffer.
    Receive,
    /// Looked at, left there.
    Peek,
    /// Handed over.
    Rendezvous,
    /// Sent to a full buffer and lost.
    Lost,
}

/// A message of a recorded step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Channel number, from 1.
    pub channel: u8,
    /// How it moved.
    pub kind: MessageKind,
    /// Field values.
    pub values: Vec<i32>,
}

/// One recorded move (a rendezvous is one micro step of two processes).
#[derive(Clone, PartialEq, Debug)]
pub struct MicroStep {
    /// Who moved.
    pub pid: u8,
    /// The edge's number in the model.
    pub edge: u32,
    /// The receiver and its edge, in a rendezvous.
    pub partner: Option<(u8, u32)>,
    /// What was sent or received.
    pub message: Option<Message>,
    /// Text printed.
    pub printed: String,
    /// The process created, if one was.
    pub created: Option<u8>,
    /// The state after the step (possibly inside an atomic), bytes in the buffer. Empty where a
    /// violation ended the path before there was one.
    pub state: (u32, u32),
    /// This move was made under an atomic's exclusive right.
    pub atomic: bool,
}

/// What [`crate::TransitionSystem::expand`] fills.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Bytes of all states that items and micro steps refer to.
    pub bytes: Vec<u8>,
    /// What happens, in order. The index of an item is its choice number.
    pub items: Vec<Item>,
    /// For every item the acceptance sets that its transition belongs to, as bits; empty if the
    /// system has no acceptance condition. Nothing is meant by the marks of a violation.
    pub marks: Vec<Marks>,
    /// For every item the sets that have no room in `marks`; empty if its transitions belong to all
    /// of them, which is so for a system without more sets than 64. A run is accepting only if it
    /// meets these again and again as well.
    pub more_marks: Vec<MoreMarks>,
    /// Set when nothing could move.
    pub blocked: Option<Blocked>,
    /// The expansion was given up: there may be further items. Those that are here are right.
    pub incomplete: bool,
    /// Ask for micro steps (slower; replay and simulation only).
    pub record: bool,
    /// Ask for one item only: micro steps are recorded for no other, and those behind it may be
    /// left out. Stays when the buffer is cleared, as `record` does.
    pub wanted: Option<u32>,
    /// Recorded micro steps; paths through an atomic tree share nothing, each item has its own.
    pub steps: Vec<MicroStep>,
}

impl Successors {
    /// An empty buffer; `record` asks for micro steps.
    pub fn new(record: bool) -> Self {
        Self { record, ..Self::default() }
    }

    /// Empties it, keeping memory and the wish to record.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.steps.clear();
        self.marks.clear();
        self.more_marks.clear();
        self.blocked = None;
        self.incomplete = false;
    }

    /// The bytes of a range recorded in an item or micro step.
    pub fn slice(&self, range: (u32, u32)) -> &[u8] {
        self.bytes.get(range.0 as usize..range.1 as usize).unwrap_or(&[])
    }

    /// The state of a target item.
    pub fn target(&self, choice: usize) -> Option<&[u8]> {
        match self.items.get(choice)? {
            Item::Target { start, end, .. } => Some(self.slice((*start, *end))),
            Item::Violation { .. } => None,
        }
    }

    /// The marks of an item.
    pub fn marks_of(&self, choice: usize) -> Marks {
        self.marks.get(choice).copied().unwrap_or(0)
    }

    /// The sets of an item that have no room in its marks; nothing if those are all there are.
    #[inline]
    pub fn more_marks_of(&self, choice: usize) -> Option<MoreMarks> {
        self.more_marks.get(choice).copied()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.items.capacity() * size_of::<Item>()
            + self.steps.capacity() * size_of::<MicroStep>()
            + self.marks.capacity() * size_of::<Marks>()
            + self.more_marks.capacity() * size_of::<MoreMarks>()
    }
}
