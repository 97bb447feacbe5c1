//! Both searches against searches written in the plainest way, on thousands of random graphs.

mod support;

use promenade_base::Limits;
use promenade_base::random::Random;
use promenade_search::{ENTRIES, Outcome, Search, Setup, Step, StopReason, build};
use support::{Graph, Oracle, run};

fn setup(random: &mut Random) -> Setup {
    let mut limits = Limits { memory_bytes: 16 << 20, violations: None, ..Limits::default() };
    if random.chance(1, 3) {
        limits.violations = Some(1 + random.below(4) as u64);
    }
    if random.chance(1, 4) {
        limits.states = Some(1 + random.below(30) as u64);
    }
    if random.chance(1, 4) {
        limits.depth = Some(1 + random.below(12) as u64);
    }
    limits.kept_violations = random.below(5);
    Setup { limits, ..Setup::default() }
}

#[test]
fn answers_are_those_of_the_oracle_however_the_work_is_cut() {
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let graph = Graph::random(seed);
        let mut setup = setup(&mut random);
        // Most of these have tiny rings of buffers, so that states are expanded again.
        setup.limits.memory_bytes = if seed % 3 == 0 { 16 << 20 } else { 64 << 10 };
        let expected = [
            ("depth_first", Oracle::new(&graph, &setup).depth_first()),
            ("breadth_first", Oracle::new(&graph, &setup).breadth_first()),
            // Without acceptance sets the others are plain depth-first searches.
            ("couvreur", Oracle::new(&graph, &setup).depth_first()),
            ("nested_dfs", Oracle::new(&graph, &setup).depth_first()),
        ];
        for (id, expected) in expected {
            for fuel in [1, 2 + seed % 9, 1_000_000] {
                let (answer, _) = run(id, &setup, &mut graph.clone(), fuel);
                assert_eq!(answer, expected, "{id}, seed {seed}, fuel {fuel}, {setup:?}");
            }
        }
    }
}

#[test]
fn full_searches_count_the_same_in_both_orders() {
    let limits = Limits { violations: None, ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    for seed in 10_000..12_000 {
        let mut graph = Graph::random(seed);
        let (mut deep, _) = run("depth_first", &setup, &mut graph, 1000);
        let (mut wide, _) = run("breadth_first", &setup, &mut graph, 1000);
        if deep.outcome == Outcome::Exhausted {
            // The runs differ, the violations do not.
            let kinds = |evidence: &mut Vec<promenade_search::Evidence>| {
                let mut kinds: Vec<_> = evidence.drain(..).map(|e| e.violation.kind).collect();
                kinds.sort();
                kinds
            };
            assert_eq!(kinds(&mut deep.evidence), kinds(&mut wide.evidence));
            assert_eq!(deep, wide, "seed {seed}");
        }
    }
}

#[test]
fn cancelling_ends_the_next_slice_and_keeps_the_numbers() {
    for entry in ENTRIES {
        let setup = Setup::default();
        let mut system = support::Grid { sides: vec![9; 6], wrap: true, filling: 3 };
        let mut search = build(entry.id, &setup).unwrap();
        assert_eq!(search.advance(&mut system, 1000), Step::Running);
        let before = search.statistics();
        setup.cancel.cancel();
        let cancelled = Outcome::Stopped(StopReason::Cancelled);
        assert_eq!(search.advance(&mut system, 1000), Step::Done(cancelled));
        assert_eq!(search.statistics(), before);
        assert!(before.states_stored > 1);
        assert_eq!(search.stop(StopReason::Time), cancelled);
    }
}

#[test]
fn the_caller_can_end_a_search() {
    for entry in ENTRIES {
        let mut search: Box<dyn Search> = (entry.build)(&Setup::default());
        assert_eq!(search.outcome(), None);
        assert_eq!(search.stop(StopReason::Time), Outcome::Stopped(StopReason::Time));
        let mut system = support::Grid { sides: vec![2], wrap: false, filling: 0 };
        let done = Step::Done(Outcome::Stopped(StopReason::Time));
        assert_eq!(search.advance(&mut system, 9), done);
    }
    assert!(build("none", &Setup::default()).is_none());
}
