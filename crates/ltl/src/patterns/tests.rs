//! Patterns: made, recognised, and against their meaning.

use super::*;
use crate::random;
use promenade_base::random::Random;
use std::path::PathBuf;

fn letters(table: &mut Formulas, numbers: [u32; 5]) -> Operands {
    Operands::from_list(numbers.map(|number| table.atom(number)))
}

fn used(pattern: Pattern, scope: Scope) -> [bool; 5] {
    LETTERS.map(|name| {
        let letter = name.chars().next().unwrap_or(' ');
        pattern.letters().contains(&letter) || scope.letters().contains(&letter)
    })
}

#[test]
fn every_text_is_a_formula_over_its_letters() {
    for pattern in Pattern::ALL {
        for scope in Scope::ALL {
            for text in texts(pattern, scope) {
                let checked = parse(text, Reading::Blocks);
                assert!(!checked.has_errors(), "{text}");
                let mut found: Vec<String> = checked.value.atom_texts();
                found.sort();
                let expected: Vec<&str> = LETTERS
                    .into_iter()
                    .zip(used(pattern, scope))
                    .filter_map(|(letter, used)| used.then_some(letter))
                    .collect();
                assert_eq!(found, expected, "{text}");
            }
        }
    }
}

#[test]
fn every_pattern_is_recognised_in_every_naming() {
    let recogniser = Recogniser::new();
    let mut random = Random::new(9);
    for pattern in Pattern::ALL {
        for scope in Scope::ALL {
            for text in texts(pattern, scope) {
                for _ in 0..6 {
                    let mut numbers = [0, 1, 2, 3, 4];
                    for i in 1..5 {
                        numbers.swap(i, random.below(i + 1));
                    }
                    let mut table = Formulas::new();
                    for _ in 0..random.below(6) {
                        table.atom(random.below(5) as u32);
                    }
                    let operands = letters(&mut table, numbers);
                    let (from, template) = template(text);
                    let f = instantiate(&from, template, &mut table, &operands.list());
                    let found = recogniser.recognise(&mut table, f).expect(text);
                    assert_eq!((found.pattern, found.scope), (pattern, scope), "{text}");
                    let expected = operands.list();
                    for (i, used) in used(pattern, scope).into_iter().enumerate() {
                        assert!(!used || found.operands.list()[i] == expected[i], "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn operands_may_be_boolean_formulas() {
    for (text, pattern, scope, sentence_found) in [
        (
            "[] ((a && b) -> <> (c || d))",
            Pattern::Response,
            Scope::Globally,
            "In every run, each (a && b) is followed by (c || d), at once or later.",
        ),
        (
            "![] (a || !b)",
            Pattern::Existence,
            Scope::Globally,
            "In every run, (b && !a) holds at least once.",
        ),
        (
            "[] (q && !r -> (a || b) W r)",
            Pattern::Universality,
            Scope::AfterUntil,
            "From each q up to the next r, or for ever if it never comes, (a || b) always holds.",
        ),
        ("[] !a", Pattern::Absence, Scope::Globally, "In every run, a never holds."),
        ("!a U b || [] !a", Pattern::Precedence, Scope::Globally, ""),
        ("!<> a", Pattern::Absence, Scope::Globally, ""),
        ("<> (x == 1) -> (!a U (x == 1))", Pattern::Absence, Scope::Before, ""),
    ] {
        let parsed = parse(text, Reading::Blocks).value;
        let mut table = Formulas::new();
        let f = parsed.formula(&mut table).expect(text);
        let found = recognise(&mut table, f).expect(text);
        assert_eq!((found.pattern, found.scope), (pattern, scope), "{text}");
        if !sentence_found.is_empty() {
            let names = parsed.atom_texts();
            let words = |letter: char| {
                let index = LETTERS.iter().position(|l| l.starts_with(letter)).expect("a letter");
                let operand = found.operands.list()[index];
                let text = crate::print::to_text(&table, operand, &names);
                if text.contains(' ') { format!("({text})") } else { text }
            };
            let said = sentence(pattern, scope, &words);
            let same = |text: &str| {
                let mut letters: Vec<char> = text.chars().collect();
                letters.sort_unstable();
                letters
            };
            // Operands of `&&` come in the order of the table.
            assert_eq!(same(&said), same(sentence_found), "{said}");
        }
    }
    for text in ["[]<> p", "<>[] p", "p U q && <> (r && X <> q)", "true", "[] (p -> <>[] q)"] {
        let mut table = Formulas::new();
        let f = parse(text, Reading::Blocks).value.formula(&mut table).expect(text);
        assert_eq!(recognise(&mut table, f), None, "{text}");
    }
}

/// What a pattern says about the positions `from..to` of a word; if `to` is `None` the stretch never
/// ends, and the last cycles of what is looked at only serve to look ahead.
fn holds(pattern: Pattern, at: &dyn Fn(usize) -> u64, from: usize, to: Option<usize>) -> bool {
    let end = to.unwrap_or(from + HORIZON);
    let last = to.unwrap_or(from + HORIZON / 2);
    let p = |i: usize| at(i) & 1 != 0;
    let s = |i: usize| at(i) & 8 != 0;
    let t = |i: usize| at(i) & 16 != 0;
    match pattern {
        Pattern::Absence => (from..end).all(|i| !p(i)),
        Pattern::Existence => (from..end).any(p),
        Pattern::Universality => (from..end).all(p),
        Pattern::BoundedExistence => {
            (from..end).filter(|&i| p(i) && (i == from || !p(i - 1))).count() <= 2
        }
        Pattern::Precedence => (from..end).all(|i| !p(i) || (from..=i).any(s)),
        Pattern::Response => (from..last).all(|i| !p(i) || (i..end).any(s)),
        Pattern::PrecedenceChain21 => {
            (from..end).filter(|&i| p(i)).all(|i| (from..i).any(|j| s(j) && (j + 1..=i).any(t)))
        }
        Pattern::PrecedenceChain12 => {
            (from..last).filter(|&i| s(i) && (i + 1..end).any(t)).all(|i| (from..=i).any(p))
        }
        Pattern::ResponseChain21 => (from..last)
            .filter(|&i| s(i))
            .filter_map(|i| (i + 1..end).find(|&k| t(k)))
            .all(|k| (k..end).any(p)),
        Pattern::ResponseChain12 => {
            (from..last).filter(|&i| p(i)).all(|i| (i..end).any(|j| s(j) && (j + 1..end).any(t)))
        }
    }
}

/// Far beyond the words of the test: prefix up to 9, cycle up to 4.
const HORIZON: usize = 60;

#[test]
fn patterns_mean_what_they_say() {
    let mut random = Random::new(12);
    for pattern in Pattern::ALL {
        for scope in Scope::ALL {
            let mut table = Formulas::new();
            let operands = letters(&mut table, [0, 1, 2, 3, 4]);
            let f = formula(&mut table, pattern, scope, operands);
            let mut values = [0, 0];
            for round in 0..3000 {
                // Letters that are rare, or absent, make interesting stretches.
                let absent = [0, 2, 4, 1, 16][round % 5];
                let thin = |random: &mut Random, letters: &[u64]| -> Vec<u64> {
                    let mut keep = || random.next_u64() | random.next_u64() & 1;
                    letters.iter().map(|&letter| letter & keep() & !absent).collect()
                };
                let word = random::lasso(&mut random, 5, 9, 4);
                let prefix = thin(&mut random, word.prefix());
                let cycle = thin(&mut random, word.cycle());
                let word = crate::Lasso::new(prefix, cycle).expect("a cycle");
                let at = |i: usize| match i.checked_sub(word.prefix().len()) {
                    Some(j) => word.cycle()[j % word.cycle().len()],
                    None => word.letter(i),
                };
                let q = |i: usize| at(i) & 2 != 0;
                let r = |i: usize| at(i) & 4 != 0;
                let next_r = |from: usize| (from..from + word.positions() + 1).find(|&i| r(i));
                let holds = |from: usize, to: Option<usize>| holds(pattern, &at, from, to);
                let mut starts = (0..word.positions()).filter(|&i| q(i) && !r(i));
                let expected = match scope {
                    Scope::Globally => holds(0, None),
                    Scope::Before => next_r(0).is_none_or(|to| holds(0, Some(to))),
                    Scope::After => {
                        let first = (0..word.positions()).find(|&i| q(i));
                        first.is_none_or(|from| holds(from, None))
                    }
                    Scope::Between => {
                        starts.all(|from| next_r(from).is_none_or(|to| holds(from, Some(to))))
                    }
                    Scope::AfterUntil => starts.all(|from| holds(from, next_r(from))),
                };
                let found = word.satisfies(&table, f);
                assert_eq!(found, expected, "{pattern:?} {scope:?} {word:?}");
                values[usize::from(found)] += 1;
            }
            assert!(values.iter().all(|&count| count > 5), "{pattern:?} {scope:?} {values:?}");
        }
    }
}

#[test]
fn corpus_patterns_are_recognised() {
    let folder = std::env::var_os("PROMENADE_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("ltl/formulas.tsv")) else {
        eprintln!("skipped: there is no corpus; name its folder in PROMENADE_CORPUS");
        return;
    };
    let recogniser = Recogniser::new();
    let mut rows = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some((_, name)) = cells[2].strip_prefix("DAC-").and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        if name.contains("constrained") {
            continue;
        }
        let mut table = Formulas::new();
        let f = parse(cells[1], Reading::Blocks).value.formula(&mut table).expect(line);
        let found = recogniser.recognise(&mut table, f).expect(line);
        assert_eq!(name, format!("{}, {}", found.pattern.name(), found.scope.name()));
        rows += 1;
    }
    assert!(rows >= 25, "{rows}");
}
