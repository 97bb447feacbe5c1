//! Lines along the chains of items: ports at the nodes, smooth curves, heads, labels and beads.

use super::loops::Loops;
use super::{BEAD_STEP, Chain, Kind, NodeSpec, Placed, PlacedEdge, Proper, Spec};
use crate::drawing::Arrow;
use crate::geometry::{Curve, Path, Point, Rect};
use promenade_base::arrange::Arrange;

/// The steepest that an edge leaves or enters a node, in radians.
const STEEPEST: f64 = 0.9;
/// Free room beside a curve.
const PAD: f64 = 4.0;

/// Something in a layer that edges must not meet.
struct Obstacle {
    area: Rect,
    /// The node whose shape it is.
    shape_of: Option<usize>,
}

struct Router<'a> {
    graph: &'a Proper,
    spec: &'a Spec,
    loops: &'a [Loops],
    places: &'a [f64],
    /// The middle of each layer.
    middle: Vec<f64>,
    /// What is in each layer, along the order.
    obstacles: Vec<Vec<Obstacle>>,
}

/// The end of an edge at a node.
#[derive(Clone, Copy)]
struct Port {
    /// On the border.
    at: Point,
    /// The angle between the rank axis, away from the node, and the line.
    angle: f64,
    /// Where the line may begin to bend, if all is free on the way to the next item.
    free: f64,
    /// Where it must have done so, before the next item.
    until: f64,
}

/// Finds all lines. The ends of chains must be nodes.
pub(super) fn route(
    graph: &Proper,
    spec: &Spec,
    chains: &[Chain],
    loops: &[Loops],
    places: &[f64],
    sides: &[f64],
    work: &mut u64,
) -> Placed {
    let middle = middles(graph, places);
    let obstacles = graph
        .layers
        .iter()
        .map(|layer| obstacles(graph, spec, loops, places, sides, &middle, layer));
    let obstacles = obstacles.collect();
    let router = Router { graph, spec, loops, places, middle, obstacles };
    let mut ports = [router.ports(chains, true), router.ports(chains, false)];
    router.bends(chains, &mut ports);
    let mut out = Placed {
        nodes: (0..spec.nodes.len()).map(|v| router.point(v)).collect(),
        edges: vec![PlacedEdge::default(); spec.edges.len()],
        ..Placed::default()
    };
    for (i, chain) in chains.iter().enumerate() {
        *work += chain.items.len() as u64;
        out.edges[chain.edge] = router.line(chain, ports[0][i], ports[1][i], sides);
    }
    out
}

/// The middle of each layer: layers are as wide as what is in them, and farther apart where edges
/// have farther to go.
fn middles(graph: &Proper, places: &[f64]) -> Vec<f64> {
    let mut out = Vec::with_capacity(graph.layers.len());
    let mut at = 0.0;
    for (i, layer) in graph.layers.iter().enumerate() {
        let half = layer.iter().map(|&v| graph.items[v].half).fold(0.0, f64::max);
        let empty = |layer: &[usize]| layer.iter().all(|&v| graph.items[v].kind == Kind::Passing);
        if let Some(before) = i.checked_sub(1).map(|b| &graph.layers[b]) {
            let steps = before.iter().flat_map(|&v| graph.down[v].iter().map(move |&w| (v, w)));
            let farthest = steps.map(|(v, w)| (places[v] - places[w]).abs()).fold(0.0, f64::max);
            let least = if empty(before) || empty(layer) { 16.0 } else { 26.0 };
            at += (farthest * 0.22).clamp(least, 64.0) + half;
        }
        out.push(at);
        at += half;
    }
    out
}

/// The room of a label and its line, relative to the item.
fn label_area(spec: &Spec, edge: usize, side: f64) -> Option<Rect> {
    let edge = &spec.edges[edge];
    edge.has_label().then(|| {
        let near = edge.clearance();
        let y = if side < 0.0 { -near - edge.label_order } else { near };
        Rect { x: -edge.label_rank / 2.0, y, width: edge.label_rank, height: edge.label_order }
    })
}

fn obstacles(
    graph: &Proper,
    spec: &Spec,
    loops: &[Loops],
    places: &[f64],
    sides: &[f64],
    middle: &[f64],
    layer: &[usize],
) -> Vec<Obstacle> {
    let mut out = Vec::new();
    for &item in layer {
        let (x, y) = (middle[graph.items[item].layer], places[item]);
        let mut add = |low: f64, high: f64, half: f64, shape_of| {
            if high > low {
                let area = Rect { x: x - half, y: y + low, width: 2.0 * half, height: high - low };
                out.push(Obstacle { area, shape_of });
            }
        };
        match graph.items[item].kind {
            Kind::Passing => {}
            Kind::Node(v) => {
                let (node, own) = (&spec.nodes[v], &loops[v]);
                add(-own.before, -node.half_order, own.half, None);
                add(-node.half_order, node.half_order, node.half_rank, Some(v));
                add(node.half_order, own.after, own.half, None);
            }
            Kind::Label(e) => {
                let half = graph.items[item].half;
                match label_area(spec, e, sides[item]) {
                    Some(area) if area.y < 0.0 => add(area.y, graph.items[item].after, half, None),
                    Some(area) => add(-graph.items[item].before, area.bottom(), half, None),
                    None => add(-graph.items[item].before, graph.items[item].after, half, None),
                }
            }
        }
    }
    out
}

impl Router<'_> {
    fn point(&self, item: usize) -> Point {
        Point::new(self.middle[self.graph.items[item].layer], self.places[item])
    }

    /// Where, on the way to larger (`ahead`) or smaller ranks, an edge at `item` has passed all that
    /// lies in its layer between two places.
    fn free(&self, item: usize, from: f64, to: f64, ahead: bool) -> f64 {
        let layer = self.graph.items[item].layer;
        let (low, high) = (from.min(to) - PAD, from.max(to) + PAD);
        let all = &self.obstacles[layer];
        let first = all.partition_point(|o| o.area.bottom() <= low);
        let mut x = self.middle[layer];
        for obstacle in all[first..].iter().take_while(|o| o.area.y < high) {
            if obstacle.shape_of == Some(item) {
                continue;
            }
            x = if ahead {
                x.max(obstacle.area.right() + PAD)
            } else {
                x.min(obstacle.area.x - PAD)
            };
        }
        x
    }

    /// The port of each chain at its first (`ahead`) or last node. The edges at a side of a node are
    /// spread so that they point to where they lead, with some distance from one to the next.
    fn ports(&self, chains: &[Chain], ahead: bool) -> Vec<Port> {
        let nowhere = Port { at: Point::default(), angle: 0.0, free: 0.0, until: 0.0 };
        let mut out = vec![nowhere; chains.len()];
        for (v, list) in self.at_nodes(chains, ahead).iter().enumerate() {
            let here = self.point(v);
            let node = &self.spec.nodes[v];
            // Outer loops need the room above and below.
            let steepest = if self.loops[v].edges.len() > 2 { STEEPEST * 0.45 } else { STEEPEST };
            let wanted: Vec<f64> = list
                .iter()
                .map(|&(next, _)| {
                    let there = self.point(next);
                    let reach = (there.x - here.x).abs() - self.graph.items[next].half;
                    (there.y - here.y).atan2(reach.max(1.0)).clamp(-steepest, steepest)
                })
                .collect();
            let mut angles = spread(&wanted, 0.5, steepest);
            // The arrow from nowhere is level if the others leave it room.
            let start = list
                .iter()
                .position(|&(_, i)| self.spec.start.is_some() && self.is_start(&chains[i]));
            if let Some(by) = start.map(|s| angles[s])
                && angles.iter().all(|a| (a - by).abs() < steepest + 0.1)
            {
                angles.iter_mut().for_each(|a| *a -= by);
            }
            for (angle, &(_, i)) in angles.into_iter().zip(list.iter()) {
                out[i] = Port { at: border(node, here, angle, ahead), angle, ..nowhere };
            }
        }
        out
    }

    /// Whether the chain is that of the arrow from nowhere: its edge is the last.
    fn is_start(&self, chain: &Chain) -> bool {
        chain.edge + 1 == self.spec.edges.len()
    }

    /// For each node the next items and numbers of the chains that begin (`ahead`) or end there, in
    /// their order.
    fn at_nodes(&self, chains: &[Chain], ahead: bool) -> Vec<Vec<(usize, usize)>> {
        let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.spec.nodes.len()];
        for (i, chain) in chains.iter().enumerate() {
            let len = chain.items.len();
            let (node, next) = if ahead {
                (chain.items[0], chain.items[1])
            } else {
                (chain.items[len - 1], chain.items[len - 2])
            };
            out[node].push((next, i));
        }
        for list in &mut out {
            list.arrange_by_key(|&(next, i)| (self.graph.place[next], i));
        }
        out
    }

    /// Where the lines bend between their ports and the next items. Neighbours that must both go
    /// level for a while and then the same way bend at the same place, so that they do not cross.
    fn bends(&self, chains: &[Chain], ports: &mut [Vec<Port>; 2]) {
        for side in 0..2 {
            let ahead = side == 0;
            let way = if ahead { 1.0 } else { -1.0 };
            for list in self.at_nodes(chains, ahead) {
                let mut group: Vec<usize> = Vec::new();
                let mut kind = None;
                for &(next, i) in &list {
                    let port = ports[side][i];
                    let dummy = self.graph.items[next].is_dummy();
                    let place = if dummy { self.places[next] } else { ports[1 - side][i].at.y };
                    let node = if ahead {
                        chains[i].items[0]
                    } else {
                        chains[i].items[chains[i].items.len() - 1]
                    };
                    let free = self.free(node, port.at.y, place, ahead);
                    let until = self.free(next, place, port.at.y, !ahead);
                    let level = (free - port.at.x) * way > 0.0;
                    let now = level.then_some(place > port.at.y);
                    if now.is_none() || now != kind {
                        group.clear();
                    }
                    kind = now;
                    group.push(i);
                    ports[side][i] = Port { free, until, ..port };
                    let farther = |a: f64, b: f64| if (a - b) * way > 0.0 { a } else { b };
                    let nearer = |a: f64, b: f64| if (a - b) * way > 0.0 { b } else { a };
                    let first = ports[side][group[0]];
                    let (free, until) = (farther(free, first.free), nearer(until, first.until));
                    for &i in &group {
                        ports[side][i] = Port { free, until, ..ports[side][i] };
                    }
                }
            }
        }
    }

    fn line(&self, chain: &Chain, first: Port, last: Port, sides: &[f64]) -> PlacedEdge {
        let items = &chain.items;
        let count = items.len();
        let place = |i: usize| match i {
            0 => first.at.y,
            i if i + 1 == count => last.at.y,
            i => self.places[items[i]],
        };
        let mut points = Vec::with_capacity(2 * count + 2);
        let head = |there: bool| if there { Arrow::LENGTH } else { 0.0 };
        // At a node the line goes straight away from the middle, or level if something is beside it.
        let leave = |port: Port, free: f64, ahead: bool, head: f64| -> (Point, Point, f64) {
            let way = if ahead { 1.0 } else { -1.0 };
            let (sin, cos) = port.angle.sin_cos();
            let level = (free - port.at.x) * way > 0.0;
            let (x, y) = if level { (way, 0.0) } else { (way * cos, sin) };
            (
                port.at.moved(x * head, y * head),
                Point::new(x, y),
                if level { 0.0 } else { way * sin / cos },
            )
        };
        let free = first.free;
        let (begin, out_first, slope_first) = leave(first, free, true, head(chain.reversed));
        points.push(begin);
        if free > begin.x {
            points.push(Point::new(free, begin.y));
        }
        for (i, &item) in items.iter().enumerate().take(count - 1).skip(1) {
            let y = place(i);
            let before = if i == 1 { first.until } else { self.free(item, place(i - 1), y, false) };
            let after =
                if i + 2 == count { last.until } else { self.free(item, y, place(i + 1), true) };
            points.push(Point::new(before, y));
            points.push(Point::new(after, y));
        }
        let free = last.free;
        let (end, out_last, slope_last) = leave(last, free, false, head(!chain.reversed));
        if free < end.x {
            points.push(Point::new(free, end.y));
        }
        points.push(end);
        let path = smooth(&points, slope_first, slope_last);
        let (path, port, outward) = if chain.reversed {
            (turned_round(&path), first, out_first)
        } else {
            (path, last, out_last)
        };
        let mut edge = PlacedEdge {
            path,
            tip: port.at,
            toward: Point::new(-outward.x, -outward.y),
            label: None,
            beads: Vec::new(),
        };
        for &item in items {
            if let Kind::Label(e) = self.graph.items[item].kind {
                let at = self.point(item);
                edge.label =
                    label_area(self.spec, e, sides[item]).map(|area| area.moved(at.x, at.y));
                // Beads begin at the end of the label that is nearer to the source.
                let count = self.spec.edges[e].beads;
                let half = self.graph.items[item].half - BEAD_STEP / 2.0;
                let begin = at.x
                    + if chain.reversed { half - BEAD_STEP * (count as f64 - 1.0) } else { -half };
                let bead = |i: usize| Point::new(begin + BEAD_STEP * i as f64, at.y);
                edge.beads = (0..count).map(bead).collect();
            }
        }
        edge
    }
}

/// The point of the border in this direction, on the side of the larger (`ahead`) or smaller ranks.
fn border(node: &NodeSpec, middle: Point, angle: f64, ahead: bool) -> Point {
    let way = if ahead { 1.0 } else { -1.0 };
    if node.round {
        let (sin, cos) = angle.sin_cos();
        middle.moved(way * node.half_rank * cos, node.half_order * sin)
    } else {
        let reach = (node.half_order - 5.0).max(0.0);
        middle.moved(way * node.half_rank, reach * angle / STEEPEST)
    }
}

/// Rising values as near as possible (by squares) to those wanted, `apart` from one to the next if
/// that fits between the limits, else evenly spread.
fn spread(wanted: &[f64], apart: f64, limit: f64) -> Vec<f64> {
    let n = wanted.len();
    if n < 2 {
        return wanted.to_vec();
    }
    let apart = apart.min(2.0 * limit / (n as f64 - 1.0));
    // Regression by pooling of neighbours that are in the wrong order.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (i, &value) in wanted.iter().enumerate() {
        pools.push((value - apart * i as f64, 1));
        while let [.., (a, m), (b, k)] = pools[..] {
            if a <= b {
                break;
            }
            pools.pop();
            pools.pop();
            let both = m + k;
            pools.push(((a * m as f64 + b * k as f64) / both as f64, both));
        }
    }
    let mean = pools.into_iter().flat_map(|(value, count)| std::iter::repeat_n(value, count));
    mean.enumerate()
        .map(|(i, value)| {
            let up = apart * i as f64;
            let down = apart * (n - 1 - i) as f64;
            (value + up).min(limit - down).max(-limit + up)
        })
        .collect()
}

/// A smooth curve through points of rising `x`. Between two points it stays between their places: the
/// slopes are those of Fritsch and Carlson's monotone interpolation (1980).
fn smooth(points: &[Point], first: f64, last: f64) -> Path {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for &p in points {
        match kept.last() {
            Some(q) if p.x - q.x < 0.01 => {}
            _ => kept.push(p),
        }
    }
    if let (Some(end), Some(p)) = (kept.last_mut(), points.last()) {
        *end = *p;
    }
    let Some(&start) = kept.first() else {
        return Path::default();
    };
    let mut path = Path::at(start);
    let n = kept.len();
    if n < 2 {
        return path;
    }
    let secant = |i: usize| (kept[i + 1].y - kept[i].y) / (kept[i + 1].x - kept[i].x).max(0.01);
    let mut slopes = vec![0.0; n];
    for i in 1..n - 1 {
        let (a, b) = (secant(i - 1), secant(i));
        if a * b > 0.0 {
            let (h, k) = (kept[i].x - kept[i - 1].x, kept[i + 1].x - kept[i].x);
            let (v, w) = (2.0 * k + h, k + 2.0 * h);
            slopes[i] = (v + w) / (v / a + w / b);
        }
    }
    let within = |slope: f64, secant: f64| {
        if slope * secant <= 0.0 {
            0.0
        } else {
            slope.signum() * slope.abs().min(3.0 * secant.abs())
        }
    };
    slopes[0] = within(first, secant(0));
    slopes[n - 1] = within(last, secant(n - 2));
    for i in 1..n {
        let (p, q) = (kept[i - 1], kept[i]);
        let third = (q.x - p.x) / 3.0;
        path.curve_to(
            p.moved(third, slopes[i - 1] * third),
            q.moved(-third, -slopes[i] * third),
            q,
        );
    }
    path
}

fn turned_round(path: &Path) -> Path {
    let mut out = Path::at(path.end());
    for i in (0..path.curves.len()).rev() {
        let curve = &path.curves[i];
        let to = if i == 0 { path.start } else { path.curves[i - 1].to };
        out.curves.push(Curve { first: curve.second, second: curve.first, to });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_keep_their_distance_and_their_order() {
        assert_eq!(spread(&[0.3], 0.5, 0.9), [0.3]);
        let two = spread(&[0.1, 0.1], 0.5, 0.9);
        assert!((two[0] + 0.15).abs() < 1e-9 && (two[1] - 0.35).abs() < 1e-9, "{two:?}");
        for wanted in [vec![0.9; 4], vec![-0.9; 7], vec![0.5, -0.5, 0.9, -0.9]] {
            let got = spread(&wanted, 0.5, 0.9);
            assert!(got.iter().all(|a| a.abs() <= 0.9 + 1e-9), "{got:?}");
            let apart = 0.5f64.min(1.8 / (wanted.len() as f64 - 1.0));
            assert!(got.windows(2).all(|p| p[1] - p[0] >= apart - 1e-9), "{got:?}");
        }
    }

    #[test]
    fn curves_do_not_swing_past_their_points() {
        let points =
            [(0.0, 0.0), (10.0, 0.0), (14.0, 80.0), (30.0, 80.0), (40.0, 60.0), (90.0, 61.0)];
        let points = points.map(|(x, y)| Point::new(x, y));
        let path = smooth(&points, 5.0, -5.0);
        assert_eq!(path.curves.len(), 5);
        for (i, pair) in points.windows(2).enumerate() {
            let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
            for t in 0..=20 {
                let y = path.point(i, f64::from(t) / 20.0).y;
                assert!(y >= low - 1e-9 && y <= high + 1e-9, "{i}: {y}");
            }
        }
        assert_eq!(turned_round(&turned_round(&path)), path);
    }
}
