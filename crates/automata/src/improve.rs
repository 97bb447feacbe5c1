//! Smaller automata by trial: change, compare the language, keep.
//!
//! Simulation finds states that can be merged for a reason that shows locally. On small automata the
//! reason need not show: a change is tried, words already known to tell bad changes apart are run
//! first, and what passes is compared with the formula in both directions. Changes are: to merge two
//! states; to add edges and marks as long as no word is gained, and then to leave out a state that
//! the others have become able to replace; to leave out edges.

mod common;
mod explicit;

use crate::compare::outside;
use crate::determinise::Parity;
use crate::letters::{Letters, Moves};
use crate::simplify::simplify;
use crate::{Automaton, Marks, TooLarge, aligned};
use common::{Partner, Search, Word};
use explicit::Explicit;
use promenade_base::random::Random;
use std::ops::Range;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Work, about one unit per edge looked at.
    pub trials: usize,
    /// How often edges are taken out and put back in another way before giving up.
    pub restarts: usize,
}

impl Effort {
    /// No trials: only what follows from the structure.
    pub const NONE: Self = Self { trials: 0, restarts: 0 };
    /// Little enough to follow typing.
    pub const QUICK: Self = Self { trials: 300_000, restarts: 16 };
    /// Some seconds for automata of about ten states.
    pub const THOROUGH: Self = Self { trials: 40_000_000, restarts: 300 };
}

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
    /// Its edges by class.
    moves: Moves,
    /// An automaton for the complement: its words must not be gained.
    negation: Partner,
    /// Words of the language that changed automata lost.
    inside: Vec<Partner>,
    /// Words of the complement that changed automata gained.
    outside: Vec<Partner>,
    search: Search,
    /// Work left.
    fuel: usize,
    restarts: usize,
    random: Random,
}

/// A smaller automaton with the language of `language`, starting from `automaton`, which has that
/// language too; `negation` accepts the other words. Of a state-based automaton the result is
/// state-based. Gives back the trials that are left.
pub fn improve(
    automaton: &mut Automaton,
    language: &Automaton,
    negation: &Automaton,
    effort: Effort,
) -> usize {
    improve_checked(automaton, language, negation, effort).unwrap_or(effort.trials)
}

fn improve_checked(
    automaton: &mut Automaton,
    language: &Automaton,
    negation: &Automaton,
    effort: Effort,
) -> Result<usize, TooLarge> {
    /// Above that many states or classes of letters, trial takes too long to be of use.
    const STATES: usize = 40;
    const CLASSES: usize = 64;
    if automaton.states.len() > STATES || automaton.states.len() < 2 {
        return Ok(effort.trials);
    }
    let (_, language) = aligned(automaton, language)?;
    let (own, negation) = aligned(automaton, negation)?;
    let letters = Letters::of([&own, &language, &negation])?;
    if letters.classes.len() > CLASSES {
        return Ok(effort.trials);
    }
    if language.states.is_empty() || language.sets >= 64 {
        return Ok(effort.trials);
    }
    let mut judge = Judge {
        moves: letters.moves(&language),
        negation: Partner::of(&negation, &letters),
        letters,
        language: &language,
        inside: Vec::new(),
        outside: Vec::new(),
        search: Search::default(),
        fuel: effort.trials,
        restarts: effort.restarts,
        random: Random::new(1),
    };
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
        let mut work = changed.len() + 10;
        let kept = self.fuel > 0 && self.judged(changed, suspect, &mut work);
        self.fuel = self.fuel.saturating_sub(work);
        kept
    }

    fn judged(&mut self, changed: &Explicit, suspect: Suspect, work: &mut usize) -> bool {
        if suspect.gained {
            let gained =
                self.outside.iter().position(|word| self.search.meets(changed, word, work));
            if let Some(place) = gained {
                self.outside[..=place].rotate_right(1);
                return false;
            }
        }
        if suspect.lost {
            let lost = self.inside.iter().position(|word| !self.search.meets(changed, word, work));
            if let Some(place) = lost {
                self.inside[..=place].rotate_right(1);
                return false;
            }
        }
        if suspect.gained
            && let Some(word) = self.search.common_word(changed, &self.negation, work)
        {
            remember(&mut self.outside, &word);
            return false;
        }
        !suspect.lost || !self.loses(changed, work)
    }

    /// Whether a changed automaton rejects a word of the language.
    fn loses(&mut self, changed: &Explicit, work: &mut usize) -> bool {
        let classes = self.letters.classes.len();
        // Not much more work than there is left.
        let limit = DETERMINISTIC.min(1 + self.fuel.saturating_sub(*work) / (classes * STEP));
        let parity = if changed.sets == 1 {
            let moves = changed.moves();
            Parity::of_moves(&moves, Some(changed.initial), changed.all(), limit)
        } else {
            let automaton = changed.automaton(&self.letters, &[]);
            Parity::of(&automaton, &self.letters, limit)
        };
        let Ok(parity) = parity else {
            *work += limit * classes * STEP;
            return true;
        };
        *work += parity.next.len() * classes * STEP;
        match outside(self.language, &self.moves, &parity, 1 << 16) {
            Ok(None) => false,
            Ok(Some(lost)) => {
                *work += lost.edge_count();
                if let Some((prefix, cycle)) = lost.word() {
                    remember(&mut self.inside, &Word { prefix, cycle });
                }
                true
            }
            Err(_) => true,
        }
    }

    /// One state less, if a way is found.
    fn round(&mut self, current: &mut Automaton) -> bool {
        let Some(start) = Explicit::of(current, &self.letters) else { return false };
        if start.len() < 2 || self.fuel == 0 {
            return false;
        }
        let found = self.merged(&start).or_else(|| {
            if start.state_based && start.len() == 2 {
                // One state accepts all words over some letters: merging would have found that.
                return None;
            }
            let mut full = self.saturated(&start);
            for attempt in 0..=self.restarts {
                let found = self.without_state(&full).or_else(|| self.merged(&full));
                if found.is_some() || self.fuel == 0 || attempt == self.restarts {
                    return found;
                }
                full = self.shaken(&full);
            }
            None
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

    /// Marks and edges added as long as no word is gained: first all marks, then edges.
    fn saturated(&mut self, start: &Explicit) -> Explicit {
        let mut full = start.clone();
        for state in 0..start.len() as u32 {
            self.add_marks(&mut full, state);
        }
        for state in 0..start.len() as u32 {
            self.add_all_edges(&mut full, state);
        }
        full
    }

    /// Marks added to a state, or to its edges.
    fn add_marks(&mut self, full: &mut Explicit, state: u32) {
        if full.state_based {
            let more = full.with_marks(state, full.all());
            if full.marks(state) != full.all() && self.keeps(&more, GAINED) {
                *full = more;
            }
            return;
        }
        for change in full.lacking(state) {
            let more = full.with_mark(change);
            if more != *full && self.keeps(&more, GAINED) {
                *full = more;
            }
        }
    }

    fn add_all_edges(&mut self, full: &mut Explicit, source: u32) {
        for target in 0..full.len() as u32 {
            self.add_edges(full, source, target, 0, self.letters.classes.len());
        }
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
            let Some(more) = full.with_edges(source, target, from..to, marks) else { return };
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

    /// Another automaton with as many edges as can be, by way of one with few: edges are left out in
    /// random order, then others added.
    fn shaken(&mut self, full: &Explicit) -> Explicit {
        let mut few = full.clone();
        let mut bundles = few.bundles();
        self.shuffle(&mut bundles);
        let classes = self.letters.classes.len();
        for bundle in bundles {
            if self.leave_out(&mut few, bundle, 0..classes) {
                continue;
            }
            for class in 0..classes {
                self.leave_out(&mut few, bundle, class..class + 1);
            }
        }
        let mut states: Vec<u32> = (0..few.len() as u32).collect();
        self.shuffle(&mut states);
        if few.state_based {
            for &state in &states {
                let unmarked = few.with_marks(state, 0);
                if few.marks(state) != 0 && self.keeps(&unmarked, LOST) {
                    few = unmarked;
                }
            }
        }
        // A mark may stand in the way of edges, and edges in the way of a mark.
        for &state in &states {
            if self.random.chance(1, 2) {
                self.add_marks(&mut few, state);
            } else {
                self.add_all_edges(&mut few, state);
            }
        }
        self.saturated(&few)
    }

    /// Leaves out the edges of a bundle under some classes, if there are any and no word is lost.
    fn leave_out(
        &mut self,
        automaton: &mut Explicit,
        bundle: (u32, u32, Marks),
        classes: Range<usize>,
    ) -> bool {
        let Some(fewer) = automaton.without_edges(bundle, classes) else { return false };
        let kept = self.keeps(&fewer, LOST);
        if kept {
            *automaton = fewer;
        }
        kept
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.random.below(i + 1));
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
        let Some(mut start) = Explicit::of(current, &self.letters) else { return };
        let classes = self.letters.classes.len();
        for bundle in start.bundles() {
            self.leave_out(&mut start, bundle, 0..classes);
        }
        for class in 0..classes {
            for bundle in start.bundles() {
                if start.choices(bundle.0, class) > 1 {
                    self.leave_out(&mut start, bundle, class..class + 1);
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

/// Puts a word in front of those to judge by.
fn remember(words: &mut Vec<Partner>, word: &Word) {
    words.insert(0, Partner::word(word));
    words.truncate(KEPT_WORDS);
}

/// Words kept to judge by.
const KEPT_WORDS: usize = 48;

/// Work for one step of a deterministic automaton.
const STEP: usize = 10;

/// Most states of the deterministic automaton of a changed one.
const DETERMINISTIC: usize = 600;
