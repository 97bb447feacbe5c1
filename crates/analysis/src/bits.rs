//! Sets of small numbers.

/// A set of numbers below a bound that is fixed when it is made (numbers beyond it are not kept).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set with room for `0..count`.
    pub fn new(count: usize) -> Self {
        Self { words: vec![0; count.div_ceil(64)] }
    }

    /// Adds a number; true if it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        let Some(word) = self.words.get_mut(number / 64) else { return false };
        let before = *word;
        *word |= 1 << (number % 64);
        *word != before
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Whether a number is in.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds all of another set; true if that changed something.
    pub fn unite(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Keeps what is in both.
    pub fn intersect(&mut self, other: &Self) {
        for (number, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(number).copied().unwrap_or(0);
        }
    }

    /// Whether there is a common number.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The least common number.
    pub fn first_common(&self, other: &Self) -> Option<usize> {
        let pairs = self.words.iter().zip(&other.words).enumerate();
        pairs
            .map(|(at, (a, b))| (at, a & b))
            .find(|(_, word)| *word != 0)
            .map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many are in.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members from the least on.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave() {
        let mut a = Bits::new(130);
        assert!(a.insert(3) && a.insert(129) && !a.insert(3) && !a.insert(1000));
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 129]);
        let mut b = Bits::new(130);
        b.insert(129);
        assert!(a.meets(&b) && a.first_common(&b) == Some(129) && !a.unite(&b) && b.unite(&a));
        b.remove(3);
        a.intersect(&b);
        assert_eq!((a.len(), a.contains(129), a.is_empty()), (1, true, false));
    }
}
