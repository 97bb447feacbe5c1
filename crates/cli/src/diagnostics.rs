//! Findings about the text, with the line and a caret.

use promenade_protocol::{DiagnosticData, File, Level, SpanData};
use std::fmt::Write;

/// Columns of a line that are shown.
const WIDEST: usize = 160;

/// All of them, errors and warnings in the order given.
pub(crate) fn render(diagnostics: &[DiagnosticData], files: &[File]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let _ = writeln!(out, "{level}: {} [{}]", diagnostic.message, diagnostic.code);
        place(&diagnostic.span, files, &mut out);
        for (span, message) in &diagnostic.related {
            let _ = writeln!(out, "note: {message}");
            place(span, files, &mut out);
        }
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(out, "  = {hint}");
        }
        out.push('\n');
    }
    out
}

/// `m.pml:3:5`
pub(crate) fn location(span: &SpanData, files: &[File]) -> String {
    let name = files.get(usize::from(span.file)).map_or("", |file| file.name.as_str());
    format!("{name}:{}:{}", span.line, span.column)
}

/// The line of a place with carets under it.
pub(crate) fn place(span: &SpanData, files: &[File], out: &mut String) {
    let _ = writeln!(out, "  --> {}", location(span, files));
    let text = files.get(usize::from(span.file)).map_or("", |file| file.text.as_str());
    let Some(line) = text.lines().nth((span.line as usize).saturating_sub(1)) else { return };
    let skip = (span.column as usize).saturating_sub(1);
    let length = text
        .get(span.start as usize..span.end as usize)
        .map_or(1, |covered| covered.lines().next().map_or(1, |first| first.chars().count()))
        .clamp(1, WIDEST);
    let from = skip.saturating_sub(WIDEST - 40);
    let shown: String = line
        .chars()
        .skip(from)
        .take(WIDEST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let margin = span.line.to_string().len().max(3);
    let _ = writeln!(out, "{:margin$} |", "");
    let _ = writeln!(out, "{:>margin$} | {}", span.line, shown.trim_end());
    let carets = "^".repeat(length.min(WIDEST.saturating_sub(skip - from)).max(1));
    let _ = writeln!(out, "{:margin$} | {:indent$}{carets}", "", "", indent = skip - from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_shown_with_carets() {
        let text = "byte x;\n\tčx = yy + 1;\n".to_owned();
        let files = [File { name: "m.pml".to_owned(), text }];
        let start = files[0].text.find("yy").map_or(0, |at| at as u32);
        let span = SpanData { file: 0, start, end: start + 2, line: 2, column: 7 };
        let diagnostic = DiagnosticData {
            level: Level::Error,
            code: "undeclared".to_owned(),
            span,
            message: "undeclared variable `yy`".to_owned(),
            hint: Some("Declare it.".to_owned()),
            related: Vec::new(),
        };
        let expected = "error: undeclared variable `yy` [undeclared]\n  --> m.pml:2:7\n    |\n  \
                        2 |  čx = yy + 1;\n    |       ^^\n  = Declare it.\n\n";
        assert_eq!(render(&[diagnostic], &files), expected);
    }

    #[test]
    fn wrong_places_do_no_harm() {
        let files = [File { name: "m".to_owned(), text: "abc".to_owned() }];
        let span = SpanData { file: 3, start: 9, end: 2, line: 0, column: 0 };
        place(&span, &files, &mut String::new());
        let span = SpanData { file: 0, start: 2, end: 900, line: 1, column: 90_000 };
        place(&span, &files, &mut String::new());
    }
}
