//! The checker's worker: started, spoken to in typed messages, and replaced when it dies.

use promenade_messages::{read_event, write_request};
use promenade_protocol::{Event, Request};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

#[wasm_bindgen]
extern "C" {
    /// The address of the worker's script (`www/js/worker.js`), which the page's start script knows.
    #[wasm_bindgen(thread_local_v2, js_namespace = promenade, js_name = worker)]
    static SCRIPT: String;
}

/// So many starts without `Ready` within [`SPAN`] milliseconds are enough.
const STARTS: usize = 4;
const SPAN: f64 = 15_000.0;

/// What the client tells the page.
pub enum Signal {
    /// The checker says something.
    Event(Event),
    /// The worker ended by itself, with what is known. It is not started again by itself.
    Died(String),
    /// There is no worker, and another attempt would not help.
    Unavailable(String),
}

type Handler = Rc<dyn Fn(Signal)>;

/// One worker at a time. Requests wait until it is ready.
#[derive(Clone)]
pub struct Client(Rc<RefCell<Inner>>);

struct Inner {
    live: Option<Live>,
    ready: bool,
    waiting: Vec<Request>,
    handler: Handler,
    starts: Vec<f64>,
    job: u32,
}

struct Live {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onmessageerror(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Client {
    /// A client without a worker; see [`Client::restart`].
    pub fn new(handler: impl Fn(Signal) + 'static) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            live: None,
            ready: false,
            waiting: Vec::new(),
            handler: Rc::new(handler),
            starts: Vec::new(),
            job: 0,
        })))
    }

    /// A number that was not used before.
    pub fn next_job(&self) -> u32 {
        let mut inner = self.0.borrow_mut();
        inner.job = inner.job.wrapping_add(1);
        inner.job
    }

    /// Ends the worker, if there is one, forgets what waits for it, and starts another.
    pub fn restart(&self) {
        let now = crate::events::now();
        let handler = {
            let mut inner = self.0.borrow_mut();
            inner.live = None;
            inner.ready = false;
            inner.waiting.clear();
            inner.starts.retain(|start| now - start < SPAN);
            if inner.starts.len() < STARTS {
                inner.starts.push(now);
                None
            } else {
                Some(Rc::clone(&inner.handler))
            }
        };
        if let Some(handler) = handler {
            handler(Signal::Unavailable(
                "The checker ended several times in a row before it was ready.".to_owned(),
            ));
            return;
        }
        match self.start() {
            Ok(live) => self.0.borrow_mut().live = Some(live),
            Err(error) => {
                let handler = Rc::clone(&self.0.borrow().handler);
                handler(Signal::Unavailable(format!(
                    "The browser refused to start the checker: {}",
                    describe(&error)
                )));
            }
        }
    }

    /// Ends the worker, if there is one, and forgets what waits for it.
    pub fn end(&self) {
        let mut inner = self.0.borrow_mut();
        inner.ready = false;
        inner.waiting.clear();
        let live = inner.live.take();
        drop(inner);
        drop(live);
    }

    /// Lets [`Client::restart`] try again after it gave up.
    pub fn forgive(&self) {
        self.0.borrow_mut().starts.clear();
    }

    fn start(&self) -> Result<Live, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = SCRIPT.with(|script| Worker::new_with_options(script, &options))?;
        let client = self.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            client.hear(event.data());
        });
        let client = self.clone();
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            event.prevent_default();
            let text = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            client.die(if text.is_empty() { "it could not be loaded".to_owned() } else { text });
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        hand_over(&worker)?;
        Ok(Live { worker, _on_message: on_message, _on_error: on_error })
    }

    fn hear(&self, data: JsValue) {
        let event = match read_event(data) {
            Ok(event) => event,
            Err(error) => {
                self.die(format!("it said something that this page does not understand ({error})"));
                return;
            }
        };
        match event {
            Event::Crashed { message } => self.die(message),
            Event::Ready { .. } => {
                let (handler, waiting) = {
                    let mut inner = self.0.borrow_mut();
                    inner.ready = true;
                    inner.starts.clear();
                    (Rc::clone(&inner.handler), std::mem::take(&mut inner.waiting))
                };
                handler(Signal::Event(event));
                for request in waiting {
                    self.send(request);
                }
            }
            event => {
                let handler = Rc::clone(&self.0.borrow().handler);
                handler(Signal::Event(event));
            }
        }
    }

    fn die(&self, message: String) {
        let (handler, gone) = {
            let mut inner = self.0.borrow_mut();
            inner.ready = false;
            inner.waiting.clear();
            (Rc::clone(&inner.handler), inner.live.take().is_some())
        };
        if gone {
            handler(Signal::Died(message));
        }
    }

    /// Sends a request, as soon as the worker is ready. A newer parse replaces one that waits.
    pub fn send(&self, request: Request) {
        let failed = {
            let mut inner = self.0.borrow_mut();
            if !inner.ready {
                if matches!(request, Request::Parse { .. }) {
                    inner.waiting.retain(|other| !matches!(other, Request::Parse { .. }));
                }
                inner.waiting.push(request);
                return;
            }
            let sent = write_request(&request).and_then(|value| match &inner.live {
                Some(live) => live.worker.post_message(&value).map_err(|error| describe(&error)),
                None => Err("there is no worker".to_owned()),
            });
            sent.err()
        };
        if let Some(error) = failed {
            self.die(format!("a request could not be sent: {error}"));
        }
    }
}

/// Gives the page's compiled program to a worker, which waits for it: nothing is compiled twice. A
/// worker that is sent something else loads the program by itself.
fn hand_over(worker: &Worker) -> Result<(), JsValue> {
    worker.post_message(&wasm_bindgen::module()).or_else(|_| worker.post_message(&JsValue::NULL))
}

fn describe(value: &JsValue) -> String {
    value
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| value.as_string())
        .unwrap_or_else(|| "unknown reason".to_owned())
}
