//! Conjunctions and disjunctions.

use super::Work;
use crate::{Formula, Node};

/// Above so many operands only the laws of the table are applied: the rules look at pairs.
const MAX_OPERANDS: usize = 64;

impl Work<'_> {
    /// Conjunction of simplified formulas.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        let operands = operands.into_iter().collect();
        self.junction(operands, true)
    }

    /// Disjunction of simplified formulas.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        let operands = operands.into_iter().collect();
        self.junction(operands, false)
    }

    fn plain(&mut self, operands: Vec<Formula>, conjunction: bool) -> Formula {
        if conjunction { self.table.and(operands) } else { self.table.or(operands) }
    }

    /// The operands, if the formula is a junction of that kind; else the formula alone.
    pub(super) fn parts(&self, f: Formula, conjunction: bool) -> Vec<Formula> {
        match self.table.node(f) {
            Node::And(list) if conjunction => list.to_vec(),
            Node::Or(list) if !conjunction => list.to_vec(),
            _ => vec![f],
        }
    }

    fn junction(&mut self, operands: Vec<Formula>, conjunction: bool) -> Formula {
        let absorbing = self.table.constant(!conjunction);
        let mut formula = self.plain(operands, conjunction);
        // Every change makes the junction smaller in the measure of the module, so this ends.
        loop {
            let list = self.parts(formula, conjunction);
            if list.len() < 2 || list.len() > MAX_OPERANDS {
                return self.small(formula);
            }
            match self.improve(&list, conjunction) {
                Some(better) if better.contains(&absorbing) => return absorbing,
                Some(better) => formula = self.plain(better, conjunction),
                None => return self.small(formula),
            }
        }
    }

    /// One change for the better.
    fn improve(&mut self, list: &[Formula], conjunction: bool) -> Option<Vec<Formula>> {
        for i in 0..list.len() {
            for j in 0..list.len() {
                if i == j {
                    continue;
                }
                let (f, g) = (list[i], list[j]);
                // A conjunct implied by another, a disjunct that implies another.
                if if conjunction { self.implies(f, g) } else { self.implies(g, f) } {
                    return Some(without(list, &[j], None));
                }
                let closing =
                    if conjunction { self.exclusive(f, g) } else { self.exhaustive(f, g) };
                if closing {
                    return Some(vec![self.table.constant(!conjunction)]);
                }
                if let Some(merged) = self.merge(f, g, conjunction) {
                    return Some(without(list, &[i, j], Some(merged)));
                }
                if let Some(shorter) = self.prune(f, g, conjunction) {
                    return Some(without(list, &[j], Some(shorter)));
                }
            }
        }
        None
    }

    /// Parts of `g` that cannot matter beside `f`: in a conjunction the disjuncts that exclude `f`,
    /// in a disjunction the conjuncts that hold wherever `f` does not.
    fn prune(&mut self, f: Formula, g: Formula, conjunction: bool) -> Option<Formula> {
        let parts = self.parts(g, !conjunction);
        if parts.len() < 2 {
            return None;
        }
        let matters = |work: &mut Self, h: Formula| {
            let not = work.negation(h);
            if conjunction { !work.implies(f, not) } else { !work.implies(not, f) }
        };
        let kept: Vec<Formula> = parts.iter().copied().filter(|&h| matters(self, h)).collect();
        (kept.len() < parts.len()).then(|| self.junction(kept, !conjunction))
    }

    /// One formula for the junction of `f` and `g`, tried for both orders by the caller.
    fn merge(&mut self, f: Formula, g: Formula, conjunction: bool) -> Option<Formula> {
        use Node::*;
        let (left, right) = (self.table.node(f).clone(), self.table.node(g).clone());
        if let (&Next(a), &Next(b)) = (&left, &right) {
            let inner = self.junction(vec![a, b], conjunction);
            return Some(self.next(inner));
        }
        if conjunction {
            self.merge_and(&left, &right, f, g)
        } else {
            self.merge_or(&left, &right, f, g)
        }
    }

    fn merge_and(&mut self, left: &Node, right: &Node, f: Formula, g: Formula) -> Option<Formula> {
        use Node::*;
        Some(match (left, right) {
            (&Always(a), &Always(b)) if !self.facts(a).eventual && !self.facts(b).eventual => {
                let both = self.and([a, b]);
                self.always(both)
            }
            (&Eventually(a), &Eventually(b))
                if self.facts(a).universal && self.facts(b).universal =>
            {
                let both = self.and([a, b]);
                self.eventually(both)
            }
            (&Release(a, b), &Release(c, d)) if a == c => {
                let both = self.and([b, d]);
                self.release(a, both)
            }
            (&StrongRelease(a, b), &(Release(c, d) | StrongRelease(c, d))) if a == c => {
                let both = self.and([b, d]);
                self.strong_release(a, both)
            }
            (&Until(a, b), &(Until(c, d) | WeakUntil(c, d))) if b == d => {
                let both = self.and([a, c]);
                self.until(both, b)
            }
            (&WeakUntil(a, b), &WeakUntil(c, d)) if b == d => {
                let both = self.and([a, c]);
                self.weak_until(both, b)
            }
            (&WeakUntil(a, b), &Eventually(c)) if b == c => self.until(a, b),
            (&Release(a, b), &Eventually(c)) if a == c => self.strong_release(a, b),
            // Forms unrolled by one step.
            (_, &Next(c)) if self.is_always_of(c, f) => c,
            (_, Or(list)) => self.rolled(f, list, true)?,
            _ => return None,
        })
        .filter(|&merged| merged != f && merged != g)
    }

    fn merge_or(&mut self, left: &Node, right: &Node, f: Formula, g: Formula) -> Option<Formula> {
        use Node::*;
        Some(match (left, right) {
            (&Eventually(a), &Eventually(b))
                if !self.facts(a).universal && !self.facts(b).universal =>
            {
                let either = self.or([a, b]);
                self.eventually(either)
            }
            (&Always(a), &Always(b)) if self.facts(a).eventual && self.facts(b).eventual => {
                let either = self.or([a, b]);
                self.always(either)
            }
            (&Until(a, b), &Until(c, d)) if a == c => {
                let either = self.or([b, d]);
                self.until(a, either)
            }
            (&WeakUntil(a, b), &(Until(c, d) | WeakUntil(c, d))) if a == c => {
                let either = self.or([b, d]);
                self.weak_until(a, either)
            }
            (&Release(a, b), &(Release(c, d) | StrongRelease(c, d))) if b == d => {
                let either = self.or([a, c]);
                self.release(either, b)
            }
            (&StrongRelease(a, b), &StrongRelease(c, d)) if b == d => {
                let either = self.or([a, c]);
                self.strong_release(either, b)
            }
            (&Until(a, b), &Always(c)) if a == c => self.weak_until(a, b),
            (&StrongRelease(a, b), &Always(c)) if b == c => self.release(a, b),
            (_, &Next(c)) if self.is_eventually_of(c, f) => c,
            (_, And(list)) => self.rolled(f, list, false)?,
            _ => return None,
        })
        .filter(|&merged| merged != f && merged != g)
    }

    fn is_always_of(&self, formula: Formula, f: Formula) -> bool {
        *self.table.node(formula) == Node::Always(f)
    }

    fn is_eventually_of(&self, formula: Formula, f: Formula) -> bool {
        *self.table.node(formula) == Node::Eventually(f)
    }

    /// `g || (f && X (f U g))` is `f U g`, and so for `W`; dually `g && (f || X (f V g))` for `V`
    /// and `M`. `list` has the operands of the second part.
    fn rolled(&mut self, g: Formula, list: &[Formula], conjunction: bool) -> Option<Formula> {
        for &part in list {
            let &Node::Next(whole) = self.table.node(part) else { continue };
            let step = match *self.table.node(whole) {
                Node::Until(a, b) | Node::WeakUntil(a, b) if !conjunction && b == g => a,
                Node::Release(a, b) | Node::StrongRelease(a, b) if conjunction && b == g => a,
                _ => continue,
            };
            let others: Vec<Formula> = list.iter().copied().filter(|&h| h != part).collect();
            if self.plain(others, !conjunction) == step {
                return Some(whole);
            }
        }
        None
    }
}

/// The list without some places, and perhaps with one formula more.
fn without(list: &[Formula], places: &[usize], more: Option<Formula>) -> Vec<Formula> {
    let kept = list.iter().enumerate().filter(|(i, _)| !places.contains(i)).map(|(_, &f)| f);
    kept.chain(more).collect()
}
