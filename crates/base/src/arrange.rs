//! Sorting that is compiled once for all types.
//!
//! The standard library's sorts are compiled anew for each type, some kilobytes each time, which the
//! page has to load. Here, the order is found by the numbers of the elements. That takes a little longer,
//! so loops that work once per state sort as usual.

use std::cmp::Ordering;

/// Stable sorting; as the methods of slices with `sort` in their names.
pub trait Arrange<T> {
    /// Sorts by the order of a key, which is computed anew for each comparison.
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);

    /// Sorts by comparing elements.
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);
}

impl<T> Arrange<T> for [T] {
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.arrange_by(|a, b| key(a).cmp(&key(b)));
    }

    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let list = &*self;
        let mut targets = targets(list.len(), &|a, b| compare(&list[a], &list[b]));
        for at in 0..targets.len() {
            while targets[at] != at {
                let target = targets[at];
                self.swap(at, target);
                targets.swap(at, target);
            }
        }
    }
}

/// Where each of so many elements comes to stand.
fn targets(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut targets = vec![0; count];
    for (target, from) in order.into_iter().enumerate() {
        targets[from] = target;
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn like_the_standard_library() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let count = random.below(40);
            let list: Vec<(usize, usize)> = (0..count).map(|at| (random.below(9), at)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.arrange_by_key(|it| it.0);
            theirs.sort_by_key(|it| it.0);
            assert_eq!(ours, theirs);
            ours.arrange_by(|a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            assert_eq!(ours, theirs);
        }
    }
}
