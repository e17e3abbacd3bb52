//! Which thresholds of an attribute break nothing: all of them at once, by one sweep over each span.

use super::Watch;
use super::check::CheckedNode;
use super::memo::{Of, ToldOf};
use crate::tree::grower::Grower;
use crate::tree::histogram::{Histogram, with_branches};
use crate::tree::known::Known;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::spans::{Place, Span};
use crate::tree::split::Split;
use rayon::prelude::*;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

thread_local! {
    static SIDES: Scratch<u64> = const { Cell::new(Vec::new()) };
}

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

/// The counts of a public attribute among the individuals of a node's spans, each counted when it is first needed: of
/// the first spans, as many as have been looked at. Most unsafe splits break one of them.
#[derive(Default)]
pub(super) struct CountedSpans<'c, 't>(Vec<CountedSpan<'c, 't>>);

/// The counts of an attribute among the individuals of a span.
struct CountedSpan<'h, 't> {
    by_class: SpanCounts<'h>,
    /// By the values of each private attribute that the span distinguishes.
    by_told: Vec<Arc<Histogram>>,
    told: Arc<ToldOf<'t>>,
    single_bin: bool,
    /// Whether it may be cut before each of its codes, and behind the last; empty until it is asked.
    safe: Vec<bool>,
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
    fn has_missing(&self, node: &CheckedNode<'_, '_>) -> bool {
        let column = node.grower.task.attributes[node.attribute].column;
        self.by_class.codes().last() == Some(&column.missing_code())
    }

    /// Whether a threshold behind a code leaves a part that breaks the guarantee, where no value is missing: one sweep
    /// decides about all thresholds.
    fn is_broken_at(&mut self, watch: &Watch<'t>, code: u32) -> bool {
        if self.safe.is_empty() {
            self.safe = self.sweep(watch);
        }
        !self.safe[self.by_class.codes().partition_point(|&other| other <= code)]
    }

    /// Whether the span may be cut before each of its codes, and behind the last.
    fn sweep(&self, watch: &Watch<'t>) -> Vec<bool> {
        let codes = self.by_class.codes().len();
        let mut safe = Vec::with_capacity(codes + 1);
        safe.push(true);
        with_scratch(&SIDES, |sides| {
            let labels = self.all().map(Histogram::labels).sum();
            sides.resize(labels, 0);
            self.all().for_each(|counts| counts.append_together(sides));
            let (below, above) = sides.split_at_mut(labels);
            for place in 0..codes {
                let counts = self.all().flat_map(|counts| counts.at(place));
                for ((below, above), n) in below.iter_mut().zip(&mut *above).zip(counts) {
                    *below += n;
                    *above -= n;
                }
                safe.push(self.may_be(watch, below) && self.may_be(watch, above));
            }
        });
        safe
    }

    /// Whether a part with these counts, by class and then by the values of each attribute, may be a span.
    fn may_be(&self, watch: &Watch<'t>, counts: &[u64]) -> bool {
        let mut rest = counts;
        let part = self.all().map(|counts| rest.split_off(..counts.labels()).unwrap_or_default());
        self.may_have(watch, part)
    }
}

impl<'c, 't> CountedSpans<'c, 't> {
    /// Whether a split leaves a part of a span that breaks the guarantee.
    pub(super) fn is_broken_by(&mut self, node: &CheckedNode<'c, 't>, split: &Split) -> bool {
        let watch = &node.grower.watch;
        (0..node.spans.len()).any(|place| self.counts(node, place).is_broken_by(watch, split))
    }

    /// The same for a split of numbers behind a code. Where missing values go depends on the threshold.
    pub(super) fn is_broken_behind(&mut self, node: &CheckedNode<'c, 't>, code: u32, split: &Split) -> bool {
        let watch = &node.grower.watch;
        (0..node.spans.len()).any(|place| {
            let counts = self.counts(node, place);
            if counts.has_missing(node) {
                counts.is_broken_by(watch, split)
            } else {
                counts.is_broken_at(watch, code)
            }
        })
    }

    /// The same where no value is missing.
    pub(super) fn is_broken_at(&mut self, node: &CheckedNode<'c, 't>, code: u32) -> bool {
        let watch = &node.grower.watch;
        (0..node.spans.len()).any(|place| self.counts(node, place).is_broken_at(watch, code))
    }

    fn counts(&mut self, node: &CheckedNode<'c, 't>, place: usize) -> &mut CountedSpan<'c, 't> {
        if place == self.0.len() {
            let span = node.spans[place];
            if u64::from(span.people()) > PARALLEL {
                // All others are as large.
                self.0.par_extend(node.spans[place..].par_iter().map(|span| node.counted(span)));
            } else {
                self.0.push(node.counted(span));
            }
        }
        &mut self.0[place]
    }

    /// The safe thresholds; none where they can only be checked one by one.
    fn cuts(mut self, node: &CheckedNode<'c, 't>) -> Option<SafeCuts> {
        if (0..node.spans.len()).any(|place| self.counts(node, place).has_missing(node)) {
            return None;
        }
        let watch = &node.grower.watch;
        let sweep = |span: &CountedSpan<'_, 't>| (span.by_class.codes().to_vec(), span.sweep(watch));
        let bins = watch.smallest_bin.map(|_| sweep_bins(watch, node.rows));
        Some(SafeCuts { spans: self.0.iter().map(sweep).chain(bins).collect() })
    }
}

/// Whether the bins of a node may be cut before each of its codes, and behind the last.
fn sweep_bins(watch: &Watch<'_>, counts: &Histogram) -> (Vec<u32>, Vec<bool>) {
    let (mut below, mut above) = (vec![0; counts.labels()], Vec::new());
    counts.append_together(&mut above);
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

impl<'c, 't> CheckedNode<'c, 't> {
    /// The counts of the attribute among a span's rows, by class where it matters; the node's own where these are the
    /// same.
    pub(super) fn span_histogram(&self, span: &Span) -> SpanCounts<'c> {
        let Self { grower, node, attribute, rows, .. } = *self;
        if matches!(&span.place, Place::ByLeaf(part) | Place::Counted(part) if *part == grower.node(node).rows)
        {
            return SpanCounts::Own(rows);
        }
        if let Some(known) = grower.task.known {
            let found = known.counts(span.place.part(), &grower.task.attributes[attribute]);
            return SpanCounts::Shared(
                found.unwrap_or_else(|| Arc::new(Histogram::empty(grower.task.class.count))),
            );
        }
        let column = grower.task.attributes[attribute].column;
        let count = || {
            let rows = grower.spans.rows(&grower.by_leaf, span);
            if grower.watch.class.is_some() {
                Histogram::of(grower.task, column, rows)
            } else {
                Histogram::by_label(grower.task, column, rows, 1, |_| 0)
            }
        };
        SpanCounts::Shared(grower.watch.memo.counts(span.stamp, attribute, count))
    }

    fn counted(&self, span: &Span) -> CountedSpan<'c, 't> {
        if let Some(known) = self.grower.task.known {
            return self.counted_remotely(known, span);
        }
        let (grower, attribute) = (self.grower, self.attribute);
        let told = grower.told_now(span);
        let column = grower.task.attributes[attribute].column;
        let by_told = told.iter().map(|(_, told)| {
            let of = Of::DistinguishedAttribute(told.number);
            grower.watch.memo.counts_by(span.stamp, attribute, of, || {
                let rows = grower.spans.rows(&grower.by_leaf, span);
                Histogram::by_label(grower.task, column, rows, told.values(), |row| told.value(row))
            })
        });
        let by_told = by_told.collect();
        let (by_class, single_bin) = (self.span_histogram(span), grower.is_single(span, 1));
        CountedSpan { by_class, by_told, told, single_bin, safe: Vec::new() }
    }
}

impl<'c, 't> CheckedNode<'c, 't> {
    /// The same where only counts are known. Where some of these are not known yet, the span is as if it had no
    /// individuals: what follows is done again once they are.
    fn counted_remotely(&self, known: &Known, span: &Span) -> CountedSpan<'c, 't> {
        let (grower, attribute) = (self.grower, &self.grower.task.attributes[self.attribute]);
        let (told, single_bin) = (grower.told_now(span), grower.is_single(span, 1));
        let by_told: Vec<Option<Arc<Histogram>>> = told
            .iter()
            .map(|(other, told)| {
                let other = &grower.task.attributes[*other];
                known.counts_by(span.place.part(), attribute, other, (told.of_code(), told.values()))
            })
            .collect();
        let mut by_class = self.span_histogram(span);
        let by_told: Option<Vec<Arc<Histogram>>> =
            by_told.into_iter().collect::<Option<_>>().filter(|_| by_class.size() > 0);
        let by_told = by_told.unwrap_or_else(|| {
            by_class = SpanCounts::Shared(Arc::new(Histogram::empty(by_class.labels())));
            told.iter().map(|(_, told)| Arc::new(Histogram::empty(told.values()))).collect()
        });
        CountedSpan { by_class, by_told, told, single_bin, safe: Vec::new() }
    }
}

impl Grower<'_> {
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
        if self.task.has_subjects() {
            return None;
        }
        let spans = self.smallest_first(node).into();
        CountedSpans::default().cuts(&CheckedNode { grower: self, node, attribute, rows, spans })
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
