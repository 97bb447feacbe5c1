//! Rendezvous: a send that another process receives at once.

use crate::channel::Place;
use crate::code::{Code, Label};
use crate::location::{Frame, one_more_inside};
use crate::module::{BAIL, Context, Emitter, Generator, NONE, STACK, STACK_END, Unsupported};
use crate::operation::{Site, Target};
use promenade_interp::program::{Ch, Edge, Op, PType, Pat, Program, Send};
use wasm_encoder::Function;

type Result = std::result::Result<(), Unsupported>;

/// Fields of a message that is handed over, at most.
const MOST_FIELDS: usize = 8;

/// Fields that messages on rendezvous channels have at most; none if there are no such channels, or
/// they are left to the interpreter.
pub(crate) fn fields(p: &Program, weak_fairness: bool) -> Option<usize> {
    if p.trace.is_some() || weak_fairness {
        return None;
    }
    let rendezvous = p.channel_types.iter().filter(|ty| ty.capacity == 0);
    rendezvous.map(|ty| ty.fields.len()).max().filter(|most| *most <= MOST_FIELDS)
}

/// Whether a location of a type has an edge that may take a message that is handed over.
pub(crate) fn may_take(p: &Program, ty: &PType, location: usize) -> bool {
    let edges =
        ty.graph.locations.get(location).map_or(&[][..], |l| {
            ty.graph.edges.get(l.first as usize..l.end as usize).unwrap_or(&[])
        });
    edges.iter().any(|edge| op_may_take(p, &edge.op))
}

fn op_may_take(p: &Program, op: &Op) -> bool {
    match op {
        Op::Receive(receive) => match &receive.channel {
            Ch::Fixed(q) => p.channel_types[q.ty as usize].capacity == 0,
            Ch::Value(_) => true,
        },
        Op::DStep(step) => {
            let l = step.graph.locations.get(step.entry as usize);
            let edges = l.and_then(|l| step.graph.edges.get(l.first as usize..l.end as usize));
            edges.unwrap_or(&[]).iter().any(|edge| op_may_take(p, &edge.op))
        }
        _ => false,
    }
}

impl Emitter<'_> {
    /// A rendezvous send: offers the message to all other processes; goes to `next` if nobody takes
    /// it.
    pub(crate) fn hand_out(
        &mut self,
        f: &Frame,
        edge: &Edge,
        send: &Send,
        q: Place,
        ty: u16,
        next: Label,
    ) -> Result {
        let Some(most) = self.g.message_fields else { return Err(Unsupported) };
        let fields = self.g.p.channel_types[ty as usize].fields.len();
        if send.arguments.len() < fields {
            self.code.give_up();
            return Ok(());
        }
        let message = self.arguments(f.s, &send.arguments, ty, true)?;
        let x = f.site(Target::Stack);
        self.enough_left(f.inside);
        self.copy(&x, 0);
        self.arrive(x.n, edge);
        self.rest(x.n, f.ty, edge.target);
        self.stamp(x.n);
        self.code.get(x.n.state);
        self.code.get(x.n.len);
        self.code.i().i32_add().global_set(STACK);
        self.code.get(x.n.state);
        self.code.get(x.n.len);
        self.code.get(x.n.pid);
        self.number(q);
        self.code.get(f.inside);
        for number in 0..most {
            match message.get(number) {
                Some(&local) => self.code.get(local),
                None => self.code.int(0),
            }
        }
        let offer = self.g.functions.offer;
        self.code.i().call(offer);
        self.after_call(x.n.state);
        self.code.go_unless(next);
        self.executed(edge.id);
        for local in message {
            self.code.release(local);
        }
        Ok(())
    }
}

/// The function of a location that may take a message: `(state, len, base, pid, channel, inside,
/// fields..)`. The state is the one in which the sender has moved already.
pub(crate) fn function(g: &Generator<'_>, ty: usize, number: usize, fields: usize) -> Function {
    let edges = g.p.types[ty].graph.edges_of(number as u32);
    let (channel, inside) = (4, 5);
    let mut code = Code::new(6 + fields as u32);
    // A `timeout` is judged by the expansion as a whole here, as in the interpreter.
    let s = Context {
        state: 0,
        len: 1,
        base: Some(2),
        locals: g.p.locals_offset,
        pid: 3,
        inside: None,
    };
    let escapes = edges.iter().any(|edge| edge.escape != 0);
    let (after, earlier) = (code.fresh(), code.fresh());
    let escape = escapes.then(|| code.fresh());
    let n = Context { state: code.fresh(), len: code.fresh(), ..s };
    code.get(inside);
    code.i().i32_const(0x200).i32_add();
    one_more_inside(&mut code, inside);
    code.i().i32_add();
    code.set(after);
    let mut e = Emitter { g, code };
    e.code.bail = e.code.block();
    let done = e.code.block();
    for (index, edge) in edges.iter().enumerate() {
        if !op_may_take(g.p, &edge.op) {
            continue;
        }
        if let (Some(escape), true) = (escape, index > 0) {
            e.code.get(escape);
            e.code.i().i32_const(i32::from(edge.escape)).i32_ne();
            e.code.get(escape);
            e.code.i().i32_const(0).i32_ne().i32_and();
            e.code.go_if(done);
        }
        let to = if edge.keeps_atomic { Target::Stack } else { Target::Out };
        let x = Site { s, n, to, earlier: None };
        let mark = e.code.mark();
        if e.take(&x, ty, edge, channel, after).is_err() {
            e.code.back_to(mark);
            e.code.give_up();
            continue;
        }
        if let Some(escape) = escape {
            e.code.get(earlier);
            e.code.i().i32_eqz();
            e.code.when();
            e.code.int(i32::from(edge.escape));
            e.code.set(escape);
            e.code.end();
        }
        e.code.int(1);
        e.code.set(earlier);
        e.code.end();
    }
    e.code.end();
    e.code.get(earlier);
    e.code.i().return_();
    e.code.end();
    e.code.int(BAIL);
    e.code.finish()
}

impl Emitter<'_> {
    /// Tries one edge; what follows, inside the block that is left open, is reached if it took the
    /// message.
    fn take(&mut self, x: &Site, ty: usize, edge: &Edge, channel: u32, after: u32) -> Result {
        let next = self.code.block();
        let receive = match &edge.op {
            Op::Receive(receive) => receive,
            Op::DStep(step) => {
                // It is the interpreter's if it begins with taking the message.
                for first in step.graph.edges_of(step.entry) {
                    if let Op::Receive(receive) = &first.op
                        && !receive.keep
                        && op_may_take(self.g.p, &first.op)
                    {
                        let other = self.code.block();
                        self.is_channel(x.s, &receive.channel, channel, other)?;
                        self.same_fields(x.s, &receive.patterns, other)?;
                        self.code.give_up();
                        self.code.end();
                    }
                }
                self.code.go(next);
                return Ok(());
            }
            _ => return Err(Unsupported),
        };
        self.is_channel(x.s, &receive.channel, channel, next)?;
        if receive.keep {
            self.code.give_up();
            return Ok(());
        }
        self.same_fields(x.s, &receive.patterns, next)?;
        // A wrong number of fields is a fault, whatever the type of the channel is here.
        let counts = self.g.p.channel_types.iter().filter(|ty| ty.capacity == 0);
        if counts.into_iter().any(|ty| ty.fields.len() != receive.patterns.len()) {
            self.right_count(x.s, &receive.channel, receive.patterns.len())?;
        }
        self.copy(x, 0);
        for (number, pattern) in receive.patterns.iter().enumerate() {
            if let Pat::Store(target) = pattern {
                let (offset, kind) = self.place(x.n, target)?;
                self.handed(number);
                self.store_kind(kind, offset);
            }
        }
        self.arrive(x.n, edge);
        self.stamp(x.n);
        self.executed(edge.id);
        self.follow(x.n, ty, edge, after, x.n.pid);
        Ok(())
    }

    /// Pushes a field of the message that is handed over.
    fn handed(&mut self, number: usize) {
        if number < self.g.message_fields.unwrap_or(0) {
            self.code.get(6 + number as u32);
        } else {
            self.code.int(0);
        }
    }

    /// Goes to `other` unless the operand means the channel.
    fn is_channel(&mut self, c: Context, operand: &Ch, channel: u32, other: Label) -> Result {
        match operand {
            Ch::Fixed(q) => self.code.int(i32::from(q.number)),
            Ch::Value(e) => self.value(c, e)?,
        }
        self.code.get(channel);
        self.code.i().i32_ne();
        self.code.go_if(other);
        Ok(())
    }

    /// Goes to `other` unless the message fits.
    fn same_fields(&mut self, c: Context, patterns: &[Pat], other: Label) -> Result {
        for (number, pattern) in patterns.iter().enumerate() {
            if let Pat::Match(e) = pattern {
                self.value(c, e)?;
                self.handed(number);
                self.code.i().i32_ne();
                self.code.go_if(other);
            }
        }
        Ok(())
    }

    /// Gives up unless messages of the channel have this many fields.
    fn right_count(&mut self, c: Context, operand: &Ch, count: usize) -> Result {
        self.with_channel(c, operand, &mut |e, _, ty| {
            if e.g.p.channel_types[ty as usize].fields.len() != count {
                e.code.give_up();
            }
            Ok(())
        })
    }
}

/// Working space that is needed for a table of records.
pub(crate) const TABLE_BYTES: u32 = 4 * 256;

/// Offers a message to all processes but one: `(state, len, sender, channel, inside, fields..)`.
pub(crate) fn offer(g: &Generator<'_>, fields: usize) -> Function {
    let (state, len, sender, channel, inside) = (0, 1, 2, 3, 4);
    let mut code = Code::new(5 + fields as u32);
    let (taken, said, pid, base) = (code.fresh(), code.fresh(), code.fresh(), code.fresh());
    code.bail = code.block();
    let mut e = Emitter { g, code };
    let ask = |e: &mut Emitter<'_>, table: &mut dyn FnMut(&mut Emitter<'_>)| {
        e.code.get(state);
        e.code.get(len);
        e.code.get(base);
        e.code.get(pid);
        e.code.get(channel);
        e.code.get(inside);
        for number in 0..fields {
            e.code.get(5 + number as u32);
        }
        table(e);
        let ty = e.g.types.take;
        e.code.i().call_indirect(0, ty);
        e.code.tee(said);
        e.code.i().i32_const(BAIL).i32_eq();
        e.code.give_up_if();
        e.code.get(said);
        e.code.get(taken);
        e.code.i().i32_or();
        e.code.set(taken);
    };
    match &g.layout {
        crate::layout::Layout::Fixed(places) => {
            for (number, &(ty, start)) in places.iter().enumerate().rev() {
                if !g.takes(ty as usize) {
                    continue;
                }
                let absent = e.code.block();
                e.code.get(sender);
                e.code.i().i32_const(number as i32).i32_eq();
                e.code.get(state);
                e.code.i().i32_load8_u(crate::code::at(0)).i32_const(number as i32).i32_le_u();
                e.code.i().i32_or();
                e.code.go_if(absent);
                e.code.int(number as i32);
                e.code.set(pid);
                e.code.int(start as i32);
                e.code.set(base);
                ask(&mut e, &mut |e| {
                    e.code.get(state);
                    e.load_location(start + e.g.p.type_bytes);
                    let first = e.g.take_slot(ty as usize);
                    e.code.plus(first);
                });
                e.code.end();
            }
        }
        crate::layout::Layout::Walk => {
            let table = e.code.fresh();
            e.code.i().global_get(STACK);
            e.code.tee(table);
            e.code.plus(TABLE_BYTES);
            e.code.i().global_get(STACK_END).i32_gt_u();
            e.code.give_up_if();
            e.code.get(state);
            e.code.get(table);
            let bases = g.functions.bases;
            e.code.i().call(bases);
            e.code.get(table);
            e.code.plus(TABLE_BYTES);
            e.code.i().global_set(STACK);
            e.code.get(state);
            e.code.i().i32_load8_u(crate::code::at(0));
            e.code.set(pid);
            let done = e.code.block();
            let again = e.code.repeat();
            e.code.get(pid);
            e.code.go_unless(done);
            e.code.get(pid);
            e.code.i().i32_const(1).i32_sub();
            e.code.tee(pid);
            e.code.get(sender);
            e.code.i().i32_eq();
            e.code.go_if(again);
            e.code.get(table);
            e.code.get(pid);
            e.code.i().i32_const(2).i32_shl().i32_add().i32_load(crate::code::at(0));
            e.code.set(base);
            ask(&mut e, &mut |e| {
                e.code.get(state);
                e.code.get(base);
                e.code.i().i32_add();
                e.load_type();
                let slots: Vec<u32> = (0..e.g.p.types.len()).map(|ty| e.g.take_slot(ty)).collect();
                e.code.look_up(&slots, 0);
                e.code.get(state);
                e.code.get(base);
                e.code.i().i32_add();
                e.load_location(e.g.p.type_bytes);
                e.code.i().i32_add();
            });
            e.code.go(again);
            e.code.end();
            e.code.end();
        }
    }
    e.code.get(taken);
    e.code.i().return_();
    e.code.end();
    e.code.int(BAIL);
    e.code.finish()
}

/// A function of the same kind for all locations that take nothing.
pub(crate) fn nobody(fields: usize) -> Function {
    let mut code = Code::new(6 + fields as u32);
    code.int(NONE);
    code.finish()
}
