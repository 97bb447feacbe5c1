//! Violations in plain words.

use crate::edges::{Edges, location};
use crate::property::TYPED_CLAIM;
use crate::sources::Sources;
use promenade_interp::{Interpreter, StateView};
use promenade_ir::{Action, Model, Proctype};
use promenade_protocol::SpanData;
use promenade_transition_system::{Violation, ViolationKind};

/// A blocked process: pid, type, what it waits for, place.
pub(crate) type Waiting = (u8, String, String, Option<SpanData>);

/// The processes that are stuck in a state, with what each waits for.
pub(crate) fn blocked(model: &Model, sources: &Sources, view: &StateView) -> Vec<Waiting> {
    let mut waiting = Vec::new();
    for process in &view.processes {
        let Some(proctype) = model.proctypes.get(process.type_index) else { continue };
        let Some(at) = location(proctype, process.location) else { continue };
        if at.valid_end {
            continue;
        }
        let span = at.span.map(|span| sources.place(span));
        let waits = waits_for(model, proctype, process.location);
        waiting.push((process.pid, process.proctype.clone(), waits, span));
    }
    waiting
}

/// The statements that a process could do next, as text.
fn waits_for(model: &Model, proctype: &Proctype, here: u32) -> String {
    let Some(at) = location(proctype, here) else { return String::new() };
    let mut texts: Vec<&str> = Vec::new();
    for edge in &at.edges {
        if matches!(edge.action, Action::End) {
            return "younger processes to end".to_owned();
        }
        let text = model.statements.get(edge.statement.0 as usize).map_or("", |s| s.text.as_str());
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    match texts.as_slice() {
        [] => "nothing that could happen".to_owned(),
        [one] => (*one).to_owned(),
        [some @ .., last] if texts.len() <= 5 => format!("{} or {last}", some.join(", ")),
        some => {
            format!("{} or one of {} more", some[..4].join(", "), texts.len() - 4)
        }
    }
}

/// What happened, in one line.
pub(crate) fn message(
    model: &Model,
    edges: &Edges,
    violation: &Violation,
    system: &Interpreter,
    state: &[u8],
) -> String {
    let text = violation.edge.and_then(|edge| edges.statement(model, edge)).map(|(text, _)| text);
    let here = match text {
        Some(text) if !text.is_empty() => format!(": {text}"),
        _ => String::new(),
    };
    match violation.kind {
        ViolationKind::Assertion => {
            let condition = text.map(condition).unwrap_or("");
            if condition.is_empty() {
                "assertion violated".to_owned()
            } else {
                format!("assertion violated: {condition}")
            }
        }
        ViolationKind::InvalidEndState => dead_end(model, &system.decode(state)),
        ViolationKind::ClaimCompleted => {
            let claim = system.options().claim.and_then(|claim| model.claims.get(claim));
            match claim.and_then(|claim| claim.name.as_deref()) {
                Some(TYPED_CLAIM) => "the given claim was followed to its end".to_owned(),
                Some(name) => format!("the never claim `{name}` was followed to its end"),
                None => "the never claim was followed to its end".to_owned(),
            }
        }
        kind => format!("{}{here}", plain(kind)),
    }
}

/// `assert(x == 2)` without its wrapping.
fn condition(text: &str) -> &str {
    let inner = text.strip_prefix("assert").unwrap_or(text).trim();
    match inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(rest) if balanced(rest) => rest.trim(),
        _ => inner,
    }
}

/// No closing parenthesis without its opening one.
fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    text.bytes().all(|b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        depth >= 0
    })
}

fn dead_end(model: &Model, view: &StateView) -> String {
    let stuck: Vec<String> = view
        .processes
        .iter()
        .filter(|process| {
            let proctype = model.proctypes.get(process.type_index);
            let at = proctype.and_then(|proctype| location(proctype, process.location));
            at.is_some_and(|at| !at.valid_end)
        })
        .map(|process| format!("{}({})", process.proctype, process.pid))
        .collect();
    match stuck.as_slice() {
        [] if view.channels.iter().any(|channel| !channel.messages.is_empty()) => {
            let full = view.channels.iter().filter(|channel| !channel.messages.is_empty());
            let names: Vec<&str> = full.map(|channel| channel.name.as_str()).collect();
            format!("invalid end state: messages are left in {}", names.join(", "))
        }
        [] => "invalid end state: the trace assertion has not come to its end".to_owned(),
        [one] => format!("invalid end state: no process can move, and {one} is not at its end"),
        [some @ .., last] if stuck.len() <= 6 => format!(
            "invalid end state: no process can move, and {} and {last} are not at their ends",
            some.join(", ")
        ),
        some => format!(
            "invalid end state: no process can move, and {} processes are not at their ends",
            some.len()
        ),
    }
}

/// What a kind means, lower case, without a full stop.
fn plain(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => "assertion violated",
        ViolationKind::InvalidEndState => "invalid end state",
        ViolationKind::ClaimCompleted => "the never claim was followed to its end",
        ViolationKind::DivisionByZero => "division by zero",
        ViolationKind::IndexOutOfBounds => "array index out of bounds",
        ViolationKind::UninitializedChannel => "a channel variable that holds no channel is used",
        ViolationKind::ClosedChannel => {
            "a channel is used that does not exist: its process has ended, or no channel has that \
             number"
        }
        ViolationKind::TooManyProcesses => "there are 255 processes already, more are not possible",
        ViolationKind::TooManyChannels => "there are 255 channels already, more are not possible",
        ViolationKind::TooFewSendArguments => "a message is sent with too few fields",
        ViolationKind::WrongReceiveArguments => {
            "the number of fields received is not that of the channel"
        }
        ViolationKind::PollRendezvous => "a rendezvous channel cannot be polled",
        ViolationKind::BlockedDStep => "a d_step blocks in its middle",
        ViolationKind::RendezvousInDStep => "a rendezvous inside a d_step",
        ViolationKind::EnabledSelf => "enabled() asks for the process itself",
        ViolationKind::EnabledCircle => {
            "the answer to enabled() depends on itself, by way of another process"
        }
        ViolationKind::PriorityRange => "a priority is not between 1 and 255",
        ViolationKind::Nondeterminism => "a D_proctype has two executable steps",
        ViolationKind::TraceMismatch => "an event that the trace assertion does not allow",
        ViolationKind::TraceCompleted => "all events of the notrace assertion happened",
        ViolationKind::TraceNondeterminism => {
            "two events of the trace assertion match the same message"
        }
        ViolationKind::RemoteReference => {
            "a remote reference to a process of another type, or to none"
        }
        ViolationKind::EndlessAtomic => {
            "an atomic sequence or d_step never comes to its end, or is too large to follow"
        }
        ViolationKind::AcceptanceCycle => "an infinite run is accepted",
        ViolationKind::ExclusiveChannel => {
            "an xr or xs promise is broken: another process claims this channel for itself"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_lose_one_pair_of_parentheses() {
        assert_eq!(condition("assert(x == 2)"), "x == 2");
        assert_eq!(condition("assert( (x) )"), "(x)");
        assert_eq!(condition("assert((a) && (b))"), "(a) && (b)");
        assert_eq!(condition("assert (a)"), "a");
        assert_eq!(condition("(a) && (b)"), "(a) && (b)");
    }
}
