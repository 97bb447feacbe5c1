//! Graphs to draw, and the way to their drawings.

use crate::drawing::{Arrow, Bead, Drawing, DrawnEdge, DrawnNode, Label, Start};
use crate::geometry::{Point, Rect};
use crate::groups;
use crate::layered::{self, EdgeSpec, NodeSpec, PlacedEdge, Spec};
use crate::text::{LABEL_CHARACTERS, Metrics, capped, printable};

/// The most lines in a node or a label; more are announced by their number.
const MOST_LINES: usize = 6;
/// The most nodes and edges of a drawing.
const MOST_NODES: usize = 2_000;
const MOST_EDGES: usize = 10_000;
/// The longest line in a node, in characters.
const NODE_CHARACTERS: usize = 40;

/// The shape of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// A circle.
    #[default]
    Circle,
    /// Two circles, one inside the other: an accepting state.
    DoubleCircle,
    /// A rectangle with round corners.
    Box,
    /// Two of them, one inside the other: a valid end.
    DoubleBox,
    /// A rectangle with corners cut off, as a stop sign: an error.
    Octagon,
}

impl Shape {
    /// From the outer border of a double shape to the inner one.
    pub const RING: f64 = 3.5;

    fn is_round(self) -> bool {
        matches!(self, Self::Circle | Self::DoubleCircle)
    }
}

/// Where edges lead, mostly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// To the right.
    #[default]
    LeftToRight,
    /// Down.
    TopToBottom,
}

/// How drawings are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// Sizes of texts.
    pub metrics: Metrics,
    /// The main direction.
    pub direction: Direction,
    /// Free room around the drawing.
    pub margin: f64,
}

impl Default for Style {
    fn default() -> Self {
        Style { metrics: Metrics::default(), direction: Direction::default(), margin: 12.0 }
    }
}

impl Style {
    /// The style with usual sizes in place of those that are no sizes.
    fn sound(&self) -> Style {
        let usual = Style::default();
        let size =
            |value: f64, usual: f64| if (0.0..=1000.0).contains(&value) { value } else { usual };
        Style {
            metrics: Metrics {
                character: size(self.metrics.character, usual.metrics.character),
                line: size(self.metrics.line, usual.metrics.line),
            },
            direction: self.direction,
            margin: size(self.margin, usual.margin),
        }
    }
}

/// A node to draw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// Lines of its text.
    pub lines: Vec<String>,
    /// Its shape.
    pub shape: Shape,
    /// What to say when it is pointed at.
    pub title: String,
    /// Words for the style sheet; those of other characters than letters, digits and hyphens are
    /// left out.
    pub classes: Vec<String>,
}

/// An edge to draw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEdge {
    /// Number of the node that it leaves.
    pub from: usize,
    /// Number of the node that it leads to.
    pub to: usize,
    /// Lines of its label; none if it has no label.
    pub lines: Vec<String>,
    /// What to say when it is pointed at.
    pub title: String,
    /// Numbers of the acceptance sets that it belongs to.
    pub marks: Vec<u32>,
    /// Numbers, in the data, of the edges that it stands for.
    pub sources: Vec<usize>,
    /// Words for the style sheet.
    pub classes: Vec<String>,
}

/// Nodes to draw a box around.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphGroup {
    /// Their numbers.
    pub nodes: Vec<usize>,
    /// What to say when it is pointed at.
    pub title: String,
    /// Words for the style sheet.
    pub classes: Vec<String>,
}

/// A graph to draw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// The nodes by number.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// The node with an arrow from nowhere.
    pub initial: Option<usize>,
    /// Boxes.
    pub groups: Vec<GraphGroup>,
}

impl Graph {
    /// A graph from the lines and shapes of its nodes and the ends and labels of its edges; edges
    /// with an empty label have none.
    pub fn new(nodes: Vec<(Vec<String>, Shape)>, edges: Vec<(usize, usize, String)>) -> Self {
        let node = |(lines, shape): (Vec<String>, Shape)| {
            let title = lines.join("\n");
            GraphNode { lines, shape, title, classes: Vec::new() }
        };
        let edge = |(i, (from, to, label)): (usize, (usize, usize, String))| GraphEdge {
            from,
            to,
            lines: label.lines().map(str::to_string).collect(),
            title: label,
            sources: vec![i],
            ..GraphEdge::default()
        };
        Graph {
            nodes: nodes.into_iter().map(node).collect(),
            edges: edges.into_iter().enumerate().map(edge).collect(),
            ..Graph::default()
        }
    }
}

/// Why there is no drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FigureError {
    /// An edge, a group or the initial arrow names a node that is not there.
    UnknownNode {
        /// The number.
        node: usize,
    },
    /// Too many nodes and edges for a drawing that anyone could read.
    TooLarge {
        /// Number of nodes.
        nodes: usize,
        /// Number of edges.
        edges: usize,
    },
}

impl std::fmt::Display for FigureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FigureError::UnknownNode { node } => write!(f, "there is no node {node}"),
            FigureError::TooLarge { nodes, edges } => {
                write!(f, "too large to draw: {nodes} nodes and {edges} edges")
            }
        }
    }
}

impl std::error::Error for FigureError {}

/// Lays the graph out. The same graph and style give the same drawing, to the last bit on one machine
/// and to far less than a pixel on any.
pub fn draw(graph: &Graph, style: &Style) -> Result<Drawing, FigureError> {
    check(graph)?;
    let too_large = FigureError::TooLarge { nodes: graph.nodes.len(), edges: graph.edges.len() };
    if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
        return Err(too_large);
    }
    let style = &style.sound();
    let across = style.direction == Direction::TopToBottom;
    let mut nodes: Vec<DrawnNode> =
        graph.nodes.iter().enumerate().map(|(id, n)| sized(id, n, style)).collect();
    make_room_for_ports(graph, style, &mut nodes);
    let lines: Vec<Vec<String>> =
        graph.edges.iter().map(|e| shown(&e.lines, LABEL_CHARACTERS)).collect();
    let marks: Vec<Vec<u32>> = graph.edges.iter().map(|e| distinct(&e.marks)).collect();
    let spec = Spec {
        nodes: nodes
            .iter()
            .map(|node| {
                let (w, h) = (node.width / 2.0, node.height / 2.0);
                let (half_rank, half_order) = if across { (h, w) } else { (w, h) };
                NodeSpec { half_rank, half_order, round: node.shape.is_round() }
            })
            .collect(),
        edges: (0..graph.edges.len())
            .map(|e| {
                let (w, h) = style.metrics.size(&lines[e]);
                let (w, h) = if lines[e].is_empty() { (0.0, 0.0) } else { (w + 4.0, h) };
                let (label_rank, label_order) = if across { (h, w) } else { (w, h) };
                let GraphEdge { from, to, .. } = graph.edges[e];
                EdgeSpec { from, to, label_rank, label_order, beads: marks[e].len() }
            })
            .collect(),
        start: graph.initial,
        side: if across { 1.0 } else { -1.0 },
    };
    let placed = layered::layout(&spec).ok_or(too_large)?;
    let point = |p: Point| if across { p.transposed() } else { p };
    let rect = |r: Rect| if across { r.transposed() } else { r };
    let arrow = |edge: &PlacedEdge| {
        let toward = point(edge.toward);
        Arrow { tip: point(edge.tip), angle: toward.y.atan2(toward.x) }
    };
    for (node, at) in nodes.iter_mut().zip(&placed.nodes) {
        node.centre = point(*at);
    }
    let edges = graph.edges.iter().zip(lines.into_iter().zip(marks)).zip(&placed.edges).enumerate();
    let edges = edges.map(|(id, ((edge, (lines, marks)), placed))| DrawnEdge {
        id,
        from: edge.from,
        to: edge.to,
        path: placed.path.map(point),
        arrow: arrow(placed),
        label: placed.label.map(|area| Label { lines, area: rect(area) }),
        beads: marks
            .into_iter()
            .zip(&placed.beads)
            .map(|(set, &at)| Bead { centre: point(at), radius: layered::BEAD, set })
            .collect(),
        title: printable(&edge.title),
        sources: edge.sources.clone(),
        classes: words(&edge.classes),
    });
    let mut drawing = Drawing {
        edges: edges.collect(),
        start: placed.start.as_ref().zip(graph.initial).map(|(start, node)| Start {
            node,
            path: start.path.map(point),
            arrow: arrow(start),
        }),
        nodes,
        line_height: style.metrics.line,
        work: placed.work,
        ..Drawing::default()
    };
    drawing.groups = groups::groups(graph, &drawing, &placed.layers);
    fit(&mut drawing, style.margin, rect(placed.bounds));
    Ok(drawing)
}

fn check(graph: &Graph) -> Result<(), FigureError> {
    let ends = graph.edges.iter().flat_map(|e| [e.from, e.to]);
    let named =
        ends.chain(graph.initial).chain(graph.groups.iter().flat_map(|g| g.nodes.iter().copied()));
    match named.into_iter().find(|&v| v >= graph.nodes.len()) {
        Some(node) => Err(FigureError::UnknownNode { node }),
        None => Ok(()),
    }
}

/// The lines that are shown of some lines: those with text, and not too many.
fn shown(lines: &[String], limit: usize) -> Vec<String> {
    let mut lines = lines.iter().map(|line| capped(line, limit)).filter(|line| !line.is_empty());
    let mut out: Vec<String> = lines.by_ref().take(MOST_LINES).collect();
    let left = lines.count();
    if left > 0 {
        out.pop();
        out.push(format!("… {} more", left + 1));
    }
    out
}

fn distinct(marks: &[u32]) -> Vec<u32> {
    let mut marks = marks.to_vec();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// Those of the words that a style sheet can name.
pub(crate) fn words(words: &[String]) -> Vec<String> {
    let plain =
        |w: &&String| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    words.iter().filter(plain).cloned().collect()
}

fn sized(id: usize, node: &GraphNode, style: &Style) -> DrawnNode {
    let lines = shown(&node.lines, NODE_CHARACTERS);
    let (w, h) = style.metrics.size(&lines);
    let (width, height) = match node.shape {
        Shape::Box => ((w + 18.0).max(34.0), (h + 12.0).max(28.0)),
        Shape::DoubleBox | Shape::Octagon => ((w + 24.0).max(34.0), (h + 18.0).max(34.0)),
        shape => {
            let ring = if shape == Shape::DoubleCircle { 2.0 * Shape::RING } else { 0.0 };
            // A single line may come near the circle, a block of text needs its diagonal.
            let inner = if lines.len() < 2 { w + 14.0 } else { (w * w + h * h).sqrt() + 8.0 };
            let diameter = inner.max(34.0) + ring;
            (diameter, diameter)
        }
    };
    DrawnNode {
        id,
        centre: Point::default(),
        width,
        height,
        shape: node.shape,
        lines,
        title: node.title.lines().map(printable).collect::<Vec<_>>().join("\n"),
        classes: words(&node.classes),
    }
}

/// Boxes grow, within limits, so that the heads of all arrows at a side find room there. Circles stay:
/// they look best when all are alike.
fn make_room_for_ports(graph: &Graph, style: &Style, nodes: &mut [DrawnNode]) {
    let mut degrees = vec![(0usize, 0usize); nodes.len()];
    for edge in graph.edges.iter().filter(|e| e.from != e.to) {
        degrees[edge.from].0 += 1;
        degrees[edge.to].1 += 1;
    }
    for (node, (out, into)) in nodes.iter_mut().zip(degrees).filter(|(n, _)| !n.shape.is_round()) {
        let needed = (12.0 + 9.0 * out.max(into) as f64).min(120.0);
        match style.direction {
            Direction::LeftToRight => node.height = node.height.max(needed),
            Direction::TopToBottom => node.width = node.width.max(needed),
        }
    }
}

/// Moves everything so that the drawing begins at zero, and sets its size.
fn fit(drawing: &mut Drawing, margin: f64, bounds: Rect) {
    let areas = drawing.groups.iter().flat_map(|g| &g.areas);
    let bounds = areas.fold(bounds, |all, area| all.union(area));
    // Rounded up, so that the numbers in a file stay small.
    let outline = bounds.grown(margin);
    drawing.width = outline.width.ceil();
    drawing.height = outline.height.ceil();
    let (x, y) = (-outline.x, -outline.y);
    let point = |p: Point| p.moved(x, y);
    for node in &mut drawing.nodes {
        node.centre = point(node.centre);
    }
    for edge in &mut drawing.edges {
        edge.path = edge.path.map(point);
        edge.arrow.tip = point(edge.arrow.tip);
        for bead in &mut edge.beads {
            bead.centre = point(bead.centre);
        }
        if let Some(label) = &mut edge.label {
            label.area = label.area.moved(x, y);
        }
    }
    if let Some(start) = &mut drawing.start {
        start.path = start.path.map(point);
        start.arrow.tip = point(start.arrow.tip);
    }
    for area in drawing.groups.iter_mut().flat_map(|g| &mut g.areas) {
        *area = area.moved(x, y);
    }
}
