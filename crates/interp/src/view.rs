//! States decoded for display.

use crate::Interpreter;
use crate::channel;
use crate::program::{ChannelRef, Kind};
use promenade_ir::{Channel, Dimension, MtypeSet, ScalarType, Variable};

/// A cell with its name and its value as text: mtypes and channels by name, bools as true and
/// false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedValue {
    /// `x`, `a[2]`, `s[1].f`
    pub name: String,
    /// The value.
    pub value: String,
}

/// A process in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessView {
    /// Its number.
    pub pid: u8,
    /// Name of its type.
    pub proctype: String,
    /// Index of its type in the model.
    pub type_index: usize,
    /// Where it is in its program graph.
    pub location: u32,
    /// Its parameters and locals.
    pub locals: Vec<NamedValue>,
    /// It is at the end of its body.
    pub ended: bool,
    /// Its priority, if the model uses priorities.
    pub priority: Option<u8>,
}

/// A channel in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelView {
    /// Its number, from 1.
    pub number: u8,
    /// Its declared name.
    pub name: String,
    /// The process that created it; none for global ones.
    pub owner: Option<u8>,
    /// Slots; 0 is rendezvous.
    pub capacity: u32,
    /// Messages from the oldest on, fields as text.
    pub messages: Vec<Vec<String>>,
}

/// A state in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateView {
    /// Globals, hidden ones last.
    pub globals: Vec<NamedValue>,
    /// Processes by pid.
    pub processes: Vec<ProcessView>,
    /// Channels by number.
    pub channels: Vec<ChannelView>,
    /// Location of the claim, if one runs along.
    pub claim: Option<u32>,
    /// Locals of the claim.
    pub claim_locals: Vec<NamedValue>,
    /// The previous mover, if the model uses `_last`.
    pub last: Option<u8>,
}

impl Interpreter {
    /// Decodes a state of this system. Bytes that are none give an empty view.
    pub fn decode(&self, s: &[u8]) -> StateView {
        let (model, p) = (&self.model, &self.program);
        let Some(bases) = self.process_bases(s) else { return StateView::default() };
        let mut view = StateView::default();
        for variable in &model.globals {
            self.variable(s, variable, p.globals_offset as usize, &mut view.globals);
        }
        for variable in &model.hidden {
            self.variable(s, variable, p.visible_end(s), &mut view.globals);
        }
        self.channels(s, &model.channels, None, &mut view.channels);
        for (pid, &base) in bases.iter().enumerate() {
            let type_index = p.type_at(s, base);
            let proctype = &model.proctypes[type_index];
            let mut locals = Vec::new();
            for variable in &proctype.locals {
                self.variable(s, variable, base + p.locals_offset as usize, &mut locals);
            }
            let location = p.location_at(s, base);
            view.processes.push(ProcessView {
                pid: pid as u8,
                proctype: proctype.name.clone(),
                type_index,
                location,
                locals,
                ended: location == proctype.exit.0,
                priority: p.priority_offset.map(|at| s[base + at as usize]),
            });
            self.channels(s, &proctype.channels, Some(pid as u8), &mut view.channels);
        }
        if let Some(claim) = &p.claim {
            view.claim = Some(p.read_location(s, claim.location_offset as usize));
            let declared = self.options().claim.and_then(|c| model.claims.get(c));
            for variable in declared.iter().flat_map(|c| &c.process.locals) {
                let base = claim.locals_offset as usize;
                self.variable(s, variable, base, &mut view.claim_locals);
            }
        }
        view.last = p.last_offset.map(|at| s[at as usize]);
        view
    }

    /// Brings the view of one state to that of another, which costs little where they are alike:
    /// `view` is [`Self::decode`] of `before` and becomes that of `s`.
    pub fn decode_next(&self, before: &[u8], s: &[u8], view: &mut StateView) {
        let (model, p) = (&self.model, &self.program);
        let alike = |bases: &Vec<usize>| {
            before.len() == s.len()
                && self.process_bases(before).as_ref() == Some(bases)
                && bases.iter().all(|&base| p.type_at(before, base) == p.type_at(s, base))
        };
        let Some(bases) = self.process_bases(s).filter(alike) else {
            *view = self.decode(s);
            return;
        };
        let mut globals = view.globals.iter_mut();
        for variable in &model.globals {
            let base = p.globals_offset as usize;
            self.variable_next((before, s), variable, base, &mut globals);
        }
        for variable in &model.hidden {
            self.variable_next((before, s), variable, p.visible_end(s), &mut globals);
        }
        for (process, &base) in view.processes.iter_mut().zip(&bases) {
            let proctype = &model.proctypes[process.type_index];
            let mut locals = process.locals.iter_mut();
            for variable in &proctype.locals {
                let base = base + p.locals_offset as usize;
                self.variable_next((before, s), variable, base, &mut locals);
            }
            process.location = p.location_at(s, base);
            process.ended = process.location == proctype.exit.0;
            process.priority = p.priority_offset.map(|at| s[base + at as usize]);
        }
        for channel in &mut view.channels {
            let Some(q) = p.channel(s, i32::from(channel.number)) else { continue };
            let ty = &model.channel_types[usize::from(q.ty)];
            channel.messages = self.messages(s, q, &ty.fields);
        }
        if let Some(claim) = &p.claim {
            view.claim = Some(p.read_location(s, claim.location_offset as usize));
            let declared = self.options().claim.and_then(|c| model.claims.get(c));
            let mut locals = view.claim_locals.iter_mut();
            for variable in declared.iter().flat_map(|c| &c.process.locals) {
                let base = claim.locals_offset as usize;
                self.variable_next((before, s), variable, base, &mut locals);
            }
        }
        view.last = p.last_offset.map(|at| s[at as usize]);
    }

    /// Brings the values of a variable's cells, the next of `values`, up to date.
    fn variable_next<'v>(
        &self,
        (before, s): (&[u8], &[u8]),
        variable: &Variable,
        base: usize,
        values: &mut impl Iterator<Item = &'v mut NamedValue>,
    ) {
        let width = Kind::of(variable.ty).bytes() as usize;
        let start = base + variable.offset as usize;
        let dimensions = || variable.path.iter().filter_map(|(_, dimension)| dimension.as_ref());
        let length: usize = dimensions().map(|d| d.length as usize).product();
        let last: usize = dimensions().map(|d| ((d.length - 1) * d.stride) as usize).sum();
        let all = start..start + last + width;
        if before.get(all.clone()).is_some_and(|old| Some(old) == s.get(all)) {
            // `nth` takes one more than it skips.
            if let Some(others) = length.checked_sub(1) {
                values.nth(others);
            }
            return;
        }
        let kind = Kind::of(variable.ty);
        each_cell(variable, |at, _| {
            let at = start + at;
            if at + width > s.len() {
                return false;
            }
            if let Some(cell) = values.next()
                && before.get(at..at + width) != s.get(at..at + width)
            {
                cell.value = self.show_value(s, variable.ty, kind.load(s, at));
            }
            true
        });
    }

    /// Where each process record starts; `None` if the bytes do not fit the layout.
    fn process_bases(&self, s: &[u8]) -> Option<Vec<usize>> {
        let p = &self.program;
        let mut base = p.first_process as usize;
        let end = s.len().checked_sub(p.hidden_bytes as usize)?;
        let mut bases = Vec::new();
        for _ in 0..*s.first()? {
            if base + p.locals_offset as usize > end {
                return None;
            }
            bases.push(base);
            base += p.types.get(p.type_at(s, base))?.record_bytes as usize;
        }
        (base == end).then_some(bases)
    }

    /// The channel's name with a number, in a state.
    fn channel_name(&self, s: &[u8], number: i32) -> Option<String> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        if let Some(channel) = self.model.channels.get(index) {
            return Some(channel.name.clone());
        }
        let mut left = index - self.model.channels.len();
        for (pid, base) in self.process_bases(s)?.into_iter().enumerate() {
            let proctype = &self.model.proctypes[self.program.type_at(s, base)];
            if let Some(channel) = proctype.channels.get(left) {
                return Some(format!("{}({pid}):{}", proctype.name, channel.name));
            }
            left -= proctype.channels.len();
        }
        None
    }

    /// A scalar as text.
    pub fn show_value(&self, s: &[u8], ty: ScalarType, value: i32) -> String {
        let named = match ty {
            ScalarType::Bool if value == 0 => Some("false".to_owned()),
            ScalarType::Bool if value == 1 => Some("true".to_owned()),
            ScalarType::Mtype(set) => {
                self.model.mtypes.get(set.0 as usize).and_then(|set| symbol(set, value))
            }
            ScalarType::Chan => self.channel_name(s, value),
            _ => None,
        };
        named.unwrap_or_else(|| value.to_string())
    }

    fn variable(&self, s: &[u8], variable: &Variable, base: usize, out: &mut Vec<NamedValue>) {
        let kind = Kind::of(variable.ty);
        each_cell(variable, |at, index| {
            let at = base + variable.offset as usize + at;
            if at + kind.bytes() as usize > s.len() {
                return false;
            }
            let value = self.show_value(s, variable.ty, kind.load(s, at));
            out.push(NamedValue { name: cell_name(variable, index), value });
            true
        });
    }

    fn channels(
        &self,
        s: &[u8],
        declared: &[Channel],
        owner: Option<u8>,
        out: &mut Vec<ChannelView>,
    ) {
        for channel in declared {
            let number = out.len() as i32 + 1;
            let Some(q) = self.program.channel(s, number) else { return };
            let ty = &self.model.channel_types[channel.ty.0 as usize];
            out.push(ChannelView {
                number: q.number,
                name: channel.name.clone(),
                owner,
                capacity: ty.capacity,
                messages: self.messages(s, q, &ty.fields),
            });
        }
    }

    fn messages(&self, s: &[u8], q: ChannelRef, types: &[ScalarType]) -> Vec<Vec<String>> {
        let p = &self.program;
        let length = channel::length(p, s, q);
        let field = |slot, number: usize, ty: &ScalarType| {
            self.show_value(s, *ty, channel::field(p, s, q, slot, number))
        };
        let message = |slot| types.iter().enumerate().map(|(n, ty)| field(slot, n, ty)).collect();
        (0..length).map(message).collect()
    }
}

fn symbol(set: &MtypeSet, value: i32) -> Option<String> {
    set.name_of(value).map(str::to_owned)
}

/// `a[2]`, `s[1].f`
fn cell_name(variable: &Variable, index: &[u32]) -> String {
    let mut name = String::new();
    for (number, (segment, dimension)) in variable.path.iter().enumerate() {
        if number > 0 {
            name.push('.');
        }
        name.push_str(segment);
        if dimension.is_some() {
            name.push_str(&format!("[{}]", index[number]));
        }
    }
    name
}

/// Calls for each cell of a variable, the last index fastest, with its distance in bytes from the
/// first one and its indices, one per segment, as long as `true` comes back.
fn each_cell(variable: &Variable, mut call: impl FnMut(usize, &[u32]) -> bool) {
    let mut index = vec![0u32; variable.path.len()];
    loop {
        let strides = index.iter().zip(&variable.path);
        let at = strides.map(|(i, (_, d))| d.map_or(0, |d| (i * d.stride) as usize)).sum();
        if !call(at, &index) || !next_index(&mut index, &variable.path) {
            return;
        }
    }
}

/// Counts up, the last index fastest; false when all combinations are through.
fn next_index(index: &mut [u32], path: &[(String, Option<Dimension>)]) -> bool {
    for number in (0..index.len()).rev() {
        let length = path[number].1.map_or(1, |d| d.length);
        if index[number] + 1 < length {
            index[number] += 1;
            return true;
        }
        index[number] = 0;
    }
    false
}
