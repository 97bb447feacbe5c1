//! Formulas as large as specifications are, and larger: every one becomes an automaton, with the right
//! words.

use promenade_automata::{
    Automaton, Built, Options, TooLarge, accepting_word, accepts, build, translate,
};
use promenade_base::Interrupt;
use promenade_base::random::Random;
use promenade_ltl::print::to_text;
use promenade_ltl::random::{Shape, formula, lasso, requirements};
use promenade_ltl::{Formula, Formulas, Lasso, Reading, parse};
use std::cell::Cell;
use std::rc::Rc;

/// As for a check: the formula is translated, whatever else fails.
fn patient() -> Options<'static> {
    Options { steps: 300_000, patience: usize::MAX, ..Options::for_checking() }
}

/// Words that tell a wrong automaton from a right one: random ones, accepted ones of the formula and
/// of its negation, and these with a proposition changed.
fn words(random: &mut Random, atoms: u32, automata: &[&Automaton]) -> Vec<Lasso> {
    let mut words: Vec<Lasso> = (0..6).map(|_| lasso(random, atoms, 3, 3)).collect();
    for word in automata.iter().filter_map(|automaton| accepting_word(automaton)) {
        for _ in 0..4 {
            let at = random.below(word.positions());
            let flip = 1 << random.below(atoms as usize);
            let mut letters: Vec<u64> = (0..word.positions()).map(|i| word.letter(i)).collect();
            letters[at] ^= flip;
            let cycle = letters.split_off(word.prefix().len());
            words.extend(Lasso::new(letters, cycle));
        }
        words.push(word);
    }
    words
}

/// Builds both automata and compares them with the formula word by word.
fn compare(random: &mut Random, table: &mut Formulas, f: Formula, atoms: u32) -> usize {
    let not = table.not(f);
    let text = to_text(table, f, &[]);
    let of = |table: &mut Formulas, f| -> Built {
        build(table, f, &patient()).unwrap_or_else(|reason| panic!("{reason}: {text}"))
    };
    // The negation is what a check needs; the formula itself may be much larger.
    let negative = of(table, not);
    let positive = build(table, f, &Options { patience: 300_000, ..patient() });
    let mut automata = vec![(&negative.generalised, false), (&negative.buchi, false)];
    if let Ok(positive) = &positive {
        automata.extend([(&positive.generalised, true), (&positive.buchi, true)]);
    }
    let sources: Vec<&Automaton> = automata.iter().map(|it| it.0).collect();
    let words = words(random, atoms, &sources);
    for word in &words {
        let holds = word.satisfies(table, f);
        for (automaton, value) in &automata {
            assert_eq!(accepts(automaton, word), holds == *value, "{text} on {word:?}");
        }
    }
    words.len()
}

#[test]
fn conjunctions_of_requirements() {
    let mut random = Random::new(101);
    let mut words = 0;
    for round in 0..60 {
        let mut table = Formulas::new();
        let atoms = 4 + round as u32 % 20;
        let within = round % 3 == 0;
        let f = requirements(&mut random, &mut table, 2 + round % 9, atoms, within);
        words += compare(&mut random, &mut table, f, atoms);
    }
    assert!(words > 800, "{words}");
}

#[test]
fn disjunctions_and_assumptions() {
    let mut random = Random::new(102);
    for round in 0..60 {
        let mut table = Formulas::new();
        let atoms = 4 + round as u32 % 10;
        // Requirements of which one has to hold, or that hold if others do.
        let first = requirements(&mut random, &mut table, 1 + round % 2, atoms, false);
        let second = requirements(&mut random, &mut table, 1 + round % 3, atoms, false);
        let f =
            if round % 2 == 0 { table.or([first, second]) } else { table.implies(first, second) };
        compare(&mut random, &mut table, f, atoms);
    }
}

#[test]
fn any_formula_of_thirty_operators() {
    let mut random = Random::new(103);
    let mut made = 0;
    while made < 60 {
        let mut table = Formulas::new();
        let shape = Shape { atoms: 12, size: 45, releases: false, ..Shape::default() };
        let f = formula(&mut random, &mut table, &shape);
        if table.subformulas(f).len() < 12 {
            continue;
        }
        made += 1;
        compare(&mut random, &mut table, f, 12);
    }
}

#[test]
fn many_conjuncts() {
    let responses = |n: usize| {
        let parts = (0..n).map(|i| format!("(p{i} -> <> q{i})")).collect::<Vec<_>>();
        format!("!([] ({}))", parts.join(" && "))
    };
    let recurrences =
        |n: usize| (0..n).map(|i| format!("([]<> p{i})")).collect::<Vec<_>>().join(" && ");
    for (text, states) in [
        (responses(6), 7),
        (responses(12), 13),
        (responses(30), 31),
        (format!("!({})", recurrences(30)), 31),
        (format!("!({})", recurrences(60)), 61),
    ] {
        let mut table = Formulas::new();
        let f = parse(&text, Reading::Blocks).value.formula(&mut table).expect("a formula");
        let built = build(&mut table, f, &patient()).expect("no more than a union");
        assert!(built.generalised.states.len() <= states, "{text}");
    }
}

/// Three states are enough for what has sixty-four sets: nothing but the negation is too much.
#[test]
fn the_negation_is_not_needed() {
    let text = "!([] ((((a U b) U e) -> <> ((d -> g) U (d -> h))) \
                && (((a U c) U f) -> <> ((d -> g) U (d -> i))) \
                && (((b U a) U e) -> <> ((d -> h) U (d -> g)))))";
    let mut table = Formulas::new();
    let f = parse(text, Reading::Blocks).value.formula(&mut table).expect("a formula");
    let options = Options { steps: 100_000, ..patient() };
    let built = build(&mut table, f, &options).expect("built");
    assert!(built.negation.is_none() && built.obligation.is_none());
    assert!(built.generalised.states.len() < 40, "{}", built.generalised.states.len());
}

/// A formula that takes for ever ends when it is asked to, soon.
#[test]
fn translations_can_be_interrupted() {
    let text = (0..24).map(|i| format!("(p{i} U q{i})")).collect::<Vec<_>>().join(" && ");
    let mut table = Formulas::new();
    let f = parse(&text, Reading::Blocks).value.formula(&mut table).expect("a formula");
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let interrupt = Interrupt::new(move || {
        count.set(count.get() + 1);
        count.get() > 100
    });
    let options = Options { interrupt: Some(&interrupt), states: usize::MAX, ..patient() };
    let built = build(&mut table, f, &options);
    assert_eq!(built.err(), Some(TooLarge::Interrupted));
    assert_eq!(asked.get(), 101, "once raised it is not asked again");
}

#[test]
fn memory_is_bounded() {
    let text = (0..24).map(|i| format!("(p{i} U q{i})")).collect::<Vec<_>>().join(" && ");
    let mut table = Formulas::new();
    let f = parse(&text, Reading::Blocks).value.formula(&mut table).expect("a formula");
    let options = Options { memory: 4 << 20, states: usize::MAX, ..patient() };
    assert_eq!(
        translate(&mut table, f, &Options { steps: usize::MAX, ..options }).err(),
        Some(TooLarge::Memory)
    );
    assert_eq!(build(&mut table, f, &options).err(), Some(TooLarge::Memory));
}
