//! Writing to the terminal. A reader that has gone away is no error.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be written that somebody waits for.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Writes to standard output.
pub(crate) fn print(text: &str) {
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
    let _ = writeln!(std::io::stderr().lock(), "promenade: {message}");
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
