//! The Hanoi Omega-Automata format, version 1.
//!
//! T. Babiak and others, The Hanoi omega-automata format, 2015. What is written uses the canonical
//! names of acceptance conditions and claims only properties that hold. What is read may have any
//! acceptance condition made of `Inf`, `&`, `|`, `t` and `f`; others and alternation are refused with
//! the reason.

mod condition;
mod lexer;
mod reader;

pub use reader::read;

use crate::{Automaton, bits::bits_of, shape};
use std::fmt::Write;

/// The automaton in the format; `name` is its name, if not empty.
pub fn write(automaton: &Automaton, name: &str) -> String {
    let mut text = String::from("HOA: v1\n");
    if !name.is_empty() {
        let _ = writeln!(text, "name: {}", quoted(name));
    }
    let _ = writeln!(text, "tool: \"promenade\" \"{}\"", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "States: {}", automaton.states.len());
    if !automaton.states.is_empty() {
        let _ = writeln!(text, "Start: {}", automaton.initial);
    }
    let _ = write!(text, "AP: {}", automaton.atoms.len());
    for atom in &automaton.atoms {
        let _ = write!(text, " {}", quoted(atom));
    }
    text.push('\n');
    match automaton.sets {
        0 => text.push_str("acc-name: all\nAcceptance: 0 t\n"),
        1 => text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        sets => {
            let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            let _ = writeln!(text, "acc-name: generalized-Buchi {sets}");
            let _ = writeln!(text, "Acceptance: {sets} {}", all.join("&"));
        }
    }
    let on_states = automaton.state_based || automaton.sets == 0;
    let shape = shape(automaton);
    let properties = [
        (true, "trans-labels"),
        (true, "explicit-labels"),
        (on_states, "state-acc"),
        (!on_states, "trans-acc"),
        (shape.deterministic, "deterministic"),
        (shape.complete, "complete"),
        (shape.weak, "inherently-weak"),
        (shape.weak && marks_uniform(automaton), "weak"),
        (shape.very_weak && shape.weak && marks_uniform(automaton), "very-weak"),
        (shape.terminal && marks_uniform(automaton), "terminal"),
    ];
    let names: Vec<&str> = properties.iter().filter(|p| p.0).map(|p| p.1).collect();
    let _ = writeln!(text, "properties: {}\n--BODY--", names.join(" "));
    for (state, edges) in automaton.states.iter().enumerate() {
        let _ = write!(text, "State: {state}");
        if let Some(name) = automaton.names.get(state) {
            let _ = write!(text, " {}", quoted(name));
        }
        if on_states && automaton.sets == 1 && automaton.accepting(state as u32) {
            text.push_str(" {0}");
        }
        text.push('\n');
        for edge in edges {
            let _ = write!(text, "[{}] {}", expression(&edge.label), edge.target);
            if !on_states && edge.marks != 0 {
                let marks: Vec<String> = bits_of(edge.marks).map(|set| set.to_string()).collect();
                let _ = write!(text, " {{{}}}", marks.join(" "));
            }
            text.push('\n');
        }
    }
    text.push_str("--END--\n");
    text
}

/// Whether edges inside one component have equal marks, as the format's `weak` asks for.
fn marks_uniform(automaton: &Automaton) -> bool {
    let components = crate::Components::of(automaton);
    (0..components.count())
        .all(|c| !components.cyclic[c] || components.marks[c] == components.common[c])
}

/// A label by numbers of propositions.
fn expression(label: &crate::Label) -> String {
    if label.is_empty() {
        return "f".to_owned();
    }
    let cube = |cube: &crate::Cube| {
        let literals = bits_of(cube.must | cube.must_not);
        let literals: Vec<String> = literals
            .map(|atom| format!("{}{atom}", if cube.must >> atom & 1 == 1 { "" } else { "!" }))
            .collect();
        if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
    };
    label.cubes().iter().map(cube).collect::<Vec<_>>().join(" | ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, build, equivalent_automata, testing};
    use promenade_base::random::Random;
    use promenade_ltl::Formulas;

    #[test]
    fn round_trip() {
        let mut random = Random::new(31);
        for round in 0..300 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 6, 3);
            let options = Options { effort: crate::Effort::NONE, ..Options::default() };
            let Ok(built) = build(&mut table, formula, &options) else { continue };
            for automaton in [&built.generalised, &built.buchi] {
                let text = write(automaton, "a \"name\" \\");
                let read = read(&text);
                assert!(!read.has_errors(), "{text}\n{:?}", read.diagnostics);
                let back = &read.value[0];
                assert_eq!(back.automaton.states, automaton.states, "{text}");
                assert_eq!(back.name.as_deref(), Some("a \"name\" \\"));
                assert_eq!(back.automaton.sets, automaton.sets);
            }
        }
    }

    #[test]
    fn what_others_write() {
        let text = "HOA: v1 States: 2 Start: 0 Start: 1 AP: 2 \"a\" \"b\" /* x /* y */ z */\n\
            Alias: @x 0 & !1 Acceptance: 2 Inf(!0) | Inf(1) custom: 3 \"z\" foo\n--BODY--\n\
            State: [@x | f] 0 \"zero\" {0} 0 1 State: 1 0 1 {1} 0 0 --END--\n\
            HOA: v1 --ABORT-- HOA: v1 Start: 0 AP: 0 acc-name: all Acceptance: 0 t --BODY--\n\
            State: 0 [t] 0 --END--";
        let read = read(text);
        assert!(!read.has_errors(), "{:?}", read.diagnostics);
        assert_eq!(read.value.len(), 2);
        let first = &read.value[0].automaton;
        assert_eq!((first.states.len(), first.sets), (3, 1));
        let accepts = |prefix: &[u64], cycle: &[u64]| {
            let word = promenade_ltl::Lasso::new(prefix.to_vec(), cycle.to_vec());
            crate::accepts(first, &word.expect("a cycle"))
        };
        // From state 1 under !a && !b to itself for ever: set 0 is avoided.
        assert!(!accepts(&[], &[2]));
        assert!(accepts(&[], &[1, 1, 0]));
        let back =
            equivalent_automata(first, &super::read(&write(first, "")).value[0].automaton, 99);
        assert!(back.is_ok_and(|difference| difference.is_none()));
    }

    #[test]
    fn refused_with_a_reason() {
        for (text, code) in [
            (
                "HOA: v1 Start: 0&1 AP: 0 Acceptance: 0 t --BODY-- State: 0 --END--",
                "hoa-alternation",
            ),
            (
                "HOA: v1 Start: 0 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 --END--",
                "hoa-acceptance",
            ),
            ("HOA: v2 Start: 0 AP: 0 Acceptance: 0 t --BODY-- --END--", "hoa-version"),
            (
                "HOA: v1 Start: 5 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 9999999999 --END--",
                "hoa-state",
            ),
            (
                "HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [1] 0 --END--",
                "hoa-proposition",
            ),
            ("HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [0", "hoa-syntax"),
            ("HOA: v1 AP: 1 \"a\" --BODY-- State: 0 [0] 0 --END--", "hoa-acceptance"),
            ("nothing", "hoa-syntax"),
            ("", "hoa-syntax"),
        ] {
            let read = read(text);
            let codes: Vec<_> = read.diagnostics.iter().map(|d| d.code).collect();
            assert!(codes.contains(&code), "{text}: {codes:?}");
        }
    }

    #[test]
    fn any_text_is_read_without_panic() {
        let text = "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Alias: @x 0 & !1 \
            Acceptance: 2 Inf(!0) & (Inf(1) | f) --BODY-- State: [@x] 0 \"z\" {0} 0 1 --END--";
        let mut random = Random::new(37);
        for _ in 0..3000 {
            let mut bytes: Vec<u8> = text.bytes().collect();
            for _ in 0..1 + random.below(4) {
                let place = random.below(bytes.len());
                match random.below(3) {
                    0 => {
                        bytes.remove(place);
                    }
                    1 => bytes[place] = b"01(&|!)[]{}\":@tf-"[random.below(17)],
                    _ => {
                        let other = bytes[random.below(bytes.len())];
                        bytes.insert(place, other);
                    }
                }
            }
            let _ = read(&String::from_utf8_lossy(&bytes));
        }
    }
}
