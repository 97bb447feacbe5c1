//! The order inside the layers: few crossings.
//!
//! Sweeps by barycentre and by median, each followed by exchanges of neighbours, from the order of a
//! depth-first search; the best order seen is kept.

use super::Proper;
use promenade_base::arrange::Arrange;

/// No more steps than this, in all: large graphs get fewer sweeps.
const BUDGET: u64 = 20_000_000;

/// Orders the layers of `graph` in place.
pub(super) fn arrange(graph: &mut Proper, work: &mut u64) {
    let limit = *work + BUDGET;
    initial(graph);
    let mut best = graph.layers.clone();
    let mut fewest = crossings(graph, work);
    for by_median in [false, true] {
        if fewest == 0 {
            break;
        }
        let mut stale = 0;
        for sweep in 0..24 {
            if *work > limit || fewest == 0 || stale > 5 {
                break;
            }
            pass(graph, sweep % 2 == 0, by_median, sweep % 4 >= 2, work);
            exchange(graph, limit, work);
            let now = crossings(graph, work);
            if now < fewest {
                fewest = now;
                best.clone_from(&graph.layers);
                stale = 0;
            } else {
                stale += 1;
            }
        }
        graph.layers.clone_from(&best);
        renumber(graph);
    }
}

fn renumber(graph: &mut Proper) {
    for layer in &graph.layers {
        for (i, &v) in layer.iter().enumerate() {
            graph.place[v] = i;
        }
    }
}

/// Depth first along the links, so that what is linked is near.
fn initial(graph: &mut Proper) {
    let n = graph.items.len();
    for layer in &mut graph.layers {
        layer.clear();
    }
    let mut seen = vec![false; n];
    let mut starts: Vec<usize> = (0..n).collect();
    starts.arrange_by_key(|&v| (graph.items[v].layer, v));
    for start in starts {
        let mut stack = vec![start];
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut seen[v], true) {
                continue;
            }
            graph.layers[graph.items[v].layer].push(v);
            stack.extend(graph.down[v].iter().rev().filter(|&&w| !seen[w]));
        }
    }
    renumber(graph);
}

/// Sorts layer after layer by the places of the neighbours in the layer before.
fn pass(graph: &mut Proper, down: bool, by_median: bool, last_first: bool, work: &mut u64) {
    let count = graph.layers.len();
    for step in 1..count {
        let at = if down { step } else { count - 1 - step };
        let mut layer = std::mem::take(&mut graph.layers[at]);
        let value = |v: usize| -> Option<f64> {
            let near = if down { &graph.up[v] } else { &graph.down[v] };
            if near.is_empty() {
                return None;
            }
            if by_median {
                let mut places: Vec<usize> = near.iter().map(|&w| graph.place[w]).collect();
                places.sort_unstable();
                Some(median(&places))
            } else {
                Some(near.iter().map(|&w| graph.place[w] as f64).sum::<f64>() / near.len() as f64)
            }
        };
        let links: usize =
            layer.iter().map(|&v| if down { graph.up[v].len() } else { graph.down[v].len() }).sum();
        *work += (links + layer.len()) as u64;
        // Items without neighbours keep their places, the others are sorted into the places left.
        let mut slots = Vec::new();
        let mut moving = Vec::new();
        for (i, &v) in layer.iter().enumerate() {
            if let Some(value) = value(v) {
                slots.push(i);
                moving.push((value, v));
            }
        }
        if last_first {
            moving.reverse();
        }
        moving.arrange_by(|a, b| a.0.total_cmp(&b.0));
        for (slot, (_, v)) in slots.into_iter().zip(moving) {
            layer[slot] = v;
        }
        for (i, &v) in layer.iter().enumerate() {
            graph.place[v] = i;
        }
        graph.layers[at] = layer;
    }
}

/// The weighted median of Gansner and others: nearer to the side where the places lie closer.
fn median(places: &[usize]) -> f64 {
    let m = places.len() / 2;
    let at = |i: usize| places[i] as f64;
    match places.len() {
        0 => 0.0,
        len if len % 2 == 1 => at(m),
        2 => (at(0) + at(1)) / 2.0,
        len => {
            let (left, right) = (at(m - 1) - at(0), at(len - 1) - at(m));
            if left + right == 0.0 {
                (at(m - 1) + at(m)) / 2.0
            } else {
                (at(m - 1) * right + at(m) * left) / (left + right)
            }
        }
    }
}

/// Exchanges neighbours as long as that lessens the crossings.
fn exchange(graph: &mut Proper, limit: u64, work: &mut u64) {
    for _ in 0..12 {
        let mut better = false;
        for at in 0..graph.layers.len() {
            for i in 1..graph.layers[at].len() {
                if *work > limit {
                    return;
                }
                let (v, w) = (graph.layers[at][i - 1], graph.layers[at][i]);
                let (mut kept, mut swapped) = (0, 0);
                for near in [&graph.up, &graph.down] {
                    *work += 1 + (near[v].len() * near[w].len()) as u64;
                    for a in near[v].iter().map(|&a| graph.place[a]) {
                        for b in near[w].iter().map(|&b| graph.place[b]) {
                            kept += usize::from(a > b);
                            swapped += usize::from(b > a);
                        }
                    }
                }
                if swapped < kept {
                    graph.layers[at].swap(i - 1, i);
                    graph.place[v] = i;
                    graph.place[w] = i - 1;
                    better = true;
                }
            }
        }
        if !better {
            return;
        }
    }
}

/// Number of crossings of links, counted as inversions with a Fenwick tree (Barth, Mutzel, Juenger).
pub(super) fn crossings(graph: &Proper, work: &mut u64) -> u64 {
    let mut total = 0;
    for pair in graph.layers.windows(2) {
        let mut tree = vec![0u64; pair[1].len() + 1];
        let mut inserted = 0u64;
        for &v in &pair[0] {
            let mut places: Vec<usize> = graph.down[v].iter().map(|&w| graph.place[w]).collect();
            places.sort_unstable();
            *work += 1 + places.len() as u64;
            for &place in &places {
                let (mut i, mut upto) = (place + 1, 0);
                while i > 0 {
                    upto += tree[i];
                    i &= i - 1;
                }
                total += inserted - upto;
            }
            for &place in &places {
                let mut i = place + 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
                inserted += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::super::{Item, Kind};
    use super::*;

    fn graph(layers: &[usize], links: &[(usize, usize)]) -> Proper {
        let mut graph = Proper::default();
        for (v, &layer) in layers.iter().enumerate() {
            graph.add(Item { kind: Kind::Node(v), layer, half: 1.0, before: 1.0, after: 1.0 });
        }
        for &(v, w) in links {
            graph.link(v, w);
        }
        graph.layers = vec![Vec::new(); layers.iter().max().map_or(0, |m| m + 1)];
        initial(&mut graph);
        graph
    }

    #[test]
    fn crossings_are_counted() {
        let mut complete = Vec::new();
        for v in 0..3 {
            complete.extend((3..6).map(|w| (v, w)));
        }
        assert_eq!(crossings(&graph(&[0, 0, 0, 1, 1, 1], &complete), &mut 0), 9);
        assert_eq!(crossings(&graph(&[0, 0, 1, 1], &[(0, 2), (0, 3), (1, 3)]), &mut 0), 0);
    }

    #[test]
    fn avoidable_crossings_are_avoided() {
        let layers = [0, 1, 1, 1, 2, 2, 2, 2, 3];
        let links =
            [(0, 1), (0, 2), (0, 3), (3, 4), (1, 5), (2, 6), (1, 7), (4, 8), (2, 4), (7, 8)];
        let mut graph = graph(&layers, &links);
        arrange(&mut graph, &mut 0);
        assert_eq!(crossings(&graph, &mut 0), 0);
        let mut all: Vec<usize> = graph.layers.concat();
        all.sort_unstable();
        assert_eq!(all, (0..layers.len()).collect::<Vec<_>>());
    }
}
