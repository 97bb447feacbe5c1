//! Automata in place of formulas: never claims, and automata in the Hanoi format. They say which runs
//! must not exist, as the claims do along which models are checked.

use crate::formula::{LIMIT, MOST_STATES, drawn, finding, general};
use crate::property::TYPED_CLAIM;
use crate::sources::{Behind, of_property};
use promenade_automata::text::{dot, hoa, never};
use promenade_automata::{Automaton, TooLarge, class, degeneralise, is_empty, simplify};
use promenade_base::{Checked, Diagnostic, SourceMap};
use promenade_ltl::{Formulas, Node, Reading, parse};
use promenade_protocol::{DiagnosticData, FormulaOptions, FormulaReport, Given, SpanData};

/// What a text is meant as.
pub(crate) fn given(text: &str) -> Given {
    if text.trim_start().starts_with("HOA:") {
        Given::Hoa
    } else if never::is_claim(text) {
        Given::NeverClaim
    } else {
        Given::Formula
    }
}

/// An automaton that was read.
pub(crate) struct Read {
    /// What it is called.
    pub name: String,
    /// As it stands in the text.
    pub automaton: Automaton,
}

/// Reads an automaton; `None` if the findings say why not.
pub(crate) fn read(text: &str) -> Checked<Option<Read>> {
    if given(text) == Given::Hoa {
        let Checked { value, mut diagnostics } = hoa::read(text);
        if let Some(second) = value.get(1) {
            let message = "the text contains more than one automaton";
            let error = Diagnostic::error("hoa-several", second.span, message);
            diagnostics.push(error.with_hint("Keep the automaton that is meant."));
        }
        // What follows an automaton and cannot be read may be a part of what was meant.
        let wrong = diagnostics.iter().any(Diagnostic::is_error);
        let read = value.into_iter().next().filter(|_| !wrong).map(|read| Read {
            name: read.name.unwrap_or_else(|| "an automaton".to_owned()),
            automaton: read.automaton,
        });
        return Checked { value: read, diagnostics };
    }
    let Checked { value, diagnostics } = never::read(text);
    let read = value.map(|read| Read {
        name: match (read.name, read.comment) {
            (Some(name), _) => format!("never claim {name}"),
            (None, Some(comment)) if !comment.is_empty() => format!("never claim ({comment})"),
            _ => "never claim".to_owned(),
        },
        automaton: read.automaton,
    });
    Checked { value: read, diagnostics }
}

/// An automaton in the form that is wanted: smaller unless it is wanted as it stands in the text.
pub(crate) fn shaped(
    automaton: &Automaton,
    options: &FormulaOptions,
) -> Result<Automaton, TooLarge> {
    let mut result = automaton.clone();
    if !options.raw {
        simplify::simplify(&mut result);
    }
    if options.buchi && !result.state_based {
        result = degeneralise(&result, 2 * MOST_STATES)?;
        if !options.raw {
            simplify::simplify(&mut result);
        }
    }
    Ok(result)
}

/// Says what is known of an automaton in place of a formula.
pub(crate) fn report(text: &str, options: &FormulaOptions) -> FormulaReport {
    let given = given(text);
    let mut report = FormulaReport { given, ..FormulaReport::default() };
    let Checked { value, diagnostics } = read(text);
    let sources = SourceMap::single("automaton", text);
    report.diagnostics = diagnostics.iter().map(|d| finding(&sources, d)).collect();
    let Some(Read { name, automaton }) = value else {
        if report.diagnostics.is_empty() {
            let message = "there is no automaton in the text".to_owned();
            report.diagnostics.push(general("hoa-syntax", message, None));
        }
        return report;
    };
    let shown = match shaped(&automaton, options) {
        Ok(shown) if shown.states.len() <= MOST_STATES => shown,
        _ => {
            let message = format!("the automaton has more than {MOST_STATES} states");
            report.diagnostics.push(general("automaton-too-large", message, None));
            return report;
        }
    };
    report.signs.clone_from(&name);
    report.grouped.clone_from(&name);
    report.propositions = automaton.atoms.clone();
    report.constant = is_empty(&automaton).then_some(false);
    if let Ok(class) = class(&automaton, LIMIT) {
        // The property is that no run is accepted.
        let class = class.of_negation();
        report.class = class.name().to_owned();
        report.class_meaning = class.consequence().to_owned();
    }
    report.automaton = drawn(&shown, &name);
    for (state, name) in report.automaton.states.iter_mut().zip(&shown.names) {
        if given == Given::NeverClaim {
            state.name.clone_from(name);
            state.meaning.clear();
        }
    }
    let claim_options = never::Options { comment: name.clone(), ..never::Options::default() };
    report.never_claim = never::write(&shown, &claim_options).unwrap_or_default();
    report.hoa = hoa::write(&shown, &name);
    report.dot = dot::write(
        &shown,
        &dot::Options { names: given == Given::NeverClaim, ..dot::Options::default() },
    );
    report
}

/// An automaton as a claim behind the text of a model; the errors of one that cannot be read.
pub(crate) fn as_claim(text: &str) -> Result<Behind, Box<DiagnosticData>> {
    let sources = SourceMap::single("automaton", text);
    let wrong = |diagnostics: &[Diagnostic]| {
        let error = diagnostics.iter().find(|it| it.is_error());
        let data = error.map(|error| finding(&sources, error));
        let data =
            data.unwrap_or_else(|| of_property("hoa-syntax", "there is no automaton in the text"));
        let span = SpanData { file: SpanData::PROPERTY, ..data.span };
        Box::new(DiagnosticData { span, ..data })
    };
    let (braces, from) = if given(text) == Given::Hoa {
        let Checked { value, diagnostics } = read(text);
        let Some(Read { automaton, .. }) = value else { return Err(wrong(&diagnostics)) };
        for atom in &automaton.atoms {
            expression(atom)?;
        }
        let claim = never::write(&automaton, &never::Options::default())
            .map_err(|error| Box::new(of_property("automaton-too-large", &error.to_string())))?;
        (claim.trim_start_matches("never").to_owned(), None)
    } else {
        let Checked { value, diagnostics } = never::read(text);
        let Some(read) = value else { return Err(wrong(&diagnostics)) };
        let (from, to) = (read.braces.start as usize, read.braces.end as usize);
        (text.get(from..to).unwrap_or("{ skip }").to_owned(), Some(read.braces.start))
    };
    if let Some(wrong) = braces.chars().find(|c| matches!(c, '#' | '"' | '\'' | '\\')) {
        let message = format!("`{wrong}` does not belong into a given automaton");
        return Err(Box::new(of_property("never-syntax", &message)));
    }
    let head = format!("\nnever {TYPED_CLAIM} ");
    let taken = from.map(|from| (head.len() as u32, from));
    Ok(Behind { block: format!("{head}{braces}\n"), taken })
}

/// Whether a proposition's name is a condition over the variables of a model.
fn expression(name: &str) -> Result<(), Box<DiagnosticData>> {
    let parsed = parse(name, Reading::Blocks);
    let strange = |c: char| matches!(c, '{' | '}' | ';' | '#' | '"' | '\'' | '\\');
    let comment = name.contains("/*") || name.contains("//");
    let mut table = Formulas::new();
    let formula = parsed.value.formula(&mut table);
    let is_atom = formula.is_some_and(|formula| matches!(table.node(formula), Node::Atom(_)));
    if !is_atom || comment || name.contains(strange) {
        let message = format!(
            "the proposition \"{name}\" of the given automaton is not a condition over a model"
        );
        let hint = Some("Name propositions by conditions, such as \"x == 1\".".to_owned());
        return Err(Box::new(DiagnosticData { hint, ..of_property("never-syntax", &message) }));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::Level;

    const CLAIM: &str = "never { /* <>[] p */\nT0_init:\n  do :: (1) -> goto T0_init\n\
        :: p -> goto accept_S1 od;\naccept_S1:\n  do :: p -> goto accept_S1 od }";

    fn report(text: &str) -> FormulaReport {
        super::report(text, &FormulaOptions::default())
    }

    #[test]
    fn a_claim_is_described() {
        let report = report(CLAIM);
        assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
        assert_eq!(
            (report.given, report.grouped.as_str()),
            (Given::NeverClaim, "never claim (<>[] p)")
        );
        // The property is its negation, again and again not p.
        assert_eq!(report.class, "recurrence");
        let names: Vec<&str> = report.automaton.states.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["T0_init", "accept_S1"]);
        assert!(report.negation.states.is_empty() && report.automaton.state_based);
        assert!(report.hoa.contains("State: 1 \"accept_S1\" {0}"), "{}", report.hoa);
        assert!(report.dot.contains("T0_init"), "{}", report.dot);
        assert!(report.never_claim.contains("goto accept_S1"), "{}", report.never_claim);
        let from_hoa = super::report(&report.hoa, &FormulaOptions::default());
        assert_eq!((from_hoa.given, from_hoa.class.as_str()), (Given::Hoa, "recurrence"));
        assert_eq!(from_hoa.automaton.edges, report.automaton.edges);
    }

    #[test]
    fn raw_is_as_in_the_text() {
        // Both states accept the same.
        let text = "never { accept_a: do :: p -> goto accept_b od; accept_b: do :: p -> goto accept_a od }";
        let states = |raw| {
            let options = FormulaOptions { raw, ..FormulaOptions::default() };
            super::report(text, &options).automaton.states.len()
        };
        assert_eq!([true, false].map(states), [2, 1]);
    }

    #[test]
    fn mistakes_have_places() {
        let report = report("never { T0: do :: p -> goto S od }");
        assert_eq!(report.diagnostics[0].level, Level::Error);
        assert_eq!(report.diagnostics[0].span.column, 24);
        assert!(as_claim("never { p -> goto S }").is_err_and(|it| it.span.column == 14));
    }

    #[test]
    fn claims_behind_a_text() {
        let claim = |text: &str| as_claim(text).map(|it| it.block).ok();
        let claim = |text: &str| claim(text).expect("a claim");
        let as_written = claim(CLAIM);
        assert!(as_written.starts_with("\nnever given_claim { /* <>[] p */"), "{as_written}");
        let hoa = |atom: &str| {
            format!(
                "HOA: v1 Start: 0 AP: 1 \"{atom}\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {{0}} --END--"
            )
        };
        let claim = claim(&hoa("x == 1"));
        assert!(claim.contains("(x == 1) -> goto accept_init"), "{claim}");
        for atom in ["x == ", "x } active proctype P() { y", "p; q", "p && q", "[] p", "/* x"] {
            assert!(as_claim(&hoa(atom)).is_err(), "{atom}");
        }
    }
}
