//! The construction of Gerth, Peled, Vardi and Wolper (1995): nodes split on obligations.
//!
//! A node has formulas that hold now (`old`), formulas still to be looked at (`new`) and formulas for
//! the next position. Nodes with equal `old` and `next` are one. An edge reads the literals of the node
//! that it leads to, and has the mark of each until that this node does not put off. Larger than
//! Couvreur's construction, but each step can be followed; it is also close to what SPIN does.

use super::Options;
use crate::map::Map;
use crate::{Automaton, Cube, Edge, Label, Marks, TooLarge};
use promenade_ltl::{Formula, Formulas, Node};
use std::collections::BTreeSet;

type Set = BTreeSet<Formula>;

/// A node under construction.
#[derive(Clone)]
struct Pending {
    from: u32,
    new: Vec<Formula>,
    old: Set,
    next: Set,
}

pub(super) fn build(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<(Automaton, Vec<Formula>), TooLarge> {
    // What each formula that must come true at some time promises.
    let parts = table.subformulas(formula);
    let promises: Vec<(Formula, Formula)> = parts
        .into_iter()
        .filter_map(|part| match table.node(part) {
            Node::Eventually(g) | Node::Until(_, g) | Node::StrongRelease(g, _) => Some((part, *g)),
            _ => None,
        })
        .collect();
    if promises.len() > 64 {
        return Err(TooLarge::Sets);
    }
    let mut fuel = options.steps;
    let mut numbers: Map<(Set, Set), u32> = Map::default();
    // State 0 is before the first letter.
    let mut states: Vec<Vec<Edge>> = vec![Vec::new()];
    let mut meaning = vec![formula];
    let (none, start) = (Set::new(), vec![formula]);
    let mut work = vec![Pending { from: 0, new: start, old: none.clone(), next: none }];
    while let Some(mut node) = work.pop() {
        fuel = fuel.checked_sub(1 + node.old.len() + node.new.len()).ok_or(TooLarge::Steps)?;
        if let Some(f) = node.new.pop() {
            if node.old.contains(&f) {
                work.push(node);
            } else {
                node.old.insert(f);
                split(table, f, node, &mut work);
            }
            continue;
        }
        let from = node.from;
        let key = (node.old, node.next);
        let number = match numbers.get(&key) {
            Some(&number) => number,
            None => {
                let number = states.len() as u32;
                states.push(Vec::new());
                meaning.push(table.and(key.1.iter().copied()));
                numbers.insert(key.clone(), number);
                let new = key.1.iter().copied().collect();
                work.push(Pending { from: number, new, old: Set::new(), next: Set::new() });
                if states.len() > options.states {
                    return Err(TooLarge::States);
                }
                number
            }
        };
        let marks: Marks = promises
            .iter()
            .enumerate()
            .filter(|(_, (until, goal))| !key.0.contains(until) || holds(table, &key.0, *goal))
            .fold(0, |marks, (set, _)| marks | 1 << set);
        states[from as usize].push(Edge { label: literals(table, &key.0), target: number, marks });
    }
    let atoms = 64 - table.atoms(formula).leading_zeros();
    let mut automaton = Automaton {
        states,
        initial: 0,
        sets: promises.len() as u32,
        atoms: (0..atoms).map(|i| format!("p{i}")).collect(),
        names: Vec::new(),
        state_based: false,
    };
    automaton.merge_edges();
    Ok((automaton, meaning))
}

/// Whether a formula is known to hold where some formulas were looked at.
fn holds(table: &Formulas, old: &Set, goal: Formula) -> bool {
    goal == Formula::TRUE
        || old.contains(&goal)
        || matches!(table.node(goal), Node::And(list) if list.iter().all(|f| old.contains(f)))
}

/// The node or nodes that come of looking at a formula.
fn split(table: &Formulas, f: Formula, node: Pending, work: &mut Vec<Pending>) {
    let mut push = |new: &[Formula], next: Option<Formula>| {
        let mut copy = node.clone();
        copy.new.extend_from_slice(new);
        copy.next.extend(next.filter(|&next| next != Formula::TRUE));
        work.push(copy);
    };
    match table.node(f) {
        Node::True => push(&[], None),
        Node::Atom(_) => {
            let contrary = |g: &Formula| matches!(table.node(*g), Node::Not(h) if *h == f);
            if !node.old.iter().any(contrary) {
                push(&[], None);
            }
        }
        Node::Not(g) => {
            if !node.old.contains(g) {
                push(&[], None);
            }
        }
        Node::And(list) => push(list, None),
        Node::Or(list) => list.iter().for_each(|&g| push(&[g], None)),
        Node::Next(g) => push(&[], Some(*g)),
        Node::Eventually(g) => {
            push(&[], Some(f));
            push(&[*g], None);
        }
        Node::Always(g) => push(&[*g], Some(f)),
        Node::Until(g, h) | Node::WeakUntil(g, h) => {
            push(&[*g], Some(f));
            push(&[*h], None);
        }
        Node::Release(g, h) | Node::StrongRelease(g, h) => {
            push(&[*h], Some(f));
            push(&[*g, *h], None);
        }
        // Not satisfiable, or not in negation normal form.
        Node::False | Node::Implies(..) | Node::Equivalent(..) => {}
    }
}

/// The letters under which all literals of a set hold.
fn literals(table: &Formulas, old: &Set) -> Label {
    let mut cube = Cube::default();
    for &f in old {
        match table.node(f) {
            Node::Atom(number) => cube.must |= 1 << number,
            Node::Not(g) => {
                if let Node::Atom(number) = table.node(*g) {
                    cube.must_not |= 1 << number;
                }
            }
            _ => {}
        }
    }
    Label::cube(cube)
}
