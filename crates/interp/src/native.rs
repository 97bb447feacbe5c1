//! Generated code in place of the interpreter: what it is asked, and how its answers are used.
//!
//! The interpreter stays in charge: generated code takes the ordinary steps of a state and stops at
//! the first edge that is not its business (something goes wrong there, or it was not compiled),
//! which the interpreter then takes up. Both give the same items in the same order.

use crate::CLAIM_PID;
use crate::expand::{Cursor, Expansion};
use crate::program::Claim;
use promenade_transition_system::{Item, Selection};

/// A question to generated code: the steps of the processes `high`, `high - 1`, ... `low` in `state`.
pub struct Request<'a> {
    /// The state.
    pub state: &'a [u8],
    /// The process to begin with; less than the number of processes. Or [`CLAIM_PID`]: the steps of
    /// the claim are asked for, and nothing else.
    pub high: u8,
    /// The process to end with.
    pub low: u8,
    /// Whether this is the second try of a state in which nobody could move.
    pub timeout: bool,
    /// By edge id, set for each edge taken.
    pub executed: &'a mut [bool],
}

/// A successor that generated code wrote.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// One past its last byte, counted from the first byte that this call wrote.
    pub end: u32,
    /// See [`Record::new`].
    pub what: u32,
}

impl Record {
    /// The most moves that a record can hold.
    pub const MOST_MOVES: u32 = 0xfff;

    /// Bits 0-7: the process whose edge was first (of a claim: the edge's number at its location);
    /// 8-19: moves; 20-31: moves under an atomic's exclusive right.
    pub fn new(end: u32, first: u8, moves: u32, atomic_moves: u32) -> Self {
        Self { end, what: u32::from(first) | moves << 8 | atomic_moves << 20 }
    }

    /// The process that moved.
    pub fn pid(self) -> u8 {
        self.what as u8
    }

    /// Moves made on the way.
    pub fn moves(self) -> u32 {
        self.what >> 8 & Self::MOST_MOVES
    }

    /// Of these, moves under an atomic's exclusive right.
    pub fn atomic_moves(self) -> u32 {
        self.what >> 20
    }
}

/// How a call of generated code ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All is done.
    Done,
    /// The rest of process `pid` is the interpreter's, from an edge on; processes below were not
    /// tried.
    Interpret {
        /// The process.
        pid: u8,
        /// Index of the edge in the graph of its type.
        edge: u32,
        /// Whether an earlier edge of the location was executable.
        earlier: bool,
        /// The escape that is under way.
        escape: u16,
    },
    /// The call failed: nothing that it wrote counts, and the interpreter does all that was asked.
    Failed,
}

/// Generated code for one [`crate::program::Program`] and the options that it was compiled for.
pub trait Native {
    /// Appends the successors to `bytes` and a record of each to `records`, in order.
    fn run(&mut self, request: Request<'_>, bytes: &mut Vec<u8>, records: &mut Vec<Record>)
    -> Stop;
}

impl Expansion<'_> {
    /// Like [`Expansion::processes`], by generated code as far as it goes.
    pub(crate) fn native_processes(
        &mut self,
        s: &[u8],
        selection: Selection,
        moves: u32,
        path: usize,
    ) -> bool {
        let (mut high, low) = match selection {
            Selection::All if s[0] > 0 => (s[0] - 1, 0),
            Selection::Process(pid) if pid < s[0] => (pid, pid),
            _ => return false,
        };
        let mut moved = false;
        loop {
            let Some(native) = self.native.as_deref_mut() else { return moved };
            let records = &mut self.scratch.records;
            records.clear();
            let before = self.out.bytes.len() as u32;
            let executed = &mut self.scratch.effects.executed;
            let request = Request { state: s, high, low, timeout: self.timeout, executed };
            let stop = native.run(request, &mut self.out.bytes, records);
            if stop == Stop::Failed {
                self.out.bytes.truncate(before as usize);
                return self.interpreted_processes(s, (high, low), moves, path) || moved;
            }
            moved |= !records.is_empty();
            self.take_records(before, moves);
            self.check_bytes();
            if self.aborted {
                return moved;
            }
            let Stop::Interpret { pid, edge, earlier, escape } = stop else { return moved };
            let Some(base) = self.p.process_base(s, u32::from(pid)) else { return moved };
            self.now_moves(pid);
            let cursor = Cursor { next: edge, earlier, escape };
            if self.go_on_from(s, pid, base as u32, moves, path, cursor) {
                moved = true;
                self.is_enabled(pid);
            }
            self.aborted |= self.scratch.effects.gave_up;
            if self.aborted || pid <= low {
                return moved;
            }
            high = pid - 1;
        }
    }

    /// Calls `then` with each state that a step of the claim leads to, as far as generated code goes.
    /// Gives the number of the edge from which on the interpreter is asked, and whether an earlier
    /// one was executable.
    pub(crate) fn native_claim(
        &mut self,
        claim: &Claim,
        s: &[u8],
        moves: u32,
        then: &mut dyn FnMut(&mut Self, &[u8], u32),
    ) -> Option<(usize, bool)> {
        if self.native.is_none() || self.out.record {
            return Some((0, false));
        }
        let here = self.p.read_location(s, claim.location_offset as usize);
        let first = claim.process.graph.locations[here as usize].first as usize;
        let before = self.timeout;
        // A claim that moves alone asks again while this is in use.
        let mut bytes = std::mem::take(&mut self.scratch.claim_bytes);
        let mut records = std::mem::take(&mut self.scratch.claim_records);
        bytes.clear();
        records.clear();
        let executed = &mut self.scratch.effects.executed;
        let request =
            Request { state: s, high: CLAIM_PID, low: CLAIM_PID, timeout: before, executed };
        let stop = match self.native.as_deref_mut() {
            Some(native) => native.run(request, &mut bytes, &mut records),
            None => Stop::Failed,
        };
        if stop == Stop::Failed {
            records.clear();
        }
        let mut start = 0;
        for record in &records {
            let end = record.end as usize;
            self.claim_takes(claim, first + usize::from(record.pid()));
            self.timeout = before;
            then(self, bytes.get(start..end).unwrap_or(&[]), moves + 1);
            start = end;
            if self.aborted {
                break;
            }
        }
        self.timeout = before;
        self.scratch.claim_bytes = bytes;
        self.scratch.claim_records = records;
        match stop {
            Stop::Interpret { edge, earlier, .. } if !self.aborted => {
                Some(((edge as usize).saturating_sub(first), earlier))
            }
            Stop::Failed => Some((0, false)),
            _ => None,
        }
    }

    /// Turns records into items.
    fn take_records(&mut self, before: u32, moves: u32) {
        let out = &mut *self.out;
        let mut start = before;
        let steps = (out.steps.len() as u32, out.steps.len() as u32);
        for record in &self.scratch.records {
            let end = before + record.end;
            out.items.push(Item::Target {
                start,
                end,
                moves: moves + record.moves(),
                atomic_moves: record.atomic_moves(),
                steps,
            });
            start = end;
        }
        if self.acceptance.is_none() {
            return;
        }
        let records = std::mem::take(&mut self.scratch.records);
        for record in &records {
            self.now_moves(record.pid());
            self.is_enabled(record.pid());
            self.mark(true);
        }
        self.scratch.records = records;
    }
}
