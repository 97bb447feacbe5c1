//! Declarations: types, layout, parameters, typedefs and mtype lists.

use crate::body::BodyKind;
use crate::lowering::Lowering;
use crate::names::{Named, Symbol};
use crate::types::{
    Field, MAX_REGION_BYTES, MAX_SCALARS, MAX_STRUCT_DEPTH, Shape, Struct, Ty, Var, leaves,
};
use promenade_base::{Diagnostic, Span};
use promenade_ir::{
    ChannelType, Dimension, MtypeSet, MtypeSetId, Place, Region, ScalarType, Variable,
};
use promenade_promela_syntax::ast::{
    self, Declaration, Declarator, Expr, Initializer, MtypeList, Name, TypeName, Typedef,
    Visibility,
};
use std::collections::HashMap;
use std::rc::Rc;

impl Lowering<'_> {
    /// `mtype = { a, b }`: the last name is 1; a further list of the same set goes on counting.
    pub(crate) fn mtype_list(&mut self, list: &MtypeList) {
        let set = match &list.set {
            None => MtypeSetId(0),
            Some(name) => match self.mtype_set(name) {
                Some(set) => set,
                None => return,
            },
        };
        let before = self.model.mtypes[usize::from(set.0)].members.len();
        if before + list.names.len() > 255 {
            self.out.error("too-many-mtypes", list.span, "a set has at most 255 mtype names");
            return;
        }
        for (i, name) in list.names.iter().enumerate().rev() {
            let value = (before + list.names.len() - i) as i32;
            if self.check_free(name) {
                let named = Named { symbol: Symbol::Mtype(value, set), span: name.span };
                self.globals.insert(name.text.clone(), named);
            }
            let member = (name.text.to_string(), value);
            self.model.mtypes[usize::from(set.0)].members.push(member);
        }
    }

    /// The set `mtype:name`, made on its first use.
    fn mtype_set(&mut self, name: &Name) -> Option<MtypeSetId> {
        let sets = &mut self.model.mtypes;
        if let Some(i) = sets.iter().position(|s| s.name.as_deref() == Some(&*name.text)) {
            return Some(MtypeSetId(i as u8));
        }
        if sets.len() > 255 {
            self.out.error("too-many-mtypes", name.span, "there are more than 255 mtype sets");
            return None;
        }
        sets.push(MtypeSet { name: Some(name.text.to_string()), members: Vec::new() });
        Some(MtypeSetId((sets.len() - 1) as u8))
    }

    /// `typedef T { .. }`. Fields refer to types above only, so there is no recursion.
    pub(crate) fn typedef(&mut self, typedef: &Typedef) {
        let free = self.check_free(&typedef.name);
        let mut fields: Vec<Field> = Vec::new();
        let mut by_name: HashMap<Rc<str>, usize> = HashMap::new();
        let mut bytes = 0u64;
        for declaration in &typedef.fields {
            if declaration.visibility == Visibility::Hidden {
                self.out.error(
                    "hidden-local",
                    declaration.span,
                    "only global variables can be hidden, not fields",
                );
            }
            for declarator in &declaration.declarators {
                let Some(shape) = self.shape(declaration, declarator) else { continue };
                let known = by_name.get(&declarator.name.text).and_then(|&at| fields.get(at));
                if let Some(old) = known {
                    let diagnostic = Diagnostic::error(
                        "redeclaration",
                        declarator.name.span,
                        format!("field `{}` is declared twice", declarator.name.text),
                    );
                    self.out.report(diagnostic.with_related(old.span, "declared here"));
                    continue;
                }
                let value = self.field_value(declarator, &shape);
                let offset = bytes as u32;
                bytes += shape.bytes();
                if bytes > MAX_REGION_BYTES {
                    self.too_large(declarator.name.span);
                    return;
                }
                let (name, span) = (declarator.name.text.clone(), declarator.name.span);
                by_name.insert(name.clone(), fields.len());
                fields.push(Field { name, shape, offset, span, value });
            }
        }
        if free {
            let index = self.structs.len();
            let (name, span) = (typedef.name.text.clone(), typedef.name.span);
            let inner = |f: &Field| match f.shape.ty {
                Ty::Struct(index) => (self.structs[index].depth, self.structs[index].scalars),
                Ty::Scalar(_) => (0, 1),
            };
            let depth = fields.iter().map(|f| inner(f).0).max().unwrap_or(0) + 1;
            let scalars = fields.iter().map(|f| inner(f).1).sum();
            if scalars > MAX_SCALARS {
                return self.too_many(span);
            }
            if depth > MAX_STRUCT_DEPTH {
                self.out.error("nesting-limit", span, "structures are nested too deeply");
                return;
            }
            let bytes = bytes as u32;
            let name = name.clone();
            self.structs.push(Struct { name, fields, bytes, depth, scalars, by_name });
            let name = typedef.name.text.clone();
            self.globals.insert(name, Named { symbol: Symbol::Typedef(index), span });
        }
    }

    /// Once: what is declared behind the first variable without room has none, either.
    fn too_many(&mut self, span: Span) {
        if self.out.has("too-many-variables") {
            return;
        }
        self.out.error_hint(
            "too-many-variables",
            span,
            format!("there are more than {MAX_SCALARS} variables"),
            "Use arrays; an array counts once.",
        );
    }

    fn too_large(&mut self, span: Span) {
        if self.out.has("state-too-large") {
            return;
        }
        self.out.error_hint(
            "state-too-large",
            span,
            format!("these variables take more than {} bytes", MAX_REGION_BYTES),
            "A state has all of them; use smaller arrays or types.",
        );
    }

    /// Type, array length and channel of a declarator; none after an error.
    pub(crate) fn shape(&mut self, d: &Declaration, declarator: &Declarator) -> Option<Shape> {
        let name = &declarator.name;
        let length = match &declarator.array {
            None => None,
            Some(size) => Some(self.array_length(name, size)?),
        };
        let (ty, set) = self.declared_type(d, declarator, length.is_some())?;
        let channel = match &declarator.initializer {
            Some(Initializer::Channel { capacity, fields, span }) => {
                if !ty.is_chan() {
                    self.out.error(
                        "channel-initializer",
                        *span,
                        format!("`{}` is not a channel and cannot be made one", name.text),
                    );
                    return None;
                }
                let ty = self.channel_initializer(capacity, fields, *span)?;
                Some(self.channel_type(ty))
            }
            _ => None,
        };
        let element_bytes = match ty {
            Ty::Scalar(ty) => ty.bytes(),
            Ty::Struct(index) => self.structs[index].bytes,
        };
        let bits = match d.ty {
            TypeName::Bit if length.is_some() => Some(ScalarType::Bit),
            TypeName::Bool if length.is_some() => Some(ScalarType::Bool),
            _ => None,
        };
        Some(Shape { ty, length, element_bytes, set, channel, bits })
    }

    fn array_length(&mut self, name: &Name, size: &Expr) -> Option<u32> {
        if let Some(value) = self.initialized_variable(size) {
            let length = value.filter(|&v| v > 0);
            self.out.warning(
                "variable-array-size",
                size.span,
                format!(
                    "the size of `{}` is a variable, taken as {}",
                    name.text,
                    length.unwrap_or(8)
                ),
                "Sizes are fixed when the model is read; use a `#define`.",
            );
            return Some(length.unwrap_or(8) as u32);
        }
        let value = self.constant(size, "the size of an array")?;
        if value <= 0 {
            let message = format!("array `{}` has the size {value}", name.text);
            self.out.error_hint("array-size", size.span, message, "It needs at least one element.");
            return None;
        }
        Some(value as u32)
    }

    fn declared_type(
        &mut self,
        d: &Declaration,
        declarator: &Declarator,
        array: bool,
    ) -> Option<(Ty, Option<MtypeSetId>)> {
        let name = &declarator.name;
        let unsigned = d.ty == TypeName::Unsigned;
        if let Some(width) = declarator.width.as_ref().filter(|_| !unsigned) {
            self.out.error_hint(
                "width",
                width.span,
                format!("only an unsigned variable has a width, `{}` has none", name.text),
                "Write `unsigned x : 4`.",
            );
            return None;
        }
        let scalar = match &d.ty {
            TypeName::Bit if array => ScalarType::Byte,
            TypeName::Bool if array => ScalarType::Byte,
            TypeName::Bit => ScalarType::Bit,
            TypeName::Bool => ScalarType::Bool,
            TypeName::Byte => ScalarType::Byte,
            TypeName::Short => ScalarType::Short,
            TypeName::Int => ScalarType::Int,
            TypeName::Pid => ScalarType::Pid,
            TypeName::Chan => ScalarType::Chan,
            TypeName::Mtype(None) => ScalarType::Mtype(MtypeSetId(0)),
            TypeName::Mtype(Some(set)) => {
                let set = self.mtype_set(set)?;
                return Some((Ty::Scalar(ScalarType::Mtype(set)), Some(set)));
            }
            TypeName::Unsigned => ScalarType::Unsigned(self.width(declarator)?),
            TypeName::Named(type_name) => {
                return self.struct_type(type_name).map(|ty| (ty, None));
            }
        };
        Some((Ty::Scalar(scalar), None))
    }

    fn width(&mut self, declarator: &Declarator) -> Option<u8> {
        let name = &declarator.name;
        let Some(width) = &declarator.width else {
            self.out.error_hint(
                "width",
                name.span,
                format!("`{}` is unsigned and needs a width", name.text),
                "Write `unsigned x : 4`.",
            );
            return None;
        };
        if let Some(size) = &declarator.array {
            self.out.error(
                "width",
                size.span,
                format!("`{}` cannot be an array of unsigned elements", name.text),
            );
            return None;
        }
        match self.constant(width, "a width")? {
            bits @ 1..=31 => Some(bits as u8),
            bits => {
                self.out.error_hint(
                    "width",
                    width.span,
                    format!("`{}` has {bits} bits", name.text),
                    "An unsigned variable has 1 to 31 bits; use `int` for more.",
                );
                None
            }
        }
    }

    /// The structure of this name.
    fn struct_type(&mut self, name: &Name) -> Option<Ty> {
        let found = self.globals.get(&name.text);
        if let Some(Named { symbol: Symbol::Typedef(index), .. }) = found {
            return Some(Ty::Struct(*index));
        }
        let mut diagnostic = match found {
            Some(other) => Diagnostic::error(
                "unknown-type",
                name.span,
                format!("`{}` is {}, not a type", name.text, other.symbol.describe()),
            ),
            None => Diagnostic::error(
                "unknown-type",
                name.span,
                format!("`{}` is not the name of a type", name.text),
            ),
        };
        let basic = ["bit", "bool", "byte", "short", "int", "unsigned", "pid", "chan", "mtype"];
        let known = self.structs.iter().map(|s| &*s.name).chain(basic);
        diagnostic = match self.out.guess(&name.text, known) {
            Some(close) => diagnostic.with_hint(format!("Did you mean `{close}`?")),
            None => diagnostic.with_hint("A typedef must stand above its first use."),
        };
        self.out.report(diagnostic);
        None
    }

    /// `[n] of { types }`
    fn channel_initializer(
        &mut self,
        capacity: &Expr,
        fields: &[(TypeName, Span)],
        span: Span,
    ) -> Option<ChannelType> {
        let slots = self.constant(capacity, "the capacity of a channel");
        let mut types = Vec::new();
        for (ty, span) in fields {
            let scalar = match ty {
                TypeName::Bit => ScalarType::Bit,
                TypeName::Bool => ScalarType::Bool,
                TypeName::Byte => ScalarType::Byte,
                TypeName::Short => ScalarType::Short,
                TypeName::Int => ScalarType::Int,
                TypeName::Pid => ScalarType::Pid,
                TypeName::Chan => ScalarType::Chan,
                TypeName::Mtype(None) => ScalarType::Mtype(MtypeSetId(0)),
                TypeName::Mtype(Some(set)) => ScalarType::Mtype(self.mtype_set(set)?),
                TypeName::Unsigned => {
                    self.out.error("unsigned-field", *span, "a message field cannot be unsigned");
                    return None;
                }
                TypeName::Named(name) => {
                    let ty = self.struct_type(name)?;
                    let Some(cells) = leaves(&self.structs, ty, 4096) else {
                        self.too_large(*span);
                        return None;
                    };
                    types.extend(cells.iter().map(|c| c.ty));
                    continue;
                }
            };
            types.push(scalar);
        }
        let slots = slots?;
        if slots < 0 {
            let message = format!("a channel cannot have {slots} slots");
            self.out.error("channel-capacity", capacity.span, message);
            return None;
        }
        if types.is_empty() {
            self.out.error("channel-fields", span, "a channel needs at least one message field");
            return None;
        }
        let ty = ChannelType { capacity: slots as u32, fields: types };
        let bytes = u64::from(ty.capacity) * u64::from(ty.message_bytes());
        if bytes > MAX_REGION_BYTES || ty.capacity > 65_535 {
            self.too_large(span);
            return None;
        }
        self.uses.rendezvous |= ty.capacity == 0;
        self.uses.widest = self.uses.widest.max(ty.fields.len());
        Some(ty)
    }

    /// Makes room for a variable and names it; none where there is no room.
    pub(crate) fn allocate(
        &mut self,
        declarator: &Declarator,
        shape: Shape,
        region: Region,
        parameter: bool,
    ) -> Option<Rc<Var>> {
        let name = &declarator.name;
        let bytes = match region {
            Region::Global => &mut self.global_bytes,
            Region::Hidden => &mut self.hidden_bytes,
            Region::Local => &mut self.body.bytes,
        };
        let offset = *bytes;
        *bytes += shape.bytes();
        self.scalars += match shape.ty {
            Ty::Scalar(_) => 1,
            Ty::Struct(index) => self.structs[index].scalars,
        };
        let fits = *bytes <= MAX_REGION_BYTES;
        let few = self.scalars <= MAX_SCALARS;
        let room = fits && few;
        if !room {
            *bytes = offset;
        }
        if !fits {
            self.too_large(name.span);
        } else if !few {
            self.too_many(name.span);
        }
        let constant = match &declarator.initializer {
            None => Some(0),
            Some(Initializer::Value(Expr { kind: ast::ExprKind::Int(value), .. })) => Some(*value),
            Some(Initializer::Value(Expr { kind: ast::ExprKind::Bool(value), .. })) => {
                Some(i32::from(*value))
            }
            Some(_) => None,
        };
        let local = region == Region::Local;
        let var = Rc::new(Var {
            name: name.text.clone(),
            shape,
            region,
            offset: offset as u32,
            span: name.span,
            parameter,
            constant,
            number: match (room, local) {
                (false, _) => usize::MAX,
                (true, true) => self.body.vars.len(),
                (true, false) => self.global_vars.len(),
            },
        });
        let named = Named { symbol: Symbol::Variable(var.clone()), span: name.span };
        // One without room has a name all the same, so that its uses are not reported as well.
        let kept = room.then(|| var.clone());
        if local {
            self.body.scopes.insert(name.text.clone(), named);
            kept.into_iter().for_each(|var| self.body.add_var(var));
        } else {
            self.globals.insert(name.text.clone(), named);
            self.global_vars.extend(kept);
        }
        room.then_some(var)
    }

    /// Parameters of a process type: ordinary locals, set by `run`.
    pub(crate) fn parameters(&mut self, list: &[Declaration]) {
        for declaration in list {
            if declaration.visibility == Visibility::Hidden {
                self.hidden_local(declaration.span);
            }
            for declarator in &declaration.declarators {
                self.parameter(declaration, declarator);
            }
        }
    }

    fn parameter(&mut self, declaration: &Declaration, declarator: &Declarator) {
        let name = &declarator.name;
        if let Some(initializer) = &declarator.initializer {
            let span = match initializer {
                Initializer::Value(e) => e.span,
                Initializer::List(_, span) | Initializer::Channel { span, .. } => *span,
            };
            self.out.error_hint(
                "parameter-initializer",
                span,
                format!("parameter `{}` has an initial value", name.text),
                "Give the value with `run`, or declare a local.",
            );
            return;
        }
        let Some(shape) = self.shape(declaration, declarator) else { return };
        let cells = leaves(&self.structs, shape.ty, 4096);
        let array = shape.length.is_some()
            || cells.as_ref().is_none_or(|cells| cells.iter().any(|c| c.in_array));
        if array {
            self.out.error_hint(
                "array-parameter",
                name.span,
                format!("parameter `{}` is an array or holds one", name.text),
                "Arrays cannot be passed to a process; use a global array and pass an index.",
            );
            return;
        }
        if !self.check_free(name) {
            return;
        }
        let Some(var) = self.allocate(declarator, shape, Region::Local, true) else { return };
        self.body.parameters.extend(cells.unwrap_or_default().iter().map(|cell| Place {
            region: Region::Local,
            offset: var.offset + cell.offset,
            ty: cell.ty,
            indices: Vec::new(),
        }));
    }

    pub(crate) fn hidden_local(&mut self, span: Span) {
        self.out.error_hint(
            "hidden-local",
            span,
            "only global variables can be hidden",
            "Leave out `hidden`, or make the variable global.",
        );
    }

    /// A declaration at top level.
    pub(crate) fn global(&mut self, declaration: &Declaration) {
        debug_assert_eq!(self.body.kind, BodyKind::None);
        for declarator in &declaration.declarators {
            self.global_declarator(declaration, declarator);
        }
    }

    /// The variables of a region for display, one for each scalar leaf.
    pub(crate) fn display(&self, vars: &[Rc<Var>], region: Region) -> Vec<Variable> {
        let mut out = Vec::new();
        for var in vars.iter().filter(|v| v.region == region) {
            let path = vec![(var.name.to_string(), var.shape.dimension())];
            self.display_cells(var, var.shape.shown(), path, var.offset, &mut out);
        }
        out
    }

    fn display_cells(
        &self,
        var: &Var,
        ty: Ty,
        path: Vec<(String, Option<Dimension>)>,
        offset: u32,
        out: &mut Vec<Variable>,
    ) {
        match ty {
            Ty::Scalar(ty) => {
                out.push(Variable { path, ty, offset, span: var.span, parameter: var.parameter });
            }
            Ty::Struct(index) => {
                for field in &self.structs[index].fields {
                    let mut path = path.clone();
                    path.push((field.name.to_string(), field.shape.dimension()));
                    self.display_cells(var, field.shape.shown(), path, offset + field.offset, out);
                }
            }
        }
    }
}
