//! Rewriting of formulas into smaller ones with the same meaning.
//!
//! The rules are the usual ones of translators to automata: laws of the operators, pure
//! eventualities and universalities (Etessami and Holzmann 2000), implication seen in the syntax
//! (Somenzi and Bloem 2000). They are applied from the operands up; each either makes the formula
//! smaller, where a temporal operator counts two and a Boolean one or a proposition one, or keeps
//! the size and moves `X` or a part that no finite prefix influences outwards. One rule makes a formula
//! larger and is never undone: `[] (f && g)` is written `[] f && [] g` if one of these is independent of
//! finite prefixes, as in `[]<> p && [] q`, and dually `<> (f || g)`. So rewriting ends.

mod implication;
mod junction;
#[cfg(test)]
mod tests;

use crate::normal_form::NormalForm;
use crate::{Formula, Formulas, Node};
use implication::Facts;
use std::collections::HashMap;

/// How often the rules go over the whole formula; two passes are usual, the last changes nothing.
const MAX_PASSES: usize = 12;

/// Simplifies formulas of **one** table and remembers what it found out about them.
#[derive(Clone, Debug, Default)]
pub struct Simplifier {
    normal: NormalForm,
    results: HashMap<Formula, Formula>,
    facts: HashMap<Formula, Facts>,
    implications: HashMap<(Formula, Formula), bool>,
    columns: Vec<u32>,
    /// The smallest formulas with some truth tables.
    literals: HashMap<u64, Formula>,
}

impl Simplifier {
    /// Nothing known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A formula with the same meaning, in negation normal form.
    pub fn simplify(&mut self, table: &mut Formulas, formula: Formula) -> Formula {
        let mut formula = self.normal.of(table, formula);
        for _ in 0..MAX_PASSES {
            let better = Work { state: self, table }.pass(formula);
            if better == formula {
                break;
            }
            formula = better;
        }
        formula
    }

    /// Whether `f` implies `g` in a way that shows in the syntax; `false` means "not known".
    pub fn implies(&mut self, table: &mut Formulas, f: Formula, g: Formula) -> bool {
        let (f, g) = (self.simplify(table, f), self.simplify(table, g));
        Work { state: self, table }.implies(f, g)
    }

    /// Whether the formula is surely a pure eventuality: true of every word that has a suffix of
    /// which it is true.
    pub fn is_pure_eventuality(&mut self, table: &mut Formulas, formula: Formula) -> bool {
        let formula = self.normal.of(table, formula);
        Work { state: self, table }.facts(formula).eventual
    }

    /// Whether the formula is surely a pure universality: true of every suffix of a word of which
    /// it is true.
    pub fn is_pure_universality(&mut self, table: &mut Formulas, formula: Formula) -> bool {
        let formula = self.normal.of(table, formula);
        Work { state: self, table }.facts(formula).universal
    }
}

/// Simplifies one formula; for several of one table a [`Simplifier`] is faster.
pub fn simplify(table: &mut Formulas, formula: Formula) -> Formula {
    Simplifier::new().simplify(table, formula)
}

/// A simplifier at work on its table. The constructors below expect simplified operands.
struct Work<'a> {
    state: &'a mut Simplifier,
    table: &'a mut Formulas,
}

impl Work<'_> {
    /// The rules once over all parts, operands first.
    fn pass(&mut self, formula: Formula) -> Formula {
        for f in self.table.subformulas(formula) {
            if self.state.results.contains_key(&f) {
                continue;
            }
            let node = self.table.node(f).clone();
            let done = |g: &Formula| self.state.results.get(g).copied().unwrap_or(*g);
            let result = match &node {
                // In normal form negations stand in front of propositions.
                Node::True | Node::False | Node::Atom(_) | Node::Not(_) => f,
                Node::And(list) => {
                    let list: Vec<Formula> = list.iter().map(done).collect();
                    self.and(list)
                }
                Node::Or(list) => {
                    let list: Vec<Formula> = list.iter().map(done).collect();
                    self.or(list)
                }
                Node::Next(g) => {
                    let g = done(g);
                    self.next(g)
                }
                Node::Eventually(g) => {
                    let g = done(g);
                    self.eventually(g)
                }
                Node::Always(g) => {
                    let g = done(g);
                    self.always(g)
                }
                Node::Until(g, h) => {
                    let (g, h) = (done(g), done(h));
                    self.until(g, h)
                }
                Node::WeakUntil(g, h) => {
                    let (g, h) = (done(g), done(h));
                    self.weak_until(g, h)
                }
                Node::Release(g, h) => {
                    let (g, h) = (done(g), done(h));
                    self.release(g, h)
                }
                Node::StrongRelease(g, h) => {
                    let (g, h) = (done(g), done(h));
                    self.strong_release(g, h)
                }
                Node::Implies(..) | Node::Equivalent(..) => f,
            };
            self.state.results.insert(f, result);
        }
        self.state.results.get(&formula).copied().unwrap_or(formula)
    }

    /// A constant or a literal, if a Boolean formula is one.
    fn small(&mut self, f: Formula) -> Formula {
        let Some(truth) = self.facts(f).truth else { return f };
        for number in self.state.columns.clone() {
            let positive = self.table.atom(number);
            let negative = self.table.not(positive);
            for literal in [positive, negative] {
                if let Some(table) = self.facts(literal).truth {
                    self.state.literals.entry(table).or_insert(literal);
                }
            }
        }
        match truth {
            0 => Formula::FALSE,
            u64::MAX => Formula::TRUE,
            _ => self.state.literals.get(&truth).copied().unwrap_or(f),
        }
    }

    /// Parts with and without a property.
    fn split(
        &mut self,
        list: &[Formula],
        property: impl Fn(Facts) -> bool,
    ) -> (Vec<Formula>, Vec<Formula>) {
        list.iter().partition(|&&f| property(self.facts(f)))
    }

    fn next(&mut self, f: Formula) -> Formula {
        if self.facts(f).suspendable() {
            return f;
        }
        for conjunction in [true, false] {
            let parts = self.parts(f, conjunction);
            let (out, kept) = self.split(&parts, Facts::suspendable);
            if !out.is_empty() {
                let inner = self.junction_of(kept, conjunction);
                let inner = self.next(inner);
                return self.junction_of(out.into_iter().chain([inner]), conjunction);
            }
        }
        self.table.next(f)
    }

    fn junction_of(
        &mut self,
        list: impl IntoIterator<Item = Formula>,
        conjunction: bool,
    ) -> Formula {
        if conjunction { self.and(list) } else { self.or(list) }
    }

    fn eventually(&mut self, f: Formula) -> Formula {
        if self.facts(f).eventual {
            return f;
        }
        match self.table.node(f).clone() {
            Node::Next(g) => {
                let g = self.eventually(g);
                self.next(g)
            }
            Node::Until(_, g) => self.eventually(g),
            Node::StrongRelease(g, h) => {
                let both = self.and([g, h]);
                self.eventually(both)
            }
            Node::Or(list) => {
                let bare: Vec<Formula> =
                    list.iter().map(|&g| self.operand_of_eventually(g)).collect();
                let (mut out, kept) = self.split(&bare, |facts| facts.eventual);
                // Parts that become suspendable stay apart: translators treat them alone.
                let (stable, kept) = self.split(&kept, |facts| facts.universal);
                let alone = stable.len() + kept.len() == 1;
                if out.is_empty() && *bare == *list && (stable.is_empty() || alone) {
                    return self.table.eventually(f);
                }
                out.extend(stable.into_iter().map(|g| self.eventually(g)).collect::<Vec<_>>());
                let inner = self.or(kept);
                let inner = self.eventually(inner);
                self.or(out.into_iter().chain([inner]))
            }
            Node::And(list) => {
                let (out, kept) = self.split(&list, Facts::suspendable);
                if out.is_empty() {
                    return self.table.eventually(f);
                }
                let inner = self.and(kept);
                let inner = self.eventually(inner);
                self.and(out.into_iter().chain([inner]))
            }
            _ => self.table.eventually(f),
        }
    }

    fn operand_of_eventually(&self, f: Formula) -> Formula {
        match self.table.node(f) {
            Node::Eventually(g) => *g,
            _ => f,
        }
    }

    fn always(&mut self, f: Formula) -> Formula {
        if self.facts(f).universal {
            return f;
        }
        match self.table.node(f).clone() {
            Node::Next(g) => {
                let g = self.always(g);
                self.next(g)
            }
            Node::Release(_, g) => self.always(g),
            Node::WeakUntil(g, h) => {
                let either = self.or([g, h]);
                self.always(either)
            }
            Node::And(list) => {
                let bare: Vec<Formula> = list.iter().map(|&g| self.operand_of_always(g)).collect();
                let (mut out, kept) = self.split(&bare, |facts| facts.universal);
                let (recurrent, kept) = self.split(&kept, |facts| facts.eventual);
                let alone = recurrent.len() + kept.len() == 1;
                if out.is_empty() && *bare == *list && (recurrent.is_empty() || alone) {
                    return self.table.always(f);
                }
                out.extend(recurrent.into_iter().map(|g| self.always(g)).collect::<Vec<_>>());
                let inner = self.and(kept);
                let inner = self.always(inner);
                self.and(out.into_iter().chain([inner]))
            }
            Node::Or(list) => {
                let (out, kept) = self.split(&list, Facts::suspendable);
                if out.is_empty() {
                    return self.table.always(f);
                }
                let inner = self.or(kept);
                let inner = self.always(inner);
                self.or(out.into_iter().chain([inner]))
            }
            _ => self.table.always(f),
        }
    }

    fn operand_of_always(&self, f: Formula) -> Formula {
        match self.table.node(f) {
            Node::Always(g) => *g,
            _ => f,
        }
    }

    /// The left side of `f U g` or `f W g` without what cannot matter: it only counts where `g` is
    /// false.
    fn before(&mut self, f: Formula, g: Formula) -> Formula {
        for conjunction in [true, false] {
            let parts = self.parts(f, conjunction);
            if parts.len() < 2 {
                continue;
            }
            let matters = |work: &mut Self, h: Formula| match conjunction {
                true => !work.exhaustive(h, g),
                false => !work.implies(h, g),
            };
            let kept: Vec<Formula> = parts.iter().copied().filter(|&h| matters(self, h)).collect();
            if kept.len() < parts.len() {
                return self.junction_of(kept, conjunction);
            }
        }
        f
    }

    /// The left side of `f V g` or `f M g` without what cannot matter: it only counts where `g` is
    /// true.
    fn along(&mut self, f: Formula, g: Formula) -> Formula {
        for conjunction in [true, false] {
            let parts = self.parts(f, conjunction);
            if parts.len() < 2 {
                continue;
            }
            let matters = |work: &mut Self, h: Formula| match conjunction {
                true => !work.implies(g, h),
                false => !work.exclusive(g, h),
            };
            let kept: Vec<Formula> = parts.iter().copied().filter(|&h| matters(self, h)).collect();
            if kept.len() < parts.len() {
                return self.junction_of(kept, conjunction);
            }
        }
        f
    }

    /// The parts of a junction without `f`, or without all of its own parts; `None` if it has them
    /// not or nothing else.
    fn remove(&self, whole: Formula, f: Formula, conjunction: bool) -> Option<Vec<Formula>> {
        let parts = self.parts(whole, conjunction);
        let own = self.parts(f, conjunction);
        let rest: Vec<Formula> = parts.iter().copied().filter(|g| !own.contains(g)).collect();
        (!rest.is_empty() && rest.len() + own.len() == parts.len()).then_some(rest)
    }

    fn until(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::TRUE || self.exhaustive(f, g) {
            return self.eventually(g);
        }
        if f == Formula::FALSE || self.facts(g).eventual || self.implies(f, g) {
            return g;
        }
        let f = self.before(f, g);
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        if let (&Node::Next(a), &Node::Next(b)) = (&left, &right) {
            let inner = self.until(a, b);
            return self.next(inner);
        }
        if let Node::Until(_, b) = left
            && self.implies(b, g)
        {
            return self.or([f, g]);
        }
        match right {
            Node::Until(a, _) if self.implies(f, a) => return g,
            Node::And(list) => {
                if let Some(rest) = self.remove(g, f, true) {
                    let rest = self.and(rest);
                    return self.strong_release(rest, f);
                }
                let (out, kept) = self.split(&list, Facts::suspendable);
                if !out.is_empty() {
                    let inner = self.and(kept);
                    let inner = self.until(f, inner);
                    return self.and(out.into_iter().chain([inner]));
                }
            }
            Node::Or(list) => {
                // f U (g || [] f) is f W g.
                let always = self.table.always(f);
                if list.contains(&always) {
                    let rest: Vec<Formula> =
                        list.iter().copied().filter(|&h| h != always).collect();
                    let rest = self.or(rest);
                    return self.weak_until(f, rest);
                }
                let (out, kept) = self.split(&list, |facts| facts.eventual);
                let bare: Vec<Formula> = kept
                    .iter()
                    .map(|&h| match self.table.node(h) {
                        Node::Until(a, b) if *a == f => *b,
                        _ => h,
                    })
                    .collect();
                if !out.is_empty() || bare != kept {
                    let inner = self.or(bare);
                    let inner = self.until(f, inner);
                    return self.or(out.into_iter().chain([inner]));
                }
            }
            _ => {}
        }
        self.table.until(f, g)
    }

    fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::TRUE || self.exhaustive(f, g) {
            return Formula::TRUE;
        }
        if g == Formula::FALSE {
            return self.always(f);
        }
        if f == Formula::FALSE || self.implies(f, g) {
            return g;
        }
        if self.facts(f).universal {
            return self.or([f, g]);
        }
        let f = self.before(f, g);
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        if let (&Node::Next(a), &Node::Next(b)) = (&left, &right) {
            let inner = self.weak_until(a, b);
            return self.next(inner);
        }
        if let Node::Until(_, b) | Node::WeakUntil(_, b) = left
            && self.implies(b, g)
        {
            return self.or([f, g]);
        }
        match right {
            Node::WeakUntil(a, _) if self.implies(f, a) => return g,
            Node::And(_) => {
                if let Some(rest) = self.remove(g, f, true) {
                    let rest = self.and(rest);
                    return self.release(rest, f);
                }
            }
            Node::Or(list) => {
                let (out, kept) = self.split(&list, |facts| facts.eventual);
                let bare: Vec<Formula> = kept
                    .iter()
                    .map(|&h| match self.table.node(h) {
                        Node::Until(a, b) | Node::WeakUntil(a, b) if *a == f => *b,
                        Node::Always(a) if *a == f => Formula::FALSE,
                        _ => h,
                    })
                    .collect();
                if !out.is_empty() || bare != kept {
                    let inner = self.or(bare);
                    let inner = self.weak_until(f, inner);
                    return self.or(out.into_iter().chain([inner]));
                }
            }
            _ => {}
        }
        self.table.weak_until(f, g)
    }

    fn release(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::FALSE || self.exclusive(f, g) {
            return self.always(g);
        }
        if f == Formula::TRUE || self.facts(g).universal || self.implies(g, f) {
            return g;
        }
        let f = self.along(f, g);
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        if let (&Node::Next(a), &Node::Next(b)) = (&left, &right) {
            let inner = self.release(a, b);
            return self.next(inner);
        }
        if let Node::Release(_, b) = left
            && self.implies(g, b)
        {
            return self.and([f, g]);
        }
        match right {
            Node::Release(a, _) if self.implies(a, f) => return g,
            Node::Or(list) => {
                if let Some(rest) = self.remove(g, f, false) {
                    let rest = self.or(rest);
                    return self.weak_until(rest, f);
                }
                let (out, kept) = self.split(&list, Facts::suspendable);
                if !out.is_empty() {
                    let inner = self.or(kept);
                    let inner = self.release(f, inner);
                    return self.or(out.into_iter().chain([inner]));
                }
            }
            Node::And(list) => {
                // f V (g && <> f) is f M g.
                let eventually = self.table.eventually(f);
                if list.contains(&eventually) {
                    let rest: Vec<Formula> =
                        list.iter().copied().filter(|&h| h != eventually).collect();
                    let rest = self.and(rest);
                    return self.strong_release(f, rest);
                }
                let (out, kept) = self.split(&list, |facts| facts.universal);
                let bare: Vec<Formula> = kept
                    .iter()
                    .map(|&h| match self.table.node(h) {
                        Node::Release(a, b) if *a == f => *b,
                        _ => h,
                    })
                    .collect();
                if !out.is_empty() || bare != kept {
                    let inner = self.and(bare);
                    let inner = self.release(f, inner);
                    return self.and(out.into_iter().chain([inner]));
                }
            }
            _ => {}
        }
        self.table.release(f, g)
    }

    fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::FALSE || self.exclusive(f, g) {
            return Formula::FALSE;
        }
        if g == Formula::TRUE {
            return self.eventually(f);
        }
        if f == Formula::TRUE || self.implies(g, f) {
            return g;
        }
        if self.facts(f).eventual {
            return self.and([f, g]);
        }
        let f = self.along(f, g);
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        if let (&Node::Next(a), &Node::Next(b)) = (&left, &right) {
            let inner = self.strong_release(a, b);
            return self.next(inner);
        }
        if let Node::Release(_, b) | Node::StrongRelease(_, b) = left
            && self.implies(g, b)
        {
            return self.and([f, g]);
        }
        match right {
            Node::StrongRelease(a, _) if self.implies(a, f) => return g,
            Node::Or(_) => {
                if let Some(rest) = self.remove(g, f, false) {
                    let rest = self.or(rest);
                    return self.until(rest, f);
                }
            }
            Node::And(list) => {
                let (out, kept) = self.split(&list, |facts| facts.universal);
                let bare: Vec<Formula> = kept
                    .iter()
                    .map(|&h| match self.table.node(h) {
                        Node::Release(a, b) | Node::StrongRelease(a, b) if *a == f => *b,
                        Node::Eventually(a) if *a == f => Formula::TRUE,
                        _ => h,
                    })
                    .collect();
                if !out.is_empty() || bare != kept {
                    let inner = self.and(bare);
                    let inner = self.strong_release(f, inner);
                    return self.and(out.into_iter().chain([inner]));
                }
            }
            _ => {}
        }
        self.table.strong_release(f, g)
    }
}
