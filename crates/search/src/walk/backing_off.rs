//! A walk whose path takes little memory, and that goes on elsewhere where it has no room for another
//! state, as at a depth limit.

use super::{Arrival, Walk};
use crate::frames::Frames;
use promenade_store::StateStore;

/// A search that backs off keeps one part in so many of its memory free for buffers.
const SLACK: u64 = 64;

impl<S: StateStore> Walk<S> {
    /// Keeps the path in little memory, for a store that needs no ids for it, and goes on elsewhere
    /// where it has no room for another state.
    pub(crate) fn back_off(&mut self) {
        self.stack = Frames::packed(self.run.budget());
        self.backs_off = true;
    }

    /// What the first piece of evidence needs beyond what is free once the search ends with it.
    pub(super) fn reserve(&self, path: u64) -> u64 {
        let all = self.run.reserve(path);
        if self.backs_off && self.run.ends_next() {
            all.saturating_sub(self.store.path_bytes())
        } else {
            all
        }
    }

    /// What a path that is to leave room for buffers must not take.
    pub(super) fn slack(&self) -> u64 {
        if self.backs_off { self.run.budget() / SLACK } else { 0 }
    }

    /// Whether there is memory for further frames, with what is kept free beside them.
    #[cold]
    pub(super) fn has_room_for_frames(&mut self) -> bool {
        let more = self.stack.push_bytes() + self.stack.growth() * 4 + self.slack() / 2;
        if self.available() < more {
            // What is still to come of other states is found out again.
            self.give_up_pending();
        }
        self.available() >= more
    }

    /// Gives up what is still to come of states on the path, and keeps less of it from now on.
    #[cold]
    pub(super) fn give_up_pending(&mut self) {
        if let Some(pending) = self.pending.as_mut().filter(|pending| pending.bytes > 0) {
            pending.clear();
            pending.limit = self.run.setup.limits.memory_bytes / SLACK;
        }
    }

    /// Does not follow a step, as the path has no room for the state, unless that is stored.
    #[cold]
    pub(super) fn turn_back(&mut self, start: u32, end: u32, depth: u32) -> Arrival {
        self.run.statistics.states_matched += 1;
        if let Some(id) = self.find(start, end) {
            return Arrival::Seen(id);
        }
        self.run.not_followed(u64::from(depth));
        Arrival::Cut
    }
}
