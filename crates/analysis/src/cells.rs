//! Cells: which bytes of a region a place may mean.

use promenade_ir::{Place, Region};

/// How many combinations of indices are listed one by one; beyond that all bytes between the first
/// and the last count.
const MAX_COMBINATIONS: u64 = 1 << 16;

/// The cells that a place may mean: an offset, a width, and the steps of the indices that are not
/// constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cells {
    /// Where.
    pub region: Region,
    /// First byte with all indices 0.
    pub offset: u32,
    /// Bytes of one cell.
    pub width: u32,
    /// Length and stride of each index.
    pub dimensions: Vec<(u32, u32)>,
}

impl Cells {
    /// Of a place.
    pub fn of(place: &Place) -> Self {
        Self {
            region: place.region,
            offset: place.offset,
            width: place.ty.bytes(),
            dimensions: place.indices.iter().map(|i| (i.length.max(1), i.stride)).collect(),
        }
    }

    /// Calls `see` with each byte, some perhaps more than once.
    pub fn each_byte(&self, see: &mut dyn FnMut(u32)) {
        let product = |all: u64, d: &(u32, u32)| all.saturating_mul(u64::from(d.0));
        if self.dimensions.iter().fold(1, product) > MAX_COMBINATIONS {
            let span: u64 =
                self.dimensions.iter().map(|d| u64::from(d.0 - 1) * u64::from(d.1)).sum();
            let end = u64::from(self.offset) + span + u64::from(self.width);
            (self.offset..u32::try_from(end).unwrap_or(u32::MAX)).for_each(see);
            return;
        }
        let mut index = vec![0u32; self.dimensions.len()];
        loop {
            let steps = index.iter().zip(&self.dimensions).map(|(i, d)| i.wrapping_mul(d.1));
            let at = steps.fold(self.offset, u32::wrapping_add);
            (at..at.saturating_add(self.width)).for_each(&mut *see);
            let Some(place) = (0..index.len()).rev().find(|&d| index[d] + 1 < self.dimensions[d].0)
            else {
                return;
            };
            index[place] += 1;
            index[place + 1..].fill(0);
        }
    }

    /// The bytes in a list.
    pub fn bytes(&self) -> Vec<u32> {
        let mut bytes = Vec::new();
        self.each_byte(&mut |byte| bytes.push(byte));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_followed() {
        let cells = Cells {
            region: Region::Global,
            offset: 2,
            width: 2,
            dimensions: vec![(2, 10), (2, 4)],
        };
        assert_eq!(cells.bytes(), [2, 3, 6, 7, 12, 13, 16, 17]);
        let wide = Cells { dimensions: vec![(70_000, 4)], ..cells };
        assert_eq!(wide.bytes().len(), 69_999 * 4 + 2);
    }
}
