//! The edition that students get: without solutions, hidden parts sealed or left out.

use crate::blocks::cut;
use crate::data::fields;
use crate::keys::{TASK_KEYS, find};
use crate::{limits, read, seal};
use promenade_base::{Diagnostic, FileId};
use std::fmt::Write;
use std::ops::Range;

/// What becomes of hidden parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// They are sealed against casual reading: the student's own self-check includes them.
    Sealed,
    /// They are left out.
    Private,
}

/// The edition of an author's text for students.
///
/// # Errors
/// The text has errors, or is an edition for students itself.
pub fn student_edition(text: &str, edition: Edition) -> Result<String, Vec<Diagnostic>> {
    let checked = read(text);
    if checked.has_errors() {
        return Err(checked.diagnostics);
    }
    let assignment = checked.value;
    let refuse = |message: &str| {
        vec![Diagnostic::error("not-the-author's", promenade_base::Span::default(), message)]
    };
    if assignment.sealed || assignment.private {
        return Err(refuse("this is an edition for students already: use the author's file"));
    }
    let document = cut(text, FileId(0), &mut Vec::new());
    // What is put where, and what is taken away.
    let mut cuts: Vec<(Range<usize>, String)> = Vec::new();
    let mut hidden = String::new();
    for block in &document.blocks {
        if block.attribute("solution").is_some() {
            cuts.push((block.whole.clone(), String::new()));
        } else if block.attribute("hidden").is_some() {
            hidden.push_str(&text[block.whole.clone()]);
            cuts.push((block.whole.clone(), String::new()));
        } else if block.word == "task" {
            let says = edition == Edition::Private;
            task(text, block.text.clone(), says, &mut hidden, &mut cuts);
        }
    }
    let word = match edition {
        Edition::Sealed => "sealed",
        Edition::Private => "private",
    };
    if let Some(front) = &document.front {
        let given = fields(text, front.clone(), FileId(0), &mut Vec::new());
        let given = given.into_iter().find(|field| field.key == "edition");
        let place = given.map_or(front.end..front.end, |field| field.whole);
        cuts.push((place, format!("edition: {word}\n")));
    }
    cuts.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, instead) in cuts {
        out.push_str(text.get(at..range.start).unwrap_or(""));
        out.push_str(&instead);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    if edition == Edition::Sealed && !hidden.is_empty() {
        let too_long = || refuse("the hidden parts are too long to be sealed");
        let sealed = seal::seal(&assignment.id, &hidden).ok_or_else(too_long)?;
        let _ = write!(out, "\n```sealed\n{sealed}```\n");
    }
    if out.len() > limits::ASSIGNMENT_BYTES {
        return Err(refuse("the edition for students is longer than an assignment may be"));
    }
    // What was written has to be readable.
    let again = read(&out);
    if again.has_errors() { Err(again.diagnostics) } else { Ok(out) }
}

/// Takes the hidden fields of a task away, and says so in it if that is wanted.
fn task(
    text: &str,
    range: Range<usize>,
    says: bool,
    hidden: &mut String,
    cuts: &mut Vec<(Range<usize>, String)>,
) {
    let fields = fields(text, range, FileId(0), &mut Vec::new());
    let line_end = |range: &Range<usize>| {
        let line = text[range.clone()].to_owned();
        if line.ends_with('\n') { line } else { line + "\n" }
    };
    let mut moved = String::new();
    for field in &fields {
        if !find(TASK_KEYS, &field.key).is_some_and(|key| key.hidden) {
            continue;
        }
        if field.key != "solution" {
            moved.push_str(&line_end(&field.whole));
        }
        cuts.push((field.whole.clone(), String::new()));
    }
    let Some(id) = fields.iter().find(|field| field.key == "id") else { return };
    if !moved.is_empty() {
        // Longer than any fence within.
        let _ = write!(hidden, "````````task\n{}{moved}````````\n", line_end(&id.whole));
        if says && !fields.iter().any(|field| field.key == "withheld") {
            cuts.push((id.whole.end..id.whole.end, "withheld: yes\n".to_owned()));
        }
    }
}
