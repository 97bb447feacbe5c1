//! Edges from a node to itself: arches beside the node, one around the other, with their labels
//! on top.

use super::{BEAD, BEAD_STEP, EdgeSpec, NodeSpec, PlacedEdge};
use crate::drawing::Arrow;
use crate::geometry::{Path, Point, Rect};

/// The loops of a node, relative to its middle.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub(super) edges: Vec<PlacedEdge>,
    /// How far they reach along the rank, on either side.
    pub(super) half: f64,
    /// How far they reach along the order, on the negative side.
    pub(super) before: f64,
    /// How far they reach along the order, on the positive side.
    pub(super) after: f64,
}

/// From the border of the node to the top of its first loop.
const HEIGHT: f64 = 25.0;

/// One side of a node: `x` along the rank, `y` away from the node.
struct Side {
    /// Where the next loop may begin.
    top: f64,
    /// Half the width of what is there already.
    half: f64,
    count: usize,
}

/// Draws the loops, the first at the given side, the second at the other, and so on.
pub(super) fn around(node: &NodeSpec, loops: &[EdgeSpec], side: f64) -> Loops {
    let mut out = Loops::default();
    let fresh = || Side { top: node.half_order, half: 0.0, count: 0 };
    let mut sides = [fresh(), fresh()];
    for (i, edge) in loops.iter().enumerate() {
        let at = i % 2;
        let sign = if at == 0 { side } else { -side };
        let upright = arch(node, edge, &mut sides[at]);
        let flip = |p: Point| Point::new(p.x, p.y * sign);
        out.edges.push(PlacedEdge {
            path: upright.path.map(flip),
            tip: flip(upright.tip),
            toward: flip(upright.toward),
            label: upright.label.map(|r| {
                Rect::between(flip(Point::new(r.x, r.y)), flip(Point::new(r.right(), r.bottom())))
            }),
            beads: upright.beads.into_iter().map(flip).collect(),
        });
        let reach = if sign < 0.0 { &mut out.before } else { &mut out.after };
        *reach = reach.max(sides[at].top);
        out.half = out.half.max(sides[at].half);
    }
    out
}

fn border(node: &NodeSpec, angle: f64) -> Point {
    let (sin, cos) = angle.sin_cos();
    if node.round {
        Point::new(node.half_order * sin, node.half_order * cos)
    } else {
        Point::new(node.half_rank.min(40.0) * sin, node.half_order)
    }
}

fn arch(node: &NodeSpec, edge: &EdgeSpec, side: &mut Side) -> PlacedEdge {
    let beads = edge.bead_row() / 2.0;
    let slim = side.count == 0 && edge.beads <= 3;
    // Where the ends are, and from where they come: outer loops come from the sides.
    let (angle, lean) = match side.count {
        0 => (0.42, 0.3),
        1 => (0.8, 1.1),
        _ => (1.15, 1.4),
    };
    let (begin, tip) = (border(node, -angle), border(node, angle));
    let top = match side.count {
        0 => side.top + HEIGHT,
        _ => side.top + 8.0 + edge.clearance(),
    };
    let path;
    let away;
    if slim {
        let control = (4.0 * top - tip.y) / 3.0 - 2.5;
        let wide = tip.x + 11.0 + (beads - BEAD).max(0.0) * 1.6;
        away = unit(Point::new(wide - tip.x, control - tip.y));
        let base = tip.moved(away.x * Arrow::LENGTH, away.y * Arrow::LENGTH);
        let mut slim = Path::at(begin);
        slim.line_to(Point::new(-base.x, base.y));
        slim.curve_to(Point::new(-wide, control), Point::new(wide, control), base);
        path = slim;
        side.half = side.half.max(wide * 0.75 + tip.x * 0.25);
    } else {
        let (sin, cos) = f64::sin_cos(lean);
        away = Point::new(sin, cos);
        let base = tip.moved(sin * Arrow::LENGTH, cos * Arrow::LENGTH);
        let half = (side.half + 8.0).max(beads + 10.0).max(base.x + 10.0);
        let low =
            if side.count == 0 { side.top + HEIGHT * 0.4 } else { node.half_order + HEIGHT * 0.5 };
        path = around_all(begin, base, away, half, low, top);
        side.half = half;
    }
    let reach = if edge.beads > 0 { BEAD } else { 1.0 };
    let label = edge.has_label().then(|| {
        let (x, y) = (-edge.label_rank / 2.0, top + edge.clearance());
        Rect { x, y, width: edge.label_rank, height: edge.label_order }
    });
    side.top = label.map_or(top + reach, |r| r.bottom());
    side.half = side.half.max(edge.label_rank / 2.0).max(beads);
    side.count += 1;
    let first = -BEAD_STEP * (edge.beads as f64 - 1.0) / 2.0;
    let bead = |i: usize| {
        let x = first + BEAD_STEP * i as f64;
        if slim { on_curve(&path, x) } else { Point::new(x, top) }
    };
    let beads = (0..edge.beads).map(bead).collect();
    PlacedEdge { path, tip, toward: Point::new(-away.x, -away.y), label, beads }
}

/// Up on the left, across, and down on the right to `base`.
fn around_all(begin: Point, base: Point, away: Point, half: f64, low: f64, top: f64) -> Path {
    let mut path = Path::at(begin);
    let corner = half.min(top - low).clamp(0.0, 16.0);
    let soft = corner * 0.45;
    let bend = |p: Point| ((low - p.y).abs() * 0.6).max(6.0);
    let first = bend(begin);
    path.curve_to(
        begin.moved(-away.x * first, away.y * first),
        Point::new(-half, low - bend(begin)),
        Point::new(-half, low),
    );
    path.line_to(Point::new(-half, top - corner));
    path.curve_to(
        Point::new(-half, top - soft),
        Point::new(-half + soft, top),
        Point::new(-half + corner, top),
    );
    path.line_to(Point::new(half - corner, top));
    path.curve_to(
        Point::new(half - soft, top),
        Point::new(half, top - soft),
        Point::new(half, top - corner),
    );
    path.line_to(Point::new(half, low));
    let last = bend(base);
    path.curve_to(Point::new(half, low - last), base.moved(away.x * last, away.y * last), base);
    path
}

/// The place on the second curve of a path where it has come to this `x`, near its middle.
fn on_curve(path: &Path, x: f64) -> Point {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if path.point(1, middle).x < x {
            low = middle;
        } else {
            high = middle;
        }
    }
    path.point(1, low)
}

fn unit(p: Point) -> Point {
    let length = p.distance(Point::default()).max(f64::MIN_POSITIVE);
    Point::new(p.x / length, p.y / length)
}
