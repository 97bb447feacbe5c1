//! A check that a reload of the page interrupts is offered again.

use super::{Again, App, Purpose, Running, Shown};
use crate::storage::{self, Place};
use leptos::prelude::*;
use promenade_protocol::{Experiment, File, Property, Settings};
use serde::{Deserialize, Serialize};

const KEY: &str = "running";

/// What ran.
#[derive(Serialize, Deserialize)]
pub struct Interrupted {
    property: Property,
    settings: Settings,
    /// Of the files.
    checksum: u32,
    /// All properties were checked one after the other.
    all: bool,
}

/// A number that tells texts apart well enough: FNV-1a (Fowler, Noll, Vo).
fn checksum(files: &[File]) -> u32 {
    let bytes = files.iter().flat_map(|it| [it.name.as_bytes(), it.text.as_bytes()]).flatten();
    bytes.fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Notes that a check runs, until [`forget`].
pub(super) fn note(running: &Running) {
    if matches!(running.purpose, Purpose::Check | Purpose::All) {
        let Experiment { files, property, settings } = &running.experiment;
        let note = Interrupted {
            property: property.clone(),
            settings: settings.clone(),
            checksum: checksum(files),
            all: running.purpose == Purpose::All,
        };
        storage::save(Place::Tab, KEY, &note);
    }
}

/// No check runs any more.
pub(super) fn forget() {
    storage::remove(Place::Tab, KEY);
}

/// What ran when the page was left. Opening a document forgets it, so this comes before.
pub fn interrupted() -> Option<Interrupted> {
    storage::load(Place::Tab, KEY)
}

impl App {
    /// Offers the check that ran when the page was left, if it is about what is open now.
    pub fn offer(&self, note: Interrupted) {
        forget();
        let idle = self.running.with_untracked(Option::is_none)
            && self.shown.with_untracked(|it| *it == Shown::Nothing);
        let same = self.files.with_untracked(|files| checksum(files) == note.checksum)
            && self.settings.with_untracked(|it| *it == note.settings)
            && (note.all || self.property.with_untracked(|it| *it == note.property));
        if !(idle && same) {
            return;
        }
        let what = if note.all { "The check of all properties" } else { "A check" };
        let text = format!("{what} was running when the page was left, and its result is lost.");
        self.announcement.set(format!("The check was interrupted. {text}"));
        self.shown.set(Shown::Trouble {
            title: "The check was interrupted".to_owned(),
            text,
            again: Some(if note.all { Again::All } else { Again::Check }),
        });
    }
}
