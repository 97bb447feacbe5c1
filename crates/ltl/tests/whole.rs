//! All parts of the crate together: large formulas in little memory, and pairs of known relation.

use promenade_ltl::{
    Formulas, Lasso, Propositions, Reading, Simplifier, advisor, class, parse, patterns, print,
};
use std::path::PathBuf;

fn everything(text: &str) {
    for reading in [Reading::Blocks, Reading::CommandLine, Reading::RightAssociative] {
        let checked = parse(text, reading);
        let Some(syntax) = &checked.value.syntax else {
            assert!(checked.has_errors());
            return;
        };
        syntax.ghost_parentheses(&checked.value);
        let mut table = Formulas::new();
        let formula = checked.value.formula(&mut table).expect("a formula");
        let names = checked.value.atom_texts();
        for spelling in [print::Spelling::Spin, print::Spelling::Latex] {
            print::print(&table, formula, &names, spelling, print::Parentheses::Full);
        }
        Simplifier::new().simplify(&mut table, formula);
        class::classes(&mut table, formula);
        patterns::recognise(&mut table, formula);
        advisor::advise(text, &checked.value);
    }
}

/// A page in a browser has one megabyte of stack; half of it has to do.
#[test]
fn the_largest_formulas_need_little_stack() {
    let chain = |operator: &str, n: usize| {
        (0..n).map(|i| format!("p{}", i % 60)).collect::<Vec<_>>().join(operator)
    };
    let nested =
        |head: &str, tail: &str, n: usize| format!("{}q{}", head.repeat(n), tail.repeat(n));
    let texts = [
        chain(" U ", 598),
        chain(" W ", 598),
        chain(" -> ", 598),
        chain(" <-> ", 200),
        chain(" && ", 598),
        nested("X ", "", 199),
        nested("<> X [] ", "", 66),
        nested("(p U ", ")", 199),
        nested("(X p V ", ")", 199),
        nested("X (r || []<> s && ", ")", 99),
        nested("!(p <-> ", ")", 99),
        nested("<> (p && ", ")", 99),
        nested("(p -> X (q U ", "))", 66),
    ];
    for text in texts {
        let short: String = text.chars().take(40).collect();
        let run =
            std::thread::Builder::new().stack_size(512 << 10).spawn(move || everything(&text));
        run.expect("a thread").join().unwrap_or_else(|_| panic!("{short}"));
    }
}

fn corpus(file: &str) -> Option<String> {
    let folder = std::env::var_os("PROMENADE_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join("ltl").join(file)).ok();
    if text.is_none() {
        eprintln!("skipped: there is no corpus; name its folder in PROMENADE_CORPUS");
    }
    text
}

/// A word as `{p,q}{}({r})`.
fn word(text: &str, names: &mut Propositions) -> Option<Lasso> {
    let (mut prefix, mut cycle, mut in_cycle) = (Vec::new(), Vec::new(), false);
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        match c {
            '(' => in_cycle = true,
            '{' => {
                let end = rest.find('}')?;
                let mut letter = 0;
                for name in rest[1..end].split(',').filter(|name| !name.is_empty()) {
                    letter |= 1u64 << names.number(name)?;
                }
                if in_cycle {
                    cycle.push(letter)
                } else {
                    prefix.push(letter)
                }
                rest = &rest[end..];
            }
            _ => {}
        }
        rest = &rest[c.len_utf8().min(rest.len())..];
        rest = rest.strip_prefix('}').unwrap_or(rest);
    }
    Lasso::new(prefix, cycle)
}

#[test]
fn pairs_of_the_corpus() {
    let Some(text) = corpus("equivalences.tsv") else { return };
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with('e')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let mut table = Formulas::new();
        let mut names = Propositions::new();
        let mut read = |text: &str, names: &mut Propositions| {
            parse(text, Reading::Blocks).value.formula_with(&mut table, names).expect(line)
        };
        let (f, g) = (read(cells[1], &mut names), read(cells[2], &mut names));
        let mut simplifier = Simplifier::new();
        let forth = simplifier.implies(&mut table, f, g);
        let back = simplifier.implies(&mut table, g, f);
        match cells[4] {
            "equal" => {}
            "f strictly stronger" => assert!(!back, "{line}"),
            "g strictly stronger" => assert!(!forth, "{line}"),
            _ => assert!(!forth && !back, "{line}"),
        }
        for (cell, first, second) in [(cells[5], f, g), (cells[6], g, f)] {
            if let Some(word) = word(cell, &mut names) {
                assert!(word.satisfies(&table, first) && !word.satisfies(&table, second), "{line}");
            }
        }
        rows += 1;
    }
    assert!(rows > 10);
}

#[test]
fn formulas_of_the_corpus_keep_their_meaning() {
    let Some(text) = corpus("formulas.tsv") else { return };
    let mut random = promenade_base::random::Random::new(77);
    let (mut constants, mut known) = (0, 0);
    for line in text.lines().filter(|line| line.starts_with('f')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let checked = parse(cells[1], Reading::Blocks);
        assert!(!checked.has_errors(), "{line}");
        let mut table = Formulas::new();
        let f = checked.value.formula(&mut table).expect(line);
        let simple = Simplifier::new().simplify(&mut table, f);
        let again = print::to_text(&table, simple, &checked.value.atom_texts());
        let mut names = Propositions::new();
        for atom in checked.value.atom_texts() {
            names.number(&atom);
        }
        let read = parse(&again, Reading::Blocks).value.formula_with(&mut table, &mut names);
        let read = read.expect(line);
        for _ in 0..200 {
            let word = promenade_ltl::random::lasso(&mut random, 6, 4, 4);
            let value = word.satisfies(&table, f);
            assert_eq!(value, word.satisfies(&table, simple), "{line}");
            assert_eq!(value, word.satisfies(&table, read), "{line}");
        }
        if cells[5] == "no" || cells[6] == "yes" {
            constants += 1;
            known += usize::from(simple == table.constant(cells[6] == "yes"));
        }
    }
    eprintln!("{known} of {constants} constant formulas show in the syntax");
}
