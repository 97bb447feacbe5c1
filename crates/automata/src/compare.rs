//! Inclusion and equality of languages, with words that tell them apart.

use crate::determinise::Parity;
use crate::emptiness::{TRIED, Tagged, accepting_path, shorten};
use crate::letters::{Letters, Moves};
use crate::map::Map;
use crate::{
    Automaton, Components, Marks, Options, TooLarge, accepting_word, accepts, aligned,
    intersection, translate,
};
use promenade_ltl::{Formula, Formulas, Lasso, Letter};
use std::ops::Range;

/// Words that tell two languages apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// A word in the first only, if there is one.
    pub only_first: Option<Lasso>,
    /// A word in the second only, if there is one.
    pub only_second: Option<Lasso>,
}

impl Difference {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.only_first.is_none() && self.only_second.is_none()
    }
}

/// A short word that the second formula allows and the first does not, if there is one: without
/// one the second implies the first.
///
/// # Errors
/// The automata get too large.
pub fn contains(
    table: &mut Formulas,
    larger: Formula,
    smaller: Formula,
    options: &Options,
) -> Result<Option<Lasso>, TooLarge> {
    let not = table.not(larger);
    let mut both = [smaller, not].into_iter().map(|f| {
        let mut automaton = translate(table, f, options)?;
        crate::simplify::simplify(&mut automaton);
        Ok(automaton)
    });
    let (Some(first), Some(second)) = (both.next(), both.next()) else { return Ok(None) };
    let product = intersection(&first?, &second?, options.states.saturating_mul(4))?;
    let Some(word) = accepting_word(&product) else { return Ok(None) };
    let tells = |word: &Lasso| word.satisfies(table, smaller) && !word.satisfies(table, larger);
    Ok(Some(shortest(word, &letters_of(&product), &tells)))
}

/// A letter of each class that the automaton tells apart, as far as that is known.
fn letters_of(automaton: &Automaton) -> Vec<Letter> {
    Letters::of([automaton]).map(|letters| letters.samples).unwrap_or_default()
}

/// A shortest word for which a test holds, if all shorter ones can be tried with little work; else
/// the word with what can be left out of it left out.
fn shortest(mut word: Lasso, letters: &[Letter], tells: &dyn Fn(&Lasso) -> bool) -> Lasso {
    /// Most words tried.
    const TRIED: usize = 20_000;
    'shorten: loop {
        for skipped in 0..word.positions() {
            let keep = |list: &[Letter], from: usize| -> Vec<Letter> {
                let kept = list.iter().enumerate().filter(|(i, _)| from + i != skipped);
                kept.map(|(_, &letter)| letter).collect()
            };
            let prefix = keep(word.prefix(), 0);
            let cycle = keep(word.cycle(), word.prefix().len());
            if let Some(shorter) = Lasso::new(prefix, cycle).filter(|shorter| tells(shorter)) {
                word = shorter;
                continue 'shorten;
            }
        }
        break;
    }
    // Too many propositions to name all letters.
    if letters.is_empty() {
        return word;
    }
    let mut tried = 0usize;
    for positions in 1..word.positions() {
        let words =
            letters.len().checked_pow(positions as u32).map(|n| n.saturating_mul(positions));
        tried = tried.saturating_add(words.unwrap_or(usize::MAX));
        if tried > TRIED {
            break;
        }
        let mut places = vec![0; positions];
        loop {
            let all: Vec<Letter> = places.iter().map(|&place: &usize| letters[place]).collect();
            for split in 0..positions {
                let shorter = Lasso::new(all[..split].to_vec(), all[split..].to_vec());
                if let Some(shorter) = shorter.filter(|shorter| tells(shorter)) {
                    return shorter;
                }
            }
            let Some(next) = places.iter().rposition(|&place| place + 1 < letters.len()) else {
                break;
            };
            places[next] += 1;
            places[next + 1..].fill(0);
        }
    }
    word
}

/// Short words that tell two formulas apart.
///
/// # Errors
/// The automata get too large.
pub fn equivalent(
    table: &mut Formulas,
    first: Formula,
    second: Formula,
    options: &Options,
) -> Result<Difference, TooLarge> {
    Ok(Difference {
        only_first: contains(table, second, first, options)?,
        only_second: contains(table, first, second, options)?,
    })
}

/// A short word that the second automaton accepts and the first does not, if there is one. The
/// first is determinised.
///
/// # Errors
/// More than `limit` states in one of the automata built.
pub fn contains_automaton(
    larger: &Automaton,
    smaller: &Automaton,
    limit: usize,
) -> Result<Option<Lasso>, TooLarge> {
    let (larger, smaller) = aligned(larger, smaller)?;
    let letters = Letters::of([&larger, &smaller])?;
    let parity = Parity::of(&larger, &letters, limit)?;
    if smaller.states.is_empty() {
        return Ok(None);
    }
    let lost = outside(&smaller, &letters.moves(&smaller), &parity, limit)?;
    let word = lost.and_then(|lost| lost.word()).and_then(|(prefix, cycle)| {
        let samples = |list: Vec<u32>| list.iter().map(|&c| letters.samples[c as usize]).collect();
        Lasso::new(samples(prefix), samples(cycle))
    });
    let tells = |word: &Lasso| accepts(&smaller, word) && !accepts(&larger, word);
    Ok(word.map(|word| shortest(word, &letters.samples, &tells)))
}

/// Short words that tell two automata apart.
///
/// # Errors
/// As [`contains_automaton`].
pub fn equivalent_automata(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
) -> Result<Difference, TooLarge> {
    Ok(Difference {
        only_first: contains_automaton(second, first, limit)?,
        only_second: contains_automaton(first, second, limit)?,
    })
}

/// Some of the words that an automaton accepts and another one rejects, at least one: those that
/// label paths through the product.
pub(crate) struct Outside {
    /// Edges of the product, the first time without marks, the second time within components that
    /// have all marks: target, marks, class of letters.
    edges: Vec<(u32, Marks, u32)>,
    /// The edges of each state.
    ranges: Vec<Range<usize>>,
    all: Marks,
}

impl Outside {
    /// A short word, as classes of letters: prefix and cycle.
    pub(crate) fn word(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let graph = Tagged { edges: &self.edges, ranges: &self.ranges };
        let (mut prefix, mut cycle) = accepting_path(graph, 0, self.all, TRIED)?;
        shorten(&mut prefix, &mut cycle);
        Some((prefix, cycle))
    }

    /// Number of edges.
    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }
}

/// Words that an automaton, given with its edges by class, accepts and the deterministic one rejects;
/// `None` if there are none.
pub(crate) fn outside(
    automaton: &Automaton,
    moves: &Moves,
    parity: &Parity,
    limit: usize,
) -> Result<Option<Outside>, TooLarge> {
    if automaton.sets >= 64 {
        return Err(TooLarge::Sets);
    }
    // Edges of the product: target, marks, colour, class; and those of each pair.
    let mut edges: Vec<(u32, Marks, u32, u32)> = Vec::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut pairs = vec![(automaton.initial, 0)];
    let key = |(state, other): (u32, u32)| u64::from(state) << 32 | u64::from(other);
    let mut numbers = Map::from_iter([(key((automaton.initial, 0)), 0)]);
    while let Some(&(state, other)) = pairs.get(ranges.len()) {
        let from = edges.len();
        for class in 0..moves.classes {
            let (next, colour) = parity.next[other as usize][class];
            for &(target, marks) in moves.of(state, class) {
                let pair = (target, next);
                let number = *numbers.entry(key(pair)).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                edges.push((number, marks, colour, class as u32));
            }
        }
        ranges.push(from..edges.len());
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let all = automaton.all_marks();
    let least = 1 << automaton.sets;
    let mut odd: Vec<u32> = edges.iter().map(|edge| edge.2).filter(|c| c % 2 == 1).collect();
    odd.sort_unstable();
    odd.dedup();
    let mut high: Vec<(u32, Marks)> = Vec::new();
    let mut rows = Vec::new();
    for colour in odd {
        high.clear();
        rows.clear();
        for range in &ranges {
            let from = high.len();
            let kept = edges[range.clone()].iter().filter(|edge| edge.2 >= colour);
            high.extend(kept.map(|e| (e.0, e.1 | if e.2 == colour { least } else { 0 })));
            rows.push(from..high.len());
        }
        let edge = |pair: u32, number: usize| {
            let row: &Range<usize> = &rows[pair as usize];
            high[row.clone()].get(number).copied()
        };
        let components = Components::of_edges_by(pairs.len(), edge, 0..pairs.len() as u32);
        let good = |c: u32| components.accepting(c, all | least);
        if !(0..components.count() as u32).any(good) {
            continue;
        }
        // The product once without marks, and once within the good components.
        let shift = pairs.len() as u32;
        let component = |pair: usize| components.of[pair];
        let inside = |pair: usize, target: u32, own: u32| {
            let stays = own >= colour && component(pair) == component(target as usize);
            stays && good(component(pair))
        };
        let mut product = Outside { edges: Vec::new(), ranges: Vec::new(), all: all | least };
        for (pair, range) in ranges.iter().enumerate() {
            let from = product.edges.len();
            for &(target, _, own, class) in &edges[range.clone()] {
                product.edges.push((target, 0, class));
                if inside(pair, target, own) {
                    product.edges.push((target + shift, 0, class));
                }
            }
            product.ranges.push(from..product.edges.len());
        }
        for (pair, range) in ranges.iter().enumerate() {
            let from = product.edges.len();
            for &(target, marks, own, class) in &edges[range.clone()] {
                if inside(pair, target, own) {
                    let marks = marks | if own == colour { least } else { 0 };
                    product.edges.push((target + shift, marks, class));
                }
            }
            product.ranges.push(from..product.edges.len());
        }
        return Ok(Some(product));
    }
    Ok(None)
}
