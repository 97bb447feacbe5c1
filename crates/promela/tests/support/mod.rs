//! Plain enumeration of states, and random control flow.
#![allow(dead_code)] // each test uses its part

pub mod flow;

use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_transition_system::{Blocked, Item, Selection, Successors, TransitionSystem};
use std::collections::HashSet;
use std::rc::Rc;

/// Models with more states are cut.
const MAX_STATES: usize = 300_000;

#[derive(Default, Debug, PartialEq, Eq, Clone, Copy)]
pub struct Counts {
    pub stored: u64,
    pub matched: u64,
    pub errors: u64,
    pub fatal: bool,
    pub cut: bool,
}

/// Counts as SPIN does: every arrival at a state, every report.
pub fn count(model: &Rc<Model>, options: RunOptions) -> Counts {
    let claim = options.claim.is_some();
    let mut system = Interpreter::new(model.clone(), options);
    let mut out = Successors::new(false);
    let mut counts = Counts::default();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut work: Vec<Vec<u8>> = Vec::new();
    let hidden = system.hidden_bytes();
    system.initial(&mut out);
    let mut first = true;
    loop {
        for item in &out.items {
            match item {
                Item::Target { start, end, .. } => {
                    let state = out.slice((*start, *end));
                    let key = state[..state.len() - hidden].to_vec();
                    if seen.insert(key) {
                        counts.stored += 1;
                        work.push(state.to_vec());
                    } else {
                        counts.matched += 1;
                    }
                }
                Item::Violation { violation, .. } => {
                    counts.errors += 1;
                    if violation.kind.fatal() {
                        counts.fatal = true;
                    }
                }
            }
        }
        if !first && !claim && out.blocked == Some(Blocked::InvalidEnd) {
            counts.errors += 1;
        }
        first = false;
        if counts.fatal {
            return counts;
        }
        if seen.len() > MAX_STATES {
            counts.cut = true;
            return counts;
        }
        let Some(state) = work.pop() else { return counts };
        system.expand(&state, Selection::All, &mut out);
    }
}
