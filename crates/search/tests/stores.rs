//! Searches over all kinds of visited sets: with enough memory their answers are those of the plainest
//! search; with too little they go on elsewhere, and say so.

mod support;

use promenade_base::Limits;
use promenade_base::random::Random;
use promenade_search::{ENTRIES, Outcome, Parts, Search, Setup, StopReason};
use promenade_store::{
    Automatic, Automaton, Bitstate, Caching, Collapse, Exact, Made, Signatures, VisitedSet,
    bitstate, caching, hash_compact,
};
use promenade_transition_system::{
    Blocked, Item, Reducer, Selection, Successors, TransitionSystem, ViolationKind,
};
use support::{Answer, Graph, Grid, Oracle, run, run_search};

const SETS: [&str; 7] =
    ["exact", "automatic", "collapse", "automaton", "caching", "signatures", "bitstate"];

/// A set with so little chance to miss a state that no test sees one missed.
fn set(name: &str, budget: u64) -> Made {
    let part = budget / 4 * 3;
    let signatures = hash_compact::Settings { cell_bits: 64, ..hash_compact::Settings::default() };
    let (set, share): (Box<dyn VisitedSet>, u64) = match name {
        "exact" => (Box::new(Exact::new(budget)), u64::MAX),
        "automatic" => (Box::new(Automatic::new(budget, signatures)), u64::MAX),
        "collapse" => (Box::new(Collapse::new(budget)), u64::MAX),
        "automaton" => (Box::new(Automaton::new(budget)), u64::MAX),
        "caching" => (Box::new(Caching::new(part, caching::Settings::default())), part),
        "signatures" => (Box::new(Signatures::new(budget, signatures, (1, 4))), u64::MAX),
        _ => {
            let settings = bitstate::Settings { hashes: 16, ..bitstate::Settings::default() };
            (Box::new(Bitstate::new(part, settings)), part)
        }
    };
    Made { set, share }
}

/// Asks about its targets, and leaves nothing out.
#[derive(Debug)]
struct Asking {
    on_path: u64,
}

impl Reducer for Asking {
    fn expand(
        &mut self,
        system: &mut dyn TransitionSystem,
        state: &[u8],
        out: &mut Successors,
        open: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Selection {
        system.expand(state, Selection::All, out);
        for choice in 0..out.items.len() {
            self.on_path += out.target(choice).map_or(0, |target| u64::from(!open(target)));
        }
        // A state may lie on its own path: it does.
        assert!(!open(state));
        Selection::All
    }
}

fn search(order: &str, name: &str, setup: &Setup, asks: bool) -> Box<dyn Search> {
    let entry = ENTRIES.iter().find(|entry| entry.id == order).unwrap();
    let store = Some(set(name, setup.limits.memory_bytes));
    let asking = || -> Box<dyn Reducer> { Box::new(Asking { on_path: 0 }) };
    (entry.build_with.unwrap())(setup, Parts { store, reducer: asks.then(asking) })
}

fn setup(memory_bytes: u64) -> Setup {
    let limits = Limits { memory_bytes, violations: None, ..Limits::default() };
    Setup { limits, ..Setup::default() }
}

#[test]
fn answers_are_those_of_the_oracle_whatever_the_set() {
    for seed in 0..1200 {
        let mut random = Random::new(seed);
        let graph = Graph::random(seed);
        let mut setup = setup(1 << 20);
        if random.chance(1, 4) {
            setup.limits.depth = Some(1 + random.below(12) as u64);
        }
        if random.chance(1, 4) {
            setup.limits.violations = Some(1 + random.below(3) as u64);
        }
        setup.limits.kept_violations = random.below(5);
        let deep = Oracle::new(&graph, &setup).depth_first();
        let wide = Oracle::new(&graph, &setup).breadth_first();
        for name in SETS {
            for (order, expected) in [("depth_first", &deep), ("breadth_first", &wide)] {
                // A state that was forgotten would be queued again and again.
                if name == "caching" && order == "breadth_first" {
                    continue;
                }
                let asks = order == "depth_first" && seed % 2 == 0;
                let search = search(order, name, &setup, asks);
                let fuel = [1, 7, 1_000_000][seed as usize % 3];
                let (answer, search) = run_search(search, &setup, &mut graph.clone(), fuel);
                assert_eq!(&answer, expected, "{order} {name}, seed {seed}, {setup:?}");
                assert_eq!(search.statistics().not_followed, 0);
            }
        }
    }
}

/// Where a run leads, step by step, and what it ends with.
fn replay(system: &mut dyn TransitionSystem, choices: &[u32]) -> (Vec<u8>, Option<ViolationKind>) {
    let mut out = Successors::default();
    system.initial(&mut out);
    let first = (0..out.items.len()).find_map(|at| out.target(at));
    let mut state = first.unwrap_or_default().to_vec();
    for choice in choices {
        system.expand(&state, Selection::All, &mut out);
        match &out.items[*choice as usize] {
            Item::Target { start, end, .. } => state = out.slice((*start, *end)).to_vec(),
            Item::Violation { violation, .. } => return (state, Some(violation.kind)),
        }
    }
    (state, None)
}

/// Whether what a search found in little memory is right, given what a plain one finds.
fn is_right(answer: &Answer, search: &dyn Search, all: &Answer, system: &mut dyn TransitionSystem) {
    let left_out = search.statistics().not_followed;
    match answer.outcome {
        Outcome::Exhausted => {
            assert_eq!((answer.stored, answer.matched), (all.stored, all.matched));
            assert_eq!((answer.errors, left_out), (all.errors, 0));
        }
        Outcome::Stopped(StopReason::Memory) => {
            assert!(answer.stored <= all.stored && answer.errors <= all.errors);
            let depth = search.statistics().not_followed_depth;
            assert!(left_out == 0 || depth > 0 || answer.stored == 0);
        }
        other => panic!("{other:?}"),
    }
    for evidence in &answer.evidence {
        let (state, kind) = replay(system, &evidence.choices);
        if evidence.violation.kind == ViolationKind::InvalidEndState {
            let mut out = Successors::default();
            system.expand(&state, Selection::All, &mut out);
            assert_eq!(out.blocked, Some(Blocked::InvalidEnd));
        } else if !evidence.choices.is_empty() {
            assert_eq!(kind, Some(evidence.violation.kind));
        }
    }
}

#[test]
fn little_memory_leads_to_less_and_to_nothing_wrong() {
    let (mut went_on, mut ended) = (0, 0);
    for seed in 0..1000 {
        let mut graph = Graph::random(seed * 10);
        let all = run("depth_first", &setup(64 << 20), &mut graph, 1_000_000).0;
        if all.outcome != Outcome::Exhausted {
            continue;
        }
        let budget = 5_000 + 700 * (seed % 12);
        for name in SETS {
            for order in ["depth_first", "breadth_first"] {
                if name == "caching" {
                    continue;
                }
                let setup = setup(budget);
                let search = search(order, name, &setup, order == "depth_first" && seed % 2 == 0);
                let (answer, search) = run_search(search, &setup, &mut graph, 13);
                is_right(&answer, search.as_ref(), &all, &mut graph);
                went_on += u32::from(search.statistics().not_followed > 0);
                ended += u32::from(answer.outcome == Outcome::Exhausted);
            }
        }
    }
    assert!(went_on > 100 && ended > 500, "{went_on} {ended}");
}

#[test]
fn long_paths_take_little_memory_and_lossy_sets_get_further() {
    // Paths lead through nearly all states.
    let mut grid = Grid { sides: vec![12, 12, 12, 12, 9], wrap: true, filling: 60 };
    let budget = 3 << 20;
    let (exact, _) = run("depth_first", &setup(budget), &mut grid, 10_000);
    assert_eq!(exact.outcome, Outcome::Stopped(StopReason::Memory));
    for name in SETS.into_iter().filter(|name| *name != "caching") {
        for asks in [false, true] {
            let search = search("depth_first", name, &setup(budget), asks);
            let (answer, search) = run_search(search, &setup(budget), &mut grid, 10_000);
            let statistics = search.statistics();
            let told = format!("{name} {asks}: {answer:?}, {statistics:?}, exact {}", exact.stored);
            // Without knowing what states are made of, the others keep them whole.
            if matches!(name, "automatic" | "signatures" | "bitstate") {
                assert!(answer.stored > exact.stored, "{told}");
            }
            if name == "bitstate" {
                assert!(statistics.not_followed > 0 || answer.stored == grid.states(), "{told}");
                assert!(answer.stored > grid.states() * 9 / 10, "{told}");
            }
        }
    }
    // A wide one: a queue of whole states would not fit.
    let mut grid = Grid { sides: vec![16; 5], wrap: false, filling: 80 };
    let budget = 4 << 20;
    let (exact, _) = run("breadth_first", &setup(budget), &mut grid, 10_000);
    let search = search("breadth_first", "bitstate", &setup(budget), false);
    let (answer, search) = run_search(search, &setup(budget), &mut grid, 10_000);
    let told = format!("{answer:?}, {:?}, exact {}", search.statistics(), exact.stored);
    assert!(answer.stored > 2 * exact.stored, "{told}");
    assert_eq!(answer.errors, 1, "{told}");
    assert_eq!(answer.evidence[0].choices.len(), 75);
}

#[test]
fn the_first_violation_is_kept_with_a_path_that_fills_the_memory() {
    // The deadlock is at the end of a long path.
    let (mut kept, mut deepest) = (0, 0);
    for side in (20..250).step_by(6) {
        let mut grid = Grid { sides: vec![side, side, side, 200], wrap: false, filling: 8 };
        for name in ["collapse", "signatures", "bitstate"] {
            for budget in [24 << 10, 64 << 10] {
                let mut setup = setup(budget);
                setup.limits.violations = Some(1);
                let search = search("depth_first", name, &setup, false);
                let (answer, _) = run_search(search, &setup, &mut grid, 1000);
                if answer.errors > 0 {
                    kept += 1;
                    let evidence = &answer.evidence[0];
                    let deadlock = 3 * (usize::from(side) - 1) + 199;
                    assert_eq!(evidence.choices.len(), deadlock);
                    deepest = deepest.max(deadlock);
                    replay(&mut grid, &evidence.choices);
                }
            }
        }
    }
    assert!(kept > 100 && deepest > 800, "{kept} {deepest}");
}
