//! Everything that a run can be put together from.

use promenade_protocol::options::Choice;
use promenade_protocol::{Emptiness, Search};
pub use promenade_search::{ENTRIES as SEARCHES, SearchEntry};

/// A search with what the catalogue of options says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    pub(crate) entry: &'static SearchEntry,
    pub(crate) choice: &'static Choice,
}

fn chosen(choice: &'static Choice) -> Option<Chosen> {
    let entry = SEARCHES.iter().find(|entry| entry.id == choice.id)?;
    Some(Chosen { entry, choice })
}

/// The search for violations that an experiment names.
pub(crate) fn search(search: Search) -> Option<Chosen> {
    chosen(search.choice())
}

/// The search for accepting cycles that an experiment names; an automatic choice has been made
/// before.
pub(crate) fn emptiness(emptiness: Emptiness) -> Option<Chosen> {
    chosen(emptiness.choice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_and_the_searches_are_the_same() {
        let finite = Search::ALL.iter().map(|it| search(*it));
        let automatic = |it: &&Emptiness| **it != Emptiness::Automatic;
        let infinite = Emptiness::ALL.iter().filter(automatic).map(|it| emptiness(*it));
        let all: Vec<Chosen> = finite.chain(infinite).map(|it| it.expect("an entry")).collect();
        assert_eq!(all.len(), SEARCHES.len());
        for Chosen { entry, .. } in &all {
            assert_eq!(all.iter().filter(|it| it.entry.id == entry.id).count(), 1);
        }
        for it in Emptiness::ALL.iter().filter(automatic) {
            let one = it.has(promenade_protocol::Traits::ONE_SET);
            assert_eq!(emptiness(*it).map(|it| it.entry.generalised), Some(!one), "{it:?}");
        }
    }
}
