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
use promenade_protocol::Vacuity;

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

/// The parts of a formula that all have to hold.
fn parts(table: &Formulas, formula: Formula) -> Vec<Formula> {
    match table.node(formula) {
        Node::And(list) => list.to_vec(),
        _ => vec![formula],
    }
}

/// The condition of `[] (a -> b)`, or of `[] (!a || b)` where `b` speaks of other moments: what can be
/// decided at once of `a`. As text, with its letters.
fn condition(table: &Formulas, part: Formula, names: &[String]) -> Option<(String, Label)> {
    let Node::Always(inner) = table.node(part) else { return None };
    let at_once = |formula: &Formula| Label::from_formula(table, *formula);
    // Each with whether it is meant negated.
    let (list, negated) = match table.node(*inner) {
        Node::Implies(left, _) => match table.node(*left) {
            Node::And(list) => (list.to_vec(), false),
            _ => (vec![*left], false),
        },
        // Without other moments a disjunction is no condition with a consequence.
        Node::Or(list) if list.iter().any(|it| at_once(it).is_none()) => (list.to_vec(), true),
        _ => return None,
    };
    let mut all = Label::all();
    let mut conjuncts = Vec::new();
    for formula in list {
        let Some(label) = at_once(&formula) else { continue };
        all = all.and(&if negated { label.not() } else { label });
        conjuncts.push(match table.node(formula) {
            Node::Not(inner) if negated => (*inner, false),
            _ => (formula, negated),
        });
    }
    let text = match conjuncts.as_slice() {
        [] => return None,
        [(only, false)] => to_text(table, *only, names),
        several => {
            let texts = several.iter().map(|(formula, negated)| {
                let text = to_text(table, *formula, names);
                match (table.node(*formula), negated) {
                    (_, true) => format!("!({text})"),
                    (Node::Or(_) | Node::Implies(..) | Node::Equivalent(..), false) => {
                        format!("({text})")
                    }
                    _ => text,
                }
            });
            texts.collect::<Vec<_>>().join(" && ")
        }
    };
    Some((text, all))
}

/// The antecedents of a formula: of `[] (a -> b)`, or of several such parts that all have to hold.
pub(crate) fn antecedents(table: &Formulas, formula: Formula, names: &[String]) -> Vec<Antecedent> {
    let mut found: Vec<Antecedent> = Vec::new();
    for part in parts(table, formula) {
        let Some((text, label)) = condition(table, part, names) else { continue };
        if label.is_all() || label.is_empty() || found.iter().any(|known| known.label == label) {
            continue;
        }
        found.push(Antecedent { text, label });
    }
    found.truncate(MOST);
    found
}

/// Whether each part of the formula is about one of these conditions.
pub(crate) fn is_conditional(table: &Formulas, formula: Formula, all: &[Antecedent]) -> bool {
    parts(table, formula).into_iter().all(|part| {
        condition(table, part, &[]).is_some_and(|(_, label)| all.iter().any(|it| it.label == label))
    })
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

/// The summary of a formula that holds, with what it does not say.
pub(crate) fn summary(vacuity: &Vacuity, holds: &str) -> String {
    let holds = holds.strip_prefix("Holds: ").unwrap_or(holds);
    let title = vacuity.title();
    let quoted: Vec<String> = vacuity.never.iter().map(|text| format!("`{text}`")).collect();
    let [others @ .., last] = quoted.as_slice() else {
        return format!("{title}: {holds} But the formula is true of every run of every model.");
    };
    let (list, verb) = match others {
        [] => (last.clone(), "is"),
        _ => (format!("{} and {last}", others.join(", ")), "are"),
    };
    let says = match (vacuity.whole, others) {
        (true, _) => "the property says nothing",
        (false, []) => "this part of the property says nothing",
        (false, _) => "these parts of the property say nothing",
    };
    format!("{title}: {holds} But {list} {verb} never true: {says} about this model.")
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
            ("[] (x == 7 -> <> (x == 1))", Some("`x == 7` is never true: the property")),
            ("[] (x == 7 -> x == 1)", Some("`x == 7` is never true")),
            ("[] (x == 7 -> X (x == 1))", Some("`x == 7` is never true")),
            ("[] ((x == 7 && x > 2) -> (x != 1 U x == 1))", Some("is never true")),
            ("[] (!(x == 9) || <> (x == 1))", Some("`x == 9` is never true: the property")),
            ("[] (x <= 4 || <> (x == 1))", Some("`!(x <= 4)` is never true: the property")),
            ("[] ((x == 9 && <> (x == 3)) -> <> (x == 1))", Some("`x == 9` is never true")),
            (
                "[] ((x == 9 || x == 8) -> <> (x == 1))",
                Some("`(x == 9) || (x == 8)` is never true"),
            ),
            ("true", Some("true of every run of every model")),
            ("[] (!(x == 3) || <> (x == 1))", None),
            ("[] (x != 3 || x != 9)", None),
            ("[] ((x == 3 && <> (x == 2)) -> <> (x == 1))", None),
            ("[] (x == 3 -> <> (x == 1))", None),
            ("[] (x == 0 -> x < 3)", None),
            ("[] (x == 3 -> x != 1)", None),
            ("[] (x < 5)", None),
            (
                "[] (x == 3 -> x > 1) && [] (x == 9 -> <> (x == 1))",
                Some("But `x == 9` is never true: this part"),
            ),
            (
                "[] (x == 8 -> x == 1) && [] (x == 9 -> <> (x == 1))",
                Some("and `x == 9` are never true: the property says"),
            ),
        ] {
            let (holds, summary) = summary(MODEL, formula);
            assert!(holds, "{formula}: {summary}");
            match never {
                Some(never) => assert!(summary.contains(never), "{formula}: {summary}"),
                None => assert!(!summary.contains(" But "), "{formula}: {summary}"),
            }
        }
        let (holds, summary) = summary(MODEL, "[] (x == 3 -> [] (x == 3))");
        assert!(!holds && !summary.contains("never true"), "{summary}");
    }

    /// The last state of a run that ends is looked at, too.
    #[test]
    fn what_happens_last_is_noticed() {
        let model = "byte x; active proctype A() { x = 1; x = 2 }";
        for (formula, noticed) in
            [("[] (x == 2 -> <> (x == 2))", true), ("[] (x == 4 -> <> (x == 2))", false)]
        {
            let (holds, summary) = summary(model, formula);
            assert!(holds && summary.contains("never true") != noticed, "{formula}: {summary}");
        }
    }
}
