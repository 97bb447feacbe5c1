//! Last words: a panic becomes a message before the instance traps.
//!
//! A failed allocation does not panic, it traps at once: the page then gets an `error` event from
//! the browser.

use crate::Desk;
use crate::message::post;
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

/// Makes panics known to the page and to the console. The page then starts another worker: an
/// instance that has trapped is not called again.
pub(crate) fn tell<D: Desk>() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            post::<D>(&scope, &D::crashed(format!("The checker has a defect: {info}")));
        }
    }));
}
