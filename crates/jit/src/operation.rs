//! What edges do: code that goes on to the next edge if the operation is not executable, and else
//! leaves the new state behind.

use crate::code::{Label, at};
use crate::module::{Context, Emitter, FULL, OUT, OUT_END, STACK, STACK_END, Unsupported};
use promenade_interp::program::{DStep, Init, Op, Pl, Run};

type Result = std::result::Result<(), Unsupported>;

/// Cells that the initial values of a process may have if they are to be written by code.
const MOST_INITIAL_CELLS: u64 = 256;

/// Where the new state goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// To the successors.
    Out,
    /// To the working space: it is not a successor.
    Stack,
    /// It takes the place of the old one.
    Same,
}

/// Who does it, and on which states.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    /// The state in which it is tested.
    pub s: Context,
    /// The state in which it is carried out.
    pub n: Context,
    pub to: Target,
    /// Whether an earlier edge was executable; without it, none was.
    pub earlier: Option<u32>,
}

impl Emitter<'_> {
    /// Tests and carries out.
    pub(crate) fn operation(&mut self, x: &Site, op: &Op, next: Label) -> Result {
        match op {
            Op::Skip | Op::Print(_) => self.copy(x, 0),
            Op::Condition(e) => {
                self.require(x.s, e, next)?;
                self.copy(x, 0);
            }
            Op::Else => {
                if let Some(earlier) = x.earlier {
                    self.code.get(earlier);
                    self.code.go_if(next);
                }
                self.copy(x, 0);
            }
            Op::Assign8(offset, mask, value) => {
                self.copy(x, 0);
                self.code.get(x.n.state);
                self.value(x.s, value)?;
                if *mask != 0xff {
                    self.code.i().i32_const(i32::from(*mask)).i32_and();
                }
                self.code.i().i32_store8(at(*offset));
            }
            Op::Assign(None, value) => {
                self.value(x.s, value)?;
                self.code.i().drop();
                self.copy(x, 0);
            }
            Op::Assign(Some(target), value) => {
                self.copy(x, 0);
                // In place, the value has to be there before anything is stored; it is, as it is
                // evaluated in between.
                let (offset, kind) = self.place(x.n, target)?;
                self.value(x.s, value)?;
                self.store_kind(kind, offset);
            }
            Op::Assert(e) => {
                if self.g.settings.check_assertions {
                    self.value(x.s, e)?;
                    self.code.i().i32_eqz();
                    self.code.give_up_if();
                }
                self.copy(x, 0);
            }
            Op::Send(_) | Op::Receive(_) if self.g.p.trace.is_some() => return Err(Unsupported),
            Op::Send(send) => self.with_channel(x.s, &send.channel, &mut |e, q, ty| {
                if e.g.p.channel_types[ty as usize].capacity == 0 {
                    // Inside a d_step it is a fault.
                    e.code.give_up();
                    return Ok(());
                }
                e.send(x, send, q, ty, next)
            })?,
            Op::Receive(receive) => self.with_channel(x.s, &receive.channel, &mut |e, q, ty| {
                e.receive(x, receive, q, ty, next)
            })?,
            Op::Run(run) => self.create(x, run)?,
            Op::DStep(step) => self.d_step(x, step, next)?,
            Op::Sequence(ops) => {
                let Some((first, rest)) = ops.split_first() else { return Err(Unsupported) };
                self.operation(x, first, next)?;
                let then = Site { s: x.n, n: x.n, to: Target::Same, earlier: None };
                for op in rest {
                    if matches!(op, Op::Run(_) | Op::End | Op::DStep(_)) {
                        return Err(Unsupported);
                    }
                    self.operation(&then, op, next)?;
                }
            }
            Op::End => self.end_of_process(x, next)?,
            Op::SetPriority(_) => return Err(Unsupported),
        }
        Ok(())
    }

    /// Makes the new state a copy of the old one, with `more` bytes of room behind it.
    pub(crate) fn copy(&mut self, x: &Site, more: u32) {
        if x.to == Target::Same {
            return;
        }
        self.make_room(x, more);
        self.code.get(x.s.state);
        self.code.get(x.n.state);
        self.code.get(x.s.len);
        let function = self.g.functions.copy;
        self.code.i().call(function);
        self.code.get(x.s.len);
        self.code.set(x.n.len);
    }

    /// Finds the place of the new state, where there is room for the old one and more.
    fn make_room(&mut self, x: &Site, more: u32) {
        let out = x.to == Target::Out;
        let (start, end) = if out { (OUT, OUT_END) } else { (STACK, STACK_END) };
        self.code.i().global_get(start);
        self.code.tee(x.n.state);
        self.code.get(x.s.len);
        self.code.i().i32_add();
        self.code.plus(more);
        self.code.i().global_get(end).i32_gt_u();
        if out {
            self.code.when();
            self.code.i().i32_const(1).global_set(FULL);
            self.code.give_up();
            self.code.end();
        } else {
            self.code.give_up_if();
        }
    }

    /// Creates a process.
    fn create(&mut self, x: &Site, run: &Run) -> Result {
        let p = self.g.p;
        let ty = &p.types[run.proctype as usize];
        if run.priority.is_some()
            || x.to == Target::Same
            || crate::layout::initial_cells(&ty.initializers) > MOST_INITIAL_CELLS
        {
            return Err(Unsupported);
        }
        let mut arguments = Vec::new();
        for e in &run.arguments {
            self.value(x.s, e)?;
            let local = self.code.local();
            self.code.set(local);
            arguments.push(local);
        }
        let (pid, base) = (self.code.fresh(), self.code.fresh());
        self.code.get(x.s.state);
        self.code.i().i32_load8_u(at(0));
        self.code.tee(pid);
        self.code.i().i32_const(255).i32_eq();
        self.code.give_up_if();
        let channels = self.code.fresh();
        if !ty.channels.is_empty() {
            self.code.get(x.s.state);
            let function = self.g.functions.channel_count;
            self.code.i().call(function);
            self.code.tee(channels);
            self.code.i().i32_const(255 - ty.channels.len() as i32).i32_gt_s();
            self.code.give_up_if();
        }
        let record = ty.record_bytes;
        let hidden = p.hidden_bytes;
        self.copy(x, record);
        self.code.get(x.n.len);
        self.code.i().i32_const(hidden as i32).i32_sub();
        self.code.set(base);
        // Where the record begins there are the hidden bytes now.
        let place = self.code.local();
        self.code.get(x.n.state);
        self.code.get(base);
        self.code.i().i32_add();
        self.code.tee(place);
        self.code.int(hidden as i32);
        self.code.int(record as i32);
        let function = self.g.functions.shift_up;
        self.code.i().call(function);
        self.code.get(place);
        self.code.int(record as i32);
        let function = self.g.functions.clear;
        self.code.i().call(function);
        self.code.get(x.n.len);
        self.code.plus(record);
        self.code.set(x.n.len);
        self.code.get(x.n.state);
        self.code.get(pid);
        self.code.plus(1);
        self.code.i().i32_store8(at(0));
        self.code.get(place);
        self.code.int(i32::from(run.proctype));
        if p.type_bytes == 1 {
            self.code.i().i32_store8(at(0));
        } else {
            self.code.i().i32_store16(at(0));
        }
        self.code.get(place);
        self.code.int(ty.entry as i32);
        self.store_location(p.type_bytes);
        self.code.release(place);
        let own = Context { base: Some(base), locals: p.locals_offset, pid, ..x.n };
        for (parameter, &value) in ty.parameters.iter().zip(&arguments) {
            self.store(own, parameter, |e| e.code.get(value))?;
        }
        for init in &ty.initializers {
            match init {
                Init::Value { place, value, count, stride } => {
                    let local = self.code.local();
                    self.value(own, value)?;
                    self.code.set(local);
                    let (offset, kind) = self.place(own, place)?;
                    let address = self.code.local();
                    self.code.set(address);
                    for number in 0..*count {
                        self.code.get(address);
                        self.code.get(local);
                        self.store_kind(kind, offset + number * stride);
                    }
                    self.code.release(local);
                    self.code.release(address);
                }
                Init::Channel { place, channel } => self.store(own, place, |e| {
                    e.code.get(channels);
                    e.code.plus(channel + 1);
                })?,
            }
        }
        self.rest(own, run.proctype as usize, ty.entry);
        if let Some(target) = &run.target {
            self.store(x.n, target, |e| e.code.get(pid))?;
        }
        for local in arguments {
            self.code.release(local);
        }
        Ok(())
    }

    fn store(&mut self, c: Context, place: &Pl, value: impl FnOnce(&mut Self)) -> Result {
        let (offset, kind) = self.place(c, place)?;
        value(self);
        self.store_kind(kind, offset);
        Ok(())
    }

    /// The death of the youngest process.
    fn end_of_process(&mut self, x: &Site, next: Label) -> Result {
        let (Some(base), true) = (x.s.base, x.to != Target::Same) else { return Err(Unsupported) };
        self.code.get(x.s.pid);
        self.code.plus(1);
        self.code.get(x.s.state);
        self.code.i().i32_load8_u(at(0)).i32_ne();
        self.code.go_if(next);
        self.make_room(x, 0);
        let function = self.g.functions.copy;
        self.code.get(x.s.state);
        self.code.get(x.n.state);
        self.code.get(base);
        self.code.i().call(function);
        let hidden = self.g.p.hidden_bytes;
        if hidden > 0 {
            self.code.get(x.s.state);
            self.code.get(x.s.len);
            self.code.i().i32_add().i32_const(hidden as i32).i32_sub();
            self.code.get(x.n.state);
            self.code.get(base);
            self.code.i().i32_add();
            self.code.int(hidden as i32);
            self.code.i().call(function);
        }
        self.code.get(base);
        self.code.plus(hidden);
        self.code.set(x.n.len);
        // The number of processes is now the pid of the one that went.
        self.code.get(x.n.state);
        self.code.get(x.s.pid);
        self.code.i().i32_store8(at(0));
        Ok(())
    }

    /// An indivisible sequence, carried out by its function.
    fn d_step(&mut self, x: &Site, step: &DStep, next: Label) -> Result {
        let Some(function) = self.g.d_step_function(step) else { return Err(Unsupported) };
        if x.to == Target::Same {
            return Err(Unsupported);
        }
        let (Some(base), Some(inside)) = (x.s.base, x.s.inside) else { return Err(Unsupported) };
        self.can_start(x, step, next)?;
        self.copy(x, 0);
        self.code.get(x.n.state);
        self.code.get(x.n.len);
        self.code.get(base);
        self.code.get(x.n.pid);
        self.code.get(inside);
        self.code.i().call(function).i32_eqz();
        self.code.give_up_if();
        Ok(())
    }
}
