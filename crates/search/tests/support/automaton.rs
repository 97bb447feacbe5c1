//! Random graphs with acceptance marks, and what is true of them by the plainest means.

use super::{Event, Graph};
use promenade_base::random::Random;
use promenade_search::Evidence;
use promenade_transition_system::{Marks, Selection, Successors, TransitionSystem, ViolationKind};

/// A graph whose events carry marks.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub graph: Graph,
    pub marks: Vec<Vec<Marks>>,
    pub all: Marks,
}

impl Automaton {
    pub fn random(seed: u64) -> Self {
        let mut graph = Graph::random(seed);
        let mut random = Random::new(seed ^ 0x5eed);
        // Half of the sets somewhere among the bits.
        let sets = [1, 1, 1, 2, 3, 5][random.below(6)];
        let bits: Vec<Marks> = (0..sets).map(|i| 1 << (i * 11 + random.below(9))).collect();
        let all = bits.iter().fold(0, |all, bit| all | bit);
        let rarity = 1 + random.below(8);
        let by_state = random.chance(1, 2);
        if random.chance(1, 3) {
            // Components one after the other: no way back but short ones.
            let size = graph.events.len() as u32;
            for (node, events) in graph.events.iter_mut().enumerate() {
                for event in events {
                    if let Event::Edge { to, .. } = event {
                        *to = (*to).max((node as u32).saturating_sub(*to % 3)).min(size - 1);
                    }
                }
            }
        }
        let mut draw = || -> Marks {
            // Bits that belong to no set change nothing.
            let noise = if random.chance(1, 5) { !all & random.next_u64() } else { 0 };
            bits.iter().fold(noise, |m, bit| if random.chance(1, rarity) { m | bit } else { m })
        };
        let marks = graph.events.iter().map(|events| {
            let of_state = draw();
            events.iter().map(|_| if by_state { of_state } else { draw() }).collect()
        });
        let marks = marks.collect();
        Self { graph, marks, all }
    }

    /// A graph given by its edges and their marks.
    pub fn new(nodes: usize, edges: &[(u32, u32, Marks)], all: Marks) -> Self {
        let mut graph = Graph {
            events: vec![Vec::new(); nodes],
            stuck: vec![false; nodes],
            initial: vec![Event::Edge { to: 0, moves: 0, atomic: 0 }],
            hidden: 1,
            expansions: 0,
        };
        let mut marks = vec![Vec::new(); nodes];
        for &(from, to, of_edge) in edges {
            graph.events[from as usize].push(Event::Edge { to, moves: 1, atomic: 0 });
            marks[from as usize].push(of_edge);
        }
        Self { graph, marks, all }
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = (usize, Marks)> + '_ {
        let events = self.graph.events[node].iter().zip(&self.marks[node]);
        events.filter_map(|(event, marks)| match event {
            Event::Edge { to, .. } => Some((*to as usize, *marks)),
            Event::Violation { .. } => None,
        })
    }

    /// What one or more steps lead to.
    fn reached(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.marks.len()];
        let mut rest = vec![from];
        while let Some(node) = rest.pop() {
            for (to, _) in self.edges(node) {
                if !std::mem::replace(&mut reached[to], true) {
                    rest.push(to);
                }
            }
        }
        reached
    }

    /// How many reachable strongly connected components carry all marks.
    pub fn accepting_components(&self) -> u64 {
        let starts = self.graph.initial.iter().any(|e| matches!(e, Event::Edge { .. }));
        let mut reachable = self.reached(0);
        reachable[0] = true;
        let ways: Vec<Vec<bool>> = (0..self.marks.len()).map(|n| self.reached(n)).collect();
        let mut seen = vec![false; self.marks.len()];
        let mut count = 0;
        for node in (0..self.marks.len()).filter(|n| starts && reachable[*n]) {
            if seen[node] || !ways[node][node] {
                continue;
            }
            let members: Vec<usize> =
                (0..self.marks.len()).filter(|m| ways[node][*m] && ways[*m][node]).collect();
            let mut inside = 0;
            for member in members {
                seen[member] = true;
                let edges = self.edges(member).filter(|(to, _)| ways[*to][node]);
                inside |= edges.fold(0, |marks, (_, of_edge)| marks | of_edge);
            }
            count += u64::from(inside & self.all == self.all);
        }
        count
    }

    /// Follows evidence of an infinite run step by step.
    pub fn validate(&self, evidence: &Evidence) {
        assert_eq!(evidence.violation.kind, ViolationKind::AcceptanceCycle);
        assert_eq!(evidence.depth, evidence.choices.len() as u64);
        let stem = evidence.stem.expect("an infinite run has a cycle");
        assert!(stem < evidence.choices.len(), "a cycle has a step");
        let mut system = self.clone();
        let mut out = Successors::new(false);
        system.initial(&mut out);
        let mut state = out.bytes.clone();
        let identity = |state: &[u8]| state[..state.len() - self.graph.hidden].to_vec();
        let (mut begin, mut carried) = (identity(&state), 0);
        for (at, choice) in evidence.choices.iter().enumerate() {
            if at == stem {
                (begin, carried) = (identity(&state), 0);
            }
            system.expand(&state, Selection::All, &mut out);
            state = out.target(*choice as usize).expect("a step").to_vec();
            carried |= out.marks_of(*choice as usize);
        }
        assert_eq!(identity(&state), begin, "{evidence:?}");
        assert_eq!(carried & self.all, self.all, "{evidence:?}");
    }
}

impl TransitionSystem for Automaton {
    fn hidden_bytes(&self) -> usize {
        self.graph.hidden
    }

    fn initial(&mut self, out: &mut Successors) {
        self.graph.initial(out);
    }

    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors) {
        self.graph.expand(state, selection, out);
        let node = u32::from_le_bytes(*state.first_chunk().unwrap()) as usize;
        out.marks.extend_from_slice(&self.marks[node]);
    }

    fn acceptance(&self) -> Marks {
        self.all
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}
