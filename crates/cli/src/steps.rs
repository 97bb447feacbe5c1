//! The steps of a run as text.

use crate::diagnostics::location;
use promenade_protocol::{File, ProcessState, SlotOwner, Trace, TraceStep};
use std::fmt::Write;

/// Steps shown at the beginning and at the end of a run that is too long for a terminal.
const HEAD: usize = 40;
const TAIL: usize = 160;
/// The pid of a never claim, or of a formula's automaton.
const CLAIM: u8 = 255;

/// All steps, or the first and the last ones.
pub(crate) fn render(trace: &Trace, files: &[File], whole: bool) -> String {
    let mut out = String::new();
    let count = trace.steps.len();
    let left_out = if whole || count <= HEAD + TAIL { 0..0 } else { HEAD..count - TAIL };
    let who: Vec<String> = trace.steps.iter().map(process).collect();
    let shown = trace.steps.iter().zip(&who).filter(|(step, _)| step.pid != CLAIM);
    let width = shown.map(|(_, who)| who).map(|w| w.chars().count()).max().unwrap_or(0).min(24);
    for (number, (step, who)) in trace.steps.iter().zip(&who).enumerate() {
        if left_out.contains(&number) {
            if number == left_out.start {
                let _ = writeln!(out, "       ... {} steps ...", left_out.len());
            }
            continue;
        }
        if trace.cycle_start == Some(number as u32) {
            let _ = writeln!(out, "       --- from here the steps repeat for ever ---");
        }
        if step.pid == CLAIM {
            // The claim moves before every step; what matters is where it is.
            let state = step.positions.iter().find_map(|p| p.automaton_state);
            if let Some(state) = state {
                let name = &step.process;
                let _ = writeln!(out, "        {name}: state {state}, after {}", step.text);
            }
            continue;
        }
        let place = location(&step.span, files);
        let mark = if step.atomic { '|' } else { ' ' };
        let _ = write!(out, "{:6} {mark}{who:width$}  {}", number + 1, step.text);
        let _ = writeln!(out, "    [{place}]{}", effects(trace, step));
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

fn process(step: &TraceStep) -> String {
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
