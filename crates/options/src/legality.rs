//! What goes with what, the only place where that is decided: one pure function of the options, of
//! what is known of the property, and of the workers. Page, command line and checker ask it, and say
//! what it answers in their names for the same things.

use crate::{Emptiness, Fairness, OptionId, Proviso, Reduction, Search, Settings, Store, Traits};

/// How many workers do a check, and how they share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Workers {
    /// One does it all.
    #[default]
    One,
    /// Each has a part of the states.
    Share(u32),
    /// Each searches alone, in another way.
    Swarm(u32),
}

/// Most workers of a check.
pub const MOST_WORKERS: u32 = 64;

/// What matters of a property. Who knows less of it than the checker says `false`: less is refused
/// then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Subject {
    /// It is about infinite runs.
    pub infinite: bool,
    /// A claim moves along, made from a formula or written in the text.
    pub claim: bool,
    /// A claim that is written in the text moves along: its moves are steps of their own.
    pub written_claim: bool,
    /// It asks for progress.
    pub progress: bool,
    /// Its formula tells runs apart that differ in repeated states only.
    pub sees_repetition: bool,
}

/// All that legality depends on.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The options.
    pub settings: &'a Settings,
    /// What is checked.
    pub subject: Subject,
    /// By how many.
    pub workers: Workers,
}

/// What takes part in a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A value of an option, by its number.
    Value(OptionId, u32),
    /// The property, which is about infinite runs.
    InfiniteRuns,
    /// The property, which asks for progress.
    Progress,
    /// A claim of the text that moves along.
    WrittenClaim,
    /// A claim that moves along, whatever it was made of.
    Claim,
    /// A formula that tells runs apart that differ in repeated states only.
    Repetition,
    /// Workers that share the states.
    SharedStates,
    /// One worker.
    OneWorker,
    /// Workers that search alone.
    Swarm,
    /// A number of workers from one to [`MOST_WORKERS`].
    FewerWorkers,
}

/// What happens to a choice that does not go with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing is checked.
    Refused,
    /// It is checked without what was asked for, and the report says so.
    LeftOut,
}

/// Two choices that do not go together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Stable name of the rule.
    pub code: &'static str,
    /// What becomes of it.
    pub effect: Effect,
    /// The choice.
    pub what: Part,
    /// What it does not go with.
    pub against: Part,
    /// Why: a clause about the choice.
    pub why: &'static str,
    /// Choices with which there is a check, the nearest first.
    pub ways: Vec<Part>,
    /// Neither is to be offered beside the other; if not, `what` only.
    pub mutual: bool,
}

/// A choice that changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Idle {
    /// The option.
    pub option: OptionId,
    /// That, and why: a sentence.
    pub note: &'static str,
}

impl Values<'_> {
    fn expands_again(&self) -> bool {
        let emptiness = self.settings.emptiness;
        self.subject.infinite && emptiness.has(Traits::EXPANDS_AGAIN)
    }

    fn shares(&self) -> bool {
        matches!(self.workers, Workers::Share(_))
    }
}

fn value<T: crate::Field>(option: OptionId, value: T) -> Part {
    Part::Value(option, value.number().unwrap_or_default())
}

/// The values of an option that have these traits.
fn having(option: OptionId, traits: Traits) -> Vec<Part> {
    let all = option.spec().choices().iter().filter(|it| it.traits.has(traits));
    all.map(|it| Part::Value(option, it.link)).collect()
}

/// All that does not go together, what ends a check first.
pub fn refusals(values: &Values<'_>) -> Vec<Refusal> {
    let mut all = Vec::new();
    of_workers(values, &mut all);
    of_stores(values, &mut all);
    of_searches(values, &mut all);
    if values.settings.reduction == Reduction::AmpleSets {
        all.extend(no_reduction(values));
    }
    if values.settings.merge && values.subject.claim {
        all.push(Refusal {
            code: "merging-and-property",
            effect: Effect::LeftOut,
            what: Part::Value(OptionId::Merge, 1),
            against: Part::Claim,
            why: "a claim that moves along would see fewer steps",
            ways: vec![Part::Value(OptionId::Merge, 0)],
            mutual: false,
        });
    }
    all
}

fn of_workers(values: &Values<'_>, all: &mut Vec<Refusal>) {
    let Workers::Share(of) = values.workers else { return };
    let mut refuse = |code, against, why, ways| {
        let (effect, what) = (Effect::Refused, Part::SharedStates);
        all.push(Refusal { code, effect, what, against, why, ways, mutual: true });
    };
    if of == 0 || of > MOST_WORKERS {
        let why = "there can be 1 to 64 of them";
        refuse("team-size", Part::FewerWorkers, why, vec![Part::OneWorker]);
    }
    if values.subject.infinite {
        let why = "one worker looks for those";
        let ways = vec![Part::OneWorker, Part::Swarm];
        refuse("team-and-property", Part::InfiniteRuns, why, ways);
    }
    let store = values.settings.store;
    if !store.has(Traits::IS_SHARED) {
        let mut ways = having(OptionId::Store, Traits::IS_SHARED);
        ways.push(Part::Swarm);
        let why = "whole states are needed";
        refuse("team-and-store", value(OptionId::Store, store), why, ways);
    }
}

fn of_stores(values: &Values<'_>, all: &mut Vec<Refusal>) {
    let Values { settings, subject, .. } = values;
    let store = settings.store;
    let what = value(OptionId::Store, store);
    let effect = Effect::Refused;
    if subject.infinite && !store.has(Traits::FINDS_AGAIN) {
        all.push(Refusal {
            code: "store-and-property",
            effect,
            what,
            against: Part::InfiniteRuns,
            why: "their search has to find states again",
            ways: having(OptionId::Store, Traits::FINDS_AGAIN),
            mutual: true,
        });
    } else if store.has(Traits::FORGETS) && settings.search == Search::BreadthFirst {
        all.push(Refusal {
            code: "store-and-search",
            effect,
            what,
            against: value(OptionId::Search, Search::BreadthFirst),
            why: "a forgotten state would be queued again and again",
            ways: vec![
                value(OptionId::Search, Search::DepthFirst),
                value(OptionId::Store, Store::Exact),
            ],
            mutual: true,
        });
    }
}

fn of_searches(values: &Values<'_>, all: &mut Vec<Refusal>) {
    let Values { settings, subject, .. } = values;
    let fair = subject.infinite && settings.fairness == Fairness::Weak;
    if fair && settings.emptiness.has(Traits::ONE_SET) {
        all.push(Refusal {
            code: "search-and-fairness",
            effect: Effect::Refused,
            what: value(OptionId::Emptiness, settings.emptiness),
            against: value(OptionId::Fairness, Fairness::Weak),
            why: "it takes one acceptance set, and fairness adds one for each process",
            ways: vec![
                value(OptionId::Emptiness, Emptiness::Automatic),
                value(OptionId::Emptiness, Emptiness::GeneralisedNestedDfs),
                value(OptionId::Fairness, Fairness::None),
            ],
            mutual: true,
        });
    }
}

/// Why there can be no reduction, as far as that can be said without the model's program.
pub fn no_reduction(values: &Values<'_>) -> Option<Refusal> {
    let Values { settings, subject, .. } = values;
    let off = value(OptionId::Reduction, Reduction::None);
    let static_proviso = value(OptionId::Proviso, Proviso::Static);
    let dynamic = settings.proviso == Proviso::Dynamic;
    let (code, against, why, ways) = if subject.infinite && settings.fairness == Fairness::Weak {
        (
            "reduction-and-fairness",
            value(OptionId::Fairness, Fairness::Weak),
            "weak fairness watches which processes can move",
            vec![off, value(OptionId::Fairness, Fairness::None)],
        )
    } else if subject.written_claim {
        (
            "reduction-and-claim",
            Part::WrittenClaim,
            "a never claim can count steps, which a reduction changes",
            vec![off],
        )
    } else if subject.progress {
        (
            "reduction-and-progress",
            Part::Progress,
            "progress looks at the places of all processes",
            vec![off],
        )
    } else if subject.sees_repetition {
        (
            "reduction-and-formula",
            Part::Repetition,
            "the formula can tell runs apart that differ in repeated states only (look for `X`)",
            vec![off],
        )
    } else if dynamic && values.expands_again() {
        (
            "reduction-and-search",
            value(OptionId::Emptiness, settings.emptiness),
            "this search expands states more than once, and what it had on its path then is not \
             what it has now",
            vec![static_proviso, value(OptionId::Emptiness, Emptiness::Automatic)],
        )
    } else if dynamic && values.shares() {
        (
            "reduction-and-workers",
            Part::SharedStates,
            "none of several workers knows what waits at the others",
            vec![static_proviso, Part::OneWorker],
        )
    } else {
        return None;
    };
    let what = value(OptionId::Reduction, Reduction::AmpleSets);
    let mutual = code == "reduction-and-search";
    Some(Refusal { code, effect: Effect::LeftOut, what, against, why, ways, mutual })
}

/// What changes nothing, although it differs from what it is without being chosen.
pub fn idle(values: &Values<'_>) -> Vec<Idle> {
    let Values { settings, subject, .. } = values;
    let mut all = Vec::new();
    let mut say = |is: bool, option, note| {
        if is {
            all.push(Idle { option, note });
        }
    };
    let broad = settings.search == Search::BreadthFirst;
    say(
        subject.infinite && broad,
        OptionId::Search,
        "The order of the search has no effect on properties of infinite runs: those are looked for \
         depth-first, and what is found is shortened.",
    );
    say(
        !subject.infinite && settings.fairness == Fairness::Weak,
        OptionId::Fairness,
        "Fairness has no effect on this property: it is about finite runs.",
    );
    say(
        !subject.infinite && settings.emptiness != Emptiness::Automatic,
        OptionId::Emptiness,
        "The algorithm for accepting cycles has no effect on this property: it is about finite runs.",
    );
    say(
        settings.shuffle > 0 && !subject.infinite && (broad || values.shares()),
        OptionId::Shuffle,
        "The order of steps has no effect on breadth-first search.",
    );
    all
}

/// Whether the chosen values of other options leave this one without effect.
pub fn is_used(settings: &Settings, option: OptionId) -> bool {
    option.spec().only_with.is_none_or(|(other, traits)| {
        let chosen = settings.get(other).and_then(|link| other.spec().choice(link));
        chosen.is_some_and(|it| it.traits.has(traits))
    })
}

/// The values of another option without which this one has no effect; none if there is always one.
pub fn needed(option: OptionId) -> Vec<Part> {
    option.spec().only_with.map_or_else(Vec::new, |(other, traits)| having(other, traits))
}

/// The first refusal that a value of an option would take part in, if it were chosen.
pub fn refused(values: &Values<'_>, option: OptionId, link: u32) -> Option<Refusal> {
    let settings = values.settings.with(option, link);
    let part = Part::Value(option, link);
    let all = refusals(&Values { settings: &settings, ..*values });
    all.into_iter().find(|it| it.what == part || it.mutual && it.against == part)
}

/// Whether a value of an option would have no effect, if it were chosen.
pub fn idle_with(values: &Values<'_>, option: OptionId, link: u32) -> Option<Idle> {
    let settings = values.settings.with(option, link);
    let all = idle(&Values { settings: &settings, ..*values });
    all.into_iter().find(|it| it.option == option)
}

/// Names for what takes part in a refusal.
pub trait Names {
    /// It, as a part of a sentence.
    fn name(&self, part: Part) -> String;
}

/// The names of the page and of reports.
#[derive(Clone, Copy, Debug)]
pub struct Titles;

impl Names for Titles {
    fn name(&self, part: Part) -> String {
        let fixed = match part {
            Part::Value(option, link) => return titled(option, link),
            Part::InfiniteRuns => "a property of infinite runs",
            Part::Progress => "progress",
            Part::WrittenClaim => "a never claim",
            Part::Claim => "a claim that moves along",
            Part::Repetition => "this formula",
            Part::SharedStates => "several workers that share the states",
            Part::OneWorker => "one worker",
            Part::Swarm => "a swarm of workers",
            Part::FewerWorkers => "so many of them",
        };
        fixed.to_owned()
    }
}

fn titled(option: OptionId, link: u32) -> String {
    let spec = option.spec();
    let Some(choice) = spec.choice(link) else {
        let off = if link == 0 { "no " } else { "" };
        return format!("{off}{}", spec.title.to_lowercase());
    };
    let title = choice.title;
    let small = || title.to_lowercase();
    match option {
        OptionId::Search => format!("{} search", small()),
        OptionId::Fairness if link == Fairness::None.link() => "no fairness".to_owned(),
        OptionId::Fairness => format!("{} fairness", small()),
        OptionId::Reduction if link == Reduction::None.link() => "no reduction".to_owned(),
        OptionId::Reduction if link == Reduction::AmpleSets.link() => "a reduction".to_owned(),
        OptionId::Store => format!("the store {title}"),
        OptionId::Emptiness => format!("the search {title}"),
        _ => format!("{} {title}", spec.title.to_lowercase()),
    }
}

/// A list in a sentence: `a, b or c`.
pub fn or(mut all: Vec<String>) -> String {
    let last = all.pop().unwrap_or_default();
    if all.is_empty() { last } else { format!("{} or {last}", all.join(", ")) }
}

impl Refusal {
    /// That two choices do not go together, and why: a clause that begins small.
    pub fn message(&self, names: &dyn Names) -> String {
        let (what, against) = (names.name(self.what), names.name(self.against));
        format!("{what} does not go with {against}: {}", self.why)
    }

    /// What to choose instead: a sentence.
    pub fn hint(&self, names: &dyn Names) -> String {
        format!("Choose {}.", or(self.ways.iter().map(|it| names.name(*it)).collect()))
    }

    /// Said beside one of the two, `part`: a sentence on the other one.
    pub fn beside(&self, part: Part, names: &dyn Names) -> String {
        let other = if self.what == part { self.against } else { self.what };
        format!("Not with {}: {}.", names.name(other), self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OPTIONS;

    const SUBJECTS: [Subject; 4] = {
        let none = Subject {
            infinite: false,
            claim: false,
            written_claim: false,
            progress: false,
            sees_repetition: false,
        };
        [
            none,
            Subject { infinite: true, claim: true, ..none },
            Subject { claim: true, written_claim: true, ..none },
            Subject { infinite: true, claim: true, progress: true, ..none },
        ]
    };
    const WORKERS: [Workers; 3] = [Workers::One, Workers::Share(2), Workers::Swarm(3)];

    fn everything(call: &mut dyn FnMut(&Values<'_>)) {
        let lists = OptionId::ALL.iter().filter(|it| !it.spec().choices().is_empty());
        let values: Vec<(OptionId, u32)> = lists
            .flat_map(|id| id.spec().choices().iter().map(|it| (*id, it.link)))
            .chain([(OptionId::Merge, 1)])
            .collect();
        for &(a, x) in &values {
            for &(b, y) in &values {
                let settings = Settings::default().with(a, x).with(b, y);
                for subject in SUBJECTS {
                    for workers in WORKERS {
                        call(&Values { settings: &settings, subject, workers });
                    }
                }
            }
        }
    }

    fn take(values: &Values<'_>, part: Part) -> (Settings, Workers) {
        let (mut settings, mut workers) = (values.settings.clone(), values.workers);
        match part {
            Part::Value(option, link) => settings = settings.with(option, link),
            Part::OneWorker => workers = Workers::One,
            Part::Swarm => workers = Workers::Swarm(2),
            other => panic!("{other:?} cannot be chosen"),
        }
        (settings, workers)
    }

    /// Every way out leads out of the refusal that offers it, and one of them into no other.
    #[test]
    fn every_way_out_leads_out() {
        let mut refused = 0;
        everything(&mut |values| {
            for refusal in refusals(values) {
                refused += 1;
                let outcome = |part: &Part| {
                    let (settings, workers) = take(values, *part);
                    let after = refusals(&Values { settings: &settings, workers, ..*values });
                    assert!(after.iter().all(|it| it.code != refusal.code), "{refusal:?} {part:?}");
                    after.len()
                };
                let before = refusals(values).len();
                assert!(refusal.ways.iter().map(outcome).min() < Some(before), "{refusal:?}");
                let message = refusal.message(&Titles);
                assert!(message.contains(" does not go with ") && !message.ends_with('.'));
                assert!(refusal.hint(&Titles).starts_with("Choose "));
            }
        });
        assert!(refused > 1000, "{refused}");
    }

    #[test]
    fn what_a_choice_would_be_refused_for_is_said_of_it() {
        everything(&mut |values| {
            for refusal in refusals(values) {
                if let Part::Value(option, link) = refusal.what {
                    let found = super::refused(values, option, link);
                    assert!(found.is_some(), "{refusal:?}");
                }
            }
        });
        let settings = Settings { store: Store::Caching, ..Settings::default() };
        let (subject, workers) = (Subject::default(), Workers::One);
        let values = Values { settings: &settings, subject, workers };
        let found = super::refused(&values, OptionId::Search, 1).expect("a refusal");
        let said = found.beside(Part::Value(OptionId::Search, 1), &Titles);
        let told =
            "Not with the store State cache: a forgotten state would be queued again and again.";
        assert_eq!(said, told);
    }

    #[test]
    fn parameters_know_what_uses_them() {
        let settings = Settings::default();
        assert!(!is_used(&settings, OptionId::Hashes) && is_used(&settings, OptionId::Proviso));
        assert!(is_used(&settings.with(OptionId::Store, 5), OptionId::Hashes));
        assert_eq!(needed(OptionId::Chain), [Part::Value(OptionId::Store, Store::Delta.link())]);
        assert!(OPTIONS.iter().filter(|it| it.only_with.is_some()).count() > 4);
    }
}
