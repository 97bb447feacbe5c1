//! Expressions, places, message fields.

use crate::lower::{Inside, Lower, Symbol};
use crate::text;
use crate::types::{self, Type, VarInfo};
use promenade_base::{Diagnostic, Span};
use promenade_ir::{
    BinaryOp, ChannelTest as Test, Expr, IndexTerm, Pattern, Place, ScalarType, UnaryOp,
};
use promenade_promela_syntax::ast::{
    self, BinaryOperator as B, ExprKind, ReceiveArgument, UnaryOperator, VarRef,
};

const SPECIAL: [&str; 5] = ["_pid", "_nr_pr", "_last", "_priority", "_"];

impl Lower<'_> {
    /// An expression; what cannot be resolved is reported and becomes 0.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ExprKind::Int(n) => Expr::Const(*n),
            ExprKind::Bool(b) => Expr::Const(i32::from(*b)),
            ExprKind::Var(v) => self.var(v),
            ExprKind::Unary(op, inner) => {
                let inner = self.expr(inner);
                let op = match op {
                    UnaryOperator::Not => UnaryOp::Not,
                    UnaryOperator::Negate => UnaryOp::Negate,
                    UnaryOperator::Complement => UnaryOp::Complement,
                };
                fold_unary(op, inner)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Conditional(c, a, b) => Expr::Conditional(
                Box::new(self.expr(c)),
                Box::new(self.expr(a)),
                Box::new(self.expr(b)),
            ),
            ExprKind::Run { name, .. } => {
                self.error_hint(
                    "misplaced-run",
                    name.span,
                    "`run` inside an expression",
                    "Use `run` alone as a statement, or as the whole right side of an assignment.",
                );
                Expr::Const(0)
            }
            ExprKind::Len(q) => Expr::Len(Box::new(self.channel(q))),
            ExprKind::ChannelTest(test, q) => {
                let test = match test {
                    ast::ChannelTest::Full => Test::Full,
                    ast::ChannelTest::Empty => Test::Empty,
                    ast::ChannelTest::NotFull => Test::NotFull,
                    ast::ChannelTest::NotEmpty => Test::NotEmpty,
                };
                Expr::ChannelTest(test, Box::new(self.channel(q)))
            }
            ExprKind::Poll { channel, random, arguments } => {
                let target = Box::new(self.channel(channel));
                let patterns = self.patterns(arguments, true);
                Expr::Poll { channel: target, random: *random, patterns }
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => {
                if self.inside != Inside::Claim {
                    self.error("np-outside-claim", e.span, "`np_` outside of a never claim");
                }
                Expr::NonProgress
            }
            ExprKind::Enabled(p) => Expr::Enabled(Box::new(self.expr(p))),
            ExprKind::PcValue(p) => Expr::PcValue(Box::new(self.expr(p))),
            ExprKind::GetPriority(p) => {
                self.model.uses_priorities = true;
                Expr::GetPriority(Box::new(self.expr(p)))
            }
            ExprKind::RemoteLabel { process, index, label } => {
                self.remote_label(process, index.as_deref(), label)
            }
            ExprKind::RemoteVar { process, index, variable } => {
                self.remote_var(process, index.as_deref(), variable)
            }
            ExprKind::CExpr(_) | ExprKind::Error => Expr::Const(0),
        }
    }

    fn binary(&mut self, op: B, a: &ast::Expr, b: &ast::Expr) -> Expr {
        let arithmetic = matches!(
            op,
            B::Add
                | B::Sub
                | B::Mul
                | B::Div
                | B::Mod
                | B::BitAnd
                | B::BitOr
                | B::BitXor
                | B::ShiftLeft
                | B::ShiftRight
        );
        if arithmetic {
            for side in [a, b] {
                if let ExprKind::Var(v) = &side.kind
                    && matches!(self.type_of(v), Some(Type::Scalar(ScalarType::Chan)))
                {
                    self.error("channel-arithmetic", side.span, "arithmetic on a channel");
                }
            }
        }
        let (left, right) = (self.expr(a), self.expr(b));
        let (l, r) = (Box::new(left), Box::new(right));
        let op = match op {
            B::And => return Expr::And(l, r),
            B::Or => return Expr::Or(l, r),
            B::Add => BinaryOp::Add,
            B::Sub => BinaryOp::Sub,
            B::Mul => BinaryOp::Mul,
            B::Div => BinaryOp::Div,
            B::Mod => BinaryOp::Mod,
            B::BitAnd => BinaryOp::BitAnd,
            B::BitOr => BinaryOp::BitOr,
            B::BitXor => BinaryOp::BitXor,
            B::ShiftLeft => BinaryOp::ShiftLeft,
            B::ShiftRight => BinaryOp::ShiftRight,
            B::Equal => BinaryOp::Equal,
            B::NotEqual => BinaryOp::NotEqual,
            B::Less => BinaryOp::Less,
            B::LessEqual => BinaryOp::LessEqual,
            B::Greater => BinaryOp::Greater,
            B::GreaterEqual => BinaryOp::GreaterEqual,
        };
        fold_binary(op, l, r)
    }

    /// The value of a constant expression.
    pub fn constant(&mut self, e: &ast::Expr) -> Option<i32> {
        match self.expr(e) {
            Expr::Const(n) => Some(n),
            _ => None,
        }
    }

    fn var(&mut self, v: &VarRef) -> Expr {
        if let [segment] = &v.segments[..] {
            let name = &*segment.name.text;
            let special = match name {
                "_pid" => Some(Expr::Pid),
                "_nr_pr" => Some(Expr::NrPr),
                "_last" => {
                    self.model.uses_last = true;
                    Some(Expr::Last)
                }
                "_priority" => {
                    self.model.uses_priorities = true;
                    Some(Expr::Priority)
                }
                "_" => {
                    self.error("read-of-underscore", v.span, "`_` has no value to read");
                    Some(Expr::Const(0))
                }
                _ => None,
            };
            if let Some(special) = special {
                return special;
            }
            if let Some(Symbol::Mtype(value)) = self.lookup(name) {
                return Expr::Const(*value);
            }
        }
        self.place(v).map_or(Expr::Const(0), Expr::Load)
    }

    /// A channel operand.
    pub fn channel(&mut self, v: &VarRef) -> Expr {
        let Some(place) = self.place(v) else { return Expr::Const(0) };
        if place.ty != ScalarType::Chan {
            let message = format!("`{}` is not a channel", text::var(v));
            self.error("not-a-channel", v.span, message);
        }
        Expr::Load(place)
    }

    fn variable(&mut self, v: &VarRef) -> Option<VarInfo> {
        let name = &v.segments[0].name;
        match self.lookup(&name.text) {
            Some(Symbol::Variable(info)) => Some(info.clone()),
            Some(Symbol::Mtype(_)) => {
                let message = format!("`{}` is an mtype name, not a variable", name.text);
                self.error("not-a-variable", name.span, message);
                None
            }
            None => {
                let message = format!("undeclared variable `{}`", name.text);
                let mut diagnostic = Diagnostic::error("undeclared-variable", name.span, message);
                if let Some(near) = self.nearest(&name.text) {
                    diagnostic = diagnostic.with_hint(format!("Did you mean `{near}`?"));
                }
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let names = self.scopes.iter().flat_map(|s| s.keys());
        let mut best: Vec<(usize, &str)> = names
            .map(|n| (distance(name, n), &**n))
            .filter(|(d, _)| *d <= 1 + name.len() / 4)
            .collect();
        best.sort();
        best.first().map(|(_, n)| (*n).to_owned())
    }

    fn type_of(&mut self, v: &VarRef) -> Option<Type> {
        let Some(Symbol::Variable(info)) = self.lookup(&v.segments[0].name.text) else {
            return None;
        };
        let mut ty = info.ty.clone();
        for segment in &v.segments[1..] {
            let Type::Struct(index) = ty else { return None };
            ty =
                self.structs[index].fields.iter().find(|f| f.name == segment.name.text)?.ty.clone();
        }
        Some(ty)
    }

    /// A scalar cell.
    pub fn place(&mut self, v: &VarRef) -> Option<Place> {
        let (place, ty) = self.reference(v)?;
        match ty {
            Type::Scalar(ty) => Some(Place { ty, ..place }),
            Type::Struct(_) => {
                let message = format!("`{}` is a structure; name one of its fields", text::var(v));
                self.error("incomplete-structure", v.span, message);
                None
            }
        }
    }

    /// A cell or a whole structure; the place's type means nothing for a structure.
    pub fn reference(&mut self, v: &VarRef) -> Option<(Place, Type)> {
        let info = self.variable(v)?;
        self.reference_from(v, info)
    }

    fn reference_from(&mut self, v: &VarRef, info: VarInfo) -> Option<(Place, Type)> {
        let mut place = Place {
            region: info.region,
            offset: info.offset,
            ty: ScalarType::Byte,
            indices: Vec::new(),
        };
        let mut ty = info.ty;
        let mut array = (info.length, info.stride);
        for (i, segment) in v.segments.iter().enumerate() {
            if i > 0 {
                let Type::Struct(index) = ty else {
                    let message = format!("`{}` is not a structure", v.segments[i - 1].name.text);
                    self.error("not-a-structure", segment.name.span, message);
                    return None;
                };
                let field = self.structs[index].fields.iter().find(|f| f.name == segment.name.text);
                let Some(field) = field.cloned() else {
                    let message = format!(
                        "no field `{}` in `{}`",
                        segment.name.text, self.structs[index].name
                    );
                    self.error("unknown-field", segment.name.span, message);
                    return None;
                };
                place.offset += field.offset;
                array = (field.length, field.stride);
                ty = field.ty;
            }
            self.index(&mut place, segment, array)?;
        }
        Some((place, ty))
    }

    fn index(
        &mut self,
        place: &mut Place,
        segment: &ast::Segment,
        (length, stride): (Option<u32>, u32),
    ) -> Option<()> {
        match (&segment.index, length) {
            (None, None) => Some(()),
            (None, Some(_)) => {
                let message = format!("missing array index for `{}`", segment.name.text);
                self.error("missing-index", segment.name.span, message);
                None
            }
            (Some(index), length) => {
                let length = length.unwrap_or(1);
                match self.expr(index) {
                    Expr::Const(n) if n >= 0 && (n as u32) < length => {
                        place.offset += n as u32 * stride;
                    }
                    value => {
                        if let Expr::Const(n) = value {
                            self.warn(
                                "index-out-of-bounds",
                                index.span,
                                format!("index {n} is outside of 0..{}", length - 1),
                                "Evaluating this is a run-time error.",
                            );
                        }
                        place.indices.push(IndexTerm { value, length, stride, span: index.span });
                    }
                }
                Some(())
            }
        }
    }

    /// Fields of a receive or poll; whole structures are spelled out.
    pub fn patterns(&mut self, arguments: &[ReceiveArgument], poll: bool) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        let mut targets: Vec<String> = Vec::new();
        for argument in arguments {
            match argument {
                ReceiveArgument::Constant(n, _) => {
                    patterns.push(Pattern::Match(Expr::Const(*n as i32)))
                }
                ReceiveArgument::Eval(e, _) => {
                    let value = self.expr(e);
                    patterns.push(Pattern::Match(value));
                }
                ReceiveArgument::Variable(v) => {
                    if let [segment] = &v.segments[..] {
                        if &*segment.name.text == "_" {
                            patterns.push(Pattern::Any);
                            continue;
                        }
                        if let Some(Symbol::Mtype(value)) = self.lookup(&segment.name.text) {
                            patterns.push(Pattern::Match(Expr::Const(*value)));
                            continue;
                        }
                        if SPECIAL.contains(&&*segment.name.text) {
                            let message =
                                format!("`{}` cannot be received into", segment.name.text);
                            self.error("read-only", v.span, message);
                            continue;
                        }
                    }
                    let spelled = text::var(v);
                    if !poll && targets.contains(&spelled) {
                        let message = format!("`{spelled}` receives two fields of one message");
                        self.error("received-twice", v.span, message);
                    }
                    targets.push(spelled);
                    let Some((place, ty)) = self.reference(v) else { continue };
                    for cell in self.cells(&place, &ty, v.span) {
                        patterns.push(if poll { Pattern::Any } else { Pattern::Store(cell) });
                    }
                }
            }
        }
        patterns
    }

    /// The scalar cells of a reference in order.
    pub fn cells(&mut self, place: &Place, ty: &Type, span: Span) -> Vec<Place> {
        let mut found = Vec::new();
        collect(&self.structs, place, ty, &mut found);
        if found.len() > 10_000 {
            self.error("structure-too-large", span, "structure with more than 10,000 fields");
            found.clear();
        }
        found
    }

    /// Values of a send's or run's arguments; whole structures are spelled out.
    pub fn values(&mut self, arguments: &[ast::Expr]) -> Vec<Expr> {
        let mut values = Vec::new();
        for argument in arguments {
            if let ExprKind::Var(v) = &argument.kind
                && let Some(Type::Struct(_)) = self.type_of(v)
            {
                if let Some((place, ty)) = self.reference(v) {
                    values.extend(self.cells(&place, &ty, v.span).into_iter().map(Expr::Load));
                }
                continue;
            }
            values.push(self.expr(argument));
        }
        values
    }

    fn remote(
        &mut self,
        process: &ast::Name,
        index: Option<&ast::Expr>,
    ) -> Option<(crate::lower::ProcessName, Option<Box<Expr>>)> {
        let index = index.map(|i| Box::new(self.expr(i)));
        match self.processes.get(&process.text) {
            Some(found) if found.done => Some((found.clone(), index)),
            Some(_) => {
                let message = format!("`{}` is referred to before its definition", process.text);
                self.error_hint(
                    "remote-before-definition",
                    process.span,
                    message,
                    "Move the proctype above the reference.",
                );
                None
            }
            None => {
                let message = format!("unknown proctype `{}`", process.text);
                self.error("unknown-proctype", process.span, message);
                None
            }
        }
    }

    fn remote_label(
        &mut self,
        process: &ast::Name,
        index: Option<&ast::Expr>,
        label: &ast::Name,
    ) -> Expr {
        self.remote_labels_seen.insert(label.text.clone());
        let Some((found, index)) = self.remote(process, index) else { return Expr::Const(0) };
        match found.labels.get(&label.text) {
            Some(locations) => {
                Expr::RemoteLocation { proctype: found.id, index, locations: locations.clone() }
            }
            None => {
                let message = format!("no label `{}` in `{}`", label.text, process.text);
                self.error("unknown-label", label.span, message);
                Expr::Const(0)
            }
        }
    }

    fn remote_var(
        &mut self,
        process: &ast::Name,
        index: Option<&ast::Expr>,
        variable: &VarRef,
    ) -> Expr {
        let Some((found, index)) = self.remote(process, index) else { return Expr::Const(0) };
        let name = &variable.segments[0].name;
        let Some(info) = found.locals.get(&name.text).cloned() else {
            let message = format!("no variable `{}` in `{}`", name.text, process.text);
            self.error("unknown-local", name.span, message);
            return Expr::Const(0);
        };
        match self.reference_from(variable, info) {
            Some((place, Type::Scalar(ty))) => {
                Expr::RemoteLoad { proctype: found.id, index, place: Place { ty, ..place } }
            }
            Some(_) => {
                self.error("incomplete-structure", variable.span, "a whole structure");
                Expr::Const(0)
            }
            None => Expr::Const(0),
        }
    }
}

fn collect(structs: &[types::StructType], place: &Place, ty: &Type, found: &mut Vec<Place>) {
    if found.len() > 10_000 {
        return;
    }
    match ty {
        Type::Scalar(ty) => found.push(Place { ty: *ty, ..place.clone() }),
        Type::Struct(index) => {
            for field in &structs[*index].fields {
                for i in 0..field.length.unwrap_or(1) {
                    let mut inner = place.clone();
                    inner.offset += field.offset + i * field.stride;
                    collect(structs, &inner, &field.ty, found);
                }
            }
        }
    }
}

fn fold_unary(op: UnaryOp, inner: Expr) -> Expr {
    match (op, inner) {
        (UnaryOp::Not, Expr::Const(n)) => Expr::Const(i32::from(n == 0)),
        (UnaryOp::Negate, Expr::Const(n)) => Expr::Const(n.wrapping_neg()),
        (UnaryOp::Complement, Expr::Const(n)) => Expr::Const(!n),
        (op, inner) => Expr::Unary(op, Box::new(inner)),
    }
}

fn fold_binary(op: BinaryOp, l: Box<Expr>, r: Box<Expr>) -> Expr {
    let (Expr::Const(a), Expr::Const(b)) = (&*l, &*r) else { return Expr::Binary(op, l, r) };
    let (a, b) = (*a, *b);
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Mod if b == 0 => return Expr::Binary(op, l, r),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Mod => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
        BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
        BinaryOp::Equal => i32::from(a == b),
        BinaryOp::NotEqual => i32::from(a != b),
        BinaryOp::Less => i32::from(a < b),
        BinaryOp::LessEqual => i32::from(a <= b),
        BinaryOp::Greater => i32::from(a > b),
        BinaryOp::GreaterEqual => i32::from(a >= b),
    };
    Expr::Const(value)
}

/// Edits between two names (Levenshtein).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
