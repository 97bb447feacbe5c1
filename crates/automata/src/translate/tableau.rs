//! Couvreur's construction on explicit sums of products.
//!
//! A state is a set of obligations, formulas that the rest of the word has to satisfy. To expand it,
//! each obligation is unrolled by one step, `f U g = g || (f && X (f U g))`, into a sum of products
//! of a set of letters, obligations for the next step, and promises: untils put off. An edge has the
//! mark of each until that it does not put off. (J.-M. Couvreur, On-the-fly verification of linear
//! temporal logic, 1999.)

use super::{Method, Options};
use crate::fuel::Fuel;
use crate::map::Map;
use crate::{Automaton, Edge, Label, Marks, TooLarge};
use promenade_ltl::{Formula, Formulas, Node};
use std::collections::BTreeMap;

/// Obligations, sorted.
type Set = Vec<Formula>;

/// An alternative for one step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Product {
    label: Label,
    next: Set,
    /// A bit for each obligation, some of which share one: where it lacks a bit of another product's,
    /// it lacks an obligation of that one.
    sketch: u64,
    promises: Marks,
}

impl Product {
    fn new(label: Label, next: Set, promises: Marks) -> Self {
        let sketch = next.iter().fold(0, |sketch, f| sketch | 1 << (f.index() % 64));
        Self { label, next, sketch, promises }
    }

    /// Bytes, about.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.next.len() * size_of::<Formula>() + bytes(&self.label)
    }
}

/// Bytes of a label, about, beside the value itself. Shared branches are counted each time.
fn bytes(label: &Label) -> usize {
    match label.weight() {
        1 => 0,
        weight => weight as usize * 64,
    }
}

/// Bytes of an edge, with what is made of it later on, for each part of its label.
const EDGE: usize = 512;

struct Tableau<'a, 'o> {
    table: &'a Formulas,
    /// The promise that each until makes, by what it promises.
    promise: Map<Formula, u32>,
    /// Sums of products of formulas expanded before.
    known: Map<Formula, Vec<Product>>,
    fuel: Fuel<'o>,
}

pub(super) fn build(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<(Automaton, Vec<Formula>), TooLarge> {
    let mut promise = Map::default();
    for part in table.subformulas(formula) {
        let promised = match table.node(part) {
            Node::Eventually(g) | Node::Until(_, g) => *g,
            // `g M f` promises that `g` holds at some time, with `f` up to then.
            Node::StrongRelease(g, _) => *g,
            _ => continue,
        };
        let number = promise.len() as u32;
        promise.entry(promised).or_insert(number);
    }
    if promise.len() > 64 {
        return Err(TooLarge::Sets);
    }
    let sets = promise.len() as u32;
    let atoms = 64 - table.atoms(formula).leading_zeros();
    let mut tableau = Tableau { table, promise, known: Map::default(), fuel: Fuel::of(options) };
    let (states, meaning) = tableau.explore(formula, options)?;
    let automaton = Automaton {
        initial: 0,
        states,
        sets,
        atoms: (0..atoms).map(|i| format!("p{i}")).collect(),
        names: Vec::new(),
        state_based: false,
    };
    let meaning = meaning
        .into_iter()
        .map(|state| {
            let sets: Vec<_> = state.into_iter().map(|set| table.and(set)).collect();
            table.or(sets)
        })
        .collect();
    Ok((automaton, meaning))
}

impl Tableau<'_, '_> {
    fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.fuel.spend(steps)
    }

    /// The edges of each state that can be reached, and the states: disjunctions of sets.
    #[allow(clippy::type_complexity)]
    fn explore(
        &mut self,
        formula: Formula,
        options: &Options,
    ) -> Result<(Vec<Vec<Edge>>, Vec<Vec<Set>>), TooLarge> {
        let all = if self.promise.len() >= 64 { Marks::MAX } else { (1 << self.promise.len()) - 1 };
        let start = vec![self.conjuncts(formula)];
        let mut numbers: Map<Vec<Set>, u32> = Map::from_iter([(start.clone(), 0)]);
        // States with equal sums of products are one state.
        let mut by_sum: Map<Vec<Product>, u32> = Map::default();
        let mut meaning: Vec<Vec<Set>> = Vec::new();
        let mut states: Vec<Vec<Edge>> = Vec::new();
        let mut expanded: Vec<Option<Vec<Product>>> = Vec::new();
        // Numbers are given when a set is first met; `queue` holds sets not yet expanded.
        let mut queue = std::collections::VecDeque::from([start]);
        let mut targets: Vec<Vec<(Label, Vec<Set>, Marks)>> = Vec::new();
        let mut same: Vec<u32> = vec![0];
        while let Some(state) = queue.pop_front() {
            let mut sum = Vec::new();
            for set in &state {
                sum.extend(self.expand_set(set)?);
            }
            self.reduce(&mut sum)?;
            self.separate(&mut sum)?;
            let number = numbers[&state] as usize;
            if let Some(&twin) = by_sum.get(&sum) {
                same[number] = twin;
                continue;
            }
            let own = states.len() as u32;
            same[number] = own;
            by_sum.insert(sum.clone(), own);
            states.push(Vec::new());
            meaning.push(state);
            if states.len() > options.states {
                return Err(TooLarge::States);
            }
            let edges: Vec<(Label, Vec<Set>, Marks)> = match options.method {
                Method::Couvreur | Method::Nodes | Method::Alternating => sum
                    .iter()
                    .map(|p| (p.label.clone(), vec![p.next.clone()], all & !p.promises))
                    .collect(),
                Method::Postponing => self.postpone(&sum, all)?,
            };
            let kept: usize = sum.iter().map(Product::bytes).sum();
            let sets = edges.iter().flat_map(|(_, target, _)| target);
            let obligations: usize = sets.map(|set| size_of::<Set>() + 4 * set.len()).sum();
            let weight: usize = edges.iter().map(|(label, ..)| label.weight() as usize).sum();
            self.fuel.keep(2 * kept + 2 * obligations + weight.saturating_mul(EDGE))?;
            for (_, target, _) in &edges {
                let fresh = numbers.len() as u32;
                numbers.entry(target.clone()).or_insert_with(|| {
                    queue.push_back(target.clone());
                    same.push(u32::MAX);
                    fresh
                });
            }
            expanded.push(Some(sum));
            targets.push(edges);
        }
        for (own, edges) in targets.into_iter().enumerate() {
            let mut merged: BTreeMap<(u32, Marks), Label> = BTreeMap::new();
            for (label, target, marks) in edges {
                let target = same[numbers[&target] as usize];
                let entry = merged.entry((target, marks)).or_default();
                *entry = entry.or(&label);
            }
            states[own] = merged
                .into_iter()
                .map(|((target, marks), label)| Edge { label, target, marks })
                .collect();
        }
        Ok((states, meaning))
    }

    /// Letters taken from alternatives that ask for more than another one on them.
    fn separate(&mut self, sum: &mut Vec<Product>) -> Result<(), TooLarge> {
        self.spend(sum.len() * sum.len())?;
        for i in 0..sum.len() {
            for j in 0..sum.len() {
                let strictly = sum[i].next != sum[j].next || sum[i].promises != sum[j].promises;
                if i != j && strictly && weaker(&sum[j], &sum[i]) {
                    self.spend(sum[i].label.work_with(&sum[j].label))?;
                    sum[i].label = sum[i].label.minus(&sum[j].label);
                }
            }
        }
        sum.retain(|p| !p.label.is_empty());
        Ok(())
    }

    /// Products with equal promises joined, letter by letter, into disjunctions. Sound by Konig's
    /// lemma: each set in a target comes from a set in the source by a product with those promises.
    fn postpone(
        &mut self,
        sum: &[Product],
        all: Marks,
    ) -> Result<Vec<(Label, Vec<Set>, Marks)>, TooLarge> {
        let mut groups: BTreeMap<Marks, Vec<(Label, Vec<Set>)>> = BTreeMap::new();
        for product in sum {
            let parts = groups.entry(product.promises).or_default();
            self.spend(parts.len() + 1)?;
            let mut rest = product.label.clone();
            let mut split = Vec::new();
            for (label, sets) in parts.iter_mut() {
                let work = label.work_with(&rest);
                self.spend(work)?;
                let common = label.and(&rest);
                if common.is_empty() {
                    continue;
                }
                rest = rest.minus(&common);
                let mut with = sets.clone();
                with.push(product.next.clone());
                let outside = label.minus(&common);
                if !outside.is_empty() {
                    split.push((outside, sets.clone()));
                }
                *label = common;
                *sets = with;
            }
            parts.extend(split);
            if !rest.is_empty() {
                parts.push((rest, vec![product.next.clone()]));
            }
        }
        let mut edges = Vec::new();
        for (promises, parts) in groups {
            for (label, sets) in parts {
                self.spend(sets.len() * sets.len() / 8)?;
                edges.push((label, minimal(sets), all & !promises));
            }
        }
        Ok(edges)
    }

    /// A formula as a set of obligations.
    fn conjuncts(&self, formula: Formula) -> Set {
        match self.table.node(formula) {
            Node::True => Vec::new(),
            Node::And(list) => list.to_vec(),
            _ => vec![formula],
        }
    }

    /// The sum of products of a set of obligations.
    fn expand_set(&mut self, set: &[Formula]) -> Result<Vec<Product>, TooLarge> {
        let mut sum = vec![Product::new(Label::all(), Vec::new(), 0)];
        for &f in set {
            let other = self.expand(f)?;
            sum = self.conjunction(&sum, &other)?;
        }
        Ok(sum)
    }

    /// The sum of products of a formula in negation normal form, parts first.
    fn expand(&mut self, formula: Formula) -> Result<Vec<Product>, TooLarge> {
        if let Some(sum) = self.known.get(&formula) {
            return Ok(sum.clone());
        }
        let mut stack = vec![formula];
        while let Some(&f) = stack.last() {
            let missing: Vec<_> = match self.table.node(f) {
                Node::Next(_) => Vec::new(),
                _ => self.table.operands(f),
            }
            .into_iter()
            .filter(|g| !self.known.contains_key(g))
            .collect();
            if missing.is_empty() {
                let sum = self.expand_one(f)?;
                self.fuel.keep(sum.iter().map(Product::bytes).sum())?;
                self.known.insert(f, sum);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        Ok(self.known.get(&formula).cloned().unwrap_or_default())
    }

    fn part(&self, formula: Formula) -> Vec<Product> {
        self.known.get(&formula).cloned().unwrap_or_default()
    }

    fn expand_one(&mut self, f: Formula) -> Result<Vec<Product>, TooLarge> {
        let product = |label: Label| vec![Product::new(label, Vec::new(), 0)];
        let later = |next: Set, promises: Marks| vec![Product::new(Label::all(), next, promises)];
        let promise = |g: &Formula| self.promise.get(g).map_or(0, |&number| 1 << number);
        match self.table.node(f) {
            Node::True => Ok(product(Label::all())),
            Node::False => Ok(Vec::new()),
            Node::Atom(number) => Ok(product(Label::atom(*number))),
            Node::Not(g) => Ok(match self.table.node(*g) {
                Node::Atom(number) => product(Label::atom(*number).not()),
                _ => Vec::new(),
            }),
            Node::And(list) => {
                let mut sum = product(Label::all());
                for g in list {
                    let other = self.part(*g);
                    sum = self.conjunction(&sum, &other)?;
                }
                Ok(sum)
            }
            Node::Or(list) => {
                let mut sum: Vec<_> = list.iter().flat_map(|&g| self.part(g)).collect();
                self.reduce(&mut sum)?;
                Ok(sum)
            }
            // A disjunction under `X` is a choice made now: sets of obligations are conjunctions.
            Node::Next(g) => Ok(later(self.conjuncts(*g), 0)),
            Node::Eventually(g) => {
                let mut sum = self.part(*g);
                sum.extend(later(vec![f], promise(g)));
                self.reduce(&mut sum)?;
                Ok(sum)
            }
            Node::Always(g) => self.conjunction(&self.part(*g), &later(vec![f], 0)),
            Node::Until(g, h) => {
                let mut sum = self.conjunction(&self.part(*g), &later(vec![f], promise(h)))?;
                sum.extend(self.part(*h));
                self.reduce(&mut sum)?;
                Ok(sum)
            }
            Node::WeakUntil(g, h) => {
                let mut sum = self.conjunction(&self.part(*g), &later(vec![f], 0))?;
                sum.extend(self.part(*h));
                self.reduce(&mut sum)?;
                Ok(sum)
            }
            Node::Release(g, h) => {
                let mut sum = self.part(*g);
                sum.extend(later(vec![f], 0));
                self.conjunction(&sum, &self.part(*h))
            }
            Node::StrongRelease(g, h) => {
                let mut sum = self.part(*g);
                sum.extend(later(vec![f], promise(g)));
                self.conjunction(&sum, &self.part(*h))
            }
            // Not in negation normal form.
            Node::Implies(..) | Node::Equivalent(..) => Err(TooLarge::Steps),
        }
    }

    /// Products of two sums.
    fn conjunction(
        &mut self,
        left: &[Product],
        right: &[Product],
    ) -> Result<Vec<Product>, TooLarge> {
        /// Alternatives that are looked through together.
        const MOST: usize = 4096;
        self.spend(left.len() * right.len())?;
        let mut sum = Vec::new();
        let (mut most, mut bytes) = (MOST, 0);
        for a in left {
            for b in right {
                self.spend(a.label.work_with(&b.label))?;
                let label = a.label.and(&b.label);
                if !label.is_empty() {
                    let next = union(&a.next, &b.next);
                    let promises = a.promises | b.promises;
                    let sketch = a.sketch | b.sketch;
                    let product = Product { label, next, sketch, promises };
                    bytes += product.bytes();
                    sum.push(product);
                }
            }
            // Most of what a large product gives is superfluous.
            if sum.len() > most {
                self.fuel.allows(bytes)?;
                self.reduce(&mut sum)?;
                most = MOST.max(2 * sum.len());
                bytes = sum.iter().map(Product::bytes).sum();
            }
        }
        self.fuel.allows(bytes)?;
        self.reduce(&mut sum)?;
        Ok(sum)
    }

    /// Equal alternatives joined, and those dropped that another allows with fewer obligations.
    fn reduce(&mut self, sum: &mut Vec<Product>) -> Result<(), TooLarge> {
        let mut joined: BTreeMap<(Set, Marks), Label> = BTreeMap::new();
        for product in sum.drain(..) {
            let label = joined.entry((product.next, product.promises)).or_default();
            let work = label.work_with(&product.label);
            self.spend(work)?;
            *label = label.or(&product.label);
        }
        let weight = joined.values().map(|label| label.weight() as usize).max().unwrap_or(1);
        self.spend((joined.len() * joined.len() / 8 + joined.len()) * weight)?;
        let mut list: Vec<_> = joined
            .into_iter()
            .map(|((next, promises), label)| Product::new(label, next, promises))
            .collect();
        list.sort_by_key(|p| (p.next.len(), p.promises.count_ones()));
        for product in list {
            let mut covered = false;
            for other in sum.iter().filter(|other| weaker(other, &product)) {
                self.spend(product.label.work_with(&other.label))?;
                covered = covered || product.label.implies(&other.label);
            }
            if !covered {
                sum.push(product);
            }
        }
        sum.sort_by(|a, b| (&a.next, a.promises).cmp(&(&b.next, b.promises)));
        Ok(())
    }
}

/// Whether the first asks for no more than the second, labels apart.
fn weaker(a: &Product, b: &Product) -> bool {
    a.promises & !b.promises == 0 && a.sketch & !b.sketch == 0 && is_subset(&a.next, &b.next)
}

fn is_subset(a: &[Formula], b: &[Formula]) -> bool {
    a.iter().all(|f| b.binary_search(f).is_ok())
}

fn union(a: &[Formula], b: &[Formula]) -> Set {
    let mut set = a.to_vec();
    set.extend_from_slice(b);
    set.sort_unstable();
    set.dedup();
    set
}

/// The sets of which no proper subset is there.
fn minimal(mut sets: Vec<Set>) -> Vec<Set> {
    sets.sort();
    sets.dedup();
    let keep: Vec<_> = sets
        .iter()
        .filter(|set| !sets.iter().any(|other| other.len() < set.len() && is_subset(other, set)))
        .cloned()
        .collect();
    keep
}
