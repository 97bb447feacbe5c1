//! From choices among some successors to choices among all.

use promenade_transition_system::{Item, Selection, Successors, TransitionSystem, unpack};

/// Whether two items of two buffers are the same event: same moves of the same processes, same end.
fn same(a: (&Successors, &Item), b: (&Successors, &Item)) -> bool {
    let moves = |(out, item): (&Successors, &Item)| {
        let (Item::Target { steps, .. } | Item::Violation { steps, .. }) = *item;
        let steps = out.steps.get(steps.0 as usize..steps.1 as usize).unwrap_or(&[]);
        steps.iter().map(|step| (step.pid, step.edge, step.partner)).collect::<Vec<_>>()
    };
    let ends = match (a.1, b.1) {
        (Item::Target { start, end, .. }, Item::Target { start: s, end: e, .. }) => {
            a.0.slice((*start, *end)) == b.0.slice((*s, *e))
        }
        (Item::Violation { violation: v, .. }, Item::Violation { violation: w, .. }) => v == w,
        _ => false,
    };
    ends && moves(a) == moves(b)
}

/// The choice number among all successors of `state` that a [packed] choice stands for; nothing if
/// there is none.
///
/// [packed]: promenade_transition_system::pack
pub fn lift(system: &mut dyn TransitionSystem, state: &[u8], packed: u32) -> Option<u32> {
    let (selection, choice) = unpack(packed);
    if selection == Selection::All {
        return Some(packed);
    }
    let (mut some, mut all) = (Successors::new(true), Successors::new(true));
    system.expand(state, selection, &mut some);
    system.expand(state, Selection::All, &mut all);
    let wanted = some.items.get(choice as usize)?;
    // Equal events may follow each other: the same one of them.
    let equals = |item: &Item| same((&some, wanted), (&some, item));
    let before = some.items.iter().take(choice as usize).filter(|item| equals(item)).count();
    let found = all.items.iter().enumerate();
    let mut found = found.filter(|(_, item)| same((&some, wanted), (&all, item)));
    found.nth(before).and_then(|(choice, _)| u32::try_from(choice).ok())
}
