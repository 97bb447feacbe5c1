//! Labels of edges: sets of letters, as disjunctions of cubes.

use promenade_ltl::Letter;

/// A conjunction of literals: the propositions in `must` hold, those in `must_not` do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Cube {
    /// Propositions that hold.
    pub must: Letter,
    /// Propositions that do not hold; disjoint from `must`.
    pub must_not: Letter,
}

/// A set of letters: those of at least one of its cubes. Canonical only after simplification.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Label {
    cubes: Vec<Cube>,
}

impl Label {
    /// All letters.
    pub fn all() -> Self {
        Self { cubes: vec![Cube::default()] }
    }

    /// The letters of some cubes; contradictory ones are left out.
    pub fn of(cubes: impl IntoIterator<Item = Cube>) -> Self {
        let mut cubes: Vec<_> = cubes.into_iter().filter(|c| c.must & c.must_not == 0).collect();
        cubes.sort_unstable();
        cubes.dedup();
        Self { cubes }
    }

    /// The cubes.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether a letter belongs to it.
    pub fn contains(&self, letter: Letter) -> bool {
        self.cubes.iter().any(|c| letter & c.must == c.must && letter & c.must_not == 0)
    }
}
