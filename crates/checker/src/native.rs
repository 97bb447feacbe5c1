//! Generated code for a search: made when it pays, executed by whoever has a WebAssembly engine.

pub use promenade_interp::{Native, Record, Request, Stop};
pub use promenade_jit::{Compiled, call};

use crate::check::Check;
use promenade_interp::Interpreter;
use promenade_jit::{Settings, compile};
use promenade_protocol::PlanNote;

/// What can execute generated code.
pub trait Engine {
    /// Makes a module callable; an error says why it cannot be.
    fn load(&self, module: &Compiled) -> Result<Box<dyn Native>, String>;
}

/// Transitions after which compiling pays, and how many more for each statement: compiling one
/// takes as long as executing it a few dozen times.
const FIRST: u64 = 2_000;
const FOR_EACH: u64 = 20;

impl Check {
    /// After how many transitions the search should be [accelerated](Check::accelerate), if it is
    /// still going on then. Both ways give the same steps in the same order, so that a search can
    /// change from one to the other at any time.
    pub fn pays_after(&self) -> u64 {
        let edges = self.model().edge_count;
        FIRST + FOR_EACH * u64::from(edges)
    }

    /// Lets generated code make the steps from now on, and notes how much of the model it can do, or
    /// why it cannot. Violations are replayed by the interpreter all the same.
    pub fn accelerate(&mut self, engine: &dyn Engine) {
        let Some((system, notes)) = self.searching() else { return };
        let text = match accelerate(system, engine) {
            Ok(text) => text,
            Err(why) => format!("Interpreted: {why}."),
        };
        notes.retain(|note| note.topic != "engine");
        notes.push(PlanNote { topic: "engine".to_owned(), text });
    }
}

fn accelerate(system: &mut Interpreter, engine: &dyn Engine) -> Result<String, String> {
    let options = system.options();
    let settings = Settings {
        check_assertions: options.check_assertions,
        weak_fairness: options.weak_fairness,
    };
    let compiled = compile(system.program(), settings).map_err(|why| why.reason().to_owned())?;
    system.accelerate(engine.load(&compiled)?);
    let (done, all) = (compiled.compiled, compiled.statements);
    Ok(if done == all {
        "Compiled to WebAssembly.".to_owned()
    } else {
        format!("Compiled to WebAssembly: {done} of {all} statements; the rest is interpreted.")
    })
}
