//! From steps and faults to items.

use crate::expand::{Expansion, Node};
use crate::program::Edge;
use promenade_transition_system::{Item, MicroStep, Violation, ViolationKind};

impl Expansion<'_> {
    #[inline(always)]
    pub(crate) fn prepare(&mut self) {
        if self.out.record {
            let effects = &mut self.scratch.effects;
            effects.message = None;
            effects.printed.clear();
            effects.created = None;
        }
    }

    /// Notes a step behind the first `path` recorded ones.
    #[inline(always)]
    pub(crate) fn record(
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
    pub(crate) fn refused(&mut self, edge: &Edge, node: &mut Node) -> bool {
        let hard = self.refused_by(edge, node.pid, node.path, node.moves);
        node.earlier |= hard;
        hard
    }

    #[cold]
    pub(crate) fn refused_by(&mut self, edge: &Edge, pid: u8, path: usize, moves: u32) -> bool {
        self.prepare();
        self.record(path, pid, edge.id, None, &[]);
        let hard = self.report(pid, Some(edge.id), moves + 1);
        self.scratch.path.truncate(path);
        hard
    }

    /// Turns faults into items; true if there was a hard one.
    #[inline(always)]
    pub(crate) fn report(&mut self, pid: u8, edge: Option<u32>, moves: u32) -> bool {
        self.faults.any() && self.report_all(pid, edge, moves)
    }

    #[cold]
    pub(crate) fn report_all(&mut self, pid: u8, edge: Option<u32>, moves: u32) -> bool {
        let faults = self.faults.take();
        for fault in &faults {
            self.violation(fault.kind, Some(pid), edge, moves);
        }
        faults.iter().any(|f| f.hard)
    }

    pub(crate) fn violation(
        &mut self,
        kind: ViolationKind,
        pid: Option<u8>,
        edge: Option<u32>,
        moves: u32,
    ) {
        let steps = self.steps();
        let violation = Violation { kind, pid, edge };
        self.out.items.push(Item::Violation { violation, moves, steps });
        self.mark(false);
        self.check_wanted();
    }

    /// A successor is complete.
    #[inline]
    pub(crate) fn target(&mut self, state: &[u8], moves: u32, atomic_moves: u32) {
        let start = self.out.bytes.len() as u32;
        self.out.bytes.extend_from_slice(state);
        let end = self.out.bytes.len() as u32;
        let steps = self.steps();
        self.out.items.push(Item::Target { start, end, moves, atomic_moves, steps });
        self.mark(true);
        self.check_bytes();
        self.check_wanted();
    }

    /// Stops behind the only item that is asked for, unless later ones decide on its marks.
    #[inline(always)]
    fn check_wanted(&mut self) {
        if self.out.wanted.is_some_and(|wanted| self.out.items.len() > wanted as usize)
            && !self.options.weak_fairness
        {
            self.aborted = true;
        }
    }

    /// Copies the recorded steps of the present path out, for the item that comes next.
    #[inline(always)]
    pub(crate) fn steps(&mut self) -> (u32, u32) {
        let first = self.out.steps.len() as u32;
        let number = self.out.items.len() as u32;
        if !self.out.record || self.out.wanted.is_some_and(|wanted| wanted != number) {
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
