//! The memory budget is never exceeded, and what was found inside it is right.

mod support;

use promenade_base::Limits;
use promenade_search::{Outcome, Setup, StopReason};
use support::{Grid, run};

const SEARCHES: [&str; 4] = ["depth_first", "breadth_first", "couvreur", "nested_dfs"];

fn setup(memory_bytes: u64) -> Setup {
    let limits = Limits { memory_bytes, violations: None, ..Limits::default() };
    Setup { limits, ..Setup::default() }
}

#[test]
fn numbers_of_grids_are_known() {
    for id in SEARCHES {
        for (wrap, filling) in [(false, 0), (true, 0), (false, 150)] {
            let mut grid = Grid { sides: vec![5, 9, 7, 11], wrap, filling };
            let (answer, search) = run(id, &setup(64 << 20), &mut grid, 997);
            assert_eq!(answer.outcome, Outcome::Exhausted);
            assert_eq!(answer.stored, grid.states());
            let arrivals: u64 = if wrap {
                4 * grid.states()
            } else {
                grid.sides.iter().map(|s| grid.states() / u64::from(*s) * u64::from(s - 1)).sum()
            };
            assert_eq!(answer.stored + answer.matched, arrivals + 1);
            assert_eq!(answer.errors, u64::from(!wrap));
            assert_eq!(search.statistics().state_bytes, 4 + filling as u64);
            let distance = grid.sides.iter().map(|s| u64::from(s - 1)).sum::<u64>();
            if !wrap {
                assert_eq!(search.statistics().depth, distance);
                assert_eq!(answer.evidence[0].choices.len() as u64, distance);
            }
        }
    }
}

#[test]
fn searches_stay_inside_and_find_a_prefix() {
    for id in SEARCHES {
        for filling in [0, 30, 700] {
            for budget in [0, 1 << 10, 4 << 10, 64 << 10, 100_000, 256 << 10, 1 << 20, 5_000_000] {
                let mut grid = Grid { sides: vec![12; 6], wrap: true, filling };
                let fuel = if budget <= 64 << 10 { 1 } else { 50 };
                let (small, search) = run(id, &setup(budget), &mut grid, fuel);
                assert_eq!(small.outcome, Outcome::Stopped(StopReason::Memory));
                if budget >= 64 << 10 {
                    assert!(small.stored > budget / (filling as u64 + 60) / 3, "{small:?}");
                    assert!(search.statistics().memory_bytes > budget / 2);
                }
                // The same search with enough memory, up to as many states.
                let limited = |states: u64| {
                    let mut setup = setup(512 << 20);
                    setup.limits.states = Some(states);
                    run(id, &setup, &mut grid.clone(), 10_000).0
                };
                if small.stored > 0 {
                    let after = limited(small.stored);
                    assert_eq!(after.stored, small.stored);
                    assert!(small.matched <= after.matched);
                    assert!(limited(small.stored - 1).matched <= small.matched);
                }
            }
        }
    }
}

#[test]
fn a_small_ring_of_buffers_changes_nothing_but_work() {
    for sides in [vec![3, 4, 5, 3], vec![2; 9], vec![30, 20]] {
        let mut grid = Grid { sides, wrap: true, filling: 20 };
        let (large, at_once) = run("depth_first", &setup(256 << 20), &mut grid, 1000);
        let (small, again) = run("depth_first", &setup(128 << 10), &mut grid, 1000);
        assert_eq!(small, large);
        assert_eq!(large.outcome, Outcome::Exhausted);
        assert_eq!(at_once.statistics().expanded_again, 0);
        assert!(again.statistics().expanded_again > 0);
    }
}

#[test]
fn the_first_violation_is_kept_however_little_memory_is_left() {
    // The deadlock is at the end of a long path, which fills the budget almost to the end.
    let mut kept = 0;
    for side in 20..250 {
        let mut grid = Grid { sides: vec![side, side, side, 200], wrap: false, filling: 8 };
        let (answer, _) = run("depth_first", &setup(64 << 10), &mut grid, 1000);
        if answer.errors > 0 {
            kept += 1;
            assert_eq!(answer.evidence.len(), 1);
            let deadlock = 3 * (usize::from(side) - 1) + 199;
            assert_eq!(answer.evidence[0].choices.len(), deadlock);
        }
    }
    assert!(kept > 100, "{kept}");
}
