//! What is true of a model as a whole: fixed channels, use of `timeout`, loops in atomics.

use crate::program::{Graph, Op};
use promenade_ir as ir;
use promenade_ir::{Action, Expr, Initializer, Pattern, Place, Region, ScalarType};
use std::collections::HashMap;

/// All program graphs of a model, those of claims and of the trace assertion included.
pub(crate) fn graphs(model: &ir::Model) -> impl Iterator<Item = &ir::Graph> {
    let trace = model.trace.iter().map(|t| &t.process.graph);
    let claims = model.claims.iter().map(|c| &c.process.graph);
    model.proctypes.iter().map(|p| &p.graph).chain(claims).chain(trace)
}

/// Calls `visit` for every action of a graph, those inside d_steps and sequences included.
fn actions<'a>(graph: &'a ir::Graph, visit: &mut dyn FnMut(&'a Action)) {
    fn one<'a>(action: &'a Action, visit: &mut dyn FnMut(&'a Action)) {
        visit(action);
        match action {
            Action::DStep(step) => actions(&step.graph, visit),
            Action::Sequence(list) => list.iter().for_each(|a| one(a, visit)),
            _ => {}
        }
    }
    for edge in graph.locations.iter().flat_map(|l| &l.edges) {
        one(&edge.action, visit);
    }
}

/// Global channel variables that keep their initial channel, by offset in the globals.
#[derive(Default)]
pub(crate) struct FixedChannels(HashMap<u32, i32>);

impl FixedChannels {
    /// Finds them: set by one channel initializer, and no other store may touch them.
    pub(crate) fn find(model: &ir::Model) -> Self {
        let mut fixed = HashMap::new();
        let mut stores: Vec<(u32, u32)> = Vec::new();
        let mut store = |place: &Place, more: u32| {
            if place.region == Region::Global {
                let reach: u32 =
                    place.indices.iter().map(|i| (i.length.max(1) - 1) * i.stride).sum();
                stores.push((place.offset, place.offset + reach + more + place.ty.bytes()));
            }
        };
        for initializer in &model.initializers {
            match initializer {
                Initializer::Channel { place, channel } => {
                    let once = place.region == Region::Global && place.indices.is_empty();
                    if once && fixed.insert(place.offset, *channel as i32 + 1).is_none() {
                        continue;
                    }
                    store(place, 0);
                }
                Initializer::Value { place, count, stride, .. } => {
                    store(place, count.max(&1).saturating_sub(1).saturating_mul(*stride));
                }
            }
        }
        for graph in graphs(model) {
            actions(graph, &mut |action| match action {
                Action::Assign { target: Some(place), .. }
                | Action::Run { target: Some(place), .. } => store(place, 0),
                Action::Receive { patterns, .. } => {
                    for pattern in patterns {
                        if let Pattern::Store(place) = pattern {
                            store(place, 0);
                        }
                    }
                }
                _ => {}
            });
        }
        fixed.retain(|&at, _| !stores.iter().any(|&(start, end)| start <= at && at < end));
        Self(fixed)
    }

    /// The channel number that a load of `place` always gives.
    pub(crate) fn number(&self, place: &Place) -> Option<i32> {
        let plain = place.region == Region::Global
            && place.ty == ScalarType::Chan
            && place.indices.is_empty();
        if plain { self.0.get(&place.offset).copied() } else { None }
    }
}

/// Whether `timeout` occurs in a process, a provided clause or the claim that runs along.
pub(crate) fn uses_timeout(model: &ir::Model, claim: Option<&ir::Claim>) -> bool {
    let mut found = false;
    let processes = model.proctypes.iter().chain(claim.map(|c| &c.process));
    for process in processes {
        found |= process.provided.as_ref().is_some_and(mentions_timeout);
        actions(&process.graph, &mut |action| {
            found |= match action {
                Action::Condition(e) | Action::Assert(e) => mentions_timeout(e),
                Action::Assign { target, value } => {
                    mentions_timeout(value) || target.as_ref().is_some_and(indices_mention_timeout)
                }
                Action::Send { channel, arguments, .. } => {
                    mentions_timeout(channel) || arguments.iter().any(mentions_timeout)
                }
                Action::Receive { channel, patterns, .. } => {
                    mentions_timeout(channel) || patterns.iter().any(pattern_mentions_timeout)
                }
                Action::Run { arguments, priority, .. } => {
                    arguments.iter().any(mentions_timeout)
                        || priority.as_ref().is_some_and(mentions_timeout)
                }
                Action::SetPriority { process, priority } => {
                    mentions_timeout(process) || mentions_timeout(priority)
                }
                _ => false,
            };
        });
    }
    found
}

fn indices_mention_timeout(place: &Place) -> bool {
    place.indices.iter().any(|i| mentions_timeout(&i.value))
}

fn pattern_mentions_timeout(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Match(e) => mentions_timeout(e),
        Pattern::Store(place) => indices_mention_timeout(place),
        Pattern::Any => false,
    }
}

fn mentions_timeout(e: &Expr) -> bool {
    // With `enabled`, another process may wait for a timeout.
    let mut found = matches!(e, Expr::Timeout | Expr::Enabled(_));
    operands(e, &mut |operand| found = found || mentions_timeout(operand));
    found
}

/// Calls `visit` for the operands of an expression, indices included.
fn operands(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    let place = |place: &Place, visit: &mut dyn FnMut(&Expr)| {
        place.indices.iter().for_each(|i| visit(&i.value));
    };
    match e {
        Expr::Timeout
        | Expr::Const(_)
        | Expr::Pid
        | Expr::NrPr
        | Expr::Last
        | Expr::Priority
        | Expr::NonProgress => {}
        Expr::Load(at) => place(at, visit),
        Expr::Unary(_, a)
        | Expr::Len(a)
        | Expr::ChannelTest(_, a)
        | Expr::PcValue(a)
        | Expr::GetPriority(a)
        | Expr::Enabled(a) => visit(a),
        Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            visit(a);
            visit(b);
        }
        Expr::Conditional(c, a, b) => [c, a, b].into_iter().for_each(|e| visit(e)),
        Expr::Poll { channel, patterns, .. } => {
            visit(channel);
            for pattern in patterns {
                match pattern {
                    Pattern::Match(e) => visit(e),
                    Pattern::Store(at) => place(at, visit),
                    Pattern::Any => {}
                }
            }
        }
        Expr::RemoteLocation { index, .. } => index.iter().for_each(|e| visit(e)),
        Expr::RemoteLoad { index, place: at, .. } => {
            index.iter().for_each(|e| visit(e));
            place(at, visit);
        }
    }
}

/// How many questions of `enabled` may be part of each other, so that evaluation, which is
/// recursive, has enough stack: fewer where guards are high trees.
pub(crate) fn most_questions(model: &ir::Model) -> usize {
    const MOST_LEVELS: usize = 3_000;
    fn height(e: &Expr) -> usize {
        let mut most = 0;
        operands(e, &mut |operand| most = most.max(height(operand)));
        most + 1
    }
    let mut most = 1;
    for graph in graphs(model) {
        actions(graph, &mut |action| {
            let mut look = |e: &Expr| most = most.max(height(e));
            match action {
                Action::Condition(e) => look(e),
                Action::Receive { channel, patterns, .. } => {
                    look(channel);
                    for pattern in patterns {
                        if let Pattern::Match(e) = pattern {
                            look(e);
                        }
                    }
                }
                Action::Send { channel, .. } => look(channel),
                _ => {}
            }
        });
    }
    (MOST_LEVELS / most).clamp(2, 255)
}

/// Marks the locations that can be met twice while an atomic's exclusive right is kept: those on a
/// cycle of right-keeping edges, and those to which the right can come back by a rendezvous.
///
/// Strongly connected components by Tarjan's algorithm (1972), iterative.
pub(crate) fn mark_atomic_loops(graph: &mut Graph) {
    let count = graph.locations.len();
    let successors: Vec<Vec<usize>> = graph
        .locations
        .iter()
        .map(|l| {
            let edges = &graph.edges[l.first as usize..l.end as usize];
            edges.iter().filter(|e| e.keeps_atomic).map(|e| e.target as usize).collect()
        })
        .collect();
    for edge in &graph.edges {
        let channel = matches!(edge.op, Op::Receive(_) | Op::DStep(_));
        if edge.keeps_atomic
            && channel
            && let Some(l) = graph.locations.get_mut(edge.target as usize)
        {
            l.atomic_loop = true;
        }
    }
    const NEW: usize = usize::MAX;
    let mut order = vec![NEW; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let mut stack = Vec::new();
    let mut next = 0;
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((v, child)) = work.pop() {
            if child == 0 && order[v] == NEW {
                order[v] = next;
                low[v] = next;
                next += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&w) = successors[v].get(child) {
                work.push((v, child + 1));
                if w >= count {
                    continue;
                }
                if order[w] == NEW {
                    work.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] != order[v] {
                continue;
            }
            let mut members = Vec::new();
            while let Some(w) = stack.pop() {
                on_stack[w] = false;
                members.push(w);
                if w == v {
                    break;
                }
            }
            if members.len() > 1 || successors[v].contains(&v) {
                for w in members {
                    graph.locations[w].atomic_loop = true;
                }
            }
        }
    }
}
