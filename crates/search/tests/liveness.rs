//! Searches for accepting cycles against components found by brute force, on thousands of random
//! automata, every counterexample followed step by step.

mod support;

use promenade_base::Limits;
use promenade_base::random::Random;
use promenade_search::{Evidence, Outcome, Setup, StopReason};
use promenade_transition_system::{
    Item, Marks, MoreMarks, Selection, Successors, TransitionSystem, ViolationKind,
};
use support::automaton::Automaton;
use support::{Answer, Event, Oracle, run};

const SEARCHES: [&str; 7] = [
    "couvreur",
    "nested_dfs",
    "couvreur_without_rem",
    "couvreur_shy",
    "generalised_nested_dfs",
    "original_nested_dfs",
    "geldenhuys_valmari",
];

/// Whether it keeps memory free for what a first cycle needs.
fn always_shows(id: &str) -> bool {
    ["couvreur", "nested_dfs", "couvreur_shy", "original_nested_dfs"].contains(&id)
}

/// Whether it knows components, and so reports each once.
fn by_components(id: &str) -> bool {
    id.starts_with("couvreur")
}

fn setup(memory_bytes: u64, violations: Option<u64>) -> Setup {
    let limits = Limits { memory_bytes, violations, ..Limits::default() };
    Setup { limits, ..Setup::default() }
}

fn cycles(answer: &Answer) -> Vec<&Evidence> {
    let cycle = |e: &&Evidence| e.violation.kind == ViolationKind::AcceptanceCycle;
    answer.evidence.iter().filter(cycle).collect()
}

/// The answer in slices of any size.
fn answer(id: &str, setup: &Setup, automaton: &Automaton, seed: u64) -> Answer {
    let (answer, _) = run(id, setup, &mut automaton.clone(), 1_000_000);
    for fuel in [1, 2 + seed % 9] {
        let (sliced, _) = run(id, setup, &mut automaton.clone(), fuel);
        assert_eq!(sliced, answer, "{id}, seed {seed}, fuel {fuel}");
    }
    for evidence in cycles(&answer) {
        automaton.validate(evidence);
    }
    answer
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let mut found = [0; 3];
    for seed in 0..6000 {
        let automaton = Automaton::random(seed);
        let expected = automaton.accepting_components();
        let memory = if seed % 3 == 0 { 16 << 20 } else { 128 << 10 };
        // All violations: the other ones are those of a plain search.
        let mut all = setup(memory, None);
        all.limits.kept_violations = 10_000;
        let plain = Oracle::new(&automaton.graph, &all).depth_first();
        for id in SEARCHES {
            let answer = answer(id, &all, &automaton, seed);
            assert_eq!(answer.errors, answer.evidence.len() as u64);
            let cycles = cycles(&answer).len() as u64;
            let others: Vec<_> =
                answer.evidence.iter().filter(|e| e.stem.is_none()).cloned().collect();
            assert_eq!(others, plain.evidence, "{id}, seed {seed}");
            assert_eq!(answer.outcome, plain.outcome, "{id}, seed {seed}");
            assert_eq!(answer.stored, plain.stored);
            if answer.outcome == Outcome::Exhausted || id != "couvreur_shy" {
                assert_eq!(answer.matched, plain.matched);
                assert_eq!(answer.atomic, plain.atomic);
            }
            if answer.outcome == Outcome::Exhausted {
                assert_eq!(cycles > 0, expected > 0, "{id}, seed {seed}");
                if by_components(id) {
                    assert_eq!(cycles, expected, "seed {seed}");
                }
                found[expected.min(2) as usize] += 1;
            }
            assert!(!by_components(id) || cycles <= expected);
        }
        // The first violation.
        let first = setup(memory, Some(1));
        for id in SEARCHES {
            let answer = answer(id, &first, &automaton, seed);
            let safe = plain.errors == 0;
            assert_eq!(answer.errors > 0, expected > 0 || !safe, "{id}, seed {seed}");
            assert_eq!(answer.evidence.len() as u64, answer.errors);
            if safe {
                assert_eq!(cycles(&answer).len() as u64, expected.min(1), "{id}, seed {seed}");
            }
        }
    }
    assert!(found.iter().all(|n| *n > 300), "{found:?}");
}

#[test]
fn empty_products_cost_what_is_known() {
    let (mut empty, mut smaller) = (0, 0);
    for seed in 40_000..42_000 {
        let automaton = Automaton::random(seed);
        if automaton.accepting_components() > 0 {
            continue;
        }
        let numbers = |id| {
            let (answer, search) =
                run(id, &setup(16 << 20, None), &mut automaton.clone(), 1_000_000);
            (answer.outcome, search.statistics())
        };
        let (outcome, plain) = numbers("depth_first");
        if outcome != Outcome::Exhausted || plain.states_stored == 0 {
            continue;
        }
        empty += 1;
        let once = plain.steps();
        for id in SEARCHES {
            let (_, statistics) = numbers(id);
            assert_eq!(statistics.states_stored, plain.states_stored, "{id}, seed {seed}");
            assert_eq!(statistics.transitions(), plain.transitions(), "{id}, seed {seed}");
            assert!(statistics.peak_stack >= plain.peak_stack, "{id}, seed {seed}");
        }
        let (_, couvreur) = numbers("couvreur");
        assert_eq!(couvreur.steps(), once);
        let (_, without) = numbers("couvreur_without_rem");
        assert_eq!(without.steps(), 2 * once, "seed {seed}");
        assert_eq!(without.peak_stack, plain.peak_stack, "seed {seed}");
        smaller += u64::from(without.peak_stack < couvreur.peak_stack);
        let (_, breadth_first) = numbers("breadth_first");
        assert!((1..=plain.states_stored).contains(&breadth_first.peak_stack));
    }
    assert!(empty > 300 && smaller > 30, "{empty} {smaller}");
}

#[test]
fn limits_give_an_honest_outcome() {
    let mut stopped = 0;
    for seed in 20_000..23_000 {
        let automaton = Automaton::random(seed);
        let expected = automaton.accepting_components();
        let mut random = Random::new(seed);
        let mut setup = setup(1 << 20, random.chance(1, 2).then(|| 1 + random.below(3) as u64));
        if random.chance(1, 2) {
            setup.limits.states = Some(1 + random.below(30) as u64);
        }
        if random.chance(1, 2) {
            setup.limits.depth = Some(1 + random.below(12) as u64);
        }
        setup.limits.kept_violations = random.below(4);
        for id in SEARCHES {
            let answer = answer(id, &setup, &automaton, seed);
            if let Some(states) = setup.limits.states {
                assert!(answer.stored <= states);
            }
            let kept = answer.errors.min(setup.limits.kept_violations as u64);
            assert_eq!(answer.evidence.len() as u64, kept, "{id}, seed {seed}");
            match answer.outcome {
                Outcome::Exhausted => assert!(answer.errors > 0 || expected == 0),
                Outcome::ViolationLimit => {
                    assert_eq!(Some(answer.errors), setup.limits.violations);
                }
                Outcome::Fatal => {}
                Outcome::Stopped(StopReason::States) => {
                    stopped += 1;
                    assert_eq!(Some(answer.stored), setup.limits.states);
                }
                Outcome::Stopped(reason) => {
                    stopped += 1;
                    assert_eq!(reason, StopReason::Depth);
                    assert!(setup.limits.depth.is_some());
                }
            }
        }
    }
    assert!(stopped > 300, "{stopped}");
}

#[test]
fn budgets_are_kept_and_cycles_found_inside_them_are_shown() {
    let (mut memory, mut shown) = (0, 0);
    for seed in 30_000..30_800 {
        let automaton = Automaton::random(seed - seed % 10);
        let one = automaton.all.count_ones() == 1;
        for id in SEARCHES {
            for budget in [0, 1 << 10, 3 << 10, 6 << 10, 9 << 10, 12 << 10, 16 << 10, 40 << 10] {
                let mut setup = setup(budget + seed % 512, (seed % 3 > 0).then_some(1));
                setup.limits.kept_violations = 1_000_000;
                let answer = answer(id, &setup, &automaton, seed);
                memory += u64::from(answer.outcome == Outcome::Stopped(StopReason::Memory));
                let cycles = cycles(&answer).len();
                shown += cycles;
                let others = answer.evidence.len() - cycles;
                let first = setup.limits.violations == Some(1) && answer.errors == 1 && others == 0;
                if one && first && always_shows(id) {
                    assert_eq!(cycles, 1, "{id}, seed {seed}, budget {budget}");
                }
            }
        }
    }
    assert!(memory > 1000 && shown > 1000, "{memory} {shown}");
}

/// A chain, at its end a step back to `back`.
fn chain(length: u32, back: u32, marked: u32) -> Automaton {
    let marks = |node| u64::from(node == marked);
    let mut edges: Vec<_> = (0..length - 1).map(|n| (n, n + 1, marks(n))).collect();
    edges.push((length - 1, back, marks(length - 1)));
    Automaton::new(length as usize, &edges, 1)
}

#[test]
fn long_chains_overflow_nothing() {
    let length = 100_000;
    for (back, marked) in [(0, 50_000), (0, 99_999), (99_999, 99_999), (60_000, 80_000), (9, 3)] {
        let mut automaton = chain(length, back, marked);
        for id in SEARCHES {
            for memory in [16 << 20, 512 << 20] {
                for limit in [Some(1), None] {
                    let (answer, search) = run(id, &setup(memory, limit), &mut automaton, 777);
                    assert_eq!(answer.stored, u64::from(length));
                    let statistics = search.statistics();
                    assert_eq!(statistics.depth, u64::from(length) - 1);
                    let accepting = u64::from(marked >= back);
                    assert_eq!(answer.errors, accepting, "{id} {back} {marked}");
                    assert_eq!(answer.evidence.len() as u64, accepting, "{id} {back} {memory}");
                    for evidence in &answer.evidence {
                        automaton.validate(evidence);
                        assert_eq!(evidence.stem, Some(back as usize), "{id} {marked}");
                        assert_eq!(evidence.choices.len(), length as usize);
                    }
                }
            }
        }
    }
}

#[test]
fn however_little_memory_is_left_the_cycle_is_shown() {
    // The cycle closes at the end of a chain that fills the budget almost to the end.
    for id in SEARCHES {
        let mut shown = 0;
        for length in (20..4000).step_by(7) {
            let mut automaton = chain(length, length / 3, length / 2);
            let (answer, _) = run(id, &setup(64 << 10, Some(1)), &mut automaton, 1000);
            if answer.errors > 0 {
                assert_eq!(answer.evidence.len(), 1, "{id}, {length}");
                automaton.validate(&answer.evidence[0]);
                shown += 1;
            } else {
                assert_eq!(answer.outcome, Outcome::Stopped(StopReason::Memory));
            }
        }
        assert!((50..550).contains(&shown), "{id}: {shown}");
    }
}

/// A triangle before a ring; one edge of the triangle is accepting.
fn gadget(marked: usize) -> Automaton {
    let mut edges = vec![(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, 0)];
    edges.extend((3..103).map(|n| (n, if n == 102 { 3 } else { n + 1 }, 0)));
    edges[marked].2 = 1;
    Automaton::new(103, &edges, 1)
}

#[test]
fn cycles_are_reported_as_soon_as_they_are_there() {
    for id in SEARCHES {
        for marked in 0..3 {
            let mut automaton = gadget(marked);
            let (answer, search) = run(id, &setup(1 << 20, Some(1)), &mut automaton, 10);
            if id == "original_nested_dfs" {
                // It waits until what is behind an accepting step is done: here the ring.
                assert_eq!(answer.stored, if marked == 2 { 3 } else { 103 });
                assert_eq!(answer.evidence[0].choices, [0, 0, 0]);
                continue;
            }
            assert_eq!((answer.stored, answer.matched), (3, 1));
            assert_eq!(search.statistics().inner_transitions, 0);
            assert_eq!(answer.evidence[0].choices, [0, 0, 0]);
        }
    }
}

#[test]
fn small_automata_have_the_known_answers() {
    type Edges = &'static [(u32, u32, u64)];
    let cases: [(Edges, u64, u64); 7] = [
        // Two marks on two self-loops of one state, and one mark of two.
        (&[(0, 0, 1), (0, 0, 2)], 3, 1),
        (&[(0, 0, 1)], 3, 0),
        // A mark in each of two components, and both on the bridge.
        (&[(0, 0, 1), (0, 1, 0), (1, 1, 2)], 3, 0),
        (&[(0, 1, 3), (1, 1, 0)], 3, 0),
        // An accepting cycle that an inner search in the order of arrival would miss.
        (&[(0, 2, 1), (2, 1, 0), (1, 2, 1)], 1, 1),
        // No cycle, and marks everywhere.
        (&[(0, 1, 1), (1, 2, 1), (0, 2, 1)], 1, 0),
        // Behind a state that is done, through an accepting step.
        (&[(0, 1, 0), (1, 2, 0), (0, 2, 1), (2, 0, 0)], 1, 1),
    ];
    for (edges, all, expected) in cases {
        let automaton = Automaton::new(3, edges, all);
        assert_eq!(automaton.accepting_components(), expected);
        for id in SEARCHES {
            let answer = answer(id, &setup(1 << 20, Some(1)), &automaton, 0);
            assert_eq!(answer.errors, expected, "{id} {edges:?}");
        }
    }
}

#[test]
fn every_bit_can_be_a_set() {
    // A ring of 64 steps with a mark each, then the same with one mark on no cycle.
    let ring: Vec<_> = (0..64).map(|n| (n, (n + 1) % 64, 1 << n)).collect();
    let mut broken: Vec<_> = ring.clone();
    broken[63].2 = 0;
    broken.push((5, 64, 1 << 63));
    // Chords, so that inner searches have something to do, with every mark many times.
    broken.extend((0..64).map(|n| (n, n * 7 % 64, 1 << (n % 63))));
    for id in SEARCHES {
        for (edges, expected) in [(&ring, 1), (&broken, 0)] {
            let automaton = Automaton::new(65, edges, u64::MAX);
            assert_eq!(automaton.accepting_components(), expected);
            for violations in [Some(1), None] {
                let answer = answer(id, &setup(1 << 20, violations), &automaton, 3);
                assert_eq!(answer.errors, expected, "{id}");
                assert_eq!(answer.evidence.len() as u64, expected, "{id}");
                assert_eq!(answer.stored, 64 + u64::from(expected == 0), "{id}");
            }
        }
    }
}

#[test]
fn counterexamples_are_short() {
    // Long ways in the order of the search, and short ones: to the ring of three at the end, which
    // the stem may enter anywhere, and around it.
    let mut edges: Vec<_> = (0..100).map(|n| (n, n + 1, 0)).collect();
    edges.extend([(100, 101, 0), (101, 102, 0), (102, 103, 1), (103, 101, 0)]);
    edges.extend([(0, 50, 0), (50, 103, 0), (0, 102, 0), (102, 101, 0)]);
    let automaton = Automaton::new(104, &edges, 1);
    for id in SEARCHES {
        for memory in [1 << 20, 64 << 20] {
            let answer = answer(id, &setup(memory, Some(1)), &automaton, 5);
            assert_eq!(answer.evidence[0].stem, Some(1), "{id}");
            assert_eq!(answer.evidence[0].choices, [2, 0, 0, 0], "{id}");
        }
    }
}

#[test]
fn cancelling_at_any_moment_ends_the_slice() {
    // The cycle is long, so that some of the moments lie in the construction of its lasso.
    for id in SEARCHES {
        let mut counted = 0;
        for after in 1..700 {
            let setup = setup(1 << 20, Some(1));
            let mut system = Cancelling { automaton: chain(200, 20, 100), after, setup };
            let setup = system.setup.clone();
            let (answer, _) = run(id, &setup, &mut system, 1_000_000);
            if answer.outcome == Outcome::ViolationLimit {
                assert!(after > 200);
            } else {
                assert_eq!(answer.outcome, Outcome::Stopped(StopReason::Cancelled));
                counted += answer.errors;
            }
            for evidence in &answer.evidence {
                system.automaton.validate(evidence);
            }
        }
        assert!(counted > 100, "{id}: {counted}");
    }
}

/// Asks for an end in the middle of an expansion.
struct Cancelling {
    automaton: Automaton,
    after: u32,
    setup: Setup,
}

impl TransitionSystem for Cancelling {
    fn hidden_bytes(&self) -> usize {
        self.automaton.hidden_bytes()
    }

    fn initial(&mut self, out: &mut Successors) {
        self.automaton.initial(out);
    }

    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors) {
        self.after = self.after.saturating_sub(1);
        if self.after == 0 {
            self.setup.cancel.cancel();
            return out.clear();
        }
        self.automaton.expand(state, selection, out);
    }

    fn acceptance(&self) -> Marks {
        self.automaton.acceptance()
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

/// A graph of this size, all of it reachable, with about so many steps from each state, and marks of
/// several sets.
fn product(random: &mut Random, size: usize, mean: usize, sets: u32, rarity: usize) -> Automaton {
    let mut edges = Vec::new();
    let marks = |random: &mut Random| {
        (0..sets).fold(0, |m, set| if random.chance(1, rarity) { m | 1 << set } else { m })
    };
    for node in 0..size {
        // At least one, and a way to the next state for about half of them.
        for _ in 0..1 + random.below(2 * mean - 1) {
            let to = random.below(size) as u32;
            edges.push((node as u32, to, marks(random)));
        }
        if node > 0 {
            let from = random.below(node) as u32;
            edges.push((from, node as u32, marks(random)));
        }
    }
    Automaton::new(size, &edges, (1 << sets) - 1)
}

/// With one set instead: a copy for each, left over a step with its mark.
fn degeneralised(automaton: &Automaton, sets: u32) -> Automaton {
    let mut edges = Vec::new();
    for level in 0..sets {
        for (node, events) in automaton.graph.events.iter().enumerate() {
            for (event, marks) in events.iter().zip(&automaton.marks[node]) {
                let Event::Edge { to, .. } = event else { continue };
                let mut next = level;
                while next < sets && marks >> next & 1 == 1 {
                    next += 1;
                }
                let (next, mark) = if next == sets { (0, 1) } else { (next, 0) };
                edges.push((node as u32 * sets + level, to * sets + next, mark));
            }
        }
    }
    Automaton::new(automaton.marks.len() * sets as usize, &edges, 1)
}

#[test]
fn searches_visit_what_is_known_of_random_products() {
    // Sums of states, steps and peaks of the stacks over products with an accepting cycle. In the
    // paper on these algorithms: somewhat fewer states where stored ones are looked at first, about as many states for the nested search (its inner searches look at some
    // steps of states on the stack before the outer one does), but more steps;
    // and more states where there is one acceptance set instead.
    let mut sums = [[0; 3]; 4];
    let ids = ["couvreur", "couvreur_shy", "generalised_nested_dfs", "nested_dfs"];
    let mut random = Random::new(1);
    for _ in 0..100 {
        let mut automaton = product(&mut random, 1000, 2, 4, 10);
        let mut one = degeneralised(&automaton, 4);
        for (sums, id) in sums.iter_mut().zip(ids) {
            let automaton = if id == "nested_dfs" { &mut one } else { &mut automaton };
            let (answer, search) = run(id, &setup(64 << 20, Some(1)), automaton, 1_000_000);
            assert_eq!(answer.errors, 1, "{id}");
            automaton.validate(&answer.evidence[0]);
            let statistics = search.statistics();
            sums[0] += statistics.states_stored;
            sums[1] += statistics.steps();
            sums[2] += statistics.peak_stack;
        }
    }
    let [couvreur, shy, generalised, nested] = sums;
    assert!(shy[0] < couvreur[0], "{sums:?}");
    assert!(couvreur[0].abs_diff(generalised[0]) < couvreur[0] / 20, "{sums:?}");
    assert!(nested[0] > generalised[0], "{sums:?}");
    assert!(couvreur[1] < generalised[1] && generalised[1] < nested[1], "{sums:?}");
}

#[test]
fn an_inner_search_counts_its_transitions() {
    // An accepting step into a ring from which nothing leads back.
    let mut edges = vec![(0, 1, 1)];
    edges.extend((1..51).map(|n| (n, if n == 50 { 1 } else { n + 1 }, 0)));
    let mut automaton = Automaton::new(51, &edges, 1);
    let (answer, search) = run("nested_dfs", &setup(1 << 20, None), &mut automaton, 9);
    assert_eq!((answer.errors, answer.stored, answer.matched), (0, 51, 1));
    assert_eq!(search.statistics().inner_transitions, 50);
    let (_, search) = run("couvreur", &setup(1 << 20, None), &mut automaton, 9);
    assert_eq!(search.statistics().inner_transitions, 0);
}

/// Some of the sets of an automaton as those that have no room in the marks.
struct Split {
    automaton: Automaton,
    /// The sets that are marks.
    low: Marks,
    /// Where the others are, by bit.
    at: [u32; 64],
}

impl Split {
    fn random(automaton: &Automaton, random: &mut Random) -> Self {
        let all = automaton.all;
        let mut low = 1 << all.trailing_zeros();
        low |= random.next_u64() & all & if random.chance(1, 2) { 0 } else { u64::MAX };
        let first = random.below(256) as u32;
        let at = std::array::from_fn(|bit| (first + 37 * bit as u32) % 256);
        Self { automaton: automaton.clone(), low, at }
    }
}

impl TransitionSystem for Split {
    fn hidden_bytes(&self) -> usize {
        self.automaton.hidden_bytes()
    }

    fn initial(&mut self, out: &mut Successors) {
        self.automaton.initial(out);
    }

    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors) {
        self.automaton.expand(state, selection, out);
        let rest = self.automaton.all & !self.low;
        let more = |marks: &Marks| {
            let mut more = MoreMarks::ALL;
            for bit in (0..64).filter(|bit| rest & !marks & 1 << bit != 0) {
                let mut one = MoreMarks::NONE;
                one.add(self.at[bit]);
                more.remove(&one);
            }
            more
        };
        // The highest bit is no set: it keeps what the systems promise.
        if out.marks.iter().any(|marks| rest & !marks != 0) {
            out.more_marks = out.marks.iter().map(more).collect();
        }
        out.marks.iter_mut().for_each(|marks| *marks = *marks & self.low | 1 << 63);
    }

    fn acceptance(&self) -> Marks {
        self.low
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

#[test]
fn sets_without_room_in_the_marks_change_nothing() {
    let mut random = Random::new(7);
    let (mut found, mut split) = (0, 0);
    for seed in 0..6000 {
        let automaton =
            if seed % 4 == 0 { product(&mut random, 40, 2, 6, 8) } else { Automaton::random(seed) };
        let mut system = Split::random(&automaton, &mut random);
        split += u32::from(system.low != automaton.all);
        for id in SEARCHES.into_iter().filter(|id| by_components(id)) {
            for violations in [Some(1), None] {
                let setup = setup(16 << 20, violations);
                let (expected, plain) = run(id, &setup, &mut automaton.clone(), 1_000_000);
                let (answer, search) = run(id, &setup, &mut system, 1 + seed % 7);
                let numbers =
                    |of: &Answer| (of.outcome, of.stored, of.matched, of.errors, of.atomic);
                assert_eq!(numbers(&answer), numbers(&expected), "{id}, seed {seed}");
                assert_eq!(search.statistics().steps(), plain.statistics().steps());
                // The way round may be another one: sets that every transition belongs to are met
                // with the first one.
                let cycles = cycles(&answer);
                assert_eq!(cycles.len(), self::cycles(&expected).len(), "{id}, seed {seed}");
                cycles.iter().for_each(|evidence| automaton.validate(evidence));
                found += cycles.len();
            }
        }
    }
    assert!(found > 3000 && split > 2000, "{found} cycles, {split} split");
}

/// A ring of states, each step of which has a set of its own; without some the cycle is none.
struct Ring {
    length: u32,
    without: Option<u32>,
    marks: u32,
}

impl TransitionSystem for Ring {
    fn hidden_bytes(&self) -> usize {
        0
    }

    fn initial(&mut self, out: &mut Successors) {
        self.target(0, out);
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        let at = u32::from_le_bytes(*state.first_chunk().expect("a state"));
        self.target((at + 1) % self.length, out);
        let own = self.without != Some(at);
        let low = own && at < self.marks;
        out.marks.push(if low { 1 << at } else { 0 });
        let mut more = MoreMarks::ALL;
        for set in 0..self.length - self.marks {
            let mut one = MoreMarks::NONE;
            one.add(set);
            if !own || set + self.marks != at {
                more.remove(&one);
            }
        }
        out.more_marks.push(more);
    }

    fn acceptance(&self) -> Marks {
        Marks::MAX >> (64 - self.marks)
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

impl Ring {
    fn target(&self, to: u32, out: &mut Successors) {
        out.clear();
        out.bytes.extend_from_slice(&to.to_le_bytes());
        let end = out.bytes.len() as u32;
        let (moves, atomic_moves, steps) = (1, 0, (0, 0));
        out.items.push(Item::Target { start: 0, end, moves, atomic_moves, steps });
    }
}

#[test]
fn three_hundred_and_twenty_sets_are_all_asked_for() {
    for id in SEARCHES.into_iter().filter(|id| by_components(id)) {
        let (length, marks) = (320, 64);
        let mut ring = Ring { length, without: None, marks };
        let (answer, _) = run(id, &setup(16 << 20, Some(1)), &mut ring, 100);
        assert_eq!(answer.errors, 1, "{id}");
        let evidence = &answer.evidence[0];
        assert_eq!((evidence.stem, evidence.choices.len()), (Some(0), 320), "{id}");
        for without in 0..length {
            let mut ring = Ring { length, without: Some(without), marks };
            let (answer, _) = run(id, &setup(16 << 20, Some(1)), &mut ring, 100);
            assert_eq!((answer.errors, answer.stored), (0, 320), "{id} without {without}");
        }
    }
}
