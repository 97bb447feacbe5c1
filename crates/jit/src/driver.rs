//! The exported function: all processes of a state, from the youngest to the oldest.

use crate::call;
use crate::code::{Code, at};
use crate::layout::Layout;
use crate::module::{
    BAIL, BEGIN, EARLIER, EDGE, ESCAPE, EXECUTED, Emitter, FUEL, FULL, Generator, OUT, OUT_END,
    RECORDS, RECORDS_END, STACK, STACK_END, TIMEOUT,
};
use crate::rendezvous::TABLE_BYTES;
use promenade_interp::CLAIM_PID;
use wasm_encoder::Function;

/// Steps inside atomic sequences of one process, at most.
const MOST_STEPS: i32 = 50_000;

/// Reads a word of the control block.
fn word(code: &mut Code, control: u32, number: usize) {
    code.get(control);
    code.i().i32_load(at(4 * number as u32));
}

/// `expand(state, len, control)`
pub(crate) fn expand(g: &Generator<'_>) -> Function {
    let (state, len, control) = (0, 1, 2);
    let mut e = Emitter { g, code: Code::new(3) };
    let (high, low, pid) = (e.code.fresh(), e.code.fresh(), e.code.fresh());
    let start = e.code.fresh();
    for (number, global) in [
        (call::OUT, OUT),
        (call::OUT, BEGIN),
        (call::OUT_END, OUT_END),
        (call::RECORDS, RECORDS),
        (call::RECORDS_END, RECORDS_END),
        (call::EXECUTED, EXECUTED),
        (call::STACK_END, STACK_END),
        (call::TIMEOUT, TIMEOUT),
    ] {
        word(&mut e.code, control, number);
        e.code.i().global_set(global);
    }
    word(&mut e.code, control, call::STACK);
    e.code.set(start);
    e.code.i().i32_const(0).global_set(FULL);
    word(&mut e.code, control, call::HIGH);
    e.code.set(high);
    word(&mut e.code, control, call::LOW);
    e.code.set(low);
    e.code.bail = e.code.block();
    if let Some(claim) = &g.p.claim {
        e.code.get(high);
        e.code.i().i32_const(i32::from(CLAIM_PID)).i32_eq();
        e.code.when();
        e.code.get(high);
        e.code.set(pid);
        e.begin(start);
        e.code.get(state);
        e.code.get(len);
        e.code.int(0);
        e.code.get(pid);
        e.code.int(0);
        e.code.get(state);
        e.load_location(claim.location_offset);
        let first = g.claim_slot();
        e.code.plus(first);
        let kind = g.types.step;
        e.code.i().call_indirect(0, kind).i32_const(BAIL).i32_eq();
        e.code.give_up_if();
        e.answer(control);
        e.code.int(call::DONE as i32);
        e.code.i().return_();
        e.code.end();
    }
    match &g.layout {
        Layout::Fixed(places) => {
            for (number, &(ty, base)) in places.iter().enumerate().rev() {
                let other = e.code.block();
                e.code.get(high);
                e.code.i().i32_const(number as i32).i32_lt_u();
                e.code.go_if(other);
                e.code.get(low);
                e.code.i().i32_const(number as i32).i32_gt_u();
                e.code.go_if(other);
                e.code.int(number as i32);
                e.code.set(pid);
                e.begin(start);
                e.code.get(state);
                e.code.get(len);
                e.code.int(base as i32);
                e.code.get(pid);
                e.code.get(pid);
                e.code.get(state);
                e.load_location(base + g.p.type_bytes);
                let first = g.step_slot(ty as usize);
                e.code.plus(first);
                let kind = g.types.step;
                e.code.i().call_indirect(0, kind).i32_const(BAIL).i32_eq();
                e.code.give_up_if();
                e.code.end();
            }
        }
        Layout::Walk => {
            let (table, base) = (e.code.fresh(), e.code.fresh());
            e.code.get(start);
            e.code.set(table);
            e.code.get(state);
            e.code.get(table);
            let bases = g.functions.bases;
            e.code.i().call(bases);
            e.code.get(start);
            e.code.plus(TABLE_BYTES);
            e.code.set(start);
            e.code.get(high);
            e.code.set(pid);
            let done = e.code.block();
            let again = e.code.repeat();
            e.begin(start);
            e.code.get(table);
            e.code.get(pid);
            e.code.i().i32_const(2).i32_shl().i32_add().i32_load(at(0));
            e.code.set(base);
            e.code.get(state);
            e.code.get(len);
            e.code.get(base);
            e.code.get(pid);
            e.code.get(pid);
            e.code.get(state);
            e.code.get(base);
            e.code.i().i32_add();
            e.load_type();
            let slots: Vec<u32> = (0..g.p.types.len()).map(|ty| g.step_slot(ty)).collect();
            e.code.look_up(&slots, 0);
            e.code.get(state);
            e.code.get(base);
            e.code.i().i32_add();
            e.load_location(g.p.type_bytes);
            let kind = g.types.step;
            e.code.i().i32_add().call_indirect(0, kind).i32_const(BAIL).i32_eq();
            e.code.give_up_if();
            e.code.get(pid);
            e.code.get(low);
            e.code.i().i32_le_u();
            e.code.go_if(done);
            e.code.get(pid);
            e.code.i().i32_const(1).i32_sub();
            e.code.set(pid);
            e.code.go(again);
            e.code.end();
            e.code.end();
        }
    }
    e.answer(control);
    e.code.int(call::DONE as i32);
    e.code.i().return_();
    e.code.end();
    e.answer(control);
    e.code.get(control);
    e.code.get(pid);
    e.code.i().i32_store(at(4 * call::PID as u32));
    for (number, global) in [(call::EDGE, EDGE), (call::EARLIER, EARLIER), (call::ESCAPE, ESCAPE)] {
        e.code.get(control);
        e.code.i().global_get(global).i32_store(at(4 * number as u32));
    }
    e.code.int(call::ROOM as i32);
    e.code.int(call::INTERPRET as i32);
    e.code.i().global_get(FULL).select();
    e.code.finish()
}

impl Emitter<'_> {
    /// Before a process is tried.
    fn begin(&mut self, stack: u32) {
        self.code.get(stack);
        self.code.i().global_set(STACK).i32_const(MOST_STEPS).global_set(FUEL);
    }

    /// Tells how far it came.
    fn answer(&mut self, control: u32) {
        for (number, global) in [(call::OUT, OUT), (call::RECORDS, RECORDS)] {
            self.code.get(control);
            self.code.i().global_get(global).i32_store(at(4 * number as u32));
        }
    }
}
