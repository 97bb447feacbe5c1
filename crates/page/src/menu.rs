//! A button with a menu: arrow keys, Home, End, Escape, first letters by the browser's focus.

use crate::icons;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

/// One line of a menu.
#[derive(Clone)]
pub struct Item {
    /// What it says.
    pub label: &'static str,
    /// The key that does the same.
    pub keys: &'static str,
    /// Whether it is the present choice, for menus of choices.
    pub chosen: Option<Signal<bool>>,
    /// Whether it is there; always, if it does not say.
    pub there: Option<Signal<bool>>,
    /// What it does.
    pub action: Callback<()>,
}

impl Item {
    /// An item that does something.
    pub fn new(
        label: &'static str,
        keys: &'static str,
        action: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self { label, keys, chosen: None, there: None, action: Callback::new(move |()| action()) }
    }

    /// The item, as long as a condition holds.
    pub fn only_if(self, there: Signal<bool>) -> Self {
        Self { there: Some(there), ..self }
    }
}

/// The button and its menu.
#[component]
pub fn Menu(
    /// The name of the button.
    label: &'static str,
    /// Its icon.
    icon: &'static str,
    /// Only the icon is seen.
    #[prop(optional)]
    small: bool,
    /// The menu opens to the left.
    #[prop(optional)]
    end: bool,
    /// The lines.
    items: Vec<Item>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let list = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    let buttons = move || -> Vec<HtmlElement> {
        let Some(list) = list.get_untracked() else { return Vec::new() };
        let children = list.children();
        let all = (0..children.length()).filter_map(|i| children.item(i));
        let all = all.filter_map(|child| child.dyn_into::<HtmlElement>().ok());
        all.filter(|child| !child.hidden()).collect()
    };
    let focus = move |index: usize| {
        if let Some(element) = buttons().get(index) {
            // Menu items can have the focus.
            let _ = element.focus();
        }
    };
    let close = move |back: bool| {
        open.set(false);
        if back && let Some(button) = button.get_untracked() {
            let _ = button.focus();
        }
    };
    let press = move |event: KeyboardEvent| {
        if !open.get_untracked() {
            if event.key() == "ArrowDown" {
                event.prevent_default();
                open.set(true);
                request_animation_frame(move || focus(0));
            }
            return;
        }
        let all = buttons();
        let active = document().active_element();
        let here = all.iter().position(|it| {
            let element: &web_sys::Element = it;
            active.as_ref() == Some(element)
        });
        let last = all.len().saturating_sub(1);
        let to = match event.key().as_str() {
            "ArrowDown" => here.map_or(0, |i| if i == last { 0 } else { i + 1 }),
            "ArrowUp" => here.map_or(last, |i| if i == 0 { last } else { i - 1 }),
            "Home" => 0,
            "End" => last,
            "Escape" => {
                event.prevent_default();
                event.stop_propagation();
                close(true);
                return;
            }
            "Tab" => {
                close(false);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        focus(to);
    };
    // Leaving the menu closes it; a click on the button itself is handled by the button.
    let blurred = move |event: leptos::ev::FocusEvent| {
        let to = event.related_target().and_then(|it| it.dyn_into::<web_sys::Node>().ok());
        let inside = list.get_untracked().is_some_and(|list| list.contains(to.as_ref()))
            || button.get_untracked().is_some_and(|button| button.contains(to.as_ref()));
        if !inside {
            open.set(false);
        }
    };
    let line = move |item: Item| {
        let (chosen, there) = (item.chosen, item.there);
        let role = if chosen.is_some() { "menuitemradio" } else { "menuitem" };
        view! {
            <button
                class="menu-item"
                role=role
                tabindex="-1"
                hidden=move || there.is_some_and(|it| !it.get())
                aria-checked=move || chosen.map(|it| it.get().to_string())
                on:click=move |_| {
                    close(true);
                    item.action.run(());
                }
            >
                <span class="menu-label">{item.label}</span>
                <kbd>{item.keys}</kbd>
            </button>
        }
    };
    view! {
        <div class="menu" on:keydown=press on:focusout=blurred>
            <button
                class="bar-button"
                class:icon-only=small
                node_ref=button
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                aria-label=label
                title=small.then_some(label)
                on:click=move |_| {
                    open.update(|open| *open = !*open);
                    if open.get_untracked() {
                        request_animation_frame(move || focus(0));
                    }
                }
            >
                {icons::icon(icon)}
                <span class="bar-label">{label}</span>
            </button>
            <div class="menu-list" class:end=end role="menu" aria-label=label node_ref=list hidden=move || !open.get()>
                {items.into_iter().map(line).collect_view()}
            </div>
        </div>
    }
}
