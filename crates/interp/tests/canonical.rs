//! Equal states are equal bytes: nothing is left where nobody reads it. Free slots of channels always,
//! dead variables where they are reset.

use promenade_analysis::reset_dead;
use promenade_base::SourceMap;
use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::scratch_model::scratch_model;
use promenade_transition_system::{Selection, Successors, TransitionSystem};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Larger models are left out, or left early.
const STATES: usize = 3000;

fn model(seed: u64) -> Rc<Model> {
    let text = match seed % 2 {
        0 => random_model(seed, Features::ALL),
        _ => scratch_model(seed),
    };
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    let Some(compiled) = compiled.value else { panic!("seed {seed}: {:?}", compiled.diagnostics) };
    Rc::new(compiled.model)
}

/// The states that can be reached, and whether these are all.
fn reach(model: &Rc<Model>) -> (BTreeSet<Vec<u8>>, Interpreter, bool) {
    let mut system = Interpreter::new(model.clone(), RunOptions::default());
    let (mut out, mut found, mut next) = (Successors::new(false), BTreeSet::new(), Vec::new());
    system.initial(&mut out);
    next.extend((0..out.items.len()).filter_map(|at| out.target(at).map(<[u8]>::to_vec)));
    found.extend(next.iter().cloned());
    while let Some(state) = next.pop().filter(|_| found.len() < STATES) {
        system.expand(&state, Selection::All, &mut out);
        for at in 0..out.items.len() {
            let Some(target) = out.target(at) else { continue };
            if found.insert(target.to_vec()) {
                next.push(target.to_vec());
            }
        }
    }
    let all = found.len() < STATES;
    (found, system, all)
}

#[test]
fn free_slots_are_zero() {
    let (mut free, mut used) = (0, 0);
    for seed in 0..150 {
        let (states, system, _) = reach(&model(seed));
        let p = system.program();
        for state in &states {
            for number in 1..=p.channel_count(state) {
                let Some(q) = p.channel(state, number as i32) else {
                    panic!("no channel {number}")
                };
                let ty = &p.channel_types[q.ty as usize];
                if ty.capacity == 0 {
                    continue;
                }
                let Some((length, _)) = system.channel_fill(state, number as u32) else {
                    panic!("no fill of {number}")
                };
                let at =
                    |slot: u32| (q.offset + ty.length_bytes + slot * ty.message_bytes) as usize;
                let rest = &state[at(length)..at(ty.capacity)];
                assert!(rest.iter().all(|byte| *byte == 0), "seed {seed}: {rest:?}");
                used += length;
                free += ty.capacity - length;
            }
        }
    }
    println!("{free} free slots, {used} used");
    assert!(free > 1000 && used > 1000);
}

#[test]
fn states_with_dead_variables_reset_are_what_is_left_of_states() {
    let (mut whole, mut left, mut models) = (0, 0, 0);
    for seed in 0..400 {
        let plain = model(seed);
        let Some((reset, _)) = reset_dead(&plain) else { continue };
        let (states, _, all) = reach(&plain);
        if !all {
            continue;
        }
        let (reached, system, _) = reach(&Rc::new(reset));
        let rest = |state: &Vec<u8>| {
            let mut state = state.clone();
            system.program().rest_all(&mut state);
            state
        };
        let expected: BTreeSet<Vec<u8>> = states.iter().map(rest).collect();
        assert!(reached == expected, "seed {seed}: {} not {}", reached.len(), expected.len());
        models += 1;
        whole += states.len();
        left += reached.len();
    }
    println!("{models} models, {left} of {whole} states");
    assert!(models > 100 && left < whole * 9 / 10);
}
