//! The steps of a run as text.

use crate::diagnostics::location;
use promenade_protocol::{CLAIM, File, ProcessState, Property, SlotOwner, Trace, TraceStep};
use std::fmt::Write;

/// Steps shown at the beginning and at the end of a run that is too long for a terminal.
const HEAD: usize = 40;
const TAIL: usize = 160;

/// The number of each step, from 1, as the page counts them: the moves of an automaton that was made
/// from a formula are parts of the model's steps.
pub(crate) fn numbers(trace: &Trace, property: &Property) -> Vec<usize> {
    if property.claim_has_statements() {
        return (1..=trace.steps.len()).collect();
    }
    trace.places().into_iter().map(|place| place as usize + 1).collect()
}

/// All steps, or the first and the last ones.
pub(crate) fn render(trace: &Trace, property: &Property, files: &[File], whole: bool) -> String {
    let mut out = String::new();
    let count = trace.steps.len();
    let left_out = if whole || count <= HEAD + TAIL { 0..0 } else { HEAD..count - TAIL };
    let numbers = numbers(trace, property);
    let merged = !property.claim_has_statements();
    let who: Vec<String> = trace.steps.iter().map(process).collect();
    let shown = trace.steps.iter().zip(&who).filter(|(step, _)| !merged || step.pid != CLAIM);
    let width = shown.map(|(_, who)| who).map(|w| w.chars().count()).max().unwrap_or(0).min(24);
    for (index, (step, who)) in trace.steps.iter().zip(&who).enumerate() {
        let number = numbers[index];
        if left_out.contains(&index) {
            if index == left_out.start {
                let left = numbers[left_out.end] - number;
                let _ = writeln!(out, "       ... {left} steps ...");
            }
            continue;
        }
        if trace.cycle_start == Some(index as u32) {
            let _ = writeln!(out, "       --- from here the steps repeat for ever ---");
        }
        if step.pid == CLAIM && merged {
            // The automaton moves before every step; what matters is where it is.
            let state = step.positions.iter().find_map(|p| p.automaton_state);
            if let Some(state) = state {
                let name = &step.process;
                let _ = writeln!(out, "        {name}: state {state}, after {}", step.text);
            }
            if numbers.get(index + 1) != Some(&number) {
                // Behind the last step of a finite run the automaton needs no more of it.
                let ended = trace.cycle_start.is_some() || index + 1 < count;
                let what = if ended {
                    "the run has ended and stays here"
                } else {
                    "the property is violated, whatever follows"
                };
                let _ = writeln!(out, "{number:6}  {what}");
            }
            continue;
        }
        let place = location(&step.span, files);
        let mark = if step.atomic { '|' } else { ' ' };
        let _ = write!(out, "{number:6} {mark}{who:width$}  {}", step.text);
        let _ = writeln!(out, "    [{place}{}]{}", calls(step, files), effects(trace, step));
        if let Some((pid, name, text, span)) = &step.partner {
            let place = location(span, files);
            let _ =
                writeln!(out, "        {:width$}  {text}    [{place}]", format!("{name}({pid})"));
        }
        for line in step.printed.lines() {
            let _ = writeln!(out, "        > {line}");
        }
    }
    if trace.cycle_start == Some(count as u32) {
        let _ = writeln!(out, "       --- here the run stays for ever ---");
    }
    if trace.truncated {
        let _ = writeln!(out, "       ... the run goes on; this is its beginning ...");
    }
    out
}

/// Where the inlines are called that a step stems from: `, called at m.pml:9:3`.
fn calls(step: &TraceStep, files: &[File]) -> String {
    let places = step.calls.iter().map(|call| location(call, files));
    places.map(|place| format!(", called at {place}")).collect()
}

fn process(step: &TraceStep) -> String {
    if step.pid == CLAIM {
        return step.process.clone();
    }
    format!("{}({})", step.process, step.pid)
}

/// What a step changed: `  x = 1, P(0).t = 2`.
fn effects(trace: &Trace, step: &TraceStep) -> String {
    let mut parts = Vec::new();
    for change in &step.changes {
        let Some(slot) = trace.slots.get(change.slot as usize) else { continue };
        let Some(value) = &change.value else { continue };
        parts.push(match &slot.owner {
            SlotOwner::Process { pid } if *pid != step.pid => {
                format!("{}:{} = {value}", pid, slot.name)
            }
            _ => format!("{} = {value}", slot.name),
        });
    }
    for position in step.positions.iter().filter(|p| p.state == ProcessState::Gone) {
        parts.push(format!("{}({}) is gone", position.name, position.pid));
    }
    if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) }
}
