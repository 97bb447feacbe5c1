//! Expressions on the bytes of a state.

use crate::channel;
use crate::program::{Anchor, CLAIM_PID, Cell, Ch, ChannelRef, Ex, Index, Kind, Pl, Program};
use crate::promise::Use;
use promenade_ir::{BinaryOp, ChannelTest, UnaryOp};
use promenade_transition_system::ViolationKind;
use std::cell::{Cell as Mutable, RefCell};

/// What went wrong while something was evaluated, in order.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    any: Mutable<bool>,
    list: RefCell<Vec<Fault>>,
    /// The processes about which `enabled` is being asked, each question part of the one before.
    pub(crate) asked: RefCell<Vec<u8>>,
    /// What was answered as part of the outermost question.
    pub(crate) answers: RefCell<Vec<(u8, bool)>>,
    /// There were too many questions within each other to answer them.
    pub(crate) gave_up: Mutable<bool>,
}

/// A fault; a hard one leaves nothing meaningful to go on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub kind: ViolationKind,
    pub hard: bool,
}

impl Faults {
    #[cold]
    pub(crate) fn hard(&self, kind: ViolationKind) {
        self.add(Fault { kind, hard: true });
    }

    #[cold]
    pub(crate) fn soft(&self, kind: ViolationKind) {
        self.add(Fault { kind, hard: false });
    }

    fn add(&self, fault: Fault) {
        self.any.set(true);
        self.list.borrow_mut().push(fault);
    }

    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.any.get()
    }

    /// Whether a hard one is among them.
    pub(crate) fn is_hard(&self) -> bool {
        self.any() && self.list.borrow().iter().any(|f| f.hard)
    }

    /// Takes them out.
    pub(crate) fn take(&self) -> Vec<Fault> {
        self.any.set(false);
        std::mem::take(&mut self.list.borrow_mut())
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.borrow().len()
    }

    /// Whether one of this kind is among those behind the first `count`.
    pub(crate) fn has(&self, kind: ViolationKind, count: usize) -> bool {
        self.any() && self.list.borrow().iter().skip(count).any(|f| f.kind == kind)
    }

    /// Forgets all but the first `count`.
    pub(crate) fn truncate(&self, count: usize) {
        self.list.borrow_mut().truncate(count);
        self.any.set(count > 0);
    }
}

/// Who evaluates, and when.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub p: &'a Program,
    pub faults: &'a Faults,
    /// The executing process; [`CLAIM_PID`] for the claim.
    pub pid: u8,
    /// Where its record starts; where its locals would have one for the claim.
    pub base: u32,
    /// Where its locals start.
    pub locals: u32,
    /// Whether this is the second try of a state in which nobody could move.
    pub timeout: bool,
}

impl Context<'_> {
    #[inline(always)]
    fn anchor(&self, s: &[u8], anchor: Anchor) -> usize {
        match anchor {
            Anchor::State => 0,
            Anchor::Locals => self.locals as usize,
            Anchor::Hidden => self.p.visible_end(s),
        }
    }

    /// Where a cell is.
    #[inline(always)]
    pub(crate) fn cell(&self, s: &[u8], cell: Cell) -> usize {
        self.anchor(s, cell.anchor) + cell.offset as usize
    }

    /// Adds an index; `None` if it is out of bounds, which is a fault.
    #[inline(always)]
    fn index(&self, s: &[u8], index: &Index) -> Option<usize> {
        let value = self.eval(&index.value, s);
        if (value as u32) < index.length {
            return Some(value as usize * index.stride as usize);
        }
        self.faults.hard(ViolationKind::IndexOutOfBounds);
        None
    }

    fn indexed(&self, s: &[u8], cell: Cell, indices: &[Index]) -> Option<usize> {
        let mut at = self.cell(s, cell);
        for index in indices {
            at += self.index(s, index)?;
        }
        Some(at)
    }

    /// Where a place is and how it is stored; `None` after a fault.
    #[inline]
    pub(crate) fn place(&self, s: &[u8], place: &Pl) -> Option<(usize, Kind)> {
        match place {
            Pl::Plain(cell) => Some((self.cell(s, *cell), cell.kind)),
            Pl::Indexed(indexed) => Some((self.indexed(s, indexed.0, &indexed.1)?, indexed.0.kind)),
        }
    }

    /// The channel behind an operand; `None` after a fault.
    #[inline]
    pub(crate) fn channel(&self, s: &[u8], channel: &Ch) -> Option<ChannelRef> {
        match channel {
            Ch::Fixed(found) => Some(*found),
            Ch::Value(e) => {
                let number = self.eval(e, s);
                let found = self.p.channel(s, number);
                if found.is_none() && !self.faults.is_hard() {
                    self.faults.hard(if number == 0 {
                        ViolationKind::UninitializedChannel
                    } else {
                        ViolationKind::ClosedChannel
                    });
                }
                found
            }
        }
    }

    /// The value of an expression; after a fault any number.
    pub(crate) fn eval(&self, e: &Ex, s: &[u8]) -> i32 {
        match e {
            Ex::Const(value) => *value,
            Ex::Global8(at) => i32::from(s[*at as usize]),
            Ex::Local8(at) => i32::from(s[(self.locals + *at) as usize]),
            Ex::Cell(cell) => cell.kind.load(s, self.cell(s, *cell)),
            Ex::Global8Indexed(indexed) => match self.index(s, &indexed.1) {
                Some(at) => i32::from(s[indexed.0 as usize + at]),
                None => 0,
            },
            Ex::Indexed(indexed) => match self.indexed(s, indexed.0, &indexed.1) {
                Some(at) => indexed.0.kind.load(s, at),
                None => 0,
            },
            Ex::Global8Equal(at, v) => i32::from(s[*at as usize] == *v),
            Ex::Global8NotEqual(at, v) => i32::from(s[*at as usize] != *v),
            Ex::Local8Equal(at, v) => i32::from(s[(self.locals + *at) as usize] == *v),
            Ex::Local8NotEqual(at, v) => i32::from(s[(self.locals + *at) as usize] != *v),
            Ex::EqualConst(a, v) => i32::from(self.eval(a, s) == *v),
            Ex::NotEqualConst(a, v) => i32::from(self.eval(a, s) != *v),
            Ex::Pid => i32::from(self.pid),
            Ex::NrPr => i32::from(s[0]),
            Ex::Last => self.p.last_offset.map_or(0, |at| i32::from(s[at as usize])),
            Ex::Priority => self.priority(s, self.base as usize),
            Ex::Timeout => i32::from(self.timeout),
            Ex::NonProgress => i32::from(self.non_progress(s)),
            Ex::Unary(op, a) => {
                let a = self.eval(a, s);
                match op {
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::Negate => a.wrapping_neg(),
                    UnaryOp::Complement => !a,
                }
            }
            Ex::Binary(op, operands) => {
                let a = self.eval(&operands.0, s);
                let b = self.eval(&operands.1, s);
                self.binary(*op, a, b)
            }
            Ex::And(operands) => {
                i32::from(self.eval(&operands.0, s) != 0 && self.eval(&operands.1, s) != 0)
            }
            Ex::Or(operands) => {
                i32::from(self.eval(&operands.0, s) != 0 || self.eval(&operands.1, s) != 0)
            }
            Ex::Conditional(parts) => {
                if self.eval(&parts.0, s) != 0 {
                    self.eval(&parts.1, s)
                } else {
                    self.eval(&parts.2, s)
                }
            }
            rest => self.rare(rest, s),
        }
    }

    #[inline(always)]
    fn binary(&self, op: BinaryOp, a: i32, b: i32) -> i32 {
        match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div | BinaryOp::Mod if b == 0 => {
                self.faults.hard(ViolationKind::DivisionByZero);
                0
            }
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Mod => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
            BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
            BinaryOp::Equal => i32::from(a == b),
            BinaryOp::NotEqual => i32::from(a != b),
            BinaryOp::Less => i32::from(a < b),
            BinaryOp::LessEqual => i32::from(a <= b),
            BinaryOp::Greater => i32::from(a > b),
            BinaryOp::GreaterEqual => i32::from(a >= b),
        }
    }

    fn rare(&self, e: &Ex, s: &[u8]) -> i32 {
        match e {
            Ex::Len(q) => self.len(s, q),
            Ex::Test(test, q) => self.test(s, *test, q),
            Ex::Poll(poll) => {
                let Some(q) = self.channel(s, &poll.channel) else { return 0 };
                self.watch(s, q.number, Use::Look);
                let ty = &self.p.channel_types[q.ty as usize];
                if ty.capacity == 0 {
                    self.faults.soft(ViolationKind::PollRendezvous);
                    return 0;
                }
                i32::from(channel::find(self, s, q, poll.random, &poll.patterns).is_some())
            }
            Ex::Enabled(e) => i32::from(self.enabled(s, e)),
            Ex::PcValue(e) => {
                let pid = self.eval(e, s);
                // Control points are numbered from 1, so that 0 is none.
                self.process(s, pid).map_or(0, |base| self.p.location_at(s, base) as i32 + 1)
            }
            Ex::GetPriority(e) => {
                let pid = self.eval(e, s);
                self.process(s, pid).map_or(0, |base| self.priority(s, base))
            }
            Ex::RemoteLocation(remote) => {
                let Some(base) = self.remote(s, remote.proctype, remote.index.as_ref()) else {
                    return 0;
                };
                i32::from(remote.locations.contains(&self.p.location_at(s, base)))
            }
            Ex::RemoteLoad(remote) => {
                let Some(base) = self.remote(s, remote.proctype, remote.index.as_ref()) else {
                    return 0;
                };
                // Indices belong to the executing process, the cell to the other one.
                let there = base as u32 + self.p.locals_offset;
                let (cell, indices): (Cell, &[Index]) = match &remote.place {
                    Pl::Plain(cell) => (*cell, &[]),
                    Pl::Indexed(indexed) => (indexed.0, &indexed.1),
                };
                let mut at = Context { locals: there, ..*self }.cell(s, cell);
                for index in indices {
                    match self.index(s, index) {
                        Some(more) => at += more,
                        None => return 0,
                    }
                }
                cell.kind.load(s, at)
            }
            _ => 0,
        }
    }

    /// Base of the process with a pid, if there is one.
    pub(crate) fn process(&self, s: &[u8], pid: i32) -> Option<usize> {
        self.p.process_base(s, u32::try_from(pid).ok()?)
    }

    pub(crate) fn priority(&self, s: &[u8], base: usize) -> i32 {
        match self.p.priority_offset {
            Some(at) if self.pid != CLAIM_PID => i32::from(s[base + at as usize]),
            _ => 1,
        }
    }

    fn len(&self, s: &[u8], q: &Ch) -> i32 {
        if let Ch::Value(e) = q
            && self.eval(e, s) == 0
            && !self.faults.is_hard()
        {
            self.faults.soft(ViolationKind::UninitializedChannel);
            return 0;
        }
        let Some(q) = self.channel(s, q) else { return 0 };
        self.watch(s, q.number, Use::Look);
        channel::length(self.p, s, q) as i32
    }

    fn test(&self, s: &[u8], test: ChannelTest, q: &Ch) -> i32 {
        let Some(q) = self.channel(s, q) else { return 0 };
        self.watch(s, q.number, Use::Test(test));
        let ty = &self.p.channel_types[q.ty as usize];
        let length = channel::length(self.p, s, q);
        let full = ty.capacity > 0 && length >= ty.capacity;
        i32::from(match test {
            ChannelTest::Full => full,
            ChannelTest::NotFull => !full,
            ChannelTest::Empty => length == 0,
            ChannelTest::NotEmpty => length > 0,
        })
    }

    /// The process that a remote reference means; `None` if there is none, or after a fault.
    fn remote(&self, s: &[u8], proctype: u16, index: Option<&Ex>) -> Option<usize> {
        match index {
            Some(e) => {
                let pid = self.eval(e, s);
                let base = self.process(s, pid)?;
                if self.p.type_at(s, base) != usize::from(proctype) {
                    self.faults.hard(ViolationKind::RemoteReference);
                    return None;
                }
                Some(base)
            }
            None => {
                let mut base = self.p.first_process as usize;
                for _ in 0..s[0] {
                    let ty = self.p.type_at(s, base);
                    if ty == usize::from(proctype) {
                        return Some(base);
                    }
                    base += self.p.types[ty].record_bytes as usize;
                }
                None
            }
        }
    }

    /// `np_`
    fn non_progress(&self, s: &[u8]) -> bool {
        let mut base = self.p.first_process as usize;
        for _ in 0..s[0] {
            let ty = &self.p.types[self.p.type_at(s, base)];
            let location = self.p.location_at(s, base);
            if ty.graph.locations[location as usize].progress {
                return false;
            }
            base += ty.record_bytes as usize;
        }
        true
    }
}
