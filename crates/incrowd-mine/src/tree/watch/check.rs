//! The check of a node's splits by one attribute: what does not depend on the split is looked up once, when it is first
//! needed.

use super::cuts::CountedSpans;
use super::people::Held;
use super::private::PrivateSpans;
use super::several::SeveralSpans;
use crate::tree::grower::Grower;
use crate::tree::histogram::{Histogram, with_branches};
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::spans::Span;
use crate::tree::split::Split;
use std::borrow::Cow;
use std::cell::Cell;

thread_local! {
    static BINS: Scratch<u64> = const { Cell::new(Vec::new()) };
}

/// Checks the splits of a node by one attribute.
pub(crate) struct SplitCheck<'c, 't> {
    node: CheckedNode<'c, 't>,
    known: KnownSpans<'c, 't>,
    /// The code and the class of each of the node's rows, where individuals have several. Listed when it is needed.
    bins: Option<Held>,
}

/// A node and an attribute that it may be split by.
pub(super) struct CheckedNode<'c, 't> {
    pub(super) grower: &'c Grower<'t>,
    pub(super) node: u32,
    pub(super) attribute: usize,
    /// The attribute's counts at the node.
    pub(super) rows: &'c Histogram,
    /// The spans of the node, the smallest first: a split breaks these most easily, and they take the least time.
    pub(super) spans: Cow<'c, [&'c Span]>,
}

/// What is known of the spans.
enum KnownSpans<'c, 't> {
    /// No split by the attribute can break anything.
    Unminded,
    /// Of a public attribute, where counts decide.
    Counted(CountedSpans<'c, 't>),
    /// Of a public attribute, where individuals have several rows.
    Several(SeveralSpans<'c, 't>),
    /// Of a private attribute.
    Private(PrivateSpans<'c, 't>),
}

impl<'t> Grower<'t> {
    /// The check of splits of a node by an attribute. `rows` are the attribute's counts at the node, `spans` its spans,
    /// the smallest first.
    pub(crate) fn check<'c>(
        &'c self,
        node: u32,
        attribute: usize,
        rows: &'c Histogram,
        spans: impl Into<Cow<'c, [&'c Span]>>,
    ) -> SplitCheck<'c, 't> {
        let known = self.task.attributes[attribute].known;
        let known = if self.watch.idle || (!known && !self.watch.minds_private(attribute)) {
            KnownSpans::Unminded
        } else if !known {
            KnownSpans::Private(PrivateSpans::default())
        } else if self.task.has_subjects() {
            KnownSpans::Several(SeveralSpans::default())
        } else {
            KnownSpans::Counted(CountedSpans::default())
        };
        let node = CheckedNode { grower: self, node, attribute, rows, spans: spans.into() };
        SplitCheck { node, known, bins: None }
    }

    /// Whether a split would break the guarantee, which holds before it. `rows` are the counts of the split's attribute
    /// at the node.
    pub(crate) fn would_breach(&self, node: u32, split: &Split, rows: &Histogram) -> bool {
        self.check(node, split.attribute, rows, self.smallest_first(node)).is_broken_by(split)
    }
}

impl SplitCheck<'_, '_> {
    /// Whether a split would break the guarantee, which holds before it.
    pub(crate) fn is_broken_by(&mut self, split: &Split) -> bool {
        self.node.has_small_bin(&mut self.bins, split)
            || match &mut self.known {
                KnownSpans::Unminded => false,
                KnownSpans::Counted(known) => known.is_broken_by(&self.node, split),
                KnownSpans::Several(known) => known.is_broken_by(&self.node, split),
                KnownSpans::Private(known) => known.is_broken_by(&self.node, split),
            }
            || self.node.is_carefully_broken_by(split)
    }

    /// The same for a split of numbers behind a code.
    pub(crate) fn is_broken_behind(&mut self, code: u32, split: &Split) -> bool {
        let KnownSpans::Counted(known) = &mut self.known else { return self.is_broken_by(split) };
        self.node.has_small_bin(&mut self.bins, split)
            || known.is_broken_behind(&self.node, code, split)
            || self.node.is_carefully_broken_by(split)
    }

    /// The same where the code alone decides; none where it does not.
    pub(crate) fn is_broken_at(&mut self, code: u32) -> Option<bool> {
        let CheckedNode { grower, attribute, .. } = self.node;
        let has_missing = grower.task.attributes[attribute].column.has_missing();
        match &mut self.known {
            KnownSpans::Counted(known)
                if !has_missing && !grower.task.careful && grower.watch.smallest_bin.is_none() =>
            {
                Some(known.is_broken_at(&self.node, code))
            }
            _ => None,
        }
    }
}

impl CheckedNode<'_, '_> {
    /// Whether a split leaves a bin of the node with too few individuals.
    fn has_small_bin(&self, bins: &mut Option<Held>, split: &Split) -> bool {
        let (task, watch) = (self.grower.task, &self.grower.watch);
        let Some(least) = watch.smallest_bin else { return false };
        // A bin has at most as many individuals as rows, and at least so many that each has the most rows.
        let (has_small, may_have) = with_branches(std::iter::once(self.rows), split, |bins| {
            (
                watch.has_small(bins),
                bins.iter().any(|&rows| 0 < rows && rows.div_ceil(watch.most_rows) < least),
            )
        });
        if has_small || !may_have {
            return has_small;
        }
        let (column, class) = (task.attributes[self.attribute].column, &task.class);
        let held = bins.get_or_insert_with(|| {
            let cell = |row: u32| (column.code(row as usize), class.column.code(row as usize));
            Held::new(task, self.grower.rows(self.node), (column.code_count(), class.count), cell)
        });
        with_scratch(&BINS, |bins| {
            held.append_by_branch(split, class.count, bins);
            watch.has_small(bins)
        })
    }
}
