//! Bit sets of small numbers: rows that have an item, rules that hold.

/// A set of numbers below a length that is fixed when it is made.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `length`.
    pub fn new(length: usize) -> Self {
        Self { words: vec![0; length.div_ceil(64)] }
    }

    /// All numbers below `length`.
    pub fn full(length: usize) -> Self {
        let mut words = vec![u64::MAX; length.div_ceil(64)];
        if let (Some(last), over @ 1..) = (words.last_mut(), length % 64) {
            *last = (1 << over) - 1;
        }
        Self { words }
    }

    /// The numbers below `length` for which `has` is true.
    pub fn of(length: usize, has: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::new(length);
        (0..length).filter(|&number| has(number)).for_each(|number| bits.insert(number));
        bits
    }

    /// Adds a number below the length.
    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Whether a number below the length is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Keeps what is in `other` too.
    pub fn keep(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Adds what some words store.
    pub(crate) fn add_words(&mut self, words: &[u64]) {
        self.words.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
    }

    /// Removes what is in `other`.
    pub fn remove_all(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// What is in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    /// The number of elements.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The number of common elements.
    pub fn count_and(&self, other: &Self) -> u64 {
        self.words.iter().zip(&other.words).map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    /// The numbers in it, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            std::iter::successors((word != 0).then_some(word), |&left| {
                let rest = left & (left - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |left| place * 64 + left.trailing_zeros() as usize)
        })
    }

    /// The words that store the bits, 64 numbers each.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_set_is_a_set(length in 1_usize..200, a in prop::collection::btree_set(0_usize..200, 0..50),
                          b in prop::collection::btree_set(0_usize..200, 0..50)) {
            let below = |set: BTreeSet<usize>| set.into_iter().filter(|&n| n < length).collect::<BTreeSet<_>>();
            let (a, b) = (below(a), below(b));
            let bits = |set: &BTreeSet<usize>| Bits::of(length, |n| set.contains(&n));
            let both: Vec<usize> = a.intersection(&b).copied().collect();
            prop_assert_eq!(bits(&a).iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(bits(&a).and(&bits(&b)).iter().collect::<Vec<_>>(), both.clone());
            prop_assert_eq!(bits(&a).count_and(&bits(&b)), both.len() as u64);
            let mut all = Bits::full(length);
            prop_assert_eq!(all.count(), length as u64);
            all.keep(&bits(&a));
            prop_assert_eq!(&all, &bits(&a));
            all.remove_all(&bits(&b));
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>(), a.difference(&b).copied().collect());
        }
    }
}
