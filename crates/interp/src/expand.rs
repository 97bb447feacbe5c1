//! The search step: which successors a state has, and in which order.
//!
//! The order and the rules are those of SPIN's verifier (G. J. Holzmann, The SPIN Model Checker,
//! 2003): processes from the youngest to the oldest, the edges of a location in order; a step inside
//! an unfinished atomic sequence is followed at once by the same process, depth first.

use crate::bounds::Bounds;
use crate::eval::{Context, Faults};
use crate::program::{Edge, Loc, Op, PType, Program};
use crate::rendezvous::Handshake;
use crate::step::{self, Applied, Effects, Tested};
use crate::{
    Native, Record, RunOptions,
    acceptance::{Acceptance, Moved},
    trace,
};
use promenade_base::hash::hash64;
use promenade_transition_system::{Blocked, MicroStep, Selection, Successors, ViolationKind};
use std::collections::HashSet;

/// What a node costs beside its state: lists that grow are twice as long as needed.
pub(crate) const NODE_BYTES: usize = 2 * (size_of::<Node>() + size_of::<Vec<u8>>()) + 32;
/// A process at a state, with its edges tried one by one. The first node of a stack is a process at
/// the state that is expanded; the others hold the exclusive right of an atomic sequence.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) pid: u8,
    pub(crate) base: u32,
    pub(crate) ty: u16,
    /// Next edge, and one past the last, as indices in the graph.
    pub(crate) next: u32,
    pub(crate) end: u32,
    /// Some edge was executable.
    pub(crate) earlier: bool,
    /// The escape that is under way.
    pub(crate) escape: u16,
    pub(crate) moves: u32,
    pub(crate) atomic_moves: u32,
    /// Outcomes of a rendezvous that are still to be followed.
    pub(crate) handshakes: Vec<Handshake>,
    /// Recorded steps up to here.
    pub(crate) path: usize,
    /// Its state may come back within the sequence; with a hash.
    pub(crate) loop_hash: Option<u64>,
    /// It did come back.
    pub(crate) looped: bool,
    /// The lowest place on the way to which a loop leads back from here.
    pub(crate) low: usize,
    /// Items when it was entered.
    pub(crate) items: usize,
    /// Fairness marks of the processes that have moved on the way.
    pub(crate) moved: Moved,
}

/// A process that has just made a step.
pub(crate) struct Arrival {
    pub(crate) pid: u8,
    pub(crate) base: u32,
    pub(crate) ty: u16,
    pub(crate) moves: u32,
    pub(crate) atomic_moves: u32,
}

/// How far the edges of a location have been tried.
pub(crate) struct Cursor {
    pub next: u32,
    pub earlier: bool,
    pub escape: u16,
}

/// Memory that is reused from expansion to expansion.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Start of each process record.
    pub(crate) bases: Vec<u32>,
    pub(crate) nodes: Vec<Node>,
    /// States of all nodes but the first.
    pub(crate) states: Vec<Vec<u8>>,
    pub(crate) spare: Vec<Vec<u8>>,
    pub(crate) state_bytes: usize,
    /// Recorded steps on the way to the present node.
    pub(crate) path: Vec<(MicroStep, Vec<u8>)>,
    /// Hashes of loop points on the way.
    pub(crate) on_path: HashSet<u64>,
    /// The state under construction.
    pub(crate) next: Vec<u8>,
    /// The state in the middle of a rendezvous, and where its processes are.
    pub(crate) middle: Vec<u8>,
    pub(crate) partner_bases: Vec<u32>,
    /// The message under construction.
    pub(crate) message: Vec<i32>,
    pub(crate) effects: Effects,
    /// What generated code wrote.
    pub(crate) records: Vec<Record>,
    /// The same for the claim, with the states.
    pub(crate) claim_records: Vec<Record>,
    pub(crate) claim_bytes: Vec<u8>,
}

impl Scratch {
    /// Forgets recorded steps.
    pub(crate) fn clear_path(&mut self) {
        self.path.clear();
    }
}

/// One expansion.
pub(crate) struct Expansion<'a> {
    pub p: &'a Program,
    pub options: &'a RunOptions,
    pub scratch: &'a mut Scratch,
    pub faults: &'a Faults,
    pub out: &'a mut Successors,
    pub timeout: bool,
    /// Work so far, and at how much the next look at the bounds is due.
    pub work: u64,
    pub next_check: u64,
    /// What copying the state adds to the work of a step.
    pub weight: u64,
    pub bounds: Bounds,
    /// Nothing more is wanted, or possible.
    pub aborted: bool,
    /// Marks under construction, if acceptance is watched.
    pub acceptance: Option<Acceptance>,
    /// Generated code, if there is some.
    pub native: Option<&'a mut (dyn Native + 'static)>,
}

impl<'a> Expansion<'a> {
    pub(crate) fn context(&self, pid: u8, base: u32) -> Context<'a> {
        Context {
            p: self.p,
            faults: self.faults,
            pid,
            base,
            locals: base + self.p.locals_offset,
            timeout: self.timeout,
        }
    }

    /// Fills the buffer with the successors of `s`.
    pub(crate) fn run(&mut self, s: &[u8], selection: Selection) {
        if self.acceptance.is_some() {
            return self.with_acceptance(s, selection);
        }
        if self.p.claim.is_some() {
            return self.with_claim(s, selection);
        }
        self.alone(s, selection);
    }

    /// The system without a claim.
    pub(crate) fn alone(&mut self, s: &[u8], selection: Selection) {
        self.timeout = false;
        let mut moved = self.processes(s, selection, 0, 0);
        if !moved && selection == Selection::All && self.p.uses_timeout && !self.aborted {
            self.timeout = true;
            moved = self.processes(s, selection, 0, 0);
        }
        if !moved && selection == Selection::All && !self.aborted {
            self.out.blocked = Some(self.blocked(s));
        }
    }

    /// What it means that nobody can move.
    fn blocked(&self, s: &[u8]) -> Blocked {
        if !self.options.end_states {
            return Blocked::ValidEnd;
        }
        let mut base = self.p.first_process as usize;
        for _ in 0..s[0] {
            let ty = &self.p.types[self.p.type_at(s, base)];
            let location = self.p.location_at(s, base) as usize;
            if !ty.graph.locations[location].valid_end {
                return Blocked::InvalidEnd;
            }
            base += ty.record_bytes as usize;
        }
        if self.options.empty_channels_at_end {
            let count = self.p.channel_count(s) as i32;
            let full = (1..=count).filter_map(|n| self.p.channel(s, n));
            let mut full = full.filter(|&q| crate::channel::length(self.p, s, q) > 0);
            return if full.next().is_some() { Blocked::InvalidEnd } else { Blocked::ValidEnd };
        }
        if s[0] > 0 && !trace::complete(&self.context(0, 0), s) {
            return Blocked::InvalidEnd;
        }
        Blocked::ValidEnd
    }

    /// Tries every process, from the youngest; true if somebody moved.
    pub(crate) fn processes(
        &mut self,
        s: &[u8],
        selection: Selection,
        moves: u32,
        path: usize,
    ) -> bool {
        if self.native.is_some() && !self.out.record {
            return self.native_processes(s, selection, moves, path);
        }
        match selection {
            Selection::All if s[0] > 0 => self.interpreted_processes(s, (s[0] - 1, 0), moves, path),
            Selection::Process(pid) => self.interpreted_processes(s, (pid, pid), moves, path),
            _ => false,
        }
    }

    /// Tries the processes from `high` down to `low`, as far as they exist.
    pub(crate) fn interpreted_processes(
        &mut self,
        s: &[u8],
        (high, low): (u8, u8),
        moves: u32,
        path: usize,
    ) -> bool {
        let mut bases = std::mem::take(&mut self.scratch.bases);
        bases.clear();
        let mut base = self.p.first_process;
        for _ in 0..s[0] {
            bases.push(base);
            base += self.p.types[self.p.type_at(s, base as usize)].record_bytes;
        }
        let mut moved = false;
        for (pid, &base) in bases.iter().enumerate().rev() {
            let pid = pid as u8;
            if low <= pid && pid <= high {
                self.now_moves(pid);
                if self.process(s, pid, base, moves, path) {
                    moved = true;
                    self.is_enabled(pid);
                }
                self.aborted |= self.scratch.effects.gave_up;
                if self.aborted {
                    break;
                }
            }
        }
        self.scratch.bases = bases;
        moved
    }

    /// Tries one process, with all atomic sequences that its edges open; true if it moved.
    fn process(&mut self, s: &[u8], pid: u8, base: u32, moves: u32, path: usize) -> bool {
        let ty = self.p.type_at(s, base as usize);
        let process = &self.p.types[ty];
        let location = self.p.location_at(s, base as usize);
        if !self.p.plain_processes && !self.may_move(s, pid, base, process) {
            return false;
        }
        let l = process.graph.locations[location as usize];
        let mut start = Cursor { next: l.first, earlier: false, escape: 0 };
        if !self.out.record && !process.deterministic {
            start = self.plain_edges(s, pid, base, process, l, moves);
        }
        if start.next >= l.end {
            return start.earlier;
        }
        self.go_on_from(s, pid, base, moves, path, start)
    }

    /// Tries the edges of one process from `start` on; true if it moved, with them or before.
    pub(crate) fn go_on_from(
        &mut self,
        s: &[u8],
        pid: u8,
        base: u32,
        moves: u32,
        path: usize,
        start: Cursor,
    ) -> bool {
        let ty = self.p.type_at(s, base as usize);
        let location = self.p.location_at(s, base as usize);
        let root = Node {
            pid,
            base,
            ty: ty as u16,
            next: start.next,
            end: self.p.types[ty].graph.locations[location as usize].end,
            earlier: start.earlier,
            escape: start.escape,
            moves,
            atomic_moves: 0,
            handshakes: Vec::new(),
            path,
            loop_hash: None,
            looped: false,
            low: usize::MAX,
            items: self.out.items.len(),
            moved: Moved::default(),
        };
        self.scratch.nodes.push(root);
        let mut moved = false;
        while let Some(mut node) = self.scratch.nodes.pop() {
            if self.aborted {
                self.drop_state();
                continue;
            }
            let depth = self.scratch.nodes.len();
            let held = if depth == 0 {
                None
            } else {
                self.scratch.states.get_mut(depth - 1).map(std::mem::take)
            };
            let child = self.advance(&mut node, held.as_deref().unwrap_or(s));
            if let Some(state) = held {
                self.scratch.states[depth - 1] = state;
            }
            match child {
                Some(child) => {
                    self.scratch.nodes.push(node);
                    self.scratch.nodes.push(child);
                }
                None if depth == 0 => moved = node.earlier,
                None => self.leave(&node, depth),
            }
        }
        if self.aborted {
            self.scratch.on_path.clear();
        }
        moved
    }

    /// The common case, without a node: takes edges that are complete steps by themselves, up to
    /// the first that is not or where something goes wrong with the guard.
    #[inline]
    fn plain_edges(
        &mut self,
        s: &[u8],
        pid: u8,
        base: u32,
        process: &PType,
        l: Loc,
        moves: u32,
    ) -> Cursor {
        let c = self.context(pid, base);
        let mut at = Cursor { next: l.first, earlier: false, escape: 0 };
        while at.next < l.end {
            let edge = &process.graph.edges[at.next as usize];
            if at.escape > 0 && edge.escape != at.escape {
                at.next = l.end;
                break;
            }
            let tested = step::test(&edge.op, &c, s, at.earlier);
            let slot = match tested {
                _ if c.faults.any() => {
                    // Evaluated again by the one who reports.
                    c.faults.truncate(0);
                    break;
                }
                Tested::No => {
                    at.next += 1;
                    continue;
                }
                Tested::Yes(slot) if !edge.keeps_atomic => slot,
                Tested::Yes(_) | Tested::Rendezvous(_) => break,
            };
            at.next += 1;
            self.count_copy();
            let mut next = std::mem::take(&mut self.scratch.next);
            next.clear();
            next.extend_from_slice(s);
            let applied = step::apply(&edge.op, &c, &mut next, slot, &mut self.scratch.effects);
            if applied != Applied::Blocked {
                self.arrive(&mut next, pid, base, edge);
                at.earlier = true;
                at.escape = edge.escape;
                let hard = self.report(pid, Some(edge.id), moves + 1);
                if !hard && applied == Applied::Done {
                    if !matches!(edge.op, Op::End) {
                        self.p.rest(&mut next, base as usize);
                    }
                    self.target(&next, moves + 1, 0);
                }
                if self.aborted || self.scratch.effects.gave_up {
                    at.next = l.end;
                }
            }
            self.scratch.next = next;
        }
        at
    }

    /// What every step does to a state besides its effect.
    #[inline(always)]
    fn arrive(&mut self, next: &mut [u8], pid: u8, base: u32, edge: &Edge) {
        if !matches!(edge.op, Op::End) {
            self.p.write_location(next, (base + self.p.type_bytes) as usize, edge.target);
        }
        if let Some(at) = self.p.last_offset {
            next[at as usize] = pid;
        }
        self.scratch.effects.mark(edge.id);
    }

    /// Provided clause and priority.
    fn may_move(&mut self, s: &[u8], pid: u8, base: u32, process: &PType) -> bool {
        let c = self.context(pid, base);
        let provided = process.provided.as_ref().is_none_or(|e| c.eval(e, s) != 0);
        let may = provided && !c.faults.any() && c.highest_priority(s);
        if c.faults.any() {
            self.report(pid, None, 0);
            return false;
        }
        may
    }

    /// A node of an atomic sequence is done.
    fn leave(&mut self, node: &Node, depth: usize) {
        if !node.earlier && !self.aborted {
            // Blocked inside: the state is stored here, and everybody may move.
            self.scratch.path.truncate(node.path);
            let mut state = std::mem::take(&mut self.scratch.states[depth - 1]);
            self.p.rest(&mut state, node.base as usize);
            self.have_moved(&node.moved, &[]);
            self.target(&state, node.moves, node.atomic_moves);
            self.scratch.states[depth - 1] = state;
        }
        // A loop is endless only if nothing in it leads further back on the way, from where there may
        // be an end.
        let all = !self.aborted && !self.scratch.effects.gave_up;
        if all && node.looped && node.low >= depth && self.out.items.len() == node.items {
            self.scratch.path.truncate(node.path);
            self.violation(ViolationKind::EndlessAtomic, Some(node.pid), None, node.moves);
        }
        if node.low < depth
            && let Some(before) = self.scratch.nodes.last_mut()
        {
            before.low = before.low.min(node.low);
        }
        if let Some(hash) = node.loop_hash {
            self.scratch.on_path.remove(&hash);
        }
        self.drop_state();
    }

    fn drop_state(&mut self) {
        if let Some(state) = self.scratch.states.pop() {
            self.scratch.state_bytes -= state.len() + NODE_BYTES;
            self.scratch.spare.push(state);
        }
    }

    /// Goes on with the edges of a node until one opens an atomic sequence, which is returned, or
    /// none is left.
    fn advance(&mut self, node: &mut Node, s: &[u8]) -> Option<Node> {
        let process = &self.p.types[node.ty as usize];
        let mut c = self.context(node.pid, node.base);
        // A timeout opens the first step only: later ones of an atomic sequence have to wait for
        // their own.
        c.timeout &= self.scratch.nodes.is_empty();
        loop {
            if let Some(child) = self.follow_handshakes(node, s) {
                return Some(child);
            }
            if self.aborted || node.next >= node.end {
                return None;
            }
            let edge = &process.graph.edges[node.next as usize];
            if node.escape > 0 && edge.escape != node.escape {
                return None;
            }
            node.next += 1;
            let slot = match step::test(&edge.op, &c, s, node.earlier) {
                Tested::Yes(slot) if !c.faults.any() => slot,
                Tested::No if !c.faults.any() => continue,
                Tested::Rendezvous(q) if !c.faults.any() => {
                    self.count_step();
                    self.rendezvous(node, edge, q, &c, s);
                    continue;
                }
                tested => {
                    if self.refused(edge, node) {
                        continue;
                    }
                    match tested {
                        Tested::Yes(slot) => slot,
                        Tested::No => continue,
                        Tested::Rendezvous(q) => {
                            self.rendezvous(node, edge, q, &c, s);
                            continue;
                        }
                    }
                }
            };
            self.count_step();
            if let Some(child) = self.step(node, edge, &c, s, slot) {
                return Some(child);
            }
        }
    }

    /// Takes an executable edge that is no rendezvous. Returns the node of the atomic sequence that
    /// goes on.
    #[inline]
    fn step(
        &mut self,
        node: &mut Node,
        edge: &Edge,
        c: &Context<'a>,
        s: &[u8],
        slot: u32,
    ) -> Option<Node> {
        self.prepare();
        let mut next = std::mem::take(&mut self.scratch.next);
        next.clear();
        next.extend_from_slice(s);
        let applied = step::apply(&edge.op, c, &mut next, slot, &mut self.scratch.effects);
        let mut child = None;
        if applied != Applied::Blocked {
            self.have_moved(&node.moved, &[node.pid]);
            self.arrive(&mut next, node.pid, node.base, edge);
            self.note_choice(node, edge, c);
            let moves = node.moves + 1;
            self.record(node.path, node.pid, edge.id, None, &next);
            if !self.report(node.pid, Some(edge.id), moves) && applied == Applied::Done {
                let arrival = Arrival {
                    pid: node.pid,
                    base: node.base,
                    ty: node.ty,
                    moves,
                    atomic_moves: node.atomic_moves + u32::from(!self.scratch.nodes.is_empty()),
                };
                if edge.keeps_atomic {
                    child = self.enter(node, s, arrival, &mut next);
                } else {
                    if !matches!(edge.op, Op::End) {
                        self.p.rest(&mut next, node.base as usize);
                    }
                    self.target(&next, moves, arrival.atomic_moves);
                }
            }
        }
        self.scratch.next = next;
        child
    }

    /// An edge of the node is executable.
    #[inline(always)]
    pub(crate) fn note_choice(&mut self, node: &mut Node, edge: &Edge, c: &Context<'a>) {
        if node.earlier && self.p.types[node.ty as usize].deterministic {
            c.faults.soft(ViolationKind::Nondeterminism);
        }
        node.earlier = true;
        node.escape = edge.escape;
    }

    /// Goes on inside an atomic sequence, with the state in `next`; nothing if that is a state that
    /// the sequence has been in already.
    pub(crate) fn enter(
        &mut self,
        node: &mut Node,
        s: &[u8],
        at: Arrival,
        next: &mut Vec<u8>,
    ) -> Option<Node> {
        let process = &self.p.types[at.ty as usize];
        let location = self.p.location_at(next, at.base as usize);
        let l = process.graph.locations[location as usize];
        let mut loop_hash = None;
        if l.atomic_loop {
            // The rest is one byte that does not change on the way.
            let hash = hash64(self.p.essence(next).0, u64::from(at.pid));
            if self.scratch.on_path.contains(&hash) && self.cut(node, s, at.pid, hash, next) {
                self.scratch.effects.went_round = true;
                return None;
            }
            // Equal hashes of different states: the younger one is not tracked.
            loop_hash = self.scratch.on_path.insert(hash).then_some(hash);
        }
        // The clauses that hold a process back hold inside the sequence too.
        let timeout = std::mem::replace(&mut self.timeout, false);
        let held_back = !self.p.plain_processes && !self.may_move(next, at.pid, at.base, process);
        self.timeout = timeout;
        self.scratch.state_bytes += next.len() + NODE_BYTES;
        self.check_bytes();
        let spare = self.scratch.spare.pop().unwrap_or_default();
        self.scratch.states.push(std::mem::replace(next, spare));
        Some(Node {
            pid: at.pid,
            base: at.base,
            ty: at.ty,
            next: if held_back { l.end } else { l.first },
            end: l.end,
            earlier: false,
            escape: 0,
            moves: at.moves,
            atomic_moves: at.atomic_moves,
            handshakes: Vec::new(),
            path: self.scratch.path.len(),
            loop_hash,
            looped: false,
            low: usize::MAX,
            items: self.out.items.len(),
            moved: self.moved(),
        })
    }

    /// Looks for the state among those on the way; marks the one that came back.
    fn cut(&mut self, node: &mut Node, s: &[u8], pid: u8, hash: u64, next: &[u8]) -> bool {
        if node.loop_hash == Some(hash)
            && node.pid == pid
            && self.p.essence(s) == self.p.essence(next)
        {
            node.looped = true;
            node.low = node.low.min(self.scratch.nodes.len());
            return true;
        }
        let (p, states) = (self.p, &self.scratch.states);
        let alike = |state: &Vec<u8>| p.essence(state) == p.essence(next);
        for (depth, earlier) in self.scratch.nodes.iter_mut().enumerate().skip(1) {
            let same = earlier.loop_hash == Some(hash) && earlier.pid == pid;
            if same && states.get(depth - 1).is_some_and(alike) {
                earlier.looped = true;
                node.low = node.low.min(depth);
                return true;
            }
        }
        false
    }
}
