//! From a run of a model whose steps were merged to a run of the model as it is.

use promenade_transition_system::{
    Item, MicroStep, Selection, Successors, TransitionSystem, unpack,
};

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

/// A run of `plain` that makes the moves of a run of `coarse`, as choice numbers; nothing if there is
/// none. The two must have the same edges, and states of the same form.
pub fn refine(
    coarse: &mut dyn TransitionSystem,
    plain: &mut dyn TransitionSystem,
    choices: &[u32],
) -> Option<Vec<u32>> {
    let (mut out, mut fine) = (Successors::new(true), Successors::new(true));
    let mut refined = Vec::new();
    let first =
        |out: &Successors| (0..out.items.len()).find_map(|at| out.target(at).map(<[u8]>::to_vec));
    coarse.initial(&mut out);
    plain.initial(&mut fine);
    if choices.is_empty() {
        return Some(refined);
    }
    let (mut state, mut at) = (first(&out)?, first(&fine)?);
    for packed in choices {
        let (selection, choice) = unpack(*packed);
        coarse.expand(&state, selection, &mut out);
        let item = out.items.get(choice as usize)?;
        let wanted = moves(&out, item);
        let wrong = match item {
            Item::Violation { violation, .. } => Some(*violation),
            Item::Target { .. } => None,
        };
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            plain.expand(&at, Selection::All, &mut fine);
            let fits = |(number, item): (usize, &Item)| {
                let made = moves(&fine, item);
                let last = made.len() == rest.len();
                let ends = match item {
                    Item::Target { .. } => !last || wrong.is_none(),
                    Item::Violation { violation, .. } => last && wrong == Some(*violation),
                };
                (!made.is_empty() && ends && rest.starts_with(&made))
                    .then_some((made.len(), number))
            };
            let (length, number) = fine.items.iter().enumerate().filter_map(fits).max()?;
            refined.push(u32::try_from(number).ok()?);
            rest = rest.get(length..)?;
            match fine.target(number) {
                Some(target) => at = target.to_vec(),
                None if rest.is_empty() => return Some(refined),
                None => return None,
            }
        }
        state = match out.target(choice as usize) {
            Some(target) => target.to_vec(),
            None => return Some(refined),
        };
    }
    Some(refined)
}
