//! Places along the layers: long edges straight, nodes in the middle of their neighbours.
//!
//! After Brandes and Koepf, "Fast and simple horizontal coordinate assignment" (2001): four
//! alignments, of which each item gets the mean of its two middle places. Blocks are compacted by
//! longest paths over the graph of blocks, which respects all distances (the compaction of the paper
//! does not always, as its erratum of 2020 shows).

use super::Proper;
use promenade_base::arrange::Arrange;

/// The place of each item.
pub(super) fn places(graph: &Proper, work: &mut u64) -> Vec<f64> {
    let n = graph.items.len();
    let conflicts = conflicts(graph);
    let mut four = Vec::with_capacity(4);
    for from_top in [true, false] {
        for from_left in [true, false] {
            *work += n as u64;
            let view = View { graph, from_top, from_left };
            let blocks = view.align(&conflicts);
            let mut xs = view.compact(&blocks);
            if !from_left {
                for x in &mut xs {
                    *x = -*x;
                }
            }
            four.push((from_left, xs));
        }
    }
    let least = |xs: &[f64]| xs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |xs: &[f64]| xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let narrowest = four.iter().map(|(_, xs)| (most(xs) - least(xs), least(xs), most(xs)));
    let Some((_, low, high)) = narrowest.min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return vec![0.0; n];
    };
    for (from_left, xs) in &mut four {
        let by = if *from_left { low - least(xs) } else { high - most(xs) };
        for x in xs.iter_mut() {
            *x += by;
        }
    }
    let middle = |v: usize| {
        let mut xs: Vec<f64> = four.iter().map(|(_, xs)| xs[v]).collect();
        xs.arrange_by(f64::total_cmp);
        (xs[1] + xs[2]) / 2.0
    };
    let mut xs: Vec<f64> = (0..n).map(middle).collect();
    for _ in 0..8 {
        *work += n as u64;
        if !refine(graph, &mut xs) {
            break;
        }
    }
    centre_bundles(graph, &mut xs);
    xs
}

/// Puts edges side by side from a node to one in the next layer but one evenly beside the line
/// between the two, as far as there is room.
fn centre_bundles(graph: &Proper, xs: &mut [f64]) {
    let ends = |v: usize| match (graph.items[v].is_dummy(), &graph.up[v][..], &graph.down[v][..]) {
        (true, &[u], &[w]) if !graph.items[u].is_dummy() && !graph.items[w].is_dummy() => {
            Some((u, w))
        }
        _ => None,
    };
    for layer in &graph.layers {
        for bundle in layer.chunk_by(|&v, &w| ends(v).is_some() && ends(v) == ends(w)) {
            let (&[first, .., last], Some((u, w))) = (bundle, ends(bundle[0])) else {
                continue;
            };
            let mut by = (xs[u] + xs[w]) / 2.0 - (xs[first] + xs[last]) / 2.0;
            if let Some(&after) = layer.get(graph.place[last] + 1) {
                by = by.min(xs[after] - graph.distance(last, after) - xs[last]);
            }
            if let Some(&before) = graph.place[first].checked_sub(1).and_then(|p| layer.get(p)) {
                by = by.max(xs[before] + graph.distance(before, first) - xs[first]);
            }
            for &v in bundle {
                xs[v] += by;
            }
        }
    }
}

/// Moves nodes, and the level parts of edges as wholes, to where their links are shortest in sum, as
/// far as their neighbours allow. Whether anything moved.
fn refine(graph: &Proper, xs: &mut [f64]) -> bool {
    let mut moved = false;
    let mut run = Vec::new();
    for v in 0..graph.items.len() {
        let level = |v: usize, w: usize, xs: &[f64]| {
            graph.items[w].is_dummy() && (xs[v] - xs[w]).abs() < 0.01
        };
        run.clear();
        run.push(v);
        if graph.items[v].is_dummy() {
            if graph.up[v].first().is_some_and(|&u| level(v, u, xs)) {
                continue;
            }
            let mut end = v;
            while let Some(&next) = graph.down[end].first().filter(|&&w| level(end, w, xs)) {
                run.push(next);
                end = next;
            }
        }
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for &w in &run {
            let (layer, place) = (&graph.layers[graph.items[w].layer], graph.place[w]);
            if let Some(&before) = place.checked_sub(1).and_then(|p| layer.get(p)) {
                low = low.max(xs[before] + graph.distance(before, w));
            }
            if let Some(&after) = layer.get(place + 1) {
                high = high.min(xs[after] - graph.distance(w, after));
            }
        }
        let ends = [run.first(), run.last()];
        let ups = ends[0].map_or(&[][..], |&w| &graph.up[w]);
        let downs = ends[1].map_or(&[][..], |&w| &graph.down[w]);
        let mut goals: Vec<f64> = ups.iter().chain(downs).map(|&w| xs[w]).collect();
        goals.arrange_by(f64::total_cmp);
        let Some(least) = goals.get(goals.len().saturating_sub(1) / 2).copied() else {
            continue;
        };
        let most = goals[goals.len() / 2];
        // Between the two middle goals all places are equally good: nodes go halfway, edges stay.
        let goal =
            if graph.items[v].is_dummy() { xs[v].clamp(least, most) } else { (least + most) / 2.0 };
        let goal = goal.min(high).max(low);
        if low <= high && (goal - xs[v]).abs() > 0.01 {
            for &w in &run {
                xs[w] = goal;
            }
            moved = true;
        }
    }
    moved
}

/// Links that cross an inner segment of a long edge: they give way.
fn conflicts(graph: &Proper) -> std::collections::HashSet<(usize, usize)> {
    let mut marked = std::collections::HashSet::new();
    let inner = |v: usize| -> Option<usize> {
        let &u = graph.up[v].first()?;
        (graph.items[v].is_dummy() && graph.items[u].is_dummy()).then_some(u)
    };
    for pair in graph.layers.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let (mut low, mut next) = (0, 0);
        for (i, &v) in lower.iter().enumerate() {
            let inner_of_v = inner(v);
            if inner_of_v.is_none() && i + 1 != lower.len() {
                continue;
            }
            let high = inner_of_v.map_or(upper.len().saturating_sub(1), |u| graph.place[u]);
            while next <= i {
                let w = lower[next];
                for &u in &graph.up[w] {
                    let k = graph.place[u];
                    if (k < low || k > high) && inner(w) != Some(u) {
                        marked.insert((u, w));
                    }
                }
                next += 1;
            }
            low = high;
        }
    }
    marked
}

/// The graph as seen from one of its four corners.
struct View<'a> {
    graph: &'a Proper,
    from_top: bool,
    from_left: bool,
}

impl View<'_> {
    fn layer(&self, at: usize) -> Vec<usize> {
        let layers = &self.graph.layers;
        let mut layer = layers[if self.from_top { at } else { layers.len() - 1 - at }].clone();
        if !self.from_left {
            layer.reverse();
        }
        layer
    }

    /// The root of each item's block.
    fn align(&self, conflicts: &std::collections::HashSet<(usize, usize)>) -> Vec<usize> {
        let graph = self.graph;
        let n = graph.items.len();
        let mut root: Vec<usize> = (0..n).collect();
        let mut align = root.clone();
        let mut place = vec![0usize; n];
        for at in 0..graph.layers.len() {
            let layer = self.layer(at);
            for (i, &v) in layer.iter().enumerate() {
                place[v] = i;
            }
            let mut free = 0;
            for &v in &layer {
                let mut near =
                    if self.from_top { graph.up[v].clone() } else { graph.down[v].clone() };
                near.arrange_by_key(|&w| place[w]);
                if near.is_empty() {
                    continue;
                }
                for m in [(near.len() - 1) / 2, near.len() / 2] {
                    let w = near[m];
                    let link = if self.from_top { (w, v) } else { (v, w) };
                    if align[v] == v && free <= place[w] && !conflicts.contains(&link) {
                        align[w] = v;
                        root[v] = root[w];
                        align[v] = root[v];
                        free = place[w] + 1;
                    }
                }
            }
        }
        root
    }

    fn compact(&self, root: &[usize]) -> Vec<f64> {
        let n = root.len();
        let graph = self.graph;
        let mut out: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
        let mut waiting = vec![0usize; n];
        for at in 0..graph.layers.len() {
            for pair in self.layer(at).windows(2) {
                let (v, w) = (pair[0], pair[1]);
                let apart =
                    if self.from_left { graph.distance(v, w) } else { graph.distance(w, v) };
                out[root[v]].push((root[w], apart));
                waiting[root[w]] += 1;
            }
        }
        let mut order: Vec<usize> = (0..n).filter(|&v| root[v] == v && waiting[v] == 0).collect();
        let mut xs = vec![0.0f64; n];
        let mut at = 0;
        while let Some(&v) = order.get(at) {
            at += 1;
            for &(w, apart) in &out[v] {
                xs[w] = xs[w].max(xs[v] + apart);
                waiting[w] -= 1;
                if waiting[w] == 0 {
                    order.push(w);
                }
            }
        }
        for &v in order.iter().rev() {
            let room = out[v].iter().map(|&(w, apart)| xs[w] - apart).fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                xs[v] = xs[v].max(room);
            }
        }
        (0..n).map(|v| xs[root[v]]).collect()
    }
}
