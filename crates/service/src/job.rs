//! A request that takes time.

use crate::Clock;
use promenade_checker::native::Engine;
use promenade_checker::{Check, Graph, Replay, Simulation};
use promenade_protocol::{Event, PlanNote, Progress, StoppedBy, TeamMessage};
use std::cell::Cell;
use std::rc::Rc;

/// What is being done.
pub(crate) enum Work {
    Check(Box<Check>),
    Replay(Box<Replay>),
    Simulation(Box<Simulation>),
    Graph(Box<Graph>),
}

/// A request under way.
pub(crate) struct Job {
    pub number: u32,
    pub work: Work,
    /// When the request was taken up.
    pub begun: f64,
    /// When the model was ready.
    pub ready: f64,
    /// When the search was over; what follows is replay.
    pub searched: Option<f64>,
    /// When a check stops by itself; infinity if it does not, or has.
    pub deadline: Rc<Cell<f64>>,
    /// It was interrupted already.
    pub interrupted: bool,
    /// When the last progress was told, and how many states there were.
    pub told: (f64, u64),
    /// States per second, lately.
    pub rate: f64,
    /// Transitions in one slice between two looks at the clock.
    pub fuel: u64,
    /// The most of it: what is paid for may copy many states of this size.
    pub most_fuel: u64,
    /// Transitions until a check changes to generated code; none if it has, or never will.
    pub until_code: Option<u64>,
}

/// Bounds of [`Job::fuel`].
pub(crate) const FUEL: std::ops::RangeInclusive<u64> = 1..=1 << 20;
/// Bytes of states that one slice may go through, if each transition copies one.
const SLICE_BYTES: u64 = 4 << 20;

impl Job {
    pub(crate) fn new(number: u32, work: Work, begun: f64, ready: f64) -> Self {
        let bytes = match &work {
            Work::Check(check) => check.state_bytes(),
            Work::Replay(replay) => replay.state_bytes(),
            Work::Simulation(simulation) => simulation.state_bytes(),
            Work::Graph(graph) => graph.state_bytes(),
        };
        let most_fuel = (SLICE_BYTES / (bytes as u64).max(1)).clamp(*FUEL.start(), *FUEL.end());
        Self {
            until_code: None,
            number,
            work,
            begun,
            ready,
            searched: None,
            deadline: Rc::new(Cell::new(f64::INFINITY)),
            interrupted: false,
            told: (ready, 0),
            rate: 0.0,
            fuel: most_fuel.min(500),
            most_fuel,
        }
    }

    /// Ends it if it is time.
    pub(crate) fn look(&mut self, now: f64, interrupted: bool) {
        if now >= self.deadline.get() {
            self.deadline.set(f64::INFINITY);
            self.stop(StoppedBy::Time);
        }
        if interrupted && !self.interrupted {
            self.interrupted = true;
            self.stop(StoppedBy::Cancelled);
        }
    }

    /// Adapts the fuel to the time that the last slice took, if a slice should take `wanted` seconds.
    pub(crate) fn adapt(&mut self, spent: f64, wanted: f64) {
        if spent < wanted / 2.0 {
            self.fuel = (self.fuel * 2).min(self.most_fuel);
        } else if spent > wanted * 2.0 {
            self.fuel = (self.fuel / 2).max(*FUEL.start());
        }
    }

    /// Lets a check change to generated code when that pays.
    pub(crate) fn prepare(&mut self, engine: &dyn Engine) {
        if let Work::Check(check) = &self.work {
            self.until_code = Some(check.pays_after(engine));
        }
    }

    /// Changes to generated code if that pays by now; gives the plan with a note on it.
    pub(crate) fn accelerate(&mut self, engine: &dyn Engine) -> Option<Vec<PlanNote>> {
        if self.until_code? > 0 {
            return None;
        }
        let Work::Check(check) = &mut self.work else { return None };
        if !check.accelerate(engine) {
            return None;
        }
        self.until_code = None;
        Some(check.notes().to_vec())
    }

    /// The plan of a check, if it has changed since this was asked last.
    pub(crate) fn new_notes(&mut self) -> Option<Vec<PlanNote>> {
        let Work::Check(check) = &mut self.work else { return None };
        check.new_notes().map(<[PlanNote]>::to_vec)
    }

    /// One slice; true when the work is done.
    pub(crate) fn advance(&mut self, clock: &impl Clock) -> bool {
        match &mut self.work {
            Work::Check(check) => {
                let done = check.advance(self.fuel);
                self.until_code = self.until_code.map(|left| left.saturating_sub(self.fuel));
                if self.searched.is_none() && !check.is_searching() {
                    self.searched = Some(clock.seconds());
                }
                done
            }
            Work::Replay(replay) => replay.advance(self.fuel),
            Work::Simulation(simulation) => simulation.advance(self.fuel),
            Work::Graph(graph) => graph.advance(self.fuel),
        }
    }

    /// Ends it early.
    pub(crate) fn stop(&mut self, why: StoppedBy) {
        match &mut self.work {
            Work::Check(check) => check.stop(why),
            Work::Replay(replay) => replay.stop(),
            Work::Simulation(simulation) => simulation.stop(),
            Work::Graph(graph) => graph.stop(),
        }
    }

    /// Whether nothing can be done before a message comes.
    pub(crate) fn waits(&self) -> bool {
        matches!(&self.work, Work::Check(check) if check.waits())
    }

    /// What is to be carried to other members of the team.
    pub(crate) fn take_messages(&mut self) -> Vec<(u32, TeamMessage)> {
        match &mut self.work {
            Work::Check(check) => check.take_messages(),
            _ => Vec::new(),
        }
    }

    /// How far it is.
    pub(crate) fn progress(&mut self, now: f64) -> Progress {
        let progress = match &self.work {
            Work::Check(check) => check.progress(),
            Work::Replay(replay) => replay.progress(),
            Work::Simulation(simulation) => simulation.progress(),
            Work::Graph(graph) => graph.progress(),
        };
        let (when, states) = self.told;
        if now > when {
            let lately = progress.states.saturating_sub(states) as f64 / (now - when);
            self.rate = if self.rate == 0.0 { lately } else { (self.rate + lately) / 2.0 };
        }
        self.told = (now, progress.states);
        Progress { rate: self.rate, seconds: now - self.ready, ..progress }
    }

    /// The answer.
    pub(crate) fn finish(self, now: f64) -> Event {
        let job = self.number;
        let seconds = self.searched.unwrap_or(now) - self.ready;
        let compile_seconds = self.ready - self.begun;
        match self.work {
            Work::Check(check) if check.is_guest() => Event::Left { job },
            Work::Check(check) => {
                let mut report = check.finish();
                report.statistics.seconds = seconds;
                report.statistics.compile_seconds = compile_seconds;
                Event::Report { job, report: Box::new(report) }
            }
            Work::Replay(replay) => {
                let (mut report, mismatch) = replay.finish();
                report.statistics.seconds = seconds;
                report.statistics.compile_seconds = compile_seconds;
                Event::Replayed { job, report: Box::new(report), mismatch }
            }
            Work::Simulation(simulation) => {
                let (trace, ended, diagnostics) = simulation.finish();
                Event::Simulated { job, trace: Box::new(trace), ended, diagnostics }
            }
            Work::Graph(graph) => Event::Graph { job, graph: Box::new(graph.finish()) },
        }
    }
}
