//! `promenade ltl`: everything about a formula, and its automaton.

use crate::Exit;
use crate::arguments::{Format, FormulaRequest};
use crate::output;
use promenade_protocol::{
    AutomatonData, DiagnosticData, FormulaOptions, FormulaReport, Level, WordData,
};
use std::fmt::Write;

/// Runs the command.
pub(crate) fn run(request: &FormulaRequest) -> Exit {
    let formula =
        if request.negated { format!("!({})", request.formula) } else { request.formula.clone() };
    let options = FormulaOptions { buchi: request.buchi, raw: request.raw };
    let report = promenade_service::formula(&formula, &options);
    let failed = report.diagnostics.iter().any(|d| d.level == Level::Error);
    for diagnostic in &report.diagnostics {
        output::complain(&told(&formula, diagnostic));
    }
    if request.format == Format::Json {
        let text = serde_json::to_string_pretty(&report);
        output::print(&format!("{}\n", text.unwrap_or_default()));
    } else if !failed {
        output::print(&match request.format {
            Format::Hoa => report.hoa.clone(),
            Format::Dot => report.dot.clone(),
            Format::Never => report.never_claim.clone(),
            Format::Latex => format!("{}\n", report.latex),
            Format::Text | Format::Json => described(&report),
        });
    }
    if failed { Exit::Input } else { Exit::Holds }
}

/// A finding with the place marked.
fn told(formula: &str, diagnostic: &DiagnosticData) -> String {
    let word = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut text = format!("{word}: {}", diagnostic.message);
    if !formula.contains('\n') && formula.len() < 200 && diagnostic.span.end > 0 {
        let before = formula.get(..diagnostic.span.start as usize).unwrap_or("");
        let column = before.chars().count();
        let _ = write!(text, "\n  {formula}\n  {:column$}^", "");
    }
    if let Some(hint) = &diagnostic.hint {
        let _ = write!(text, "\n  {hint}");
    }
    text
}

fn described(report: &FormulaReport) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<18}{text}");
    };
    line("formula", &report.signs);
    line("read as", &report.grouped);
    match report.constant {
        Some(true) => line("always", "true: every run satisfies it"),
        Some(false) => line("always", "false: no run satisfies it"),
        None => {}
    }
    if let Some(pattern) = &report.pattern {
        line("in words", pattern);
    }
    line("class", &format!("{}. {}", report.class, report.class_meaning));
    match (report.stutter_invariant, &report.stutter_words) {
        (Some(true), _) => line("repeated letters", "never matter: it is stutter-invariant"),
        (Some(false), Some((inside, outside))) => line(
            "repeated letters",
            &format!("matter: {} satisfies it, {} does not", word(inside), word(outside)),
        ),
        _ => {}
    }
    line("automaton", &size(&report.automaton));
    line("of the negation", &size(&report.negation));
    for advice in &report.advice {
        line("advice", &format!("{}; {}", advice.message, advice.reason));
        for suggestion in &advice.suggestions {
            line("", &format!("{}: {}", suggestion.formula, suggestion.meaning));
        }
    }
    out
}

fn size(automaton: &AutomatonData) -> String {
    let counted = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let acceptance = match (automaton.state_based, automaton.sets) {
        (_, 0) => "every infinite run accepts".to_owned(),
        (true, _) => "accepting states".to_owned(),
        (false, n) => format!("{} on edges", counted(n as usize, "acceptance set")),
    };
    let kind = if automaton.deterministic { ", deterministic" } else { "" };
    let (states, edges) = (automaton.states.len(), automaton.edges.len());
    format!("{}, {}, {acceptance}{kind}", counted(states, "state"), counted(edges, "edge"))
}

/// `{p} ({} {p,q})*`
fn word(word: &WordData) -> String {
    let letters = |letters: &[Vec<String>]| {
        letters.iter().map(|l| format!("{{{}}}", l.join(", "))).collect::<Vec<_>>().join(" ")
    };
    let cycle = format!("({})*", letters(&word.cycle));
    if word.prefix.is_empty() { cycle } else { format!("{} {cycle}", letters(&word.prefix)) }
}
