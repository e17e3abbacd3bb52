//! Counts of spans, so that they are computed once.
//!
//! With private tests above, many nodes share a span, and each of them may need to know how its individuals would be
//! divided by the same attributes. The counts are kept under the span's stamp, which is new whenever the span is
//! divided, so that they are never those of other individuals. Caching changes no result.

use super::people::Held;
use super::told::DistinguishedAttribute;
use crate::tree::histogram::Histogram;
use hashbrown::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most numbers that are kept of each kind, some hundred megabytes.
const MOST: usize = 1 << 23;

/// What is known of spans.
#[derive(Default)]
pub(super) struct Memo<'t> {
    /// By stamp and attribute.
    counts: ResultCache<(u32, usize), Histogram>,
    /// By stamp, attribute and what else the counts are by.
    counts_by: ResultCache<(u32, usize, Of), Histogram>,
    /// By the number of the tests that the leaves of a span are behind.
    told: ResultCache<u32, ToldOf<'t>>,
    /// By attribute and the nodes that know what is left of it: many spans have the same.
    told_by: ResultCache<(usize, Vec<u32>), Option<Arc<DistinguishedAttribute<'t>>>>,
    /// How many of these there have been.
    told_so_far: AtomicU32,
    /// By stamp, attribute and what else the cells are of.
    held: ResultCache<(u32, usize, Of), Held>,
    /// By stamp.
    individuals: ResultCache<u32, u64>,
}

/// What cells are of besides the code of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Of {
    /// Nothing.
    All,
    /// The class.
    Class,
    /// The values of a private attribute as spans distinguish them, by its number.
    DistinguishedAttribute(u32),
    /// The bins of a span with so many leaves.
    Bins(usize),
    /// The bins of one leaf, and all others together.
    BinsAt(u32),
}

/// What a span reveals about each attribute in scope, by the attribute's place.
pub(super) type ToldOf<'t> = Vec<(usize, Arc<DistinguishedAttribute<'t>>)>;

impl<'t> Memo<'t> {
    /// The individuals of a span.
    pub(super) fn individuals(&self, stamp: u32, count: impl FnOnce() -> u64) -> u64 {
        *self.individuals.get(stamp, count, |_| 1)
    }

    /// What a span whose leaves are behind these tests reveals.
    pub(super) fn told(&self, tested: u32, tell: impl FnOnce() -> ToldOf<'t>) -> Arc<ToldOf<'t>> {
        self.told.get(tested, tell, |told| told.iter().map(|(_, told)| told.size()).sum::<usize>() + 1)
    }

    /// What leaves below some nodes reveal about an attribute.
    pub(super) fn told_by(
        &self,
        attribute: usize,
        tested: &[u32],
        tell: impl FnOnce() -> Option<DistinguishedAttribute<'t>>,
    ) -> Arc<Option<Arc<DistinguishedAttribute<'t>>>> {
        let size = |told: &Option<Arc<DistinguishedAttribute<'t>>>| {
            told.as_ref().map_or(0, |told| told.size()) + tested.len() + 1
        };
        let numbered = |mut told: DistinguishedAttribute<'t>| {
            told.number = self.told_so_far.fetch_add(1, Ordering::Relaxed) + 1;
            Arc::new(told)
        };
        self.told_by.get((attribute, tested.to_vec()), || tell().map(numbered), size)
    }

    /// The counts of an attribute by class among the rows of a span.
    pub(super) fn counts(
        &self,
        stamp: u32,
        attribute: usize,
        count: impl FnOnce() -> Histogram,
    ) -> Arc<Histogram> {
        self.counts.get((stamp, attribute), count, Histogram::size)
    }

    /// The counts of an attribute by something else among the rows of a span.
    pub(super) fn counts_by(
        &self,
        stamp: u32,
        attribute: usize,
        of: Of,
        count: impl FnOnce() -> Histogram,
    ) -> Arc<Histogram> {
        self.counts_by.get((stamp, attribute, of), count, Histogram::size)
    }

    /// The cells that each individual of a span is in.
    pub(super) fn held(
        &self,
        stamp: u32,
        attribute: usize,
        of: Of,
        list: impl FnOnce() -> Held,
    ) -> Arc<Held> {
        self.held.get((stamp, attribute, of), list, Held::size)
    }
}

/// Results by what they depend on.
struct ResultCache<K, V>(Mutex<(HashMap<K, Arc<V>>, usize)>);

impl<K, V> Default for ResultCache<K, V> {
    fn default() -> Self {
        Self(Mutex::new((HashMap::new(), 0)))
    }
}

impl<K: Hash + Eq, V> ResultCache<K, V> {
    fn get(&self, key: K, compute: impl FnOnce() -> V, size: impl FnOnce(&V) -> usize) -> Arc<V> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().0.get(&key) {
            return Arc::clone(known);
        }
        let computed = Arc::new(compute());
        let (map, all) = &mut *kept();
        // Most of what was kept is about spans that have been divided since; starting anew is all the order there needs
        // to be.
        if *all > MOST {
            map.clear();
            *all = 0;
        }
        *all += size(&computed);
        map.insert(key, Arc::clone(&computed));
        computed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<K, V> ResultCache<K, V> {
        /// How many results are kept, and how many numbers they have.
        fn sizes(&self) -> (usize, usize) {
            let kept = self.0.lock().unwrap();
            (kept.0.len(), kept.1)
        }
    }

    fn histogram(codes: usize) -> Histogram {
        Histogram::from_counts(&vec![1; codes * 2], 2)
    }

    /// Three elements per code: the code and its counts for two classes.
    #[test]
    fn counts_are_kept_until_they_are_too_many() {
        let memo = Memo::default();
        let first = memo.counts(1, 2, || histogram(4));
        assert_eq!(memo.counts(1, 2, || histogram(9)), first, "computed once");
        assert_ne!(memo.counts(1, 3, || histogram(9)), first);
        assert_ne!(memo.counts(2, 2, || histogram(9)), first);
        assert_eq!(memo.counts.sizes(), (3, 4 * 3 + 2 * 9 * 3));
        memo.counts.0.lock().unwrap().1 = MOST;
        memo.counts(3, 2, || histogram(1));
        assert_eq!(memo.counts.sizes(), (4, MOST + 3));
        memo.counts(4, 2, || histogram(2));
        assert_eq!(memo.counts.sizes(), (1, 6), "all anew");
    }

    #[test]
    fn what_spans_reveal_is_kept_by_tests() {
        let memo = Memo::default();
        let mut asked = 0;
        let mut tell = |tested| {
            memo.told(tested, || {
                asked += 1;
                Vec::new()
            });
        };
        [1, 1, 2, 3, 2].into_iter().for_each(&mut tell);
        assert_eq!(asked, 3);
        assert_eq!(memo.told.sizes(), (3, 3));
    }

    #[test]
    fn counts_by_another_attribute_are_kept_by_both() {
        let memo = Memo::default();
        let mut asked = 0;
        let mut count = |stamp, attribute, other| {
            memo.counts_by(stamp, attribute, Of::DistinguishedAttribute(other), || {
                asked += 1;
                histogram(1)
            });
        };
        [(1, 2, 3), (1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4)]
            .into_iter()
            .for_each(|(a, b, c)| count(a, b, c));
        assert_eq!(asked, 4);
    }
}
