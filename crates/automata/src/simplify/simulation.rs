//! Direct and reverse simulation.
//!
//! A state simulates another if each edge of that one is covered, letter by letter, by edges of its
//! own with at least the same marks to targets that simulate the target. Simulation-equivalent
//! states are merged, and edges go that a better edge of the same state covers. The reverse relation
//! looks at edges backwards (Etessami and Holzmann 2000; Somenzi and Bloem 2000).

use crate::label::LetterSet;
use crate::map::Map;
use crate::{Automaton, Components, Edge, Label, Marks};
use std::fmt::Write;

/// Most states and edges for which the relation, quadratic in both, is computed.
const LIMIT: usize = 600;
const EDGES: usize = 2000;

/// Number of edges, those with labels over many propositions counted by their weight.
fn weight(automaton: &Automaton) -> usize {
    automaton.states.iter().flatten().map(|edge| edge.label.weight() as usize).sum()
}

/// `relation[p][q]`: q simulates p.
type Relation = Vec<Vec<bool>>;

/// Merges states that simulate each other; drops edges that another edge of the same state covers.
pub fn direct_simulation(automaton: &mut Automaton) {
    let large = |a: &Automaton| a.states.len() > LIMIT || weight(a) > EDGES;
    if large(automaton) {
        merge_equal(automaton);
    }
    let count = automaton.states.len();
    if large(automaton) {
        return;
    }
    let state_based = automaton.state_based;
    let mut relation = vec![vec![true; count]; count];
    if state_based {
        let marked = |edges: &Vec<Edge>| edges.iter().fold(0, |marks, e| marks | e.marks);
        let marks: Vec<Marks> = automaton.states.iter().map(marked).collect();
        for (row, of_p) in relation.iter_mut().zip(&marks) {
            for (simulated, of_q) in row.iter_mut().zip(&marks) {
                *simulated = of_p & !of_q == 0;
            }
        }
    }
    refine(&mut relation, &automaton.states);
    let edges = |s: u32| automaton.states[s as usize].clone();
    let class = |p: u32| {
        (0..count as u32)
            .find(|&q| relation[p as usize][q as usize] && relation[q as usize][p as usize])
            .unwrap_or(p)
    };
    let classes: Vec<u32> = (0..count as u32).map(class).collect();
    let mut states: Vec<Vec<Edge>> = Vec::with_capacity(count);
    for p in 0..count as u32 {
        if classes[p as usize] != p {
            states.push(Vec::new());
            continue;
        }
        let mut list = edges(p);
        for edge in &mut list {
            edge.target = classes[edge.target as usize];
        }
        drop_covered(&mut list, |a, b| relation[a as usize][b as usize]);
        states.push(list);
    }
    automaton.states = states;
    automaton.initial = classes.get(automaton.initial as usize).copied().unwrap_or(0);
    automaton.restrict(&|_| true);
    automaton.merge_edges();
}

/// Letters go from edges where another edge has them, with at least the same marks, to a better
/// target; of two that cover each other the first stays.
fn drop_covered(list: &mut Vec<Edge>, better: impl Fn(u32, u32) -> bool) {
    for i in 0..list.len() {
        for j in 0..list.len() {
            if i == j || list[i].label.is_empty() {
                continue;
            }
            let covers = |a: &Edge, b: &Edge| b.marks & !a.marks == 0 && better(b.target, a.target);
            if covers(&list[j], &list[i]) && (j < i || !covers(&list[i], &list[j])) {
                list[i].label = list[i].label.minus(&list[j].label);
            }
        }
    }
    list.retain(|edge| !edge.label.is_empty());
}

/// Shrinks a relation to the greatest simulation in it.
fn refine(relation: &mut Relation, states: &[Vec<Edge>]) {
    let used = states.iter().flatten().fold(0, |set, edge| set | edge.label.support());
    let table = |edge: &Edge| edge.label.table_over(used);
    let tables: Option<Vec<Vec<u64>>> =
        states.iter().map(|edges| edges.iter().map(table).collect()).collect();
    match tables {
        Some(tables) => refine_by(relation, states, &tables),
        None => {
            let labels = |edges: &Vec<Edge>| edges.iter().map(|e| e.label.clone()).collect();
            let labels: Vec<Vec<Label>> = states.iter().map(labels).collect();
            refine_by(relation, states, &labels);
        }
    }
}

/// As [`refine`], with the letters of each edge at hand.
fn refine_by<L: LetterSet>(relation: &mut Relation, states: &[Vec<Edge>], letters: &[Vec<L>]) {
    let simulated = |relation: &Relation, p: usize, q: usize| {
        states[p].iter().zip(&letters[p]).all(|(edge, on_edge)| {
            let mut rest = on_edge.clone();
            for (other, on_other) in states[q].iter().zip(&letters[q]) {
                if rest.is_empty() {
                    break;
                }
                if edge.marks & !other.marks == 0
                    && relation[edge.target as usize][other.target as usize]
                {
                    rest = rest.minus(on_other);
                }
            }
            rest.is_empty()
        })
    };
    // States that fewer simulate than before; only what leads to them is looked at again.
    let mut changed = vec![true; states.len()];
    while changed.contains(&true) {
        let before = std::mem::replace(&mut changed, vec![false; states.len()]);
        for p in 0..states.len() {
            let leads = |edge: &Edge| before[edge.target as usize] || changed[edge.target as usize];
            if !states[p].iter().any(leads) {
                continue;
            }
            for q in 0..states.len() {
                if p != q && relation[p][q] && !simulated(relation, p, q) {
                    relation[p][q] = false;
                    changed[p] = true;
                }
            }
        }
    }
}

/// Merges states with equal edges until there are none.
fn merge_equal(automaton: &mut Automaton) {
    loop {
        let mut first: Map<Vec<(u32, Marks, Label)>, u32> = Map::default();
        automaton.merge_edges();
        let classes: Vec<u32> = automaton
            .states
            .iter()
            .enumerate()
            .map(|(number, edges)| {
                let key = edges.iter().map(|e| (e.target, e.marks, e.label.clone())).collect();
                *first.entry(key).or_insert(number as u32)
            })
            .collect();
        let before = automaton.states.len();
        for edge in automaton.states.iter_mut().flatten() {
            edge.target = classes[edge.target as usize];
        }
        automaton.initial = classes.get(automaton.initial as usize).copied().unwrap_or(0);
        automaton.restrict(&|_| true);
        if automaton.states.len() == before {
            return;
        }
    }
}

/// Merges states with the same past: each simulates the other backwards.
///
/// The initial state has the empty past too, so only another initial state could be better than it:
/// it is simulated by none. With marks on states a merged state takes the mark of the one that lies
/// on a cycle: the mark of a state outside all cycles means nothing.
pub fn reverse_simulation(automaton: &mut Automaton) {
    automaton.restrict(&|_| true);
    let count = automaton.states.len();
    if !(2..=LIMIT).contains(&count) || weight(automaton) > EDGES {
        return;
    }
    let components = Components::of(automaton);
    let cyclic = |s: u32| components.cyclic[components.of[s as usize] as usize];
    let marked: Vec<Marks> =
        automaton.states.iter().map(|edges| edges.iter().fold(0, |m, e| m | e.marks)).collect();
    let mut mirror: Vec<Vec<Edge>> = vec![Vec::new(); count];
    for (source, edges) in automaton.states.iter().enumerate() {
        for edge in edges {
            mirror[edge.target as usize].push(Edge {
                label: edge.label.clone(),
                target: source as u32,
                // Marks on states are compared on states.
                marks: if automaton.state_based { 0 } else { edge.marks },
            });
        }
    }
    let initial = automaton.initial as usize;
    let mut relation = vec![vec![true; count]; count];
    for p in 0..count {
        for q in 0..count {
            let past = p != initial || q == initial;
            // The mark of a state outside cycles is free.
            let marks = !automaton.state_based
                || !cyclic(p as u32)
                || cyclic(q as u32) && marked[p] & !marked[q] == 0
                || marked[p] == 0;
            relation[p][q] = p == q || past && marks;
        }
    }
    refine(&mut relation, &mirror);
    let mut classes: Vec<u32> = (0..count as u32).collect();
    for p in 0..count {
        for q in 0..p {
            if classes[q] == q as u32 && relation[p][q] && relation[q][p] {
                classes[p] = q as u32;
                break;
            }
        }
    }
    if classes.iter().enumerate().all(|(p, &class)| class == p as u32) {
        return;
    }
    let mut states: Vec<Vec<Edge>> = vec![Vec::new(); count];
    let mut mark_of: Vec<Option<Marks>> = vec![None; count];
    for p in 0..count {
        if automaton.state_based && cyclic(p as u32) {
            mark_of[classes[p] as usize] = Some(marked[p]);
        }
    }
    for (p, edges) in automaton.states.iter().enumerate() {
        let class = classes[p] as usize;
        for edge in edges {
            let marks =
                if automaton.state_based { mark_of[class].unwrap_or(0) } else { edge.marks };
            let target = classes[edge.target as usize];
            states[class].push(Edge { label: edge.label.clone(), target, marks });
        }
    }
    if !automaton.names.is_empty() {
        // What is owed in a merged state is what is owed in one of its parts.
        for (p, &class) in classes.iter().enumerate().filter(|&(p, &class)| class != p as u32) {
            let name = automaton.names[p].clone();
            let _ = write!(automaton.names[class as usize], " or {name}");
        }
    }
    automaton.states = states;
    automaton.initial = classes[initial];
    automaton.restrict(&|_| true);
    automaton.merge_edges();
}
