//! Formats of `printf`.

use crate::lower::Lower;
use promenade_base::Span;
use promenade_ir::{Print, PrintPart};
use promenade_promela_syntax::ast;

impl Lower<'_> {
    /// Splits a format into text and values.
    pub fn printf(&mut self, format: &str, arguments: &[ast::Expr], span: Span) -> Print {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut values = arguments.iter();
        let mut characters = format.chars();
        while let Some(c) = characters.next() {
            match c {
                '\\' => match characters.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(other) => text.push(other),
                    None => text.push('\\'),
                },
                '%' => {
                    let Some(kind) = characters.next() else {
                        text.push('%');
                        continue;
                    };
                    if kind == '%' {
                        text.push('%');
                        continue;
                    }
                    let Some(value) = values.next() else {
                        self.warn(
                            "printf-arguments",
                            span,
                            "fewer values than `%` in the format",
                            "Add the missing values.",
                        );
                        continue;
                    };
                    let value = self.expr(value);
                    if !text.is_empty() {
                        parts.push(PrintPart::Text(std::mem::take(&mut text)));
                    }
                    parts.push(match kind {
                        'd' => PrintPart::Decimal(value),
                        'u' => PrintPart::Unsigned(value),
                        'x' => PrintPart::Hexadecimal(value),
                        'o' => PrintPart::Octal(value),
                        'c' => PrintPart::Character(value),
                        'e' => PrintPart::Symbol(value),
                        other => {
                            self.warn(
                                "printf-format",
                                span,
                                format!("unknown directive `%{other}`"),
                                "Use %d, %u, %x, %o, %c or %e.",
                            );
                            continue;
                        }
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
        Print { parts }
    }
}
