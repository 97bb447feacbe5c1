//! The help panel. It lies over the result, so that the text stays in reach while reading.
//!
//! The pages are loaded when the panel is opened for the first time.

use crate::app::App;
use crate::events::{focus, keep_chosen};
use crate::icons;
use leptos::html;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Names and titles of the pages (`www/help`), in the order in which they are listed.
const PAGES: &[(&str, &str)] = &[
    ("getting-started", "Getting started"),
    ("verdicts", "Verdicts"),
    ("infinite-runs", "Infinite runs"),
    ("reading-a-counterexample", "Reading a counterexample"),
    ("simulation", "Simulation"),
    ("state-graph", "The state graph"),
    ("options", "Options"),
    ("engine", "Stores and reduction"),
    ("keyboard", "Keyboard"),
    ("promela-quick-reference", "Promela quick reference"),
    ("glossary", "Glossary"),
    ("command-line", "Command line"),
    ("assignments", "Assignments"),
    ("teaching", "Teaching"),
    ("privacy", "Privacy"),
];

#[wasm_bindgen]
extern "C" {
    /// The address of the pages as HTML, which the page's start script knows.
    #[wasm_bindgen(thread_local_v2, js_namespace = promenade, js_name = help)]
    static ADDRESS: String;
}

thread_local! {
    /// An object from names to HTML, once it has been loaded.
    static TEXTS: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// Where the texts are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    OnTheWay,
    Here,
    Missing,
}

/// The HTML of a page, if it has been loaded.
fn html_of(name: &str) -> Option<String> {
    TEXTS.with_borrow(|texts| {
        js_sys::Reflect::get(texts.as_ref()?, &name.into()).ok().and_then(|it| it.as_string())
    })
}

async fn load() -> Result<JsValue, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response = JsFuture::from(ADDRESS.with(|address| window.fetch_with_str(address))).await?;
    let response: web_sys::Response = response.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(response.json()?).await
}

/// Begins to load the texts, if they are not here.
fn texts() -> RwSignal<Texts> {
    if TEXTS.with_borrow(Option::is_some) {
        return RwSignal::new(Texts::Here);
    }
    let state = RwSignal::new(Texts::OnTheWay);
    spawn_local(async move {
        let now = match load().await {
            Ok(object) => {
                TEXTS.set(Some(object));
                Texts::Here
            }
            Err(_) => Texts::Missing,
        };
        // The panel may have been closed meanwhile.
        let _ = state.try_set(now);
    });
    state
}

fn known(name: &str) -> Option<&'static str> {
    PAGES.iter().map(|page| page.0).find(|page| *page == name)
}

/// Whether the focus is in the panel, or nowhere as the panel is gone.
fn has_focus() -> bool {
    let active = document().active_element();
    active.is_none_or(|it| it.tag_name() == "BODY" || it.closest("#help").ok().flatten().is_some())
}

/// The panel.
#[component]
pub fn Help() -> impl IntoView {
    let app = App::get();
    let texts = texts();
    let body = NodeRef::<html::Div>::new();
    let heading = NodeRef::<html::Select>::new();
    Effect::new(move |_| {
        if let Some(heading) = heading.get() {
            // It can have the focus.
            let _ = heading.focus();
        }
    });
    // Unless it is elsewhere already, the focus goes back to where the help is opened.
    on_cleanup(|| {
        if has_focus() {
            request_animation_frame(|| focus("[aria-controls=help]"));
        }
    });
    Effect::new(move |_| {
        let _ = app.help.get();
        if let Some(body) = body.get() {
            body.set_scroll_top(0);
        }
    });
    keep_chosen(heading, move || {
        let own = app.help.get();
        PAGES.iter().position(|page| page.0 == own)
    });
    let follow = move |event: leptos::ev::MouseEvent| {
        let target = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let link = target.and_then(|it| it.closest("a").ok().flatten());
        let Some(place) = link.and_then(|link| link.get_attribute("href")) else { return };
        event.prevent_default();
        if let Some(page) = place.strip_prefix("#help-").and_then(known) {
            app.help.set(page);
        }
    };
    let choose = move |event: leptos::ev::Event| {
        if let Some(page) = known(&event_target_value(&event)) {
            app.help.set(page);
        }
    };
    let html = move || match texts.get() {
        Texts::Here => html_of(app.help.get()).unwrap_or_default(),
        Texts::OnTheWay => String::new(),
        Texts::Missing => {
            "<p>The help could not be loaded. It needs the network when it is opened for the \
                           first time: close it, and open it again later.</p>"
                .to_owned()
        }
    };
    let busy = move || (texts.get() == Texts::OnTheWay).then_some("true");
    view! {
        <div class="help" id="help" role="dialog" aria-label="Help">
            <div class="help-head">
                <select class="help-choice" node_ref=heading aria-label="Page of the help" on:change=choose>
                    {PAGES
                        .iter()
                        .map(|&(name, title)| {
                            view! {
                                <option id=format!("help-{name}") value=name>{title}</option>
                            }
                        })
                        .collect_view()}
                </select>
                <button class="icon-button" aria-label="Close the help" on:click=move |_| app.dialog.set(None)>
                    {icons::icon(icons::CLOSE)}
                </button>
            </div>
            <div
                class="help-body prose"
                node_ref=body
                tabindex="0"
                aria-busy=busy
                on:click=follow
                inner_html=html
            ></div>
        </div>
    }
}
