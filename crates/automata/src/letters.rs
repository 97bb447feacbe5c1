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
pub(crate) type Moves = Vec<Vec<Vec<(u32, Marks)>>>;

impl Letters {
    /// Most classes handled.
    pub(crate) const LIMIT: usize = 2048;
    /// Most work on labels.
    const WORK: usize = 2_000_000;

    /// The coarsest partition that fits the labels of some automata over the same propositions.
    pub(crate) fn of<'a>(
        automata: impl IntoIterator<Item = &'a Automaton>,
    ) -> Result<Self, TooLarge> {
        let mut labels: Vec<&Label> = automata
            .into_iter()
            .flat_map(|a| a.states.iter().flatten())
            .map(|e| &e.label)
            .collect();
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
            if classes.len() > Self::LIMIT {
                return Err(TooLarge::Steps);
            }
        }
        let samples = classes.iter().map(|class| class.some_letter().unwrap_or(0)).collect();
        Ok(Self { classes, samples })
    }

    /// The edges of an automaton by class; its labels must be unions of classes.
    pub(crate) fn moves(&self, automaton: &Automaton) -> Moves {
        let by_class = |edges: &Vec<crate::Edge>| {
            let moves = |&letter: &Letter| {
                let taken = edges.iter().filter(|edge| edge.label.contains(letter));
                taken.map(|edge| (edge.target, edge.marks)).collect()
            };
            self.samples.iter().map(moves).collect()
        };
        automaton.states.iter().map(by_class).collect()
    }
}
