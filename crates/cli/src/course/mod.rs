//! `promenade grade` and `promenade assignment`.

pub(crate) mod arguments;
mod author;
mod collect;
mod grade;
mod html;
mod pool;
mod report;
mod zipped;

use crate::Exit;
use crate::output;
use arguments::Request;
use promenade_assignment::{Assignment, read};
use promenade_base::{Diagnostic, Severity, SourceMap};
use std::fmt::Write;
use std::io::Read;

/// Runs the command.
pub(crate) fn run(request: &Request) -> Exit {
    match request {
        Request::Worker => pool::serve(),
        Request::Grade(request) => grade::run(request),
        Request::Author(request) => author::run(request),
    }
}

/// The text of an assignment file; an error is a sentence for the user.
fn text_of(name: &str) -> Result<String, String> {
    let most = promenade_assignment::limits::ASSIGNMENT_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = match name {
        "-" => std::io::stdin().lock().take(most).read_to_end(&mut bytes),
        name => std::fs::File::open(name).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|error| format!("cannot read `{name}`: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("`{name}` is not text in UTF-8"))
}

/// Reads an assignment and says what is wrong with it; `None` if it cannot be used.
fn load(name: &str) -> Option<(String, Assignment)> {
    let text = match text_of(name) {
        Ok(text) => text,
        Err(message) => {
            output::complain(&format!("error: {message}"));
            return None;
        }
    };
    let checked = read(&text);
    for diagnostic in &checked.diagnostics {
        output::complain(&told(name, &text, diagnostic));
    }
    (!checked.has_errors()).then_some((text, checked.value))
}

/// A finding with its place in the assignment.
fn told(name: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let sources = SourceMap::single(name, text);
    let at = sources.line_column(diagnostic.span);
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut out = format!("{name}:{}:{}: {level}: {}", at.line, at.column, diagnostic.message);
    if let Some(hint) = &diagnostic.hint {
        let _ = write!(out, "\n  {hint}");
    }
    for related in &diagnostic.related {
        let at = sources.line_column(related.span);
        let _ = write!(out, "\n  {name}:{}:{}: {}", at.line, at.column, related.message);
    }
    out
}
