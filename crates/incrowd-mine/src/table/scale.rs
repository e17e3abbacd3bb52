//! What a part shows of an attribute, and the loss of that.

use super::cell::{Cell, Holds, Interval};
use super::task::Attribute;
use incrowd_core::taxonomy::{Taxonomy, TaxonomyNode};

/// How much a cell loses, by the codes of its part: the loss metric, as `measures::loss` has it, times the weight of the
/// attribute, without making the cell.
pub(crate) struct Scale<'t> {
    pub(crate) attribute: &'t Attribute<'t>,
    /// Where each number or date is, as a share of the whole range; empty for names.
    position: Vec<f64>,
    missing: u32,
    domain: usize,
}

impl<'t> Scale<'t> {
    pub(crate) fn new(attribute: &'t Attribute<'t>) -> Self {
        let numbers = attribute.column.values().numbers().unwrap_or_default();
        let position = match &attribute.taxonomy {
            Some(taxonomy) if !attribute.is_date() => ranks(taxonomy, numbers),
            _ => within(attribute.range, numbers),
        };
        let (missing, domain) = (attribute.column.missing_code(), attribute.domain_size());
        Self { attribute, position, missing, domain }
    }

    /// The taxonomy, where divisions follow one: numbers do not.
    pub(crate) fn taxonomy(&self) -> Option<&'t Taxonomy> {
        self.attribute.taxonomy.as_ref().filter(|_| !self.attribute.is_numeric())
    }

    /// The loss of a cell over numbers from one code to another, where a missing one may come last.
    pub(crate) fn loss_between(&self, first: u32, last: u32) -> f64 {
        if first == self.missing {
            return 0.0;
        }
        let last = last.min(self.missing.saturating_sub(1)) as usize;
        self.weight() * (self.position[last] - self.position[first as usize]).clamp(0.0, 1.0)
    }

    /// The number of the interval that a number is in, of so many with equal widths; missing numbers have their own.
    pub(crate) fn interval_of(&self, code: u32, intervals: u32) -> u32 {
        let position = self.position.get(code as usize).map(|position| position * f64::from(intervals));
        position.map_or(intervals, |position| (position as u32).min(intervals - 1))
    }

    /// The loss of a cell of this many names without a taxonomy.
    pub(crate) fn loss_of_names(&self, count: usize) -> f64 {
        self.weight() * share_besides_one(count, self.domain)
    }

    /// The loss of a group of the taxonomy.
    pub(crate) fn loss_of_group(&self, taxonomy: &Taxonomy, node: TaxonomyNode) -> f64 {
        let share = share_besides_one(taxonomy.leaf_count(node), taxonomy.leaf_count(TaxonomyNode::ROOT));
        self.weight() * share
    }

    fn weight(&self) -> f64 {
        self.attribute.weight
    }

    /// The loss of the cell over some codes, ascending.
    pub(crate) fn loss(&self, codes: &[u32]) -> f64 {
        let [first, .., last] = codes else { return 0.0 };
        if self.attribute.is_numeric() {
            // A missing value behind the numbers does not widen their interval.
            let missing = *last == self.attribute.column.missing_code();
            return self.loss_between(*first, if missing { codes[codes.len() - 2] } else { *last });
        }
        match self.taxonomy() {
            Some(taxonomy) => {
                let cover = taxonomy.cover(codes.iter().copied());
                cover.map_or(self.weight(), |node| self.loss_of_group(taxonomy, node))
            }
            None => self.loss_of_names(codes.len()),
        }
    }

    /// The cell over some codes, ascending.
    pub(crate) fn cell(&self, codes: &[u32]) -> Cell {
        if let [only] = codes {
            return Cell::Value(*only);
        }
        if self.attribute.is_numeric() {
            return self.interval(codes);
        }
        match self.taxonomy().and_then(|taxonomy| taxonomy.cover(codes.iter().copied())) {
            Some(node) => Cell::Group(node),
            None if codes.len() == self.attribute.column.code_count() => Cell::Any,
            None => Cell::OneOf(codes.to_vec()),
        }
    }

    fn interval(&self, codes: &[u32]) -> Cell {
        let mut numbers = codes.iter().filter_map(|&code| self.attribute.number(code));
        let low = numbers.next();
        let high = numbers.next_back().or(low);
        let or_missing = codes.last() == Some(&self.attribute.column.missing_code());
        Cell::Interval(Interval { low, high, holds: Holds::Both, or_missing })
    }
}

/// The place of numbers among the leaves of their taxonomy.
fn ranks(taxonomy: &Taxonomy, numbers: &[f64]) -> Vec<f64> {
    let mut leaves: Vec<f64> = taxonomy
        .leaves(TaxonomyNode::ROOT)
        .iter()
        .filter_map(|&leaf| taxonomy.label(leaf).parse().ok())
        .collect();
    leaves.sort_unstable_by(f64::total_cmp);
    let most = taxonomy.leaf_count(TaxonomyNode::ROOT).saturating_sub(1).max(1) as f64;
    numbers.iter().map(|number| leaves.partition_point(|leaf| leaf < number) as f64 / most).collect()
}

fn within((low, high): (f64, f64), numbers: &[f64]) -> Vec<f64> {
    let share = |number: &f64| if high > low { (number.clamp(low, high) - low) / (high - low) } else { 0.0 };
    numbers.iter().map(share).collect()
}

fn share_besides_one(some: usize, all: usize) -> f64 {
    if all <= 1 { 0.0 } else { some.saturating_sub(1) as f64 / (all - 1) as f64 }
}
