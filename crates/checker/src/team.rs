//! A check that several checkers share: each has a part of the states, member 0 is the host that
//! brings them from level to level and reports.

use promenade_interp::Interpreter;
use promenade_protocol::{Bytes, Statistics as Numbers, TeamFound, TeamMessage, TeamStop};
use promenade_search::partition::{Coordinator, FoundAt, Link, Member, Order, Told, together};
use promenade_search::{Evidence, Outcome, Progress, Statistics, StopReason};
use promenade_transition_system::{TransitionSystem, Violation, ViolationKind};
use std::collections::VecDeque;

/// What a member has to say at its end.
#[derive(Clone, Debug)]
struct Share {
    statistics: Statistics,
    executed: Vec<bool>,
    outcome: Outcome,
}

/// The result of all.
pub(crate) struct Together {
    pub outcome: Outcome,
    pub statistics: Statistics,
    pub executed: Vec<bool>,
    pub evidence: Option<Evidence>,
}

/// A member, and in the first one the coordinator.
pub(crate) struct Team {
    me: u32,
    of: u32,
    violations: Option<u64>,
    member: Member,
    coordinator: Option<Coordinator>,
    shares: Vec<Option<Share>>,
    /// The members have been told to finish.
    finishing: bool,
    /// It has said its last words.
    left: bool,
    out: Vec<(u32, TeamMessage)>,
}

fn stop_of(outcome: Outcome) -> Option<TeamStop> {
    Some(match outcome {
        Outcome::Exhausted => return None,
        Outcome::ViolationLimit => TeamStop::Violation,
        Outcome::Fatal => TeamStop::Fatal,
        Outcome::Stopped(reason) => match reason {
            StopReason::Memory => TeamStop::Memory,
            StopReason::States => TeamStop::States,
            StopReason::Depth => TeamStop::Depth,
            StopReason::Time => TeamStop::Time,
            StopReason::Cancelled => TeamStop::Cancelled,
            StopReason::Successors => TeamStop::Successors,
        },
    })
}

fn outcome_of(stop: Option<TeamStop>) -> Outcome {
    match stop {
        None => Outcome::Exhausted,
        Some(TeamStop::Violation) => Outcome::ViolationLimit,
        Some(TeamStop::Fatal) => Outcome::Fatal,
        Some(stop) => Outcome::Stopped(reason_of(stop)),
    }
}

fn reason_of(stop: TeamStop) -> StopReason {
    match stop {
        TeamStop::Memory => StopReason::Memory,
        TeamStop::States => StopReason::States,
        TeamStop::Depth => StopReason::Depth,
        TeamStop::Time => StopReason::Time,
        TeamStop::Successors => StopReason::Successors,
        TeamStop::Violation | TeamStop::Fatal | TeamStop::Cancelled => StopReason::Cancelled,
    }
}

fn write_found(found: FoundAt) -> TeamFound {
    let FoundAt { violation, number, choice, length, key } = found;
    let Violation { kind, pid, edge } = violation;
    let kind = kind.name().to_owned();
    let key = (key as u32, (key >> 32) as u32);
    TeamFound { kind, pid, edge, number, choice, length, key }
}

fn read_found(found: &TeamFound) -> Option<FoundAt> {
    let kind = ViolationKind::from_name(&found.kind)?;
    let violation = Violation { kind, pid: found.pid, edge: found.edge };
    let key = u64::from(found.key.0) | u64::from(found.key.1) << 32;
    let TeamFound { number, choice, length, .. } = *found;
    Some(FoundAt { violation, number, choice, length, key })
}

fn write_order(order: Order) -> TeamMessage {
    match order {
        Order::Expect(batches) => TeamMessage::Expect { batches },
        Order::NextLevel => TeamMessage::NextLevel,
        Order::Link(number) => TeamMessage::Link { number },
        Order::Stop(reason) => {
            let why = stop_of(Outcome::Stopped(reason)).unwrap_or(TeamStop::Cancelled);
            TeamMessage::Stop { why }
        }
    }
}

fn write_told(told: Told) -> TeamMessage {
    match told {
        Told::LevelDone { sent } => TeamMessage::LevelDone { sent },
        Told::Ready { waiting, stored, found, errors, fatal } => {
            TeamMessage::Ready { waiting, stored, found: found.map(write_found), errors, fatal }
        }
        Told::Found(found) => TeamMessage::Found { found: write_found(found) },
        Told::Stopped { outcome, found } => TeamMessage::Stopped {
            why: stop_of(outcome).unwrap_or(TeamStop::Cancelled),
            found: found.map(write_found),
        },
        Told::Link(link) => {
            TeamMessage::Linked { link: link.map(|l| (l.searcher, l.number, l.choice)) }
        }
    }
}

/// Bits by eight, the first one lowest.
fn pack(flags: &[bool]) -> Bytes {
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    Bytes(flags.chunks(8).map(byte).collect())
}

fn unpack(bytes: &Bytes, count: usize) -> Vec<bool> {
    let bit = |at: usize| bytes.0.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
    (0..count).map(bit).collect()
}

impl Team {
    /// Member `me` of `of`, with a searcher that has begun. Together they store about `most` states
    /// at most, and find so many violations.
    pub(crate) fn new(
        member: Member,
        (me, of): (u32, u32),
        most: Option<u64>,
        violations: Option<u64>,
    ) -> Self {
        Self {
            me,
            of,
            violations,
            member,
            coordinator: (me == 0).then(|| Coordinator::new(of, most, violations)),
            shares: vec![None; of as usize],
            finishing: false,
            left: false,
            out: Vec::new(),
        }
    }

    /// Whether this member reports.
    pub(crate) fn is_host(&self) -> bool {
        self.me == 0
    }

    /// Whether it can only wait for messages.
    pub(crate) fn waits(&self) -> bool {
        !self.is_over() && !self.member.has_work() && self.out.is_empty()
    }

    /// Whether it is done: the host has everybody's numbers, the others have sent theirs.
    pub(crate) fn is_over(&self) -> bool {
        if self.is_host() { self.shares.iter().all(Option::is_some) } else { self.left }
    }

    /// What is to be carried to others.
    pub(crate) fn take_messages(&mut self) -> Vec<(u32, TeamMessage)> {
        std::mem::take(&mut self.out)
    }

    pub(crate) fn has_messages(&self) -> bool {
        !self.out.is_empty()
    }

    pub(crate) fn progress(&self) -> Progress {
        self.member.partition().progress()
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.member.partition().statistics()
    }

    /// Works for about `fuel` steps.
    pub(crate) fn work(&mut self, system: &mut Interpreter, fuel: u64) {
        if self.is_over() || !self.member.has_work() {
            return;
        }
        let Self { member, out, .. } = self;
        let mut send = |to, batch| out.push((to, TeamMessage::States { batch: Bytes(batch) }));
        let told = member.work(system, fuel, &mut send);
        self.tell(told, system);
    }

    /// Ends the search of all; only the host's word counts.
    pub(crate) fn stop(&mut self, reason: StopReason, system: &Interpreter) {
        let orders = self.coordinator.as_mut().map_or(Vec::new(), |c| c.stop(reason));
        self.issue(orders, system);
    }

    /// Takes a message.
    pub(crate) fn hear(&mut self, from: u32, message: TeamMessage, system: &Interpreter) {
        let told = match message {
            TeamMessage::States { batch } => self.member.deliver(batch.0),
            TeamMessage::Expect { batches } => self.member.obey(Order::Expect(batches)),
            TeamMessage::NextLevel => self.member.obey(Order::NextLevel),
            TeamMessage::Link { number } => self.member.obey(Order::Link(number)),
            TeamMessage::Stop { why } => self.member.obey(Order::Stop(reason_of(why))),
            TeamMessage::Finish => {
                self.leave(system);
                None
            }
            TeamMessage::LevelDone { sent } => {
                return self.conduct(from, Told::LevelDone { sent }, system);
            }
            TeamMessage::Ready { waiting, stored, found, errors, fatal } => {
                let found = found.as_ref().and_then(read_found);
                let told = Told::Ready { waiting, stored, found, errors, fatal };
                return self.conduct(from, told, system);
            }
            TeamMessage::Found { found } => {
                let Some(found) = read_found(&found) else { return };
                return self.conduct(from, Told::Found(found), system);
            }
            TeamMessage::Stopped { why, found } => {
                let found = found.as_ref().and_then(read_found);
                let outcome = outcome_of(Some(why));
                return self.conduct(from, Told::Stopped { outcome, found }, system);
            }
            TeamMessage::Linked { link } => {
                let link = link.map(|(searcher, number, choice)| Link { searcher, number, choice });
                return self.conduct(from, Told::Link(link), system);
            }
            TeamMessage::Numbers { statistics, executed, partial } => {
                let share = Share {
                    statistics: read_numbers(&statistics),
                    executed: unpack(&executed, system.executed().len()),
                    outcome: outcome_of(partial),
                };
                if let Some(place) = self.shares.get_mut(from as usize) {
                    *place = Some(share);
                }
                return;
            }
        };
        self.tell(told, system);
    }

    fn tell(&mut self, told: Option<Told>, system: &Interpreter) {
        let Some(told) = told else { return };
        if self.is_host() {
            self.conduct(0, told, system);
        } else {
            self.out.push((0, write_told(told)));
        }
    }

    /// The coordinator hears something.
    fn conduct(&mut self, from: u32, told: Told, system: &Interpreter) {
        let orders = self.coordinator.as_mut().map_or(Vec::new(), |c| c.hear(from, told));
        self.issue(orders, system);
    }

    fn issue(&mut self, orders: Vec<(u32, Order)>, system: &Interpreter) {
        let mut orders = VecDeque::from(orders);
        while let Some((to, order)) = orders.pop_front() {
            if to != self.me {
                self.out.push((to, write_order(order)));
            } else if let Some(told) = self.member.obey(order)
                && let Some(coordinator) = &mut self.coordinator
            {
                orders.extend(coordinator.hear(self.me, told));
            }
        }
        if self.coordinator.as_ref().is_some_and(Coordinator::is_done) && !self.finishing {
            self.finishing = true;
            for to in 1..self.of {
                self.out.push((to, TeamMessage::Finish));
            }
            self.leave(system);
        }
    }

    /// Says the last words.
    fn leave(&mut self, system: &Interpreter) {
        if self.left {
            return;
        }
        self.left = true;
        let share = Share {
            statistics: self.statistics(),
            executed: system.executed().to_vec(),
            outcome: self.member.partition().explored(),
        };
        if self.is_host() {
            self.shares[0] = Some(share);
        } else {
            let message = TeamMessage::Numbers {
                statistics: crate::report::numbers(&share.statistics),
                executed: pack(&share.executed),
                partial: stop_of(share.outcome),
            };
            self.out.push((0, message));
        }
    }

    /// The result, if this is the host and it is over.
    pub(crate) fn result(&self) -> Option<Together> {
        let coordinator = self.coordinator.as_ref()?;
        let shares: Vec<&Share> = self.shares.iter().flatten().collect();
        let mut outcome = coordinator.outcome()?;
        if outcome == Outcome::Exhausted {
            let partial = shares.iter().find(|share| share.outcome != Outcome::Exhausted);
            outcome = partial.map_or(outcome, |share| share.outcome);
        }
        let statistics: Vec<Statistics> = shares.iter().map(|share| share.statistics).collect();
        let mut statistics = together(&statistics);
        if outcome == Outcome::ViolationLimit {
            // The level was finished all the same.
            statistics.errors = statistics.errors.min(self.violations.unwrap_or(u64::MAX));
        }
        let edges = shares.iter().map(|share| share.executed.len()).max().unwrap_or(0);
        let executed = (0..edges).map(|edge| {
            shares.iter().any(|share| share.executed.get(edge).copied().unwrap_or(false))
        });
        Some(Together {
            outcome,
            statistics,
            executed: executed.collect(),
            evidence: coordinator.evidence().cloned(),
        })
    }
}

/// The numbers that are summed up.
fn read_numbers(numbers: &Numbers) -> Statistics {
    Statistics {
        states_stored: numbers.states_stored,
        states_matched: numbers.states_matched,
        states_reduced: numbers.states_reduced,
        atomic_steps: numbers.atomic_steps,
        depth: numbers.depth,
        errors: numbers.errors,
        state_bytes: numbers.state_bytes,
        store_bytes: numbers.store_bytes,
        stack_bytes: numbers.stack_bytes,
        memory_bytes: numbers.memory_bytes,
        peak_stack: numbers.peak_stack,
        ..Statistics::default()
    }
}
