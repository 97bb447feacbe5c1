//! How fast states are expanded: a filter lock of N processes, depth first with an exact set.

#[path = "../tests/support/mod.rs"]
mod support;

use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::*;
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::time::Instant;
use support::*;

#[derive(Default)]
struct Fast(u64);

impl Hasher for Fast {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = promenade_base::hash::hash64(bytes, self.0);
    }
}

fn array(start: u32, index: Expr, n: u32) -> Place {
    let mut place = byte(start);
    place.indices.push(IndexTerm { value: index, length: n, stride: 1, span: Default::default() });
    place
}

fn filter_lock(n: u32) -> Model {
    let mut builder = Builder::globals(2 * n + 1);
    for me in 0..n {
        let level = || Expr::Load(local(0));
        let mut free = number(1);
        for other in (0..n).filter(|&o| o != me) {
            let below = binary(BinaryOp::Less, Expr::Load(byte(other)), level());
            free = Expr::And(Box::new(free), Box::new(below));
        }
        let passed =
            binary(BinaryOp::NotEqual, Expr::Load(array(n, level(), n)), number(me as i32));
        let more = binary(BinaryOp::Less, level(), number(n as i32 - 1));
        let up = binary(BinaryOp::Add, level(), number(1));
        builder = builder.active(vec![
            vec![edge(set(local(0), number(1)), 1)],
            vec![edge(set(byte(me), level()), 2)],
            vec![edge(set(array(n, level(), n), number(me as i32)), 3)],
            vec![edge(when(Expr::Or(Box::new(free), Box::new(passed))), 4)],
            vec![edge(when(more), 5), edge(Action::Else, 6)],
            vec![edge(set(local(0), up), 1)],
            vec![edge(set(byte(2 * n), number(me as i32)), 7)],
            vec![edge(Action::Assert(equal(byte(2 * n), me as i32)), 8)],
            vec![edge(set(byte(me), number(0)), 0)],
        ]);
    }
    builder.model
}

fn main() {
    let n = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(3);
    let mut system = Interpreter::new(Rc::new(filter_lock(n)), RunOptions::default());
    let mut out = Successors::new(false);
    let mut seen: HashSet<Vec<u8>, BuildHasherDefault<Fast>> = HashSet::default();
    system.initial(&mut out);
    let mut stack = vec![out.bytes.clone()];
    seen.insert(out.bytes.clone());
    let mut transitions = 0u64;
    let start = Instant::now();
    let mut inside = std::time::Duration::ZERO;
    while let Some(state) = stack.pop() {
        let before = Instant::now();
        system.expand(&state, Selection::All, &mut out);
        inside += before.elapsed();
        for item in &out.items {
            if let Item::Target { start, end, .. } = item {
                transitions += 1;
                let target = out.slice((*start, *end));
                if !seen.contains(target) {
                    seen.insert(target.to_vec());
                    stack.push(target.to_vec());
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let states = seen.len();
    println!(
        "{states} states, {transitions} transitions, {seconds:.2} s, {:.0} states/s; expanding {:.2} s, {:.0} ns per transition",
        states as f64 / seconds,
        inside.as_secs_f64(),
        inside.as_nanos() as f64 / transitions as f64
    );
}
