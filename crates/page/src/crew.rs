//! Several workers on one check: they share the states, or each searches alone in another way.

use crate::combinations::cores_idle;
use crate::storage::{self, Place};
use crate::worker_client::{Client, Signal};
use promenade_protocol::options::Workers;
use promenade_protocol::swarm::{decides, merge, together, variant};
use promenade_protocol::{Event, Experiment, Progress, Property, Report, Request, Settings};
use std::cell::RefCell;
use std::rc::Rc;

/// How many workers a check has, and how they divide the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cores {
    /// One worker.
    #[default]
    One,
    /// Each has a part of the states: exact, breadth first.
    Share(u32),
    /// Each searches alone, with another seed and another order.
    Swarm(u32),
}

/// Most workers: each has a memory of its own.
pub const MOST: u32 = 16;

impl Cores {
    /// How many.
    pub fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Share(of) | Self::Swarm(of) => of.clamp(1, MOST),
        }
    }

    /// As legality sees them.
    pub fn workers(self) -> Workers {
        match self {
            Self::One => Workers::One,
            Self::Share(of) => Workers::Share(of),
            Self::Swarm(of) => Workers::Swarm(of),
        }
    }

    /// Whether a check can be divided like that; otherwise one worker does it.
    pub fn suit(self, property: &Property, settings: &Settings) -> bool {
        self != Self::One && cores_idle(property, settings, self).is_none()
    }

    /// As it is kept in the browser's storage.
    pub fn text(self) -> String {
        match self {
            Self::One => "one".to_owned(),
            Self::Share(of) => format!("share {of}"),
            Self::Swarm(of) => format!("swarm {of}"),
        }
    }

    /// The other way round; one worker for anything else.
    pub fn read(text: &str) -> Self {
        let Some((how, of)) = text.split_once(' ') else { return Self::One };
        match (how, of.parse::<u32>()) {
            ("share", Ok(of @ 2..=MOST)) => Self::Share(of),
            ("swarm", Ok(of @ 2..=MOST)) => Self::Swarm(of),
            _ => Self::One,
        }
    }
}

const KEY: &str = "cores";

/// What was chosen before.
pub fn kept() -> Cores {
    let text: Option<String> = storage::load(Place::Device, KEY);
    text.map_or(Cores::One, |text| Cores::read(&text))
}

/// Remembers a choice.
pub fn keep(cores: Cores) {
    storage::save(Place::Device, KEY, &cores.text());
}

/// The workers of one check. Dropping it ends all but the first, which belongs to the page.
#[derive(Clone)]
pub struct Crew(Rc<RefCell<Inner>>);

struct Inner {
    job: u32,
    experiment: Experiment,
    cores: Cores,
    /// Those beside the page's own.
    guests: Vec<Client>,
    progress: Vec<Option<Progress>>,
    reports: Vec<Report>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.guests.iter().for_each(Client::end);
    }
}

/// What became of an event.
pub enum Heard {
    /// It was for the crew.
    Nothing,
    /// The event that the page should see instead.
    Event(Event),
}

impl Crew {
    /// Starts the workers for a job; `guest` hears what those beside the first one say, with their
    /// number.
    pub fn start(
        first: &Client,
        job: u32,
        experiment: &Experiment,
        cores: Cores,
        guest: impl Fn(u32, Signal) + Clone + 'static,
    ) -> Self {
        let of = cores.count();
        let request = |me: u32| match cores {
            Cores::Share(_) => Request::Join { job, experiment: experiment.clone(), me, of },
            _ => Request::Check { job, experiment: variant(experiment, me, of) },
        };
        let guests = (1..of).map(|me| {
            let guest = guest.clone();
            let client = Client::new(move |signal| guest(me, signal));
            client.restart();
            client.send(request(me));
            client
        });
        let guests = guests.collect();
        first.send(request(0));
        let progress = vec![None; of as usize];
        Self(Rc::new(RefCell::new(Inner {
            job,
            experiment: experiment.clone(),
            cores,
            guests,
            progress,
            reports: Vec::new(),
        })))
    }

    /// Takes an event of worker `from` before the page sees it.
    pub fn hear(&self, first: &Client, from: u32, event: Event) -> Heard {
        let mut inner = self.0.borrow_mut();
        let inner = &mut *inner;
        match event {
            Event::Team { job, to, message } if job == inner.job => {
                let request = Request::Team { job, from, message };
                match to.checked_sub(1) {
                    None => first.send(request),
                    Some(at) => {
                        if let Some(guest) = inner.guests.get(at as usize) {
                            guest.send(request);
                        }
                    }
                }
                Heard::Nothing
            }
            Event::Progress { job, progress } if job == inner.job => {
                if let Some(part) = inner.progress.get_mut(from as usize) {
                    *part = Some(progress);
                }
                // Once for all is often enough.
                if from == 0 {
                    Heard::Event(Event::Progress { job, progress: together(&inner.progress) })
                } else {
                    Heard::Nothing
                }
            }
            Event::Report { job, report } if job == inner.job => {
                if let Cores::Swarm(_) = inner.cores {
                    return inner.gather(first, *report);
                }
                Heard::Event(Event::Report { job, report })
            }
            // The guests' remarks on their plans and their parses are those of the first.
            _ if from > 0 => Heard::Nothing,
            event => Heard::Event(event),
        }
    }

    /// Stops the search of all.
    pub fn cancel(&self, first: &Client) {
        let inner = self.0.borrow();
        first.send(Request::Cancel { job: inner.job });
        if let Cores::Swarm(_) = inner.cores {
            for guest in &inner.guests {
                guest.send(Request::Cancel { job: inner.job });
            }
        }
    }
}

impl Inner {
    /// A searcher of the swarm is done: what it found, or the last one's end, is the result.
    fn gather(&mut self, first: &Client, report: Report) -> Heard {
        let decided = decides(&report);
        self.reports.push(report);
        if !decided && self.reports.len() < self.cores.count() as usize {
            return Heard::Nothing;
        }
        // What the others still find comes too late.
        first.send(Request::Cancel { job: self.job });
        let Some(report) = merge(&self.experiment, std::mem::take(&mut self.reports)) else {
            return Heard::Nothing;
        };
        Heard::Event(Event::Report { job: self.job, report: Box::new(report) })
    }
}
