//! Conditions over too many propositions for a label.
//!
//! A label is a set of letters, and some sets have no short form (`p1 && q1 || p2 && q2 || ...`, or
//! whether an even number of propositions holds). Such a condition becomes a proposition of its own:
//! a letter says whether it holds, so the words that satisfy the formula stay the same, and the
//! automaton is the one of a smaller formula.

use crate::Label;
use crate::map::Map;
use promenade_ltl::{Formula, Formulas, MAX_ATOMS, Node};

/// A proposition that stands for a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its number.
    pub atom: u32,
    /// The formula without temporal operators that it stands for.
    pub meaning: Formula,
}

/// Whether a part of the formula without temporal operators has no short form as a label.
pub fn is_wide(table: &mut Formulas, formula: Formula) -> bool {
    !shorten_conditions(table, formula, 0).1.is_empty()
}

/// The formula with a proposition in place of each condition that is no short label, and these
/// conditions; their propositions have numbers from `first` on. Conditions for which there are no
/// numbers below [`MAX_ATOMS`] are left as they are.
pub fn shorten_conditions(
    table: &mut Formulas,
    formula: Formula,
    first: u32,
) -> (Formula, Vec<Condition>) {
    let parts = table.subformulas(formula);
    let mut work = Shortening { first, conditions: Vec::new(), short: Map::default() };
    let mut boolean: Map<Formula, bool> = Map::default();
    let mut image: Map<Formula, Formula> = Map::default();
    for &f in &parts {
        let operands = table.operands(f);
        let node = table.node(f).clone();
        let temporal = matches!(
            node,
            Node::Next(_)
                | Node::Eventually(_)
                | Node::Always(_)
                | Node::Until(..)
                | Node::Release(..)
                | Node::WeakUntil(..)
                | Node::StrongRelease(..)
        );
        let own = !temporal && operands.iter().all(|g| boolean.get(g) == Some(&true));
        boolean.insert(f, own);
        if own {
            continue;
        }
        let of = |g: &Formula| boolean.get(g) == Some(&true);
        // Operands side by side in a conjunction or disjunction are one condition.
        let (conditions, others): (Vec<Formula>, Vec<Formula>) =
            operands.iter().partition(|&g| of(g));
        let get = |g: &Formula| image.get(g).copied().unwrap_or(*g);
        let others = others.iter().map(get);
        let new = match node {
            Node::And(_) => {
                let mut all: Vec<Formula> = others.collect();
                let condition = table.and(conditions);
                all.push(work.condition(table, condition));
                table.and(all)
            }
            Node::Or(_) => {
                let mut all: Vec<Formula> = others.collect();
                let condition = table.or(conditions);
                all.push(work.condition(table, condition));
                table.or(all)
            }
            _ => {
                let mut get = |g: Formula| match of(&g) {
                    true => work.condition(table, g),
                    false => image.get(&g).copied().unwrap_or(g),
                };
                match node {
                    Node::Not(g) => {
                        let g = get(g);
                        table.not(g)
                    }
                    Node::Next(g) => {
                        let g = get(g);
                        table.next(g)
                    }
                    Node::Eventually(g) => {
                        let g = get(g);
                        table.eventually(g)
                    }
                    Node::Always(g) => {
                        let g = get(g);
                        table.always(g)
                    }
                    Node::Implies(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.implies(g, h)
                    }
                    Node::Equivalent(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.equivalent(g, h)
                    }
                    Node::Until(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.until(g, h)
                    }
                    Node::Release(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.release(g, h)
                    }
                    Node::WeakUntil(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.weak_until(g, h)
                    }
                    Node::StrongRelease(g, h) => {
                        let (g, h) = (get(g), get(h));
                        table.strong_release(g, h)
                    }
                    Node::True | Node::False | Node::Atom(_) | Node::And(_) | Node::Or(_) => f,
                }
            }
        };
        image.insert(f, new);
    }
    let new = match boolean.get(&formula) {
        Some(true) => work.condition(table, formula),
        _ => image.get(&formula).copied().unwrap_or(formula),
    };
    (new, work.conditions)
}

struct Shortening {
    first: u32,
    conditions: Vec<Condition>,
    /// What became of each condition.
    short: Map<Formula, Formula>,
}

impl Shortening {
    /// A condition, or the proposition in place of it.
    fn condition(&mut self, table: &mut Formulas, condition: Formula) -> Formula {
        if let Some(&known) = self.short.get(&condition) {
            return known;
        }
        let atom = self.first + self.conditions.len() as u32;
        let short = if Label::from_formula(table, condition).is_some() || atom >= MAX_ATOMS {
            condition
        } else if let Node::Not(inner) = *table.node(condition) {
            let inner = self.condition(table, inner);
            table.not(inner)
        } else {
            self.conditions.push(Condition { atom, meaning: condition });
            table.atom(atom)
        };
        self.short.insert(condition, short);
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, accepts, build};
    use promenade_base::random::Random;
    use promenade_ltl::random::lasso;
    use promenade_ltl::{Lasso, Letter, Reading, parse};

    fn table_of(text: &str) -> (Formulas, Formula) {
        let mut table = Formulas::new();
        let f = parse(text, Reading::Blocks).value.formula(&mut table).expect("a formula");
        (table, f)
    }

    #[test]
    fn short_conditions_stay() {
        let (mut table, f) = table_of("[] (p && q -> <> (r || !s U (t <-> p)))");
        assert!(!is_wide(&mut table, f));
        assert_eq!(shorten_conditions(&mut table, f, 9), (f, Vec::new()));
    }

    /// The automaton over letters that say which conditions hold accepts the words that satisfy the
    /// formula.
    #[test]
    fn wide_conditions_become_propositions() {
        let parity = (0..20).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" <-> ");
        let pairs =
            (0..20).map(|i| format!("(p{i} && p{})", i + 20)).collect::<Vec<_>>().join(" || ");
        let mut random = Random::new(31);
        for text in [
            format!("[] ({parity})"),
            format!("<> ({pairs})"),
            format!("[] (({pairs}) -> <> !({parity}))"),
            // Propositions in an order that makes even a shared form long.
            format!(
                "[] ((p0 || p1 || {}) && ({pairs}))",
                (2..20).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" || ")
            ),
            format!("(p1 U ({pairs})) && ({parity}) && X ! ({pairs})"),
            format!("({pairs}) U (p3 V ({parity}))"),
        ] {
            let (mut table, f) = table_of(&text);
            let first = 64 - table.atoms(f).leading_zeros();
            let (short, conditions) = shorten_conditions(&mut table, f, first);
            assert!(!conditions.is_empty() && !is_wide(&mut table, short), "{text}");
            let built = build(&mut table, short, &Options::for_checking()).expect("small");
            let mut values = [0; 2];
            for _ in 0..300 {
                let sparse = random.next_u64();
                let word = lasso(&mut random, first, 2, 2);
                let thin = |letter: &Letter| letter & sparse;
                let letters = |list: &[Letter]| list.iter().map(thin).collect::<Vec<_>>();
                let word = Lasso::new(letters(word.prefix()), letters(word.cycle()));
                let word = word.expect("a cycle");
                let extended = |letter: &Letter| {
                    let one = Lasso::new(Vec::new(), vec![*letter]).expect("a cycle");
                    conditions.iter().fold(*letter, |sum, it| {
                        sum | u64::from(one.satisfies(&table, it.meaning)) << it.atom
                    })
                };
                let letters = |list: &[Letter]| list.iter().map(extended).collect::<Vec<_>>();
                let long = Lasso::new(letters(word.prefix()), letters(word.cycle()));
                let holds = word.satisfies(&table, f);
                values[usize::from(holds)] += 1;
                assert_eq!(accepts(&built.generalised, &long.expect("a cycle")), holds, "{text}");
            }
            assert!(values[0] > 0, "{text}");
        }
    }
}
