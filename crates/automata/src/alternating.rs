//! Very weak alternating automata, and the way from them to automata with acceptance sets.
//!
//! P. Gastin and D. Oddoux, Fast LTL to Buchi automata translation, 2001. The states of the
//! alternating automaton are parts of the formula; it is linear in the formula. An edge leads to a
//! set of states at once: each of them has to be satisfied by what follows. The only cycles are loops
//! of one state, and a state of an until may not be looped for ever. The sets of states that are
//! there at once are the states of the automaton with acceptance sets, one set for each until.

use crate::fuel::Fuel;
use crate::map::Map;
use crate::{Automaton, Edge, Label, Marks, Options, TooLarge};
use promenade_base::arrange::Arrange;
use promenade_ltl::{Formula, Formulas, Node};

/// States in increasing order, none twice.
pub type Set = Vec<u32>;

/// An edge: under the letters of the label to all targets at once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// Letters under which it can be taken.
    pub label: Label,
    /// States that all go on; with none, whatever follows is accepted.
    pub targets: Set,
}

/// A very weak alternating automaton with co-Buchi acceptance: a run is a tree, and on none of its
/// branches a rejecting state is looped for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternating {
    /// Edges that leave each state.
    pub states: Vec<Vec<Branch>>,
    /// The part of the formula that each state stands for.
    pub formulas: Vec<Formula>,
    /// States that must be left at some time: those of an until.
    pub rejecting: Vec<bool>,
    /// The sets of states in which a run can begin.
    pub initial: Vec<Set>,
    /// Number of propositions.
    pub atoms: u32,
}

/// The alternating automaton of a formula.
///
/// # Errors
/// It would have more edges than the options allow steps.
pub fn alternating(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<Alternating, TooLarge> {
    let formula = table.negation_normal_form(formula);
    let atoms = 64 - table.atoms(formula).leading_zeros();
    let mut builder =
        Builder { table, numbers: Map::default(), list: Vec::new(), fuel: Fuel::of(options) };
    let initial = builder.sets(formula)?;
    let mut states = Vec::new();
    // Expanding a state may find others.
    while let Some(&state) = builder.list.get(states.len()) {
        let branches = builder.expand(state)?;
        states.push(branches);
    }
    let rejecting = |f: &Formula| {
        matches!(
            builder.table.node(*f),
            Node::Until(..) | Node::Eventually(_) | Node::StrongRelease(..)
        )
    };
    let rejecting = builder.list.iter().map(rejecting).collect();
    Ok(Alternating { states, rejecting, initial, atoms, formulas: builder.list })
}

struct Builder<'a, 'o> {
    table: &'a mut Formulas,
    numbers: Map<Formula, u32>,
    list: Vec<Formula>,
    fuel: Fuel<'o>,
}

impl Builder<'_, '_> {
    fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.fuel.spend(steps)
    }

    fn state(&mut self, formula: Formula) -> u32 {
        let next = self.list.len() as u32;
        *self.numbers.entry(formula).or_insert_with(|| {
            self.list.push(formula);
            next
        })
    }

    /// The formula as alternatives of sets of states: conjunctions and disjunctions are none.
    fn sets(&mut self, formula: Formula) -> Result<Vec<Set>, TooLarge> {
        let sets = match self.table.node(formula).clone() {
            Node::True => vec![Vec::new()],
            Node::False => Vec::new(),
            Node::And(list) => {
                let mut product = vec![Vec::new()];
                for f in list {
                    let more = self.sets(f)?;
                    self.spend(product.len() * more.len())?;
                    let with = |a: &Set| more.iter().map(|b| union(a, b)).collect::<Vec<_>>();
                    product = product.iter().flat_map(with).collect();
                    least(&mut product);
                }
                product
            }
            Node::Or(list) => {
                let mut sum = Vec::new();
                for f in list {
                    sum.extend(self.sets(f)?);
                }
                self.spend(sum.len())?;
                sum
            }
            _ => vec![vec![self.state(formula)]],
        };
        let mut sets = sets;
        least(&mut sets);
        Ok(sets)
    }

    /// The edges of a formula, by the laws of expansion.
    fn expand(&mut self, formula: Formula) -> Result<Vec<Branch>, TooLarge> {
        let mut branches = match self.table.node(formula).clone() {
            Node::True => vec![Branch { label: Label::all(), targets: Vec::new() }],
            Node::False => Vec::new(),
            Node::Atom(number) => {
                vec![Branch { label: Label::atom(number), targets: Vec::new() }]
            }
            Node::Not(f) => match self.table.node(f) {
                Node::Atom(number) => {
                    vec![Branch { label: Label::atom(*number).not(), targets: Vec::new() }]
                }
                _ => Vec::new(),
            },
            Node::And(list) => {
                let mut product = self.now();
                for f in list {
                    let more = self.expand(f)?;
                    product = self.both(&product, &more)?;
                }
                product
            }
            Node::Or(list) => {
                let mut sum = Vec::new();
                for f in list {
                    sum.extend(self.expand(f)?);
                }
                sum
            }
            Node::Next(f) => {
                let sets = self.sets(f)?;
                let branch = |targets| Branch { label: Label::all(), targets };
                sets.into_iter().map(branch).collect()
            }
            Node::Eventually(f) => {
                let mut sum = self.expand(f)?;
                sum.extend(self.again(formula));
                sum
            }
            Node::Always(f) => {
                let (now, again) = (self.expand(f)?, self.again(formula));
                self.both(&now, &again)?
            }
            Node::Until(f, g) | Node::WeakUntil(f, g) => {
                let (holds, again) = (self.expand(f)?, self.again(formula));
                let mut sum = self.expand(g)?;
                sum.extend(self.both(&holds, &again)?);
                sum
            }
            Node::Release(f, g) | Node::StrongRelease(f, g) => {
                let mut sum = self.expand(f)?;
                sum.extend(self.again(formula));
                let holds = self.expand(g)?;
                self.both(&holds, &sum)?
            }
            // A normal form has neither.
            Node::Implies(..) | Node::Equivalent(..) => Vec::new(),
        };
        self.spend(branches.len())?;
        self.reduce(&mut branches)?;
        Ok(branches)
    }

    fn now(&self) -> Vec<Branch> {
        vec![Branch { label: Label::all(), targets: Vec::new() }]
    }

    /// The loop of a state.
    fn again(&mut self, formula: Formula) -> Vec<Branch> {
        vec![Branch { label: Label::all(), targets: vec![self.state(formula)] }]
    }

    fn both(&mut self, a: &[Branch], b: &[Branch]) -> Result<Vec<Branch>, TooLarge> {
        self.spend(a.len() * b.len())?;
        let mut product = Vec::new();
        for one in a {
            for other in b {
                self.spend(one.label.work_with(&other.label))?;
                let label = one.label.and(&other.label);
                if !label.is_empty() {
                    let targets = union(&one.targets, &other.targets);
                    product.push(Branch { label, targets });
                }
            }
        }
        self.reduce(&mut product)?;
        Ok(product)
    }

    /// Joins edges with equal targets; drops those that another one makes superfluous.
    fn reduce(&mut self, branches: &mut Vec<Branch>) -> Result<(), TooLarge> {
        let heaviest = branches.iter().map(|it| it.label.work_with(&it.label)).max().unwrap_or(1);
        self.spend((branches.len() * branches.len() / 16).saturating_mul(heaviest))?;
        join(branches);
        let implied = |a: &Branch, b: &Branch| {
            a != b && a.label.implies(&b.label) && is_subset(&b.targets, &a.targets)
        };
        let all = branches.clone();
        branches.retain(|branch| !all.iter().any(|other| implied(branch, other)));
        Ok(())
    }
}

/// Joins edges with equal targets, in the order of their first places.
fn join(branches: &mut Vec<Branch>) {
    let mut places: Map<Set, usize> = Map::default();
    let mut joined: Vec<Branch> = Vec::new();
    for branch in branches.drain(..).filter(|branch| !branch.label.is_empty()) {
        match places.get(&branch.targets) {
            Some(&at) => joined[at].label = joined[at].label.or(&branch.label),
            None => {
                places.insert(branch.targets.clone(), joined.len());
                joined.push(branch);
            }
        }
    }
    *branches = joined;
}

fn union(a: &[u32], b: &[u32]) -> Set {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_subset(a: &[u32], b: &[u32]) -> bool {
    a.iter().all(|state| b.binary_search(state).is_ok())
}

/// Drops sets that contain another one.
fn least(sets: &mut Vec<Set>) {
    sets.arrange_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets.dedup();
    let all = std::mem::take(sets);
    for set in all {
        if !sets.iter().any(|kept| is_subset(kept, &set)) {
            sets.push(set);
        }
    }
}

impl Alternating {
    /// The automaton with an acceptance set for each until, with the set of states that each of its
    /// states stands for; the initial one has none if a run can begin in several ways.
    ///
    /// # Errors
    /// It would have more states, or take more steps, than the options allow, or more than 64 sets.
    pub fn generalised(
        &self,
        options: &Options,
    ) -> Result<(Automaton, Vec<Option<Set>>), TooLarge> {
        let untils: Vec<u32> = (0..self.states.len() as u32)
            .filter(|&state| self.rejecting[state as usize])
            .filter(|&state| self.loops(state))
            .collect();
        if untils.len() > 64 {
            return Err(TooLarge::Sets);
        }
        let atoms = (0..self.atoms).map(|number| format!("p{number}")).collect();
        let mut work = Work { fuel: Fuel::of(options), numbers: Map::default(), sets: Vec::new() };
        let begins: Vec<u32> = self.initial.iter().map(|set| work.number(set)).collect();
        let mut states: Vec<Vec<Edge>> = Vec::new();
        while let Some(set) = work.sets.get(states.len()).cloned() {
            if work.sets.len() > options.states {
                return Err(TooLarge::States);
            }
            let moves = self.moves(&set, &mut work)?;
            let edges = self.edges(moves, &untils, &mut work)?;
            states.push(edges);
        }
        let mut meanings: Vec<Option<Set>> = work.sets.into_iter().map(Some).collect();
        let initial = match begins.as_slice() {
            [] => return Ok((Automaton::nothing(atoms), vec![None])),
            [only] => *only,
            several => {
                let edges = several.iter().flat_map(|&state| &states[state as usize]).cloned();
                let edges = edges.collect();
                states.push(edges);
                meanings.push(None);
                states.len() as u32 - 1
            }
        };
        let mut automaton = Automaton {
            states,
            initial,
            sets: untils.len() as u32,
            atoms,
            names: Vec::new(),
            state_based: false,
        };
        automaton.merge_edges();
        merge_equal(&mut automaton);
        let old = automaton.restrict(&|_| true);
        let meanings = old.iter().map(|&state| meanings[state as usize].clone()).collect();
        Ok((automaton, meanings))
    }

    /// Whether a state can be looped: others need no acceptance set.
    fn loops(&self, state: u32) -> bool {
        self.states[state as usize].iter().any(|branch| branch.targets.contains(&state))
    }

    /// All choices of one edge for each state of a set, joined.
    fn moves(&self, set: &[u32], work: &mut Work<'_>) -> Result<Vec<Branch>, TooLarge> {
        let mut product = vec![Branch { label: Label::all(), targets: Vec::new() }];
        for &state in set {
            let branches = &self.states[state as usize];
            work.spend(product.len() * branches.len())?;
            let mut next = Vec::new();
            for one in &product {
                for other in branches {
                    work.spend(one.label.work_with(&other.label))?;
                    let label = one.label.and(&other.label);
                    if !label.is_empty() {
                        next.push(Branch { label, targets: union(&one.targets, &other.targets) });
                    }
                }
            }
            join(&mut next);
            product = next;
        }
        Ok(product)
    }

    /// Edges with their marks: in the set of an until are those after which it is gone, and those
    /// which it could have left, too.
    fn edges(
        &self,
        moves: Vec<Branch>,
        untils: &[u32],
        work: &mut Work<'_>,
    ) -> Result<Vec<Edge>, TooLarge> {
        let mut list: Vec<(Branch, Marks)> = Vec::new();
        for branch in moves {
            // Where the label is not all within an edge that leaves, the letters are told apart.
            let mut pieces = vec![(branch.label, 0)];
            for (number, until) in untils.iter().enumerate() {
                let mark = 1 << number;
                if branch.targets.binary_search(until).is_err() {
                    pieces.iter_mut().for_each(|piece| piece.1 |= mark);
                    continue;
                }
                let leaves = self.states[*until as usize].iter().filter(|other| {
                    !other.targets.contains(until) && is_subset(&other.targets, &branch.targets)
                });
                let leaves = leaves.fold(Label::none(), |sum, other| sum.or(&other.label));
                for piece in &pieces {
                    work.spend(piece.0.work_with(&leaves))?;
                }
                let split = |(label, marks): (Label, Marks)| {
                    [(label.and(&leaves), marks | mark), (label.minus(&leaves), marks)]
                };
                pieces = pieces.into_iter().flat_map(split).collect();
                pieces.retain(|piece| !piece.0.is_empty());
            }
            for (label, marks) in pieces {
                list.push((Branch { label, targets: branch.targets.clone() }, marks));
            }
        }
        // An edge is superfluous if another one has its letters and marks, and less to satisfy.
        work.spend(list.len() * list.len() / 16)?;
        let implied = |a: &(Branch, Marks), b: &(Branch, Marks)| {
            a != b
                && a.1 & !b.1 == 0
                && is_subset(&b.0.targets, &a.0.targets)
                && a.0.label.implies(&b.0.label)
        };
        let kept = list.iter().filter(|edge| !list.iter().any(|other| implied(edge, other)));
        let edge = |(branch, marks): &(Branch, Marks)| Edge {
            label: branch.label.clone(),
            target: work.number(&branch.targets),
            marks: *marks,
        };
        Ok(kept.map(edge).collect())
    }
}

/// Leads edges past states that have the same edges as an earlier one.
fn merge_equal(automaton: &mut Automaton) {
    loop {
        let mut first: Map<Vec<(Label, u32, Marks)>, u32> = Map::default();
        let mut same: Vec<u32> = Vec::with_capacity(automaton.states.len());
        for (state, edges) in automaton.states.iter().enumerate() {
            let key = edges.iter().map(|edge| (edge.label.clone(), edge.target, edge.marks));
            same.push(*first.entry(key.collect()).or_insert(state as u32));
        }
        if first.len() == automaton.states.len()
            || automaton.states.iter().flatten().all(|it| same[it.target as usize] == it.target)
        {
            automaton.initial = same[automaton.initial as usize];
            return;
        }
        for edge in automaton.states.iter_mut().flatten() {
            edge.target = same[edge.target as usize];
        }
        automaton.merge_edges();
    }
}

struct Work<'o> {
    fuel: Fuel<'o>,
    numbers: Map<Set, u32>,
    sets: Vec<Set>,
}

impl Work<'_> {
    fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.fuel.spend(steps)
    }

    fn number(&mut self, set: &Set) -> u32 {
        let next = self.sets.len() as u32;
        *self.numbers.entry(set.clone()).or_insert_with(|| {
            self.sets.push(set.clone());
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, accepts, intersection, is_empty, testing, translate};
    use promenade_base::random::Random;

    fn built(text: &str) -> (Alternating, Automaton) {
        let mut table = Formulas::new();
        let parsed = promenade_ltl::parse(text, promenade_ltl::Reading::Blocks).value;
        let formula = parsed.formula(&mut table).expect("a formula");
        let options = Options::default();
        let alternating = alternating(&mut table, formula, &options).expect("small");
        let (automaton, _) = alternating.generalised(&options).expect("small");
        (alternating, automaton)
    }

    #[test]
    fn the_paper_s_example() {
        // One state each for the formula, for <> and for [] <>.
        let (alternating, automaton) = built("!([]<>p -> [](q -> <>r))");
        assert!(alternating.states.len() <= 5, "{alternating:?}");
        assert_eq!(alternating.rejecting.iter().filter(|&&it| it).count(), 2);
        assert!(automaton.states.len() <= 3 && automaton.sets == 2, "{automaton:?}");
        let (alternating, automaton) = built("false");
        assert!(alternating.initial.is_empty() && is_empty(&automaton));
        let (alternating, automaton) = built("true");
        assert_eq!(alternating.initial, vec![Vec::<u32>::new()]);
        assert!(!is_empty(&automaton));
    }

    /// Very weak: edges lead to the state itself or to parts of its formula.
    #[test]
    fn only_loops_of_one_state() {
        let mut random = Random::new(53);
        for round in 0..500 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 1 + round % 9, 3);
            let Ok(built) = alternating(&mut table, formula, &Options::default()) else { continue };
            for (state, branches) in built.states.iter().enumerate() {
                let parts = table.subformulas(built.formulas[state]);
                for target in branches.iter().flat_map(|branch| &branch.targets) {
                    assert!(parts.contains(&built.formulas[*target as usize]));
                }
            }
        }
    }

    /// The language is that of the other translation, by words and by products with the negation.
    #[test]
    fn same_language_as_the_tableau() {
        let mut random = Random::new(59);
        for round in 0..600 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 1 + round % 8, 3);
            let text = testing::show(&table, formula);
            let options = Options { states: 2_000, ..Options::default() };
            let Ok(built) = alternating(&mut table, formula, &options) else { continue };
            let Ok((automaton, meanings)) = built.generalised(&options) else { continue };
            assert_eq!(meanings.len(), automaton.states.len(), "{text}");
            for _ in 0..20 {
                let word = testing::word(&mut random, 3);
                let holds = word.satisfies(&table, formula);
                assert_eq!(accepts(&automaton, &word), holds, "{text} {word:?}");
            }
            let not = table.not(formula);
            let other = Options { method: Method::Alternating, ..options };
            let negations =
                [translate(&mut table, not, &options), translate(&mut table, not, &other)];
            for negation in negations.into_iter().flatten() {
                let both = intersection(&automaton, &negation, 1 << 18);
                assert!(both.is_ok_and(|both| is_empty(&both)), "{text}");
            }
            let Ok(known) = translate(&mut table, formula, &options) else { continue };
            let Ok(negation) = translate(&mut table, not, &other) else { continue };
            let both = intersection(&known, &negation, 1 << 18);
            assert!(both.is_ok_and(|both| is_empty(&both)), "{text}");
        }
    }

    #[test]
    fn bounds_are_kept() {
        let mut table = Formulas::new();
        let mut parts = Vec::new();
        for i in 0..30 {
            let atom = table.atom(i);
            let f = table.eventually(atom);
            parts.push(table.always(f));
        }
        let formula = table.and(parts);
        let built = alternating(&mut table, formula, &Options::default()).expect("linear");
        assert_eq!(built.states.len(), 60);
        assert!(built.generalised(&Options::default()).is_err());
    }
}
