//! Who makes the steps: the interpreter, or generated code.

use crate::arguments::Engine;
use crate::check::Watch;
use promenade_protocol::{Event, PlanNote, Report};
use promenade_service::Session;
use promenade_wasmtime_engine::Wasmtime;

/// A report, and who made the steps.
pub(crate) struct Checked {
    pub report: Report,
    pub engine: String,
}

/// What sessions are given to execute generated code; for all threads of a check.
#[derive(Clone)]
pub(crate) struct Engines(Option<Wasmtime>);

impl Engines {
    pub(crate) fn new(engine: Engine) -> Self {
        Self(match engine {
            Engine::Interpret => None,
            Engine::Automatic => Some(Wasmtime::new()),
            Engine::Compiled => Some(Wasmtime::eager()),
        })
    }

    /// A session of a thread.
    pub(crate) fn session(&self, watch: Watch) -> Session<Watch> {
        let mut session = Session::new(watch);
        if let Some(engine) = &self.0 {
            session.set_engine(Box::new(engine.clone()));
        }
        session
    }
}

/// What the events of a check tell of it.
pub(crate) struct Told(String);

impl Told {
    pub(crate) fn new() -> Self {
        Self("Interpreted.".to_owned())
    }

    pub(crate) fn hear(&mut self, event: &Event) {
        let Event::Planned { notes, .. } = event else { return };
        crate::check::has_read();
        let is_engine = |note: &&PlanNote| note.topic == "engine";
        if let Some(note) = notes.iter().find(is_engine) {
            self.0.clone_from(&note.text);
        }
    }

    pub(crate) fn with(self, report: Report) -> Checked {
        Checked { report, engine: self.0 }
    }
}
