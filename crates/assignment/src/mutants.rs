//! Mutants: models with one small mistake, to see which checks notice it.
//!
//! The changes are the classic ones of mutation testing (R. A. DeMillo, R. J. Lipton, F. G. Sayward,
//! Hints on Test Data Selection, 1978), as far as they make sense in a guarded language.

use crate::author::sample;
use crate::format::{Assignment, Role};
use crate::regions::Template;
use crate::submission::Submission;
use promenade_base::{FileId, SourceMap, Span};
use promenade_promela_syntax::ast::{Item, Sequence, Statement, StatementKind};
use promenade_promela_syntax::highlight::{TokenClass, tokens};
use promenade_promela_syntax::{ParseOptions, parse};
use promenade_protocol::{Experiment, File, Level};
use std::collections::BTreeSet;
use std::ops::Range;

/// What was changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A guard is its opposite.
    NegatedGuard,
    /// A statement does nothing.
    DroppedStatement,
    /// An operator is another one.
    SwappedOperator,
    /// Steps that were one are several.
    RemovedAtomic,
    /// A constant is one more, or a truth value the other.
    ShiftedConstant,
}

impl Change {
    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::NegatedGuard => "negated guard",
            Self::DroppedStatement => "dropped statement",
            Self::SwappedOperator => "swapped operator",
            Self::RemovedAtomic => "removed atomic",
            Self::ShiftedConstant => "shifted constant",
        }
    }
}

/// A model with one mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// What was changed.
    pub change: Change,
    /// The line, from 1.
    pub line: u32,
    /// What stood there.
    pub before: String,
    /// What stands there now.
    pub after: String,
    /// The whole text.
    pub text: String,
}

/// At most `most` mutants of a text that can still be read, each text once, in the order of the text.
/// Only what begins in a line (from 0) that `may_change` is changed; properties never are.
pub fn mutants(text: &str, may_change: &dyn Fn(usize) -> bool, most: usize) -> Vec<Mutant> {
    let mut edits = Vec::new();
    by_tokens(text, &mut edits);
    by_tree(text, &mut edits);
    edits.sort_by_key(|(range, _, change)| (range.start, range.end, *change));
    let mut seen = BTreeSet::from([text.to_owned()]);
    let mut found = Vec::new();
    for (range, after, change) in edits {
        let line = text[..range.start].matches('\n').count();
        if !may_change(line) {
            continue;
        }
        let mut mutated = String::with_capacity(text.len() + after.len());
        mutated.push_str(&text[..range.start]);
        mutated.push_str(&after);
        mutated.push_str(&text[range.end..]);
        if !seen.insert(mutated.clone()) || !compiles(&mutated) {
            continue;
        }
        let before = text[range].to_owned();
        found.push(Mutant { change, line: line as u32 + 1, before, after, text: mutated });
        if found.len() >= most {
            break;
        }
    }
    found
}

type Edit = (Range<usize>, String, Change);

fn compiles(text: &str) -> bool {
    let file = File { name: "mutant".to_owned(), text: text.to_owned() };
    let experiment = Experiment { files: vec![file], ..Experiment::default() };
    let (diagnostics, _) = promenade_checker::parse(&experiment);
    !diagnostics.iter().any(|it| it.level == Level::Error)
}

/// Operators, constants, atomic sequences.
fn by_tokens(text: &str, edits: &mut Vec<Edit>) {
    const SWAPS: [(&str, &str); 14] = [
        ("<", "<="),
        ("<=", "<"),
        (">", ">="),
        (">=", ">"),
        ("==", "!="),
        ("!=", "=="),
        ("&&", "||"),
        ("||", "&&"),
        ("+", "-"),
        ("-", "+"),
        ("++", "--"),
        ("--", "++"),
        ("*", "+"),
        ("%", "+"),
    ];
    let mut depth = 0usize;
    // Inside a property: the depth of braces that it began at.
    let mut property: Option<usize> = None;
    for (range, class) in tokens(text) {
        let word = &text[range.clone()];
        match (class, word) {
            (TokenClass::Comment, _) => continue,
            (_, "ltl" | "never" | "trace" | "notrace") if property.is_none() && depth == 0 => {
                property = Some(depth);
            }
            (_, "{") => depth += 1,
            (_, "}") => {
                depth = depth.saturating_sub(1);
                if property == Some(depth) {
                    property = None;
                }
            }
            _ => {}
        }
        if property.is_some() {
            continue;
        }
        match class {
            TokenClass::Operator => {
                if let Some((_, to)) = SWAPS.iter().find(|(from, _)| *from == word) {
                    edits.push((range, (*to).to_owned(), Change::SwappedOperator));
                }
            }
            TokenClass::Number => {
                if let Some(more) = word.parse::<i64>().ok().and_then(|it| it.checked_add(1)) {
                    edits.push((range, more.to_string(), Change::ShiftedConstant));
                }
            }
            TokenClass::Constant if matches!(word, "true" | "false") => {
                let other = if word == "true" { "false" } else { "true" };
                edits.push((range, other.to_owned(), Change::ShiftedConstant));
            }
            TokenClass::Keyword if matches!(word, "atomic" | "d_step") => {
                edits.push((range, String::new(), Change::RemovedAtomic));
            }
            _ => {}
        }
    }
}

/// Guards and statements.
fn by_tree(text: &str, edits: &mut Vec<Edit>) {
    let sources = SourceMap::single("model", text);
    let tree = parse(&sources, &ParseOptions::default());
    let mut walk = Walk { text, edits };
    for item in &tree.value.items {
        match item {
            Item::Proctype(proctype) => walk.sequence(&proctype.body),
            Item::Init(init) => walk.sequence(&init.body),
            _ => {}
        }
    }
}

struct Walk<'a> {
    text: &'a str,
    edits: &'a mut Vec<Edit>,
}

impl Walk<'_> {
    fn push(&mut self, span: Span, change: Change, after: &dyn Fn(&str) -> String) {
        let range = span.start as usize..span.end as usize;
        let Some(before) = self.text.get(range.clone()).filter(|it| !it.trim().is_empty()) else {
            return;
        };
        if span.file == FileId(0) {
            let after = after(before);
            self.edits.push((range, after, change));
        }
    }

    /// A guard that begins an option, or waits in a sequence.
    fn sequence(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let drop = |_: &str| "skip".to_owned();
        match &statement.kind {
            StatementKind::Expr(guard) => {
                let negate = |before: &str| format!("!({before})");
                self.push(guard.span, Change::NegatedGuard, &negate);
                self.push(guard.span, Change::DroppedStatement, &drop);
            }
            StatementKind::Assign(..)
            | StatementKind::Increment(_)
            | StatementKind::Decrement(_)
            | StatementKind::Send { .. }
            | StatementKind::Receive { .. }
            | StatementKind::Goto(_) => {
                // The place behind its labels.
                let start = statement.labels.last().map_or(statement.span.start, |label| {
                    let behind = label.span.end as usize;
                    let rest = self.text.get(behind..).unwrap_or("");
                    let colon = rest.find(':').map_or(0, |colon| colon + 1);
                    let blank = rest.get(colon..).unwrap_or("");
                    let blank = blank.len() - blank.trim_start().len();
                    (behind + colon + blank) as u32
                });
                let start = start.max(statement.span.start).min(statement.span.end);
                let span = Span { start, ..statement.span };
                self.push(span, Change::DroppedStatement, &drop);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|option| self.sequence(option));
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::ForRange { body, .. }
            | StatementKind::ForIn { body, .. } => self.sequence(body),
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            _ => {}
        }
    }
}

/// Mutants of the sample solution's files, within their regions, each with the submission that it
/// makes: the file's name, the mutant, the submission.
pub fn of_sample(assignment: &Assignment, most: usize) -> Vec<(String, Mutant, Submission)> {
    let whole = sample(assignment);
    let mut found = Vec::new();
    for (at, (name, text)) in whole.files.iter().enumerate() {
        let Some(file) = assignment.file(name) else { continue };
        let Role::Starter { directives } = file.role else { continue };
        let Ok(regions) = Template::new(&file.text, directives).regions(text) else { continue };
        let lines: Vec<Range<usize>> = regions.into_iter().map(|(_, lines)| lines).collect();
        let may_change = |line: usize| lines.iter().any(|lines| lines.contains(&line));
        for mutant in mutants(text, &may_change, most) {
            let mut submission = Submission { answers: Vec::new(), ..whole.clone() };
            submission.files[at].1.clone_from(&mutant.text);
            submission.label = format!("{name}:{}", mutant.line);
            found.push((name.clone(), mutant, submission));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "byte x;\nactive [2] proctype P() {\n  do\n  :: x < 2 -> atomic { x++; x = x + 1 }\n  \
        :: else -> break\n  od\n}\nltl p { [] (x <= 4) }\n";

    #[test]
    fn every_change_is_made_once_and_can_be_read() {
        let found = mutants(MODEL, &|_| true, 1000);
        let count = |change| found.iter().filter(|it| it.change == change).count();
        assert_eq!(count(Change::NegatedGuard), 1);
        assert_eq!(count(Change::RemovedAtomic), 1);
        assert_eq!(count(Change::DroppedStatement), 3);
        assert!(count(Change::SwappedOperator) >= 3 && count(Change::ShiftedConstant) >= 3);
        let texts: BTreeSet<&str> = found.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts.len(), found.len());
        for mutant in &found {
            assert!(mutant.text.ends_with("ltl p { [] (x <= 4) }\n"), "{mutant:?}");
            assert!(compiles(&mutant.text));
        }
        let negated = found.iter().find(|it| it.change == Change::NegatedGuard).unwrap();
        assert_eq!((negated.line, negated.after.as_str()), (4, "!(x < 2)"));
    }

    #[test]
    fn only_some_lines_and_so_many() {
        assert!(mutants(MODEL, &|line| line == 0, 1000).is_empty());
        assert_eq!(mutants(MODEL, &|_| true, 2).len(), 2);
        assert!(mutants("active proctype {{{", &|_| true, 9).is_empty());
    }

    #[test]
    fn labels_stay() {
        let text = "byte x;\ninit { goto end; here: x = 1; end: skip }\n";
        let found = mutants(text, &|_| true, 99);
        assert!(found.iter().any(|it| it.text.contains("here: skip;")), "{found:?}");
    }
}
