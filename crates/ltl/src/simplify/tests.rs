//! Simplification against the meaning of formulas on words.

use super::*;
use crate::parse::{Propositions, Reading, parse};
use crate::random::{self, Shape};
use promenade_base::random::Random;

fn weight(table: &Formulas, f: Formula) -> usize {
    let operands = table.operands(f);
    let own = match table.node(f) {
        Node::True | Node::False | Node::Atom(_) | Node::Not(_) => return 1,
        Node::And(_) | Node::Or(_) => operands.len() - 1,
        _ => 2,
    };
    own + operands.into_iter().map(|g| weight(table, g)).sum::<usize>()
}

#[test]
fn random_formulas_keep_their_meaning() {
    let mut random = Random::new(20);
    let mut smaller = 0;
    for round in 0..20_000 {
        let mut table = Formulas::new();
        let shape = Shape { atoms: 1 + round % 3, ..Shape::default() };
        let f = random::formula(&mut random, &mut table, &shape);
        let normal = table.negation_normal_form(f);
        let simple = simplify(&mut table, f);
        let (before, after) = (weight(&table, normal), weight(&table, simple));
        let text = |f| crate::print::to_text(&table, f, &[]);
        // Splitting `[] (f && g)` may add an operator, seldom more.
        assert!(after <= before + 4, "{} became {}", text(normal), text(simple));
        smaller += usize::from(after < before);
        for _ in 0..30 {
            let word = random::lasso(&mut random, shape.atoms, 4, 4);
            assert_eq!(word.satisfies(&table, f), word.satisfies(&table, simple), "{round}");
        }
        assert_eq!(simplify(&mut table, simple), simple, "{round}");
    }
    assert!(smaller > 5_000, "{smaller}");
}

#[test]
fn implication_is_sound() {
    let mut random = Random::new(4);
    let mut found = 0;
    for _ in 0..20_000 {
        let mut table = Formulas::new();
        let shape = Shape { atoms: 2, size: 6, ..Shape::default() };
        let f = random::formula(&mut random, &mut table, &shape);
        let g = random::formula(&mut random, &mut table, &shape);
        let mut simplifier = Simplifier::new();
        if simplifier.implies(&mut table, f, g) {
            found += 1;
            for _ in 0..30 {
                let word = random::lasso(&mut random, 2, 3, 3);
                assert!(!word.satisfies(&table, f) || word.satisfies(&table, g));
            }
        }
        let eventual = simplifier.is_pure_eventuality(&mut table, f);
        let universal = simplifier.is_pure_universality(&mut table, f);
        for _ in 0..if eventual || universal { 30 } else { 0 } {
            let word = random::lasso(&mut random, 2, 3, 3);
            let truth = word.truth(&table, f);
            let values = truth.of(f).unwrap();
            for i in 0..word.positions() {
                let next = values[word.after(i)];
                assert!(!eventual || !next || values[i]);
                assert!(!universal || !values[i] || next);
            }
        }
    }
    assert!(found > 5_000, "{found}");
}

#[test]
fn rules_by_name() {
    for (before, after) in [
        ("<> (p U q)", "<> q"),
        ("[] (p V q)", "[] q"),
        ("[] (p W q)", "[] (p || q)"),
        ("<> X p", "X <> p"),
        ("X p U X q", "X (p U q)"),
        ("<> p || <> q", "<> (p || q)"),
        ("[] p && [] q", "[] (p && q)"),
        ("[] (<> p && <> q && r)", "[]<> p && []<> q && [] r"),
        ("<> ([] p || q)", "<>[] p || <> q"),
        ("<>[] p && <>[] q", "<>[] (p && q)"),
        ("[]<> p || []<> q", "[]<> (p || q)"),
        ("X []<> p", "[]<> p"),
        ("q || (p && X (p U q))", "p U q"),
        ("q && (p || X (p V q))", "p V q"),
        ("q || X <> q", "<> q"),
        ("p && X [] p", "[] p"),
        ("(p W q) && <> q", "p U q"),
        ("(p U q) || [] p", "p W q"),
        ("(p V q) && <> p", "p M q"),
        ("p V (p || q)", "q W p"),
        ("q W (p && q)", "p V q"),
        ("p U (p && q)", "q M p"),
        ("p U (q || [] p)", "p W q"),
        ("p V (q && <> p)", "p M q"),
        ("p U []<> q", "[]<> q"),
        ("<> (p && []<> q)", "<> p && []<> q"),
        ("p U (q && []<> r)", "(p U q) && []<> r"),
        ("p U (p U q)", "p U q"),
        ("(p U q) U q", "p U q"),
        ("(p U q) U (q || r)", "(p U q) || r"),
        ("(p U q) || (p U r)", "p U (q || r)"),
        ("(p U r) && (q W r)", "(p && q) U r"),
        ("!p U p", "<> p"),
        ("(p && !q) U q", "p U q"),
        ("(p || q) U q", "p U q"),
        ("!p W p", "true"),
        ("(p && q) || (p && !q)", "p"),
        ("(p && q) || !p || !q", "true"),
        ("[] p && <> !p", "false"),
        ("(p W q) || <> !p", "true"),
        ("([](p -> q) && []p) -> []q", "true"),
        ("<> (p || q) <-> (<> p || <> q)", "true"),
        ("(p U q) && [] !q", "false"),
        ("[]<>[]<> p", "[]<> p"),
        ("<>[]<> p", "[]<> p"),
        ("[]p W q", "[]p || q"),
        ("<>p M q", "<>p && q"),
        ("p && (!p || q)", "p && q"),
    ] {
        let (mut table, mut names) = (Formulas::new(), Propositions::new());
        let mut read = |text: &str| {
            let parsed = parse(text, Reading::Blocks).value;
            parsed.formula_with(&mut table, &mut names).expect(text)
        };
        let (before_formula, after_formula) = (read(before), read(after));
        let found = simplify(&mut table, before_formula);
        assert_eq!(found, after_formula, "{before}: {:?}", table.node(found));
    }
}

#[test]
fn large_formulas_take_polynomial_time() {
    let texts = [
        (0..40).map(|i| format!("[]<> p{i}")).collect::<Vec<_>>().join(" && "),
        (0..40).map(|i| format!("(<> p{i} -> <> q)")).collect::<Vec<_>>().join(" && "),
        (0..60).map(|i| format!("p{i} U ")).collect::<String>() + "p0",
        (0..40).map(|i| format!("(<> p{i} <-> ")).collect::<String>() + "q" + &")".repeat(40),
    ];
    for text in texts {
        let checked = parse(&text, Reading::Blocks);
        let mut table = Formulas::new();
        let f = checked
            .value
            .formula(&mut table)
            .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        simplify(&mut table, f);
        assert!(table.len() < 100_000);
    }
}
