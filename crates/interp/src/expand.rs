//! The search step: which successors a state has, and in which order.
//!
//! The order and the rules are those of SPIN's verifier (G. J. Holzmann, The SPIN Model Checker,
//! 2003): processes from the youngest to the oldest, the edges of a location in order; a step inside
//! an unfinished atomic sequence is followed at once by the same process, depth first.

use crate::enabled::{Taking, takes};
use crate::eval::{Context, Fault, Faults};
use crate::program::{CLAIM_PID, ChannelRef, Edge, Op, PType, Program};
use crate::step::{self, Applied, Effects, Tested};
use crate::{RunOptions, trace};
use promenade_base::hash::hash64;
use promenade_transition_system::{
    Blocked, Item, Message, MessageKind, MicroStep, Selection, Successors, Violation, ViolationKind,
};
use std::collections::HashSet;

/// Steps within one expansion after which the rest is given up and reported as an atomic sequence
/// that does not come to its end.
pub(crate) const MAX_MICRO_STEPS: u64 = 20_000_000;
/// Bytes of states inside atomic sequences, likewise.
pub(crate) const MAX_PATH_BYTES: usize = 256 << 20;
/// Bytes of successors, likewise.
pub(crate) const MAX_OUT_BYTES: usize = 1 << 30;
/// How often, in steps, the limits and cancellation are looked at.
const CHECK_EVERY: u64 = 1024;

/// A process at a state, with its edges tried one by one. The first node of a stack is a process at
/// the state that is expanded; the others hold the exclusive right of an atomic sequence.
#[derive(Debug)]
struct Node {
    pid: u8,
    base: u32,
    ty: u16,
    /// Next edge, and one past the last, as indices in the graph.
    next: u32,
    end: u32,
    /// Some edge was executable.
    earlier: bool,
    /// The escape that is under way.
    escape: u16,
    moves: u32,
    atomic_moves: u32,
    /// Outcomes of a rendezvous that are still to be followed.
    handshakes: Vec<Handshake>,
    /// Recorded steps up to here.
    path: usize,
    /// Its state may come back within the sequence; with a hash.
    loop_hash: Option<u64>,
    /// It did come back.
    looped: bool,
    /// Items when it was entered.
    items: usize,
}

/// One outcome of a rendezvous.
#[derive(Debug)]
struct Handshake {
    state: Vec<u8>,
    /// The receiver.
    pid: u8,
    base: u32,
    ty: u16,
    keeps_atomic: bool,
    step: Option<MicroStep>,
    faults: Vec<Fault>,
    ended: bool,
    /// The sender's edge.
    edge: u32,
}

/// A process that has just made a step.
struct Arrival {
    pid: u8,
    base: u32,
    ty: u16,
    moves: u32,
    atomic_moves: u32,
}

/// Memory that is reused from expansion to expansion.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Start of each process record.
    bases: Vec<u32>,
    nodes: Vec<Node>,
    /// States of all nodes but the first.
    states: Vec<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    state_bytes: usize,
    /// Recorded steps on the way to the present node.
    path: Vec<(MicroStep, Vec<u8>)>,
    /// Hashes of loop points on the way.
    on_path: HashSet<u64>,
    /// The state under construction.
    next: Vec<u8>,
    /// The message under construction.
    message: Vec<i32>,
    pub(crate) effects: Effects,
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
    pub micro_steps: u64,
    pub aborted: bool,
}

impl<'a> Expansion<'a> {
    fn context(&self, pid: u8, base: u32) -> Context<'a> {
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
        if self.p.claim.is_some() {
            self.with_claim(s, selection);
            return;
        }
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

    /// The claim moves, then the system. Where the system is stuck even with a timeout, the claim
    /// goes on alone; the last hidden byte then says that it is the system's turn, and that it is
    /// stuck.
    fn with_claim(&mut self, s: &[u8], selection: Selection) {
        let Some(claim) = &self.p.claim else { return };
        let here = self.p.read_location(s, claim.location_offset as usize);
        if here == claim.process.exit {
            self.violation(ViolationKind::ClaimCompleted, None, None, 0);
        }
        if s.last().is_some_and(|&flag| flag != 0) {
            self.timeout = true;
            if !self.processes(s, selection, 0, 0) && !self.aborted {
                self.claim_steps(s, 0, &mut |run, state, moves| run.claim_alone(state, moves));
            }
            return;
        }
        let mut stuck = false;
        for timeout in [false, true] {
            self.claim_steps(s, 0, &mut |run, state, moves| {
                run.timeout = timeout;
                if claim.process.exit == run.p.read_location(state, claim.location_offset as usize)
                {
                    run.violation(ViolationKind::ClaimCompleted, None, None, moves);
                }
                let path = run.scratch.path.len();
                let moved = run.processes(state, selection, moves, path);
                if moved || run.aborted || selection != Selection::All {
                    return;
                }
                stuck = true;
                if timeout {
                    let state = state.to_vec();
                    run.claim_steps(&state, moves, &mut |run, state, moves| {
                        run.claim_alone(state, moves);
                    });
                }
            });
            if !stuck || self.aborted {
                return;
            }
            self.timeout = true;
        }
    }

    /// A target that the claim reached without the system.
    fn claim_alone(&mut self, state: &[u8], moves: u32) {
        let mut state = state.to_vec();
        if let Some(flag) = state.last_mut() {
            *flag = 1;
        }
        self.target(&state, moves, 0);
    }

    /// Calls `then` with each state that a step of the claim leads to.
    fn claim_steps(&mut self, s: &[u8], moves: u32, then: &mut dyn FnMut(&mut Self, &[u8], u32)) {
        let Some(claim) = &self.p.claim else { return };
        let at = claim.location_offset as usize;
        let here = self.p.read_location(s, at);
        let before = self.timeout;
        let path = self.scratch.path.len();
        let mut earlier = false;
        for edge in claim.process.graph.edges_of(here) {
            self.timeout = before;
            self.scratch.path.truncate(path);
            let c = Context {
                locals: claim.locals_offset,
                ..self.context(CLAIM_PID, claim.location_offset)
            };
            let tested = step::test(&edge.op, &c, s, earlier);
            if c.faults.any() && self.refused_by(edge, CLAIM_PID, path, moves) {
                continue;
            }
            let Tested::Yes(slot) = tested else { continue };
            if matches!(edge.op, Op::End) {
                continue;
            }
            let mut next = s.to_vec();
            self.prepare();
            let applied = step::apply(&edge.op, &c, &mut next, slot, &mut self.scratch.effects);
            if applied == Applied::Blocked {
                continue;
            }
            earlier = true;
            self.p.write_location(&mut next, at, edge.target);
            self.scratch.effects.mark(edge.id);
            self.record(path, CLAIM_PID, edge.id, None, &next);
            if self.report(CLAIM_PID, Some(edge.id), moves + 1) || applied == Applied::Ended {
                continue;
            }
            then(self, &next, moves + 1);
            if self.aborted {
                return;
            }
        }
        self.timeout = before;
        self.scratch.path.truncate(path);
    }

    /// Tries every process, from the youngest; true if somebody moved.
    fn processes(&mut self, s: &[u8], selection: Selection, moves: u32, path: usize) -> bool {
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
            if selection == Selection::All || selection == Selection::Process(pid) {
                moved |= self.process(s, pid, base, moves, path);
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
        let root = Node {
            pid,
            base,
            ty: ty as u16,
            next: l.first,
            end: l.end,
            earlier: false,
            escape: 0,
            moves,
            atomic_moves: 0,
            handshakes: Vec::new(),
            path,
            loop_hash: None,
            looped: false,
            items: self.out.items.len(),
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

    /// Provided clause and priority.
    fn may_move(&mut self, s: &[u8], pid: u8, base: u32, process: &PType) -> bool {
        let c = self.context(pid, base);
        let provided = process.provided.as_ref().is_none_or(|e| c.eval(e, s) != 0);
        if c.faults.any() {
            self.report(pid, None, 0);
            return false;
        }
        provided && c.highest_priority(s)
    }

    /// A node of an atomic sequence is done.
    fn leave(&mut self, node: &Node, depth: usize) {
        if !node.earlier {
            // Blocked inside: the state is stored here, and everybody may move.
            self.scratch.path.truncate(node.path);
            let state = std::mem::take(&mut self.scratch.states[depth - 1]);
            self.target(&state, node.moves, node.atomic_moves);
            self.scratch.states[depth - 1] = state;
        }
        if node.looped && self.out.items.len() == node.items {
            self.scratch.path.truncate(node.path);
            self.violation(ViolationKind::EndlessAtomic, Some(node.pid), None, node.moves);
        }
        if let Some(hash) = node.loop_hash {
            self.scratch.on_path.remove(&hash);
        }
        self.drop_state();
    }

    fn drop_state(&mut self) {
        if let Some(state) = self.scratch.states.pop() {
            self.scratch.state_bytes -= state.len();
            self.scratch.spare.push(state);
        }
    }

    /// Goes on with the edges of a node until one opens an atomic sequence, which is returned, or
    /// none is left.
    fn advance(&mut self, node: &mut Node, s: &[u8]) -> Option<Node> {
        let process = &self.p.types[node.ty as usize];
        let c = self.context(node.pid, node.base);
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
            self.count_step(node);
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
            if !matches!(edge.op, Op::End) {
                self.p.write_location(
                    &mut next,
                    (node.base + self.p.type_bytes) as usize,
                    edge.target,
                );
            }
            if let Some(at) = self.p.last_offset {
                next[at as usize] = node.pid;
            }
            self.scratch.effects.mark(edge.id);
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
                    self.target(&next, moves, arrival.atomic_moves);
                }
            }
        }
        self.scratch.next = next;
        child
    }

    /// An edge of the node is executable.
    #[inline(always)]
    fn note_choice(&mut self, node: &mut Node, edge: &Edge, c: &Context<'a>) {
        if node.earlier && self.p.types[node.ty as usize].deterministic {
            c.faults.soft(ViolationKind::Nondeterminism);
        }
        node.earlier = true;
        node.escape = edge.escape;
    }

    /// Goes on inside an atomic sequence, with the state in `next`; nothing if that is a state that
    /// the sequence has been in already.
    fn enter(
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
            let hash = hash64(next, u64::from(at.pid));
            if self.scratch.on_path.contains(&hash) && self.cut(node, s, at.pid, hash, next) {
                return None;
            }
            // Equal hashes of different states: the younger one is not tracked.
            loop_hash = self.scratch.on_path.insert(hash).then_some(hash);
        }
        self.scratch.state_bytes += next.len();
        let spare = self.scratch.spare.pop().unwrap_or_default();
        self.scratch.states.push(std::mem::replace(next, spare));
        Some(Node {
            pid: at.pid,
            base: at.base,
            ty: at.ty,
            next: l.first,
            end: l.end,
            earlier: false,
            escape: 0,
            moves: at.moves,
            atomic_moves: at.atomic_moves,
            handshakes: Vec::new(),
            path: self.scratch.path.len(),
            loop_hash,
            looped: false,
            items: self.out.items.len(),
        })
    }

    /// Looks for the state among those on the way; marks the one that came back.
    fn cut(&mut self, node: &mut Node, s: &[u8], pid: u8, hash: u64, next: &[u8]) -> bool {
        if node.loop_hash == Some(hash) && node.pid == pid && s == next {
            node.looped = true;
            return true;
        }
        let states = &self.scratch.states;
        for (depth, node) in self.scratch.nodes.iter_mut().enumerate().skip(1) {
            let same = node.loop_hash == Some(hash) && node.pid == pid;
            if same && states.get(depth - 1).is_some_and(|state| state == next) {
                node.looped = true;
                return true;
            }
        }
        false
    }

    /// Tries a rendezvous send: every other process that takes the message gives an outcome.
    fn rendezvous(
        &mut self,
        node: &mut Node,
        edge: &Edge,
        q: ChannelRef,
        c: &Context<'a>,
        s: &[u8],
    ) {
        let Op::Send(send) = &edge.op else { return };
        let mut message = std::mem::take(&mut self.scratch.message);
        step::message(send, c, s, q, &mut message);
        if c.faults.is_hard() {
            self.scratch.path.truncate(node.path);
            self.refused(edge, node);
            self.scratch.message = message;
            return;
        }
        // What is wrong with the send is reported with the first partner, or not at all.
        let mut sender_faults = c.faults.take();
        let mut middle = s.to_vec();
        self.p.write_location(&mut middle, (node.base + self.p.type_bytes) as usize, edge.target);
        if let Some(at) = self.p.last_offset {
            middle[at as usize] = node.pid;
        }
        let mut bases = Vec::with_capacity(usize::from(s[0]));
        let mut base = self.p.first_process;
        for _ in 0..s[0] {
            bases.push(base);
            base += self.p.types[self.p.type_at(s, base as usize)].record_bytes;
        }
        for (pid, &base) in bases.iter().enumerate().rev() {
            let pid = pid as u8;
            let ty = self.p.type_at(&middle, base as usize);
            let process = &self.p.types[ty];
            let partner = self.context(pid, base);
            if pid == node.pid
                || process.provided.as_ref().is_some_and(|e| partner.eval(e, &middle) == 0)
            {
                continue;
            }
            let mut earlier = false;
            let mut escape = 0;
            for taker in process.graph.edges_of(self.p.location_at(&middle, base as usize)) {
                if escape > 0 && taker.escape != escape {
                    break;
                }
                let taking = takes(taker, &partner, &middle, q.number, &message);
                if partner.faults.is_hard() {
                    node.earlier = true;
                    self.report(pid, Some(taker.id), node.moves + 1);
                    continue;
                }
                let Some(taking) = taking else { continue };
                if earlier && process.deterministic {
                    partner.faults.soft(ViolationKind::Nondeterminism);
                }
                let mut state = middle.clone();
                self.prepare();
                let effects = &mut self.scratch.effects;
                let applied =
                    hand_over(taker, taking, &partner, &mut state, q.number, &message, effects);
                if applied == Applied::Blocked {
                    continue;
                }
                self.p.write_location(
                    &mut state,
                    (base + self.p.type_bytes) as usize,
                    taker.target,
                );
                if let Some(at) = self.p.last_offset {
                    state[at as usize] = pid;
                }
                if !earlier {
                    escape = taker.escape;
                }
                earlier = true;
                self.scratch.effects.mark(taker.id);
                let effects = &mut self.scratch.effects;
                let micro = self.out.record.then(|| MicroStep {
                    pid: node.pid,
                    edge: edge.id,
                    partner: Some((pid, taker.id)),
                    message: Some(Message {
                        channel: q.number,
                        kind: MessageKind::Rendezvous,
                        values: message.clone(),
                    }),
                    printed: std::mem::take(&mut effects.printed),
                    created: effects.created,
                    state: (0, 0),
                    atomic: !self.scratch.nodes.is_empty(),
                });
                let mut faults = std::mem::take(&mut sender_faults);
                faults.extend(partner.faults.take());
                node.handshakes.push(Handshake {
                    state,
                    pid,
                    base,
                    ty: ty as u16,
                    keeps_atomic: taker.keeps_atomic,
                    step: micro,
                    faults,
                    ended: applied == Applied::Ended,
                    edge: edge.id,
                });
            }
        }
        if !node.handshakes.is_empty() {
            node.handshakes.reverse();
            self.scratch.effects.mark(edge.id);
            self.note_choice(node, edge, c);
            self.report(node.pid, Some(edge.id), node.moves + 1);
        }
        self.scratch.message = message;
    }

    /// Follows the outcomes of a rendezvous until one opens an atomic sequence.
    fn follow_handshakes(&mut self, node: &mut Node, s: &[u8]) -> Option<Node> {
        while let Some(mut outcome) = node.handshakes.pop() {
            if let Some(step) = outcome.step {
                self.scratch.path.truncate(node.path);
                self.scratch.path.push((step, outcome.state.clone()));
            }
            let moves = node.moves + 2;
            for &fault in &outcome.faults {
                self.violation(fault.kind, Some(outcome.pid), Some(outcome.edge), moves);
            }
            if outcome.ended || outcome.faults.iter().any(|f| f.hard) {
                continue;
            }
            let arrival = Arrival {
                pid: outcome.pid,
                base: outcome.base,
                ty: outcome.ty,
                moves,
                atomic_moves: node.atomic_moves + u32::from(!self.scratch.nodes.is_empty()),
            };
            if !outcome.keeps_atomic {
                self.target(&outcome.state, moves, arrival.atomic_moves);
            } else if let Some(child) = self.enter(node, s, arrival, &mut outcome.state) {
                return Some(child);
            }
        }
        None
    }

    /// Counts a step and looks whether the expansion has become too large, or nobody wants it any
    /// more.
    #[inline(always)]
    fn count_step(&mut self, node: &Node) {
        self.micro_steps += 1;
        if self.micro_steps % CHECK_EVERY == 0 {
            self.check_size(node);
        }
    }

    #[cold]
    fn check_size(&mut self, node: &Node) {
        if self.scratch.effects.cancelled() {
            self.aborted = true;
        } else if self.micro_steps > MAX_MICRO_STEPS
            || self.scratch.state_bytes > MAX_PATH_BYTES
            || self.out.bytes.len() > MAX_OUT_BYTES
        {
            self.violation(ViolationKind::EndlessAtomic, Some(node.pid), None, node.moves);
            self.aborted = true;
        }
    }

    #[inline(always)]
    fn prepare(&mut self) {
        if self.out.record {
            let effects = &mut self.scratch.effects;
            effects.message = None;
            effects.printed.clear();
            effects.created = None;
        }
    }

    /// Notes a step behind the first `path` recorded ones.
    #[inline(always)]
    fn record(
        &mut self,
        path: usize,
        pid: u8,
        edge: u32,
        partner: Option<(u8, u32)>,
        state: &[u8],
    ) {
        if !self.out.record {
            return;
        }
        let effects = &mut self.scratch.effects;
        let step = MicroStep {
            pid,
            edge,
            partner,
            message: effects.message.take(),
            printed: std::mem::take(&mut effects.printed),
            created: effects.created.take(),
            state: (0, 0),
            atomic: !self.scratch.nodes.is_empty(),
        };
        self.scratch.path.truncate(path);
        self.scratch.path.push((step, state.to_vec()));
    }

    /// A guard could not be evaluated, or only with faults: reports them. True if the edge is out
    /// of the question; the process then counts as able to move.
    #[cold]
    fn refused(&mut self, edge: &Edge, node: &mut Node) -> bool {
        let hard = self.refused_by(edge, node.pid, node.path, node.moves);
        node.earlier |= hard;
        hard
    }

    #[cold]
    fn refused_by(&mut self, edge: &Edge, pid: u8, path: usize, moves: u32) -> bool {
        self.prepare();
        self.record(path, pid, edge.id, None, &[]);
        let hard = self.report(pid, Some(edge.id), moves + 1);
        self.scratch.path.truncate(path);
        hard
    }

    /// Turns faults into items; true if there was a hard one.
    #[inline(always)]
    fn report(&mut self, pid: u8, edge: Option<u32>, moves: u32) -> bool {
        self.faults.any() && self.report_all(pid, edge, moves)
    }

    #[cold]
    fn report_all(&mut self, pid: u8, edge: Option<u32>, moves: u32) -> bool {
        let faults = self.faults.take();
        for fault in &faults {
            self.violation(fault.kind, Some(pid), edge, moves);
        }
        faults.iter().any(|f| f.hard)
    }

    fn violation(&mut self, kind: ViolationKind, pid: Option<u8>, edge: Option<u32>, moves: u32) {
        let steps = self.steps();
        let violation = Violation { kind, pid, edge };
        self.out.items.push(Item::Violation { violation, moves, steps });
    }

    /// A successor is complete.
    #[inline]
    fn target(&mut self, state: &[u8], moves: u32, atomic_moves: u32) {
        let start = self.out.bytes.len() as u32;
        self.out.bytes.extend_from_slice(state);
        let end = self.out.bytes.len() as u32;
        let steps = self.steps();
        self.out.items.push(Item::Target { start, end, moves, atomic_moves, steps });
    }

    /// Copies the recorded steps of the present path out.
    #[inline(always)]
    fn steps(&mut self) -> (u32, u32) {
        let first = self.out.steps.len() as u32;
        if !self.out.record {
            return (first, first);
        }
        for (step, state) in &self.scratch.path {
            let start = self.out.bytes.len() as u32;
            self.out.bytes.extend_from_slice(state);
            let mut step = step.clone();
            step.state = (start, self.out.bytes.len() as u32);
            self.out.steps.push(step);
        }
        (first, self.out.steps.len() as u32)
    }
}

/// Completes a rendezvous in `s`, in which the sender has moved already.
fn hand_over(
    edge: &Edge,
    taking: Taking,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    channel: u8,
    message: &[i32],
    effects: &mut Effects,
) -> Applied {
    trace::event(c, s, channel, true, message);
    let keeps = matches!(&edge.op, Op::Receive(receive) if receive.keep);
    if !keeps {
        trace::event(c, s, channel, false, message);
    }
    match (&edge.op, taking) {
        (Op::Receive(receive), _) => {
            step::store_fields(&receive.patterns, c, s, message);
            if c.faults.is_hard() { Applied::Ended } else { Applied::Done }
        }
        (Op::DStep(step), Taking::DStep(first)) => {
            crate::d_step::run_received(step, first, c, s, message, effects)
        }
        _ => Applied::Blocked,
    }
}
