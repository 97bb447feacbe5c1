//! Automata as graphs: states as circles with their number or name, conditions on the edges, marks as beads.

use crate::drawing::Drawing;
use crate::graph::{FigureError, Graph, GraphEdge, GraphGroup, GraphNode, Shape, Style, draw};
use promenade_protocol::{AutomatonData, ComponentKind};
use std::collections::BTreeMap;

/// What is shown of an automaton.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AutomatonOptions {
    /// Sizes and direction.
    pub style: Style,
    /// A box around each strongly connected component.
    pub components: bool,
}

/// Lays an automaton out.
pub fn automaton_drawing(
    data: &AutomatonData,
    options: &AutomatonOptions,
) -> Result<Drawing, FigureError> {
    draw(&automaton_graph(data, options)?, &options.style)
}

/// The graph that is drawn for an automaton. Edges between the same two states with the same marks
/// become one, with a line for each; [`GraphEdge::sources`] tells which edges it stands for.
pub fn automaton_graph(
    data: &AutomatonData,
    options: &AutomatonOptions,
) -> Result<Graph, FigureError> {
    let count = data.states.len();
    let number = |n: u32| match usize::try_from(n) {
        Ok(n) if n < count => Ok(n),
        other => Err(FigureError::UnknownNode { node: other.unwrap_or(usize::MAX) }),
    };
    let mut edges: Vec<GraphEdge> = Vec::new();
    let mut known: BTreeMap<(usize, usize, Vec<u32>), usize> = BTreeMap::new();
    for (i, edge) in data.edges.iter().enumerate() {
        let (from, to) = (number(edge.from)?, number(edge.to)?);
        let marks = shown_marks(data, from, &edge.marks);
        let at = *known.entry((from, to, marks.clone())).or_insert_with(|| {
            edges.push(GraphEdge { from, to, marks, ..GraphEdge::default() });
            edges.len() - 1
        });
        // What leaves a fork reads nothing.
        if !(data.alternating && edge.label.is_empty()) {
            edges[at].lines.push(condition(&edge.label).to_string());
        }
        edges[at].sources.push(i);
    }
    for edge in &mut edges {
        if edge.lines.iter().any(|line| line == "true") {
            edge.lines = vec!["true".to_string()];
        }
        let conditions: Vec<&str> =
            edge.sources.iter().map(|&i| condition(&data.edges[i].label)).collect();
        edge.title = conditions.join(" or ");
        if !edge.marks.is_empty() {
            let sets: Vec<String> = edge.marks.iter().map(u32::to_string).collect();
            edge.title.push_str(if sets.len() == 1 { "; in set " } else { "; in sets " });
            edge.title.push_str(&sets.join(", "));
        }
    }
    let mut nodes = Vec::with_capacity(count);
    for (i, state) in data.states.iter().enumerate() {
        let accepting = state.accepting && data.state_based;
        let kind = data.components.get(state.component as usize);
        let mut classes = vec!["state".to_string()];
        classes.extend(accepting.then(|| "accepting".to_string()));
        classes.extend(
            kind.filter(|&&k| k == ComponentKind::Terminal).map(|_| "accepts-all".to_string()),
        );
        let mut title = format!("state {i}");
        if !state.name.is_empty() {
            title.push_str(", ");
            title.push_str(&state.name);
        }
        if !state.meaning.is_empty() {
            title.push_str(": ");
            title.push_str(&state.meaning);
        }
        nodes.push(GraphNode {
            lines: vec![if state.name.is_empty() { i.to_string() } else { state.name.clone() }],
            shape: if accepting { Shape::DoubleCircle } else { Shape::Circle },
            title,
            classes,
        });
    }
    Ok(Graph {
        nodes,
        edges,
        initial: data.initial.map(number).transpose()?,
        groups: if options.components { components(data) } else { Vec::new() },
    })
}

/// The condition as it is shown: what holds for every letter is called `true`.
pub(crate) fn condition(label: &str) -> &str {
    match label.trim() {
        "" | "1" | "true" | "t" => "true",
        other => other,
    }
}

/// Marks are not shown where the double circle says the same.
pub(crate) fn shown_marks(data: &AutomatonData, from: usize, marks: &[u32]) -> Vec<u32> {
    if data.state_based && data.sets <= 1 && data.states.get(from).is_some_and(|s| s.accepting) {
        return Vec::new();
    }
    let mut marks = marks.to_vec();
    marks.sort_unstable();
    marks.dedup();
    marks
}

fn components(data: &AutomatonData) -> Vec<GraphGroup> {
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, state) in data.states.iter().enumerate() {
        members.entry(state.component).or_default().push(i);
    }
    let group = |(number, nodes): (u32, Vec<usize>)| {
        let (class, meaning) = match data.components.get(number as usize) {
            None | Some(ComponentKind::Trivial) => ("trivial", "passed at most once"),
            Some(ComponentKind::Rejecting) => ("rejecting", "no cycle is accepting"),
            Some(ComponentKind::Accepting) => ("mixed", "some cycles are accepting"),
            Some(ComponentKind::Weak) => ("weak", "every cycle is accepting"),
            Some(ComponentKind::Terminal) => ("terminal", "whoever is here accepts"),
        };
        GraphGroup {
            nodes,
            title: format!("component {number}: {meaning}"),
            classes: vec!["component".to_string(), class.to_string()],
        }
    };
    members.into_iter().map(group).collect()
}
