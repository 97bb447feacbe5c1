//! Initial values, and declarations that are steps.

use crate::body::BodyKind;
use crate::flow::Class;
use crate::lowering::{GlobalValues, Lowering};
use crate::types::{FieldValue, Shape, Ty, Var};
use promenade_base::Span;
use promenade_ir::{Action, Channel, Expr, Initializer as Initial, Place, Region, ScalarType};
use promenade_promela_syntax::ast::{Declaration, Declarator, Initializer, TypeName, Visibility};

/// The value of a declarator before it is spread over cells.
enum Value {
    None,
    All(Expr),
    List(Vec<Expr>),
    Channel,
}

/// Initial values being collected for one variable.
#[derive(Default)]
struct Collected {
    initializers: Vec<Initial>,
    channels: Vec<Channel>,
}

impl Lowering<'_> {
    /// The initial value of a field.
    pub(crate) fn field_value(&mut self, d: &Declarator, shape: &Shape) -> Option<FieldValue> {
        match self.value(d, shape)? {
            Value::None | Value::Channel => None,
            Value::All(e) => Some(FieldValue::All(e)),
            Value::List(list) => Some(FieldValue::List(list)),
        }
    }

    /// Checks and lowers the initializer; none after an error.
    fn value(&mut self, d: &Declarator, shape: &Shape) -> Option<Value> {
        match &d.initializer {
            None => Some(Value::None),
            Some(Initializer::Channel { .. }) => Some(Value::Channel),
            Some(Initializer::Value(e)) => {
                if let Ty::Struct(_) = shape.ty {
                    self.expr(e);
                    self.value_ignored(&d.name.text, e.span);
                    return Some(Value::None);
                }
                let name = &d.name.text;
                if !(shape.ty.is_chan() && self.number_for_channel(e, name, false)) {
                    self.check_assigned(e, shape, name, d.name.span, false);
                }
                Some(Value::All(self.expr(e)))
            }
            Some(Initializer::List(values, span)) => {
                if shape.length.is_none() {
                    self.out.error(
                        "list-initializer",
                        *span,
                        format!("`{}` is not an array and has no list of values", d.name.text),
                    );
                    return None;
                }
                if matches!(shape.ty, Ty::Struct(_)) {
                    for value in values {
                        self.expr(value);
                    }
                    self.value_ignored(&d.name.text, *span);
                    return Some(Value::None);
                }
                let extra = values.get(shape.count() as usize);
                if let Some(extra) = extra {
                    self.out.warning(
                        "list-initializer",
                        extra.span,
                        format!("array `{}` has only {} elements", d.name.text, shape.count()),
                        "The values from here on are not used.",
                    );
                }
                Some(Value::List(values.iter().map(|e| self.expr(e)).collect()))
            }
        }
    }

    /// SPIN takes a value for a structure, and does nothing with it.
    fn value_ignored(&mut self, name: &str, span: Span) {
        self.out.warning(
            "structure-value",
            span,
            format!("`{name}` is a structure: this value is ignored"),
            "Give initial values to the fields in the typedef.",
        );
    }

    /// Spreads a value over the cells of a variable.
    fn collect(&self, var: &Var, value: Value, out: &mut Collected) {
        let value = match value {
            Value::None | Value::Channel => None,
            Value::All(e) => Some(FieldValue::All(e)),
            Value::List(list) => Some(FieldValue::List(list)),
        };
        let place = Place {
            region: var.region,
            offset: var.offset,
            ty: ScalarType::Byte,
            indices: Vec::new(),
        };
        self.collect_cells(&var.shape, value.as_ref(), &place, &var.name, out);
    }

    fn collect_cells(
        &self,
        shape: &Shape,
        value: Option<&FieldValue>,
        at: &Place,
        name: &str,
        out: &mut Collected,
    ) {
        let stride = shape.element_bytes;
        let element = |i: u32, ty| {
            let mut place = at.clone();
            place.offset += i * stride;
            place.ty = ty;
            place
        };
        match shape.ty {
            Ty::Struct(index) => {
                let fields = &self.structs[index].fields;
                if !self.has_values(index) {
                    return;
                }
                for i in 0..shape.count() {
                    let name = match shape.length {
                        Some(_) => format!("{name}[{i}]"),
                        None => name.to_owned(),
                    };
                    for field in fields {
                        let mut place = element(i, ScalarType::Byte);
                        place.offset += field.offset;
                        let name = format!("{name}.{}", field.name);
                        self.collect_cells(&field.shape, field.value.as_ref(), &place, &name, out);
                    }
                }
            }
            Ty::Scalar(ty) => {
                if let Some(channel) = shape.channel {
                    for i in 0..shape.count().min(256) {
                        let name = match shape.length {
                            Some(_) => format!("{name}[{i}]"),
                            None => name.to_owned(),
                        };
                        let number = out.channels.len() as u32;
                        out.channels.push(Channel { ty: channel, name });
                        let place = element(i, ty);
                        out.initializers.push(Initial::Channel { place, channel: number });
                    }
                }
                match value {
                    None | Some(FieldValue::All(Expr::Const(0))) => {}
                    Some(FieldValue::All(value)) => out.initializers.push(Initial::Value {
                        place: element(0, ty),
                        value: value.clone(),
                        count: shape.count(),
                        stride,
                    }),
                    Some(FieldValue::List(values)) => {
                        let count = shape.count();
                        let used = values.len().min(count as usize);
                        for (i, value) in values.iter().take(used).enumerate() {
                            let last = i + 1 == used;
                            out.initializers.push(Initial::Value {
                                place: element(i as u32, ty),
                                value: value.clone(),
                                count: if last { count - i as u32 } else { 1 },
                                stride,
                            });
                        }
                    }
                }
            }
        }
    }

    /// Whether instances of a structure have channels or values other than zero.
    fn has_values(&self, index: usize) -> bool {
        self.structs[index].fields.iter().any(|f| {
            f.value.is_some()
                || f.shape.channel.is_some()
                || matches!(f.shape.ty, Ty::Struct(inner) if self.has_values(inner))
        })
    }

    /// One name of a declaration at top level.
    pub(crate) fn global_declarator(&mut self, d: &Declaration, declarator: &Declarator) {
        let name = &declarator.name;
        let Some(shape) = self.shape(d, declarator) else {
            self.declare_anyway(declarator);
            return;
        };
        let hidden = d.visibility == Visibility::Hidden;
        if hidden && matches!(d.ty, TypeName::Bit | TypeName::Bool | TypeName::Chan) {
            let what = if d.ty == TypeName::Chan { "channel" } else { "bit" };
            self.out.error_hint(
                "hidden-bit",
                name.span,
                format!("`{}` is a {what} and cannot be hidden", name.text),
                "Hide variables of other types, such as `byte`.",
            );
        }
        if d.ty == TypeName::Unsigned && declarator.array.is_some() {
            return;
        }
        if hidden
            && let Ty::Scalar(ScalarType::Unsigned(width)) = shape.ty
            && width != 8
        {
            self.out.warning(
                "hidden-unsigned",
                name.span,
                format!("SPIN's verifier keeps 8 bits of the hidden `{}`, not {width}", name.text),
                "Here it has the width that is written, as in SPIN's simulator. Declare it as a byte \
                 if that is what you want.",
            );
        }
        self.uses.reads.clear();
        let value = self.value(declarator, &shape);
        let reads = std::mem::take(&mut self.uses.reads);
        if !self.check_free(name) {
            return;
        }
        let region = if hidden { Region::Hidden } else { Region::Global };
        let Some(var) = self.allocate(declarator, shape, region, false) else { return };
        let Some(value) = value else { return };
        let mut collected = Collected::default();
        self.collect(&var, value, &mut collected);
        self.global_values.push(GlobalValues {
            rank: rank(&d.ty),
            initializers: collected.initializers,
            channels: collected.channels,
            number: var.number,
            span: name.span,
            reads,
        });
    }

    /// After an error in its type: a variable of that name, so that its uses are not reported.
    pub(crate) fn declare_anyway(&mut self, declarator: &Declarator) {
        if self.find(&declarator.name.text).is_some()
            || crate::names::is_predefined(&declarator.name.text)
        {
            return;
        }
        let shape = Shape {
            ty: Ty::Scalar(ScalarType::Int),
            length: declarator.array.as_ref().map(|_| u32::from(u8::MAX)),
            element_bytes: 4,
            set: None,
            channel: None,
            bits: None,
        };
        let local = self.body.kind != BodyKind::None;
        let region = if local { Region::Local } else { Region::Global };
        self.allocate(declarator, shape, region, false);
    }

    /// A declaration inside a body: initial values at its start, else steps.
    pub(crate) fn local(&mut self, d: &Declaration) {
        if d.visibility == Visibility::Hidden {
            self.hidden_local(d.span);
        }
        if self.body.kind == BodyKind::Claim || self.body.kind == BodyKind::Trace {
            let what = if self.body.kind == BodyKind::Claim { "a never claim" } else { "a trace" };
            self.out.error_hint(
                "claim-local",
                d.span,
                format!("{what} cannot have variables of its own"),
                "Use global variables.",
            );
        }
        for declarator in &d.declarators {
            self.local_declarator(d, declarator);
        }
    }

    fn local_declarator(&mut self, d: &Declaration, declarator: &Declarator) {
        let name = &declarator.name;
        let Some(shape) = self.shape(d, declarator) else {
            self.declare_anyway(declarator);
            return;
        };
        let early = self.body.early;
        let value = self.value(declarator, &shape);
        if !self.check_free(name) {
            return;
        }
        let Some(var) = self.allocate(declarator, shape, Region::Local, false) else { return };
        let Some(value) = value else { return };
        if early {
            let mut collected = Collected::default();
            self.collect(&var, value, &mut collected);
            let first = self.body.channels.len() as u32;
            self.body.channels.append(&mut collected.channels);
            for mut initial in collected.initializers {
                if let Initial::Channel { channel, .. } = &mut initial {
                    *channel += first;
                }
                self.body.initializers.push(initial);
            }
            return;
        }
        self.late(declarator, &var, value);
    }

    /// A declaration behind the first statement is an assignment.
    fn late(&mut self, declarator: &Declarator, var: &Var, value: Value) {
        let name = &declarator.name;
        let span = match &declarator.initializer {
            Some(Initializer::Value(e)) => name.span.to(e.span),
            Some(Initializer::List(_, span) | Initializer::Channel { span, .. }) => {
                name.span.to(*span)
            }
            None => name.span,
        };
        let value = match value {
            Value::Channel => {
                return self.late_error(
                    "late-channel",
                    span,
                    format!("channel `{}` is made in the middle of a body", name.text),
                    "Declare it at the start of the body, in front of all statements.",
                );
            }
            Value::List(_) => {
                return self.late_error(
                    "late-list-initializer",
                    span,
                    format!("array `{}` has a list of values in the middle of a body", name.text),
                    "Declare it at the start of the body, or assign its elements.",
                );
            }
            Value::None => Expr::Const(0),
            Value::All(e) => e,
        };
        let (action, text) = match var.shape.ty {
            Ty::Struct(index) => {
                if self.has_values(index) {
                    // The values are given when the process starts, as SPIN does.
                    let mut collected = Collected::default();
                    self.collect(var, Value::None, &mut collected);
                    let first = self.body.channels.len() as u32;
                    self.body.channels.append(&mut collected.channels);
                    for mut initial in collected.initializers {
                        if let Initial::Channel { channel, .. } = &mut initial {
                            *channel += first;
                        }
                        self.body.initializers.push(initial);
                    }
                }
                self.out.warning(
                    "late-declaration",
                    name.span,
                    format!("`{}` keeps its old values when control comes here again", name.text),
                    "A structure declared behind a statement is not set again; assign its fields.",
                );
                (Action::Skip, format!("{} {}", self.structs[index].name, name.text))
            }
            Ty::Scalar(ty) => {
                let place =
                    Place { region: Region::Local, offset: var.offset, ty, indices: Vec::new() };
                let mut target = name.text.to_string();
                if var.shape.length.is_some() {
                    self.out.warning(
                        "late-declaration",
                        name.span,
                        format!("only element 0 of `{}` is set here", name.text),
                        "An array declared behind a statement keeps its other elements.",
                    );
                    target.push_str("[0]");
                }
                let text = match &declarator.initializer {
                    Some(Initializer::Value(e)) => {
                        format!("{target} = {}", crate::text::expression(e))
                    }
                    _ => format!("{target} = 0"),
                };
                (Action::Assign { target: Some(place), value }, text)
            }
        };
        let statement = self.statement_id(span, text);
        self.add_step(action, Class::Other, statement, span);
    }

    fn late_error(&mut self, code: &'static str, span: Span, message: String, hint: &str) {
        self.out.error_hint(code, span, message, hint);
    }
}

/// SPIN gives globals their values sorted by type in this order.
fn rank(ty: &TypeName) -> u8 {
    match ty {
        TypeName::Unsigned => 0,
        TypeName::Bit | TypeName::Bool => 1,
        TypeName::Byte | TypeName::Pid => 2,
        TypeName::Chan => 3,
        TypeName::Mtype(_) => 4,
        TypeName::Short => 5,
        TypeName::Int => 6,
        TypeName::Named(_) => 7,
    }
}
