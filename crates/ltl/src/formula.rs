//! Formulas, each stored once.

use std::collections::HashMap;

/// How many atomic propositions a formula may have: a letter of a word is a 64-bit set.
pub const MAX_ATOMS: u32 = 64;

/// A formula: its number in a table of [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Formula(u32);

impl Formula {
    /// True in every table.
    pub const TRUE: Self = Self(0);
    /// False in every table.
    pub const FALSE: Self = Self(1);

    /// The number, for tables beside the formulas.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The topmost operator of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// An atomic proposition, by number.
    Atom(u32),
    /// Negation.
    Not(Formula),
    /// At least two operands, sorted by number, none twice, none a conjunction.
    And(Box<[Formula]>),
    /// At least two operands, sorted by number, none twice, none a disjunction.
    Or(Box<[Formula]>),
    /// The first implies the second.
    Implies(Formula, Formula),
    /// Both or neither.
    Equivalent(Formula, Formula),
    /// In the next position.
    Next(Formula),
    /// Now or later.
    Eventually(Formula),
    /// Now and always.
    Always(Formula),
    /// The second holds now or later, the first until then.
    Until(Formula, Formula),
    /// As until, or the first holds for ever.
    WeakUntil(Formula, Formula),
    /// The second holds up to and including a position where the first holds, or for ever.
    Release(Formula, Formula),
    /// As release, and the first does hold now or later.
    StrongRelease(Formula, Formula),
}

/// A table of formulas: equal formulas have equal numbers.
///
/// The constructors apply the laws of constants, idempotence and double negation, sort and flatten
/// conjunctions and disjunctions, and nothing else; further rewriting is a separate step.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Formula>,
}

impl Default for Formulas {
    fn default() -> Self {
        Self::new()
    }
}

impl Formulas {
    /// A table with the two constants.
    pub fn new() -> Self {
        let mut table = Self { nodes: Vec::new(), numbers: HashMap::new() };
        table.add(Node::True);
        table.add(Node::False);
        table
    }

    fn add(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let formula = Formula(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, formula);
        formula
    }

    /// The topmost operator.
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.index()]
    }

    /// How many formulas the table has; each number is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operands of the topmost operator.
    pub fn operands(&self, formula: Formula) -> Vec<Formula> {
        match self.node(formula) {
            Node::True | Node::False | Node::Atom(_) => Vec::new(),
            Node::Not(f) | Node::Next(f) | Node::Eventually(f) | Node::Always(f) => vec![*f],
            Node::And(list) | Node::Or(list) => list.to_vec(),
            Node::Implies(f, g)
            | Node::Equivalent(f, g)
            | Node::Until(f, g)
            | Node::WeakUntil(f, g)
            | Node::Release(f, g)
            | Node::StrongRelease(f, g) => vec![*f, *g],
        }
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }

    /// An atomic proposition.
    ///
    /// # Panics
    /// If the number is not below [`MAX_ATOMS`]; readers of text report that before.
    pub fn atom(&mut self, number: u32) -> Formula {
        assert!(number < MAX_ATOMS, "too many atomic propositions");
        self.add(Node::Atom(number))
    }

    /// Negation.
    pub fn not(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Not(g) => *g,
            _ => self.add(Node::Not(f)),
        }
    }

    /// Conjunction of any number of formulas.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(operands, true)
    }

    /// Disjunction of any number of formulas.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(operands, false)
    }

    fn junction(
        &mut self,
        operands: impl IntoIterator<Item = Formula>,
        conjunction: bool,
    ) -> Formula {
        let (neutral, absorbing) = if conjunction {
            (Formula::TRUE, Formula::FALSE)
        } else {
            (Formula::FALSE, Formula::TRUE)
        };
        let mut list = Vec::new();
        for f in operands {
            match self.node(f) {
                Node::And(inner) if conjunction => list.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => list.extend_from_slice(inner),
                _ if f != neutral => list.push(f),
                _ => {}
            }
        }
        list.sort_unstable();
        list.dedup();
        let contrary = |f: &Formula| match self.node(*f) {
            Node::Not(g) => list.binary_search(g).is_ok(),
            _ => false,
        };
        if list.contains(&absorbing) || list.iter().any(contrary) {
            return absorbing;
        }
        match list.as_slice() {
            [] => neutral,
            [f] => *f,
            _ if conjunction => self.add(Node::And(list.into())),
            _ => self.add(Node::Or(list.into())),
        }
    }

    /// Implication.
    pub fn implies(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::TRUE, _) => g,
            (Formula::FALSE, _) | (_, Formula::TRUE) => Formula::TRUE,
            (_, Formula::FALSE) => self.not(f),
            _ if f == g => Formula::TRUE,
            _ => self.add(Node::Implies(f, g)),
        }
    }

    /// Equivalence.
    pub fn equivalent(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (Formula::TRUE, other) | (other, Formula::TRUE) => other,
            (Formula::FALSE, other) | (other, Formula::FALSE) => self.not(other),
            _ if f == g => Formula::TRUE,
            _ => self.add(Node::Equivalent(f, g)),
        }
    }

    /// `X f`
    pub fn next(&mut self, f: Formula) -> Formula {
        if is_constant(f) { f } else { self.add(Node::Next(f)) }
    }

    /// `<> f`
    pub fn eventually(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True | Node::False | Node::Eventually(_) => f,
            _ => self.add(Node::Eventually(f)),
        }
    }

    /// `[] f`
    pub fn always(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True | Node::False | Node::Always(_) => f,
            _ => self.add(Node::Always(f)),
        }
    }

    /// `f U g`
    pub fn until(&mut self, f: Formula, g: Formula) -> Formula {
        if is_constant(g) || f == g || f == Formula::FALSE {
            g
        } else if f == Formula::TRUE {
            self.eventually(g)
        } else {
            self.add(Node::Until(f, g))
        }
    }

    /// `f W g`
    pub fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        if g == Formula::FALSE {
            self.always(f)
        } else if f == Formula::TRUE || g == Formula::TRUE {
            Formula::TRUE
        } else if f == Formula::FALSE || f == g {
            g
        } else {
            self.add(Node::WeakUntil(f, g))
        }
    }

    /// `f V g`
    pub fn release(&mut self, f: Formula, g: Formula) -> Formula {
        if is_constant(g) || f == g || f == Formula::TRUE {
            g
        } else if f == Formula::FALSE {
            self.always(g)
        } else {
            self.add(Node::Release(f, g))
        }
    }

    /// `f M g`
    pub fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        if f == Formula::FALSE || g == Formula::FALSE {
            Formula::FALSE
        } else if g == Formula::TRUE {
            self.eventually(f)
        } else if f == Formula::TRUE || f == g {
            g
        } else {
            self.add(Node::StrongRelease(f, g))
        }
    }

    /// The formula and all formulas in it, operands before what they are in.
    pub fn subformulas(&self, formula: Formula) -> Vec<Formula> {
        let mut seen = vec![false; self.nodes.len()];
        let mut order = Vec::new();
        let mut stack = vec![(formula, false)];
        while let Some((f, done)) = stack.pop() {
            if done {
                order.push(f);
            } else if !std::mem::replace(&mut seen[f.index()], true) {
                stack.push((f, true));
                stack.extend(self.operands(f).into_iter().map(|g| (g, false)));
            }
        }
        order
    }

    /// The atomic propositions of a formula, as a set of numbers.
    pub fn atoms(&self, formula: Formula) -> u64 {
        let atom = |f: Formula| match self.node(f) {
            Node::Atom(number) => 1u64 << number,
            _ => 0,
        };
        self.subformulas(formula).into_iter().map(atom).fold(0, |a, b| a | b)
    }
}

fn is_constant(f: Formula) -> bool {
    f == Formula::TRUE || f == Formula::FALSE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_have_equal_numbers() {
        let mut t = Formulas::new();
        let (p, q) = (t.atom(0), t.atom(1));
        let f = t.and([p, q, p]);
        let g = t.and([q, p]);
        assert_eq!(f, g);
        let not = t.not(f);
        assert_eq!(t.not(not), f);
        let not_p = t.not(p);
        assert_eq!(t.and([q, not_p, p]), Formula::FALSE);
        assert_eq!(t.until(Formula::TRUE, p), t.eventually(p));
        assert_eq!(t.release(Formula::FALSE, p), t.always(p));
        assert_eq!(t.atoms(f), 3);
    }
}
