//! Which uses of a channel by others disturb a use of it.

use promenade_analysis::Operation;

/// How another process's use of the same channel bears on a candidate's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conflict {
    /// Not at all.
    No,
    /// Not while the channel is not full (for sends) or not empty (for receives).
    Fill,
    /// Always.
    Always,
}

/// The candidate does `own`; another process may do `other`. Two steps that only look at a channel
/// do not disturb each other. A receive leaves alone a send to a channel that is not full, since
/// it neither takes the room away nor sees the end of the queue; likewise the other way round.
///
/// `strict`: somebody may see local work, so that it matters when it is done.
pub(crate) fn conflict(
    own: Operation,
    other: Operation,
    lose_messages: bool,
    strict: bool,
) -> Conflict {
    use Operation::*;
    match (own, other) {
        (SenseRoom | SenseMessage | SenseAll, SenseRoom | SenseMessage | SenseAll) => Conflict::No,
        (SendTested | ReceiveTested | SendAwaited | ReceiveAwaited, _) => Conflict::No,
        (_, SendAwaited | ReceiveAwaited) if !strict => Conflict::No,
        // What is tested is whether there is room: a send can only take it away, and then the
        // plain send that stands beside the test counts.
        (_, SendTested | SendAwaited) => match own {
            Receive | RandomReceive => Conflict::Always,
            _ => Conflict::No,
        },
        (_, ReceiveTested | ReceiveAwaited) => match own {
            Send | SortedSend => Conflict::Always,
            _ => Conflict::No,
        },
        (Send | SenseRoom, Receive | RandomReceive) => Conflict::Fill,
        (Receive | SenseMessage, Send) if !lose_messages => Conflict::Fill,
        _ => Conflict::Always,
    }
}

/// Whether the channel's fill keeps others from disturbing.
pub(crate) fn settled(own: Operation, length: u32, capacity: u32) -> bool {
    match own {
        Operation::Send | Operation::SenseRoom => length < capacity,
        _ => length > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Operation::*;

    #[test]
    fn one_sender_one_receiver() {
        assert_eq!(conflict(Send, Receive, false, false), Conflict::Fill);
        assert_eq!(conflict(Receive, Send, false, false), Conflict::Fill);
        assert_eq!(conflict(Receive, Send, true, false), Conflict::Always);
        assert_eq!(conflict(Send, Send, false, false), Conflict::Always);
        assert_eq!(conflict(SortedSend, Receive, false, false), Conflict::Always);
        assert_eq!(conflict(Receive, SortedSend, false, false), Conflict::Always);
        assert_eq!(conflict(RandomReceive, Send, false, false), Conflict::Always);
        assert_eq!(conflict(Send, ReceiveTested, false, false), Conflict::Always);
        assert_eq!(conflict(Send, SenseMessage, false, false), Conflict::Always);
        assert_eq!(conflict(Send, ReceiveAwaited, false, false), Conflict::No);
        assert_eq!(conflict(Send, ReceiveAwaited, false, true), Conflict::Always);
        assert_eq!(conflict(SenseAll, Receive, false, false), Conflict::Always);
    }
}
