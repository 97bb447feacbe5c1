//! Scalar types and variables as bytes of a region.

use promenade_base::Span;

/// A set of symbolic names (`mtype:set`); index into [`crate::Model::mtypes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MtypeSetId(pub u8);

/// The names of one mtype set.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// `None` for the plain set.
    pub name: Option<String>,
    /// Name and value of each member.
    pub members: Vec<(String, i32)>,
}

impl MtypeSet {
    /// The name of a value, if it has one.
    pub fn name_of(&self, value: i32) -> Option<&str> {
        self.members.iter().find(|m| m.1 == value).map(|m| m.0.as_str())
    }
}

/// What a scalar cell holds, and how it is cut and stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarType {
    /// 1 bit.
    Bit,
    /// 1 bit, shown as true and false.
    Bool,
    /// 8 bits unsigned. Cells of `bit` and `bool` arrays are bytes too, as in SPIN.
    Byte,
    /// 8 bits unsigned: a process number.
    Pid,
    /// 8 bits unsigned: a channel number, 0 for none.
    Chan,
    /// 8 bits unsigned: a symbolic name.
    Mtype(MtypeSetId),
    /// 16 bits signed.
    Short,
    /// 32 bits signed.
    Int,
    /// 1 to 31 bits, unsigned.
    Unsigned(u8),
}

impl ScalarType {
    /// Bytes in the state vector: 1, 2 or 4, little endian.
    pub fn bytes(self) -> u32 {
        match self {
            Self::Short => 2,
            Self::Int => 4,
            Self::Unsigned(n) if n > 16 => 4,
            Self::Unsigned(n) if n > 8 => 2,
            _ => 1,
        }
    }

    /// The value after storing: the low bits, sign extended for signed types.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Self::Bit | Self::Bool => value & 1,
            Self::Byte | Self::Pid | Self::Chan | Self::Mtype(_) => value & 0xff,
            Self::Short => i32::from(value as i16),
            Self::Int => value,
            Self::Unsigned(n) => value & (((1u32 << n.min(31)) - 1) as i32),
        }
    }
}

/// One array dimension on the way to a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// Number of elements, at least 1.
    pub length: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

/// A scalar leaf of a declared variable, for display and layout tables. `s[2].f` with `s` an array
/// of structures is one variable with the segments `s` (with a dimension) and `f`.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name segments, each with its dimension if it is an array.
    pub path: Vec<(String, Option<Dimension>)>,
    /// The type of the cells; elements of arrays of `bit` and `bool` are whole bytes all the same.
    pub ty: ScalarType,
    /// Byte offset of the first cell in its region.
    pub offset: u32,
    /// Declared here.
    pub span: Span,
    /// A parameter of its process type.
    pub parameter: bool,
}
