//! A temporal operator in a comparison, as in `[] x == 1`: what it says, and what is probably meant.

use super::grammar::{Build, Infix, Operand, Reader, Shape, error};
use super::lexer::{Kind, Token, span};
use super::{Syntax, SyntaxKind, UnaryOperator};
use promenade_base::Diagnostic;

/// Characters of a formula that is quoted in a message.
const MOST_QUOTED: usize = 100;

impl Reader<'_> {
    /// The mistake of a left operand such as `[] x` in front of an operator of values.
    pub(super) fn mixed(&self, left: &Operand, operator: Token) -> Option<Box<Diagnostic>> {
        let Shape::Formula { kind: SyntaxKind::Unary(prefix, inner), .. } = &left.shape else {
            return None;
        };
        if left.parenthesised {
            return None;
        }
        let (mut temporal, mut inner) = (*prefix != UnaryOperator::Not, inner);
        while let SyntaxKind::Unary(next, under) = &inner.kind
            && !inner.parenthesised
        {
            temporal |= *next != UnaryOperator::Not;
            inner = under;
        }
        if !temporal || !is_plain(inner) {
            return None;
        }
        let (from, end) = (inner.span.start as usize, self.condition_end(operator));
        let prefix = self.text.get(left.start..from)?.trim_end();
        let operand = self.text.get(from..left.end)?;
        let rest = self.text.get(left.end..end)?.trim();
        let (prefix, sign) = (prefix.to_owned(), self.word(operator));
        let place = span(left.start, end);
        let code = "formula-as-value";
        if end - left.start > MOST_QUOTED {
            let message =
                format!("`{sign}` needs values, and one side is a formula of temporal logic");
            let hint = "Prefix operators apply to the very next operand: put the condition in \
                        parentheses.";
            return Some(error(code, place, message).hint(hint));
        }
        let meant = format!("{prefix} ({operand} {rest})");
        let message = format!(
            "`{prefix}` applies to `{operand}` alone: this reads `({prefix} {operand}) {rest}`, and \
             SPIN gives it no meaning"
        );
        let hint = format!("To make `{prefix}` apply to the whole condition, write `{meant}`.");
        let edits = vec![(span(from, from), "(".to_owned()), (span(end, end), ")".to_owned())];
        let built = Diagnostic::error(code, place, message).with_hint(hint);
        Some(Box::new(built.with_fix(format!("write `{meant}`"), edits)))
    }

    /// Where the condition ends that goes on with an operator of values.
    fn condition_end(&self, operator: Token) -> usize {
        let mut end = operator.end;
        let mut open = 0usize;
        let mut before = operator.kind;
        for token in self.tokens.iter().filter(|token| token.start >= operator.start) {
            match token.kind {
                Kind::LParen | Kind::LBracket => open += 1,
                Kind::RParen | Kind::RBracket if open > 0 => open -= 1,
                Kind::RParen | Kind::RBracket | Kind::End => break,
                _ if open > 0 => {}
                // An operand does not follow an operand: a word between is an operator.
                Kind::Word if ends_operand(before) => break,
                Kind::Word => {}
                _ => {
                    if matches!(self.infix(*token), Some((Infix::Formula(_) | Infix::Either(_), _)))
                    {
                        break;
                    }
                }
            }
            end = token.end;
            before = token.kind;
        }
        end
    }
}

/// Whether a part has no operator of temporal logic on top.
fn is_plain(syntax: &Syntax) -> bool {
    matches!(syntax.kind, SyntaxKind::Atom(_) | SyntaxKind::Constant(_))
}

/// Whether an operand may end with a token.
fn ends_operand(kind: Kind) -> bool {
    matches!(kind, Kind::Word | Kind::Number | Kind::RParen | Kind::RBracket | Kind::Opaque)
}
