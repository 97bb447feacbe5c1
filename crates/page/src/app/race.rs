//! The same property under all algorithms that can check it, one after the other.

use super::{App, Outcome, Purpose, Shared};
use leptos::prelude::*;
use promenade_protocol::{Emptiness, Experiment, Fairness, Property, Request, Search};

/// An algorithm in the comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// Its name.
    pub name: &'static str,
    /// What is checked with it.
    pub experiment: Experiment,
    /// The result, once there is one.
    pub outcome: Option<Shared<Outcome>>,
}

/// The comparison. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Race {
    /// It is open.
    pub open: RwSignal<bool>,
    /// Those that take part, in the order in which they run.
    pub entrants: RwSignal<Vec<Entrant>>,
    /// The one that runs.
    pub current: RwSignal<Option<usize>>,
    /// It ended before all had run.
    pub ended_early: RwSignal<bool>,
}

impl Race {
    pub(super) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            entrants: RwSignal::new(Vec::new()),
            current: RwSignal::new(None),
            ended_early: RwSignal::new(false),
        }
    }

    /// Forgets everything: another document is opened.
    pub(super) fn clear(&self) {
        self.stop();
        self.entrants.set(Vec::new());
        self.ended_early.set(false);
    }

    /// Lets nothing more begin.
    pub(super) fn stop(&self) {
        if self.current.get_untracked().is_some() {
            self.current.set(None);
            self.ended_early.set(true);
        }
    }
}

/// Whether a property speaks about infinite runs.
pub fn is_infinite(property: &Property) -> bool {
    property.is_infinite()
}

/// The algorithms that can check what an experiment asks.
pub fn entrants(experiment: &Experiment) -> Vec<Entrant> {
    let mut list = Vec::new();
    let mut add = |name, change: &dyn Fn(&mut Experiment)| {
        let mut experiment = experiment.clone();
        change(&mut experiment);
        list.push(Entrant { name, experiment, outcome: None });
    };
    if is_infinite(&experiment.property) {
        // These take one acceptance set, and fairness needs several.
        if experiment.settings.fairness == Fairness::None {
            let single = [
                ("nested depth-first", Emptiness::NestedDfs),
                ("original nested search", Emptiness::OriginalNestedDfs),
                ("Geldenhuys and Valmari", Emptiness::GeldenhuysValmari),
            ];
            for (name, emptiness) in single {
                add(name, &|it| it.settings.emptiness = emptiness);
            }
        }
        let general = [
            ("generalised nested depth-first", Emptiness::GeneralisedNestedDfs),
            ("Couvreur", Emptiness::Couvreur),
            ("Couvreur, shy", Emptiness::CouvreurShy),
            ("Couvreur, without a list", Emptiness::CouvreurWithoutRem),
        ];
        for (name, emptiness) in general {
            add(name, &|it| it.settings.emptiness = emptiness);
        }
    } else {
        add("depth-first", &|it| it.settings.search = Search::DepthFirst);
        add("breadth-first", &|it| it.settings.search = Search::BreadthFirst);
    }
    list
}

impl App {
    /// Checks the chosen property with each algorithm.
    pub fn begin_race(&self) {
        if self.running.with_untracked(Option::is_some) {
            return;
        }
        self.race.entrants.set(entrants(&self.experiment()));
        self.race.ended_early.set(false);
        self.race_next(0);
    }

    fn race_next(&self, index: usize) {
        let next = self
            .race
            .entrants
            .with_untracked(|all| all.get(index).map(|entrant| entrant.experiment.clone()));
        let Some(experiment) = next else {
            self.race.current.set(None);
            self.announcement.set("The comparison is complete.".to_owned());
            return;
        };
        self.race.current.set(Some(index));
        if !self.begin(experiment.clone(), Purpose::Race) {
            self.race.stop();
            return;
        }
        let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
        if let Some(client) = self.client() {
            client.send(Request::Check { job, experiment });
        }
    }

    /// Takes the result of the algorithm that ran.
    pub(super) fn arrive_race(&self, outcome: Outcome) {
        let current = self.race.current.get_untracked();
        // After a cancellation the result belongs to the first that has none.
        let index = current.or_else(|| {
            self.race.entrants.with_untracked(|all| all.iter().position(|it| it.outcome.is_none()))
        });
        self.race.entrants.update(|all| {
            if let Some(entrant) = index.and_then(|index| all.get_mut(index)) {
                entrant.outcome = Some(Shared::new(outcome));
            }
        });
    }

    /// Goes on after a result.
    pub(super) fn go_on_racing(&self) {
        if let Some(index) = self.race.current.get_untracked() {
            self.race_next(index + 1);
        }
    }

    /// Whether the comparison belongs to another text, property or setting.
    pub fn race_is_old(&self) -> bool {
        let first = self.race.entrants.with(|all| all.first().map(|it| it.experiment.clone()));
        let Some(mut was) = first else { return false };
        // What the algorithms are does not matter.
        self.settings.with(|settings| {
            was.settings.search = settings.search;
            was.settings.emptiness = settings.emptiness;
            was.settings != *settings
        }) || self.property.with(|property| *property != was.property)
            || self.files.with(|files| *files != was.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_legal_algorithms_take_part() {
        let names = |property: Property, fairness: Fairness| {
            let mut experiment = Experiment { property, ..Experiment::default() };
            experiment.settings.fairness = fairness;
            entrants(&experiment).into_iter().map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(names(Property::Safety, Fairness::Weak), ["depth-first", "breadth-first"]);
        let fair = names(Property::Progress, Fairness::Weak);
        assert!(fair.contains(&"Couvreur") && !fair.contains(&"nested depth-first"));
        let formula = Property::Formula { text: "<> p".to_owned() };
        assert_eq!(names(formula, Fairness::None).len(), fair.len() + 3);
    }
}
