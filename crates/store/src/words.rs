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

/// A bit for every two neighbours, in the lower half.
#[inline]
fn squeeze(word: u64) -> u64 {
    let mut bits = (word | word >> 1) & 0x5555_5555_5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    (bits | bits >> 16) & 0xffff_ffff
}

/// Makes a page half as long, in place.
fn halve(page: &mut Vec<Line>, lines: bool) {
    let length = page.len().div_ceil(2);
    for at in 0..length {
        let first = page.get(2 * at).copied().unwrap_or_default().0;
        let second = page.get(2 * at + 1).copied().unwrap_or_default().0;
        let mut new = Line::default();
        for (word, new) in new.0.iter_mut().enumerate() {
            *new = if lines {
                first[word] | second[word]
            } else {
                let from = if word < LINE / 2 { &first } else { &second };
                let at = word % (LINE / 2) * 2;
                squeeze(from[at]) | squeeze(from[at + 1]) << 32
            };
        }
        page[at] = new;
    }
    page.truncate(length);
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

    /// Makes the array half as long: two neighbours become one, which has what either has. These are
    /// bits or, if `lines`, whole lines.
    pub(crate) fn fold(&mut self, lines: bool) {
        let lines_now = self.length.div_ceil(LINE).div_ceil(2);
        self.length = lines_now * LINE;
        let pages = lines_now.div_ceil(PAGE / LINE);
        for page in 0..pages {
            let mut upper =
                self.pages.get_mut(2 * page + 1).map(std::mem::take).unwrap_or_default();
            let mut lower = self.pages.get_mut(2 * page).map(std::mem::take).unwrap_or_default();
            if lower.is_empty() && upper.is_empty() {
                continue;
            }
            let length = (lines_now - page * (PAGE / LINE)).min(PAGE / LINE);
            halve(&mut lower, lines);
            halve(&mut upper, lines);
            // One of the two has memory enough for both halves.
            let half = PAGE / LINE / 2;
            let new = if lower.is_empty() {
                upper.resize(length.max(upper.len()), Line::default());
                upper.rotate_right(half.min(length));
                upper
            } else {
                lower.resize(half.min(length), Line::default());
                lower.extend(upper);
                lower.resize(length, Line::default());
                lower
            };
            if let Some(place) = self.pages.get_mut(page) {
                *place = new;
            }
        }
        self.pages.truncate(pages);
        self.pages.shrink_to_fit();
    }

    /// All words of the pages that exist.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.pages.iter().flatten().flat_map(|line| line.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    #[test]
    fn half_an_array_has_what_either_neighbour_has() {
        let mut random = Random::new(5);
        for length in [1, 8, 9, 100, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE + 70, 5 * PAGE] {
            for lines in [false, true] {
                let mut words = Words::new(length).unwrap();
                let mut set = std::collections::HashSet::new();
                // Some pages are not there.
                let from = random.below(2) * length / 2;
                for _ in 0..200 {
                    let bit = from * 64 + random.below((length - from) * 64);
                    *words.get_mut(bit / 64).unwrap() |= 1 << (bit % 64);
                    set.insert(bit);
                }
                for _ in 0..3 {
                    let before = words.memory_bytes();
                    words.fold(lines);
                    assert!(words.memory_bytes() <= before.div_ceil(2) + LINE_BYTES);
                    let new = |bit: usize| match lines {
                        true => (bit / 1024) * 512 + bit % 512,
                        false => bit / 2,
                    };
                    set = set.into_iter().map(new).collect();
                    let words = &words;
                    let ours = (0..words.length).flat_map(|word| {
                        (0..64)
                            .filter(move |bit| words.get(word) >> bit & 1 == 1)
                            .map(move |bit| word * 64 + bit)
                    });
                    assert_eq!(ours.collect::<std::collections::HashSet<_>>(), set, "{length}");
                    let lengths = words.pages.iter().filter(|page| !page.is_empty());
                    assert!(lengths.map(Vec::len).sum::<usize>() <= words.length / LINE);
                }
            }
        }
    }

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
