//! A growing array in chunks, whose growth can be planned to the byte.

/// An array that grows and shrinks by whole chunks, so that no growth copies what is there and none
/// needs old and new memory at once (but for the short list of chunks, which is accounted).
#[derive(Debug)]
pub struct ChunkedVec<T> {
    chunks: Vec<Box<[T]>>,
    len: usize,
    /// Elements per chunk, as a power of two.
    bits: u32,
}

impl<T: Copy + Default> ChunkedVec<T> {
    /// An empty array for use inside a budget: the chunk size is a small part of it.
    pub fn new(budget: u64) -> Self {
        let wanted = (budget / 512 / size_of::<T>().max(1) as u64).clamp(16, 4096);
        Self { chunks: Vec::new(), len: 0, bits: wanted.ilog2() }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn chunk_bytes(&self) -> u64 {
        (size_of::<T>() as u64) << self.bits
    }

    /// Bytes reserved.
    pub fn memory_bytes(&self) -> u64 {
        self.chunks.len() as u64 * self.chunk_bytes()
            + (self.chunks.capacity() * size_of::<Box<[T]>>()) as u64
    }

    fn next_list(&self) -> usize {
        (self.chunks.capacity() * 2).max(8)
    }

    /// Bytes that the next [`Self::push`] reserves, including what it needs only for a moment.
    #[inline]
    pub fn push_bytes(&self) -> u64 {
        if self.len >> self.bits < self.chunks.len() {
            return 0;
        }
        let list = if self.chunks.len() < self.chunks.capacity() { 0 } else { self.next_list() };
        self.chunk_bytes() + (list * size_of::<Box<[T]>>()) as u64
    }

    /// Adds an element at the end.
    #[inline]
    pub fn push(&mut self, value: T) {
        let (chunk, at) = self.place(self.len);
        if chunk >= self.chunks.len() {
            self.grow();
        }
        if let Some(slot) = self.chunks.get_mut(chunk).and_then(|c| c.get_mut(at)) {
            *slot = value;
            self.len += 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        if self.chunks.len() == self.chunks.capacity() {
            self.chunks.reserve_exact(self.next_list() - self.chunks.len());
        }
        self.chunks.push(vec![T::default(); 1 << self.bits].into_boxed_slice());
    }

    /// Takes the last element. Keeps at most one unused chunk.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        let value = self.get(last);
        self.len = last;
        if last & ((1 << self.bits) - 1) == 0 {
            self.chunks.truncate((last >> self.bits) + 1);
        }
        value
    }

    /// The element at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        if index >= self.len {
            return None;
        }
        let (chunk, at) = self.place(index);
        self.chunks.get(chunk)?.get(at).copied()
    }

    /// The last element.
    #[inline]
    pub fn last(&self) -> Option<T> {
        self.get(self.len.checked_sub(1)?)
    }

    /// Replaces the element at `index`; nothing happens if there is none.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        let (chunk, at) = self.place(index);
        if index < self.len
            && let Some(slot) = self.chunks.get_mut(chunk).and_then(|c| c.get_mut(at))
        {
            *slot = value;
        }
    }

    /// An upper bound of what `len` elements need, growth included, if one starts with none.
    pub fn bytes_for(&self, len: u64) -> u64 {
        let chunks = (len >> self.bits) + 1;
        // The list of chunks doubles, and old and new are there at once.
        chunks * self.chunk_bytes() + (chunks.max(4) * 2 + 8) * 2 * size_of::<Box<[T]>>() as u64
    }

    fn place(&self, index: usize) -> (usize, usize) {
        (index >> self.bits, index & ((1 << self.bits) - 1))
    }

    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flat_map(|c| c.iter().copied()).take(self.len)
    }

    /// Gives all memory back.
    pub fn clear(&mut self) {
        self.chunks = Vec::new();
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_vector_and_plans_its_growth() {
        for budget in [0, 1 << 16, 1 << 30] {
            let mut ours = ChunkedVec::<u32>::new(budget);
            let mut theirs = Vec::new();
            let mut random = promenade_base::random::Random::new(budget);
            for i in 0..60_000u32 {
                if random.chance(if i < 40_000 { 3 } else { 1 }, 5) {
                    let (before, planned) = (ours.memory_bytes(), ours.push_bytes());
                    ours.push(i);
                    theirs.push(i);
                    assert!(ours.memory_bytes() <= before + planned);
                } else {
                    assert_eq!(ours.pop(), theirs.pop());
                }
                assert_eq!(ours.len(), theirs.len());
            }
            assert_eq!(ours.iter().collect::<Vec<_>>(), theirs);
            for len in [1, 16, 17, 1000, 50_000] {
                let mut fresh = ChunkedVec::<u32>::new(budget);
                let bound = fresh.bytes_for(len);
                for i in 0..len {
                    assert!(fresh.memory_bytes() + fresh.push_bytes() <= bound);
                    fresh.push(i as u32);
                }
            }
            if let Some(last) = theirs.last_mut() {
                *last += 5;
                ours.set(ours.len() - 1, *last);
                ours.set(ours.len(), 3);
            }
            assert_eq!(ours.last(), theirs.last().copied());
            for at in [0, 1, 77, theirs.len(), usize::MAX] {
                assert_eq!(ours.get(at), theirs.get(at).copied());
            }
        }
    }
}
