//! Systems made up for tests, and searches written in the plainest way.
#![allow(dead_code)]

pub mod automaton;

use promenade_base::random::Random;
use promenade_search::{Evidence, Outcome, Search, Setup, Step, StopReason, build};
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};
use std::collections::HashSet;

/// What happens in a node, in order.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Edge { to: u32, moves: u32, atomic: u32 },
    Violation { kind: ViolationKind, moves: u32 },
}

/// A graph given edge by edge.
#[derive(Clone, Debug)]
pub struct Graph {
    pub events: Vec<Vec<Event>>,
    pub stuck: Vec<bool>,
    pub initial: Vec<Event>,
    pub hidden: usize,
    pub expansions: u64,
}

pub fn violation(kind: ViolationKind) -> Violation {
    let pid = (kind != ViolationKind::InvalidEndState).then_some(0);
    Violation { kind, pid, edge: None }
}

impl Graph {
    /// A random one, seldom with fatal violations or none in the beginning.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let size = 1 + random.below(if seed.is_multiple_of(10) { 400 } else { 40 });
        let density = 1 + random.below(4);
        let faults = random.below(3);
        let mut events = Vec::new();
        let mut stuck = Vec::new();
        for node in 0..size {
            let count = random.below(density + 2);
            let list: Vec<Event> = (0..count)
                .map(|_| match random.below(40) {
                    0 if faults > 1 && random.chance(1, 20) => {
                        Event::Violation { kind: ViolationKind::BlockedDStep, moves: 1 }
                    }
                    1..=3 if faults > 0 => Event::Violation {
                        kind: *random
                            .pick(&[ViolationKind::Assertion, ViolationKind::DivisionByZero])
                            .unwrap(),
                        moves: 1 + random.below(3) as u32,
                    },
                    _ => {
                        let moves = 1 + random.below(7).saturating_sub(4) as u32;
                        let near = node + random.below(6);
                        let to = if random.chance(1, 3) { random.below(size) } else { near % size };
                        Event::Edge { to: to as u32, moves, atomic: moves / 2 }
                    }
                })
                .collect();
            let moves = list.iter().any(|e| matches!(e, Event::Edge { .. }));
            stuck.push(!moves && faults > 0 && random.chance(1, 2));
            events.push(list);
        }
        let mut initial = vec![Event::Edge { to: 0, moves: 0, atomic: 0 }];
        if random.chance(1, 30) {
            initial.insert(0, Event::Violation { kind: ViolationKind::Assertion, moves: 1 });
        } else if random.chance(1, 30) {
            initial = vec![Event::Violation { kind: ViolationKind::IndexOutOfBounds, moves: 1 }];
        }
        Self { events, stuck, initial, hidden: random.below(3), expansions: 0 }
    }

    fn put(&self, list: &[Event], salt: u8, out: &mut Successors) {
        for event in list {
            match *event {
                Event::Edge { to, moves, atomic } => {
                    let start = out.bytes.len() as u32;
                    out.bytes.extend_from_slice(&to.to_le_bytes());
                    out.bytes.extend((0..to % 7).map(|i| i as u8));
                    out.bytes.extend((0..self.hidden).map(|_| salt));
                    let end = out.bytes.len() as u32;
                    let atomic_moves = atomic;
                    out.items.push(Item::Target { start, end, moves, atomic_moves, steps: (0, 0) });
                }
                Event::Violation { kind, moves } => {
                    let violation = violation(kind);
                    out.items.push(Item::Violation { violation, moves, steps: (0, 0) });
                }
            }
        }
    }
}

impl TransitionSystem for Graph {
    fn hidden_bytes(&self) -> usize {
        self.hidden
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        self.put(&self.initial, 0, out);
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        out.clear();
        self.expansions += 1;
        let node = u32::from_le_bytes(*state.first_chunk().unwrap()) as usize;
        self.put(&self.events[node], node as u8, out);
        if self.stuck[node] {
            out.blocked = Some(Blocked::InvalidEnd);
        }
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

/// Counters that count up (and wrap, if asked), each state with some bytes of filling: as large as
/// wanted, with known numbers.
#[derive(Clone, Debug)]
pub struct Grid {
    pub sides: Vec<u8>,
    pub wrap: bool,
    pub filling: usize,
}

impl Grid {
    pub fn states(&self) -> u64 {
        self.sides.iter().map(|s| u64::from(*s)).product()
    }
}

impl TransitionSystem for Grid {
    fn hidden_bytes(&self) -> usize {
        0
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        out.bytes.resize(self.sides.len() + self.filling, 0);
        let end = out.bytes.len() as u32;
        out.items.push(Item::Target { start: 0, end, moves: 0, atomic_moves: 0, steps: (0, 0) });
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        out.clear();
        for (i, side) in self.sides.iter().enumerate() {
            let next = state[i] + 1;
            let next = if next < *side {
                next
            } else if self.wrap {
                0
            } else {
                continue;
            };
            let start = out.bytes.len();
            out.bytes.extend_from_slice(state);
            out.bytes[start + i] = next;
            let (start, end) = (start as u32, out.bytes.len() as u32);
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

/// Memory of a search that has not begun.
const LEAST: u64 = 1664;

/// What a search says, as far as it must not depend on slices and buffers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub outcome: Outcome,
    pub stored: u64,
    pub matched: u64,
    pub errors: u64,
    pub atomic: u64,
    pub evidence: Vec<Evidence>,
}

/// Runs a search to its end in slices, and looks at its memory after each.
pub fn run(
    id: &str,
    setup: &Setup,
    system: &mut dyn TransitionSystem,
    fuel: u64,
) -> (Answer, Box<dyn Search>) {
    run_search(build(id, setup).unwrap(), setup, system, fuel)
}

/// The same for a search that was made.
pub fn run_search(
    mut search: Box<dyn Search>,
    setup: &Setup,
    system: &mut dyn TransitionSystem,
    fuel: u64,
) -> (Answer, Box<dyn Search>) {
    let outcome = loop {
        let step = search.advance(system, fuel);
        let budget = setup.limits.memory_bytes;
        let charged = search.memory_bytes();
        // Two empty buffers, a small table and the search itself are there before anything is asked.
        assert!(charged <= budget.max(LEAST), "{charged} of {budget}");
        assert!(search.statistics().memory_bytes <= budget.max(LEAST));
        if let Step::Done(outcome) = step {
            break outcome;
        }
    };
    assert_eq!(search.advance(system, fuel), Step::Done(outcome));
    let s = search.statistics();
    let answer = Answer {
        outcome,
        stored: s.states_stored,
        matched: s.states_matched,
        errors: s.errors,
        atomic: s.atomic_steps,
        evidence: search.evidence().to_vec(),
    };
    (answer, search)
}

/// A search as plain as can be: recursive or with a queue, sets of whole states.
pub struct Oracle<'a> {
    graph: &'a Graph,
    setup: &'a Setup,
    seen: HashSet<u32>,
    cut: bool,
    pub answer: Answer,
    path: Vec<u32>,
}

impl<'a> Oracle<'a> {
    pub fn new(graph: &'a Graph, setup: &'a Setup) -> Self {
        let answer = Answer {
            outcome: Outcome::Exhausted,
            stored: 0,
            matched: 0,
            errors: 0,
            atomic: 0,
            evidence: Vec::new(),
        };
        Self { graph, setup, seen: HashSet::new(), cut: false, answer, path: Vec::new() }
    }

    fn report(&mut self, kind: ViolationKind, depth: u64) -> Result<(), Outcome> {
        self.answer.errors += 1;
        if self.answer.evidence.len() < self.setup.limits.kept_violations {
            let choices = self.path.clone();
            self.answer.evidence.push(Evidence {
                choices,
                stem: None,
                violation: violation(kind),
                depth,
            });
        }
        if kind.fatal() {
            return Err(Outcome::Fatal);
        }
        match self.setup.limits.violations {
            Some(n) if self.answer.errors >= n => Err(Outcome::ViolationLimit),
            _ => Ok(()),
        }
    }

    fn arrive(&mut self, node: u32, depth: u64) -> Result<bool, Outcome> {
        if depth > 0 && self.setup.limits.depth.is_some_and(|limit| depth >= limit) {
            self.answer.matched += 1;
            self.cut |= !self.seen.contains(&node);
            return Ok(false);
        }
        if self.seen.contains(&node) {
            self.answer.matched += 1;
            return Ok(false);
        }
        if self.setup.limits.states.is_some_and(|limit| self.answer.stored >= limit) {
            return Err(Outcome::Stopped(StopReason::States));
        }
        self.seen.insert(node);
        self.answer.stored += 1;
        Ok(true)
    }

    fn finish(mut self, result: Result<(), Outcome>) -> Answer {
        self.answer.outcome = match result {
            Err(outcome) => outcome,
            Ok(()) if self.cut => Outcome::Stopped(StopReason::Depth),
            Ok(()) => Outcome::Exhausted,
        };
        self.answer
    }

    fn begin(&mut self, counts_moves: bool) -> Result<bool, Outcome> {
        let mut started = false;
        for event in &self.graph.initial {
            match *event {
                Event::Edge { .. } => started |= self.arrive(0, 0)?,
                Event::Violation { kind, moves } => {
                    self.report(kind, u64::from(moves) * u64::from(counts_moves))?;
                }
            }
        }
        Ok(started)
    }

    pub fn depth_first(mut self) -> Answer {
        let result = match self.begin(true) {
            Ok(true) => self.visit(0, 0),
            other => other.map(|_| ()),
        };
        self.finish(result)
    }

    fn visit(&mut self, node: u32, depth: u64) -> Result<(), Outcome> {
        let graph = self.graph;
        for (choice, event) in graph.events[node as usize].iter().enumerate() {
            self.path.push(choice as u32);
            match *event {
                Event::Edge { to, moves, atomic } => {
                    self.answer.atomic += u64::from(atomic);
                    let depth = depth + u64::from(moves);
                    if self.arrive(to, depth)? {
                        self.visit(to, depth)?;
                    }
                }
                Event::Violation { kind, moves } => self.report(kind, depth + u64::from(moves))?,
            }
            self.path.pop();
        }
        if graph.stuck[node as usize] {
            self.report(ViolationKind::InvalidEndState, depth)?;
        }
        Ok(())
    }

    pub fn breadth_first(mut self) -> Answer {
        let result = self.levels();
        self.finish(result)
    }

    fn levels(&mut self) -> Result<(), Outcome> {
        let graph = self.graph;
        let mut queue = Vec::new();
        if self.begin(false)? {
            queue.push((0u32, Vec::new()));
        }
        let mut at = 0;
        while let Some((node, path)) = queue.get(at).cloned() {
            at += 1;
            for (choice, event) in graph.events[node as usize].iter().enumerate() {
                self.path.clone_from(&path);
                self.path.push(choice as u32);
                let depth = self.path.len() as u64;
                match *event {
                    Event::Edge { to, atomic, .. } => {
                        self.answer.atomic += u64::from(atomic);
                        if self.arrive(to, depth)? {
                            queue.push((to, self.path.clone()));
                        }
                    }
                    Event::Violation { kind, .. } => self.report(kind, depth)?,
                }
            }
            if graph.stuck[node as usize] {
                self.path.clone_from(&path);
                self.report(ViolationKind::InvalidEndState, path.len() as u64)?;
            }
        }
        Ok(())
    }
}
