//! The static condition on cycles: places of processes that are never expanded alone.
//!
//! A reduced search must not put off a process for ever, so every cycle of the reduced graph needs a
//! state that is fully expanded. Instead of looking at the stack or the queue, some locations are
//! chosen beforehand, the *sticky* ones, at which a process is never an ample set (R. Kurshan,
//! V. Levin, M. Minea, D. Peled, H. Yenigun, Static partial order reduction, TACAS 1998). The choice
//! in a state then depends on the state alone: it may be made again, in any order of the search, by
//! any number of searchers, with any store.
//!
//! Why this suffices. Take a cycle of the reduced graph all of whose states are expanded by an ample
//! set. Each of its steps moves one process only, as an edge that is a rendezvous belongs to no ample
//! set. None of them creates a process, as such an edge belongs to none either, and so none ends one:
//! there would be fewer processes for ever. So the same processes are there all along, and each that
//! moves goes around a closed walk of its *steps*: from the location where it rests, over an edge,
//! and over the edges that an atomic sequence (or a merged statement) goes on with, to a location
//! where it rests again. What is in the way of that counts already: only edges that may belong to
//! an ample set are steps, with all places on the way where a sequence may have to wait. Edges of
//! `goto`, `break` and escapes of `unless` are edges like others, and a `d_step` is one edge. If every
//! cycle of such steps meets a sticky location, the process rests there in some state of the cycle and
//! is the ample set of that state, which is a contradiction. A claim that moves along changes nothing:
//! its steps come together with those of processes.
//!
//! Not every cycle of steps is one of states. Along a cycle of states as much is taken from a channel
//! as is put into it. So a step that takes a message belongs to none unless some step that belongs to
//! one may put a message there, and, where no message gets lost, the other way around; a cycle that
//! needs a step which belongs to none need not be broken.
//!
//! Which location of a cycle is chosen matters for what is left out, not for its truth: first those
//! that are no ample sets most of the time anyway.

use promenade_analysis::{Bits, Channels};
use std::cmp::Reverse;

/// Work that a choice with care may take; beyond it loops are broken where they close.
const MOST_WORK: usize = 30_000_000;

/// What a process may do alone from where it rests.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub from: usize,
    /// Where it may rest next.
    pub to: Vec<usize>,
    /// Channels of which it certainly takes a message from one, or puts one into one.
    pub takes: Option<Bits>,
    pub puts: Option<Bits>,
    /// Channels from which it may take, and into which it may put messages.
    pub may_take: Bits,
    pub may_put: Bits,
}

/// The steps of a process type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walks {
    pub steps: Vec<Step>,
    /// How much is lost if a location is sticky, by location.
    pub costs: Vec<u8>,
    /// How far from its beginning a process gets there, by location.
    pub distances: Vec<u32>,
}

/// Steps that may belong to a cycle of states which no sticky location breaks: by type and step, which
/// of its targets.
type Alive = Vec<Vec<Vec<usize>>>;

/// Sticky locations by type.
pub(crate) type Sticky = Vec<Vec<bool>>;

/// Chooses sticky locations. `lossy`: messages to full channels are lost.
pub(crate) fn choose(types: &[Walks], channels: &Channels, lossy: bool) -> Sticky {
    choose_within(types, channels, lossy, MOST_WORK)
}

fn choose_within(types: &[Walks], channels: &Channels, lossy: bool, most: usize) -> Sticky {
    let mut sticky: Sticky = types.iter().map(|t| vec![false; t.costs.len()]).collect();
    let all: usize = types.iter().flat_map(|t| &t.steps).map(|step| step.to.len() + 1).sum();
    let mut work = 0;
    let mut chosen = Vec::new();
    loop {
        let alive = unbroken(types, &sticky, channels, lossy);
        let Some((ty, at)) = best(types, &alive) else { break };
        sticky[ty][at] = true;
        chosen.push((Reverse(types[ty].costs[at]), ty, at));
        work += all;
        if work > most {
            where_they_close(types, &alive, &mut sticky);
            return sticky;
        }
    }
    // What was chosen early may have become unnecessary.
    chosen.sort_unstable();
    for (_, ty, at) in chosen {
        sticky[ty][at] = false;
        work += all;
        let open = work > most || is_unbroken(types, &sticky, channels, lossy);
        sticky[ty][at] = open;
    }
    sticky
}

/// Whether some cycle is not broken.
pub(crate) fn is_unbroken(
    types: &[Walks],
    sticky: &Sticky,
    channels: &Channels,
    lossy: bool,
) -> bool {
    let alive = unbroken(types, sticky, channels, lossy);
    alive.iter().flatten().any(|targets| !targets.is_empty())
}

/// The largest set of steps each of which lies on a cycle of them, and has what it needs of channels
/// from them.
fn unbroken(types: &[Walks], sticky: &Sticky, channels: &Channels, lossy: bool) -> Alive {
    let mut alive: Alive = types
        .iter()
        .zip(sticky)
        .map(|(walks, sticky)| {
            let free = |at: &usize| !sticky.get(*at).copied().unwrap_or(false);
            let targets = |step: &Step| {
                if free(&step.from) {
                    step.to.iter().copied().filter(free).collect()
                } else {
                    Vec::new()
                }
            };
            walks.steps.iter().map(targets).collect()
        })
        .collect();
    loop {
        let mut changed = false;
        for (walks, alive) in types.iter().zip(&mut alive) {
            changed |= keep_cycles(walks, alive);
        }
        let (mut put, mut taken) = (channels.none(), channels.none());
        for (step, targets) in steps(types).zip(alive.iter().flatten()) {
            if !targets.is_empty() {
                put.unite(&step.may_put);
                taken.unite(&step.may_take);
            }
        }
        for (step, targets) in steps(types).zip(alive.iter_mut().flatten()) {
            let lacks = |wanted: &Option<Bits>, given: &Bits| {
                wanted.as_ref().is_some_and(|wanted| !channels.may_meet(wanted, given))
            };
            let idle = lacks(&step.takes, &put) || (!lossy && lacks(&step.puts, &taken));
            if idle && !targets.is_empty() {
                targets.clear();
                changed = true;
            }
        }
        if !changed {
            return alive;
        }
    }
}

fn steps(types: &[Walks]) -> impl Iterator<Item = &Step> {
    types.iter().flat_map(|walks| &walks.steps)
}

/// The location to break next: of the least cost, then where a message is put into a channel (which
/// processes do less often than to look for one), then where most ways cross, then
/// where processes come first.
fn best(types: &[Walks], alive: &Alive) -> Option<(usize, usize)> {
    let mut best = None;
    for (ty, (walks, alive)) in types.iter().zip(alive).enumerate() {
        let mut ways = vec![(0_usize, 0_usize); walks.costs.len()];
        let mut puts = vec![false; walks.costs.len()];
        for (step, targets) in walks.steps.iter().zip(alive) {
            ways[step.from].1 += targets.len();
            puts[step.from] |= step.puts.is_some();
            targets.iter().for_each(|to| ways[*to].0 += 1);
        }
        for (at, (into, out)) in ways.into_iter().enumerate() {
            if into > 0 && out > 0 {
                let first = walks.distances.get(at).copied().unwrap_or(0);
                let rank = (walks.costs[at], !puts[at], Reverse(into * out), first, ty, at);
                best = Some(best.map_or(rank, |other| rank.min(other)));
            }
        }
    }
    best.map(|(.., ty, at)| (ty, at))
}

/// Keeps the targets that lie on cycles; true if some do not.
fn keep_cycles(walks: &Walks, alive: &mut [Vec<usize>]) -> bool {
    let components = components(walks, alive);
    let mut changed = false;
    for (step, targets) in walks.steps.iter().zip(alive) {
        let before = targets.len();
        let own = components[step.from];
        targets.retain(|to| components[*to] == own);
        changed |= targets.len() != before;
    }
    changed
}

/// Steps by the location from which they lead.
fn by_source(walks: &Walks) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); walks.costs.len()];
    for (number, step) in walks.steps.iter().enumerate() {
        out[step.from].push(number);
    }
    out
}

/// The strongly connected component of each location: R. Tarjan's algorithm without recursion.
fn components(walks: &Walks, alive: &[Vec<usize>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let sources = by_source(walks);
    let next = |at: usize| sources[at].iter().flat_map(|step| alive[*step].iter().copied());
    let count = walks.costs.len();
    let (mut order, mut low) = (vec![NEW; count], vec![0; count]);
    let mut component = vec![NEW; count];
    let mut live = Vec::new();
    let mut seen = 0;
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        let mut path = vec![(root, next(root))];
        (order[root], low[root]) = (seen, seen);
        seen += 1;
        live.push(root);
        while let Some((at, targets)) = path.last_mut() {
            let at = *at;
            match targets.next() {
                Some(to) if order[to] == NEW => {
                    (order[to], low[to]) = (seen, seen);
                    seen += 1;
                    live.push(to);
                    path.push((to, next(to)));
                }
                Some(to) if component[to] == NEW => low[at] = low[at].min(order[to]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        low[*before] = low[*before].min(low[at]);
                    }
                    if low[at] == order[at] {
                        while let Some(member) = live.pop() {
                            component[member] = order[at];
                            if member == at {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
    component
}

/// Makes all locations sticky to which a depth-first walk of the steps comes back.
fn where_they_close(types: &[Walks], alive: &Alive, sticky: &mut Sticky) {
    for ((walks, alive), sticky) in types.iter().zip(alive).zip(sticky) {
        let sources = by_source(walks);
        let next = |at: usize| sources[at].iter().flat_map(|step| alive[*step].iter().copied());
        let (mut seen, mut on_path) = (vec![false; sticky.len()], vec![false; sticky.len()]);
        for root in 0..sticky.len() {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            on_path[root] = true;
            let mut path = vec![(root, next(root))];
            while let Some((at, targets)) = path.last_mut() {
                let at = *at;
                match targets.next() {
                    Some(to) if on_path[to] => sticky[to] = true,
                    Some(to) if !std::mem::replace(&mut seen[to], true) => {
                        on_path[to] = true;
                        path.push((to, next(to)));
                    }
                    Some(_) => {}
                    None => {
                        on_path[at] = false;
                        path.pop();
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_analysis::Facts;
    use promenade_base::SourceMap;
    use promenade_base::random::Random;
    use promenade_promela::{CompileOptions, compile};

    /// Channels `a` and `b`.
    fn channels() -> Channels {
        let text = "chan a = [1] of { bit }; chan b = [1] of { bit }; init { skip }";
        let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
        Facts::of(&compiled.value.unwrap().model).channels
    }

    fn only(channels: &Channels, which: Option<usize>) -> Bits {
        let mut set = channels.none();
        which.into_iter().for_each(|which| _ = set.insert(which));
        set
    }

    /// A step that takes from a channel, or puts into one.
    fn step(
        channels: &Channels,
        from: usize,
        to: &[usize],
        takes: Option<usize>,
        puts: Option<usize>,
    ) -> Step {
        Step {
            from,
            to: to.to_vec(),
            takes: takes.map(|which| only(channels, Some(which))),
            puts: puts.map(|which| only(channels, Some(which))),
            may_take: only(channels, takes),
            may_put: only(channels, puts),
        }
    }

    fn marks(sticky: &Sticky) -> Vec<(usize, usize)> {
        let places = sticky.iter().enumerate();
        places
            .flat_map(|(ty, marks)| {
                marks.iter().enumerate().filter(|(_, mark)| **mark).map(move |(at, _)| (ty, at))
            })
            .collect()
    }

    #[test]
    fn every_cycle_of_random_graphs_is_broken_and_no_mark_is_idle() {
        let channels = channels();
        let mut random = Random::new(5);
        let (mut marked, mut broken) = (0, 0);
        for _ in 0..2000 {
            let mut types = Vec::new();
            for _ in 0..1 + random.below(2) {
                let count = 1 + random.below(8);
                let mut steps = Vec::new();
                for _ in 0..random.below(14) {
                    let from = random.below(count);
                    let to: Vec<usize> =
                        (0..1 + random.below(2)).map(|_| random.below(count)).collect();
                    steps.push(step(&channels, from, &to, None, None));
                }
                let costs = (0..count).map(|_| random.below(3) as u8).collect();
                types.push(Walks { steps, costs, distances: Vec::new() });
            }
            let sticky = choose(&types, &channels, false);
            assert!(!is_unbroken(&types, &sticky, &channels, false));
            for (ty, at) in marks(&sticky) {
                let mut fewer = sticky.clone();
                fewer[ty][at] = false;
                assert!(is_unbroken(&types, &fewer, &channels, false), "{types:?}");
                marked += 1;
            }
            let quick = choose_within(&types, &channels, false, 0);
            assert!(!is_unbroken(&types, &quick, &channels, false), "{types:?}");
            broken += usize::from(!marks(&sticky).is_empty());
        }
        assert!(marked > broken && broken > 500, "{marked} {broken}");
    }

    #[test]
    fn cheap_places_are_chosen() {
        let channels = channels();
        let ring = |costs: &[u8]| {
            let next = |at| step(&channels, at, &[(at + 1) % costs.len()], None, None);
            Walks {
                steps: (0..costs.len()).map(next).collect(),
                costs: costs.to_vec(),
                distances: Vec::new(),
            }
        };
        assert_eq!(marks(&choose(&[ring(&[3, 3, 1])], &channels, false)), [(0, 2)]);
        assert_eq!(marks(&choose(&[ring(&[3, 3, 3])], &channels, false)), [(0, 0)]);
        // Two loops that share a place are broken there, unless others are cheaper.
        let steps = [(0, 1), (1, 0), (0, 2), (2, 0)];
        let steps = steps.map(|(from, to)| step(&channels, from, &[to], None, None)).to_vec();
        let eight = |costs: [u8; 3]| Walks {
            steps: steps.clone(),
            costs: costs.to_vec(),
            distances: Vec::new(),
        };
        assert_eq!(marks(&choose(&[eight([3, 3, 3])], &channels, false)), [(0, 0)]);
        assert_eq!(marks(&choose(&[eight([3, 1, 1])], &channels, false)), [(0, 1), (0, 2)]);
    }

    #[test]
    fn channels_break_cycles_of_their_own() {
        let channels = channels();
        let lone = |takes, puts| Walks {
            steps: vec![step(&channels, 0, &[0], takes, puts)],
            costs: vec![3],
            distances: Vec::new(),
        };
        let sticky = |types: &[Walks], lossy| marks(&choose(types, &channels, lossy));
        // Nobody else takes or puts.
        assert!(sticky(&[lone(Some(0), None)], false).is_empty());
        assert!(sticky(&[lone(None, Some(0))], false).is_empty());
        assert_eq!(sticky(&[lone(None, Some(0))], true), [(0, 0)]);
        assert!(sticky(&[lone(None, Some(0)), lone(Some(1), None)], false).is_empty());
        // Of a chain one link is enough.
        let chain = [lone(None, Some(0)), lone(Some(0), Some(1)), lone(Some(1), None)];
        assert_eq!(sticky(&chain, false).len(), 1);
        // What circulates has to be stopped.
        assert_eq!(sticky(&[lone(Some(0), Some(1)), lone(Some(1), Some(0))], false).len(), 1);
        // A loop that only may put something does not need a taker.
        let may =
            Step { may_put: only(&channels, Some(0)), ..step(&channels, 0, &[0], None, None) };
        assert_eq!(
            sticky(&[Walks { steps: vec![may], costs: vec![3], distances: Vec::new() }], false),
            [(0, 0)]
        );
    }
}
