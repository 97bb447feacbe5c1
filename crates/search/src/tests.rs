//! Both searches against a naive oracle on random graphs, with small budgets, slices and limits.

use crate::*;
use promenade_base::Limits;
use promenade_base::random::Random;
use promenade_store::Exact;
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};
use std::collections::HashSet;

/// What happens in a state, in order: a successor or a violation.
#[derive(Clone)]
enum Event {
    Edge(u32),
    Assert,
}

struct Graph {
    events: Vec<Vec<Event>>,
    deadlocks: Vec<bool>,
}

impl Graph {
    fn random(seed: u64, size: usize) -> Self {
        let mut random = Random::new(seed);
        let mut events = Vec::new();
        let mut deadlocks = Vec::new();
        for _ in 0..size {
            let n = random.below(4);
            let list: Vec<Event> = (0..n)
                .map(|_| match random.below(12) {
                    0 => Event::Assert,
                    _ => Event::Edge(random.below(size) as u32),
                })
                .collect();
            deadlocks.push(list.is_empty() && random.chance(1, 2));
            events.push(list);
        }
        Self { events, deadlocks }
    }

    fn encode(state: u32) -> Vec<u8> {
        let mut bytes = state.to_le_bytes().to_vec();
        bytes.extend(std::iter::repeat_n(7, state as usize % 5));
        bytes
    }
}

impl TransitionSystem for Graph {
    fn hidden_bytes(&self) -> usize {
        0
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        push(out, 0);
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        out.clear();
        let state = u32::from_le_bytes(*state.first_chunk().unwrap()) as usize;
        for event in &self.events[state] {
            match event {
                Event::Edge(target) => push(out, *target),
                Event::Assert => out.items.push(Item::Violation {
                    violation: Violation {
                        kind: ViolationKind::Assertion,
                        pid: Some(0),
                        edge: None,
                    },
                    moves: 1,
                    steps: (0, 0),
                }),
            }
        }
        if self.events[state].is_empty() {
            let blocked =
                if self.deadlocks[state] { Blocked::InvalidEnd } else { Blocked::ValidEnd };
            out.blocked = Some(blocked);
        }
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

fn push(out: &mut Successors, state: u32) {
    let start = out.bytes.len() as u32;
    out.bytes.extend(Graph::encode(state));
    let end = out.bytes.len() as u32;
    out.items.push(Item::Target { start, end, moves: 1, atomic_moves: 0, steps: (0, 0) });
}

/// Stored, matched, errors of the naive recursion in depth-first order, and whether each error is
/// the n-th.
fn oracle(graph: &Graph) -> (u64, u64, u64) {
    let (mut seen, mut stack) = (HashSet::from([0u32]), vec![(0u32, 0usize)]);
    let (mut matched, mut errors) = (0, u64::from(graph.deadlocks[0]));
    while let Some((state, next)) = stack.pop() {
        let Some(event) = graph.events[state as usize].get(next) else { continue };
        stack.push((state, next + 1));
        match event {
            Event::Assert => errors += 1,
            Event::Edge(target) if seen.insert(*target) => {
                errors += u64::from(graph.deadlocks[*target as usize]);
                stack.push((*target, 0));
            }
            Event::Edge(_) => matched += 1,
        }
    }
    (seen.len() as u64, matched, errors)
}

fn searches(budget: u64, limits: Limits) -> Vec<Box<dyn Search>> {
    let limits = Limits { memory_bytes: budget, ..limits };
    vec![
        Box::new(DepthFirst::new(Exact::new(budget), limits.clone())),
        Box::new(BreadthFirst::new(Exact::new(budget), limits)),
    ]
}

fn finish(search: &mut dyn Search, graph: &mut Graph, fuel: u64) -> Outcome {
    loop {
        if let Step::Done(outcome) = search.advance(graph, fuel) {
            return outcome;
        }
    }
}

/// A random graph of which thousands of states can be reached.
fn large() -> Graph {
    (0..)
        .map(|seed| Graph::random(seed, 20_000))
        .find(|graph| oracle(graph).0 > 5_000)
        .expect("there are such seeds")
}

fn all() -> Limits {
    Limits { violations: None, ..Limits::default() }
}

/// The violation reappears at the end of its choices.
fn confirm(graph: &mut Graph, evidence: &Evidence) {
    let mut out = Successors::new(false);
    graph.initial(&mut out);
    let mut state = out.target(0).unwrap().to_vec();
    let (path, last) = match evidence.violation.kind {
        ViolationKind::InvalidEndState => (&evidence.choices[..], None),
        _ => {
            let (last, path) = evidence.choices.split_last().unwrap();
            (path, Some(*last))
        }
    };
    for &choice in path {
        graph.expand(&state, Selection::All, &mut out);
        state = out.target(choice as usize).unwrap().to_vec();
    }
    graph.expand(&state, Selection::All, &mut out);
    match last {
        None => assert_eq!(out.blocked, Some(Blocked::InvalidEnd)),
        Some(item) => assert!(matches!(out.items[item as usize], Item::Violation { .. })),
    }
}

#[test]
fn full_searches_count_as_the_oracle_and_their_evidence_replays() {
    for seed in 0..600 {
        let mut graph = Graph::random(seed, 1 + seed as usize % 60);
        let expected = oracle(&graph);
        for mut search in searches(64 << 20, all()) {
            let outcome = finish(search.as_mut(), &mut graph, 1 + seed % 90);
            assert_eq!(outcome, Outcome::Exhausted, "seed {seed}");
            let s = search.statistics();
            assert_eq!((s.stored, s.matched, s.errors), expected, "seed {seed}");
            let evidence = search.evidence().to_vec();
            assert_eq!(evidence.len() as u64, expected.2.min(100));
            for found in &evidence {
                confirm(&mut graph, found);
            }
        }
    }
}

#[test]
fn slices_change_nothing() {
    for seed in 0..100 {
        let mut graph = Graph::random(seed, 50);
        let limits = Limits { violations: Some(1 + seed % 3), ..Limits::default() };
        let run = |graph: &mut Graph, fuel| -> Vec<_> {
            searches(64 << 20, limits.clone())
                .iter_mut()
                .map(|search| {
                    let outcome = finish(search.as_mut(), graph, fuel);
                    let s = search.statistics();
                    (outcome, s.stored, s.matched, s.errors, search.evidence().to_vec())
                })
                .collect()
        };
        assert_eq!(run(&mut graph, 1), run(&mut graph, 1_000_000), "seed {seed}");
    }
}

#[test]
fn budgets_are_kept_and_small_buffers_change_nothing() {
    let mut graph = large();
    let expected = oracle(&graph);
    let mut complete = 0;
    for budget in [10_000, 200_000, 400_000, 700_000, 1_500_000, 6_000_000] {
        for mut search in searches(budget, all()) {
            let outcome = loop {
                let step = search.advance(&mut graph, 50);
                let s = search.statistics();
                assert!(s.store_bytes + s.stack_bytes <= budget, "budget {budget}: {s:?}");
                if let Step::Done(outcome) = step {
                    break outcome;
                }
            };
            let s = search.statistics();
            assert!(s.peak_bytes <= budget);
            if outcome == Outcome::Exhausted {
                complete += 1;
                assert_eq!((s.stored, s.matched, s.errors), expected);
            } else {
                assert_eq!(outcome, Outcome::Stopped(StopReason::Memory));
                assert!(s.stored < expected.0);
            }
        }
    }
    assert!(complete >= 2, "the largest budgets suffice");
}

#[test]
fn limits_end_a_search_with_their_reason() {
    let mut graph = large();
    let (stored, ..) = oracle(&graph);
    for (limit, expected) in [
        (stored, Outcome::Exhausted),
        (stored - 1, Outcome::Stopped(StopReason::States)),
        (10, Outcome::Stopped(StopReason::States)),
    ] {
        for mut search in searches(64 << 20, Limits { states: Some(limit), ..all() }) {
            assert_eq!(finish(search.as_mut(), &mut graph, 1000), expected);
            assert!(search.statistics().stored <= limit);
        }
    }
    for mut search in searches(64 << 20, Limits { depth: Some(4), ..all() }) {
        let outcome = finish(search.as_mut(), &mut graph, 1000);
        assert_eq!(outcome, Outcome::Stopped(StopReason::Depth));
    }
}

#[test]
fn breadth_first_finds_a_shortest_run() {
    for seed in 0..200 {
        let mut graph = Graph::random(seed, 80);
        let lengths: Vec<_> = searches(64 << 20, Limits::default())
            .iter_mut()
            .map(|search| {
                finish(search.as_mut(), &mut graph, 1000);
                search.evidence().first().map(|e| e.choices.len())
            })
            .collect();
        assert_eq!(lengths[0].is_some(), lengths[1].is_some());
        assert!(lengths[1] <= lengths[0], "seed {seed}");
    }
}
