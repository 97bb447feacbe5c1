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
    let level = side.count as f64;
    let angle = (0.42 + 0.2 * level).min(1.0);
    let (begin, tip) = (border(node, -angle), border(node, angle));
    // The direction of the ends, steeper than the radius: the loop is slim.
    let (sin, cos) = (angle * 0.75).sin_cos();
    let base = tip.moved(sin * Arrow::LENGTH, cos * Arrow::LENGTH);
    let beads = edge.bead_row() / 2.0;
    let mut path = Path::at(begin);
    let top;
    if side.count == 0 && beads <= BEAD + 1.0 {
        top = side.top + HEIGHT;
        let control = (4.0 * top - (begin.y + base.y) / 2.0) / 3.0;
        let first = begin.moved(-sin / cos * (control - begin.y), control - begin.y);
        let second = base.moved(sin / cos * (control - base.y), control - base.y);
        path.curve_to(first, second, base);
        side.half = side.half.max(second.x);
    } else {
        // Around everything below: up on the left, across, and down on the right.
        let half = (side.half + 8.0).max(beads + 10.0).max(tip.x + 8.0);
        let low =
            if side.count == 0 { side.top + HEIGHT * 0.4 } else { node.half_order + HEIGHT * 0.7 };
        top = if side.count == 0 { side.top + HEIGHT } else { side.top + 8.0 + edge.clearance() };
        let corner = half.min(top - low).min(14.0);
        let soft = corner * 0.45;
        path.curve_to(
            begin.moved(-sin * 10.0, cos * 10.0),
            Point::new(-half, low - (low - begin.y) * 0.5),
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
        path.curve_to(
            Point::new(half, low - (low - base.y) * 0.5),
            base.moved(sin * 8.0, cos * 8.0),
            base,
        );
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
    PlacedEdge {
        path,
        tip,
        toward: Point::new(-sin, -cos),
        label,
        beads: (0..edge.beads).map(|i| Point::new(first + BEAD_STEP * i as f64, top)).collect(),
    }
}
