//! What can go wrong on a step.

/// Kinds of violations; [`ViolationKind::fatal`] and [`ViolationKind::ends_path`] say how the
/// search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ViolationKind {
    /// An assertion is false.
    Assertion,
    /// Deadlock.
    InvalidEndState,
    /// Division or remainder by zero.
    DivisionByZero,
    /// Array index out of bounds.
    IndexOutOfBounds,
    /// A channel variable that holds no channel.
    UninitializedChannel,
    /// A channel that has gone with its process.
    ClosedChannel,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A send with fewer fields than the channel has.
    TooFewSendArguments,
    /// A receive or poll whose number of fields differs from the channel's.
    WrongReceiveArguments,
    /// A poll of a rendezvous channel.
    PollRendezvous,
    /// A `d_step` blocks after its first statement.
    BlockedDStep,
    /// A rendezvous send inside a `d_step`.
    RendezvousInDStep,
    /// `enabled(p)` of the process itself.
    EnabledSelf,
    /// `enabled(p)` whose answer depends on itself, by way of another process.
    EnabledCircle,
    /// A priority outside 1 to 255.
    PriorityRange,
    /// Two executable steps of a `D_proctype`.
    Nondeterminism,
    /// The never claim reached its end.
    ClaimCompleted,
    /// A channel event that the trace assertion does not allow.
    TraceMismatch,
    /// All events of a `notrace` happened.
    TraceCompleted,
    /// A trace assertion with two matching events.
    TraceNondeterminism,
    /// `P[i]@l` or `P[i]:x` where process `i` is not a `P`.
    RemoteReference,
    /// A loop inside an atomic sequence or `d_step` that is never left.
    EndlessAtomic,
    /// `xr` or `xs` promised and broken.
    ExclusiveChannel,
    /// An infinite run that the acceptance condition accepts.
    AcceptanceCycle,
}

impl ViolationKind {
    /// Every kind.
    pub const ALL: [Self; 25] = [
        Self::Assertion,
        Self::InvalidEndState,
        Self::DivisionByZero,
        Self::IndexOutOfBounds,
        Self::UninitializedChannel,
        Self::ClosedChannel,
        Self::TooManyProcesses,
        Self::TooManyChannels,
        Self::TooFewSendArguments,
        Self::WrongReceiveArguments,
        Self::PollRendezvous,
        Self::BlockedDStep,
        Self::RendezvousInDStep,
        Self::EnabledSelf,
        Self::EnabledCircle,
        Self::PriorityRange,
        Self::Nondeterminism,
        Self::ClaimCompleted,
        Self::TraceMismatch,
        Self::TraceCompleted,
        Self::TraceNondeterminism,
        Self::RemoteReference,
        Self::EndlessAtomic,
        Self::ExclusiveChannel,
        Self::AcceptanceCycle,
    ];

    /// The kind with this [name](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Ends the whole run whatever was asked, as SPIN does.
    pub fn fatal(self) -> bool {
        matches!(
            self,
            Self::TooManyProcesses
                | Self::TooManyChannels
                | Self::ClosedChannel
                | Self::BlockedDStep
                | Self::RendezvousInDStep
                | Self::EnabledSelf
                | Self::EnabledCircle
                | Self::PriorityRange
                | Self::TraceNondeterminism
        )
    }

    /// The step has no successor: what follows would be meaningless.
    pub fn ends_path(self) -> bool {
        !matches!(
            self,
            Self::Assertion
                | Self::TooFewSendArguments
                | Self::WrongReceiveArguments
                | Self::UninitializedChannel
                | Self::PollRendezvous
                | Self::Nondeterminism
                | Self::TraceMismatch
                | Self::TraceCompleted
                | Self::ExclusiveChannel
        )
    }

    /// A stable name for JSON and links, such as `assertion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::InvalidEndState => "invalid_end_state",
            Self::DivisionByZero => "division_by_zero",
            Self::IndexOutOfBounds => "index_out_of_bounds",
            Self::UninitializedChannel => "uninitialized_channel",
            Self::ClosedChannel => "closed_channel",
            Self::TooManyProcesses => "too_many_processes",
            Self::TooManyChannels => "too_many_channels",
            Self::TooFewSendArguments => "too_few_send_arguments",
            Self::WrongReceiveArguments => "wrong_receive_arguments",
            Self::PollRendezvous => "poll_rendezvous",
            Self::BlockedDStep => "blocked_d_step",
            Self::RendezvousInDStep => "rendezvous_in_d_step",
            Self::EnabledSelf => "enabled_self",
            Self::EnabledCircle => "enabled_circle",
            Self::PriorityRange => "priority_range",
            Self::Nondeterminism => "nondeterminism",
            Self::ClaimCompleted => "claim_completed",
            Self::TraceMismatch => "trace_mismatch",
            Self::TraceCompleted => "trace_completed",
            Self::TraceNondeterminism => "trace_nondeterminism",
            Self::RemoteReference => "remote_reference",
            Self::EndlessAtomic => "endless_atomic",
            Self::ExclusiveChannel => "exclusive_channel",
            Self::AcceptanceCycle => "acceptance_cycle",
        }
    }
}

/// A violation with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What.
    pub kind: ViolationKind,
    /// The process that moved, if one did.
    pub pid: Option<u8>,
    /// The edge's number in the model, if one was taken.
    pub edge: Option<u32>,
}
