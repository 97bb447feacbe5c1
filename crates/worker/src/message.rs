//! Messages as JavaScript values.

use promenade_protocol::{Event, Request};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use web_sys::DedicatedWorkerGlobalScope;

/// Reads a request; an error says what does not fit.
pub fn read_request(value: JsValue) -> Result<Request, String> {
    serde_wasm_bindgen::from_value(value).map_err(|error| error.to_string())
}

/// Writes an event.
///
/// Numbers above 2^53 become big integers; there are none in practice, so JavaScript sees plain
/// numbers.
pub fn write_event(event: &Event) -> Result<JsValue, String> {
    let exact = Serializer::new();
    if let Ok(value) = event.serialize(&exact) {
        return Ok(value);
    }
    let large = Serializer::new().serialize_large_number_types_as_bigints(true);
    event.serialize(&large).map_err(|error| error.to_string())
}

/// Sends an event to the page.
pub(crate) fn post(scope: &DedicatedWorkerGlobalScope, event: &Event) {
    let message = match write_event(event) {
        Ok(value) => scope.post_message(&value),
        Err(error) => {
            let message = format!("an event could not be written: {error}");
            match write_event(&Event::Crashed { message }) {
                Ok(value) => scope.post_message(&value),
                Err(_) => return,
            }
        }
    };
    // It fails when the page has closed the worker: nobody is listening any more.
    let _ = message;
}
