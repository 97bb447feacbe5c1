//! Small automata as bit sets, made to be changed and compared quickly.

use crate::bits::bits_of;
use crate::letters::{Letters, Moves};
use crate::{Automaton, Edge, Marks};
use std::ops::Range;

/// An automaton of at most 64 states: for each state, class of letters and set of marks a bit set
/// of targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Explicit {
    targets: Vec<u64>,
    /// Marks of each state, if they are on states.
    on_state: Vec<Marks>,
    classes: usize,
    pub(super) initial: u32,
    pub(super) sets: u32,
    pub(super) state_based: bool,
}

impl Explicit {
    /// `None` if there are more than 64 states or four acceptance sets.
    pub(super) fn of(automaton: &Automaton, letters: &Letters) -> Option<Self> {
        // Trial needs a set to leave states unmarked.
        let sets = automaton.sets.max(1);
        let more = Marks::from(automaton.sets == 0);
        let count = automaton.states.len();
        if sets > 4 || count > 64 {
            return None;
        }
        let classes = letters.classes.len();
        let all = (1 << sets) - 1;
        let mut result = Self {
            targets: vec![0; (count * classes) << sets],
            on_state: Vec::with_capacity(count),
            classes,
            initial: automaton.initial,
            sets,
            state_based: automaton.state_based,
        };
        let moves = letters.moves(automaton);
        for state in 0..count {
            let mut on_state = all;
            for class in 0..classes {
                for &(target, marks) in moves.of(state as u32, class) {
                    let slot = result.slot(state, class, marks | more);
                    result.targets[slot] |= 1 << target;
                    on_state &= marks | more;
                }
            }
            result.on_state.push(on_state);
        }
        Some(result)
    }

    fn slot(&self, state: usize, class: usize, marks: Marks) -> usize {
        ((state * self.classes + class) << self.sets) + marks as usize
    }

    /// All slots of a state.
    fn row(&self, state: usize) -> Range<usize> {
        let width = self.classes << self.sets;
        state * width..(state + 1) * width
    }

    pub(super) fn automaton(&self, letters: &Letters, atoms: &[String]) -> Automaton {
        let mut states: Vec<Vec<Edge>> = Vec::with_capacity(self.len());
        for state in 0..self.len() {
            let mut edges = Vec::new();
            for (class, label) in letters.classes.iter().enumerate() {
                for marks in 0..=self.all() {
                    for target in bits_of(self.targets[self.slot(state, class, marks)]) {
                        edges.push(Edge { label: label.clone(), target, marks });
                    }
                }
            }
            states.push(edges);
        }
        let mut automaton = Automaton {
            states,
            initial: self.initial,
            sets: self.sets,
            atoms: atoms.to_vec(),
            names: Vec::new(),
            state_based: self.state_based,
        };
        automaton.merge_edges();
        automaton
    }

    /// The edges by state and class, as for determinisation.
    pub(super) fn moves(&self) -> Moves {
        let mut moves = Moves::new(self.classes);
        for state in 0..self.len() {
            for class in 0..self.classes {
                moves.add((0..=self.all()).flat_map(|marks| {
                    bits_of(self.targets[self.slot(state, class, marks)])
                        .map(move |target| (target, marks))
                }));
            }
        }
        moves
    }

    pub(super) fn len(&self) -> usize {
        self.on_state.len()
    }

    pub(super) fn all(&self) -> Marks {
        (1 << self.sets) - 1
    }

    pub(super) fn marks(&self, state: u32) -> Marks {
        self.on_state[state as usize]
    }

    /// The targets of the edges that leave a state under a class, by their marks.
    pub(super) fn targets(&self, state: usize, class: usize) -> &[u64] {
        let slot = self.slot(state, class, 0);
        &self.targets[slot..slot + (1 << self.sets)]
    }

    /// State `q` merged into `p`; the marks of both.
    pub(super) fn merged(&self, p: u32, q: u32) -> Self {
        let mut result = self.clone();
        let (to, from) = (self.row(p as usize), self.row(q as usize));
        for (to, from) in to.zip(from) {
            result.targets[to] |= result.targets[from];
            result.targets[from] = 0;
        }
        for set in &mut result.targets {
            *set = *set & !(1 << q) | (*set >> q & 1) << p;
        }
        if result.initial == q {
            result.initial = p;
        }
        if self.state_based { result.with_marks(p, self.marks(p) | self.marks(q)) } else { result }
    }

    /// A state with other marks on its edges.
    pub(super) fn with_marks(&self, state: u32, marks: Marks) -> Self {
        let mut result = self.clone();
        result.on_state[state as usize] = marks;
        for class in 0..self.classes {
            let mut all = 0;
            for old in 0..=self.all() {
                let slot = self.slot(state as usize, class, old);
                all |= std::mem::take(&mut result.targets[slot]);
            }
            result.targets[self.slot(state as usize, class, marks)] = all;
        }
        result
    }

    /// For each bundle of a state's edges and each mark that it lacks: that mark as a change.
    pub(super) fn lacking(&self, state: u32) -> Vec<(u32, u32, Marks, Marks)> {
        let mut list = Vec::new();
        let own = self.bundles().into_iter().filter(|bundle| bundle.0 == state);
        for (source, target, marks) in own {
            for set in (0..self.sets).filter(|set| marks >> set & 1 == 0) {
                list.push((source, target, marks, 1 << set));
            }
        }
        list
    }

    /// With a change from [`Self::lacking`].
    pub(super) fn with_mark(&self, change: (u32, u32, Marks, Marks)) -> Self {
        let (source, target, marks, more) = change;
        let mut result = self.clone();
        for class in 0..self.classes {
            for old in (0..=self.all()).filter(|old| old & marks == marks && old & more == 0) {
                let from = self.slot(source as usize, class, old);
                let moved = result.targets[from] & 1 << target;
                result.targets[from] &= !moved;
                result.targets[self.slot(source as usize, class, old | more)] |= moved;
            }
        }
        result
    }

    /// With edges between two states under some classes; less marked ones beside them go. `None` if
    /// it has such edges, or better marked ones.
    pub(super) fn with_edges(
        &self,
        source: u32,
        target: u32,
        classes: Range<usize>,
        marks: Marks,
    ) -> Option<Self> {
        let bit = 1 << target;
        let lacks = |&class: &usize| {
            let mut slots = self.targets(source as usize, class).iter().enumerate();
            !slots.any(|(on, set)| on as Marks & marks == marks && set & bit != 0)
        };
        let mut lacking = classes.filter(lacks).peekable();
        lacking.peek()?;
        let mut result = self.clone();
        for class in lacking {
            for on in (0..=self.all()).filter(|on| on & !marks == 0) {
                result.targets[self.slot(source as usize, class, on)] &= !bit;
            }
            result.targets[self.slot(source as usize, class, marks)] |= bit;
        }
        Some(result)
    }

    /// Without a state; the initial state is as given.
    pub(super) fn without(&self, state: u32, initial: u32) -> Self {
        let mut result = self.clone();
        result.initial = initial;
        let row = result.row(state as usize);
        result.targets[row].fill(0);
        for set in &mut result.targets {
            *set &= !(1 << state);
        }
        result
    }

    /// Source, target and marks of edges, each once.
    pub(super) fn bundles(&self) -> Vec<(u32, u32, Marks)> {
        let mut list = Vec::new();
        for state in 0..self.len() {
            for marks in 0..=self.all() {
                let classes = 0..self.classes;
                let union = classes
                    .fold(0, |set, class| set | self.targets[self.slot(state, class, marks)]);
                list.extend(bits_of(union).map(|target| (state as u32, target, marks)));
            }
        }
        list
    }

    /// Without the edges of a bundle, under some classes; `None` if there are none.
    pub(super) fn without_edges(
        &self,
        (source, target, marks): (u32, u32, Marks),
        classes: Range<usize>,
    ) -> Option<Self> {
        let slot = |class: usize| self.slot(source as usize, class, marks);
        let has = |&class: &usize| self.targets[slot(class)] >> target & 1 == 1;
        let mut having = classes.filter(has).peekable();
        having.peek()?;
        let mut result = self.clone();
        for class in having {
            result.targets[slot(class)] &= !(1 << target);
        }
        Some(result)
    }

    /// How many edges a state has under a class.
    pub(super) fn choices(&self, state: u32, class: usize) -> u32 {
        let slots = (0..=self.all()).map(|marks| self.slot(state as usize, class, marks));
        slots.map(|slot| self.targets[slot].count_ones()).sum()
    }
}
