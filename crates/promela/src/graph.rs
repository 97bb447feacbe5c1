//! From elements to locations and edges, by SPIN's rules for splicing choices and blocks.

use crate::elements::{ElementId, Elements, GotoLoop, Kind};
use promenade_ir::{Action, Edge, EdgeId, Graph, Location, LocationId, StatementId};
use std::collections::HashMap;

/// A graph with the way from elements to locations.
pub(crate) struct Built {
    pub graph: Graph,
    pub entry: LocationId,
    pub exit: LocationId,
    pub location_of: HashMap<ElementId, LocationId>,
}

#[derive(Clone)]
struct Proto {
    source: ElementId,
    target: ElementId,
    escape: u16,
}

struct Builder<'a> {
    elements: &'a Elements,
    /// Labels that move to another element by splicing: (to, from).
    moved: Vec<(ElementId, ElementId)>,
    inner_first: bool,
}

impl Builder<'_> {
    /// Plain edges of an element, choices and blocks spliced. Structure is a tree, so this ends.
    fn edges(&mut self, id: ElementId) -> Result<Vec<Proto>, GotoLoop> {
        let element = &self.elements.list[id];
        let target = |from: ElementId| -> Result<ElementId, GotoLoop> {
            let next = self.elements.next(from).unwrap_or(from);
            self.elements.hunt(next, self.elements.list[from].atomic)
        };
        match &element.kind {
            Kind::Basic(_) | Kind::Join | Kind::Break => {
                Ok(vec![Proto { source: id, target: target(id)?, escape: 0 }])
            }
            Kind::Goto { label, scope, .. } => {
                let Some(to) = self.elements.label(*scope, label) else { return Ok(Vec::new()) };
                let to = self.elements.hunt(to, element.atomic)?;
                Ok(vec![Proto { source: id, target: to, escape: 0 }])
            }
            Kind::End => Ok(vec![Proto { source: id, target: id, escape: 0 }]),
            Kind::Choice(options) => {
                let mut all = Vec::new();
                for &option in options {
                    let start = self.elements.hunt_start(option);
                    all.extend(self.spliced(start)?);
                }
                Ok(all)
            }
            Kind::Block(first) | Kind::Unless(first) => {
                let start = self.elements.hunt_start(*first);
                self.spliced(start)
            }
        }
    }

    fn spliced(&mut self, start: ElementId) -> Result<Vec<Proto>, GotoLoop> {
        let edges = self.edges(start)?;
        if !self.elements.list[start].labels.is_empty() {
            self.moved.extend(edges.iter().map(|e| (e.target, start)));
        }
        Ok(edges)
    }

    /// Edges with the escapes in front.
    fn with_escapes(&mut self, id: ElementId) -> Result<Vec<Proto>, GotoLoop> {
        let plain = self.edges(id)?;
        let mut front: Vec<Proto> = Vec::new();
        for edge in &plain {
            let escapes = self.elements.list[edge.source].escapes.clone();
            for escape in escapes.into_iter().rev() {
                let start = self.elements.hunt_start(escape);
                for mut proto in self.edges(start)? {
                    let there = |e: &Proto| e.source == proto.source;
                    if front.iter().any(there) || plain.iter().any(there) {
                        continue;
                    }
                    proto.escape = start as u16 + 1;
                    if self.inner_first {
                        front.push(proto);
                    } else {
                        front.insert(0, proto);
                    }
                }
            }
        }
        front.extend(plain);
        Ok(front)
    }
}

/// Builds the graph that starts at `first`; `exit` is the end element. `edge_count` numbers edges.
pub(crate) fn build(
    elements: &Elements,
    first: ElementId,
    exit: ElementId,
    inner_first: bool,
    edge_count: &mut u32,
) -> Result<Built, GotoLoop> {
    let mut builder = Builder { elements, moved: Vec::new(), inner_first };
    let mut location_of = HashMap::new();
    let mut order = Vec::new();
    let mut add = |id: ElementId, order: &mut Vec<ElementId>| {
        *location_of.entry(id).or_insert_with(|| {
            order.push(id);
            LocationId(order.len() as u32 - 1)
        })
    };
    let start = elements.hunt(elements.hunt_start(first), false)?;
    let entry = add(start, &mut order);
    let exit_location = add(exit, &mut order);
    // Labelled elements too, so that remote references find them.
    for (_, _, id, _) in &elements.labels {
        if let Ok(real) = elements.hunt(*id, false) {
            add(real, &mut order);
        }
    }
    let mut locations = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let id = order[at];
        at += 1;
        let mut location = Location { span: Some(elements.list[id].span), ..Location::default() };
        for proto in builder.with_escapes(id)? {
            let target = add(proto.target, &mut order);
            let source = &elements.list[proto.source];
            let action = match &source.kind {
                Kind::Basic(action) => action.clone(),
                Kind::End => Action::End,
                _ => Action::Skip,
            };
            location.edges.push(Edge {
                id: EdgeId(*edge_count),
                statement: source.statement,
                action,
                target,
                // A jump that leaves an atomic gives up the exclusive right.
                keeps_atomic: source.atomic
                    && (!matches!(source.kind, Kind::Goto { .. })
                        || elements.list[proto.target].atomic),
                escape: proto.escape,
            });
            *edge_count += 1;
        }
        flag(&mut location, elements, id);
        locations.push(location);
    }
    for (to, from) in std::mem::take(&mut builder.moved) {
        if let Some(location) = location_of.get(&to) {
            flag(&mut locations[location.0 as usize], elements, from);
        }
    }
    locations[exit_location.0 as usize].valid_end = true;
    Ok(Built { graph: Graph { locations }, entry, exit: exit_location, location_of })
}

fn flag(location: &mut Location, elements: &Elements, id: ElementId) {
    for label in &elements.list[id].labels {
        location.valid_end |= label.starts_with("end");
        location.progress |= label.starts_with("progress");
        location.accept |= label.starts_with("accept");
        let label = label.to_string();
        if !location.labels.contains(&label) {
            location.labels.push(label);
        }
    }
}

/// A statement id that stands for the join of control, never shown as unreached.
pub(crate) const NO_STATEMENT: StatementId = StatementId(0);
