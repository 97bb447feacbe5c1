//! Opening, editing and keeping documents.

use super::{App, Half, NoticeAction, Shown};
use crate::confidence::difference;
use crate::document::Document;
use crate::drafts;
use crate::language;
use crate::naming::Naming;
use crate::storage::{self, Place};
use leptos::prelude::*;
use promenade_protocol::{DiagnosticData, File, ModelSummary, Settings};
use std::time::Duration;

/// Typing has to pause this long before the text is read.
const PAUSE: Duration = Duration::from_millis(250);
/// And this long before it is kept.
const KEEP: Duration = Duration::from_millis(500);
/// The most text that is opened.
pub const MAX_TEXT: usize = 4 << 20;

/// The name of the file that an `#include` misses.
pub fn missing_file(it: &DiagnosticData) -> Option<String> {
    let name = (it.code == "missing-include").then(|| it.message.split('`').nth(1))?;
    name.map(str::to_owned)
}

impl App {
    /// The settings that new documents begin with.
    pub fn preferred_settings() -> Settings {
        storage::load(Place::Device, "options").unwrap_or_default()
    }

    /// Remembers the settings for new documents; definitions belong to the model.
    pub fn prefer_settings(&self) {
        let settings = Settings { defines: Vec::new(), ..self.settings.get_untracked() };
        storage::save(Place::Device, "options", &settings);
    }

    /// Checks with other options, as a button says; what was changed is named, and can be undone.
    pub fn check_with(&self, call: impl FnOnce(&mut Settings)) {
        let former = self.settings.get_untracked();
        let mut settings = former.clone();
        call(&mut settings);
        self.check_with_settings(former, settings);
    }

    fn check_with_settings(&self, former: Settings, settings: Settings) {
        if former != settings && self.running.with_untracked(Option::is_none) {
            self.settings.set(settings);
            self.changed();
            self.name_options(former);
        }
        self.check();
    }

    /// Names what a button has changed in these options, and offers them back.
    pub fn name_options(&self, former: Settings) {
        let changes = self.settings.with_untracked(|it| difference(&former, it));
        if !changes.is_empty() {
            self.former.set_value(former);
            self.warn(format!("Options changed: {changes}."), Some(NoticeAction::Options));
        }
    }

    /// Brings back the options before [`App::check_with`].
    pub fn undo_options(&self) {
        self.settings.set(self.former.get_value());
        self.changed();
    }

    /// Shows another document. The present one stays among the drafts if it was edited.
    pub fn open(&self, document: Document) {
        self.keep();
        self.abandon();
        if self.edited.get_untracked() && !untrack(|| self.of_course()) {
            self.notify(
                "The text that you edited is among the drafts.",
                Some(NoticeAction::Drafts),
            );
        }
        self.shown.set(Shown::Nothing);
        self.announcement.set(String::new());
        self.formula.typed.set(document.typed.is_some());
        self.formula.text.set(document.typed.unwrap_or_default());
        self.formula.wanted.set(false);
        self.formula.findings.set(Vec::new());
        self.violation.set(0);
        self.step.set(0);
        self.playing.set(false);
        self.summary.set(ModelSummary::default());
        self.diagnostics.set(Vec::new());
        self.edited.set(false);
        self.active.set(0);
        self.closed.set(Vec::new());
        self.naming.set_value(Naming::default());
        self.fresh.set(None);
        self.withdraw(&[NoticeAction::Reopen, NoticeAction::Options]);
        self.id.set(document.id);
        self.origin.set(document.origin);
        self.race.clear();
        self.techniques.clear();
        self.checks.begin(&document.experiment.property, document.formulas);
        self.property.set(document.experiment.property);
        self.settings.set(document.experiment.settings);
        let mut files = document.experiment.files;
        if files.is_empty() {
            files.push(File { name: "model.pml".to_owned(), text: String::new() });
        }
        let texts = files.iter().map(|file| file.text.clone()).collect();
        self.files.set(files);
        self.with_editor(|editor| editor.open(texts));
        self.lock_course();
        let lesson = untrack(|| self.entry()).is_some();
        self.view.set(if lesson { "lesson" } else { "outline" });
        self.half.set(Half::Edit);
        self.keep();
        self.parse_now();
    }

    /// Goes back to a draft, which keeps its identity.
    pub fn restore(&self, draft: Document) {
        self.leave_link();
        self.open(draft);
        self.edited.set(true);
    }

    /// Called by the editor after each change.
    pub fn text_changed(&self, file: usize) {
        let Some(text) = self.with_editor(|editor| editor.text(file)) else { return };
        let new_name = self.files.with_untracked(|files| {
            let main = files.first().filter(|_| file == 0 && !self.of_course())?;
            self.naming.try_update_value(|naming| naming.follow(main, &text)).flatten()
        });
        let new_name = new_name.map(|name| {
            let other = self.files.with_untracked(|f| f.iter().skip(1).any(|f| f.name == name));
            if other { self.free_name(&name) } else { name }
        });
        self.files.update(|files| {
            if let Some(file) = files.get_mut(file) {
                file.text = text;
                if let Some(name) = new_name {
                    file.name = name;
                }
            }
        });
        self.text_has_changed();
    }

    /// Called after each change of the text: it is among the drafts from then on.
    fn text_has_changed(&self) {
        self.edited.set(true);
        self.changed();
    }

    /// Called after each change of text, property or settings.
    pub fn changed(&self) {
        self.leave_link();
        // What the checker may still say about an earlier text would be in the wrong places.
        self.parse.set_value(None);
        self.edits.update_value(|edits| *edits = edits.wrapping_add(1));
        let edits = self.edits.get_value();
        let app = *self;
        set_timeout(
            move || {
                if app.edits.get_value() == edits {
                    app.parse_now();
                }
            },
            PAUSE,
        );
        set_timeout(
            move || {
                if app.edits.get_value() == edits && !app.keep() && !app.unkept.get_value() {
                    app.unkept.set_value(true);
                    app.warn(
                        "This browser does not keep anything for this page: download the text to save it.",
                        Some(NoticeAction::Download),
                    );
                }
            },
            KEEP,
        );
    }

    /// Keeps the document in the browser's storage.
    pub fn keep(&self) -> bool {
        if self.files.with_untracked(Vec::is_empty) {
            return true;
        }
        let document = self.document();
        if untrack(|| self.of_course()) {
            // Its script keeps it with the work on the assignment, and not among the drafts.
            crate::courses::keep(&document);
            return drafts::keep(&document, false);
        }
        drafts::keep(&document, self.edited.get_untracked())
    }

    /// A shared address belongs to what was shared: after an edit the page is at no address.
    pub fn leave_link(&self) {
        crate::links::clear_address();
    }

    /// Puts the white space of the visible file in order.
    pub fn format(&self) {
        let file = self.active.get_untracked();
        let text = self.files.with_untracked(|files| files.get(file).map(|f| f.text.clone()));
        let Some(text) = text else { return };
        match language::formatted(&text) {
            Some(new) if new == text => self.notify("The text is in order already.", None),
            Some(new) => {
                self.with_editor(|editor| editor.replace(file, &new));
            }
            None => self.notify(
                "A comment or string without an end stands in the way of formatting.",
                None,
            ),
        }
    }

    /// Saves in the browser and says so.
    pub fn save(&self) {
        self.edited.set(true);
        if self.keep() {
            self.notify("Saved in this browser.", Some(NoticeAction::Download));
        } else {
            self.warn(
                "This browser does not keep anything for this page. Download the text to save it.",
                Some(NoticeAction::Download),
            );
        }
    }

    /// Whether files keep their names and none can be added, which the user is told.
    fn has_fixed_files(&self) -> bool {
        let fixed = untrack(|| self.of_course());
        if fixed {
            self.notify("An assignment has its own files.", None);
        }
        fixed
    }

    /// The file that the text includes and that is not there, if there is such.
    pub fn missing_file(&self) -> Option<String> {
        let missing =
            |it: &DiagnosticData| missing_file(it).filter(|name| self.free_name(name) == *name);
        self.diagnostics.with_untracked(|all| all.iter().find_map(missing))
    }

    /// One more file, which the others can include, with the cursor in it.
    pub fn add_file(&self, name: String) {
        if self.has_fixed_files() {
            return;
        }
        let end = self.files.with_untracked(Vec::len);
        self.insert_file(end, File { name, text: String::new() });
        self.half.set(Half::Edit);
        let app = *self;
        request_animation_frame(move || {
            app.with_editor(|editor| editor.focus());
        });
    }

    /// One more file at a place, which is shown.
    fn insert_file(&self, at: usize, file: File) {
        self.with_editor(|editor| editor.insert(at, &file.text));
        self.files.update(|files| files.insert(at, file));
        self.show_file(at);
        self.text_has_changed();
    }

    /// Closes a file; the main file stays. Until another document is opened, that can be undone.
    pub fn remove_file(&self, file: usize) {
        if file == 0 || file >= self.files.with_untracked(Vec::len) {
            return;
        }
        self.with_editor(|editor| editor.remove(file));
        let closed = self.files.try_update(|files| files.remove(file));
        let active = self.active.get_untracked();
        self.active.set(if active >= file { active - 1 } else { active });
        self.text_has_changed();
        if let Some(closed) = closed {
            self.warn(format!("{} was closed.", closed.name), Some(NoticeAction::Reopen));
            self.closed.update(|all| all.push((file, closed)));
        }
    }

    /// Opens the file that was closed last where it was.
    pub fn reopen_file(&self) {
        let Some((at, mut file)) = self.closed.try_update(Vec::pop).flatten() else { return };
        let (count, taken) = self.files.with_untracked(|files| {
            (files.len(), files.iter().any(|other| other.name == file.name))
        });
        if taken {
            file.name = self.free_name(&file.name);
        }
        self.insert_file(at.min(count), file);
    }

    /// The name itself, or with the first number that makes it one that no file has.
    pub fn free_name(&self, name: &str) -> String {
        let (stem, end) = name
            .rsplit_once('.')
            .map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
        let taken = |name: &str| self.files.with_untracked(|f| f.iter().any(|f| f.name == name));
        let numbered = (2..).map(|number| format!("{stem}{number}{end}"));
        std::iter::once(name.to_owned()).chain(numbered).find(|it| !taken(it)).unwrap_or_default()
    }

    /// Shows a file in the editor.
    pub fn show_file(&self, file: usize) {
        self.active.set(file);
        self.with_editor(|editor| editor.show(file));
    }

    /// Gives a file another name.
    pub fn rename_file(&self, file: usize, name: String) {
        if self.has_fixed_files() {
            return;
        }
        let name = name.trim().to_owned();
        let taken = self.files.with_untracked(|files| {
            files.iter().enumerate().any(|(i, f)| i != file && f.name == name)
        });
        if name.is_empty() || taken {
            self.notify("A file needs a name of its own.", None);
            return;
        }
        if file == 0 {
            self.naming.update_value(|naming| naming.chosen = true);
        }
        self.files.update(|files| {
            if let Some(file) = files.get_mut(file) {
                file.name = name;
            }
        });
        self.text_has_changed();
    }
}
