//! How a released table differs from its source: distributions and correlations, for the owner.
//!
//! The values of private attributes are not listed, only how much their distribution has changed.

use super::distribution::{Bins, Cells, number};
use super::matched;
use crate::Result;
use crate::files::FileReader;
use crate::layout::Layout;
use crate::released::read_released;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::recoding::{AttributeLegend, Extent, NumberRange};
use incrowd_core::table::{Column, Kind, Table};
use incrowd_io::policy::PolicyFile;
use incrowd_io::release::TableRelease;
use incrowd_io::{Reading, TableRead};
use serde::Serialize;
use std::path::Path;

/// The most numeric attributes whose correlations are measured.
const CORRELATED: usize = 12;

/// How a released table differs from its source.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableChange {
    pub(super) rows_before: u64,
    pub(super) rows_after: u64,
    pub(super) columns: Vec<ColumnChange>,
    /// The strongest first.
    pub(super) correlations: Vec<Correlation>,
}

/// How a column of a released table differs from its source.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ColumnChange {
    pub(super) name: String,
    pub(super) role: Role,
    /// The share of the attribute's values that a cell covers besides one, on average.
    pub(super) width: f64,
    /// The share of rows that would have to change to restore the distribution over the bins.
    pub(super) distance: f64,
    /// The distribution; empty for a private attribute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bins: Vec<Bin>,
}

impl TableChange {
    pub(crate) fn rows_before(&self) -> u64 {
        self.rows_before
    }

    pub(crate) fn columns(&self) -> &[ColumnChange] {
        &self.columns
    }
}

impl ColumnChange {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    pub(crate) fn distance(&self) -> f64 {
        self.distance
    }

    /// Labels with the shares before and after.
    pub(crate) fn bins(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.bins.iter().map(|bin| (bin.label.as_str(), bin.before, bin.after))
    }
}

/// Some values of an attribute, and their shares.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Bin {
    pub(super) label: String,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// The correlation of two numeric attributes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Correlation {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// A released table as its readers understand it: public cells as they are written.
pub(crate) struct ReadRelease {
    pub(crate) read: TableRead,
    pub(crate) stated: Option<TableRelease>,
}

/// Reads a released table.
pub(crate) fn read_release_table(
    path: &Path,
    policy: &PolicyFile,
    reading: FileReader<'_>,
) -> Result<ReadRelease> {
    let Layout { mut plan, stated, .. } = Layout::of(path, &[], policy)?;
    for column in plan.columns.values_mut().filter(|column| column.reading == Reading::Exact) {
        column.reading = Reading::Verbatim;
    }
    let read = read_released(path, policy, &mut plan, reading)?;
    Ok(ReadRelease { read, stated })
}

/// Compares a released table with its source.
///
/// # Errors
/// When the table was not made from these data.
pub(crate) fn change(source: &Table, released: &ReadRelease, policy: &PolicyFile) -> Result<TableChange> {
    matched::check(source, released, &policy.policy)?;
    let mut columns = Vec::new();
    let mut axes = Vec::new();
    for attribute in &policy.policy.attributes {
        let both = source.column(&attribute.name).zip(released.read.table.column(&attribute.name));
        let Some((before, after)) = both else { continue };
        let cells = cells(after, attribute, before, released);
        let bins = Bins::new(source, before, &cells, is_date(attribute, before));
        columns.push(column_change(attribute, &bins, &cells, has_missing(source, before)));
        if axes.len() < CORRELATED && before.kind() == Kind::Numeric {
            axes.extend(NumericAxis::new(before, after, &cells, &bins));
        }
    }
    let rows = |table: &Table| (0..table.rows()).map(|row| u64::from(table.weight(row))).sum();
    Ok(TableChange {
        rows_before: rows(source),
        rows_after: rows(&released.read.table),
        columns,
        correlations: correlations(source, &axes),
    })
}

fn is_date(attribute: &Attribute, column: &Column) -> bool {
    attribute.kind == Some(Kind::Date) || column.is_in_days()
}

/// The rows of the source with a missing value.
fn has_missing(table: &Table, column: &Column) -> f64 {
    let missing = column.missing_code();
    let rows = column.codes().iter().enumerate().filter(|&(_, code)| code == missing);
    rows.map(|(row, _)| f64::from(table.weight(row))).sum()
}

/// What the cells of a released column cover.
fn cells(after: &Column, attribute: &Attribute, before: &Column, released: &ReadRelease) -> Cells {
    let legend = released.stated.iter().filter_map(|stated| stated.recoding.as_ref());
    let legend = legend.flat_map(|legend| &legend.attributes).find(|own| own.name == attribute.name);
    let kind = if is_date(attribute, before) { Kind::Date } else { before.kind() };
    let own = AttributeLegend::new(&attribute.name, kind, []);
    let legend = legend.unwrap_or(&own);
    let values = after.values();
    let extent = |code: usize| {
        if let Some(numbers) = values.numbers() {
            return Some(Extent::range(NumberRange::point(numbers[code])));
        }
        let text = values.text(code);
        let extent = legend.extent(text.trim()).unwrap_or_else(|| Extent::name(text.trim()));
        let is_missing = extent.missing && !extent.any && extent.names.is_empty() && extent.ranges.is_empty();
        (!is_missing).then_some(extent)
    };
    let mut rows = vec![0.0; values.len() + 1];
    after.codes().iter().for_each(|code| rows[code as usize] += 1.0);
    Cells { extents: (0..values.len()).map(extent).chain([None]).collect(), rows }
}

fn column_change(attribute: &Attribute, bins: &Bins, cells: &Cells, missing_before: f64) -> ColumnChange {
    let mut after = vec![0.0; bins.labels().len()];
    // What is missing, or is a value that the source does not have.
    let (mut missing, mut width, mut total) = (0.0, 0.0, 0.0);
    for (extent, &rows) in cells.extents.iter().zip(&cells.rows) {
        total += rows;
        match extent.as_ref().and_then(|extent| bins.spread(extent)) {
            Some((shares, wide)) => {
                after.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += share * rows);
                width += wide * rows;
            }
            None => missing += rows,
        }
    }
    let all_before: f64 = bins.before().iter().sum::<f64>() + missing_before;
    let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    let mut shown: Vec<Bin> = bins
        .labels()
        .iter()
        .zip(bins.before().iter().zip(&after))
        .map(|(label, (&before, &after))| Bin {
            label: label.clone(),
            before: share(before, all_before),
            after: share(after, total),
        })
        .collect();
    if missing_before > 0.0 || missing > 0.0 {
        let label = "missing or other".to_owned();
        shown.push(Bin { label, before: share(missing_before, all_before), after: share(missing, total) });
    }
    ColumnChange {
        name: attribute.name.clone(),
        role: attribute.role,
        width: share(width, total),
        distance: shown.iter().map(|bin| (bin.before - bin.after).abs()).sum::<f64>() / 2.0,
        bins: if attribute.role == Role::Public { shown } else { Vec::new() },
    }
}

/// The numbers of an attribute by row, before and after.
struct NumericAxis {
    name: String,
    before: Vec<Option<f64>>,
    after: Vec<Option<f64>>,
}

impl NumericAxis {
    fn new(before: &Column, after: &Column, cells: &Cells, bins: &Bins) -> Option<Self> {
        if !matches!(bins, Bins::Numbers(_)) {
            return None;
        }
        let middles: Vec<Option<f64>> =
            cells.extents.iter().map(|extent| extent.as_ref().and_then(|own| bins.middle(own))).collect();
        let missing = before.missing_code();
        let of_before = |code: u32| if code == missing { None } else { number(before, code as usize) };
        Some(Self {
            name: before.name().to_owned(),
            before: before.codes().iter().map(of_before).collect(),
            after: after.codes().iter().map(|code| middles[code as usize]).collect(),
        })
    }
}

fn correlations(source: &Table, axes: &[NumericAxis]) -> Vec<Correlation> {
    let mut all = Vec::new();
    for (place, first) in axes.iter().enumerate() {
        for second in &axes[place + 1..] {
            let before = pearson(&first.before, &second.before, |row| f64::from(source.weight(row)));
            let after = pearson(&first.after, &second.after, |_| 1.0);
            if let (Some(before), Some(after)) = (before, after) {
                let (first, second) = (first.name.clone(), second.name.clone());
                all.push(Correlation { first, second, before, after });
            }
        }
    }
    all.sort_by(|a, b| b.before.abs().total_cmp(&a.before.abs()));
    all
}

/// Pearson's correlation over the rows that have both numbers; none if one of them does not vary.
fn pearson(first: &[Option<f64>], second: &[Option<f64>], weight: impl Fn(usize) -> f64) -> Option<f64> {
    let pairs = || {
        let both = first.iter().zip(second).enumerate();
        both.filter_map(|(row, (a, b))| Some((weight(row), (*a)?, (*b)?)))
    };
    let total: f64 = pairs().map(|(weight, ..)| weight).sum();
    let mean_a = pairs().map(|(weight, a, _)| weight * a).sum::<f64>() / total;
    let mean_b = pairs().map(|(weight, _, b)| weight * b).sum::<f64>() / total;
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (weight, a, b) in pairs() {
        let (a, b) = (a - mean_a, b - mean_b);
        (ab, aa, bb) = (ab + weight * a * b, aa + weight * a * a, bb + weight * b * b);
    }
    let correlation = ab / (aa.sqrt() * bb.sqrt());
    correlation.is_finite().then_some(correlation)
}
