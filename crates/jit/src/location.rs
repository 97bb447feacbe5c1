//! The function of a location: tries its edges in order.

use crate::code::{Code, at};
use crate::module::{
    BAIL, BEGIN, Context, EARLIER, EDGE, ESCAPE, EXECUTED, Emitter, FUEL, FULL, Generator, NONE,
    OUT, RECORDS, RECORDS_END, STACK, Unsupported,
};
use crate::operation::{Site, Target};
use promenade_interp::program::{Claim, Edge, Op};
use wasm_encoder::Function;

type Result = std::result::Result<(), Unsupported>;

/// Moves on the way that are followed, at most: every one is a call inside a call.
const MOST_MOVES: i32 = 400;

/// Bytes that are cleared without a call, at most.
const MOST_CLEARED: u32 = 64;

/// Parameters and locals of a location's function.
pub(crate) struct Frame {
    /// The process type.
    pub ty: usize,
    pub s: Context,
    /// The word of a record that ends here, as it came in.
    pub inside: u32,
    /// The same with one move more.
    pub after: u32,
    /// Whether some edge was executable.
    pub earlier: u32,
    /// The escape that is under way, if there are escapes.
    pub escape: Option<u32>,
    /// The new state and its length.
    pub n: u32,
    pub n_len: u32,
}

impl Frame {
    /// Where an edge is carried out.
    pub(crate) fn site(&self, to: Target) -> Site {
        let n = Context { state: self.n, len: self.n_len, ..self.s };
        Site { s: self.s, n, to, earlier: Some(self.earlier) }
    }
}

/// The function of location `number` of type `ty`: `(state, len, base, pid, inside)`. Gives
/// [`NONE`], [`MOVED`] or [`BAIL`]; also says how many edges were compiled.
pub(crate) fn function(g: &Generator<'_>, ty: usize, number: usize) -> (Function, u32) {
    let process = &g.p.types[ty];
    let l = process.graph.locations[number];
    let edges = process.graph.edges_of(number as u32);
    let mut code = Code::new(5);
    if edges.is_empty() {
        code.int(NONE);
        return (code.finish(), 0);
    }
    let inside = 4;
    let s = Context {
        state: 0,
        len: 1,
        base: Some(2),
        locals: g.p.locals_offset,
        pid: 3,
        inside: Some(inside),
    };
    let escapes = edges.iter().any(|edge| edge.escape != 0);
    let f = Frame {
        ty,
        s,
        inside,
        after: code.fresh(),
        earlier: code.fresh(),
        escape: escapes.then(|| code.fresh()),
        n: code.fresh(),
        n_len: code.fresh(),
    };
    let here = code.fresh();
    let kept = [OUT, RECORDS].map(|global| (global, code.fresh(), code.fresh()));
    for (global, entry, _) in kept {
        code.i().global_get(global);
        code.set(entry);
    }
    code.get(inside);
    code.i().i32_const(0x100).i32_add();
    one_more_inside(&mut code, inside);
    code.i().i32_add();
    code.set(f.after);
    let mut e = Emitter { g, code };
    e.code.bail = e.code.block();
    let done = e.code.block();
    let mut compiled = 0;
    for (index, edge) in edges.iter().enumerate() {
        if let (Some(escape), true) = (f.escape, index > 0) {
            e.code.get(escape);
            e.code.i().i32_const(i32::from(edge.escape)).i32_ne();
            e.code.get(escape);
            e.code.i().i32_const(0).i32_ne().i32_and();
            e.code.go_if(done);
        }
        e.code.int(l.first as i32 + index as i32);
        e.code.set(here);
        for (global, _, before) in kept {
            e.code.i().global_get(global);
            e.code.set(before);
        }
        let mark = e.code.mark();
        match e.edge(&f, edge) {
            Ok(()) => compiled += 1,
            Err(Unsupported) => {
                e.code.back_to(mark);
                e.code.give_up();
            }
        }
    }
    e.code.end();
    e.code.get(f.earlier);
    e.code.i().return_();
    e.code.end();
    // Too little room: all of the process comes again. Else the interpreter begins at the edge.
    e.code.i().global_get(FULL);
    e.code.when();
    for (global, entry, _) in kept {
        e.code.get(entry);
        e.code.i().global_set(global);
    }
    e.code.i().i32_const(l.first as i32).global_set(EDGE);
    e.code.i().i32_const(0).global_set(EARLIER).i32_const(0).global_set(ESCAPE);
    e.code.otherwise();
    for (global, _, before) in kept {
        e.code.get(before);
        e.code.i().global_set(global);
    }
    e.code.get(here);
    e.code.i().global_set(EDGE);
    e.code.get(f.earlier);
    e.code.i().global_set(EARLIER);
    if let Some(escape) = f.escape {
        e.code.get(escape);
    } else {
        e.code.int(0);
    }
    e.code.i().global_set(ESCAPE);
    e.code.end();
    e.code.int(BAIL);
    (e.code.finish(), compiled)
}

/// The function of a location of the claim, called like the others: successors are the states after
/// one step of the claim, and a record tells the edge by its number at the location.
pub(crate) fn of_claim(g: &Generator<'_>, claim: &Claim, number: usize) -> (Function, u32) {
    let l = claim.process.graph.locations[number];
    let edges = claim.process.graph.edges_of(number as u32);
    let mut code = Code::new(5);
    let s =
        Context { state: 0, len: 1, base: None, locals: claim.locals_offset, pid: 3, inside: None };
    let (earlier, here, word) = (code.fresh(), code.fresh(), code.fresh());
    let kept = [OUT, RECORDS].map(|global| (global, code.fresh()));
    for (global, entry) in kept {
        code.i().global_get(global);
        code.set(entry);
    }
    let n = Context { state: code.fresh(), len: code.fresh(), ..s };
    let x = Site { s, n, to: Target::Out, earlier: Some(earlier) };
    let mut e = Emitter { g, code };
    e.code.bail = e.code.block();
    let mut compiled = 0;
    for (index, edge) in edges.iter().enumerate() {
        e.code.int(l.first as i32 + index as i32);
        e.code.set(here);
        let mark = e.code.mark();
        let next = e.code.block();
        // A claim that has come to its end stays there.
        let done = match edge.op {
            Op::End => {
                e.code.go(next);
                Ok(())
            }
            _ if index > 0xff => Err(Unsupported),
            ref op => e.operation(&x, op, next),
        };
        if done.is_err() {
            e.code.back_to(mark);
            e.code.give_up();
            continue;
        }
        compiled += 1;
        e.code.get(n.state);
        e.code.int(edge.target as i32);
        e.store_location(claim.location_offset);
        e.executed(edge.id);
        e.code.int(index as i32);
        e.code.set(word);
        e.record(n, word);
        e.code.int(1);
        e.code.set(earlier);
        e.code.end();
    }
    e.code.get(earlier);
    e.code.i().return_();
    e.code.end();
    e.code.get(here);
    e.code.i().global_set(EDGE);
    e.code.get(earlier);
    e.code.i().global_set(EARLIER).i32_const(0).global_set(ESCAPE).global_get(FULL);
    e.code.when();
    for (global, entry) in kept {
        e.code.get(entry);
        e.code.i().global_set(global);
    }
    e.code.i().i32_const(l.first as i32).global_set(EDGE).i32_const(0).global_set(EARLIER);
    e.code.end();
    e.code.int(BAIL);
    (e.code.finish(), compiled)
}

/// Pushes what a move adds to the moves inside an atomic sequence, in the word of a record.
pub(crate) fn one_more_inside(code: &mut Code, inside: u32) {
    code.get(inside);
    code.i().i32_const(8).i32_shr_u().i32_const(0).i32_ne().i32_const(20).i32_shl();
}

impl Emitter<'_> {
    fn edge(&mut self, f: &Frame, edge: &Edge) -> Result {
        let to = if edge.keeps_atomic { Target::Stack } else { Target::Out };
        if edge.keeps_atomic && matches!(edge.op, Op::End) {
            return Err(Unsupported);
        }
        let x = f.site(to);
        let next = self.code.block();
        match &edge.op {
            Op::Send(send) if self.g.p.trace.is_none() => {
                self.with_channel(x.s, &send.channel, &mut |e, q, ty| {
                    if e.g.p.channel_types[ty as usize].capacity > 0 {
                        return e.send(&x, send, q, ty, next);
                    }
                    e.hand_out(f, edge, send, q, ty, next)?;
                    e.has_moved(f, edge);
                    e.code.go(next);
                    Ok(())
                })?;
            }
            op => self.operation(&x, op, next)?,
        }
        if !matches!(edge.op, Op::End) {
            self.arrive(x.n, edge);
        }
        self.stamp(x.n);
        self.executed(edge.id);
        self.follow(x.n, f.ty, edge, f.after, f.s.pid);
        self.has_moved(f, edge);
        self.code.end();
        Ok(())
    }

    /// Some edge was executable.
    fn has_moved(&mut self, f: &Frame, edge: &Edge) {
        self.code.int(1);
        self.code.set(f.earlier);
        if let Some(escape) = f.escape {
            self.code.int(i32::from(edge.escape));
            self.code.set(escape);
        }
    }

    /// Writes the new location.
    pub(crate) fn arrive(&mut self, n: Context, edge: &Edge) {
        self.code.get(n.state);
        if let Some(base) = n.base {
            self.code.get(base);
            self.code.i().i32_add();
        }
        self.code.int(edge.target as i32);
        let offset = self.g.p.type_bytes;
        self.store_location(offset);
    }

    /// Clears what is dead at a location where the process comes to rest.
    pub(crate) fn rest(&mut self, n: Context, ty: usize, location: u32) {
        let Some(base) = n.base else { return };
        for &(offset, bytes) in self.g.p.types[ty].graph.dead_at(location) {
            self.code.get(n.state);
            self.code.get(base);
            self.code.i().i32_add();
            if bytes > MOST_CLEARED {
                self.code.plus(offset);
                self.code.int(bytes as i32);
                let function = self.g.functions.clear;
                self.code.i().call(function);
                continue;
            }
            let address = self.code.local();
            self.code.set(address);
            let (mut at_byte, end) = (offset, offset + bytes);
            while at_byte < end {
                self.code.get(address);
                let left = end - at_byte;
                at_byte += match left {
                    8.. => {
                        self.code.i().i64_const(0).i64_store(at(at_byte));
                        8
                    }
                    4.. => {
                        self.code.i().i32_const(0).i32_store(at(at_byte));
                        4
                    }
                    2.. => {
                        self.code.i().i32_const(0).i32_store16(at(at_byte));
                        2
                    }
                    _ => {
                        self.code.i().i32_const(0).i32_store8(at(at_byte));
                        1
                    }
                };
            }
            self.code.release(address);
        }
    }

    /// Writes who moved last, if that is kept.
    pub(crate) fn stamp(&mut self, n: Context) {
        if let Some(offset) = self.g.p.last_offset {
            self.code.get(n.state);
            self.code.get(n.pid);
            self.code.i().i32_store8(at(offset));
        }
    }

    /// Notes that an edge was taken.
    pub(crate) fn executed(&mut self, edge: u32) {
        self.code.i().global_get(EXECUTED).i32_const(1).i32_store8(at(edge));
    }

    /// Goes on from the new state: it is a successor, or the same process has the exclusive right.
    pub(crate) fn follow(&mut self, n: Context, ty: usize, edge: &Edge, word: u32, pid: u32) {
        if !edge.keeps_atomic {
            if !matches!(edge.op, Op::End) {
                self.rest(n, ty, edge.target);
            }
            self.record(n, word);
            return;
        }
        let step = self.g.step_function(ty, edge.target as usize);
        let Some(base) = n.base else { return self.code.give_up() };
        self.enough_left(word);
        self.code.get(n.state);
        self.code.get(n.len);
        self.code.i().i32_add().global_set(STACK);
        self.code.get(n.state);
        self.code.get(n.len);
        self.code.get(base);
        self.code.get(pid);
        self.code.get(word);
        self.code.i().call(step);
        self.after_call(n.state);
        // Blocked inside: the state is stored here, and everybody may move.
        self.code.i().i32_eqz();
        self.code.when();
        self.rest(n, ty, edge.target);
        self.code.get(n.state);
        self.code.get(n.len);
        self.code.get(word);
        let emit = self.g.functions.emit;
        self.code.i().call(emit);
        self.code.give_up_if();
        self.code.end();
    }

    /// Gives up if the sequence has become long.
    pub(crate) fn enough_left(&mut self, word: u32) {
        self.code.get(word);
        self.code.i().i32_const(8).i32_shr_u().i32_const(0xfff).i32_and();
        self.code.i().i32_const(MOST_MOVES).i32_gt_u();
        self.code.i().global_get(FUEL).i32_const(1).i32_sub();
        let left = self.code.local();
        self.code.tee(left);
        self.code.i().global_set(FUEL);
        self.code.get(left);
        self.code.i().i32_eqz().i32_or();
        self.code.give_up_if();
        self.code.release(left);
    }

    /// Gives the working space from `start` on back, and gives up if the one who was called did.
    /// What it said stays on the stack.
    pub(crate) fn after_call(&mut self, start: u32) {
        let said = self.code.local();
        self.code.set(said);
        self.code.get(start);
        self.code.i().global_set(STACK);
        self.code.get(said);
        self.code.i().i32_const(BAIL).i32_eq();
        self.code.give_up_if();
        self.code.get(said);
        self.code.release(said);
    }

    /// The state, which lies where the next successor goes, is one.
    fn record(&mut self, n: Context, word: u32) {
        self.code.i().global_get(RECORDS).global_get(RECORDS_END).i32_ge_u();
        self.code.when();
        self.code.i().i32_const(1).global_set(FULL);
        self.code.give_up();
        self.code.end();
        self.code.get(n.state);
        self.code.get(n.len);
        self.code.i().i32_add().global_set(OUT);
        self.code.i().global_get(RECORDS).global_get(OUT).global_get(BEGIN).i32_sub();
        self.code.i().i32_store(at(0)).global_get(RECORDS);
        self.code.get(word);
        self.code.i().i32_store(at(4)).global_get(RECORDS).i32_const(8).i32_add();
        self.code.i().global_set(RECORDS);
    }
}
