//! One searcher and what it owes the coordinator.

use super::{FoundAt, Order, Pace, Partition, Told};
use crate::StopReason;
use promenade_transition_system::TransitionSystem;

/// A searcher that obeys orders and tells what has to be told.
#[derive(Debug)]
pub struct Member {
    partition: Partition,
    /// How many batches of this level are to be waited for, once that is known.
    expected: Option<u32>,
    /// The end of this level, or of the search, has been told.
    told: bool,
    /// The least that was found, as last told.
    found: Option<FoundAt>,
}

impl Member {
    /// Takes a searcher that has begun.
    pub fn new(partition: Partition) -> Self {
        Self { partition, expected: None, told: false, found: None }
    }

    /// The searcher.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Whether [`Self::work`] has something to do before the next order or batch.
    pub fn has_work(&self) -> bool {
        self.partition.pace() == Pace::Working || !self.told
    }

    /// Works for about `fuel` steps.
    pub fn work(
        &mut self,
        system: &mut dyn TransitionSystem,
        fuel: u64,
        send: &mut dyn FnMut(u32, Vec<u8>),
    ) -> Option<Told> {
        let pace = self.partition.advance(system, fuel, send);
        if self.told {
            return None;
        }
        match pace {
            // If the search is stopped before the level is finished, this is what there is.
            Pace::Working => self.news().map(Told::Found),
            Pace::LevelDone => {
                self.told = true;
                Some(Told::LevelDone { sent: self.partition.sent().to_vec() })
            }
            Pace::Stopped(outcome) => {
                self.told = true;
                Some(Told::Stopped { outcome, found: self.partition.found() })
            }
        }
    }

    /// Takes a batch.
    pub fn deliver(&mut self, batch: Vec<u8>) -> Option<Told> {
        self.partition.deliver(batch);
        self.ready()
    }

    /// What was found since this was asked last, if it is less than before.
    fn news(&mut self) -> Option<FoundAt> {
        let found = self.partition.found().filter(|found| self.found.as_ref() != Some(found))?;
        self.found = Some(found);
        Some(found)
    }

    /// All batches of this level have come.
    fn ready(&mut self) -> Option<Told> {
        if let Pace::Stopped(outcome) = self.partition.pace() {
            self.expected = None;
            self.told = true;
            return Some(Told::Stopped { outcome, found: self.partition.found() });
        }
        self.expected.filter(|expected| self.partition.received() >= *expected)?;
        self.expected = None;
        let found = self.partition.found();
        let partition = &self.partition;
        let stored = partition.statistics().states_stored;
        let errors = partition.statistics().errors;
        let (waiting, fatal) = (partition.waiting(), partition.is_fatal());
        Some(Told::Ready { waiting, stored, found, errors, fatal })
    }

    /// Takes an order.
    pub fn obey(&mut self, order: Order) -> Option<Told> {
        match order {
            Order::Expect(batches) => {
                self.expected = Some(batches);
                self.ready()
            }
            Order::NextLevel => {
                self.partition.next_level();
                self.told = false;
                None
            }
            Order::Link(number) => Some(Told::Link(self.partition.link(number))),
            Order::Stop(reason) => {
                self.stop(reason);
                None
            }
        }
    }

    /// Ends the search, without telling.
    fn stop(&mut self, reason: StopReason) {
        self.partition.stop(reason);
        self.expected = None;
        self.told = true;
    }
}
