//! The set of states as the smallest automaton that accepts it: the least memory, and the most time.
//!
//! A state is a word, its bytes are the letters. The automaton has no cycles; nodes with the same
//! edges are one node, so that states share their beginnings and their ends (G. J. Holzmann and
//! A. Puri, "A minimized automaton representation of reachable states", 1999). A new word is put in
//! by copying the nodes of its path, from its end back to the root, each looked up among the nodes
//! there are; counts of references say which of the old ones are given up.

use crate::{Guarantee, Insert, Made, Making, StateId, VisitedSet};

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    Made::growing(Automaton::new(making.budget))
}

/// A node: the place of its record in the pool.
type Node = u32;
/// Where all words end.
const SINK: Node = u32::MAX;
/// No node.
const NONE: Node = u32::MAX - 1;

/// Words of a chunk of the pool. A record is never longer, and lies in one chunk.
const CHUNK: usize = 1 << 14;
/// Words of a record in front of its letters: references; next node with that hash.
const HEADER: usize = 2;
/// Most letters of a node.
const LETTERS: usize = 256;
const WORD_BYTES: u64 = size_of::<u32>() as u64;

/// Words of a record with this many edges: header with the number of edges, letters, targets.
fn record_words(edges: usize) -> usize {
    HEADER + 1 + edges.div_ceil(4) + edges
}

/// The edges of a node, in the order of their letters.
#[derive(Debug, Default)]
struct Edges {
    letters: Vec<u8>,
    targets: Vec<Node>,
}

impl Edges {
    /// Adds an edge, or leads it elsewhere.
    fn set(&mut self, letter: u8, target: Node) {
        match self.letters.binary_search(&letter) {
            Ok(at) => self.targets[at] = target,
            Err(at) => {
                self.letters.insert(at, letter);
                self.targets.insert(at, target);
            }
        }
    }

    fn hash(&self) -> u64 {
        let mut hash = 0x9e37_79b9_7f4a_7c15u64;
        let mut mix = |value: u64| {
            hash = (hash ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        };
        for (letter, target) in self.letters.iter().zip(&self.targets) {
            mix(u64::from(*letter) << 32 | u64::from(*target));
        }
        hash
    }
}

/// The store.
#[derive(Debug)]
pub struct Automaton {
    /// Records of all nodes.
    chunks: Vec<Box<[u32]>>,
    /// Words used of the last chunk.
    used: usize,
    /// By number of edges: a list of records that are free, linked by their first word.
    free: Vec<Node>,
    /// Heads of the lists of nodes by hash; a power of two.
    heads: Vec<Node>,
    nodes: u64,
    count: u64,
    root: Node,
    budget: u64,
    /// Room for the nodes on the path of a word.
    path: Vec<Node>,
    edges: Edges,
}

/// There is no memory for a node.
struct NoRoom;

impl Automaton {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Self {
            chunks: Vec::new(),
            used: CHUNK,
            free: vec![NONE; LETTERS + 1],
            heads: Vec::new(),
            nodes: 0,
            count: 0,
            root: NONE,
            budget,
            path: Vec::new(),
            edges: Edges::default(),
        }
    }

    /// How many nodes the automaton has, its end included.
    pub fn nodes(&self) -> u64 {
        self.nodes + u64::from(self.count > 0)
    }

    fn word(&self, node: Node, at: usize) -> u32 {
        let place = node as usize + at;
        self.chunks.get(place / CHUNK).and_then(|c| c.get(place % CHUNK)).copied().unwrap_or(0)
    }

    fn word_mut(&mut self, node: Node, at: usize) -> Option<&mut u32> {
        let place = node as usize + at;
        self.chunks.get_mut(place / CHUNK)?.get_mut(place % CHUNK)
    }

    /// The record from its number of edges on.
    fn record(&self, node: Node) -> &[u32] {
        let place = node as usize + HEADER;
        let chunk = self.chunks.get(place / CHUNK).map_or(&[][..], |chunk| chunk);
        chunk.get(place % CHUNK..).unwrap_or(&[])
    }

    /// Letters, packed by four, and targets.
    fn parts(&self, node: Node) -> (usize, &[u32], &[u32]) {
        let record = self.record(node);
        let Some((&count, rest)) = record.split_first() else { return (0, &[], &[]) };
        let count = count as usize;
        let (letters, rest) = rest.split_at(count.div_ceil(4).min(rest.len()));
        (count, letters, rest.get(..count).unwrap_or(&[]))
    }

    /// Where a letter leads.
    fn target(&self, node: Node, letter: u8) -> Option<Node> {
        let (count, letters, targets) = self.parts(node);
        let at = |index: usize| (letters[index / 4] >> (index % 4 * 8)) as u8;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match at(middle).cmp(&letter) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return targets.get(middle).copied(),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn load(&self, node: Node, edges: &mut Edges) {
        edges.letters.clear();
        edges.targets.clear();
        if node < NONE {
            let (count, letters, targets) = self.parts(node);
            edges.letters.extend((0..count).map(|i| (letters[i / 4] >> (i % 4 * 8)) as u8));
            edges.targets.extend_from_slice(targets);
        }
    }

    /// Whether a node has these edges.
    fn equals(&self, node: Node, edges: &Edges) -> bool {
        let (count, letters, targets) = self.parts(node);
        count == edges.letters.len()
            && targets == &edges.targets[..]
            && edges
                .letters
                .iter()
                .enumerate()
                .all(|(i, letter)| (letters[i / 4] >> (i % 4 * 8)) as u8 == *letter)
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Doubles the list of heads if it is short. Without memory it stays as it is.
    fn spread(&mut self) {
        let length = self.heads.len();
        if self.nodes < length as u64 && length > 0 {
            return;
        }
        let wanted = (length * 2).max(64);
        let mut heads = Vec::new();
        if wanted as u64 * WORD_BYTES > self.available() || heads.try_reserve_exact(wanted).is_err()
        {
            return;
        }
        heads.resize(wanted, NONE);
        let old = std::mem::replace(&mut self.heads, heads);
        let mut edges = Edges::default();
        for mut node in old {
            while node != NONE {
                let next = self.word(node, 1);
                self.load(node, &mut edges);
                let bucket = edges.hash() as usize & (wanted - 1);
                let head = std::mem::replace(&mut self.heads[bucket], node);
                if let Some(link) = self.word_mut(node, 1) {
                    *link = head;
                }
                node = next;
            }
        }
    }

    /// A free record for so many edges.
    fn allocate(&mut self, edges: usize) -> Result<Node, NoRoom> {
        if let Some(&node) = self.free.get(edges).filter(|node| **node != NONE) {
            self.free[edges] = self.word(node, 0);
            return Ok(node);
        }
        let words = record_words(edges);
        if self.used + words > CHUNK {
            let list = if self.chunks.len() == self.chunks.capacity() {
                (self.chunks.len() * 2).max(4)
            } else {
                0
            };
            let bytes = CHUNK as u64 * WORD_BYTES + (list * size_of::<Box<[u32]>>()) as u64;
            let most = (NONE as usize) / CHUNK;
            if bytes > self.available() || self.chunks.len() >= most {
                return Err(NoRoom);
            }
            if list > 0 {
                self.chunks.reserve_exact(list - self.chunks.len());
            }
            self.chunks.push(vec![0; CHUNK].into_boxed_slice());
            self.used = 0;
        }
        let node = (self.chunks.len() - 1) * CHUNK + self.used;
        self.used += words;
        u32::try_from(node).map_err(|_| NoRoom)
    }

    /// The node with the edges in the buffer; a new one refers to its targets.
    fn intern(&mut self) -> Result<Node, NoRoom> {
        self.spread();
        if self.heads.is_empty() {
            return Err(NoRoom);
        }
        let edges = std::mem::take(&mut self.edges);
        let bucket = edges.hash() as usize & (self.heads.len() - 1);
        let mut node = self.heads[bucket];
        while node != NONE && !self.equals(node, &edges) {
            node = self.word(node, 1);
        }
        let found = if node == NONE { self.create(&edges, bucket) } else { Ok(node) };
        self.edges = edges;
        found
    }

    fn create(&mut self, edges: &Edges, bucket: usize) -> Result<Node, NoRoom> {
        let count = edges.letters.len();
        let node = self.allocate(count)?;
        let head = std::mem::replace(&mut self.heads[bucket], node);
        let mut put = |at: usize, value: u32| {
            if let Some(word) = self.word_mut(node, at) {
                *word = value;
            }
        };
        put(0, 0);
        put(1, head);
        put(HEADER, count as u32);
        for (at, four) in edges.letters.chunks(4).enumerate() {
            let word = four.iter().rev().fold(0, |word, letter| word << 8 | u32::from(*letter));
            put(HEADER + 1 + at, word);
        }
        for (at, target) in edges.targets.iter().enumerate() {
            put(HEADER + 1 + count.div_ceil(4) + at, *target);
        }
        self.nodes += 1;
        for &target in &edges.targets {
            self.refer(target);
        }
        Ok(node)
    }

    fn refer(&mut self, node: Node) {
        if node < NONE
            && let Some(references) = self.word_mut(node, 0)
        {
            *references += 1;
        }
    }

    /// Gives up a node that nothing refers to, and those that only it referred to.
    fn give_up(&mut self, node: Node) {
        let mut waiting = vec![node];
        let mut edges = Edges::default();
        while let Some(node) = waiting.pop() {
            if node >= NONE || self.word(node, 0) > 0 {
                continue;
            }
            self.load(node, &mut edges);
            let bucket = edges.hash() as usize & (self.heads.len() - 1);
            let next = self.word(node, 1);
            if self.heads[bucket] == node {
                self.heads[bucket] = next;
            } else {
                let mut before = self.heads[bucket];
                while before != NONE && self.word(before, 1) != node {
                    before = self.word(before, 1);
                }
                if let Some(link) = self.word_mut(before, 1) {
                    *link = next;
                }
            }
            let list = edges.letters.len();
            let first = std::mem::replace(&mut self.free[list], node);
            if let Some(word) = self.word_mut(node, 0) {
                *word = first;
            }
            self.nodes -= 1;
            for &target in &edges.targets {
                if let Some(references) = self.word_mut(target, 0).filter(|_| target < NONE) {
                    *references -= 1;
                    waiting.push(target);
                }
            }
        }
    }

    /// The letters of a state: its length first, so that no word begins another.
    fn letters(key: &[u8]) -> impl DoubleEndedIterator<Item = u8> + Clone + '_ {
        let length = (key.len() as u32).to_be_bytes();
        let skip = length.iter().take(3).take_while(|byte| **byte == 0).count();
        // A length below 255 is one letter; others follow a mark.
        let mark = (skip < 3 || key.len() > 254).then_some(255);
        let from = if mark.is_some() { 0 } else { 3 };
        mark.into_iter().chain((from..4).map(move |i| length[i])).chain(key.iter().copied())
    }

    /// Walks along a word as far as it goes; the nodes are in the path. True if it is a word.
    fn follow(&self, key: &[u8], path: &mut Vec<Node>) -> bool {
        path.clear();
        let mut node = self.root;
        for letter in Self::letters(key) {
            if node >= NONE {
                return false;
            }
            path.push(node);
            match self.target(node, letter) {
                Some(target) => node = target,
                None => return false,
            }
        }
        node == SINK
    }

    /// Puts in a word whose path so far is `path`.
    fn put_in(&mut self, key: &[u8], path: &[Node]) -> Result<(), NoRoom> {
        let mut child = SINK;
        // Nodes that were made and that nothing refers to yet: only the last one.
        let all = Self::letters(key).count();
        for (at, letter) in (0..all).rev().zip(Self::letters(key).rev()) {
            let mut edges = std::mem::take(&mut self.edges);
            self.load(path.get(at).copied().unwrap_or(NONE), &mut edges);
            edges.set(letter, child);
            self.edges = edges;
            match self.intern() {
                Ok(node) => child = node,
                Err(no_room) => {
                    self.give_up(child);
                    return Err(no_room);
                }
            }
        }
        self.refer(child);
        let old = std::mem::replace(&mut self.root, child);
        if let Some(references) = self.word_mut(old, 0).filter(|_| old < NONE) {
            *references -= 1;
            self.give_up(old);
        }
        Ok(())
    }
}

impl VisitedSet for Automaton {
    /// States that hide bytes are kept without them.
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let key = state.get(..key_len).unwrap_or(state);
        let need = (key.len() + 5) * size_of::<Node>();
        if self.path.capacity() < key.len() + 5
            && (need as u64 > self.available() || self.path.try_reserve_exact(need / 4).is_err())
        {
            return Insert::Full;
        }
        let mut path = std::mem::take(&mut self.path);
        let known = self.follow(key, &mut path);
        let answer = if known {
            Insert::Seen(StateId::default())
        } else if self.put_in(key, &path).is_ok() {
            self.count += 1;
            Insert::New(StateId::default())
        } else {
            Insert::Full
        };
        self.path = path;
        answer
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        let key = state.get(..key_len).unwrap_or(state);
        let mut node = self.root;
        for letter in Self::letters(key) {
            match self.target(node, letter).filter(|_| node < NONE) {
                Some(target) => node = target,
                None => return false,
            }
        }
        node == SINK
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn memory_bytes(&self) -> u64 {
        self.chunks.len() as u64 * CHUNK as u64 * WORD_BYTES
            + (self.chunks.capacity() * size_of::<Box<[u32]>>()) as u64
            + (self.heads.capacity() + self.free.capacity() + self.path.capacity()) as u64
                * WORD_BYTES
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::likely_state;
    use promenade_base::random::Random;
    use std::collections::HashSet;

    /// The number of nodes of the smallest automaton of a set of words, by brute force: different
    /// sets of endings.
    fn smallest(words: &HashSet<Vec<u8>>) -> u64 {
        let words: Vec<Vec<u8>> = words.iter().map(|w| Automaton::letters(w).collect()).collect();
        let mut sets = HashSet::new();
        for word in &words {
            for at in 0..=word.len() {
                let mut endings: Vec<&[u8]> =
                    words.iter().filter_map(|w| w.strip_prefix(&word[..at])).collect();
                endings.sort_unstable();
                sets.insert(endings.into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
            }
        }
        sets.len() as u64
    }

    #[test]
    fn all_numbers_of_three_digits_are_four_nodes() {
        let mut set = Automaton::new(1 << 20);
        for n in 0..64u8 {
            let word = [n / 16, n / 4 % 4, n % 4];
            assert!(matches!(set.insert(&word, 3), Insert::New(_)));
            assert!(matches!(set.insert(&word, 3), Insert::Seen(_)));
        }
        // One more, which reads the length.
        assert_eq!((set.len(), set.nodes()), (64, 5));
    }

    #[test]
    fn no_smaller_automaton_accepts_the_same() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let mut set = Automaton::new(1 << 22);
            let mut words = HashSet::new();
            for _ in 0..60 {
                let length = random.below(5);
                let word: Vec<u8> = (0..length).map(|_| random.below(3) as u8).collect();
                let new = words.insert(word.clone());
                let answer = set.insert(&word, word.len());
                assert_eq!(matches!(answer, Insert::New(_)), new);
                assert_eq!(set.nodes(), smallest(&words), "{words:?}");
            }
        }
    }

    #[test]
    fn agrees_with_an_oracle_and_keeps_its_budget() {
        for budget in [3000, 70_000, 300_000, 1 << 22] {
            let mut set = Automaton::new(budget);
            let mut random = Random::new(budget);
            let mut known: HashSet<Vec<u8>> = HashSet::new();
            let mut full = false;
            for _ in 0..20_000 {
                let mut state = likely_state(&mut random, 6000);
                if random.chance(1, 50) {
                    state.resize(260 + random.below(60), 7);
                }
                let was = known.contains(&state);
                assert_eq!(set.contains(&state, state.len()), was);
                match set.insert(&state, state.len()) {
                    Insert::New(_) => assert!(known.insert(state)),
                    Insert::Seen(_) => assert!(was),
                    Insert::Full => {
                        full = true;
                        assert!(!was);
                    }
                }
                assert!(set.memory_bytes() <= budget, "{} of {budget}", set.memory_bytes());
                assert_eq!(set.len(), known.len() as u64);
            }
            assert!(known.iter().all(|state| set.contains(state, state.len())));
            assert_eq!(full, budget < 1 << 22);
        }
        let hidden = &mut Automaton::new(1 << 20);
        assert!(matches!(hidden.insert(&[1, 2, 3], 2), Insert::New(_)));
        assert!(matches!(hidden.insert(&[1, 2, 4], 2), Insert::Seen(_)));
        assert!(matches!(hidden.insert(&[], 0), Insert::New(_)));
        assert!(matches!(hidden.insert(&[], 0), Insert::Seen(_)));
    }

    #[test]
    fn regular_sets_are_small() {
        let mut set = Automaton::new(1 << 24);
        for n in 0..19_683u32 {
            let mut state = [0u8; 40];
            for (at, byte) in state.iter_mut().enumerate().take(9) {
                *byte = (n / 3u32.pow(at as u32) % 3) as u8;
            }
            set.insert(&state, 40);
        }
        assert_eq!((set.len(), set.nodes()), (19_683, 42));
    }
}
