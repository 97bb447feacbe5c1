//! Indivisible deterministic sequences: one function each, which works in place.

use crate::code::{Code, Label, at};
use crate::module::{Context, EXECUTED, Emitter, Generator, Unsupported};
use crate::operation::{Site, Target};
use promenade_interp::program::{DStep, Op};
use wasm_encoder::Function;

type Result = std::result::Result<(), Unsupported>;

/// Steps after which a sequence is left to the interpreter, which can tell an endless one.
const MOST_STEPS: i32 = 20_000;

impl Emitter<'_> {
    /// Goes to `next` if the sequence may not start.
    pub(crate) fn can_start(&mut self, x: &Site, step: &DStep, next: Label) -> Result {
        let Some(list) = &step.start_edges else { return Ok(()) };
        let edges = step.graph.edges_of(step.entry);
        if list.iter().filter_map(|n| edges.get(*n)).any(|e| always(&e.op)) {
            return Ok(());
        }
        let can = self.code.block();
        for &number in list {
            let Some(edge) = edges.get(number) else { continue };
            let no = self.code.block();
            if let Op::Else = edge.op {
                // It belongs to the selection around.
                if let Some(earlier) = x.earlier {
                    self.code.get(earlier);
                    self.code.go_if(no);
                }
            } else {
                self.test(x, &edge.op, no)?;
            }
            self.code.go(can);
            self.code.end();
        }
        self.code.go(next);
        self.code.end();
        Ok(())
    }

    /// Goes to `next` if the operation is not executable; a rendezvous send counts as executable.
    fn test(&mut self, x: &Site, op: &Op, next: Label) -> Result {
        match op {
            op if always(op) => Ok(()),
            Op::Condition(e) => self.require(x.s, e, next),
            Op::Send(send) => self.with_channel(x.s, &send.channel, &mut |e, q, ty| {
                let capacity = e.g.p.channel_types[ty as usize].capacity;
                if capacity > 0 && !e.g.p.lose_messages {
                    e.length(x.s, q, ty);
                    e.code.i().i32_const(capacity as i32).i32_ge_u();
                    e.code.go_if(next);
                }
                Ok(())
            }),
            Op::Receive(receive) => self.with_channel(x.s, &receive.channel, &mut |e, q, ty| {
                if e.g.p.channel_types[ty as usize].capacity == 0 && receive.keep {
                    e.code.give_up();
                    return Ok(());
                }
                e.find(x.s, q, ty, receive.random, &receive.patterns, next).map(|_| ())
            }),
            _ => Err(Unsupported),
        }
    }
}

/// Whether the operation is executable in every state.
fn always(op: &Op) -> bool {
    matches!(op, Op::Skip | Op::Assign8(..) | Op::Assign(..) | Op::Assert(_) | Op::Print(_))
}

/// The function of a sequence: `(state, len, base, pid, inside)`, 1 if it came to its end, 0 if the
/// interpreter has to do it all over.
pub(crate) fn function(
    g: &Generator<'_>,
    step: &DStep,
) -> std::result::Result<Function, Unsupported> {
    let mut code = Code::new(5);
    let (state, len, base, pid, inside) = (0, 1, 2, 3, 4);
    let location = code.fresh();
    let left = code.fresh();
    code.bail = code.block();
    code.int(step.entry as i32);
    code.set(location);
    code.int(MOST_STEPS);
    code.set(left);
    let again = code.repeat();
    code.get(left);
    code.i().i32_const(1).i32_sub();
    code.tee(left);
    code.i().i32_eqz();
    code.give_up_if();
    let mut e = Emitter { g, code };
    let c = Context {
        state,
        len,
        base: Some(base),
        locals: g.p.locals_offset,
        pid,
        inside: Some(inside),
    };
    let x = Site { s: c, n: c, to: Target::Same, earlier: None };
    // The last label is the first to end.
    let nowhere = e.code.block();
    let count = step.graph.locations.len();
    let mut labels: Vec<Label> = (0..count).map(|_| e.code.block()).collect();
    labels.reverse();
    e.code.get(location);
    e.code.jump(&labels, nowhere);
    for number in 0..count {
        e.code.end();
        if number as u32 == step.exit {
            e.code.i().i32_const(1).return_();
            continue;
        }
        for edge in step.graph.edges_of(number as u32) {
            if matches!(edge.op, Op::Run(_) | Op::End | Op::DStep(_) | Op::Sequence(_)) {
                return Err(Unsupported);
            }
            let next = e.code.block();
            e.operation(&x, &edge.op, next)?;
            e.code.i().global_get(EXECUTED).i32_const(1).i32_store8(at(edge.id));
            e.code.int(edge.target as i32);
            e.code.set(location);
            e.code.go(again);
            e.code.end();
        }
        // Blocked.
        e.code.give_up();
    }
    e.code.end();
    e.code.give_up();
    e.code.end();
    e.code.end();
    e.code.int(0);
    Ok(e.code.finish())
}
