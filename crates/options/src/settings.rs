//! The options of a check, one entry each.

use crate::spec::{Group, Kind, OptionSpec};
use crate::{
    DeadVariables, Emptiness, Fairness, Field, Probing, Proviso, Reduction, Search, Store, Traits,
    WriteOnly,
};
use serde::{Deserialize, Serialize};

/// `-Dname=value`
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Define {
    /// Macro name.
    pub name: String,
    /// Its value; `None` is like `-Dname`.
    pub value: Option<String>,
}

/// Declares the options: `Id field: type = default, key in links, unsaid, group, kind, "title", "doc"`
/// and what differs from a plain one. Links have their entries in this order.
macro_rules! settings {
    ($(
        $id:ident $field:ident: $type:ty = $default:expr, $link:literal, $unsaid:expr, $group:ident,
            $kind:expr, $title:literal, $text:literal $(, $extra:ident: $value:expr)*;
    )*) => {
        /// An option.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum OptionId {
            $(#[doc = $text] $id,)*
        }

        /// Everything that can be chosen about a run. `Default` is what the page starts with.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Settings {
            $(#[doc = $text] pub $field: $type,)*
            /// Macro definitions.
            pub defines: Vec<Define>,
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($field: $default,)* defines: Vec::new() }
            }
        }

        /// The catalogue: every option, in the order of [`OptionId`].
        pub const OPTIONS: &[OptionSpec] = &[$(OptionSpec {
            $($extra: $value,)*
            ..plain(
                stringify!($field), $title, $text, $kind, $link, $unsaid, Group::$group
            )
        },)*];

        impl OptionId {
            /// Every option.
            pub const ALL: &[Self] = &[$(Self::$id),*];
        }

        impl Settings {
            /// An option's value.
            pub fn field(&self, id: OptionId) -> &dyn Field {
                match id { $(OptionId::$id => &self.$field,)* }
            }

            /// An option's value, to change it.
            pub fn field_mut(&mut self, id: OptionId) -> &mut dyn Field {
                match id { $(OptionId::$id => &mut self.$field,)* }
            }
        }
    };
}

const fn plain(
    id: &'static str,
    title: &'static str,
    doc: &'static str,
    kind: Kind,
    link: u32,
    unsaid: Option<u32>,
    group: Group,
) -> OptionSpec {
    OptionSpec { id, title, doc, kind, link, unsaid, critical: false, group, only_with: None }
}

const NUMBER: Kind = Kind::Number { least: 0, most: u32::MAX };
settings! {
    Search search: Search = Search::DepthFirst, 1, Some(0), Search,
        Kind::Choice(Search::CHOICES), "Order of the search",
        "Depth-first search follows one run as far as it goes; breadth-first search finds a shortest \
         counterexample.";
    AllErrors all_errors: bool = false, 2, Some(0), Search, Kind::Flag, "Find all",
        "Goes on after the first error and counts all; the first ones are kept with their runs.";
    Assertions assertions: bool = true, 9, Some(1), Property, Kind::Flag, "Assertions",
        "Report every assert whose condition can be false.", critical: true;
    EndStates end_states: bool = true, 10, Some(1), Property, Kind::Flag, "Deadlocks",
        "Report states without a next step in which a process is not at its end nor at an end label.",
        critical: true;
    EmptyChannels empty_channels_at_end: bool = false, 11, Some(0), Property, Kind::Flag,
        "Channels must be empty at the end", "A valid end also needs empty channels.",
        critical: true;
    LoseMessages lose_messages: bool = false, 12, Some(0), Language, Kind::Flag,
        "Full channels lose messages",
        "A send to a full channel goes on, and the message is gone. Otherwise it waits for room.",
        critical: true;
    InnerUnless inner_unless_first: bool = false, 13, Some(0), Language, Kind::Flag,
        "Inner unless first", "Of nested escapes the inner one wins. Otherwise the outer one does.",
        critical: true;
    Fairness fairness: Fairness = Fairness::None, 20, Some(0), Property,
        Kind::Choice(Fairness::CHOICES), "Fairness",
        "Which infinite runs count: all, or only those in which every process that can always move \
         from some point on does move again and again.", critical: true;
    Emptiness emptiness: Emptiness = Emptiness::Automatic, 21, Some(0), Property,
        Kind::Choice(Emptiness::CHOICES), "Search for infinite runs",
        "The search for accepting cycles, for properties of infinite runs.";
    Store store: Store = Store::Exact, 22, Some(0), Engine, Kind::Choice(Store::CHOICES), "Store",
        "How visited states are remembered.";
    Hashes hashes: u32 = 3, 23, Some(3), Engine, Kind::Number { least: 1, most: 64 },
        "Bits per state",
        "Bits that each state sets, 1 to 64. 3 suits most models, 6 in one block; more miss fewer \
         states while the array is nearly empty.", only_with: Some((OptionId::Store, Traits::USES_BITS));
    CellBits cell_bits: u32 = 32, 24, Some(32), Engine, Kind::Number { least: 4, most: 64 },
        "Signature",
        "Bits of a signature, 4 to 64. Each further bit halves what is missed, but fewer states fit.",
        only_with: Some((OptionId::Store, Traits::USES_SIGNATURES));
    Merge merge: bool = false, 29, Some(0), Engine, Kind::Flag, "Statement merging",
        "Steps that no other process can observe are made together with the step before. For \
         properties of finite runs without a claim.";
    DeadVariables dead_variables: DeadVariables = DeadVariables::Keep, 32, Some(0), Engine,
        Kind::Choice(DeadVariables::CHOICES), "Reset dead variables",
        "A local variable is set to 0 where its value is not used any more: states that differ in \
         nothing else become one. The verdict is the same, and runs are shown with the values of your \
         text.";
    WriteOnly write_only: WriteOnly = WriteOnly::LeaveOut, 33, Some(0), Engine,
        Kind::Choice(WriteOnly::CHOICES), "Leave out write-only variables",
        "A global variable that is only assigned, counted and printed is no part of a state. The \
         verdict is the same.";
    Chain chain: u32 = 9, 28, Some(9), Engine, Kind::Number { least: 0, most: 63 },
        "Longest chain",
        "Steps that a state may be away from one that is kept whole, 0 to 63. Longer chains take less \
         memory and more time.", only_with: Some((OptionId::Store, Traits::USES_CHAIN));
    Seed seed: u32 = 0, 25, Some(0), Engine, NUMBER, "Seed",
        "Chooses the hash functions. The same seed repeats a run; another one is an independent trial \
         that misses other states.", only_with: Some((OptionId::Store, Traits::USES_SEED));
    Shuffle shuffle: u32 = 0, 27, Some(0), Engine, NUMBER, "Order of steps",
        "The order in which a depth-first search takes the steps of a state: 0 as in the text, another \
         number another order.";
    Reduction reduction: Reduction = Reduction::Automatic, 26, Some(0), Engine,
        Kind::Choice(Reduction::CHOICES), "Reduction",
        "Which successors are left out: partial-order reduction with ample sets.";
    Proviso proviso: Proviso = Proviso::Automatic, 30, Some(0), Engine,
        Kind::Choice(Proviso::CHOICES), "Cycle proviso",
        "How a reduced search makes sure that no process is put off for ever.", only_with: Some((OptionId::Reduction, Traits::REDUCES));
    Probing probing: Probing = Probing::Triple, 31, Some(2), Engine,
        Kind::Choice(Probing::CHOICES), "Places of the bits",
        "How the bits of a state are placed in a bitstate search.", only_with: Some((OptionId::Store, Traits::USES_BITS));
    KeepViolations keep_violations: u32 = 20, 4, Some(20), Search,
        Kind::Number { least: 1, most: 1000 }, "Errors kept",
        "So many errors are kept with a run, as far as a sixteenth of the memory goes.";
    MemoryMib memory_mib: u32 = 512, 5, Some(512), Search,
        Kind::Number { least: 1, most: 16 << 20 }, "Memory budget",
        "In MiB. Never exceeded: when it is used up the check ends with what it found. A sixteenth of \
         it is for the steps from one state.";
    StopAt stop_at: Option<u32> = None, 3, None, Search, Kind::Limit, "Stop at",
        "Stop at this many errors; without it at the first, or at none where all are wanted.";
    DepthLimit depth_limit: Option<u32> = None, 6, None, Search, Kind::Limit, "Depth",
        "At most this many steps deep; longer runs are cut off there.";
    StateLimit state_limit: Option<u32> = None, 7, None, Search, Kind::Limit, "States",
        "At most this many stored states. Workers that share the states finish the level in which they \
         pass it.";
    TimeLimit time_limit_seconds: Option<u32> = None, 8, None, Search, Kind::Limit, "Time",
        "At most this many seconds, reading the text and translating the formula included.";
}

impl OptionId {
    /// What is known of it.
    pub fn spec(self) -> &'static OptionSpec {
        &OPTIONS[self as usize]
    }
}

impl Settings {
    /// An option's value as a number; nothing where no limit is set.
    pub fn get(&self, id: OptionId) -> Option<u32> {
        self.field(id).number()
    }

    /// The same settings with another value of an option; nothing changes if there is no such value.
    pub fn with(&self, id: OptionId, value: u32) -> Self {
        let mut changed = self.clone();
        changed.field_mut(id).set_number(Some(value));
        changed
    }

    /// What a link means that mentions no option. Frozen: links leave these values out.
    pub fn unsaid() -> Self {
        let mut settings = Self::default();
        for id in OptionId::ALL {
            settings.field_mut(*id).set_number(id.spec().unsaid);
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What links of the first version meant, literally.
    #[test]
    fn what_old_links_leave_unsaid_does_not_change() {
        let mut base = Settings {
            reduction: Reduction::None,
            write_only: WriteOnly::Keep,
            memory_mib: 512,
            keep_violations: 20,
            hashes: 3,
            cell_bits: 32,
            chain: 9,
            ..Settings::default()
        };
        assert_eq!(Settings::unsaid(), base);
        base.search = Search::BreadthFirst;
        assert_eq!(Settings::unsaid().with(OptionId::Search, 1), base);
        assert_eq!(Settings::unsaid().with(OptionId::Search, 7), Settings::unsaid());
    }

    #[test]
    fn names_and_keys_are_used_once_and_are_those_of_messages() {
        let keys: BTreeSet<u32> = OPTIONS.iter().map(|it| it.link).collect();
        // 14 to 19 are macros and properties.
        assert!(keys.len() == OPTIONS.len() && (14..20).all(|key| !keys.contains(&key)));
        let object = serde_json::to_value(Settings::default()).unwrap();
        let mut names: BTreeSet<&str> =
            object.as_object().unwrap().keys().map(|it| &**it).collect();
        names.remove("defines");
        assert_eq!(names, OPTIONS.iter().map(|it| it.id).collect());
        for id in OptionId::ALL {
            let spec = id.spec();
            assert!(spec.doc.ends_with('.') && !spec.title.is_empty(), "{}", spec.id);
            let links: BTreeSet<u32> = spec.choices().iter().map(|it| it.link).collect();
            assert_eq!(links.len(), spec.choices().len());
            for choice in spec.choices() {
                assert!(choice.doc.ends_with('.'), "{}", choice.id);
                let settings = Settings::default().with(*id, choice.link);
                assert_eq!(settings.get(*id), Some(choice.link));
                let value = serde_json::to_value(&settings).unwrap();
                assert_eq!(value[spec.id], choice.id);
                assert_eq!(serde_json::from_value::<Settings>(value).unwrap(), settings);
            }
        }
    }
}
