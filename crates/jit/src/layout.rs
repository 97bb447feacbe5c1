//! Where process records are: at fixed places if no process is ever created.

use promenade_interp::program::{Graph, Init, Op, Program};

/// With more processes than this, places are computed.
const MOST_FIXED: usize = 40;

/// Places of process records.
pub(crate) enum Layout {
    /// Type and start of each record, by pid: processes end, but none begins.
    Fixed(Vec<(u16, u32)>),
    /// To be found by walking from record to record.
    Walk,
}

impl Layout {
    pub(crate) fn of(p: &Program) -> Self {
        let claim = p.claim.iter().map(|claim| &claim.process.graph);
        let creates = p.types.iter().map(|ty| &ty.graph).chain(claim).any(creates);
        if creates || p.initial_processes.len() > MOST_FIXED {
            return Self::Walk;
        }
        let mut base = p.first_process;
        let mut places = Vec::new();
        for &ty in &p.initial_processes {
            places.push((ty, base));
            base += p.types[ty as usize].record_bytes;
        }
        Self::Fixed(places)
    }
}

fn creates(graph: &Graph) -> bool {
    graph.edges.iter().any(|edge| op_creates(&edge.op))
}

fn op_creates(op: &Op) -> bool {
    match op {
        Op::Run(_) => true,
        Op::DStep(step) => creates(&step.graph),
        Op::Sequence(ops) => ops.iter().any(op_creates),
        _ => false,
    }
}

/// Whether initial values of a process can be written by code: constants and simple expressions
/// always can, so this asks for nothing but bounds.
pub(crate) fn initial_cells(list: &[Init]) -> u64 {
    let cells = |init: &Init| match init {
        Init::Value { count, .. } => u64::from(*count),
        Init::Channel { .. } => 1,
    };
    list.iter().map(cells).sum()
}
