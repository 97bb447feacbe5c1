//! The loop: a slice of work, then a turn of the browser's message queue, so that requests are heard
//! while a check runs.

use crate::Desk;
use crate::message::post;
use promenade_service::Clock;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue, throw_str};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort, Performance};

/// Seconds of work between two turns of the message queue: a cancellation waits no longer.
const SLICE: f64 = 0.02;

/// The browser's clock.
pub struct Watch(Option<Performance>);

impl Clock for Watch {
    fn seconds(&self) -> f64 {
        let milliseconds = self.0.as_ref().map_or_else(js_sys::Date::now, Performance::now);
        milliseconds / 1000.0
    }
}

/// A desk with its way to the outside.
pub(crate) struct Pump<D> {
    scope: DedicatedWorkerGlobalScope,
    desk: RefCell<D>,
    /// A message to this port comes back as a task of its own. (Timers would do, too, but browsers
    /// delay nested ones by milliseconds.)
    bell: MessagePort,
    rung: RefCell<bool>,
}

impl<D: Desk + 'static> Pump<D> {
    /// Begins to listen; `None` if the browser lacks what is needed.
    pub(crate) fn start(
        scope: DedicatedWorkerGlobalScope,
        desk: impl FnOnce(Watch) -> D,
    ) -> Option<()> {
        let channel = MessageChannel::new().ok()?;
        let pump = Rc::new(Self {
            scope: scope.clone(),
            desk: RefCell::new(desk(Watch(scope.performance()))),
            bell: channel.port2(),
            rung: RefCell::new(false),
        });
        let listener = pump.clone();
        let on_bell = Closure::<dyn Fn()>::new(move || listener.turn());
        channel.port1().set_onmessage(Some(on_bell.as_ref().unchecked_ref()));
        // Both live as long as the worker.
        on_bell.forget();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            pump.hear(event.data())
        });
        scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        on_message.forget();
        Some(())
    }

    /// A message from the page.
    fn hear(&self, value: JsValue) {
        let taken = self.desk.borrow_mut().submit(value);
        match taken {
            Ok(()) => self.tell(D::take),
            // A mistake of the sender, who gets it as an `error` event; the session is unharmed.
            Err(error) => throw_str(&format!("this is not a request: {error}")),
        }
    }

    /// A slice of work.
    fn turn(&self) {
        *self.rung.borrow_mut() = false;
        self.tell(|desk| desk.advance(SLICE));
    }

    /// Sends what there is to tell, and asks for another turn if there is more to do.
    fn tell(&self, work: impl FnOnce(&mut D) -> Vec<Result<JsValue, String>>) {
        let messages = work(&mut self.desk.borrow_mut());
        for message in &messages {
            post::<D>(&self.scope, message);
        }
        let idle = self.desk.borrow().is_idle();
        if !idle && !self.rung.replace(true) {
            // It cannot fail: both ends of the channel are ours.
            let _ = self.bell.post_message(&JsValue::NULL);
        }
    }
}
