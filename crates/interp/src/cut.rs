//! Where a state can be cut into parts that repeat from state to state.

use crate::Interpreter;

/// Cuts the states of one model: the fixed part with the globals, each global channel, then of each
/// process its record and each of its channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cutter {
    /// Lengths of the pieces in front of the processes.
    front: Vec<u32>,
    type_bytes: u32,
    /// For each process type the number of its first piece and the lengths of its pieces.
    types: Vec<(u16, Vec<u32>)>,
}

/// Lengths of the pieces of `whole` bytes that begin at these places.
fn pieces(whole: u32, places: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts: Vec<u32> = places.filter(|at| *at > 0 && *at < whole).collect();
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().copied().chain([whole]);
    let starts = [0].into_iter().chain(starts.iter().copied());
    starts.zip(ends).map(|(start, end)| end - start).collect()
}

impl Interpreter {
    /// How to cut the states of this model.
    pub fn cutter(&self) -> Cutter {
        let p = &self.program;
        let front = pieces(p.first_process, p.channels.iter().map(|(at, _)| *at));
        let mut next = front.len() as u16;
        let types = p.types.iter().map(|ty| {
            let pieces = pieces(ty.record_bytes, ty.channels.iter().map(|(at, _)| *at));
            let first = next;
            next = next.saturating_add(pieces.len() as u16);
            (first, pieces)
        });
        let types = types.collect();
        Cutter { front, type_bytes: p.type_bytes, types }
    }
}

impl Cutter {
    /// Calls `piece` with kind and length of each piece of a state from its first byte on. Pieces of
    /// one kind stand for the same thing; hidden bytes belong to none.
    pub fn cut(&self, state: &[u8], mut piece: impl FnMut(u16, u32)) {
        let mut at = 0;
        for (kind, length) in self.front.iter().enumerate() {
            piece(kind as u16, *length);
            at += *length as usize;
        }
        for _ in 0..state.first().copied().unwrap_or(0) {
            let ty = match (self.type_bytes, state.get(at), state.get(at + 1)) {
                (1, Some(low), _) => usize::from(*low),
                (_, Some(low), Some(high)) => usize::from(u16::from_le_bytes([*low, *high])),
                _ => return,
            };
            let Some((first, lengths)) = self.types.get(ty) else { return };
            for (number, length) in (0u16..).zip(lengths) {
                piece(first.saturating_add(number), *length);
                at += *length as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_whole() {
        assert_eq!(pieces(10, [4, 7].into_iter()), [4, 3, 3]);
        assert_eq!(pieces(10, [0, 10, 3, 3].into_iter()), [3, 7]);
        assert_eq!(pieces(5, std::iter::empty()), [5]);
        let cutter = Cutter { front: vec![2, 1], type_bytes: 1, types: vec![(2, vec![2, 1])] };
        let mut list = Vec::new();
        cutter.cut(&[2, 0, 0, 0, 9, 9, 0, 8, 8], |kind, length| list.push((kind, length)));
        assert_eq!(list, [(0, 2), (1, 1), (2, 2), (3, 1), (2, 2), (3, 1)]);
    }
}
