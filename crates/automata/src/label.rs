//! Labels of edges: sets of letters.
//!
//! Up to six propositions a set of letters is one 64-bit truth table over the propositions it
//! depends on. Above that it is a decision tree over the lowest proposition, with shared branches
//! that end in truth tables. Both forms are canonical: equal sets are equal values.

mod cover;
mod dense;
mod formula;
mod text;

use crate::bits::bits_of;
use crate::map::Map;
use promenade_ltl::Letter;
use std::sync::Arc;

pub use cover::Cube;
pub(crate) use dense::LetterSet;

/// Propositions that fit into a truth table.
const TABLE: u32 = 6;

/// Positions of a truth table where a variable is true.
const TRUE_AT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// A set of letters, in a canonical form.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Label(Form);

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Form {
    /// The propositions that the set depends on, at most six, and its truth table over them: the
    /// first is the fastest variable. The table repeats itself if there are fewer than six.
    Table { support: u64, bits: u64 },
    /// Depends on more than six propositions.
    Branch(Arc<Branch>),
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Branch {
    support: u64,
    /// Branches and tables below, counted as often as they are reached.
    weight: u32,
    /// If the lowest proposition of `support` is false.
    low: Label,
    /// If it is true.
    high: Label,
}

impl Default for Label {
    /// No letter.
    fn default() -> Self {
        Self::none()
    }
}

impl Label {
    /// All letters.
    pub fn all() -> Self {
        Self(Form::Table { support: 0, bits: u64::MAX })
    }

    /// No letter.
    pub fn none() -> Self {
        Self(Form::Table { support: 0, bits: 0 })
    }

    /// The letters with a proposition.
    ///
    /// # Panics
    /// If the number is not below 64.
    pub fn atom(number: u32) -> Self {
        assert!(number < 64, "propositions have numbers below 64");
        Self(Form::Table { support: 1 << number, bits: TRUE_AT[0] })
    }

    /// The letters of some cubes.
    pub fn of(cubes: impl IntoIterator<Item = Cube>) -> Self {
        cubes.into_iter().fold(Self::none(), |label, cube| label.or(&Self::cube(cube)))
    }

    /// The letters of a cube; none if it contradicts itself.
    pub fn cube(cube: Cube) -> Self {
        if cube.must & cube.must_not != 0 {
            return Self::none();
        }
        // From the highest proposition down, so that each step adds one branch at the root.
        let mut label = Self::all();
        for atom in bits_of(cube.must | cube.must_not).rev() {
            label = if cube.must >> atom & 1 == 1 {
                Self::branch(atom, Self::none(), label)
            } else {
                Self::branch(atom, label, Self::none())
            };
        }
        label
    }

    /// The one letter, as far as a set of propositions goes.
    pub fn letter(letter: Letter, atoms: u64) -> Self {
        Self::cube(Cube { must: letter & atoms, must_not: !letter & atoms })
    }

    /// The propositions it depends on.
    pub fn support(&self) -> u64 {
        match &self.0 {
            Form::Table { support, .. } => *support,
            Form::Branch(branch) => branch.support,
        }
    }

    /// How much work an operation on it is, 1 for up to six propositions.
    pub fn weight(&self) -> u32 {
        match &self.0 {
            Form::Table { .. } => 1,
            Form::Branch(branch) => branch.weight,
        }
    }

    /// What an operation with another label may cost, in steps: more than there are if it might take
    /// about a second.
    pub(crate) fn work_with(&self, other: &Self) -> usize {
        const MOST: u32 = 1 << 22;
        match self.weight().saturating_mul(other.weight()) {
            product if product > MOST => usize::MAX,
            product => product as usize,
        }
    }

    /// Whether it has no letter.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Form::Table { bits: 0, .. })
    }

    /// Whether it has all letters.
    pub fn is_all(&self) -> bool {
        matches!(self.0, Form::Table { bits: u64::MAX, .. })
    }

    /// Whether a letter belongs to it.
    pub fn contains(&self, letter: Letter) -> bool {
        let mut label = self;
        loop {
            match &label.0 {
                Form::Table { support, bits } => {
                    let mut index = 0;
                    for (place, atom) in bits_of(*support).enumerate() {
                        index |= (letter >> atom & 1) << place;
                    }
                    return bits >> index & 1 == 1;
                }
                Form::Branch(branch) => {
                    let atom = branch.support.trailing_zeros();
                    label = if letter >> atom & 1 == 1 { &branch.high } else { &branch.low };
                }
            }
        }
    }

    /// The smallest letter that belongs to it, by the propositions it depends on.
    pub fn some_letter(&self) -> Option<Letter> {
        if self.is_empty() {
            return None;
        }
        let mut letter = 0;
        let mut rest = self.clone();
        while rest.support() != 0 {
            let atom = 63 - rest.support().leading_zeros();
            let low = rest.cofactor(atom, false);
            rest = if low.is_empty() {
                letter |= 1 << atom;
                rest.cofactor(atom, true)
            } else {
                low
            };
        }
        Some(letter)
    }

    /// Letters in both.
    pub fn and(&self, other: &Self) -> Self {
        if self.is_all() || other.is_empty() || self == other {
            return other.clone();
        }
        if other.is_all() || self.is_empty() {
            return self.clone();
        }
        self.apply(other, |a, b| a & b)
    }

    /// Letters in at least one.
    pub fn or(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_all() || self == other {
            return other.clone();
        }
        if other.is_empty() || self.is_all() {
            return self.clone();
        }
        self.apply(other, |a, b| a | b)
    }

    /// Letters in the first but not in the second.
    pub fn minus(&self, other: &Self) -> Self {
        if other.is_empty() || self.is_empty() {
            return self.clone();
        }
        if other.is_all() || self == other {
            return Self::none();
        }
        self.apply(other, |a, b| a & !b)
    }

    /// Letters not in it.
    pub fn not(&self) -> Self {
        match &self.0 {
            Form::Table { support, bits } => Self(Form::Table { support: *support, bits: !bits }),
            Form::Branch(_) => Self::all().apply(self, |a, b| a & !b),
        }
    }

    /// An operation letter by letter.
    fn apply(&self, other: &Self, op: fn(u64, u64) -> u64) -> Self {
        match self.tables(other) {
            Some((support, a, b)) => Self::table(support, op(a, b)),
            None => Apply { op, known: Map::default() }.run(self, other),
        }
    }

    /// Both truth tables over the propositions of both, if these fit into one.
    fn tables(&self, other: &Self) -> Option<(u64, u64, u64)> {
        let support = self.support() | other.support();
        let fits = support.count_ones() <= TABLE;
        fits.then(|| (support, self.bits_over(support), other.bits_over(support)))
    }

    /// Whether all its letters are in the other.
    pub fn implies(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_all() {
            return true;
        }
        match self.tables(other) {
            Some((_, a, b)) => a & !b == 0,
            None => self.minus(other).is_empty(),
        }
    }

    /// Whether a letter is in both.
    pub fn meets(&self, other: &Self) -> bool {
        match self.tables(other) {
            Some((_, a, b)) => a & b != 0,
            None => !self.and(other).is_empty(),
        }
    }

    /// The set with a proposition fixed: letters that belong to it once the proposition is set.
    pub fn cofactor(&self, atom: u32, value: bool) -> Self {
        if self.support() >> atom & 1 == 0 {
            return self.clone();
        }
        match &self.0 {
            Form::Table { support, bits } => {
                let place = (support & ((1 << atom) - 1)).count_ones() as usize;
                let half = TRUE_AT[place];
                let shift = 1 << place;
                let bits = if value {
                    let kept = bits & half;
                    kept | kept >> shift
                } else {
                    let kept = bits & !half;
                    kept | kept << shift
                };
                Self::table(*support, bits)
            }
            Form::Branch(branch) => {
                let lowest = branch.support.trailing_zeros();
                if lowest == atom {
                    if value { branch.high.clone() } else { branch.low.clone() }
                } else {
                    let low = branch.low.cofactor(atom, value);
                    Self::branch(lowest, low, branch.high.cofactor(atom, value))
                }
            }
        }
    }

    /// Letters that belong to it with the proposition or without.
    pub fn exists(&self, atom: u32) -> Self {
        self.cofactor(atom, false).or(&self.cofactor(atom, true))
    }

    /// The same set with propositions renumbered; `map` gives the new number for each old one.
    pub fn renumber(&self, map: &dyn Fn(u32) -> u32) -> Self {
        let Some(atom) = bits_of(self.support()).next() else {
            return self.clone();
        };
        let new = Self::atom(map(atom));
        let low = self.cofactor(atom, false).renumber(map);
        let high = self.cofactor(atom, true).renumber(map);
        low.minus(&new).or(&high.and(&new))
    }

    /// A truth table over at most six propositions, freed of those it does not depend on.
    fn table(mut support: u64, mut bits: u64) -> Self {
        if bits == 0 || bits == u64::MAX {
            return Self(Form::Table { support: 0, bits });
        }
        let mut place = 0;
        for atom in bits_of(support) {
            let shift = 1 << place;
            if (bits & TRUE_AT[place]) >> shift == bits & !TRUE_AT[place] {
                for at in place..5 {
                    bits = swap(bits, at);
                }
                support &= !(1 << atom);
            } else {
                place += 1;
            }
        }
        Self(Form::Table { support, bits })
    }

    /// `if atom then high else low`, where both depend only on higher propositions.
    fn branch(atom: u32, low: Self, high: Self) -> Self {
        if low == high {
            return low;
        }
        let support = low.support() | high.support() | 1 << atom;
        if support.count_ones() > TABLE {
            let weight = low.weight().saturating_add(high.weight());
            return Self(Form::Branch(Arc::new(Branch { support, weight, low, high })));
        }
        let bits = (low.bits_over(support) & !TRUE_AT[0]) | (high.bits_over(support) & TRUE_AT[0]);
        Self(Form::Table { support, bits })
    }

    /// The truth table over a superset of its propositions, at most six.
    fn bits_over(&self, target: u64) -> u64 {
        let Form::Table { support, mut bits } = self.0 else {
            return 0;
        };
        if support == target {
            return bits;
        }
        for (place, atom) in bits_of(target).enumerate() {
            if support >> atom & 1 == 0 {
                for at in (place..5).rev() {
                    bits = swap(bits, at);
                }
            }
        }
        bits
    }
}

/// The truth table with the variables `at` and `at + 1` exchanged.
fn swap(bits: u64, at: usize) -> u64 {
    let shift = 1 << at;
    let up = bits & TRUE_AT[at] & !TRUE_AT[at + 1];
    let down = bits & !TRUE_AT[at] & TRUE_AT[at + 1];
    (bits & !(TRUE_AT[at] ^ TRUE_AT[at + 1])) | up << shift | down >> shift
}

/// A binary operation, remembering what it did on shared branches.
struct Apply {
    op: fn(u64, u64) -> u64,
    known: Map<(Key, Key), Label>,
}

/// A form by identity, good as long as the label lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Table(u64, u64),
    Branch(usize),
}

impl Apply {
    fn key(label: &Label) -> Key {
        match &label.0 {
            Form::Table { support, bits } => Key::Table(*support, *bits),
            Form::Branch(branch) => Key::Branch(Arc::as_ptr(branch) as usize),
        }
    }

    fn run(&mut self, a: &Label, b: &Label) -> Label {
        let support = a.support() | b.support();
        if support.count_ones() <= TABLE {
            let bits = (self.op)(a.bits_over(support), b.bits_over(support));
            return Label::table(support, bits);
        }
        let key = (Self::key(a), Self::key(b));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let atom = support.trailing_zeros();
        // Cofactors of a branch on its own proposition are its children: the keys stay valid. A
        // table's cofactors are tables, whose keys are values.
        let low = self.run(&a.cofactor(atom, false), &b.cofactor(atom, false));
        let high = self.run(&a.cofactor(atom, true), &b.cofactor(atom, true));
        let label = Label::branch(atom, low, high);
        self.known.insert(key, label.clone());
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    /// A random label over `atoms` propositions, with its value per letter of them.
    fn random(random: &mut Random, atoms: u32) -> (Label, Vec<bool>) {
        let mut label = Label::none();
        let mut values = vec![false; 1 << atoms];
        for _ in 0..1 + random.next_u64() % 5 {
            let must = random.next_u64() & random.next_u64() & ((1 << atoms) - 1);
            let must_not = random.next_u64() & random.next_u64() & ((1 << atoms) - 1) & !must;
            let cube = Cube { must, must_not };
            label = label.or(&Label::cube(cube));
            for (letter, value) in values.iter_mut().enumerate() {
                *value |= cube.contains(letter as u64);
            }
        }
        (label, values)
    }

    #[test]
    fn operations_agree_with_tables() {
        let mut source = Random::new(5);
        for round in 0..600 {
            let atoms = 1 + round % 9;
            let (a, in_a) = random(&mut source, atoms);
            let (b, in_b) = random(&mut source, atoms);
            let (and, or, minus, not) = (a.and(&b), a.or(&b), a.minus(&b), a.not());
            for letter in 0..1u64 << atoms {
                let (x, y) = (in_a[letter as usize], in_b[letter as usize]);
                assert_eq!(a.contains(letter), x);
                assert_eq!(and.contains(letter), x && y);
                assert_eq!(or.contains(letter), x || y);
                assert_eq!(minus.contains(letter), x && !y);
                assert_eq!(not.contains(letter), !x);
            }
            assert_eq!(not.not(), a);
            assert_eq!(and.or(&minus), a, "canonical");
            assert_eq!(a == b, in_a == in_b);
            assert_eq!(a.implies(&b), minus.is_empty());
            assert_eq!(Label::of(a.cubes()), a);
            if let Some(letter) = a.some_letter() {
                assert!(a.contains(letter));
            } else {
                assert!(a.is_empty());
            }
            let shift = a.renumber(&|atom| (atom + 1) % atoms);
            for letter in 0..1u64 << atoms {
                let moved = (letter << 1 | letter >> (atoms - 1)) & ((1 << atoms) - 1);
                assert_eq!(shift.contains(moved), in_a[letter as usize]);
            }
        }
    }

    #[test]
    fn many_propositions() {
        let wide = Label::cube(Cube { must: u64::MAX, must_not: 0 });
        assert!(wide.contains(u64::MAX) && !wide.contains(u64::MAX - 1));
        assert_eq!(wide.cubes(), vec![Cube { must: u64::MAX, must_not: 0 }]);
        let parity = (0..16).fold(Label::none(), |label, atom| {
            let atom = Label::atom(atom);
            label.minus(&atom).or(&atom.minus(&label))
        });
        assert!(parity.contains(0b111) && !parity.contains(0b110));
        assert_eq!(parity.and(&parity.not()), Label::none());
    }
}
