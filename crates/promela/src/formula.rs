//! `ltl` blocks: resolved after everything else, as if they stood at the end of the text.

use crate::Named;
use crate::body::{Body, BodyKind};
use crate::lowering::Lowering;
use crate::text;
use promenade_ir::{Formula, LtlProperty, TemporalOp};
use promenade_promela_syntax::ast::{self, FormulaKind, FormulaOperator, LtlBlock};

impl Lowering<'_> {
    /// `ltl name { formula }`
    pub(crate) fn ltl(&mut self, block: &LtlBlock) {
        let name = match &block.name {
            Some(name) => {
                self.check_claim_name(&name.text, name.span);
                name.text.to_string()
            }
            None => {
                let name = format!("ltl_{}", self.unnamed_formulas);
                self.unnamed_formulas += 1;
                self.check_claim_name(&name, block.span);
                name
            }
        };
        self.formulas.push(Named { name: name.clone(), span: block.span });
        let Some(formula) = &block.formula else { return };
        self.out.about(Some(block.span));
        self.body = Body::new(BodyKind::Formula, name.as_str().into(), block.span);
        self.body.scopes.enter();
        let formula = self.formula(formula);
        self.body = Body::new(BodyKind::None, "".into(), block.span);
        self.out.about(None);
        let text = block.text.trim().to_owned();
        self.model.formulas.push(LtlProperty { name, text, span: block.span, formula });
    }

    fn formula(&mut self, f: &ast::Formula) -> Formula {
        match &f.kind {
            FormulaKind::Atom(e) => Formula::Atom(self.expr(e), e.span, text::expression(e)),
            FormulaKind::Not(a) => Formula::Not(Box::new(self.formula(a))),
            FormulaKind::Next(a) => Formula::Next(Box::new(self.formula(a))),
            FormulaKind::Always(a) => Formula::Always(Box::new(self.formula(a))),
            FormulaKind::Eventually(a) => Formula::Eventually(Box::new(self.formula(a))),
            FormulaKind::Binary(op, a, b) => {
                let op = match op {
                    FormulaOperator::And => TemporalOp::And,
                    FormulaOperator::Or => TemporalOp::Or,
                    FormulaOperator::Implies => TemporalOp::Implies,
                    FormulaOperator::Equivalent => TemporalOp::Equivalent,
                    FormulaOperator::Until => TemporalOp::Until,
                    FormulaOperator::WeakUntil => TemporalOp::WeakUntil,
                    FormulaOperator::Release => TemporalOp::Release,
                };
                Formula::Binary(op, Box::new(self.formula(a)), Box::new(self.formula(b)))
            }
        }
    }
}
