//! Requests and events as JavaScript values, between the page and its workers.
//!
//! They are plain values: numbers, strings, arrays, objects; `undefined` for what is absent. They are
//! read leniently: numbers may come as big integers too. Both sides are here, because each type
//! that is read in two crates is compiled twice.
#![forbid(unsafe_code)]

use promenade_protocol::{Event, Request};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Reads a request; an error says what does not fit.
pub fn read_request(value: JsValue) -> Result<Request, String> {
    serde_wasm_bindgen::from_value(value).map_err(|error| error.to_string())
}

/// Reads an event; an error says what does not fit.
pub fn read_event(value: JsValue) -> Result<Event, String> {
    serde_wasm_bindgen::from_value(value).map_err(|error| error.to_string())
}

/// Writes a request. Large number types become big integers.
pub fn write_request(request: &Request) -> Result<JsValue, String> {
    request.serialize(&large()).map_err(|error| error.to_string())
}

/// Writes an event.
///
/// Numbers above 2^53 become big integers; there are none in practice, so JavaScript sees plain
/// numbers.
pub fn write_event(event: &Event) -> Result<JsValue, String> {
    if let Ok(value) = event.serialize(&Serializer::new()) {
        return Ok(value);
    }
    event.serialize(&large()).map_err(|error| error.to_string())
}

fn large() -> Serializer {
    Serializer::new().serialize_large_number_types_as_bigints(true)
}
