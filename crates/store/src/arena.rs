//! State bytes, one after the other, in chunks that never move.

use crate::StateId;

/// An id is a chunk number and a position below this.
const POSITION_BITS: u32 = 20;
const CHUNK_BYTES: usize = 1 << POSITION_BITS;
const MAX_CHUNKS: usize = 1 << (32 - POSITION_BITS);
const FIRST_CHUNK: u64 = 1 << 10;

/// Records of a variable-length number (the state's length) and the state.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    chunks: Vec<Vec<u8>>,
    reserved: u64,
}

/// How a record will be placed, found out before anything is reserved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Size of a new chunk; `None`: there is room.
    chunk: Option<usize>,
    /// Capacity of the list of chunks, if it has to grow.
    list: Option<usize>,
    /// Bytes to reserve, including those needed only for a moment.
    pub bytes: u64,
}

/// Bytes of a state with its length.
pub(crate) fn record_bytes(state: usize) -> usize {
    let bits = usize::BITS - (state | 1).leading_zeros();
    state + bits.div_ceil(7) as usize
}

/// The record's state: from where, how long.
#[inline]
fn read_length(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let first = *bytes.get(at)?;
    if first < 0x80 {
        return Some((at + 1, first as usize));
    }
    let mut length = (first & 0x7f) as usize;
    let (mut at, mut shift) = (at + 1, 7);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        length |= ((byte & 0x7f) as usize).checked_shl(shift)?;
        if byte < 0x80 {
            return Some((at, length));
        }
        shift += 7;
    }
}

impl Arena {
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.reserved + (self.chunks.capacity() * size_of::<Vec<u8>>()) as u64
    }

    /// Where a state of this length would go, if `available` bytes are enough for it.
    #[inline]
    pub(crate) fn place(&self, state: usize, available: u64) -> Option<Placement> {
        let record = record_bytes(state);
        if let Some(last) = self.chunks.last()
            && last.capacity() - last.len() >= record
            && last.len() < CHUNK_BYTES
        {
            return Some(Placement { chunk: None, list: None, bytes: 0 });
        }
        self.place_in_new(record as u64, available)
    }

    #[cold]
    fn place_in_new(&self, record: u64, available: u64) -> Option<Placement> {
        if self.chunks.len() >= MAX_CHUNKS {
            return None;
        }
        let list = (self.chunks.len() == self.chunks.capacity())
            .then(|| (self.chunks.capacity() * 2).max(4));
        let list_bytes = (list.unwrap_or(0) * size_of::<Vec<u8>>()) as u64;
        let available = available.checked_sub(list_bytes)?;
        // Growing by an eighth keeps the unused part small without many chunks.
        let wanted = (self.reserved / 8).clamp(FIRST_CHUNK, CHUNK_BYTES as u64);
        let size = wanted.min(available).max(record);
        if size > available {
            return None;
        }
        let chunk = usize::try_from(size).ok()?;
        Some(Placement { chunk: Some(chunk), list, bytes: size + list_bytes })
    }

    /// Adds a state, given in parts, where [`Self::place`] said; `None` if the host has no
    /// memory left.
    #[inline]
    pub(crate) fn push<const N: usize>(
        &mut self,
        parts: [&[u8]; N],
        placement: Placement,
    ) -> Option<StateId> {
        if let Some(size) = placement.chunk {
            let mut chunk = Vec::new();
            chunk.try_reserve_exact(size).ok()?;
            if let Some(list) = placement.list {
                self.chunks.reserve_exact(list - self.chunks.len());
            }
            self.reserved += chunk.capacity() as u64;
            self.chunks.push(chunk);
        }
        let number = self.chunks.len().saturating_sub(1);
        let chunk = self.chunks.last_mut()?;
        let at = chunk.len();
        let mut length: usize = parts.iter().map(|part| part.len()).sum();
        while length >= 0x80 {
            chunk.push(length as u8 | 0x80);
            length >>= 7;
        }
        chunk.push(length as u8);
        parts.into_iter().for_each(|part| chunk.extend_from_slice(part));
        Some(StateId(((number as u32) << POSITION_BITS) | at as u32))
    }

    #[inline]
    fn locate(&self, id: StateId) -> Option<(&[u8], usize)> {
        let chunk = self.chunks.get((id.0 >> POSITION_BITS) as usize)?;
        Some((chunk, id.0 as usize & (CHUNK_BYTES - 1)))
    }

    #[inline]
    pub(crate) fn get(&self, id: StateId) -> &[u8] {
        let found = self.locate(id).and_then(|(chunk, at)| {
            let (start, length) = read_length(chunk, at)?;
            chunk.get(start..start.checked_add(length)?)
        });
        found.unwrap_or(&[])
    }

    /// Overwrites the last bytes of a state, if it has that many.
    #[inline]
    pub(crate) fn set_tail(&mut self, id: StateId, tail: &[u8]) {
        let Some(chunk) = self.chunks.get_mut((id.0 >> POSITION_BITS) as usize) else { return };
        let place = read_length(chunk, id.0 as usize & (CHUNK_BYTES - 1));
        let Some((start, length)) = place.filter(|(_, length)| *length >= tail.len()) else {
            return;
        };
        let end = start + length;
        if let Some(bytes) = chunk.get_mut(end - tail.len()..end) {
            bytes.copy_from_slice(tail);
        }
    }

    /// Puts another state in the place of a record that is not shorter; the bytes that are left
    /// over belong to neither, so that [`Self::after`] no longer leads to the next record.
    pub(crate) fn overwrite(&mut self, id: StateId, state: &[u8]) {
        let at = id.0 as usize & (CHUNK_BYTES - 1);
        let Some(chunk) = self.chunks.get_mut((id.0 >> POSITION_BITS) as usize) else { return };
        let Some(record) = chunk.get_mut(at..at + record_bytes(state.len())) else { return };
        let (prefix, bytes) = record.split_at_mut(record_bytes(state.len()) - state.len());
        let last = prefix.len() - 1;
        for (group, byte) in prefix.iter_mut().enumerate() {
            let more = if group < last { 0x80 } else { 0 };
            *byte = (state.len() >> (7 * group)) as u8 & 0x7f | more;
        }
        bytes.copy_from_slice(state);
    }

    pub(crate) fn first(&self) -> Option<StateId> {
        self.chunks.first().filter(|c| !c.is_empty()).map(|_| StateId(0))
    }

    pub(crate) fn after(&self, id: StateId) -> Option<StateId> {
        let (chunk, at) = self.locate(id)?;
        let (start, length) = read_length(chunk, at)?;
        let next = start.checked_add(length)?;
        if next < chunk.len() {
            return Some(StateId((id.0 & !(CHUNK_BYTES as u32 - 1)) | next as u32));
        }
        let number = (id.0 >> POSITION_BITS) + 1;
        self.chunks.get(number as usize).map(|_| StateId(number << POSITION_BITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_all_lengths_come_back_in_order() {
        let mut arena = Arena::default();
        let lengths = [0, 1, 127, 128, 300, 16_383, 16_384, CHUNK_BYTES - 1, CHUNK_BYTES * 3, 5];
        let states: Vec<Vec<u8>> = (0..4000)
            .map(|i| vec![i as u8; lengths[if i < 100 { i % 10 } else { i % 5 }]])
            .collect();
        let mut ids = Vec::new();
        for state in &states {
            let placement = arena.place(state.len(), u64::MAX).unwrap();
            let before = arena.memory_bytes();
            ids.push(arena.push([state], placement).unwrap());
            assert!(arena.memory_bytes() <= before + placement.bytes);
        }
        let mut walk = arena.first();
        for (id, state) in ids.iter().zip(&states) {
            assert_eq!(walk, Some(*id));
            assert_eq!(arena.get(*id), &state[..]);
            walk = arena.after(*id);
        }
        assert_eq!(walk, None);
        assert_eq!(arena.get(StateId(u32::MAX)), &[] as &[u8]);
    }

    #[test]
    fn what_does_not_fit_is_not_placed() {
        let arena = Arena::default();
        assert!(arena.place(2000, 1999).is_none());
        assert!(arena.place(100, 50).is_none());
        assert!(arena.place(100, 4 * size_of::<Vec<u8>>() as u64 + 101).is_some());
    }
}
