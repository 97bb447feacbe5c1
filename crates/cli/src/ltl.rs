//! `promenade ltl`: everything about a formula or a never claim, and its automaton.

use crate::Exit;
use crate::arguments::{Format, FormulaRequest};
use crate::files;
use crate::output;
use promenade_protocol::{
    AutomatonData, DiagnosticData, FormulaOptions, FormulaReport, Given, Level, WordData,
};
use std::fmt::Write;

/// Runs the command.
pub(crate) fn run(request: &FormulaRequest) -> Exit {
    let text = match &request.never {
        Some(name) => match files::read(name) {
            Ok(files) => {
                let text = files.into_iter().next().map_or_else(String::new, |file| file.text);
                // A mark of the encoding is no text.
                text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned)
            }
            Err(message) => {
                output::complain(&format!("error: {message}"));
                return Exit::Input;
            }
        },
        None => request.formula.clone(),
    };
    let options =
        FormulaOptions { buchi: request.buchi, raw: request.raw, alternating: request.alternating };
    let mut report = promenade_service::formula(&text, &options);
    if request.never.is_some() && report.given == Given::Formula {
        let long =
            report.diagnostics.iter().find(|d| d.level == Level::Error && d.code.contains("large"));
        let why = long.map_or("there is no never claim in the file", |d| &d.message);
        output::complain(&format!("error: {why}"));
        return Exit::Input;
    }
    let mut text = text;
    if request.negated {
        let what = match report.given {
            Given::Formula => {
                text = format!("!({text})");
                report = promenade_service::formula(&text, &options);
                None
            }
            Given::NeverClaim => Some("a never claim"),
            Given::Hoa => Some("an automaton"),
        };
        if let Some(what) = what {
            output::complain(&format!(
                "error: `--negate` is for formulas: the complement of {what} is not made\n  Give the \
                 formula that it comes from, with `--negate`."
            ));
            return Exit::Input;
        }
    }
    if request.format == Format::Latex && report.given == Given::Formula && !report.latex.is_empty()
    {
        // No automaton is needed for that.
        report.diagnostics.retain(|it| it.code != "automaton-too-large");
    }
    let lacks = match request.format {
        Format::Hoa => report.hoa.is_empty(),
        Format::Dot => report.dot.is_empty(),
        Format::Never => report.never_claim.is_empty(),
        Format::Latex | Format::Text | Format::Json => false,
    };
    for large in report.diagnostics.iter_mut().filter(|it| it.code == "automaton-too-large") {
        if lacks {
            // It is what was asked for.
            large.level = Level::Error;
        }
    }
    let failed = report.diagnostics.iter().any(|d| d.level == Level::Error);
    for diagnostic in &report.diagnostics {
        output::complain(&told(&text, diagnostic));
    }
    if request.format == Format::Json {
        let text = serde_json::to_string_pretty(&report);
        output::print_json(&format!("{}\n", text.unwrap_or_default()));
    } else if request.format == Format::Latex && report.given != Given::Formula && !failed {
        output::complain("error: only a formula can be written for LaTeX");
        return Exit::Input;
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
fn told(text: &str, diagnostic: &DiagnosticData) -> String {
    let word = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut told = format!("{word}: {}", diagnostic.message);
    let start = diagnostic.span.start as usize;
    if let (Some(before), true) = (text.get(..start), diagnostic.span.end > 0) {
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(begins..).and_then(|rest| rest.lines().next()).unwrap_or("");
        if line.len() < 200 {
            if text.contains('\n') {
                let _ = write!(told, ", line {}", diagnostic.span.line);
            }
            // Tabs take as much room in both lines.
            let indent: String =
                before[begins..].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let _ = write!(told, "\n  {line}\n  {indent}^");
        }
    }
    if let Some(hint) = &diagnostic.hint {
        let _ = write!(told, "\n  {hint}");
    }
    told
}

fn described(report: &FormulaReport) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<18}{text}");
    };
    let formula = report.given == Given::Formula;
    if formula {
        line("formula", &report.signs);
        line("read as", &report.grouped);
    } else {
        line("automaton", &report.grouped);
        line("meaning", "the runs that must not exist: a model is right if none is accepted");
    }
    match report.constant {
        Some(false) if !formula => {
            line("attention", "it accepts no run, so nothing can violate it")
        }
        Some(true) => line("always", "true: every run satisfies it"),
        Some(false) => line("always", "false: no run satisfies it"),
        None => {}
    }
    if let Some(pattern) = &report.pattern {
        line("in words", pattern);
    }
    line(
        if formula { "class" } else { "property" },
        &format!("{}. {}", report.class, report.class_meaning),
    );
    match (report.stutter_invariant, &report.stutter_words) {
        (Some(true), _) => line("repeated letters", "never matter: it is stutter-invariant"),
        (Some(false), Some((inside, outside))) => line(
            "repeated letters",
            &format!("matter: {} satisfies it, {} does not", word(inside), word(outside)),
        ),
        _ => {}
    }
    line(if formula { "automaton" } else { "size" }, &size(&report.automaton));
    if formula {
        line("of the negation", &size(&report.negation));
        line("alternating", &alternating(&report.alternating));
    }
    for advice in &report.advice {
        line("advice", &format!("{}; {}", advice.message, advice.reason));
        for suggestion in &advice.suggestions {
            line("", &format!("{}: {}", suggestion.formula, suggestion.meaning));
        }
    }
    out
}

/// States that are no forks, and edges that read something.
fn alternating(automaton: &AutomatonData) -> String {
    let states = automaton.states.iter().filter(|state| state.name.is_empty()).count();
    let edges = automaton.edges.iter().filter(|edge| !edge.label.is_empty()).count();
    let counted = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", counted(states, "state"), counted(edges, "edge"))
}

fn size(automaton: &AutomatonData) -> String {
    if automaton.states.is_empty() {
        return "too large to be shown".to_owned();
    }
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
