//! The automaton of a `trace` or `notrace` assertion.

use crate::channel;
use crate::eval::Context;
use crate::program::TraceAutomaton;
use promenade_transition_system::ViolationKind;

/// Whether events of this kind on this channel are followed: the assertion mentions one.
fn in_scope(trace: &TraceAutomaton, c: &Context<'_>, s: &[u8], number: u8, send: bool) -> bool {
    trace
        .events
        .iter()
        .flatten()
        .any(|event| event.send == send && c.eval(&event.channel, s) == i32::from(number))
}

/// A message was sent or received: moves the automaton. An event that does not
/// fit ends a `notrace`, and is an error of a `trace`, which stays where it is.
pub(crate) fn event(c: &Context<'_>, s: &mut [u8], number: u8, send: bool, message: &[i32]) {
    let Some(trace) = &c.p.trace else { return };
    if !in_scope(trace, c, s, number, send) {
        return;
    }
    let at = trace.location_offset as usize;
    let here = c.p.read_location(s, at);
    let exit = trace.process.exit;
    let next =
        if here == exit { Vec::new() } else { targets(trace, c, s, here, number, send, message) };
    match (next.first(), trace.negated) {
        (None, true) => c.p.write_location(s, at, exit),
        (None, false) => c.faults.soft(ViolationKind::TraceMismatch),
        (Some(&target), negated) => {
            c.p.write_location(s, at, target);
            if negated && closes(trace, target) {
                c.p.write_location(s, at, exit);
                c.faults.soft(ViolationKind::TraceCompleted);
            } else if next.len() > 1 {
                c.faults.hard(ViolationKind::TraceNondeterminism);
            }
        }
    }
}

/// Targets of all matching event edges, internal moves taken as found.
fn targets(
    trace: &TraceAutomaton,
    c: &Context<'_>,
    s: &[u8],
    here: u32,
    number: u8,
    send: bool,
    message: &[i32],
) -> Vec<u32> {
    let graph = &trace.process.graph;
    let mut seen = vec![false; graph.locations.len()];
    let mut work = vec![here];
    let mut found = Vec::new();
    while let Some(location) = work.pop() {
        let Some(l) = graph.locations.get(location as usize) else { continue };
        if std::mem::replace(&mut seen[location as usize], true) {
            continue;
        }
        for index in l.first..l.end {
            let edge = &graph.edges[index as usize];
            match &trace.events[index as usize] {
                None if edge.target != trace.process.exit => work.push(edge.target),
                None => {}
                Some(event) => {
                    let fits = event.send == send
                        && c.eval(&event.channel, s) == i32::from(number)
                        && channel::matches(c, s, message, &event.patterns);
                    found.extend(fits.then_some(edge.target));
                }
            }
        }
    }
    found
}

/// Whether the automaton is done at `location`.
fn closes(trace: &TraceAutomaton, location: u32) -> bool {
    location == trace.process.exit
}

/// Whether the automaton may rest where it is.
pub(crate) fn complete(c: &Context<'_>, s: &[u8]) -> bool {
    let Some(trace) = &c.p.trace else { return true };
    let here = c.p.read_location(s, trace.location_offset as usize);
    let l = &trace.process.graph.locations;
    trace.negated || here == trace.process.exit || l.get(here as usize).is_some_and(|l| l.valid_end)
}
