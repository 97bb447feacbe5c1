//! Inclusion and equality of languages, with words that tell them apart.

use crate::determinise::Parity;
use crate::emptiness::{TRIED, accepting_path, shorten};
use crate::letters::{Letters, Moves};
use crate::map::Map;
use crate::{
    Automaton, Components, Marks, Options, TooLarge, accepting_word, accepts, aligned,
    intersection, translate,
};
use promenade_ltl::{Formula, Formulas, Lasso, Letter};

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
    graph: Vec<Vec<(u32, Marks, u32)>>,
    all: Marks,
}

impl Outside {
    /// A short word, as classes of letters: prefix and cycle.
    pub(crate) fn word(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut prefix, mut cycle) = accepting_path(&self.graph, 0, self.all, TRIED)?;
        shorten(&mut prefix, &mut cycle);
        Some((prefix, cycle))
    }

    /// Number of edges.
    pub(crate) fn edge_count(&self) -> usize {
        self.graph.iter().map(Vec::len).sum()
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
    // Edges of the product: target, marks, colour, class; and where those of each pair begin.
    let mut edges: Vec<(u32, Marks, u32, u32)> = Vec::new();
    let mut starts = vec![0];
    let mut pairs = vec![(automaton.initial, 0)];
    let mut numbers = Map::from_iter([((automaton.initial, 0), 0)]);
    while let Some(&(state, other)) = pairs.get(starts.len() - 1) {
        for class in 0..moves.classes {
            let (next, colour) = parity.next[other as usize][class];
            for &(target, marks) in moves.of(state, class) {
                let pair = (target, next);
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                edges.push((number, marks, colour, class as u32));
            }
        }
        starts.push(edges.len());
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let all = automaton.all_marks();
    let least = 1 << automaton.sets;
    let mut odd: Vec<u32> = edges.iter().map(|edge| edge.2).filter(|c| c % 2 == 1).collect();
    odd.sort_unstable();
    odd.dedup();
    let (mut high, mut high_starts) = (Vec::new(), Vec::new());
    for colour in odd {
        high.clear();
        high_starts.clear();
        for range in starts.windows(2) {
            high_starts.push(high.len());
            let kept = edges[range[0]..range[1]].iter().filter(|edge| edge.2 >= colour);
            high.extend(kept.map(|e| (e.0, e.1 | if e.2 == colour { least } else { 0 })));
        }
        high_starts.push(high.len());
        let row = |pair: u32| &high[high_starts[pair as usize]..high_starts[pair as usize + 1]];
        let components = Components::of_lists(pairs.len(), row, 0..pairs.len() as u32);
        let good = |c: u32| components.accepting(c, all | least);
        if !(0..components.count() as u32).any(good) {
            continue;
        }
        // The product once without marks, and once within the good components.
        let shift = pairs.len();
        let mut graph = vec![Vec::new(); 2 * shift];
        for (pair, range) in starts.windows(2).enumerate() {
            let component = components.of[pair];
            let stays = good(component);
            for &(target, marks, own, class) in &edges[range[0]..range[1]] {
                graph[pair].push((target, 0, class));
                if own >= colour && stays && components.of[target as usize] == component {
                    let marks = marks | if own == colour { least } else { 0 };
                    let target = target + shift as u32;
                    graph[pair].push((target, 0, class));
                    graph[pair + shift].push((target, marks, class));
                }
            }
        }
        return Ok(Some(Outside { graph, all: all | least }));
    }
    Ok(None)
}
