//! Comments do not nest: what is left of one inside another.

use crate::scan::{RawKind, Scanner};
use promenade_base::{Diagnostic, FileId, Span};

/// Warnings about the ends of comments that no comment is open for, at these places.
pub(super) fn stray_ends(file: FileId, text: &str, places: &[usize]) -> Vec<Diagnostic> {
    let comments: Vec<(usize, usize)> = Scanner::new(text, true)
        .filter(|raw| raw.kind == RawKind::Comment)
        .map(|raw| (raw.start, raw.end))
        .collect();
    let span = |start: usize, length: usize| Span::new(file, start as u32, (start + length) as u32);
    let mut found = Vec::new();
    for &place in places {
        let before = comments.partition_point(|&(start, _)| start < place);
        let last = before.checked_sub(1).and_then(|at| comments.get(at)).copied();
        let inner = last.and_then(|(start, end)| {
            let body = text.get(start..end)?.strip_prefix("/*")?;
            Some((start + 2 + body.find("/*")?, end))
        });
        let code = "stray-comment-end";
        let stray = span(place, 2);
        found.push(match inner {
            Some((inner, end)) => Diagnostic::warning(
                code,
                stray,
                "comments do not nest: this `*/` is skipped, and the text before it is not switched off",
            )
            .with_hint("To switch off text with comments in it, use `#if 0` and `#endif`.")
            .with_related(span(inner, 2), "this `/*` is inside a comment")
            .with_related(span(end - 2, 2), "which ends here"),
            None => Diagnostic::warning(code, stray, "there is no `/*` to this `*/`, which is skipped"),
        });
    }
    found
}
