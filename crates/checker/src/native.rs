//! Generated code for a search: made when it pays, executed by whoever has a WebAssembly engine.

pub use promenade_interp::{Native, Record, Request, Stop};
pub use promenade_jit::{Compiled, call};

use crate::check::Check;
use promenade_interp::Interpreter;
use promenade_jit::{Settings, compile};
use promenade_protocol::PlanNote;

/// What becomes of a module in an engine.
pub enum Loaded {
    /// It can be called.
    Ready(Box<dyn Native>),
    /// It is being prepared while the search goes on: ask again.
    Later,
    /// It cannot be used, and why.
    Refused(String),
}

/// What can execute generated code.
pub trait Engine {
    /// Makes a module callable, which will keep at most so many bytes of successors at a time.
    fn load(&self, module: &Compiled, most_bytes: usize) -> Loaded;

    /// After how many transitions it pays to compile a model with so many statements.
    fn pays_after(&self, statements: u32) -> u64 {
        FIRST + FOR_EACH * u64::from(statements)
    }
}

/// Transitions after which compiling pays in a browser, and how many more for each statement: to
/// compile one takes as long as to execute it a few dozen times.
const FIRST: u64 = 2_000;
const FOR_EACH: u64 = 20;

impl Check {
    /// After how many transitions the search should be [accelerated](Check::accelerate), if it is
    /// still going on then. Both ways give the same steps in the same order, so that a search can
    /// change from one to the other at any time.
    pub fn pays_after(&self, engine: &dyn Engine) -> u64 {
        engine.pays_after(self.model().edge_count)
    }

    /// Lets generated code make the steps from now on, and notes how much of the model it can do, or
    /// why it cannot. Violations are replayed by the interpreter all the same. False if the code is
    /// not ready yet, and the search should go on until the next try.
    pub fn accelerate(&mut self, engine: &dyn Engine) -> bool {
        let mut module = self.module.take();
        let Some((system, notes)) = self.searching() else { return true };
        let text = match accelerate(system, &mut module, engine) {
            Ok(Some(text)) => text,
            Ok(None) => {
                self.module = module;
                return false;
            }
            Err(why) => format!("Interpreted: {why}."),
        };
        notes.retain(|note| note.topic != "engine");
        notes.push(PlanNote { topic: "engine".to_owned(), text, refused: None });
        true
    }
}

/// Says what was done, nothing if the engine is not ready; `module` keeps the code for then.
fn accelerate(
    system: &mut Interpreter,
    module: &mut Option<Compiled>,
    engine: &dyn Engine,
) -> Result<Option<String>, String> {
    let options = system.options();
    let most_bytes = options.expansion_bytes;
    let compiled = match module {
        Some(compiled) => compiled,
        None => {
            let settings = Settings {
                check_assertions: options.check_assertions,
                weak_fairness: options.weak_fairness,
            };
            let made = compile(system.program(), settings);
            module.insert(made.map_err(|why| why.reason().to_owned())?)
        }
    };
    match engine.load(compiled, most_bytes) {
        Loaded::Ready(native) => system.accelerate(native),
        Loaded::Later => return Ok(None),
        Loaded::Refused(why) => return Err(why),
    }
    let (done, all) = (compiled.compiled, compiled.statements);
    Ok(Some(if done == all {
        "Compiled to WebAssembly.".to_owned()
    } else {
        format!("Compiled to WebAssembly: {done} of {all} statements; the rest is interpreted.")
    }))
}
