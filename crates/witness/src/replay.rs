//! Replay: from choice numbers back to a run with all its steps.

use crate::checksum;
use promenade_transition_system::{
    Blocked, Item, MicroStep, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};

/// One move of a replayed run.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayedStep {
    /// Who moved, where, and what happened. The range [`MicroStep::state`] means nothing here.
    pub step: MicroStep,
    /// The state after the move; empty where a violation left none.
    pub state: Vec<u8>,
    /// Index of the choice number that this move belongs to.
    pub choice: u32,
}

/// A replayed run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replayed {
    /// The initial state; empty if a violation prevented it.
    pub initial: Vec<u8>,
    /// Moves in order.
    pub steps: Vec<ReplayedStep>,
    /// The last stored state of the run.
    pub last: Vec<u8>,
    /// Its checksum.
    pub checksum: u32,
    /// The violation at the end: of the last choice, of the initial step, or a deadlock in the last
    /// state.
    pub violation: Option<Violation>,
    /// How many items each choice was one of; what [`crate::encode`] asks for.
    pub radices: Vec<u32>,
}

/// Why a list of choices is not a run of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The system has no initial state, or not the one with the violation expected.
    Initial,
    /// A state has fewer items than the choice number says.
    Choice {
        /// Index of the choice.
        index: usize,
        /// The choice.
        choice: u32,
        /// How many items there are.
        available: usize,
    },
    /// The run goes on after a choice that ends it.
    Continued {
        /// Index of the choice that has no successor.
        index: usize,
    },
    /// The run can be executed, but what it shows is something else.
    Violation {
        /// What should be there.
        expected: Violation,
        /// What is.
        found: Option<Violation>,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Initial => write!(f, "the model has no such initial state"),
            Self::Choice { index, choice, available } => write!(
                f,
                "step {} takes alternative {}, but there are only {available}",
                index + 1,
                u64::from(*choice) + 1,
            ),
            Self::Continued { index } => {
                write!(f, "the run goes on after step {}, where it ends", index + 1)
            }
            Self::Violation { expected, found: None } => {
                write!(f, "the run does not show {}", expected.kind.name())
            }
            Self::Violation { expected, found: Some(found) } => {
                write!(f, "the run shows {}, not {}", found.kind.name(), expected.kind.name())
            }
        }
    }
}

impl std::error::Error for Mismatch {}

/// Moves of the steps in a range of the buffer.
fn collect(out: &Successors, range: (u32, u32), choice: usize, run: &mut Replayed) {
    let steps = out.steps.get(range.0 as usize..range.1 as usize).unwrap_or(&[]);
    run.steps.extend(steps.iter().map(|step| ReplayedStep {
        step: step.clone(),
        state: out.slice(step.state).to_vec(),
        choice: choice as u32,
    }));
}

/// Executes choice numbers from the initial state.
///
/// The last choice may be a violation; then the run ends with it. After the last choice the state
/// is looked at for a deadlock. An empty list shows the initial state.
///
/// # Errors
///
/// A [`Mismatch`] if there is no such run. No number is trusted: lists may come from links.
pub fn replay(system: &mut dyn TransitionSystem, choices: &[u32]) -> Result<Replayed, Mismatch> {
    let hidden = system.hidden_bytes();
    let mut out = Successors::new(true);
    let mut run = Replayed::default();
    system.initial(&mut out);
    let mut initial = None;
    for (index, item) in out.items.iter().enumerate() {
        match item {
            Item::Violation { violation, .. } if run.violation.is_none() => {
                run.violation = Some(*violation);
            }
            Item::Target { .. } if initial.is_none() => initial = out.target(index),
            _ => {}
        }
    }
    let Some(initial) = initial else {
        if run.violation.is_some() && choices.is_empty() {
            return Ok(run);
        }
        return Err(Mismatch::Initial);
    };
    run.initial = initial.to_vec();
    let mut state = run.initial.clone();
    let in_initial = run.violation.take();
    for (index, &choice) in choices.iter().enumerate() {
        system.expand(&state, Selection::All, &mut out);
        let available = out.items.len();
        run.radices.push(available as u32);
        match out.items.get(choice as usize) {
            None => return Err(Mismatch::Choice { index, choice, available }),
            Some(&Item::Target { steps, .. }) => {
                collect(&out, steps, index, &mut run);
                state.clear();
                state.extend_from_slice(out.target(choice as usize).unwrap_or(&[]));
            }
            Some(&Item::Violation { violation, steps, .. }) => {
                if index + 1 < choices.len() {
                    return Err(Mismatch::Continued { index });
                }
                collect(&out, steps, index, &mut run);
                run.violation = Some(violation);
            }
        }
    }
    if run.violation.is_none() {
        system.expand(&state, Selection::All, &mut out);
        if out.blocked == Some(Blocked::InvalidEnd) {
            let kind = ViolationKind::InvalidEndState;
            run.violation = Some(Violation { kind, pid: None, edge: None });
        } else if choices.is_empty() {
            run.violation = in_initial;
        }
    }
    run.checksum = checksum(&state, hidden);
    run.last = state;
    Ok(run)
}

/// Replays evidence and makes sure that it shows its violation.
///
/// # Errors
///
/// A [`Mismatch`] if there is no such run or it shows something else; then the checker is wrong, or
/// the evidence is of another model.
pub fn confirm(
    system: &mut dyn TransitionSystem,
    choices: &[u32],
    expected: Violation,
) -> Result<Replayed, Mismatch> {
    let run = replay(system, choices)?;
    if run.violation == Some(expected) {
        return Ok(run);
    }
    // An initial step may have several violations; any of them is shown by the empty run.
    if choices.is_empty() && expected.kind != ViolationKind::InvalidEndState {
        let mut out = Successors::new(true);
        system.initial(&mut out);
        let shown = out.items.iter().any(
            |item| matches!(item, Item::Violation { violation, .. } if *violation == expected),
        );
        if shown {
            return Ok(Replayed { violation: Some(expected), ..run });
        }
    }
    Err(Mismatch::Violation { expected, found: run.violation })
}
