//! Assignments: the script that shows them (`www/js/courses`) and what it may do with the page.
//!
//! Script and worker are loaded when an assignment is opened; what is not needed before that is there.

use crate::app::{App, Dialog, Half};
use crate::document::Document;
use leptos::prelude::*;
use promenade_protocol::link::{self, Link, Target};
use promenade_protocol::{Experiment, File};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    /// Loads the script; the page's start script knows its address.
    #[wasm_bindgen(catch, js_namespace = promenade, js_name = courses)]
    fn load() -> Result<js_sys::Promise, JsValue>;
}

/// What the identity of a document begins with that belongs to an assignment.
pub const ORIGIN: &str = "assignment/";
/// The same, if the document is the assignment itself, which its author writes.
pub const WRITTEN: &str = "assignment/text/";

thread_local! {
    /// What hears the page, once it has been loaded.
    static DESK: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Whether a text is an assignment, or work on one.
pub fn is_course(text: &str) -> bool {
    let head: String = text.trim_start().chars().take(2000).collect();
    head.starts_with("---") && head.contains("\npromenade-")
        || head.starts_with("{") && head.contains("\"promenade-progress\"")
}

fn hear(what: &str, value: &JsValue) -> bool {
    let desk = DESK.with_borrow(Option::clone);
    // It throws nothing: what fails there is told there.
    desk.is_some_and(|desk| desk.call2(&JsValue::NULL, &what.into(), value).is_ok())
}

/// Tells the script something, and loads it before if need be.
pub fn tell(app: App, what: &'static str, value: JsValue) {
    if hear(what, &value) {
        return;
    }
    spawn_local(async move {
        if start(app).await.is_some() {
            hear(what, &value);
        } else {
            app.warn(
                "Assignments could not be loaded. They need the network the first time.",
                None,
            );
        }
    });
}

async fn start(app: App) -> Option<()> {
    let module = JsFuture::from(load().ok()?).await.ok()?;
    if DESK.with_borrow(Option::is_some) {
        return Some(());
    }
    let start: js_sys::Function = get(&module, "start").dyn_into().ok()?;
    let calls = Closure::<dyn Fn(String, JsValue) -> JsValue>::new(move |what: String, value| {
        called(app, &what, &value).unwrap_or(JsValue::UNDEFINED)
    });
    let desk = start.call1(&JsValue::NULL, &calls.into_js_value()).ok()?;
    DESK.set(Some(desk.dyn_into().ok()?));
    Some(())
}

fn get(value: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// What the script asks for.
fn called(app: App, what: &str, value: &JsValue) -> Option<JsValue> {
    match what {
        "open" => {
            let document = serde_wasm_bindgen::from_value(get(value, "document")).ok()?;
            let former = app.settings.get_untracked();
            let same = untrack(|| app.of_course());
            show(app, document, value);
            if same && get(value, "check").is_truthy() {
                app.name_options(former);
            }
            app.show_file(get(value, "file").as_f64()? as usize);
            let edit = get(value, "half").as_string()? == "edit";
            if edit {
                app.half.set(Half::Edit);
            } else {
                app.half.set(Half::Result);
            }
            if get(value, "check").is_truthy() {
                app.check();
            }
        }
        "replay" => {
            let fragment = link::parse(&get(value, "link").as_string()?).ok()?;
            let Target::Content(content) = fragment.target else { return None };
            let document: Document = serde_wasm_bindgen::from_value(get(value, "document")).ok()?;
            let experiment = content.experiment;
            show(app, Document { experiment: experiment.clone(), ..document }, value);
            app.view.set("trace");
            app.replay(experiment, content.trail?, None);
        }
        "keep" => {
            app.keep();
        }
        "trail" => {
            let parts = crate::links::Parts { settings: true, trail: true };
            crate::links::trail(app)?;
            return Some(crate::links::address(app, parts, "").ok()?.into());
        }
        "link" => {
            let file = File { name: "assignment.md".to_owned(), text: value.as_string()? };
            let experiment = Experiment { files: vec![file], ..Experiment::default() };
            let link = Link { experiment, version: app.version(), ..Link::default() };
            return Some(link::encode(&link).ok()?.into());
        }
        "notify" => app.warn(value.as_string()?, None),
        "say" => app.notify(value.as_string()?, None),
        "findings" => {
            app.diagnostics.set(serde_wasm_bindgen::from_value(value.clone()).ok()?);
        }
        "close" => app.dialog.set(None::<Dialog>),
        _ => {}
    }
    None
}

/// Opens a document with the lines of its files that may be changed.
fn show(app: App, document: Document, value: &JsValue) {
    let locks = get(value, "locks");
    app.dialog.set(None);
    app.open(document);
    app.with_editor(|editor| {
        app.files.with_untracked(|files| {
            for (at, file) in files.iter().enumerate() {
                editor.lock(at, get(&locks, &file.name));
            }
        });
    });
    app.view.set("assignment");
}

/// Hands over what is kept of a document of an assignment.
pub fn keep(document: &Document) {
    if let Ok(value) = serde_wasm_bindgen::to_value(document) {
        hear("kept", &value);
    }
}

/// Goes on with the assignment of a document, after a reload.
pub fn resume(app: App, document: &Document) {
    if let Some(key) = document.origin.as_deref().and_then(|it| it.strip_prefix(ORIGIN)) {
        tell(app, "resume", key.into());
    }
}

impl App {
    /// Whether the document belongs to an assignment.
    pub fn of_course(&self) -> bool {
        self.origin.with(|it| it.as_ref().is_some_and(|it| it.starts_with(ORIGIN)))
    }

    /// Whether the document is the text of an assignment, and no model.
    pub fn is_written_course(&self) -> bool {
        let written = |it: &String| it.starts_with(WRITTEN);
        self.origin.with_untracked(|it| it.as_ref().is_some_and(written))
    }

    /// Locks all lines of a document that belongs to an assignment, until its script says which may be
    /// changed.
    pub fn lock_course(&self) {
        if untrack(|| self.of_course()) {
            self.with_editor(|editor| {
                for file in 0..self.files.with_untracked(Vec::len) {
                    editor.lock(file, js_sys::Array::new().into());
                }
            });
        }
    }
}

/// An element that the script fills.
#[component]
pub fn Place(
    /// What is shown there.
    what: &'static str,
) -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            let element: &web_sys::HtmlElement = &node;
            tell(app, what, element.into());
        }
    });
    view! { <div node_ref=node></div> }
}
