//! Products and unions of automata.

use crate::map::Map;
use crate::{Automaton, Edge, TooLarge};

/// Most pairs of edges looked at, heavy labels counted more than once.
const WORK: usize = 20_000_000;

/// Two automata over one list of propositions, matched by name.
///
/// # Errors
/// Together they depend on more than 64 propositions.
pub fn aligned(a: &Automaton, b: &Automaton) -> Result<(Automaton, Automaton), TooLarge> {
    let mut atoms = a.atoms.clone();
    if b.atoms.starts_with(&atoms) {
        atoms.clone_from(&b.atoms);
    }
    let fresh: Vec<_> = b.atoms.iter().filter(|name| !atoms.contains(name)).cloned().collect();
    atoms.extend(fresh);
    Ok((a.over(&atoms)?, b.over(&atoms)?))
}

/// The automaton that accepts what both accept; its marks are those of the first, then those of the
/// second.
///
/// # Errors
/// More than 64 sets or propositions, or more than `limit` states.
pub fn intersection(a: &Automaton, b: &Automaton, limit: usize) -> Result<Automaton, TooLarge> {
    if a.sets + b.sets > 64 {
        return Err(TooLarge::Sets);
    }
    if !a.atoms.starts_with(&b.atoms) && !b.atoms.starts_with(&a.atoms) {
        let (a, b) = aligned(a, b)?;
        return intersection(&a, &b, limit);
    }
    let atoms = if a.atoms.len() < b.atoms.len() { &b.atoms } else { &a.atoms }.clone();
    if a.states.is_empty() || b.states.is_empty() {
        return Ok(Automaton::nothing(atoms));
    }
    let mut pairs = vec![(a.initial, b.initial)];
    let mut numbers = Map::from_iter([((a.initial, b.initial), 0)]);
    let mut states = Vec::new();
    let mut work = 0usize;
    while let Some(&(p, q)) = pairs.get(states.len()) {
        let mut edges = Vec::new();
        for left in &a.states[p as usize] {
            for right in &b.states[q as usize] {
                let weight = left.label.weight().saturating_mul(right.label.weight());
                work = work.saturating_add(weight.min(1 << 16) as usize);
                let label = left.label.and(&right.label);
                if label.is_empty() {
                    continue;
                }
                let pair = (left.target, right.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                let marks = left.marks | right.marks.checked_shl(a.sets).unwrap_or(0);
                edges.push(Edge { label, target, marks });
            }
        }
        states.push(edges);
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
        if work > WORK {
            return Err(TooLarge::Steps);
        }
    }
    let mut product = Automaton {
        states,
        initial: 0,
        sets: a.sets + b.sets,
        atoms,
        names: Vec::new(),
        state_based: false,
    };
    product.merge_edges();
    Ok(product)
}

/// The automaton that accepts what at least one accepts: a fresh initial state beside both.
///
/// # Errors
/// More than 64 propositions.
pub fn union(a: &Automaton, b: &Automaton) -> Result<Automaton, TooLarge> {
    let (a, b) = aligned(a, b)?;
    let sets = a.sets.max(b.sets);
    let all = if sets >= 64 { u64::MAX } else { (1 << sets) - 1 };
    let shift = 1 + a.states.len() as u32;
    let mut states = vec![Vec::new()];
    let mut initial = Vec::new();
    for (part, by) in [(&a, 1), (&b, shift)] {
        // Sets that a part lacks are met by all its edges.
        let more = all & !part.all_marks();
        for (number, edges) in part.states.iter().enumerate() {
            let edges: Vec<_> = edges
                .iter()
                .map(|e| Edge {
                    label: e.label.clone(),
                    target: e.target + by,
                    marks: e.marks | more,
                })
                .collect();
            if number == part.initial as usize {
                initial.extend_from_slice(&edges);
            }
            states.push(edges);
        }
    }
    states[0] = initial;
    let mut result = Automaton {
        states,
        initial: 0,
        sets,
        atoms: a.atoms,
        names: Vec::new(),
        state_based: false,
    };
    result.restrict(&|_| true);
    Ok(result)
}
