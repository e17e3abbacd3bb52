//! Public splits where individuals have several rows: an individual may be in several parts of a span, so the counts of
//! codes do not add up to individuals.
//!
//! The number of rows settles most questions: a part with fewer rows than k has fewer individuals, and one with many
//! more rows has at least k. For what is left, the cells that each individual of the span is in (a code together with a
//! private value) are listed once, and every split is decided by this list.

use super::Watch;
use super::check::CheckedNode;
use super::cuts::SpanCounts;
use super::memo::{Of, ToldOf};
use super::people::{FewestOf, Held};
use super::told::DistinguishedAttribute;
use crate::tree::grower::Grower;
use crate::tree::histogram::with_branches;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::spans::Span;
use crate::tree::split::Split;
use incrowd_core::table::People;
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static PARTS: Scratch<u64> = const { Cell::new(Vec::new()) };
}

/// The most rows of any individual.
pub(super) fn most_rows(people: &People) -> u64 {
    let People::Subjects { of_row, count } = people else { return 1 };
    let mut rows = vec![0_u64; *count as usize];
    of_row.iter().for_each(|&individual| rows[individual as usize] += 1);
    rows.into_iter().max().unwrap_or(1)
}

/// What is known of a node's spans for its splits by a public attribute: the first ones, as many as have been looked
/// at.
#[derive(Default)]
pub(super) struct SeveralSpans<'c, 't>(Vec<SeveralSpan<'c, 't>>);

/// What is known of a span for all splits.
struct SeveralSpan<'c, 't> {
    rows: SpanCounts<'c>,
    told: Arc<ToldOf<'t>>,
    single_bin: bool,
    /// The individuals that are required; 0 where none are.
    k: u64,
    fewest: FewestOf,
    /// The cells of its individuals: codes alone, with the class if it is looked at, and with the values of each
    /// private attribute that the span distinguishes. Listed when they are needed.
    held: Vec<Arc<Held>>,
}

impl<'c, 't> SeveralSpans<'c, 't> {
    /// Whether a split leaves a part of a span that breaks the guarantee.
    pub(super) fn is_broken_by(&mut self, node: &CheckedNode<'c, 't>, split: &Split) -> bool {
        let watch = &node.grower.watch;
        node.spans.iter().enumerate().any(|(place, span)| {
            if place == self.0.len() {
                self.0.push(SeveralSpan::new(node, span));
            }
            let known = &mut self.0[place];
            if let Some(is_broken) = known.by_rows_alone(watch, split) {
                return is_broken;
            }
            if known.held.is_empty() {
                known.held = known.list(node.grower, span, node.attribute);
            }
            known.is_broken_by(watch, split)
        })
    }
}

impl<'c, 't> SeveralSpan<'c, 't> {
    fn new(node: &CheckedNode<'c, 't>, span: &Span) -> Self {
        let (grower, watch) = (node.grower, &node.grower.watch);
        let single_bin = grower.is_single(span, 1);
        let is_exempt = watch.single && single_bin;
        let k = grower.task.guarantee.asked_k().filter(|_| !is_exempt).unwrap_or(0);
        let surplus = u64::from(span.people()) - grower.population(span);
        let fewest = FewestOf { surplus, most_rows: watch.most_rows };
        let (rows, told) = (node.span_histogram(span), grower.told_now(span));
        Self { rows, told, single_bin, k, fewest, held: Vec::new() }
    }

    /// Whether a split breaks the k of the span, where the numbers of rows tell; never that it breaks nothing where
    /// values are looked at as well.
    fn by_rows_alone(&self, watch: &Watch<'_>, split: &Split) -> Option<bool> {
        let looks_at_values = watch.class.is_some() || !self.told.is_empty();
        let (mut is_broken, mut is_settled) = (false, !looks_at_values);
        with_branches(std::iter::once(&*self.rows), split, |parts| {
            let parts = parts.chunks_exact(self.rows.labels()).map(|part| part.iter().sum::<u64>());
            for part in parts.filter(|&part| part > 0) {
                is_broken |= part < self.k;
                is_settled &= self.fewest.individuals(part) >= self.k;
            }
        });
        if is_broken { Some(true) } else { is_settled.then_some(false) }
    }

    /// The attributes whose values are looked at.
    fn looked_at<'v>(
        &'v self,
        watch: &'v Watch<'t>,
    ) -> impl Iterator<Item = (Of, &'v DistinguishedAttribute<'t>)> {
        let class = watch.class.iter().map(|class| (Of::Class, class));
        class.chain(self.told.iter().map(|(_, told)| (Of::DistinguishedAttribute(told.number), &**told)))
    }

    fn list(&self, grower: &Grower<'t>, span: &Span, attribute: usize) -> Vec<Arc<Held>> {
        let everyone = grower.held(span, attribute, (Of::All, 1), |_| 0);
        let with = |(of, told): (Of, &DistinguishedAttribute<'t>)| {
            grower.held(span, attribute, (of, told.values()), |row| told.value(row))
        };
        std::iter::once(everyone).chain(self.looked_at(&grower.watch).map(with)).collect()
    }

    /// Whether a split leaves a part that breaks the guarantee, by the cells of all individuals.
    fn is_broken_by(&self, watch: &Watch<'t>, split: &Split) -> bool {
        let branches = split.branches as usize;
        let values = || self.looked_at(watch).map(|(_, told)| told.values());
        with_scratch(&PARTS, |parts| {
            for (held, values) in self.held.iter().zip(std::iter::once(1).chain(values())) {
                held.append_by_branch(split, values, parts);
            }
            let (everyone, by_value) = parts.split_at(branches);
            (0..branches).filter(|&branch| everyone[branch] > 0).any(|branch| {
                let mut rest = by_value;
                let told = self.looked_at(watch).map(|(_, told)| {
                    let of_all = rest.split_off(..branches * told.values()).unwrap_or_default();
                    (told, &of_all[branch * told.values()..][..told.values()])
                });
                watch.broken(everyone[branch], self.single_bin, told).is_some()
            })
        })
    }
}

impl Grower<'_> {
    /// The cells of a span's individuals: the code of an attribute, and something else, which has so many values.
    pub(super) fn held(
        &self,
        span: &Span,
        attribute: usize,
        (of, values): (Of, usize),
        value: impl Fn(u32) -> u32,
    ) -> Arc<Held> {
        let column = self.task.attributes[attribute].column;
        let list = || {
            let cell = |row: u32| (column.code(row as usize), value(row));
            let size = (column.code_count(), values);
            Held::new(self.task, self.spans.rows(&self.by_leaf, span), size, cell)
        };
        self.watch.memo.held(span.stamp, attribute, of, list)
    }
}
