//! A temporal operator in a comparison, as in `[] x == 1`: how SPIN reads it, and what is probably
//! meant.
//!
//! The mistake is reported where the comparison ends, so that what is offered puts all of it in
//! parentheses: `[] x + 1 == 2` is `[] (x + 1 == 2)`.

use super::Parser;
use super::formula::{Built, plain};
use crate::ast::{Expr, ExprKind, Formula, FormulaKind};
use crate::token::Spot;
use promenade_base::{Diagnostic, Span};

/// Characters of a formula that is quoted in a message.
const MOST_QUOTED: usize = 100;

/// A comparison that begins with a temporal operator.
pub(super) struct Mixed {
    /// The operand behind the temporal operators.
    inner: (Spot, usize),
    /// The token behind this operand.
    operand_end: usize,
    temporal: Span,
}

impl Built {
    /// Whether an operator of values behind it makes the mistake, or goes on with it.
    pub(super) fn starts_mixed(&self) -> bool {
        self.mixed.is_some() || self.prefixed.is_some()
    }
}

impl Parser {
    /// The operands of an operator of values, the left one with a temporal operator in front.
    pub(super) fn mix(&mut self, left: Built, right: Built) -> Built {
        let (start, end) = (left.start, right.end);
        let tokens = left.tokens.start..right.tokens.end;
        let height = left.height.max(right.height) + 1;
        let mixed = left.mixed.or_else(|| {
            let (inner, temporal) = (left.prefixed?, left.temporal?);
            Some(Box::new(Mixed { inner, operand_end: left.tokens.end, temporal }))
        });
        self.as_state(right, "a comparison");
        let span = start.to(end);
        let kind = FormulaKind::Atom(Expr { kind: ExprKind::Error, span });
        Built { mixed, height, ..plain(Formula { kind, span }, start, end, tokens) }
    }

    /// Reports the mistake, now that all of the comparison is known.
    pub(super) fn settled(&mut self, mut built: Built) -> Built {
        let Some(mixed) = built.mixed.take() else { return built };
        let text = |from, to| self.words.join(self.cursor.slice(from, to)).trim().to_owned();
        let (inner, at) = mixed.inner;
        let prefix = text(built.tokens.start, at);
        let operand = text(at, mixed.operand_end);
        let rest = text(mixed.operand_end, built.tokens.end);
        let meant = format!("{prefix} ({operand} {rest})");
        let span = built.formula.span;
        let code = "temporal-operand";
        let message = "a temporal operator cannot be an operand of a comparison or of arithmetic";
        if meant.len() > MOST_QUOTED {
            let hint = "Temporal operators apply to the very next operand; put the condition in \
                        parentheses: `[] (y <= x)`.";
            self.say(Diagnostic::error(code, mixed.temporal, message).with_hint(hint));
            return built;
        }
        let message = format!(
            "`{prefix}` applies to `{operand}` alone: this reads `({prefix} {operand}) {rest}`, and \
             SPIN gives it no meaning"
        );
        let hint = format!("To make `{prefix}` apply to the whole condition, write `{meant}`.");
        let mut diagnostic = Diagnostic::error(code, span, message).with_hint(hint);
        let (first, last) = (inner.span, built.end.span);
        let in_place = first.file == span.file
            && last.file == span.file
            && first.start > span.start
            && last.end == span.end
            && first.start < last.end;
        if in_place {
            let at = |offset| Span::new(span.file, offset, offset);
            let edits = vec![(at(first.start), "(".to_owned()), (at(last.end), ")".to_owned())];
            diagnostic = diagnostic.with_fix(format!("write `{meant}`"), edits);
        }
        self.say(diagnostic);
        built
    }
}
