//! What trees test: attributes of the table, and what cells define. Each is a column of at most 256 bins.

use crate::tree::split::threshold_between;
use crate::tree::task::{Attribute, AttributeTests, Numbers};
use incrowd_core::model::{CellTree, CellValue, Domain, ModelAttribute};
use incrowd_core::table::Table;
use incrowd_core::taxonomy::short_decimal_between;
use std::sync::Arc;

/// The most bins of a feature without the one of missing values and the one of all other values.
const MOST: usize = 254;

/// A column that trees may test.
#[derive(Clone)]
pub(crate) struct Feature {
    /// What the release states about it.
    pub(crate) model: ModelAttribute,
    /// The bin of each row.
    pub(crate) bins: Arc<Vec<u8>>,
    /// The number of bins.
    pub(crate) count: usize,
    pub(crate) kind: FeatureKind,
}

/// How the bins of a feature are divided by a test.
#[derive(Clone)]
pub(crate) enum FeatureKind {
    /// By a threshold: that behind each bin but the last. Missing values have the bin after those of numbers.
    Numbers { thresholds: Vec<f64>, missing: Option<u8> },
    /// By a set of bins: for each name of the domain its bin; the bin of all other values, and that of missing ones.
    Names { bin_of_name: Vec<u8>, others: Option<u8>, missing: Option<u8> },
}

impl Feature {
    /// An attribute. Private names of few individuals are one bin, thresholds of private numbers have enough individuals
    /// on each side.
    pub(crate) fn of_attribute(attribute: &Attribute<'_>, table: &Table) -> Self {
        let missing = attribute.model.missing;
        match &attribute.kind {
            AttributeTests::Numbers(numbers) => of_numbers(attribute, numbers, table, missing),
            AttributeTests::Names(_) => of_names(attribute, table, missing),
        }
    }

    /// What cells define of one of their attributes, given the cell of each row.
    pub(crate) fn of_cells(cells: &CellTree, place: usize, cell_of_row: &[u32]) -> Self {
        let model = cells.attributes()[place].clone();
        let own: Vec<CellValue> = cells.values().iter().map(|values| values[place]).collect();
        let (kind, bin_of_cell) = match &model.domain {
            Domain::Values(names) => {
                let bin_of_name: Vec<u8> = (0..names.len()).map(|name| name.min(255) as u8).collect();
                let bin = |value: &CellValue| match value {
                    CellValue::Name(name) => bin_of_name[*name as usize],
                    CellValue::Number(_) => 0,
                };
                let bins: Vec<u8> = own.iter().map(bin).collect();
                (FeatureKind::Names { bin_of_name, others: None, missing: None }, bins)
            }
            Domain::Numbers { .. } => {
                let number = |value: &CellValue| match value {
                    CellValue::Number(number) => *number,
                    CellValue::Name(_) => 0.0,
                };
                let numbers: Vec<f64> = own.iter().map(number).collect();
                let thresholds = between(&numbers);
                let bin = |number: &f64| thresholds.partition_point(|t| t < number) as u8;
                let bins = numbers.iter().map(bin).collect();
                (FeatureKind::Numbers { thresholds, missing: None }, bins)
            }
        };
        let bins = cell_of_row.iter().map(|&cell| bin_of_cell[cell as usize]).collect();
        let count = kind.count();
        Self { model, bins: Arc::new(bins), count, kind }
    }

    /// The bins of some rows.
    pub(crate) fn select(&self, rows: &[u32]) -> Arc<Vec<u8>> {
        Arc::new(rows.iter().map(|&row| self.bins[row as usize]).collect())
    }
}

impl FeatureKind {
    fn count(&self) -> usize {
        match self {
            Self::Numbers { thresholds, missing } => thresholds.len() + 1 + usize::from(missing.is_some()),
            Self::Names { bin_of_name, others, missing } => {
                let bins = bin_of_name.iter().chain(others).chain(missing);
                bins.max().map_or(0, |&last| last as usize + 1)
            }
        }
    }
}

/// Short decimals between neighbouring numbers, at most as many as there may be thresholds.
fn between(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let all: Vec<f64> = sorted
        .windows(2)
        .map(|pair| short_decimal_between(pair[0], pair[1]))
        .filter(|t| t.is_finite())
        .collect();
    let step = all.len().div_ceil(MOST).max(1);
    let mut chosen: Vec<f64> = all.into_iter().step_by(step).collect();
    chosen.dedup();
    chosen
}

fn of_numbers(attribute: &Attribute<'_>, numbers: &Numbers, table: &Table, can_be_missing: bool) -> Feature {
    let thresholds = thresholds(attribute, numbers, table);
    let missing = can_be_missing.then_some(thresholds.len() as u8 + 1);
    let all = attribute.column.values().numbers().unwrap_or(&[]);
    let mut bin_of_code: Vec<u8> =
        all.iter().map(|number| thresholds.partition_point(|t| t < number) as u8).collect();
    bin_of_code.push(missing.unwrap_or(0));
    let bins = attribute.column.codes().iter().map(|code| bin_of_code[code as usize]).collect();
    let kind = FeatureKind::Numbers { thresholds, missing };
    Feature { model: attribute.model.clone(), bins: Arc::new(bins), count: kind.count(), kind }
}

/// Thresholds between neighbouring numbers, none of which is the number of an individual: all of them if they are few,
/// else some with about equally many rows in between.
fn thresholds(attribute: &Attribute<'_>, numbers: &Numbers, table: &Table) -> Vec<f64> {
    let mut weight_of_code = vec![0_u64; attribute.column.code_count()];
    for (row, code) in attribute.column.codes().iter().enumerate() {
        weight_of_code[code as usize] += u64::from(table.weight(row));
    }
    let threshold = |rank: usize| {
        let found = threshold_between(&numbers.values, rank, rank + 1, numbers.dates)?;
        numbers.may_cut(found).then_some(found)
    };
    // Where rows are, as far as each rank.
    let mut seen = 0;
    let ranks = 0..numbers.values.len().saturating_sub(1);
    let all: Vec<(u64, usize)> = ranks
        .filter_map(|rank| {
            seen += weight_of_code[numbers.codes[rank] as usize];
            numbers.may_cut_behind(numbers.values[rank]).then_some((seen, rank))
        })
        .collect();
    if all.len() <= MOST {
        return all.into_iter().filter_map(|(_, rank)| threshold(rank)).collect();
    }
    let total = seen.max(1);
    let mut chosen: Vec<f64> = Vec::with_capacity(MOST);
    for (seen, rank) in all {
        let due = (u128::from(seen) * (MOST as u128 + 1) / u128::from(total)) as usize;
        // A decimal between two numbers takes time to find, and few are needed.
        if due > chosen.len() && chosen.len() < MOST {
            chosen.extend(threshold(rank));
        }
    }
    chosen
}

/// Names by frequency: each of the most frequent has its bin, in the order of the domain.
fn of_names(attribute: &Attribute<'_>, table: &Table, can_be_missing: bool) -> Feature {
    let column = attribute.column;
    let mut weight_of_code = vec![0_u64; column.code_count()];
    for (row, code) in column.codes().iter().enumerate() {
        weight_of_code[code as usize] += u64::from(table.weight(row));
    }
    let values = column.values().len();
    let mut own: Vec<usize> = (0..values).filter(|&code| !attribute.is_rare(code)).collect();
    own.sort_by_key(|&code| (std::cmp::Reverse(weight_of_code[code]), code));
    own.truncate(MOST);
    own.sort_unstable();
    let Domain::Values(names) = &attribute.model.domain else {
        return of_nothing(attribute);
    };
    let needs_others = own.len() < names.len();
    let others = needs_others.then_some(own.len() as u8);
    let missing = can_be_missing.then_some(own.len() as u8 + u8::from(needs_others));
    let mut bin_of_code = vec![others.unwrap_or(0); values + 1];
    own.iter().enumerate().for_each(|(bin, &code)| bin_of_code[code] = bin as u8);
    bin_of_code[values] = missing.unwrap_or(0);
    let printed: Vec<String> = own.iter().map(|&code| names[code].clone()).collect();
    let bin_of_name = (0..own.len()).map(|bin| bin as u8).collect();
    let model = ModelAttribute { domain: Domain::Values(printed), ..attribute.model.clone() };
    let bins = column.codes().iter().map(|code| bin_of_code[code as usize]).collect();
    let kind = FeatureKind::Names { bin_of_name, others, missing };
    Feature { model, bins: Arc::new(bins), count: kind.count(), kind }
}

/// A feature that cannot be divided.
fn of_nothing(attribute: &Attribute<'_>) -> Feature {
    let kind = FeatureKind::Numbers { thresholds: Vec::new(), missing: None };
    Feature {
        model: attribute.model.clone(),
        bins: Arc::new(vec![0; attribute.column.len()]),
        count: 1,
        kind,
    }
}

#[cfg(test)]
impl Feature {
    /// A column of whole numbers from 0, with thresholds between all of them.
    pub(crate) fn of_test(column: &incrowd_core::table::Column) -> Self {
        let numbers = column.values().numbers().unwrap_or(&[]);
        let bin = |code: u32| numbers[code as usize] as u8;
        let bins: Vec<u8> = column.codes().iter().map(bin).collect();
        let highest = bins.iter().copied().max().unwrap_or(0);
        let kind = FeatureKind::Numbers {
            thresholds: (0..highest).map(|bin| f64::from(bin) + 0.5).collect(),
            missing: None,
        };
        let model = ModelAttribute::numeric(column.name());
        Self { model, bins: Arc::new(bins), count: kind.count(), kind }
    }
}
