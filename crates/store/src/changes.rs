//! Differences between two states: what turns the bytes of one into those of another.
//!
//! Neighbours on a path or in a queue differ in few bytes, so a difference takes a few bytes whatever
//! the length of the states (J. Geldenhuys, "Efficiency Issues in the Design of a Model Checker", 1999,
//! section 4.1.3, keeps addresses and old values likewise).
//!
//! A difference is a list of runs: a byte with the distance from the end of the run before (five bits)
//! and the length less one (three bits), and the new bytes. A distance too long for five bits follows
//! as a number of variable length. If the lengths of the states differ, that of the target comes first.

use promenade_base::varint;
pub(crate) use promenade_base::varint::take as take_number;

const LENGTH_BITS: u32 = 3;
const LONGEST_RUN: u8 = 1 << LENGTH_BITS;
/// Distances from this on follow as a number.
const FAR: usize = 31;
const WORD: usize = size_of::<u64>();

/// Appends a number of variable length.
#[inline]
pub(crate) fn put_number(number: u64, out: &mut Vec<u8>) {
    varint::put(number, &mut |byte| out.push(byte));
}

/// The difference of two numbers, small in either direction.
#[inline]
pub(crate) fn zigzag(from: u32, to: u32) -> u64 {
    let difference = i64::from(to) - i64::from(from);
    (difference << 1 ^ difference >> 63) as u64
}

/// The number that [`zigzag`] was given as the second one.
#[inline]
pub(crate) fn unzigzag(from: u32, difference: u64) -> u32 {
    let signed = (difference >> 1) as i64 ^ -((difference & 1) as i64);
    (i64::from(from) + signed) as u32
}

/// Runs under construction.
struct Runs<'o> {
    out: &'o mut Vec<u8>,
    /// Where the head of the last run stands.
    head: usize,
    /// One past its last byte, in the state.
    end: usize,
}

impl Runs<'_> {
    #[inline]
    fn add(&mut self, at: usize, byte: u8) {
        if at == self.end
            && let Some(head) = self.out.get_mut(self.head)
            && *head & (LONGEST_RUN - 1) < LONGEST_RUN - 1
        {
            *head += 1;
        } else {
            let distance = at - self.end;
            self.head = self.out.len();
            self.out.push((distance.min(FAR) as u8) << LENGTH_BITS);
            if distance >= FAR {
                put_number((distance - FAR) as u64, self.out);
            }
        }
        self.out.push(byte);
        self.end = at + 1;
    }
}

/// Appends what turns `base` into `target`; the answer is whether their lengths differ.
pub(crate) fn encode(base: &[u8], target: &[u8], out: &mut Vec<u8>) -> bool {
    let resized = base.len() != target.len();
    if resized {
        put_number(target.len() as u64, out);
    }
    let common = base.len().min(target.len());
    let (base_words, base_rest) = base[..common].as_chunks::<WORD>();
    let (target_words, target_rest) = target[..common].as_chunks::<WORD>();
    let mut runs = Runs { head: usize::MAX, end: 0, out };
    for (number, (old, new)) in base_words.iter().zip(target_words).enumerate() {
        let mut differs = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        while differs != 0 {
            let byte = differs.trailing_zeros() / 8;
            differs &= !(0xff << (8 * byte));
            runs.add(number * WORD + byte as usize, new[byte as usize]);
        }
    }
    let from = base_words.len() * WORD;
    for (at, (old, new)) in base_rest.iter().zip(target_rest).enumerate() {
        if old != new {
            runs.add(from + at, *new);
        }
    }
    // What the target has more is zero before.
    for (at, new) in target.iter().enumerate().skip(common) {
        if *new != 0 {
            runs.add(at, *new);
        }
    }
    resized
}

/// The most bytes that [`encode`] appends for states of these lengths: a head and a byte for every
/// second byte, and for longer runs less; numbers of five bytes at most, each for 31 bytes or more.
pub(crate) fn most_bytes(base: usize, target: usize) -> usize {
    16 + 2 * base.max(target)
}

/// Turns the base into the target, given what [`encode`] appended and answered.
pub(crate) fn apply(mut changes: &[u8], resized: bool, state: &mut Vec<u8>) {
    if resized && let Some(length) = take_number(&mut changes) {
        state.resize(length as usize, 0);
    }
    let mut at = 0;
    while let Some((head, rest)) = changes.split_first() {
        changes = rest;
        let mut distance = usize::from(head >> LENGTH_BITS);
        if distance == FAR {
            let Some(more) = take_number(&mut changes) else { return };
            distance += more as usize;
        }
        let length = usize::from(head & (LONGEST_RUN - 1)) + 1;
        at += distance;
        let Some((bytes, rest)) = changes.split_at_checked(length) else { return };
        let Some(place) = state.get_mut(at..at + length) else { return };
        place.copy_from_slice(bytes);
        at += length;
        changes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    #[test]
    fn every_state_comes_back_from_any_other() {
        let mut random = Random::new(11);
        let mut longest = 0;
        for _ in 0..20_000 {
            let length = |random: &mut Random| [0, 1, 7, 8, 9, 40, 70, 300, 700][random.below(9)];
            let base: Vec<u8> =
                (0..length(&mut random)).map(|_| random.next_u64() as u8 & 3).collect();
            let mut target = base.clone();
            if random.chance(1, 3) {
                target.resize(length(&mut random), random.below(2) as u8);
            }
            let some = [0, 1, 3, 20, 1000][random.below(5)];
            for _ in 0..some.min(target.len()) {
                let at = random.below(target.len());
                target[at] = random.next_u64() as u8;
            }
            let mut changes = Vec::new();
            let resized = encode(&base, &target, &mut changes);
            assert!(changes.len() <= most_bytes(base.len(), target.len()));
            longest = longest.max(changes.len());
            let mut state = base.clone();
            apply(&changes, resized, &mut state);
            assert_eq!(state, target, "from {base:?}");
        }
        assert!(longest > 700);
    }

    #[test]
    fn few_bytes_tell_few_changes() {
        let base = vec![7u8; 200];
        let mut target = base.clone();
        (target[3], target[4], target[20], target[199]) = (1, 2, 3, 4);
        let mut changes = Vec::new();
        assert!(!encode(&base, &target, &mut changes));
        // Two runs with one byte each for the head, and one with a number behind that.
        assert_eq!(changes.len(), (1 + 2) + (1 + 1) + (1 + 2 + 1));
        changes.clear();
        encode(&base, &base, &mut changes);
        assert!(changes.is_empty());
    }

    #[test]
    fn numbers_and_differences_come_back() {
        for number in [0, 1, 0x7f, 0x80, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put_number(number, &mut bytes);
            assert_eq!(take_number(&mut &bytes[..]), Some(number));
            assert_eq!(take_number(&mut &bytes[..bytes.len() - 1]), None);
        }
        for from in [0, 1, 1 << 31, u32::MAX] {
            for to in [0, 1, 77, 1 << 31, u32::MAX] {
                assert_eq!(unzigzag(from, zigzag(from, to)), to);
            }
        }
        assert_eq!((zigzag(5, 5), zigzag(5, 6), zigzag(5, 4)), (0, 2, 1));
    }
}
