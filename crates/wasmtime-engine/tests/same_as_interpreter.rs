//! Generated code, run by Wasmtime, and the interpreter expand every reached state alike.

#[path = "../../jit/tests/support/compare.rs"]
mod compare;
#[path = "../../jit/tests/support/suite.rs"]
mod suite;

use promenade_checker::native::{Engine, Loaded};
use promenade_interp::Native;
use promenade_jit::Compiled;
use promenade_wasmtime_engine::Wasmtime;

fn load(compiled: &Compiled) -> Box<dyn Native> {
    match Wasmtime::eager().load(compiled, 64 << 20) {
        Loaded::Ready(native) => native,
        Loaded::Later => panic!("an eager engine does not wait"),
        Loaded::Refused(why) => panic!("{why}"),
    }
}

#[test]
fn random_models() {
    suite::random_models(&load);
}

#[test]
fn corners() {
    suite::corners(&load);
}

#[test]
fn random_models_with_claims() {
    suite::random_models_with_claims(&load);
}

#[test]
fn dead_variables() {
    suite::dead_variables(&load);
}

#[test]
fn write_only_variables() {
    suite::write_only_variables(&load);
}

#[test]
fn gallery() {
    suite::gallery(&load);
}

#[test]
fn corpus() {
    suite::corpus(&load);
}
