//! Sharing: a link that holds everything. The dialog says what is in it; a button copies it.

use crate::app::{App, Dialog};
use crate::dialog::Frame;
use crate::files;
use crate::links::{self, Parts};
use crate::numbers::{counted, grouped};
use leptos::html;
use leptos::prelude::*;
use promenade_protocol::link;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Up to here a link works everywhere.
const SHORT: usize = 2_000;
/// From here on a file is better.
const LONG: usize = 8_000;

/// The dialog.
#[component]
pub fn Share() -> impl IntoView {
    let app = App::get();
    let body = move || (app.dialog.get() == Some(Dialog::Share)).then(|| view! { <Content/> });
    view! {
        <Frame dialog=Dialog::Share title="Share" first=|| "#copy-link">
            {body}
        </Frame>
    }
}

#[component]
fn Content() -> impl IntoView {
    let app = App::get();
    let with_settings = RwSignal::new(true);
    let with_trail = RwSignal::new(true);
    let note = RwSignal::new(String::new());
    // What was copied last; it tells whether the link has changed since.
    let copied = RwSignal::new(None::<String>);
    let failed = RwSignal::new(false);
    let field = NodeRef::<html::Textarea>::new();
    let address = Memo::new(move |_| {
        let parts = Parts { settings: with_settings.get(), trail: with_trail.get() };
        links::address(app, parts, &note.get()).map_err(|error| describe(error).to_owned())
    });
    let trail = Memo::new(move |_| links::trail(app).map(|trail| trail.choices.len()));
    let copy = move || {
        let Ok(text) = address.get_untracked() else { return };
        spawn_local(async move {
            let done = copy_text(&text).await || copy_selection(field);
            failed.set(!done);
            copied.set(done.then_some(text));
        });
    };
    let state = move || {
        let address = address.get();
        match (copied.get(), address) {
            _ if failed.get() => {
                "The browser did not let the page copy. Select the link and copy it."
            }
            (_, Err(_)) => "",
            (Some(old), Ok(new)) if old == new => "Copied.",
            (Some(_), Ok(_)) => "The link has changed since it was copied.",
            (None, Ok(_)) => "",
        }
    };
    let length = move || address.get().map(|text| text.chars().count()).unwrap_or(0);
    let advice = move || match length() {
        0..=SHORT => "short enough for any place".to_owned(),
        more if more <= LONG => {
            format!("some chats cut links of more than {} characters", grouped(SHORT as u64))
        }
        _ => "too long for many programs: better share the file".to_owned(),
    };
    let trail_text = move || match trail.get() {
        Some(choices) => {
            format!(
                "The counterexample ({}), replayed when opened",
                counted(choices as u64, "choice", "choices")
            )
        }
        None if app.stale.get() => {
            "The counterexample: the text has changed since, check again first".to_owned()
        }
        None => "The counterexample: there is none".to_owned(),
    };
    let names = move || {
        app.files.with(|files| files.iter().map(|f| f.name.clone()).collect::<Vec<_>>().join(", "))
    };
    view! {
        <p class="lead">
            "The link holds everything in its last part, which browsers do not send to a server. Whoever gets it can read the text."
        </p>
        <fieldset class="parts">
            <legend>"In the link"</legend>
            <label class="choice">
                <input type="checkbox" checked disabled/>
                <span>{move || format!("The text: {}", names())}</span>
            </label>
            <label class="choice">
                <input
                    type="checkbox"
                    prop:checked=move || with_settings.get()
                    on:change=move |event| with_settings.set(event_target_checked(&event))
                />
                <span>"Property and options"</span>
            </label>
            <label class="choice">
                <input
                    type="checkbox"
                    prop:checked=move || with_trail.get() && trail.get().is_some()
                    disabled=move || trail.get().is_none()
                    on:change=move |event| with_trail.set(event_target_checked(&event))
                />
                <span>{trail_text}</span>
            </label>
            <label class="note-field">
                <span>"A note for whoever opens it"</span>
                <input
                    type="text"
                    maxlength="300"
                    prop:value=move || note.get()
                    on:input=move |event| note.set(event_target_value(&event))
                />
            </label>
        </fieldset>
        <textarea
            class="link"
            id="share-link"
            node_ref=field
            readonly
            rows="4"
            aria-label="The link"
            prop:value=move || address.get().unwrap_or_default()
            on:focus=move |_| {
                if let Some(field) = field.get_untracked() {
                    field.select();
                }
            }
        ></textarea>
        <p class="share-end">
            <button class="action" id="copy-link" disabled=move || address.get().is_err() on:click=move |_| copy()>
                "Copy the link"
            </button>
            <button class="quiet" on:click=move |_| files::download(app)>"Download the file"</button>
            <span class="share-state" role="status">{state}</span>
        </p>
        <p class="meaning">
            {move || match address.get() {
                Ok(_) => format!("{} characters: {}.", grouped(length() as u64), advice()),
                Err(error) => error,
            }}
        </p>
    }
}

/// What stands in the way of a link.
fn describe(error: link::LinkError) -> &'static str {
    match error {
        link::LinkError::TooLong | link::LinkError::TooLarge => {
            "This is too much for a link. Share the file instead."
        }
        _ => "This cannot be put into a link. Share the file instead.",
    }
}

/// Copies a text; false if the browser does not let the page do it.
pub async fn copy_text(text: &str) -> bool {
    let Some(window) = web_sys::window().filter(|window| window.is_secure_context()) else {
        return false;
    };
    JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok()
}

/// The old way, for pages that are not served securely.
fn copy_selection(field: NodeRef<html::Textarea>) -> bool {
    let Some(field) = field.get_untracked() else { return false };
    // A text field can have the focus.
    let _ = field.focus();
    field.select();
    let document = document();
    let html: &web_sys::HtmlDocument = wasm_bindgen::JsCast::unchecked_ref(&document);
    html.exec_command("copy").unwrap_or(false)
}
