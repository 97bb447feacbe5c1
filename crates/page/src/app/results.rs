//! Showing results.

use super::{App, Outcome, Picture, Purpose, Shared, Shown, is_automaton};
use crate::editor::ProcessMark;
use crate::numbers::grouped;
use crate::playback::CLAIM;
use crate::views::capital;
use leptos::prelude::*;
use promenade_protocol::{
    DiagnosticData, Found, Level, ProcessState, Property, Report, SpanData, StoppedBy, Verdict,
};

/// Colours of processes.
pub const COLOURS: usize = 8;

/// The whole name of a process, or of the claim that moves along.
pub fn process_name(name: &str, pid: u8) -> String {
    if pid == CLAIM { format!("claim {name}") } else { format!("{name}:{pid}") }
}

/// The short name of a process: its first letter and its number.
pub fn process_label(name: &str, pid: u8) -> String {
    if pid == CLAIM {
        return "C".to_owned();
    }
    let initial = name.chars().find(char::is_ascii_alphanumeric).unwrap_or('P');
    format!("{}{pid}", initial.to_ascii_uppercase())
}

/// Its colour.
pub fn process_colour(pid: u8) -> usize {
    usize::from(pid) % COLOURS
}

/// The title where a formula cannot be checked.
pub const FORMULA_ERROR: &str = "The formula has an error";

/// The verdict in a word or two, with the kind of the violation that is shown.
pub fn verdict_title(outcome: &Outcome, violation: usize) -> String {
    let formula = match &outcome.report.experiment.property {
        Property::Ltl { .. } => true,
        Property::Formula { text } => !is_automaton(text),
        _ => false,
    };
    if let Some(found) = outcome.report.violations.get(violation) {
        return match found.kind.as_str() {
            "assertion" => "Violated: an assertion fails".to_owned(),
            "invalid_end_state" => "Violated: an invalid end state".to_owned(),
            "claim_completed" if !formula => "Violated: the never claim matches".to_owned(),
            "non_progress_cycle" => "Violated: no progress for ever".to_owned(),
            "acceptance_cycle" if !formula => "Violated: an accepted infinite run".to_owned(),
            "claim_completed" | "acceptance_cycle" => {
                "Violated: this run breaks the formula".to_owned()
            }
            "trace_mismatch" | "trace_completed" => "Violated: the trace assertion".to_owned(),
            _ => "Violated: a run-time error".to_owned(),
        };
    }
    match &outcome.report.verdict {
        _ if outcome.mismatch.is_some() => "The counterexample does not replay".to_owned(),
        Verdict::Holds => match &outcome.report.vacuity {
            Some(vacuity) => vacuity.title().to_owned(),
            None => "Holds".to_owned(),
        },
        Verdict::NoViolationFound { why: StoppedBy::Omissions } => {
            "No violation found, some states may be missed".to_owned()
        }
        Verdict::NoViolationFound { .. } => "No violation found, search not complete".to_owned(),
        Verdict::Violated => "Violated".to_owned(),
        Verdict::InputError => match refused(&outcome.report) {
            None => "The text has errors",
            Some(SpanData::PROPERTY) if formula => FORMULA_ERROR,
            Some(SpanData::PROPERTY)
                if matches!(outcome.report.experiment.property, Property::Formula { .. }) =>
            {
                "The automaton has an error"
            }
            Some(SpanData::PROPERTY) => "The text does not state this property",
            Some(_) => "The options do not go together",
        }
        .to_owned(),
        Verdict::InternalError { .. } => "The checker made a mistake".to_owned(),
    }
}

/// A summary without the verdict at its beginning, which the title says already.
pub fn without_verdict(summary: &str) -> Option<&str> {
    let (verdict, rest) = summary.split_once(": ")?;
    (verdict == "Violated" || verdict.starts_with("Holds")).then_some(rest)
}

/// What makes a check impossible if it is not the text: [`SpanData::PROPERTY`] or
/// [`SpanData::SETTINGS`].
pub fn refused(report: &Report) -> Option<u16> {
    let errors = || report.diagnostics.iter().filter(|it| it.level == Level::Error);
    let in_text = errors().any(|it| it.span.is_in_file());
    errors().next().filter(|_| !in_text).map(|it| it.span.file)
}

impl App {
    /// Takes findings about the text that come with a result: they are those of the parse and more.
    pub(super) fn take_findings(&self, all: &[DiagnosticData]) {
        let of_text: Vec<DiagnosticData> =
            all.iter().filter(|it| it.span.is_in_file()).cloned().collect();
        if !of_text.is_empty() {
            self.diagnostics.set(of_text);
        }
    }

    /// Shows a result.
    pub(super) fn show_outcome(&self, outcome: Outcome, purpose: Purpose) {
        self.announcement.set(announcement(&outcome));
        let report = &outcome.report;
        if self.files.with_untracked(|files| *files == report.experiment.files) {
            self.take_findings(&report.diagnostics);
        }
        let steps = report.violations.first().map(|found| found.trace.steps.len());
        let view = match (&report.verdict, steps) {
            (_, Some(_)) => Some("trace"),
            (Verdict::InputError, _) => match refused(report) {
                None => Some("problems"),
                Some(SpanData::PROPERTY) => Some("properties"),
                Some(_) => None,
            },
            (Verdict::Holds, _) if !report.unreached.is_empty() => Some("unreached"),
            (Verdict::Holds | Verdict::NoViolationFound { .. }, _) => Some("statistics"),
            _ => None,
        };
        self.formula.picture.set(Picture::Report);
        let outcome = Shared::new(outcome);
        self.checks.keep(&outcome);
        self.trials.keep(&outcome);
        self.shown.set(Shown::Outcome(outcome));
        self.violation.set(0);
        let last = self.playback.with_untracked(|p| p.as_ref().map_or(0, |p| p.steps()));
        self.step.set(match purpose {
            Purpose::Replay(Some(step)) => (step as usize).min(last),
            _ => last,
        });
        match (view, purpose) {
            // Who opens a link to a counterexample wants to see it.
            (Some(view), Purpose::Replay(_)) => self.view.set(view),
            // The reader stays where they are.
            (view, _) => self.fresh.set(view.filter(|it| *it != self.view.get_untracked())),
        }
    }

    /// Shows a step.
    pub fn go_to(&self, step: usize) {
        let last = self.playback.with_untracked(|p| p.as_ref().map_or(0, |p| p.steps()));
        self.step.set(step.min(last));
    }

    /// Shows another of the violations, at its end.
    pub fn show_violation(&self, index: usize) {
        self.playing.set(false);
        self.violation.set(index);
        let last = self.playback.with_untracked(|p| p.as_ref().map_or(0, |p| p.steps()));
        self.step.set(last);
    }

    /// The violation that is shown.
    pub fn found<T>(&self, call: impl FnOnce(&Found) -> T) -> Option<T> {
        let index = self.violation.get();
        self.outcome().and_then(|outcome| outcome.report.violations.get(index).map(call))
    }

    /// Keeps the editor's marks in step with the trace and the unreached code.
    pub fn follow(&self) {
        let app = *self;
        Effect::new(move |_| {
            let list = app.diagnostics.get();
            app.files.with_untracked(|files| {
                let texts: Vec<&str> = files.iter().map(|file| file.text.as_str()).collect();
                app.with_editor(|editor| editor.diagnostics(&texts, &list));
            });
        });
        Effect::new(move |_| {
            let stale = app.stale.get();
            let spans: Vec<SpanData> = match app.outcome() {
                Some(outcome) if !stale => {
                    outcome.report.unreached.iter().map(|it| it.span).collect()
                }
                _ => Vec::new(),
            };
            app.files.with_untracked(|files| {
                let texts: Vec<&str> = files.iter().map(|file| file.text.as_str()).collect();
                app.with_editor(|editor| editor.unreached(&texts, &spans));
            });
        });
        Effect::new(move |_| {
            let stale = app.stale.get();
            let step = app.step.get();
            let playback = app.playback.get();
            let (at, moved) = match &playback {
                Some(playback) if !stale => {
                    let last = playback.is_end(step);
                    let fault = app.found(|found| found.span).flatten().filter(|_| last);
                    let at = app.snapshot.with(|state| {
                        let places = state.positions.values();
                        let here = places.filter(|it| {
                            it.state == ProcessState::Running
                                && !(it.pid == CLAIM && playback.has_automaton())
                        });
                        here.filter_map(|it| {
                            Some(ProcessMark {
                                span: it.span?,
                                label: process_label(&it.name, it.pid),
                                title: format!("{} is here", process_name(&it.name, it.pid)),
                                colour: process_colour(it.pid),
                            })
                        })
                        .collect::<Vec<_>>()
                    });
                    let mut moved = Vec::new();
                    if let Some(step) =
                        step.checked_sub(1).and_then(|i| playback.trace.steps.get(i))
                    {
                        if !(step.pid == CLAIM && playback.has_automaton()) {
                            moved.push((step.span, false));
                        }
                        moved.extend(step.partner.iter().map(|partner| (partner.3, false)));
                    }
                    moved.retain(|(span, _)| Some(*span) != fault);
                    moved.extend(fault.map(|span| (span, true)));
                    (at, moved)
                }
                _ => (Vec::new(), Vec::new()),
            };
            // What is wrong is more worth seeing than what moved last.
            let look =
                moved.iter().rev().map(|(span, _)| *span).next().or(at.first().map(|m| m.span));
            app.files.with_untracked(|files| {
                let texts: Vec<&str> = files.iter().map(|file| file.text.as_str()).collect();
                app.with_editor(|editor| {
                    editor.processes(&texts, &at, &moved);
                    if let Some((span, text)) =
                        look.and_then(|span| Some((span, texts.get(usize::from(span.file))?)))
                    {
                        editor.reveal(text, &span, false);
                    }
                });
            });
            if let Some(span) = look {
                app.active.set(usize::from(span.file));
            }
        });
    }
}

fn announcement(outcome: &Outcome) -> String {
    let summary = &outcome.report.summary;
    let states = grouped(outcome.report.statistics.states_stored);
    // The title says the verdict already, and the summary mostly the number of states.
    let rest = without_verdict(summary).map_or_else(|| summary.clone(), capital);
    let mut text = format!("{}. {rest}", verdict_title(outcome, 0));
    if states != "0" && !rest.contains(&states) {
        text.push_str(&format!(" States: {states}."));
    }
    if let Some(mismatch) = &outcome.mismatch {
        text.push_str(&format!(" {mismatch}"));
    }
    text
}
