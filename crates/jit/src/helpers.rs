//! Small functions that the others call.

use crate::code::{Code, at};
use crate::layout::Layout;
use crate::module::{
    BEGIN, CHANNEL_TYPE, Emitter, FULL, Generator, OUT, OUT_END, RECORDS, RECORDS_END,
};
use wasm_encoder::Function;

/// States up to this many bytes are copied without a loop if their size is known.
const MOST_UNROLLED: u32 = 160;

/// `(from, to, len)`: copies bytes that do not overlap. (The instruction for it is a call into the
/// engine, which is slow for the few bytes of a state.)
pub(crate) fn copy(g: &Generator<'_>) -> Function {
    let (from, to, len) = (0, 1, 2);
    let mut code = Code::new(3);
    if let Layout::Fixed(places) = &g.layout
        && let Some(&(ty, base)) = places.last()
    {
        let whole = base + g.p.types[ty as usize].record_bytes + g.p.hidden_bytes;
        if (8..=MOST_UNROLLED).contains(&whole) {
            code.get(len);
            code.i().i32_const(whole as i32).i32_eq();
            code.when();
            let mut done = 0;
            while done < whole {
                // The last eight bytes overlap with those before.
                let offset = done.min(whole - 8);
                code.get(to);
                code.get(from);
                code.i().i64_load(at(offset)).i64_store(at(offset));
                done = offset + 8;
            }
            code.i().return_();
            code.end();
        }
    }
    code.get(len);
    code.i().i32_const(8).i32_lt_u();
    code.when();
    bytewise(&mut code, from, to, len);
    code.i().return_();
    code.end();
    let last = code.fresh();
    code.get(from);
    code.get(len);
    code.i().i32_add().i32_const(8).i32_sub();
    code.set(last);
    let done = code.block();
    let again = code.repeat();
    code.get(from);
    code.get(last);
    code.i().i32_ge_u();
    code.go_if(done);
    code.get(to);
    code.get(from);
    code.i().i64_load(at(0)).i64_store(at(0));
    for local in [from, to] {
        code.get(local);
        code.plus(8);
        code.set(local);
    }
    code.go(again);
    code.end();
    code.end();
    code.get(to);
    code.get(from);
    code.i().i32_sub();
    code.get(last);
    code.i().i32_add();
    code.get(last);
    code.i().i64_load(at(0)).i64_store(at(0));
    code.finish()
}

/// Copies `len` bytes upwards; all three locals are used up.
fn bytewise(code: &mut Code, from: u32, to: u32, len: u32) {
    let done = code.block();
    let again = code.repeat();
    code.get(len);
    code.go_unless(done);
    code.get(to);
    code.get(from);
    code.i().i32_load8_u(at(0)).i32_store8(at(0));
    for local in [from, to] {
        code.get(local);
        code.plus(1);
        code.set(local);
    }
    code.get(len);
    code.i().i32_const(1).i32_sub();
    code.set(len);
    code.go(again);
    code.end();
    code.end();
}

/// `(to, len)`: zeroes.
pub(crate) fn clear() -> Function {
    let (to, len) = (0, 1);
    let mut code = Code::new(2);
    let done = code.block();
    let again = code.repeat();
    code.get(len);
    code.go_unless(done);
    code.get(to);
    code.i().i32_const(0).i32_store8(at(0));
    code.get(to);
    code.plus(1);
    code.set(to);
    code.get(len);
    code.i().i32_const(1).i32_sub();
    code.set(len);
    code.go(again);
    code.end();
    code.end();
    code.finish()
}

/// `(at, len, by)`: moves `len` bytes at `at + by` down to `at`, and clears what they leave: the
/// `by` bytes at `at + len`.
pub(crate) fn shift_down(g: &Generator<'_>) -> Function {
    let (to, len, by) = (0, 1, 2);
    let mut code = Code::new(3);
    let from = code.fresh();
    code.get(to);
    code.get(by);
    code.i().i32_add();
    code.set(from);
    bytewise(&mut code, from, to, len);
    code.get(to);
    code.get(by);
    let clear = g.functions.clear;
    code.i().call(clear);
    code.finish()
}

/// `(at, len, by)`: moves `len` bytes at `at` up by `by`.
pub(crate) fn shift_up() -> Function {
    let (from, len, by) = (0, 1, 2);
    let mut code = Code::new(3);
    let last = code.fresh();
    let done = code.block();
    let again = code.repeat();
    code.get(len);
    code.go_unless(done);
    code.get(len);
    code.i().i32_const(1).i32_sub();
    code.tee(len);
    code.get(from);
    code.i().i32_add();
    code.tee(last);
    code.get(by);
    code.i().i32_add();
    code.get(last);
    code.i().i32_load8_u(at(0)).i32_store8(at(0));
    code.go(again);
    code.end();
    code.end();
    code.finish()
}

/// `(state, len, word)`: a state that lies elsewhere is a successor. 1 if there is no room.
pub(crate) fn emit(g: &Generator<'_>) -> Function {
    let (state, len, word) = (0, 1, 2);
    let mut code = Code::new(3);
    code.i().global_get(RECORDS).global_get(RECORDS_END).i32_ge_u().global_get(OUT);
    code.get(len);
    code.i().i32_add().global_get(OUT_END).i32_gt_u().i32_or();
    code.when();
    code.i().i32_const(1).global_set(FULL).i32_const(1).return_();
    code.end();
    code.get(state);
    code.i().global_get(OUT);
    code.get(len);
    let copy = g.functions.copy;
    code.i().call(copy).global_get(OUT);
    code.get(len);
    code.i().i32_add().global_set(OUT);
    code.i().global_get(RECORDS).global_get(OUT).global_get(BEGIN).i32_sub().i32_store(at(0));
    code.i().global_get(RECORDS);
    code.get(word);
    code.i().i32_store(at(4)).global_get(RECORDS).i32_const(8).i32_add().global_set(RECORDS);
    code.int(0);
    code.finish()
}

/// `(state, number)`: where the channel with a number is, 0 if there is none; its type goes to a
/// global.
pub(crate) fn channel(g: &Generator<'_>) -> Function {
    let (state, number) = (0, 1);
    let mut e = Emitter { g, code: Code::new(2) };
    let index = e.code.fresh();
    e.code.get(number);
    e.code.i().i32_const(1).i32_sub();
    e.code.set(index);
    let globals = &g.p.channels;
    if !globals.is_empty() {
        e.code.get(index);
        e.code.i().i32_const(globals.len() as i32).i32_lt_u();
        e.code.when();
        let types: Vec<u32> = globals.iter().map(|q| u32::from(q.1)).collect();
        e.code.get(index);
        e.code.look_up(&types, types[0]);
        e.code.i().global_set(CHANNEL_TYPE);
        let offsets: Vec<u32> = globals.iter().map(|q| q.0).collect();
        e.code.get(index);
        e.offset_of(&offsets);
        e.code.i().return_();
        e.code.end();
        e.code.get(index);
        e.code.i().i32_const(globals.len() as i32).i32_sub();
        e.code.set(index);
    }
    if g.p.types.iter().all(|ty| ty.channels.is_empty()) {
        e.code.int(0);
        return e.code.finish();
    }
    // Process by process, as in the interpreter.
    let (pid, base, ty) = (e.code.fresh(), e.code.fresh(), e.code.fresh());
    e.code.int(g.p.first_process as i32);
    e.code.set(base);
    let done = e.code.block();
    e.code.get(number);
    e.code.i().i32_const(0).i32_le_s();
    e.code.go_if(done);
    let again = e.code.repeat();
    e.code.get(pid);
    e.code.get(state);
    e.code.i().i32_load8_u(at(0)).i32_ge_u();
    e.code.go_if(done);
    e.code.get(state);
    e.code.get(base);
    e.code.i().i32_add();
    e.load_type();
    e.code.set(ty);
    for (number, process) in g.p.types.iter().enumerate() {
        if process.channels.is_empty() {
            continue;
        }
        let other = e.code.block();
        e.code.get(ty);
        e.code.i().i32_const(number as i32).i32_ne();
        e.code.go_if(other);
        e.code.get(index);
        e.code.i().i32_const(process.channels.len() as i32).i32_lt_u();
        e.code.when();
        let types: Vec<u32> = process.channels.iter().map(|q| u32::from(q.1)).collect();
        e.code.get(index);
        e.code.look_up(&types, types[0]);
        e.code.i().global_set(CHANNEL_TYPE);
        let offsets: Vec<u32> = process.channels.iter().map(|q| q.0).collect();
        e.code.get(index);
        e.offset_of(&offsets);
        e.code.get(base);
        e.code.i().i32_add().return_();
        e.code.end();
        e.code.get(index);
        e.code.i().i32_const(process.channels.len() as i32).i32_sub();
        e.code.set(index);
        e.code.end();
    }
    e.next_record(base, ty);
    e.code.get(pid);
    e.code.plus(1);
    e.code.set(pid);
    e.code.go(again);
    e.code.end();
    e.code.end();
    e.code.int(0);
    e.code.finish()
}

impl Emitter<'_> {
    /// Replaces an index by the offset with this index, computed if they are evenly spaced.
    fn offset_of(&mut self, offsets: &[u32]) {
        let step = match offsets {
            [a, b, ..] => b.wrapping_sub(*a),
            _ => 0,
        };
        let even = offsets.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
        match offsets.first() {
            Some(&first) if even => {
                self.code.times(step);
                self.code.plus(first);
            }
            _ => self.code.look_up(offsets, 0),
        }
    }

    /// Goes from a record of type `ty` to the next one.
    fn next_record(&mut self, base: u32, ty: u32) {
        let sizes: Vec<u32> = self.g.p.types.iter().map(|ty| ty.record_bytes).collect();
        self.code.get(base);
        self.code.get(ty);
        let most = sizes.first().copied().unwrap_or(0);
        self.code.look_up(&sizes, most);
        self.code.i().i32_add();
        self.code.set(base);
    }
}

/// Writes a loop over all records: `each` has the locals of pid, base and type.
fn walk(e: &mut Emitter<'_>, state: u32, each: impl FnOnce(&mut Emitter<'_>, u32, u32, u32)) {
    let (pid, base, ty) = (e.code.fresh(), e.code.fresh(), e.code.fresh());
    e.code.int(e.g.p.first_process as i32);
    e.code.set(base);
    let done = e.code.block();
    let again = e.code.repeat();
    e.code.get(pid);
    e.code.get(state);
    e.code.i().i32_load8_u(at(0)).i32_ge_u();
    e.code.go_if(done);
    e.code.get(state);
    e.code.get(base);
    e.code.i().i32_add();
    e.load_type();
    e.code.set(ty);
    each(e, pid, base, ty);
    e.next_record(base, ty);
    e.code.get(pid);
    e.code.plus(1);
    e.code.set(pid);
    e.code.go(again);
    e.code.end();
    e.code.end();
}

/// `(state, pid)`: start of the record of a process, 0 if there is none.
pub(crate) fn base_of(g: &Generator<'_>) -> Function {
    let (state, wanted) = (0, 1);
    let mut e = Emitter { g, code: Code::new(2) };
    if let Layout::Fixed(places) = &g.layout {
        e.code.get(wanted);
        e.code.get(state);
        e.code.i().i32_load8_u(at(0)).i32_lt_u();
        e.code.choose();
        let bases: Vec<u32> = places.iter().map(|place| place.1).collect();
        e.code.get(wanted);
        e.offset_of(&bases);
        e.code.otherwise();
        e.code.int(0);
        e.code.end();
        return e.code.finish();
    }
    walk(&mut e, state, |e, pid, base, _| {
        e.code.get(pid);
        e.code.get(wanted);
        e.code.i().i32_eq();
        e.code.when();
        e.code.get(base);
        e.code.i().return_();
        e.code.end();
    });
    e.code.int(0);
    e.code.finish()
}

/// `(state, type)`: start of the record of the oldest process of a type, 0 if there is none.
pub(crate) fn oldest(g: &Generator<'_>) -> Function {
    let (state, wanted) = (0, 1);
    let mut e = Emitter { g, code: Code::new(2) };
    walk(&mut e, state, |e, _, base, ty| {
        e.code.get(ty);
        e.code.get(wanted);
        e.code.i().i32_eq();
        e.code.when();
        e.code.get(base);
        e.code.i().return_();
        e.code.end();
    });
    e.code.int(0);
    e.code.finish()
}

/// `(state, table)`: writes the start of each record.
pub(crate) fn bases(g: &Generator<'_>) -> Function {
    let (state, table) = (0, 1);
    let mut e = Emitter { g, code: Code::new(2) };
    walk(&mut e, state, |e, _, base, _| {
        e.code.get(table);
        e.code.get(base);
        e.code.i().i32_store(at(0));
        e.code.get(table);
        e.code.plus(4);
        e.code.set(table);
    });
    e.code.finish()
}

/// `(state)`: how many channels there are.
pub(crate) fn channel_count(g: &Generator<'_>) -> Function {
    let mut e = Emitter { g, code: Code::new(1) };
    let count = e.code.fresh();
    e.code.int(g.p.channels.len() as i32);
    e.code.set(count);
    walk(&mut e, 0, |e, _, _, ty| {
        let counts: Vec<u32> = e.g.p.types.iter().map(|ty| ty.channels.len() as u32).collect();
        e.code.get(ty);
        e.code.look_up(&counts, 0);
        e.code.get(count);
        e.code.i().i32_add();
        e.code.set(count);
    });
    e.code.get(count);
    e.code.finish()
}

/// `(state)`: whether no process is at a progress label.
pub(crate) fn non_progress(g: &Generator<'_>) -> Function {
    let mut e = Emitter { g, code: Code::new(1) };
    let here = e.code.fresh();
    walk(&mut e, 0, |e, _, base, ty| {
        for (number, process) in e.g.p.types.iter().enumerate() {
            let locations = process.graph.locations.iter().enumerate();
            let progress: Vec<u32> =
                locations.filter(|(_, l)| l.progress).map(|(number, _)| number as u32).collect();
            if progress.is_empty() {
                continue;
            }
            e.code.get(ty);
            e.code.i().i32_const(number as i32).i32_eq();
            e.code.when();
            e.code.get(0);
            e.code.get(base);
            e.code.i().i32_add();
            e.load_location(e.g.p.type_bytes);
            e.code.set(here);
            e.one_of(here, &progress);
            e.code.when();
            e.code.int(0);
            e.code.i().return_();
            e.code.end();
            e.code.end();
        }
    });
    e.code.int(1);
    e.code.finish()
}
