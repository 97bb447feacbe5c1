//! Sends, receives and polls.

use crate::body::BodyKind;
use crate::lowering::Lowering;
use crate::reference::{Cell, Referent};
use crate::types::{Ty, leaves};
use promenade_base::{Diagnostic, Span};
use promenade_ir::{Action, Expr, Pattern, Place, Region};
use promenade_promela_syntax::ast::{self, ExprKind, ReceiveArgument, VarRef};
use std::collections::HashSet;

/// Cells that one structure in a message may have.
const MAX_FIELDS: usize = 4096;

impl Lowering<'_> {
    /// The number of a channel.
    pub(crate) fn channel(&mut self, r: &VarRef) -> Expr {
        self.channel_cell(r).map_or(Expr::Const(0), |cell| Expr::Load(cell.place))
    }

    fn channel_cell(&mut self, r: &VarRef) -> Option<Cell> {
        match self.resolve(r)? {
            Referent::Cell(cell) if cell.shape.ty.is_chan() => Some(cell),
            _ => {
                self.out.error(
                    "not-a-channel",
                    r.span,
                    format!("`{}` is not a channel", crate::text::reference(r)),
                );
                None
            }
        }
    }

    /// The number of message fields of a channel, as its declaration says.
    fn fields(&self, cell: &Cell) -> Option<usize> {
        let ty = cell.shape.channel?;
        self.model.channel_types.get(usize::from(ty.0)).map(|ty| ty.fields.len())
    }

    /// The cells of a structure that stands for all its fields.
    fn spread(&mut self, cell: &Cell, span: Span) -> Vec<Place> {
        let Some(leaves) = leaves(&self.structs, cell.shape.ty, MAX_FIELDS) else {
            self.out.error(
                "message-too-large",
                span,
                format!("a message has at most {MAX_FIELDS} fields"),
            );
            return Vec::new();
        };
        let at = |leaf: &crate::types::Leaf| {
            let mut place = cell.place.clone();
            place.offset += leaf.offset;
            place.ty = leaf.ty;
            place
        };
        leaves.iter().map(at).collect()
    }

    /// Values with structures spread into their fields.
    pub(crate) fn values(&mut self, list: &[ast::Expr]) -> Vec<Expr> {
        let mut out = Vec::with_capacity(list.len());
        for e in list {
            if let ExprKind::Var(r) = &e.kind
                && self.is_structure(r)
            {
                if let Some(Referent::Cell(cell)) = self.resolve(r) {
                    out.extend(self.spread(&cell, r.span).into_iter().map(Expr::Load));
                }
                continue;
            }
            out.push(self.expr(e));
        }
        out
    }

    /// Whether a reference names a whole structure.
    fn is_structure(&self, r: &VarRef) -> bool {
        let Some(first) = r.segments.first() else { return false };
        let Some(named) = self.find(&first.name.text) else { return false };
        let crate::names::Symbol::Variable(var) = &named.symbol else { return false };
        let mut ty = var.shape.ty;
        for segment in &r.segments[1..] {
            let Ty::Struct(index) = ty else { return false };
            match self.structs[index].field(&segment.name.text) {
                Some(field) => ty = field.shape.ty,
                None => return false,
            }
        }
        matches!(ty, Ty::Struct(_))
    }

    /// `q!arguments`
    pub(crate) fn send(
        &mut self,
        channel: &VarRef,
        sorted: bool,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Action {
        let cell = self.channel_cell(channel);
        if self.body.kind == BodyKind::Trace {
            // An event: only its constants count. The class of the step tells it from a receive.
            let patterns = self.event_patterns(arguments);
            let channel = cell.map_or(Expr::Const(0), |cell| Expr::Load(cell.place));
            return Action::Receive { channel, random: false, keep: false, patterns };
        }
        let arguments = self.values(arguments);
        if let Some(cell) = &cell {
            self.uses.sends.push((arguments.len(), span));
            if let Some(wanted) = self.fields(cell)
                && wanted != arguments.len()
            {
                let hint = if arguments.len() < wanted {
                    "This is an error of the run if it is executed."
                } else {
                    "The last ones are dropped."
                };
                self.field_count(channel, wanted, arguments.len(), span, hint);
            }
        }
        let channel = cell.map_or(Expr::Const(0), |cell| Expr::Load(cell.place));
        Action::Send { channel, sorted, arguments }
    }

    /// The fields of a sent message in a trace.
    fn event_patterns(&mut self, arguments: &[ast::Expr]) -> Vec<Pattern> {
        let mut out = Vec::new();
        for e in arguments {
            if matches!(&e.kind, ExprKind::Var(r) if crate::text::reference(r) == "_") {
                out.push(Pattern::Any);
                continue;
            }
            let values = self.values(std::slice::from_ref(e));
            out.extend(values.into_iter().map(|value| match value {
                Expr::Const(_) => Pattern::Match(value),
                _ => Pattern::Any,
            }));
        }
        out
    }

    fn field_count(
        &mut self,
        channel: &VarRef,
        wanted: usize,
        found: usize,
        span: Span,
        hint: &str,
    ) {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!(
            "channel `{}` has {wanted} message field{plural}, found {found}",
            crate::text::reference(channel)
        );
        self.out.warning("field-count", span, message, hint);
    }

    /// `q?arguments`
    pub(crate) fn receive(
        &mut self,
        channel: &VarRef,
        random: bool,
        keep: bool,
        arguments: &[ReceiveArgument],
        span: Span,
    ) -> Action {
        let cell = self.channel_cell(channel);
        let patterns = self.patterns(arguments, true);
        self.check_twice(&patterns, arguments);
        if let Some(cell) = &cell
            && let Some(wanted) = self.fields(cell)
            && wanted != patterns.len()
        {
            let hint = "This is an error of the run if it is executed.";
            self.field_count(channel, wanted, patterns.len(), span, hint);
        }
        let channel = cell.map_or(Expr::Const(0), |cell| Expr::Load(cell.place));
        Action::Receive { channel, random, keep, patterns }
    }

    /// `q?[arguments]`
    pub(crate) fn poll(
        &mut self,
        channel: &VarRef,
        random: bool,
        arguments: &[ReceiveArgument],
        span: Span,
    ) -> Expr {
        let cell = self.channel_cell(channel);
        let patterns = self.patterns(arguments, false);
        if let Some(cell) = &cell
            && let Some(wanted) = self.fields(cell)
            && wanted != patterns.len()
        {
            let hint = "Fields that are not named match anything.";
            self.field_count(channel, wanted, patterns.len(), span, hint);
        }
        let channel = cell.map_or(Expr::Const(0), |cell| Expr::Load(cell.place));
        Expr::Poll { channel: Box::new(channel), random, patterns }
    }

    /// The fields of a receive (`store`) or a poll, structures spread.
    fn patterns(&mut self, arguments: &[ReceiveArgument], store: bool) -> Vec<Pattern> {
        let mut out = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                ReceiveArgument::Constant(value, _) => {
                    out.push(Pattern::Match(Expr::Const(*value as i32)));
                }
                ReceiveArgument::Eval(e, _) => {
                    // A structure compares field by field.
                    let values = self.values(std::slice::from_ref(e));
                    out.extend(values.into_iter().map(Pattern::Match));
                }
                ReceiveArgument::Variable(r) => {
                    match self.resolve(r) {
                        None => out.push(Pattern::Any),
                        Some(Referent::Nothing) => out.push(Pattern::Any),
                        Some(Referent::Mtype(value)) => {
                            out.push(Pattern::Match(Expr::Const(value)));
                        }
                        Some(Referent::Cell(cell)) => {
                            let cells = match cell.shape.ty {
                                Ty::Struct(_) => self.spread(&cell, r.span),
                                Ty::Scalar(_) => vec![cell.place],
                            };
                            out.extend(cells.into_iter().map(|place| {
                                if store { Pattern::Store(place) } else { Pattern::Any }
                            }));
                        }
                        Some(_) => {
                            if store {
                                self.read_only_target(r);
                            }
                            out.push(Pattern::Any);
                        }
                    }
                }
            }
        }
        out
    }

    /// A predefined name is assigned.
    pub(crate) fn read_only(&mut self, r: &VarRef) {
        self.out.error_hint(
            "read-only",
            r.span,
            format!("`{}` cannot be assigned", crate::text::reference(r)),
            "It always has the value that the run gives it.",
        );
    }

    /// A predefined name receives a field: what is meant is to take only messages with its value.
    fn read_only_target(&mut self, r: &VarRef) {
        let name = crate::text::reference(r);
        self.out.error_hint(
            "read-only",
            r.span,
            format!("`{name}` cannot receive a field"),
            format!("Write `eval({name})` to take only messages that have its value here."),
        );
    }

    /// The same scalar variable twice among the targets of a receive.
    fn check_twice(&mut self, patterns: &[Pattern], arguments: &[ReceiveArgument]) {
        let mut seen: HashSet<(Region, u32)> = HashSet::new();
        if patterns.len() != arguments.len() {
            return;
        }
        for (pattern, argument) in patterns.iter().zip(arguments) {
            let (Pattern::Store(place), ReceiveArgument::Variable(r)) = (pattern, argument) else {
                continue;
            };
            let scalar = r.segments.len() == 1 && r.segments[0].index.is_none();
            if !scalar {
                continue;
            }
            if !seen.insert((place.region, place.offset)) {
                let message =
                    format!("`{}` receives two fields of one message", crate::text::reference(r));
                self.out.report(
                    Diagnostic::error("received-twice", r.span, message)
                        .with_hint("Write `_` for a field that is not needed."),
                );
            }
        }
    }
}
