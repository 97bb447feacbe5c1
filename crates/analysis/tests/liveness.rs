//! Which variables are dead where, on small texts.

use promenade_analysis::reset_dead;
use promenade_base::SourceMap;
use promenade_ir::{Model, Proctype};
use promenade_promela::{CompileOptions, compile};

fn reset(text: &str) -> Option<Model> {
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    let model = compiled.value.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).model;
    reset_dead(&model).map(|(model, _)| model)
}

/// Names of variables all of whose bytes are dead at a location.
fn dead(process: &Proctype, location: usize) -> Vec<String> {
    let dead = &process.graph.locations[location].dead;
    let is_dead = |byte: u32| dead.iter().any(|d| (d.offset..d.offset + d.bytes).contains(&byte));
    let whole = process.locals.iter().filter(|variable| {
        let dimensions = variable.path.iter().filter_map(|(_, dimension)| *dimension);
        let last: u32 = dimensions.map(|d| (d.length - 1) * d.stride).sum();
        (variable.offset..variable.offset + last + variable.ty.bytes()).all(is_dead)
    });
    let name = |v: &promenade_ir::Variable| {
        v.path.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(".")
    };
    whole.map(name).collect()
}

/// The dead variables along the only way through the first process, from its entry on.
fn along(text: &str) -> Vec<String> {
    let model = reset(text).expect("something is dead");
    let process = &model.proctypes[0];
    let mut at = process.entry;
    let mut list = vec![dead(process, at.0 as usize).join(" ")];
    while at != process.exit {
        at = process.graph.location(at).edges[0].target;
        list.push(dead(process, at.0 as usize).join(" "));
    }
    list
}

#[test]
fn from_the_last_use_to_the_next_value() {
    let text = "byte g; active proctype P() { byte x = 1, y; y = x; x = 2; g = x + y; g = 1 }";
    assert_eq!(along(text), ["y", "x", "", "x y", "x y"]);
}

#[test]
fn arrays_and_structures() {
    // An element with a constant index is a variable; with another one it may be any.
    let text = "typedef T { byte f; byte h }; byte g;
        active proctype P() { byte a[2], i; T t; a[0] = 1; a[1] = 2; i = 1; t.f = 3; g = a[i]; g = t.f }";
    assert_eq!(
        along(text),
        ["a i t.f t.h", "i t.f t.h", "i t.f t.h", "t.f t.h", "t.h", "a i t.h", "a i t.f t.h"]
    );
}

#[test]
fn messages() {
    let text = "chan q = [1] of { byte, byte };
        active proctype P() { byte x, y, z; q!x,y; q?eval(y),z; q!z,1 }";
    assert_eq!(along(text), ["z", "x z", "x y", "x y z"]);
}

#[test]
fn sequences_that_are_one_step() {
    let text =
        "byte g; active proctype P() { byte x, y; x = 1; d_step { y = x; x = y; g = x }; g = 2 }";
    assert_eq!(along(text), ["x y", "y", "x y", "x y"]);
    let text = "byte g; active proctype P() { byte x; d_step { if :: g == 0 -> x = 1 :: else fi; g = x }; g = 2 }";
    assert_eq!(along(text), ["", "x", "x"]);
}

#[test]
fn what_is_read_from_outside_is_live() {
    for more in [
        "active proctype Q() { P:x == 1 }",
        "ltl f { <> (P:x == 1) }",
        "never { do :: P:x == 1 -> break :: else od }",
    ] {
        let text =
            format!("byte g; active proctype P() {{ byte x, y; x = 1; y = 1; g = 1 }} {more}");
        assert_eq!(along(&text), ["y", "y", "y", "y"], "{more}");
    }
    assert!(reset("byte g; active proctype P() { g = 1 }").is_none());
}

#[test]
fn escapes_and_clauses_are_live_all_the_way() {
    let text = "byte g; active proctype P() { byte x; x = 1; { g = 1; g = 2; g = 3 } unless { g == 9; g = x } }";
    let model = reset(text).expect("something is dead");
    let process = &model.proctypes[0];
    let live = |at: usize| dead(process, at).is_empty();
    // Live before each of the three steps and in front of the last one of the escape.
    assert_eq!((0..process.graph.locations.len()).filter(|at| live(*at)).count(), 4);
}
