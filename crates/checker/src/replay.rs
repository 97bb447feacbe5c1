//! Choice numbers from a link: executed, shown, judged.

use crate::play::Player;
use crate::prepared::Prepared;
use crate::report;
use crate::trace::{Room, TraceBuilder, checksum};
use promenade_base::Interrupt;
use promenade_protocol::{Experiment, Found, Report, StoppedBy, Verdict};

/// A replay under way.
pub struct Replay {
    prepared: Prepared,
    player: Player,
    builder: TraceBuilder,
    checksum: u32,
    over: bool,
    mismatch: Option<String>,
}

/// Begins to execute choice numbers; a report if the text cannot be run.
pub fn start_replay(
    experiment: &Experiment,
    choices: Vec<u32>,
    checksum: u32,
    stem: Option<u32>,
    interrupt: Option<&Interrupt>,
) -> Result<Replay, Box<Report>> {
    let prepared = Prepared::new(experiment, interrupt)?;
    let system = prepared.replay_system();
    let builder = prepared.builder(&system, Room::ONE);
    let player = Player::new(system, choices, stem.map(|stem| stem as usize));
    Ok(Replay { prepared, player, builder, checksum, over: false, mismatch: None })
}

impl Replay {
    /// Executes about `fuel` choices; true when the replay is over.
    pub fn advance(&mut self, fuel: u64) -> bool {
        for _ in 0..fuel {
            if self.over {
                break;
            }
            match self.player.advance(&mut self.builder) {
                Ok(over) => self.over = over,
                Err(mismatch) => {
                    self.mismatch = Some(mismatch.to_string());
                    self.over = true;
                }
            }
        }
        self.over
    }

    /// Ends it from outside.
    pub fn stop(&mut self) {
        if !self.over {
            self.over = true;
            self.mismatch = Some(format!("cancelled after {} choices", self.player.played()));
        }
    }

    /// The run as far as it came with the violation that it shows, and why it did not arrive where
    /// it should, if so.
    pub fn finish(self) -> (Report, Option<String>) {
        let Self { prepared, mut player, builder, checksum: expected, mut mismatch, .. } = self;
        let sum = checksum(&player.system.decode(&player.state));
        let violation = player.violation.filter(|_| mismatch.is_none());
        if mismatch.is_none() && sum != expected {
            mismatch = Some(
                "the run can be executed, but ends in another state: the text, its settings, or \
                 the checker have changed since the link was made"
                    .to_owned(),
            );
        } else if mismatch.is_none() && violation.is_none() {
            mismatch = Some("the run can be executed, but shows no violation".to_owned());
        }
        let (verdict, summary, found) = match &violation {
            Some(violation) => {
                let found = prepared.shown(violation, &mut player, builder, sum);
                let summary = format!(
                    "Violated: {}. This is a replay of one run; nothing else was explored.",
                    found.message
                );
                (Verdict::Violated, summary, found)
            }
            None => {
                let summary = match &mismatch {
                    Some(why) => format!("The counterexample does not fit: {why}."),
                    None => "The run shows no violation.".to_owned(),
                };
                let played = player.choices().get(..player.played()).unwrap_or(&[]);
                let trace = builder.finish(played, player.stem(), sum);
                let found = Found {
                    kind: "none".to_owned(),
                    message: "the run as far as it can be executed".to_owned(),
                    span: None,
                    blocked: Vec::new(),
                    trace,
                    fairness: Vec::new(),
                    cycle_states: 0,
                    fair: None,
                };
                (Verdict::NoViolationFound { why: StoppedBy::Cancelled }, summary, found)
            }
        };
        let mut result = report::empty(&prepared.experiment, verdict, &summary);
        result.notes = prepared.plan.restrictions.clone();
        result.automaton = prepared.plan.goal.drawn(&prepared.model);
        result.violations.push(found);
        result.diagnostics = prepared.diagnostics;
        result.statistics.errors = u64::from(violation.is_some());
        (result, mismatch)
    }
}
