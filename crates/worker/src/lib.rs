//! The browser worker around a session: messages in, messages out, a slice of work in between.
//!
//! Messages are the types of `promenade-protocol` as plain JavaScript values; see
//! `promenade-messages`.

mod desk;
mod machine;
mod message;
mod panic;
mod pump;

pub use desk::Desk;
pub use pump::Watch;

use pump::Pump;
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

/// Begins to listen and says so, as the checker's worker. Outside of a dedicated worker it does
/// nothing.
pub fn run() {
    serve(desk::Checker::new);
}

/// The same for a worker that does something else.
pub fn serve<D: Desk + 'static>(desk: impl FnOnce(Watch) -> D) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    panic::tell::<D>();
    let message = match Pump::start(scope.clone(), desk) {
        Some(()) => D::ready(),
        None => D::crashed("the browser has no message channels".to_owned()),
    };
    message::post::<D>(&scope, &message);
}
