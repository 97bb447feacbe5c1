//! Whether a formula that holds says anything: `[] (a -> b)` holds in a model in which `a` never
//! happens, whatever `b` is (I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, Efficient detection of
//! vacuity in temporal model checking, 2001).
//!
//! No second search is needed. The edges of the claim's initial state are split into those that read
//! `a` and those that do not; which of them were ever taken tells whether `a` happened. That is exact
//! where the initial state waits: it can be kept as long as `a` has not happened, and has an edge for
//! every letter.

use promenade_automata::{Automaton, Edge, Label};
use promenade_ltl::print::to_text;
use promenade_ltl::{Formula, Formulas, Node};

/// Antecedents that are watched at most: each may double the edges of a state.
const MOST: usize = 3;

/// A condition without which a part of the formula says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Antecedent {
    /// As text.
    pub text: String,
    /// The letters with it.
    pub label: Label,
}

/// The antecedents of a formula: of `[] (a -> b)`, or of several such parts that all have to hold.
pub(crate) fn antecedents(table: &Formulas, formula: Formula, names: &[String]) -> Vec<Antecedent> {
    let parts = match table.node(formula) {
        Node::And(list) => list.to_vec(),
        _ => vec![formula],
    };
    let mut found: Vec<Antecedent> = Vec::new();
    for part in parts {
        let Node::Always(inner) = table.node(part) else { continue };
        let Node::Implies(left, _) = table.node(*inner) else { continue };
        let Some(label) = Label::from_formula(table, *left) else { continue };
        if label.is_all() || label.is_empty() || found.iter().any(|known| known.label == label) {
            continue;
        }
        found.push(Antecedent { text: to_text(table, *left, names), label });
    }
    found.truncate(MOST);
    found
}

/// The edges of the initial state of the negation's automaton, split; for each antecedent the places
/// of the edges that read it. `None` if they would not tell whether it happens.
pub(crate) fn split(
    automaton: &Automaton,
    antecedents: &[Antecedent],
) -> Option<(Vec<Edge>, Vec<Vec<usize>>)> {
    let edges = automaton.states.get(automaton.initial as usize)?;
    let any = |all: &mut dyn Iterator<Item = &Edge>| {
        all.fold(Label::none(), |sum, edge| sum.or(&edge.label))
    };
    let waits = any(&mut edges.iter().filter(|edge| edge.target == automaton.initial));
    let happens = |sum: Label, it: &Antecedent| sum.or(&it.label);
    let happens = antecedents.iter().fold(Label::none(), happens);
    let exact = happens.not().minus(&waits).is_empty() && any(&mut edges.iter()).is_all();
    // A condition that this state does not look at might not be defined everywhere.
    let seen = edges.iter().fold(0, |set, edge| set | edge.label.support());
    if antecedents.is_empty() || !exact || happens.support() & !seen != 0 {
        return None;
    }
    let mut pieces: Vec<Edge> = edges.clone();
    for Antecedent { label, .. } in antecedents {
        let halves = |edge: Edge| {
            let (with, without) = (edge.label.and(label), edge.label.minus(label));
            [Edge { label: with, ..edge.clone() }, Edge { label: without, ..edge }]
        };
        pieces = pieces.into_iter().flat_map(halves).collect();
        pieces.retain(|edge| !edge.label.is_empty());
    }
    let reading = |antecedent: &Antecedent| {
        let reads = |edge: &Edge| edge.label.minus(&antecedent.label).is_empty();
        (0..pieces.len()).filter(|&at| reads(&pieces[at])).collect()
    };
    let places = antecedents.iter().map(reading).collect();
    Some((pieces, places))
}

/// The sentence about a formula that holds without saying anything.
pub(crate) fn sentence(never: &[&str]) -> Option<String> {
    let quoted: Vec<String> = never.iter().map(|text| format!("`{text}`")).collect();
    let (last, others) = quoted.split_last()?;
    Some(if others.is_empty() {
        format!("But {last} never happens: the property says nothing about this model.")
    } else {
        format!(
            "But {} and {last} never happen: these parts of the property say nothing about this model.",
            others.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use promenade_protocol::{Experiment, File, Property, Verdict};

    fn summary(model: &str, formula: &str) -> (bool, String) {
        let experiment = Experiment {
            files: vec![File { name: "m.pml".to_owned(), text: model.to_owned() }],
            property: Property::Formula { text: formula.to_owned() },
            ..Experiment::default()
        };
        let crate::Start::Running(mut check) = crate::start(&experiment, None) else {
            panic!("{formula} is rejected")
        };
        while !check.advance(1_000) {}
        let report = check.finish();
        (report.verdict == Verdict::Holds, report.summary)
    }

    const MODEL: &str = "byte x; active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }";

    #[test]
    fn what_never_happens_is_said() {
        for (formula, never) in [
            ("[] (x == 7 -> <> (x == 1))", Some("`x == 7` never happens: the property")),
            ("[] (x == 7 -> x == 1)", Some("`x == 7` never happens")),
            ("[] (x == 7 -> X (x == 1))", Some("`x == 7` never happens")),
            ("[] ((x == 7 && x > 2) -> (x != 1 U x == 1))", Some("never happens")),
            ("[] (x == 3 -> <> (x == 1))", None),
            ("[] (x == 0 -> x < 3)", None),
            ("[] (x == 3 -> x != 1)", None),
            ("[] (x < 5)", None),
            ("[] (x == 3 -> x > 1) && [] (x == 9 -> <> (x == 1))", Some("But `x == 9` never")),
            (
                "[] (x == 8 -> x == 1) && [] (x == 9 -> <> (x == 1))",
                Some("`x == 9` never happen: these parts"),
            ),
        ] {
            let (holds, summary) = summary(MODEL, formula);
            assert!(holds, "{formula}: {summary}");
            match never {
                Some(never) => assert!(summary.contains(never), "{formula}: {summary}"),
                None => assert!(!summary.contains("never happen"), "{formula}: {summary}"),
            }
        }
        let (holds, summary) = summary(MODEL, "[] (x == 3 -> [] (x == 3))");
        assert!(!holds && !summary.contains("never happen"), "{summary}");
    }

    /// The last state of a run that ends is looked at, too.
    #[test]
    fn what_happens_last_is_noticed() {
        let model = "byte x; active proctype A() { x = 1; x = 2 }";
        for (formula, noticed) in
            [("[] (x == 2 -> <> (x == 2))", true), ("[] (x == 4 -> <> (x == 2))", false)]
        {
            let (holds, summary) = summary(model, formula);
            assert!(holds && summary.contains("never happen") != noticed, "{formula}: {summary}");
        }
    }
}
