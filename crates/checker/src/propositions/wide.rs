//! Conditions of a formula that are too wide for a label: each becomes a proposition.

use super::Propositions;
use promenade_analysis::may_fail;
use promenade_automata::shorten_conditions;
use promenade_ir::{BinaryOp, Expr, UnaryOp};
use promenade_ltl::print::to_text;
use promenade_ltl::{Formula, Formulas, Node, Simplifier};

/// Labels over that many propositions are never too wide.
const NARROW: usize = 16;
/// Most operators of a condition that stands for a proposition.
const MOST_OPERATORS: usize = 100_000;
/// Most bytes of its text.
const MOST_TEXT: usize = 400;

impl Propositions {
    /// The negation of a formula, with a proposition in place of each condition that is too wide for
    /// a label; where that is not possible, the negation itself.
    pub(crate) fn shorten(&mut self, table: &mut Formulas, formula: Formula) -> Formula {
        let plain = table.not(formula);
        let before = self.texts.len();
        // What may fail is looked at label by label.
        if before <= NARROW || self.expressions.iter().any(may_fail) {
            return plain;
        }
        // As written first: normal forms may be much longer.
        let mut short = plain;
        for simplified in [false, true] {
            if simplified {
                short = Simplifier::new().simplify(table, short);
            }
            let first = self.texts.len() as u32;
            let (new, conditions) = shorten_conditions(table, short, first);
            for condition in conditions {
                let mut left = MOST_OPERATORS;
                let Some(expression) = self.expression(table, condition.meaning, &mut left) else {
                    self.texts.truncate(before);
                    self.forms.truncate(before);
                    self.expressions.truncate(before);
                    return plain;
                };
                let mut text = to_text(table, condition.meaning, &self.texts);
                if text.len() > MOST_TEXT {
                    text.truncate(text.floor_char_boundary(MOST_TEXT));
                    text.push_str("...");
                }
                // A form that no proposition has: its number is the one of the condition.
                self.add(&text, String::new(), &expression);
            }
            short = new;
        }
        if self.texts.len() == before { plain } else { short }
    }

    /// A formula without temporal operators as an expression; `None` if it has too many operators.
    fn expression(&self, table: &Formulas, f: Formula, left: &mut usize) -> Option<Expr> {
        *left = left.checked_sub(1)?;
        let truth =
            |f: Expr| Expr::Binary(BinaryOp::NotEqual, Box::new(f), Box::new(Expr::Const(0)));
        let not = |f: Expr| Expr::Unary(UnaryOp::Not, Box::new(f));
        let mut of = |g: &Formula| self.expression(table, *g, left);
        Some(match table.node(f) {
            Node::True => Expr::Const(1),
            Node::False => Expr::Const(0),
            Node::Atom(number) => self.expressions.get(*number as usize)?.clone(),
            Node::Not(g) => not(of(g)?),
            Node::And(list) => {
                let parts = list.iter().map(of).collect::<Option<Vec<_>>>()?;
                parts.into_iter().reduce(|a, b| Expr::And(Box::new(a), Box::new(b)))?
            }
            Node::Or(list) => {
                let parts = list.iter().map(of).collect::<Option<Vec<_>>>()?;
                parts.into_iter().reduce(|a, b| Expr::Or(Box::new(a), Box::new(b)))?
            }
            Node::Implies(g, h) => Expr::Or(Box::new(not(of(g)?)), Box::new(of(h)?)),
            Node::Equivalent(g, h) => {
                let (g, h) = (truth(of(g)?), truth(of(h)?));
                Expr::Binary(BinaryOp::Equal, Box::new(g), Box::new(h))
            }
            _ => return None,
        })
    }
}
