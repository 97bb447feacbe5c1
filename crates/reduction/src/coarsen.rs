//! Statement merging: steps that nobody can notice are made together with the step before.

use crate::Selector;
use promenade_ir::{Action, Edge, Location, LocationId, Model};

/// Whether a step is always possible and asks nothing of others.
fn is_unconditional(action: &Action) -> bool {
    matches!(action, Action::Skip | Action::Assign { .. } | Action::Assert(_) | Action::Print(_))
}

/// Whether the exclusive right can be kept after an edge without another meaning: a channel
/// operation may hand it over or be waited for.
fn may_keep(edge: &Edge) -> bool {
    !matches!(edge.action, Action::Send { .. } | Action::Receive { .. } | Action::Sequence(_))
}

/// Edges looked at until the rest of a graph is left as it is.
const MOST_LOOKS: usize = 20_000_000;

/// Takes back choices until no cycle is passed without a rest that has one now. Points inside atomic
/// sequences are no rest either: a cycle may lead through them.
fn leave_one_on_cycles(locations: &[Location], chosen: &mut [bool]) {
    let mut looks = 0;
    let mut seen = vec![usize::MAX; chosen.len()];
    for at in 0..chosen.len() {
        if !chosen[at] {
            continue;
        }
        let mut work = vec![at];
        while let Some(next) = work.pop() {
            for edge in &locations[next].edges {
                looks += 1;
                let target = edge.target.0 as usize;
                let passes = edge.keeps_atomic || chosen.get(target) == Some(&true);
                if passes && (target == at || looks > MOST_LOOKS) {
                    chosen[at] = false;
                    work.clear();
                    break;
                }
                if passes && seen.get(target).is_some_and(|by| *by != at) {
                    seen[target] = at;
                    work.push(target);
                }
            }
        }
    }
}

/// A model in which control points are passed at once whose only step is always possible, invisible
/// and independent of all others (each is an ample set of one step), and how many these are; nothing
/// if there is none.
///
/// On every cycle at least one control point is left, so that no process runs for ever unnoticed.
/// Steps, edges and states are those of the model that is given; a run of the one is a run of the
/// other with more states in between. For properties of finite runs without a claim, for which
/// `selector` must have been made.
pub fn coarsen(model: &Model, selector: &Selector) -> Option<(Model, usize)> {
    let mut coarse = model.clone();
    let mut merged = 0;
    for (ty, proctype) in coarse.proctypes.iter_mut().enumerate() {
        let entry = proctype.entry;
        let locations = &mut proctype.graph.locations;
        let passes = |at: usize, location: &Location| {
            let [edge] = location.edges.as_slice() else { return false };
            let plain = !location.valid_end && !location.progress && !location.accept;
            plain
                && LocationId(at as u32) != entry
                && edge.escape == 0
                && is_unconditional(&edge.action)
                && selector.is_free(ty, at)
        };
        let mut chosen: Vec<bool> =
            locations.iter().enumerate().map(|(at, location)| passes(at, location)).collect();
        for edge in locations.iter().flat_map(|location| &location.edges) {
            if !may_keep(edge)
                && let Some(chosen) = chosen.get_mut(edge.target.0 as usize)
            {
                *chosen = false;
            }
        }
        leave_one_on_cycles(locations, &mut chosen);
        merged += chosen.iter().filter(|chosen| **chosen).count();
        for edge in locations.iter_mut().flat_map(|location| &mut location.edges) {
            edge.keeps_atomic |= chosen.get(edge.target.0 as usize).copied().unwrap_or(false);
        }
    }
    (merged > 0).then_some((coarse, merged))
}
