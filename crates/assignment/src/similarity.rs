//! Which submissions look alike: fingerprints of their program text.
//!
//! Names, comments and layout are left out, runs of tokens are hashed, and of each window the least
//! hash is kept (S. Schleimer, D. S. Wilkerson, A. Aiken, Winnowing: Local Algorithms for Document
//! Fingerprinting, 2003). What stands in the starter files does not count. A number is no proof:
//! short tasks have few solutions.

use crate::format::{Assignment, Role};
use crate::submission::Submission;
use promenade_promela_syntax::highlight::{TokenClass, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Tokens that are hashed together.
const TOKENS: usize = 8;
/// Hashes of which one is kept at least.
const WINDOW: usize = 4;
/// Below so many fingerprints of its own a submission is too short to say anything.
const LEAST: usize = 12;
/// Fingerprints of one submission.
const MOST: usize = 20_000;

/// The fingerprints of a submission.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fingerprints(BTreeSet<u64>);

impl Fingerprints {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Two submissions that look alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Similar {
    /// Index of the one.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// Shared fingerprints.
    pub shared: usize,
    /// Part of the smaller one that is shared, 0 to 1.
    pub share: f64,
}

/// The fingerprints of a submission without those of the assignment's own files.
pub fn fingerprints(assignment: &Assignment, submission: &Submission) -> Fingerprints {
    let mut common = BTreeSet::new();
    for file in assignment.files.iter().filter(|file| file.role != Role::Solution) {
        // All hashes, as windows may be cut in another way there.
        common.extend(hashes(&file.text));
    }
    let mut own = BTreeSet::new();
    for (_, text) in &submission.files {
        let hashes = hashes(text);
        for window in hashes.windows(WINDOW) {
            own.extend(window.iter().min().filter(|hash| !common.contains(hash)));
            if own.len() >= MOST {
                break;
            }
        }
    }
    Fingerprints(own)
}

/// A hash of every run of tokens.
fn hashes(text: &str) -> Vec<u64> {
    let words: Vec<u64> = tokens(text)
        .into_iter()
        .filter_map(|(range, class)| {
            let word = &text[range];
            let kept = match class {
                TokenClass::Comment | TokenClass::Directive => return None,
                // `;` and `->` mean the same, and may be a line end.
                _ if word == ";" || word == "->" => return None,
                TokenClass::Name | TokenClass::Unit | TokenClass::Label => "name",
                _ => word,
            };
            Some(hash(kept.as_bytes()))
        })
        .collect();
    words
        .windows(TOKENS)
        .map(|run| hash(&run.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()))
        .collect()
}

fn hash(bytes: &[u8]) -> u64 {
    promenade_base::hash::hash64(bytes, 0)
}

/// Pairs that share at least this part (0 to 1) of the smaller one, the most alike first.
pub fn similar_pairs(all: &[Fingerprints], least: f64) -> Vec<Similar> {
    // Pairs are counted by what they share, so that those that share nothing cost nothing.
    let mut owners: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (number, prints) in all.iter().enumerate().filter(|(_, prints)| prints.len() >= LEAST) {
        for print in &prints.0 {
            owners.entry(*print).or_default().push(number);
        }
    }
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for owners in owners.values() {
        for (at, first) in owners.iter().enumerate() {
            for second in &owners[at + 1..] {
                *shared.entry((*first, *second)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<Similar> = shared
        .into_iter()
        .map(|((first, second), shared)| {
            let smaller = all[first].len().min(all[second].len()).max(1);
            Similar { first, second, shared, share: shared as f64 / smaller as f64 }
        })
        .filter(|pair| pair.share >= least)
        .collect();
    pairs.sort_by(|a, b| b.share.total_cmp(&a.share).then(b.shared.cmp(&a.shared)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(text: &str) -> Fingerprints {
        let files = vec![("a.pml".to_owned(), text.to_owned())];
        let submission = Submission { files, ..Submission::default() };
        fingerprints(&Assignment::default(), &submission)
    }

    const ONE: &str = "bool flag[2]; byte turn;\nactive [2] proctype P() { do :: flag[_pid] = 1; \
        turn = 1 - _pid; (!flag[1 - _pid] || turn == _pid); assert(turn < 2); flag[_pid] = 0 od }";

    #[test]
    fn a_renamed_copy_is_the_same() {
        let copy = ONE
            .replace("flag", "wish")
            .replace("turn", "whose")
            .replace("; ", ";\n   /* mine */ ")
            .replace("P()", "Worker()");
        let other = "chan q = [2] of { byte, bit };\nactive proctype S() { bit b; do :: q!1,b; q?0,b \
            :: timeout -> skip; b = 1 - b :: nempty(q) -> q??1,eval(b) od }\nactive proctype R() { \
            byte x; do :: q?x,_ -> if :: x > 0 -> x-- :: else -> x++; printf(\"%d\", x) fi od }";
        let all = [prints(ONE), prints(&copy), prints(other)];
        let pairs = similar_pairs(&all, 0.5);
        assert_eq!(pairs.len(), 1, "{pairs:?}");
        assert_eq!((pairs[0].first, pairs[0].second), (0, 1));
        assert!(pairs[0].share > 0.99, "{pairs:?}");
    }

    #[test]
    fn short_texts_say_nothing() {
        let all = [prints("byte x; init { x = 1 }"), prints("byte x; init { x = 1 }")];
        assert!(similar_pairs(&all, 0.0).is_empty());
        assert!(prints("").is_empty());
    }
}
