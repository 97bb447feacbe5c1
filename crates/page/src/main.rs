//! Starts the playground page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}

/// Shows whether the checker's worker has started.
#[component]
fn App() -> impl IntoView {
    let state = RwSignal::new(String::from("starting"));
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    match Worker::new_with_options("./promenade-worker_loader.js", &options) {
        Ok(worker) => {
            let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
                let said = event.data().as_string().unwrap_or_default();
                if let Some(root) = document().document_element() {
                    // What the browser tests wait for. It cannot fail: the name is a valid one.
                    let _ = root.set_attribute("data-worker", &said);
                }
                state.set(said);
            });
            worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
            on_message.forget();
        }
        Err(_) => state.set("the browser refused to start a worker".into()),
    }
    view! { <main><h1>"Promenade"</h1><p id="worker-state">{state}</p></main> }
}
