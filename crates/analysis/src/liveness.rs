//! Live variables: which locals of a process may still be read from a location on.
//!
//! The classic backward problem (A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, Compilers, 2006, section
//! 9.2.5) on the bytes of the locals: a byte is live where some way leads to a step that reads it before
//! any step has written it. What another process, a claim or a formula reads of a process is live
//! everywhere.

use crate::bits::Bits;
use crate::cells::Cells;
use crate::walk::{Visitor, each_action, visit_action, visit_expr};
use promenade_ir::{
    Action, Expr, Formula, Graph, Initializer, Model, Pattern, Place, Proctype, Region, Stretch,
};

/// What a step does to the set of live bytes: those live before it are `reads` and, of those live after
/// it, the ones that it `passes`. Such functions can be composed and joined.
#[derive(Clone)]
struct Step {
    reads: Bits,
    passes: Bits,
}

impl Step {
    fn before(&self, after: &Bits) -> Bits {
        let mut live = after.clone();
        live.intersect(&self.passes);
        live.unite(&self.reads);
        live
    }
}

/// Collects the bytes of the executing process that are read.
struct Reads {
    bytes: Bits,
}

impl Visitor for Reads {
    fn expression(&mut self, _: &Expr) {}

    fn read(&mut self, place: &Place) {
        if place.region == Region::Local {
            Cells::of(place).each_byte(&mut |byte| _ = self.bytes.insert(byte as usize));
        }
    }

    fn write(&mut self, _: &Place) {}
}

/// Collects the bytes that are read from outside, by type.
struct Remote {
    bytes: Vec<Bits>,
}

impl Visitor for Remote {
    fn expression(&mut self, expr: &Expr) {
        if let Expr::RemoteLoad { proctype, place, .. } = expr
            && let Some(set) = self.bytes.get_mut(usize::from(proctype.0))
        {
            Cells::of(place).each_byte(&mut |byte| _ = set.insert(byte as usize));
        }
    }

    fn read(&mut self, _: &Place) {}

    fn write(&mut self, _: &Place) {}
}

fn all(bytes: usize) -> Bits {
    let mut set = Bits::new(bytes);
    (0..bytes).for_each(|byte| _ = set.insert(byte));
    set
}

/// Takes out what is certainly overwritten: a cell without an index that is left to evaluate.
fn overwritten(place: &Place, passes: &mut Bits) {
    if place.region == Region::Local && place.indices.is_empty() {
        let end = place.offset + place.ty.bytes();
        (place.offset..end).for_each(|byte| passes.remove(byte as usize));
    }
}

fn step(action: &Action, bytes: usize) -> Step {
    let mut reads = Reads { bytes: Bits::new(bytes) };
    let mut passes = all(bytes);
    match action {
        Action::DStep(inner) => {
            let exit = inner.exit.0 as usize;
            let entry = inner.entry.0 as usize;
            let at_entry = |after: Bits| {
                let live = flow(&inner.graph, &Bits::new(bytes), Some((exit, &after)), bytes);
                live.into_iter().nth(entry).unwrap_or_else(|| all(bytes))
            };
            // Everything here distributes over unions, so two questions tell all.
            return Step { reads: at_entry(Bits::new(bytes)), passes: at_entry(all(bytes)) };
        }
        Action::Sequence(actions) => {
            let mut whole = Step { reads: reads.bytes, passes };
            for action in actions.iter().rev() {
                let first = step(action, bytes);
                whole.reads = first.before(&whole.reads);
                whole.passes.intersect(&first.passes);
            }
            return whole;
        }
        Action::Assign { target: Some(target), .. } => overwritten(target, &mut passes),
        Action::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Store(target) = pattern {
                    overwritten(target, &mut passes);
                }
            }
        }
        _ => {}
    }
    visit_action(action, &mut reads);
    Step { reads: reads.bytes, passes }
}

/// The bytes that are live at each location of a graph. `everywhere` is read at all of them; at `exit`,
/// if there is one, the set is given.
fn flow(graph: &Graph, everywhere: &Bits, exit: Option<(usize, &Bits)>, bytes: usize) -> Vec<Bits> {
    let steps: Vec<Vec<(usize, Step)>> = graph
        .locations
        .iter()
        .map(|location| {
            let edges = location.edges.iter();
            edges.map(|edge| (edge.target.0 as usize, step(&edge.action, bytes))).collect()
        })
        .collect();
    let mut live = vec![everywhere.clone(); graph.locations.len()];
    if let Some((exit, after)) = exit
        && let Some(set) = live.get_mut(exit)
    {
        set.unite(after);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            for (target, step) in &steps[at] {
                let Some(after) = live.get(*target) else { continue };
                let before = step.before(after);
                changed |= live[at].unite(&before);
            }
        }
    }
    live
}

/// The propositions of a formula.
pub(crate) fn each_atom(formula: &Formula, see: &mut dyn FnMut(&Expr)) {
    match formula {
        Formula::Atom(expr, _, _) => see(expr),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
            each_atom(a, see);
        }
        Formula::Binary(_, a, b) => {
            each_atom(a, see);
            each_atom(b, see);
        }
    }
}

fn initial_values(list: &[Initializer]) -> impl Iterator<Item = &Expr> {
    list.iter().filter_map(|initializer| match initializer {
        Initializer::Value { value, .. } => Some(value),
        Initializer::Channel { .. } => None,
    })
}

/// What is read of the processes of each type from outside: by others, claims and formulas.
fn remote(model: &Model) -> Vec<Bits> {
    let sizes = model.proctypes.iter().map(|ty| Bits::new(ty.local_bytes as usize));
    let mut found = Remote { bytes: sizes.collect() };
    let processes = model.proctypes.iter().chain(model.claims.iter().map(|claim| &claim.process));
    for process in processes.chain(model.trace.iter().map(|trace| &trace.process)) {
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            each_action(&edge.action, &mut |action| visit_action(action, &mut found));
        }
        let expressions = process.provided.iter().chain(initial_values(&process.initializers));
        expressions.for_each(|expr| visit_expr(expr, &mut found));
    }
    initial_values(&model.initializers).for_each(|expr| visit_expr(expr, &mut found));
    for formula in &model.formulas {
        each_atom(&formula.formula, &mut |expr| visit_expr(expr, &mut found));
    }
    for (_, event) in model.trace.iter().flat_map(|trace| &trace.events) {
        visit_expr(&event.channel, &mut found);
        for pattern in &event.patterns {
            if let Pattern::Match(expr) = pattern {
                visit_expr(expr, &mut found);
            }
        }
    }
    found.bytes
}

/// Edges of a type times bytes of its locals, at most; beyond that its variables are kept.
const MOST_WORK: usize = 1 << 28;

/// The dead bytes of the locals of a process at each of its locations.
fn dead(proctype: &Proctype, remote: &Bits) -> Vec<Vec<Stretch>> {
    let bytes = proctype.local_bytes as usize;
    if edges(&proctype.graph).saturating_mul(bytes) > MOST_WORK {
        return Vec::new();
    }
    // The clause is evaluated before each step.
    let mut everywhere = Reads { bytes: remote.clone() };
    proctype.provided.iter().for_each(|expr| visit_expr(expr, &mut everywhere));
    let live = flow(&proctype.graph, &everywhere.bytes, None, bytes);
    live.iter().map(|live| stretches(bytes, |byte| !live.contains(byte))).collect()
}

/// Edges, those inside of `d_step` sequences included.
fn edges(graph: &Graph) -> usize {
    let all = graph.locations.iter().flat_map(|location| &location.edges);
    let inside = |action: &Action| match action {
        Action::DStep(step) => edges(&step.graph),
        _ => 0,
    };
    all.map(|edge| 1 + inside(&edge.action)).sum()
}

fn stretches(bytes: usize, dead: impl Fn(usize) -> bool) -> Vec<Stretch> {
    let mut list: Vec<Stretch> = Vec::new();
    for byte in (0..bytes).filter(|byte| dead(*byte)) {
        let byte = byte as u32;
        match list.last_mut() {
            Some(last) if last.offset + last.bytes == byte => last.bytes += 1,
            _ => list.push(Stretch { offset: byte, bytes: 1 }),
        }
    }
    list
}

/// A model in which locals are zero wherever a process rests that will not read them before it writes
/// them, and the number of control points where some are; nothing if there is none.
///
/// Steps and control points are those of the model that is given, and so are the steps that can be made
/// in a state: a run of the one is a run of the other, up to the values of dead variables. A state of
/// the new model is what is left of a state of the old one, so there are never more. It does not matter
/// to `else`, `timeout`, atomic sequences, `unless`, the choice of ample sets, or a property; what a
/// property reads is not dead.
pub fn reset_dead(model: &Model) -> Option<(Model, usize)> {
    let remote = remote(model);
    let mut reset = model.clone();
    let mut points = 0;
    for (proctype, remote) in reset.proctypes.iter_mut().zip(&remote) {
        let dead = dead(proctype, remote);
        for (at, dead) in dead.into_iter().enumerate() {
            points += usize::from(!dead.is_empty());
            if let Some(location) = proctype.graph.locations.get_mut(at) {
                location.dead = dead;
            }
        }
    }
    (points > 0).then_some((reset, points))
}
