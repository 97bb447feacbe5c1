//! Keys that work everywhere. `www/help/keyboard.md` lists them.

use crate::app::{App, Dialog, Half};
use crate::events::{focus, listen_window};
use crate::files;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Listens from now on.
pub fn listen(app: App) {
    listen_window("keydown", false, move |event: KeyboardEvent| {
        if !event.default_prevented() || event.key() == "Enter" {
            press(app, &event);
        }
    });
}

fn press(app: App, event: &KeyboardEvent) {
    let command = event.ctrl_key() || event.meta_key();
    let (shift, alt) = (event.shift_key(), event.alt_key());
    let dialog = app.dialog.get_untracked();
    let modal = dialog.is_some_and(|dialog| dialog != Dialog::Help);
    let done = match event.key().as_str() {
        "Enter" if command && !alt && !shift && !modal => {
            app.check();
            true
        }
        "Enter" if command && !alt && shift && !modal => {
            app.simulate();
            true
        }
        "Enter" if alt && !command && !modal => {
            other_half(app);
            true
        }
        "Escape" if !modal && app.running.with_untracked(Option::is_some) => {
            app.cancel();
            true
        }
        "Escape" if dialog == Some(Dialog::Help) => {
            app.dialog.set(None);
            true
        }
        "s" | "S" if command && !alt && !modal => {
            if shift {
                files::download(app);
            } else {
                app.save();
            }
            true
        }
        "o" if command && !alt && !shift && !modal => {
            files::choose();
            true
        }
        "F" | "f" if alt && shift && !command && !modal => {
            app.format();
            true
        }
        "?" if !command && !alt && !modal && !types(app, event) => {
            app.help.set("keyboard");
            app.dialog.set(Some(Dialog::Help));
            true
        }
        _ => false,
    };
    if done {
        event.prevent_default();
    }
}

/// Whether the key goes into a text.
fn types(app: App, event: &KeyboardEvent) -> bool {
    let in_editor = app.with_editor(|editor| editor.focused()).unwrap_or(false);
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    in_editor
        || element.is_some_and(|element| {
            let tag = element.tag_name();
            tag == "TEXTAREA"
                || tag == "SELECT"
                || (tag == "INPUT"
                    && !matches!(
                        element.get_attribute("type").as_deref(),
                        Some("checkbox" | "radio" | "range" | "button")
                    ))
        })
}

/// From the text to the result and back.
fn other_half(app: App) {
    if app.with_editor(|editor| editor.focused()).unwrap_or(false) {
        app.half.set(Half::Result);
        let trace =
            app.view.get_untracked() == "trace" && app.playback.with_untracked(Option::is_some);
        focus(if trace { "#steps" } else { "[role=tab][aria-selected=true]" });
    } else {
        app.half.set(Half::Edit);
        app.with_editor(|editor| editor.focus());
    }
}
