//! Types and the layout of variables in their region.

use promenade_base::Span;
use promenade_ir::{Dimension, Region, ScalarType, Variable};
use std::rc::Rc;

/// A type with its size.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Type {
    Scalar(ScalarType),
    Struct(usize),
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: Rc<str>,
    pub ty: Type,
    pub length: Option<u32>,
    pub offset: u32,
    pub stride: u32,
    pub init: Option<i32>,
    /// Capacity and message fields of a channel field with an initializer.
    pub channel: Option<(u32, Vec<ScalarType>)>,
    pub span: Span,
}

/// A `typedef`.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructType {
    pub name: String,
    pub fields: Vec<Field>,
    pub bytes: u32,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    pub region: Region,
    pub ty: Type,
    pub length: Option<u32>,
    pub offset: u32,
    pub stride: u32,
    pub span: Span,
    pub parameter: bool,
}

pub(crate) fn bytes(structs: &[StructType], ty: &Type) -> u32 {
    match ty {
        Type::Scalar(scalar) => scalar.bytes(),
        Type::Struct(index) => structs[*index].bytes,
    }
}

/// The scalar type of the cells of an array: bits and bools become bytes, as in SPIN.
pub(crate) fn element(ty: Type, array: bool) -> Type {
    match ty {
        Type::Scalar(ScalarType::Bit | ScalarType::Bool) if array => Type::Scalar(ScalarType::Byte),
        other => other,
    }
}

/// Scalars of a type in order, as message fields and parameters.
pub(crate) fn flatten(structs: &[StructType], ty: &Type) -> Vec<ScalarType> {
    match ty {
        Type::Scalar(scalar) => vec![*scalar],
        Type::Struct(index) => structs[*index]
            .fields
            .iter()
            .flat_map(|f| {
                let one = flatten(structs, &f.ty);
                let times = f.length.unwrap_or(1) as usize;
                std::iter::repeat_n(one, times).flatten()
            })
            .collect(),
    }
}

/// The scalar leaves of a variable, for display.
pub(crate) fn leaves(structs: &[StructType], name: &str, var: &VarInfo) -> Vec<Variable> {
    let mut found = Vec::new();
    let dimension = var.length.map(|length| Dimension { length, stride: var.stride });
    let path = vec![(name.to_owned(), dimension)];
    push(structs, path, &var.ty, var.offset, var, &mut found);
    found
}

fn push(
    structs: &[StructType],
    path: Vec<(String, Option<Dimension>)>,
    ty: &Type,
    offset: u32,
    var: &VarInfo,
    found: &mut Vec<Variable>,
) {
    match ty {
        Type::Scalar(ty) => {
            found.push(Variable { path, ty: *ty, offset, span: var.span, parameter: var.parameter })
        }
        Type::Struct(index) => {
            for field in &structs[*index].fields {
                let mut longer = path.clone();
                let dimension =
                    field.length.map(|length| Dimension { length, stride: field.stride });
                longer.push((field.name.to_string(), dimension));
                push(structs, longer, &field.ty, offset + field.offset, var, found);
            }
        }
    }
}
