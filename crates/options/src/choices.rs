//! Options that are chosen from a list, one line a value.

use crate::Traits;

/// Declares the values of an option: `Variant = number in links, "id", "title", "doc", traits;`
macro_rules! choice {
    (
        $(#[$doc:meta])*
        $name:ident, default $default:ident;
        $($value:ident = $link:literal, $id:expr, $title:literal, $text:literal, $traits:expr;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(
                #[doc = $text]
                $value = $link,
            )*
        }

        impl $name {
            /// Every value, in the order in which they are offered.
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// What is known of them, in the same order.
            pub const CHOICES: &[$crate::Choice] = &[$($crate::Choice {
                id: $id,
                title: $title,
                doc: $text,
                link: $link,
                traits: $traits,
            }),*];

            /// Its number in links.
            pub const fn link(self) -> u32 {
                self as u32
            }

            /// What is known of it.
            pub fn choice(self) -> &'static $crate::Choice {
                let place = Self::ALL.iter().position(|it| *it == self);
                &Self::CHOICES[place.unwrap_or(0)]
            }

            /// Whether it has these traits.
            pub fn has(self, traits: $crate::Traits) -> bool {
                self.choice().traits.has(traits)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        impl $crate::Field for $name {
            fn number(&self) -> Option<u32> {
                Some(self.link())
            }

            fn set_number(&mut self, number: Option<u32>) -> $crate::Read {
                match Self::ALL.iter().find(|it| Some(it.link()) == number) {
                    Some(value) => {
                        *self = *value;
                        $crate::Read::Done
                    }
                    None => $crate::Read::Unknown,
                }
            }
        }
    };
}
pub(crate) use choice;

const NONE: Traits = Traits::NONE;
const ONE_SET: Traits = Traits::ONE_SET.and(Traits::EXPANDS_AGAIN);
const AGAIN: Traits = Traits::EXPANDS_AGAIN;

choice! {
    /// The order of the search.
    Search, default DepthFirst;
    DepthFirst = 0, "depth_first", "Depth-first",
        "Follows one run as far as it goes. Finds errors early; traces may be long.", NONE;
    BreadthFirst = 1, "breadth_first", "Breadth-first",
        "Visits states by their distance from the start. Traces are as short as possible.", NONE;
}

choice! {
    /// Which infinite runs count.
    Fairness, default None;
    None = 0, "none", "None",
        "Every infinite run counts, also one in which a process that could move never does.", NONE;
    Weak = 1, "weak", "Weak",
        "Only runs count in which every process that can always move from some point on does move \
         again and again.", NONE;
}

choice! {
    /// How accepting cycles are looked for.
    Emptiness, default Automatic;
    Automatic = 0, "automatic", "Automatic",
        "What suits the property; the statistics say what was chosen and why.", NONE;
    NestedDfs = 1, "nested_dfs", "Nested depth-first search",
        "A second search looks for a way back to each accepting step. Needs the least memory, but \
         cannot be combined with fairness.", ONE_SET;
    Couvreur = 2, "couvreur", "Couvreur",
        "Finds the strongly connected components in one search, and stops as soon as one of them is \
         accepting.", NONE;
    CouvreurShy = 3, "couvreur_shy", "Couvreur, shy",
        "The same, but looks at steps to known states first: fewer states where a cycle is near.",
        AGAIN;
    CouvreurWithoutRem = 4, "couvreur_without_rem", "Couvreur, without a list",
        "The same with less memory: a finished component is explored again to mark its states.",
        AGAIN;
    GeneralisedNestedDfs = 5, "generalised_nested_dfs", "Generalised nested depth-first search",
        "Nested search for several acceptance sets, so it can be combined with fairness.", AGAIN;
    GeldenhuysValmari = 7, "geldenhuys_valmari", "Geldenhuys and Valmari",
        "Strongly connected components in one search that stops at the first way back over an \
         accepting step. Cannot be combined with fairness.", ONE_SET;
    OriginalNestedDfs = 6, "original_nested_dfs", "Original nested search",
        "The first form of 1992, to compare with: it finds cycles later. Cannot be combined with \
         fairness.", ONE_SET;
}

choice! {
    /// Which successors are left out.
    Reduction, default Automatic;
    Automatic = 2, "automatic", "Automatic",
        "Up to 10,000 states: every state is visited. Larger depth-first searches for a first error \
         start again with ample sets, if these leave something out. Bitstate, hash compaction and \
         the state cache begin with them.", Traits::REDUCES;
    None = 0, "none", "None",
        "Every state is visited. The numbers are those that SPIN gives without reduction.", NONE;
    AmpleSets = 1, "ample_sets", "Ample sets",
        "Of steps of different processes that do not influence each other only one order is \
         explored. The verdict is the same, with fewer states.", Traits::REDUCES;
}

choice! {
    /// How a reduced search makes sure that no process is put off for ever.
    Proviso, default Automatic;
    Automatic = 0, "automatic", "Automatic",
        "What leaves out most: depth-first, the search looks at its path; otherwise loops are broken \
         beforehand.", NONE;
    Dynamic = 1, "dynamic", "On the stack, in the queue",
        "Steps of one process are enough if they lead away from the path of the search, or to states \
         that still wait.", NONE;
    Static = 2, "static", "Static",
        "Every loop of a process is broken beforehand at a place where all steps are taken. Goes with \
         every search and several workers.", NONE;
}

choice! {
    /// What becomes of the values of local variables that will not be read before they are written.
    DeadVariables, default Keep;
    Keep = 0, "keep", "Keep",
        "They stay, as the text has it: states that differ in nothing else are different.", NONE;
    Reset = 1, "reset", "Reset", "They are set to 0: fewer states, the same verdict.", NONE;
}

choice! {
    /// What becomes of global variables on whose values nothing depends: they are assigned, counted
    /// and printed only.
    WriteOnly, default LeaveOut;
    LeaveOut = 1, "leave_out", "Leave out",
        "They are no part of a state: states that differ in nothing else are the same.", NONE;
    Keep = 0, "keep", "Keep", "They are a part of states, as with SPIN's option -o2.", NONE;
}

choice! {
    /// How the bits of a state are placed in a bitstate search.
    Probing, default Triple;
    Triple = 2, "triple", "Triple",
        "Triple hashing, from three numbers of one hash: fast, and practically as accurate as \
         independent ones.", NONE;
    Double = 0, "double", "Double",
        "Double hashing, from two numbers of one hash, at equal distances: a little faster; with many \
         bits per state it misses more.", NONE;
    EnhancedDouble = 1, "enhanced_double", "Enhanced",
        "Enhanced double hashing, at distances that grow: between double and triple.", NONE;
    Independent = 3, "independent", "Independent",
        "A hash function for every bit: accurate by construction, and slowest; hardly better than \
         triple hashing.", NONE;
    Blocked = 4, "blocked", "One block",
        "All bits of a state beside each other, so that it waits for memory once: fastest, and further \
         bits cost hardly any time. With as many bits it misses more.", NONE;
}
