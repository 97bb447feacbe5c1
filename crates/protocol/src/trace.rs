//! A counterexample or simulation run, ready to show.
//!
//! States are sent as changes: the page applies [`TraceStep::changes`] in order to the values of
//! [`Trace::slots`], which keeps long traces small.

use crate::SpanData;
use serde::{Deserialize, Serialize};

/// Whose a slot is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SlotOwner {
    /// A global variable.
    Global,
    /// A local variable of this process.
    Process {
        /// Its pid.
        pid: u8,
    },
    /// The contents of a channel.
    Channel,
}

/// Something with a value: a variable cell or a channel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// Whose.
    pub owner: SlotOwner,
    /// `x`, `a[2]`, `s.f`, `q`.
    pub name: String,
    /// `byte`, `mtype:m`, `chan [2] of { mtype, byte }`.
    pub type_name: String,
    /// Step after which it exists (0: from the start).
    pub born: u32,
}

/// A slot has a new value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Index into [`Trace::slots`].
    pub slot: u32,
    /// As shown: `3`, `true`, `msg`; a channel's messages are `[msg,1] [ack,0]`, empty `[]`.
    /// `None`: it is gone (its process died).
    pub value: Option<String>,
}

/// What a process is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    /// Somewhere in its body.
    Running,
    /// At the end of its body, waiting for younger ones to die.
    Ended,
    /// Dead.
    Gone,
}

/// Where a process is after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessPosition {
    /// Its pid.
    pub pid: u8,
    /// Its type.
    pub name: String,
    /// Running, ended or gone.
    pub state: ProcessState,
    /// What it does next in the text, if it is running.
    pub span: Option<SpanData>,
    /// Of a claim or the automaton of a property: the number of its state.
    #[serde(default)]
    pub automaton_state: Option<u32>,
}

/// A message that moved in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MessageData {
    /// The channel's name.
    pub channel: String,
    /// `send`, `receive`, `peek`, `rendezvous`, `lost`.
    pub kind: String,
    /// Fields as shown.
    pub values: Vec<String>,
}

/// One move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Who moved.
    pub pid: u8,
    /// Its type.
    pub process: String,
    /// The statement's text.
    pub text: String,
    /// Its place.
    pub span: SpanData,
    /// The calls of inlines that it stems from, from the innermost out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<SpanData>,
    /// The receiver of a rendezvous, its type, its statement and the place.
    pub partner: Option<(u8, String, String, SpanData)>,
    /// The message, if one moved.
    pub message: Option<MessageData>,
    /// Text printed.
    pub printed: String,
    /// Inside an atomic sequence, after its first step.
    pub atomic: bool,
    /// Values that changed.
    pub changes: Vec<Change>,
    /// Positions that changed (births and deaths too).
    pub positions: Vec<ProcessPosition>,
}

/// A run from the initial state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// Everything that has a value at some time.
    pub slots: Vec<Slot>,
    /// Values in the initial state.
    pub initial: Vec<Change>,
    /// Positions in the initial state.
    pub initial_positions: Vec<ProcessPosition>,
    /// Moves in order.
    pub steps: Vec<TraceStep>,
    /// Where the cycle begins (index into `steps`), for infinite runs.
    pub cycle_start: Option<u32>,
    /// Choice numbers that reproduce the run: one per stored state.
    pub choices: Vec<u32>,
    /// For infinite runs: how many of the choices come before the cycle.
    #[serde(default)]
    pub stem: Option<u32>,
    /// Checksum of the last state, to see whether a replay arrived at the same one.
    pub checksum: u32,
    /// The run is longer than what is shown.
    pub truncated: bool,
}

/// The pid of a claim that moves along.
pub const CLAIM: u8 = u8::MAX;

impl Trace {
    /// For each step the index of the step that it is a part of where the moves of a claim are not
    /// shown by themselves: such a move reads the values before the next step of the model, so that
    /// both are one step. A move of the claim alone, behind which nothing of the model moves, is a
    /// step in which the model stands still. No step is part of both stem and cycle.
    pub fn places(&self) -> Vec<u32> {
        let mut places = Vec::with_capacity(self.steps.len());
        let mut next = 0;
        let mut waits = false;
        for (index, step) in self.steps.iter().enumerate() {
            let begins = self.cycle_start == Some(index as u32);
            if waits && (begins || step.pid == CLAIM) {
                next += 1;
            }
            places.push(next);
            waits = step.pid == CLAIM;
            if !waits {
                next += 1;
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(pids: &[u8], cycle_start: Option<u32>) -> Vec<u32> {
        let step = |pid: &u8| TraceStep {
            pid: *pid,
            process: String::new(),
            text: String::new(),
            span: SpanData::default(),
            calls: Vec::new(),
            partner: None,
            message: None,
            printed: String::new(),
            atomic: false,
            changes: Vec::new(),
            positions: Vec::new(),
        };
        let steps = pids.iter().map(step).collect();
        Trace { steps, cycle_start, ..Trace::default() }.places()
    }

    #[test]
    fn a_claim_moves_within_the_next_step() {
        assert_eq!(places(&[CLAIM, 0, CLAIM, 1], None), [0, 0, 1, 1]);
        // Steps without it, and its own.
        assert_eq!(places(&[0, CLAIM, CLAIM, 1, CLAIM], None), [0, 1, 2, 2, 3]);
        // The cycle begins with a step of its own.
        assert_eq!(places(&[CLAIM, 0, CLAIM, 0], Some(3)), [0, 0, 1, 2]);
        assert_eq!(places(&[CLAIM, CLAIM], Some(1)), [0, 1]);
        assert!(places(&[], None).is_empty());
    }
}
