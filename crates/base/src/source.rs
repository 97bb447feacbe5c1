//! Source texts and positions in them.

/// One file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u16);

impl FileId {
    /// No file: what was given beside the text, such as a macro's definition.
    pub const OPTIONS: Self = Self(u16::MAX - 1);
}

/// A range of bytes in one file: `start <= end`, both on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest span that covers both, or `self` where they lie in different files.
    pub fn to(self, other: Span) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position for people: both count from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A named text with its line starts.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// Characters in front of every [`MARK`]-th byte; empty where every byte is one.
    marks: Vec<u32>,
}

/// Bytes between two places whose number of characters is known: a line may be as long as a file.
const MARK: usize = 256;

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut characters = 0;
            for bytes in text.as_bytes().chunks(MARK) {
                marks.push(characters);
                characters += begun(bytes);
            }
            marks.push(characters);
        }
        Self { name, text, line_starts, marks }
    }

    /// The name under which `#include` finds it and messages show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines, at least 1.
    pub fn lines(&self) -> usize {
        self.line_starts.len()
    }

    /// Line and column of a byte offset; offsets past the end give the last position.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&s| s as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.characters(offset).saturating_sub(self.characters(start));
        LineColumn { line: line as u32 + 1, column: column + 1 }
    }

    /// Characters that begin in front of a byte.
    fn characters(&self, offset: usize) -> u32 {
        let Some(before) = self.marks.get(offset / MARK) else { return offset as u32 };
        let bytes = self.text.as_bytes().get(offset / MARK * MARK..offset);
        before + bytes.map_or(0, begun)
    }

    /// The offset in UTF-16 units, which is how browsers count.
    pub fn utf16_offset(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        self.text.get(..offset).map_or(0, |t| t.encode_utf16().count()) as u32
    }
}

/// Characters that begin among these bytes of UTF-8.
fn begun(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}

/// The files of one model: the first is the main file, the others can be included by name.
///
/// Texts longer than 4 GiB or more than 65,535 files are not representable; callers bound the
/// size long before (see [`crate::Limits::source_bytes`]).
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map with one main file.
    pub fn single(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut map = Self::default();
        map.add(name, text);
        map
    }

    /// Adds a file and gives its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len() as u16);
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// The main file's id.
    pub fn main(&self) -> FileId {
        FileId(0)
    }

    /// The file behind an id, if there is one.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// The file with this name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|f| f.name == name).map(|i| FileId(i as u16))
    }

    /// All files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u16), f))
    }

    /// The text under a span; empty where the span does not fit the file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|f| f.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// Line and column of a span's first byte.
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.get(span.file).map_or(LineColumn { line: 1, column: 1 }, |f| f.line_column(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let map = SourceMap::single("m", "ab\nčd\n");
        let file = map.get(FileId(0)).unwrap();
        assert_eq!(file.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(file.line_column(5), LineColumn { line: 2, column: 2 });
        assert_eq!(file.line_column(7), LineColumn { line: 3, column: 1 });
        assert_eq!(file.line_column(99), LineColumn { line: 3, column: 1 });
        assert_eq!(file.utf16_offset(5), 4);
    }

    #[test]
    fn columns_of_long_lines_count_characters() {
        for line in ["abc, ".repeat(500), "a\u{10d}\u{1f600}, ".repeat(500)] {
            let text = format!("\u{e9}\n{line}\n{line}");
            let map = SourceMap::single("m", text.as_str());
            let file = map.get(FileId(0)).unwrap();
            for (offset, _) in text.char_indices() {
                let before = &text[..offset];
                let start = before.rfind('\n').map_or(0, |at| at + 1);
                let column = before[start..].chars().count() as u32 + 1;
                assert_eq!(file.line_column(offset as u32).column, column, "{offset}");
            }
        }
    }
}
