//! Random never claims over given conditions.

use promenade_base::random::Random;
use std::fmt::Write;

/// The claim for a seed: a few states, each with some conditions that lead on. With `ends` it can
/// also come to its closing brace, which is a violation.
pub fn random_claim(seed: u64, atoms: &[&str], ends: bool) -> String {
    let mut random = Random::new(seed ^ 0xc1a1_3000);
    let states = 1 + random.below(3);
    let accepting: Vec<bool> = (0..states).map(|_| random.chance(2, 5)).collect();
    let name = |state: usize| {
        let prefix = if accepting[state] { "accept_" } else { "" };
        format!("{prefix}S{state}")
    };
    let mut text = "never {\n".to_owned();
    for state in 0..states {
        let _ = writeln!(text, "{}:\n  do", name(state));
        for _ in 0..1 + random.below(3) {
            let condition = condition(&mut random, atoms);
            let target = random.below(states);
            if ends && random.chance(1, 5) {
                // Behind the last state is the end.
                let _ = writeln!(text, "  :: {condition} -> break");
            } else {
                let _ = writeln!(text, "  :: {condition} -> goto {}", name(target));
            }
        }
        if random.chance(1, 4) {
            let _ = writeln!(text, "  :: else -> goto {}", name(random.below(states)));
        }
        text.push_str("  od;\n");
    }
    text.push_str("}\n");
    text
}

fn condition(random: &mut Random, atoms: &[&str]) -> String {
    let mut atom = || {
        let atom = atoms.get(random.below(atoms.len().max(1))).copied().unwrap_or("true");
        if random.chance(1, 3) { format!("!{atom}") } else { atom.to_owned() }
    };
    let (a, b) = (atom(), atom());
    match random.below(5) {
        0 => "true".to_owned(),
        1 => format!("({a} && {b})"),
        2 => format!("({a} || {b})"),
        _ => a,
    }
}
