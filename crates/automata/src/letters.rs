//! Letters grouped into classes that no label of some automata tells apart.

use crate::{Automaton, Label, Marks, TooLarge};
use promenade_ltl::Letter;

/// A partition of the letters.
#[derive(Clone, Debug)]
pub(crate) struct Letters {
    /// The classes, disjoint, together all letters.
    pub(crate) classes: Vec<Label>,
    /// A letter of each class.
    pub(crate) samples: Vec<Letter>,
}

/// Edges by state and class of letters: targets with marks.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    edges: Vec<(u32, Marks)>,
    /// Where the edges of each state under each class begin, and at last where all end.
    starts: Vec<u32>,
    /// Number of classes.
    pub(crate) classes: usize,
}

impl Moves {
    /// Of an automaton without states, for some number of classes.
    pub(crate) fn new(classes: usize) -> Self {
        Self { edges: Vec::new(), starts: vec![0], classes }
    }

    /// The edges under the next class: to be given state by state, class by class.
    pub(crate) fn add(&mut self, edges: impl IntoIterator<Item = (u32, Marks)>) {
        self.edges.extend(edges);
        self.starts.push(self.edges.len() as u32);
    }

    /// Number of states.
    pub(crate) fn states(&self) -> usize {
        (self.starts.len() - 1).checked_div(self.classes).unwrap_or(0)
    }

    /// Edges that leave a state under a class.
    pub(crate) fn of(&self, state: u32, class: usize) -> &[(u32, Marks)] {
        let slot = state as usize * self.classes + class;
        &self.edges[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// By state and class: the first class under which the state has the same edges.
    pub(crate) fn alike(&self) -> Vec<Vec<u32>> {
        let first = |state: u32, class: usize| {
            let same = |&other: &usize| self.of(state, other) == self.of(state, class);
            (0..class).find(same).unwrap_or(class) as u32
        };
        let row = |state| (0..self.classes).map(|class| first(state, class)).collect();
        (0..self.states() as u32).map(row).collect()
    }

    /// All edges that leave a state.
    pub(crate) fn row(&self, state: u32) -> &[(u32, Marks)] {
        let slot = state as usize * self.classes;
        &self.edges[self.starts[slot] as usize..self.starts[slot + self.classes] as usize]
    }
}

impl Letters {
    /// Most classes handled.
    pub(crate) const LIMIT: usize = 2048;
    /// Most work on labels.
    const WORK: usize = 2_000_000;
    /// Most pairs of an edge and a class.
    const LOOKED_UP: usize = 4_000_000;

    /// The coarsest partition that fits the labels of some automata over the same propositions.
    pub(crate) fn of<'a>(
        automata: impl IntoIterator<Item = &'a Automaton>,
    ) -> Result<Self, TooLarge> {
        let mut labels: Vec<&Label> = automata
            .into_iter()
            .flat_map(|a| a.states.iter().flatten())
            .map(|e| &e.label)
            .collect();
        let edges = labels.len();
        labels.sort_unstable();
        labels.dedup();
        let mut classes = vec![Label::all()];
        let mut work = 0usize;
        for label in labels {
            let heaviest = classes.iter().map(Label::weight).max().unwrap_or(1);
            work = work.saturating_add(classes.len() * (label.weight().max(heaviest)) as usize);
            if work > Self::WORK {
                return Err(TooLarge::Steps);
            }
            let mut split = Vec::with_capacity(classes.len() + 1);
            for class in classes {
                let inside = class.and(label);
                let outside = class.minus(label);
                split.extend([inside, outside].into_iter().filter(|part| !part.is_empty()));
            }
            classes = split;
            if classes.len() > Self::LIMIT || classes.len() * edges > Self::LOOKED_UP {
                return Err(TooLarge::Steps);
            }
        }
        let samples = classes.iter().map(|class| class.some_letter().unwrap_or(0)).collect();
        Ok(Self { classes, samples })
    }

    /// The edges of an automaton by class; its labels must be unions of classes.
    pub(crate) fn moves(&self, automaton: &Automaton) -> Moves {
        let mut moves = Moves::new(self.classes.len());
        for edges in &automaton.states {
            for &letter in &self.samples {
                let taken = edges.iter().filter(|edge| edge.label.contains(letter));
                moves.add(taken.map(|edge| (edge.target, edge.marks)));
            }
        }
        moves
    }
}
