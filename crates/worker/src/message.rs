//! Messages on their way to the page.

use crate::Desk;
use wasm_bindgen::JsValue;
use web_sys::DedicatedWorkerGlobalScope;

/// Sends a message to the page.
pub(crate) fn post<D: Desk>(scope: &DedicatedWorkerGlobalScope, message: &Result<JsValue, String>) {
    let sent = match message {
        Ok(value) => scope.post_message(value),
        Err(error) => match D::crashed(format!("an event could not be written: {error}")) {
            Ok(value) => scope.post_message(&value),
            Err(_) => return,
        },
    };
    // It fails when the page has closed the worker: nobody is listening any more.
    let _ = sent;
}
