//! The branches of a tree as cells: what they state about an individual who takes them.

use super::cell::{Cell, Holds, Interval};
use incrowd_core::model::{Domain, Node, Split, Test, Tree};
use incrowd_core::printed::OTHER_VALUES;
use incrowd_core::recoding::name_in_set;
use incrowd_core::table::{Column, Date, Kind};
use incrowd_core::taxonomy::{ANY, MISSING, Taxonomy};
use std::collections::HashMap;

/// Everything each attribute of the tree can be.
pub(super) fn everything(tree: &Tree) -> Vec<RemainingValues> {
    tree.attributes().iter().map(|attribute| RemainingValues::everything(&attribute.domain)).collect()
}

/// What the way to each node leaves of the tree's attributes.
pub(super) fn left_of_nodes(tree: &Tree) -> Vec<Vec<RemainingValues>> {
    let mut of_node = vec![everything(tree); tree.nodes().len()];
    for (node, told) in tree.nodes().iter().enumerate() {
        let Node::Test(test) = told else { continue };
        for (branch, &child) in (0..).zip(&test.children) {
            let mut left = of_node[node].clone();
            left[test.attribute].behind(test, branch);
            of_node[child as usize] = left;
        }
    }
    of_node
}

/// Where each name of a column is in a domain of the tree: behind the last one if the tree does not list it. Nothing for
/// numbers.
pub(super) fn places_of_codes(domain: &Domain, column: &Column) -> Vec<usize> {
    let Domain::Values(names) = domain else { return Vec::new() };
    let values = column.values();
    let place_of: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let place = |code: usize| place_of.get(values.text(code).as_ref()).copied().unwrap_or(names.len());
    (0..values.len()).map(place).collect()
}

/// What the tests on a way leave of an attribute's values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RemainingValues {
    /// Of names: whether each value of the domain is left, then whether any other value is, and last whether a missing
    /// one is.
    Names(Vec<bool>),
    /// Of numbers, and of dates as days: those above the first and up to the second, and whether a missing one is.
    Numbers(f64, f64, bool),
}

impl RemainingValues {
    fn everything(domain: &Domain) -> Self {
        match domain {
            Domain::Values(values) => Self::Names(vec![true; values.len() + 2]),
            Domain::Numbers { .. } => Self::Numbers(f64::NEG_INFINITY, f64::INFINITY, true),
        }
    }

    /// What is left behind a branch.
    pub(super) fn behind(&mut self, test: &Test, branch: u32) {
        match (self, &test.split) {
            (Self::Names(left), Split::Values(of_value)) => {
                let taken = of_value.iter().map(|own| own.or(test.otherwise));
                let taken = taken.chain([test.otherwise, test.missing_branch()]);
                left.iter_mut().zip(taken).for_each(|(left, taken)| *left &= taken == Some(branch));
            }
            (Self::Numbers(above, up_to, missing), Split::Thresholds(thresholds)) => {
                let branch = branch as usize;
                if let Some(&threshold) = branch.checked_sub(1).and_then(|before| thresholds.get(before)) {
                    *above = above.max(threshold);
                }
                if let Some(&threshold) = thresholds.get(branch) {
                    *up_to = up_to.min(threshold);
                }
                *missing &= test.missing_branch() == Some(branch as u32);
            }
            _ => {}
        }
    }

    /// As a cell of a column whose names are the first ones of the tree's domain, in their order.
    pub(super) fn cell(&self, column: &Column, taxonomy: Option<&Taxonomy>) -> Cell {
        self.cell_of_places(|code| code, column, taxonomy)
    }

    /// Whether no number is left, or no whole day between two bounds: only a missing value.
    pub(super) fn is_empty(&self, column: &Column) -> bool {
        match self {
            Self::Numbers(above, up_to, _) if column.is_in_days() => up_to.floor() <= above.floor(),
            Self::Numbers(above, up_to, _) => up_to <= above,
            Self::Names(_) => false,
        }
    }

    /// As a cell of a column, given where each of its names is in the tree's domain.
    pub(super) fn cell_of_places(
        &self,
        place: impl Fn(usize) -> usize,
        column: &Column,
        taxonomy: Option<&Taxonomy>,
    ) -> Cell {
        match self {
            Self::Numbers(above, up_to, missing) if column.kind() == Kind::Ordered => {
                let values = column.values();
                let is_left = |code: &u32| {
                    let days =
                        Date::parse(&values.text(*code as usize), None).map(|date| f64::from(date.days()));
                    days.is_some_and(|days| *above < days && days <= *up_to)
                };
                let missing = (*missing && column.has_missing()).then_some(column.missing_code());
                let codes = (0..column.missing_code()).filter(is_left).chain(missing).collect();
                one_of(codes, column, taxonomy)
            }
            Self::Numbers(_, _, true) if self.is_empty(column) => Cell::Value(column.missing_code()),
            Self::Numbers(above, up_to, missing) => {
                let bound = |bound: f64| bound.is_finite().then_some(bound);
                let (low, high) = (bound(*above), bound(*up_to));
                let or_missing = *missing && column.has_missing();
                match (low, high) {
                    (None, None) => Cell::Any,
                    _ => Cell::Interval(Interval { low, high, holds: Holds::High, or_missing }),
                }
            }
            Self::Names(left) if left.iter().all(|&left| left) => Cell::Any,
            Self::Names(left) => {
                let values = column.values().len() as u32;
                let missing = left[left.len() - 1] && column.has_missing();
                let codes: Vec<u32> = (0..values)
                    .filter(|&code| left[place(code as usize)])
                    .chain(missing.then_some(values))
                    .collect();
                one_of(codes, column, taxonomy)
            }
        }
    }
}

/// The cell of a private attribute of names in words. Names that the tree does not list must not be printed.
pub(super) fn listed_text(left: &[bool], names: &[String]) -> String {
    let mut texts: Vec<&str> =
        names.iter().zip(left).filter(|&(_, &left)| left).map(|(name, _)| name.as_str()).collect();
    texts.extend(left[names.len()].then_some(OTHER_VALUES));
    texts.extend(left[names.len() + 1].then_some(MISSING));
    match texts[..] {
        [only] => only.to_owned(),
        _ if left.iter().all(|&left| left) => ANY.to_owned(),
        _ => {
            let texts: Vec<_> = texts.iter().map(|text| name_in_set(text)).collect();
            format!("{{{}}}", texts.join(", "))
        }
    }
}

/// Some values by the shortest true name: a value, a group of the taxonomy, everything, or a list.
fn one_of(codes: Vec<u32>, column: &Column, taxonomy: Option<&Taxonomy>) -> Cell {
    if let [only] = codes[..] {
        return Cell::Value(only);
    }
    if codes.len() == column.code_count() {
        return Cell::Any;
    }
    let group = taxonomy.and_then(|taxonomy| {
        let cover = taxonomy.cover(codes.iter().copied())?;
        (taxonomy.codes_under(cover).count() == codes.len()).then_some(cover)
    });
    group.map_or(Cell::OneOf(codes), Cell::Group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_core::table::Date;

    /// Where tests leave no day, or no number, those who take the branch have a missing value.
    #[test]
    fn what_is_left_of_missing_values_alone_is_a_missing_value() {
        let days = Column::from_texts("d", &[Some("2020-01-01"), Some("2020-01-02"), None]);
        let days = days.with_dates(|text| Date::parse(text, None)).unwrap().in_days().unwrap();
        let first = days.values().numbers().unwrap()[0];
        let numbers = Column::from_numbers("n", &[Some(5.0), Some(7.0), None]).unwrap();
        let cell = |column: &Column, above: f64, up_to: f64| {
            RemainingValues::Numbers(above, up_to, true).cell(column, None)
        };
        assert_eq!(cell(&days, first + 0.25, first + 0.75), Cell::Value(2));
        assert_eq!(cell(&days, first, first), Cell::Value(2));
        assert!(matches!(cell(&days, first + 0.25, first + 1.0), Cell::Interval(_)));
        assert_eq!(cell(&numbers, 6.0, 6.0), Cell::Value(2));
        assert!(matches!(cell(&numbers, 6.0, 6.5), Cell::Interval(_)));
    }
}
