//! Write-only variables: globals on whose values nothing depends.
//!
//! A variable is needed if its value may decide what happens: whether a step can be made, where a run-time
//! error is met, what a needed variable, a local or a message becomes, or what the claim that is
//! checked sees. What is left is assigned, counted, printed, and used for others of its kind alone. To
//! count is to add to a variable or to subtract from it; one that is computed from itself in another way
//! is needed.
//! These are the faint variables of R. Giegerich, U. Möncke, R. Wilhelm (Invariance of approximative
//! semantics with respect to program transformations, 1981), without regard to control flow.

use crate::cells::Cells;
use crate::failures::{is_safe, may_fail};
use crate::liveness::each_atom;
use crate::relocate::each_place;
use crate::walk::each_action;
use promenade_ir::{
    Action, BinaryOp, Expr, Graph, IndexTerm, Initializer, Model, Pattern, Place, Print, PrintPart,
    Proctype, Region, ScalarType, Variable,
};
use std::collections::BTreeSet;

/// A variable that is not a part of states, and what it is used for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteOnly {
    /// Its name, fields after a dot: `log.length`.
    pub name: String,
    /// It is read to update itself.
    pub counted: bool,
    /// It is printed.
    pub printed: bool,
    /// Others of the kind that are computed from it.
    pub used_for: Vec<String>,
}

/// What becomes of the value of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// It may decide what happens.
    Needed,
    /// It is assigned to a variable that may be write-only, or added to something that is.
    Assigned(usize),
    /// Something else that is assigned is computed from it.
    Computed(usize),
    Printed,
    /// It is evaluated for its errors only.
    Dropped,
}

/// What is known of each variable; hidden ones are behind the globals.
struct Uses {
    /// The variable of each byte of the globals, and of each hidden byte.
    owners: [Vec<Option<usize>>; 2],
    needed: Vec<bool>,
    written: Vec<bool>,
    printed: Vec<bool>,
    /// A variable, and one that it is computed from.
    flows: BTreeSet<(usize, usize)>,
}

fn name(variable: &Variable) -> String {
    let names: Vec<&str> = variable.path.iter().map(|(name, _)| name.as_str()).collect();
    names.join(".")
}

/// First byte of a variable, and one past its last.
fn extent(variable: &Variable) -> (usize, usize) {
    let dimensions = variable.path.iter().filter_map(|(_, dimension)| *dimension);
    let last: u32 = dimensions.map(|d| d.length.saturating_sub(1) * d.stride).sum();
    let start = variable.offset as usize;
    (start, start + (last + variable.ty.bytes()) as usize)
}

impl Uses {
    fn new(model: &Model) -> Self {
        let all = model.globals.len() + model.hidden.len();
        let mut uses = Self {
            owners: [
                vec![None; model.global_bytes as usize],
                vec![None; model.hidden_bytes as usize],
            ],
            needed: vec![false; all],
            written: vec![false; all],
            printed: vec![false; all],
            flows: BTreeSet::new(),
        };
        for (number, variable) in model.globals.iter().chain(&model.hidden).enumerate() {
            let hidden = number >= model.globals.len();
            let dimensions = variable.path.iter().filter_map(|(_, dimension)| *dimension);
            let cells = Cells {
                region: if hidden { Region::Hidden } else { Region::Global },
                offset: variable.offset,
                width: variable.ty.bytes(),
                dimensions: dimensions.map(|d| (d.length.max(1), d.stride)).collect(),
            };
            // Channels are told apart by the variables that hold them.
            uses.needed[number] = variable.ty == ScalarType::Chan;
            let Uses { owners, needed, .. } = &mut uses;
            cells.each_byte(&mut |byte| {
                let Some(owner) = owners[usize::from(hidden)].get_mut(byte as usize) else {
                    return;
                };
                match *owner {
                    Some(other) if other != number => {
                        needed[other] = true;
                        needed[number] = true;
                    }
                    _ => *owner = Some(number),
                }
            });
        }
        uses
    }

    fn variable(&self, place: &Place) -> Option<usize> {
        let owners = match place.region {
            Region::Global => &self.owners[0],
            Region::Hidden => &self.owners[1],
            Region::Local => return None,
        };
        owners.get(place.offset as usize).copied().flatten()
    }

    fn indices(&mut self, indices: &[IndexTerm]) {
        indices.iter().for_each(|index| self.needed(&index.value));
    }

    fn needed(&mut self, expr: &Expr) {
        self.expr(expr, Use::Needed);
    }

    fn load(&mut self, place: &Place, to: Use) {
        self.indices(&place.indices);
        let Some(variable) = self.variable(place) else { return };
        match to {
            Use::Needed => self.needed[variable] = true,
            // Whatever is more than a count, such as a bit that is flipped, is taken as a state.
            Use::Computed(target) if target == variable => self.needed[variable] = true,
            Use::Assigned(target) | Use::Computed(target) => {
                _ = self.flows.insert((target, variable))
            }
            Use::Printed => self.printed[variable] = true,
            Use::Dropped => {}
        }
    }

    fn expr(&mut self, expr: &Expr, to: Use) {
        let inner = match to {
            Use::Assigned(target) => Use::Computed(target),
            other => other,
        };
        // What decides whether another part is evaluated is needed if that part may fail.
        let guard = |guarded: bool| if guarded { Use::Needed } else { inner };
        match expr {
            Expr::Const(_)
            | Expr::Pid
            | Expr::NrPr
            | Expr::Last
            | Expr::Priority
            | Expr::Timeout
            | Expr::NonProgress => {}
            Expr::Load(place) => self.load(place, to),
            Expr::Unary(_, a) => self.expr(a, inner),
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod, a, b) => {
                self.expr(a, inner);
                self.expr(b, guard(!is_safe(b)));
            }
            Expr::Binary(BinaryOp::Add, a, b) => {
                self.expr(a, to);
                self.expr(b, to);
            }
            Expr::Binary(operator, a, b) => {
                self.expr(a, if *operator == BinaryOp::Sub { to } else { inner });
                self.expr(b, inner);
            }
            Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(a, guard(to != Use::Needed && may_fail(b)));
                self.expr(b, inner);
            }
            Expr::Conditional(a, b, c) => {
                self.expr(a, guard(to != Use::Needed && (may_fail(b) || may_fail(c))));
                self.expr(b, inner);
                self.expr(c, inner);
            }
            Expr::Len(a)
            | Expr::ChannelTest(_, a)
            | Expr::Enabled(a)
            | Expr::PcValue(a)
            | Expr::GetPriority(a) => self.needed(a),
            Expr::Poll { channel, patterns, .. } => {
                self.needed(channel);
                self.patterns(patterns);
            }
            Expr::RemoteLocation { index, .. } => index.iter().for_each(|it| self.needed(it)),
            Expr::RemoteLoad { index, place, .. } => {
                index.iter().for_each(|it| self.needed(it));
                self.indices(&place.indices);
            }
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Match(e) => self.needed(e),
                Pattern::Store(place) => _ = self.target(place),
                Pattern::Any => {}
            }
        }
    }

    /// What a value is used for that is stored here.
    fn target(&mut self, place: &Place) -> Use {
        self.indices(&place.indices);
        let Some(variable) = self.variable(place) else { return Use::Needed };
        self.written[variable] = true;
        Use::Assigned(variable)
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End | Action::DStep(_) | Action::Sequence(_) => {}
            Action::Condition(e) | Action::Assert(e) => self.needed(e),
            Action::Assign { target, value } => {
                let to = target.as_ref().map_or(Use::Dropped, |target| self.target(target));
                self.expr(value, to);
            }
            Action::Print(print) => self.print(print),
            Action::Send { channel, arguments, .. } => {
                self.needed(channel);
                arguments.iter().for_each(|it| self.needed(it));
            }
            Action::Receive { channel, patterns, .. } => {
                self.needed(channel);
                self.patterns(patterns);
            }
            Action::Run { arguments, priority, target, .. } => {
                arguments.iter().chain(priority).for_each(|it| self.needed(it));
                target.iter().for_each(|it| _ = self.target(it));
            }
            Action::SetPriority { process, priority } => {
                self.needed(process);
                self.needed(priority);
            }
        }
    }

    fn print(&mut self, print: &Print) {
        for part in &print.parts {
            match part {
                PrintPart::Text(_) => {}
                PrintPart::Decimal(e)
                | PrintPart::Unsigned(e)
                | PrintPart::Hexadecimal(e)
                | PrintPart::Octal(e)
                | PrintPart::Character(e)
                | PrintPart::Symbol(e, _) => self.expr(e, Use::Printed),
            }
        }
    }

    fn graph(&mut self, graph: &Graph) {
        for edge in graph.locations.iter().flat_map(|it| &it.edges) {
            each_action(&edge.action, &mut |action| self.action(action));
        }
    }

    fn process(&mut self, process: &Proctype) {
        for initializer in &process.initializers {
            if let Initializer::Value { value, .. } = initializer {
                self.needed(value);
            }
        }
        process.provided.iter().for_each(|it| self.needed(it));
        self.graph(&process.graph);
    }

    /// What a needed variable is computed from is needed.
    fn close(&mut self) {
        let needed = self.needed.iter().enumerate().filter(|(_, needed)| **needed);
        let mut waiting: Vec<usize> = needed.map(|(variable, _)| variable).collect();
        while let Some(variable) = waiting.pop() {
            for &(_, from) in self.flows.range((variable, 0)..(variable + 1, 0)) {
                if !std::mem::replace(&mut self.needed[from], true) {
                    waiting.push(from);
                }
            }
        }
    }
}

/// The uses of all variables of a model along which a claim may run.
fn uses(model: &Model) -> Uses {
    let mut uses = Uses::new(model);
    let claims = model.claims.iter().map(|claim| &claim.process);
    model.proctypes.iter().chain(claims).for_each(|it| uses.process(it));
    model.formulas.iter().for_each(|it| each_atom(&it.formula, &mut |atom| uses.needed(atom)));
    if let Some(trace) = &model.trace {
        uses.process(&trace.process);
        for (_, event) in &trace.events {
            uses.needed(&event.channel);
            uses.patterns(&event.patterns);
        }
    }
    uses.close();
    uses
}

/// The model with its write-only global variables behind the hidden ones
/// ([`Model::write_only_bytes`]), and what they are used for; nothing if there is none. Claims and
/// formulas count, those that are not checked included: as in SPIN, states are the same for all
/// properties of a text.
///
/// Steps, errors and the order of successors are the same in two states that differ in these
/// variables alone, so those may stand for each other.
pub fn leave_out(model: &Model) -> Option<(Model, Vec<WriteOnly>)> {
    let uses = uses(model);
    let globals = model.globals.len();
    let left_out = |number: usize| uses.written[number] && !uses.needed[number];
    let mut list: Vec<(usize, WriteOnly)> = model
        .globals
        .iter()
        .enumerate()
        .filter(|(number, _)| left_out(*number))
        .map(|(number, variable)| {
            let counted = uses.flows.contains(&(number, number));
            let printed = uses.printed[number];
            let name = name(variable);
            (number, WriteOnly { name, counted, printed, used_for: Vec::new() })
        })
        .collect();
    let all: Vec<&Variable> = model.globals.iter().chain(&model.hidden).collect();
    for &(to, from) in uses.flows.iter().filter(|(to, from)| to != from) {
        if let Ok(at) = list.binary_search_by_key(&from, |it| it.0) {
            list[at].1.used_for.push(name(all[to]));
        }
    }
    if list.is_empty() {
        return None;
    }
    let bytes = model.global_bytes as usize;
    // Variables are moved as they are: only bytes that lie within none of the other kind are left behind.
    let (mut stays, mut goes) = (vec![true; bytes], vec![false; bytes]);
    let owned = |byte: usize| uses.owners[0][byte].is_some();
    let variables = || model.globals.iter().enumerate().map(|(n, v)| (left_out(n), extent(v)));
    for (_, (from, to)) in variables().filter(|(out, _)| *out) {
        stays.get_mut(from..to)?.fill(false);
        goes.get_mut(from..to)?.fill(true);
    }
    for (_, (from, to)) in variables().filter(|(out, _)| !*out) {
        stays.get_mut(from..to)?.fill(true);
    }
    (0..bytes).filter(|byte| !owned(*byte)).for_each(|byte| stays[byte] = true);
    let (stays, goes) = (ranks(&stays), ranks(&goes));
    let mut moved = model.clone();
    let place = |number: Option<usize>, offset: u32| {
        let at = offset as usize;
        match number {
            Some(number) if number < globals && left_out(number) => {
                (Region::Hidden, model.hidden_bytes + goes[at])
            }
            _ => (Region::Global, stays.get(at).copied().unwrap_or(offset)),
        }
    };
    each_place(&mut moved, &mut |it| {
        if it.region == Region::Global {
            (it.region, it.offset) = place(uses.variable(it), it.offset);
        }
    });
    moved.globals.clear();
    for (number, variable) in model.globals.iter().enumerate() {
        let (region, offset) = place(Some(number), variable.offset);
        let list = if region == Region::Hidden { &mut moved.hidden } else { &mut moved.globals };
        list.push(Variable { offset, ..variable.clone() });
    }
    (moved.global_bytes, moved.write_only_bytes) = (stays[bytes], goes[bytes]);
    moved.hidden_bytes += moved.write_only_bytes;
    Some((moved, list.into_iter().map(|it| it.1).collect()))
}

/// How many bytes before each one are chosen, and how many in all.
fn ranks(chosen: &[bool]) -> Vec<u32> {
    let mut ranks = Vec::with_capacity(chosen.len() + 1);
    let mut before = 0;
    for chosen in chosen {
        ranks.push(before);
        before += u32::from(*chosen);
    }
    ranks.push(before);
    ranks
}
