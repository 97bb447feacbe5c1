//! What goes with what: the answers of the catalogue's legality for the document, in the page's words.

use crate::crew::Cores;
use promenade_protocol::options::{
    Effect, Names, Part, Titles, Values, Workers, legality, refusals,
};
use promenade_protocol::{ModelSummary, OptionId, Property, Settings};

fn values<'a>(
    property: &Property,
    settings: &'a Settings,
    summary: Option<&ModelSummary>,
) -> Values<'a> {
    let never = |summary: &ModelSummary| summary.symbols.iter().any(|it| it.kind == "never");
    let subject = property.subject(summary.is_some_and(never));
    Values { settings, subject, workers: Workers::One }
}

/// Why a value of an option cannot be used, if so.
pub fn refused(
    property: &Property,
    settings: &Settings,
    summary: Option<&ModelSummary>,
    (option, link): (OptionId, u32),
) -> Option<String> {
    let refusal = legality::refused(&values(property, settings, summary), option, link)?;
    Some(refusal.beside(Part::Value(option, link), &Titles))
}

/// Why a value of an option has no effect, if so.
pub fn idle(
    property: &Property,
    settings: &Settings,
    (option, link): (OptionId, u32),
) -> Option<&'static str> {
    legality::idle_with(&values(property, settings, None), option, link).map(|it| it.note)
}

/// Why several workers have no effect on a check, if so: one does what they cannot divide.
pub fn cores_idle(property: &Property, settings: &Settings, cores: Cores) -> Option<String> {
    let workers = cores.workers();
    let all = refusals(&Values { workers, ..values(property, settings, None) });
    let refusal = all.into_iter().find(|it| it.what == Part::SharedStates)?;
    Some(format!("Without effect on {}: {}.", Titles.name(refusal.against), refusal.why))
}

/// Options that do not go together, and how they can.
pub struct Conflict {
    /// Why not.
    pub why: String,
    /// What would help, on a button.
    pub label: String,
    /// The option to change, and its value.
    pub remedy: (OptionId, u32),
}

/// What the checker would refuse: the property may have changed since the options were chosen.
pub fn conflict(property: &Property, settings: &Settings) -> Option<Conflict> {
    let all = refusals(&values(property, settings, None));
    let refusal = all.into_iter().find(|it| it.effect == Effect::Refused)?;
    let value = |way: &Part| match way {
        Part::Value(option, link) => Some((*option, *link)),
        _ => None,
    };
    let remedy = refusal.ways.iter().find_map(value)?;
    let label = format!("Check with {}", Titles.name(Part::Value(remedy.0, remedy.1)));
    let why = format!("{}.", refusal.message(&Titles));
    let why = why.get(..1).map_or_else(String::new, str::to_uppercase) + why.get(1..).unwrap_or("");
    Some(Conflict { why, label, remedy })
}

/// The stores for properties of infinite runs, in a sentence.
pub fn stores_for_infinite_runs() -> String {
    use promenade_protocol::{Store, Traits};
    let all = Store::CHOICES.iter().filter(|it| it.traits.has(Traits::FINDS_AGAIN));
    legality::or(all.map(|it| it.title.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{Emptiness, Fairness, Proviso, Reduction, Search, Store};

    #[test]
    fn what_changes_nothing_is_known() {
        let formula = Property::Formula { text: "<> p".to_owned() };
        let plain = Settings::default();
        let broad = (OptionId::Search, Search::BreadthFirst.link());
        assert!(idle(&formula, &plain, broad).is_some());
        assert!(idle(&Property::Safety, &plain, broad).is_none());
        for cores in [Cores::Share(2), Cores::Swarm(2)] {
            let shares = matches!(cores, Cores::Share(_));
            assert_eq!(cores_idle(&formula, &plain, cores).is_some(), shares);
            assert!(cores_idle(&Property::Safety, &plain, cores).is_none());
        }
        let bits = Settings { store: Store::Bitstate, ..plain };
        assert!(cores_idle(&Property::Safety, &bits, Cores::Share(2)).is_some());
        assert!(cores_idle(&Property::Safety, &bits, Cores::Swarm(2)).is_none());
        // It is no conflict: a link with it opens, and is checked.
        let wide = Settings { search: Search::BreadthFirst, ..Settings::default() };
        assert!(conflict(&formula, &wide).is_none());
    }

    #[test]
    fn conflicts_have_remedies() {
        let formula = Property::Formula { text: "<> p".to_owned() };
        let caching = Settings { store: Store::Caching, ..Settings::default() };
        let broad = Settings { search: Search::BreadthFirst, ..caching.clone() };
        let fair = Settings {
            emptiness: Emptiness::NestedDfs,
            fairness: Fairness::Weak,
            ..Settings::default()
        };
        for (property, settings) in
            [(&formula, caching), (&Property::Safety, broad), (&formula, fair)]
        {
            let found = conflict(property, &settings).expect("a conflict");
            let settings = settings.with(found.remedy.0, found.remedy.1);
            assert!(conflict(property, &settings).is_none(), "{}", found.label);
        }
        assert!(conflict(&formula, &Settings::default()).is_none());
    }

    #[test]
    fn the_reduction_has_its_conditions() {
        let formula = Property::Formula { text: "<> p".to_owned() };
        let ample = (OptionId::Reduction, Reduction::AmpleSets.link());
        let proviso = Proviso::Dynamic;
        let path = Settings { proviso, reduction: Reduction::AmpleSets, ..Settings::default() };
        // Neither of two that exclude each other is a dead end.
        let nested = (OptionId::Emptiness, Emptiness::NestedDfs.link());
        assert!(refused(&formula, &path, None, nested).is_some());
        assert!(refused(&formula, &path, None, ample).is_none());
        let fair = Settings { fairness: Fairness::Weak, ..Settings::default() };
        assert!(refused(&formula, &fair, None, ample).is_some());
        let weak = (OptionId::Fairness, Fairness::Weak.link());
        assert!(refused(&formula, &path, None, weak).is_none());
    }
}
