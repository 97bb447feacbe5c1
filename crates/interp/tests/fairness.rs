//! The acceptance sets of weak fairness: the same whether they are marks or have no room there.

use promenade_base::SourceMap;
use promenade_interp::{Interpreter, RunOptions};
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;
use promenade_transition_system::{Item, MoreMarks, Selection, Successors, TransitionSystem};
use std::collections::HashSet;
use std::rc::Rc;

/// Whether an item belongs to a set, where so many are marks.
fn belongs(out: &Successors, item: usize, set: u32, most: u32) -> bool {
    if set < most {
        return out.marks_of(item) >> set & 1 == 1;
    }
    let mut one = MoreMarks::NONE;
    one.add(set - most);
    out.more_marks_of(item).is_none_or(|more| more.has_all(&one))
}

#[test]
fn sets_are_the_same_wherever_they_are() {
    let (mut transitions, mut wide, mut outside) = (0, 0, 0);
    for seed in seeds(1..=300) {
        let text = random_model(seed, Features::ALL);
        let compiled =
            compile(&SourceMap::single("model", text.as_str()), &CompileOptions::default());
        let Some(compiled) = compiled.value else { continue };
        let model = Rc::new(compiled.model);
        let fair = RunOptions { acceptance: true, weak_fairness: true, ..RunOptions::default() };
        let most = 2 + (seed % 3) as u32;
        let split = RunOptions { more_marks: true, most_marks: most, ..fair.clone() };
        let mut narrow = Interpreter::new(model.clone(), fair);
        let mut system = Interpreter::new(model.clone(), split);
        assert_eq!((narrow.acceptance(), system.acceptance()), (u64::MAX, (1u64 << most) - 1));
        let (mut expected, mut out) = (Successors::new(false), Successors::new(false));
        narrow.initial(&mut expected);
        let mut stack: Vec<Vec<u8>> = expected.target(0).into_iter().map(<[u8]>::to_vec).collect();
        let mut seen = HashSet::new();
        while let Some(state) = stack.pop() {
            if seen.len() > 2000 || !seen.insert(state.clone()) {
                continue;
            }
            narrow.expand(&state, Selection::All, &mut expected);
            system.expand(&state, Selection::All, &mut out);
            assert_eq!((&out.items, &out.bytes), (&expected.items, &expected.bytes));
            assert!(expected.more_marks.is_empty());
            for (at, item) in out.items.iter().enumerate() {
                if !matches!(item, Item::Target { .. }) || out.incomplete {
                    continue;
                }
                transitions += 1;
                wide += u32::from(out.more_marks_of(at).is_some());
                outside += u32::from(out.more_marks_of(at).is_some_and(|m| m != MoreMarks::ALL));
                assert!(out.marks_of(at) & system.acceptance() != 0 || !out.more_marks.is_empty());
                for set in 0..64 {
                    let here = belongs(&out, at, set, most);
                    assert_eq!(here, belongs(&expected, at, set, 64), "{seed}, set {set}\n{text}");
                }
                stack.extend(expected.target(at).map(<[u8]>::to_vec));
            }
        }
    }
    println!("{transitions} transitions, {wide} with more sets, {outside} outside one");
    assert!(wide > 10_000 && outside > 5_000 && transitions > wide);
}
