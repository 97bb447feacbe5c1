//! From a formula to its pattern.
//!
//! Templates and formula are simplified; matching modulo order and grouping of `&&` and `||` proposes
//! operands; a proposal counts if the template with these operands simplifies to the very formula.

use super::{LETTERS, Operands, Pattern, Scope, instantiate, template, texts};
use crate::normal_form::NormalForm;
use crate::simplify::Simplifier;
use crate::{Formula, Formulas, Node};
use std::sync::LazyLock;

/// How many operands of one `&&` or `||` are distributed over several letters.
const MAX_DISTRIBUTED: usize = 6;
/// How many proposals are kept for one template.
const MAX_PROPOSALS: usize = 64;

/// A pattern found in a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Recognised {
    /// The pattern.
    pub pattern: Pattern,
    /// Its scope.
    pub scope: Scope,
    /// What the letters stand for; `true` for those that pattern and scope do not use.
    pub operands: Operands,
}

/// All templates, simplified once, for several formulas.
#[derive(Clone, Debug)]
pub struct Recogniser {
    templates: Vec<Template>,
}

#[derive(Clone, Debug)]
struct Template {
    pattern: Pattern,
    scope: Scope,
    table: Formulas,
    /// As written, to make formulas.
    written: Formula,
    /// Simplified, to match.
    simple: Formula,
}

/// What each letter stands for so far.
type Bindings = [Option<Formula>; LETTERS.len()];

impl Default for Recogniser {
    fn default() -> Self {
        Self::new()
    }
}

impl Recogniser {
    /// Prepares the templates.
    pub fn new() -> Self {
        let mut templates = Vec::new();
        for pattern in Pattern::ALL {
            for scope in Scope::ALL {
                for text in texts(pattern, scope) {
                    let (mut table, written) = template(text);
                    let simple = crate::simplify::simplify(&mut table, written);
                    templates.push(Template { pattern, scope, table, written, simple });
                }
            }
        }
        Self { templates }
    }

    /// The pattern of a formula, if it is one with Boolean operands. Among several the one with the
    /// simplest operands is given: `[] !x` is absence of `x` and not universality of `!x`. One that
    /// gives the formula without simplification comes first.
    pub fn recognise(&self, table: &mut Formulas, formula: Formula) -> Option<Recognised> {
        let mut simplifier = Simplifier::new();
        let simple = simplifier.simplify(table, formula);
        let normal = table.negation_normal_form(formula);
        let mut best: Option<((bool, usize), Recognised)> = None;
        for template in &self.templates {
            let mut matcher =
                Matcher { template: &template.table, table, normal: NormalForm::new() };
            let proposals = matcher.matches(template.simple, simple, [None; 5]);
            for bindings in proposals {
                let list = bindings.map(|b| b.unwrap_or(Formula::TRUE));
                let again = instantiate(&template.table, template.written, table, &list);
                if simplifier.simplify(table, again) != simple {
                    continue;
                }
                let differs = table.negation_normal_form(again) != normal;
                let cost = (differs, list.iter().map(|&f| cost(table, f)).sum());
                if best.is_none_or(|(least, _)| cost < least) {
                    let (pattern, scope) = (template.pattern, template.scope);
                    let operands = Operands::from_list(list);
                    best = Some((cost, Recognised { pattern, scope, operands }));
                }
            }
        }
        best.map(|(_, recognised)| recognised)
    }
}

/// The pattern of one formula, as [`Recogniser::recognise`].
pub fn recognise(table: &mut Formulas, formula: Formula) -> Option<Recognised> {
    static RECOGNISER: LazyLock<Recogniser> = LazyLock::new(Recogniser::new);
    RECOGNISER.recognise(table, formula)
}

/// Number of operators.
fn cost(table: &Formulas, f: Formula) -> usize {
    let own = |f: Formula| match table.node(f) {
        Node::True | Node::False | Node::Atom(_) => 0,
        Node::And(list) | Node::Or(list) => list.len() - 1,
        _ => 1,
    };
    table.subformulas(f).into_iter().map(own).sum()
}

struct Matcher<'a> {
    template: &'a Formulas,
    table: &'a mut Formulas,
    normal: NormalForm,
}

impl Matcher<'_> {
    /// All ways to make the template `t` equal to `f`, up to a number.
    fn matches(&mut self, t: Formula, f: Formula, bindings: Bindings) -> Vec<Bindings> {
        let pair = match (self.template.node(t), self.table.node(f)) {
            (Node::True, Node::True) | (Node::False, Node::False) => return vec![bindings],
            (Node::Atom(_) | Node::Not(_), _) => return self.literal(t, f, bindings),
            (Node::And(list), _) => return self.junction(list, f, true, bindings),
            (Node::Or(list), _) => return self.junction(list, f, false, bindings),
            (Node::Next(a), Node::Next(b))
            | (Node::Eventually(a), Node::Eventually(b))
            | (Node::Always(a), Node::Always(b)) => return self.matches(*a, *b, bindings),
            (Node::Until(a, b), Node::Until(c, d))
            | (Node::WeakUntil(a, b), Node::WeakUntil(c, d))
            | (Node::Release(a, b), Node::Release(c, d))
            | (Node::StrongRelease(a, b), Node::StrongRelease(c, d)) => (*a, *b, *c, *d),
            _ => return Vec::new(),
        };
        let (a, b, c, d) = pair;
        let mut all = Vec::new();
        for bindings in self.matches(a, c, bindings) {
            all.extend(self.matches(b, d, bindings));
        }
        all.truncate(MAX_PROPOSALS);
        all
    }

    /// The letter of a literal, and whether it is negated.
    fn letter(&self, t: Formula) -> Option<(usize, bool)> {
        match self.template.node(t) {
            Node::Atom(number) => Some((*number as usize, false)),
            Node::Not(g) => match self.template.node(*g) {
                Node::Atom(number) => Some((*number as usize, true)),
                _ => None,
            },
            _ => None,
        }
    }

    fn literal(&mut self, t: Formula, f: Formula, mut bindings: Bindings) -> Vec<Bindings> {
        let Some((letter, negated)) = self.letter(t) else { return Vec::new() };
        if !is_boolean(self.table, f) || f == Formula::TRUE || f == Formula::FALSE {
            return Vec::new();
        }
        let value = if negated { self.normal.of_negation(self.table, f) } else { f };
        match bindings[letter] {
            Some(bound) if bound != value => Vec::new(),
            _ => {
                bindings[letter] = Some(value);
                vec![bindings]
            }
        }
    }

    fn parts(&self, f: Formula, conjunction: bool) -> Vec<Formula> {
        match self.table.node(f) {
            Node::And(list) if conjunction => list.to_vec(),
            Node::Or(list) if !conjunction => list.to_vec(),
            _ => vec![f],
        }
    }

    fn junction(
        &mut self,
        list: &[Formula],
        f: Formula,
        conjunction: bool,
        bindings: Bindings,
    ) -> Vec<Bindings> {
        let parts = self.parts(f, conjunction);
        let (letters, others): (Vec<Formula>, Vec<Formula>) =
            list.iter().partition(|&&t| self.letter(t).is_some());
        if parts.len() < others.len() {
            return Vec::new();
        }
        let mut all = Vec::new();
        // Operands with operators first: they tell most about the letters.
        for (rest, bindings) in self.assign(&others, parts, bindings) {
            all.extend(self.distribute(&letters, rest, conjunction, bindings));
            if all.len() > MAX_PROPOSALS {
                break;
            }
        }
        all
    }

    /// Each template to one part; gives the parts left over.
    fn assign(
        &mut self,
        templates: &[Formula],
        parts: Vec<Formula>,
        bindings: Bindings,
    ) -> Vec<(Vec<Formula>, Bindings)> {
        let Some((&first, others)) = templates.split_first() else {
            return vec![(parts, bindings)];
        };
        let mut all = Vec::new();
        for (i, &part) in parts.iter().enumerate() {
            for found in self.matches(first, part, bindings) {
                let mut rest = parts.clone();
                rest.remove(i);
                all.extend(self.assign(others, rest, found));
                if all.len() > MAX_PROPOSALS {
                    return all;
                }
            }
        }
        all
    }

    /// All parts to the letters: what is bound takes its own, the others share the rest.
    fn distribute(
        &mut self,
        letters: &[Formula],
        mut parts: Vec<Formula>,
        conjunction: bool,
        bindings: Bindings,
    ) -> Vec<Bindings> {
        let mut free = Vec::new();
        for &t in letters {
            let Some((letter, negated)) = self.letter(t) else { return Vec::new() };
            match bindings[letter] {
                None => free.push(t),
                Some(value) => {
                    let value =
                        if negated { self.normal.of_negation(self.table, value) } else { value };
                    let own = self.parts(value, conjunction);
                    if !own.iter().all(|part| parts.contains(part)) {
                        return Vec::new();
                    }
                    parts.retain(|part| !own.contains(part));
                }
            }
        }
        match free.as_slice() {
            [] => return if parts.is_empty() { vec![bindings] } else { Vec::new() },
            [only] => {
                let value = self.together(&parts, conjunction);
                return self.literal(*only, value, bindings);
            }
            _ if parts.len() < free.len() || parts.len() > MAX_DISTRIBUTED => return Vec::new(),
            _ => {}
        }
        let mut all = Vec::new();
        for code in 0..free.len().pow(parts.len() as u32) {
            let mut shares = vec![Vec::new(); free.len()];
            let mut digits = code;
            for &part in &parts {
                shares[digits % free.len()].push(part);
                digits /= free.len();
            }
            if shares.iter().any(Vec::is_empty) {
                continue;
            }
            let mut found = vec![bindings];
            for (&t, share) in free.iter().zip(&shares) {
                let value = self.together(share, conjunction);
                found = found.into_iter().flat_map(|b| self.literal(t, value, b)).collect();
            }
            all.extend(found);
            if all.len() > MAX_PROPOSALS {
                break;
            }
        }
        all
    }

    fn together(&mut self, parts: &[Formula], conjunction: bool) -> Formula {
        let parts = parts.iter().copied();
        if conjunction { self.table.and(parts) } else { self.table.or(parts) }
    }
}

/// Whether there is no temporal operator.
fn is_boolean(table: &Formulas, f: Formula) -> bool {
    table.subformulas(f).iter().all(|&g| {
        matches!(
            table.node(g),
            Node::True
                | Node::False
                | Node::Atom(_)
                | Node::Not(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Implies(..)
                | Node::Equivalent(..)
        )
    })
}
