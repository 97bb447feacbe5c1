//! Which stores, searches and reductions go with each other and with a property. The checker decides
//! in the end; here it is said beforehand, so that the options offer only what it takes.

use crate::app::is_infinite;
use crate::crew::Cores;
use promenade_protocol::{
    Emptiness, Fairness, ModelSummary, Property, Proviso, Reduction, Search, Settings, Store,
};

/// A store to choose.
pub struct StoreChoice {
    /// It.
    pub store: Store,
    /// Its name.
    pub name: &'static str,
    /// What it does, and when it is the one to take.
    pub meaning: &'static str,
}

/// All stores, in the order in which they are offered.
pub const STORES: &[StoreChoice] = &[
    StoreChoice {
        store: Store::Exact,
        name: "Exact",
        meaning: "Keeps every state. Fast, and the result is a proof.",
    },
    StoreChoice {
        store: Store::Automatic,
        name: "Automatic",
        meaning: "Exact as long as the memory suffices, then signatures: the check goes on instead of ending, and says what it may have missed.",
    },
    StoreChoice {
        store: Store::Collapse,
        name: "Collapse",
        meaning: "Exact in less memory: parts that many states share are kept once. Somewhat slower.",
    },
    StoreChoice {
        store: Store::Automaton,
        name: "Minimised automaton",
        meaning: "Exact and often smallest, but about ten times slower: for a model that just does not fit.",
    },
    StoreChoice {
        store: Store::Delta,
        name: "Delta",
        meaning: "Exact and small for long states: most states are kept as a step from another one, and executed again to be compared. Many times slower.",
    },
    StoreChoice {
        store: Store::Caching,
        name: "State cache",
        meaning: "Exact in fixed memory: forgets states when it is full, and explores them again when it meets them again. May take much longer.",
    },
    StoreChoice {
        store: Store::HashCompact,
        name: "Hash compaction",
        meaning: "Keeps a short signature instead of a state. Two states can have the same, so a state may be missed, rarely.",
    },
    StoreChoice {
        store: Store::Bitstate,
        name: "Bitstate",
        meaning: "Sets a few bits of one large array for each state. Gets furthest in little memory; some states may be missed.",
    },
];

/// The entry of a store.
pub fn store_choice(store: Store) -> Option<&'static StoreChoice> {
    STORES.iter().find(|it| it.store == store)
}

/// Its name.
pub fn store_name(store: Store) -> &'static str {
    store_choice(store).map_or("another store", |it| it.name)
}

/// Why a store cannot be used, if so.
pub fn store_refused(
    property: &Property,
    settings: &Settings,
    store: Store,
) -> Option<&'static str> {
    let whole = matches!(store, Store::Exact | Store::Automatic);
    if is_infinite(property) && !whole {
        return Some("Not for properties of infinite runs: their search has to find states again.");
    }
    if store == Store::Caching && settings.search == Search::BreadthFirst {
        return Some(
            "Not with breadth-first search: a forgotten state would be queued again and again.",
        );
    }
    None
}

/// Why an order of the search cannot be used, if so.
pub fn search_refused(
    property: &Property,
    settings: &Settings,
    search: Search,
) -> Option<&'static str> {
    let cache = !is_infinite(property) && settings.store == Store::Caching;
    (cache && search == Search::BreadthFirst)
        .then_some("Not with the state cache: a forgotten state would be queued again and again.")
}

/// Why a fairness cannot be used, if so.
pub fn fairness_refused(
    property: &Property,
    settings: &Settings,
    fairness: Fairness,
) -> Option<&'static str> {
    if fairness == Fairness::None || !is_infinite(property) {
        return None;
    }
    settings.emptiness.takes_one_set().then_some(
        "Not with the chosen search for infinite runs: it takes one acceptance set, and fairness adds more.",
    )
}

/// Why a search for infinite runs cannot be used, if so.
pub fn emptiness_refused(
    property: &Property,
    settings: &Settings,
    emptiness: Emptiness,
) -> Option<&'static str> {
    if !is_infinite(property) {
        return None;
    }
    if emptiness.takes_one_set() && settings.fairness == Fairness::Weak {
        return Some("Not with fairness: it takes one acceptance set, and fairness adds more.");
    }
    let path = settings.reduction == Reduction::AmpleSets && looks_at_path(settings);
    (path && expands_again(emptiness)).then_some(
        "Not with a reduction that looks at the path of the search: it expands states more than once, and could leave out different steps each time.",
    )
}

/// Why an order of the search has no effect on a property, if so.
pub fn search_idle(property: &Property, search: Search) -> Option<&'static str> {
    (is_infinite(property) && search == Search::BreadthFirst).then_some(
        "Without effect on properties of infinite runs: those are looked for depth first, and what is found is shortened.",
    )
}

/// Why several workers have no effect on a check, if so.
pub fn cores_idle(property: &Property, settings: &Settings, cores: Cores) -> Option<&'static str> {
    if cores == Cores::One {
        None
    } else if is_infinite(property) {
        Some("Without effect on properties of infinite runs: one worker looks for those.")
    } else if cores.suit(property, settings) {
        None
    } else {
        Some("Without effect on this store: states are shared with the exact or the automatic one.")
    }
}

/// Options that do not go together, and how they can.
pub struct Conflict {
    /// Why not.
    pub why: &'static str,
    /// What would help, on a button.
    pub label: &'static str,
    /// It.
    pub remedy: fn(&mut Settings),
}

/// What the checker would refuse: the property may have changed since the options were chosen.
pub fn conflict(property: &Property, settings: &Settings) -> Option<Conflict> {
    if settings.store == Store::Caching
        && let Some(why) = search_refused(property, settings, settings.search)
    {
        let label = "Check depth-first";
        return Some(Conflict { why, label, remedy: |it| it.search = Search::DepthFirst });
    }
    if let Some(why) = store_refused(property, settings, settings.store) {
        let label = "Check with whole states";
        return Some(Conflict { why, label, remedy: |it| it.store = Store::Automatic });
    }
    let why = fairness_refused(property, settings, settings.fairness)?;
    let label = "Check with the automatic search";
    Some(Conflict { why, label, remedy: |it| it.emptiness = Emptiness::Automatic })
}

/// Why there can be no reduction, as far as that can be said without the model's program.
pub fn reduction_refused(
    property: &Property,
    settings: &Settings,
    summary: &ModelSummary,
) -> Option<&'static str> {
    let infinite = is_infinite(property);
    if infinite && settings.fairness == Fairness::Weak {
        return Some("Not with fairness, which watches which processes can move.");
    }
    let claimed = match property {
        Property::Claim { .. } => true,
        Property::Acceptance { .. } => summary.symbols.iter().any(|it| it.kind == "never"),
        _ => false,
    };
    if claimed {
        return Some("Not with a never claim: it can count steps, which a reduction changes.");
    }
    if *property == Property::Progress {
        return Some("Not for progress, which looks at the places of all processes.");
    }
    (infinite && looks_at_path(settings) && expands_again(settings.emptiness)).then_some(
        "Not with this search for infinite runs as long as the reduction looks at its path: choose that loops are broken beforehand, or the automatic search.",
    )
}

/// Whether a reduction looks at the path of the search.
fn looks_at_path(settings: &Settings) -> bool {
    settings.proviso == Proviso::Dynamic
}

/// Whether a search for infinite runs does not go with a reduction that looks at its path.
fn expands_again(emptiness: Emptiness) -> bool {
    !matches!(emptiness, Emptiness::Automatic | Emptiness::Couvreur)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_checker_refuses_is_not_offered() {
        let plain = Settings::default();
        let formula = Property::Formula { text: "<> p".to_owned() };
        for choice in STORES {
            let finite = store_refused(&Property::Safety, &plain, choice.store);
            assert_eq!(finite, None, "{}", choice.name);
            let infinite = store_refused(&formula, &plain, choice.store).is_none();
            assert_eq!(infinite, matches!(choice.store, Store::Exact | Store::Automatic));
        }
        let wide = Settings { search: Search::BreadthFirst, ..plain.clone() };
        assert!(store_refused(&Property::Safety, &wide, Store::Caching).is_some());
        let cache = Settings { store: Store::Caching, ..plain.clone() };
        assert!(search_refused(&Property::Safety, &cache, Search::BreadthFirst).is_some());
        assert!(search_refused(&Property::Safety, &cache, Search::DepthFirst).is_none());
    }

    #[test]
    fn what_changes_nothing_is_known() {
        let formula = Property::Formula { text: "<> p".to_owned() };
        let plain = Settings::default();
        assert!(search_idle(&formula, Search::BreadthFirst).is_some());
        assert!(search_idle(&Property::Progress, Search::DepthFirst).is_none());
        assert!(search_idle(&Property::Safety, Search::BreadthFirst).is_none());
        for cores in [Cores::Share(2), Cores::Swarm(2)] {
            assert!(cores_idle(&formula, &plain, cores).is_some());
            assert!(cores_idle(&Property::Safety, &plain, cores).is_none());
        }
        assert!(cores_idle(&formula, &plain, Cores::One).is_none());
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
        for (property, settings) in [
            (&formula, Settings { store: Store::Bitstate, ..Settings::default() }),
            (&formula, Settings { store: Store::Caching, ..Settings::default() }),
            (
                &Property::Safety,
                Settings {
                    store: Store::Caching,
                    search: Search::BreadthFirst,
                    ..Settings::default()
                },
            ),
            (
                &formula,
                Settings {
                    emptiness: Emptiness::NestedDfs,
                    fairness: Fairness::Weak,
                    ..Settings::default()
                },
            ),
        ] {
            let mut settings = settings;
            let found = conflict(property, &settings).expect("a conflict");
            (found.remedy)(&mut settings);
            assert!(conflict(property, &settings).is_none(), "{}", found.label);
        }
        assert!(conflict(&formula, &Settings::default()).is_none());
    }

    #[test]
    fn the_reduction_has_its_conditions() {
        let plain = Settings::default();
        let nothing = ModelSummary::default();
        let formula = Property::Formula { text: "<> p".to_owned() };
        let refused = |property: &Property, settings: &Settings| {
            reduction_refused(property, settings, &nothing).is_some()
        };
        assert!(!refused(&Property::Safety, &plain) && !refused(&formula, &plain));
        assert!(refused(&Property::Progress, &plain));
        assert!(refused(&Property::Claim { name: None }, &plain));
        let fair = Settings { fairness: Fairness::Weak, ..plain.clone() };
        assert!(refused(&formula, &fair) && !refused(&Property::Safety, &fair));
        let nested = Settings { emptiness: Emptiness::NestedDfs, ..plain };
        assert!(!refused(&formula, &nested));
        let nested = Settings { proviso: Proviso::Dynamic, ..nested };
        assert!(refused(&formula, &nested) && !refused(&Property::Safety, &nested));
        // Neither of two that exclude each other is a dead end.
        let (reduction, proviso) = (Reduction::AmpleSets, Proviso::Dynamic);
        let ample = Settings { reduction, proviso, ..Settings::default() };
        assert!(emptiness_refused(&formula, &ample, Emptiness::NestedDfs).is_some());
        assert!(emptiness_refused(&formula, &ample, Emptiness::Automatic).is_none());
        assert!(fairness_refused(&formula, &nested, Fairness::None).is_none());
    }
}
