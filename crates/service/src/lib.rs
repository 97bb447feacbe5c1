//! A session without I/O: requests in, events out.
//!
//! [`Session::submit`] takes a request, [`Session::advance`] works for a while and gives the events
//! that there are by then. The browser's worker and the command line are shells around it. Time is
//! handed in as a [`Clock`].
//!
//! A text is read at once, whatever else is running; checks, replays and simulations wait for each
//! other. A cancellation acts when it is submitted.
#![forbid(unsafe_code)]

mod clock;
mod job;
mod session;
#[cfg(test)]
mod tests;

pub use clock::{Clock, Timeless};
pub use promenade_checker::{catalog, formula, lost, native, parse};
pub use session::Session;

use promenade_protocol::{Event, Experiment, Report, Request};

/// Checks to the end, with a look at each event on the way.
pub fn run<C: Clock + 'static>(
    experiment: Experiment,
    clock: C,
    mut watch: impl FnMut(&mut Session<C>, &Event),
) -> Report {
    let empty = experiment.clone();
    let mut session = Session::new(clock);
    session.submit(Request::Check { job: 0, experiment });
    loop {
        let events = session.advance(0.05);
        for event in events {
            watch(&mut session, &event);
            if let Event::Report { report, .. } = event {
                return *report;
            }
        }
        if session.is_idle() {
            // Every check ends with a report; this is here so that a mistake is no endless loop.
            return promenade_checker::lost(&empty);
        }
    }
}

/// Checks to the end. Without a clock there is no time limit, and times are 0.
pub fn check(experiment: Experiment) -> Report {
    run(experiment, Timeless, |_, _| {})
}
