//! From the model to the compact form.

use crate::program::{
    Anchor, CType, Cell, Ch, ChannelRef, Claim, DStep, Edge, Event, Ex, Graph, Index, Init, Kind,
    Labels, Loc, Op, PType, Pat, Piece, Pl, Poll, Program, Promise, Receive, RemoteLoad,
    RemoteLocation, Run, Send, TraceAutomaton,
};
use crate::scan::{self, FixedChannels};
use promenade_ir as ir;
use promenade_ir::{BinaryOp, Region};
use std::collections::HashMap;

/// Compiles `model` for runs along the claim with index `claim`.
pub(crate) fn compile(model: &ir::Model, claim: Option<usize>) -> Program {
    let claim = claim.and_then(|c| model.claims.get(c));
    Compiler::new(model, claim.is_some()).program(model, claim)
}

struct Compiler {
    fixed: FixedChannels,
    p: Program,
}

impl Compiler {
    fn new(model: &ir::Model, with_claim: bool) -> Self {
        let locations = scan::graphs(model).map(|g| g.locations.len()).max().unwrap_or(0);
        let p = Program {
            type_bytes: if model.proctypes.len() > 256 { 2 } else { 1 },
            location_bytes: match locations {
                0..=256 => 1,
                257..=65536 => 2,
                _ => 4,
            },
            hidden_bytes: model.hidden_bytes + u32::from(with_claim),
            write_only_bytes: model.write_only_bytes,
            lose_messages: model.options.lose_messages,
            symbols: model.mtypes.iter().map(|set| set.members.clone()).collect(),
            ..Program::default()
        };
        Self { fixed: FixedChannels::default(), p }
    }

    fn program(mut self, model: &ir::Model, claim: Option<&ir::Claim>) -> Program {
        let p = &mut self.p;
        let mut at = 1;
        if model.uses_last {
            p.last_offset = Some(at);
            at += 1;
        }
        let claim_at = at;
        if let Some(claim) = claim {
            at += p.location_bytes + claim.process.local_bytes;
        }
        let trace_at = at;
        if model.trace.is_some() {
            at += p.location_bytes;
        }
        p.globals_offset = at;
        at += model.global_bytes;
        p.channel_types = model.channel_types.iter().map(channel_type).collect();
        for channel in &model.channels {
            p.channels.push((at, channel.ty.0));
            at += model.channel_types[channel.ty.0 as usize].bytes();
        }
        p.first_process = at;
        let mut header = p.type_bytes + p.location_bytes;
        if model.uses_priorities {
            p.priority_offset = Some(header);
            header += 1;
        }
        p.locals_offset = header;
        self.fixed = FixedChannels::find(model);
        self.p.initializers = self.initializers(&model.initializers);
        self.p.initial_processes = model.initial_processes.iter().map(|t| t.0).collect();
        for proctype in &model.proctypes {
            let compiled = self.proctype(model, proctype);
            self.p.types.push(compiled);
        }
        if let Some(claim) = claim {
            let process = self.proctype(model, &claim.process);
            let acceptance = claim.acceptance.as_ref().map(|acceptance| {
                let of = |id| acceptance.marks.iter().find(|(edge, _)| edge.0 == id);
                let marks = process.graph.edges.iter().map(|e| of(e.id).map_or(0, |m| m.1));
                (acceptance.sets.min(64), marks.collect())
            });
            let labels = claim.labels.as_ref().map(|labels| self.labels(labels, &process.graph));
            self.p.claim = Some(Claim {
                process,
                acceptance,
                labels,
                location_offset: claim_at,
                locals_offset: claim_at + self.p.location_bytes,
            });
        }
        if let Some(trace) = &model.trace {
            let compiled = self.trace(model, trace, trace_at);
            self.p.trace = Some(compiled);
        }
        let p = &mut self.p;
        p.plain_processes = p.priority_offset.is_none()
            && p.types.iter().all(|t| t.provided.is_none() && !t.deterministic);
        p.uses_timeout = scan::uses_timeout(model, claim);
        p.most_questions = scan::most_questions(model);
        self.p.promises = self.promises(model);
        self.p
    }

    fn promises(&self, model: &ir::Model) -> Vec<Promise> {
        let one = |promise: &ir::Promise| Promise {
            proctype: promise.proctype.0,
            channel: self.channel(&promise.channel),
            send: promise.send,
        };
        model.promises.iter().map(one).collect()
    }

    fn proctype(&self, model: &ir::Model, proctype: &ir::Proctype) -> PType {
        let mut at = self.p.locals_offset + proctype.local_bytes;
        let mut channels = Vec::new();
        for channel in &proctype.channels {
            channels.push((at, channel.ty.0));
            at += model.channel_types[channel.ty.0 as usize].bytes();
        }
        let mut graph = self.graph(&proctype.graph);
        scan::mark_atomic_loops(&mut graph);
        PType {
            graph,
            entry: proctype.entry.0,
            exit: proctype.exit.0,
            provided: proctype.provided.as_ref().map(|e| self.expr(e)),
            deterministic: proctype.deterministic,
            priority: proctype.priority,
            parameters: proctype.parameters.iter().map(|p| self.place(p)).collect(),
            initializers: self.initializers(&proctype.initializers),
            channels,
            record_bytes: at,
        }
    }

    fn trace(&self, model: &ir::Model, trace: &ir::TraceAssertion, at: u32) -> TraceAutomaton {
        let process = self.proctype(model, &trace.process);
        let by_edge: HashMap<u32, &ir::TraceEvent> =
            trace.events.iter().map(|(edge, event)| (edge.0, event)).collect();
        let events = process.graph.edges.iter().map(|edge| {
            by_edge.get(&edge.id).map(|event| Event {
                channel: self.expr(&event.channel),
                send: event.send,
                patterns: self.patterns(&event.patterns),
            })
        });
        let events = events.collect();
        TraceAutomaton { negated: trace.negated, process, events, location_offset: at }
    }

    fn graph(&self, graph: &ir::Graph) -> Graph {
        let mut compiled = Graph::default();
        for location in &graph.locations {
            let first = compiled.edges.len() as u32;
            for edge in &location.edges {
                compiled.edges.push(Edge {
                    id: edge.id.0,
                    target: edge.target.0,
                    escape: edge.escape,
                    keeps_atomic: edge.keeps_atomic,
                    op: self.op(&edge.action),
                });
            }
            let clears = compiled.dead.len() as u32;
            let dead = location.dead.iter();
            compiled.dead.extend(dead.map(|d| (self.p.locals_offset + d.offset, d.bytes)));
            compiled.locations.push(Loc {
                first,
                end: compiled.edges.len() as u32,
                valid_end: location.valid_end,
                progress: location.progress,
                accept: location.accept,
                atomic_loop: false,
                dead: (clears, compiled.dead.len() as u32),
            });
        }
        compiled
    }

    fn initializers(&self, list: &[ir::Initializer]) -> Vec<Init> {
        let one = |initializer: &ir::Initializer| match initializer {
            ir::Initializer::Value { place, value, count, stride } => Init::Value {
                place: self.place(place),
                value: self.expr(value),
                count: *count,
                stride: *stride,
            },
            ir::Initializer::Channel { place, channel } => {
                Init::Channel { place: self.place(place), channel: *channel }
            }
        };
        list.iter().map(one).collect()
    }

    fn op(&self, action: &ir::Action) -> Op {
        use promenade_ir::Action as A;
        match action {
            A::Skip => Op::Skip,
            A::Condition(e) => match self.expr(e) {
                Ex::Const(value) if value != 0 => Op::Skip,
                e => Op::Condition(e),
            },
            A::Assign { target, value } => {
                let value = self.expr(value);
                match target.as_ref().map(|t| self.place(t)) {
                    Some(Pl::Plain(Cell { anchor: Anchor::State, offset, kind: Kind::Byte })) => {
                        Op::Assign8(offset, 0xff, value)
                    }
                    Some(Pl::Plain(Cell {
                        anchor: Anchor::State,
                        offset,
                        kind: Kind::Bits8(mask),
                    })) => Op::Assign8(offset, mask, value),
                    target => Op::Assign(target, value),
                }
            }
            A::Assert(e) => Op::Assert(self.expr(e)),
            A::Print(print) => Op::Print(self.pieces(print)),
            A::Send { channel, sorted, arguments } => Op::Send(Box::new(Send {
                channel: self.channel(channel),
                sorted: *sorted,
                arguments: arguments.iter().map(|a| self.expr(a)).collect(),
            })),
            A::Receive { channel, random, keep, patterns } => Op::Receive(Box::new(Receive {
                channel: self.channel(channel),
                random: *random,
                keep: *keep,
                patterns: self.patterns(patterns),
            })),
            A::Run { proctype, arguments, priority, target } => Op::Run(Box::new(Run {
                proctype: proctype.0,
                arguments: arguments.iter().map(|a| self.expr(a)).collect(),
                priority: priority.as_ref().map(|e| self.expr(e)),
                target: target.as_ref().map(|t| self.place(t)),
            })),
            A::Else => Op::Else,
            A::SetPriority { process, priority } => {
                Op::SetPriority(Box::new((self.expr(process), self.expr(priority))))
            }
            A::DStep(step) => Op::DStep(Box::new(DStep {
                graph: self.graph(&step.graph),
                entry: step.entry.0,
                exit: step.exit.0,
                start_edges: step.start_edges.clone(),
            })),
            A::Sequence(actions) => Op::Sequence(actions.iter().map(|a| self.op(a)).collect()),
            A::End => Op::End,
        }
    }

    fn pieces(&self, print: &ir::Print) -> Vec<Piece> {
        use promenade_ir::PrintPart as P;
        let one = |part: &P| match part {
            P::Text(text) => Piece::Text(text.clone()),
            P::Decimal(e) => Piece::Decimal(self.expr(e)),
            P::Unsigned(e) => Piece::Unsigned(self.expr(e)),
            P::Hexadecimal(e) => Piece::Hexadecimal(self.expr(e)),
            P::Octal(e) => Piece::Octal(self.expr(e)),
            P::Character(e) => Piece::Character(self.expr(e)),
            P::Symbol(e, set) => Piece::Symbol(self.expr(e), set.map(|set| set.0)),
        };
        print.parts.iter().map(one).collect()
    }

    fn patterns(&self, patterns: &[ir::Pattern]) -> Vec<Pat> {
        let one = |pattern: &ir::Pattern| match pattern {
            ir::Pattern::Match(e) => Pat::Match(self.expr(e)),
            ir::Pattern::Store(place) => Pat::Store(self.place(place)),
            ir::Pattern::Any => Pat::Any,
        };
        patterns.iter().map(one).collect()
    }

    fn channel(&self, e: &ir::Expr) -> Ch {
        match self.expr(e) {
            Ex::Const(number) => {
                let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
                match index.and_then(|i| self.p.channels.get(i)) {
                    Some(&(offset, ty)) => {
                        Ch::Fixed(ChannelRef { number: number as u8, ty, offset })
                    }
                    None => Ch::Value(Ex::Const(number)),
                }
            }
            value => Ch::Value(value),
        }
    }

    fn cell(&self, place: &ir::Place) -> Cell {
        let kind = Kind::of(place.ty);
        match place.region {
            Region::Global => {
                Cell { anchor: Anchor::State, offset: place.offset + self.p.globals_offset, kind }
            }
            Region::Local => Cell { anchor: Anchor::Locals, offset: place.offset, kind },
            Region::Hidden => Cell { anchor: Anchor::Hidden, offset: place.offset, kind },
        }
    }

    fn index(&self, term: &ir::IndexTerm) -> Index {
        Index { value: self.expr(&term.value), length: term.length, stride: term.stride }
    }

    fn place(&self, place: &ir::Place) -> Pl {
        let cell = self.cell(place);
        if place.indices.is_empty() {
            return Pl::Plain(cell);
        }
        Pl::Indexed(Box::new((cell, place.indices.iter().map(|t| self.index(t)).collect())))
    }

    fn load(&self, place: &ir::Place) -> Ex {
        if let Some(number) = self.fixed.number(place) {
            return Ex::Const(number);
        }
        match self.place(place) {
            Pl::Plain(Cell { anchor, offset, kind: Kind::Byte | Kind::Bits8(_) })
                if anchor != Anchor::Hidden =>
            {
                match anchor {
                    Anchor::Locals => Ex::Local8(offset),
                    _ => Ex::Global8(offset),
                }
            }
            Pl::Plain(cell) => Ex::Cell(cell),
            Pl::Indexed(indexed) => {
                let (cell, mut indices) = *indexed;
                let byte = matches!(cell.kind, Kind::Byte | Kind::Bits8(_));
                match indices.pop() {
                    Some(index) if byte && cell.anchor == Anchor::State && indices.is_empty() => {
                        Ex::Global8Indexed(Box::new((cell.offset, index)))
                    }
                    last => {
                        indices.extend(last);
                        Ex::Indexed(Box::new((cell, indices)))
                    }
                }
            }
        }
    }

    fn labels(&self, labels: &ir::ClaimLabels, graph: &Graph) -> Labels {
        let cubes: HashMap<u32, &Vec<(u64, u64)>> =
            labels.cubes.iter().map(|(edge, cubes)| (edge.0, cubes)).collect();
        let of = |edge: &Edge| cubes.get(&edge.id).map_or_else(Vec::new, |it| it.to_vec());
        Labels {
            propositions: labels.propositions.iter().map(|e| self.expr(e)).collect(),
            cubes: graph.edges.iter().map(of).collect(),
        }
    }

    fn expr(&self, e: &ir::Expr) -> Ex {
        use promenade_ir::Expr as E;
        let boxed = |e: &ir::Expr| Box::new(self.expr(e));
        match e {
            E::Const(value) => Ex::Const(*value),
            E::Load(place) => self.load(place),
            E::Pid => Ex::Pid,
            E::NrPr => Ex::NrPr,
            E::Last => Ex::Last,
            E::Priority => Ex::Priority,
            E::Timeout => Ex::Timeout,
            E::NonProgress => Ex::NonProgress,
            E::Unary(op, a) => Ex::Unary(*op, boxed(a)),
            E::Binary(op, a, b) => binary(*op, self.expr(a), self.expr(b)),
            E::And(a, b) => Ex::And(Box::new((self.expr(a), self.expr(b)))),
            E::Or(a, b) => Ex::Or(Box::new((self.expr(a), self.expr(b)))),
            E::Conditional(c, a, b) => {
                Ex::Conditional(Box::new((self.expr(c), self.expr(a), self.expr(b))))
            }
            E::Len(q) => Ex::Len(Box::new(self.channel(q))),
            E::ChannelTest(test, q) => Ex::Test(*test, Box::new(self.channel(q))),
            E::Poll { channel, random, patterns } => Ex::Poll(Box::new(Poll {
                channel: self.channel(channel),
                random: *random,
                patterns: self.patterns(patterns),
            })),
            E::Enabled(e) => Ex::Enabled(boxed(e)),
            E::PcValue(e) => Ex::PcValue(boxed(e)),
            E::GetPriority(e) => Ex::GetPriority(boxed(e)),
            E::RemoteLocation { proctype, index, locations } => {
                Ex::RemoteLocation(Box::new(RemoteLocation {
                    proctype: proctype.0,
                    index: index.as_ref().map(|e| self.expr(e)),
                    locations: locations.iter().map(|l| l.0).collect(),
                }))
            }
            E::RemoteLoad { proctype, index, place } => Ex::RemoteLoad(Box::new(RemoteLoad {
                proctype: proctype.0,
                index: index.as_ref().map(|e| self.expr(e)),
                place: self.place(place),
            })),
        }
    }
}

fn binary(op: BinaryOp, a: Ex, b: Ex) -> Ex {
    let (a, b) = match (op, a, b) {
        (BinaryOp::Equal | BinaryOp::NotEqual, Ex::Const(value), b) => (b, Ex::Const(value)),
        (_, a, b) => (a, b),
    };
    match (op, &a, &b) {
        (BinaryOp::Equal, Ex::Global8(at), Ex::Const(v @ 0..=255)) => {
            Ex::Global8Equal(*at, *v as u8)
        }
        (BinaryOp::NotEqual, Ex::Global8(at), Ex::Const(v @ 0..=255)) => {
            Ex::Global8NotEqual(*at, *v as u8)
        }
        (BinaryOp::Equal, Ex::Local8(at), Ex::Const(v @ 0..=255)) => Ex::Local8Equal(*at, *v as u8),
        (BinaryOp::NotEqual, Ex::Local8(at), Ex::Const(v @ 0..=255)) => {
            Ex::Local8NotEqual(*at, *v as u8)
        }
        (BinaryOp::Equal, _, Ex::Const(v)) => Ex::EqualConst(Box::new(a), *v),
        (BinaryOp::NotEqual, _, Ex::Const(v)) => Ex::NotEqualConst(Box::new(a), *v),
        _ => Ex::Binary(op, Box::new((a, b))),
    }
}

fn channel_type(ty: &ir::ChannelType) -> CType {
    let mut at = 0;
    let mut fields = Vec::new();
    for field in &ty.fields {
        // As in SPIN, a bit that is the whole message is kept as a byte; the receiving variable
        // cuts it.
        let kind = match field {
            ir::ScalarType::Bit | ir::ScalarType::Bool if ty.fields.len() == 1 => Kind::Byte,
            field => Kind::of(*field),
        };
        fields.push((kind, at));
        at += kind.bytes();
    }
    CType { capacity: ty.capacity, fields, message_bytes: at, length_bytes: ty.length_bytes() }
}
