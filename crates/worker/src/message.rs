//! Events on their way to the page.

use promenade_messages::write_event;
use promenade_protocol::Event;
use web_sys::DedicatedWorkerGlobalScope;

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
