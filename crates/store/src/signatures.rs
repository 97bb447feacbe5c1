//! Tables of signatures that come one after the other: memory that nothing else needs becomes a
//! further table once the last one is nearly full.
//!
//! A table of signatures cannot grow, as it does not know the states any more, and it takes all its
//! memory at once. A search that does not know how long its path or its queue becomes would have to
//! guess how much to leave for it. So the first table has a part of the memory only. A state is new if
//! it is in none of them, and goes into the last one: nothing is forgotten, and a search looks into a
//! few tables.

use crate::hash_compact::Settings;
use crate::{Approximation, Guarantee, HashCompact, Insert, StateId, VisitedSet};

/// Of the memory that is left, a further table takes this part.
const OF_WHAT_IS_LEFT: (u64, u64) = (2, 3);
/// It is not worth its searches if it takes less than one part in so many of all.
const LEAST_PART: u64 = 24;

/// The tables. States have no ids: all answers carry the default id.
#[derive(Debug)]
pub struct Signatures {
    /// The last one takes new states.
    tables: Vec<HashCompact>,
    settings: Settings,
    budget: u64,
    /// Part of the budget that the first table may have.
    first: (u64, u64),
}

impl Signatures {
    /// No tables yet. The first one takes the part `first` of the budget that there is when the first
    /// state comes, or as much as the number of cells asks for.
    pub fn new(budget: u64, settings: Settings, first: (u64, u64)) -> Self {
        Self { tables: Vec::new(), settings, budget, first }
    }

    /// How many tables there are.
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Adds a table, if there is memory for one that is worth while.
    #[cold]
    fn add(&mut self) -> bool {
        let left = self.budget.saturating_sub(self.memory_bytes());
        let (part, of) = if self.tables.is_empty() { self.first } else { OF_WHAT_IS_LEFT };
        // For a moment there are two lists.
        let list = ((self.tables.len() + 1) * size_of::<HashCompact>()) as u64;
        let bytes = (left / of * part).saturating_sub(list);
        let further = !self.tables.is_empty();
        if bytes == 0
            || further && (bytes < self.budget / LEAST_PART || self.settings.cells.is_some())
        {
            return false;
        }
        self.tables.reserve_exact(1);
        self.tables.push(HashCompact::new(bytes, self.settings));
        true
    }

    /// Whether it is in a table that takes no new states any more.
    #[inline]
    fn is_in_full_one(&self, state: &[u8], key_len: usize) -> bool {
        let full = self.tables.split_last().map_or(&[][..], |(_, full)| full);
        full.iter().any(|table| table.contains(state, key_len))
    }
}

impl VisitedSet for Signatures {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if self.is_in_full_one(state, key_len) {
            return Insert::Seen(StateId::default());
        }
        if self.tables.last().is_none_or(HashCompact::is_crowded) {
            let seen = self.tables.last().is_some_and(|last| last.contains(state, key_len));
            if seen {
                return Insert::Seen(StateId::default());
            }
            // Without a further one the last one is filled up.
            self.add();
        }
        self.tables.last_mut().map_or(Insert::Full, |last| last.insert(state, key_len))
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.tables.iter().any(|table| table.contains(state, key_len))
    }

    fn len(&self) -> u64 {
        self.tables.iter().map(VisitedSet::len).sum()
    }

    fn memory_bytes(&self) -> u64 {
        let list = (self.tables.capacity() * size_of::<HashCompact>()) as u64;
        self.tables.iter().map(VisitedSet::memory_bytes).sum::<u64>() + list
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn approximation(&self) -> Approximation {
        let all: Vec<Approximation> = self.tables.iter().map(VisitedSet::approximation).collect();
        let none = Approximation::none(Guarantee::Approximate, 0);
        let (mut sum, mut confused) = (none, 0.0);
        for it in all {
            // What is in a later table was offered to the earlier ones, too, when they were full.
            sum = Approximation {
                guarantee: Guarantee::Approximate,
                stored: sum.stored + it.stored,
                places: sum.places + it.places,
                places_used: sum.places_used + it.places_used,
                next_omission: sum.next_omission + it.next_omission,
                expected_omissions: sum.expected_omissions
                    + it.expected_omissions
                    + it.stored as f64 * confused,
                replaced: 0,
            };
            confused += it.next_omission;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DifferentStates, lossy_agrees_with_oracle};

    #[test]
    fn further_tables_come_while_there_is_memory_and_nothing_is_forgotten() {
        let budget = 1 << 18;
        let settings = Settings::default();
        let mut set = Signatures::new(budget, settings, (1, 4));
        let mut single = HashCompact::new(budget, settings);
        let states: Vec<Vec<u8>> = DifferentStates::new(4).take(80_000).collect();
        let (mut stored, mut tables) = (0, 0);
        for state in &states {
            match set.insert(state, state.len()) {
                Insert::New(_) => stored += 1,
                Insert::Seen(_) => {}
                Insert::Full => break,
            }
            tables = tables.max(set.tables());
            assert!(set.memory_bytes() <= budget);
            assert_eq!(set.len(), stored);
        }
        assert!(tables > 2, "{tables}");
        assert!(states.iter().take(stored as usize).all(|s| set.contains(s, s.len())));
        let most = states.iter().take_while(|s| single.insert(s, s.len()) != Insert::Full).count();
        assert!(stored > most as u64 * 85 / 100, "{stored} of {most}");
        // Memory that something else takes is left to it.
        let mut small = Signatures::new(budget, settings, (1, 4));
        small.insert(&states[0], states[0].len());
        small.set_budget(budget / 4);
        let fit = states.iter().take_while(|s| small.insert(s, s.len()) != Insert::Full).count();
        assert!(small.tables() == 1 && fit as u64 * 3 < stored, "{fit} of {stored}");
    }

    #[test]
    fn as_many_states_are_missed_as_it_says() {
        let (mut missed, mut told) = (0, 0.0);
        for seed in 0..60 {
            let settings = Settings { cell_bits: 12, seed, ..Settings::default() };
            let mut set = Signatures::new(20_000, settings, (1, 4));
            for state in DifferentStates::new(seed).take(9_000) {
                assert_ne!(set.insert(&state, state.len()), Insert::Full);
            }
            assert!(set.tables() > 1);
            missed += 9_000 - set.len();
            told += set.approximation().expected_omissions;
        }
        let off = (missed as f64 - told).abs();
        assert!(missed > 500 && off < 5.0 * told.sqrt() + 0.02 * told, "{missed}, told {told}");
    }

    #[test]
    fn agrees_with_an_oracle_and_keeps_its_budget() {
        for budget in [0, 100, 5000, 1 << 16, 1 << 20] {
            let set = Signatures::new(budget, Settings::default(), (1, 4));
            lossy_agrees_with_oracle(set, budget, 30_000);
        }
    }
}
