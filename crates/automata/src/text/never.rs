//! SPIN's never claims.
//!
//! A state is a label: `T0_init` or `accept_init` at the start, `T0_S3`, `accept_S3`, and `accept_all`
//! for an accepting state that never leaves itself, where SPIN lets the claim end: a match. What is
//! read may be any claim of conditions, choices, loops and jumps, as SPIN, LTL2BA, LTL3BA and Spot
//! write them; what is not understood is refused with the reason.

mod lexer;
mod reader;
mod syntax;

pub use reader::{Read, is_claim, read};

use crate::{Automaton, Label, TooLarge, degeneralise};
use promenade_base::arrange::Arrange;
use std::fmt::Write;

/// How a claim is written.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// In a comment behind `never`, such as the formula.
    pub comment: String,
    /// The step into `accept_all` is an assertion that fails, as SPIN writes it for formulas: the
    /// error is then found without looking for a cycle.
    pub early: bool,
}

/// The never claim that matches the words which the automaton accepts. Atoms are named by Promela
/// expressions. An automaton with marks on edges is degeneralised first.
///
/// # Errors
/// The state-based automaton has more than 100,000 states.
pub fn write(automaton: &Automaton, options: &Options) -> Result<String, TooLarge> {
    if !automaton.state_based {
        let mut states = degeneralise(automaton, 100_000)?;
        crate::simplify::simplify(&mut states);
        return write(&states, options);
    }
    let mut text = String::from("never {");
    if !options.comment.is_empty() {
        // A comment ends at the first of these.
        let comment = options.comment.replace("*/", "* /").replace(['\n', '\r'], " ");
        let _ = write!(text, "    /* {comment} */");
    }
    text.push('\n');
    let names: Vec<String> =
        (0..automaton.states.len() as u32).map(|state| name(automaton, state)).collect();
    let mut order: Vec<u32> = (0..automaton.states.len() as u32).collect();
    if order.contains(&automaton.initial) && is_all(automaton, automaton.initial) {
        order = vec![automaton.initial];
    }
    // The claim starts at its first statement, and ends behind the state that accepts all: one of
    // them does for all.
    order.arrange_by_key(|&state| (is_all(automaton, state), state != automaton.initial));
    let all = order.iter().position(|&state| is_all(automaton, state));
    order.truncate(all.map_or(order.len(), |first| first + 1));
    for state in order {
        let _ = writeln!(text, "{}:", names[state as usize]);
        let edges = &automaton.states[state as usize];
        if is_all(automaton, state) {
            text.push_str("\tskip;\n");
            continue;
        }
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        for edge in edges {
            let guard = guard(&edge.label, automaton);
            if options.early && is_all(automaton, edge.target) && edge.target != state {
                let _ = writeln!(text, "\t:: atomic {{ {guard} -> assert(!{guard}) }}");
            } else {
                let _ = writeln!(text, "\t:: {guard} -> goto {}", names[edge.target as usize]);
            }
        }
        text.push_str("\tod;\n");
    }
    if automaton.states.is_empty() {
        text.push_str("T0_init:\n\tfalse;\n");
    }
    text.push_str("}\n");
    Ok(text)
}

/// An accepting state with just a loop under all letters.
fn is_all(automaton: &Automaton, state: u32) -> bool {
    match automaton.states[state as usize].as_slice() {
        [edge] => edge.target == state && edge.label.is_all() && automaton.accepting(state),
        _ => false,
    }
}

fn name(automaton: &Automaton, state: u32) -> String {
    let edges = &automaton.states[state as usize];
    let accepting = !edges.is_empty() && automaton.accepting(state);
    if is_all(automaton, state) {
        return "accept_all".to_owned();
    }
    match (accepting, state == automaton.initial) {
        (true, true) => "accept_init".to_owned(),
        (true, false) => format!("accept_S{state}"),
        (false, true) => "T0_init".to_owned(),
        (false, false) => format!("T0_S{state}"),
    }
}

/// A label as a Promela expression in parentheses.
fn guard(label: &Label, automaton: &Automaton) -> String {
    if label.is_all() {
        return "(1)".to_owned();
    }
    let text = label.text(&automaton.atoms);
    // A name that is an expression has its parentheses already.
    let wrapped = text.starts_with('(') && label.support().count_ones() == 1;
    if wrapped { text } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options as Bounds, build};
    use promenade_ltl::Formulas;

    fn claim(formula: &str, early: bool) -> String {
        let mut table = Formulas::new();
        let parsed = promenade_ltl::parse(formula, promenade_ltl::Reading::default()).value;
        let f = parsed.formula(&mut table).expect("a formula");
        let mut built = build(&mut table, f, &Bounds::default()).expect("small");
        built.buchi.name_atoms(&parsed.atom_texts());
        write(&built.buchi, &Options { comment: formula.to_owned(), early }).expect("small")
    }

    use crate::{accepts, equivalent_automata, testing};
    use promenade_base::random::Random;
    use promenade_ltl::Lasso;

    #[test]
    fn claims() {
        assert_eq!(
            claim("<> [] p", false),
            "never {    /* <> [] p */\nT0_init:\n\tdo\n\t:: (1) -> goto T0_init\n\
             \t:: (p) -> goto accept_S1\n\tod;\n\
             accept_S1:\n\tdo\n\t:: (p) -> goto accept_S1\n\tod;\n}\n"
        );
        assert_eq!(
            claim("<> p", true),
            "never {    /* <> p */\nT0_init:\n\tdo\n\t:: (!p) -> goto T0_init\n\
             \t:: atomic { (p) -> assert(!(p)) }\n\tod;\naccept_all:\n\tskip;\n}\n"
        );
        assert!(claim("false", false).contains("false;"));
    }

    /// The automaton of a text, over these propositions.
    fn automaton(text: &str, atoms: &[&str]) -> Automaton {
        let read = read(text);
        assert!(!read.has_errors(), "{text}\n{:?}", read.diagnostics);
        let atoms: Vec<String> = atoms.iter().map(|&atom| atom.to_owned()).collect();
        read.value.expect("a claim").automaton.over(&atoms).expect("the same propositions")
    }

    #[test]
    fn round_trip() {
        let mut random = Random::new(43);
        for round in 0..300 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 6, 3);
            let options = Bounds { effort: crate::Effort::NONE, ..Bounds::default() };
            let Ok(built) = build(&mut table, formula, &options) else { continue };
            let atoms = ["p", "x == 1", "c?[a]"];
            let names: Vec<String> = atoms.iter().map(|&atom| atom.to_owned()).collect();
            for mut known in [built.generalised, built.buchi] {
                known.atoms.resize(3, String::new());
                known.name_atoms(&names);
                for early in [false, true] {
                    let text =
                        write(&known, &Options { comment: "f".to_owned(), early }).expect("small");
                    let back = automaton(&text, &atoms);
                    let difference = equivalent_automata(&known, &back, 5_000);
                    assert!(difference.is_ok_and(|it| it.is_none()), "{text}");
                }
            }
        }
    }

    /// Infinitely often `a`, in the manners of several tools.
    #[test]
    fn what_others_write() {
        let spin = "never  {    /* []<>a */\nT0_init:\n\tdo\n\t:: ((a)) -> goto accept_S9\n\
            \t:: (1) -> goto T0_init\n\tod;\naccept_S9:\n\tdo\n\t:: (1) -> goto T0_init\n\tod;\n}";
        let ltl2ba = "never { /* G F a */\naccept_init :\n\tif\n\t:: (1) -> goto T0_S1\n\
            \t:: (a) -> goto accept_init\n\tfi;\nT0_S1 :\n\tif\n\t:: (1) -> goto T0_S1\n\
            \t:: (a) -> goto accept_init\n\tfi;\n}\n";
        let spot = "never {\naccept_init:\n  if\n  :: (a) -> goto accept_init\n\
            :: (!(a)) -> goto T0_S2\n  fi;\nT0_S2:\n  if\n  :: (a) -> goto accept_init\n\
            :: (!(a)) -> goto T0_S2\n  fi;\n}\n";
        let by_hand = "never live { do :: a -> accept_it: if :: a -> goto accept_it :: else fi \
            :: !a od }";
        for text in [spin, ltl2ba, spot, by_hand] {
            assert!(is_claim(text));
            let automaton = automaton(text, &["a"]);
            for (prefix, cycle, expected) in [
                (&[][..], &[1][..], true),
                (&[1], &[0], false),
                (&[0, 0], &[0, 1, 0], true),
                (&[], &[0], false),
            ] {
                let word = Lasso::new(prefix.to_vec(), cycle.to_vec()).expect("a cycle");
                assert_eq!(accepts(&automaton, &word), expected, "{text} {word:?}");
            }
        }
        let read = read(by_hand).value.expect("a claim");
        assert_eq!((read.name.as_deref(), read.comment), (Some("live"), None));
        assert_eq!(super::read(spin).value.expect("a claim").comment.as_deref(), Some("[]<>a"));
    }

    /// A claim that ends accepts whatever comes then.
    #[test]
    fn ends_and_assertions() {
        // Each: a, later not b.
        let texts = [
            "never { a; do :: !b -> break :: b od }",
            "never { if :: a fi; T0: do :: atomic { !b -> assert(b) } :: b -> goto T0 od; accept_all: skip }",
            "never { if :: a -> goto S fi; S: if :: b -> goto S :: !b -> goto accept_all fi; accept_all: skip }",
            "never { a -> do :: assert(b) od }",
            "never { d_step { a }; { do :: { b -> skip } :: else -> break od } }",
        ];
        let automata = texts.map(|text| automaton(text, &["a", "b"]));
        let formula = "a && X <> !b";
        let mut table = Formulas::new();
        let parsed = promenade_ltl::parse(formula, promenade_ltl::Reading::default()).value;
        let f = parsed.formula(&mut table).expect("a formula");
        let known = build(&mut table, f, &Bounds::default()).expect("small").buchi;
        let known = Automaton { atoms: vec!["a".to_owned(), "b".to_owned()], ..known };
        for (text, automaton) in texts.iter().zip(&automata).take(4) {
            let difference = equivalent_automata(&known, automaton, 999).expect("small");
            assert!(difference.is_none(), "{text}: {difference:?}");
        }
        // `b -> skip` are two steps.
        let word = Lasso::new(vec![1, 2, 0, 0], vec![2]).expect("a cycle");
        assert!(accepts(&automata[4], &word));
        let word = Lasso::new(vec![1, 2, 0], vec![2]).expect("a cycle");
        assert!(!accepts(&automata[4], &word));
    }

    #[test]
    fn refused_with_a_place() {
        for (text, place, said) in [
            ("never { a -> goto S }", "goto S", "no label `S`"),
            ("never { S: a; S: b }", "S", "twice"),
            ("never { [] a }", "[] a", "temporal operator"),
            ("never { a = 1 }", "=", "expected an operator"),
            ("never { a b }", "b", "expected an operator"),
            ("never { int x; a }", "int", "variables of its own"),
            ("never { printf(\"x\") }", "printf", "`printf` is not read"),
            ("never { a -> break }", "break", "outside of `do`"),
            ("never { a; else }", "else", "`else` does not begin an option"),
            ("never { if :: else :: else fi }", "else", "a second `else`"),
            ("never { atomic { a; b } }", "b", "only `condition -> assert"),
            ("never { do :: a od", "", "expected `}`"),
            ("never { do a od }", "a", "expected `::`"),
            ("never { if :: a od }", "od", "expected `::` or `fi`"),
            ("never { a } byte x;", "byte", "more text"),
            ("#define a (x == 1)\nnever { a }", "#", "macro"),
            ("never { /* a }", "/*", "comment"),
            ("never { if :: a -> S: goto T fi; T: goto S }", "", "circle of `goto`"),
            ("never a", "", "expected `{`"),
            ("", "", "begins with `never`"),
        ] {
            let read = read(text);
            let error = read.diagnostics.first().unwrap_or_else(|| panic!("{text} is read"));
            assert!(read.value.is_none() && error.is_error(), "{text}");
            assert!(error.message.contains(said), "{text}: {}", error.message);
            let span = error.span.start as usize..error.span.end as usize;
            assert!(text[span.clone()].starts_with(place), "{text}: {}", &text[span]);
        }
        let warned = read("never { T0: if :: a -> goto T0 fi }");
        assert_eq!(warned.diagnostics[0].code, "never-accepts-nothing");
        assert!(!warned.has_errors() && !is_claim("never_mind U x") && !is_claim("nevermore {"));
        assert!(is_claim("/* x */ // y\n never a {"));
    }

    #[test]
    fn any_text_is_read_without_panic() {
        let text = "never n { /* c */ T0_init: do :: (a && x == 1) -> goto S :: else -> break od; \
            S: if :: atomic { !b -> assert(b) } :: { skip; a } fi; accept_all: skip }";
        let mut random = Random::new(47);
        for _ in 0..3000 {
            let mut bytes: Vec<u8> = text.bytes().collect();
            for _ in 0..1 + random.below(4) {
                let place = random.below(bytes.len());
                match random.below(3) {
                    0 => {
                        let end = (place + 1 + random.below(6)).min(bytes.len());
                        bytes.drain(place..end);
                    }
                    1 => bytes[place] = b"a:;->(){}!|&/*\"\xe9"[random.below(16)],
                    _ => {
                        let other = bytes[random.below(bytes.len())];
                        bytes.insert(place, other);
                    }
                }
            }
            let _ = read(&String::from_utf8_lossy(&bytes));
        }
        let deep = format!("never {{ {} }}", "if :: ".repeat(5000));
        assert!(read(&deep).has_errors());
    }
}
