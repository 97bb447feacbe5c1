//! Diagnostics: collected once each, with guesses at what was meant.

use promenade_base::{Diagnostic, Span};
use std::collections::HashSet;

/// Diagnostics beyond this number are dropped; nobody reads on.
const MAX_DIAGNOSTICS: usize = 200;
/// Diagnostics beyond this number come without a guess, which takes a look at all names.
const MAX_GUESSES: usize = 30;

/// Collects diagnostics. The same finding at the same place is kept once: an inline that is expanded
/// twice has its errors once.
#[derive(Default)]
pub(crate) struct Reporter {
    list: Vec<Diagnostic>,
    said: HashSet<(&'static str, Span)>,
    errors: usize,
    /// Of these, errors about a unit without which the rest of the text can be used.
    unit_errors: usize,
    /// This unit, while it is read.
    unit: Option<Span>,
}

impl Reporter {
    /// Keeps a diagnostic.
    pub(crate) fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.unit = self.unit;
        self.errors += usize::from(diagnostic.is_error());
        self.unit_errors += usize::from(diagnostic.is_error() && self.unit.is_some());
        if self.is_full() {
            return;
        }
        let fresh = self.said.insert((diagnostic.code, diagnostic.span));
        if fresh && self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        }
    }

    /// An error without a hint.
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// An error that says what to do.
    pub(crate) fn error_hint(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, span, message).with_hint(hint));
    }

    /// A warning that says what to do.
    pub(crate) fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.report(Diagnostic::warning(code, span, message).with_hint(hint));
    }

    /// Takes back a warning for which there is an error now.
    pub(crate) fn withdraw(&mut self, code: &'static str, span: Span) {
        self.list.retain(|it| it.code != code || it.span != span || it.is_error());
    }

    /// Whether there was a finding with this code.
    pub(crate) fn has(&self, code: &str) -> bool {
        self.list.iter().any(|it| it.code == code)
    }

    /// Whether nothing more is kept.
    fn is_full(&self) -> bool {
        self.list.len() >= MAX_DIAGNOSTICS
    }

    /// What was meant, if one of the words is close to the text, for the first diagnostics.
    pub(crate) fn guess<'a>(
        &self,
        text: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.list.len() < MAX_GUESSES { suggest(text, candidates) } else { None }
    }

    /// How many errors there were, repeated ones included.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// How many of them make the whole text useless.
    pub(crate) fn text_errors(&self) -> usize {
        self.errors - self.unit_errors
    }

    /// What is said from now on is about this unit alone, or about the text again.
    pub(crate) fn about(&mut self, unit: Option<Span>) {
        self.unit = unit;
    }

    /// Everything said, in order.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

/// "Did you mean" with the closest of some words, if one is close enough.
fn suggest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match text.chars().count() {
        0 | 1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    candidates
        .map(|c| (distance(text, c, limit), c))
        .filter(|&(d, c)| d <= limit && (d > 0 || c != text))
        .min()
        .map(|(_, c)| c)
}

/// The number of letters inserted, removed, changed or exchanged with their neighbour (optimal
/// string alignment), or more than `limit`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit || a.len().max(b.len()) > 64 {
        return limit + 1;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y;
            let mut best = rows[i][j] + usize::from(x != y);
            best = best.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if swapped {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_words_are_suggested() {
        let words = ["counter", "count", "total"];
        let meant = |text| suggest(text, words.iter().copied());
        assert_eq!(meant("cuonter"), Some("counter"));
        assert_eq!(meant("totl"), Some("total"));
        assert_eq!(meant("x"), None);
        assert_eq!(meant("nothing"), None);
    }

    #[test]
    fn a_finding_is_kept_once() {
        let mut out = Reporter::default();
        out.error("a", Span::default(), "one");
        out.error("a", Span::default(), "one");
        assert_eq!(out.errors(), 2);
        assert_eq!(out.into_list().len(), 1);
    }
}
