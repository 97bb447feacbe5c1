//! Which edges to turn round so that no cycle is left.

/// Strongly connected components by number, in topological order: an edge never leads to a smaller
/// number. Tarjan's algorithm with an explicit stack.
fn components(next: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let n = next.len();
    let (mut index, mut low, mut component) = (vec![NONE; n], vec![0; n], vec![NONE; n]);
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut count, mut found) = (0, 0);
    for root in 0..n {
        if index[root] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some((v, at)) = calls.pop() {
            if at == 0 {
                index[v] = count;
                low[v] = count;
                count += 1;
                stack.push(v);
            }
            if let Some(&w) = next[v].get(at) {
                calls.push((v, at + 1));
                if index[w] == NONE {
                    calls.push((w, 0));
                } else if component[w] == NONE {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            if low[v] == index[v] {
                while let Some(w) = stack.pop() {
                    component[w] = found;
                    if w == v {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[v]);
            }
        }
    }
    component.iter().map(|c| found - 1 - c).collect()
}

/// For each edge whether to turn it round. Edges between components keep their direction. Inside
/// the components the orders of a breadth-first and of a depth-first search from `root` are tried, for
/// these are how one reads; the greedy order of Eades, Lin and Smyth (1993) is taken instead if it
/// turns round less than half as many edges.
pub(super) fn reversed(n: usize, edges: &[(usize, usize)], root: Option<usize>) -> Vec<bool> {
    let mut next = vec![Vec::new(); n];
    let mut back = vec![Vec::new(); n];
    for &(from, to) in edges {
        if from != to {
            next[from].push(to);
            back[to].push(from);
        }
    }
    let component = components(&next);
    let root = root.unwrap_or(0);
    let starts: Vec<usize> = std::iter::once(root).chain(0..n).filter(|&v| v < n).collect();
    let turned = |place: Vec<usize>| -> (usize, Vec<bool>) {
        let turn = |&(from, to): &(usize, usize)| {
            component[from] == component[to] && place[from] > place[to]
        };
        let turned: Vec<bool> = edges.iter().map(turn).collect();
        (turned.iter().filter(|&&t| t).count(), turned)
    };
    let broad = turned(breadth_first(&next, &starts));
    let deep = turned(depth_first(&next, &starts));
    let (count, searched) = if broad.0 <= deep.0 { broad } else { deep };
    let greedy = turned(greedy(&next, &back, &component, root));
    if 2 * greedy.0 < count { greedy.1 } else { searched }
}

fn breadth_first(next: &[Vec<usize>], starts: &[usize]) -> Vec<usize> {
    let mut place = vec![usize::MAX; next.len()];
    let mut queue = Vec::new();
    for &start in starts {
        if place[start] != usize::MAX {
            continue;
        }
        let mut at = queue.len();
        place[start] = at;
        queue.push(start);
        while let Some(&v) = queue.get(at) {
            at += 1;
            for &w in &next[v] {
                if place[w] == usize::MAX {
                    place[w] = queue.len();
                    queue.push(w);
                }
            }
        }
    }
    place
}

/// Numbers by reverse postorder.
fn depth_first(next: &[Vec<usize>], starts: &[usize]) -> Vec<usize> {
    let n = next.len();
    let mut place = vec![0; n];
    let mut seen = vec![false; n];
    let mut left = n;
    for &start in starts {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut calls = vec![(start, 0)];
        while let Some((v, at)) = calls.pop() {
            match next[v].get(at) {
                Some(&w) => {
                    calls.push((v, at + 1));
                    if !seen[w] {
                        seen[w] = true;
                        calls.push((w, 0));
                    }
                }
                None => {
                    left -= 1;
                    place[v] = left;
                }
            }
        }
    }
    place
}

fn greedy(
    next: &[Vec<usize>],
    back: &[Vec<usize>],
    component: &[usize],
    root: usize,
) -> Vec<usize> {
    let n = next.len();
    let inside =
        |v: usize, list: &[usize]| list.iter().filter(|&&w| component[w] == component[v]).count();
    let mut out: Vec<usize> = (0..n).map(|v| inside(v, &next[v])).collect();
    let mut into: Vec<usize> = (0..n).map(|v| inside(v, &back[v])).collect();
    let mut place = vec![usize::MAX; n];
    let (mut first, mut last) = (0, n);
    for step in 0..n {
        let open = || (0..n).filter(|&v| place[v] == usize::MAX);
        let sink = if step == 0 { None } else { open().find(|&v| out[v] == 0) };
        let chosen = match sink {
            _ if step == 0 && root < n => root,
            Some(sink) => sink,
            None => {
                let best = open().find(|&v| into[v] == 0);
                let key = |v: &usize| (out[*v] as i64 - into[*v] as i64, std::cmp::Reverse(*v));
                match best.or_else(|| open().max_by_key(key)) {
                    Some(v) => v,
                    None => break,
                }
            }
        };
        if sink.is_some() {
            last -= 1;
            place[chosen] = last;
        } else {
            place[chosen] = first;
            first += 1;
        }
        for &w in next[chosen].iter().filter(|&&w| component[w] == component[chosen]) {
            into[w] = into[w].saturating_sub(1);
        }
        for &w in back[chosen].iter().filter(|&&w| component[w] == component[chosen]) {
            out[w] = out[w].saturating_sub(1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_along_the_edges() {
        let next = vec![vec![1], vec![2, 0], vec![3], vec![]];
        assert_eq!(components(&next), vec![0, 0, 1, 2]);
    }

    #[test]
    fn nothing_is_turned_in_graphs_without_cycles() {
        let edges = [(0, 1), (0, 2), (2, 1), (1, 3), (2, 3)];
        assert_eq!(reversed(4, &edges, Some(0)), vec![false; 5]);
    }

    #[test]
    fn a_cycle_is_cut_before_its_root() {
        let edges = [(0, 1), (1, 2), (2, 0), (0, 0)];
        assert_eq!(reversed(3, &edges, Some(0)), vec![false, false, true, false]);
    }
}
