//! Requests and events as JavaScript values, between the page and its workers.
//!
//! They are plain values: numbers, strings, arrays, objects; `undefined` for what is absent. They are
//! read leniently: numbers may come as big integers too. Both sides are here, because each type
//! that is read in two crates is compiled twice.
//!
//! In JavaScript a message has its kind as the property `t`, beside its fields. serde has that as an
//! internal tag, for which it keeps the whole message in a form of its own before it reads it: that
//! takes half as much code again as reading it directly. So the kind is moved here.
#![forbid(unsafe_code)]

use js_sys::{Object, Reflect};
use promenade_protocol::{CourseEvent, CourseRequest, Event, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

/// The property with the kind of a message.
const KIND: &str = "t";

/// Reads a request; an error says what does not fit.
pub fn read_request(value: JsValue) -> Result<Request, String> {
    read(&value)
}

/// Reads an event; an error says what does not fit.
pub fn read_event(value: JsValue) -> Result<Event, String> {
    read(&value)
}

/// Reads a request to the worker for courses; an error says what does not fit.
pub fn read_course_request(value: JsValue) -> Result<CourseRequest, String> {
    read(&value)
}

fn read<T: DeserializeOwned>(value: &JsValue) -> Result<T, String> {
    let missing = || format!("a message has its kind in the property `{KIND}`");
    let kind = Reflect::get(value, &KIND.into()).map_err(|_| missing())?;
    if !kind.is_string() {
        return Err(missing());
    }
    let outer = Object::new();
    Reflect::set(&outer, &kind, value).map_err(|_| missing())?;
    serde_wasm_bindgen::from_value(outer.into()).map_err(|error| error.to_string())
}

/// Writes a request. Large number types become big integers.
pub fn write_request(request: &Request) -> Result<JsValue, String> {
    write(request, &large())
}

fn write<T: Serialize>(message: &T, serializer: &Serializer) -> Result<JsValue, String> {
    let outer = message.serialize(serializer).map_err(|error| error.to_string())?;
    let wrong = || "a message is an object with its kind".to_owned();
    let outer: Object = outer.dyn_into().map_err(|_| wrong())?;
    let kind = Object::keys(&outer).get(0);
    let value = Reflect::get(&outer, &kind).map_err(|_| wrong())?;
    Reflect::set(&value, &KIND.into(), &kind).map_err(|_| wrong())?;
    Ok(value)
}

/// Writes an event.
///
/// Numbers above 2^53 become big integers; there are none in practice, so JavaScript sees plain
/// numbers.
pub fn write_event(event: &Event) -> Result<JsValue, String> {
    write(event, &Serializer::new()).or_else(|_| write(event, &large()))
}

/// Writes an event of the worker for courses, as [`write_event`] does.
pub fn write_course_event(event: &CourseEvent) -> Result<JsValue, String> {
    write(event, &Serializer::new()).or_else(|_| write(event, &large()))
}

fn large() -> Serializer {
    Serializer::new().serialize_large_number_types_as_bigints(true)
}
