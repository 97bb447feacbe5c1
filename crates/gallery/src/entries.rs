//! The table of the gallery: one line per file.

use crate::{Header, HeaderError, parse};

/// One model of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// A short name for links and lists: the name of the file without `.pml`.
    pub name: &'static str,
    /// The whole text of the file, header included.
    pub text: &'static str,
}

impl Entry {
    /// Reads the header. For the entries of [`ENTRIES`] this succeeds, as a test makes sure.
    pub fn header(&self) -> Result<Header, Vec<HeaderError>> {
        parse(self.text)
    }
}

/// The entry with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

macro_rules! entries {
    ($($name:literal),* $(,)?) => {
        &[$(Entry {
            name: $name,
            text: include_str!(concat!("../../../tests/suite/gallery/", $name, ".pml")),
        }),*]
    };
}

/// All models, grouped by topic and from easy to hard within a topic.
pub const ENTRIES: &[Entry] = entries![
    // First steps
    "lost-update",
    "rendezvous-deadlock",
    "corridor",
    "traffic-light",
    "counter-minimum",
    // Puzzles
    "farmer",
    "jugs",
    // Mutual exclusion
    "peterson",
    "peterson-swapped",
    "dekker",
    "hyman",
    "bakery",
    "fischer",
    // Deadlock
    "philosophers",
    "philosophers-left-handed",
    // Synchronisation
    "bounded-buffer",
    "bounded-buffer-overwrite",
    "monitor",
    "readers-writers",
    "client-server",
    "cancel",
    "priority-inversion",
    "aba-stack",
    // Protocols
    "alternating-bit",
    "sliding-window",
    // Distributed algorithms
    "leader-election",
    "two-phase-commit",
    "database-managers",
    "token-ring",
    // Security
    "needham-schroeder",
    // Language features
    "print-queue",
    "prime-sieve",
    "vending-machine",
];
