//! Scales that are functions of the public attributes alone: for cells that no private value has an influence on.
//!
//! Numbers are measured in standard deviations. Names are equally far from each other but for a weight, one over their
//! share, as in correspondence analysis: among common names and rare ones, each counts for about as much.

use super::Task;
use super::cells::Cells;
use super::divide::Scale;
use super::features::{Feature, FeatureKind};
use incrowd_core::Result;
use incrowd_core::audit::audit_table;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role};
use incrowd_core::table::{Codes, Column, Table, Values};

/// The weight of a name that everyone has, against a squared standard deviation of numbers. It and the next were chosen
/// by cross-validation on the training rows of Adult.
const NAME: f64 = 0.25;

/// The smallest share of a name that makes its weight larger.
const LEAST: f64 = 0.01;

/// Whether the requirements on private values hold in the table of cells, private attributes and class. The ensemble is
/// a function of that table, so an attacker who knows the algorithm may learn what it contains, even if the trees do not
/// distinguish all cells.
pub(crate) fn cells_hold(task: &Task<'_>, cells: &Cells) -> Result<bool> {
    let guarantee = &task.params.guarantee;
    let asked = guarantee.requirements().iter().filter(|requirement| requirement.looks_at_values());
    let asked = Guarantee::new(asked.copied().collect(), guarantee.scope().clone())?;
    if asked.is_empty() {
        return Ok(true);
    }
    let count = cells.of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let numbers = Values::Numeric((0..count).map(|cell| cell as f64).collect());
    let name = task.cells().unused("cell");
    let class = task.bound.class.column.name();
    let private = || task.private.iter().map(|feature| feature.model.name.as_str()).chain([class]);
    let mut columns = vec![Column::new(&name, numbers, Codes::collect(count, cells.of_row.iter().copied()))?];
    for own in private() {
        columns.push(task.table.require(own)?.clone());
    }
    let table = Table::new(columns, task.table.people().clone())?;
    audit_table(&table, &policy_of_cells(task.policy, &name, private), &asked).map(|report| report.holds)
}

/// The policy of a table of cells and some private attributes.
fn policy_of_cells<'n, I: Iterator<Item = &'n str>>(
    policy: &Policy,
    cell: &str,
    private: impl Fn() -> I,
) -> Policy {
    let is_in = |name: &str| private().any(|own| own == name);
    let mut policy = policy.clone();
    policy.attributes.retain(|attribute| is_in(&attribute.name));
    policy.attributes.push(Attribute::new(cell, Role::Public));
    policy.dependencies.retain(|one| is_in(&one.to) && one.from.iter().all(|from| is_in(from)));
    policy
}

/// The scales of public attributes.
pub(crate) fn scales(table: &Table, public: &[std::sync::Arc<Feature>]) -> Result<Vec<Scale>> {
    public.iter().map(|feature| scale(table, feature)).collect()
}

fn scale(table: &Table, feature: &Feature) -> Result<Scale> {
    let column = table.require(&feature.model.name)?;
    let numbers = column.values().numbers();
    Ok(match (&feature.kind, numbers) {
        (FeatureKind::Numbers { thresholds, .. }, Some(numbers)) => {
            of_numbers(&weights(table, column), numbers, thresholds, feature.count)
        }
        _ => of_names(table, feature),
    })
}

/// The weight of the rows of each code.
fn weights(table: &Table, column: &Column) -> Vec<u64> {
    let mut weights = vec![0; column.code_count()];
    for (row, code) in column.codes().iter().enumerate() {
        weights[code as usize] += u64::from(table.weight(row));
    }
    weights
}

/// Each bin is at the mean of its numbers, missing ones at the mean of all.
fn of_numbers(weights: &[u64], numbers: &[f64], thresholds: &[f64], bins: usize) -> Scale {
    let (mut all, mut sum, mut squares) = (0.0, 0.0, 0.0);
    let mut of_bin = vec![(0.0, 0.0); bins];
    // By code and not by row, so that the order of rows does not matter.
    for (&number, &weight) in numbers.iter().zip(weights) {
        let weight = weight as f64;
        let bin = &mut of_bin[thresholds.partition_point(|&threshold| threshold < number)];
        *bin = (bin.0 + weight, bin.1 + weight * number);
        (all, sum, squares) = (all + weight, sum + weight * number, squares + weight * number * number);
    }
    let mean = sum / f64::max(all, 1.0);
    let variance = squares / f64::max(all, 1.0) - mean * mean;
    let deviation = f64::max(variance, 0.0).sqrt();
    let point = |&(weight, sum): &(f64, f64)| {
        let is_nowhere = weight == 0.0 || deviation == 0.0;
        vec![if is_nowhere { 0.0 } else { (sum / weight - mean) / deviation }]
    };
    Scale::Points(of_bin.iter().map(point).collect())
}

fn of_names(table: &Table, feature: &Feature) -> Scale {
    let mut of_bin = vec![0_u64; feature.count];
    for (row, &bin) in feature.bins.iter().enumerate() {
        of_bin[bin as usize] += u64::from(table.weight(row));
    }
    let all = of_bin.iter().sum::<u64>().max(1) as f64;
    Scale::Names(of_bin.iter().map(|&own| NAME / f64::max(own as f64 / all, LEAST)).collect())
}
