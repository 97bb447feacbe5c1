//! Searchers without threads: messages are delivered in random order.

use super::*;
use crate::BreadthFirst;
use crate::whole;
use crate::{Search, Step};
use promenade_base::Limits;
use promenade_base::random::Random;
use std::collections::VecDeque;

/// A random graph over numbers, with errors on some nodes, and deadlocks.
struct Graph {
    edges: Vec<Vec<u32>>,
    errors: Vec<bool>,
}

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(400);
        let most = 1 + random.below(4);
        let edges = (0..nodes)
            .map(|_| (0..random.below(most + 1)).map(|_| random.below(nodes) as u32).collect())
            .collect();
        let rare = 1 + random.below(60);
        let errors = (0..nodes).map(|_| random.chance(1, rare * 10)).collect();
        Self { edges, errors }
    }
}

impl TransitionSystem for Graph {
    fn hidden_bytes(&self) -> usize {
        1
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        out.bytes.extend([0, 0, 0, 0, 9]);
        out.items.push(Item::Target { start: 0, end: 5, moves: 0, atomic_moves: 0, steps: (0, 0) });
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        out.clear();
        let node = u32::from_le_bytes(*state.first_chunk().unwrap()) as usize;
        if self.errors[node] {
            let violation = Violation { kind: ViolationKind::Assertion, pid: None, edge: None };
            out.items.push(Item::Violation { violation, moves: 1, steps: (0, 0) });
        }
        for target in &self.edges[node] {
            let start = out.bytes.len() as u32;
            out.bytes.extend(target.to_le_bytes());
            out.bytes.push(state[4].wrapping_add(1));
            let end = start + 5;
            out.items.push(Item::Target { start, end, moves: 1, atomic_moves: 0, steps: (0, 0) });
        }
        if out.items.is_empty() {
            out.blocked = Some(Blocked::InvalidEnd);
        }
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

/// What goes from one to another.
enum Parcel {
    Batch(Vec<u8>),
    Order(Order),
}

/// All searchers together, in one thread, with messages in any order.
fn run(graph: &mut Graph, setup: &Setup, of: u32, seed: u64) -> (Coordinator, Vec<Member>) {
    let mut random = Random::new(seed);
    let mut members: Vec<Member> = (0..of)
        .map(|me| {
            let mut partition = Partition::new(setup, me, of);
            partition.begin(graph);
            Member::new(partition)
        })
        .collect();
    let mut coordinator = Coordinator::new(of, None, setup.limits.violations);
    let mut parcels: Vec<VecDeque<Parcel>> = (0..of).map(|_| VecDeque::new()).collect();
    let mut rounds = 0;
    while !coordinator.is_done() {
        rounds += 1;
        assert!(rounds < 1_000_000, "they wait for each other: {coordinator:?}");
        let who = random.below(of as usize);
        let mut posted = Vec::new();
        let member = &mut members[who];
        // Orders stay in order, batches do not.
        let at = random.below(parcels[who].len().max(1));
        let batch = matches!(parcels[who].get(at), Some(Parcel::Batch(_)));
        let parcel = if batch { parcels[who].remove(at) } else { parcels[who].pop_front() };
        let told = match parcel {
            Some(Parcel::Batch(batch)) => member.deliver(batch),
            Some(Parcel::Order(order)) => member.obey(order),
            None => member.work(graph, 1 + seed % 7, &mut |to, batch| posted.push((to, batch))),
        };
        for (to, batch) in posted {
            parcels[to as usize].push_back(Parcel::Batch(batch));
        }
        for (to, order) in told.map_or(Vec::new(), |told| coordinator.hear(who as u32, told)) {
            parcels[to as usize].push_back(Parcel::Order(order));
        }
    }
    (coordinator, members)
}

fn alone(graph: &mut Graph, setup: &Setup) -> (Outcome, Statistics, Vec<Evidence>) {
    let mut search = BreadthFirst::new(setup, whole(setup));
    loop {
        if let Step::Done(outcome) = search.advance(graph, 1000) {
            return (outcome, search.statistics(), search.evidence().to_vec());
        }
    }
}

/// Whether choices lead to a violation.
fn shows(graph: &mut Graph, evidence: &Evidence) -> bool {
    let mut out = Successors::default();
    graph.initial(&mut out);
    let mut state = out.target(0).unwrap().to_vec();
    for (at, choice) in evidence.choices.iter().enumerate() {
        graph.expand(&state, Selection::All, &mut out);
        match out.items.get(*choice as usize) {
            Some(Item::Target { .. }) => state = out.target(*choice as usize).unwrap().to_vec(),
            Some(Item::Violation { violation, .. }) => {
                return at + 1 == evidence.choices.len() && *violation == evidence.violation;
            }
            None => return false,
        }
    }
    graph.expand(&state, Selection::All, &mut out);
    out.blocked == Some(Blocked::InvalidEnd)
        && evidence.violation.kind == ViolationKind::InvalidEndState
}

#[test]
fn numbers_are_those_of_one_searcher() {
    let mut violated = 0;
    for seed in 0..1500 {
        let mut graph = Graph::random(seed);
        let violations = if seed % 3 == 0 { Some(1) } else { None };
        let depth = (seed % 5 == 0).then_some(1 + seed % 17);
        let limits = Limits { violations, depth, memory_bytes: 16 << 20, ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let (outcome, numbers, evidence) = alone(&mut graph, &setup);
        let of = 1 + (seed % 4) as u32;
        let (coordinator, members) = run(&mut graph, &setup, of, seed);
        let all: Vec<Statistics> = members.iter().map(|m| m.partition().statistics()).collect();
        let sum = together(&all);
        match coordinator.outcome() {
            Some(Outcome::Exhausted) => {
                let cut = members.iter().any(|m| m.partition().explored() != Outcome::Exhausted);
                assert_eq!(cut, outcome == Outcome::Stopped(StopReason::Depth), "seed {seed}");
                assert!(cut || outcome == Outcome::Exhausted, "seed {seed}");
                let of = |s: &Statistics| (s.states_stored, s.states_matched, s.errors, s.depth);
                assert_eq!(of(&sum), of(&numbers), "seed {seed}");
            }
            other => assert_eq!(other, Some(outcome), "seed {seed}"),
        }
        assert_eq!(coordinator.evidence().is_some(), !evidence.is_empty(), "seed {seed}");
        if let (Some(ours), Some(theirs)) = (coordinator.evidence(), evidence.first()) {
            violated += 1;
            assert!(shows(&mut graph, ours), "seed {seed}: {ours:?}");
            // Of the same level; a deadlock is shown by its state, an error by one choice more.
            let level = |e: &Evidence| {
                e.choices.len() - usize::from(e.violation.kind != ViolationKind::InvalidEndState)
            };
            assert_eq!(level(ours), level(theirs), "seed {seed}");
        }
    }
    assert!(violated > 300, "{violated}");
}

#[test]
fn the_result_does_not_depend_on_timing() {
    let mut violated = 0;
    for seed in 0..150 {
        let mut graph = Graph::random(seed);
        let violations = [Some(1), Some(3), None][seed as usize % 3];
        let limits = Limits { violations, memory_bytes: 16 << 20, ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let mut results = (0..50).map(|timing| {
            let (coordinator, members) = run(&mut graph, &setup, 3, timing);
            let all: Vec<Statistics> = members.iter().map(|m| m.partition().statistics()).collect();
            let sum = together(&all);
            let numbers = (sum.states_stored, sum.states_matched, sum.errors, sum.depth);
            (coordinator.outcome(), coordinator.evidence().cloned(), numbers)
        });
        let first = results.next().unwrap();
        for other in results {
            assert_eq!(other, first, "seed {seed}");
        }
        // As short as one searcher finds it, breadth first.
        let (_, _, evidence) = alone(&mut graph, &setup);
        if let Some(ours) = first.1 {
            violated += 1;
            assert!(ours.choices.len() <= evidence[0].choices.len(), "seed {seed}");
            assert!(shows(&mut graph, &ours), "seed {seed}");
        }
    }
    assert!(violated > 50, "{violated}");
}

#[test]
fn budgets_end_the_search() {
    let mut stopped = 0;
    for seed in 0..300 {
        let mut graph = Graph::random(seed);
        let limits = Limits {
            memory_bytes: (4 << 10) + seed * 100,
            violations: None,
            kept_violations: 1,
            ..Limits::default()
        };
        let setup = Setup { limits, ..Setup::default() };
        let (coordinator, members) = run(&mut graph, &setup, 3, seed);
        stopped += u32::from(coordinator.outcome() == Some(Outcome::Stopped(StopReason::Memory)));
        for member in &members {
            let used = member.partition().statistics().memory_bytes;
            // Batches of up to 32 KiB each are reserved where there is something to send.
            assert!(used <= setup.limits.memory_bytes + 3 * (BATCH as u64 + 200), "{used}");
        }
    }
    assert!(stopped > 50, "{stopped}");
}

#[test]
fn damaged_batches_do_no_harm() {
    let setup = Setup::default();
    let mut partition = Partition::new(&setup, 0, 2);
    partition.begin(&mut Graph::random(1));
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let mut batch: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        batch.extend([0, 0, 0, 0]);
        partition.deliver(batch);
    }
    assert!(partition.memory_bytes() < setup.limits.memory_bytes);
}
