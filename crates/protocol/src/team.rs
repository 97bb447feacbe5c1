//! What the members of a team say to each other that search one state space together.
//!
//! Whoever runs the members carries the messages; he need not understand them. Messages from one
//! member to another must arrive in the order in which they were sent.

use crate::Statistics;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes that cross the boundary as one piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Reader)
    }
}

/// What a member found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamFound {
    /// Stable name of the violation.
    pub kind: String,
    /// The process.
    pub pid: Option<u8>,
    /// The edge.
    pub edge: Option<u32>,
    /// Number of the state.
    pub number: Option<u32>,
    /// The choice there.
    pub choice: Option<u32>,
    /// Choices of the run.
    pub length: u64,
    /// The hash of the state: its lower half and its upper one.
    pub key: (u32, u32),
}

/// Why a member cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TeamStop {
    Violation,
    Fatal,
    Memory,
    States,
    Depth,
    Time,
    Cancelled,
    Successors,
}

/// A message. The first ones go from the host, member 0, to the others, the later ones to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeamMessage {
    /// States that belong to the receiver.
    States {
        /// As `search` packs them.
        batch: Bytes,
    },
    /// So many batches were sent to it in this level.
    Expect {
        /// How many.
        batches: u32,
    },
    /// Go on with the next level.
    NextLevel,
    /// How was this state reached?
    Link {
        /// The state.
        number: u32,
    },
    /// The search is over.
    Stop {
        /// Why.
        why: TeamStop,
    },
    /// Send the numbers and leave.
    Finish,
    /// All states of the level are expanded.
    LevelDone {
        /// Batches sent, by member.
        sent: Vec<u32>,
    },
    /// All batches of the level have come.
    Ready {
        /// States of the next level.
        waiting: u64,
        /// All states stored.
        stored: u64,
        /// The least that was found.
        found: Option<TeamFound>,
        /// Violations found by this member.
        errors: u64,
        /// One of them is such that nothing counts after it.
        fatal: bool,
    },
    /// The member has found something, and goes on.
    Found {
        /// What.
        found: TeamFound,
    },
    /// The member cannot go on.
    Stopped {
        /// Why.
        why: TeamStop,
        /// The least that was found.
        found: Option<TeamFound>,
    },
    /// How a state was reached: member, number, choice.
    Linked {
        /// Nothing for a state that is not there.
        link: Option<(u32, u32, u32)>,
    },
    /// The numbers of a member, its last words.
    Numbers {
        /// Its part.
        statistics: Statistics,
        /// By edge, whether it was executed, packed by eight.
        executed: Bytes,
        /// Why its part is incomplete, if it is.
        partial: Option<TeamStop>,
    },
}
