//! SPIN's never claims.
//!
//! A state is a label: `T0_init` or `accept_init` at the start, `T0_S3`, `accept_S3`, and `accept_all`
//! for an accepting state that never leaves itself, where SPIN lets the claim end: a match.

use crate::{Automaton, Label, TooLarge, degeneralise};
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
    // The claim starts at its first statement.
    order.sort_by_key(|&state| state != automaton.initial);
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
        // There may be more than one.
        let first = (0..state).all(|other| !is_all(automaton, other));
        return if first { "accept_all".to_owned() } else { format!("accept_all_{state}") };
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
}
