//! A view that is brought from state to state is the same as one decoded anew.

use promenade_base::SourceMap;
use promenade_interp::{Interpreter, RunOptions};
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem};
use std::collections::HashSet;
use std::rc::Rc;

/// Arrays of structures, channels as values, processes that come and go, a claim.
const PARTS: &str = "mtype = { red, green };
typedef Pair { byte a[2]; mtype colour[3] };
Pair pairs[2]; hidden short last; bool up; chan slot = [2] of { mtype, chan };
proctype Worker(byte n) {
  chan own = [1] of { byte }; unsigned small : 3;
  pairs[n % 2].a[n % 2] = n; small = n; own!n; slot!green, own; slot?_, _; own?small; last = n - 300;
  pairs[1].colour[2] = red; up = !up
}
init { byte i; do :: i < 3 -> run Worker(i); i++ :: break od }
never { do :: up :: !up od }
";

fn compare(text: &str, limit: usize) -> usize {
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    let Some(compiled) = compiled.value else { return 0 };
    let claim = (!compiled.model.claims.is_empty()).then_some(0);
    let options = RunOptions { claim, ..RunOptions::default() };
    let mut system = Interpreter::new(Rc::new(compiled.model), options);
    let mut out = Successors::new(false);
    let (mut seen, mut stack) = (HashSet::new(), Vec::new());
    let targets = |out: &Successors, stack: &mut Vec<Vec<u8>>| {
        for item in &out.items {
            if let Item::Target { start, end, .. } = item {
                stack.push(out.slice((*start, *end)).to_vec());
            }
        }
    };
    system.initial(&mut out);
    targets(&out, &mut stack);
    let Some(mut before) = stack.last().cloned() else { return 0 };
    let mut view = system.decode(&before);
    while let Some(state) = stack.pop() {
        if seen.len() == limit || !seen.insert(state.clone()) {
            continue;
        }
        system.decode_next(&before, &state, &mut view);
        assert_eq!(view, system.decode(&state), "{text}");
        before.clone_from(&state);
        system.expand(&state, Selection::All, &mut out);
        targets(&out, &mut stack);
    }
    seen.len()
}

#[test]
fn brought_along_is_as_decoded() {
    let parts = compare(PARTS, 20_000);
    assert!(parts > 1000, "{parts} states");
    let states: usize =
        seeds(1..=300).map(|seed| compare(&random_model(seed, Features::ALL), 2000)).sum();
    println!("{} states compared", states + parts);
    assert!(states > 5000);
}

#[test]
fn bytes_that_are_no_state_give_an_empty_view() {
    let compiled = compile(&SourceMap::single("model", PARTS), &CompileOptions::default());
    let model = Rc::new(compiled.value.expect("a model").model);
    let mut system = Interpreter::new(model, RunOptions::default());
    let mut out = Successors::new(false);
    system.initial(&mut out);
    let mut view = system.decode(&out.bytes);
    system.decode_next(&out.bytes, &[200, 1, 2], &mut view);
    assert_eq!(view, Default::default());
    system.decode_next(&[200, 1, 2], &out.bytes, &mut view);
    assert_eq!(view, system.decode(&out.bytes));
}
