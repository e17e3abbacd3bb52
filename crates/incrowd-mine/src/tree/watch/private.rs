//! Private splits: the same individuals, other bins.

use super::check::CheckedNode;
use super::cuts::SpanCounts;
use super::memo::Of;
use super::people::Held;
use super::told::DistinguishedAttribute;
use crate::tree::reach::Reach;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::split::Split;
use hashbrown::HashMap;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

thread_local! {
    static VALUES: Scratch<u64> = const { Cell::new(Vec::new()) };
}

/// What is known of a node's spans for its splits by a private attribute.
#[derive(Default)]
pub(super) struct PrivateSpans<'c, 't> {
    /// The first spans, as many as have been looked at.
    spans: Vec<PrivateSpan<'c>>,
    /// Spans with the same tests of the attribute reveal the same about it: each list of tests has a number.
    lists: HashMap<&'c [u32], usize>,
    /// For each of these what a span would reveal behind the split that is asked about, if that is known yet.
    behind: Vec<OnceCell<Option<DistinguishedAttribute<'t>>>>,
}

/// What is known of a span for all splits.
struct PrivateSpan<'c> {
    population: u64,
    /// The tests of the attribute that its leaves are behind.
    tested: &'c [u32],
    /// The number of this list.
    list: usize,
    /// The attribute's codes among its individuals.
    codes: Option<SpanCodes<'c>>,
}

enum SpanCodes<'c> {
    Counts(SpanCounts<'c>),
    /// Where they have several rows.
    Held(Arc<Held>),
}

impl<'c, 't> PrivateSpans<'c, 't> {
    /// Whether a split makes a span break the guarantee.
    pub(super) fn is_broken_by(&mut self, node: &CheckedNode<'c, 't>, split: &Split) -> bool {
        let (grower, watch) = (node.grower, &node.grower.watch);
        let looked_at = watch.private[node.attribute];
        if !watch.single && !looked_at {
            return false;
        }
        let branches = if looked_at { 0..split.branches } else { 0..0 };
        let children: Vec<Reach> =
            branches.map(|branch| grower.reach_behind(node.node, split, branch)).collect();
        self.behind.clear();
        (0..node.spans.len()).any(|place| self.is_span_broken_by(node, place, split, &children))
    }

    fn is_span_broken_by(
        &mut self,
        node: &CheckedNode<'c, 't>,
        place: usize,
        split: &Split,
        children: &[Reach],
    ) -> bool {
        let (grower, watch, span) = (node.grower, &node.grower.watch, node.spans[place]);
        if place == self.spans.len() {
            let (tested, next) = (span.tested.of(node.attribute), self.lists.len());
            let list = *self.lists.entry(tested).or_insert(next);
            self.spans.push(PrivateSpan { population: grower.population(span), tested, list, codes: None });
        }
        let known = &mut self.spans[place];
        self.behind.resize_with(self.behind.len().max(known.list + 1), OnceCell::new);
        let behind = self.behind[known.list].get_or_init(|| {
            let looked_at = watch.private[node.attribute];
            looked_at.then(|| grower.told_of(node.attribute, known.tested, children)).flatten()
        });
        let single_bin = grower.is_single(span, split.branches as usize);
        let Some(told) = behind else {
            return watch.single && watch.broken(known.population, single_bin, None).is_some();
        };
        let codes = known.codes.get_or_insert_with(|| {
            if grower.task.has_subjects() {
                SpanCodes::Held(grower.held(span, node.attribute, (Of::All, 1), |_| 0))
            } else {
                SpanCodes::Counts(node.span_histogram(span))
            }
        });
        with_scratch(&VALUES, |values| {
            match codes {
                // Not known yet: what follows is done again once it is.
                SpanCodes::Counts(counts) if counts.size() == 0 => return false,
                SpanCodes::Counts(counts) => told.append_sum(counts, values),
                SpanCodes::Held(held) => told.append_among(held, values),
            }
            watch.broken(known.population, single_bin, Some((told, values.as_slice()))).is_some()
        })
    }
}
