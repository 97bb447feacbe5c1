//! Which formulas get which hints.

use super::*;
use crate::parse::{Propositions, Reading, parse};
use crate::random::{self, Shape};

fn hints(text: &str) -> Vec<Hint> {
    let checked = parse(text, Reading::Blocks);
    assert!(!checked.has_errors(), "{text}");
    advise(text, &checked.value)
}

#[test]
fn slips_and_their_repairs() {
    for (text, rule, weight, repaired) in [
        ("p -> q", Rule::FirstStateOnly, Weight::Likely, "[] (p -> <> q)"),
        ("p -> <> q", Rule::FirstStateOnly, Weight::Likely, "[] (p -> (<> q))"),
        ("[] p -> <> q", Rule::NarrowPrefix, Weight::Likely, "[] (p -> (<> q))"),
        ("[] p U q", Rule::NarrowPrefix, Weight::Likely, "[] (p U q)"),
        ("[] p && q", Rule::NarrowPrefix, Weight::Likely, "[] (p && q)"),
        ("[] (p && <> q)", Rule::AlwaysBoth, Weight::Likely, "[] (p -> (<> q))"),
        ("[] (<> q && p)", Rule::AlwaysBoth, Weight::Likely, "[] (p -> (<> q))"),
        ("<> (p -> q)", Rule::EventuallyImplies, Weight::Likely, "<> (p && q)"),
        ("[] (p -> q)", Rule::SameState, Weight::Possible, "[] (p -> <> q)"),
        ("[] (p && q)", Rule::AlwaysConjunction, Weight::Information, "[] (p -> <> q)"),
        ("[] (p -> <> q)", Rule::Vacuous, Weight::Information, "[] !p"),
        ("!p U q", Rule::StrongUntil, Weight::Possible, "(!p W q)"),
        ("[] (r -> (p U q))", Rule::StrongUntil, Weight::Possible, "[] (r -> (p W q))"),
        ("p V q", Rule::ReleaseOrder, Weight::Information, "(p W q)"),
        ("<> [] p", Rule::Stabilises, Weight::Information, "([] <> p)"),
        ("[] <> p", Rule::Recurs, Weight::Information, "(<> [] p)"),
        ("[] (p -> X q)", Rule::NextStep, Weight::Possible, "[] (p -> (<> q))"),
        ("x > 3 -> y == 1", Rule::FirstStateOnly, Weight::Likely, "[] ((x > 3) -> <> (y == 1))"),
    ] {
        let hints = hints(text);
        let found = hints.iter().find(|hint| hint.rule == rule);
        let found = found.unwrap_or_else(|| panic!("{text}: {hints:?}"));
        assert_eq!(found.weight, weight, "{text}");
        assert!(found.weight != Weight::Likely || hints[0] == *found, "{text}: {hints:?}");
        assert_eq!(found.suggestions[0].text, repaired, "{text}");
    }
}

#[test]
fn constants_and_parts_without_effect() {
    let first = |text: &str| hints(text).into_iter().next().expect("a hint");
    assert_eq!(first("[] p -> p").rule, Rule::Constant);
    assert_eq!(first("[] p -> p").message, "this formula holds in every run of every model");
    assert_eq!(first("[] p && <> !p").message, "this formula holds in no run of any model");
    let part = first("<> q || (p && !p)");
    assert_eq!(
        (part.rule, part.message.as_str()),
        (Rule::ConstantPart, "`p && !p` is always false")
    );
    let unused = hints("<> p || <> (p && q)");
    let unused = unused.iter().find(|hint| hint.rule == Rule::NoInfluence).expect("a hint");
    assert_eq!(unused.suggestions[0].text, "<>p");
    assert!(hints("true").is_empty());
}

#[test]
fn usual_formulas_get_no_strong_hint() {
    for text in [
        "[] p",
        "<> p",
        "[] (p -> <> q)",
        "[]<> p -> []<> q",
        "<> r -> (!p U r)",
        "[] ((q && !r && <> r) -> (p U r))",
        "<> r -> (!p U (s || r))",
        "[] p || [] q",
        "(p W q)",
    ] {
        let hints = hints(text);
        assert!(hints.iter().all(|hint| hint.weight == Weight::Information), "{text}: {hints:?}");
    }
}

/// What is suggested can be read and is another formula, unless it is a shorter form.
#[test]
fn suggestions_are_formulas() {
    let mut random = promenade_base::random::Random::new(31);
    let names: Vec<String> = ["p", "x == 3", "q?[m]"].map(str::to_owned).to_vec();
    let mut given = 0;
    for _ in 0..4000 {
        let mut table = Formulas::new();
        let shape = Shape { size: 8, ..Shape::default() };
        let f = random::formula(&mut random, &mut table, &shape);
        let text = crate::print::to_text(&table, f, &names);
        let mut propositions = Propositions::new();
        let checked = parse(&text, Reading::Blocks);
        let own = checked.value.formula_with(&mut table, &mut propositions).expect("a formula");
        for hint in advise(&text, &checked.value) {
            assert!(hint.span.end as usize <= text.len() && hint.span.start < hint.span.end);
            for suggestion in hint.suggestions {
                let read = parse(&suggestion.text, Reading::Blocks);
                assert!(!read.has_errors(), "{text}: {}", suggestion.text);
                let other = read.value.formula_with(&mut table, &mut propositions);
                let other = other.expect("a formula");
                given += 1;
                if hint.rule == Rule::NoInfluence {
                    let word = random::lasso(&mut random, 3, 3, 3);
                    assert_eq!(word.satisfies(&table, own), word.satisfies(&table, other));
                } else if hint.rule != Rule::ReleaseOrder {
                    assert_ne!(own, other, "{text}: {}", suggestion.text);
                }
            }
        }
    }
    assert!(given > 1000, "{given}");
}
