//! The linking attack as the definitions state it: for every row its span, its bin, and what its span reveals.

use crate::table::{People, Table};
use std::collections::BTreeSet;

/// A bin, by whatever the model maps an individual to.
pub(super) type Bin = Vec<u32>;

/// A set of bins.
pub(super) type Bins = BTreeSet<Bin>;

/// Every row, as the attacker sees it.
pub(super) struct Linked {
    /// The span of each row.
    pub(super) spans: Vec<Bins>,
    /// Whether the span of each row has a single bin.
    pub(super) single_bin: Vec<bool>,
    /// The bin of each row.
    pub(super) bins: Vec<Bin>,
    /// The private attributes of the release.
    pub(super) attributes: Vec<Attribute>,
    /// For rules, for each row the smallest cell that it can be in and that follows from the supports, where a smallest
    /// bin is required.
    pub(super) cells: Option<Vec<u64>>,
    /// Whether what is published counts the different individuals of many bins together, as the supports of rules do.
    pub(super) overlapping: bool,
}

/// A private attribute.
pub(super) struct Attribute {
    pub(super) name: String,
    /// The private attributes it depends on: itself, or those a cluster depends on.
    pub(super) about: Vec<String>,
    pub(super) is_class: bool,
    pub(super) ordered: bool,
    /// What the span of each row reveals about it.
    pub(super) views: Vec<View>,
}

/// What a span reveals about an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct View {
    /// The bins that each distinguished value can lead to, by the order of the lowest value that it includes.
    pub(super) told: Vec<Bins>,
    /// The distinguished value of each value of the attribute.
    pub(super) of_value: Vec<usize>,
    /// Whether they can have other values, which no individual in the table has.
    pub(super) open: bool,
    /// Whether individuals of the span can have each distinguished value, as long as no population is known.
    pub(super) possible: Vec<bool>,
    /// The value that each row of the table is counted with.
    pub(super) of_row: Vec<usize>,
    /// What is counted.
    pub(super) counted: CountedValues,
    /// Whether the span distinguishes values.
    pub(super) tells: bool,
    /// Whether the attribute is measured in this span.
    pub(super) measured: bool,
    /// The bins that each possible value can lead to.
    pub(super) reach: Vec<Bins>,
}

/// The values that are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CountedValues {
    /// The number of them.
    pub(super) values: usize,
    /// Whether cells that differ can be the same value, so that those of the span are counted together.
    pub(super) blurred: bool,
}

impl CountedValues {
    /// Values that differ.
    pub(super) fn apart(values: usize) -> Self {
        Self { values, blurred: false }
    }
}

impl View {
    /// The values of the attribute that being in a bin leaves.
    pub(super) fn left_by(&self, bin: &Bin) -> BTreeSet<usize> {
        (0..self.of_value.len()).filter(|&value| self.told[self.of_value[value]].contains(bin)).collect()
    }

    /// The values that are not distinguished from this one.
    pub(super) fn values_of(&self, told: usize) -> BTreeSet<usize> {
        (0..self.of_value.len()).filter(|&value| self.of_value[value] == told).collect()
    }
}

impl Linked {
    /// The rows of each non-empty span, in the order of their first rows.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (row, span) in self.spans.iter().enumerate() {
            match groups.iter_mut().find(|group| self.spans[group[0]] == *span) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        groups
    }
}

impl Linked {
    /// Some rows of one span, divided into those for whom every bin reveals the same.
    pub(super) fn parts(&self, rows: &[usize]) -> Vec<Vec<usize>> {
        let alike = |a: usize, b: usize| {
            self.attributes.iter().all(|attribute| attribute.views[a].reach == attribute.views[b].reach)
        };
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for &row in rows {
            match parts.iter_mut().find(|part| alike(part[0], row)) {
                Some(part) => part.push(row),
                None => parts.push(vec![row]),
            }
        }
        parts
    }
}

/// The number of individuals of the chosen rows.
pub(super) fn individuals(table: &Table, chosen: impl Fn(usize) -> bool) -> u64 {
    let rows = (0..table.rows()).filter(|&row| chosen(row));
    match table.people() {
        People::Subjects { of_row, .. } => rows.map(|row| of_row[row]).collect::<BTreeSet<_>>().len() as u64,
        People::Rows | People::Weights(_) => rows.map(|row| u64::from(table.weight(row))).sum(),
    }
}
