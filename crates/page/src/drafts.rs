//! Drafts: every document that was edited, newest first, kept on the device.
//!
//! A document gets a new id whenever something else is opened, so nothing that is opened can
//! overwrite a draft, and two tabs never write the same one.

use crate::app::{App, Dialog};
use crate::dialog::Frame;
use crate::document::Document;
use crate::storage::{self, Place};
use leptos::prelude::*;

const KEY: &str = "drafts";
const CURRENT: &str = "document";
/// Drafts that are kept.
const MOST: usize = 12;

/// All drafts, newest first.
pub fn all() -> Vec<Document> {
    storage::load(Place::Device, KEY).unwrap_or_default()
}

/// The document of this tab, from before a reload.
pub fn of_this_tab() -> Option<Document> {
    storage::load(Place::Tab, CURRENT)
}

/// Keeps the document of this tab and, if it was edited, its draft. Older drafts make room.
/// False if the browser does not keep it.
pub fn keep(document: &Document, edited: bool) -> bool {
    let in_tab = storage::save(Place::Tab, CURRENT, document);
    if !edited {
        return in_tab;
    }
    let mut drafts = all();
    drafts.retain(|draft| draft.id != document.id);
    drafts.insert(0, document.clone());
    drafts.truncate(MOST);
    while !storage::save(Place::Device, KEY, &drafts) {
        if drafts.len() < 2 {
            return false;
        }
        drafts.pop();
    }
    true
}

fn remove(id: &str) {
    let mut drafts = all();
    drafts.retain(|draft| draft.id != id);
    if drafts.is_empty() {
        storage::remove(Place::Device, KEY);
    } else {
        storage::save(Place::Device, KEY, &drafts);
    }
}

/// The dialog that lists the drafts.
#[component]
pub fn Drafts() -> impl IntoView {
    let app = App::get();
    let list = RwSignal::new(Vec::<Document>::new());
    Effect::new(move |_| {
        if app.dialog.get() == Some(Dialog::Drafts) {
            let own = app.id.get_untracked();
            list.set(all().into_iter().filter(|draft| draft.id != own).collect());
        }
    });
    let row = move |draft: Document| {
        let id = draft.id.clone();
        let date = js_sys::Date::new(&draft.changed_at.into());
        let when = date.to_locale_string("default", &js_sys::Object::new());
        let when = when.as_string().unwrap_or_default();
        let text = draft.experiment.files.first().map_or("", |file| &file.text);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("empty");
        let first: String = first.chars().take(80).collect();
        let name = draft.name().to_owned();
        let label = format!("Delete the draft {name} of {when}");
        view! {
            <li class="draft">
                <button
                    class="draft-open"
                    on:click=move |_| {
                        app.dialog.set(None);
                        app.restore(draft.clone());
                    }
                >
                    <span class="draft-name">{name}</span>
                    <span class="draft-when">{when}</span>
                    <code class="draft-text">{first}</code>
                </button>
                <button
                    class="quiet"
                    aria-label=label
                    on:click=move |_| {
                        remove(&id);
                        list.update(|list| list.retain(|draft| draft.id != id));
                    }
                >
                    "Delete"
                </button>
            </li>
        }
    };
    view! {
        <Frame dialog=Dialog::Drafts title="Drafts on this device">
            <p class="lead">
                "Every text that you edit is kept here, in this browser only. Opening one keeps what you have now."
            </p>
            <ul class="drafts">
                <For each=move || list.get() key=|draft| draft.id.clone() children=row/>
            </ul>
            <Show when=move || list.with(Vec::is_empty)>
                <p class="empty">"There is no other draft."</p>
            </Show>
        </Frame>
    }
}
