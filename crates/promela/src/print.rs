//! `printf` and `printm`.

use crate::lowering::Lowering;
use promenade_base::Span;
use promenade_ir::{Action, Print, PrintPart};
use promenade_promela_syntax::ast::Expr;

impl Lowering<'_> {
    /// `printf(format, arguments)`
    pub(crate) fn printf(&mut self, format: &str, arguments: &[Expr], span: Span) -> Action {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut values = arguments.iter();
        let mut used = 0usize;
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('f') => text.push('\u{c}'),
                    Some(other) => text.push(other),
                    None => text.push('\\'),
                },
                '%' => {
                    let directive = chars.next();
                    if directive == Some('%') {
                        text.push('%');
                        continue;
                    }
                    let make: Option<fn(promenade_ir::Expr) -> PrintPart> = match directive {
                        Some('d') => Some(PrintPart::Decimal),
                        Some('u') => Some(PrintPart::Unsigned),
                        Some('x') => Some(PrintPart::Hexadecimal),
                        Some('o') => Some(PrintPart::Octal),
                        Some('c') => Some(PrintPart::Character),
                        Some('e') => None,
                        other => {
                            self.unknown_directive(other, span);
                            continue;
                        }
                    };
                    let Some(value) = values.next() else {
                        self.missing_value(span);
                        continue;
                    };
                    used += 1;
                    if !text.is_empty() {
                        parts.push(PrintPart::Text(std::mem::take(&mut text)));
                    }
                    parts.push(match make {
                        Some(make) => make(self.expr(value)),
                        None => self.symbol(value),
                    });
                }
                c => text.push(c),
            }
        }
        if !text.is_empty() {
            parts.push(PrintPart::Text(text));
        }
        for value in values {
            self.expr(value);
        }
        if used < arguments.len() {
            self.out.warning(
                "printf-arguments",
                span,
                format!(
                    "`printf` has more values than directives, {used} of {} used",
                    arguments.len()
                ),
                "The last ones are not printed.",
            );
        }
        Action::Print(Print { parts })
    }

    fn unknown_directive(&mut self, directive: Option<char>, span: Span) {
        let shown = directive.map(String::from).unwrap_or_default();
        self.out.warning(
            "printf-directive",
            span,
            format!("`printf` does not know `%{shown}`, nothing is printed for it"),
            "Use %d, %u, %x, %o, %c or %e.",
        );
    }

    fn missing_value(&mut self, span: Span) {
        self.out.warning(
            "printf-arguments",
            span,
            "`printf` has more directives than values",
            "Add the values behind the format.",
        );
    }

    /// `printm(name)`
    pub(crate) fn printm(&mut self, value: &Expr) -> Action {
        let parts = vec![self.symbol(value)];
        Action::Print(Print { parts })
    }

    fn symbol(&mut self, value: &Expr) -> PrintPart {
        let set = self.mtype_set_of(value);
        PrintPart::Symbol(self.expr(value), set)
    }
}
