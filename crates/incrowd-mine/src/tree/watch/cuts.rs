//! Which thresholds of an attribute break nothing: all of them at once, by one sweep over each span.

use crate::tree::gain::Counts;
use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;
use crate::tree::spans::Span;
use crate::tree::split::Split;
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// Spans with more individuals than this together are counted in parallel.
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

/// The counts of an attribute among the individuals of each span of a node, and whether the span has a single bin.
pub(crate) struct Counted<'h> {
    attribute: usize,
    spans: Vec<(SpanCounts<'h>, bool)>,
}

impl Grower<'_> {
    /// Counts a public attribute span by span; none where counts do not decide whether a split is safe. `rows` are the
    /// attribute's counts at the node.
    pub(crate) fn counted<'h>(
        &self,
        node: u32,
        attribute: usize,
        rows: &'h Histogram,
    ) -> Option<Counted<'h>> {
        if !self.task.attributes[attribute].known || !self.watch.is_plain() {
            return None;
        }
        let spans: Vec<&Span> = self.spans.of(node).collect();
        let people: u64 = spans.iter().map(|span| u64::from(span.people())).sum();
        let count =
            |span: &&Span| (self.span_histogram(node, span, attribute, rows), self.is_single(span, 1));
        let spans = if people > PARALLEL {
            spans.par_iter().map(count).collect()
        } else {
            spans.iter().map(count).collect()
        };
        Some(Counted { attribute, spans })
    }

    /// Whether a split of the counted attribute leaves a part of a span that breaks the guarantee.
    pub(crate) fn divides_badly(&self, counted: &Counted<'_>, split: &Split) -> bool {
        counted.spans.iter().any(|(counts, single)| {
            let parts = counts.by_branch(&split.branch_of_code, split.branches);
            let parts = Counts { all: &parts, classes: self.task.class.count };
            parts.branches().any(|by_class| !self.watch.holds_by_class(by_class, *single))
        })
    }

    /// The safe thresholds; none where they can only be checked one by one. `rows` are the attribute's counts at the
    /// node.
    pub(crate) fn safe_cuts(&self, node: u32, attribute: usize, rows: &Histogram) -> Option<SafeCuts> {
        if self.watch.idle {
            return Some(SafeCuts { spans: Vec::new() });
        }
        if !self.task.attributes[attribute].known {
            return (!self.watch.minds_private(attribute)).then(|| SafeCuts { spans: Vec::new() });
        }
        self.safe_cuts_of(&self.counted(node, attribute, rows)?)
    }

    /// The safe thresholds of a counted attribute.
    pub(crate) fn safe_cuts_of(&self, counted: &Counted<'_>) -> Option<SafeCuts> {
        let missing = self.task.attributes[counted.attribute].column.missing_code();
        // Where missing values go depends on the threshold, so a sweep does not do.
        if counted.spans.iter().any(|(counts, _)| counts.codes().last() == Some(&missing)) {
            return None;
        }
        let sweep = |(counts, single): &(SpanCounts<'_>, bool)| {
            (counts.codes().to_vec(), self.sweep(counts, *single))
        };
        Some(SafeCuts { spans: counted.spans.iter().map(sweep).collect() })
    }

    /// Whether a span may be cut before each of its codes, and behind the last.
    fn sweep(&self, counted: &Histogram, single_bin: bool) -> Vec<bool> {
        let mut below = vec![0; self.task.class.count];
        let mut above = below.clone();
        counted.iter().for_each(|(_, counts)| above.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n));
        let mut safe = vec![true];
        for (_, counts) in counted.iter() {
            for ((below, above), n) in below.iter_mut().zip(&mut above).zip(counts) {
                *below += n;
                *above -= n;
            }
            let holds = |part: &[u64]| self.watch.holds_by_class(part, single_bin);
            safe.push(holds(&below) && holds(&above));
        }
        safe
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
