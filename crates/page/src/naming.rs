//! Names for texts that are pasted over another: that of the former text would be wrong.

use crate::document::resembles;
use promenade_protocol::File;

/// Longer names say no more.
const MOST: usize = 40;
/// Words of a comment that make a name.
const WORDS: usize = 4;
/// Shorter changes are typed.
const PASTED: usize = 20;

/// Follows the changes of the main file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Naming {
    /// The user gave the file its name.
    pub chosen: bool,
    /// The text that was there before all of it was deleted.
    deleted: Option<String>,
    /// Another text took the place of the main file's, and what depends on that was not looked at yet.
    pub replaced: bool,
    /// The file as it was before its text was replaced, with its name: undoing that brings both back.
    former: Option<File>,
}

impl Naming {
    /// The new name of the file, if another text takes the place of its own.
    pub fn follow(&mut self, file: &File, new: &str) -> Option<String> {
        if new.trim().is_empty() {
            if !file.text.trim().is_empty() {
                self.deleted = Some(file.text.clone());
            }
            return None;
        }
        let old = self.deleted.take().unwrap_or_else(|| file.text.clone());
        if self.former.as_ref().is_some_and(|it| it.text == new) {
            return self.former.take().map(|it| it.name);
        }
        if old.trim().is_empty() || !is_replaced(&old, new) || resembles(new, &old) {
            return None;
        }
        self.replaced = true;
        if self.chosen {
            return None;
        }
        let name = name_of(new);
        let former = File { name: file.name.clone(), text: old };
        (name != former.name).then(|| {
            self.former = Some(former);
            name
        })
    }
}

/// Whether one change put a new text in the place of most of the old one. Another layout of the same
/// text is none.
fn is_replaced(old: &str, new: &str) -> bool {
    let bare = |text: &str| text.bytes().filter(|it| !it.is_ascii_whitespace()).collect::<Vec<_>>();
    let (old, new) = (bare(old), bare(new));
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let start = same(&mut old.iter().zip(&new));
    let least = old.len().min(new.len());
    let end = same(&mut old.iter().rev().zip(new.iter().rev())).min(least - start);
    2 * (old.len() - start - end) > old.len() && new.len() - start - end >= PASTED
}

/// A name for a model: from its first comment, else from its first process type.
pub fn name_of(text: &str) -> String {
    let stem = of_comment(text).or_else(|| of_process(text));
    format!("{}.pml", stem.unwrap_or_else(|| "model".to_owned()))
}

/// From the comment at the beginning, unless that is about rights.
fn of_comment(text: &str) -> Option<String> {
    let text = text.trim_start();
    let comment = match text.strip_prefix("/*") {
        Some(rest) => rest.split("*/").next()?,
        None => text.strip_prefix("//")?.lines().next()?,
    };
    let legal = ["copyright", "licen", "spdx", "all rights"];
    let lower = comment.to_lowercase();
    if legal.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let line = comment.lines().find(|line| line.chars().any(char::is_alphanumeric))?;
    let words: Vec<String> =
        line.split_whitespace().map(clean).filter(|it| !it.is_empty()).collect();
    // A comment often says which file this is.
    let file = line.split_whitespace().find_map(|word| {
        let word = word.trim_matches(|it: char| !it.is_alphanumeric());
        word.strip_suffix(".pml").or_else(|| word.strip_suffix(".promela")).map(clean)
    });
    let name = file.unwrap_or_else(|| words.into_iter().take(WORDS).collect::<Vec<_>>().join("-"));
    let name: String = name.chars().take(MOST).collect();
    let name = name.trim_matches('-');
    (!name.is_empty()).then(|| name.to_owned())
}

/// A word without what does not belong into the name of a file.
fn clean(word: &str) -> String {
    let kept = |it: char| it.is_alphanumeric() || it == '-' || it == '_';
    word.to_lowercase()
        .chars()
        .filter(|&it| kept(it))
        .collect::<String>()
        .trim_matches('-')
        .to_owned()
}

/// From the first process type.
fn of_process(text: &str) -> Option<String> {
    let after = text.match_indices("proctype").find_map(|(at, word)| {
        let before = text[..at].chars().next_back();
        let rest = &text[at + word.len()..];
        let apart = before.is_none_or(|it| !it.is_alphanumeric() && it != '_');
        (apart && rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    })?;
    let name: String = after
        .chars()
        .take_while(|it| it.is_ascii_alphanumeric() || *it == '_')
        .take(MOST)
        .collect();
    (!name.is_empty()).then(|| name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_first_comment_or_process() {
        for (text, name) in [
            (
                "/* Alternating bit protocol, first version */\nbyte x;",
                "alternating-bit-protocol-first.pml",
            ),
            ("/*\n * mutex.pml: two processes\n */\n", "mutex.pml"),
            ("// Peterson's algorithm\nbool a;", "petersons-algorithm.pml"),
            ("// Copyright 2001 Somebody\nactive proctype Client() { skip }", "client.pml"),
            ("#define N 3\n\nactive [N] proctype Worker_1(byte i) { skip }", "worker_1.pml"),
            ("// ----\nproctype  P() { skip }", "p.pml"),
            ("init { skip } /* proctypes */", "model.pml"),
            ("/* <b>../../etc</b> */ init { skip }", "betcb.pml"),
        ] {
            assert_eq!(name_of(text), name, "{text}");
        }
    }

    #[test]
    fn only_another_text_gets_another_name() {
        let first = "byte x;\nactive proctype First() {\n  x = 1;\n  assert(x == 1)\n}\n";
        let second = "// Second\nchan q = [2] of { byte };\nactive proctype B() {\n  q!1; q?_\n}\n";
        let file = |text: &str| File { name: "first.pml".to_owned(), text: text.to_owned() };
        let mut naming = Naming::default();
        // Typing, another layout, one line more.
        assert_eq!(naming.follow(&file(first), &first.replace("x = 1", "x = 2")), None);
        assert_eq!(naming.follow(&file(first), &first.replace('\n', " ")), None);
        assert_eq!(naming.follow(&file(first), &format!("{second}{first}")), None);
        // Pasted over it, and undone.
        assert_eq!(naming.follow(&file(first), second).as_deref(), Some("second.pml"));
        let now = File { name: "second.pml".to_owned(), text: second.to_owned() };
        assert_eq!(naming.follow(&now, first).as_deref(), Some("first.pml"));
        // Deleted first, then pasted.
        assert_eq!(naming.follow(&file(first), " "), None);
        assert_eq!(naming.follow(&file(" "), second).as_deref(), Some("second.pml"));
        // Deleted, then typed.
        let mut naming = Naming::default();
        assert_eq!(naming.follow(&file(first), ""), None);
        assert_eq!(naming.follow(&file(""), "b"), None);
        assert_eq!(naming.follow(&file("b"), "by"), None);
        let mut naming = Naming { chosen: true, ..Naming::default() };
        assert_eq!(naming.follow(&file(first), second), None);
    }
}
