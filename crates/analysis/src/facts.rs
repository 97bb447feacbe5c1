//! The facts of a model: effects by edge, and what a process may still do from a location.

use crate::bits::Bits;
use crate::cells::Cells;
use crate::channels::{ChannelRef, Channels};
use crate::effects::{self, Effects, Operation, Special};
use promenade_ir::{Claim, EdgeId, Expr, Formula, LocationId, Model, Region};
use std::collections::{HashMap, HashSet};

/// A way to use a channel, as it occurs in the model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelUse {
    /// The operand, in terms of the process that uses it.
    pub channel: ChannelRef,
    /// What is done.
    pub operation: Operation,
}

/// What an edge touches. Globals are *objects*: sets of bytes that the model never tells apart.
#[derive(Clone, Debug)]
pub struct EdgeFacts {
    /// The edge.
    pub id: EdgeId,
    /// Where it leads.
    pub target: LocationId,
    /// The exclusive right is kept at the target.
    pub keeps_atomic: bool,
    /// Objects read; those that nobody writes are left out.
    pub reads: Bits,
    /// Objects written.
    pub writes: Bits,
    /// Bytes of its own locals that it writes.
    pub local_writes: Vec<u32>,
    /// Channels used, as indices into [`Facts::uses`].
    pub uses: Vec<u32>,
    /// The rest.
    pub special: Special,
}

/// Everything that a process may still do, processes that it creates included.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Future {
    /// Objects read.
    pub reads: Bits,
    /// Objects written.
    pub writes: Bits,
    /// Channels used, as indices into [`Facts::uses`].
    pub uses: Bits,
    /// The rest.
    pub special: Special,
}

/// A location.
#[derive(Clone, Debug, Default)]
pub struct LocationFacts {
    /// Its edges in order.
    pub edges: Vec<EdgeFacts>,
    /// What may follow from here.
    pub future: Future,
}

/// A process type.
#[derive(Clone, Debug, Default)]
pub struct TypeFacts {
    /// By location.
    pub locations: Vec<LocationFacts>,
}

/// What somebody looks at.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Objects.
    pub objects: Bits,
    /// By type: bytes of locals.
    pub locals: Vec<HashSet<u32>>,
    /// By type: locations.
    pub locations: Vec<HashSet<u32>>,
    /// Channels whose contents are looked at.
    pub channels: Vec<ChannelRef>,
    /// The rest.
    pub special: Special,
}

/// The facts of a model. They err in the safe direction: what is said to be touched may not be, what
/// is not said to be touched is not.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Which channel operands may denote what.
    pub channels: Channels,
    /// Ways to use channels.
    pub uses: Vec<ChannelUse>,
    /// For each use, the same as seen from another process, where own cells cannot be resolved.
    pub foreign: Vec<u32>,
    /// By process type.
    pub types: Vec<TypeFacts>,
    /// What processes look at in other processes.
    pub remote: Observed,
    /// All that occurs somewhere.
    pub special: Special,
    /// Object of each byte of globals and hidden globals (hidden ones behind the others).
    object_of: Vec<Option<u32>>,
    objects: usize,
    global_bytes: u32,
}

impl Facts {
    /// Looks through a model.
    pub fn of(model: &Model) -> Self {
        let channels = Channels::of(model);
        let mut raw: Vec<Vec<Vec<Effects>>> = Vec::new();
        for (owner, proctype) in model.proctypes.iter().enumerate() {
            let locations = proctype.graph.locations.iter();
            let effects = locations.map(|location| {
                let mut all = effects::of_location(model, &channels, owner, location);
                for effects in &mut all {
                    effects.reads.retain(|cells| counts(model, cells));
                    effects.writes.retain(|cells| counts(model, cells));
                }
                all
            });
            raw.push(effects.collect());
        }
        complete_atomic(model, &mut raw);
        let mut facts = Self {
            channels,
            uses: Vec::new(),
            foreign: Vec::new(),
            types: Vec::new(),
            remote: Observed::default(),
            special: Special::NONE,
            object_of: Vec::new(),
            objects: 0,
            global_bytes: model.global_bytes,
        };
        facts.number_objects(model, &raw);
        let written = facts.written(&raw);
        facts.remote = facts.nothing_observed(model);
        let mut numbers = HashMap::new();
        for (proctype, effects) in model.proctypes.iter().zip(&raw) {
            let mut locations = Vec::new();
            for (location, effects) in proctype.graph.locations.iter().zip(effects) {
                let pairs = location.edges.iter().zip(effects);
                let edges = pairs.map(|(edge, e)| facts.edge(edge, e, &written, &mut numbers));
                locations.push(LocationFacts { edges: edges.collect(), future: Future::default() });
            }
            facts.types.push(TypeFacts { locations });
        }
        for effects in raw.iter().flatten().flatten() {
            facts.special = facts.special.and(effects.special);
            let mut remote = std::mem::take(&mut facts.remote);
            facts.observe(&mut remote, effects, true);
            facts.remote = remote;
        }
        for number in 0..facts.uses.len() {
            let channel = ChannelRef::Among(facts.channels.among(&facts.uses[number].channel));
            let operation = facts.uses[number].operation;
            let foreign = facts.intern(ChannelUse { channel, operation }, &mut numbers);
            facts.foreign.push(foreign);
        }
        let known = facts.foreign.len() as u32;
        facts.foreign.extend(known..facts.uses.len() as u32);
        facts.look_ahead(model);
        facts
    }

    /// How many objects there are.
    pub fn objects(&self) -> usize {
        self.objects
    }

    /// A variable that an object belongs to.
    pub fn object_name(&self, model: &Model, object: usize) -> String {
        let byte = self.object_of.iter().position(|o| *o == Some(object as u32)).unwrap_or(0);
        let byte = byte as u32;
        let (list, byte) = match byte.checked_sub(self.global_bytes) {
            None => (&model.globals, byte),
            Some(hidden) => (&model.hidden, hidden),
        };
        let covers = |v: &&promenade_ir::Variable| {
            let dimensions = v.path.iter().filter_map(|(_, d)| *d);
            let cells = Cells {
                region: Region::Global,
                offset: v.offset,
                width: v.ty.bytes(),
                dimensions: dimensions.map(|d| (d.length, d.stride)).collect(),
            };
            let mut found = false;
            cells.each_byte(&mut |b| found |= b == byte);
            found
        };
        match list.iter().find(covers) {
            Some(variable) => {
                let names: Vec<&str> = variable.path.iter().map(|(n, _)| n.as_str()).collect();
                names.join(".")
            }
            None => format!("byte {byte} of the global variables"),
        }
    }

    /// An observer that sees nothing yet.
    pub fn nothing_observed(&self, model: &Model) -> Observed {
        Observed {
            objects: Bits::new(self.objects),
            locals: vec![HashSet::new(); model.proctypes.len()],
            locations: vec![HashSet::new(); model.proctypes.len()],
            channels: Vec::new(),
            special: Special::NONE,
        }
    }

    /// What a state expression sees, added to what is seen already.
    pub fn observe_expr(&self, observed: &mut Observed, expr: &Expr) {
        self.observe(observed, &effects::of_expr(&self.channels, expr), false);
    }

    /// What a formula sees.
    pub fn observe_formula(&self, observed: &mut Observed, formula: &Formula) {
        match formula {
            Formula::Atom(expr, _, _) => self.observe_expr(observed, expr),
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
                self.observe_formula(observed, a);
            }
            Formula::Binary(_, a, b) => {
                self.observe_formula(observed, a);
                self.observe_formula(observed, b);
            }
        }
    }

    /// What a claim sees.
    pub fn observe_claim(&self, observed: &mut Observed, claim: &Claim) {
        self.observe(observed, &effects::of_claim(&self.channels, &claim.process), false);
    }

    fn observe(&self, observed: &mut Observed, effects: &Effects, remote_only: bool) {
        for (proctype, location) in &effects.remote_locations {
            if let Some(set) = observed.locations.get_mut(usize::from(proctype.0)) {
                set.insert(location.0);
            }
        }
        for (proctype, cells) in &effects.remote_cells {
            if let Some(set) = observed.locals.get_mut(usize::from(proctype.0)) {
                cells.each_byte(&mut |byte| _ = set.insert(byte));
            }
        }
        observed.special = observed.special.and(effects.special);
        if !remote_only {
            for cells in effects.reads.iter().chain(&effects.writes) {
                self.objects_of(cells, &mut observed.objects);
            }
            observed.channels.extend(effects.channels.iter().map(|(q, _)| q.clone()));
        }
    }

    fn position(&self, region: Region, byte: u32) -> Option<usize> {
        match region {
            Region::Global if byte < self.global_bytes => Some(byte as usize),
            Region::Hidden => Some(self.global_bytes as usize + byte as usize),
            _ => None,
        }
    }

    fn objects_of(&self, cells: &Cells, objects: &mut Bits) {
        cells.each_byte(&mut |byte| {
            let at = self.position(cells.region, byte);
            if let Some(Some(object)) = at.and_then(|at| self.object_of.get(at)) {
                objects.insert(*object as usize);
            }
        });
    }

    /// Bytes that occur in the same accesses are one object.
    fn number_objects(&mut self, model: &Model, raw: &[Vec<Vec<Effects>>]) {
        let bytes = model.global_bytes as usize + model.hidden_bytes as usize;
        let mut class = vec![0u32; bytes];
        let mut seen = HashSet::new();
        let mut classes = 1u32;
        for effects in raw.iter().flatten().flatten() {
            for cells in effects.reads.iter().chain(&effects.writes) {
                if cells.region == Region::Local || !seen.insert(cells) {
                    continue;
                }
                // Splits every class that the access meets in those inside and those outside.
                let mut inside: HashMap<u32, u32> = HashMap::new();
                let mut done = HashSet::new();
                cells.each_byte(&mut |byte| {
                    let Some(at) = self.position(cells.region, byte) else { return };
                    if at >= bytes || !done.insert(at) {
                        return;
                    }
                    class[at] = *inside.entry(class[at]).or_insert_with(|| {
                        classes += 1;
                        classes - 1
                    });
                });
            }
        }
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        self.object_of = class
            .iter()
            .map(|c| {
                let next = numbers.len() as u32;
                (*c > 0).then(|| *numbers.entry(*c).or_insert(next))
            })
            .collect();
        self.objects = numbers.len();
    }

    fn written(&self, raw: &[Vec<Vec<Effects>>]) -> Bits {
        let mut written = Bits::new(self.objects);
        for cells in raw.iter().flatten().flatten().flat_map(|e| &e.writes) {
            self.objects_of(cells, &mut written);
        }
        written
    }

    fn intern(&mut self, one: ChannelUse, numbers: &mut HashMap<ChannelUse, u32>) -> u32 {
        if let Some(number) = numbers.get(&one) {
            return *number;
        }
        let number = self.uses.len() as u32;
        numbers.insert(one.clone(), number);
        self.uses.push(one);
        number
    }

    fn edge(
        &mut self,
        edge: &promenade_ir::Edge,
        effects: &Effects,
        written: &Bits,
        numbers: &mut HashMap<ChannelUse, u32>,
    ) -> EdgeFacts {
        let (mut reads, mut writes) = (Bits::new(self.objects), Bits::new(self.objects));
        let mut local_writes = Vec::new();
        for cells in &effects.reads {
            self.objects_of(cells, &mut reads);
        }
        reads.intersect(written);
        for cells in &effects.writes {
            if cells.region == Region::Local {
                cells.each_byte(&mut |byte| local_writes.push(byte));
            } else {
                self.objects_of(cells, &mut writes);
            }
        }
        local_writes.sort_unstable();
        local_writes.dedup();
        let mut uses = Vec::new();
        for (channel, operation) in &effects.channels {
            let one = ChannelUse { channel: channel.clone(), operation: *operation };
            uses.push(self.intern(one, numbers));
        }
        uses.sort_unstable();
        uses.dedup();
        EdgeFacts {
            id: edge.id,
            target: edge.target,
            keeps_atomic: edge.keeps_atomic,
            reads,
            writes,
            local_writes,
            uses,
            special: effects.special,
        }
    }

    /// Fills in the futures: the least solution, by repetition against the direction of the edges.
    fn look_ahead(&mut self, model: &Model) {
        let (objects, uses) = (self.objects, self.uses.len());
        let empty = Future {
            reads: Bits::new(objects),
            writes: Bits::new(objects),
            uses: Bits::new(uses),
            special: Special::NONE,
        };
        for location in self.types.iter_mut().flat_map(|t| &mut t.locations) {
            location.future = empty.clone();
            for edge in &location.edges {
                location.future.reads.unite(&edge.reads);
                location.future.writes.unite(&edge.writes);
                edge.uses.iter().for_each(|u| _ = location.future.uses.insert(*u as usize));
                location.future.special = location.future.special.and(edge.special);
            }
        }
        let orders: Vec<Vec<usize>> = model.proctypes.iter().map(targets_first).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (ty, order) in orders.iter().enumerate() {
                for &at in order {
                    let mut future = std::mem::take(&mut self.types[ty].locations[at].future);
                    for edge in &model.proctypes[ty].graph.locations[at].edges {
                        let next = edge.target.0 as usize;
                        if next != at
                            && let Some(next) = self.types[ty].locations.get(next)
                        {
                            changed |= join(&mut future, &next.future);
                        }
                        changed |= self.join_created(model, &edge.action, &mut future);
                    }
                    self.types[ty].locations[at].future = future;
                }
            }
        }
    }

    fn join_created(
        &self,
        model: &Model,
        action: &promenade_ir::Action,
        future: &mut Future,
    ) -> bool {
        let mut changed = false;
        crate::walk::each_action(action, &mut |action| {
            let promenade_ir::Action::Run { proctype, .. } = action else { return };
            let number = usize::from(proctype.0);
            let Some(entry) = model.proctypes.get(number).map(|p| p.entry.0 as usize) else {
                return;
            };
            let Some(entry) = self.types.get(number).and_then(|t| t.locations.get(entry)) else {
                return;
            };
            let mut created = Future { uses: Bits::new(self.uses.len()), ..entry.future.clone() };
            for number in entry.future.uses.iter() {
                created.uses.insert(self.foreign[number] as usize);
            }
            changed |= join(future, &created);
        });
        changed
    }
}

/// Whether it matters who touches them: nothing depends on variables that are left out of states.
fn counts(model: &Model, cells: &Cells) -> bool {
    let kept = model.hidden_bytes - model.write_only_bytes;
    cells.region != Region::Hidden || cells.offset < kept
}

/// All locations of a process type, the targets of an edge before its source except on cycles, so that
/// what is repeated until nothing changes is soon done.
fn targets_first(proctype: &promenade_ir::Proctype) -> Vec<usize> {
    let locations = &proctype.graph.locations;
    let mut order = Vec::with_capacity(locations.len());
    let mut met = vec![false; locations.len()];
    let entry = proctype.entry.0 as usize;
    for start in [entry].into_iter().chain(0..locations.len()) {
        // Locations on the way, with the number of their next edge.
        let mut way = Vec::new();
        if met.get(start) == Some(&false) {
            met[start] = true;
            way.push((start, 0));
        }
        while let Some((at, next)) = way.last_mut() {
            let Some(edge) = locations[*at].edges.get(*next) else {
                order.push(*at);
                way.pop();
                continue;
            };
            *next += 1;
            let target = edge.target.0 as usize;
            if met.get(target) == Some(&false) {
                met[target] = true;
                way.push((target, 0));
            }
        }
    }
    order
}

fn join(future: &mut Future, more: &Future) -> bool {
    let special = future.special.and(more.special);
    let new = special != future.special;
    future.special = special;
    future.reads.unite(&more.reads)
        | future.writes.unite(&more.writes)
        | future.uses.unite(&more.uses)
        | new
}

/// Adds what is tested within atomic sequences.
fn complete_atomic(model: &Model, raw: &mut [Vec<Vec<Effects>>]) {
    let mut cells: Vec<HashSet<u32>> = vec![HashSet::new(); raw.len()];
    let mut locations = cells.clone();
    for effects in raw.iter().flatten().flatten() {
        for (proctype, one) in &effects.remote_cells {
            if let Some(set) = cells.get_mut(usize::from(proctype.0)) {
                one.each_byte(&mut |byte| _ = set.insert(byte));
            }
        }
        for (proctype, location) in &effects.remote_locations {
            if let Some(set) = locations.get_mut(usize::from(proctype.0)) {
                set.insert(location.0);
            }
        }
    }
    for (ty, proctype) in model.proctypes.iter().enumerate() {
        let count = proctype.graph.locations.len();
        // Reached within a sequence; reached after more than local work.
        let (mut inside, mut after_more) = (vec![false; count], vec![false; count]);
        let seen = |byte| cells[ty].contains(&byte);
        let order = targets_first(proctype);
        let mut changed = true;
        while changed {
            changed = false;
            for &at in order.iter().rev() {
                let location = &proctype.graph.locations[at];
                let choice = |e: &promenade_ir::Edge| e.escape > 0 || e.action.is_else();
                let local = |number: usize| effects::is_local(&raw[ty][at][number], &seen);
                let mixed =
                    location.edges.iter().any(choice) && !(0..location.edges.len()).all(local);
                for (number, edge) in location.edges.iter().enumerate() {
                    let target = edge.target.0 as usize;
                    if !edge.keeps_atomic || target >= count {
                        continue;
                    }
                    let watched =
                        [at as u32, edge.target.0].iter().any(|l| locations[ty].contains(l));
                    let more = after_more[at] || mixed || watched || !local(number);
                    changed |= !inside[target] || (more && !after_more[target]);
                    inside[target] = true;
                    after_more[target] |= more;
                }
            }
        }
        for (at, effects) in raw[ty].iter_mut().enumerate() {
            if inside[at] {
                effects.iter_mut().for_each(|e| effects::inside(e, !after_more[at]));
            }
        }
    }
}
