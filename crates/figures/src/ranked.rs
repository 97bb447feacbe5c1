//! A layout for many small nodes whose ranks are known: rows from the top, straight edges from one rank
//! to the next, bows for all others.
//!
//! The order in a rank comes from a few rounds of barycentres (K. Sugiyama, S. Tagawa, M. Toda, Methods
//! for visual understanding of hierarchical system structures, 1981), the places from least squares
//! with least distances (pool adjacent violators). Wide ranks are folded into several rows, so that the
//! whole picture has about the shape that is asked for. The work is linear in the edges.

use crate::drawing::{Arrow, Drawing, DrawnEdge, DrawnNode, Start};
use crate::geometry::{Path, Point, Rect};
use crate::graph::{Graph, GraphEdge, Shape, words};
use crate::text::printable;
use promenade_base::arrange::Arrange;

/// Distances and diameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// From the middle of a node to the next one in its row.
    pitch: f64,
    /// From a rank to the next, and from a row of a rank to the next.
    rank: f64,
    row: f64,
    /// The same in pictures that are much higher than wide.
    close_rank: f64,
    /// Diameters: of nodes, and of those with a mark.
    node: f64,
    marked: f64,
}

impl Sizes {
    /// Dots.
    pub(crate) const SMALL: Self =
        Self { pitch: 30.0, rank: 54.0, row: 24.0, close_rank: 34.0, node: 13.0, marked: 18.0 };
    /// Discs that hold a number.
    pub(crate) const LARGE: Self =
        Self { pitch: 44.0, rank: 52.0, row: 36.0, close_rank: 46.0, node: 26.0, marked: 32.0 };
}

/// How much wider than needed a picture becomes where there is room.
const MOST_STRETCH: f64 = 2.0;
/// Rows of one rank at most.
const MOST_ROWS: usize = 12;
/// Rounds of ordering, and of placing.
const ORDERING: usize = 12;
const PLACING: usize = 14;
const MARGIN: f64 = 16.0;

/// Lays a graph out whose nodes have ranks; numbers of nodes in edges are those of nodes. `aspect` is
/// width by height of where it will be seen.
pub(crate) fn draw(graph: &Graph, ranks: &[usize], aspect: f64, sizes: Sizes) -> Drawing {
    let rows = rows(graph, ranks);
    let fold = fold(&rows, aspect, sizes);
    let mut x = places(graph, ranks, &rows, sizes.pitch / fold as f64);
    straighten(&mut x, &rows);
    let left = x.iter().copied().fold(f64::INFINITY, f64::min);
    let width = x.iter().copied().fold(left, f64::max) - left;
    // A picture that is higher than where it is seen takes the width that is there.
    let room = height(&rows, fold, sizes) * aspect.clamp(0.2, 5.0);
    let stretch = (room / width.max(1.0)).clamp(1.0, MOST_STRETCH);
    x.iter_mut().for_each(|x| *x = (*x - left) * stretch + MARGIN + sizes.marked);
    let widest = x.iter().copied().fold(0.0, f64::max);
    let mut centres = vec![Point::default(); ranks.len()];
    let mut y = MARGIN + 26.0;
    let high = height(&rows, fold, sizes) > 3.0 * widest.max(300.0) / aspect.max(0.1);
    let gap = if high { sizes.close_rank } else { sizes.rank };
    for row in &rows {
        let lines = fold.min(row.len().max(1));
        for (place, &node) in row.iter().enumerate() {
            centres[node] = Point::new(x[node], y + sizes.row * (place % lines) as f64);
        }
        y += gap + sizes.row * (lines - 1) as f64;
    }
    let nodes: Vec<DrawnNode> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(id, node)| {
            let size = if node.shape == Shape::Circle { sizes.node } else { sizes.marked };
            DrawnNode {
                id,
                centre: centres[id],
                width: size,
                height: size,
                shape: node.shape,
                lines: node.lines.iter().take(1).map(|line| printable(line)).collect(),
                title: printable(&node.title),
                classes: words(&node.classes),
            }
        })
        .collect();
    let edges: Vec<DrawnEdge> =
        graph.edges.iter().enumerate().map(|(id, e)| edge(id, e, &nodes, ranks)).collect();
    let start = graph.initial.and_then(|node| nodes.get(node)).map(|node| {
        let tip = node.centre.moved(0.0, -node.height / 2.0);
        let mut path = Path::at(tip.moved(0.0, -22.0));
        path.line_to(tip.moved(0.0, -Arrow::LENGTH));
        Start { node: node.id, path, arrow: Arrow { tip, angle: std::f64::consts::FRAC_PI_2 } }
    });
    let mut drawing = Drawing { nodes, edges, start, line_height: 12.0, ..Drawing::default() };
    fit(&mut drawing);
    drawing
}

/// The nodes of each rank, in an order with few crossings.
fn rows(graph: &Graph, ranks: &[usize]) -> Vec<Vec<usize>> {
    let count = ranks.iter().max().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); count];
    for (node, &rank) in ranks.iter().enumerate() {
        rows[rank].push(node);
    }
    let (up, down) = near(graph, ranks);
    let mut place = vec![0.0; ranks.len()];
    let note = |rows: &[Vec<usize>], place: &mut [f64]| {
        for row in rows {
            for (at, &node) in row.iter().enumerate() {
                // Rows of different lengths lie one under the other with their middles.
                place[node] = at as f64 - (row.len() - 1) as f64 / 2.0;
            }
        }
    };
    note(&rows, &mut place);
    let mut best = (crossings(&rows, &down, &place), rows.clone());
    for round in 0..ORDERING {
        let (near, order): (&[Vec<usize>], Vec<usize>) = if round % 2 == 0 {
            (&up, (1..count).collect())
        } else {
            (&down, (0..count.saturating_sub(1)).rev().collect())
        };
        for rank in order {
            let middle = |node: usize| {
                let all = &near[node];
                if all.is_empty() {
                    return place[node];
                }
                all.iter().map(|&other| place[other]).sum::<f64>() / all.len() as f64
            };
            let mut row: Vec<(f64, usize)> =
                rows[rank].iter().map(|&node| (middle(node), node)).collect();
            row.arrange_by(|a, b| a.0.total_cmp(&b.0));
            rows[rank] = row.into_iter().map(|it| it.1).collect();
            note(&rows[rank..=rank], &mut place);
        }
        let now = crossings(&rows, &down, &place);
        if now < best.0 {
            best = (now, rows.clone());
        }
    }
    best.1
}

/// For each node its neighbours in the rank before and in the rank after.
fn near(graph: &Graph, ranks: &[usize]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut up = vec![Vec::new(); ranks.len()];
    let mut down = vec![Vec::new(); ranks.len()];
    for edge in &graph.edges {
        let (from, to) = (ranks[edge.from], ranks[edge.to]);
        if from + 1 == to {
            down[edge.from].push(edge.to);
            up[edge.to].push(edge.from);
        } else if to + 1 == from {
            down[edge.to].push(edge.from);
            up[edge.from].push(edge.to);
        }
    }
    (up, down)
}

/// Crossings of the edges between neighbouring ranks, counted as inversions.
fn crossings(rows: &[Vec<usize>], down: &[Vec<usize>], place: &[f64]) -> u64 {
    let mut sum = 0;
    for row in rows {
        let mut ends: Vec<f64> = Vec::new();
        for &node in row {
            let mut own: Vec<f64> = down[node].iter().map(|&to| place[to]).collect();
            own.arrange_by(f64::total_cmp);
            ends.extend(own);
        }
        sum += inversions(&mut ends);
    }
    sum
}

/// Sorts, and counts the pairs that stood the wrong way round.
fn inversions(list: &mut [f64]) -> u64 {
    let half = list.len() / 2;
    if half == 0 {
        return 0;
    }
    let (a, b) = list.split_at_mut(half);
    let mut sum = inversions(a) + inversions(b);
    let (a, b) = (a.to_vec(), b.to_vec());
    let (mut i, mut j) = (0, 0);
    for place in list.iter_mut() {
        if j >= b.len() || (i < a.len() && a[i] <= b[j]) {
            *place = a[i];
            i += 1;
        } else {
            *place = b[j];
            j += 1;
            sum += (a.len() - i) as u64;
        }
    }
    sum
}

fn height(rows: &[Vec<usize>], fold: usize, sizes: Sizes) -> f64 {
    let height =
        |row: &Vec<usize>| sizes.rank + sizes.row * (fold.min(row.len().max(1)) - 1) as f64;
    rows.iter().map(height).sum()
}

/// Into how many rows wide ranks are folded.
fn fold(rows: &[Vec<usize>], aspect: f64, sizes: Sizes) -> usize {
    let most = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let side = |fold: usize| {
        let width = most * sizes.pitch / fold as f64;
        (width / aspect.clamp(0.2, 5.0)).max(height(rows, fold, sizes))
    };
    (1..=MOST_ROWS).min_by(|&a, &b| side(a).total_cmp(&side(b))).unwrap_or(1)
}

/// Places in the rows: near the middle of the neighbours, with a least distance.
fn places(graph: &Graph, ranks: &[usize], rows: &[Vec<usize>], pitch: f64) -> Vec<f64> {
    let (up, down) = near(graph, ranks);
    let mut x = vec![0.0; ranks.len()];
    for row in rows {
        for (at, &node) in row.iter().enumerate() {
            x[node] = (at as f64 - (row.len() - 1) as f64 / 2.0) * pitch;
        }
    }
    for round in 0..PLACING {
        let downwards = round % 2 == 0;
        let order: Vec<usize> =
            if downwards { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for rank in order {
            let row = &rows[rank];
            let wanted: Vec<f64> = row
                .iter()
                .map(|&node| {
                    let all = if downwards { &up[node] } else { &down[node] };
                    if all.is_empty() {
                        return x[node];
                    }
                    all.iter().map(|&other| x[other]).sum::<f64>() / all.len() as f64
                })
                .collect();
            for (&node, place) in row.iter().zip(spread(&wanted, pitch)) {
                x[node] = place;
            }
        }
    }
    x
}

/// Takes the drift out of a picture whose ranks move to one side more and more, if that makes it
/// narrower. Distances and order in a rank stay.
fn straighten(x: &mut [f64], rows: &[Vec<usize>]) {
    let middle = |row: &Vec<usize>| row.iter().map(|&node| x[node]).sum::<f64>() / row.len() as f64;
    let means: Vec<f64> = rows.iter().filter(|row| !row.is_empty()).map(middle).collect();
    if means.len() != rows.len() || rows.len() < 3 {
        return;
    }
    // The line through the middles of the ranks with the least squares.
    let centre = (means.len() - 1) as f64 / 2.0;
    let (mut above, mut below) = (0.0, 0.0);
    for (rank, mean) in means.iter().enumerate() {
        let along = rank as f64 - centre;
        above += along * mean;
        below += along * along;
    }
    let slope = above / below;
    let mut straight = x.to_vec();
    for (rank, row) in rows.iter().enumerate() {
        for &node in row {
            straight[node] -= slope * (rank as f64 - centre);
        }
    }
    let width = |x: &[f64]| {
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - x.iter().copied().fold(f64::INFINITY, f64::min)
    };
    if width(&straight) < width(x) {
        x.copy_from_slice(&straight);
    }
}

/// The places nearest to those wanted, in their order and with a least distance.
fn spread(wanted: &[f64], pitch: f64) -> Vec<f64> {
    // Without the distances the places only have to rise: blocks of equal ones, as means.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (at, place) in wanted.iter().enumerate() {
        let mut block = (place - at as f64 * pitch, 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum / (count as f64) < block.0 / block.1 as f64 {
                break;
            }
            block = (block.0 + sum, block.1 + count);
            blocks.pop();
        }
        blocks.push(block);
    }
    let free =
        blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    free.enumerate().map(|(at, place)| place + at as f64 * pitch).collect()
}

fn edge(id: usize, edge: &GraphEdge, nodes: &[DrawnNode], ranks: &[usize]) -> DrawnEdge {
    let (from, to) = (&nodes[edge.from], &nodes[edge.to]);
    let (a, b) = (from.centre, to.centre);
    let (mut first, mut second);
    if edge.from == edge.to {
        let out = from.width * 0.9 + 12.0;
        first = a.moved(out, -out * 0.7);
        second = a.moved(out, out * 0.7);
    } else {
        let (x, y) = (b.x - a.x, b.y - a.y);
        let length = a.distance(b).max(1.0);
        // Edges between neighbouring ranks are straight; the others bow, to the right when they lead
        // up, so that an edge and the one back lie apart.
        let straight = ranks[edge.from] + 1 == ranks[edge.to];
        let bow = if straight { 0.0 } else { (12.0 + length * 0.16).min(90.0) };
        let across = Point::new(-y / length * bow, x / length * bow);
        first = a.moved(x / 3.0 + across.x, y / 3.0 + across.y);
        second = a.moved(x * 2.0 / 3.0 + across.x, y * 2.0 / 3.0 + across.y);
    }
    let toward = |from: Point, to: Point, by: f64| {
        let length = from.distance(to).max(0.01);
        from.moved((to.x - from.x) / length * by, (to.y - from.y) / length * by)
    };
    let start = toward(a, first, from.width / 2.0);
    let tip = toward(b, second, to.width / 2.0);
    let base = toward(b, second, to.width / 2.0 + Arrow::LENGTH);
    if edge.from != edge.to && ranks[edge.from] + 1 == ranks[edge.to] {
        first = start.moved((base.x - start.x) / 3.0, (base.y - start.y) / 3.0);
        second = start.moved((base.x - start.x) * 2.0 / 3.0, (base.y - start.y) * 2.0 / 3.0);
    }
    let mut path = Path::at(start);
    path.curve_to(first, second, base);
    DrawnEdge {
        id,
        from: edge.from,
        to: edge.to,
        path,
        arrow: Arrow { tip, angle: (tip.y - base.y).atan2(tip.x - base.x) },
        label: None,
        beads: Vec::new(),
        title: printable(&edge.title),
        sources: edge.sources.clone(),
        classes: {
            let mut classes = words(&edge.classes);
            let straight = ranks[edge.from] + 1 == ranks[edge.to];
            // Bows are many and cross each other: they can be drawn more faintly.
            classes.extend((!straight).then(|| "far".to_owned()));
            classes
        },
    }
}

/// Moves everything into the positive, with a margin.
fn fit(drawing: &mut Drawing) {
    let nodes = drawing.nodes.iter().map(DrawnNode::area);
    let edges = drawing.edges.iter().map(|edge| edge.path.bounds());
    let starts = drawing.start.iter().map(|start| start.path.bounds());
    let bounds = nodes.chain(edges).chain(starts).reduce(|a, b| a.union(&b));
    let bounds: Rect = bounds.unwrap_or_default().grown(MARGIN);
    drawing.width = bounds.width.ceil();
    drawing.height = bounds.height.ceil();
    let by = |p: Point| p.moved(-bounds.x, -bounds.y);
    for node in &mut drawing.nodes {
        node.centre = by(node.centre);
    }
    for edge in &mut drawing.edges {
        edge.path = edge.path.map(by);
        edge.arrow.tip = by(edge.arrow.tip);
    }
    if let Some(start) = &mut drawing.start {
        start.path = start.path.map(by);
        start.arrow.tip = by(start.arrow.tip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_distance_and_their_order() {
        assert_eq!(spread(&[0.0, 0.0, 100.0], 10.0), [-5.0, 5.0, 100.0]);
        assert_eq!(spread(&[5.0, 0.0], 10.0), [-2.5, 7.5]);
        assert_eq!(spread(&[], 10.0), Vec::<f64>::new());
        let places = spread(&[9.0, 3.0, 7.0, 1.0, 50.0, 49.0], 4.0);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 4.0 - 1e-9), "{places:?}");
    }

    #[test]
    fn a_picture_that_drifts_is_straightened() {
        // Two chains side by side that lean to the right.
        let rows: Vec<Vec<usize>> = (0..10).map(|rank| vec![2 * rank, 2 * rank + 1]).collect();
        let mut x: Vec<f64> =
            (0..20).map(|node| 30.0 * (node / 2) as f64 + 20.0 * (node % 2) as f64).collect();
        straighten(&mut x, &rows);
        let first = x[0];
        for (node, place) in x.iter().enumerate() {
            let wanted = first + 20.0 * (node % 2) as f64;
            assert!((place - wanted).abs() < 1e-6, "{x:?}");
        }
        // What would become wider stays as it is.
        let mut x = vec![0.0, 0.0, 100.0, 0.0];
        let before = x.clone();
        straighten(&mut x, &[vec![0], vec![1, 2], vec![3]]);
        assert_eq!(x, before);
    }

    #[test]
    fn crossings_are_inversions() {
        assert_eq!(inversions(&mut [3.0, 1.0, 2.0]), 2);
        assert_eq!(inversions(&mut [1.0, 1.0, 1.0]), 0);
        assert_eq!(inversions(&mut [4.0, 3.0, 2.0, 1.0]), 6);
    }
}
