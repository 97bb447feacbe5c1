//! Small helpers around the browser: time, listeners, elements.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{AddEventListenerOptions, Element, EventTarget};

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    web_sys::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// Milliseconds since 1970.
pub fn clock() -> f64 {
    js_sys::Date::now()
}

/// The element `<html>`.
pub fn root() -> Option<Element> {
    web_sys::window()?.document()?.document_element()
}

/// Sets or removes an attribute of `<html>`.
pub fn set_root_attribute(name: &str, value: Option<&str>) {
    if let Some(root) = root() {
        // The names used are valid, so neither can fail.
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// A listener that stays as long as the page. `capture`: before the elements inside see the event.
pub fn listen<E: JsCast + 'static>(
    target: &EventTarget,
    name: &str,
    capture: bool,
    mut call: impl FnMut(E) + 'static,
) {
    let closure = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
        call(event.unchecked_into());
    });
    let options = AddEventListenerOptions::new();
    options.set_capture(capture);
    let function = closure.as_ref().unchecked_ref();
    // It fails for null listeners only.
    let _ = target
        .add_event_listener_with_callback_and_add_event_listener_options(name, function, &options);
    closure.forget();
}

/// The same on the window.
pub fn listen_window<E: JsCast + 'static>(
    name: &str,
    capture: bool,
    call: impl FnMut(E) + 'static,
) {
    if let Some(window) = web_sys::window() {
        listen(&window, name, capture, call);
    }
}

/// Calls whenever the size of an element changes, as long as it is there.
pub fn listen_size(node: NodeRef<html::Div>, call: impl Fn() + Copy + 'static) {
    let kept = StoredValue::new_local(None::<(web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let closure = Closure::<dyn FnMut()>::new(call);
        if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(&element);
            kept.set_value(Some((observer, closure)));
        }
    });
    on_cleanup(move || {
        kept.try_update_value(|kept| {
            if let Some((observer, _)) = kept.take() {
                observer.disconnect();
            }
        });
    });
}

/// Whether the screen is a phone's.
pub fn is_narrow() -> bool {
    let media = web_sys::window().and_then(|it| it.match_media("(max-width: 760px)").ok()?);
    media.is_some_and(|it| it.matches())
}

/// Gives the focus to the first element that fits a selector.
pub fn focus(selector: &str) {
    let found = web_sys::window().and_then(|w| w.document()?.query_selector(selector).ok()?);
    if let Some(element) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // An element that cannot have the focus keeps it where it is.
        let _ = element.focus();
    }
}

/// Keeps the chosen option of a `<select>` what the state says, whatever the user or a change of the
/// options did to it.
pub fn keep_chosen(
    node: NodeRef<html::Select>,
    chosen: impl Fn() -> Option<usize> + Send + Sync + 'static,
) {
    Effect::new(move |_| {
        let index = chosen().and_then(|index| i32::try_from(index).ok()).unwrap_or(-1);
        if let Some(node) = node.get() {
            // The options may be changing in this very moment.
            request_animation_frame(move || node.set_selected_index(index));
        }
    });
}
