//! What is known of an option and of its values.

use crate::OptionId;

/// What legality and offers depend on, as a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traits(u16);

impl Traits {
    /// Nothing special.
    pub const NONE: Self = Self(0);
    /// Serves searches that find stored states again, as those for infinite runs do.
    pub const FINDS_AGAIN: Self = Self(1);
    /// Serves workers that share the states.
    pub const IS_SHARED: Self = Self(1 << 1);
    /// May take a new state for a stored one.
    pub const IS_LOSSY: Self = Self(1 << 2);
    /// Forgets states, which are new again afterwards.
    pub const FORGETS: Self = Self(1 << 3);
    /// Takes its share of the memory when it is made, not as it grows.
    pub const TAKES_ALL: Self = Self(1 << 4);
    /// Takes one acceptance set only.
    pub const ONE_SET: Self = Self(1 << 5);
    /// Expands states more than once, each time along another path.
    pub const EXPANDS_AGAIN: Self = Self(1 << 6);
    /// Takes part in a comparison of techniques unless the user says otherwise.
    pub const COMPARED: Self = Self(1 << 7);

    /// Hashes with a seed.
    pub const USES_SEED: Self = Self(1 << 8);
    /// Keeps signatures of a width to choose.
    pub const USES_SIGNATURES: Self = Self(1 << 9);
    /// Sets a number of bits to choose.
    pub const USES_BITS: Self = Self(1 << 10);
    /// Keeps chains of steps of a length to choose.
    pub const USES_CHAIN: Self = Self(1 << 11);
    /// Leaves out successors.
    pub const REDUCES: Self = Self(1 << 12);

    /// Those of both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are among these.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One value of an option that is chosen from a list.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name in messages, reports and the npm package.
    pub id: &'static str,
    /// Its name on the page.
    pub title: &'static str,
    /// What it does, and when to take it.
    pub doc: &'static str,
    /// Its number in links, which is never used for anything else.
    pub link: u32,
    /// What legality depends on.
    pub traits: Traits,
}

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Yes or no.
    Flag,
    /// A number within a range.
    Number {
        /// The smallest that has a meaning.
        least: u32,
        /// The largest.
        most: u32,
    },
    /// No limit, or a number.
    Limit,
    /// One of a list, in the order in which they are offered.
    Choice(&'static [Choice]),
}

/// Where an option belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// What is checked.
    Property,
    /// What the model means.
    Language,
    /// How far the search goes.
    Search,
    /// How states are kept, and which are left out.
    Engine,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name in messages, reports and the npm package.
    pub id: &'static str,
    /// Its name on the page.
    pub title: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its key in links, which is never used for anything else.
    pub link: u32,
    /// What a link means that does not mention it. Frozen.
    pub unsaid: Option<u32>,
    /// A link that has it means something else where it is not understood.
    pub critical: bool,
    /// Where it belongs.
    pub group: Group,
    /// It has an effect only with values of another option that have these traits.
    pub only_with: Option<(OptionId, Traits)>,
}

impl OptionSpec {
    /// The values to choose from; none for flags and numbers.
    pub fn choices(&self) -> &'static [Choice] {
        match self.kind {
            Kind::Choice(list) => list,
            _ => &[],
        }
    }

    /// The value with this number in links.
    pub fn choice(&self, link: u32) -> Option<&'static Choice> {
        self.choices().iter().find(|it| it.link == link)
    }
}
