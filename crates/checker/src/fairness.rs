//! Whether the cycle of an infinite run is weakly fair, process by process.
//!
//! A run is weakly fair to a process that moves infinitely often, or is infinitely often unable to move.
//! On a cycle that is decided by counting, whatever the search was asked for.

use promenade_interp::Interpreter;
use promenade_protocol::CLAIM;
use promenade_transition_system::{Item, MicroStep, Selection, Successors, TransitionSystem};

/// Longer cycles are not looked at.
const MOST: usize = 10_000;
/// Nor those whose states have more successors, all together.
const MOST_STEPS: usize = 1_000_000;

/// A set of processes by pid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pids([u64; 4]);

impl Pids {
    fn add(&mut self, pid: u8) {
        self.0[usize::from(pid / 64)] |= 1 << (pid % 64);
    }

    /// Whether a process is in it.
    pub(crate) fn has(&self, pid: u8) -> bool {
        self.0[usize::from(pid / 64)] >> (pid % 64) & 1 == 1
    }

    fn add_movers(&mut self, step: &MicroStep) {
        if step.pid != CLAIM {
            self.add(step.pid);
            step.partner.iter().for_each(|(pid, _)| self.add(*pid));
        }
    }
}

/// A state of the cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    /// Processes that can move.
    pub enabled: Pids,
    /// Processes that move before the next state.
    pub moved: Pids,
}

/// The states of a cycle, from its first on; `None` if it is too long to be looked at.
pub(crate) fn rounds(
    system: &mut Interpreter,
    entry: &[u8],
    choices: &[u32],
) -> Option<Vec<Round>> {
    if choices.is_empty() || choices.len() > MOST {
        return None;
    }
    let mut out = Successors::new(true);
    let mut state = entry.to_vec();
    let mut rounds = Vec::with_capacity(choices.len());
    let mut steps = 0;
    for &choice in choices {
        out.wanted = None;
        out.record = true;
        system.expand(&state, Selection::All, &mut out);
        steps += out.steps.len();
        if steps > MOST_STEPS || out.incomplete {
            return None;
        }
        let made = |item: &Item| {
            let (from, to) = match *item {
                Item::Target { steps, .. } | Item::Violation { steps, .. } => steps,
            };
            out.steps.get(from as usize..to as usize).unwrap_or(&[])
        };
        let mut round = Round::default();
        for item in &out.items {
            let first = made(item).iter().find(|step| step.pid != CLAIM);
            first.into_iter().for_each(|step| round.enabled.add_movers(step));
        }
        let chosen = out.items.get(choice as usize)?;
        made(chosen).iter().for_each(|step| round.moved.add_movers(step));
        rounds.push(round);
        let next = out.target(choice as usize)?;
        state.clear();
        state.extend_from_slice(next);
    }
    Some(rounds)
}
