//! Values as numbers: what links write, and what legality compares.

/// What became of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// It is the value now.
    Done,
    /// There is no such value; nothing has changed.
    Unknown,
}

/// A value that a number stands for.
pub trait Field {
    /// The number; nothing where no limit is set.
    fn number(&self) -> Option<u32>;

    /// Takes the value of a number.
    fn set_number(&mut self, number: Option<u32>) -> Read;
}

impl Field for bool {
    fn number(&self) -> Option<u32> {
        Some(u32::from(*self))
    }

    fn set_number(&mut self, number: Option<u32>) -> Read {
        number.map_or(Read::Unknown, |number| {
            *self = number != 0;
            Read::Done
        })
    }
}

impl Field for u32 {
    fn number(&self) -> Option<u32> {
        Some(*self)
    }

    fn set_number(&mut self, number: Option<u32>) -> Read {
        number.map_or(Read::Unknown, |number| {
            *self = number;
            Read::Done
        })
    }
}

impl Field for Option<u32> {
    fn number(&self) -> Option<u32> {
        *self
    }

    fn set_number(&mut self, number: Option<u32>) -> Read {
        *self = number;
        Read::Done
    }
}
