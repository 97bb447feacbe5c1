//! Errors in the conditions of a claim's edges: those that change nothing do not count.
//!
//! An edge of a formula's automaton combines propositions that stand in different places of the
//! formula, so their order says nothing about which of them guards which. An error in one of them
//! counts if the edge's condition depends on the missing value.

use crate::eval::Context;
use crate::program::Labels;

/// Values that are tried for the missing propositions of one condition.
const MOST_CASES: u32 = 4_096;

impl Labels {
    /// Whether an edge can be taken although something in its condition failed; the faults are then
    /// forgotten. `None`, with the faults kept, if that depends on what failed.
    #[cold]
    pub(crate) fn settled(&self, edge: usize, c: &Context<'_>, s: &[u8]) -> Option<bool> {
        let cubes = self.cubes.get(edge).filter(|cubes| !cubes.is_empty())?;
        let support = cubes.iter().fold(0, |set, (must, must_not)| set | must | must_not);
        let met = c.faults.len();
        let (mut known, mut value) = (0u64, 0u64);
        for (number, proposition) in self.propositions.iter().enumerate().take(64) {
            if support >> number & 1 == 0 {
                continue;
            }
            let holds = c.eval(proposition, s) != 0;
            if c.faults.len() == met {
                known |= 1 << number;
                value |= u64::from(holds) << number;
            } else {
                c.faults.truncate(met);
            }
        }
        let outcome = constant(cubes, known, value, &mut MOST_CASES.clone());
        if outcome.is_some() {
            c.faults.take();
        }
        outcome
    }
}

/// The value of a disjunction of cubes if it is the same whatever the propositions that are not
/// `known` are. `None` also where finding out takes too many cases.
fn constant(cubes: &[(u64, u64)], known: u64, value: u64, cases: &mut u32) -> Option<bool> {
    *cases = cases.checked_sub(1)?;
    let mut open = 0;
    for (must, must_not) in cubes {
        if (must & known & !value) | (must_not & known & value) != 0 {
            continue;
        }
        match (must | must_not) & !known {
            0 => return Some(true),
            rest => open |= rest,
        }
    }
    if open == 0 {
        return Some(false);
    }
    let next = 1u64 << open.trailing_zeros();
    let without = constant(cubes, known | next, value, cases)?;
    let with = constant(cubes, known | next, value | next, cases)?;
    (with == without).then_some(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with all letters, for random conditions of five propositions.
    #[test]
    fn what_depends_on_a_missing_value() {
        let mut random = promenade_base::random::Random::new(7);
        let mut below = |bound| random.below(bound) as u64;
        let (mut settled, mut open) = (0, 0);
        for _ in 0..20_000 {
            let cubes: Vec<(u64, u64)> = (0..below(5))
                .map(|_| {
                    let must = below(32) & below(32);
                    (must, below(32) & below(32) & !must)
                })
                .collect();
            let (known, value) = (below(32), below(32));
            let holds = |letter: u64| {
                cubes.iter().any(|(must, not)| letter & must == *must && letter & not == 0)
            };
            let mut letters = (0..32).filter(|letter| letter & known == value & known);
            let first = letters.next().map(holds);
            let same = letters.all(|letter| Some(holds(letter)) == first);
            let found = constant(&cubes, known, value & known, &mut MOST_CASES.clone());
            assert_eq!(found, first.filter(|_| same), "{cubes:?} {known:b} {value:b}");
            if found.is_some() { settled += 1 } else { open += 1 }
        }
        assert!(settled > 1_000 && open > 1_000, "{settled} {open}");
    }

    #[test]
    fn too_many_cases_are_not_settled() {
        let odd: Vec<(u64, u64)> = (0..14).map(|bit| (1 << bit, 1 << (bit + 1))).collect();
        assert_eq!(constant(&odd, 0, 0, &mut 3), None);
    }
}
