//! Layers by network simplex: the sum of the edges' lengths is as small as possible.
//!
//! After Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs" (1993). Cut
//! values come from a sum over subtrees: edges inside a subtree cancel out, so what leaves it less
//! what enters it is the sum, over its nodes, of what leaves less what enters them.

/// No more steps than this to make edges shorter.
const BUDGET: u64 = 30_000_000;

/// An edge of a graph without cycles that is to lead at least `length` layers ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) length: i64,
    pub(super) weight: i64,
}

/// A layer for each node, the smallest being 0. The graph must be connected and without cycles.
/// `work` is increased by the steps taken; the search for better layers ends after some multiple
/// of the graph's size, with valid layers in any case.
pub(super) fn layers(n: usize, spans: &[Span], work: &mut u64) -> Vec<i64> {
    let mut rank = longest_paths(n, spans);
    if n > 1 {
        let mut simplex =
            Simplex { spans, rank: &mut rank, tree: Vec::new(), in_tree: vec![false; spans.len()] };
        if simplex.span_tree(n, work) {
            simplex.optimise(n, work);
        }
    }
    let least = rank.iter().copied().min().unwrap_or(0);
    rank.iter().map(|r| r - least).collect()
}

fn longest_paths(n: usize, spans: &[Span]) -> Vec<i64> {
    let mut out = vec![Vec::new(); n];
    let mut waiting = vec![0usize; n];
    for span in spans {
        out[span.from].push(span);
        waiting[span.to] += 1;
    }
    let mut rank = vec![0; n];
    let mut ready: Vec<usize> = (0..n).filter(|&v| waiting[v] == 0).collect();
    while let Some(v) = ready.pop() {
        for span in &out[v] {
            rank[span.to] = rank[span.to].max(rank[v] + span.length);
            waiting[span.to] -= 1;
            if waiting[span.to] == 0 {
                ready.push(span.to);
            }
        }
    }
    rank
}

struct Simplex<'a> {
    spans: &'a [Span],
    rank: &'a mut Vec<i64>,
    /// Numbers of the spans of the tree.
    tree: Vec<usize>,
    in_tree: Vec<bool>,
}

/// The tree seen from a root: parents before children.
struct Rooted {
    order: Vec<usize>,
    /// The span to the parent.
    up: Vec<Option<usize>>,
    parent: Vec<usize>,
}

impl Simplex<'_> {
    fn slack(&self, span: usize) -> i64 {
        let s = &self.spans[span];
        self.rank[s.to] - self.rank[s.from] - s.length
    }

    /// Finds a spanning tree of edges without slack, moving nodes as needed. `false` if the graph is
    /// not connected.
    fn span_tree(&mut self, n: usize, work: &mut u64) -> bool {
        let mut inside = vec![false; n];
        inside[0] = true;
        let mut members = 1;
        while members < n {
            *work += self.spans.len() as u64;
            let mut grown = false;
            let mut nearest: Option<(i64, usize)> = None;
            for (i, span) in self.spans.iter().enumerate() {
                if inside[span.from] == inside[span.to] {
                    continue;
                }
                let slack = self.slack(i);
                if slack == 0 {
                    inside[span.from] = true;
                    inside[span.to] = true;
                    self.in_tree[i] = true;
                    self.tree.push(i);
                    members += 1;
                    grown = true;
                } else if nearest.is_none_or(|(least, _)| slack < least) {
                    nearest = Some((slack, i));
                }
            }
            if grown {
                continue;
            }
            let Some((slack, i)) = nearest else {
                return false;
            };
            let by = if inside[self.spans[i].from] { slack } else { -slack };
            for v in (0..n).filter(|&v| inside[v]) {
                self.rank[v] += by;
            }
        }
        true
    }

    fn rooted(&self, n: usize) -> Rooted {
        let mut near = vec![Vec::new(); n];
        for &i in &self.tree {
            near[self.spans[i].from].push(i);
            near[self.spans[i].to].push(i);
        }
        let mut rooted = Rooted { order: vec![0], up: vec![None; n], parent: vec![0; n] };
        let mut at = 0;
        while let Some(&v) = rooted.order.get(at) {
            at += 1;
            for &i in &near[v] {
                if rooted.up[v] == Some(i) {
                    continue;
                }
                let span = &self.spans[i];
                let w = if span.from == v { span.to } else { span.from };
                rooted.up[w] = Some(i);
                rooted.parent[w] = v;
                rooted.order.push(w);
            }
        }
        rooted
    }

    fn optimise(&mut self, n: usize, work: &mut u64) {
        let mut net = vec![0i64; n];
        for span in self.spans {
            net[span.from] += span.weight;
            net[span.to] -= span.weight;
        }
        let limit = *work + BUDGET;
        for _ in 0..4 * n + 16 {
            if *work > limit {
                return;
            }
            *work += (n + self.spans.len()) as u64;
            let rooted = self.rooted(n);
            let mut sum = net.clone();
            for &v in rooted.order.iter().skip(1).rev() {
                sum[rooted.parent[v]] += sum[v];
            }
            // The tree edge whose lengthening would shorten the drawing most.
            let worst = rooted
                .order
                .iter()
                .skip(1)
                .filter_map(|&v| {
                    rooted.up[v]
                        .map(|i| (if self.spans[i].from == v { sum[v] } else { -sum[v] }, i, v))
                })
                .min();
            let Some((cut, leaving, child)) = worst.filter(|w| w.0 < 0) else {
                return;
            };
            debug_assert!(cut < 0);
            let mut below = vec![false; n];
            for &v in &rooted.order {
                below[v] = v == child || (v != rooted.order[0] && below[rooted.parent[v]]);
            }
            let tail_below = self.spans[leaving].from == child;
            // An edge that leads the other way over the cut.
            let entering = (0..self.spans.len())
                .filter(|&i| !self.in_tree[i])
                .filter(|&i| {
                    let s = &self.spans[i];
                    below[s.from] != below[s.to] && below[s.from] != tail_below
                })
                .min_by_key(|&i| self.slack(i));
            let Some(entering) = entering else {
                return;
            };
            let slack = self.slack(entering);
            let by = if below[self.spans[entering].from] { slack } else { -slack };
            for v in (0..n).filter(|&v| below[v]) {
                self.rank[v] += by;
            }
            self.in_tree[leaving] = false;
            self.in_tree[entering] = true;
            self.tree.retain(|&i| i != leaving);
            self.tree.push(entering);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: usize, to: usize) -> Span {
        Span { from, to, length: 1, weight: 1 }
    }

    #[test]
    fn edges_are_as_short_as_possible() {
        // Node 4 hangs on the end of the chain and belongs right before it.
        let spans = [span(0, 1), span(1, 2), span(2, 3), span(4, 3), span(4, 5)];
        let rank = layers(6, &spans, &mut 0);
        assert_eq!(rank, vec![0, 1, 2, 3, 2, 3]);
    }

    #[test]
    fn groups_move_together() {
        // Longest paths put 5 and 6 at the left; their edges to the right pull both.
        let spans = [
            span(0, 1),
            span(1, 2),
            span(2, 3),
            span(0, 4),
            span(4, 5),
            span(5, 3),
            span(4, 6),
            span(6, 3),
        ];
        let rank = layers(7, &spans, &mut 0);
        let total: i64 = spans.iter().map(|s| rank[s.to] - rank[s.from]).sum();
        assert!(spans.iter().all(|s| rank[s.to] - rank[s.from] >= s.length));
        assert_eq!(total, 8);
    }
}
