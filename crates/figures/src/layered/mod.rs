//! Layered layout of directed graphs, cycles, loops, parallel edges and labels included.
//!
//! After Sugiyama, Tagawa and Toda (1981): turn edges round until no cycle is left, put the nodes
//! into layers, order the layers, and find places along them. Everything here is in two axes of its
//! own: the point's `x` leads from layer to layer (the rank), its `y` along a layer (the order);
//! what that means on paper is for the caller.
//!
//! Labels get layers of their own between those of the nodes, so they have room like nodes have. An
//! edge keeps its place along a layer while it passes something there and bends only where nothing is
//! in the way; so edges meet neither nodes nor labels.

mod acyclic;
mod loops;
mod order;
mod position;
mod rank;
mod route;

use crate::geometry::{Path, Point, Rect};

/// Radius of a bead on an edge.
pub(crate) const BEAD: f64 = 7.0;
/// From the middle of a bead to that of the next.
pub(crate) const BEAD_STEP: f64 = 2.0 * BEAD + 2.0;

/// The most items, nodes and parts of edges, that are laid out.
const MOST_ITEMS: usize = 150_000;

/// What is to be known of a node: half its size, and whether it is round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeSpec {
    pub(crate) half_rank: f64,
    pub(crate) half_order: f64,
    pub(crate) round: bool,
}

/// What is to be known of an edge: the size of its label, zero without one, and how many beads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeSpec {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label_rank: f64,
    pub(crate) label_order: f64,
    pub(crate) beads: usize,
}

impl EdgeSpec {
    fn has_label(&self) -> bool {
        self.label_rank > 0.0 && self.label_order > 0.0
    }

    fn is_plain(&self) -> bool {
        !self.has_label() && self.beads == 0
    }

    /// How far the row of beads reaches along the edge.
    fn bead_row(&self) -> f64 {
        if self.beads == 0 { 0.0 } else { BEAD_STEP * self.beads as f64 }
    }

    /// From the line of the edge to its label.
    fn clearance(&self) -> f64 {
        if self.beads == 0 { 3.0 } else { BEAD + 1.0 }
    }
}

/// A graph to lay out.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) nodes: Vec<NodeSpec>,
    pub(crate) edges: Vec<EdgeSpec>,
    /// The node with an arrow from nowhere.
    pub(crate) start: Option<usize>,
    /// The side, -1 or 1 along the order, for labels and loops that can have either.
    pub(crate) side: f64,
}

/// A line with a head.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacedEdge {
    pub(crate) path: Path,
    pub(crate) tip: Point,
    /// The direction of the head, of length one.
    pub(crate) toward: Point,
    pub(crate) label: Option<Rect>,
    pub(crate) beads: Vec<Point>,
}

impl PlacedEdge {
    fn moved(&self, x: f64, y: f64) -> PlacedEdge {
        PlacedEdge {
            path: self.path.map(|p| p.moved(x, y)),
            tip: self.tip.moved(x, y),
            toward: self.toward,
            label: self.label.map(|r| r.moved(x, y)),
            beads: self.beads.iter().map(|p| p.moved(x, y)).collect(),
        }
    }

    fn bounds(&self) -> Rect {
        let mut rect = self.path.bounds().union(&Rect::around(self.tip, 0.0, 0.0));
        if let Some(label) = &self.label {
            rect = rect.union(label);
        }
        self.beads
            .iter()
            .fold(rect, |rect, &b| rect.union(&Rect::around(b, 2.0 * BEAD, 2.0 * BEAD)))
    }
}

/// A graph laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    pub(crate) nodes: Vec<Point>,
    /// The layer of each node.
    pub(crate) layers: Vec<usize>,
    pub(crate) edges: Vec<PlacedEdge>,
    pub(crate) start: Option<PlacedEdge>,
    pub(crate) bounds: Rect,
    pub(crate) work: u64,
}

/// What takes room in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Node(usize),
    /// Where an edge passes.
    Passing,
    /// Where an edge passes with its label.
    Label(usize),
}

#[derive(Clone, Debug)]
struct Item {
    kind: Kind,
    layer: usize,
    /// Half its room along the rank.
    half: f64,
    /// Room along the order, on the negative side.
    before: f64,
    /// Room along the order, on the positive side.
    after: f64,
}

impl Item {
    fn is_dummy(&self) -> bool {
        !matches!(self.kind, Kind::Node(_))
    }
}

/// A graph whose links all lead from a layer to the next.
#[derive(Clone, Debug, Default)]
struct Proper {
    items: Vec<Item>,
    layers: Vec<Vec<usize>>,
    /// Place of each item in its layer.
    place: Vec<usize>,
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
}

impl Proper {
    fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.place.push(0);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        self.items.len() - 1
    }

    fn link(&mut self, upper: usize, lower: usize) {
        self.down[upper].push(lower);
        self.up[lower].push(upper);
    }

    /// The least distance of two neighbours in a layer.
    fn distance(&self, before: usize, after: usize) -> f64 {
        let (v, w) = (&self.items[before], &self.items[after]);
        let gap = match (v.kind, w.kind) {
            (Kind::Node(_), Kind::Node(_)) => 24.0,
            (Kind::Node(_), _) | (_, Kind::Node(_)) => 16.0,
            _ => 9.0,
        };
        v.after + gap + w.before
    }
}

/// Lays the graph out; `None` if that would take more than [`MOST_ITEMS`] items. All numbers of
/// nodes in edges must be those of nodes.
pub(crate) fn layout(spec: &Spec) -> Option<Placed> {
    let part = parts(spec);
    let count = part.iter().max().map_or(0, |m| m + 1);
    let mut local = vec![0; spec.nodes.len()];
    let mut pieces: Vec<(Vec<usize>, Vec<usize>)> = vec![Default::default(); count];
    for (v, &p) in part.iter().enumerate() {
        local[v] = pieces[p].0.len();
        pieces[p].0.push(v);
    }
    for (e, edge) in spec.edges.iter().enumerate() {
        pieces[part[edge.from]].1.push(e);
    }
    let mut done = Vec::with_capacity(count);
    let mut left = MOST_ITEMS;
    for (p, (nodes, edges)) in pieces.iter().enumerate() {
        let edge = |&e: &usize| {
            let edge = spec.edges[e];
            EdgeSpec { from: local[edge.from], to: local[edge.to], ..edge }
        };
        let piece = Spec {
            nodes: nodes.iter().map(|&v| spec.nodes[v]).collect(),
            edges: edges.iter().map(edge).collect(),
            start: spec.start.filter(|&s| part[s] == p).map(|s| local[s]),
            side: spec.side,
        };
        done.push(connected(&piece, &mut left)?);
    }
    let offsets = shelves(&done.iter().map(|d| d.bounds).collect::<Vec<_>>());
    let mut all = Placed {
        nodes: vec![Point::default(); spec.nodes.len()],
        layers: vec![0; spec.nodes.len()],
        edges: vec![PlacedEdge::default(); spec.edges.len()],
        ..Placed::default()
    };
    for (i, ((nodes, edges), (piece, by))) in
        pieces.iter().zip(done.into_iter().zip(offsets)).enumerate()
    {
        for ((&v, place), layer) in nodes.iter().zip(&piece.nodes).zip(&piece.layers) {
            all.nodes[v] = place.moved(by.x, by.y);
            all.layers[v] = *layer;
        }
        for (&e, edge) in edges.iter().zip(&piece.edges) {
            all.edges[e] = edge.moved(by.x, by.y);
        }
        if let Some(start) = &piece.start {
            all.start = Some(start.moved(by.x, by.y));
        }
        let bounds = piece.bounds.moved(by.x, by.y);
        all.bounds = if i == 0 { bounds } else { all.bounds.union(&bounds) };
        all.work += piece.work;
    }
    Some(all)
}

/// For each node the number of its weakly connected part; that of the start comes first.
fn parts(spec: &Spec) -> Vec<usize> {
    let mut near = vec![Vec::new(); spec.nodes.len()];
    for edge in &spec.edges {
        near[edge.from].push(edge.to);
        near[edge.to].push(edge.from);
    }
    let mut part = vec![usize::MAX; spec.nodes.len()];
    let mut count = 0;
    for root in spec.start.into_iter().chain(0..spec.nodes.len()) {
        if part[root] != usize::MAX {
            continue;
        }
        part[root] = count;
        let mut stack = vec![root];
        while let Some(v) = stack.pop() {
            for &w in &near[v] {
                if part[w] == usize::MAX {
                    part[w] = count;
                    stack.push(w);
                }
            }
        }
        count += 1;
    }
    part
}

/// Puts rectangles side by side in rows; how far to move each. The first is in the first row.
fn shelves(rects: &[Rect]) -> Vec<Point> {
    const GAP: f64 = 28.0;
    let area: f64 = rects.iter().map(|r| (r.width + GAP) * (r.height + GAP)).sum();
    let widest = rects.iter().map(|r| r.width).fold(0.0, f64::max);
    let limit = widest.max((area * 1.8).sqrt());
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0f64);
    let mut out = Vec::with_capacity(rects.len());
    for rect in rects {
        if x > 0.0 && x + rect.width > limit {
            x = 0.0;
            y += row + GAP;
            row = 0.0;
        }
        out.push(Point::new(x - rect.x, y - rect.y));
        x += rect.width + GAP;
        row = row.max(rect.height);
    }
    out
}

/// How an edge that is no loop runs: its items by rising layer.
struct Chain {
    edge: usize,
    items: Vec<usize>,
    /// The edge leads towards smaller layers.
    reversed: bool,
}

/// Lays a connected graph out, taking its items from `left`.
fn connected(spec: &Spec, left: &mut usize) -> Option<Placed> {
    let mut work = 0;
    let mut spec = spec.clone();
    let real = spec.nodes.len();
    let edges = spec.edges.len();
    if let Some(start) = spec.start {
        // The arrow from nowhere is an edge from a node without size, so it has room as all have.
        spec.nodes.push(NodeSpec { half_rank: 0.0, half_order: 0.0, round: true });
        spec.edges.push(EdgeSpec {
            from: real,
            to: start,
            label_rank: 0.0,
            label_order: 0.0,
            beads: 0,
        });
    }
    let n = spec.nodes.len();
    let pairs: Vec<(usize, usize)> = spec.edges.iter().map(|e| (e.from, e.to)).collect();
    let root = if spec.start.is_some() { Some(real) } else { None };
    let turned = acyclic::reversed(n, &pairs, root);
    let ends = |e: usize| if turned[e] { (pairs[e].1, pairs[e].0) } else { pairs[e] };
    let proper_edges: Vec<usize> = (0..pairs.len()).filter(|&e| pairs[e].0 != pairs[e].1).collect();
    let spans: Vec<rank::Span> = proper_edges
        .iter()
        .map(|&e| rank::Span { from: ends(e).0, to: ends(e).1, length: 1, weight: 1 })
        .collect();
    let step = if proper_edges.iter().any(|&e| !spec.edges[e].is_plain()) { 2 } else { 1 };
    let layers: Vec<usize> =
        rank::layers(n, &spans, &mut work).iter().map(|&r| r as usize * step).collect();
    let needed: usize = n + proper_edges
        .iter()
        .map(|&e| layers[ends(e).1].saturating_sub(layers[ends(e).0] + 1))
        .sum::<usize>();
    *left = left.checked_sub(needed)?;

    let mut looping = vec![Vec::new(); n];
    for (e, &(from, to)) in pairs.iter().enumerate() {
        if from == to {
            looping[from].push(e);
        }
    }
    let loops: Vec<loops::Loops> = (0..n)
        .map(|v| {
            let own: Vec<EdgeSpec> = looping[v].iter().map(|&e| spec.edges[e]).collect();
            loops::around(&spec.nodes[v], &own, spec.side)
        })
        .collect();

    let mut graph = Proper::default();
    for v in 0..n {
        let (node, own) = (&spec.nodes[v], &loops[v]);
        graph.add(Item {
            kind: Kind::Node(v),
            layer: layers[v],
            half: node.half_rank.max(own.half),
            before: node.half_order.max(own.before),
            after: node.half_order.max(own.after),
        });
    }
    let mut chains = Vec::with_capacity(proper_edges.len());
    for &e in &proper_edges {
        let (upper, lower) = ends(e);
        let mut items = vec![upper];
        for layer in layers[upper] + 1..layers[lower] {
            let at_source =
                if turned[e] { layer + 1 == layers[lower] } else { layer == layers[upper] + 1 };
            let spec = &spec.edges[e];
            let (kind, half) = if at_source && !spec.is_plain() {
                (Kind::Label(e), spec.label_rank.max(spec.bead_row()) / 2.0)
            } else {
                (Kind::Passing, 0.0)
            };
            items.push(graph.add(Item { kind, layer, half, before: 1.0, after: 1.0 }));
        }
        items.push(lower);
        for pair in items.windows(2) {
            graph.link(pair[0], pair[1]);
        }
        chains.push(Chain { edge: e, items, reversed: turned[e] });
    }
    graph.layers = vec![Vec::new(); graph.items.iter().map(|i| i.layer + 1).max().unwrap_or(0)];
    order::arrange(&mut graph, &mut work);
    let sides = label_sides(&mut graph, &spec);
    let places = position::places(&graph, &mut work);

    let mut out = route::route(&graph, &spec, &chains, &loops, &places, &sides, &mut work);
    for (v, own) in looping.iter().enumerate() {
        for (&e, edge) in own.iter().zip(&loops[v].edges) {
            out.edges[e] = edge.moved(out.nodes[v].x, out.nodes[v].y);
        }
    }
    if spec.start.is_some() {
        out.nodes.truncate(real);
        let line = out.edges.split_off(edges).pop();
        out.start = line.map(|line| shortened(&line));
    }
    let own = |v: usize| {
        let node = &spec.nodes[v];
        Rect::around(out.nodes[v], 2.0 * node.half_rank, 2.0 * node.half_order)
    };
    let bounds =
        (0..real).map(own).chain(out.edges.iter().chain(&out.start).map(PlacedEdge::bounds));
    out.bounds = bounds.reduce(|a, b| a.union(&b)).unwrap_or_default();
    out.layers = layers;
    out.work = work;
    Some(out)
}

/// The last bit of an arrow.
fn shortened(line: &PlacedEdge) -> PlacedEdge {
    const LENGTH: f64 = 20.0;
    let end = line.path.end();
    let mut path = Path::at(end.moved(-line.toward.x * LENGTH, -line.toward.y * LENGTH));
    path.line_to(end);
    PlacedEdge { path, ..line.clone() }
}

/// Chooses for each item with a label the side of its line, and gives it room there: of several
/// edges between the same two nodes, the first have it before and the last behind.
fn label_sides(graph: &mut Proper, spec: &Spec) -> Vec<f64> {
    let mut sides = vec![spec.side; graph.items.len()];
    let mut alike: std::collections::BTreeMap<(usize, usize, usize), Vec<usize>> =
        Default::default();
    for (at, layer) in graph.layers.iter().enumerate() {
        for &item in layer {
            if let Kind::Label(e) = graph.items[item].kind {
                let (from, to) = (spec.edges[e].from, spec.edges[e].to);
                alike.entry((at, from.min(to), from.max(to))).or_default().push(item);
            }
        }
    }
    for items in alike.values().filter(|items| items.len() > 1) {
        for (i, &item) in items.iter().enumerate() {
            sides[item] = if i < items.len().div_ceil(2) { -1.0 } else { 1.0 };
        }
    }
    for (v, item) in graph.items.iter_mut().enumerate() {
        let Kind::Label(e) = item.kind else {
            continue;
        };
        let edge = &spec.edges[e];
        let bead = if edge.beads > 0 { BEAD } else { 1.0 };
        let text = if edge.has_label() { edge.clearance() + edge.label_order } else { bead };
        (item.before, item.after) = if sides[v] < 0.0 { (text, bead) } else { (bead, text) };
    }
    sides
}
