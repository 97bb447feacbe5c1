//! Promises of exclusive use (`xr`, `xs`).
//!
//! A promise is broken by whoever comes to an operation on the channel, executable or not, while
//! another process lives that has promised to be the only one, as SPIN has it (which remembers those
//! that have ended, too). Operations that depend on all of a channel break promises of both kinds.

use crate::eval::Context;
use crate::program::CLAIM_PID;
use crate::step::channel_number;
use promenade_ir::ChannelTest;
use promenade_transition_system::ViolationKind;

/// What is done with a channel.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    /// With `!!`, where the message is put depends on those that are there.
    Send {
        sorted: bool,
    },
    /// With `??`, younger messages are looked at.
    Receive {
        random: bool,
    },
    /// It is looked at.
    Look,
    Test(ChannelTest),
}

impl Context<'_> {
    /// Notes a fault if somebody else has promised to use the channel alone.
    #[inline(always)]
    pub(crate) fn watch(&self, s: &[u8], number: u8, usage: Use) {
        if !self.p.promises.is_empty() && self.pid != CLAIM_PID {
            self.watch_promises(s, number, usage);
        }
    }

    #[cold]
    fn watch_promises(&self, s: &[u8], number: u8, usage: Use) {
        let (sends, receives) = match usage {
            Use::Send { .. } | Use::Test(ChannelTest::NotFull) => (true, false),
            Use::Receive { .. } | Use::Test(ChannelTest::NotEmpty) => (false, true),
            Use::Look | Use::Test(_) => (true, true),
        };
        let mut base = self.p.first_process as usize;
        let mut broken = false;
        for pid in 0..s[0] {
            let ty = self.p.type_at(s, base);
            for promise in self.p.promises.iter().filter(|p| usize::from(p.proctype) == ty) {
                let by_other = pid != self.pid && (if promise.send { sends } else { receives });
                // Not even the owner may do that: it depends on what the other side does.
                let mixed = !promise.send
                    && matches!(usage, Use::Send { sorted: true } | Use::Receive { random: true });
                let claimed = || channel_number(&promise.channel, &self.of_process(pid, base), s);
                broken |= (by_other || mixed) && claimed() == Some(number);
            }
            base += self.p.types[ty].record_bytes as usize;
        }
        if broken {
            self.faults.soft(ViolationKind::ExclusiveChannel);
        }
    }
}
