//! The browser worker around a session: messages in, messages out, a slice of work in between.
//!
//! Messages are the types of `promenade-protocol` as plain JavaScript values; see
//! `promenade-messages`.

mod machine;
mod message;
mod panic;
mod pump;

use promenade_protocol::{Event, VERSION};
use pump::Pump;
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

/// Begins to listen and says so. Outside of a dedicated worker it does nothing.
pub fn run() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    panic::tell();
    if Pump::start(scope.clone()).is_none() {
        message::post(
            &scope,
            &Event::Crashed { message: "the browser has no message channels".to_owned() },
        );
        return;
    }
    message::post(&scope, &Event::Ready { version: VERSION.to_owned() });
}
