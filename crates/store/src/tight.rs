//! States without the bits that never vary.
//!
//! Most bits of a state vector say nothing: a truth value fills a byte, a counter never gets far, a
//! constant stays. Which ones do vary is learned from the states themselves. States of one length
//! have a shape: a reference, and a growing list of bits in which some state differs from it. The
//! code of a state is the number of its shape and the differences in these bits, in the order of the
//! list, **without zeros at the end**. So bits that are added to the list later change no code, and a
//! code is for ever.
//!
//! A state that differs elsewhere is kept whole. Bits are added in layers, each in the order of the
//! state, since neighbours are quickly taken together: once some states were kept whole and few new
//! bits turn up among them, these bits are the next layer, and those states get codes.

mod bits;

use crate::StateId;
use bits::{NUMBER_BITS, RUNS, Reader, SHORT, Share, WORD, Writer, bytewise, layer, load, low};

/// States of a shape that are kept whole before a layer is added, at least and at most.
const LEAST_WHOLE: usize = 256;
const MOST_WHOLE: usize = 4096;
/// Further lengths are kept whole.
const MOST_SHAPES: usize = 4096;
/// Longer states are kept whole.
const LONGEST: usize = 1 << 16;

/// In front of a whole state.
pub(crate) const WHOLE: u8 = 0xff;
/// Bytes that a code may have more than its state, while it is written.
pub(crate) const CODE_MORE: usize = 3 + 2 * WORD;

/// The list of bits of a shape.
#[derive(Debug, Default)]
struct List {
    /// For each word the reference, and the bits that are not in the first layer.
    words: Vec<[u64; 2]>,
    /// For each word the bits that are in no layer.
    unlisted: Vec<u64>,
    layers: Vec<Vec<Share>>,
}

impl List {
    fn memory_bytes(&self) -> u64 {
        let shares: usize = self.layers.iter().map(Vec::capacity).sum();
        let own = self.words.capacity() * 2 * WORD
            + self.unlisted.capacity() * WORD
            + self.layers.capacity() * size_of::<Vec<Share>>();
        (own + shares * size_of::<Share>()) as u64
    }

    /// Bits that are not in the first layer and in which a state differs.
    #[inline]
    fn later(&self, key: &[u8]) -> u64 {
        let chunks = key.chunks_exact(WORD);
        let rest = chunks.remainder();
        let mut later = 0;
        for (&[reference, mask], chunk) in self.words.iter().zip(chunks) {
            later |= (load(chunk) ^ reference) & mask;
        }
        match self.words.last() {
            Some(&[reference, mask]) if !rest.is_empty() => later | (load(rest) ^ reference) & mask,
            _ => later,
        }
    }

    /// Whether a state differs in no bit that is in no layer.
    fn is_listed(&self, key: &[u8]) -> bool {
        let words = self.words.iter().zip(&self.unlisted).zip(key.chunks(WORD));
        let mut differences =
            words.map(|((&[reference, _], mask), chunk)| (load(chunk) ^ reference) & mask);
        differences.all(|bits| bits == 0)
    }

    #[inline(always)]
    fn write_layer(&self, layer: &[Share], key: &[u8], writer: &mut Writer<'_>) {
        for share in layer {
            let at = share.word as usize;
            let Some(&[reference, _]) = self.words.get(at) else { return };
            let value = load(key.get(at * WORD..).unwrap_or(&[])) ^ reference;
            writer.put(share.gather(value), u32::from(share.width));
        }
    }

    /// Appends the differences of a state, of which the code has begun; `false` if it differs in
    /// bits that are not in the list.
    #[inline]
    fn write(&self, key: &[u8], mut writer: Writer<'_>) -> bool {
        let Some((first, others)) = self.layers.split_first() else { return false };
        let later = self.later(key) != 0;
        if later && !self.is_listed(key) {
            return false;
        }
        self.write_layer(first, key, &mut writer);
        if later {
            others.iter().for_each(|layer| self.write_layer(layer, key, &mut writer));
        }
        writer.finish();
        true
    }

    #[inline]
    fn read(&self, length: usize, reader: &mut Reader<'_>, into: &mut Vec<u8>) {
        let start = into.len();
        self.words.iter().for_each(|[reference, _]| {
            into.extend_from_slice(&reference.to_le_bytes());
        });
        let state = into.get_mut(start..).unwrap_or_default();
        for layer in &self.layers {
            if reader.is_at_end() {
                break;
            }
            for share in layer {
                let value = share.scatter(reader.take(u32::from(share.width)));
                let at = share.word as usize * WORD;
                let Some(bytes) = state.get_mut(at..at + WORD) else { break };
                let changed = load(bytes) ^ value;
                bytes.copy_from_slice(&changed.to_le_bytes());
            }
        }
        into.truncate(start + length);
    }
}

/// What is known of the states of one length.
#[derive(Debug)]
struct Shape {
    length: usize,
    /// For each word the reference, and the bits in which some state differs from it.
    reference: Vec<u64>,
    varying: Vec<u64>,
    list: List,
    /// States that were kept whole since the last layer, and how many there were when a new bit
    /// turned up last.
    whole: Vec<StateId>,
    changed_at: usize,
    /// There was no memory for a layer: there are no further ones.
    closed: bool,
}

impl Shape {
    fn new(key: &[u8]) -> Self {
        let reference: Vec<u64> = key.chunks(WORD).map(load).collect();
        let varying = vec![0; reference.len()];
        let list = List::default();
        let length = key.len();
        Self { length, reference, varying, list, whole: Vec::new(), changed_at: 0, closed: false }
    }

    /// Takes note of the bits of a state that is kept whole.
    fn learn(&mut self, key: &[u8]) {
        let mut new = 0;
        let words = key.chunks(WORD).zip(&self.reference);
        for ((chunk, reference), varying) in words.zip(&mut self.varying) {
            let bits = load(chunk) ^ reference;
            new |= bits & !*varying;
            *varying |= bits;
        }
        if new != 0 {
            self.changed_at = self.whole.len();
        }
    }

    /// All bits that vary are in the list now.
    fn add_layer(&mut self) {
        let Self { reference, varying, list, .. } = self;
        if list.unlisted.is_empty() {
            list.unlisted = vec![u64::MAX; reference.len()];
        }
        for (unlisted, varying) in list.unlisted.iter().zip(&mut *varying) {
            // Bits that have been in the list do not come again.
            let wider = bytewise(unlisted & *varying).map_or(0, |width| low(width, 8));
            if wider & !unlisted == 0 {
                *varying |= wider;
            }
        }
        let new = list.unlisted.iter().zip(&*varying).map(|(unlisted, bits)| unlisted & bits);
        let layer = layer(new);
        if list.words.is_empty() {
            let words = reference.iter().zip(&*varying);
            list.words = words.map(|(&reference, bits)| [reference, !bits]).collect();
        }
        list.unlisted.iter_mut().zip(&*varying).for_each(|(unlisted, bits)| *unlisted = !bits);
        list.layers.push(layer);
    }

    /// Bytes that it may take to add a layer.
    fn most_bytes(&self) -> u64 {
        let varying = self.list.unlisted.iter().map(|bits| !bits);
        let known = varying.chain(std::iter::repeat(0));
        let new = self.varying.iter().zip(known).map(|(bits, known)| bits & !known);
        let shares: usize = new.map(|bits| bits.count_ones().div_ceil(RUNS as u32) as usize).sum();
        // A growing vector may have twice the room, and the old one is there for a moment.
        let layer = 3 * shares.max(4) * size_of::<Share>() + 16 * size_of::<Vec<Share>>();
        (layer + 3 * self.reference.len() * WORD) as u64
    }

    fn memory_bytes(&self) -> u64 {
        let words = (self.reference.capacity() + self.varying.capacity()) * WORD;
        (words + self.whole.capacity() * size_of::<StateId>()) as u64 + self.list.memory_bytes()
    }
}

/// What is known of the bits of states.
#[derive(Debug, Default)]
pub(crate) struct Tight {
    shapes: Vec<Shape>,
    /// For each length one more than the number of its shape.
    of_length: Vec<u16>,
    /// There was no memory for a shape: there are no further ones.
    closed: bool,
    used: bool,
    memory: u64,
}

impl Tight {
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory
    }

    #[inline]
    fn number_of(&self, length: usize) -> Option<usize> {
        usize::from(*self.of_length.get(length)?).checked_sub(1)
    }

    /// Whether some states have codes.
    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    /// Writes the code of a state; `false` if it is kept whole.
    #[inline]
    pub(crate) fn encode(&self, key: &[u8], out: &mut Vec<u8>) -> bool {
        if !self.used {
            return false;
        }
        out.clear();
        let number = self.number_of(key.len());
        let Some((number, shape)) = number.and_then(|n| Some((n, self.shapes.get(n)?))) else {
            return false;
        };
        shape.list.write(key, Writer::new(out, number as u32))
    }

    /// Appends the state with this code, or that stands behind the mark of a whole one.
    #[inline]
    pub(crate) fn decode(&self, code: &[u8], into: &mut Vec<u8>) {
        let mut reader = Reader::new(code);
        let number = match code.first().map_or(0, |byte| byte.trailing_ones()) {
            short if short < SHORT => {
                reader.take(short + 1);
                short as usize
            }
            SHORT => {
                reader.take(SHORT + 1);
                reader.take(NUMBER_BITS) as usize
            }
            _ => return into.extend_from_slice(code.get(1..).unwrap_or(&[])),
        };
        if let Some(shape) = self.shapes.get(number) {
            shape.list.read(shape.length, &mut reader, into);
        }
    }

    /// Takes note of the bits of a state, without which it may be kept from its next coming on, or
    /// not; `false` if there is no memory for that.
    pub(crate) fn learn(&mut self, key: &[u8], available: u64) -> bool {
        if key.len() > LONGEST {
            return true;
        }
        let number = self.number_of(key.len()).or_else(|| self.add_shape(key, available));
        if let Some(shape) = number.and_then(|number| self.shapes.get_mut(number)) {
            shape.learn(key);
        }
        !self.closed
    }

    /// Adds the first layers, if there is memory for them.
    pub(crate) fn begin(&mut self, available: u64) -> bool {
        let bytes: u64 = self.shapes.iter().map(Shape::most_bytes).sum();
        if bytes > available {
            return false;
        }
        (0..self.shapes.len()).for_each(|number| self.add_layer(number));
        true
    }

    /// Takes note of a state that was stored whole after the beginning. The answer is the number of
    /// its shape if it is time for a layer, for which there is memory: [`Self::add_layer`] gives
    /// codes to the states that were [kept whole](Self::whole).
    #[cold]
    pub(crate) fn note_whole(&mut self, key: &[u8], id: StateId, available: u64) -> Option<usize> {
        if key.len() > LONGEST {
            return None;
        }
        let number = match self.number_of(key.len()) {
            Some(number) => number,
            None => self.add_shape(key, available)?,
        };
        let shape = self.shapes.get_mut(number).filter(|shape| !shape.closed)?;
        if shape.whole.len() == shape.whole.capacity() {
            let more = shape.whole.capacity().max(16);
            let bytes = (more * size_of::<StateId>()) as u64;
            // For a moment there are the old list and the new one.
            if 3 * bytes > available || shape.whole.try_reserve_exact(more).is_err() {
                shape.closed = true;
                return None;
            }
            self.memory += bytes;
        }
        shape.whole.push(id);
        shape.learn(key);
        let count = shape.whole.len();
        let quiet = count >= LEAST_WHOLE && shape.changed_at <= count / 2;
        if !quiet && count < MOST_WHOLE {
            return None;
        }
        if shape.most_bytes() > available {
            shape.closed = true;
            return None;
        }
        Some(number)
    }

    fn add_shape(&mut self, key: &[u8], available: u64) -> Option<usize> {
        let words = key.len().div_ceil(WORD);
        let mut bytes = 2 * words * WORD;
        if self.shapes.len() == self.shapes.capacity() {
            bytes += 3 * self.shapes.len().max(4) * size_of::<Shape>();
        }
        if key.len() >= self.of_length.len() {
            bytes += 2 * 2 * (key.len() + 1);
        }
        if self.closed || self.shapes.len() == MOST_SHAPES || bytes as u64 > available {
            self.closed = true;
            return None;
        }
        let number = self.shapes.len();
        let before = self.lists_bytes();
        if number == self.shapes.capacity() {
            self.shapes.reserve_exact(number.max(4));
        }
        if key.len() >= self.of_length.len() {
            self.of_length.reserve_exact(key.len() + 1 - self.of_length.len());
            self.of_length.resize(key.len() + 1, 0);
        }
        let shape = Shape::new(key);
        self.memory += self.lists_bytes() - before + shape.memory_bytes();
        self.shapes.push(shape);
        self.of_length[key.len()] = number as u16 + 1;
        Some(number)
    }

    fn lists_bytes(&self) -> u64 {
        (self.shapes.capacity() * size_of::<Shape>() + self.of_length.capacity() * size_of::<u16>())
            as u64
    }

    /// The states of a shape that were kept whole since the last layer, as they came.
    pub(crate) fn whole(&self, number: usize) -> &[StateId] {
        self.shapes.get(number).map_or(&[], |shape| &shape.whole)
    }

    /// Adds a layer of all bits that are not in the list of a shape.
    pub(crate) fn add_layer(&mut self, number: usize) {
        let Some(shape) = self.shapes.get_mut(number) else { return };
        let before = shape.memory_bytes();
        shape.add_layer();
        self.used = true;
        self.memory = self.memory + shape.memory_bytes() - before;
    }

    /// Adds no further layers to a shape.
    pub(crate) fn close(&mut self, number: usize) {
        if let Some(shape) = self.shapes.get_mut(number) {
            shape.closed = true;
        }
    }

    /// The states that were kept whole have codes now.
    pub(crate) fn forget_whole(&mut self, number: usize) {
        let Some(shape) = self.shapes.get_mut(number) else { return };
        let before = shape.memory_bytes();
        (shape.whole, shape.changed_at) = (Vec::new(), 0);
        self.memory = self.memory + shape.memory_bytes() - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    /// States of a few lengths of which few bits vary, at first even fewer.
    fn state(random: &mut Random, lengths: &[usize], late: bool) -> Vec<u8> {
        let length = *random.pick(lengths).unwrap();
        let mut state = vec![0xa5; length];
        for (at, byte) in state.iter_mut().enumerate() {
            let mask = match (at % 5, late && random.chance(1, 10)) {
                (0, _) => 0x03,
                (1, true) => 0xf0,
                (2, true) => 0xff,
                _ => 0,
            };
            *byte ^= random.next_u64() as u8 & mask;
        }
        state
    }

    fn check(lengths: &[usize]) {
        let mut random = Random::new(5);
        let mut tight = Tight::default();
        let mut codes: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        let (mut packed, mut saved) = (0, 0);
        for round in 0..60_000u32 {
            let key = state(&mut random, lengths, round > 30_000);
            let mut code = Vec::with_capacity(key.len() + CODE_MORE);
            if !tight.encode(&key, &mut code) {
                code = vec![WHOLE];
                code.extend(&key);
            }
            assert!(code.len() <= key.len() + 3);
            assert!(code.capacity() <= key.len() + CODE_MORE);
            let mut again = vec![7];
            tight.decode(&code, &mut again);
            assert_eq!(again[1..], key);
            let new = codes.get(&code).is_none_or(|other| {
                assert_eq!(other, &key);
                false
            });
            if code.first() != Some(&WHOLE) {
                packed += 1;
                saved += key.len() - code.len().min(key.len());
            } else if new && let Some(number) = tight.note_whole(&key, StateId(round), u64::MAX) {
                assert!(tight.whole(number).len() >= LEAST_WHOLE);
                tight.add_layer(number);
                tight.forget_whole(number);
            }
            codes.insert(code, key);
        }
        if lengths.len() < 20 {
            assert!(packed > 25_000 && saved > 800_000, "{packed} packed, {saved} saved");
        }
        // Whatever was learned since: a code is for ever.
        let mut grown_up = 0;
        for (code, key) in &codes {
            let mut again = Vec::new();
            let packed = tight.encode(key, &mut again);
            if code.first() != Some(&WHOLE) {
                assert!(packed);
                assert_eq!(&again, code);
            }
            if packed {
                grown_up += 1;
                let mut decoded = Vec::new();
                tight.decode(&again, &mut decoded);
                assert_eq!(&decoded, key);
            }
        }
        assert!(grown_up > 0);
    }

    #[test]
    fn a_state_has_one_code_and_a_code_one_state() {
        check(&[0, 1, 7, 8, 9, 31, 64, 65]);
        check(&[40]);
        // More shapes than there are short numbers.
        check(&(20..45).collect::<Vec<_>>());
    }

    #[test]
    fn without_memory_states_are_kept_whole() {
        let mut tight = Tight::default();
        for number in 0..1000u32 {
            assert_eq!(tight.note_whole(&number.to_le_bytes(), StateId(number), 0), None);
        }
        assert_eq!(tight.memory_bytes(), 0);
        // Nor later: those that are stored would not be found again.
        assert_eq!(tight.note_whole(&[1, 2, 3], StateId(1000), u64::MAX), None);
        let mut code = Vec::new();
        assert!(!tight.encode(&[1, 2, 3], &mut code));
    }
}
