//! Expressions: code that leaves a number on the stack, or gives up where there is a fault.

use crate::code::at;
use crate::layout::Layout;
use crate::module::{Context, Emitter, TIMEOUT, Unsupported};
use promenade_interp::program::{Anchor, Cell, Ex, Index, Kind, Pl, RemoteLoad, RemoteLocation};
use promenade_ir::{BinaryOp, ChannelTest, UnaryOp};

type Result = std::result::Result<(), Unsupported>;

impl Emitter<'_> {
    /// The value of `e`.
    pub(crate) fn value(&mut self, c: Context, e: &Ex) -> Result {
        match e {
            Ex::Const(value) => self.code.int(*value),
            Ex::Global8(offset) => self.load(c, byte(Anchor::State, *offset)),
            Ex::Local8(offset) => self.load(c, byte(Anchor::Locals, *offset)),
            Ex::Cell(cell) => self.load(c, *cell),
            Ex::Global8Indexed(indexed) => {
                let cell = byte(Anchor::State, indexed.0);
                self.load_indexed(c, cell, std::slice::from_ref(&indexed.1))?;
            }
            Ex::Indexed(indexed) => self.load_indexed(c, indexed.0, &indexed.1)?,
            Ex::Global8Equal(offset, v) => self.equal(c, byte(Anchor::State, *offset), *v),
            Ex::Local8Equal(offset, v) => self.equal(c, byte(Anchor::Locals, *offset), *v),
            Ex::Global8NotEqual(offset, v) => {
                self.load(c, byte(Anchor::State, *offset));
                self.code.i().i32_const(i32::from(*v)).i32_ne();
            }
            Ex::Local8NotEqual(offset, v) => {
                self.load(c, byte(Anchor::Locals, *offset));
                self.code.i().i32_const(i32::from(*v)).i32_ne();
            }
            Ex::EqualConst(a, v) => {
                self.value(c, a)?;
                self.code.i().i32_const(*v).i32_eq();
            }
            Ex::NotEqualConst(a, v) => {
                self.value(c, a)?;
                self.code.i().i32_const(*v).i32_ne();
            }
            Ex::Pid => self.code.get(c.pid),
            Ex::NrPr => {
                self.code.get(c.state);
                self.code.i().i32_load8_u(at(0));
            }
            Ex::Last => match self.g.p.last_offset {
                Some(offset) => {
                    self.code.get(c.state);
                    self.code.i().i32_load8_u(at(offset));
                }
                None => self.code.int(0),
            },
            // Models with priorities are not compiled.
            Ex::Priority => self.code.int(1),
            Ex::Timeout => self.timeout(c),
            Ex::NonProgress => {
                self.code.get(c.state);
                let function = self.g.functions.non_progress;
                self.code.i().call(function);
            }
            Ex::Unary(op, a) => {
                match op {
                    UnaryOp::Not => {
                        self.value(c, a)?;
                        self.code.i().i32_eqz();
                    }
                    UnaryOp::Negate => {
                        self.code.int(0);
                        self.value(c, a)?;
                        self.code.i().i32_sub();
                    }
                    UnaryOp::Complement => {
                        self.value(c, a)?;
                        self.code.i().i32_const(-1).i32_xor();
                    }
                };
            }
            Ex::Binary(op, operands) => self.binary(c, *op, &operands.0, &operands.1)?,
            Ex::And(operands) => {
                self.value(c, &operands.0)?;
                self.code.choose();
                self.truth(c, &operands.1)?;
                self.code.otherwise();
                self.code.int(0);
                self.code.end();
            }
            Ex::Or(operands) => {
                self.value(c, &operands.0)?;
                self.code.choose();
                self.code.int(1);
                self.code.otherwise();
                self.truth(c, &operands.1)?;
                self.code.end();
            }
            Ex::Conditional(parts) => {
                self.value(c, &parts.0)?;
                self.code.choose();
                self.value(c, &parts.1)?;
                self.code.otherwise();
                self.value(c, &parts.2)?;
                self.code.end();
            }
            Ex::Len(q) => {
                let length = self.code.local();
                self.with_channel(c, q, &mut |e, q, ty| {
                    e.length(c, q, ty);
                    e.code.set(length);
                    Ok(())
                })?;
                self.code.get(length);
                self.code.release(length);
            }
            Ex::Test(test, q) => {
                let result = self.code.local();
                self.with_channel(c, q, &mut |e, q, ty| {
                    e.length(c, q, ty);
                    let capacity = e.g.p.channel_types[ty as usize].capacity;
                    let mut i = e.code.i();
                    match test {
                        ChannelTest::Empty => i.i32_eqz(),
                        ChannelTest::NotEmpty => i.i32_const(0).i32_ne(),
                        // A rendezvous channel is never full.
                        ChannelTest::Full if capacity == 0 => i.i32_const(0).i32_and(),
                        ChannelTest::NotFull if capacity == 0 => i.i32_eqz(),
                        ChannelTest::Full => i.i32_const(capacity as i32).i32_ge_u(),
                        ChannelTest::NotFull => i.i32_const(capacity as i32).i32_lt_u(),
                    };
                    e.code.set(result);
                    Ok(())
                })?;
                self.code.get(result);
                self.code.release(result);
            }
            Ex::Poll(poll) => {
                let result = self.code.local();
                self.code.int(0);
                self.code.set(result);
                let none = self.code.block();
                self.with_channel(c, &poll.channel, &mut |e, q, ty| {
                    if e.g.p.channel_types[ty as usize].capacity == 0 {
                        e.code.give_up();
                        return Ok(());
                    }
                    e.find(c, q, ty, poll.random, &poll.patterns, none)?;
                    Ok(())
                })?;
                self.code.int(1);
                self.code.set(result);
                self.code.end();
                self.code.get(result);
                self.code.release(result);
            }
            Ex::RemoteLocation(remote) => self.remote_location(c, remote)?,
            Ex::RemoteLoad(remote) => self.remote_load(c, remote)?,
            Ex::Enabled(_) | Ex::PcValue(_) | Ex::GetPriority(_) => return Err(Unsupported),
        }
        Ok(())
    }

    /// The value of `e` as 0 or 1.
    pub(crate) fn truth(&mut self, c: Context, e: &Ex) -> Result {
        self.value(c, e)?;
        if !is_truth(e) {
            self.code.i().i32_const(0).i32_ne();
        }
        Ok(())
    }

    /// Goes to `otherwise` if `e` is zero.
    pub(crate) fn require(&mut self, c: Context, e: &Ex, otherwise: crate::code::Label) -> Result {
        match e {
            Ex::And(operands) => {
                self.require(c, &operands.0, otherwise)?;
                self.require(c, &operands.1, otherwise)?;
            }
            Ex::Unary(UnaryOp::Not, a) => {
                self.value(c, a)?;
                self.code.go_if(otherwise);
            }
            Ex::Const(value) if *value != 0 => {}
            e => {
                self.value(c, e)?;
                self.code.go_unless(otherwise);
            }
        }
        Ok(())
    }

    fn timeout(&mut self, c: Context) {
        self.code.i().global_get(TIMEOUT);
        if let Some(inside) = c.inside {
            // Later steps of an atomic sequence have to wait for their own.
            self.code.get(inside);
            self.code.i().i32_const(8).i32_shr_u().i32_eqz().i32_and();
        }
    }

    fn binary(&mut self, c: Context, op: BinaryOp, a: &Ex, b: &Ex) -> Result {
        if matches!(op, BinaryOp::Div | BinaryOp::Mod) {
            return self.division(c, op, a, b);
        }
        self.value(c, a)?;
        self.value(c, b)?;
        let mut i = self.code.i();
        match op {
            BinaryOp::Add => i.i32_add(),
            BinaryOp::Sub => i.i32_sub(),
            BinaryOp::Mul => i.i32_mul(),
            BinaryOp::Div => i.i32_div_s(),
            BinaryOp::Mod => i.i32_rem_s(),
            BinaryOp::BitAnd => i.i32_and(),
            BinaryOp::BitOr => i.i32_or(),
            BinaryOp::BitXor => i.i32_xor(),
            BinaryOp::ShiftLeft => i.i32_shl(),
            BinaryOp::ShiftRight => i.i32_shr_s(),
            BinaryOp::Equal => i.i32_eq(),
            BinaryOp::NotEqual => i.i32_ne(),
            BinaryOp::Less => i.i32_lt_s(),
            BinaryOp::LessEqual => i.i32_le_s(),
            BinaryOp::Greater => i.i32_gt_s(),
            BinaryOp::GreaterEqual => i.i32_ge_s(),
        };
        Ok(())
    }

    fn division(&mut self, c: Context, op: BinaryOp, a: &Ex, b: &Ex) -> Result {
        let (dividend, divisor) = (self.code.local(), self.code.local());
        self.value(c, a)?;
        self.code.set(dividend);
        self.value(c, b)?;
        self.code.tee(divisor);
        self.code.i().i32_eqz();
        self.code.give_up_if();
        if op == BinaryOp::Div {
            // The instruction traps where the quotient is 2^31; wrapping, it is the negation.
            self.code.get(divisor);
            self.code.i().i32_const(-1).i32_eq();
            self.code.choose();
            self.code.int(0);
            self.code.get(dividend);
            self.code.i().i32_sub();
            self.code.otherwise();
            self.code.get(dividend);
            self.code.get(divisor);
            self.code.i().i32_div_s();
            self.code.end();
        } else {
            self.code.get(dividend);
            self.code.get(divisor);
            self.code.i().i32_rem_s();
        }
        self.code.release(dividend);
        self.code.release(divisor);
        Ok(())
    }

    fn equal(&mut self, c: Context, cell: Cell, v: u8) {
        self.load(c, cell);
        self.code.i().i32_const(i32::from(v)).i32_eq();
    }

    /// Pushes what the cell's offset counts from; gives the offset.
    pub(crate) fn anchor(&mut self, c: Context, cell: Cell) -> u32 {
        self.code.get(c.state);
        match cell.anchor {
            Anchor::State => cell.offset,
            Anchor::Locals => {
                if let Some(base) = c.base {
                    self.code.get(base);
                    self.code.i().i32_add();
                }
                cell.offset + c.locals
            }
            Anchor::Hidden => {
                self.code.get(c.len);
                let hidden = self.g.p.hidden_bytes as i32;
                self.code.i().i32_add().i32_const(hidden).i32_sub();
                cell.offset
            }
        }
    }

    fn load(&mut self, c: Context, cell: Cell) {
        let offset = self.anchor(c, cell);
        self.load_kind(cell.kind, offset);
    }

    /// Reads at the address on the stack.
    pub(crate) fn load_kind(&mut self, kind: Kind, offset: u32) {
        let mut i = self.code.i();
        match kind {
            Kind::Byte | Kind::Bits8(_) => i.i32_load8_u(at(offset)),
            Kind::Short => i.i32_load16_s(at(offset)),
            Kind::Bits16(_) => i.i32_load16_u(at(offset)),
            Kind::Int | Kind::Bits32(_) => i.i32_load(at(offset)),
        };
    }

    /// Cuts the value on the stack and stores it at the address below it.
    pub(crate) fn store_kind(&mut self, kind: Kind, offset: u32) {
        let mut i = self.code.i();
        match kind {
            Kind::Byte => i.i32_store8(at(offset)),
            Kind::Bits8(mask) => i.i32_const(i32::from(mask)).i32_and().i32_store8(at(offset)),
            Kind::Short => i.i32_store16(at(offset)),
            Kind::Bits16(mask) => i.i32_const(i32::from(mask)).i32_and().i32_store16(at(offset)),
            Kind::Int => i.i32_store(at(offset)),
            Kind::Bits32(mask) => i.i32_const(mask as i32).i32_and().i32_store(at(offset)),
        };
    }

    /// Cuts the value on the stack to what a cell of this kind gives back.
    pub(crate) fn cut(&mut self, kind: Kind) {
        let mut i = self.code.i();
        match kind {
            Kind::Byte => i.i32_const(0xff).i32_and(),
            Kind::Bits8(mask) => i.i32_const(i32::from(mask)).i32_and(),
            Kind::Bits16(mask) => i.i32_const(i32::from(mask)).i32_and(),
            Kind::Bits32(mask) => i.i32_const(mask as i32).i32_and(),
            Kind::Short => i.i32_extend16_s(),
            Kind::Int => return,
        };
    }

    fn load_indexed(&mut self, c: Context, cell: Cell, indices: &[Index]) -> Result {
        let offset = self.anchor(c, cell);
        self.add_indices(c, indices)?;
        self.load_kind(cell.kind, offset);
        Ok(())
    }

    /// Adds what the indices give to the address on the stack.
    fn add_indices(&mut self, c: Context, indices: &[Index]) -> Result {
        for index in indices {
            let value = self.code.local();
            self.value(c, &index.value)?;
            self.code.tee(value);
            self.code.i().i32_const(index.length as i32).i32_ge_u();
            self.code.give_up_if();
            self.code.get(value);
            self.code.times(index.stride);
            self.code.i().i32_add();
            self.code.release(value);
        }
        Ok(())
    }

    /// Pushes the address of a place; gives the offset to add and how it is stored.
    pub(crate) fn place(
        &mut self,
        c: Context,
        place: &Pl,
    ) -> std::result::Result<(u32, Kind), Unsupported> {
        match place {
            Pl::Plain(cell) => Ok((self.anchor(c, *cell), cell.kind)),
            Pl::Indexed(indexed) => {
                let offset = self.anchor(c, indexed.0);
                self.add_indices(c, &indexed.1)?;
                Ok((offset, indexed.0.kind))
            }
        }
    }

    /// The start of the record of the process that a remote reference means, 0 if there is none, in
    /// a local.
    fn remote(
        &mut self,
        c: Context,
        proctype: u16,
        index: Option<&Ex>,
    ) -> std::result::Result<u32, Unsupported> {
        let base = self.code.local();
        match index {
            Some(e) => {
                let pid = self.code.local();
                self.value(c, e)?;
                self.code.set(pid);
                self.code.get(c.state);
                self.code.get(pid);
                let function = self.g.functions.base_of;
                self.code.i().call(function);
                self.code.tee(base);
                self.code.when();
                self.code.get(c.state);
                self.code.get(base);
                self.code.i().i32_add();
                self.load_type();
                self.code.i().i32_const(i32::from(proctype)).i32_ne();
                self.code.give_up_if();
                self.code.end();
                self.code.release(pid);
            }
            None => match &self.g.layout {
                Layout::Fixed(places) => {
                    let oldest = places.iter().position(|(ty, _)| *ty == proctype);
                    match oldest.and_then(|pid| Some((pid, places.get(pid)?.1))) {
                        Some((pid, start)) => {
                            self.code.int(start as i32);
                            self.code.int(0);
                            self.code.get(c.state);
                            self.code.i().i32_load8_u(at(0)).i32_const(pid as i32).i32_gt_u();
                            self.code.i().select();
                        }
                        None => self.code.int(0),
                    }
                    self.code.set(base);
                }
                Layout::Walk => {
                    self.code.get(c.state);
                    self.code.int(i32::from(proctype));
                    let function = self.g.functions.oldest;
                    self.code.i().call(function);
                    self.code.set(base);
                }
            },
        }
        Ok(base)
    }

    fn remote_location(&mut self, c: Context, remote: &RemoteLocation) -> Result {
        let base = self.remote(c, remote.proctype, remote.index.as_ref())?;
        let location = self.code.local();
        self.code.get(base);
        self.code.choose();
        self.code.get(c.state);
        self.code.get(base);
        self.code.i().i32_add();
        self.load_location(self.g.p.type_bytes);
        self.code.set(location);
        self.one_of(location, &remote.locations);
        self.code.otherwise();
        self.code.int(0);
        self.code.end();
        self.code.release(base);
        self.code.release(location);
        Ok(())
    }

    /// Whether the local has one of the values.
    pub(crate) fn one_of(&mut self, local: u32, values: &[u32]) {
        self.code.int(0);
        for value in values {
            self.code.get(local);
            self.code.i().i32_const(*value as i32).i32_eq().i32_or();
        }
    }

    fn remote_load(&mut self, c: Context, remote: &RemoteLoad) -> Result {
        let base = self.remote(c, remote.proctype, remote.index.as_ref())?;
        let (cell, indices): (Cell, &[Index]) = match &remote.place {
            Pl::Plain(cell) => (*cell, &[]),
            Pl::Indexed(indexed) => (indexed.0, &indexed.1),
        };
        self.code.get(base);
        self.code.choose();
        let there = Context { base: Some(base), locals: self.g.p.locals_offset, ..c };
        let offset = self.anchor(there, cell);
        // Indices belong to the executing process.
        self.add_indices(c, indices)?;
        self.load_kind(cell.kind, offset);
        self.code.otherwise();
        self.code.int(0);
        self.code.end();
        self.code.release(base);
        Ok(())
    }

    /// Reads the type at the start of a record.
    pub(crate) fn load_type(&mut self) {
        if self.g.p.type_bytes == 1 {
            self.code.i().i32_load8_u(at(0));
        } else {
            self.code.i().i32_load16_u(at(0));
        }
    }

    /// Reads a location.
    pub(crate) fn load_location(&mut self, offset: u32) {
        match self.g.p.location_bytes {
            1 => self.code.i().i32_load8_u(at(offset)),
            2 => self.code.i().i32_load16_u(at(offset)),
            _ => self.code.i().i32_load(at(offset)),
        };
    }

    /// Writes a location that is on the stack.
    pub(crate) fn store_location(&mut self, offset: u32) {
        match self.g.p.location_bytes {
            1 => self.code.i().i32_store8(at(offset)),
            2 => self.code.i().i32_store16(at(offset)),
            _ => self.code.i().i32_store(at(offset)),
        };
    }
}

fn byte(anchor: Anchor, offset: u32) -> Cell {
    Cell { anchor, offset, kind: Kind::Byte }
}

/// Whether the value is 0 or 1 in any case.
fn is_truth(e: &Ex) -> bool {
    match e {
        Ex::Const(value) => matches!(value, 0 | 1),
        Ex::Global8Equal(..)
        | Ex::Global8NotEqual(..)
        | Ex::Local8Equal(..)
        | Ex::Local8NotEqual(..)
        | Ex::EqualConst(..)
        | Ex::NotEqualConst(..)
        | Ex::And(_)
        | Ex::Or(_)
        | Ex::Unary(UnaryOp::Not, _)
        | Ex::Timeout
        | Ex::NonProgress
        | Ex::Test(..)
        | Ex::Poll(_)
        | Ex::RemoteLocation(_) => true,
        Ex::Binary(op, _) => matches!(
            op,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        ),
        _ => false,
    }
}
