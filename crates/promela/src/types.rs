//! Types of variables, and where their cells are.

use promenade_base::Span;
use promenade_ir::{ChannelTypeId, Dimension, MtypeSetId, Region, ScalarType};
use std::collections::HashMap;
use std::rc::Rc;

/// Bytes that one region (globals, or the locals of a process type) may have.
pub(crate) const MAX_REGION_BYTES: u64 = 1 << 20;

/// Scalar variables and fields of the whole model.
pub(crate) const MAX_SCALARS: u64 = 200_000;

/// Structures inside each other.
pub(crate) const MAX_STRUCT_DEPTH: u32 = 64;

/// The type of a variable or field, arrays aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// One cell. Cells of bit arrays are bytes already.
    Scalar(ScalarType),
    /// A structure, by index.
    Struct(usize),
}

impl Ty {
    pub(crate) fn is_chan(self) -> bool {
        self == Self::Scalar(ScalarType::Chan)
    }
}

/// What a name or field is: its type, its array length, and how it was declared.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub ty: Ty,
    /// Number of elements of an array.
    pub length: Option<u32>,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// The named mtype set that was declared (`mtype:set`).
    pub set: Option<MtypeSetId>,
    /// The type and capacity of the channels that the declaration makes.
    pub channel: Option<ChannelTypeId>,
    /// `bit` or `bool`, if the elements of an array were declared so: they are bytes in a state.
    pub bits: Option<ScalarType>,
}

impl Shape {
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.element_bytes) * u64::from(self.length.unwrap_or(1))
    }

    pub(crate) fn dimension(&self) -> Option<Dimension> {
        self.length.map(|length| Dimension { length, stride: self.element_bytes })
    }

    /// The type that values are shown as.
    pub(crate) fn shown(&self) -> Ty {
        self.bits.map_or(self.ty, Ty::Scalar)
    }

    /// Number of elements, 1 for a scalar.
    pub(crate) fn count(&self) -> u32 {
        self.length.unwrap_or(1)
    }
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub name: Rc<str>,
    pub shape: Shape,
    pub region: Region,
    pub offset: u32,
    pub span: Span,
    pub parameter: bool,
    /// The value of a constant initializer, which SPIN lets stand for the size of an array.
    pub constant: Option<i32>,
    /// Position among all variables of its owner.
    pub number: usize,
}

/// An initial value of a field.
#[derive(Clone, Debug)]
pub(crate) enum FieldValue {
    /// One value for all elements.
    All(promenade_ir::Expr),
    /// Element by element; the last is repeated.
    List(Vec<promenade_ir::Expr>),
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: Rc<str>,
    pub shape: Shape,
    pub offset: u32,
    pub span: Span,
    pub value: Option<FieldValue>,
}

/// A structure.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub name: Rc<str>,
    pub fields: Vec<Field>,
    pub bytes: u32,
    /// Structures inside each other, itself included.
    pub depth: u32,
    /// Scalar fields, those of inner structures included, arrays counted once.
    pub scalars: u64,
    /// Positions of the fields by name.
    pub by_name: HashMap<Rc<str>, usize>,
}

impl Struct {
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.by_name.get(name).and_then(|&at| self.fields.get(at))
    }
}

/// One scalar cell inside a structure: names on the way, offset and type.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub offset: u32,
    pub ty: ScalarType,
    /// Behind an array of fields.
    pub in_array: bool,
}

/// All scalar cells of a value of type `ty`, arrays spread out. `None` where there are more than
/// `limit`.
pub(crate) fn leaves(structs: &[Struct], ty: Ty, limit: usize) -> Option<Vec<Leaf>> {
    fn walk(
        structs: &[Struct],
        ty: Ty,
        at: u32,
        in_array: bool,
        limit: usize,
        out: &mut Vec<Leaf>,
    ) -> bool {
        match ty {
            Ty::Scalar(ty) => {
                out.push(Leaf { offset: at, ty, in_array });
                out.len() <= limit
            }
            Ty::Struct(index) => structs[index].fields.iter().all(|field| {
                let array = in_array || field.shape.length.is_some();
                (0..field.shape.count()).all(|i| {
                    let at = at + field.offset + i * field.shape.element_bytes;
                    walk(structs, field.shape.ty, at, array, limit, out)
                })
            }),
        }
    }
    let mut out = Vec::new();
    walk(structs, ty, 0, false, limit, &mut out).then_some(out)
}
