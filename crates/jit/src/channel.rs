//! Channels: the length, then the slots, oldest message first, free slots zero.

use crate::code::{Label, at};
use crate::module::{CHANNEL_TYPE, Context, Emitter, Unsupported};
use promenade_interp::program::{CType, Ch, Ex, Pat, Receive, Send};

type Result = std::result::Result<(), Unsupported>;

/// Types of channels that an operand may have, at most: the code is written once for each.
const MOST_TYPES: usize = 4;

/// Where a channel is in a state.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Its number and where its length counter is.
    Fixed(u8, u32),
    /// The same in locals.
    At { number: u32, offset: u32 },
}

/// Which message: a number in a local, or the oldest.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Oldest,
    Number(u32),
}

impl Emitter<'_> {
    fn channel_type(&self, ty: u16) -> &CType {
        &self.g.p.channel_types[ty as usize]
    }

    /// Writes code for a channel operand, once for each type that it may have.
    pub(crate) fn with_channel(
        &mut self,
        c: Context,
        channel: &Ch,
        then: &mut dyn FnMut(&mut Self, Place, u16) -> Result,
    ) -> Result {
        let e = match channel {
            Ch::Fixed(q) => return then(self, Place::Fixed(q.number, q.offset), q.ty),
            Ch::Value(e) => e,
        };
        let types = &self.g.channel_types_in_use;
        if types.is_empty() || types.len() > MOST_TYPES {
            return Err(Unsupported);
        }
        let (number, offset) = (self.code.fresh(), self.code.fresh());
        self.value(c, e)?;
        self.code.set(number);
        self.code.get(c.state);
        self.code.get(number);
        let function = self.g.functions.channel;
        self.code.i().call(function);
        self.code.tee(offset);
        self.code.i().i32_eqz();
        self.code.give_up_if();
        let place = Place::At { number, offset };
        if let [ty] = types.as_slice() {
            return then(self, place, *ty);
        }
        let kind = self.code.fresh();
        self.code.i().global_get(CHANNEL_TYPE);
        self.code.set(kind);
        for ty in types {
            self.code.get(kind);
            self.code.i().i32_const(i32::from(*ty)).i32_eq();
            self.code.when();
            then(self, place, *ty)?;
            self.code.otherwise();
        }
        // All types there are have been looked at.
        self.code.i().unreachable();
        for _ in types {
            self.code.end();
        }
        Ok(())
    }

    /// Pushes the number of a channel.
    pub(crate) fn number(&mut self, q: Place) {
        match q {
            Place::Fixed(number, _) => self.code.int(i32::from(number)),
            Place::At { number, .. } => self.code.get(number),
        }
    }

    /// Pushes the address of the length counter, up to an offset that it gives.
    fn start(&mut self, c: Context, q: Place) -> u32 {
        self.code.get(c.state);
        match q {
            Place::Fixed(_, offset) => offset,
            Place::At { offset, .. } => {
                self.code.get(offset);
                self.code.i().i32_add();
                0
            }
        }
    }

    /// Pushes how many messages there are.
    pub(crate) fn length(&mut self, c: Context, q: Place, ty: u16) {
        let bytes = self.channel_type(ty).length_bytes;
        let offset = self.start(c, q);
        if bytes == 1 {
            self.code.i().i32_load8_u(at(offset));
        } else {
            self.code.i().i32_load16_u(at(offset));
        }
    }

    /// Stores the length that `value` pushes.
    fn set_length(&mut self, c: Context, q: Place, ty: u16, value: impl FnOnce(&mut Self)) {
        let bytes = self.channel_type(ty).length_bytes;
        let offset = self.start(c, q);
        value(self);
        if bytes == 1 {
            self.code.i().i32_store8(at(offset));
        } else {
            self.code.i().i32_store16(at(offset));
        }
    }

    /// Pushes the address of a message, up to an offset that it gives.
    fn message(&mut self, c: Context, q: Place, ty: u16, slot: Slot) -> u32 {
        let (length_bytes, message_bytes) =
            (self.channel_type(ty).length_bytes, self.channel_type(ty).message_bytes);
        let offset = self.start(c, q) + length_bytes;
        if let Slot::Number(slot) = slot {
            self.code.get(slot);
            self.code.times(message_bytes);
            self.code.i().i32_add();
        }
        offset
    }

    /// Pushes a field of a message; one that the channel does not have is 0.
    pub(crate) fn field(&mut self, c: Context, q: Place, ty: u16, slot: Slot, number: usize) {
        let Some(&(kind, field)) = self.channel_type(ty).fields.get(number) else {
            return self.code.int(0);
        };
        let offset = self.message(c, q, ty, slot);
        self.load_kind(kind, offset + field);
    }

    /// Finds the first message that matches; goes to `none` if there is none.
    pub(crate) fn find(
        &mut self,
        c: Context,
        q: Place,
        ty: u16,
        random: bool,
        patterns: &[Pat],
        none: Label,
    ) -> std::result::Result<Slot, Unsupported> {
        let asks = patterns.iter().any(|pattern| matches!(pattern, Pat::Match(_)));
        if !random || !asks {
            self.length(c, q, ty);
            self.code.go_unless(none);
            self.compare(c, q, ty, Slot::Oldest, patterns, none)?;
            return Ok(Slot::Oldest);
        }
        let number = self.code.fresh();
        let slot = Slot::Number(number);
        self.code.int(0);
        self.code.set(number);
        let found = self.code.block();
        let again = self.code.repeat();
        self.code.get(number);
        self.length(c, q, ty);
        self.code.i().i32_ge_u();
        self.code.go_if(none);
        let miss = self.code.block();
        self.compare(c, q, ty, slot, patterns, miss)?;
        self.code.go(found);
        self.code.end();
        self.code.get(number);
        self.code.plus(1);
        self.code.set(number);
        self.code.go(again);
        self.code.end();
        self.code.end();
        Ok(slot)
    }

    /// Goes to `miss` if the message does not match.
    fn compare(
        &mut self,
        c: Context,
        q: Place,
        ty: u16,
        slot: Slot,
        patterns: &[Pat],
        miss: Label,
    ) -> Result {
        for (number, pattern) in patterns.iter().enumerate() {
            if let Pat::Match(e) = pattern {
                self.value(c, e)?;
                self.field(c, q, ty, slot, number);
                self.code.i().i32_ne();
                self.code.go_if(miss);
            }
        }
        Ok(())
    }

    /// A send to a channel with slots: goes to `next` if it is full, else writes the state `n`.
    pub(crate) fn send(
        &mut self,
        x: &crate::operation::Site,
        send: &Send,
        q: Place,
        ty: u16,
        next: Label,
    ) -> Result {
        let capacity = self.channel_type(ty).capacity;
        let fields = self.channel_type(ty).fields.clone();
        self.length(x.s, q, ty);
        self.code.i().i32_const(capacity as i32).i32_ge_u();
        if self.g.p.lose_messages {
            // The interpreter loses it.
            self.code.give_up_if();
        } else {
            self.code.go_if(next);
        }
        if send.arguments.len() < fields.len() {
            self.code.give_up();
            return Ok(());
        }
        self.copy(x, 0);
        if send.sorted {
            return self.insert_sorted(x, send, q, ty);
        }
        let count = self.code.local();
        self.length(x.n, q, ty);
        self.code.set(count);
        let message = self.code.local();
        let offset = self.message(x.n, q, ty, Slot::Number(count));
        self.code.set(message);
        for (&(kind, field), argument) in fields.iter().zip(&send.arguments) {
            self.code.get(message);
            self.value(x.s, argument)?;
            self.store_kind(kind, offset + field);
        }
        self.set_length(x.n, q, ty, |e| {
            e.code.get(count);
            e.code.plus(1);
        });
        self.code.release(count);
        self.code.release(message);
        Ok(())
    }

    fn insert_sorted(
        &mut self,
        x: &crate::operation::Site,
        send: &Send,
        q: Place,
        ty: u16,
    ) -> Result {
        let fields = self.channel_type(ty).fields.clone();
        let message_bytes = self.channel_type(ty).message_bytes;
        // Values are compared as they are, and cut when they are stored.
        let values = self.arguments(x.s, &send.arguments, ty, false)?;
        let (index, count) = (self.code.local(), self.code.local());
        self.length(x.n, q, ty);
        self.code.set(count);
        self.code.int(0);
        self.code.set(index);
        let found = self.code.block();
        let again = self.code.repeat();
        self.code.get(index);
        self.code.get(count);
        self.code.i().i32_ge_u();
        self.code.go_if(found);
        let not_larger = self.code.block();
        for (number, &value) in values.iter().enumerate() {
            self.field(x.n, q, ty, Slot::Number(index), number);
            self.code.get(value);
            self.code.i().i32_gt_s();
            self.code.go_if(found);
            self.field(x.n, q, ty, Slot::Number(index), number);
            self.code.get(value);
            self.code.i().i32_lt_s();
            self.code.go_if(not_larger);
        }
        self.code.end();
        self.code.get(index);
        self.code.plus(1);
        self.code.set(index);
        self.code.go(again);
        self.code.end();
        self.code.end();
        let message = self.code.local();
        let offset = self.message(x.n, q, ty, Slot::Number(index));
        self.code.plus(offset);
        self.code.tee(message);
        self.code.get(count);
        self.code.get(index);
        self.code.i().i32_sub();
        self.code.times(message_bytes);
        self.code.int(message_bytes as i32);
        let function = self.g.functions.shift_up;
        self.code.i().call(function);
        for (&(kind, field), &value) in fields.iter().zip(&values) {
            self.code.get(message);
            self.code.get(value);
            self.store_kind(kind, field);
        }
        self.set_length(x.n, q, ty, |e| {
            e.code.get(count);
            e.code.plus(1);
        });
        for local in values.into_iter().chain([index, count, message]) {
            self.code.release(local);
        }
        Ok(())
    }

    /// Evaluates the fields of a message into locals, if wanted cut to the channel's types. There are
    /// enough arguments.
    pub(crate) fn arguments(
        &mut self,
        c: Context,
        arguments: &[Ex],
        ty: u16,
        cut: bool,
    ) -> std::result::Result<Vec<u32>, Unsupported> {
        let fields = self.channel_type(ty).fields.clone();
        let mut values = Vec::new();
        for (&(kind, _), argument) in fields.iter().zip(arguments) {
            self.value(c, argument)?;
            if cut {
                self.cut(kind);
            }
            let local = self.code.local();
            self.code.set(local);
            values.push(local);
        }
        Ok(values)
    }

    /// A receive: goes to `next` if no message matches, else writes the state `n`.
    pub(crate) fn receive(
        &mut self,
        x: &crate::operation::Site,
        receive: &Receive,
        q: Place,
        ty: u16,
        next: Label,
    ) -> Result {
        let (capacity, fields) =
            (self.channel_type(ty).capacity, self.channel_type(ty).fields.len());
        if capacity == 0 {
            // By itself it never takes anything; keeping a message is a fault.
            if receive.keep {
                self.code.give_up();
            } else {
                self.code.go(next);
            }
            return Ok(());
        }
        let slot = self.find(x.s, q, ty, receive.random, &receive.patterns, next)?;
        if receive.patterns.len() != fields {
            self.code.give_up();
            return Ok(());
        }
        self.copy(x, 0);
        for (number, pattern) in receive.patterns.iter().enumerate() {
            if let Pat::Store(target) = pattern {
                let (offset, kind) = self.place(x.n, target)?;
                self.field(x.n, q, ty, slot, number);
                self.store_kind(kind, offset);
            }
        }
        if !receive.keep {
            self.remove(x.n, q, ty, slot);
        }
        Ok(())
    }

    /// Takes a message out and moves the younger ones up.
    fn remove(&mut self, c: Context, q: Place, ty: u16, slot: Slot) {
        let (capacity, message_bytes) =
            (self.channel_type(ty).capacity, self.channel_type(ty).message_bytes);
        let message = self.code.local();
        let offset = self.message(c, q, ty, slot);
        self.code.plus(offset);
        self.code.set(message);
        if capacity == 1 {
            let mut done = 0;
            while done < message_bytes {
                self.code.get(message);
                if message_bytes - done >= 4 {
                    self.code.i().i32_const(0).i32_store(at(done));
                    done += 4;
                } else {
                    self.code.i().i32_const(0).i32_store8(at(done));
                    done += 1;
                }
            }
            self.set_length(c, q, ty, |e| e.code.int(0));
        } else {
            let left = self.code.local();
            self.length(c, q, ty);
            self.code.i().i32_const(1).i32_sub();
            self.code.set(left);
            self.code.get(message);
            self.code.get(left);
            if let Slot::Number(slot) = slot {
                self.code.get(slot);
                self.code.i().i32_sub();
            }
            self.code.times(message_bytes);
            self.code.int(message_bytes as i32);
            let function = self.g.functions.shift_down;
            self.code.i().call(function);
            self.set_length(c, q, ty, |e| e.code.get(left));
            self.code.release(left);
        }
        self.code.release(message);
    }
}
