//! Facts of small texts.

use promenade_analysis::{ChannelRef, Facts, Operation, Special};
use promenade_base::SourceMap;
use promenade_ir::Model;
use promenade_promela::{CompileOptions, compile};

fn facts(text: &str) -> (Model, Facts) {
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    let model = compiled.value.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).model;
    let facts = Facts::of(&model);
    (model, facts)
}

/// Names of the objects that a type may still touch from its entry: read, written.
fn touched(model: &Model, facts: &Facts, ty: usize) -> (Vec<String>, Vec<String>) {
    let entry = model.proctypes[ty].entry.0 as usize;
    let future = &facts.types[ty].locations[entry].future;
    let names = |set: &promenade_analysis::Bits| {
        let mut names: Vec<_> = set.iter().map(|o| facts.object_name(model, o)).collect();
        names.sort();
        names
    };
    (names(&future.reads), names(&future.writes))
}

fn operations(facts: &Facts, ty: usize, operation: Operation) -> Vec<ChannelRef> {
    let edges = facts.types[ty].locations.iter().flat_map(|l| &l.edges);
    let uses = edges.flat_map(|e| &e.uses).map(|u| &facts.uses[*u as usize]);
    uses.filter(|u| u.operation == operation).map(|u| u.channel.clone()).collect()
}

#[test]
fn variables_by_type() {
    let (model, facts) = facts(
        "byte a, b, never_written, t[3]; hidden byte h;
         active proctype P() { byte i; a = never_written; t[1] = 2; h = i }
         active proctype Q() { byte i; b = a; i = t[i] }",
    );
    let own = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(touched(&model, &facts, 0), (vec![], own(&["a", "h", "t"])));
    assert_eq!(touched(&model, &facts, 1), (own(&["a", "t"]), own(&["b"])));
}

#[test]
fn what_is_created_counts() {
    let (model, facts) =
        facts("byte g; proctype R() { byte x = g; g = x + 1 } init { skip; run R(); skip }");
    let init = model.proctypes.len() - 1;
    assert_eq!(touched(&model, &facts, init), (vec!["g".to_owned()], vec!["g".to_owned()]));
    let future = &facts.types[init].locations[model.proctypes[init].entry.0 as usize].future;
    assert!(future.special.any_of(Special::RUN));
    let end = &facts.types[init].locations[model.proctypes[init].exit.0 as usize].future;
    assert!(!end.special.any_of(Special::RUN) && end.reads.is_empty());
}

#[test]
fn channels_are_followed() {
    let (_, facts) = facts(
        "chan q[2] = [1] of { byte }; chan m = [1] of { chan }; chan r = [1] of { byte };
         proctype N(chan in, out) { chan got; in?1; out!1; m?got; got!3; r!1 }
         init { chan x = r; m!x; run N(q[0], q[1]); x = q[1]; x!2 }",
    );
    let channels = &facts.channels;
    let sends = operations(&facts, 0, Operation::Send);
    // out: a parameter that stays; got: what was sent in a message, which is r, or x's later value.
    assert!(sends.contains(&ChannelRef::Number(4)));
    let cell = sends.iter().find(|q| matches!(q, ChannelRef::Cell { .. })).unwrap();
    assert_eq!(channels.among(cell).iter().collect::<Vec<_>>(), [1]);
    let got = sends.iter().find(|q| matches!(q, ChannelRef::Among(_))).unwrap();
    assert_eq!(channels.among(got).iter().collect::<Vec<_>>(), [1, 3]);
    let received = operations(&facts, 0, Operation::Receive);
    let cell = received.iter().find(|q| matches!(q, ChannelRef::Cell { .. })).unwrap();
    assert_eq!(channels.among(cell).iter().collect::<Vec<_>>(), [0]);
    // A number that comes from elsewhere may be any channel.
    let (_, wild) = self::facts(
        "chan q = [1] of { byte }; chan r = [1] of { byte };
         active proctype P() { byte b = 1; chan c; c = b; c!1; r!1; q!1 }",
    );
    let any = wild.channels.any();
    let sends = operations(&wild, 0, Operation::Send);
    assert!(sends.iter().any(|q| wild.channels.among(q).contains(any)));
}

#[test]
fn tests_of_channels() {
    let (_, facts) = facts(
        "chan q = [1] of { byte }; chan r = [1] of { byte }; byte g;
         active proctype P() { byte x; if :: q?1 :: else fi; r!1 }
         active proctype Q() { byte x; atomic { x = 1; r?x }; atomic { g = 1; q!1 } }",
    );
    assert_eq!(operations(&facts, 0, Operation::ReceiveTested).len(), 1);
    assert!(operations(&facts, 0, Operation::SendTested).is_empty());
    assert_eq!(operations(&facts, 1, Operation::ReceiveAwaited), [ChannelRef::Number(2)]);
    assert_eq!(operations(&facts, 1, Operation::SendTested), [ChannelRef::Number(1)]);
}

#[test]
fn what_a_formula_sees() {
    let (model, facts) = facts(
        "byte g, h; chan q = [1] of { byte };
         active proctype P() { byte x; L: x = 1; g = 1; h = 1; q!1 }
         ltl p { [] (g == 0 || P@L || P:x == 1 || len(q) > 0) }",
    );
    let mut observed = facts.nothing_observed(&model);
    facts.observe_formula(&mut observed, &model.formulas[0].formula);
    let names: Vec<_> = observed.objects.iter().map(|o| facts.object_name(&model, o)).collect();
    // The variable that holds the channel is one as well.
    assert_eq!(names, ["g", "q"]);
    assert_eq!((observed.locals[0].len(), observed.locations[0].len()), (1, 1));
    assert_eq!(observed.channels, [ChannelRef::Number(1)]);
}
