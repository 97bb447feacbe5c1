//! Reduced search against full search on random models: deadlocks, assertions and other errors.

mod support;

use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_reduction::{CycleProviso, Goal, Preserve};
use promenade_testkit::local_model::local_model;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;
use promenade_transition_system::TransitionSystem;
use std::rc::Rc;
use support::{Found, Order, Run};

fn compare(text: &str, seed: u64, totals: &mut Totals) {
    if let Some(model) = support::model(text) {
        compare_model(&model, text, seed, totals);
    }
}

fn compare_model(model: &Rc<Model>, text: &str, seed: u64, totals: &mut Totals) {
    let full = Run { limit: 6_000, ..Run::full(model) }.search();
    if full.partial {
        return;
    }
    totals.models += 1;
    totals.full += full.states;
    let check = |name: &str, found: &Found, kinds: bool| {
        assert_eq!(full.blocked, found.blocked, "seed {seed}, {name}: deadlocks\n{text}");
        if kinds {
            assert_eq!(full.kinds, found.kinds, "seed {seed}, {name}: errors\n{text}");
        }
        assert!(found.states <= full.states, "seed {seed}, {name}: more states\n{text}");
        assert!(!found.partial, "seed {seed}, {name}: broken off\n{text}");
    };
    for preserve in [Preserve::Deadlocks, Preserve::Safety, Preserve::Liveness] {
        let mut by_depth = None;
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let found = Run::reduced(model, preserve, order).search();
            let name = format!("{preserve:?} {order:?}");
            check(&name, &found, preserve != Preserve::Deadlocks);
            let fixed = Run::sticky(model, preserve, order).search();
            check(&format!("{name}, static"), &fixed, preserve != Preserve::Deadlocks);
            // What is taken depends on the state alone.
            let states = *by_depth.get_or_insert(fixed.states);
            assert_eq!(fixed.states, states, "seed {seed}, {name}\n{text}");
            if preserve == Preserve::Safety {
                totals.fixed += fixed.states;
                totals.errors += usize::from(!found.kinds.is_empty());
                match order {
                    Order::DepthFirst => totals.depth += found.states,
                    Order::BreadthFirst => totals.breadth += found.states,
                }
            }
        }
    }
}

#[derive(Default, Debug)]
struct Totals {
    models: usize,
    errors: usize,
    full: usize,
    depth: usize,
    breadth: usize,
    /// With the static condition, both orders.
    fixed: usize,
}

#[test]
fn random_models_keep_their_verdicts() {
    let mut totals = Totals::default();
    for seed in seeds(1..=600) {
        compare(&random_model(seed, Features::ALL), seed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.depth < totals.full && totals.fixed < 2 * totals.full);
}

#[test]
fn random_models_with_much_local_work_keep_their_verdicts() {
    let mut totals = Totals::default();
    for seed in seeds(1..=1500) {
        compare(&local_model(seed), seed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.depth < totals.full && totals.fixed < 2 * totals.full);
}

#[test]
fn lost_messages_keep_their_verdicts() {
    let mut totals = Totals::default();
    for seed in seeds(1..=500) {
        let text = local_model(seed);
        if let Some(model) = support::lossy_model(&text) {
            compare_model(&model, &text, seed, &mut totals);
        }
    }
    println!("{totals:?}");
    assert!(totals.depth < totals.full && totals.fixed < 2 * totals.full);
}

#[test]
fn trace_assertions_keep_their_verdicts() {
    let traces = [
        "trace { do :: q0!0 :: q0!1 -> break od }",
        "trace { do :: q0?_ ; q1?_ od }",
        "notrace { do :: q1!_ :: q1!1; q1!0 -> break od }",
        "trace { do :: r!_ od }",
    ];
    let mut totals = Totals::default();
    for seed in seeds(1..=500) {
        let text = format!("{}{}", local_model(seed), traces[seed as usize % traces.len()]);
        compare(&text, seed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.models > 100 && totals.depth < totals.full);
}

/// Claims for formulas that do not change under stuttering.
fn claim(number: u64) -> String {
    let p = ["g == 1", "len(q0) > 0", "h == 0", "P0@L0"][(number / 4 % 3) as usize];
    let q = ["h == 1", "g == 2", "len(q1) > 0"][(number / 16 % 3) as usize];
    match number % 4 {
        0 => format!(
            "never {{ T: do :: !({p}) -> goto accept_S :: true od; accept_S: do :: !({p}) od }}"
        ),
        1 => format!(
            "never {{ T: do :: ({p}) -> goto accept_S :: true od; accept_S: do :: true -> goto T od }}"
        ),
        2 => format!(
            "never {{ T: do :: true :: (({p}) && !({q})) -> goto accept_S od; accept_S: do :: !({q}) od }}"
        ),
        _ => {
            format!("never {{ do :: true :: ({p}) -> break od; do :: true :: ({q}) -> break od }}")
        }
    }
}

#[test]
fn claims_keep_their_verdicts() {
    let (mut models, mut accepted, mut full_states, mut states) = (0, 0, 0, 0);
    for seed in seeds(1..=700) {
        let text = format!("{}{}", local_model(seed), claim(seed));
        let Some(model) = support::model(&text) else { continue };
        for acceptance in [true, false] {
            let options = RunOptions { claim: Some(0), acceptance, ..RunOptions::default() };
            let condition = Interpreter::new(model.clone(), options.clone()).acceptance();
            let mut goal =
                Goal::new(if acceptance { Preserve::Liveness } else { Preserve::Safety });
            let facts = promenade_analysis::Facts::of(&model);
            let mut observed = facts.nothing_observed(&model);
            facts.observe_claim(&mut observed, &model.claims[0]);
            goal.observed = Some(observed);
            let run = |goal, order| {
                Run { options: options.clone(), goal, order, limit: 6_000, ..Run::full(&model) }
                    .search()
            };
            let full = run(None, Order::DepthFirst);
            if full.partial {
                continue;
            }
            models += 1;
            full_states += full.states;
            let orders = [Order::DepthFirst, Order::BreadthFirst];
            let sticky = Goal { sticky: true, ..goal.clone() };
            let runs = orders.map(|order| (order, &goal)).into_iter();
            for (order, goal) in runs.chain(orders.map(|order| (order, &sticky))) {
                let found = run(Some(goal.clone()), order);
                states += found.states;
                assert!(found.states <= full.states, "seed {seed}\n{text}");
                assert_eq!(full.kinds, found.kinds, "seed {seed} {order:?}\n{text}");
                if acceptance {
                    let want = full.accepts(condition);
                    accepted += usize::from(want);
                    assert_eq!(want, found.accepts(condition), "seed {seed} {order:?}\n{text}");
                }
            }
        }
    }
    println!(
        "{models} products, {accepted} accepting, {full_states} states, reduced {}",
        states / 4
    );
    assert!(states / 4 < full_states && accepted > 0);
}

/// The oracle notices what goes wrong: without a proviso assertions get lost.
#[test]
fn without_a_proviso_errors_are_missed() {
    let mut missed = 0;
    for seed in 1..=1500 {
        let text = local_model(seed);
        let Some(model) = support::model(&text) else { continue };
        let full = Run { limit: 6_000, ..Run::full(&model) }.search();
        let run = Run::reduced(&model, Preserve::Safety, Order::DepthFirst);
        let found = Run { proviso: Some(CycleProviso::Nothing), ..run }.search();
        missed += usize::from(!full.partial && full.kinds != found.kinds);
    }
    println!("{missed} models lose an error");
    assert!(missed > 0);
}

/// It notices as well if no location is sticky: not only with errors, but also with accepting cycles.
#[test]
fn without_sticky_locations_errors_are_missed() {
    let (mut missed, mut unaccepted, mut blocked) = (0, 0, 0);
    for seed in 1..=1500 {
        let text = local_model(seed);
        let Some(model) = support::model(&text) else { continue };
        let full = Run { limit: 6_000, ..Run::full(&model) }.search();
        let run = Run::sticky(&model, Preserve::Safety, Order::BreadthFirst);
        let found = Run { sticky: Some(Vec::new()), ..run }.search();
        missed += usize::from(!full.partial && full.kinds != found.kinds);
        // Deadlocks need no condition on cycles.
        blocked += usize::from(
            !full.partial && full.kinds == found.kinds && full.blocked != found.blocked,
        );
        let text = format!("{text}{}", claim(seed));
        let Some(model) = support::model(&text) else { continue };
        let options = RunOptions { claim: Some(0), acceptance: true, ..RunOptions::default() };
        let condition = Interpreter::new(model.clone(), options.clone()).acceptance();
        let facts = promenade_analysis::Facts::of(&model);
        let mut observed = facts.nothing_observed(&model);
        facts.observe_claim(&mut observed, &model.claims[0]);
        let goal = Goal { observed: Some(observed), sticky: true, ..Goal::new(Preserve::Liveness) };
        let order = Order::DepthFirst;
        let full = Run { options: options.clone(), limit: 6_000, ..Run::full(&model) }.search();
        if full.partial {
            continue;
        }
        let run = Run { options, goal: Some(goal), order, ..Run::full(&model) };
        let found = Run { sticky: Some(Vec::new()), ..run }.search();
        unaccepted += usize::from(full.accepts(condition) != found.accepts(condition));
    }
    println!("{missed} models lose an error, {unaccepted} an accepting cycle");
    assert!(missed > 0 && unaccepted > 0 && blocked == 0);
}
