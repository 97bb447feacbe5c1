//! Negation normal form: negations only in front of propositions, no implications.

use crate::{Formula, Formulas, Node};
use std::collections::HashMap;

impl Formulas {
    /// The negation normal form of a formula: `!` only in front of propositions, `->` and `<->`
    /// expressed by `&&` and `||`, all other operators kept (the dual ones stand for negated ones).
    ///
    /// It is linear in the formula but for `<->`, each of which doubles what is in it; since parts
    /// are shared, the table grows by at most four formulas per part.
    pub fn negation_normal_form(&mut self, formula: Formula) -> Formula {
        NormalForm::default().of(self, formula)
    }
}

/// Normal forms computed so far, for callers that ask for many formulas of one table.
#[derive(Clone, Debug, Default)]
pub struct NormalForm {
    known: HashMap<(Formula, bool), Formula>,
}

impl NormalForm {
    /// Nothing computed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The normal form of `formula`, as [`Formulas::negation_normal_form`].
    pub fn of(&mut self, table: &mut Formulas, formula: Formula) -> Formula {
        self.signed(table, formula, false)
    }

    /// The normal form of the negation of `formula`.
    pub fn of_negation(&mut self, table: &mut Formulas, formula: Formula) -> Formula {
        self.signed(table, formula, true)
    }

    fn signed(&mut self, table: &mut Formulas, formula: Formula, negate: bool) -> Formula {
        // Operands first, each with both signs only where an equivalence asks for them.
        let mut stack = vec![(formula, negate)];
        while let Some(&(f, negate)) = stack.last() {
            if self.known.contains_key(&(f, negate)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            for need in needs(table, f, negate) {
                if !self.known.contains_key(&need) {
                    stack.push(need);
                }
            }
            if stack.len() == before {
                let done = self.step(table, f, negate);
                self.known.insert((f, negate), done);
                stack.pop();
            }
        }
        self.known.get(&(formula, negate)).copied().unwrap_or(formula)
    }

    fn step(&self, table: &mut Formulas, f: Formula, negate: bool) -> Formula {
        let get = |f: Formula, negate: bool| self.known.get(&(f, negate)).copied().unwrap_or(f);
        let same = |f: Formula| get(f, negate);
        match table.node(f).clone() {
            Node::True => table.constant(!negate),
            Node::False => table.constant(negate),
            Node::Atom(_) => {
                if negate {
                    table.not(f)
                } else {
                    f
                }
            }
            Node::Not(g) => get(g, !negate),
            Node::And(list) => {
                let parts = list.iter().map(|&g| same(g));
                if negate { table.or(parts) } else { table.and(parts) }
            }
            Node::Or(list) => {
                let parts = list.iter().map(|&g| same(g));
                if negate { table.and(parts) } else { table.or(parts) }
            }
            Node::Implies(g, h) => {
                let parts = [get(g, !negate), same(h)];
                if negate { table.and(parts) } else { table.or(parts) }
            }
            Node::Equivalent(g, h) => {
                let both = table.and([get(g, false), get(h, negate)]);
                let neither = table.and([get(g, true), get(h, !negate)]);
                table.or([both, neither])
            }
            Node::Next(g) => table.next(same(g)),
            Node::Eventually(g) if negate => table.always(same(g)),
            Node::Eventually(g) => table.eventually(same(g)),
            Node::Always(g) if negate => table.eventually(same(g)),
            Node::Always(g) => table.always(same(g)),
            Node::Until(g, h) if negate => table.release(same(g), same(h)),
            Node::Until(g, h) => table.until(same(g), same(h)),
            Node::Release(g, h) if negate => table.until(same(g), same(h)),
            Node::Release(g, h) => table.release(same(g), same(h)),
            Node::WeakUntil(g, h) if negate => table.strong_release(same(g), same(h)),
            Node::WeakUntil(g, h) => table.weak_until(same(g), same(h)),
            Node::StrongRelease(g, h) if negate => table.weak_until(same(g), same(h)),
            Node::StrongRelease(g, h) => table.strong_release(same(g), same(h)),
        }
    }
}

/// Which normal forms one step is made of.
fn needs(table: &Formulas, f: Formula, negate: bool) -> Vec<(Formula, bool)> {
    match table.node(f) {
        Node::Not(g) => vec![(*g, !negate)],
        Node::Implies(g, h) => vec![(*g, !negate), (*h, negate)],
        Node::Equivalent(g, h) => vec![(*g, false), (*g, true), (*h, false), (*h, true)],
        _ => table.operands(f).into_iter().map(|g| (g, negate)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Shape};
    use promenade_base::random::Random;

    #[test]
    fn normal_forms_are_normal_and_mean_the_same() {
        let mut random = Random::new(1);
        for _ in 0..3000 {
            let mut table = Formulas::new();
            let f = random::formula(&mut random, &mut table, &Shape::default());
            let normal = table.negation_normal_form(f);
            let negated = NormalForm::new().of_negation(&mut table, f);
            for g in table.subformulas(normal) {
                match table.node(g) {
                    Node::Not(h) => assert!(matches!(table.node(*h), Node::Atom(_))),
                    Node::Implies(..) | Node::Equivalent(..) => panic!("not normal"),
                    _ => {}
                }
            }
            for _ in 0..20 {
                let word = random::lasso(&mut random, 3, 4, 4);
                let value = word.satisfies(&table, f);
                assert_eq!(word.satisfies(&table, normal), value);
                assert_eq!(word.satisfies(&table, negated), !value);
            }
        }
    }

    #[test]
    fn long_equivalences_stay_small() {
        let mut table = Formulas::new();
        let mut f = table.atom(0);
        for number in 1..60 {
            let p = table.atom(number);
            let p = table.eventually(p);
            f = table.equivalent(f, p);
        }
        table.negation_normal_form(f);
        assert!(table.len() < 1500, "{}", table.len());
    }
}
