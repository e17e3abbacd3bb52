//! Public splits where individuals have several rows: an individual may be in several parts of a span, so the counts of
//! codes do not add up to individuals.
//!
//! The number of rows settles most questions: a part with fewer rows than k has fewer individuals, and one with many
//! more rows has at least k. For what is left, the cells that each individual of the span is in (a code together with a
//! private value) are listed once, and every split is decided by this list.

use super::memo::Of;
use super::people::{FewestOf, Held};
use super::told::DistinguishedAttribute;
use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;
use crate::tree::spans::Span;
use crate::tree::split::Split;
use incrowd_core::table::People;
use std::sync::Arc;

/// The most rows of any individual.
pub(super) fn most_rows(people: &People) -> u64 {
    let People::Subjects { of_row, count } = people else { return 1 };
    let mut rows = vec![0_u64; *count as usize];
    of_row.iter().for_each(|&individual| rows[individual as usize] += 1);
    rows.into_iter().max().unwrap_or(1)
}

impl<'t> Grower<'t> {
    /// Whether a split leaves a small bin, or a part of a span that breaks the guarantee.
    pub(super) fn divides_rows_badly(&self, node: u32, split: &Split, rows: &Histogram) -> bool {
        self.makes_small_bin(node, split, rows)
            || self
                .smallest_first(node)
                .into_iter()
                .any(|span| self.divides_span_badly(node, span, split, rows))
    }

    fn divides_span_badly(&self, node: u32, span: &Span, split: &Split, rows: &Histogram) -> bool {
        let now = self.told_now(span);
        let looks_at_values = self.watch.class.is_some() || !now.is_empty();
        if let Some(is_broken) = self.by_rows_alone(node, span, split, rows, looks_at_values) {
            return is_broken;
        }
        let everyone = self.parts_of(span, split, Of::All, 1, |_| 0);
        let class = self.watch.class.iter().map(|class| (Of::Class, class));
        let told: Vec<(&DistinguishedAttribute<'t>, Vec<u64>)> = class
            .chain(now.iter().map(|(_, told)| (Of::DistinguishedAttribute(told.number), &**told)))
            .map(|(of, told)| (told, self.parts_of(span, split, of, told.values(), |row| told.value(row))))
            .collect();
        let single_bin = self.is_single(span, 1);
        everyone.into_iter().enumerate().filter(|&(_, population)| population > 0).any(
            |(branch, population)| {
                let part_of = |values: usize| branch * values..(branch + 1) * values;
                let told = told.iter().map(|(told, parts)| (*told, &parts[part_of(told.values())]));
                self.watch.broken(population, single_bin, told).is_some()
            },
        )
    }

    /// The individuals of a span in each branch with each value, branch by branch.
    pub(super) fn parts_of(
        &self,
        span: &Span,
        split: &Split,
        of: Of,
        values: usize,
        value: impl Fn(u32) -> u32,
    ) -> Vec<u64> {
        let held = self.held(span, split.attribute, of, values, value);
        let label = |cell: u64| {
            let (code, value) = (cell / values as u64, cell % values as u64);
            split.branch_of_code[code as usize] as usize * values + value as usize
        };
        held.by(split.branches as usize * values, label)
    }

    /// The cells of a span's individuals: the code of an attribute, and something else that has so many values.
    pub(super) fn held(
        &self,
        span: &Span,
        attribute: usize,
        of: Of,
        values: usize,
        value: impl Fn(u32) -> u32,
    ) -> Arc<Held> {
        let column = self.task.attributes[attribute].column;
        let list = || {
            let cell =
                |row: u32| u64::from(column.code(row as usize)) * values as u64 + u64::from(value(row));
            Held::new(self.task, self.spans.rows(&self.by_leaf, span), cell)
        };
        self.watch.memo.held(span.stamp, attribute, of, list)
    }

    /// Whether a split breaks the k of a span, where the numbers of rows tell; never that it breaks nothing where
    /// values are looked at as well.
    fn by_rows_alone(
        &self,
        node: u32,
        span: &Span,
        split: &Split,
        rows: &Histogram,
        looks_at_values: bool,
    ) -> Option<bool> {
        let counts = self.span_histogram(node, span, split.attribute, rows);
        let parts = counts.by_branch(&split.branch_of_code, split.branches);
        let parts = parts.chunks_exact(self.task.class.count).map(|part| part.iter().sum::<u64>());
        let is_exempt = self.watch.single && self.is_single(span, 1);
        let k = self.task.guarantee.asked_k().filter(|_| !is_exempt).unwrap_or(0);
        let surplus = u64::from(span.people()) - self.population(span);
        let fewest = FewestOf { surplus, most_rows: self.watch.most_rows };
        let (mut is_broken, mut is_settled) = (false, !looks_at_values);
        for part in parts.filter(|&part| part > 0) {
            is_broken |= part < k;
            is_settled &= fewest.individuals(part) >= k;
        }
        if is_broken { Some(true) } else { is_settled.then_some(false) }
    }
}
