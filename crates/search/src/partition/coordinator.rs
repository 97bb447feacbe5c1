//! What the searchers have to be told, and when they are done.

use super::{FoundAt, Link, evidence};
use crate::{Evidence, Outcome, StopReason};

/// An order for a searcher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// In this level so many batches were sent to it: it says when they have come.
    Expect(u32),
    /// All searchers have finished the level: go on.
    NextLevel,
    /// Tell how this state was reached.
    Link(u32),
    /// The search is over.
    Stop(StopReason),
}

/// What a searcher tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// It has expanded all states of this level, and sent so many batches to each searcher.
    LevelDone {
        /// By searcher.
        sent: Vec<u32>,
    },
    /// All batches of this level have come.
    Ready {
        /// Its states of the next level.
        waiting: u64,
        /// All states that it has stored.
        stored: u64,
        /// The least that it has found.
        found: Option<FoundAt>,
        /// Violations that it has found.
        errors: u64,
        /// One of them is such that nothing counts after it.
        fatal: bool,
    },
    /// It has found something, and goes on.
    Found(FoundAt),
    /// It cannot go on.
    Stopped {
        /// Why.
        outcome: Outcome,
        /// The least that it has found.
        found: Option<FoundAt>,
    },
    /// How a state was reached.
    Link(Option<Link>),
}

#[derive(Debug)]
enum Phase {
    /// Batches sent to each searcher, summed over those that are done, and how many that are.
    Level {
        sent: Vec<u32>,
        done: u32,
    },
    /// States of the next level and in all, and how many searchers are ready.
    Ready {
        waiting: u64,
        stored: u64,
        errors: u64,
        fatal: bool,
        ready: u32,
    },
    /// The run to what was found is put together.
    Tracing {
        found: FoundAt,
        at: u32,
        links: Vec<Link>,
    },
    Done,
}

/// Brings the searchers from level to level.
#[derive(Debug)]
pub struct Coordinator {
    of: u32,
    /// The most states that all may store together.
    most: u64,
    /// After so many violations the search ends.
    violations: u64,
    phase: Phase,
    outcome: Option<Outcome>,
    /// The least that was found, and by whom.
    found: Option<(u32, FoundAt)>,
    evidence: Option<Evidence>,
}

/// Orders, each with whom it is for.
type Orders = Vec<(u32, Order)>;

impl Coordinator {
    /// For so many searchers, which end with the level in which they have stored more states than
    /// `most` together, or found so many violations.
    pub fn new(of: u32, most: Option<u64>, violations: Option<u64>) -> Self {
        let phase = Phase::Level { sent: vec![0; of as usize], done: 0 };
        let most = most.unwrap_or(u64::MAX);
        let violations = violations.unwrap_or(u64::MAX);
        Self { of, most, violations, phase, outcome: None, found: None, evidence: None }
    }

    /// Whether the search is over, and what was found is known with its run.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// How it ended. Exhausted here means that nothing stopped it: whether a searcher's depth limit
    /// cut something off is for [`super::Partition::explored`] to say.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The least that was found, with its run.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref()
    }

    fn all(&self, order: Order) -> Orders {
        (0..self.of).map(|searcher| (searcher, order)).collect()
    }

    /// Ends the search from outside. What was found is still put together.
    pub fn stop(&mut self, reason: StopReason) -> Orders {
        if self.outcome.is_some() {
            return Vec::new();
        }
        self.end(Outcome::Stopped(reason), reason)
    }

    fn end(&mut self, outcome: Outcome, reason: StopReason) -> Orders {
        self.outcome = Some(outcome);
        let mut orders = self.all(Order::Stop(reason));
        self.phase = Phase::Done;
        if let Some((searcher, found)) = self.found {
            orders.extend(self.trace(searcher, found));
        }
        orders
    }

    /// Begins to put the run together.
    fn trace(&mut self, searcher: u32, found: FoundAt) -> Option<(u32, Order)> {
        let Some(number) = found.number else {
            self.evidence = Some(evidence(&found, &[]));
            return None;
        };
        self.phase = Phase::Tracing { found, at: searcher, links: Vec::new() };
        Some((searcher, Order::Link(number)))
    }

    fn note(&mut self, searcher: u32, found: Option<FoundAt>) {
        let found = found.map(|found| (searcher, found));
        self.found = self.found.into_iter().chain(found).min_by_key(|(_, found)| found.order());
    }

    /// Takes what a searcher tells; gives orders.
    pub fn hear(&mut self, searcher: u32, told: Told) -> Orders {
        match told {
            Told::Stopped { outcome, found } if self.outcome.is_none() => {
                self.note(searcher, found);
                self.end(outcome, StopReason::Cancelled)
            }
            Told::LevelDone { sent: more } => {
                let Phase::Level { sent, done } = &mut self.phase else { return Vec::new() };
                sent.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                *done += 1;
                if *done < self.of {
                    return Vec::new();
                }
                let sent = std::mem::take(sent);
                self.phase =
                    Phase::Ready { waiting: 0, stored: 0, errors: 0, fatal: false, ready: 0 };
                (0..).zip(sent).map(|(to, batches)| (to, Order::Expect(batches))).collect()
            }
            Told::Found(found) => {
                if self.outcome.is_none() {
                    self.note(searcher, Some(found));
                }
                Vec::new()
            }
            Told::Ready { waiting: more, stored: own, found, errors: new, fatal: worse } => {
                self.note(searcher, found);
                let Phase::Ready { waiting, stored, errors, fatal, ready } = &mut self.phase else {
                    return Vec::new();
                };
                *waiting += more;
                *stored += own;
                *errors += new;
                *fatal |= worse;
                *ready += 1;
                if *ready < self.of {
                    return Vec::new();
                }
                if *fatal {
                    return self.end(Outcome::Fatal, StopReason::Cancelled);
                }
                if *errors >= self.violations {
                    return self.end(Outcome::ViolationLimit, StopReason::Cancelled);
                }
                if *stored > self.most {
                    return self.end(Outcome::Stopped(StopReason::States), StopReason::Cancelled);
                }
                if *waiting == 0 {
                    return self.end(Outcome::Exhausted, StopReason::Cancelled);
                }
                self.phase = Phase::Level { sent: vec![0; self.of as usize], done: 0 };
                self.all(Order::NextLevel)
            }
            Told::Link(link) => self.linked(searcher, link),
            Told::Stopped { .. } => Vec::new(),
        }
    }

    fn linked(&mut self, searcher: u32, link: Option<Link>) -> Orders {
        let Phase::Tracing { found, at, links } = &mut self.phase else { return Vec::new() };
        if *at != searcher {
            return Vec::new();
        }
        match link {
            Some(link) if link != Link::INITIAL => {
                links.push(link);
                *at = link.searcher;
                vec![(link.searcher, Order::Link(link.number))]
            }
            // Without a link nothing is claimed: what does not replay is not shown.
            _ => {
                self.evidence = Some(evidence(found, links));
                self.phase = Phase::Done;
                Vec::new()
            }
        }
    }
}
