//! Findings about the text, with the line and a caret.

use crate::{Exit, output};
use promenade_protocol::{DiagnosticData, Experiment, File, Level, Property, SpanData};
use std::fmt::Write;

/// Columns of a line that are shown.
const WIDEST: usize = 160;

/// Says why nothing can be done, errors first: what is wrong with the options on standard error.
pub(crate) fn refuse(diagnostics: &[DiagnosticData], experiment: &Experiment) -> Exit {
    let (mut shown, others): (Vec<_>, Vec<_>) =
        diagnostics.iter().cloned().partition(|it| it.level == Level::Error);
    shown.extend(others);
    let exit = exit(diagnostics);
    if exit == Exit::Usage {
        for it in shown.iter().filter(|it| it.level == Level::Error) {
            let hint = it.hint.as_ref().map_or_else(String::new, |hint| format!("\n{hint}"));
            output::complain(&format!("{}{hint}", it.message));
        }
    } else {
        output::print(&render(&shown, experiment));
    }
    exit
}

/// Whether the text cannot be used, or the options alone.
pub(crate) fn exit(diagnostics: &[DiagnosticData]) -> Exit {
    let mut errors = diagnostics.iter().filter(|it| it.level == Level::Error).peekable();
    let any = errors.peek().is_some();
    if any && errors.all(|it| it.span.file == SpanData::SETTINGS) {
        Exit::Usage
    } else {
        Exit::Input
    }
}

/// All of them, errors and warnings in the order given.
pub(crate) fn render(diagnostics: &[DiagnosticData], experiment: &Experiment) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let _ = writeln!(out, "{level}: {} [{}]", diagnostic.message, diagnostic.code);
        place(&diagnostic.span, experiment, &mut out);
        for (span, message) in &diagnostic.related {
            let _ = writeln!(out, "note: {message}");
            place(span, experiment, &mut out);
        }
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(out, "  = {hint}");
        }
        if let Some(fix) = &diagnostic.fix {
            let _ = writeln!(out, "  = fix: {}", fix.title);
        }
        out.push('\n');
    }
    out
}

/// `m.pml:3:5`
pub(crate) fn location(span: &SpanData, files: &[File]) -> String {
    let name = match span.file {
        SpanData::PROPERTY => "formula",
        SpanData::SETTINGS => "options",
        file => files.get(usize::from(file)).map_or("", |file| file.name.as_str()),
    };
    format!("{}:{}:{}", output::in_line(name), span.line, span.column)
}

/// The line of a place with carets under it.
pub(crate) fn place(span: &SpanData, experiment: &Experiment, out: &mut String) {
    if !span.is_in_file() && span.end == 0 {
        // It is about the property or the settings as a whole.
        return;
    }
    let _ = writeln!(out, "  --> {}", location(span, &experiment.files));
    let text = match (&experiment.property, span.file) {
        (Property::Formula { text }, SpanData::PROPERTY) => text.as_str(),
        (_, file) => experiment.files.get(usize::from(file)).map_or("", |it| it.text.as_str()),
    };
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
        .map(|c| match c {
            '\t' => ' ',
            c if output::misleads(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        })
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
    use promenade_protocol::FixData;

    #[test]
    fn the_line_is_shown_with_carets() {
        let text = "byte x;\n\tčx = yy + 1;\n".to_owned();
        let files = vec![File { name: "m.pml".to_owned(), text }];
        let experiment = Experiment { files, ..Experiment::default() };
        let start = experiment.files[0].text.find("yy").map_or(0, |at| at as u32);
        let span = SpanData { file: 0, start, end: start + 2, line: 2, column: 7 };
        let diagnostic = DiagnosticData {
            level: Level::Error,
            code: "undeclared".to_owned(),
            span,
            message: "undeclared variable `yy`".to_owned(),
            hint: Some("Declare it.".to_owned()),
            related: Vec::new(),
            fix: Some(FixData { title: "write `xx`".to_owned(), edits: Vec::new() }),
        };
        let expected = "error: undeclared variable `yy` [undeclared]\n  --> m.pml:2:7\n    |\n  \
                        2 |  čx = yy + 1;\n    |       ^^\n  = Declare it.\n  = fix: write `xx`\n\n";
        assert_eq!(render(&[diagnostic], &experiment), expected);
    }

    #[test]
    fn a_formula_is_shown_with_carets() {
        let property = Property::Formula { text: "[] (x < yy)".to_owned() };
        let experiment = Experiment { property, ..Experiment::default() };
        let span = SpanData { file: SpanData::PROPERTY, start: 8, end: 10, line: 1, column: 9 };
        let mut out = String::new();
        place(&span, &experiment, &mut out);
        let expected = "  --> formula:1:9\n    |\n  1 | [] (x < yy)\n    |         ^^\n";
        assert_eq!(out, expected);
        place(&SpanData::about(SpanData::SETTINGS), &experiment, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn wrong_places_do_no_harm() {
        let files = vec![File { name: "m".to_owned(), text: "abc".to_owned() }];
        let experiment = Experiment { files, ..Experiment::default() };
        let span = SpanData { file: 3, start: 9, end: 2, line: 0, column: 0 };
        place(&span, &experiment, &mut String::new());
        let span = SpanData { file: 0, start: 2, end: 900, line: 1, column: 90_000 };
        place(&span, &experiment, &mut String::new());
    }
}
