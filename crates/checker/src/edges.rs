//! From edge numbers back to statements and their processes.

use promenade_base::Span;
use promenade_ir::{Action, EdgeId, Graph, Location, Model, Proctype, StatementId};

/// Whose an edge is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// Index into the process types.
    Proctype(usize),
    /// Index into the claims.
    Claim(usize),
    /// The trace assertion.
    Trace,
}

/// What is known of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeInfo {
    pub owner: Owner,
    pub statement: StatementId,
    /// The death of a process.
    pub end: bool,
}

/// All edges of a model by number.
pub(crate) struct Edges(Vec<Option<EdgeInfo>>);

impl Edges {
    pub(crate) fn new(model: &Model) -> Self {
        let mut edges = Self(vec![None; model.edge_count as usize]);
        for (index, proctype) in model.proctypes.iter().enumerate() {
            edges.graph(&proctype.graph, Owner::Proctype(index));
        }
        for (index, claim) in model.claims.iter().enumerate() {
            edges.graph(&claim.process.graph, Owner::Claim(index));
        }
        if let Some(trace) = &model.trace {
            edges.graph(&trace.process.graph, Owner::Trace);
        }
        edges
    }

    fn graph(&mut self, graph: &Graph, owner: Owner) {
        for edge in graph.locations.iter().flat_map(|location| &location.edges) {
            let end = matches!(edge.action, Action::End);
            self.put(edge.id, EdgeInfo { owner, statement: edge.statement, end });
            self.inside(&edge.action, owner);
        }
    }

    /// Edges within a `d_step`; these do not nest deeper than the text does.
    fn inside(&mut self, action: &Action, owner: Owner) {
        match action {
            Action::DStep(step) => self.graph(&step.graph, owner),
            Action::Sequence(actions) => {
                for action in actions {
                    self.inside(action, owner);
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, id: EdgeId, info: EdgeInfo) {
        if let Some(slot) = self.0.get_mut(id.0 as usize) {
            *slot = Some(info);
        }
    }

    /// What is known of an edge; `None` for numbers that are not in use.
    pub(crate) fn get(&self, edge: u32) -> Option<EdgeInfo> {
        self.0.get(edge as usize).copied().flatten()
    }

    /// The edges in use, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, EdgeInfo)> {
        self.0.iter().enumerate().filter_map(|(number, info)| info.map(|info| (number, info)))
    }

    /// The calls of inlines that an edge's statement stems from, from the innermost out.
    pub(crate) fn calls<'m>(&self, model: &'m Model, edge: u32) -> &'m [Span] {
        let statement = self.get(edge).and_then(|it| model.statements.get(it.statement.0 as usize));
        statement.map_or(&[], |statement| &statement.calls)
    }

    /// The text and the place of an edge's statement.
    pub(crate) fn statement<'m>(&self, model: &'m Model, edge: u32) -> Option<(&'m str, Span)> {
        let statement = model.statements.get(self.get(edge)?.statement.0 as usize)?;
        Some((&statement.text, statement.span))
    }
}

/// The process type, claim or trace assertion that owns an edge.
pub(crate) fn owner(model: &Model, owner: Owner) -> Option<&Proctype> {
    match owner {
        Owner::Proctype(index) => model.proctypes.get(index),
        Owner::Claim(index) => model.claims.get(index).map(|claim| &claim.process),
        Owner::Trace => model.trace.as_ref().map(|trace| &trace.process),
    }
}

/// The control point of a process.
pub(crate) fn location(proctype: &Proctype, location: u32) -> Option<&Location> {
    proctype.graph.locations.get(location as usize)
}
