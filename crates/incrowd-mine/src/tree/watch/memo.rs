//! Counts of spans, so that they are computed once.
//!
//! With private tests above, many nodes share a span, and each of them may need to know how its individuals would be
//! divided by the same attributes. The counts are kept under the span's stamp, which is new whenever the span is
//! divided, so that they are never those of other individuals. Caching changes no result.

use super::told::Told;
use crate::tree::histogram::Histogram;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most counts that are kept, some hundred megabytes.
const MOST: usize = 1 << 23;

/// Counts by the stamp of a span and an attribute, and what spans reveal about private attributes.
#[derive(Default)]
pub(super) struct Memo<'t> {
    counts: Mutex<Kept>,
    told: Mutex<KeptTold<'t>>,
}

#[derive(Default)]
struct Kept {
    counts: HashMap<(u32, usize), Arc<Histogram>>,
    size: usize,
}

/// By the stamp of a span and the number of its leaves, which grows with every private test that changes what it
/// reveals.
#[derive(Default)]
struct KeptTold<'t> {
    told: HashMap<(u32, usize), Arc<ToldOf<'t>>>,
    size: usize,
}

/// What a span reveals about each attribute in scope, by the attribute's place.
pub(super) type ToldOf<'t> = Vec<(usize, Told<'t>)>;

impl<'t> Memo<'t> {
    /// What a span with this many leaves reveals.
    pub(super) fn told(
        &self,
        stamp: u32,
        leaves: usize,
        tell: impl FnOnce() -> ToldOf<'t>,
    ) -> Arc<ToldOf<'t>> {
        let kept = || self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().told.get(&(stamp, leaves)) {
            return Arc::clone(known);
        }
        let told = Arc::new(tell());
        kept().keep((stamp, leaves), &told);
        told
    }

    /// The counts of an attribute among the individuals of a span.
    pub(super) fn counts(
        &self,
        stamp: u32,
        attribute: usize,
        count: impl FnOnce() -> Histogram,
    ) -> Arc<Histogram> {
        if let Some(known) = self.with(|kept| kept.counts.get(&(stamp, attribute)).cloned()) {
            return known;
        }
        let counted = Arc::new(count());
        self.with(|kept| kept.keep((stamp, attribute), &counted));
        counted
    }

    fn with<T>(&self, act: impl FnOnce(&mut Kept) -> T) -> T {
        act(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn keep(&mut self, key: (u32, usize), counted: &Arc<Histogram>) {
        // Most of what was kept is about spans that have been divided since; starting anew is all the order there needs
        // to be.
        if self.size > MOST {
            self.counts.clear();
            self.size = 0;
        }
        self.size += counted.size();
        self.counts.insert(key, Arc::clone(counted));
    }
}

impl<'t> KeptTold<'t> {
    fn keep(&mut self, key: (u32, usize), told: &Arc<ToldOf<'t>>) {
        if self.size > MOST {
            self.told.clear();
            self.size = 0;
        }
        self.size += told.iter().map(|(_, told)| told.size()).sum::<usize>() + 1;
        self.told.insert(key, Arc::clone(told));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        memo.with(|kept| assert_eq!((kept.size, kept.counts.len()), (4 * 3 + 2 * 9 * 3, 3)));
        memo.with(|kept| kept.size = MOST);
        memo.counts(3, 2, || histogram(1));
        memo.with(|kept| assert_eq!((kept.size, kept.counts.len()), (MOST + 3, 4)));
        memo.counts(4, 2, || histogram(2));
        memo.with(|kept| assert_eq!((kept.size, kept.counts.len()), (6, 1), "all anew"));
    }

    #[test]
    fn what_spans_reveal_is_kept_by_leaves() {
        let memo = Memo::default();
        let mut asked = 0;
        let mut tell = |stamp, leaves| {
            memo.told(stamp, leaves, || {
                asked += 1;
                Vec::new()
            });
        };
        [(1, 1), (1, 1), (1, 2), (2, 1), (1, 2)].into_iter().for_each(|(stamp, leaves)| tell(stamp, leaves));
        assert_eq!(asked, 3);
        let mut kept = memo.told.lock().unwrap();
        assert_eq!((kept.size, kept.told.len()), (3, 3));
        kept.size = MOST;
        kept.keep((5, 1), &Arc::default());
        assert_eq!((kept.size, kept.told.len()), (MOST + 1, 4));
        kept.keep((6, 1), &Arc::default());
        assert_eq!((kept.size, kept.told.len()), (1, 1));
    }
}
