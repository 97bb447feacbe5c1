//! The bodies of d_steps as little graphs of their own.

use crate::flow::{Class, D_STEP, ElementId, Flow, Jump, SequenceId, What};
use crate::hunt::MAX_HOPS;
use crate::lowering::Lowering;
use promenade_base::Span;
use promenade_ir::{Action, DStep, Edge, EdgeId, Graph, Location, LocationId, StatementId};
use std::collections::HashMap;

/// Where control is inside a d_step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Point {
    At(ElementId),
    Exit,
}

/// A d_step under construction.
struct Builder<'a> {
    flow: &'a Flow,
    numbers: HashMap<Point, LocationId>,
    work: Vec<Point>,
}

impl Builder<'_> {
    fn number(&mut self, point: Point) -> LocationId {
        let next = LocationId(self.numbers.len() as u32);
        *self.numbers.entry(point).or_insert_with(|| {
            self.work.push(point);
            next
        })
    }

    /// What is really reached from an element on.
    fn reach(&self, from: Option<ElementId>) -> Option<Point> {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let Some(id) = at else { return Some(Point::Exit) };
            let element = self.flow.element(id);
            if element.status & D_STEP == 0 {
                return Some(Point::Exit);
            }
            at = match &element.what {
                What::Nested(_, inner) => self.flow.sequence(*inner).first,
                What::Goto(Jump::To(target)) => Some(*target),
                What::Join | What::Exit => element.next,
                _ => return Some(Point::At(id)),
            };
        }
        None
    }

    /// The guards that SPIN's start test looks at, in a choice and in choices that open its
    /// options: with the option for those of the choice itself.
    fn guards(&self, options: &[SequenceId], out: &mut Vec<(Option<usize>, ElementId)>, top: bool) {
        for (i, &option) in options.iter().enumerate() {
            let Some(first) = self.flow.sequence(option).first else { continue };
            let Some(opening) = self.flow.opening(first) else { continue };
            match &self.flow.element(opening).what {
                What::Nested(_, inner) => {
                    let first = self.flow.sequence(*inner).first;
                    match first.map(|f| &self.flow.element(f).what) {
                        Some(What::Choice { options, .. }) => self.guards(options, out, false),
                        Some(What::Unless { main, escape }) => {
                            self.guards(&[*main, *escape], out, false);
                        }
                        _ => {}
                    }
                }
                What::Choice { options, is_loop: false, .. } => self.guards(options, out, false),
                What::Step(_, class) if is_guard(*class) => {
                    let direct = top && opening == first;
                    out.push((direct.then_some(i), opening));
                }
                _ => {}
            }
        }
    }
}

/// Kinds of statements that SPIN's start test of a d_step counts.
fn is_guard(class: Class) -> bool {
    matches!(
        class,
        Class::Skip | Class::False | Class::Condition | Class::Send | Class::Receive | Class::Else
    )
}

impl Lowering<'_> {
    /// The graph of a d_step; none after an error.
    pub(crate) fn d_step(&mut self, flow: &Flow, body: SequenceId) -> Option<DStep> {
        let mut b = Builder { flow, numbers: HashMap::new(), work: Vec::new() };
        let first = flow.sequence(body).first;
        let entry_point = b.reach(first)?;
        let entry = b.number(entry_point);
        let mut graph = Graph::default();
        while let Some(point) = b.work.pop() {
            let mut location = Location::default();
            if let Point::At(id) = point {
                location.edges = self.d_step_edges(&mut b, id)?;
            }
            let index = b.numbers[&point].0 as usize;
            if graph.locations.len() <= index {
                graph.locations.resize_with(index + 1, Location::default);
            }
            graph.locations[index] = location;
        }
        let exit = b.number(Point::Exit);
        if graph.locations.len() < b.numbers.len() {
            graph.locations.resize_with(b.numbers.len(), Location::default);
        }
        let start_edges = match entry_point {
            Point::Exit => None,
            Point::At(id) => self.start_edges(&mut b, &mut graph, entry, id)?,
        };
        Some(DStep { graph, entry, exit, start_edges })
    }

    fn d_step_edge(&mut self, action: Action, statement: StatementId, target: LocationId) -> Edge {
        let id = EdgeId(self.model.edge_count);
        self.model.edge_count += 1;
        Edge { id, statement, action, target, keeps_atomic: false, escape: 0 }
    }

    fn d_step_edges(&mut self, b: &mut Builder<'_>, id: ElementId) -> Option<Vec<Edge>> {
        let flow = b.flow;
        let element = flow.element(id);
        let options = match &element.what {
            What::Step(action, _) => {
                let target = b.reach(element.next)?;
                let target = b.number(target);
                return Some(vec![self.d_step_edge(action.clone(), element.statement, target)]);
            }
            What::Choice { options, .. } => options.clone(),
            // Inside a d_step the escape is only another option.
            What::Unless { main, escape } => vec![*main, *escape],
            _ => return Some(Vec::new()),
        };
        let mut edges = Vec::with_capacity(options.len());
        for option in options {
            let first = flow.sequence(option).first?;
            let opening = flow.element(first);
            let (action, from) = match &opening.what {
                What::Step(action, _) => (action.clone(), opening.next),
                // Whatever opens with something else is entered for good.
                _ => (Action::Skip, Some(first)),
            };
            let target = b.reach(from)?;
            let target = b.number(target);
            edges.push(self.d_step_edge(action, opening.statement, target));
        }
        Some(edges)
    }

    /// Which edges of the entry decide whether the d_step can start.
    fn start_edges(
        &mut self,
        b: &mut Builder<'_>,
        graph: &mut Graph,
        entry: LocationId,
        id: ElementId,
    ) -> Option<Option<Vec<usize>>> {
        let flow = b.flow;
        let options = match &flow.element(id).what {
            What::Step(_, class) => {
                let tests = is_guard(*class) && *class != Class::Skip;
                return Some(tests.then(|| vec![0]));
            }
            What::Choice { options, .. } => options.clone(),
            _ => return Some(None),
        };
        let mut guards = Vec::new();
        b.guards(&options, &mut guards, true);
        let always =
            |e: ElementId| matches!(flow.element(e).what, What::Step(_, Class::Else | Class::Skip));
        if guards.is_empty() || guards.iter().any(|&(_, e)| always(e)) {
            return Some(None);
        }
        let mut start = Vec::new();
        for &(option, element) in &guards {
            if let Some(option) = option {
                start.push(option);
                continue;
            }
            // The guard of an inner choice: an edge that only the start test looks at, since the
            // edge into the inner choice stands in front.
            let What::Step(action, _) = &flow.element(element).what else { continue };
            let target = b.reach(flow.element(element).next)?;
            let target = b.number(target);
            let edge = self.d_step_edge(action.clone(), flow.element(element).statement, target);
            let edges = &mut graph.locations[entry.0 as usize].edges;
            edges.push(edge);
            start.push(edges.len() - 1);
        }
        let counted: Vec<SequenceId> =
            guards.iter().filter_map(|g| g.0).map(|i| options[i]).collect();
        let overlooked = options.iter().find(|o| {
            !counted.contains(o)
                && flow.sequence(**o).first.is_some_and(
                    |f| matches!(flow.element(f).what, What::Step(_, c) if !is_guard(c)),
                )
        });
        if let Some(first) = overlooked.and_then(|&o| flow.sequence(o).first) {
            self.overlooked_option(flow.element(first).span);
        }
        Some(Some(start))
    }

    fn overlooked_option(&mut self, span: Span) {
        self.out.warning(
            "d-step-start",
            span,
            "this option is overlooked when SPIN tests whether the d_step can start",
            "The d_step blocks while the other options are false; put `true ->` in front.",
        );
    }
}
