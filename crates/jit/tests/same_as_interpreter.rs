//! Generated code, run by a WebAssembly interpreter, and the reference expand every reached state
//! alike.

#[path = "support/compare.rs"]
mod compare;
#[path = "support/machine.rs"]
mod machine;
#[path = "support/suite.rs"]
mod suite;

use machine::Machine;
use promenade_interp::{Native, Record, Request, Stop};
use promenade_jit::Compiled;

/// With so little room for successors that it is exceeded now and then.
fn load(compiled: &Compiled) -> Box<dyn Native> {
    Box::new(Machine::new(compiled, (200, 16)))
}

/// An engine in which every third call goes wrong, after it has written something.
struct Failing(Box<dyn Native>, u32);

impl Native for Failing {
    fn run(
        &mut self,
        request: Request<'_>,
        bytes: &mut Vec<u8>,
        records: &mut Vec<Record>,
    ) -> Stop {
        let stop = self.0.run(request, bytes, records);
        self.1 += 1;
        if self.1.is_multiple_of(3) { Stop::Failed } else { stop }
    }
}

#[test]
fn what_fails_is_interpreted() {
    let failing = |compiled: &Compiled| -> Box<dyn Native> { Box::new(Failing(load(compiled), 0)) };
    suite::gallery(&failing);
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
