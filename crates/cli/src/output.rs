//! Writing to the terminal. A reader that has gone away is no error. Models, links and reports come from
//! others: what a terminal would obey, or show in a misleading way, is written in a visible form.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be written that somebody waits for.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Whether a terminal obeys the character, shows nothing for it, or lets it change the order of others.
pub(crate) fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn escaped(text: &str, plain: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(|c| plain(c) || !misleads(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if plain(c) || !misleads(c) {
            out.push(c);
        } else if c.is_ascii() {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        } else {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
    Cow::Owned(out)
}

/// A text that may have several lines, as it can be shown.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

/// A name or a part of a line, as it can be shown within one line.
pub(crate) fn in_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\t')
}

/// Writes JSON to standard output; what misleads is escaped as JSON has it.
pub(crate) fn print_json(text: &str) {
    let mut out = String::with_capacity(text.len());
    let mut units = [0; 2];
    for c in text.chars() {
        // Outside of strings there are no others.
        if c == '\n' || !misleads(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut units) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    write_out(&out);
}

/// Writes to standard output.
pub(crate) fn print(text: &str) {
    write_out(&visible(text));
}

fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        // `promenade .. | head` closes the pipe early; there is nobody left to tell.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            FAILED.store(true, Ordering::Relaxed);
            complain(&format!("error: the output could not be written: {error}"));
        }
    }
}

/// Whether all output has arrived.
pub(crate) fn is_complete() -> bool {
    !FAILED.load(Ordering::Relaxed)
}

/// Writes a message to standard error.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "promenade: {}", visible(message));
}

/// A line on standard error that is written over and over, if somebody is looking.
pub(crate) struct StatusLine {
    visible: bool,
    width: usize,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self { visible: std::io::stderr().is_terminal(), width: 0 }
    }

    /// Shows another text.
    pub(crate) fn show(&mut self, text: &str) {
        if self.visible {
            let width = text.chars().count();
            let blanks = self.width.saturating_sub(width);
            let _ = write!(std::io::stderr().lock(), "\r{text}{:blanks$}", "");
            self.width = width;
        }
    }

    /// Takes it away.
    pub(crate) fn clear(&mut self) {
        if self.width > 0 {
            let _ = write!(std::io::stderr().lock(), "\r{:width$}\r", "", width = self.width);
            self.width = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(visible("a\n\tb \u{e9}\u{4e00}"), "a\n\tb \u{e9}\u{4e00}");
        assert_eq!(visible("\u{1b}[2J\u{7}\r\u{7f}\u{9b}"), "\\x1b[2J\\x07\\x0d\\x7f\\u{9b}");
        assert_eq!(visible("x\u{202e}y\u{200b}\u{feff}"), "x\\u{202e}y\\u{200b}\\u{feff}");
        assert_eq!(in_line("a\nb"), "a\\x0ab");
        for c in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let text = visible(&String::from(c)).into_owned();
            assert!(text.chars().all(|c| c == '\n' || c == '\t' || !misleads(c)), "{c:?}");
        }
    }
}
