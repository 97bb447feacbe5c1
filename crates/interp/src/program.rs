//! The compact form that is executed: all offsets are known, frequent shapes have their own node.
//!
//! It is public for those who translate it further; its shape follows the interpreter's needs.
#![allow(missing_docs)]

use promenade_ir::{BinaryOp, ChannelTest, ScalarType, UnaryOp};

/// The pid under which a claim's steps run and are recorded; processes have 0 to 254.
pub const CLAIM_PID: u8 = 255;

/// How a cell is read and cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One byte, kept whole.
    Byte,
    /// One byte with a mask for fewer bits.
    Bits8(u8),
    /// Two bytes unsigned with a mask.
    Bits16(u16),
    /// Four bytes with a mask below the sign.
    Bits32(u32),
    /// Two bytes, signed.
    Short,
    /// Four bytes, signed.
    Int,
}

impl Kind {
    pub fn of(ty: ScalarType) -> Self {
        match ty {
            ScalarType::Bit | ScalarType::Bool => Self::Bits8(1),
            ScalarType::Byte | ScalarType::Pid | ScalarType::Chan | ScalarType::Mtype(_) => {
                Self::Byte
            }
            ScalarType::Short => Self::Short,
            ScalarType::Int => Self::Int,
            ScalarType::Unsigned(n) => {
                let mask = (1u32 << n.min(31)) - 1;
                match ty.bytes() {
                    1 => Self::Bits8(mask as u8),
                    2 => Self::Bits16(mask as u16),
                    _ => Self::Bits32(mask),
                }
            }
        }
    }

    pub fn bytes(self) -> u32 {
        match self {
            Self::Byte | Self::Bits8(_) => 1,
            Self::Short | Self::Bits16(_) => 2,
            Self::Int | Self::Bits32(_) => 4,
        }
    }

    #[inline(always)]
    pub fn cut(self, value: i32) -> i32 {
        match self {
            Self::Byte => value & 0xff,
            Self::Bits8(mask) => value & i32::from(mask),
            Self::Bits16(mask) => value & i32::from(mask),
            Self::Bits32(mask) => value & mask as i32,
            Self::Short => i32::from(value as i16),
            Self::Int => value,
        }
    }

    #[inline(always)]
    pub fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Self::Byte | Self::Bits8(_) => i32::from(bytes[at]),
            Self::Short => i32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Self::Bits16(_) => i32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Self::Int | Self::Bits32(_) => {
                i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
            }
        }
    }

    #[inline(always)]
    pub fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.cut(value);
        match self {
            Self::Byte | Self::Bits8(_) => bytes[at] = value as u8,
            Self::Short | Self::Bits16(_) => {
                bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
            }
            Self::Int | Self::Bits32(_) => {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
    }
}

/// Where an offset counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The state's first byte.
    State,
    /// The executing process's first local.
    Locals,
    /// The first hidden byte.
    Hidden,
}

/// A cell without indices left to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub anchor: Anchor,
    pub offset: u32,
    pub kind: Kind,
}

/// One array index.
#[derive(Debug)]
pub struct Index {
    pub value: Ex,
    pub length: u32,
    pub stride: u32,
}

/// A cell.
#[derive(Debug)]
pub enum Pl {
    Plain(Cell),
    Indexed(Box<(Cell, Vec<Index>)>),
}

/// A channel operand.
#[derive(Debug)]
pub enum Ch {
    /// A global channel behind a variable that nothing assigns to.
    Fixed(ChannelRef),
    /// Any value.
    Value(Ex),
}

/// A channel in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelRef {
    /// Its number.
    pub number: u8,
    /// Its type.
    pub ty: u16,
    /// Where its length counter is.
    pub offset: u32,
}

/// A field of a receive or poll.
#[derive(Debug)]
pub enum Pat {
    Match(Ex),
    Store(Pl),
    Any,
}

/// An expression.
#[derive(Debug)]
pub enum Ex {
    Const(i32),
    Global8(u32),
    Local8(u32),
    Cell(Cell),
    Global8Indexed(Box<(u32, Index)>),
    Indexed(Box<(Cell, Vec<Index>)>),
    Global8Equal(u32, u8),
    Global8NotEqual(u32, u8),
    Local8Equal(u32, u8),
    Local8NotEqual(u32, u8),
    EqualConst(Box<Ex>, i32),
    NotEqualConst(Box<Ex>, i32),
    Pid,
    NrPr,
    Last,
    Priority,
    Timeout,
    NonProgress,
    Unary(UnaryOp, Box<Ex>),
    Binary(BinaryOp, Box<(Ex, Ex)>),
    And(Box<(Ex, Ex)>),
    Or(Box<(Ex, Ex)>),
    Conditional(Box<(Ex, Ex, Ex)>),
    Len(Box<Ch>),
    Test(ChannelTest, Box<Ch>),
    Poll(Box<Poll>),
    Enabled(Box<Ex>),
    PcValue(Box<Ex>),
    GetPriority(Box<Ex>),
    RemoteLocation(Box<RemoteLocation>),
    RemoteLoad(Box<RemoteLoad>),
}

#[derive(Debug)]
pub struct Poll {
    pub channel: Ch,
    pub random: bool,
    pub patterns: Vec<Pat>,
}

#[derive(Debug)]
pub struct RemoteLocation {
    pub proctype: u16,
    pub index: Option<Ex>,
    pub locations: Vec<u32>,
}

#[derive(Debug)]
pub struct RemoteLoad {
    pub proctype: u16,
    pub index: Option<Ex>,
    pub place: Pl,
}

/// A piece of printed text.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    Decimal(Ex),
    Unsigned(Ex),
    Hexadecimal(Ex),
    Octal(Ex),
    Character(Ex),
    /// With the mtype set to look into first.
    Symbol(Ex, Option<u8>),
}

/// What an edge does.
#[derive(Debug)]
pub enum Op {
    Skip,
    Condition(Ex),
    /// To a one-byte global.
    Assign8(u32, u8, Ex),
    Assign(Option<Pl>, Ex),
    Assert(Ex),
    Print(Vec<Piece>),
    Send(Box<Send>),
    Receive(Box<Receive>),
    Run(Box<Run>),
    Else,
    SetPriority(Box<(Ex, Ex)>),
    DStep(Box<DStep>),
    Sequence(Vec<Op>),
    End,
}

#[derive(Debug)]
pub struct Send {
    pub channel: Ch,
    pub sorted: bool,
    pub arguments: Vec<Ex>,
}

#[derive(Debug)]
pub struct Receive {
    pub channel: Ch,
    pub random: bool,
    pub keep: bool,
    pub patterns: Vec<Pat>,
}

#[derive(Debug)]
pub struct Run {
    pub proctype: u16,
    pub arguments: Vec<Ex>,
    pub priority: Option<Ex>,
    pub target: Option<Pl>,
}

#[derive(Debug)]
pub struct DStep {
    pub graph: Graph,
    pub entry: u32,
    pub exit: u32,
    pub start_edges: Option<Vec<usize>>,
}

/// An edge.
#[derive(Debug)]
pub struct Edge {
    pub id: u32,
    pub target: u32,
    pub escape: u16,
    pub keeps_atomic: bool,
    pub op: Op,
}

/// A location.
#[derive(Clone, Copy, Debug)]
pub struct Loc {
    pub first: u32,
    pub end: u32,
    pub valid_end: bool,
    pub progress: bool,
    pub accept: bool,
    /// May be met twice within one atomic sequence.
    pub atomic_loop: bool,
    /// First and one past the last of the stretches that are cleared when a process comes to rest
    /// here, as indices in the graph.
    pub dead: (u32, u32),
}

/// A program graph with its edges in one list.
#[derive(Debug, Default)]
pub struct Graph {
    pub locations: Vec<Loc>,
    pub edges: Vec<Edge>,
    /// Offset in the process record and number of bytes.
    pub dead: Vec<(u32, u32)>,
}

impl Graph {
    /// What is cleared when a process comes to rest at a location.
    #[inline(always)]
    pub fn dead_at(&self, location: u32) -> &[(u32, u32)] {
        let (first, end) = self.locations[location as usize].dead;
        &self.dead[first as usize..end as usize]
    }

    #[inline(always)]
    pub fn edges_of(&self, location: u32) -> &[Edge] {
        let l = &self.locations[location as usize];
        &self.edges[l.first as usize..l.end as usize]
    }
}

/// An initial value.
#[derive(Debug)]
pub enum Init {
    Value { place: Pl, value: Ex, count: u32, stride: u32 },
    Channel { place: Pl, channel: u32 },
}

/// A process type.
#[derive(Debug)]
pub struct PType {
    pub graph: Graph,
    pub entry: u32,
    pub exit: u32,
    pub provided: Option<Ex>,
    pub deterministic: bool,
    pub priority: u8,
    pub parameters: Vec<Pl>,
    pub initializers: Vec<Init>,
    /// Offset in the record and type of each channel of a process.
    pub channels: Vec<(u32, u16)>,
    /// Bytes of a process record.
    pub record_bytes: u32,
}

/// A channel type.
#[derive(Debug)]
pub struct CType {
    pub capacity: u32,
    /// Kind and offset in the message of each field.
    pub fields: Vec<(Kind, u32)>,
    pub message_bytes: u32,
    pub length_bytes: u32,
}

/// An event of a trace assertion.
#[derive(Debug)]
pub struct Event {
    pub channel: Ex,
    pub send: bool,
    pub patterns: Vec<Pat>,
}

/// A trace assertion.
#[derive(Debug)]
pub struct TraceAutomaton {
    pub negated: bool,
    pub process: PType,
    /// By edge index in the graph; `None` is an internal move.
    pub events: Vec<Option<Event>>,
    /// Where its location is in a state.
    pub location_offset: u32,
}

/// The claim that runs along.
#[derive(Debug)]
pub struct Claim {
    pub process: PType,
    pub location_offset: u32,
    pub locals_offset: u32,
    /// Number of acceptance sets and, by edge of the graph, the sets of each.
    pub acceptance: Option<(u32, Vec<u64>)>,
    /// What an error in an edge's condition counts.
    pub labels: Option<Labels>,
}

/// Conditions of the claim's edges as functions of propositions that may fail.
#[derive(Debug)]
pub struct Labels {
    pub propositions: Vec<Ex>,
    /// By edge of the graph: conjunctions, as bits of the propositions that must be true and of those
    /// that must be false. Empty for an edge without a label.
    pub cubes: Vec<Vec<(u64, u64)>>,
}

/// A promise of exclusive use.
#[derive(Debug)]
pub struct Promise {
    pub proctype: u16,
    pub channel: Ch,
    pub send: bool,
}

/// Everything that running needs.
#[derive(Debug, Default)]
pub struct Program {
    pub types: Vec<PType>,
    pub channel_types: Vec<CType>,
    /// Offset in the state and type of each global channel.
    pub channels: Vec<(u32, u16)>,
    pub claim: Option<Claim>,
    pub trace: Option<TraceAutomaton>,
    pub initializers: Vec<Init>,
    pub initial_processes: Vec<u16>,
    pub type_bytes: u32,
    pub location_bytes: u32,
    pub last_offset: Option<u32>,
    /// Offset of the priority byte in a process record.
    pub priority_offset: Option<u32>,
    /// Offset of the first local in a process record.
    pub locals_offset: u32,
    pub globals_offset: u32,
    pub first_process: u32,
    /// Hidden globals, and one more byte with a claim: whether the claim moved alone.
    pub hidden_bytes: u32,
    /// The last bytes of the hidden globals, on whose values nothing depends.
    pub write_only_bytes: u32,
    pub uses_timeout: bool,
    /// How many questions of `enabled` may be part of each other.
    pub most_questions: usize,
    pub lose_messages: bool,
    pub plain_processes: bool,
    /// Names for `%e`: the mtype sets in order.
    pub symbols: Vec<Vec<(String, i32)>>,
    /// Those that are watched.
    pub promises: Vec<Promise>,
}

impl Program {
    /// Type of the process whose record starts at `base`.
    #[inline(always)]
    pub fn type_at(&self, s: &[u8], base: usize) -> usize {
        if self.type_bytes == 1 {
            s[base] as usize
        } else {
            usize::from(u16::from_le_bytes([s[base], s[base + 1]]))
        }
    }

    #[inline(always)]
    pub fn read_location(&self, s: &[u8], at: usize) -> u32 {
        match self.location_bytes {
            1 => u32::from(s[at]),
            2 => u32::from(u16::from_le_bytes([s[at], s[at + 1]])),
            _ => u32::from_le_bytes([s[at], s[at + 1], s[at + 2], s[at + 3]]),
        }
    }

    #[inline(always)]
    pub fn write_location(&self, s: &mut [u8], at: usize, location: u32) {
        match self.location_bytes {
            1 => s[at] = location as u8,
            2 => s[at..at + 2].copy_from_slice(&(location as u16).to_le_bytes()),
            _ => s[at..at + 4].copy_from_slice(&location.to_le_bytes()),
        }
    }

    /// Location of the process whose record starts at `base`.
    #[inline(always)]
    pub fn location_at(&self, s: &[u8], base: usize) -> u32 {
        self.read_location(s, base + self.type_bytes as usize)
    }

    /// Start of the record of process `pid`, if there is one.
    pub fn process_base(&self, s: &[u8], pid: u32) -> Option<usize> {
        if pid >= u32::from(s[0]) {
            return None;
        }
        let mut base = self.first_process as usize;
        for _ in 0..pid {
            base += self.types[self.type_at(s, base)].record_bytes as usize;
        }
        Some(base)
    }

    /// Clears the dead variables of the process whose record starts at `base`, which rests where it is.
    #[inline(always)]
    pub fn rest(&self, s: &mut [u8], base: usize) {
        let graph = &self.types[self.type_at(s, base)].graph;
        if graph.dead.is_empty() {
            return;
        }
        for &(offset, bytes) in graph.dead_at(self.location_at(s, base)) {
            let at = base + offset as usize;
            s[at..at + bytes as usize].fill(0);
        }
    }

    /// Clears the dead variables of all processes.
    pub fn rest_all(&self, s: &mut [u8]) {
        let mut base = self.first_process as usize;
        for _ in 0..s.first().copied().unwrap_or(0) {
            self.rest(s, base);
            base += self.types[self.type_at(s, base)].record_bytes as usize;
        }
    }

    /// First hidden byte: one past the last process record.
    #[inline(always)]
    pub fn visible_end(&self, s: &[u8]) -> usize {
        s.len() - self.hidden_bytes as usize
    }

    /// A state without the values that nothing depends on, in two pieces.
    #[inline]
    pub fn essence<'s>(&self, s: &'s [u8]) -> (&'s [u8], &'s [u8]) {
        if self.write_only_bytes == 0 {
            return (s, &[]);
        }
        let end = s.len().saturating_sub(usize::from(self.claim.is_some()));
        (&s[..end.saturating_sub(self.write_only_bytes as usize)], &s[end..])
    }

    /// The values of a state that nothing depends on.
    pub fn write_only<'s>(&self, s: &'s [u8]) -> &'s [u8] {
        let (before, behind) = self.essence(s);
        s.get(before.len()..s.len() - behind.len()).unwrap_or(&[])
    }

    /// The channel with a number.
    pub fn channel(&self, s: &[u8], number: i32) -> Option<ChannelRef> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        if let Some(&(offset, ty)) = self.channels.get(index) {
            return Some(ChannelRef { number: number as u8, ty, offset });
        }
        let mut left = index - self.channels.len();
        let mut base = self.first_process;
        for _ in 0..s[0] {
            let ty = &self.types[self.type_at(s, base as usize)];
            if let Some(&(offset, channel_type)) = ty.channels.get(left) {
                let offset = base + offset;
                return Some(ChannelRef { number: number as u8, ty: channel_type, offset });
            }
            left -= ty.channels.len();
            base += ty.record_bytes;
        }
        None
    }

    /// How many channels exist.
    pub fn channel_count(&self, s: &[u8]) -> usize {
        let mut count = self.channels.len();
        let mut base = self.first_process as usize;
        for _ in 0..s[0] {
            let ty = &self.types[self.type_at(s, base)];
            count += ty.channels.len();
            base += ty.record_bytes as usize;
        }
        count
    }
}
