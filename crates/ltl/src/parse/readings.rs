//! How a text groups: ghost parentheses, and what other conventions make of it.

use super::{BinaryOperator, Parsed, Reading, Syntax, SyntaxKind, UnaryOperator, grammar};
use promenade_base::{Diagnostic, Span};

/// A parenthesis that is not in the text and shows how it is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ghost {
    /// The byte in front of which it stands.
    pub position: u32,
    /// Opening or closing.
    pub opening: bool,
}

impl Syntax {
    /// Parentheses that show how the text groups, in the order of the text. Operands of operators
    /// get them unless the text has parentheses there or grouping cannot matter, as in a chain of
    /// `&&`; plain negations do not need them.
    pub fn ghost_parentheses(&self, atoms: &Parsed) -> Vec<Ghost> {
        let mut list = Vec::new();
        self.ghosts(atoms, &mut list);
        list
    }

    fn ghosts(&self, atoms: &Parsed, list: &mut Vec<Ghost>) {
        match &self.kind {
            SyntaxKind::Constant(_) | SyntaxKind::Atom(_) => {}
            SyntaxKind::Unary(_, operand) => operand.ghosts(atoms, list),
            SyntaxKind::Binary(operator, left, right) => {
                for (child, is_left) in [(left, true), (right, false)] {
                    let wanted = !child.parenthesised
                        && match &child.kind {
                            SyntaxKind::Constant(_) => false,
                            SyntaxKind::Atom(index) => {
                                atoms.atoms.get(*index).is_some_and(|atom| atom.text.contains(' '))
                            }
                            SyntaxKind::Unary(inner, _) => is_left && *inner != UnaryOperator::Not,
                            SyntaxKind::Binary(inner, ..) => {
                                inner != operator || !is_associative(*inner)
                            }
                        };
                    if wanted {
                        list.push(Ghost { position: child.span.start, opening: true });
                    }
                    child.ghosts(atoms, list);
                    if wanted {
                        list.push(Ghost { position: child.span.end, opening: false });
                    }
                }
            }
        }
    }

    /// The text with parentheses around all that could group in two ways, from the source `text`.
    pub fn grouped(&self, text: &str) -> String {
        let mut out = String::new();
        self.group(text, &mut out);
        out
    }

    fn group(&self, text: &str, out: &mut String) {
        match &self.kind {
            SyntaxKind::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
            SyntaxKind::Atom(_) => out.push_str(slice(text, self.span)),
            SyntaxKind::Unary(operator, operand) => {
                out.push_str(operator.sign());
                if *operator != UnaryOperator::Not {
                    out.push(' ');
                }
                operand.group_in(text, out, None);
            }
            SyntaxKind::Binary(operator, left, right) => {
                left.group_in(text, out, Some(*operator));
                out.push(' ');
                out.push_str(operator.sign());
                out.push(' ');
                right.group_in(text, out, Some(*operator));
            }
        }
    }

    fn group_in(&self, text: &str, out: &mut String, outer: Option<BinaryOperator>) {
        let bare = match &self.kind {
            SyntaxKind::Binary(inner, ..) => Some(*inner) == outer && is_associative(*inner),
            SyntaxKind::Atom(_) => self.parenthesised || !slice(text, self.span).contains(' '),
            SyntaxKind::Unary(..) | SyntaxKind::Constant(_) => true,
        };
        if bare {
            self.group(text, out);
        } else {
            out.push('(');
            self.group(text, out);
            out.push(')');
        }
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or("")
}

/// Whether grouping of a chain does not matter.
fn is_associative(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, And | Or | Xor | Equivalent)
}

/// A warning if another convention reads the text differently.
pub(super) fn compare(text: &str, syntax: &Syntax, reading: Reading) -> Option<Diagnostic> {
    let own = syntax.grouped(text);
    let mut others: Vec<(&str, String)> = Vec::new();
    for (other, name) in [
        (Reading::Blocks, "an `ltl` block of a model"),
        (Reading::CommandLine, "`spin -f`"),
        (Reading::RightAssociative, "Spot"),
    ] {
        if other == reading {
            continue;
        }
        let read = grammar::read(text, other).value.syntax;
        match read.map(|s| s.grouped(text)) {
            Some(grouped) if grouped != own => others.push((name, grouped)),
            _ => {}
        }
    }
    let (_, first) = others.first()?;
    let same = others.iter().all(|(_, grouped)| grouped == first);
    let differ = if same {
        let names: Vec<&str> = others.iter().map(|(name, _)| *name).collect();
        let verb = if names.len() == 1 { "reads" } else { "read" };
        format!("{} {verb} it as `{first}`", names.join(" and "))
    } else {
        let each: Vec<String> =
            others.iter().map(|(name, g)| format!("{name} reads it as `{g}`")).collect();
        each.join(", ")
    };
    let message = format!("read as `{own}`; {differ}");
    Some(
        Diagnostic::warning("ambiguous-grouping", syntax.span, message)
            .with_hint("Put parentheses where the tools differ."),
    )
}
