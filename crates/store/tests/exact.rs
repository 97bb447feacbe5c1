//! The exact store against a set of the standard library, with budgets that run out.

use promenade_base::random::Random;
use promenade_store::{Exact, Insert, StateId, StateStore, VisitedSet};
use std::collections::HashMap;

/// Random states: from a small pool (many are offered again), or mostly new ones.
fn state(random: &mut Random, variety: usize) -> Vec<u8> {
    let n = random.below(variety) as u32;
    let length = [3, 4, 9, 40, 200][n as usize % 5];
    let mut state = vec![0; length];
    state[..3].copy_from_slice(&n.to_le_bytes()[..3]);
    state
}

#[test]
fn answers_are_those_of_a_plain_set() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let hidden = random.below(4);
        let variety = *random.pick(&[10, 1000, 1 << 24]).unwrap();
        let budget = *random.pick(&[0, 500, 4 << 10, 64 << 10, 300_000, 4 << 20, 1 << 30]).unwrap();
        let mut ours = Exact::new(budget);
        let mut theirs: HashMap<Vec<u8>, (StateId, Vec<u8>)> = HashMap::new();
        let mut order = Vec::new();
        let mut full = 0;
        for step in 0..random.below(20_000) {
            let key = state(&mut random, variety);
            let mut whole = key.clone();
            whole.extend((0..hidden).map(|i| (step + i) as u8));
            assert_eq!(ours.contains(&whole, key.len()), theirs.contains_key(&key));
            match ours.insert(&whole, key.len()) {
                Insert::New(id) => {
                    assert!(theirs.insert(key, (id, whole)).is_none());
                    assert!(order.last().is_none_or(|last| *last < id));
                    order.push(id);
                }
                Insert::Seen(id) => assert_eq!(theirs.get(&key).map(|t| t.0), Some(id)),
                Insert::Full => {
                    assert!(!theirs.contains_key(&key));
                    full += 1;
                }
            }
            assert_eq!(ours.len(), theirs.len() as u64);
            assert!(ours.memory_bytes() <= budget, "{} of {budget}", ours.memory_bytes());
            if full > 100 {
                break;
            }
        }
        // Everything is still there, as it was first offered, in order.
        for (id, whole) in theirs.values() {
            assert_eq!(ours.get(*id, &mut Vec::new()), &whole[..]);
        }
        let walk = std::iter::successors(ours.first(), |id| ours.after(*id));
        assert_eq!(walk.collect::<Vec<_>>(), order);
    }
}

#[test]
fn a_state_costs_little_more_than_its_bits_that_vary() {
    for count in [600_000u32, 930_000, 1_350_000, 1_800_000] {
        let mut store = Exact::new(1 << 30);
        for n in 0..count {
            let mut state = [7; 20];
            state[..4].copy_from_slice(&n.to_le_bytes());
            assert!(matches!(store.insert(&state, 20), Insert::New(_)));
        }
        // Beside the first states, which are whole: three bytes of bits that vary, one for the
        // length, and a share of the table.
        let whole = 6 << 20;
        let bytes = (store.memory_bytes() - whole) as f64 / f64::from(count);
        assert!(bytes < 16.5, "{bytes} bytes with {count} states");
    }
}

#[test]
fn a_budget_is_used_almost_to_its_end() {
    for budget in [64u64 << 10, 1 << 20, 16 << 20] {
        let mut store = Exact::new(budget);
        let mut n = 0u64;
        while let Insert::New(_) = store.insert(&n.to_le_bytes(), 8) {
            n += 1;
        }
        assert!(store.memory_bytes() > budget * 9 / 10, "{} of {budget}", store.memory_bytes());
        assert!(n > budget / 22, "{n} states in {budget}");
        assert!(matches!(store.insert(&0u64.to_le_bytes(), 8), Insert::Seen(_)));
    }
}
