//! Channels.

use crate::ScalarType;

/// Index into [`crate::Model::channel_types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChannelTypeId(pub u16);

/// Capacity and message fields.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelType {
    /// Slots; 0 is rendezvous.
    pub capacity: u32,
    /// Field types in order (structures flattened), at least one.
    pub fields: Vec<ScalarType>,
}

impl ChannelType {
    /// Bytes of one message.
    pub fn message_bytes(&self) -> u32 {
        self.fields.iter().map(|f| f.bytes()).sum()
    }

    /// Bytes of the length counter: 1 up to 255 slots, else 2.
    pub fn length_bytes(&self) -> u32 {
        if self.capacity > 255 { 2 } else { 1 }
    }

    /// Bytes in the state vector: the length, then the slots, oldest message first, free slots
    /// zero.
    pub fn bytes(&self) -> u32 {
        self.length_bytes() + self.capacity * self.message_bytes()
    }
}

/// A channel that exists from the start or for each process of a type.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its type.
    pub ty: ChannelTypeId,
    /// The declared name with index: `q`, `q[2]`.
    pub name: String,
}
