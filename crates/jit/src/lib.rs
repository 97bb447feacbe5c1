//! Compiles an executable model to a WebAssembly module that expands states.
//!
//! [`compile`] is a pure function: it gives the bytes of a module that imports a memory (`env`,
//! `memory`) and exports one function, `expand`. Who has a WebAssembly engine instantiates it and
//! offers it to the interpreter as [`promenade_interp::Native`]; how the function is called is
//! described in [`call`].
//!
//! **Same answers.** The code does what the interpreter does for ordinary steps: same successors,
//! same order, same coverage. Where something goes wrong (an index out of bounds, a false assertion)
//! or a statement is of a kind that is not compiled, it stops in front of that edge and leaves it to
//! the interpreter. It is therefore never the code that reports a violation.
//!
//! **Shape of the code.** One function for each location of each process type: it tries the
//! location's edges in order and writes the successors one behind the other. A step inside an atomic
//! sequence calls the function of the location that it leads to. Loops need no table of states on
//! the way: a sequence that comes back to a state would go on for ever, so it meets a bound on its
//! steps and is left to the interpreter as a whole.
#![forbid(unsafe_code)]

pub mod call;
mod channel;
mod code;
mod d_step;
mod driver;
mod expression;
mod helpers;
mod layout;
mod location;
mod module;
mod operation;
mod rendezvous;

pub use module::{Compiled, NotCompiled, Settings, compile};
