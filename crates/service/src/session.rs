//! The state machine.

use crate::Clock;
use crate::job::{Job, Work};
use promenade_base::Interrupt;
use promenade_checker::native::Engine;
use promenade_checker::{
    Start, out_of_time, start, start_graph, start_member, start_replay, start_simulation,
};
use promenade_protocol::{
    Event, Experiment, Report, Request, StateGraph, StoppedBy, TeamMessage, Trace,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Seconds between two looks at the clock, about.
const SLICE: f64 = 0.004;
/// Seconds between two progress events.
const PROGRESS: f64 = 0.2;

/// One user's checker: takes requests, does one thing at a time, gives events.
pub struct Session<C> {
    clock: Rc<C>,
    /// Requests that wait for the present one to end.
    waiting: VecDeque<Request>,
    job: Option<Job>,
    events: Vec<Event>,
    /// Messages to a member of a team that has not joined yet.
    early: Vec<(u32, TeamMessage)>,
    /// What executes generated code.
    engine: Option<Box<dyn Engine>>,
}

impl<C: Clock + 'static> Session<C> {
    /// A session with nothing to do.
    pub fn new(clock: C) -> Self {
        let clock = Rc::new(clock);
        Self {
            clock,
            waiting: VecDeque::new(),
            job: None,
            events: Vec::new(),
            early: Vec::new(),
            engine: None,
        }
    }

    /// Longer searches are executed by generated code from now on.
    pub fn set_engine(&mut self, engine: Box<dyn Engine>) {
        self.engine = Some(engine);
    }

    /// Whether there is nothing to do and nothing to tell, until a request comes.
    pub fn is_idle(&self) -> bool {
        let works = match &self.job {
            Some(job) => !job.waits(),
            None => !self.waiting.is_empty(),
        };
        !works && self.events.is_empty()
    }

    /// Takes a request. Reading a text and cancelling happen here; everything else waits for
    /// [`Session::advance`].
    pub fn submit(&mut self, request: Request) {
        match request {
            Request::Parse { job, experiment, formulas } => {
                let (diagnostics, summary) = promenade_checker::parse(&experiment);
                let formulas = promenade_checker::findings(&experiment, &formulas);
                self.events.push(Event::Parsed { job, diagnostics, summary, formulas });
            }
            Request::Formula { job, formula, options } => {
                let report = Box::new(promenade_checker::formula(&formula, &options));
                self.events.push(Event::Formula { job, report });
            }
            Request::Word { job, formula, word, options } => {
                let report = Box::new(promenade_checker::word(&formula, &word, &options));
                self.events.push(Event::Word { job, report });
            }
            Request::Pattern { job, pattern, scope, events } => {
                let report = Box::new(promenade_checker::pattern(&pattern, &scope, &events));
                self.events.push(Event::Pattern { job, report });
            }
            Request::Cancel { job } => self.cancel(job),
            Request::Team { job, from, message } => self.hear(job, from, message),
            request => self.waiting.push_back(request),
        }
    }

    /// The events so far, without doing anything.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Works for about `budget` seconds, less if there is nothing more to do, and gives the events
    /// up to then. With a clock that stands still it works until the present job is done.
    pub fn advance(&mut self, budget: f64) -> Vec<Event> {
        let begun = self.clock.seconds();
        while self.work() {
            if self.clock.seconds() - begun >= budget {
                break;
            }
        }
        self.take_events()
    }

    /// One slice; false if there is nothing to do, or there is a final event to hand over.
    fn work(&mut self) -> bool {
        let Some(job) = &mut self.job else {
            let Some(request) = self.waiting.pop_front() else { return false };
            self.begin(request);
            return self.job.is_some();
        };
        // Also of a team whose members have messages, or wait, all the time.
        let number = job.number;
        let before = self.clock.seconds();
        if before - job.told.0 >= PROGRESS {
            let progress = job.progress(before);
            self.events.push(Event::Progress { job: number, progress });
        }
        // What others wait for is carried at once.
        let messages = job.take_messages();
        if !messages.is_empty() {
            let team = |(to, message)| Event::Team { job: number, to, message };
            self.events.extend(messages.into_iter().map(team));
            return false;
        }
        if let Some(engine) = &self.engine
            && let Some(notes) = job.accelerate(engine.as_ref())
        {
            self.events.push(Event::Planned { job: number, notes });
        }
        let before = self.clock.seconds();
        job.look(before, self.clock.is_interrupted());
        let done = job.advance(self.clock.as_ref());
        if let Some(notes) = job.new_notes() {
            self.events.push(Event::Planned { job: number, notes });
        }
        let now = self.clock.seconds();
        job.look(now, self.clock.is_interrupted());
        job.adapt(now - before, SLICE);
        if done {
            if let Some(job) = self.job.take() {
                self.events.push(job.finish(now));
            }
            return false;
        }
        !job.waits()
    }

    /// Takes up a request that waited.
    fn begin(&mut self, request: Request) {
        let begun = self.clock.seconds();
        let deadline = Rc::new(Cell::new(f64::INFINITY));
        let interrupt = self.interrupt(&deadline);
        // Reading a text and translating a formula take time, too.
        let end = |experiment: &Experiment| {
            let limit = experiment.settings.time_limit_seconds;
            limit.map_or(f64::INFINITY, |limit| begun + f64::from(limit))
        };
        let (number, work) = match request {
            Request::Check { job, experiment } => {
                deadline.set(end(&experiment));
                match start(&experiment, Some(interrupt)) {
                    Start::Rejected(report) => {
                        return self.events.push(self.rejected(job, report, begun));
                    }
                    Start::Running(check) => {
                        self.events.push(Event::Planned { job, notes: check.notes().to_vec() });
                        (job, Work::Check(check))
                    }
                }
            }
            Request::Join { job, experiment, me, of } => {
                deadline.set(end(&experiment));
                match start_member(&experiment, (me, of), Some(interrupt)) {
                    Start::Rejected(report) if me == 0 => {
                        return self.events.push(self.rejected(job, report, begun));
                    }
                    Start::Rejected(_) => return self.events.push(Event::Left { job }),
                    Start::Running(mut check) => {
                        self.events.push(Event::Planned { job, notes: check.notes().to_vec() });
                        for (from, message) in self.early.drain(..) {
                            check.hear(from, message);
                        }
                        (job, Work::Check(check))
                    }
                }
            }
            Request::Replay { job, experiment, choices, checksum, stem } => {
                match start_replay(&experiment, choices, checksum, stem, Some(&interrupt)) {
                    Ok(replay) => (job, Work::Replay(Box::new(replay))),
                    Err(report) => {
                        let mismatch = Some("the text cannot be run".to_owned());
                        return self.events.push(Event::Replayed { job, report, mismatch });
                    }
                }
            }
            Request::Simulate { job, experiment, seed, steps } => {
                match start_simulation(&experiment, seed, steps, Some(&interrupt)) {
                    Ok(simulation) => (job, Work::Simulation(Box::new(simulation))),
                    Err(report) => {
                        return self.events.push(Event::Simulated {
                            job,
                            trace: Box::new(Trace::default()),
                            ended: "the text cannot be run".to_owned(),
                            diagnostics: report.diagnostics,
                        });
                    }
                }
            }
            Request::Graph { job, experiment, limit } => {
                match start_graph(&experiment, limit, Some(&interrupt)) {
                    Ok(graph) => (job, Work::Graph(Box::new(graph))),
                    Err(graph) => return self.events.push(Event::Graph { job, graph }),
                }
            }
            // These never wait.
            request @ (Request::Parse { .. }
            | Request::Formula { .. }
            | Request::Word { .. }
            | Request::Pattern { .. }
            | Request::Team { .. }
            | Request::Cancel { .. }) => {
                return self.submit(request);
            }
        };
        let mut job = Job::new(number, work, begun, self.clock.seconds());
        if let Some(engine) = &self.engine {
            job.prepare(engine.as_ref());
        }
        self.job = Some(Job { deadline, ..job });
    }

    /// A message of another member of the team. One that comes before this member has joined waits.
    fn hear(&mut self, number: u32, from: u32, message: TeamMessage) {
        match self.job.as_mut().filter(|job| job.number == number).map(|job| &mut job.work) {
            Some(Work::Check(check)) => check.hear(from, message),
            Some(_) => {}
            None => {
                let joins = |request: &Request| matches!(request, Request::Join { job, .. } if *job == number);
                if self.waiting.iter().any(joins) {
                    self.early.push((from, message));
                }
            }
        }
    }

    /// Raised at the deadline, or by the clock's owner.
    fn interrupt(&self, deadline: &Rc<Cell<f64>>) -> Interrupt {
        let (clock, deadline) = (self.clock.clone(), deadline.clone());
        Interrupt::new(move || clock.is_interrupted() || clock.seconds() >= deadline.get())
    }

    fn rejected(&self, job: u32, mut report: Box<Report>, begun: f64) -> Event {
        if !self.clock.is_interrupted() {
            report = out_of_time(report);
        }
        report.statistics.compile_seconds = self.clock.seconds() - begun;
        Event::Report { job, report }
    }

    /// Stops the present job, or takes a waiting one off the list.
    fn cancel(&mut self, number: u32) {
        if let Some(job) = self.job.as_mut().filter(|job| job.number == number) {
            job.stop(StoppedBy::Cancelled);
            return;
        }
        let waits = |request: &Request| {
            matches!(request,
                Request::Check { job, .. }
                | Request::Join { job, .. }
                | Request::Replay { job, .. }
                | Request::Simulate { job, .. }
                | Request::Graph { job, .. } if *job == number)
        };
        let Some(at) = self.waiting.iter().position(waits) else { return };
        let Some(request) = self.waiting.remove(at) else { return };
        let event = match request {
            Request::Check { job, experiment } | Request::Join { job, experiment, me: 0, .. } => {
                Event::Report { job, report: Box::new(promenade_checker::cancelled(&experiment)) }
            }
            Request::Join { job, .. } => Event::Left { job },
            Request::Replay { job, experiment, .. } => Event::Replayed {
                job,
                report: Box::new(promenade_checker::cancelled(&experiment)),
                mismatch: Some("cancelled before it began".to_owned()),
            },
            Request::Graph { job, limit, .. } => {
                let partial = Some("It was cancelled before it began.".to_owned());
                let graph = Box::new(StateGraph { limit, partial, ..StateGraph::default() });
                Event::Graph { job, graph }
            }
            _ => Event::Simulated {
                job: number,
                trace: Box::new(Trace::default()),
                ended: "cancelled".to_owned(),
                diagnostics: Vec::new(),
            },
        };
        self.events.push(event);
    }
}
