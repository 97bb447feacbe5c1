//! Statements: whether they are executable, and what they do.

use crate::channel;
use crate::eval::Context;
use crate::program::{
    CLAIM_PID, Ch, ChannelRef, Init, Op, Pat, Piece, Program, Receive, Run, Send,
};
use crate::promise::Use;
use crate::trace;
use promenade_base::{CancelToken, Interrupt};
use promenade_transition_system::{Message, MessageKind, ViolationKind};
use std::fmt::Write;

/// Bytes of text after which one step, which may be a long `d_step`, prints no more.
const MOST_PRINTED: usize = 1 << 16;

/// What [`test`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tested {
    /// Not executable.
    No,
    /// Executable; a receive takes the message in this slot.
    Yes(u32),
    /// A rendezvous send: executable iff another process receives.
    Rendezvous(ChannelRef),
}

/// How an effect ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Applied {
    /// The state is complete, except for the control point.
    Done,
    /// A fault ends the path here.
    Ended,
    /// A later part of a sequence is not executable: the step does not exist.
    Blocked,
}

/// What a step leaves behind besides the state.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Fill in what follows.
    pub record: bool,
    pub check_assertions: bool,
    pub message: Option<Message>,
    pub printed: String,
    pub created: Option<u8>,
    /// Room for the message in transit.
    pub fields: Vec<i32>,
    /// Edges taken so far, by id.
    pub executed: Vec<bool>,
    pub cancel: Option<CancelToken>,
    pub interrupt: Option<Interrupt>,
    /// A `d_step` was too long to follow, or somebody asked to stop: the expansion is incomplete.
    pub gave_up: bool,
    /// Work within `d_step`s.
    pub work: u64,
    /// An atomic sequence came back to a state that it had been in.
    pub went_round: bool,
}

impl Effects {
    /// Notes that an edge was taken.
    #[inline(always)]
    pub(crate) fn mark(&mut self, edge: u32) {
        if let Some(flag) = self.executed.get_mut(edge as usize) {
            *flag = true;
        }
    }

    /// Whether somebody asked to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
            || self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }
}

/// Whether `op` is executable in `s`. `earlier`: an earlier edge of the location was.
#[inline]
pub(crate) fn test(op: &Op, c: &Context<'_>, s: &[u8], earlier: bool) -> Tested {
    let yes = |condition: bool| if condition { Tested::Yes(0) } else { Tested::No };
    match op {
        Op::Condition(e) => yes(c.eval(e, s) != 0),
        Op::Skip
        | Op::Assign8(..)
        | Op::Assign(..)
        | Op::Assert(_)
        | Op::Print(_)
        | Op::Run(_)
        | Op::SetPriority(_) => Tested::Yes(0),
        Op::Else => yes(!earlier),
        Op::Send(send) => test_send(send, c, s),
        Op::Receive(receive) => test_receive(receive, c, s),
        Op::DStep(step) => yes(crate::d_step::can_start(step, c, s, earlier)),
        Op::Sequence(ops) => match ops.first() {
            Some(first) => test(first, c, s, earlier),
            None => Tested::Yes(0),
        },
        Op::End => yes(c.pid.wrapping_add(1) == s[0]),
    }
}

fn test_send(send: &Send, c: &Context<'_>, s: &[u8]) -> Tested {
    let Some(q) = c.channel(s, &send.channel) else { return Tested::No };
    c.watch(s, q.number, Use::Send { sorted: send.sorted });
    let capacity = c.p.channel_types[q.ty as usize].capacity;
    if capacity == 0 {
        Tested::Rendezvous(q)
    } else if channel::length(c.p, s, q) < capacity || c.p.lose_messages {
        Tested::Yes(0)
    } else {
        Tested::No
    }
}

fn test_receive(receive: &Receive, c: &Context<'_>, s: &[u8]) -> Tested {
    let Some(q) = c.channel(s, &receive.channel) else { return Tested::No };
    c.watch(s, q.number, Use::Receive { random: receive.random });
    if receive.keep && c.p.channel_types[q.ty as usize].capacity == 0 {
        c.faults.soft(ViolationKind::PollRendezvous);
        return Tested::No;
    }
    match channel::find(c, s, q, receive.random, &receive.patterns) {
        Some(slot) => Tested::Yes(slot),
        None => Tested::No,
    }
}

/// Carries `op` out in `s`, a copy of the state that it was tested in.
#[inline]
pub(crate) fn apply(
    op: &Op,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    slot: u32,
    effects: &mut Effects,
) -> Applied {
    match op {
        Op::Skip | Op::Condition(_) | Op::Else => Applied::Done,
        Op::Assign8(at, mask, value) => {
            let value = c.eval(value, s);
            s[*at as usize] = value as u8 & *mask;
            Applied::Done
        }
        Op::Assign(target, value) => {
            let value = c.eval(value, s);
            if let Some(target) = target
                && let Some((at, kind)) = c.place(s, target)
            {
                kind.store(s, at, value);
            }
            Applied::Done
        }
        Op::Assert(e) => {
            if effects.check_assertions && c.eval(e, s) == 0 && !c.faults.is_hard() {
                c.faults.soft(ViolationKind::Assertion);
            }
            Applied::Done
        }
        Op::Print(pieces) => {
            if effects.record {
                print(pieces, c, s, &mut effects.printed);
            }
            Applied::Done
        }
        Op::Send(send) => {
            apply_send(send, c, s, effects);
            Applied::Done
        }
        Op::Receive(receive) => {
            apply_receive(receive, c, s, slot, effects);
            Applied::Done
        }
        Op::Run(run) => {
            apply_run(run, c, s, effects);
            Applied::Done
        }
        Op::SetPriority(operands) => {
            let pid = c.eval(&operands.0, s);
            let priority = c.eval(&operands.1, s);
            // A process that is not there is passed over, whatever the number.
            if let (Some(base), Some(at)) = (c.process(s, pid), c.p.priority_offset) {
                match u8::try_from(priority) {
                    Ok(priority) if priority > 0 => s[base + at as usize] = priority,
                    _ => c.faults.hard(ViolationKind::PriorityRange),
                }
            }
            Applied::Done
        }
        Op::DStep(step) => return crate::d_step::run(step, c, s, effects),
        Op::Sequence(ops) => return apply_sequence(ops, c, s, slot, effects),
        Op::End => {
            let end = c.p.visible_end(s);
            s.drain(c.base as usize..end);
            s[0] = s[0].wrapping_sub(1);
            Applied::Done
        }
    };
    if c.faults.is_hard() { Applied::Ended } else { Applied::Done }
}

fn apply_sequence(
    ops: &[Op],
    c: &Context<'_>,
    s: &mut Vec<u8>,
    slot: u32,
    effects: &mut Effects,
) -> Applied {
    for (number, op) in ops.iter().enumerate() {
        let slot = if number == 0 {
            slot
        } else {
            match test(op, c, s, false) {
                Tested::Yes(slot) => slot,
                Tested::No | Tested::Rendezvous(_) if c.faults.is_hard() => return Applied::Ended,
                Tested::No | Tested::Rendezvous(_) => return Applied::Blocked,
            }
        };
        match apply(op, c, s, slot, effects) {
            Applied::Done => {}
            other => return other,
        }
    }
    Applied::Done
}

/// Evaluates the fields of a send, cut to the channel's types; missing ones are zero and a fault.
pub(crate) fn message(
    send: &Send,
    c: &Context<'_>,
    s: &[u8],
    q: ChannelRef,
    fields: &mut Vec<i32>,
) {
    values(send, c, s, q, fields);
    cut(c.p, q, fields);
}

/// The same with the values as they are: a sorted send compares them before they are cut.
fn values(send: &Send, c: &Context<'_>, s: &[u8], q: ChannelRef, fields: &mut Vec<i32>) {
    let count = c.p.channel_types[q.ty as usize].fields.len();
    fields.clear();
    fields.extend((0..count).map(|number| send.arguments.get(number).map_or(0, |e| c.eval(e, s))));
    if send.arguments.len() < count {
        c.faults.soft(ViolationKind::TooFewSendArguments);
    }
}

fn cut(p: &Program, q: ChannelRef, fields: &mut [i32]) {
    for (field, (kind, _)) in fields.iter_mut().zip(&p.channel_types[q.ty as usize].fields) {
        *field = kind.cut(*field);
    }
}

fn apply_send(send: &Send, c: &Context<'_>, s: &mut [u8], effects: &mut Effects) {
    let Some(q) = c.channel(s, &send.channel) else { return };
    let full = channel::length(c.p, s, q) >= c.p.channel_types[q.ty as usize].capacity;
    let mut fields = std::mem::take(&mut effects.fields);
    values(send, c, s, q, &mut fields);
    if c.faults.is_hard() {
        effects.fields = fields;
        return;
    }
    if !full {
        channel::insert(c.p, s, q, send.sorted, &fields);
    }
    cut(c.p, q, &mut fields);
    if !full {
        trace::event(c, s, q.number, true, &fields);
    }
    if effects.record {
        let kind = if full { MessageKind::Lost } else { MessageKind::Send };
        effects.message = Some(Message { channel: q.number, kind, values: fields.clone() });
    }
    effects.fields = fields;
}

fn apply_receive(
    receive: &Receive,
    c: &Context<'_>,
    s: &mut [u8],
    slot: u32,
    effects: &mut Effects,
) {
    let Some(q) = c.channel(s, &receive.channel) else { return };
    let mut fields = std::mem::take(&mut effects.fields);
    channel::read(c.p, s, q, slot, &mut fields);
    if !receive.keep {
        trace::event(c, s, q.number, false, &fields);
    }
    store_fields(&receive.patterns, c, s, &fields);
    if !receive.keep {
        channel::remove(c.p, s, q, slot);
    }
    if effects.record {
        let kind = if receive.keep { MessageKind::Peek } else { MessageKind::Receive };
        effects.message = Some(Message { channel: q.number, kind, values: fields.clone() });
    }
    effects.fields = fields;
}

/// Assigns the fields of a message from left to right; a wrong number of targets is a fault.
pub(crate) fn store_fields(patterns: &[Pat], c: &Context<'_>, s: &mut [u8], fields: &[i32]) {
    for (number, pattern) in patterns.iter().enumerate() {
        if let Pat::Store(target) = pattern
            && let Some((at, kind)) = c.place(s, target)
        {
            kind.store(s, at, fields.get(number).copied().unwrap_or(0));
        }
    }
    if patterns.len() != fields.len() {
        c.faults.soft(ViolationKind::WrongReceiveArguments);
    }
}

/// The channel of a send or receive operand inside a handshake.
pub(crate) fn channel_number(channel: &Ch, c: &Context<'_>, s: &[u8]) -> Option<u8> {
    match channel {
        Ch::Fixed(q) => Some(q.number),
        Ch::Value(e) => u8::try_from(c.eval(e, s)).ok(),
    }
}

fn apply_run(run: &Run, c: &Context<'_>, s: &mut Vec<u8>, effects: &mut Effects) {
    let mut fields = std::mem::take(&mut effects.fields);
    fields.clear();
    fields.extend(run.arguments.iter().map(|e| c.eval(e, s)));
    let priority = match &run.priority {
        Some(e) => c.eval(e, s),
        None => i32::from(c.p.types[run.proctype as usize].priority),
    };
    if !(1..=255).contains(&priority) {
        c.faults.hard(ViolationKind::PriorityRange);
    }
    if !c.faults.is_hard() {
        let created = create(c, s, run.proctype, &fields, priority as u8);
        effects.created = created;
        if let (Some(pid), Some(target)) = (created, &run.target)
            && let Some((at, kind)) = c.place(s, target)
        {
            kind.store(s, at, i32::from(pid));
        }
    }
    effects.fields = fields;
}

/// Appends a process; `None` after a fault.
pub(crate) fn create(
    c: &Context<'_>,
    s: &mut Vec<u8>,
    proctype: u16,
    arguments: &[i32],
    priority: u8,
) -> Option<u8> {
    let p = c.p;
    let pid = s[0];
    if pid == CLAIM_PID {
        c.faults.hard(ViolationKind::TooManyProcesses);
        return None;
    }
    let ty = &p.types[proctype as usize];
    let channels = if ty.channels.is_empty() { 0 } else { p.channel_count(s) };
    if channels + ty.channels.len() > 255 {
        c.faults.hard(ViolationKind::TooManyChannels);
        return None;
    }
    let base = p.visible_end(s);
    let hidden = p.hidden_bytes as usize;
    let record = ty.record_bytes as usize;
    s.resize(s.len() + record, 0);
    s.copy_within(base..base + hidden, base + record);
    s[base..base + record].fill(0);
    s[0] += 1;
    if p.type_bytes == 1 {
        s[base] = proctype as u8;
    } else {
        s[base..base + 2].copy_from_slice(&proctype.to_le_bytes());
    }
    p.write_location(s, base + p.type_bytes as usize, ty.entry);
    if let Some(at) = p.priority_offset {
        s[base + at as usize] = priority;
    }
    let base = base as u32;
    let own = Context { pid, base, locals: base + p.locals_offset, ..*c };
    for (parameter, &value) in ty.parameters.iter().zip(arguments) {
        if let Some((at, kind)) = own.place(s, parameter) {
            kind.store(s, at, value);
        }
    }
    initialize(&ty.initializers, &own, s, channels as u32);
    p.rest(s, base as usize);
    if c.faults.is_hard() { None } else { Some(pid) }
}

/// Runs initializers; `channels` is how many channels were there before the owner's.
pub(crate) fn initialize(list: &[Init], c: &Context<'_>, s: &mut [u8], channels: u32) {
    for initializer in list {
        match initializer {
            Init::Value { place, value, count, stride } => {
                let value = c.eval(value, s);
                if let Some((at, kind)) = c.place(s, place) {
                    for number in 0..*count as usize {
                        kind.store(s, at + number * *stride as usize, value);
                    }
                }
            }
            Init::Channel { place, channel } => {
                if let Some((at, kind)) = c.place(s, place) {
                    kind.store(s, at, (channels + channel + 1) as i32);
                }
            }
        }
    }
}

fn print(pieces: &[Piece], c: &Context<'_>, s: &[u8], out: &mut String) {
    if out.len() > MOST_PRINTED {
        return;
    }
    for piece in pieces {
        // Writing to a string does not fail.
        let _ = match piece {
            Piece::Text(text) => out.write_str(text),
            Piece::Decimal(e) => write!(out, "{}", c.eval(e, s)),
            Piece::Unsigned(e) => write!(out, "{}", c.eval(e, s) as u32),
            Piece::Hexadecimal(e) => write!(out, "{:x}", c.eval(e, s)),
            Piece::Octal(e) => write!(out, "{:o}", c.eval(e, s)),
            Piece::Character(e) => out.write_char(char::from(c.eval(e, s) as u8)),
            Piece::Symbol(e, set) => {
                let value = c.eval(e, s);
                match symbol(c.p, *set, value) {
                    Some(name) => out.write_str(name),
                    None => write!(out, "{value}"),
                }
            }
        };
    }
}

fn symbol(p: &Program, set: Option<u8>, value: i32) -> Option<&str> {
    let first = set.and_then(|set| p.symbols.get(usize::from(set)));
    let members = first.into_iter().chain(&p.symbols).flatten();
    members.filter(|m| m.1 == value).map(|m| m.0.as_str()).next()
}
