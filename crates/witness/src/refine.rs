//! From a run of a model that was made smaller to a run of the model as it is.

use promenade_transition_system::{
    Item, MicroStep, Selection, Successors, TransitionSystem, Violation, unpack,
};

/// States that are expanded to find the like of one step whose moves cannot be made as they are.
const MOST_TRIED: usize = 2000;

/// Rounds of a cycle after which it has to close. One makes all values those of the cycle itself.
const MOST_ROUNDS: usize = 3;

/// What a move is known by: process, edge, and those of the partner in a rendezvous.
type Key = (u8, u32, Option<(u8, u32)>);

fn key(step: &MicroStep) -> Key {
    (step.pid, step.edge, step.partner)
}

fn moves(out: &Successors, item: &Item) -> Vec<Key> {
    let (Item::Target { steps, .. } | Item::Violation { steps, .. }) = *item;
    let steps = out.steps.get(steps.0 as usize..steps.1 as usize).unwrap_or(&[]);
    steps.iter().map(key).collect()
}

/// How one step of the smaller model ends.
enum End {
    State(Vec<u8>),
    Violation(Violation),
}

/// A run of the model as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refined {
    /// Its choice numbers.
    pub choices: Vec<u32>,
    /// For an infinite run: how many choices come before its cycle.
    pub stem: Option<usize>,
}

/// A run of `plain` that makes the moves of a run of `coarse`; nothing if there is none. The two must
/// have the same edges and states of the same form. Steps of `coarse` may be several of `plain` (merged
/// statements), and its states those of `plain` without the values that `forget` takes away (dead
/// variables).
///
/// A cycle of `coarse` may not close in `plain` in the first round, as forgotten values may still be
/// those from before the cycle. In the second round they are those of the first, so the first is then
/// made a part of the stem.
pub fn refine(
    coarse: &mut dyn TransitionSystem,
    plain: &mut dyn TransitionSystem,
    forget: &dyn Fn(&mut [u8]),
    choices: &[u32],
    stem: Option<usize>,
) -> Option<Refined> {
    if choices.is_empty() && stem.is_none() {
        return Some(Refined { choices: Vec::new(), stem });
    }
    let mut walk = Walk::begin(coarse, plain, forget)?;
    let (way, cycle) = choices.split_at_checked(stem.unwrap_or(choices.len()))?;
    for (number, packed) in way.iter().enumerate() {
        if walk.step(*packed)? {
            return (number + 1 == choices.len()).then_some(Refined { choices: walk.made, stem });
        }
    }
    if stem.is_none() {
        return Some(Refined { choices: walk.made, stem });
    }
    let (coarse_hidden, hidden) = (walk.coarse.hidden_bytes(), walk.plain.hidden_bytes());
    let identity = |state: &[u8], hidden: usize| {
        state.get(..state.len().saturating_sub(hidden)).unwrap_or(&[]).to_vec()
    };
    let first = identity(&walk.state, coarse_hidden);
    for _ in 0..MOST_ROUNDS {
        let (stem, entry) = (walk.made.len(), identity(&walk.at, hidden));
        for packed in cycle {
            if walk.step(*packed)? {
                return None;
            }
        }
        if identity(&walk.at, hidden) == entry {
            return Some(Refined { choices: walk.made, stem: Some(stem) });
        }
        if identity(&walk.state, coarse_hidden) != first {
            return None;
        }
    }
    None
}

/// Two runs side by side.
struct Walk<'a> {
    coarse: &'a mut dyn TransitionSystem,
    plain: &'a mut dyn TransitionSystem,
    forget: &'a dyn Fn(&mut [u8]),
    out: Successors,
    fine: Successors,
    /// Where the one is, and the other.
    state: Vec<u8>,
    at: Vec<u8>,
    made: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn begin(
        coarse: &'a mut dyn TransitionSystem,
        plain: &'a mut dyn TransitionSystem,
        forget: &'a dyn Fn(&mut [u8]),
    ) -> Option<Self> {
        let (mut out, mut fine) = (Successors::new(true), Successors::new(true));
        let first = |out: &Successors| {
            (0..out.items.len()).find_map(|at| out.target(at).map(<[u8]>::to_vec))
        };
        coarse.initial(&mut out);
        plain.initial(&mut fine);
        let (state, at) = (first(&out)?, first(&fine)?);
        Some(Self { coarse, plain, forget, out, fine, state, at, made: Vec::new() })
    }

    /// Makes one step of the smaller model in both; true if the run ends with it.
    fn step(&mut self, packed: u32) -> Option<bool> {
        let (selection, choice) = unpack(packed);
        self.coarse.expand(&self.state, selection, &mut self.out);
        let item = self.out.items.get(choice as usize)?;
        let wanted = moves(&self.out, item);
        let end = match item {
            Item::Violation { violation, .. } => End::Violation(*violation),
            Item::Target { .. } => End::State(self.out.target(choice as usize)?.to_vec()),
        };
        // Where nothing is merged or left out, numbers are mostly the same.
        let likely = (selection == Selection::All).then_some(choice as usize);
        if !self.same_moves(&wanted, &end, likely) {
            self.same_end(&wanted, &end)?;
        }
        match end {
            End::State(state) => self.state = state,
            End::Violation(_) => return Some(true),
        }
        Some(false)
    }

    /// Whether an item ends as it should.
    fn ends(&self, number: usize, end: &End) -> bool {
        match (self.fine.items.get(number), end) {
            (Some(Item::Target { .. }), End::State(wanted)) => {
                let Some(target) = self.fine.target(number) else { return false };
                let mut target = target.to_vec();
                (self.forget)(&mut target);
                target == *wanted
            }
            (Some(Item::Violation { violation, .. }), End::Violation(wanted)) => {
                violation == wanted
            }
            _ => false,
        }
    }

    /// Makes just these moves; false, and nothing is made, if that is not possible.
    fn same_moves(&mut self, wanted: &[Key], end: &End, likely: Option<usize>) -> bool {
        let (begin, before) = (self.at.clone(), self.made.len());
        let mut rest = wanted;
        loop {
            self.plain.expand(&self.at, Selection::All, &mut self.fine);
            let fits = |number: usize| {
                let item = self.fine.items.get(number)?;
                let made = moves(&self.fine, item);
                let fits = if made.len() == rest.len() {
                    made == rest && self.ends(number, end)
                } else {
                    let goes_on = matches!(item, Item::Target { .. });
                    goes_on && !made.is_empty() && rest.starts_with(&made)
                };
                fits.then_some((made.len(), number))
            };
            let whole = |found: &(usize, usize)| found.0 == rest.len();
            let found = likely.and_then(fits).filter(whole);
            let found = found.or_else(|| (0..self.fine.items.len()).filter_map(fits).max());
            let Some((length, number)) = found else {
                self.at = begin;
                self.made.truncate(before);
                return false;
            };
            self.made.push(number as u32);
            if let Some(target) = self.fine.target(number) {
                self.at.clear();
                self.at.extend_from_slice(target);
            }
            if length == rest.len() {
                return true;
            }
            rest = rest.get(length..).unwrap_or(&[]);
        }
    }

    /// Makes other moves of the same processes to the same end. A loop inside an atomic sequence is left
    /// where a state comes back, which forgotten values may hasten or delay by a round.
    fn same_end(&mut self, wanted: &[Key], end: &End) -> Option<()> {
        let movers: Vec<u8> =
            wanted.iter().flat_map(|m| [Some(m.0), m.2.map(|p| p.0)]).flatten().collect();
        let mut waiting = vec![(self.at.clone(), Vec::new())];
        let mut seen = vec![self.at.clone()];
        let mut next = 0;
        while let Some((state, way)) = waiting.get(next).filter(|_| next < MOST_TRIED).cloned() {
            next += 1;
            self.plain.expand(&state, Selection::All, &mut self.fine);
            for number in 0..self.fine.items.len() {
                let Some(item) = self.fine.items.get(number) else { continue };
                let others = moves(&self.fine, item).iter().any(|m| !movers.contains(&m.0));
                if others {
                    continue;
                }
                let mut way: Vec<u32> = way.clone();
                way.push(number as u32);
                let target = self.fine.target(number).map(<[u8]>::to_vec);
                if self.ends(number, end) {
                    self.made.extend(way);
                    self.at = target.unwrap_or_default();
                    return Some(());
                }
                if let Some(target) = target
                    && way.len() < wanted.len()
                    && !seen.contains(&target)
                {
                    seen.push(target.clone());
                    waiting.push((target, way));
                }
            }
        }
        None
    }
}
