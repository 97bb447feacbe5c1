//! What the rewriting knows about formulas: closure under prefixes and suffixes (Etessami and
//! Holzmann 2000), truth tables of small Boolean formulas, and implication that shows in the syntax
//! (after Somenzi and Bloem 2000).

use super::Work;
use crate::{Formula, Node};

/// How many pairs the implication test looks at in one table before it only answers "not known".
const MAX_PAIRS: usize = 200_000;
/// How many propositions have a column in the truth tables.
const MAX_COLUMNS: usize = 6;
const COLUMNS: [u64; MAX_COLUMNS] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Properties of one formula in negation normal form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// Pure eventuality: true of `a w` whenever true of `w`.
    pub eventual: bool,
    /// Pure universality: true of `w` whenever true of `a w`.
    pub universal: bool,
    /// Truth table, if it is Boolean over the propositions that have a column.
    pub truth: Option<u64>,
}

impl Facts {
    /// Neither the prefix nor any finite number of positions matters.
    pub fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

impl Work<'_> {
    /// Facts about a formula in negation normal form.
    pub fn facts(&mut self, formula: Formula) -> Facts {
        if let Some(&facts) = self.state.facts.get(&formula) {
            return facts;
        }
        for f in self.table.subformulas(formula) {
            if !self.state.facts.contains_key(&f) {
                let facts = self.derive(f);
                self.state.facts.insert(f, facts);
            }
        }
        self.state.facts.get(&formula).copied().unwrap_or(UNKNOWN)
    }

    /// Facts from the facts about the operands.
    fn derive(&mut self, f: Formula) -> Facts {
        let of = |g: &Formula| self.state.facts.get(g).copied().unwrap_or(UNKNOWN);
        let both = |g: &Formula, h: &Formula| {
            let (a, b) = (of(g), of(h));
            (a.eventual && b.eventual, a.universal && b.universal)
        };
        let ((eventual, universal), truth) = match self.table.node(f) {
            Node::True => ((true, true), Some(u64::MAX)),
            Node::False => ((true, true), Some(0)),
            Node::Atom(number) => {
                let number = *number;
                ((false, false), self.column(number))
            }
            Node::Not(g) => ((false, false), of(g).truth.map(|table| !table)),
            Node::And(list) => (
                (list.iter().all(|g| of(g).eventual), list.iter().all(|g| of(g).universal)),
                list.iter().try_fold(u64::MAX, |table, g| Some(table & of(g).truth?)),
            ),
            Node::Or(list) => (
                (list.iter().all(|g| of(g).eventual), list.iter().all(|g| of(g).universal)),
                list.iter().try_fold(0, |table, g| Some(table | of(g).truth?)),
            ),
            Node::Next(g) => ((of(g).eventual, of(g).universal), None),
            Node::Eventually(g) => ((true, of(g).universal), None),
            Node::Always(g) => ((of(g).eventual, true), None),
            Node::Until(g, h) => ((of(h).eventual, both(g, h).1), None),
            Node::Release(g, h) => ((both(g, h).0, of(h).universal), None),
            Node::WeakUntil(g, h) | Node::StrongRelease(g, h) => (both(g, h), None),
            // Not in normal form.
            Node::Implies(..) | Node::Equivalent(..) => ((false, false), None),
        };
        Facts { eventual, universal, truth }
    }

    fn column(&mut self, number: u32) -> Option<u64> {
        let known = self.state.columns.iter().position(|&other| other == number);
        let index = known.unwrap_or(self.state.columns.len());
        let table = COLUMNS.get(index).copied();
        if known.is_none() && table.is_some() {
            self.state.columns.push(number);
        }
        table
    }

    /// Negation, in normal form.
    pub fn negation(&mut self, f: Formula) -> Formula {
        self.state.normal.of_negation(self.table, f)
    }

    /// Surely not both at one position.
    pub fn exclusive(&mut self, f: Formula, g: Formula) -> bool {
        let (not_f, not_g) = (self.negation(f), self.negation(g));
        self.implies(f, not_g) || self.implies(g, not_f)
    }

    /// Surely one of both at each position.
    pub fn exhaustive(&mut self, f: Formula, g: Formula) -> bool {
        let (not_f, not_g) = (self.negation(f), self.negation(g));
        self.implies(not_f, g) || self.implies(not_g, f)
    }

    /// Whether `f` surely implies `g`. Each step goes to smaller formulas, each pair is looked at
    /// once.
    pub fn implies(&mut self, f: Formula, g: Formula) -> bool {
        if f == g || f == Formula::FALSE || g == Formula::TRUE {
            return true;
        }
        let (of_f, of_g) = (self.facts(f), self.facts(g));
        if let (Some(a), Some(b)) = (of_f.truth, of_g.truth) {
            return a & !b == 0;
        }
        if let Some(&known) = self.state.implications.get(&(f, g)) {
            return known;
        }
        if self.state.implications.len() >= MAX_PAIRS {
            return false;
        }
        let value = self.implies_by_shape(f, g, of_f, of_g);
        self.state.implications.insert((f, g), value);
        value
    }

    fn implies_by_shape(&mut self, f: Formula, g: Formula, of_f: Facts, of_g: Facts) -> bool {
        use Node::*;
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        // What splits without loss.
        match (&left, &right) {
            (Or(list), _) => return list.iter().all(|&h| self.implies(h, g)),
            (_, And(list)) => return list.iter().all(|&h| self.implies(f, h)),
            _ => {}
        }
        if let And(list) = &left
            && list.iter().any(|&h| self.implies(h, g))
        {
            return true;
        }
        if let Or(list) = &right
            && list.iter().any(|&h| self.implies(f, h))
        {
            return true;
        }
        // Both sides temporal, operand by operand.
        let by_operands = match (&left, &right) {
            (&Next(a), &Next(c)) => self.implies(a, c),
            (&Eventually(a), &Eventually(c)) | (&Always(a), &Always(c)) => self.implies(a, c),
            (&Until(_, b), &Eventually(d)) => self.implies(b, d),
            (&StrongRelease(a, b), &Eventually(d)) => self.implies(a, d) || self.implies(b, d),
            (&Always(a), &WeakUntil(c, _)) => self.implies(a, c),
            (&Always(a), &Release(_, d)) => self.implies(a, d),
            (&Until(a, b), &(Until(c, d) | WeakUntil(c, d)))
            | (&WeakUntil(a, b), &WeakUntil(c, d)) => self.implies(a, c) && self.implies(b, d),
            (&Release(a, b), &Release(c, d))
            | (&StrongRelease(a, b), &(Release(c, d) | StrongRelease(c, d))) => {
                self.implies(a, c) && self.implies(b, d)
            }
            (&Release(a, b), &WeakUntil(c, d))
            | (&StrongRelease(a, b), &(Until(c, d) | WeakUntil(c, d))) => {
                self.implies(b, c) && (self.implies(a, d) || self.implies(b, d))
            }
            (&Until(a, b), &(Release(c, d) | StrongRelease(c, d)))
            | (&WeakUntil(a, b), &Release(c, d)) => {
                self.implies(a, d) && self.implies(b, c) && self.implies(b, d)
            }
            _ => false,
        };
        if by_operands {
            return true;
        }
        // What the left side says of the first position, or of some position.
        let from_left = match left {
            Always(a) => self.implies(a, g),
            Until(a, b) => self.implies(b, g) && (of_g.eventual || self.implies(a, g)),
            WeakUntil(a, b) => self.implies(a, g) && self.implies(b, g),
            Release(_, b) => self.implies(b, g),
            StrongRelease(a, b) => self.implies(b, g) || of_g.eventual && self.implies(a, g),
            Next(a) | Eventually(a) => of_g.eventual && self.implies(a, g),
            _ => false,
        };
        if from_left {
            return true;
        }
        // What suffices for the right side.
        match right {
            Eventually(c) => self.implies(f, c),
            Until(_, d) => self.implies(f, d),
            WeakUntil(c, d) => self.implies(f, d) || of_f.universal && self.implies(f, c),
            Release(c, d) => self.implies(f, d) && (of_f.universal || self.implies(f, c)),
            StrongRelease(c, d) => self.implies(f, c) && self.implies(f, d),
            Next(c) | Always(c) => of_f.universal && self.implies(f, c),
            _ => false,
        }
    }
}

/// Nothing known.
const UNKNOWN: Facts = Facts { eventual: false, universal: false, truth: None };
