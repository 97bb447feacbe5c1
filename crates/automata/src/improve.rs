//! Smaller automata by trial: change, compare the language, keep.
//!
//! Simulation finds states that can be merged for a reason that shows locally. On small automata the
//! reason need not show: a change is tried, words already known to tell bad changes apart are run
//! first, and what passes is compared with the formula in both directions. Changes are: to merge two
//! states; to add edges and marks as long as no word is gained, and then to leave out a state that
//! the others have become able to replace; to leave out edges.

mod explicit;

use crate::compare::outside;
use crate::determinise::Parity;
use crate::letters::Letters;
use crate::simplify::simplify;
use crate::{Automaton, TooLarge, accepting_word, aligned, intersection};
use explicit::{Explicit, Word};
use promenade_ltl::Lasso;

/// What a change may have done to the language, so what has to be compared.
#[derive(Clone, Copy)]
struct Suspect {
    /// Words may have been gained.
    gained: bool,
    /// Words may have been lost.
    lost: bool,
}

const GAINED: Suspect = Suspect { gained: true, lost: false };
const LOST: Suspect = Suspect { gained: false, lost: true };
const BOTH: Suspect = Suspect { gained: true, lost: true };

/// What comparisons need, and the work that is left.
struct Judge<'a> {
    letters: Letters,
    /// An automaton for the language, whose words must not be lost.
    language: &'a Automaton,
    /// An automaton for the complement: its words must not be gained.
    negation: Explicit,
    inside: Vec<Word>,
    outside: Vec<Word>,
    fuel: usize,
}

/// A smaller automaton with the language of `language`, starting from `automaton`, which has that
/// language too; `negation` accepts the other words. Of a state-based automaton the result is
/// state-based. The work is bounded by `fuel`, about one unit per edge looked at; what is left of it
/// is given back.
pub fn improve(
    automaton: &mut Automaton,
    language: &Automaton,
    negation: &Automaton,
    fuel: usize,
) -> usize {
    improve_checked(automaton, language, negation, fuel).unwrap_or(fuel)
}

fn improve_checked(
    automaton: &mut Automaton,
    language: &Automaton,
    negation: &Automaton,
    fuel: usize,
) -> Result<usize, TooLarge> {
    /// Above that many states or classes of letters, trial takes too long to be of use.
    const STATES: usize = 40;
    const CLASSES: usize = 64;
    if automaton.states.len() > STATES || automaton.states.len() < 2 {
        return Ok(fuel);
    }
    let (_, language) = aligned(automaton, language)?;
    let (own, negation) = aligned(automaton, negation)?;
    let letters = Letters::of([&own, &language, &negation])?;
    if letters.classes.len() > CLASSES {
        return Ok(fuel);
    }
    let negation = Explicit::of(&negation, &letters);
    let mut judge =
        Judge { letters, language: &language, negation, inside: vec![], outside: vec![], fuel };
    let mut current = own;
    while judge.round(&mut current) {}
    judge.fewer_edges(&mut current);
    if crate::pipeline::size(&current) < crate::pipeline::size(automaton) {
        *automaton = current;
    }
    Ok(judge.fuel)
}

impl Judge<'_> {
    /// Whether a changed automaton still has the language. `false` if the work is used up.
    fn keeps(&mut self, changed: &Explicit, suspect: Suspect) -> bool {
        if suspect.gained {
            for i in 0..self.outside.len() {
                self.fuel = self.fuel.saturating_sub(changed.len() * 4);
                if changed.accepts(&self.outside[i]) {
                    self.outside[..=i].rotate_right(1);
                    return false;
                }
            }
        }
        if suspect.lost {
            for i in 0..self.inside.len() {
                self.fuel = self.fuel.saturating_sub(changed.len() * 4);
                if !changed.accepts(&self.inside[i]) {
                    self.inside[..=i].rotate_right(1);
                    return false;
                }
            }
        }
        if self.fuel == 0 {
            return false;
        }
        if suspect.gained {
            self.fuel = self.fuel.saturating_sub(changed.work(&self.negation));
            if changed.meets(&self.negation) {
                let changed = changed.automaton(&self.letters, &[]);
                let negation = self.negation.automaton(&self.letters, &[]);
                let product = intersection(&changed, &negation, 1 << 16);
                let word = product.ok().and_then(|product| accepting_word(&product));
                if let Some(word) = word.and_then(|word| self.word(&word)) {
                    self.outside.insert(0, word);
                    self.outside.truncate(KEPT_WORDS);
                }
                return false;
            }
        }
        if suspect.lost {
            let automaton = changed.automaton(&self.letters, &[]);
            let Ok(parity) = Parity::of(&automaton, &self.letters, DETERMINISTIC) else {
                self.fuel = self.fuel.saturating_sub(DETERMINISTIC * 8);
                return false;
            };
            let work = parity.next.len() * self.letters.classes.len() * 12;
            self.fuel = self.fuel.saturating_sub(work);
            match outside(self.language, &parity, &self.letters, 1 << 16) {
                Ok(None) => {}
                Ok(Some(lost)) => {
                    let word = accepting_word(&lost);
                    if let Some(word) = word.and_then(|word| self.word(&word)) {
                        self.inside.insert(0, word);
                        self.inside.truncate(KEPT_WORDS);
                    }
                    return false;
                }
                Err(_) => return false,
            }
        }
        true
    }

    /// A word by classes of letters.
    fn word(&self, word: &Lasso) -> Option<Word> {
        let class = |letter: &u64| self.letters.classes.iter().position(|c| c.contains(*letter));
        let prefix = word.prefix().iter().map(class).collect::<Option<Vec<_>>>()?;
        let cycle = word.cycle().iter().map(class).collect::<Option<Vec<_>>>()?;
        Some(Word { prefix, cycle })
    }

    /// One state less, if a way is found.
    fn round(&mut self, current: &mut Automaton) -> bool {
        let start = Explicit::of(current, &self.letters);
        if start.len() < 2 || self.fuel == 0 {
            return false;
        }
        let found = self.merged(&start).or_else(|| {
            let full = self.saturated(&start);
            self.without_state(&full).or_else(|| self.merged(&full))
        });
        let Some(found) = found else { return false };
        let mut smaller = found.automaton(&self.letters, &current.atoms);
        simplify(&mut smaller);
        let gained = smaller.states.len() < current.states.len();
        if gained {
            *current = smaller;
        }
        gained
    }

    /// Two states made one.
    fn merged(&mut self, start: &Explicit) -> Option<Explicit> {
        for p in 0..start.len() as u32 {
            for q in 0..p {
                let merged = start.merged(q, p);
                if self.keeps(&merged, GAINED) {
                    return Some(merged);
                }
                if start.state_based && start.marks(p) != start.marks(q) {
                    let unmarked = merged.with_marks(q, 0);
                    if self.keeps(&unmarked, BOTH) {
                        return Some(unmarked);
                    }
                }
            }
        }
        None
    }

    /// Marks and edges added as long as no word is gained.
    fn saturated(&mut self, start: &Explicit) -> Explicit {
        let mut full = start.clone();
        let all = full.all();
        let count = full.len() as u32;
        if full.state_based {
            for state in 0..count {
                let more = full.with_marks(state, all);
                if more != full && self.keeps(&more, GAINED) {
                    full = more;
                }
            }
        } else {
            for more in full.with_more_marks() {
                let more = full.joined(&more);
                if more != full && self.keeps(&more, GAINED) {
                    full = more;
                }
            }
        }
        for source in 0..count {
            for target in 0..count {
                self.add_edges(&mut full, source, target, 0, self.letters.classes.len());
            }
        }
        full
    }

    /// Adds edges between two states for a range of classes: all at once, else by halves.
    fn add_edges(&mut self, full: &mut Explicit, source: u32, target: u32, from: usize, to: usize) {
        if self.fuel == 0 || from >= to {
            return;
        }
        let marks = if full.state_based { full.marks(source) } else { full.all() };
        let mut steps = vec![marks];
        if !full.state_based {
            steps.push(0);
        }
        for marks in steps {
            let more = full.with_edges(source, target, from..to, marks);
            if more == *full {
                return;
            }
            if self.keeps(&more, GAINED) {
                *full = more;
                return;
            }
        }
        if to - from > 1 {
            let middle = from.midpoint(to);
            self.add_edges(full, source, target, from, middle);
            self.add_edges(full, source, target, middle, to);
        }
    }

    /// A state left out; if it is the initial one, another takes its place.
    fn without_state(&mut self, full: &Explicit) -> Option<Explicit> {
        for state in (0..full.len() as u32).rev() {
            if state != full.initial {
                let without = full.without(state, full.initial);
                if self.keeps(&without, LOST) {
                    return Some(without);
                }
                continue;
            }
            for initial in (0..full.len() as u32).filter(|&other| other != state) {
                let without = full.without(state, initial);
                if self.keeps(&without, BOTH) {
                    return Some(without);
                }
            }
        }
        None
    }

    /// Edges left out: first all between two states, then those on which there is a choice.
    fn fewer_edges(&mut self, current: &mut Automaton) {
        let mut start = Explicit::of(current, &self.letters);
        for (source, target, marks) in start.bundles() {
            let fewer = start.without_edges(source, target, marks, None);
            if self.keeps(&fewer, LOST) {
                start = fewer;
            }
        }
        for class in 0..self.letters.classes.len() {
            for (source, target, marks) in start.bundles() {
                if start.choices(source, class) > 1 {
                    let fewer = start.without_edges(source, target, marks, Some(class));
                    if fewer != start && self.keeps(&fewer, LOST) {
                        start = fewer;
                    }
                }
            }
        }
        let mut smaller = start.automaton(&self.letters, &current.atoms);
        simplify(&mut smaller);
        if crate::pipeline::size(&smaller) < crate::pipeline::size(current) {
            *current = smaller;
        }
    }
}

/// Words kept to judge by.
const KEPT_WORDS: usize = 48;

/// Most states of the deterministic automaton of a changed one.
const DETERMINISTIC: usize = 600;
