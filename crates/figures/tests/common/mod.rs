//! Automata and random graphs for the tests.
#![allow(dead_code)]

use promenade_figures::{Graph, GraphEdge, GraphNode, Shape};
use promenade_protocol::{AutomatonData, AutomatonEdge, AutomatonState, ComponentKind};

/// An automaton from `(from, to, label, marks)` and its accepting states.
pub fn automaton(
    formula: &str,
    components: &[(u32, ComponentKind)],
    accepting: &[u32],
    sets: u32,
    edges: &[(u32, u32, &str, &[u32])],
) -> AutomatonData {
    let count = components.iter().map(|c| c.0 + 1).max().unwrap_or(0);
    let mut kinds = vec![ComponentKind::Trivial; count as usize];
    for &(number, kind) in components {
        kinds[number as usize] = kind;
    }
    let state = |(i, c): (usize, &(u32, ComponentKind))| AutomatonState {
        meaning: String::new(),
        accepting: accepting.contains(&(i as u32)),
        component: c.0,
        ..AutomatonState::default()
    };
    let edge = |&(from, to, label, marks): &(u32, u32, &str, &[u32])| AutomatonEdge {
        from,
        to,
        label: label.to_string(),
        marks: marks.to_vec(),
    };
    AutomatonData {
        formula: formula.to_string(),
        states: components.iter().enumerate().map(state).collect(),
        edges: edges.iter().map(edge).collect(),
        initial: Some(0),
        sets,
        state_based: !accepting.is_empty(),
        deterministic: false,
        components: kinds,
        ..AutomatonData::default()
    }
}

/// `[]<>p && []<>q` with one state and marks on edges.
pub fn two_fairness() -> AutomatonData {
    automaton(
        "[]<>p && []<>q",
        &[(0, ComponentKind::Accepting)],
        &[],
        2,
        &[
            (0, 0, "p && q", &[0, 1]),
            (0, 0, "p && !q", &[0]),
            (0, 0, "!p && q", &[1]),
            (0, 0, "!p && !q", &[]),
        ],
    )
}

/// `[](request -> <>granted)` with accepting states.
pub fn response() -> AutomatonData {
    automaton(
        "[](request -> <>granted)",
        &[(0, ComponentKind::Accepting); 2],
        &[0],
        1,
        &[
            (0, 0, "!request || granted", &[]),
            (0, 1, "request && !granted", &[]),
            (1, 1, "!granted", &[]),
            (1, 0, "granted", &[]),
        ],
    )
}

/// A larger one: a choice between persistence and recurrence, with components of every kind.
pub fn reactive() -> AutomatonData {
    use ComponentKind::*;
    let components = [
        (0, Trivial),
        (1, Rejecting),
        (2, Weak),
        (3, Accepting),
        (3, Accepting),
        (3, Accepting),
        (4, Terminal),
    ];
    automaton(
        "p -> (<>[]q || []<>(r && X s))",
        &components,
        &[],
        2,
        &[
            (0, 6, "!p", &[]),
            (0, 1, "p", &[]),
            (0, 3, "p && !r", &[]),
            (0, 4, "p && r", &[]),
            (1, 1, "true", &[]),
            (1, 2, "q", &[]),
            (2, 2, "q", &[0, 1]),
            (3, 3, "!r", &[1]),
            (3, 4, "r", &[]),
            (4, 3, "!r && s", &[0]),
            (4, 4, "r && s", &[0, 1]),
            (4, 5, "!s && (long_name_of_something || other)", &[]),
            (5, 3, "!r", &[]),
            (5, 4, "r && !s", &[1]),
            (5, 4, "r && s", &[1]),
            (6, 6, "", &[0, 1]),
        ],
    )
}

/// A random generator that needs no crate (SplitMix64 of Steele, Lea and Flood).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

const WORDS: [&str; 8] =
    ["p", "!q", "p && q", "", "true", "request && !granted", "a U b", "x[3] == 17 && done"];

/// A random graph with labels, marks, loops, parallel edges and all shapes.
pub fn random_graph(seed: u64, nodes: usize, edges: usize) -> Graph {
    let mut random = Random(seed);
    let shape = [Shape::Circle, Shape::DoubleCircle, Shape::Box];
    let node = |i: usize, random: &mut Random| GraphNode {
        lines: if random.below(4) == 0 {
            vec![format!("state {i}"), "x = 1".into()]
        } else {
            vec![i.to_string()]
        },
        shape: shape[random.below(3)],
        ..GraphNode::default()
    };
    let all = (0..nodes).map(|i| node(i, &mut random)).collect();
    let edge = |random: &mut Random| {
        let from = random.below(nodes);
        let to = if random.below(6) == 0 { from } else { random.below(nodes) };
        let lines = (0..random.below(3)).map(|_| WORDS[random.below(8)].to_string()).collect();
        let marks = (0..random.below(4)).map(|_| random.below(9) as u32).collect();
        GraphEdge { from, to, lines, marks, ..GraphEdge::default() }
    };
    let edges =
        if nodes == 0 { Vec::new() } else { (0..edges).map(|_| edge(&mut random)).collect() };
    let initial = (nodes > 0 && random.below(5) > 0).then(|| random.below(nodes));
    Graph { nodes: all, edges, initial, groups: Vec::new() }
}
