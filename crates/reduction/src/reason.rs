//! Why a process is no ample set.

use promenade_analysis::Facts;
use promenade_ir::{EdgeId, Model};

/// Why the steps of one process do not suffice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The model uses priorities.
    Priorities,
    /// The model uses `_last`.
    Last,
    /// The model asks `enabled(p)`, `pc_value(p)` or `np_`.
    Enabled,
    /// Promises of exclusive use have to be watched.
    Promises,
    /// The property looks at something that every step may change.
    PropertySeesAll,
    /// Weak fairness is asked for.
    WeakFairness,
    /// The system does not tell where its processes are.
    NoControl,
    /// The location has no edges.
    NoEdges,
    /// An edge reads `timeout`.
    Timeout(EdgeId),
    /// An edge reads `_nr_pr`.
    ProcessCount(EdgeId),
    /// An edge creates a process.
    Creates(EdgeId),
    /// An edge looks into another process.
    LooksAtProcess(EdgeId),
    /// Another process looks at what an edge changes in this one.
    SeenByProcess(EdgeId),
    /// The property sees what an edge changes.
    Visible(EdgeId),
    /// An edge opens an atomic sequence that is too long to look at.
    LongSequence(EdgeId),
    /// An edge is a rendezvous.
    Rendezvous(EdgeId),
    /// An edge leads to where a rendezvous is offered, and whether it is offered decides an `else`,
    /// an escape or an atomic sequence elsewhere.
    OffersRendezvous(EdgeId),
    /// The trace assertion follows the channel, or reads what an edge writes.
    Traced(EdgeId),
    /// An edge uses a variable that another process may still use.
    Variable {
        /// The edge.
        edge: EdgeId,
        /// The object, see [`Facts::object_name`].
        object: u32,
        /// The other process.
        by: u8,
    },
    /// An edge uses a channel that cannot be told beforehand.
    UnknownChannel(EdgeId),
    /// An edge uses a channel that another process may still use in a way that matters.
    Channel {
        /// The edge.
        edge: EdgeId,
        /// The channel's number.
        channel: u32,
        /// The other process.
        by: u8,
    },
    /// As before, but only while the channel is full.
    Full {
        /// The edge.
        edge: EdgeId,
        /// The channel's number.
        channel: u32,
        /// The other process.
        by: u8,
    },
    /// As before, but only while the channel is empty.
    Empty {
        /// The edge.
        edge: EdgeId,
        /// The channel's number.
        channel: u32,
        /// The other process.
        by: u8,
    },
    /// The process ends, and another one may still create processes, count them or look into them.
    Death {
        /// The other process.
        by: u8,
    },
    /// A cycle of the process is broken here.
    Sticky,
}

impl Reason {
    /// A sentence.
    pub fn text(&self, model: &Model, facts: &Facts) -> String {
        let statement = |edge: EdgeId| {
            let edges =
                model.proctypes.iter().flat_map(|p| &p.graph.locations).flat_map(|l| &l.edges);
            let found = edges.into_iter().find(|e| e.id == edge);
            let info = found.and_then(|e| model.statements.get(e.statement.0 as usize));
            info.map_or_else(|| "a statement".to_owned(), |s| format!("`{}`", s.text))
        };
        let name = |channel: u32| {
            let at = (channel as usize).checked_sub(1);
            match at.and_then(|at| model.channels.get(at)) {
                Some(channel) => format!("`{}`", channel.name),
                None => format!("number {channel}"),
            }
        };
        match *self {
            Self::Priorities => "the model uses priorities".to_owned(),
            Self::Last => "the model uses `_last`".to_owned(),
            Self::Enabled => "the model asks `enabled`, `pc_value` or `np_`".to_owned(),
            Self::Promises => "`xr` and `xs` have to be watched in every state".to_owned(),
            Self::PropertySeesAll => "the property sees every step".to_owned(),
            Self::WeakFairness => "weak fairness watches which processes can move".to_owned(),
            Self::NoControl => "the process has no known place".to_owned(),
            Self::NoEdges => "the process has ended".to_owned(),
            Self::Timeout(e) => format!("{} waits for all others", statement(e)),
            Self::ProcessCount(e) => format!("{} reads the number of processes", statement(e)),
            Self::Creates(e) => format!("{} creates a process", statement(e)),
            Self::LongSequence(e) => format!("{} opens a very long atomic sequence", statement(e)),
            Self::LooksAtProcess(e) => format!("{} looks into another process", statement(e)),
            Self::SeenByProcess(e) => {
                format!("{} changes what another process looks at", statement(e))
            }
            Self::Visible(e) => format!("{} changes what the property looks at", statement(e)),
            Self::Rendezvous(e) => format!("{} is a rendezvous", statement(e)),
            Self::OffersRendezvous(e) => {
                format!("{} leads to a rendezvous that decides a choice elsewhere", statement(e))
            }
            Self::Traced(e) => format!("the trace assertion looks at what {} does", statement(e)),
            Self::Variable { edge, object, by } => format!(
                "{} uses the global `{}`, as process {by} may",
                statement(edge),
                facts.object_name(model, object as usize)
            ),
            Self::UnknownChannel(e) => {
                format!("which channel {} uses is not known", statement(e))
            }
            Self::Channel { edge, channel, by } => {
                format!("{} uses channel {}, as process {by} may", statement(edge), name(channel))
            }
            Self::Full { edge, channel, by } => format!(
                "{} uses channel {}, which is full, and process {by} may make room",
                statement(edge),
                name(channel)
            ),
            Self::Empty { edge, channel, by } => format!(
                "{} uses channel {}, which is empty, and process {by} may fill it",
                statement(edge),
                name(channel)
            ),
            Self::Death { by } => {
                format!("the process ends, and process {by} may still notice who exists")
            }
            Self::Sticky => {
                "its steps would suffice, but a loop of the process is broken here, so that it does not \
                 put off the others for ever"
                    .to_owned()
            }
        }
    }
}
