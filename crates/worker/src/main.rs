//! Starts the worker: says that it is ready, then answers requests.

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    console_error_panic_hook::set_once();
    if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        // Nobody can be told when this fails: there is no other way to the page.
        let _ = scope.post_message(&"ready".into());
    }
}
