//! The worker for courses, a program of its own: it is loaded when an assignment is opened.
#![forbid(unsafe_code)]

use promenade_courses::Session;
use promenade_messages::{read_course_request, write_course_event};
use promenade_protocol::{CourseEvent, VERSION};
use promenade_worker::{Desk, Watch};
use wasm_bindgen::JsValue;

struct Courses(Session<Watch>);

fn written(events: &[CourseEvent]) -> Vec<Result<JsValue, String>> {
    events.iter().map(write_course_event).collect()
}

impl Desk for Courses {
    fn submit(&mut self, message: JsValue) -> Result<(), String> {
        self.0.submit(read_course_request(message)?);
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
        write_course_event(&CourseEvent::Ready { version: VERSION.to_owned() })
    }

    fn crashed(message: String) -> Result<JsValue, String> {
        write_course_event(&CourseEvent::Crashed { message })
    }
}

fn main() {
    promenade_worker::serve(|clock| Courses(Session::new(clock)));
}
