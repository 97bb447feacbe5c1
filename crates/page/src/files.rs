//! Files of the user's machine: opened, dropped, downloaded.

use crate::app::App;
use crate::courses;
use crate::document::Document;
use crate::events::listen_window;
use leptos::prelude::*;
use promenade_protocol::{Experiment, File, Property};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, FileList, HtmlAnchorElement, HtmlInputElement};

/// More text than this is not opened.
const MAX_BYTES: f64 = crate::app::MAX_TEXT as f64;
/// More files are not opened at once.
const MAX_FILES: u32 = 50;

/// Saves the file in the editor on the user's machine.
pub fn download(app: App) {
    let active = app.active.get_untracked();
    let file = app.files.with_untracked(|files| files.get(active).cloned());
    if let Some(file) = file
        && save(&file).is_err()
    {
        app.warn("The browser did not let the page save a file.", None);
    }
}

fn save(file: &File) -> Result<(), JsValue> {
    save_text(&file.name, &file.text, "text/plain")
}

/// Saves a text on the user's machine.
pub fn save_text(name: &str, text: &str, kind: &str) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&text.into());
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(&format!("{kind};charset=utf-8"));
    save_blob(name, &web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?)
}

/// Saves bytes on the user's machine.
pub fn save_blob(name: &str, blob: &web_sys::Blob) -> Result<(), JsValue> {
    let url = web_sys::Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The download has begun by then.
    set_timeout(
        move || {
            let _ = web_sys::Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(10),
    );
    Ok(())
}

/// Opens the browser's dialog for files.
pub fn choose() {
    crate::events::focus("#file-input");
    let input = document().get_element_by_id("file-input");
    if let Some(input) = input.and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
        input.set_value("");
        input.click();
    }
}

/// The element behind [`choose`].
#[component]
pub fn FileInput() -> impl IntoView {
    let app = App::get();
    let chosen = move |event: leptos::ev::Event| {
        if let Some(list) = event_target::<HtmlInputElement>(&event).files() {
            open_list(app, list);
        }
    };
    view! {
        <input
            id="file-input"
            class="hidden"
            type="file"
            multiple
            accept=".pml,.promela,.prom,.spin,.h,.txt,.md,.json,text/plain"
            tabindex="-1"
            aria-hidden="true"
            on:change=chosen
        />
    }
}

/// Takes files that are dropped anywhere on the page.
pub fn accept_drops(app: App, over: RwSignal<bool>) {
    let has_files = |event: &DragEvent| {
        event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0))
    };
    listen_window("dragover", true, move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
            event.stop_propagation();
            over.set(true);
        }
    });
    listen_window("dragleave", true, move |event: DragEvent| {
        if event.related_target().is_none() {
            over.set(false);
        }
    });
    listen_window("drop", true, move |event: DragEvent| {
        over.set(false);
        if has_files(&event) {
            event.prevent_default();
            event.stop_propagation();
            if let Some(list) = event.data_transfer().and_then(|data| data.files()) {
                open_list(app, list);
            }
        }
    });
}

/// Opens files: the first `.pml` is the main file, the others can be included.
fn open_list(app: App, list: FileList) {
    let count = list.length().min(MAX_FILES);
    let chosen: Vec<web_sys::File> = (0..count).filter_map(|i| list.get(i)).collect();
    if chosen.is_empty() {
        return;
    }
    if chosen.iter().map(|file| file.size()).sum::<f64>() > MAX_BYTES {
        app.warn("That is too much text: a model may have 4 MiB.", None);
        return;
    }
    spawn_local(async move {
        let mut files = Vec::new();
        for file in chosen {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            match text {
                Some(text) if !text.contains('\0') => {
                    files.push(File { name: file.name(), text });
                }
                _ => {
                    app.warn(format!("{} is not a text that can be read.", file.name()), None);
                    return;
                }
            }
        }
        if let Some(file) = files.iter().find(|file| courses::is_course(&file.text)) {
            app.leave_link();
            courses::tell(app, "text", (&file.text).into());
            return;
        }
        if let Some(main) = files.iter().position(|file| file.name.ends_with(".pml")) {
            files.swap(0, main);
        }
        let settings = App::preferred_settings();
        let experiment = Experiment { files, property: Property::Safety, settings };
        app.leave_link();
        app.open(Document::new(experiment, None));
    });
}
