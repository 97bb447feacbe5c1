//! What a worker does, apart from the loop around it.

use crate::machine::Browser;
use crate::pump::Watch;
use promenade_messages::{read_request, write_event};
use promenade_protocol::{Event, VERSION};
use promenade_service::Session;
use wasm_bindgen::JsValue;

/// Messages in, messages out, a slice of work in between.
pub trait Desk {
    /// Takes a message; an error says why it is none.
    fn submit(&mut self, message: JsValue) -> Result<(), String>;
    /// Works for about so many seconds and gives the messages up to then.
    fn advance(&mut self, seconds: f64) -> Vec<Result<JsValue, String>>;
    /// The messages so far.
    fn take(&mut self) -> Vec<Result<JsValue, String>>;
    /// Whether there is nothing to do and nothing to tell.
    fn is_idle(&self) -> bool;
    /// The message that it is ready.
    fn ready() -> Result<JsValue, String>;
    /// The message that it cannot go on.
    fn crashed(message: String) -> Result<JsValue, String>;
}

/// The checker's.
pub(crate) struct Checker(Session<Watch>);

impl Checker {
    pub(crate) fn new(clock: Watch) -> Self {
        let mut session = Session::new(clock);
        session.set_engine(Box::new(Browser::default()));
        Self(session)
    }
}

fn written(events: &[Event]) -> Vec<Result<JsValue, String>> {
    events.iter().map(write_event).collect()
}

impl Desk for Checker {
    fn submit(&mut self, message: JsValue) -> Result<(), String> {
        self.0.submit(read_request(message)?);
        Ok(())
    }

    fn advance(&mut self, seconds: f64) -> Vec<Result<JsValue, String>> {
        written(&self.0.advance(seconds))
    }

    fn take(&mut self) -> Vec<Result<JsValue, String>> {
        written(&self.0.take_events())
    }

    fn is_idle(&self) -> bool {
        self.0.is_idle()
    }

    fn ready() -> Result<JsValue, String> {
        write_event(&Event::Ready { version: VERSION.to_owned() })
    }

    fn crashed(message: String) -> Result<JsValue, String> {
        write_event(&Event::Crashed { message })
    }
}
