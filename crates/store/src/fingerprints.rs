//! How often a fingerprint was added: which states are on a path, in six to eight bytes a state.
//!
//! Fingerprints of 32 bits in tables with linear probing, one entry for each time. Removal moves
//! entries back, so nothing is left behind (D. E. Knuth, The Art of Computer Programming, volume 3,
//! 6.4, algorithm R). A segment for every value of the upper bits grows by itself, so that growth
//! needs old and new memory of one only.

const ENTRY_BYTES: u64 = size_of::<u32>() as u64;
/// Bits of a fingerprint that choose the segment, in a budget that is not tiny.
const SEGMENT_BITS: u32 = 6;
const TINY: u64 = 1 << 16;
/// Of a segment, the part that may be in use.
const LOAD: (usize, usize) = (3, 4);

/// The fingerprints. 0 stands for an empty place, so 0 and 1 are one fingerprint.
#[derive(Debug)]
pub(crate) struct Fingerprints {
    segments: Vec<Segment>,
    bits: u32,
    places: u64,
}

#[derive(Clone, Debug, Default)]
struct Segment {
    places: Vec<u32>,
    used: usize,
}

impl Segment {
    /// Where the search for a fingerprint begins. Larger ones do not begin before smaller ones.
    #[inline]
    fn home(&self, print: u32, bits: u32) -> usize {
        let rest = u64::from(print) << bits & u64::from(u32::MAX);
        ((rest * self.places.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.places.len() { 0 } else { at + 1 }
    }

    /// The place of a fingerprint, or the empty one where the search ends. There is an empty one.
    #[inline]
    fn find(&self, print: u32, bits: u32) -> usize {
        let mut at = self.home(print, bits);
        while self.places[at] != 0 && self.places[at] != print {
            at = self.after(at);
        }
        at
    }

    #[inline]
    fn add(&mut self, print: u32, bits: u32) {
        let mut at = self.home(print, bits);
        while self.places[at] != 0 {
            at = self.after(at);
        }
        self.places[at] = print;
        self.used += 1;
    }

    #[inline]
    fn remove(&mut self, print: u32, bits: u32) {
        let mut hole = self.find(print, bits);
        if self.places[hole] == 0 {
            return;
        }
        self.used -= 1;
        let mut at = self.after(hole);
        while self.places[at] != 0 {
            // An entry may fill the hole unless its search begins behind that.
            let home = self.home(self.places[at], bits);
            let stays =
                if hole <= at { hole < home && home <= at } else { hole < home || home <= at };
            if !stays {
                self.places[hole] = self.places[at];
                hole = at;
            }
            at = self.after(at);
        }
        self.places[hole] = 0;
    }
}

#[inline]
fn usable(print: u32) -> u32 {
    print.max(1)
}

impl Fingerprints {
    /// None, for use inside a budget.
    pub(crate) fn new(budget: u64) -> Self {
        let bits = if budget < TINY { 0 } else { SEGMENT_BITS };
        Self { segments: vec![Segment::default(); 1 << bits], bits, places: 0 }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.places * ENTRY_BYTES + (self.segments.len() * size_of::<Segment>()) as u64
    }

    #[inline]
    fn segment(&self, print: u32) -> usize {
        (u64::from(print) >> (32 - self.bits)) as usize
    }

    /// Whether there is a place for one more, without growing.
    #[inline]
    pub(crate) fn has_room(&self, print: u32) -> bool {
        let segment = &self.segments[self.segment(usable(print))];
        (segment.used + 1) * LOAD.1 <= segment.places.len() * LOAD.0
    }

    /// Makes a place for one more, if that takes no more than `available` bytes for the moment.
    #[cold]
    pub(crate) fn make_room(&mut self, print: u32, available: u64) -> bool {
        let (number, bits) = (self.segment(usable(print)), self.bits);
        let segment = &mut self.segments[number];
        let length = (segment.places.len() * 3 / 2).max(8);
        let mut places = Vec::new();
        if length as u64 * ENTRY_BYTES > available || places.try_reserve_exact(length).is_err() {
            return false;
        }
        places.resize(length, 0);
        self.places = self.places + length as u64 - segment.places.len() as u64;
        let old = std::mem::replace(&mut segment.places, places);
        segment.used = 0;
        old.into_iter().filter(|print| *print != 0).for_each(|print| segment.add(print, bits));
        true
    }

    /// Adds a fingerprint. [`Self::has_room`] has to be so.
    #[inline]
    pub(crate) fn add(&mut self, print: u32) {
        let (number, bits) = (self.segment(usable(print)), self.bits);
        self.segments[number].add(usable(print), bits);
    }

    /// Takes a fingerprint away that was added, once.
    #[inline]
    pub(crate) fn remove(&mut self, print: u32) {
        let (number, bits) = (self.segment(usable(print)), self.bits);
        if !self.segments[number].places.is_empty() {
            self.segments[number].remove(usable(print), bits);
        }
    }

    /// Whether it was added more often than taken away.
    #[inline]
    pub(crate) fn contains(&self, print: u32) -> bool {
        let print = usable(print);
        let segment = &self.segments[self.segment(print)];
        !segment.places.is_empty() && segment.places[segment.find(print, self.bits)] == print
    }

    /// Gives all memory of fingerprints back.
    pub(crate) fn clear(&mut self) {
        self.segments.fill(Segment::default());
        self.places = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    #[test]
    fn counts_as_a_map_does() {
        for (budget, values) in [(0, 40), (1 << 20, 40), (1 << 20, 100_000), (0, u64::MAX)] {
            let mut random = Random::new(values);
            let mut ours = Fingerprints::new(budget);
            let mut theirs: HashMap<u32, u32> = HashMap::new();
            let mut list = Vec::new();
            for round in 0..60_000u32 {
                // Some are crowded together, at the end of their segment too.
                let value = random.next_u64() % values;
                let print = if round % 3 == 0 { !(value as u32) } else { value as u32 * 97 };
                assert_eq!(ours.contains(print), theirs.contains_key(&usable(print)));
                if random.chance(if round / 10_000 % 2 == 0 { 3 } else { 1 }, 4) {
                    if !ours.has_room(print) {
                        assert!(!ours.make_room(print, 0));
                        assert!(ours.make_room(print, u64::MAX));
                    }
                    assert!(ours.has_room(print));
                    ours.add(print);
                    *theirs.entry(usable(print)).or_default() += 1;
                    list.push(print);
                } else if !list.is_empty() {
                    let print = list.swap_remove(random.below(list.len()));
                    ours.remove(print);
                    let count = theirs.get_mut(&usable(print)).unwrap();
                    *count -= 1;
                    if *count == 0 {
                        theirs.remove(&usable(print));
                    }
                    assert_eq!(ours.contains(print), theirs.contains_key(&usable(print)));
                }
            }
            let used: usize = ours.segments.iter().map(|segment| segment.used).sum();
            assert_eq!(used, list.len());
            assert!(ours.memory_bytes() >= used as u64 * ENTRY_BYTES);
            ours.clear();
            assert!(list.iter().all(|print| !ours.contains(*print)));
        }
    }
}
