//! Declares the stores of the catalogue: their modules, and how they are made.

macro_rules! declare_stores {
    (
        whole { $($w:ident $Whole:ident = $wl:literal, $wt:literal, $wd:literal, $wx:expr;)* }
        sets { $($s:ident $Set:ident = $sl:literal, $st:literal, $sd:literal, $sx:expr;)* }
    ) => {
        $(pub mod $w; pub use $w::$Whole;)*
        $(pub mod $s; pub use $s::$Set;)*

        /// A store that keeps whole states and gives them back, for every search.
        #[derive(Debug)]
        pub enum Whole {
            $(#[doc = $wd] $Whole($Whole),)*
        }

        impl Whole {
            /// An empty store that reserves at most `budget` bytes; the exact one for a kind that does
            /// not give states back.
            pub fn new(kind: Store, budget: u64) -> Self {
                match kind {
                    $(Store::$Whole => Self::$Whole($Whole::new(budget)),)*
                    _ => Self::Exact(Exact::new(budget)),
                }
            }
        }

        /// A store that only tells new states from stored ones; nothing for one that gives them back.
        pub fn build(kind: Store, making: &Making<'_>) -> Option<Made> {
            match kind {
                $(Store::$Whole => None,)*
                $(Store::$Set => Some($s::build(making)),)*
            }
        }

        /// What the searches that number states need beside [`StateStore`]: hidden bytes behind those of
        /// the state, which all states have and which may be changed.
        impl Whole {
            #[inline]
            pub(crate) fn insert_with(&mut self, state: &[u8], key_len: usize, tail: &[u8]) -> Insert {
                match self { $(Self::$Whole(it) => it.insert_with(state, key_len, tail),)* }
            }

            #[inline]
            pub(crate) fn find_with(
                &self,
                state: &[u8],
                key_len: usize,
                tail: usize,
            ) -> Option<StateId> {
                match self { $(Self::$Whole(it) => it.find_with(state, key_len, tail),)* }
            }

            #[inline]
            pub(crate) fn tail<const N: usize>(&self, id: StateId) -> Option<[u8; N]> {
                match self { $(Self::$Whole(it) => it.tail(id),)* }
            }

            #[inline]
            pub(crate) fn set_tail(&mut self, id: StateId, tail: &[u8]) {
                match self { $(Self::$Whole(it) => it.set_tail(id, tail),)* }
            }

            /// Replaces the hidden bytes at the end of a state.
            pub fn set_hidden(&mut self, id: StateId, hidden: &[u8]) {
                self.set_tail(id, hidden);
            }
        }

        impl VisitedSet for Whole {
            #[inline]
            fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
                match self { $(Self::$Whole(it) => it.insert(state, key_len),)* }
            }

            fn contains(&self, state: &[u8], key_len: usize) -> bool {
                match self { $(Self::$Whole(it) => it.contains(state, key_len),)* }
            }

            fn len(&self) -> u64 {
                match self { $(Self::$Whole(it) => it.len(),)* }
            }

            fn memory_bytes(&self) -> u64 {
                match self { $(Self::$Whole(it) => it.memory_bytes(),)* }
            }

            fn set_budget(&mut self, bytes: u64) {
                match self { $(Self::$Whole(it) => it.set_budget(bytes),)* }
            }

            fn guarantee(&self) -> Guarantee {
                Guarantee::Exact
            }
        }

        impl StateStore for Whole {
            #[inline]
            fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8] {
                match self { $(Self::$Whole(it) => it.get(id, buffer),)* }
            }

            #[inline]
            fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
                match self { $(Self::$Whole(it) => it.find(state, key_len),)* }
            }

            fn first(&self) -> Option<StateId> {
                match self { $(Self::$Whole(it) => it.first(),)* }
            }

            fn after(&self, id: StateId) -> Option<StateId> {
                match self { $(Self::$Whole(it) => it.after(id),)* }
            }
        }
    };
}
