//! Random formulas and words, for tests here and elsewhere and for examples on demand.

use crate::{Formula, Formulas, Lasso, Letter};
use promenade_base::random::Random;

/// Which formulas to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many propositions there are: numbers `0..atoms`, at least one.
    pub atoms: u32,
    /// How many operators and operands the formula has at most, before the laws of the table.
    pub size: usize,
    /// Whether `X` may occur.
    pub next: bool,
    /// Whether `W`, `V` and `M` may occur beside `U`.
    pub releases: bool,
    /// Whether `->` and `<->` may occur.
    pub implications: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self { atoms: 3, size: 12, next: true, releases: true, implications: true }
    }
}

/// A random formula. The size is drawn first, then operators uniformly among those that fit, so
/// deep and flat formulas both occur.
pub fn formula(random: &mut Random, table: &mut Formulas, shape: &Shape) -> Formula {
    let size = 1 + random.below(shape.size.max(1));
    of_size(random, table, shape, size)
}

fn of_size(random: &mut Random, table: &mut Formulas, shape: &Shape, size: usize) -> Formula {
    if size <= 1 {
        return match random.below(12) {
            0 => Formula::TRUE,
            1 => Formula::FALSE,
            _ => table.atom(random.below(shape.atoms.max(1) as usize) as u32),
        };
    }
    let unary = size == 2 || random.chance(2, 5);
    if unary {
        let f = of_size(random, table, shape, size - 1);
        return match random.below(if shape.next { 4 } else { 3 }) {
            0 => table.not(f),
            1 => table.eventually(f),
            2 => table.always(f),
            _ => table.next(f),
        };
    }
    let left = 1 + random.below(size - 2);
    let f = of_size(random, table, shape, left);
    let g = of_size(random, table, shape, size - 1 - left);
    loop {
        match random.below(8) {
            0 => return table.and([f, g]),
            1 => return table.or([f, g]),
            2 => return table.until(f, g),
            3 if shape.releases => return table.weak_until(f, g),
            4 if shape.releases => return table.release(f, g),
            5 if shape.releases => return table.strong_release(f, g),
            6 if shape.implications => return table.implies(f, g),
            7 if shape.implications => return table.equivalent(f, g),
            _ => {}
        }
    }
}

/// A random requirement as specifications have many of: a response, a recurrence, an order, untils in
/// untils, over propositions `0..atoms`.
pub fn requirement(random: &mut Random, table: &mut Formulas, atoms: u32) -> Formula {
    let atom = |random: &mut Random, table: &mut Formulas| {
        let f = table.atom(random.below(atoms.max(1) as usize) as u32);
        if random.chance(1, 4) { table.not(f) } else { f }
    };
    let [p, q, r, s] = [(); 4].map(|()| atom(random, table));
    match random.below(9) {
        0 | 1 => {
            let answer = table.eventually(q);
            let response = table.implies(p, answer);
            table.always(response)
        }
        2 => {
            let f = table.eventually(p);
            table.always(f)
        }
        3 => {
            let f = table.always(p);
            table.eventually(f)
        }
        4 => table.weak_until(p, q),
        5 => table.eventually(p),
        6 => {
            let (f, g) = (table.eventually(p), table.eventually(q));
            let (f, g) = (table.always(f), table.always(g));
            table.implies(f, g)
        }
        7 => {
            let inner = table.until(p, q);
            let outer = table.until(inner, r);
            let answer = table.until(r, s);
            let answer = table.eventually(answer);
            let response = table.implies(outer, answer);
            table.always(response)
        }
        _ => {
            let (f, g) = (table.until(p, q), table.until(r, s));
            let f = table.release(f, g);
            let f = table.implies(r, f);
            table.always(f)
        }
    }
}

/// Several random requirements, all of which have to hold; with `within`, under one `[]`.
pub fn requirements(
    random: &mut Random,
    table: &mut Formulas,
    count: usize,
    atoms: u32,
    within: bool,
) -> Formula {
    let parts: Vec<Formula> = (0..count).map(|_| requirement(random, table, atoms)).collect();
    let all = table.and(parts);
    if within { table.always(all) } else { all }
}

/// A random word over propositions `0..atoms` with a prefix of at most `prefix` letters and a cycle
/// of one to `cycle` letters.
pub fn lasso(random: &mut Random, atoms: u32, prefix: usize, cycle: usize) -> Lasso {
    let letters = |random: &mut Random, length: usize| -> Vec<Letter> {
        let mask = if atoms >= 64 { u64::MAX } else { (1 << atoms) - 1 };
        (0..length).map(|_| random.next_u64() & mask).collect()
    };
    let before = random.below(prefix + 1);
    let prefix = letters(random, before);
    let length = 1 + random.below(cycle.max(1));
    let cycle = letters(random, length);
    // The cycle has a letter; this form needs no panic to say so.
    Lasso::new(prefix, cycle.clone()).unwrap_or_else(|| lasso(random, atoms, 0, 1))
}

/// A word with a little less or more stuttering: the same letters in the same order, some repeated.
pub fn stuttered(random: &mut Random, word: &Lasso) -> Lasso {
    let mut repeat = |letters: &[Letter]| -> Vec<Letter> {
        letters.iter().flat_map(|&letter| vec![letter; 1 + random.below(3)]).collect()
    };
    let prefix = repeat(word.prefix());
    let cycle = repeat(word.cycle());
    Lasso::new(prefix, cycle).unwrap_or_else(|| word.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;

    #[test]
    fn shapes_are_kept_and_seeds_repeat() {
        let shape = Shape { atoms: 2, next: false, releases: false, implications: false, size: 20 };
        let (mut a, mut b) = (Random::new(3), Random::new(3));
        let mut table = Formulas::new();
        let mut temporal = 0;
        for _ in 0..500 {
            let f = formula(&mut a, &mut table, &shape);
            assert_eq!(f, formula(&mut b, &mut table, &shape));
            for g in table.subformulas(f) {
                match table.node(g) {
                    Node::Atom(number) => assert!(*number < 2),
                    Node::Until(..) | Node::Always(_) | Node::Eventually(_) => temporal += 1,
                    Node::Next(_) | Node::WeakUntil(..) | Node::Implies(..) => panic!("{g:?}"),
                    _ => {}
                }
            }
        }
        assert!(temporal > 500);
        let word = lasso(&mut a, 2, 3, 3);
        assert!(word.positions() <= 6 && (0..word.positions()).all(|i| word.letter(i) < 4));
    }
}
