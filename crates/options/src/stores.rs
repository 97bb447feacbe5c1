//! The stores: how visited states are remembered. One line each, and a file of that name in the crate
//! `store`.

use crate::Traits;
use crate::choices::choice;

/// Hands the catalogue of stores to another macro, which the crate `store` declares its modules with:
/// `module Variant = number in links, "title", "doc", traits;` with the stores that give states back
/// before those that only tell new states from stored ones.
#[macro_export]
macro_rules! stores {
    ($with:ident) => {
        $with! {
            whole {
                exact Exact = 0, "Exact",
                    "Keeps every state. Fast, and the result is a proof.",
                    Traits::FINDS_AGAIN.and(Traits::IS_SHARED);
                tree Tree = 8, "Tree",
                    "Exact in less memory, above all for long states: a state is a tree of pairs, and \
                     states share the subtrees that they have in common. For every search; somewhat \
                     slower.",
                    Traits::FINDS_AGAIN.and(Traits::IS_SHARED);
            }
            sets {
                automatic Automatic = 1, "Automatic",
                    "Exact as long as the memory suffices, then signatures: the check goes on instead \
                     of ending, and says what it may have missed.",
                    Traits::FINDS_AGAIN
                        .and(Traits::IS_SHARED)
                        .and(Traits::IS_LOSSY)
                        .and(Traits::USES_SEED)
                        .and(Traits::USES_SIGNATURES);
                collapse Collapse = 2, "Collapse",
                    "Exact in less memory: parts that many states share are kept once. Somewhat slower.",
                    Traits::COMPARED;
                automaton Automaton = 6, "Minimised automaton",
                    "Exact and often smallest, but about ten times slower: for a model that just does \
                     not fit.",
                    Traits::NONE;
                delta Delta = 7, "Delta",
                    "Exact and small for long states: most states are kept as a step from another one, \
                     and executed again to be compared. Many times slower.",
                    Traits::USES_CHAIN;
                caching Caching = 3, "State cache",
                    "Exact in fixed memory: forgets states when it is full, and explores them again \
                     when it meets them again. May take much longer.",
                    Traits::FORGETS.and(Traits::TAKES_ALL).and(Traits::USES_SEED);
                hash_compact HashCompact = 4, "Hash compaction",
                    "Keeps a short signature instead of a state. Two states can have the same, so a \
                     state may be missed, rarely.",
                    Traits::IS_LOSSY
                        .and(Traits::TAKES_ALL)
                        .and(Traits::COMPARED)
                        .and(Traits::USES_SEED)
                        .and(Traits::USES_SIGNATURES);
                bitstate Bitstate = 5, "Bitstate",
                    "Sets a few bits of one large array for each state. Gets furthest in little memory; \
                     some states may be missed.",
                    Traits::IS_LOSSY
                        .and(Traits::TAKES_ALL)
                        .and(Traits::COMPARED)
                        .and(Traits::USES_SEED)
                        .and(Traits::USES_BITS);
            }
        }
    };
}

/// Makes the list of values.
macro_rules! values {
    (
        whole { $($w:ident $Whole:ident = $wl:literal, $wt:literal, $wd:literal, $wx:expr;)* }
        sets { $($s:ident $Set:ident = $sl:literal, $st:literal, $sd:literal, $sx:expr;)* }
    ) => {
        choice! {
            /// How visited states are remembered.
            Store, default Exact;
            $($Whole = $wl, stringify!($w), $wt, $wd, $wx;)*
            $($Set = $sl, stringify!($s), $st, $sd, $sx;)*
        }
    };
}

stores!(values);

impl Store {
    /// Whether it can take a new state for a stored one.
    pub fn is_lossy(self) -> bool {
        self.has(Traits::IS_LOSSY)
    }
}
