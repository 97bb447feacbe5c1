//! What the tests of this crate share: random formulas and words.

use promenade_base::random::Random;
use promenade_ltl::{Formula, Formulas, Lasso, Node};

/// A random formula with about `size` operators over `atoms` atoms.
pub fn formula(table: &mut Formulas, random: &mut Random, size: usize, atoms: u32) -> Formula {
    if size == 0 {
        return table.atom(random.below(atoms as usize) as u32);
    }
    let kind = random.below(13);
    if kind < 5 || size == 1 {
        let f = formula(table, random, size - 1, atoms);
        return match kind % 4 {
            0 => table.not(f),
            1 => table.next(f),
            2 => table.eventually(f),
            _ => table.always(f),
        };
    }
    let left = random.below(size);
    let f = formula(table, random, left, atoms);
    let g = formula(table, random, size - 1 - left, atoms);
    match kind {
        5 => table.and([f, g]),
        6 => table.or([f, g]),
        7 => table.implies(f, g),
        8 => table.equivalent(f, g),
        9 => table.until(f, g),
        10 => table.weak_until(f, g),
        11 => table.release(f, g),
        _ => table.strong_release(f, g),
    }
}

/// A random word over `atoms` atoms.
pub fn word(random: &mut Random, atoms: u32) -> Lasso {
    let mut letters =
        |count: usize| (0..count).map(|_| random.next_u64() & ((1 << atoms) - 1)).collect();
    let (prefix, cycle) = (letters(3), letters(4));
    let (prefix, mut cycle): (Vec<u64>, Vec<u64>) = (prefix, cycle);
    let lengths = random.next_u64();
    cycle.truncate(1 + lengths as usize % 4);
    let prefix = prefix[..lengths as usize / 16 % 4].to_vec();
    Lasso::new(prefix, cycle).unwrap_or_else(|| unreachable!("the cycle has a letter"))
}

/// A formula as text, every operator in parentheses, atoms `p0`, `p1`, ...
pub fn show(table: &Formulas, f: Formula) -> String {
    let two = |f: &Formula, sign: &str, g: &Formula| {
        format!("({} {sign} {})", show(table, *f), show(table, *g))
    };
    let many = |list: &[Formula], sign: &str| {
        let parts: Vec<_> = list.iter().map(|&f| show(table, f)).collect();
        format!("({})", parts.join(sign))
    };
    match table.node(f) {
        Node::True => "true".to_owned(),
        Node::False => "false".to_owned(),
        Node::Atom(number) => format!("p{number}"),
        Node::Not(f) => format!("!{}", show(table, *f)),
        Node::Next(f) => format!("X {}", show(table, *f)),
        Node::Eventually(f) => format!("<>{}", show(table, *f)),
        Node::Always(f) => format!("[]{}", show(table, *f)),
        Node::And(list) => many(list, " && "),
        Node::Or(list) => many(list, " || "),
        Node::Implies(f, g) => two(f, "->", g),
        Node::Equivalent(f, g) => two(f, "<->", g),
        Node::Until(f, g) => two(f, "U", g),
        Node::WeakUntil(f, g) => two(f, "W", g),
        Node::Release(f, g) => two(f, "V", g),
        Node::StrongRelease(f, g) => two(f, "M", g),
    }
}
