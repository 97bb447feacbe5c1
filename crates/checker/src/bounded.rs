//! Sentences on searches with a bound that took turns with a depth-first search.

use crate::report::counted;
use promenade_protocol::grouped;
use promenade_search::{Bounded, Decider};

/// Beside the search, as soon as others take turns with it.
pub(crate) fn note(bounded: &Bounded) -> String {
    let (states, path) = bounded.noticed;
    format!(
        " It only goes deeper: {} of the first {} are on one path. So that a short run to an error is \
         not missed, breadth-first search and depth-first search with a growing depth bound take turns \
         with it.",
        grouped(path),
        counted(states, "state", "states")
    )
}

/// What the verdict rests on; `complete` says that everything was explored.
pub(crate) fn restriction(bounded: &Bounded, infinite: bool, complete: bool) -> Option<String> {
    let by = match bounded.decider {
        Decider::Unbounded if complete => return None,
        Decider::Unbounded => return Some(extent(bounded, infinite)),
        Decider::BreadthFirst => "breadth-first search".to_owned(),
        Decider::Near => "a search among the states nearest to the initial one".to_owned(),
        Decider::DepthFirst(bound) => {
            format!("depth-first search with a depth bound of {}", grouped(bound))
        }
    };
    Some(format!(
        "The result is from {by}, which took turns with the unbounded depth-first search, as that only \
         went deeper."
    ))
}

/// What was explored in any case.
fn extent(bounded: &Bounded, infinite: bool) -> String {
    let mut text =
        "The unbounded depth-first search only went deeper, so searches with a bound took \
                    turns with it."
            .to_owned();
    if bounded.distance > 0 {
        let steps = counted(bounded.distance, "step", "steps");
        text.push_str(&if infinite {
            format!(" All cycles among states at a distance of up to {steps} were explored.")
        } else {
            format!(" All runs of up to {steps} were explored.")
        });
    }
    if let Some(bound) = bounded.complete {
        text.push_str(&format!(
            " Depth-first search with a depth bound of {} was finished.",
            grouped(bound)
        ));
    }
    if let Some(bound) = bounded.incomplete {
        text.push_str(&format!(
            " Depth-first search with a depth bound of {} was not.",
            grouped(bound)
        ));
    }
    text
}
