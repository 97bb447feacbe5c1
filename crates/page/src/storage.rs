//! The browser's storage: JSON under one prefix. Whatever cannot be read is as if it were not there.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use web_sys::Storage;

/// Where something is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// For this tab, until it is closed.
    Tab,
    /// For this site on this device.
    Device,
}

fn storage(place: Place) -> Option<Storage> {
    let window = web_sys::window()?;
    // Both are an error where storage is forbidden.
    match place {
        Place::Tab => window.session_storage().ok()?,
        Place::Device => window.local_storage().ok()?,
    }
}

fn full(key: &str) -> String {
    format!("promenade.{key}")
}

/// What is kept under a key, if it can be read.
pub fn load<T: DeserializeOwned>(place: Place, key: &str) -> Option<T> {
    let text = storage(place)?.get_item(&full(key)).ok()??;
    let value = js_sys::JSON::parse(&text).ok()?;
    serde_wasm_bindgen::from_value(value).ok()
}

/// Keeps something; false if there is no room or storage is forbidden.
pub fn save<T: Serialize>(place: Place, key: &str, value: &T) -> bool {
    let keep = || {
        let value = value.serialize(&Serializer::json_compatible()).ok()?;
        let text = js_sys::JSON::stringify(&value).ok()?.as_string()?;
        storage(place)?.set_item(&full(key), &text).ok()
    };
    keep().is_some()
}

/// Forgets a key.
pub fn remove(place: Place, key: &str) {
    if let Some(storage) = storage(place) {
        // It fails only where there is nothing to remove.
        let _ = storage.remove_item(&full(key));
    }
}
