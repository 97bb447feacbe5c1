//! A check shared by several threads, each with a session of its own.

use crate::check::{PATIENCE, Watch, show};
use crate::engine::{Checked, Engines, Told};
use crate::output::StatusLine;
use promenade_protocol::swarm::together;
use promenade_protocol::{Event, Experiment, Request};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How long a thread with nothing to do waits before it looks at the clock again.
const NAP: Duration = Duration::from_millis(20);

/// One member: carries messages between its session and the other members.
struct Member {
    me: u32,
    inbox: Receiver<Request>,
    others: Vec<Sender<Request>>,
    /// What is not for other members.
    told: Sender<(u32, Event)>,
}

impl Member {
    fn run(self, watch: Watch, experiment: Experiment, engines: &Engines) {
        let mut session = engines.session(watch);
        let of = self.others.len() as u32;
        session.submit(Request::Join { job: 1, experiment, me: self.me, of });
        loop {
            if session.is_idle() {
                match self.inbox.recv_timeout(NAP) {
                    Ok(request) => session.submit(request),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
            while let Ok(request) = self.inbox.try_recv() {
                session.submit(request);
            }
            for event in session.advance(0.005) {
                let last = matches!(event, Event::Report { .. } | Event::Left { .. });
                match event {
                    Event::Team { job, to, message } => {
                        let request = Request::Team { job, from: self.me, message };
                        if let Some(other) = self.others.get(to as usize) {
                            // One that has left needs no messages.
                            let _ = other.send(request);
                        }
                    }
                    event => {
                        let _ = self.told.send((self.me, event));
                    }
                }
                if last {
                    return;
                }
            }
        }
    }
}

/// Checks with so many threads.
pub(crate) fn check(experiment: &Experiment, of: u32, watch: &Watch, engines: &Engines) -> Checked {
    let (told, hear) = channel();
    let (others, inboxes): (Vec<_>, Vec<_>) = (0..of).map(|_| channel()).unzip();
    let members = (0..).zip(inboxes).map(|(me, inbox)| {
        let member = Member { me, inbox, others: others.clone(), told: told.clone() };
        let (watch, experiment) = (watch.clone(), experiment.clone());
        let engines = engines.clone();
        thread::spawn(move || member.run(watch, experiment, &engines))
    });
    let members: Vec<_> = members.collect();
    drop((told, others));
    let mut line = StatusLine::new();
    let mut parts = vec![None; of as usize];
    let mut report = None;
    let mut engine = Told::new();
    while let Ok((from, event)) = hear.recv() {
        engine.hear(&event);
        match event {
            Event::Progress { progress, .. } => {
                if let Some(part) = parts.get_mut(from as usize) {
                    *part = Some(progress);
                }
                if from == 0 {
                    let sum = together(&parts);
                    if sum.seconds >= PATIENCE {
                        line.show(&show(&sum));
                    }
                }
            }
            Event::Report { report: done, .. } => report = Some(*done),
            _ => {}
        }
    }
    line.clear();
    // What a thread that has panicked would have said is missing from the report.
    let whole = members.into_iter().map(|it| it.join().is_ok()).filter(|ok| *ok).count();
    let report = report.filter(|_| whole == of as usize);
    engine.with(report.unwrap_or_else(|| promenade_service::lost(experiment)))
}
