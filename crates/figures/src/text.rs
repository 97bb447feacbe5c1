//! How much room texts take, and texts made fit to be shown.

/// The longest line of an edge's label, in characters.
pub const LABEL_CHARACTERS: usize = 24;

/// Sizes of texts, in pixels, for a font whose characters are all equally wide.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Metrics {
    /// Width of a character; East Asian characters take two of it.
    pub character: f64,
    /// Distance of the baselines of two lines.
    pub line: f64,
}

impl Default for Metrics {
    /// For a font of 12 pixels.
    fn default() -> Self {
        Metrics { character: 7.25, line: 15.0 }
    }
}

impl Metrics {
    /// Width and height of some lines.
    pub fn size(&self, lines: &[String]) -> (f64, f64) {
        let columns = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        (columns as f64 * self.character, lines.len() as f64 * self.line)
    }
}

/// How many columns a text takes.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Characters that take two columns, by the large blocks of Unicode's East Asian width property.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xA960..=0xA97F | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F000..=0x1FAFF | 0x20000..=0x3FFFD)
}

/// The text with everything replaced that has no place in a line of a picture: control characters,
/// characters that turn the direction of writing or take no room, and code points that XML forbids.
/// White space of any kind becomes one blank.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if is_hidden(c) {
            out.push('\u{FFFD}');
        } else {
            out.push(c);
        }
    }
    out.trim().to_string()
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF
            | 0xFFF9..=0xFFFB | 0xFFFE | 0xFFFF | 0xE0000..=0xE0FFF)
}

/// The printable text, cut to at most `limit` columns; what is cut off leaves an ellipsis.
pub fn capped(text: &str, limit: usize) -> String {
    let text = printable(text);
    if columns(&text) <= limit {
        return text;
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += if is_wide(c) { 2 } else { 1 };
        if used + 1 > limit {
            break;
        }
        out.push(c);
    }
    let mut out = out.trim_end().to_string();
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(capped("short", 24), "short");
        let long = capped("aaaa && bbbb && cccc && dddd && eeee", 24);
        assert_eq!(long, "aaaa && bbbb && cccc &&…");
        assert!(columns(&capped(&"漢".repeat(40), 24)) <= 24);
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(printable("a\u{202E}b\0c\n\t d"), "a\u{FFFD}b\u{FFFD}c d");
    }
}
