//! Control points to program graphs.

use crate::body::{Body, BodyKind};
use crate::flow::{Class, ElementId, Flow, Nesting, What};
use crate::lowering::Lowering;
use crate::splice::splice;
use crate::transitions::{self, Table, Transition};
use promenade_base::{Diagnostic, Span};
use promenade_ir::{
    Action, Edge, EdgeId, Graph, Location, LocationId, Pattern, Proctype, TraceEvent,
};
use std::collections::HashMap;

/// A body as a graph.
pub(crate) struct Emitted {
    pub process: Proctype,
    /// Which element each location stems from.
    pub locations: HashMap<ElementId, LocationId>,
    pub events: Vec<(EdgeId, TraceEvent)>,
}

impl Lowering<'_> {
    /// Makes the graph of a complete body.
    pub(crate) fn emit(&mut self, body: Body) -> Option<Emitted> {
        let Body { mut flow, kind, name, span, .. } = body;
        let mut table = transitions::build(&mut flow);
        if let Some(id) = table.circle {
            self.out.error_hint(
                "endless-goto",
                flow.element(id).span,
                "control goes round in a circle here and nothing is ever done",
                "Write `do :: skip od` for an endless loop.",
            );
            return None;
        }
        for &id in &table.landings {
            self.out.warning(
                "jump-to-d-step",
                flow.element(id).span,
                "SPIN refuses a jump that leads directly to a d_step",
                "Put a `skip` in front of the d_step if the model is for SPIN too.",
            );
        }
        if !splice(&mut table, &flow, self.options.inner_unless_first) {
            self.out.error(
                "text-too-large",
                span,
                format!("the choices of `{name}` are too large"),
            );
            return None;
        }
        let first = flow.body.and_then(|b| flow.sequence(b).first)?;
        let Some(start) = flow.hunt(first, flow.element(first).status) else {
            self.out.error_hint(
                "endless-goto",
                flow.element(first).span,
                "the first statement lies behind too many jumps",
                "Begin with the statement itself.",
            );
            return None;
        };
        let end = flow.elements.iter().position(|e| matches!(e.what, What::End))?;
        let end = ElementId(end as u32);
        let reached = reachable(&table, start, end);
        let locations: HashMap<ElementId, LocationId> =
            reached.iter().enumerate().map(|(i, &e)| (e, LocationId(i as u32))).collect();
        let mut graph = Graph::default();
        let mut events = Vec::new();
        for &id in &reached {
            let location = self.location(&flow, &table, id, kind, &locations, &mut events);
            graph.locations.push(location);
        }
        let exit = locations[&end];
        graph.locations[exit.0 as usize].valid_end = true;
        let process = Proctype {
            name: name.to_string(),
            span,
            parameters: body.parameters,
            locals: self.display(&body.vars, promenade_ir::Region::Local),
            local_bytes: body.bytes as u32,
            initializers: body.initializers,
            channels: body.channels,
            graph,
            entry: locations[&start],
            exit,
            provided: body.provided,
            deterministic: body.deterministic,
            priority: body.priority,
        };
        Some(Emitted { process, locations, events })
    }

    fn location(
        &mut self,
        flow: &Flow,
        table: &Table,
        id: ElementId,
        kind: BodyKind,
        locations: &HashMap<ElementId, LocationId>,
        events: &mut Vec<(EdgeId, TraceEvent)>,
    ) -> Location {
        let flags = table.flags[id.0 as usize];
        let labels = flow.labels_of(id);
        let mut location = Location {
            edges: Vec::new(),
            valid_end: flags.valid_end,
            progress: flags.progress,
            accept: flags.accept,
            span: Some(display_span(flow, id)),
            labels: labels.map(|l| l.name.to_string()).collect(),
            dead: Vec::new(),
        };
        let mut escapes: Vec<ElementId> = Vec::new();
        let list = &table.lists[id.0 as usize];
        self.check_else(flow, list, id, kind);
        for transition in list.iter().filter(|t| t.is_step()) {
            let element = flow.element(transition.origin);
            let Some(action) = self.action(flow, transition.origin) else { continue };
            let edge = EdgeId(self.model.edge_count);
            self.model.edge_count += 1;
            let action = match (kind, action) {
                (BodyKind::Trace, Action::Receive { channel, patterns, .. }) => {
                    let patterns = patterns
                        .into_iter()
                        .map(|p| if matches!(p, Pattern::Match(_)) { p } else { Pattern::Any })
                        .collect();
                    let send = matches!(element.what, What::Step(_, Class::Send));
                    events.push((edge, TraceEvent { channel, send, patterns }));
                    Action::Skip
                }
                (_, action) => action,
            };
            let escape = match transition.escape {
                None => 0,
                Some(state) => {
                    let known = escapes.iter().position(|&e| e == state);
                    let number = known.unwrap_or_else(|| {
                        escapes.push(state);
                        escapes.len() - 1
                    });
                    (number + 1).min(usize::from(u16::MAX)) as u16
                }
            };
            let target = match transition.target {
                Some(target) => locations[&target],
                None => locations[&id],
            };
            location.edges.push(Edge {
                id: edge,
                statement: element.statement,
                action,
                target,
                keeps_atomic: transition.keeps_atomic,
                escape,
            });
        }
        location
    }

    /// The action of an element that is a step.
    pub(crate) fn action(&mut self, flow: &Flow, id: ElementId) -> Option<Action> {
        Some(match &flow.element(id).what {
            What::Step(action, _) => action.clone(),
            What::Goto(_) | What::Exit | What::Join => Action::Skip,
            What::Nested(Nesting::DStep, inner) => {
                Action::DStep(Box::new(self.d_step(flow, *inner)?))
            }
            What::End => Action::End,
            What::Choice { .. } | What::Unless { .. } | What::Nested(..) => return None,
        })
    }

    /// `else` of an inner choice inside another choice.
    fn check_else(&mut self, flow: &Flow, list: &[Transition], id: ElementId, kind: BodyKind) {
        let is_else =
            |t: &&Transition| matches!(flow.element(t.origin).what, What::Step(_, Class::Else));
        let found: Vec<Span> =
            list.iter().filter(is_else).map(|t| flow.element(t.origin).span).collect();
        if let [first, second, ..] = found.as_slice() {
            let diagnostic = Diagnostic::error(
                "duplicate-else",
                *second,
                "the choice has two `else` options once the inner choice is part of it",
            );
            self.out.report(
                diagnostic
                    .with_related(*first, "the other one")
                    .with_hint("Put a `skip` in front of the inner choice."),
            );
            return;
        }
        let own = list.iter().filter(|t| t.escape.is_none());
        let opens = |t: &Transition| flow.opens_with_else(t.origin);
        let nested = own.clone().any(opens) && !own.clone().next_back().is_some_and(opens);
        let first = own.clone().find(|t| opens(t)).filter(|_| nested);
        if let Some(first) = first
            && kind != BodyKind::Claim
            && matches!(flow.element(id).what, What::Choice { .. })
        {
            self.out.warning(
                "nested-else",
                flow.element(first.origin).span,
                "this `else` only looks at the options in front of it",
                "It opens a block or choice that opens an option, and so belongs to the choice \
                 around; make it the last option, or put a `skip` in front to separate them.",
            );
        }
    }
}

/// Elements that control can reach, the end included, in the order of creation.
fn reachable(table: &Table, start: ElementId, end: ElementId) -> Vec<ElementId> {
    let mut seen = vec![false; table.lists.len()];
    let mut work = vec![start, end];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let steps = table.lists[id.0 as usize].iter().filter(|t| t.is_step());
        work.extend(steps.filter_map(|t| t.target));
    }
    (0..seen.len()).filter(|&i| seen[i]).map(|i| ElementId(i as u32)).collect()
}

/// What is shown as the next thing to do at a control point.
fn display_span(flow: &Flow, id: ElementId) -> Span {
    let mut at = id;
    loop {
        let element = flow.element(at);
        match &element.what {
            What::Nested(Nesting::Block | Nesting::Atomic, inner) => {
                match flow.sequence(*inner).first {
                    Some(first) => at = first,
                    None => return element.span,
                }
            }
            What::Choice { head, .. } => return *head,
            What::Unless { main, .. } => match flow.sequence(*main).first {
                Some(first) => at = first,
                None => return element.span,
            },
            _ => return element.span,
        }
    }
}
