//! Everything that a run can be put together from.

use promenade_protocol::{Emptiness, Search, Store};
pub use promenade_search::{ENTRIES as SEARCHES, SearchEntry};
pub use promenade_store::{ENTRIES as STORES, StoreEntry};

/// The entry of a search that an experiment names.
pub fn search(search: Search) -> &'static SearchEntry {
    match search {
        Search::DepthFirst => &promenade_search::depth_first::ENTRY,
        Search::BreadthFirst => &promenade_search::breadth_first::ENTRY,
    }
}

/// The entry of a search for accepting cycles; an automatic choice has been made before.
pub fn emptiness(emptiness: Emptiness) -> Option<&'static SearchEntry> {
    let id = match emptiness {
        Emptiness::NestedDfs => "nested_dfs",
        Emptiness::Couvreur | Emptiness::Automatic => "couvreur",
        Emptiness::CouvreurShy => "couvreur_shy",
        Emptiness::CouvreurWithoutRem => "couvreur_without_rem",
        Emptiness::GeneralisedNestedDfs => "generalised_nested_dfs",
        Emptiness::OriginalNestedDfs => "nested_dfs_original",
        Emptiness::GeldenhuysValmari => "geldenhuys_valmari",
    };
    SEARCHES.iter().find(|entry| entry.id == id)
}

/// The entry of a store that an experiment names.
pub fn store(store: Store) -> &'static StoreEntry {
    match store {
        Store::Exact => &promenade_store::exact::ENTRY,
        Store::Automatic => &promenade_store::automatic::ENTRY,
        Store::Collapse => &promenade_store::collapse::ENTRY,
        Store::Automaton => &promenade_store::automaton::ENTRY,
        Store::Delta => &promenade_store::delta::ENTRY,
        Store::Caching => &promenade_store::caching::ENTRY,
        Store::HashCompact => &promenade_store::hash_compact::ENTRY,
        Store::Bitstate => &promenade_store::bitstate::ENTRY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_complete() {
        for wanted in [Search::DepthFirst, Search::BreadthFirst] {
            assert!(SEARCHES.iter().any(|e| e.id == search(wanted).id));
        }
        let stores = Store::ALL;
        assert_eq!(stores.len(), STORES.len());
        assert!(stores.iter().zip(STORES).all(|(s, e)| store(*s).id == e.id));
        let texts = SEARCHES.iter().map(|e| e.doc).chain(STORES.iter().map(|e| e.doc));
        assert!(texts.into_iter().all(|doc| doc.ends_with('.')));
    }
}
