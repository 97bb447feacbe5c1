//! Searches with a bound beside a depth-first search: against the search alone on random automata,
//! and beside a counter that never ends.

mod support;

use promenade_base::Limits;
use promenade_search::{
    Bounded, Decider, ENTRIES, Interleaved, Outcome, Search, Setup, Statistics, Step, StopReason,
};
use promenade_transition_system::{Item, Marks, Selection, Successors, TransitionSystem};
use support::automaton::Automaton;
use support::run;

const SEARCHES: [&str; 8] = [
    "depth_first",
    "nested_dfs",
    "couvreur",
    "couvreur_without_rem",
    "couvreur_shy",
    "generalised_nested_dfs",
    "original_nested_dfs",
    "geldenhuys_valmari",
];

fn setup(memory_bytes: u64) -> Setup {
    let limits = Limits { memory_bytes, violations: Some(1), ..Limits::default() };
    Setup { limits, ..Setup::default() }
}

/// Runs an interleaved search in slices.
fn interleaved(
    id: &str,
    setup: &Setup,
    system: &mut dyn TransitionSystem,
    first_look: u64,
    fuel: u64,
) -> (Outcome, Statistics, Option<Bounded>, Interleaved) {
    let entry = ENTRIES.iter().find(|entry| entry.id == id).unwrap();
    let mut search = Interleaved::new(entry, setup, (entry.build)(setup), first_look);
    let outcome = loop {
        let step = search.advance(system, fuel);
        assert!(search.memory_bytes() <= setup.limits.memory_bytes);
        if let Step::Done(outcome) = step {
            break outcome;
        }
    };
    assert!(search.statistics().memory_bytes <= setup.limits.memory_bytes);
    (outcome, search.statistics(), search.bounded(), search)
}

/// An automaton beside a counter without an end, whose steps come first.
#[derive(Clone, Debug)]
struct Endless(Automaton);

const COUNTER: usize = 4;

impl Endless {
    /// Puts a counter in front of each target, and one step of its own before all.
    fn with_counter(
        &self,
        counter: u32,
        from: Option<&[u8]>,
        inner: &Successors,
        out: &mut Successors,
    ) {
        out.clear();
        let add = |counter: u32, state: &[u8], out: &mut Successors| {
            let start = out.bytes.len() as u32;
            out.bytes.extend_from_slice(&counter.to_le_bytes());
            out.bytes.extend_from_slice(state);
            (start, out.bytes.len() as u32)
        };
        if let Some(state) = from {
            let (start, end) = add(counter + 1, state, out);
            out.items.push(Item::Target { start, end, moves: 1, atomic_moves: 0, steps: (0, 0) });
            out.marks.push(0);
        }
        for (at, item) in inner.items.iter().enumerate() {
            let item = match item {
                &Item::Target { start, end, moves, atomic_moves, steps } => {
                    let (start, end) = add(counter, inner.slice((start, end)), out);
                    Item::Target { start, end, moves, atomic_moves, steps }
                }
                item => item.clone(),
            };
            out.items.push(item);
            out.marks.push(inner.marks_of(at));
        }
        if from.is_none() {
            out.marks.clear();
        }
    }
}

impl TransitionSystem for Endless {
    fn hidden_bytes(&self) -> usize {
        self.0.hidden_bytes()
    }

    fn initial(&mut self, out: &mut Successors) {
        let mut inner = Successors::default();
        self.0.initial(&mut inner);
        self.with_counter(0, None, &inner, out);
    }

    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors) {
        let (counter, state) = state.split_first_chunk::<COUNTER>().unwrap();
        let mut inner = Successors::default();
        self.0.expand(state, selection, &mut inner);
        self.with_counter(u32::from_le_bytes(*counter), Some(state), &inner, out);
    }

    fn acceptance(&self) -> Marks {
        self.0.acceptance()
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

/// Follows choices; the state at their end, and the one where the cycle begins.
fn follow(
    system: &mut dyn TransitionSystem,
    choices: &[u32],
    stem: usize,
) -> (Vec<u8>, Vec<u8>, Marks) {
    let mut out = Successors::default();
    system.initial(&mut out);
    let mut state = out.target(0).unwrap_or(&[]).to_vec();
    let (mut begin, mut marks) = (state.clone(), 0);
    for (at, choice) in choices.iter().enumerate() {
        if at == stem {
            (begin, marks) = (state.clone(), 0);
        }
        system.expand(&state, Selection::All, &mut out);
        marks |= out.marks_of(*choice as usize);
        if let Some(target) = out.target(*choice as usize) {
            state = target.to_vec();
        }
    }
    let hidden = system.hidden_bytes();
    begin.truncate(begin.len() - hidden);
    state.truncate(state.len() - hidden);
    (begin, state, marks)
}

#[test]
fn verdicts_are_those_of_the_search_alone() {
    let mut deciders = [0; 4];
    for seed in 0..1500 {
        let automaton = Automaton::random(seed);
        let setup = setup(4 << 20);
        for id in SEARCHES {
            let (alone, search) = run(id, &setup, &mut automaton.clone(), 1 << 20);
            let mut answers = Vec::new();
            for fuel in [1, 3 + seed % 9, 1 << 20] {
                let first_look = 1 + seed % 40;
                let (outcome, statistics, bounded, search) =
                    interleaved(id, &setup, &mut automaton.clone(), first_look, fuel);
                let mut statistics = statistics;
                statistics.memory_bytes = 0;
                answers.push((outcome, statistics, bounded, search.evidence().to_vec()));
            }
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{id}, seed {seed}");
            let (outcome, statistics, bounded, evidence) = answers.remove(0);
            assert_eq!(statistics.errors > 0, alone.errors > 0, "{id}, seed {seed}");
            assert_eq!(outcome == Outcome::Exhausted, alone.outcome == Outcome::Exhausted);
            for evidence in evidence.iter().filter(|evidence| evidence.stem.is_some()) {
                automaton.validate(evidence);
            }
            let decider = bounded.map_or(Decider::Unbounded, |bounded| bounded.decider);
            if decider == Decider::Unbounded {
                assert_eq!(statistics.states_stored, alone.stored);
                assert_eq!(statistics.states_matched, alone.matched);
                assert_eq!(evidence, alone.evidence);
                assert_eq!(statistics.depth, search.statistics().depth);
            }
            if outcome == Outcome::Exhausted {
                assert_eq!(
                    statistics.states_stored, alone.stored,
                    "{id}, seed {seed}, {bounded:?}"
                );
            }
            deciders[match decider {
                Decider::Unbounded => 0,
                Decider::BreadthFirst => 1,
                Decider::Near => 2,
                Decider::DepthFirst(_) => 3,
            }] += 1;
        }
    }
    assert!(deciders.iter().all(|count| *count > 0), "{deciders:?}");
}

#[test]
fn what_is_near_is_found_beside_a_counter_without_an_end() {
    let (mut found, mut none) = (0, 0);
    for seed in 50_000..50_080 {
        let automaton = Automaton::random(seed);
        let plain = run("depth_first", &setup(4 << 20), &mut automaton.clone(), 1 << 20).0;
        let starts = matches!(automaton.graph.initial[0], support::Event::Edge { .. });
        if !starts || automaton.graph.events.len() > 40 {
            continue;
        }
        for id in SEARCHES {
            let liveness = id != "depth_first";
            let expected = plain.errors > 0 || liveness && automaton.accepting_components() > 0;
            let mut system = Endless(automaton.clone());
            // A deadlock of the automaton is none beside the counter.
            system.0.graph.stuck.fill(false);
            let setup = setup(256 << 10);
            let (outcome, statistics, bounded, search) =
                interleaved(id, &setup, &mut system, 500, 1000);
            let stuck_only = plain.evidence.first().is_some_and(|e| {
                e.violation.kind == promenade_transition_system::ViolationKind::InvalidEndState
            });
            if stuck_only {
                continue;
            }
            assert_eq!(
                statistics.errors > 0,
                expected,
                "{id}, seed {seed}, {bounded:?} {outcome:?}"
            );
            if expected {
                found += 1;
                for evidence in search.evidence() {
                    let stem = evidence.stem.unwrap_or(usize::MAX);
                    let (begin, end, marks) = follow(&mut system, &evidence.choices, stem);
                    assert!(
                        evidence.stem.is_none()
                            || begin == end && marks & automaton.all == automaton.all
                    );
                }
            } else {
                none += 1;
                assert_eq!(outcome, Outcome::Stopped(StopReason::Memory));
                let bounded = bounded.expect("it only goes deeper");
                assert!(
                    bounded.distance > 10 && bounded.states > 100,
                    "{id}, seed {seed}, {bounded:?}"
                );
                assert_eq!(bounded.decider, Decider::Unbounded);
            }
        }
    }
    assert!(found > 60 && none > 60, "{found} {none}");
}
