//! The letters that satisfy a formula.

use super::Label;
use promenade_ltl::{Formula, Formulas, Node};

/// Most branches of a label: joining two of them takes no time that would be noticed.
const MOST_WEIGHT: u32 = 1 << 10;

impl Label {
    /// The letters that satisfy a formula without temporal operators; `None` if it has one, or if that
    /// set is far from simple.
    pub fn from_formula(table: &Formulas, formula: Formula) -> Option<Self> {
        let short = |label: Self| (label.weight() <= MOST_WEIGHT).then_some(label);
        let mut labels: Vec<Option<Self>> = vec![None; table.len()];
        for f in table.subformulas(formula) {
            let of = |g: &Formula| labels[g.index()].clone();
            let own = match table.node(f) {
                Node::True => Self::all(),
                Node::False => Self::none(),
                Node::Atom(number) => Self::atom(*number),
                Node::Not(g) => of(g)?.not(),
                Node::And(list) => {
                    list.iter().try_fold(Self::all(), |sum, g| short(sum.and(&of(g)?)))?
                }
                Node::Or(list) => {
                    list.iter().try_fold(Self::none(), |sum, g| short(sum.or(&of(g)?)))?
                }
                Node::Implies(g, h) => of(g)?.not().or(&of(h)?),
                Node::Equivalent(g, h) => {
                    let (g, h) = (of(g)?, of(h)?);
                    g.and(&h).or(&g.not().and(&h.not()))
                }
                _ => return None,
            };
            labels[f.index()] = Some(short(own)?);
        }
        labels[formula.index()].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_ltl::{Reading, parse};

    #[test]
    fn formulas_as_sets_of_letters() {
        let mut table = Formulas::new();
        let mut label = |text: &str| {
            let formula =
                parse(text, Reading::Blocks).value.formula(&mut table).expect("a formula");
            Label::from_formula(&table, formula)
        };
        let (p, q) = (Label::atom(0), Label::atom(1));
        assert_eq!(label("p -> q"), Some(p.not().or(&q)));
        assert_eq!(label("(p <-> q) && !(p || false)"), Some(p.not().and(&q.not())));
        assert_eq!(label("p && X q"), None);
    }
}
