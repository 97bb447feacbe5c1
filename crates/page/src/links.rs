//! Addresses: what the fragment says is opened; a shared link is written here.

use crate::app::{App, Half, Outcome, Shown};
use crate::courses;
use crate::document::Document;
use crate::drafts;
use leptos::prelude::*;
use promenade_protocol::link::{self, Fragment, Link, LinkError, Target, Trail};
use promenade_protocol::{Experiment, Settings};

/// The model that a first visit begins with.
const FIRST: &str = "peterson";

fn fragment() -> String {
    web_sys::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Takes the fragment out of the address, without a new entry in the history.
pub fn clear_address() {
    let Some(window) = web_sys::window() else { return };
    let location = window.location();
    if location.hash().is_ok_and(|hash| hash.is_empty()) {
        return;
    }
    if let (Ok(history), Ok(path), Ok(query)) =
        (window.history(), location.pathname(), location.search())
    {
        // Where it is forbidden the old address stays; nothing depends on it.
        let _ = history.replace_state_with_url(
            &wasm_bindgen::JsValue::NULL,
            "",
            Some(&format!("{path}{query}")),
        );
    }
}

/// Opens what the address says, or what was open before, or the first model.
pub fn open_at_start(app: App) {
    if open_fragment(app) {
        return;
    }
    let trouble = app.shown.get_untracked();
    if let Some(document) = drafts::of_this_tab() {
        let kept = drafts::all().iter().any(|draft| draft.id == document.id);
        courses::resume(app, &document);
        app.open(document);
        app.edited.set(kept);
    } else if let Some(draft) = drafts::all().into_iter().next() {
        // Another tab may have it open: what is edited here becomes a draft of its own.
        app.open(Document { id: crate::document::fresh_id(), ..draft });
    } else if let Some(entry) = promenade_gallery::find(FIRST) {
        app.open(Document::of_entry(entry, App::preferred_settings()));
    } else {
        app.open(Document::of_text("model.pml", "", Settings::default()));
    }
    if trouble != Shown::Nothing {
        app.shown.set(trouble);
        app.half.set(Half::Result);
    }
}

/// Opens what the address says; false if it says nothing, or nothing that can be opened.
pub fn open_fragment(app: App) -> bool {
    let fragment = match link::parse(&fragment()) {
        Ok(fragment) => fragment,
        Err(error) => {
            // A newer version of the page can open it after a reload.
            if !matches!(error, LinkError::NewerVersion | LinkError::NewerContent) {
                app.leave_link();
            }
            refuse(app, &error.to_string());
            return false;
        }
    };
    match fragment.target {
        Target::Nothing => {
            if self::fragment().len() > 1 {
                app.leave_link();
                refuse(app, "It names nothing that this page could open.");
            }
            false
        }
        Target::Example(name) => match promenade_gallery::find(&name) {
            Some(entry) => {
                app.open(Document::of_entry(entry, App::preferred_settings()));
                true
            }
            None => {
                app.leave_link();
                refuse(app, &format!("The gallery has no model with the name {name}."));
                false
            }
        },
        Target::Assignment(name) => {
            courses::tell(app, "shipped", name.into());
            // Until it is here, what was open before is.
            app.files.with_untracked(|files| !files.is_empty())
        }
        Target::Content(link) => {
            let first = link.experiment.files.first();
            if let Some(file) = first.filter(|file| courses::is_course(&file.text)) {
                courses::tell(app, "text", (&file.text).into());
                return app.files.with_untracked(|files| !files.is_empty());
            }
            open_link(app, *link, fragment.view, fragment.step);
            true
        }
    }
}

fn refuse(app: App, why: &str) {
    let text = format!("{why} What you had open before is unchanged.");
    app.announcement.set(format!("The link cannot be opened. {text}"));
    app.shown.set(Shown::Trouble {
        title: "The link cannot be opened".to_owned(),
        text,
        again: None,
    });
    app.half.set(Half::Result);
}

fn open_link(app: App, link: Link, view: Option<String>, step: Option<u32>) {
    // A model of the gallery keeps its lesson.
    let origin = link.experiment.files.first().and_then(|file| {
        let entry = promenade_gallery::find(file.name.strip_suffix(".pml")?)?;
        Some(entry.name.to_owned())
    });
    let document = Document::new(link.experiment, origin);
    let experiment = document.experiment.clone();
    app.open(document);
    if !link.notes.is_empty() {
        app.warn(format!("Note in the link: {}", link.notes), None);
    }
    if let Some(view) = view.and_then(|view| crate::views::known(&view)) {
        app.view.set(view);
    }
    if let Some(trail) = link.trail {
        app.replay(experiment, trail, step);
    }
}

/// What can go into a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Property and options; else the defaults.
    pub settings: bool,
    /// The counterexample that is shown.
    pub trail: bool,
}

/// The counterexample that a link can carry now: one that belongs to the present text.
pub fn trail(app: App) -> Option<Trail> {
    if app.stale.get() {
        return None;
    }
    let index = app.violation.get();
    let outcome = app.outcome()?;
    let Outcome { report, .. } = &*outcome;
    let trace = &report.violations.get(index)?.trace;
    Some(Trail { choices: trace.choices.clone(), checksum: trace.checksum, stem: trace.stem })
}

/// The whole address of a link to what is open.
pub fn address(app: App, parts: Parts, note: &str) -> Result<String, LinkError> {
    let files = app.files.get();
    let experiment = if parts.settings {
        Experiment { files, property: app.property.get(), settings: app.settings.get() }
    } else {
        Experiment { files, ..Experiment::default() }
    };
    let trail = if parts.trail { trail(app) } else { None };
    let step = trail.as_ref().map(|_| app.step.get() as u32);
    let view = trail.as_ref().map(|_| "trace".to_owned());
    let link = Link { experiment, trail, notes: note.trim().to_owned(), version: app.version() };
    let target = Target::Content(Box::new(link));
    let text = link::write(&Fragment { target, view, step })?;
    let here = web_sys::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    let base = here.split('#').next().unwrap_or_default();
    Ok(format!("{base}#{text}"))
}
