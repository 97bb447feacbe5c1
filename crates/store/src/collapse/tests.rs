//! Tests of collapse compression.

use super::*;
use promenade_base::random::Random;
use std::collections::HashMap;

const GLOBALS: u16 = 0;
const CHANNEL: u16 = 1;

/// A state of a made-up system: globals, some channels, and processes whose number the first
/// byte of the globals says.
fn state(random: &mut Random, locals: usize) -> (Vec<u8>, Vec<Part>) {
    let (mut bytes, mut parts) = (Vec::new(), Vec::new());
    let mut add = |kind, length: usize, value: u64| {
        let mut mixed = Random::new(value);
        bytes.extend((0..length).map(|_| mixed.next_u64() as u8));
        parts.push(Part { kind, length: length as u32 });
    };
    let processes = 3 + random.below(4);
    add(GLOBALS, 8, random.below(40) as u64);
    for channel in 0..2 {
        add(CHANNEL + channel, 16, random.below(100) as u64);
    }
    for process in 0..processes {
        add(3 + process as u16, 14, random.below(locals) as u64);
    }
    if let Some(first) = bytes.first_mut() {
        *first = processes as u8;
    }
    (bytes, parts)
}

#[test]
fn never_differs_from_an_oracle_and_gives_states_back() {
    let mut random = Random::new(11);
    let mut ours = Collapse::new(64 << 20);
    let mut theirs: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut back = Vec::new();
    for round in 0..200_000u32 {
        let (mut key, parts) = state(&mut random, 4);
        let key_len = key.len();
        key.extend((round as u16).to_le_bytes());
        let known = theirs.get(&key[..key_len]).copied();
        assert_eq!(ours.find_parts(&key, key_len, &parts), known);
        match ours.insert_parts(&key, key_len, &parts) {
            Insert::New(id) => {
                assert_eq!(known, None);
                back.clear();
                ours.recall(id, &mut back);
                assert_eq!(back, key);
                theirs.insert(key[..key_len].to_vec(), id);
            }
            Insert::Seen(id) => assert_eq!(known, Some(id)),
            Insert::Full => panic!("there is room"),
        }
    }
    assert_eq!(ours.len(), theirs.len() as u64);
    for (key, id) in &theirs {
        back.clear();
        ours.recall(*id, &mut back);
        assert_eq!(&back[..key.len()], &key[..]);
    }
    let (mut walk, mut count) = (ours.first(), 0);
    while let Some(id) = walk {
        count += 1;
        walk = ours.after(id);
    }
    assert_eq!(count, theirs.len());
    let kinds: Vec<_> = ours.kinds().collect();
    assert_eq!(kinds.len(), 10);
    assert!(kinds.iter().take(9).all(|k| k.parts <= 160) && kinds[9].parts == 4);
    assert!(kinds.iter().map(|k| k.memory_bytes).sum::<u64>() == ours.side);
}

#[test]
fn much_smaller_than_whole_states() {
    let mut random = Random::new(5);
    let (mut exact, mut ours) = (Exact::new(1 << 30), Collapse::new(1 << 30));
    for _ in 0..300_000 {
        let (key, parts) = state(&mut random, 150);
        let same = matches!(exact.insert(&key, key.len()), Insert::New(_));
        assert_eq!(matches!(ours.insert_parts(&key, key.len(), &parts), Insert::New(_)), same);
    }
    assert_eq!(exact.len(), ours.len());
    let (whole, parts) = (exact.memory_bytes(), ours.memory_bytes());
    assert!(parts * 4 < whole, "{parts} bytes against {whole}");
}

#[test]
fn budgets_are_never_exceeded_and_full_stores_keep_what_they_have() {
    for budget in [0, 100, 900, 2000, 5000, 20_000, 100_000, 1 << 20] {
        let mut random = Random::new(budget);
        let mut ours = Collapse::new(budget);
        let mut stored = HashMap::new();
        let mut full = 0;
        for _ in 0..20_000 {
            let (key, parts) = state(&mut random, 30);
            match ours.insert_parts(&key, key.len(), &parts) {
                Insert::New(id) => assert!(stored.insert(key, (id, parts)).is_none()),
                Insert::Seen(id) => assert_eq!(stored[&key].0, id),
                Insert::Full => {
                    assert!(!stored.contains_key(&key));
                    full += 1;
                }
            }
            let bytes = ours.memory_bytes();
            assert!(bytes <= budget, "{bytes} of {budget}");
        }
        assert!(full > 0 || budget == 1 << 20, "{budget}");
        assert!(!stored.is_empty() || budget < 20_000, "nothing in {budget}");
        let mut back = Vec::new();
        for (key, (id, parts)) in &stored {
            assert_eq!(ours.find_parts(key, key.len(), parts), Some(*id));
            back.clear();
            ours.recall(*id, &mut back);
            assert_eq!(&back, key);
        }
    }
}

#[test]
fn descriptions_that_do_not_fit_the_state() {
    let part = |kind, length| Part { kind, length };
    let mut ours = Collapse::new(1 << 20);
    let mut back = Vec::new();
    let descriptions = [
        vec![],
        vec![part(7, 2)],
        vec![part(0, u32::MAX), part(1, 3)],
        vec![part(REST, 1), part(REST - 1, 0), part(0, 1)],
    ];
    for (number, parts) in descriptions.iter().enumerate() {
        assert!(ours.set_parts(parts));
        for length in 0..6u8 {
            let key: Vec<u8> = (0..length).map(|i| i + 100 * number as u8).collect();
            let answer = ours.insert(&key, key.len());
            let Insert::New(id) = answer else {
                assert!(length == 0 || number == 0, "{answer:?}");
                continue;
            };
            assert!(ours.contains(&key, key.len()));
            assert_eq!(ours.locate(&key, usize::MAX), Some(id));
            assert_eq!(ours.insert(&key, usize::MAX), Insert::Seen(id));
            back.clear();
            ours.recall(id, &mut back);
            assert_eq!(back, key);
        }
    }
    assert!(ours.memory_bytes() <= 1 << 20);
    assert!(!Collapse::new(3).set_parts(&[part(0, 1)]));
    back.clear();
    ours.recall(StateId(u32::MAX), &mut back);
    assert!(back.is_empty());
}

#[test]
fn layouts_of_equal_length_are_told_apart() {
    let mut ours = Collapse::new(1 << 20);
    let mut back = Vec::new();
    let mut new = 0;
    for round in 0..1000u16 {
        // The first byte says of which kind the second part is.
        let kind = round % 3;
        let key = [kind as u8, (round / 30) as u8 ^ kind as u8];
        let parts = [Part { kind: 0, length: 1 }, Part { kind: 1 + kind, length: 1 }];
        let (Insert::New(id) | Insert::Seen(id)) = ours.insert_parts(&key, 2, &parts) else {
            panic!("there is room")
        };
        new += usize::from(id == ours.find_parts(&key, 2, &parts).unwrap());
        back.clear();
        ours.recall(id, &mut back);
        assert_eq!(back, key);
    }
    assert_eq!((new, ours.len()), (1000, 3 * 34));
    assert_eq!(ours.kinds().last().map(|k| k.parts), Some(3));
}

#[test]
fn numbers_of_all_sizes() {
    for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX] {
        let mut bytes = Vec::new();
        push_number(&mut bytes, number);
        assert!(bytes.len() <= NUMBER_BYTES);
        let mut rest = &bytes[..];
        assert_eq!(promenade_base::varint::take_u32(&mut rest), Some(number));
        assert!(rest.is_empty());
    }
    assert_eq!(promenade_base::varint::take_u32(&mut &[0x80][..]), None);
    assert_eq!(promenade_base::varint::take_u32(&mut &[0x80; 9][..]), None);
}
