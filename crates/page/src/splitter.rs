//! The line between editor and result: dragged, or moved with the arrow keys, and remembered.

use crate::storage::{self, Place};
use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

const KEY: &str = "splitter";
/// Per cent of the width that the editor gets.
const FIRST: f64 = 52.0;
const LEAST: f64 = 25.0;
const MOST: f64 = 75.0;

/// The separator. It sets the variable `--split` of the page.
#[component]
pub fn Splitter() -> impl IntoView {
    let kept = storage::load::<f64>(Place::Device, KEY).filter(|it| it.is_finite());
    let share = RwSignal::new(kept.unwrap_or(FIRST).clamp(LEAST, MOST));
    let dragging = RwSignal::new(false);
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let value = format!("{:.2}%", share.get());
        let frame = document().get_element_by_id("halves");
        if let Some(frame) =
            frame.and_then(|it| wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(it).ok())
        {
            // A custom property takes any value.
            let _ = frame.style().set_property("--split", &value);
        }
    });
    let set = move |value: f64| share.set(value.clamp(LEAST, MOST));
    let keep = move || {
        storage::save(Place::Device, KEY, &share.get_untracked());
    };
    let down = move |event: PointerEvent| {
        event.prevent_default();
        if let Some(node) = node.get_untracked() {
            // Without capture dragging ends at the edge of the line, no worse.
            let _ = node.set_pointer_capture(event.pointer_id());
            let _ = node.focus();
        }
        dragging.set(true);
    };
    let moved = move |event: PointerEvent| {
        if dragging.get_untracked() {
            let width = window().inner_width().ok().and_then(|it| it.as_f64()).unwrap_or(1.0);
            set(f64::from(event.client_x()) / width.max(1.0) * 100.0);
        }
    };
    let up = move |_| {
        if dragging.get_untracked() {
            dragging.set(false);
            keep();
        }
    };
    let press = move |event: KeyboardEvent| {
        let now = share.get_untracked();
        match event.key().as_str() {
            "ArrowLeft" => set(now - 2.0),
            "ArrowRight" => set(now + 2.0),
            "Home" => set(LEAST),
            "End" => set(MOST),
            "Enter" => set(FIRST),
            _ => return,
        }
        event.prevent_default();
        keep();
    };
    view! {
        <div
            class="splitter"
            class:dragging=move || dragging.get()
            node_ref=node
            role="separator"
            tabindex="0"
            aria-orientation="vertical"
            aria-label="Width of the editor"
            aria-controls="editor-half"
            aria-valuemin=LEAST
            aria-valuemax=MOST
            aria-valuenow=move || share.get().round()
            title="Drag, or use the arrow keys; double click or Enter for the middle"
            on:pointerdown=down
            on:pointermove=moved
            on:pointerup=up
            on:pointercancel=up
            on:dblclick=move |_| {
                set(FIRST);
                keep();
            }
            on:keydown=press
        ></div>
    }
}
