//! Formulas that grow with a parameter: sizes known by theory, and bounds on the work.

use promenade_automata::{Options, build};
use promenade_ltl::{Formulas, Reading, parse};
use std::time::{Duration, Instant};

/// States of the state-based and of the generalised automaton.
fn sizes(text: &str) -> (usize, usize) {
    let mut table = Formulas::new();
    let parsed = parse(text, Reading::default()).value;
    let formula = parsed.formula(&mut table).expect(text);
    let built = build(&mut table, formula, &Options::default()).expect(text);
    (built.buchi.states.len(), built.generalised.states.len())
}

/// `one(1) sign one(2) sign ...`, each in parentheses.
fn joined(n: usize, sign: &str, one: impl Fn(usize) -> String) -> String {
    (1..=n).map(|i| format!("({})", one(i))).collect::<Vec<_>>().join(sign)
}

#[test]
fn known_sizes() {
    for n in 1..=5 {
        let conjunction = joined(n, " && ", |i| format!("[]<>p{i}"));
        assert_eq!(sizes(&conjunction), (n + 1, 1), "{conjunction}");
        let disjunction = joined(n, " || ", |i| format!("<>[]p{i}"));
        let (states, generalised) = sizes(&disjunction);
        assert!(states <= n + 1 && generalised <= n + 1, "{disjunction}");
        let fair = format!("!(({conjunction}) -> [](q -> <>r))");
        let (states, generalised) = sizes(&fair);
        assert!(states <= n + 2 && generalised <= 2, "{fair}: {states} {generalised}");
        let mut right = "q".to_owned();
        let mut left = "q".to_owned();
        for i in 1..n {
            right = format!("(p{i} U {right})");
            left = format!("({left} U p{i})");
        }
        assert!(sizes(&right).0 <= n.max(2), "{right}");
        assert!(sizes(&left).0 <= 1 << (n - 1).max(1), "{left}");
    }
}

#[test]
fn work_is_bounded() {
    // Far beyond what can be built: an error or a result, but soon.
    let many = joined(30, " && ", |i| format!("[]<>p{i}"));
    let choices = joined(20, " && ", |i| format!("[]<>p{i} || <>[]q{i}"));
    let mut deep = "p".to_owned();
    for i in 0..40 {
        deep = format!("(({deep}) U (q{} <-> X r))", i % 3);
    }
    let chain = joined(12, " && ", |i| format!("p{i} U (q U X (r{i} W s))"));
    let wide = joined(60, " || ", |i| format!("p{i} && X p{}", i % 60 + 1));
    for text in [many, choices, deep, chain, wide] {
        let mut table = Formulas::new();
        let parsed = parse(&text, Reading::default()).value;
        let Some(formula) = parsed.formula(&mut table) else { continue };
        let start = Instant::now();
        let result = build(&mut table, formula, &Options::default());
        let time = start.elapsed();
        let size = result.map(|built| built.buchi.states.len());
        println!("{size:?} {time:?} {}", &text[..text.len().min(60)]);
        if !cfg!(debug_assertions) {
            assert!(time < Duration::from_secs(10), "{text}");
        }
    }
}
