//! Infinite words that end in a cycle, and the truth of a formula on them.
//!
//! The evaluation follows the definition of the operators, position by position, and shares nothing
//! with the translation to automata: it is the oracle of that.

use crate::{Formula, Formulas, Node};

/// The propositions that hold at one position, as a set of numbers.
pub type Letter = u64;

/// A word `prefix cycle cycle ...`; the cycle is not empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lasso {
    prefix: Vec<Letter>,
    cycle: Vec<Letter>,
}

/// Where a formula and its parts hold on a lasso.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Per formula number: its value per position, for the parts of the formula asked for.
    values: Vec<Vec<bool>>,
}

impl Truth {
    /// Value of a part at each position of prefix and cycle; `None` if it is no part of the formula.
    pub fn of(&self, part: Formula) -> Option<&[bool]> {
        self.values.get(part.index()).map(Vec::as_slice).filter(|values| !values.is_empty())
    }
}

impl Lasso {
    /// A word; `None` if the cycle is empty.
    pub fn new(prefix: Vec<Letter>, cycle: Vec<Letter>) -> Option<Self> {
        (!cycle.is_empty()).then_some(Self { prefix, cycle })
    }

    /// The part that comes once.
    pub fn prefix(&self) -> &[Letter] {
        &self.prefix
    }

    /// The part that comes again and again.
    pub fn cycle(&self) -> &[Letter] {
        &self.cycle
    }

    /// Positions: length of prefix and cycle together.
    pub fn positions(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The letter at a position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn letter(&self, position: usize) -> Letter {
        match position.checked_sub(self.prefix.len()) {
            Some(in_cycle) => self.cycle[in_cycle],
            None => self.prefix[position],
        }
    }

    /// The position after this one.
    pub fn after(&self, position: usize) -> usize {
        if position + 1 == self.positions() { self.prefix.len() } else { position + 1 }
    }

    /// Whether the word satisfies the formula.
    pub fn satisfies(&self, table: &Formulas, formula: Formula) -> bool {
        self.truth(table, formula).of(formula).is_some_and(|values| values[0])
    }

    /// Where the formula and its parts hold.
    pub fn truth(&self, table: &Formulas, formula: Formula) -> Truth {
        let mut values: Vec<Vec<bool>> = vec![Vec::new(); table.len()];
        for f in table.subformulas(formula) {
            let at = |g: Formula| values[g.index()].as_slice();
            let each = |value: &dyn Fn(usize) -> bool| (0..self.positions()).map(value).collect();
            let row = match table.node(f) {
                Node::True => vec![true; self.positions()],
                Node::False => vec![false; self.positions()],
                Node::Atom(number) => each(&|i| self.letter(i) >> number & 1 == 1),
                Node::Not(g) => each(&|i| !at(*g)[i]),
                Node::And(list) => each(&|i| list.iter().all(|&g| at(g)[i])),
                Node::Or(list) => each(&|i| list.iter().any(|&g| at(g)[i])),
                Node::Implies(g, h) => each(&|i| !at(*g)[i] || at(*h)[i]),
                Node::Equivalent(g, h) => each(&|i| at(*g)[i] == at(*h)[i]),
                Node::Next(g) => each(&|i| at(*g)[self.after(i)]),
                Node::Eventually(g) => self.fixpoint(false, &|i, next| at(*g)[i] || next),
                Node::Always(g) => self.fixpoint(true, &|i, next| at(*g)[i] && next),
                Node::Until(g, h) => {
                    self.fixpoint(false, &|i, next| at(*h)[i] || at(*g)[i] && next)
                }
                Node::WeakUntil(g, h) => {
                    self.fixpoint(true, &|i, next| at(*h)[i] || at(*g)[i] && next)
                }
                Node::Release(g, h) => {
                    self.fixpoint(true, &|i, next| at(*h)[i] && (at(*g)[i] || next))
                }
                Node::StrongRelease(g, h) => {
                    self.fixpoint(false, &|i, next| at(*h)[i] && (at(*g)[i] || next))
                }
            };
            values[f.index()] = row;
        }
        Truth { values }
    }

    /// Solution of `value[i] = step(i, value[after i])`, least if `start` is false, else greatest.
    fn fixpoint(&self, start: bool, step: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.positions()];
        // Two rounds backwards: the first settles the cycle's entry, the second what depends on it.
        for _ in 0..2 {
            for i in (0..self.positions()).rev() {
                values[i] = step(i, values[self.after(i)]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_on_words() {
        let mut t = Formulas::new();
        let (p, q) = (t.atom(0), t.atom(1));
        let word = |prefix: &[Letter], cycle: &[Letter]| {
            Lasso::new(prefix.to_vec(), cycle.to_vec()).expect("a cycle")
        };
        let until = t.until(p, q);
        assert!(word(&[1, 1], &[2]).satisfies(&t, until));
        assert!(!word(&[], &[1]).satisfies(&t, until));
        let weak = t.weak_until(p, q);
        assert!(word(&[], &[1]).satisfies(&t, weak));
        let release = t.release(p, q);
        assert!(word(&[2], &[3, 0]).satisfies(&t, release));
        assert!(word(&[], &[2]).satisfies(&t, release));
        let strong = t.strong_release(p, q);
        assert!(!word(&[], &[2]).satisfies(&t, strong));
        let eventually = t.eventually(p);
        let recurrent = t.always(eventually);
        assert!(word(&[0, 0], &[0, 1, 0]).satisfies(&t, recurrent));
        assert!(!word(&[1, 1], &[0]).satisfies(&t, recurrent));
        let next = t.next(p);
        assert!(word(&[], &[0, 1]).satisfies(&t, next));
        assert!(Lasso::new(vec![0], Vec::new()).is_none());
    }
}
