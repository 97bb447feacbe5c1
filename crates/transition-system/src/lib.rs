//! The narrow waist: states as bytes, successors as a buffer, one trait.
//!
//! **Equality of states is equality of bytes** (of the identity part, see
//! [`TransitionSystem::hidden_bytes`]). Whoever writes a state writes it canonically.
#![forbid(unsafe_code)]

mod reducer;
mod successors;
mod violation;

pub use reducer::{CHOICES, Reducer, pack, unpack};
pub use successors::{
    Blocked, Item, Marks, Message, MessageKind, MicroStep, MoreMarks, Successors,
};
pub use violation::{Violation, ViolationKind};

/// Which processes to expand. Reductions ask for less than all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// All.
    All,
    /// Only this process.
    Process(u8),
}

/// A system whose states are byte strings and whose successors come in a fixed order.
///
/// The order is part of the contract: counterexamples are stored as indices into it.
pub trait TransitionSystem {
    /// How many bytes at the end of every state do not belong to its identity: visited sets leave
    /// them out, but they travel along (`hidden` variables).
    fn hidden_bytes(&self) -> usize;

    /// Clears `out` and fills it with the initial state (one target), or with the violation that
    /// prevents it.
    fn initial(&mut self, out: &mut Successors);

    /// Clears `out` and fills it with the successors of `state` in order. A step inside an
    /// unfinished atomic sequence is followed at once by the next one, so targets are the states
    /// that SPIN would store; rendezvous handshakes are one step.
    ///
    /// An expansion that takes too much time or memory may be given up, see
    /// [`Successors::incomplete`].
    ///
    /// With [`Selection::All`], [`Successors::blocked`] says afterwards whether nothing could move
    /// and what that means.
    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors);

    /// The acceptance condition, as the marks that an accepting run meets again and again: an
    /// infinite run is accepting if for every bit set here infinitely many of its transitions carry
    /// that mark. Zero: the system has no condition, and marks are not given.
    ///
    /// Marks of states (accept labels) are given to all transitions that leave the state. Sets for
    /// which 64 bits are too few are those of [`Successors::more_marks`]; a system that gives them in
    /// some states gives one of the marks here to every transition, so that those that belong to all
    /// of the others can be told from none.
    fn acceptance(&self) -> Marks {
        0
    }

    /// Clears `out` and fills it with the type and the location of each process of `state`, by pid.
    /// Reductions ask for it; a system that gives nothing is not reduced.
    fn control(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        let _ = state;
        out.clear();
    }

    /// Messages and slots of the channel with a number (from 1), if it exists in `state`.
    fn channel_fill(&self, state: &[u8], number: u32) -> Option<(u32, u32)> {
        let _ = (state, number);
        None
    }

    /// The bytes of the locals of a process.
    fn locals<'s>(&self, state: &'s [u8], pid: u8) -> Option<&'s [u8]> {
        let _ = (state, pid);
        None
    }

    /// Coverage: for every edge of the model (by number) whether any expansion so far took it.
    fn executed(&self) -> &[bool];
}
