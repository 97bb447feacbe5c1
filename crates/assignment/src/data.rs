//! The fields of front matter and tasks: `key: value`, lists, and texts of several lines.
//!
//! A small part of what YAML looks like, read literally: a value is the rest of its line. So a
//! formula needs no quotes.

use promenade_base::{Diagnostic, FileId, Span};
use std::ops::Range;

/// A value with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub span: Span,
}

/// What stands behind a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// `key: text`, or the indented lines under `key: |`.
    Text(Text),
    /// The lines `- text` under `key:`.
    List(Vec<Text>),
}

/// A key with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub key: String,
    pub place: Span,
    pub value: Value,
    /// All its lines.
    pub whole: Range<usize>,
}

/// Reads the fields that stand in `text[range]`.
pub(crate) fn fields(
    text: &str,
    range: Range<usize>,
    file: FileId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Field> {
    let mut reader = Reader { text, end: range.end, file, at: range.start };
    let mut fields: Vec<Field> = Vec::new();
    while let Some(line) = reader.next() {
        let shown = text[line.clone()].trim_end();
        if shown.trim_start().is_empty() || shown.trim_start().starts_with('#') {
            continue;
        }
        let key = shown.split_once(':').map(|(key, _)| key).filter(|key| is_key(key));
        let Some(key) = key else {
            let message = "expected `key: value`";
            diagnostics.push(Diagnostic::error("field-syntax", reader.span(&line), message));
            continue;
        };
        let place = Span::new(file, line.start as u32, (line.start + key.len()) as u32);
        let behind = line.start + key.len() + 1;
        let value = reader.value(behind..line.start + shown.len());
        let whole = line.start..reader.at;
        if let Some(first) = fields.iter().find(|field| field.key == key) {
            let message = format!("`{key}` is given twice");
            let error = Diagnostic::error("field-twice", place, message);
            diagnostics.push(error.with_related(first.place, "it is given here first"));
            continue;
        }
        fields.push(Field { key: key.to_owned(), place, value, whole });
    }
    fields
}

fn is_key(key: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !key.is_empty() && key.chars().all(fits)
}

struct Reader<'a> {
    text: &'a str,
    end: usize,
    file: FileId,
    at: usize,
}

impl Reader<'_> {
    /// The next line with its line end.
    fn next(&mut self) -> Option<Range<usize>> {
        let line = self.peek()?;
        self.at = line.end;
        Some(line)
    }

    fn peek(&self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..self.end).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        Some(self.at..self.at + length)
    }

    fn span(&self, range: &Range<usize>) -> Span {
        let length = self.text[range.clone()].trim_end().len();
        Span::new(self.file, range.start as u32, (range.start + length) as u32)
    }

    fn trimmed(&self, range: Range<usize>) -> Text {
        let inside = &self.text[range.clone()];
        let start = range.start + (inside.len() - inside.trim_start().len());
        let text = inside.trim().to_owned();
        let span = Span::new(self.file, start as u32, (start + text.len()) as u32);
        Text { text, span }
    }

    /// The value behind a key, with the lines that follow if it goes on there.
    fn value(&mut self, rest: Range<usize>) -> Value {
        let here = self.trimmed(rest);
        match here.text.as_str() {
            "|" => Value::Text(self.lines(here.span)),
            "" => self.list().map_or(Value::Text(here), Value::List),
            _ => Value::Text(here),
        }
    }

    /// The lines `- text`; `None` if there is none.
    fn list(&mut self) -> Option<Vec<Text>> {
        let mut items: Vec<Text> = Vec::new();
        let mut known = self.at;
        while let Some(line) = self.peek() {
            let shown = self.text[line.clone()].trim();
            if let Some(rest) = shown.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
                let text = &self.text[line.clone()];
                let dash = line.start + text.find('-').unwrap_or(0) + 1;
                debug_assert!(rest.len() <= text.len());
                items.push(self.trimmed(dash..line.end));
                known = line.end;
            } else if !shown.is_empty() && !shown.starts_with('#') {
                break;
            }
            self.at = line.end;
        }
        self.at = known;
        (!items.is_empty()).then_some(items)
    }

    /// The lines that are indented, without the indentation of the first.
    fn lines(&mut self, bar: Span) -> Text {
        let mut text = String::new();
        let mut indent = None;
        let (mut start, mut end) = (None, self.at);
        while let Some(line) = self.peek() {
            let shown = self.text[line.clone()].trim_end_matches(['\n', '\r']);
            let own = shown.len() - shown.trim_start_matches(' ').len();
            let blank = shown.trim().is_empty();
            if !blank && own == 0 {
                break;
            }
            if !blank {
                start.get_or_insert(line.start);
                end = line.end;
            }
            let cut = if blank { own } else { (*indent.get_or_insert(own)).min(own) };
            text.push_str(shown.get(cut..).unwrap_or(""));
            text.push('\n');
            self.at = line.end;
        }
        let start = start.unwrap_or(bar.start as usize);
        let span = Span::new(self.file, start as u32, end.max(start) as u32);
        Text { text: text.trim_end().to_owned(), span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Field>, usize) {
        let mut diagnostics = Vec::new();
        let fields = fields(text, 0..text.len(), FileId(0), &mut diagnostics);
        (fields, diagnostics.len())
    }

    #[test]
    fn fields_lists_and_texts() {
        let text = "title: A: b # c\n\n# no field\nlist:\n  - [] (p -> <> q)\n\n  - !x\nempty:\n\
            long: |\n  one\n    two\n\n  three\nlast: 1\r\n";
        let (fields, errors) = read(text);
        assert_eq!(errors, 0);
        let shown: Vec<String> = fields
            .iter()
            .map(|field| match &field.value {
                Value::Text(it) => format!("{}={}", field.key, it.text),
                Value::List(items) => {
                    let items: Vec<&str> = items.iter().map(|it| it.text.as_str()).collect();
                    format!("{}={items:?}", field.key)
                }
            })
            .collect();
        assert_eq!(
            shown,
            [
                "title=A: b # c",
                "list=[\"[] (p -> <> q)\", \"!x\"]",
                "empty=",
                "long=one\n  two\n\nthree",
                "last=1"
            ]
        );
        let Value::List(items) = &fields[1].value else { panic!("a list") };
        let span = items[1].span;
        assert_eq!(&text[span.start as usize..span.end as usize], "!x");
        assert_eq!(&text[fields[1].whole.clone()], "list:\n  - [] (p -> <> q)\n\n  - !x\n");
    }

    #[test]
    fn mistakes_are_told_and_passed_over() {
        let (fields, errors) = read("a b: 1\nx: 1\nx: 2\n- item\n: y\nz: é|\n");
        assert_eq!(errors, 4);
        assert_eq!(fields.iter().map(|it| it.key.as_str()).collect::<Vec<_>>(), ["x", "z"]);
    }
}
