//! The focus stays while results come and go: buttons that a check takes away or switches off would
//! leave it at the body, where the keyboard and a screen reader begin from the start.

use super::App;
use crate::events::{focus, listen};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

impl App {
    /// Keeps the focus from now on.
    pub fn keep_focus(&self) {
        let app = *self;
        let last = StoredValue::new_local(None::<HtmlElement>);
        listen(&document(), "focusin", true, move |event: web_sys::Event| {
            last.set_value(event.target().and_then(|it| it.dyn_into().ok()));
        });
        // Who presses on an empty place wants the focus nowhere.
        listen(&document(), "pointerdown", true, move |_: web_sys::Event| last.set_value(None));
        Effect::new(move |_| {
            app.visible.track();
            app.running.with(Option::is_some);
            app.shown.track();
            app.stale.track();
            request_animation_frame(move || restore(last.get_value()));
        });
    }
}

fn restore(last: Option<HtmlElement>) {
    let nowhere = document().active_element().is_none_or(|it| it.tag_name() == "BODY");
    let Some(last) = last.filter(|_| nowhere) else { return };
    if !last.is_connected() {
        focus(".check");
    } else if !last.has_attribute("disabled") {
        // It may be hidden, and then has no focus.
        let _ = last.focus();
    }
}
