//! Visited sets: how explored states are remembered inside a memory budget.
//!
//! **The budget is never exceeded.** Everything a store reserves is counted, spare capacity and the
//! old half of a growing table included; growth that does not fit is not begun, and the insertion
//! that would have needed it answers [`Insert::Full`].
#![forbid(unsafe_code)]

#[macro_use]
mod declare;

mod arena;
mod blocked;
mod catalogue;
mod changes;
mod chunked;
mod fingerprints;
pub mod omission;
mod path;
mod probing;
mod queue;
mod signatures;
mod table;
pub mod tagged;
#[cfg(test)]
mod testing;
mod tight;
mod undo;
mod words;

pub use catalogue::{Made, Making};
pub use chunked::ChunkedVec;
pub use omission::Approximation;
pub use path::PathStore;
pub use promenade_options::Store;
pub use queue::QueueStore;
pub use signatures::Signatures;
pub use tagged::{OnPath, Tagged};

promenade_options::stores!(declare_stores);

/// A stored state. Ids are handed out by a store and mean nothing elsewhere; later states have
/// larger ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StateId(pub(crate) u32);

/// What happened to a state that was offered to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// It was not there; now it is.
    New(StateId),
    /// It was there already.
    Seen(StateId),
    /// It is not there and does not fit into the budget. Everything stored before is still there.
    Full,
}

/// What an answer of a store is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// `Seen` is said of stored states only.
    Exact,
    /// `Seen` is said of stored states only, but a stored state may be forgotten and then be `New`
    /// again. No state is missed; counts may be too high, and a search ends only if it keeps the
    /// states of its path.
    Forgetful,
    /// `Seen` may be said of a new state, which is then missed.
    Approximate,
}

/// A set of states with a memory budget.
pub trait VisitedSet: std::fmt::Debug {
    /// Adds a state unless its first `key_len` bytes are those of a stored one. The rest is hidden:
    /// kept with the state, but not part of its identity. All states of a store hide equally many
    /// bytes.
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert;

    /// Whether a state with this identity is stored.
    fn contains(&self, state: &[u8], key_len: usize) -> bool;

    /// How many states are stored.
    fn len(&self) -> u64;

    /// Whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All memory reserved, in bytes.
    fn memory_bytes(&self) -> u64;

    /// Sets how much memory may be reserved from now on. What is reserved already stays.
    fn set_budget(&mut self, bytes: u64);

    /// Gives a good part of the memory back that was reserved, if there can be as many states in the
    /// rest and none is forgotten; whether it did.
    fn give_back(&mut self) -> bool {
        false
    }

    /// What [`Insert::Seen`] is worth.
    fn guarantee(&self) -> Guarantee;

    /// Whether [`Self::announce`] makes insertions faster.
    fn wants_announcements(&self) -> bool {
        false
    }

    /// Says that states with these identities will be offered soon. A set may begin to fetch what it
    /// has to look at, so that they wait for memory together.
    fn announce(&self, keys: &mut dyn Iterator<Item = &[u8]>) {
        let _ = keys;
    }

    /// Says that the search has left a state for good: it is no longer on its path.
    fn leave(&mut self, id: StateId) {
        let _ = id;
    }

    /// Says where the states offered next come from: a stored state, by its id, and the choice made
    /// there.
    fn coming_from(&mut self, parent: StateId, choice: u32) {
        let _ = (parent, choice);
    }

    /// What a report says about states that were missed: how full the set is, and how many
    /// omissions to expect.
    fn approximation(&self) -> Approximation {
        Approximation::none(self.guarantee(), self.len())
    }
}

/// A visited set that gives states back.
pub trait StateStore: VisitedSet {
    /// The bytes of a stored state, hidden ones included; nothing that can be relied upon for an id
    /// of another store. A store that does not keep states as they are writes the state into the
    /// buffer, whatever that holds.
    fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8];

    /// The stored state with this identity.
    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId>;

    /// The state stored first.
    fn first(&self) -> Option<StateId>;

    /// The state stored next after `id`.
    fn after(&self, id: StateId) -> Option<StateId>;

    /// Whether a stored state is on the path of the depth-first search that says when it has left
    /// one ([`VisitedSet::leave`]). Stores that do not keep that say yes.
    fn on_path(&self, id: StateId) -> bool {
        let _ = id;
        true
    }

    /// Whether the last [`Insert::Full`] was only for want of room to keep the state on the path or
    /// in the queue: in a set that is asked for other states, or later, there may be room.
    fn path_is_full(&self) -> bool {
        false
    }

    /// Memory that [`Self::drop_path`] gives back, in bytes.
    fn path_bytes(&self) -> u64 {
        0
    }

    /// Forgets the path of a search that is over. No state can be read any more.
    fn drop_path(&mut self) {}
}

/// A visited set that can write a stored state into a buffer, even if it does not keep states as
/// they are.
pub trait Recall: VisitedSet {
    /// Appends the bytes of a stored state, hidden ones included; nothing for an id of another
    /// store.
    fn recall(&self, id: StateId, into: &mut Vec<u8>);

    /// The stored state with this identity.
    fn locate(&self, state: &[u8], key_len: usize) -> Option<StateId>;
}

impl<S: StateStore> Recall for S {
    fn recall(&self, id: StateId, into: &mut Vec<u8>) {
        let mut buffer = Vec::new();
        into.extend_from_slice(self.get(id, &mut buffer));
    }

    fn locate(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.find(state, key_len)
    }
}

impl<V: VisitedSet + ?Sized> VisitedSet for Box<V> {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        (**self).insert(state, key_len)
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        (**self).contains(state, key_len)
    }

    fn len(&self) -> u64 {
        (**self).len()
    }

    fn memory_bytes(&self) -> u64 {
        (**self).memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        (**self).set_budget(bytes);
    }

    fn give_back(&mut self) -> bool {
        (**self).give_back()
    }

    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }

    fn wants_announcements(&self) -> bool {
        (**self).wants_announcements()
    }

    fn announce(&self, keys: &mut dyn Iterator<Item = &[u8]>) {
        (**self).announce(keys);
    }

    fn leave(&mut self, id: StateId) {
        (**self).leave(id);
    }

    fn coming_from(&mut self, parent: StateId, choice: u32) {
        (**self).coming_from(parent, choice);
    }

    fn approximation(&self) -> Approximation {
        (**self).approximation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_options::Traits;

    /// A system without steps.
    #[derive(Debug)]
    struct Nowhere;

    impl delta::Stepper for Nowhere {
        fn step(&mut self, _: &mut Vec<u8>, _: u32) -> bool {
            false
        }
    }

    /// Cuts nothing.
    #[derive(Debug)]
    struct AtOnce;

    impl collapse::Cut for AtOnce {
        fn cut(&self, _: &[u8], _: &mut Vec<collapse::Part>) {}
    }

    #[test]
    fn every_store_answers_with_the_guarantee_of_its_traits() {
        let settings = promenade_options::Settings::default();
        let making = Making {
            settings: &settings,
            budget: 1 << 17,
            share: 1 << 17,
            cut: &|| Box::new(AtOnce),
            steps: &|| Box::new(Nowhere),
        };
        for kind in Store::ALL.iter().copied() {
            let mut store: Box<dyn VisitedSet> = match build(kind, &making) {
                Some(made) => made.set,
                None => Box::new(Whole::new(kind, making.budget)),
            };
            assert_eq!(store.approximation().coverage(), 1.0);
            assert!(matches!(store.insert(&[1, 2], 2), Insert::New(_)));
            let report = store.approximation();
            let now = match kind {
                // It is exact as long as the memory suffices.
                Store::Automatic => Guarantee::Exact,
                _ if kind.is_lossy() => Guarantee::Approximate,
                _ if kind.has(Traits::FORGETS) => Guarantee::Forgetful,
                _ => Guarantee::Exact,
            };
            assert_eq!((report.guarantee, store.guarantee()), (now, now));
            assert_eq!(report.stored, 1);
            let misses = now == Guarantee::Approximate;
            assert_eq!(report.next_omission > 0.0, misses, "{kind:?}");
        }
    }
}
