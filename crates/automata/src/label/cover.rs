//! Labels as irredundant sums of products (Minato 1992, Morreale 1970).

use super::Label;
use crate::bits::bits_of;
use promenade_ltl::Letter;

/// A conjunction of literals: the propositions in `must` hold, those in `must_not` do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Cube {
    /// Propositions that hold.
    pub must: Letter,
    /// Propositions that do not hold; disjoint from `must`.
    pub must_not: Letter,
}

impl Cube {
    /// Whether a letter belongs to it.
    pub fn contains(self, letter: Letter) -> bool {
        letter & self.must == self.must && letter & self.must_not == 0
    }

    /// Number of literals.
    pub fn literals(self) -> u32 {
        self.must.count_ones() + self.must_not.count_ones()
    }
}

impl Label {
    /// Cubes whose union it is: each prime, none superfluous, sorted by number of literals.
    pub fn cubes(&self) -> Vec<Cube> {
        let mut cubes = Vec::new();
        cover(self, self, &mut cubes);
        cubes.sort_unstable_by_key(|c| (c.literals(), c.must_not | c.must, c.must_not));
        cubes
    }
}

/// Adds cubes whose union lies between two sets, and gives that union.
fn cover(lower: &Label, upper: &Label, cubes: &mut Vec<Cube>) -> Label {
    if lower.is_empty() {
        return Label::none();
    }
    if upper.is_all() {
        cubes.push(Cube::default());
        return Label::all();
    }
    let Some(atom) = bits_of(lower.support() | upper.support()).next() else {
        return Label::none();
    };
    let (low, high) = (lower.cofactor(atom, false), lower.cofactor(atom, true));
    let (up_low, up_high) = (upper.cofactor(atom, false), upper.cofactor(atom, true));
    let from = cubes.len();
    let with_not = cover(&low.minus(&up_high), &up_low, cubes);
    for cube in &mut cubes[from..] {
        cube.must_not |= 1 << atom;
    }
    let from = cubes.len();
    let with = cover(&high.minus(&up_low), &up_high, cubes);
    for cube in &mut cubes[from..] {
        cube.must |= 1 << atom;
    }
    let rest = low.minus(&with_not).or(&high.minus(&with));
    let without = cover(&rest, &up_low.and(&up_high), cubes);
    let atom = Label::atom(atom);
    with_not.minus(&atom).or(&with.and(&atom)).or(&without)
}
