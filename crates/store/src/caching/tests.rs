//! Tests of the state cache.

use super::*;
use crate::testing::likely_state;
use promenade_base::random::Random;
use std::collections::{HashMap, HashSet};

/// Clients of two servers that each do a few rounds of a small protocol: many interleavings,
/// short paths, some cycles (a client may give up waiting and ask again) and deadlocks.
struct Clients {
    clients: usize,
    rounds: u8,
}

impl Clients {
    /// Per client its place and its round; then who each server works for.
    fn initial(&self) -> Vec<u8> {
        let mut state = vec![0; 2 * self.clients];
        state.extend([u8::MAX; 2]);
        state
    }

    fn successors(&self, state: &[u8]) -> Vec<Vec<u8>> {
        let servers = 2 * self.clients;
        let mut all = Vec::new();
        for client in 0..self.clients {
            let (at, me) = (2 * client, client as u8);
            let mut go = |change: &dyn Fn(&mut Vec<u8>)| {
                let mut next = state.to_vec();
                change(&mut next);
                all.push(next);
            };
            let server = servers + (client + usize::from(state[at + 1])) % 2;
            match state[at] {
                0 if state[at + 1] < self.rounds => go(&|s| s[at] = 1),
                1 => {
                    go(&|s| s[at] = 0);
                    if state[server] == u8::MAX {
                        go(&|s| (s[at], s[server]) = (2, me));
                    }
                }
                2 => go(&|s| s[at] = 3),
                3 => go(&|s| {
                    (s[at], s[server]) = (0, u8::MAX);
                    s[at + 1] += 1;
                }),
                _ => {}
            }
        }
        all
    }
}

#[derive(Debug, PartialEq)]
struct Run {
    transitions: u64,
    different: usize,
    deadlocks: usize,
    complete: bool,
}

/// Depth-first search through a cache, checked at every step against what is on the stack.
/// Ends after `limit` transitions, or where the store is full.
fn search(system: &Clients, settings: Settings, limit: u64) -> (Run, Caching) {
    let mut store = Caching::new(u64::MAX, settings);
    let (mut different, mut deadlocks) = (HashSet::new(), HashSet::new());
    let mut on_stack: HashMap<Vec<u8>, StateId> = HashMap::new();
    let initial = system.initial();
    let Insert::New(first) = store.insert(&initial, initial.len()) else { panic!("no room") };
    on_stack.insert(initial.clone(), first);
    let mut stack = vec![(first, system.successors(&initial).into_iter())];
    different.insert(initial);
    let mut transitions = 0;
    while let Some((id, successors)) = stack.last_mut() {
        let Some(successor) = successors.next() else {
            assert_eq!(on_stack.remove(store.get(*id)), Some(*id));
            store.release(*id);
            stack.pop();
            continue;
        };
        transitions += 1;
        if transitions >= limit {
            break;
        }
        match store.insert(&successor, successor.len()) {
            Insert::New(id) => {
                let next = system.successors(&successor);
                if next.is_empty() {
                    deadlocks.insert(successor.clone());
                }
                stack.push((id, next.into_iter()));
                different.insert(successor.clone());
                assert!(on_stack.insert(successor, id).is_none());
            }
            Insert::Seen(id) => {
                assert!(different.contains(&successor));
                assert_eq!(store.get(id), &successor[..]);
                assert_eq!(store.is_held(id), on_stack.contains_key(&successor));
            }
            Insert::Full => break,
        }
        assert_eq!(store.held(), on_stack.len() as u64);
    }
    let (different, deadlocks, complete) = (different.len(), deadlocks.len(), on_stack.is_empty());
    (Run { transitions, different, deadlocks, complete }, store)
}

const SYSTEM: Clients = Clients { clients: 4, rounds: 4 };

/// The thesis measured the work of an elevator over the size of the cache; another system with
/// many ways to each state and short paths has the same curve down to two thirds.
#[test]
fn the_curve_of_work_over_size() {
    let room = |states| Settings { states: Some(states), ..Settings::default() };
    let (whole, store) = search(&SYSTEM, room(1_000_000), u64::MAX);
    assert!(whole.complete && store.replaced() == 0 && whole.deadlocks == 1);
    assert_eq!(store.len(), whole.different as u64);
    for (permille, wanted) in
        [(1000, 1.0), (993, 1.0), (950, 1.0), (900, 1.01), (800, 1.02), (700, 1.05), (650, 1.09)]
    {
        let states = whole.different as u64 * permille / 1000;
        let (run, store) = search(&SYSTEM, room(states), 2 * whole.transitions);
        let factor = run.transitions as f64 / whole.transitions as f64;
        assert!((factor - wanted).abs() <= 0.1 * wanted, "{factor} at {permille}");
        assert_eq!(Run { transitions: whole.transitions, ..run }, whole);
        assert!(store.replaced() > 0 && store.places() <= states);
    }
    // Half of the states is not enough for anything.
    let states = whole.different as u64 / 2;
    let (run, _) = search(&SYSTEM, room(states), 3 * whole.transitions);
    assert!(!run.complete);
}

#[test]
fn a_path_that_does_not_fit_and_a_store_that_replaces_nothing() {
    // Nothing may be replaced: full when it is, and every answer is that of an exact store.
    let settings =
        Settings { states: Some(5000), probes_before: 200, probes: 200, ..Settings::default() };
    let (run, store) = search(&SYSTEM, settings, u64::MAX);
    assert!(!run.complete && store.replaced() == 0);
    assert_eq!(run.different as u64, store.len());
    // Too small for the path.
    let (run, store) =
        search(&SYSTEM, Settings { states: Some(60), ..settings_of(10, 20) }, u64::MAX);
    assert!(!run.complete && store.held() <= store.places());
}

fn settings_of(probes_before: u32, probes: u32) -> Settings {
    Settings { probes_before, probes, ..Settings::default() }
}

#[test]
fn agrees_with_an_oracle_and_keeps_its_budget() {
    for (budget, settings) in [
        (0, Settings::default()),
        (20, Settings::default()),
        (200, Settings::default()),
        (2000, settings_of(0, 0)),
        (20_000, settings_of(10, 20)),
        (100_000, Settings::default()),
        (300_000, settings_of(50, 60)),
        (4 << 20, Settings::default()),
    ] {
        let mut random = Random::new(budget);
        let mut store = Caching::new(budget, settings);
        let mut held: Vec<(Vec<u8>, StateId)> = Vec::new();
        let mut ever = HashSet::new();
        let mut counts = [0u64; 3];
        for _ in 0..60_000 {
            let state = likely_state(&mut random, 20_000);
            let known = store.locate(&state, state.len());
            match store.insert(&state, state.len()) {
                Insert::New(id) => {
                    assert!(known.is_none() && held.iter().all(|(s, _)| *s != state));
                    assert_eq!(store.get(id), &state[..]);
                    assert!(store.is_held(id));
                    held.push((state.clone(), id));
                    ever.insert(state);
                    counts[0] += 1;
                }
                Insert::Seen(id) => {
                    assert!(known == Some(id) && ever.contains(&state));
                    assert_eq!(store.get(id), &state[..]);
                    counts[1] += 1;
                }
                Insert::Full => {
                    assert!(known.is_none());
                    counts[2] += 1;
                }
            }
            if held.len() > 20 || store.held() * 3 > store.places() {
                let (state, id) = held.swap_remove(random.below(held.len()));
                assert_eq!(store.get(id), &state[..]);
                store.release(id);
                assert!(!store.is_held(id));
            }
            assert_eq!(store.held(), held.len() as u64);
            assert_eq!(store.len() + store.replaced(), counts[0]);
            assert!(store.memory_bytes() <= budget, "{} of {budget}", store.memory_bytes());
        }
        for (state, id) in &held {
            assert_eq!(store.locate(state, state.len()), Some(*id));
        }
        assert_eq!(store.ids().count() as u64, store.len());
        assert!(store.ids().all(|id| ever.contains(store.get(id))));
        let report = store.approximation();
        assert_eq!((report.coverage(), report.replaced), (1.0, store.replaced()));
        match budget {
            0..=20 => assert_eq!(counts[0], 0),
            20_000..=300_000 => assert!(counts[0] > 10_000 && counts[2] < 2000, "{counts:?}"),
            _ => {}
        }
        assert!(budget < 4 << 20 || store.replaced() == 0 && counts[2] == 0);
    }
}

#[test]
fn long_states_hidden_bytes_and_foreign_ids() {
    let mut store = Caching::new(8 << 20, Settings { states: Some(1000), ..Settings::default() });
    assert!(matches!(store.insert(&vec![1; 1 << 20], 1 << 20), Insert::Full));
    let long = vec![1; (1 << 20) - 10];
    let Insert::New(id) = store.insert(&long, long.len() - 1) else { panic!("it fits") };
    assert_eq!(store.get(id), &long[..]);
    let mut other = long.clone();
    other[long.len() - 1] = 9;
    assert_eq!(store.insert(&other, long.len() - 1), Insert::Seen(id));
    assert!(matches!(store.insert(&other, long.len()), Insert::New(_)));
    store.release(StateId(u32::MAX));
    store.hold(StateId(u32::MAX));
    assert_eq!((store.get(StateId(u32::MAX)), store.held()), (&[] as &[u8], 2));
    store.release(id);
    store.release(id);
    assert_eq!(store.held(), 1);
    store.hold(id);
    assert!(store.is_held(id) && store.held() == 2);
    let mut back = Vec::new();
    store.recall(id, &mut back);
    assert_eq!(back, long);
}
