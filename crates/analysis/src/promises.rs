//! Promises of exclusive use (`xr`, `xs`) that the text keeps whatever happens.

use crate::channels::Channels;
use crate::effects::{self, Operation};
use promenade_ir::{Action, Model, ProctypeId, Promise};

/// Whether no run can break a promise of the model: each is given by a type of which there is one
/// process at most, and no other type does anything with the channels in question that the promise
/// forbids.
pub fn promises_are_kept(model: &Model) -> bool {
    if model.promises.is_empty() {
        return true;
    }
    let channels = Channels::of(model);
    model.promises.iter().all(|promise| is_kept(model, &channels, promise))
}

fn is_kept(model: &Model, channels: &Channels, promise: &Promise) -> bool {
    let owner = usize::from(promise.proctype.0);
    let claimed = channels.among(&channels.resolve(&promise.channel, Some(owner)));
    let single = is_single(model, promise.proctype);
    model.proctypes.iter().enumerate().all(|(ty, proctype)| {
        let own = ty == owner && single;
        proctype.graph.locations.iter().all(|location| {
            effects::of_location(model, channels, ty, location).iter().all(|effects| {
                effects.channels.iter().all(|(channel, operation)| {
                    allowed(promise.send, own, *operation)
                        || !channels.may_meet(&claimed, &channels.among(channel))
                })
            })
        })
    })
}

/// Whether an operation leaves a promise as it is.
fn allowed(send: bool, own: bool, operation: Operation) -> bool {
    use Operation as O;
    match operation {
        O::Send | O::SendTested | O::SendAwaited => own || !send,
        O::Receive | O::ReceiveTested | O::ReceiveAwaited => own || send,
        // Where a message is put, or which one is taken, depends on both sides.
        O::SortedSend => own && send,
        O::RandomReceive => send,
        O::SenseRoom | O::SenseMessage | O::SenseAll => own,
    }
}

/// Whether there is never more than one process of a type.
fn is_single(model: &Model, proctype: ProctypeId) -> bool {
    let started = model.initial_processes.iter().filter(|p| **p == proctype).count();
    let mut run = false;
    for edge in model.proctypes.iter().flat_map(|p| &p.graph.locations).flat_map(|l| &l.edges) {
        crate::walk::each_action(&edge.action, &mut |action| {
            run |= matches!(action, Action::Run { proctype: p, .. } if *p == proctype);
        });
    }
    started <= 1 && !run
}
