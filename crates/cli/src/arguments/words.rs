//! The words for the values of options.

use super::Engine;
use promenade_protocol::{
    DeadVariables, Emptiness, Fairness, Probing, Proviso, Reduction, Search, Store, WriteOnly,
};

/// The values of an option.
pub(crate) struct Words<T: 'static> {
    /// What a value is called.
    what: &'static str,
    words: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Words<T> {
    /// The word of a value.
    pub(crate) fn word(&self, value: T) -> &'static str {
        self.words.iter().find(|(_, it)| *it == value).map_or("", |(word, _)| word)
    }

    /// The value of a word; an error names all that there are.
    pub(super) fn read(&self, text: &str) -> Result<T, String> {
        if let Some((_, value)) = self.words.iter().find(|(word, _)| *word == text) {
            return Ok(*value);
        }
        let mut all = String::new();
        for (number, (word, _)) in self.words.iter().enumerate() {
            all.push_str(match number {
                0 => "",
                number if number + 1 == self.words.len() => " or ",
                _ => ", ",
            });
            all.push_str(&format!("`{word}`"));
        }
        Err(format!("{} is {all}, not `{text}`", self.what))
    }
}

pub(crate) const SEARCHES: Words<Search> = Words {
    what: "a search",
    words: &[("dfs", Search::DepthFirst), ("bfs", Search::BreadthFirst)],
};

pub(crate) const FAIRNESS: Words<Fairness> =
    Words { what: "fairness", words: &[("none", Fairness::None), ("weak", Fairness::Weak)] };

pub(crate) const ALGORITHMS: Words<Emptiness> = Words {
    what: "an algorithm",
    words: &[
        ("automatic", Emptiness::Automatic),
        ("nested-dfs", Emptiness::NestedDfs),
        ("generalised-nested-dfs", Emptiness::GeneralisedNestedDfs),
        ("couvreur", Emptiness::Couvreur),
        ("couvreur-shy", Emptiness::CouvreurShy),
        ("couvreur-without-rem", Emptiness::CouvreurWithoutRem),
        ("geldenhuys-valmari", Emptiness::GeldenhuysValmari),
        ("nested-dfs-original", Emptiness::OriginalNestedDfs),
    ],
};

pub(crate) const ENGINES: Words<Engine> = Words {
    what: "an engine",
    words: &[
        ("auto", Engine::Automatic),
        ("interpret", Engine::Interpret),
        ("compiled", Engine::Compiled),
    ],
};

pub(crate) const STORES: Words<Store> = Words {
    what: "a store",
    words: &[
        ("exact", Store::Exact),
        ("automatic", Store::Automatic),
        ("collapse", Store::Collapse),
        ("automaton", Store::Automaton),
        ("delta", Store::Delta),
        ("caching", Store::Caching),
        ("hash-compact", Store::HashCompact),
        ("bitstate", Store::Bitstate),
    ],
};

pub(crate) const PROBING: Words<Probing> = Words {
    what: "probing",
    words: &[
        ("double", Probing::Double),
        ("enhanced", Probing::EnhancedDouble),
        ("triple", Probing::Triple),
        ("independent", Probing::Independent),
        ("blocked", Probing::Blocked),
    ],
};

pub(crate) const REDUCTIONS: Words<Reduction> = Words {
    what: "a reduction",
    words: &[
        ("auto", Reduction::Automatic),
        ("none", Reduction::None),
        ("ample", Reduction::AmpleSets),
    ],
};

pub(crate) const DEAD_VARIABLES: Words<DeadVariables> = Words {
    what: "what becomes of dead variables",
    words: &[("keep", DeadVariables::Keep), ("reset", DeadVariables::Reset)],
};

pub(crate) const WRITE_ONLY: Words<WriteOnly> = Words {
    what: "what becomes of write-only variables",
    words: &[("leave-out", WriteOnly::LeaveOut), ("keep", WriteOnly::Keep)],
};

pub(crate) const PROVISOS: Words<Proviso> = Words {
    what: "a condition on cycles",
    words: &[
        ("automatic", Proviso::Automatic),
        ("dynamic", Proviso::Dynamic),
        ("static", Proviso::Static),
    ],
};
