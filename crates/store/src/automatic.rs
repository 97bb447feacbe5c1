//! Exact as long as that is possible: what does not fit any more is remembered by signatures.

use crate::{Approximation, Exact, Guarantee, HashCompact, Insert, StateId, VisitedSet};
use crate::{StoreEntry, hash_compact};

/// For the list of stores.
pub const ENTRY: StoreEntry = StoreEntry {
    id: "automatic",
    title: "Automatic",
    doc: "Exact at first. When the memory for that is used up, the states stored so far stay, and \
          further ones are remembered by signatures: the search goes on, the report says that some \
          may have been missed, and how many to expect.",
    guarantee: Guarantee::Approximate,
};

/// Part of the budget that exact states may have: this many thirds.
const EXACT_THIRDS: u64 = 2;

/// An exact store and a table of signatures for what does not fit into it.
#[derive(Debug)]
pub struct Automatic {
    exact: Exact,
    rest: HashCompact,
    budget: u64,
    /// The exact store is full, and stays as it is.
    over: bool,
}

impl Automatic {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64, settings: hash_compact::Settings) -> Self {
        let exact = Exact::new(budget);
        let mut new = Self { exact, rest: HashCompact::new(0, settings), budget: 0, over: false };
        new.set_budget(budget);
        new
    }

    /// How many states are stored as they are.
    pub fn exact_states(&self) -> u64 {
        self.exact.len()
    }
}

impl VisitedSet for Automatic {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if !self.over {
            match self.exact.insert(state, key_len) {
                Insert::Full => {
                    self.over = true;
                    self.set_budget(self.budget);
                }
                answer => return answer,
            }
        }
        if self.exact.contains(state, key_len) {
            return Insert::Seen(StateId::default());
        }
        self.rest.insert(state, key_len)
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.exact.contains(state, key_len)
            || self.over && self.rest.cells() > 0 && self.rest.contains(state, key_len)
    }

    fn len(&self) -> u64 {
        self.exact.len() + self.rest.len()
    }

    fn memory_bytes(&self) -> u64 {
        self.exact.memory_bytes() + self.rest.memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
        if self.over {
            // The table takes at once what it may have; the rest is for the search's path.
            let left = bytes.saturating_sub(self.exact.memory_bytes());
            self.rest.set_budget(left / 4 * 3);
        } else {
            self.exact.set_budget(bytes / 3 * EXACT_THIRDS);
        }
    }

    fn guarantee(&self) -> Guarantee {
        if self.over { Guarantee::Approximate } else { Guarantee::Exact }
    }

    fn approximation(&self) -> Approximation {
        if !self.over {
            return Approximation::none(Guarantee::Exact, self.len());
        }
        Approximation { stored: self.len(), ..self.rest.approximation() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DifferentStates, lossy_agrees_with_oracle};

    #[test]
    fn exact_at_first_and_approximate_beyond() {
        let mut set = Automatic::new(1 << 16, hash_compact::Settings::default());
        let states: Vec<Vec<u8>> = DifferentStates::new(7).take(5000).collect();
        let mut stored = 0;
        for state in &states {
            let exact = set.exact_states() == stored;
            assert!(exact || set.guarantee() == Guarantee::Approximate);
            match set.insert(state, state.len()) {
                Insert::New(_) => stored += 1,
                Insert::Seen(_) => assert_eq!(set.guarantee(), Guarantee::Approximate),
                Insert::Full => break,
            }
            assert!(set.memory_bytes() <= 1 << 16);
            assert_eq!(set.len(), stored);
        }
        // Far more than an exact store of that size could hold.
        let mut exact = Exact::new(1 << 16);
        let fit = states.iter().take_while(|s| exact.insert(s, s.len()) != Insert::Full).count();
        assert!(stored > 2 * fit as u64, "{stored} against {fit}");
        let report = set.approximation();
        assert_eq!((report.guarantee, report.stored), (Guarantee::Approximate, stored));
        assert!(report.expected_omissions > 0.0 && report.expected_omissions < 0.1);
        // What was said to be exact is still there.
        assert!(states.iter().take(stored as usize).all(|s| set.contains(s, s.len())));
    }

    #[test]
    fn agrees_with_an_oracle_and_keeps_its_budget() {
        for budget in [0, 100, 5000, 1 << 16, 1 << 20] {
            let set = Automatic::new(budget, hash_compact::Settings::default());
            lossy_agrees_with_oracle(set, budget, 30_000);
        }
    }
}
