//! A large array of words that are 0 at first, of which only the pages that are used exist.
//!
//! Reserving all of a budget for bits or cells costs as much time as a small search if every page
//! has to be filled; so a page is made when its first word is set.

/// Words that lie in one line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([u64; LINE]);

const LINE_BITS: u32 = 3;
const LINE: usize = 1 << LINE_BITS;
const PAGE_BITS: u32 = 13;
const PAGE: usize = 1 << PAGE_BITS;
const LINE_BYTES: u64 = size_of::<Line>() as u64;

/// The array. All its memory is accounted from the start.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pages: Vec<Vec<Line>>,
    length: usize,
}

/// Bytes of the list of pages of so many words; a small array is one vector in the list.
fn list_bytes(words: u64) -> u64 {
    if words <= PAGE as u64 {
        0
    } else {
        words.div_ceil(PAGE as u64) * size_of::<Vec<Line>>() as u64
    }
}

impl Words {
    /// How many words fit into so many bytes.
    pub(crate) fn fitting(bytes: u64) -> u64 {
        let lines = bytes / LINE_BYTES;
        let list = list_bytes(lines << LINE_BITS).div_ceil(LINE_BYTES);
        (lines - list.min(lines)) << LINE_BITS
    }

    /// So many words; nothing for none, or if there is no memory.
    pub(crate) fn new(length: usize) -> Option<Self> {
        let mut pages = Vec::new();
        pages.try_reserve_exact(length.div_ceil(PAGE)).ok().filter(|()| length > 0)?;
        pages.resize_with(length.div_ceil(PAGE), Vec::new);
        let mut new = Self { pages, length };
        if length <= PAGE {
            new.page(0)?;
        }
        Some(new)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        let length = self.length as u64;
        length.div_ceil(LINE as u64) * LINE_BYTES + list_bytes(length)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> u64 {
        let page = self.pages.get(at >> PAGE_BITS);
        let line = page.and_then(|page| page.get((at & (PAGE - 1)) >> LINE_BITS));
        line.map_or(0, |line| line.0[at & (LINE - 1)])
    }

    /// A word to change; nothing if it is not in the array, or the host has no memory for its page.
    #[inline]
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut u64> {
        let page = at >> PAGE_BITS;
        if self.pages.get(page)?.is_empty() {
            self.page(page)?;
        }
        let line = self.pages.get_mut(page)?.get_mut((at & (PAGE - 1)) >> LINE_BITS)?;
        Some(&mut line.0[at & (LINE - 1)])
    }

    /// Makes a page.
    #[cold]
    fn page(&mut self, number: usize) -> Option<()> {
        let length = self.length.checked_sub(number * PAGE)?.min(PAGE).div_ceil(LINE);
        let page = self.pages.get_mut(number)?;
        page.try_reserve_exact(length).ok()?;
        page.resize(length, Line::default());
        Some(())
    }

    /// Sets all to 0.
    pub(crate) fn clear(&mut self) {
        self.pages.iter_mut().for_each(|page| page.fill(Line::default()));
    }

    /// All words of the pages that exist.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.pages.iter().flatten().flat_map(|line| line.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_zero_until_they_are_set() {
        for length in [1, 5, PAGE, PAGE + 1, 3 * PAGE + 7] {
            let mut words = Words::new(length).unwrap();
            assert!((0..length).all(|at| words.get(at) == 0));
            for at in [0, length / 2, length - 1] {
                *words.get_mut(at).unwrap() = at as u64 + 1;
                assert_eq!(words.get(at), at as u64 + 1);
            }
            // Whole lines are there.
            let end = length.next_multiple_of(LINE);
            assert_eq!((words.get(end), words.get_mut(end)), (0, None));
            assert!(words.memory_bytes() >= length as u64 * 8);
            words.clear();
            assert!((0..length).all(|at| words.get(at) == 0));
        }
        assert!(Words::new(0).is_none());
        for bytes in [0, 7, 8, 1 << 16, (1 << 16) + 8, 1 << 20, 1 << 30] {
            let words = Words::fitting(bytes);
            assert!(words * 8 + list_bytes(words) <= bytes);
            assert!(words * 8 + 512 + bytes / 1000 > bytes.saturating_sub(8));
        }
    }
}
