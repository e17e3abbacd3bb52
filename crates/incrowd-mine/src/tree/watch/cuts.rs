//! Which thresholds of an attribute break nothing: all of them at once, by one sweep over each span.

use super::Watch;
use super::memo::{Of, ToldOf};
use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;
use crate::tree::spans::Span;
use crate::tree::split::Split;
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Spans with more rows than this are counted in parallel.
const PARALLEL: u64 = 1 << 15;

/// The safe thresholds of an attribute at a node.
pub(crate) struct SafeCuts {
    /// For each span the codes its individuals have, ascending, and whether it may be cut before each of them and
    /// behind the last.
    spans: Vec<(Vec<u32>, Vec<bool>)>,
}

impl SafeCuts {
    /// Whether a threshold just behind a code breaks nothing.
    pub(crate) fn behind(&self, code: u32) -> bool {
        self.spans.iter().all(|(codes, safe)| safe[codes.partition_point(|&other| other <= code)])
    }

    /// Whether it makes no difference where between two codes a threshold is: no individual has a value in between.
    pub(crate) fn alike_between(&self, low: u32, high: u32) -> bool {
        self.spans.iter().all(|(codes, _)| {
            let next = codes.partition_point(|&other| other <= low);
            codes.get(next).is_none_or(|&other| other >= high)
        })
    }
}

/// The counts of an attribute among the individuals of a span.
pub(super) enum SpanCounts<'h> {
    /// Those of a node, as the span has the same individuals.
    Own(&'h Histogram),
    /// Of a span that several nodes share.
    Shared(Arc<Histogram>),
}

impl Deref for SpanCounts<'_> {
    type Target = Histogram;

    fn deref(&self) -> &Histogram {
        match self {
            Self::Own(counts) => counts,
            Self::Shared(counts) => counts,
        }
    }
}

/// The counts of a public attribute at a node and among the individuals of each of its spans, each counted when it is
/// first needed: the smallest spans come first, and most unsafe splits break one of them.
pub(crate) struct Counted<'c, 't> {
    grower: &'c Grower<'t>,
    attribute: usize,
    node: u32,
    rows: &'c Histogram,
    spans: Vec<Uncounted<'c, 't>>,
}

/// A span whose counts are made when they are needed.
struct Uncounted<'c, 't> {
    span: &'c Span,
    counts: OnceLock<CountedSpan<'c, 't>>,
    /// Whether it may be cut before each of its codes, and behind the last.
    safe: OnceLock<Vec<bool>>,
}

/// The counts of an attribute among the individuals of a span.
struct CountedSpan<'h, 't> {
    by_class: SpanCounts<'h>,
    /// By the values of each private attribute that the span distinguishes.
    by_told: Vec<Arc<Histogram>>,
    told: Arc<ToldOf<'t>>,
    single_bin: bool,
}

impl<'t> CountedSpan<'_, 't> {
    /// All counts: by class, then by the values of each private attribute. They have the same codes.
    fn all(&self) -> impl Iterator<Item = &Histogram> {
        std::iter::once(&*self.by_class).chain(self.by_told.iter().map(|counts| &**counts))
    }

    /// Whether a part of the span, with these counts by class and by the values of each attribute, may be a span.
    fn may_have<'v>(&'v self, watch: &'v Watch<'t>, mut part: impl Iterator<Item = &'v [u64]>) -> bool {
        let by_class = part.next().unwrap_or_default();
        let population = by_class.iter().sum();
        let class = watch.class.iter().map(|class| (class, by_class));
        let private = self.told.iter().map(|(_, told)| &**told).zip(part);
        population == 0 || watch.broken(population, self.single_bin, class.chain(private)).is_none()
    }

    /// Whether a split leaves a part that breaks the guarantee.
    fn is_broken_by(&self, watch: &Watch<'t>, split: &Split) -> bool {
        let branches = split.branches as usize;
        with_branches(self.all(), split, |parts| {
            (0..branches).any(|branch| {
                let mut rest = parts;
                let part = self.all().map(|counts| {
                    let of_all = rest.split_off(..branches * counts.labels()).unwrap_or_default();
                    &of_all[branch * counts.labels()..][..counts.labels()]
                });
                !self.may_have(watch, part)
            })
        })
    }

    /// Whether someone has no value of the attribute.
    fn has_missing(&self, grower: &Grower<'_>, attribute: usize) -> bool {
        self.by_class.codes().last() == Some(&grower.task.attributes[attribute].column.missing_code())
    }

    /// Whether the span may be cut before each of its codes, and behind the last.
    fn sweep(&self, watch: &Watch<'t>) -> Vec<bool> {
        let mut below: Vec<Vec<u64>> = self.all().map(|counts| vec![0; counts.labels()]).collect();
        let mut above: Vec<Vec<u64>> = self.all().map(Histogram::together).collect();
        let mut safe = vec![true];
        for place in 0..self.by_class.codes().len() {
            for ((below, above), counts) in below.iter_mut().zip(&mut above).zip(self.all()) {
                for ((below, above), n) in below.iter_mut().zip(above).zip(counts.at(place)) {
                    *below += n;
                    *above -= n;
                }
            }
            let holds = |part: &[Vec<u64>]| self.may_have(watch, part.iter().map(Vec::as_slice));
            safe.push(holds(&below) && holds(&above));
        }
        safe
    }
}

impl<'c, 't> Counted<'c, 't> {
    /// Whether a split leaves a small bin, or a part of a span that breaks the guarantee.
    pub(crate) fn is_broken_by(&self, split: &Split) -> bool {
        let watch = &self.grower.watch;
        self.has_small_bin(split)
            || (0..self.spans.len()).any(|place| self.counts(place).is_broken_by(watch, split))
    }

    /// The same for a split of numbers behind a code. Where missing values go depends on the threshold; without any, one
    /// sweep decides about all thresholds.
    pub(crate) fn is_broken_behind(&self, code: u32, split: &Split) -> bool {
        let watch = &self.grower.watch;
        self.has_small_bin(split)
            || (0..self.spans.len()).any(|place| {
                let counts = self.counts(place);
                if counts.has_missing(self.grower, self.attribute) {
                    return counts.is_broken_by(watch, split);
                }
                let safe = self.spans[place].safe.get_or_init(|| counts.sweep(watch));
                !safe[counts.by_class.codes().partition_point(|&other| other <= code)]
            })
    }

    fn has_small_bin(&self, split: &Split) -> bool {
        let watch = &self.grower.watch;
        watch.smallest_bin.is_some()
            && with_branches(std::iter::once(self.rows), split, |bins| watch.has_small(bins))
    }

    fn counts(&self, place: usize) -> &CountedSpan<'c, 't> {
        let count = |uncounted: &Uncounted<'c, 't>| {
            self.grower.counted_span(self.node, uncounted.span, self.attribute, self.rows)
        };
        let own = &self.spans[place];
        if own.counts.get().is_none() && u64::from(own.span.people()) > PARALLEL {
            // All others are as large.
            self.spans[place..].par_iter().for_each(|span| drop(span.counts.set(count(span))));
        }
        own.counts.get_or_init(|| count(own))
    }

    /// The safe thresholds; none where they can only be checked one by one.
    fn cuts(&self) -> Option<SafeCuts> {
        let counts = || (0..self.spans.len()).map(|place| self.counts(place));
        if counts().any(|span| span.has_missing(self.grower, self.attribute)) {
            return None;
        }
        let watch = &self.grower.watch;
        let sweep = |span: &CountedSpan<'_, 't>| (span.by_class.codes().to_vec(), span.sweep(watch));
        let bins = watch.smallest_bin.map(|_| sweep_bins(watch, self.rows));
        Some(SafeCuts { spans: counts().map(sweep).chain(bins).collect() })
    }
}

thread_local! {
    /// The counts by branch of the last split that was asked about: every candidate of every node is, so their memory is
    /// used again.
    static BRANCHES: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Counts the codes of each branch of a split: histogram by histogram, branch by branch, label by label.
fn with_branches<'h, T>(
    all: impl Iterator<Item = &'h Histogram>,
    split: &Split,
    look: impl FnOnce(&[u64]) -> T,
) -> T {
    BRANCHES.with_borrow_mut(|parts| {
        parts.clear();
        all.for_each(|counts| counts.append_by_branch(&split.branch_of_code, split.branches, parts));
        look(parts)
    })
}

/// Whether the bins of a node may be cut before each of its codes, and behind the last.
fn sweep_bins(watch: &Watch<'_>, counts: &Histogram) -> (Vec<u32>, Vec<bool>) {
    let (mut below, mut above) = (vec![0; counts.labels()], counts.together());
    let mut safe = vec![true];
    for (_, by_class) in counts.iter() {
        for ((below, above), n) in below.iter_mut().zip(&mut above).zip(by_class) {
            *below += n;
            *above -= n;
        }
        safe.push(!watch.has_small(&below) && !watch.has_small(&above));
    }
    (counts.codes().to_vec(), safe)
}

impl<'t> Grower<'t> {
    /// Counts a public attribute span by span; none where counts do not decide whether a split is safe. `rows` are the
    /// attribute's counts at the node.
    pub(crate) fn counted<'c>(
        &'c self,
        node: u32,
        attribute: usize,
        rows: &'c Histogram,
    ) -> Option<Counted<'c, 't>> {
        if !self.task.attributes[attribute].known || self.task.has_subjects() {
            return None;
        }
        let uncounted = |span| Uncounted { span, counts: OnceLock::new(), safe: OnceLock::new() };
        let spans = self.smallest_first(node).into_iter().map(uncounted).collect();
        Some(Counted { grower: self, attribute, node, rows, spans })
    }

    fn counted_span<'h>(
        &self,
        node: u32,
        span: &Span,
        attribute: usize,
        rows: &'h Histogram,
    ) -> CountedSpan<'h, 't> {
        let told = self.told_now(span);
        let column = self.task.attributes[attribute].column;
        let by_told = told.iter().map(|(_, told)| {
            let of = Of::DistinguishedAttribute(told.number);
            self.watch.memo.counts_by(span.stamp, attribute, of, || {
                let rows = self.spans.rows(&self.by_leaf, span);
                Histogram::by_label(self.task, column, rows, told.values(), |row| told.value(row))
            })
        });
        let by_told = by_told.collect();
        let by_class = self.span_histogram(node, span, attribute, rows);
        CountedSpan { by_class, by_told, told, single_bin: self.is_single(span, 1) }
    }

    /// The safe thresholds; none where they can only be checked one by one. `rows` are the attribute's counts at the
    /// node.
    pub(crate) fn safe_cuts(&self, node: u32, attribute: usize, rows: &Histogram) -> Option<SafeCuts> {
        // What depends on the whole tree is not seen by a sweep over one span.
        if self.task.careful {
            return None;
        }
        if self.watch.idle {
            return Some(SafeCuts { spans: Vec::new() });
        }
        if !self.task.attributes[attribute].known {
            return (!self.watch.minds_private(attribute)).then(|| SafeCuts { spans: Vec::new() });
        }
        self.counted(node, attribute, rows)?.cuts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_safe_for_all_spans() {
        let one = (vec![2, 5, 9], vec![true, false, true, true]);
        let cuts = SafeCuts { spans: vec![one.clone()] };
        assert_eq!([1, 2, 4, 5, 8, 9].map(|code| cuts.behind(code)), [true, false, false, true, true, true]);
        let both = SafeCuts { spans: vec![one, (vec![4], vec![false, true])] };
        assert_eq!([1, 2, 3, 4, 5].map(|code| both.behind(code)), [false, false, false, false, true]);
        let pairs = [(2, 5), (2, 6), (5, 9), (9, 20), (1, 2), (1, 3)];
        assert_eq!(
            pairs.map(|(low, high)| cuts.alike_between(low, high)),
            [true, false, true, true, true, false]
        );
        assert!(!both.alike_between(2, 5) && both.alike_between(5, 9));
        assert!(SafeCuts { spans: Vec::new() }.behind(3));
    }
}
