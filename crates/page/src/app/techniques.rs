//! The same check under several combinations of search, store and reduction, one after the other.

use super::{App, Outcome, Purpose, Shared, is_infinite};
use crate::combinations::refused;
use leptos::prelude::*;
use promenade_protocol::{
    DeadVariables, Emptiness, Experiment, ModelSummary, OptionId, Reduction, Report, Request,
    Search, Settings, StoppedBy, Store, Traits, Verdict,
};

/// The least budget of a store that takes all its memory at once where the plain run stopped at a
/// violation, in MiB.
const AFTER_VIOLATION: u32 = 16;

/// A combination that can take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combination {
    /// Its name.
    pub name: &'static str,
    /// Whether it takes part if nothing else is chosen.
    pub usual: bool,
    /// The order of the search.
    pub search: Search,
    /// The search for infinite runs.
    pub emptiness: Emptiness,
    /// The store.
    pub store: Store,
    /// The reduction.
    pub reduction: Reduction,
    /// What becomes of dead variables.
    pub dead_variables: DeadVariables,
}

impl Combination {
    /// The same with dead variables reset.
    const fn with_reset(self) -> Self {
        Self { dead_variables: DeadVariables::Reset, ..self }
    }
}

const fn finite(
    name: &'static str,
    usual: bool,
    search: Search,
    store: Store,
    reduction: Reduction,
) -> Combination {
    let (emptiness, dead_variables) = (Emptiness::Automatic, DeadVariables::Keep);
    Combination { name, usual, search, emptiness, store, reduction, dead_variables }
}

const fn infinite(
    name: &'static str,
    usual: bool,
    emptiness: Emptiness,
    reduction: Reduction,
) -> Combination {
    let (search, store) = (Search::DepthFirst, Store::Exact);
    let dead_variables = DeadVariables::Keep;
    Combination { name, usual, search, emptiness, store, reduction, dead_variables }
}

/// For properties of finite runs. The first is what the others are compared with;
/// every other store has a row.
fn of_finite_runs() -> Vec<Combination> {
    use Reduction::{AmpleSets as Ample, None as All};
    use Search::{BreadthFirst as Wide, DepthFirst as Deep};
    let mut list = vec![
        finite("Depth-first, exact", true, Deep, Store::Exact, All),
        finite("Breadth-first, exact", true, Wide, Store::Exact, All),
        finite("Reduction", true, Deep, Store::Exact, Ample),
        finite("Dead variables reset", true, Deep, Store::Exact, All).with_reset(),
        finite("Reduction, dead variables reset", false, Deep, Store::Exact, Ample).with_reset(),
        finite("Breadth-first, reduction", false, Wide, Store::Exact, Ample),
        finite("Collapse, reduction", false, Deep, Store::Collapse, Ample),
    ];
    // The automatic store is the exact one as long as the memory suffices.
    let others = Store::ALL.iter().filter(|it| !matches!(it, Store::Exact | Store::Automatic));
    list.extend(
        others.map(|store| {
            finite(store.choice().title, store.has(Traits::COMPARED), Deep, *store, All)
        }),
    );
    list.push(finite("Bitstate, reduction", false, Deep, Store::Bitstate, Ample));
    list.push(finite("Bitstate, breadth-first", false, Wide, Store::Bitstate, All));
    list
}

/// For properties of infinite runs.
fn of_infinite_runs() -> Vec<Combination> {
    use Reduction::{AmpleSets as Ample, None as All};
    vec![
        infinite("Couvreur", true, Emptiness::Couvreur, All),
        infinite("Couvreur, reduction", true, Emptiness::Couvreur, Ample),
        infinite("Couvreur, dead variables reset", true, Emptiness::Couvreur, All).with_reset(),
        infinite("Nested depth-first", true, Emptiness::NestedDfs, All),
        infinite("Nested depth-first, reduction", false, Emptiness::NestedDfs, Ample),
        infinite("Original nested", false, Emptiness::OriginalNestedDfs, All),
        infinite("Geldenhuys and Valmari", false, Emptiness::GeldenhuysValmari, All),
        infinite("Generalised nested", true, Emptiness::GeneralisedNestedDfs, All),
        infinite("Couvreur, shy", true, Emptiness::CouvreurShy, All),
        infinite("Couvreur, without a list", true, Emptiness::CouvreurWithoutRem, All),
    ]
}

/// One that takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What it is.
    pub combination: Combination,
    /// What is checked with it.
    pub experiment: Experiment,
    /// The result, once there is one.
    pub outcome: Option<Shared<Outcome>>,
}

/// The comparison. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Techniques {
    /// It is open.
    pub open: RwSignal<bool>,
    /// Names of combinations whose part was changed by the user.
    pub flipped: RwSignal<Vec<&'static str>>,
    /// Those that take part, in the order in which they run.
    pub rows: RwSignal<Vec<Row>>,
    /// The one that runs.
    pub current: RwSignal<Option<usize>>,
    /// It ended before all had run.
    pub ended_early: RwSignal<bool>,
}

impl Techniques {
    pub(super) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            flipped: RwSignal::new(Vec::new()),
            rows: RwSignal::new(Vec::new()),
            current: RwSignal::new(None),
            ended_early: RwSignal::new(false),
        }
    }

    /// Forgets everything: another document is opened.
    pub(super) fn clear(&self) {
        self.stop();
        self.rows.set(Vec::new());
        self.ended_early.set(false);
    }

    /// Lets nothing more begin.
    pub(super) fn stop(&self) {
        if self.current.get_untracked().is_some() {
            self.current.set(None);
            self.ended_early.set(true);
        }
    }

    /// Whether a combination is chosen.
    pub fn takes_part(&self, combination: &Combination) -> bool {
        let flipped = self.flipped.with(|all| all.contains(&combination.name));
        combination.usual != flipped
    }

    /// Chooses it, or not.
    pub fn flip(&self, name: &'static str) {
        self.flipped.update(|all| {
            if all.contains(&name) {
                all.retain(|it| *it != name);
            } else {
                all.push(name);
            }
        });
    }
}

/// An experiment with a combination in place of its own.
fn with(experiment: &Experiment, combination: &Combination) -> Experiment {
    let settings = Settings {
        search: combination.search,
        emptiness: combination.emptiness,
        store: combination.store,
        reduction: combination.reduction,
        dead_variables: combination.dead_variables,
        ..experiment.settings.clone()
    };
    Experiment { settings, ..experiment.clone() }
}

/// All combinations that there are for a property, each with the reason if it is not possible.
pub fn combinations(
    experiment: &Experiment,
    summary: &ModelSummary,
) -> Vec<(Combination, Option<String>)> {
    let property = &experiment.property;
    let list = if is_infinite(property) { of_infinite_runs() } else { of_finite_runs() };
    let with_reason = |it: Combination| {
        let settings = with(experiment, &it).settings;
        let values = [
            (OptionId::Store, it.store.link()),
            (OptionId::Search, it.search.link()),
            (OptionId::Emptiness, it.emptiness.link()),
            (OptionId::Reduction, it.reduction.link()),
        ];
        let refused = |value| refused(property, &settings, Some(summary), value);
        (it, values.into_iter().find_map(refused))
    };
    list.into_iter().map(with_reason).collect()
}

/// Whether the plain run, which stores whole states and leaves nothing out, went through.
fn went_through(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Holds | Verdict::Violated)
}

/// The budget for a store that takes all its memory at once, in MiB: what suits the number of states
/// that the plain run found, so that the rows show what the store saves. At most the user's own.
fn budget(plain: &Report, settings: &Settings) -> u32 {
    let it = &plain.statistics;
    let wanted = match settings.store {
        // Four bytes a state: ten times as many bits as are set.
        Store::Bitstate => it.states_stored.saturating_mul(4),
        Store::HashCompact => {
            it.states_stored.saturating_mul(u64::from(settings.cell_bits.clamp(4, 64))) * 5 / 32
        }
        Store::Caching => it.store_bytes / 2,
        _ => return settings.memory_mib,
    };
    // Path and queue take less than this beside the store, which has three quarters.
    let path = it.stack_bytes + it.peak_stack.saturating_mul(it.state_bytes + 16);
    let bytes = (wanted / 3 * 4).max(wanted + path * 2).max(path * 8);
    let mib = u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX);
    // In another order there may be more states before the violation.
    let mib = if plain.verdict == Verdict::Holds { mib } else { mib.max(AFTER_VIOLATION) };
    mib.clamp(1, settings.memory_mib.max(1))
}

impl App {
    /// Checks with each combination that is chosen and possible.
    pub fn begin_techniques(&self) {
        if self.running.with_untracked(Option::is_some) {
            return;
        }
        let experiment = self.experiment();
        let all = self.summary.with_untracked(|summary| combinations(&experiment, summary));
        let taking = |(it, refused): (Combination, Option<String>)| {
            let part = refused.is_none() && untrack(|| self.techniques.takes_part(&it));
            part.then(|| Row { combination: it, experiment: with(&experiment, &it), outcome: None })
        };
        self.techniques.rows.set(all.into_iter().filter_map(taking).collect());
        self.techniques.ended_early.set(false);
        self.technique_next(0);
    }

    fn technique_next(&self, index: usize) {
        let techniques = self.techniques;
        let plain = self.plain_row();
        techniques.rows.update(|rows| {
            if let (Some(row), Some(plain)) = (rows.get_mut(index), plain) {
                row.experiment.settings.memory_mib =
                    budget(&plain.report, &row.experiment.settings);
            }
        });
        let next = techniques
            .rows
            .with_untracked(|rows| rows.get(index).map(|row| row.experiment.clone()));
        let Some(experiment) = next else {
            techniques.current.set(None);
            self.announcement.set("The table is complete.".to_owned());
            return;
        };
        techniques.current.set(Some(index));
        if !self.begin(experiment.clone(), Purpose::Techniques) {
            techniques.stop();
            return;
        }
        let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
        if let Some(client) = self.client() {
            client.send(Request::Check { job, experiment });
        }
    }

    /// The result of the first combination, if it can be compared with.
    fn plain_row(&self) -> Option<Shared<Outcome>> {
        self.techniques.rows.with_untracked(|rows| {
            let first = rows.first()?;
            let plain = first.combination.store == Store::Exact
                && first.combination.reduction == Reduction::None;
            first.outcome.clone().filter(|it| plain && went_through(&it.report))
        })
    }

    /// Takes the result of the combination that ran.
    pub(super) fn arrive_technique(&self, outcome: Outcome) {
        let techniques = self.techniques;
        let current = techniques.current.get_untracked();
        // After a cancellation the result belongs to the first that has none.
        let index = current.or_else(|| {
            techniques.rows.with_untracked(|all| all.iter().position(|it| it.outcome.is_none()))
        });
        techniques.rows.update(|all| {
            if let Some(row) = index.and_then(|index| all.get_mut(index)) {
                row.outcome = Some(Shared::new(outcome));
            }
        });
    }

    /// Goes on after a result.
    pub(super) fn go_on_with_techniques(&self) {
        let techniques = self.techniques;
        let Some(index) = techniques.current.get_untracked() else { return };
        let failed = techniques.rows.with_untracked(|rows| {
            let report = rows.get(index).and_then(|row| row.outcome.as_ref());
            report.is_some_and(|it| it.report.verdict == Verdict::InputError)
        });
        if failed {
            // A text with errors has them with every technique.
            techniques.stop();
        } else {
            self.technique_next(index + 1);
        }
    }

    /// Whether the table belongs to another text, property or setting.
    pub fn techniques_are_old(&self) -> bool {
        let first = self.techniques.rows.with(|all| all.first().cloned());
        let Some(row) = first else { return false };
        let now = Experiment {
            files: self.files.get(),
            property: self.property.get(),
            settings: self.settings.get(),
        };
        let mut was = row.experiment;
        // A fixed store in the first row has a budget of its own.
        was.settings.memory_mib = now.settings.memory_mib;
        with(&now, &row.combination) != was
    }
}

/// Whether a row ran into the time limit, the memory or the user.
pub fn ended_early(report: &Report) -> bool {
    matches!(report.verdict, Verdict::NoViolationFound { why } if why != StoppedBy::Omissions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{Fairness, Property, Statistics};

    #[test]
    fn usual_combinations_are_few_and_possible() {
        for property in [Property::Safety, Property::Formula { text: "<> p".to_owned() }] {
            let experiment = Experiment { property, ..Experiment::default() };
            let all = combinations(&experiment, &ModelSummary::default());
            let usual = all.iter().filter(|(it, _)| it.usual).count();
            assert!(all.iter().all(|(_, refused)| refused.is_none()), "{all:?}");
            assert!((5..=7).contains(&usual));
            assert_eq!(all[0].0.reduction, Reduction::None);
        }
        let mut fair = Experiment { property: Property::Progress, ..Experiment::default() };
        fair.settings.fairness = Fairness::Weak;
        let all = combinations(&fair, &ModelSummary::default());
        let refused = all.iter().filter(|(_, refused)| refused.is_some()).map(|(it, _)| it.name);
        assert_eq!(
            refused.collect::<Vec<_>>(),
            [
                "Couvreur, reduction",
                "Nested depth-first",
                "Nested depth-first, reduction",
                "Original nested",
                "Geldenhuys and Valmari"
            ]
        );
    }

    #[test]
    fn fixed_stores_get_what_suits_the_model() {
        let statistics = Statistics {
            states_stored: 4 << 20,
            store_bytes: 128 << 20,
            state_bytes: 40,
            ..Statistics::default()
        };
        let plain = Report { statistics, ..report() };
        let of = |store, memory_mib| {
            budget(&plain, &Settings { store, memory_mib, ..Settings::default() })
        };
        assert_eq!(of(Store::Exact, 512), 512);
        assert_eq!(of(Store::Bitstate, 512), 22);
        assert_eq!(of(Store::HashCompact, 512), 27);
        assert_eq!(of(Store::Caching, 512), 86);
        assert_eq!(of(Store::Caching, 64), 64);
    }

    fn report() -> Report {
        Report {
            version: String::new(),
            experiment: Experiment::default(),
            verdict: Verdict::Holds,
            summary: String::new(),
            notes: Vec::new(),
            violations: Vec::new(),
            statistics: Statistics::default(),
            unreached: Vec::new(),
            automaton: None,
            confidence: None,
            vacuity: None,
            layout: Vec::new(),
            stopped_by: None,
            diagnostics: Vec::new(),
        }
    }
}
