//! State graphs as graphs: the reduced part over what it leaves out.
//!
//! A few states are boxes with texts; more are discs with their numbers, many are dots.

use crate::drawing::Drawing;
use crate::graph::{Direction, FigureError, Graph, GraphEdge, GraphNode, Shape, Style, draw};
use crate::ranked::{self, Sizes};
use promenade_protocol::{StateEdge, StateEnd, StateGraph};
use std::collections::BTreeMap;

/// With more states than these they are dots.
const MOST_DISCS: usize = 60;
/// With more states or edges than these there are no texts in the picture.
const MOST_BOXES: usize = 60;
const MOST_LABELS: usize = 120;
/// Up to here texts are good to read without zooming.
const FEW_BOXES: usize = 18;
const FEW_LABELS: usize = 30;
/// The most states and edges of a picture.
const MOST_NODES: usize = 4_000;
const MOST_EDGES: usize = 12_000;

/// How a state graph is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StateOptions {
    /// Width by height of where it will be seen.
    pub aspect: f64,
    /// States are boxes and edges have labels, if there are not too many; otherwise there are
    /// numbers only.
    pub texts: bool,
}

/// Whether a state graph can have texts.
pub fn can_have_texts(data: &StateGraph) -> bool {
    data.nodes.len() <= MOST_BOXES && data.edges.len() <= MOST_LABELS
}

/// Whether it should.
pub fn should_have_texts(data: &StateGraph) -> bool {
    data.nodes.len() <= FEW_BOXES && data.edges.len() <= FEW_LABELS
}

/// What the states look like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Boxes,
    Discs,
    Dots,
}

impl Look {
    fn class(self) -> Option<&'static str> {
        match self {
            Self::Boxes => None,
            Self::Discs => Some("disc"),
            Self::Dots => Some("dot"),
        }
    }
}

/// Lays a state graph out. Nodes behind those of the data stand for runs that end with a violation.
pub fn state_drawing(data: &StateGraph, options: &StateOptions) -> Result<Drawing, FigureError> {
    let look = match data.nodes.len() {
        _ if options.texts && can_have_texts(data) => Look::Boxes,
        0..=MOST_DISCS => Look::Discs,
        _ => Look::Dots,
    };
    let (graph, ranks) = state_graph(data, look)?;
    if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
        let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
        return Err(FigureError::TooLarge { nodes, edges });
    }
    match look {
        Look::Boxes => {
            let style = Style { direction: Direction::TopToBottom, ..Style::default() };
            draw(&graph, &style)
        }
        Look::Discs => Ok(ranked::draw(&graph, &ranks, options.aspect, Sizes::LARGE)),
        Look::Dots => Ok(ranked::draw(&graph, &ranks, options.aspect, Sizes::SMALL)),
    }
}

/// The graph that is drawn, and for each node its rank. Edges between the same two states that are alike
/// become one; [`GraphEdge::sources`] tells which edges it stands for. What is left out comes first, so
/// that the rest lies over it.
fn state_graph(data: &StateGraph, look: Look) -> Result<(Graph, Vec<usize>), FigureError> {
    let boxes = look == Look::Boxes;
    let count = data.nodes.len();
    let number = |n: u32| match usize::try_from(n) {
        Ok(n) if n < count => Ok(n),
        other => Err(FigureError::UnknownNode { node: other.unwrap_or(usize::MAX) }),
    };
    let mut nodes: Vec<GraphNode> = Vec::with_capacity(count);
    let mut ranks = Vec::with_capacity(count);
    for (n, state) in data.nodes.iter().enumerate() {
        let (shape, end) = match state.end {
            StateEnd::None => (if boxes { Shape::Box } else { Shape::Circle }, None),
            StateEnd::Valid if boxes => (Shape::DoubleBox, Some("valid-end")),
            StateEnd::Valid => (Shape::DoubleCircle, Some("valid-end")),
            StateEnd::Invalid => (Shape::Octagon, Some("invalid-end")),
            StateEnd::Claim => (if boxes { Shape::Box } else { Shape::Circle }, Some("claim-end")),
        };
        let mut classes = vec!["state", if state.kept { "kept" } else { "left" }];
        classes.extend(end);
        classes.extend((state.hidden > 0).then_some("rim"));
        classes.extend(look.class());
        let mut lines = vec![n.to_string()];
        if boxes {
            let mut more = state.lines.iter();
            if let Some(first) = more.next() {
                lines[0] = format!("{n} · {first}");
            }
            lines.extend(more.cloned());
        }
        nodes.push(GraphNode {
            lines,
            shape,
            title: format!("state {n}: {}", state.lines.join(" ")),
            classes: classes.into_iter().map(str::to_owned).collect(),
        });
        ranks.push(state.depth as usize);
    }
    close_ranks(&mut ranks);
    let mut known: BTreeMap<(bool, usize, usize, bool), Vec<usize>> = BTreeMap::new();
    for (at, edge) in data.edges.iter().enumerate() {
        let from = number(edge.from)?;
        let to = match edge.to {
            Some(to) => number(to)?,
            None => {
                nodes.push(violation(edge, look));
                ranks.push(ranks[from] + 1);
                nodes.len() - 1
            }
        };
        known.entry((edge.kept, from, to, !edge.violations.is_empty())).or_default().push(at);
    }
    let mut edges = Vec::with_capacity(known.len());
    for ((kept, from, to, wrong), sources) in known {
        let label = |&at: &usize| data.edges[at].label.clone();
        let mut lines: Vec<String> = sources.iter().map(label).collect();
        lines.dedup();
        let mut classes = vec![if kept { "kept" } else { "left" }.to_owned()];
        classes.extend(wrong.then(|| "wrong".to_owned()));
        classes.extend(look.class().map(str::to_owned));
        edges.push(GraphEdge {
            from,
            to,
            title: lines.join("\n"),
            lines: if boxes { lines } else { Vec::new() },
            marks: Vec::new(),
            sources,
            classes,
        });
    }
    let initial = (count > 0).then_some(0);
    Ok((Graph { nodes, edges, initial, groups: Vec::new() }, ranks))
}

/// Where a violation ends a run.
fn violation(edge: &StateEdge, look: Look) -> GraphNode {
    let said = edge.violations.first().map_or("", |it| it.message.as_str());
    let mut classes = vec!["violation", if edge.kept { "kept" } else { "left" }];
    classes.extend(look.class());
    GraphNode {
        lines: vec!["✗".to_owned()],
        shape: Shape::Octagon,
        title: said.to_owned(),
        classes: classes.into_iter().map(str::to_owned).collect(),
    }
}

/// Ranks without gaps, whatever the data says.
fn close_ranks(ranks: &mut [usize]) {
    let mut all: Vec<usize> = ranks.to_vec();
    all.sort_unstable();
    all.dedup();
    for rank in ranks {
        *rank = all.binary_search(rank).unwrap_or(0);
    }
}
