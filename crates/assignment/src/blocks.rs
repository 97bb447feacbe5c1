//! An assignment or a submission cut into its parts: front matter, Markdown, fenced blocks.

use promenade_base::{Diagnostic, FileId, Span};
use std::ops::Range;

/// A piece of the text that means something to the format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// First word of the info string: `task`, `promela`, `sealed`, `answer`.
    pub word: String,
    /// `name="value"` pairs behind it, with the places of the values.
    pub attributes: Vec<(String, String, Span)>,
    /// What stands between the fences.
    pub text: Range<usize>,
    /// Everything, the fences and their line ends included.
    pub whole: Range<usize>,
    /// The info string.
    pub info: Span,
}

impl Block {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, ..)| known == name).map(|(_, value, _)| value.as_str())
    }
}

/// A text cut into parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Document {
    /// What stands between the two lines `---` at the start.
    pub front: Option<Range<usize>>,
    /// Where the text behind the front matter begins.
    pub body: usize,
    /// Fenced blocks that mean something to the format, in order. Others are Markdown.
    pub blocks: Vec<Block>,
}

/// Attributes that make a fenced block a part of the format.
const ATTRIBUTES: [&str; 5] = ["file", "given", "hidden", "solution", "task"];
/// First words that do.
const WORDS: [&str; 3] = ["task", "sealed", "answer"];

/// Byte ranges of lines with their line ends.
fn lines(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = at..at + length;
        at += length;
        Some(line)
    })
}

/// Cuts a text. A byte order mark in front is passed over.
pub(crate) fn cut(text: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Document {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut document = Document { body: start, ..Document::default() };
    let mut all = lines(text, start);
    if let Some(first) = all.next()
        && text[first.clone()].trim_end() == "---"
    {
        match all.find(|line| text[line.clone()].trim_end() == "---") {
            Some(end) => {
                document.front = Some(first.end..end.start);
                document.body = end.end;
            }
            None => {
                let span = Span::new(file, first.start as u32, first.end as u32);
                let message = "the front matter has no end";
                diagnostics.push(
                    Diagnostic::error("front-matter-open", span, message)
                        .with_hint("Write a line `---` behind it."),
                );
            }
        }
    }
    let mut open: Option<(char, usize, Range<usize>)> = None;
    for line in lines(text, document.body) {
        let Some((mark, length, info)) = fence(&text[line.clone()]) else { continue };
        match &open {
            None => {
                // A backtick in the info string makes it code within a line.
                if mark != '`' || !info.contains('`') {
                    open = Some((mark, length, line));
                }
            }
            Some((opened, least, from)) => {
                if mark == *opened && length >= *least && info.trim().is_empty() {
                    let block = block(text, from, line, file);
                    document.blocks.extend(block);
                    open = None;
                }
            }
        }
    }
    if let Some((_, _, from)) = open {
        let span = Span::new(file, from.start as u32, from.end as u32);
        let error = Diagnostic::error("block-open", span, "this block has no end");
        diagnostics.push(error.with_hint("Write a line with the same marks behind it."));
    }
    document
}

/// The mark of a fence, how many there are, and the info string.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = rest.trim_start_matches(mark);
    let length = rest.len() - info.len();
    (length >= 3 && line.len() - rest.len() < 4).then_some((mark, length, info))
}

/// A block, if it means something to the format.
fn block(text: &str, from: &Range<usize>, to: Range<usize>, file: FileId) -> Option<Block> {
    let line = &text[from.clone()];
    let (_, _, info) = fence(line)?;
    let info = info.trim_end();
    let start = from.start + (line.trim_end().len() - info.len());
    let (word, attributes) = attributes(info, start, file);
    let named = attributes.iter().any(|(name, ..)| ATTRIBUTES.contains(&name.as_str()));
    (named || WORDS.contains(&word.as_str())).then(|| Block {
        word,
        attributes,
        text: from.end..to.start,
        whole: from.start..to.end,
        info: Span::new(file, start as u32, (start + info.len()) as u32),
    })
}

/// `promela file="a.pml" directives=yes`
fn attributes(info: &str, start: usize, file: FileId) -> (String, Vec<(String, String, Span)>) {
    let mut found = Vec::new();
    let begin = info.len() - info.trim_start().len();
    let end = info[begin..].find(char::is_whitespace).map_or(info.len(), |end| begin + end);
    let mut word = info[begin..end].to_owned();
    let mut at = end;
    if word.contains('=') {
        (word, at) = (String::new(), begin);
    }
    while let Some(equals) = info[at..].find('=').map(|equals| at + equals) {
        let name = info[at..equals].split_whitespace().next_back().unwrap_or("").to_owned();
        let rest = &info[equals + 1..];
        let (from, to, next) = match rest.strip_prefix('"').map(|inside| inside.find('"')) {
            Some(Some(end)) => (equals + 2, equals + 2 + end, equals + 3 + end),
            Some(None) => (equals + 2, info.len(), info.len()),
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                (equals + 1, equals + 1 + end, equals + 1 + end)
            }
        };
        let span = Span::new(file, (start + from) as u32, (start + to) as u32);
        found.push((name, info[from..to].to_owned(), span));
        at = next.min(info.len());
    }
    (word, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_cut() {
        let text = "---\na: 1\n---\n# Title\n```promela file=\"a.pml\" directives=yes\nx\n```\n\
            ```sh\nls\n```\n````task\nid: t\n```\n````\n";
        let mut diagnostics = Vec::new();
        let document = cut(text, FileId(0), &mut diagnostics);
        assert!(diagnostics.is_empty());
        assert_eq!(document.front.map(|it| &text[it]), Some("a: 1\n"));
        let words: Vec<&str> = document.blocks.iter().map(|it| it.word.as_str()).collect();
        assert_eq!(words, ["promela", "task"]);
        let first = &document.blocks[0];
        assert_eq!(
            (first.attribute("file"), first.attribute("directives")),
            (Some("a.pml"), Some("yes"))
        );
        let span = first.attributes[0].2;
        assert_eq!(&text[span.start as usize..span.end as usize], "a.pml");
        assert_eq!(&text[first.text.clone()], "x\n");
        assert_eq!(&text[document.blocks[1].text.clone()], "id: t\n```\n");
    }

    #[test]
    fn what_is_open_is_said() {
        for text in ["---\na: 1\n", "---\n---\n```task\nid: 1\n", "~~~ task\n```\n"] {
            let mut diagnostics = Vec::new();
            cut(text, FileId(0), &mut diagnostics);
            assert_eq!(diagnostics.len(), 1, "{text}");
        }
        let mut diagnostics = Vec::new();
        let odd = cut("``` x=\n```\n```a b=\"\n```\n```file=é\n```\n", FileId(0), &mut diagnostics);
        assert_eq!(odd.blocks.len(), 1);
    }
}
