//! The frame of a modal dialog: the browser's own, with title and close button.

use crate::app::{App, Dialog};
use crate::icons;
use leptos::html;
use leptos::prelude::*;

/// A dialog that is open while [`App::dialog`] says so.
#[component]
pub fn Frame(
    /// Which.
    dialog: Dialog,
    /// Its title.
    #[prop(into)]
    title: Signal<String>,
    /// Wide enough for two columns.
    #[prop(optional)]
    wide: bool,
    /// What has the focus at first; the browser chooses if it is not there.
    #[prop(optional)]
    first: Option<fn() -> &'static str>,
    /// What it contains.
    children: Children,
) -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let open = app.dialog.get() == Some(dialog);
        let Some(node) = node.get() else { return };
        if open && !node.open() {
            // It fails for a dialog that is open or not in the page.
            let _ = node.show_modal();
            if let Some(first) = first {
                request_animation_frame(move || crate::events::focus(first()));
            }
        } else if !open && node.open() {
            node.close();
        }
    });
    let closed = move |_| {
        if app.dialog.get_untracked() == Some(dialog) {
            app.dialog.set(None);
        }
    };
    // A click outside closes.
    let outside = move |event: leptos::ev::MouseEvent| {
        let own = node.get_untracked().is_some_and(|node| {
            event.target().is_some_and(|target| {
                let node: &web_sys::EventTarget = node.as_ref();
                *node == target
            })
        });
        if own {
            app.dialog.set(None);
        }
    };
    let name = format!("dialog-{dialog:?}").to_lowercase();
    let title_id = format!("{name}-title");
    let label = title_id.clone();
    view! {
        <dialog
            id=name
            class="dialog"
            class:wide=wide
            node_ref=node
            aria-labelledby=label
            on:close=closed
            on:mousedown=outside
        >
            <div class="dialog-frame">
                <div class="dialog-head">
                    <h2 id=title_id>{move || title.get()}</h2>
                    <button
                        class="icon-button"
                        aria-label="Close"
                        on:click=move |_| app.dialog.set(None)
                    >
                        {icons::icon(icons::CLOSE)}
                    </button>
                </div>
                <div class="dialog-body">{children()}</div>
            </div>
        </dialog>
    }
}
