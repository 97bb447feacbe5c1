//! The propositions of a formula, and what an error in one of them counts.
//!
//! `&&`, `||`, `->` and conditional expressions stop early in Promela: a part that is not looked at
//! cannot go wrong. Within a part without temporal operators a formula is read as that part would be
//! in a statement, so a proposition that may fail is only looked at where its left neighbours let it.
//! Across temporal operators the text gives no order: there an error counts if the edge that the
//! automaton would take depends on it ([`ClaimLabels`]).

mod wide;

use promenade_analysis::{may_fail, without_spans};
use promenade_automata::Label;
use promenade_ir::{
    Action, BinaryOp, ClaimLabels, EdgeId, Expr, Formula as Tree, Graph, TemporalOp, UnaryOp,
};
use promenade_ltl::{Formula, Formulas, MAX_ATOMS};

/// Propositions of a formula: expressions with their texts, equal texts once.
#[derive(Default)]
pub(crate) struct Propositions {
    /// Their names, all different.
    pub texts: Vec<String>,
    forms: Vec<String>,
    expressions: Vec<Expr>,
    /// Whole parts without temporal operators are propositions.
    united: bool,
}

/// Bytes of the text of a part that becomes a proposition, about.
const MOST_TEXT: usize = 160;

/// What has been looked at when a part of a formula is.
#[derive(Clone, Default)]
struct Before {
    /// It must have been true.
    condition: Option<Expr>,
    /// It may have failed.
    fails: bool,
}

impl Propositions {
    /// The formula in the table, and its propositions; `None` if it has too many. Where the smallest
    /// parts are too many, whole parts without temporal operators are propositions.
    pub(crate) fn formula(table: &mut Formulas, tree: &Tree) -> Option<(Formula, Self)> {
        [false, true].into_iter().find_map(|united| {
            let mut propositions = Self { united, ..Self::default() };
            let formula = propositions.part(table, tree, &Before::default())?;
            Some((formula, propositions))
        })
    }

    fn part(&mut self, table: &mut Formulas, tree: &Tree, before: &Before) -> Option<Formula> {
        let anew = Before::default();
        if self.united
            && !matches!(tree, Tree::Atom(..))
            && let Some(whole) = condition(tree)
        {
            let mut text = String::new();
            write(tree, &mut text);
            return self.proposition(table, &whole, &text, before);
        }
        Some(match tree {
            Tree::Atom(Expr::Const(value), ..) => table.constant(*value != 0),
            Tree::Atom(expression, _, text) => {
                return self.proposition(table, expression, text, before);
            }
            Tree::Not(f) => {
                let f = self.part(table, f, before)?;
                table.not(f)
            }
            Tree::Next(f) => {
                let f = self.part(table, f, &anew)?;
                table.next(f)
            }
            Tree::Always(f) => {
                let f = self.part(table, f, &anew)?;
                table.always(f)
            }
            Tree::Eventually(f) => {
                let f = self.part(table, f, &anew)?;
                table.eventually(f)
            }
            Tree::Binary(op, f, g) => {
                let (left, right) = match op {
                    TemporalOp::And => (before, before.and(f, true)),
                    TemporalOp::Or => (before, before.and(f, false)),
                    TemporalOp::Implies => (before, before.and(f, true)),
                    TemporalOp::Equivalent => (before, before.clone()),
                    TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release => {
                        (&anew, anew.clone())
                    }
                };
                let f = self.part(table, f, left)?;
                let g = self.part(table, g, &right)?;
                match op {
                    TemporalOp::And => table.and([f, g]),
                    TemporalOp::Or => table.or([f, g]),
                    TemporalOp::Implies => table.implies(f, g),
                    TemporalOp::Equivalent => table.equivalent(f, g),
                    TemporalOp::Until => table.until(f, g),
                    TemporalOp::WeakUntil => table.weak_until(f, g),
                    TemporalOp::Release => table.release(f, g),
                }
            }
        })
    }

    /// `None` if there are too many.
    fn proposition(
        &mut self,
        table: &mut Formulas,
        expression: &Expr,
        text: &str,
        before: &Before,
    ) -> Option<Formula> {
        let number = match &before.condition {
            Some(condition) if before.fails || may_fail(expression) => {
                self.number(text, &guarded(condition.clone(), expression.clone()))
            }
            _ => self.number(text, expression),
        };
        (number < MAX_ATOMS).then(|| table.atom(number))
    }

    fn number(&mut self, text: &str, expression: &Expr) -> u32 {
        // Texts may be cut, and those of macros come from one place.
        let form = format!("{:?}", without_spans(expression));
        let known = self.forms.iter().position(|known| *known == form);
        known.map_or_else(|| self.add(text, form, expression), |known| known as u32)
    }

    fn add(&mut self, text: &str, form: String, expression: &Expr) -> u32 {
        let mut name = text.to_owned();
        for number in 2.. {
            if !self.texts.contains(&name) {
                break;
            }
            name = format!("{text} ({number})");
        }
        self.texts.push(name);
        self.forms.push(form);
        self.expressions.push(expression.clone());
        self.texts.len() as u32 - 1
    }

    /// An edge's label as a condition over the model.
    pub(crate) fn guard(&self, label: &Label) -> Expr {
        let truth = |number: usize, value: bool| {
            let expression = self.expressions.get(number).cloned().unwrap_or(Expr::Const(0));
            if value {
                // Any value but zero is true.
                Expr::Binary(BinaryOp::NotEqual, Box::new(expression), Box::new(Expr::Const(0)))
            } else {
                not(expression)
            }
        };
        let cubes = label.cubes().into_iter().map(|cube| {
            let literals = (0..self.expressions.len())
                .filter(|&n| (cube.must | cube.must_not) >> n & 1 == 1)
                .map(|n| truth(n, cube.must >> n & 1 == 1));
            literals.reduce(and).unwrap_or(Expr::Const(1))
        });
        cubes.reduce(or).unwrap_or(Expr::Const(0))
    }

    /// The labels of a claim, state by state and edge by edge; `None` if no proposition can fail.
    pub(crate) fn labels(&self, graph: &Graph, labels: &[Vec<&Label>]) -> Option<ClaimLabels> {
        let edges = graph.locations.iter().zip(labels);
        let edges = edges.flat_map(|(from, labels)| from.edges.iter().zip(labels));
        claim_labels(&self.expressions, edges.map(|(edge, label)| (edge.id, *label)))
    }
}

impl Before {
    /// The same after one more part was looked at and found to be `value`. A part with temporal
    /// operators is not looked at in one state.
    fn and(&self, part: &Tree, value: bool) -> Self {
        let Some(part) = condition(part) else { return self.clone() };
        let fails = self.fails || may_fail(&part);
        let part = if value { part } else { not(part) };
        let condition = match &self.condition {
            Some(before) => and(before.clone(), part),
            None => part,
        };
        Self { condition: Some(condition), fails }
    }
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr::And(Box::new(a), Box::new(b))
}

fn or(a: Expr, b: Expr) -> Expr {
    Expr::Or(Box::new(a), Box::new(b))
}

fn not(a: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(a))
}

/// An expression that is looked at where a condition holds, and false elsewhere.
fn guarded(condition: Expr, expression: Expr) -> Expr {
    Expr::Conditional(Box::new(condition), Box::new(expression), Box::new(Expr::Const(0)))
}

/// The text of a formula without temporal operators, or its beginning.
fn write(tree: &Tree, out: &mut String) {
    let put = |out: &mut String, text: &str| {
        if out.len() <= MOST_TEXT {
            out.push_str(text);
            out.push_str(if out.len() > MOST_TEXT { "..." } else { "" });
        }
    };
    match tree {
        _ if out.len() > MOST_TEXT => {}
        Tree::Atom(_, _, text) => put(out, text),
        Tree::Not(f) => {
            put(out, "!(");
            write(f, out);
            put(out, ")");
        }
        Tree::Binary(op, f, g) => {
            let sign = match op {
                TemporalOp::And => " && ",
                TemporalOp::Or => " || ",
                TemporalOp::Implies => " -> ",
                _ => " <-> ",
            };
            for (part, sign) in [(f, sign), (g, "")] {
                let atom = matches!(**part, Tree::Atom(..) | Tree::Not(_));
                let same = matches!(&**part, Tree::Binary(inner, ..) if inner == op);
                let bare = atom || same && matches!(op, TemporalOp::And | TemporalOp::Or);
                put(out, if bare { "" } else { "(" });
                write(part, out);
                put(out, if bare { "" } else { ")" });
                put(out, sign);
            }
        }
        Tree::Next(_) | Tree::Always(_) | Tree::Eventually(_) => {}
    }
}

/// A formula without temporal operators as an expression.
fn condition(tree: &Tree) -> Option<Expr> {
    Some(match tree {
        Tree::Atom(expression, ..) => expression.clone(),
        Tree::Not(f) => not(condition(f)?),
        Tree::Next(_) | Tree::Always(_) | Tree::Eventually(_) => return None,
        Tree::Binary(op, f, g) => {
            let (f, g) = (condition(f)?, condition(g)?);
            match op {
                TemporalOp::And => and(f, g),
                TemporalOp::Or => or(f, g),
                TemporalOp::Implies => or(not(f), g),
                TemporalOp::Equivalent => {
                    Expr::Binary(BinaryOp::Equal, Box::new(not(f)), Box::new(not(g)))
                }
                TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release => return None,
            }
        }
    })
}

fn claim_labels<'l>(
    propositions: &[Expr],
    labels: impl Iterator<Item = (EdgeId, &'l Label)>,
) -> Option<ClaimLabels> {
    if !propositions.iter().any(may_fail) {
        return None;
    }
    let cubes = |label: &Label| -> Vec<(u64, u64)> {
        label.cubes().iter().map(|cube| (cube.must, cube.must_not)).collect()
    };
    Some(ClaimLabels {
        propositions: propositions.to_vec(),
        cubes: labels.map(|(edge, label)| (edge, cubes(label))).collect(),
    })
}

/// Labels for a claim whose conditions combine propositions in no order of their own, as those made
/// from an automaton in the Hanoi format do. `None` if none can fail, or there are too many.
pub(crate) fn labels_of_conditions(graph: &Graph) -> Option<ClaimLabels> {
    let mut propositions = Propositions::default();
    let mut labels = Vec::new();
    for edge in graph.locations.iter().flat_map(|location| &location.edges) {
        if let Action::Condition(condition) = &edge.action {
            labels.push((edge.id, propositions.label(condition)?));
        }
    }
    claim_labels(&propositions.expressions, labels.iter().map(|(edge, label)| (*edge, label)))
}

impl Propositions {
    fn label(&mut self, condition: &Expr) -> Option<Label> {
        Some(match condition {
            Expr::Const(0) => Label::none(),
            Expr::Const(_) => Label::all(),
            Expr::Unary(UnaryOp::Not, a) => self.label(a)?.not(),
            Expr::And(a, b) => self.label(a)?.and(&self.label(b)?),
            Expr::Or(a, b) => self.label(a)?.or(&self.label(b)?),
            other => {
                let number = self.number("", other);
                if number >= MAX_ATOMS {
                    return None;
                }
                Label::atom(number)
            }
        })
    }
}
