//! One check: search, then replay of what was found, in slices.

use crate::bounded;
use crate::engine;
use crate::play::Player;
use crate::prepared::Prepared;
use crate::report;
use crate::team::Team;
use crate::trace::{Room, TraceBuilder, checksum};
use crate::vacuity;
use promenade_base::Interrupt;
use promenade_interp::Interpreter;
use promenade_ir::Model;
use promenade_jit::Compiled;
use promenade_protocol::{
    Confidence, Experiment, Found, PlanNote, Progress, Reduction, Report, StoppedBy, TeamMessage,
    Verdict,
};
use promenade_search::partition::{Member, Partition};
use promenade_search::{Bounded, Decider, Evidence, Outcome, Search, Statistics, Step, StopReason};
use promenade_store::{Approximation, Guarantee};
use promenade_transition_system::TransitionSystem;
use promenade_witness::refine;

/// Work of replays after a cancellation, about a second; what is not confirmed by then is left out.
const REPLAY_AFTER_CANCEL: u64 = 4_000_000;

/// Steps of a member of a team between two looks at its messages.
const TEAM_FUEL: u64 = 500;

/// What became of a request to check.
pub enum Start {
    /// Nothing can be run; this is the report.
    Rejected(Box<Report>),
    /// A run that can be advanced.
    Running(Box<Check>),
}

/// Reads and plans. The interrupt is asked while a formula is translated, and within expansions that
/// take long; if it is raised, the rest of the expansion is left out, and [`Check::stop`] has to
/// follow.
pub fn start(experiment: &Experiment, interrupt: Option<Interrupt>) -> Start {
    match Prepared::new(experiment, interrupt.as_ref()) {
        Ok(prepared) => Start::Running(Box::new(Check::new(prepared, interrupt))),
        Err(report) => Start::Rejected(report),
    }
}

/// Reads and plans for member `me` of `of` checkers that share the states. See [`Check::hear`].
pub fn start_member(
    experiment: &Experiment,
    (me, of): (u32, u32),
    interrupt: Option<Interrupt>,
) -> Start {
    let prepared = engine::for_team(experiment, of).and_then(|changed| {
        let mut prepared = Prepared::new(&changed, interrupt.as_ref())?;
        prepared.plan.share(of);
        if experiment.settings.reduction == Reduction::Automatic {
            prepared.plan.say_of_reduction(
                "None: searchers that share the states visit all of them, unless ample sets are \
                 asked for.",
            );
        }
        let left_out = engine::left_out_of_team(experiment, of);
        prepared.plan.restrictions.extend(left_out);
        Ok(prepared)
    });
    match prepared {
        Ok(prepared) => {
            let check = Check::member(prepared, me, of, interrupt);
            Start::Running(Box::new(Check { asked: Some(experiment.clone()), ..check }))
        }
        Err(report) => Start::Rejected(report),
    }
}

/// Where a check is.
enum Phase {
    /// The search is running.
    Searching { search: Box<dyn Search>, system: Box<Interpreter> },
    /// The search is running, together with others.
    Sharing { team: Box<Team>, system: Box<Interpreter> },
    /// What it found is being replayed.
    Confirming { player: Box<Player>, builder: Box<TraceBuilder> },
    /// There is nothing more to do.
    Done,
}

/// A check under way.
pub struct Check {
    prepared: Prepared,
    phase: Phase,
    /// A member of a team that is not the host.
    guest: bool,
    /// What was asked for, where a team does it in another way.
    asked: Option<Experiment>,
    outcome: Option<Outcome>,
    statistics: Statistics,
    /// What the store may have missed.
    approximation: Option<Approximation>,
    executed: Vec<bool>,
    /// Evidence that is still to be replayed, the next one last.
    evidence: Vec<Evidence>,
    found: Vec<Found>,
    /// What is to be said of their cycles.
    drifts: Vec<String>,
    /// Room for traces that is left.
    room: Room,
    /// Set when a replay fails.
    broken: Option<String>,
    /// Work of replays that is still allowed; set by a cancellation.
    fuel_left: Option<u64>,
    unconfirmed: usize,
    /// The notes have changed.
    replanned: bool,
    /// The most memory that a search took that was begun anew.
    memory_before: u64,
    states_before: u64,
    /// What searches with a bound have done beside the one that was planned.
    bounded: Option<Bounded>,
    /// Generated code that an engine is preparing.
    pub(crate) module: Option<Compiled>,
}

impl Check {
    fn new(prepared: Prepared, interrupt: Option<Interrupt>) -> Self {
        let system = Box::new(prepared.system(interrupt));
        let search = prepared.search(&system);
        let phase = match search {
            Some(search) => Phase::Searching { search, system },
            None => Phase::Done,
        };
        Self::in_phase(prepared, phase)
    }

    fn in_phase(prepared: Prepared, phase: Phase) -> Self {
        let room = Room::within(prepared.plan.setup.limits.memory_bytes);
        let guest = matches!(&phase, Phase::Sharing { team, .. } if !team.is_host());
        Self {
            prepared,
            phase,
            guest,
            asked: None,
            outcome: None,
            statistics: Statistics::default(),
            approximation: None,
            executed: Vec::new(),
            evidence: Vec::new(),
            found: Vec::new(),
            drifts: Vec::new(),
            room,
            broken: None,
            fuel_left: None,
            unconfirmed: 0,
            replanned: false,
            memory_before: 0,
            states_before: 0,
            bounded: None,
            module: None,
        }
    }

    fn member(prepared: Prepared, me: u32, of: u32, interrupt: Option<Interrupt>) -> Self {
        let mut system = Box::new(prepared.system(interrupt));
        let mut setup = prepared.plan.setup.clone();
        let (most, violations) = (setup.limits.states, setup.limits.violations);
        if of > 1 {
            // Where a member stops within a level depends on how fast the others are. All finish the
            // level instead, so that the numbers are the same each time.
            setup.limits.states = None;
        }
        let parts = prepared.plan.engine.parts(&prepared.experiment.settings, &system, 0);
        let mut partition = Partition::reduced(&setup, me, of, parts.reducer);
        partition.begin(system.as_mut());
        let team = Box::new(Team::new(Member::new(partition), (me, of), most, violations));
        Self::in_phase(prepared, Phase::Sharing { team, system })
    }

    /// Takes a message of another member.
    pub fn hear(&mut self, from: u32, message: TeamMessage) {
        if let Phase::Sharing { team, system } = &mut self.phase {
            team.hear(from, message, system);
        }
    }

    /// What is to be carried to other members.
    pub fn take_messages(&mut self) -> Vec<(u32, TeamMessage)> {
        match &mut self.phase {
            Phase::Sharing { team, .. } => team.take_messages(),
            _ => Vec::new(),
        }
    }

    /// Whether nothing can be done before a message comes.
    pub fn waits(&self) -> bool {
        matches!(&self.phase, Phase::Sharing { team, .. } if team.waits())
    }

    /// Whether this is a member of a team that does not report.
    pub fn is_guest(&self) -> bool {
        self.guest
    }

    /// The model.
    pub(crate) fn model(&self) -> &Model {
        &self.prepared.model
    }

    /// The system and the notes of a search that is going on.
    pub(crate) fn searching(&mut self) -> Option<(&mut Interpreter, &mut Vec<PlanNote>)> {
        let (Phase::Searching { system, .. } | Phase::Sharing { system, .. }) = &mut self.phase
        else {
            return None;
        };
        Some((system, &mut self.prepared.plan.notes))
    }

    /// How the check is done, and why.
    pub fn notes(&self) -> &[PlanNote] {
        &self.prepared.plan.notes
    }

    /// Works for about `fuel` transitions; true when the check is over.
    pub fn advance(&mut self, fuel: u64) -> bool {
        match &mut self.phase {
            Phase::Searching { search, system } => {
                let step = search.advance(system.as_mut(), fuel);
                if self.bounded.is_none()
                    && let Some(bounded) = search.bounded()
                {
                    self.prepared.plan.add_to_search(&bounded::note(&bounded));
                    self.replanned = true;
                }
                self.bounded = search.bounded();
                if let Step::Done(outcome) = step {
                    if outcome == Outcome::Stopped(StopReason::States)
                        && self.prepared.plan.reduce(search.as_ref(), system)
                    {
                        self.begin_anew();
                        return false;
                    }
                    self.outcome = Some(outcome);
                    if self.bounded.is_some_and(|it| it.decider != Decider::Unbounded) {
                        // The others leave nothing out.
                        self.prepared.plan.engine.reduction = None;
                    }
                    self.statistics = search.statistics();
                    self.approximation = Some(search.approximation());
                    self.executed = system.executed().to_vec();
                    self.evidence = search.evidence().to_vec();
                    self.evidence.reverse();
                    // The store is given back before traces are built.
                    self.phase = Phase::Done;
                    self.next_evidence();
                }
            }
            Phase::Sharing { team, system } => {
                // Others wait for what is found out here.
                team.work(system, fuel.min(TEAM_FUEL));
                // The last words have to be carried first.
                if team.is_over() && !team.has_messages() {
                    self.gather();
                }
            }
            Phase::Confirming { .. } => self.confirm(fuel),
            Phase::Done => {}
        }
        matches!(self.phase, Phase::Done)
    }

    /// Begins the search anew, as it is planned now.
    fn begin_anew(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        if let Phase::Searching { search, system } = phase {
            let before = search.statistics();
            (self.memory_before, self.states_before) = (before.memory_bytes, before.states_stored);
            // It is given back before the second one takes some.
            drop(search);
            if let Some(search) = self.prepared.search(&system) {
                self.phase = Phase::Searching { search, system };
                self.replanned = true;
            }
        }
    }

    /// The notes, if they have changed since this was asked last.
    pub fn new_notes(&mut self) -> Option<&[PlanNote]> {
        std::mem::take(&mut self.replanned).then_some(&self.prepared.plan.notes)
    }

    /// The team's work is over: the host goes on with what was found.
    fn gather(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        let Phase::Sharing { team, .. } = phase else { return };
        let Some(result) = team.result() else { return };
        drop(team);
        self.outcome = Some(result.outcome);
        self.statistics = result.statistics;
        self.executed = result.executed;
        self.evidence = result.evidence.into_iter().collect();
        self.next_evidence();
    }

    /// Starts to replay the next violation, if there is one.
    fn next_evidence(&mut self) {
        self.phase = Phase::Done;
        let Some(evidence) = self.evidence.last_mut() else { return };
        if let Some(model) = &self.prepared.plan.engine.coarse {
            let mut plain = self.prepared.replay_system(None);
            let mut coarse = Interpreter::new(model.clone(), plain.options().clone());
            let forgetful = Interpreter::new(model.clone(), plain.options().clone());
            let forget = |state: &mut [u8]| forgetful.program().rest_all(state);
            let stem = evidence.stem;
            match refine(&mut coarse, &mut plain, &forget, &evidence.choices, stem) {
                Some(run) => {
                    evidence.choices = run.choices;
                    evidence.stem = run.stem;
                }
                None => {
                    let kind = evidence.violation.kind.name();
                    self.broken = Some(format!("the run of `{kind}` has no plain form"));
                    return;
                }
            }
        }
        let system = self.prepared.replay_system(None);
        let builder = Box::new(self.prepared.builder(&system, self.room));
        let player = Box::new(Player::new(system, evidence.choices.clone(), evidence.stem));
        self.phase = Phase::Confirming { player, builder };
    }

    fn confirm(&mut self, fuel: u64) {
        let Phase::Confirming { player, builder } = &mut self.phase else { return };
        for _ in 0..fuel {
            if self.fuel_left == Some(0) {
                self.give_up();
                return;
            }
            let before = player.system.work();
            let result = player.advance(builder.as_mut());
            if let Some(left) = &mut self.fuel_left {
                let work = player.system.work().saturating_sub(before);
                *left = left.saturating_sub(work.max(1));
            }
            match result {
                Ok(false) => {}
                Ok(true) => {
                    self.confirmed();
                    return;
                }
                Err(mismatch) => {
                    self.broken = Some(mismatch.to_string());
                    self.phase = Phase::Done;
                    return;
                }
            }
        }
    }

    /// A run was replayed to its end: does it show what it should?
    fn confirmed(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        let (Phase::Confirming { mut player, builder }, Some(evidence)) =
            (phase, self.evidence.pop())
        else {
            return;
        };
        if !player.shows(&evidence.violation) {
            let shown = player.violation.map_or("nothing", |violation| violation.kind.name());
            let expected = evidence.violation.kind.name();
            self.broken = Some(format!("the run of `{expected}` shows `{shown}` when replayed"));
            return;
        }
        self.room = self.room.without(builder.used());
        let drift = player.drift().filter(|drift| !self.drifts.contains(drift));
        self.drifts.extend(drift);
        let sum = checksum(&player.system.decode(&player.state));
        let found = self.prepared.shown(&evidence.violation, &mut player, *builder, sum);
        self.found.push(found);
        self.next_evidence();
    }

    fn give_up(&mut self) {
        self.unconfirmed = self.evidence.len();
        self.evidence.clear();
        self.phase = Phase::Done;
    }

    /// Bytes of a state at the beginning.
    pub fn state_bytes(&self) -> usize {
        match &self.phase {
            Phase::Searching { system, .. } | Phase::Sharing { system, .. } => system.state_bytes(),
            Phase::Confirming { player, .. } => player.system.state_bytes(),
            Phase::Done => 0,
        }
    }

    /// Whether the search itself is still going on.
    pub fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Searching { .. } | Phase::Sharing { .. })
    }

    /// Ends the run from outside. What was found is still replayed, within bounds; a second call
    /// ends that, too.
    pub fn stop(&mut self, why: StoppedBy) {
        let reason = match why {
            StoppedBy::Time => StopReason::Time,
            StoppedBy::Memory => StopReason::Memory,
            StoppedBy::States => StopReason::States,
            StoppedBy::Depth => StopReason::Depth,
            StoppedBy::Successors => StopReason::Successors,
            StoppedBy::Cancelled | StoppedBy::Fatal | StoppedBy::Omissions => StopReason::Cancelled,
        };
        if self.outcome == Some(Outcome::Stopped(StopReason::Successors)) {
            // An interrupt may have been what made an expansion incomplete.
            self.outcome = Some(Outcome::Stopped(reason));
        }
        match &mut self.phase {
            Phase::Searching { search, .. } => {
                search.stop(reason);
                self.fuel_left = Some(REPLAY_AFTER_CANCEL);
            }
            Phase::Sharing { team, system } => {
                team.stop(reason, system);
                self.fuel_left = Some(REPLAY_AFTER_CANCEL);
            }
            Phase::Confirming { .. } if self.fuel_left.is_some() => self.give_up(),
            Phase::Confirming { .. } => self.fuel_left = Some(REPLAY_AFTER_CANCEL),
            Phase::Done => {}
        }
    }

    /// Numbers so far; times are the caller's.
    pub fn progress(&self) -> Progress {
        let progress = match &self.phase {
            Phase::Searching { search, .. } => search.progress(),
            Phase::Sharing { team, .. } => team.progress(),
            _ => promenade_search::Progress {
                states: self.statistics.states_stored,
                transitions: self.statistics.transitions(),
                depth: 0,
                max_depth: self.statistics.depth,
                errors: self.statistics.errors,
                memory_bytes: 0,
                budget_bytes: self.prepared.plan.setup.limits.memory_bytes,
                queued: 0,
                path: 0,
            },
        };
        let found = match &self.phase {
            Phase::Searching { search, .. } => Some(search.approximation()),
            _ => self.approximation,
        };
        let finite = |found: &Approximation| found.expected_omissions.is_finite();
        let lossy = found.is_some_and(|found| found.guarantee == Guarantee::Approximate);
        Progress {
            states: progress.states,
            transitions: progress.transitions,
            rate: 0.0,
            depth: progress.depth,
            max_depth: progress.max_depth,
            errors: progress.errors,
            memory_bytes: progress.memory_bytes,
            budget_bytes: progress.budget_bytes,
            seconds: 0.0,
            load: found.and_then(|found| found.load()),
            coverage: lossy.then(|| found.filter(finite).map_or(0.0, |found| found.coverage())),
        }
    }

    /// The report. A check that is not over yet is reported as cancelled.
    pub fn finish(mut self) -> Report {
        if let Phase::Searching { search, system } = &self.phase {
            self.outcome = Some(Outcome::Stopped(StopReason::Cancelled));
            self.statistics = search.statistics();
            self.approximation = Some(search.approximation());
            self.executed = system.executed().to_vec();
            self.unconfirmed = search.evidence().len();
        }
        self.unconfirmed += self.evidence.len();
        let outcome = self.outcome.unwrap_or(Outcome::Stopped(StopReason::Cancelled));
        let layout = crate::layout::rows(&self.prepared.replay_system(None));
        let Prepared { experiment, sources, model, edges, plan, diagnostics, .. } = self.prepared;
        self.statistics.memory_bytes = self.statistics.memory_bytes.max(self.memory_before);
        let mut statistics = report::numbers(&self.statistics);
        let others = self.bounded.map_or(0, |bounded| bounded.states);
        statistics.states_before = self.states_before + others;
        let confidence = self.approximation.and_then(|found| {
            let budget = plan.setup.limits.memory_bytes;
            let found =
                plan.engine.confidence(&experiment.settings, &found, &self.statistics, budget);
            // The part that was explored says nothing about how large the whole is.
            let whole = outcome == Outcome::Exhausted;
            found.map(|it| Confidence {
                advice: it.advice.filter(|_| whole),
                partial: !whole,
                ..it
            })
        });
        let mut notes = plan.restrictions.clone();
        notes.extend(self.drifts);
        let (verdict, summary) = match self.broken {
            Some(message) => {
                let summary = "The checker made a mistake: what it found does not happen when the \
                               run is executed again. Please report this.";
                (Verdict::InternalError { message }, summary.to_owned())
            }
            // Stopped between a violation and its run: a violation is claimed only with a run.
            None if self.found.is_empty()
                && (self.unconfirmed > 0
                    || statistics.errors > 0 && matches!(outcome, Outcome::Stopped(_))) =>
            {
                self.unconfirmed = self.unconfirmed.max(1);
                notes.push(format!(
                    "{} found, but there was no time to execute it again.",
                    report::counted(
                        self.unconfirmed as u64,
                        "possible violation was",
                        "possible violations were"
                    )
                ));
                let outcome = Outcome::Stopped(StopReason::Cancelled);
                report::conclude(
                    &experiment,
                    &plan,
                    outcome,
                    &self.statistics,
                    &self.found,
                    confidence.as_ref(),
                )
            }
            None => report::conclude(
                &experiment,
                &plan,
                outcome,
                &self.statistics,
                &self.found,
                confidence.as_ref(),
            ),
        };
        let vacuity =
            (verdict == Verdict::Holds).then(|| plan.goal.vacuity(&self.executed)).flatten();
        let summary = match &vacuity {
            Some(vacuity) => vacuity::summary(vacuity, &summary),
            None => summary,
        };
        let complete = outcome == Outcome::Exhausted;
        let restriction =
            |it| bounded::restriction(&it, plan.goal.infinite, complete || !self.found.is_empty());
        notes.extend(self.bounded.and_then(restriction));
        if outcome == Outcome::Stopped(StopReason::Memory) {
            notes.extend(plan.engine.crowded(plan.goal.infinite, &self.statistics));
        }
        if let Some(first) = self.found.first().filter(|found| found.trace.truncated) {
            let shorter = match experiment.settings.search {
                promenade_protocol::Search::DepthFirst => {
                    " Breadth-first search finds a shortest one."
                }
                promenade_protocol::Search::BreadthFirst => "",
            };
            notes.push(format!(
                "The run to the violation is long, {}: its first {} steps are shown.{shorter}",
                report::counted(first.trace.choices.len() as u64, "choice", "choices"),
                promenade_protocol::grouped(first.trace.steps.len() as u64)
            ));
        }
        let kept = self.found.len() as u64;
        if kept > 0 && statistics.errors > kept {
            let first = match kept {
                1 => "the first was".to_owned(),
                n => format!("the first {} were", promenade_protocol::grouped(n)),
            };
            notes.push(format!(
                "{} found, {first} kept with a run.",
                report::counted(statistics.errors, "violation was", "violations were")
            ));
        }
        // Along a claim not every run of the model is explored (progress lets all of them pass).
        let whole = plan.goal.claim.is_none() || plan.goal.progress;
        let complete = confidence.as_ref().is_none_or(|c| c.any_omission == 0.0);
        let unreached = if outcome == Outcome::Exhausted && whole && complete {
            report::unreached(&model, &edges, &sources, &plan.goal, &self.executed)
        } else {
            Vec::new()
        };
        Report {
            vacuity,
            notes,
            violations: self.found,
            statistics,
            unreached,
            automaton: plan.goal.drawn(&model),
            confidence,
            layout,
            stopped_by: match outcome {
                Outcome::Stopped(reason) => Some(report::stopped_by(reason)),
                Outcome::Fatal => Some(StoppedBy::Fatal),
                Outcome::Exhausted | Outcome::ViolationLimit => None,
            },
            diagnostics,
            ..report::empty(self.asked.as_ref().unwrap_or(&experiment), verdict, &summary)
        }
    }
}
