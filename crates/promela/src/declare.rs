//! Declarations: types, layout, initial values.

use crate::lower::{Lower, Symbol};
use crate::types::{self, Field, StructType, Type, VarInfo};
use promenade_base::Span;
use promenade_ir::{
    Channel, ChannelType, ChannelTypeId, Expr, Initializer, MtypeSet, MtypeSetId, Place, Region,
    ScalarType,
};
use promenade_promela_syntax::ast::{self, Declaration, Declarator, TypeName, Visibility};

/// Where a declaration puts its variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Global,
    Body,
}

impl Lower<'_> {
    fn type_name(
        &mut self,
        name: &TypeName,
        width: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Type> {
        let scalar = match name {
            TypeName::Bit => ScalarType::Bit,
            TypeName::Bool => ScalarType::Bool,
            TypeName::Byte => ScalarType::Byte,
            TypeName::Short => ScalarType::Short,
            TypeName::Int => ScalarType::Int,
            TypeName::Pid => ScalarType::Pid,
            TypeName::Chan => ScalarType::Chan,
            TypeName::Mtype(set) => ScalarType::Mtype(self.mtype_set(set.as_ref())),
            TypeName::Unsigned => {
                let Some(width) = width else {
                    self.error_hint(
                        "missing-width",
                        span,
                        "`unsigned` without a width",
                        "Write `unsigned x : n`, with n from 1 to 31.",
                    );
                    return None;
                };
                match self.constant(width) {
                    Some(n) if (1..=31).contains(&n) => {
                        return Some(Type::Scalar(ScalarType::Unsigned(n as u8)));
                    }
                    _ => {
                        self.error(
                            "bad-width",
                            width.span,
                            "the width of an unsigned must be 1 to 31",
                        );
                        return None;
                    }
                }
            }
            TypeName::Named(name) => {
                return match self.struct_names.get(&name.text) {
                    Some(index) => Some(Type::Struct(*index)),
                    None => {
                        let message = format!("unknown type `{}`", name.text);
                        self.error("unknown-type", name.span, message);
                        None
                    }
                };
            }
        };
        if let Some(width) = width {
            self.error("width-of-other-type", width.span, "only an `unsigned` can have a width");
        }
        Some(Type::Scalar(scalar))
    }

    fn mtype_set(&mut self, set: Option<&ast::Name>) -> MtypeSetId {
        let wanted = set.map(|n| n.text.to_string());
        let found = self.model.mtypes.iter().position(|s| s.name == wanted);
        let index = found.unwrap_or_else(|| {
            self.model.mtypes.push(MtypeSet { name: wanted, members: Vec::new() });
            self.model.mtypes.len() - 1
        });
        MtypeSetId(index as u8)
    }

    pub fn typedef(&mut self, def: &ast::Typedef) {
        let mut made = StructType { name: def.name.text.to_string(), ..StructType::default() };
        for declaration in &def.fields {
            for declarator in &declaration.declarators {
                let Some(ty) = self.type_name(
                    &declaration.ty,
                    declarator.width.as_ref(),
                    declaration.type_span,
                ) else {
                    continue;
                };
                let length = self.array_length(declarator);
                let ty = types::element(ty, length.is_some());
                let stride = types::bytes(&self.structs, &ty);
                let size = u64::from(stride) * u64::from(length.unwrap_or(1));
                if u64::from(made.bytes) + size > 1 << 20 {
                    self.error(
                        "structure-too-large",
                        declarator.name.span,
                        "structure larger than 1 MiB",
                    );
                    return;
                }
                let (mut init, mut channel) = (None, None);
                match &declarator.initializer {
                    Some(ast::Initializer::Value(e)) => init = self.constant(e),
                    Some(ast::Initializer::Channel { capacity, fields, .. }) => {
                        let capacity = self.capacity(capacity);
                        let fields = self.message_fields(fields);
                        channel = Some((capacity, fields));
                    }
                    Some(ast::Initializer::List(_, span)) => {
                        self.error("list-in-typedef", *span, "list initializer in a typedef");
                    }
                    None => {}
                }
                if made.fields.iter().any(|f| f.name == declarator.name.text) {
                    self.error(
                        "redeclared",
                        declarator.name.span,
                        format!("field `{}` is declared already", declarator.name.text),
                    );
                    continue;
                }
                made.fields.push(Field {
                    name: declarator.name.text.clone(),
                    ty,
                    length,
                    offset: made.bytes,
                    stride,
                    init,
                    channel,
                    span: declarator.name.span,
                });
                made.bytes += size as u32;
            }
        }
        self.structs.push(made);
        let index = self.structs.len() - 1;
        if self.struct_names.insert(def.name.text.clone(), index).is_some() {
            self.error(
                "redeclared",
                def.name.span,
                format!("type `{}` is defined already", def.name.text),
            );
        }
    }

    fn array_length(&mut self, declarator: &Declarator) -> Option<u32> {
        let size = declarator.array.as_ref()?;
        match self.constant(size) {
            Some(n) if (1..=1 << 20).contains(&n) => Some(n as u32),
            Some(_) => {
                self.error(
                    "bad-array-size",
                    size.span,
                    format!("bad array size for `{}`", declarator.name.text),
                );
                Some(1)
            }
            None => {
                // SPIN takes the initial value of a variable.
                let value = self.initial_value(size);
                match value {
                    Some(n) if n >= 1 => {
                        self.warn(
                            "array-size-variable",
                            size.span,
                            "array size is a variable",
                            format!("Its initial value {n} is used; write a constant."),
                        );
                        Some(n as u32)
                    }
                    _ => {
                        self.error(
                            "bad-array-size",
                            size.span,
                            format!("bad array size for `{}`", declarator.name.text),
                        );
                        Some(1)
                    }
                }
            }
        }
    }

    /// The initial value of a global scalar that is initialised with a constant.
    fn initial_value(&mut self, e: &ast::Expr) -> Option<i32> {
        let ast::ExprKind::Var(v) = &e.kind else { return None };
        let place = self.place(v)?;
        let found = self.model.initializers.iter().find_map(|i| match i {
            Initializer::Value { place: p, value: Expr::Const(n), .. }
                if p.offset == place.offset && p.region == place.region =>
            {
                Some(*n)
            }
            _ => None,
        });
        found.or(Some(1))
    }

    fn capacity(&mut self, e: &ast::Expr) -> u32 {
        match self.constant(e) {
            Some(n) if (0..=65_535).contains(&n) => n as u32,
            _ => {
                self.error(
                    "bad-capacity",
                    e.span,
                    "the capacity of a channel must be a constant from 0 to 65535",
                );
                0
            }
        }
    }

    fn message_fields(&mut self, fields: &[(TypeName, Span)]) -> Vec<ScalarType> {
        let mut flat = Vec::new();
        for (name, span) in fields {
            if let Some(ty) = self.type_name(name, None, *span) {
                flat.extend(types::flatten(&self.structs, &ty));
            }
        }
        if flat.is_empty() {
            flat.push(ScalarType::Byte);
        }
        self.widest = self.widest.max(flat.len());
        flat
    }

    fn channel_type(&mut self, capacity: u32, fields: Vec<ScalarType>) -> ChannelTypeId {
        let ty = ChannelType { capacity, fields };
        let found = self.model.channel_types.iter().position(|t| *t == ty);
        ChannelTypeId(found.unwrap_or_else(|| {
            self.model.channel_types.push(ty);
            self.model.channel_types.len() - 1
        }) as u16)
    }

    pub fn global(&mut self, d: &Declaration) {
        self.declaration(d, Owner::Global);
    }

    /// Declares and initialises; for bodies this is the form at their start.
    pub fn declaration(&mut self, d: &Declaration, owner: Owner) {
        for declarator in &d.declarators {
            let Some(info) = self.allocate(d, declarator, owner, false) else { continue };
            self.initialise(declarator, &info, owner);
            self.declare(&declarator.name, Symbol::Variable(info));
        }
    }

    /// Gives a variable its bytes.
    pub fn allocate(
        &mut self,
        d: &Declaration,
        declarator: &Declarator,
        owner: Owner,
        parameter: bool,
    ) -> Option<VarInfo> {
        let ty = self.type_name(&d.ty, declarator.width.as_ref(), d.type_span)?;
        let length = self.array_length(declarator);
        if length.is_some() && matches!(ty, Type::Scalar(ScalarType::Bit | ScalarType::Bool)) {
            self.warn(
                "bit-array",
                declarator.name.span,
                format!(
                    "cells of the {} array `{}` are bytes",
                    if d.ty == TypeName::Bit { "bit" } else { "bool" },
                    declarator.name.text
                ),
                "As in SPIN, values are not cut to one bit here.",
            );
        }
        let ty = types::element(ty, length.is_some());
        let stride = types::bytes(&self.structs, &ty);
        let size = stride.checked_mul(length.unwrap_or(1)).filter(|s| *s <= 1 << 20);
        let Some(size) = size else {
            self.error("variable-too-large", declarator.name.span, "variable larger than 1 MiB");
            return None;
        };
        let mut region = if owner == Owner::Global { Region::Global } else { Region::Local };
        if d.visibility == Visibility::Hidden {
            if owner == Owner::Body {
                self.error(
                    "hidden-local",
                    declarator.name.span,
                    format!("only globals can be hidden, `{}` is not one", declarator.name.text),
                );
            } else if ty == Type::Scalar(ScalarType::Bit) {
                self.error(
                    "hidden-bit",
                    declarator.name.span,
                    format!("bit variable `{}` cannot be hidden", declarator.name.text),
                );
            } else {
                region = Region::Hidden;
            }
        }
        let counter = match region {
            Region::Global => &mut self.model.global_bytes,
            Region::Hidden => &mut self.model.hidden_bytes,
            Region::Local => &mut self.body.local_bytes,
        };
        let offset = *counter;
        *counter += size;
        if *counter > 16 << 20 {
            self.error("variable-too-large", declarator.name.span, "more than 16 MiB of variables");
            return None;
        }
        let info =
            VarInfo { region, ty, length, offset, stride, span: declarator.name.span, parameter };
        let leaves = types::leaves(&self.structs, &declarator.name.text, &info);
        match region {
            Region::Global => self.model.globals.extend(leaves),
            Region::Hidden => self.model.hidden.extend(leaves),
            Region::Local => {
                self.body.locals.extend(leaves);
                self.body.names.entry(declarator.name.text.clone()).or_insert_with(|| info.clone());
            }
        }
        Some(info)
    }

    fn initializers(&mut self, owner: Owner) -> &mut Vec<Initializer> {
        match owner {
            Owner::Global => &mut self.model.initializers,
            Owner::Body => &mut self.body.initializers,
        }
    }

    fn channels(&mut self, owner: Owner) -> &mut Vec<Channel> {
        match owner {
            Owner::Global => &mut self.model.channels,
            Owner::Body => &mut self.body.channels,
        }
    }

    fn initialise(&mut self, declarator: &Declarator, info: &VarInfo, owner: Owner) {
        let base = Place {
            region: info.region,
            offset: info.offset,
            ty: ScalarType::Byte,
            indices: Vec::new(),
        };
        let count = info.length.unwrap_or(1);
        if let Type::Struct(index) = info.ty {
            if declarator.initializer.is_some() {
                self.error(
                    "structure-initializer",
                    declarator.name.span,
                    format!("structure `{}` cannot have an initial value", declarator.name.text),
                );
            }
            for i in 0..count {
                let name = if info.length.is_some() {
                    format!("{}[{i}]", declarator.name.text)
                } else {
                    declarator.name.text.to_string()
                };
                self.initialise_struct(index, &name, info.offset + i * info.stride, info, owner);
            }
            return;
        }
        let Type::Scalar(ty) = info.ty else { return };
        let place = Place { ty, ..base };
        match &declarator.initializer {
            None => {}
            Some(ast::Initializer::Value(e)) => {
                if matches!(e.kind, ast::ExprKind::Run { .. }) {
                    self.error("run-in-initializer", e.span, "`run` in an initial value");
                    return;
                }
                let value = self.expr(e);
                self.check_mtype(ty, e);
                self.initializers(owner).push(Initializer::Value {
                    place,
                    value,
                    count,
                    stride: info.stride,
                });
            }
            Some(ast::Initializer::List(values, span)) => {
                if info.length.is_none() {
                    self.error(
                        "list-for-scalar",
                        *span,
                        "a list of values for a variable that is no array",
                    );
                    return;
                }
                let values: Vec<Expr> = values.iter().map(|e| self.expr(e)).collect();
                for i in 0..count {
                    let Some(value) = values.get(i as usize).or(values.last()) else { break };
                    let place = Place { offset: place.offset + i * info.stride, ..place.clone() };
                    let value = value.clone();
                    self.initializers(owner).push(Initializer::Value {
                        place,
                        value,
                        count: 1,
                        stride: 0,
                    });
                }
            }
            Some(ast::Initializer::Channel { capacity, fields, span }) => {
                if ty != ScalarType::Chan {
                    self.error(
                        "channel-initializer",
                        *span,
                        format!("`{}` is not a channel", declarator.name.text),
                    );
                    return;
                }
                let capacity = self.capacity(capacity);
                let fields = self.message_fields(fields);
                for i in 0..count {
                    let name = if info.length.is_some() {
                        format!("{}[{i}]", declarator.name.text)
                    } else {
                        declarator.name.text.to_string()
                    };
                    let place = Place { offset: place.offset + i * info.stride, ..place.clone() };
                    self.create_channel(
                        name,
                        capacity,
                        fields.clone(),
                        place,
                        declarator.name.span,
                        owner,
                    );
                }
            }
        }
    }

    fn initialise_struct(
        &mut self,
        index: usize,
        name: &str,
        offset: u32,
        info: &VarInfo,
        owner: Owner,
    ) {
        for field in self.structs[index].fields.clone() {
            for i in 0..field.length.unwrap_or(1) {
                let at = offset + field.offset + i * field.stride;
                let name = match field.length {
                    Some(_) => format!("{name}.{}[{i}]", field.name),
                    None => format!("{name}.{}", field.name),
                };
                match &field.ty {
                    Type::Struct(inner) => self.initialise_struct(*inner, &name, at, info, owner),
                    Type::Scalar(ty) => {
                        let place =
                            Place { region: info.region, offset: at, ty: *ty, indices: Vec::new() };
                        if let Some((capacity, fields)) = &field.channel {
                            self.create_channel(
                                name,
                                *capacity,
                                fields.clone(),
                                place,
                                field.span,
                                owner,
                            );
                        } else if let Some(n) = field.init {
                            self.initializers(owner).push(Initializer::Value {
                                place,
                                value: Expr::Const(n),
                                count: 1,
                                stride: 0,
                            });
                        }
                    }
                }
            }
        }
    }

    fn create_channel(
        &mut self,
        name: String,
        capacity: u32,
        fields: Vec<ScalarType>,
        place: Place,
        span: Span,
        owner: Owner,
    ) {
        let ty = self.channel_type(capacity, fields);
        let channel = self.channels(owner).len() as u32;
        if channel >= 255 {
            if channel == 255 {
                self.error("too-many-channels", span, "more than 255 channels");
            }
            return;
        }
        self.channels(owner).push(Channel { ty, name });
        self.initializers(owner).push(Initializer::Channel { place, channel });
    }

    /// Parameters of a proctype; gives their cells in order.
    pub fn parameters(&mut self, declarations: &[Declaration]) -> Vec<Place> {
        let mut cells = Vec::new();
        for d in declarations {
            for declarator in &d.declarators {
                if declarator.initializer.is_some() {
                    self.error(
                        "parameter-initializer",
                        declarator.name.span,
                        "initial value of a parameter",
                    );
                }
                if declarator.array.is_some() {
                    self.error_hint(
                        "array-parameter",
                        declarator.name.span,
                        format!("array `{}` as a parameter", declarator.name.text),
                        "Pass an index into a global array, or a structure without arrays.",
                    );
                    continue;
                }
                let Some(info) = self.allocate(d, declarator, Owner::Body, true) else { continue };
                if let Type::Struct(index) = info.ty
                    && has_array(&self.structs, index)
                {
                    self.error(
                        "array-parameter",
                        declarator.name.span,
                        "parameter with a hidden array in its structure",
                    );
                }
                self.declare(&declarator.name, Symbol::Variable(info.clone()));
                let place = Place {
                    region: Region::Local,
                    offset: info.offset,
                    ty: ScalarType::Byte,
                    indices: Vec::new(),
                };
                let mut found = self.cells(&place, &info.ty, declarator.name.span);
                cells.append(&mut found);
            }
        }
        cells
    }

    /// Assignments between different named mtype sets are refused.
    pub fn check_mtype(&mut self, target: ScalarType, value: &ast::Expr) {
        let ScalarType::Mtype(set) = target else { return };
        let Some(wanted) = self.model.mtypes[set.0 as usize].name.clone() else { return };
        let ast::ExprKind::Var(v) = &value.kind else { return };
        let [segment] = &v.segments[..] else { return };
        if !matches!(self.lookup(&segment.name.text), Some(Symbol::Mtype(_))) {
            return;
        }
        let owner =
            self.model.mtypes.iter().find(|s| s.members.iter().any(|m| m.0 == *segment.name.text));
        if let Some(other) = owner.and_then(|s| s.name.clone())
            && other != wanted
        {
            self.error(
                "mtype-mismatch",
                v.span,
                format!("`{}` belongs to mtype:{other}, not to mtype:{wanted}", segment.name.text),
            );
        }
    }
}

fn has_array(structs: &[StructType], index: usize) -> bool {
    structs[index].fields.iter().any(|f| {
        f.length.is_some() || matches!(f.ty, Type::Struct(inner) if has_array(structs, inner))
    })
}
