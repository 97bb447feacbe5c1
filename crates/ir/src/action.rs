//! What an edge does: its guard and its effect in one.

use crate::{Expr, Graph, LocationId, MtypeSetId, Place, ProctypeId};

/// A field of a receive, a poll or a trace event.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// The field must equal this value: constants, mtype names and `eval(..)`, evaluated before
    /// anything is stored.
    Match(Expr),
    /// The field is stored here; places are evaluated left to right, after the match, so that a
    /// later index sees earlier targets.
    Store(Place),
    /// `_`, or a variable in a poll: anything.
    Any,
}

/// A piece of a printf format.
#[derive(Clone, Debug)]
pub enum PrintPart {
    /// Text with escapes already resolved.
    Text(String),
    /// `%d`
    Decimal(Expr),
    /// `%u`
    Unsigned(Expr),
    /// `%x`
    Hexadecimal(Expr),
    /// `%o`
    Octal(Expr),
    /// `%c`
    Character(Expr),
    /// `%e` or `printm`: the mtype name, of this set if it is known and has the value, otherwise of
    /// the first set that has it.
    Symbol(Expr, Option<MtypeSetId>),
}

/// A printf or printm.
#[derive(Clone, Debug, Default)]
pub struct Print {
    /// Pieces in order.
    pub parts: Vec<PrintPart>,
}

/// A basic statement. "Executable" says when the edge may be taken.
#[derive(Clone, Debug)]
pub enum Action {
    /// Always executable, no effect.
    Skip,
    /// Executable iff not zero.
    Condition(Expr),
    /// Always executable. A target of `None` is `_`.
    Assign {
        /// The cell.
        target: Option<Place>,
        /// The value, cut to the cell's type.
        value: Expr,
    },
    /// Always executable; reports a violation if zero, and goes on.
    Assert(Expr),
    /// Always executable; prints in simulation and replay only.
    Print(Print),
    /// Buffered: executable iff not full (always, if messages to full channels are lost).
    /// Rendezvous: executable iff another process can receive at once.
    Send {
        /// Channel number.
        channel: Expr,
        /// `!!`: inserted before the first larger message.
        sorted: bool,
        /// Fields; too few for the channel is a run-time error, too many are dropped.
        arguments: Vec<Expr>,
    },
    /// Executable iff a message matches.
    Receive {
        /// Channel number.
        channel: Expr,
        /// `??`: the oldest message that matches, not only the oldest.
        random: bool,
        /// `<..>`: the message stays in the channel.
        keep: bool,
        /// Fields; a number that differs from the channel's is a run-time error.
        patterns: Vec<Pattern>,
    },
    /// Always executable: creates a process (256 at once is a fatal error). The new pid goes to
    /// `target` if there is one.
    Run {
        /// The type.
        proctype: ProctypeId,
        /// Arguments, cut to the parameter types.
        arguments: Vec<Expr>,
        /// `priority n`
        priority: Option<Expr>,
        /// The variable in `x = run P()`.
        target: Option<Place>,
    },
    /// Executable iff no earlier edge of the same location was executable in this state.
    Else,
    /// `set_priority(p, n)`
    SetPriority {
        /// The pid.
        process: Expr,
        /// The new priority, 1 to 255.
        priority: Expr,
    },
    /// An indivisible deterministic sequence.
    DStep(Box<DStep>),
    /// Several actions of one step in order: the first decides executability (used for the atomic
    /// steps of claims).
    Sequence(Vec<Action>),
    /// The death of the process: executable only for the youngest; it leaves with its channels.
    End,
}

impl Action {
    /// Whether it depends on the earlier edges of its location: an `else`, or a `d_step` that opens
    /// with one.
    pub fn is_else(&self) -> bool {
        match self {
            Action::Else => true,
            Action::DStep(step) => step.opens_with_else(),
            _ => false,
        }
    }
}

/// The body of a `d_step`, run to its end as one step.
#[derive(Clone, Debug)]
pub struct DStep {
    /// Its own little program graph: edges that lead to `exit` end the step.
    pub graph: Graph,
    /// Where it starts.
    pub entry: LocationId,
    /// Where it is done.
    pub exit: LocationId,
    /// `None`: may always start. Otherwise it may start iff one of these edges of the entry is
    /// executable. (SPIN's test overlooks options that open with an assignment and the like;
    /// the front end says which edges count.) An `else` among them belongs to the selection around:
    /// it is executable iff no earlier edge of the location of the `d_step` was.
    pub start_edges: Option<Vec<usize>>,
}

impl DStep {
    /// Whether its start depends on the selection around.
    pub fn opens_with_else(&self) -> bool {
        let Some(entry) = self.graph.locations.get(self.entry.0 as usize) else { return false };
        let edges = self.start_edges.iter().flatten().filter_map(|n| entry.edges.get(*n));
        edges.into_iter().any(|edge| matches!(edge.action, Action::Else))
    }
}
