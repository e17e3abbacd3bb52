//! One thing tried: a release made from the training rows of a fold, and what it is worth on the test rows.

use super::CheckedCompareParams;
use super::Method;
use super::source::Divided;
use crate::Result;
use crate::guarantee::{Guarantee, Requirement};
use crate::predict::predict;
use crate::progress::Silent;
use crate::table::{Column, Kind, Table};
use incrowd_eval::comparison::Scores;
use incrowd_eval::inducer::{Examples, Inducer};
use incrowd_eval::score::{Tested, truth};
use incrowd_mine::table::{TableParams, mine_table};
use incrowd_mine::tree::{TreeParams, mine_tree};
use serde::{Deserialize, Serialize};

/// A release to make: by which method, with which k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) method: Method,
    pub(super) k: u64,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Tried {
    pub(super) scores: Scores,
    pub(super) suppressed: Option<f64>,
    pub(super) loss: Option<f64>,
}

/// What came of it, or why nothing did.
pub(super) type Found = std::result::Result<Tried, String>;

/// The guarantee of the comparison with this k.
pub(super) fn guarantee(params: &CheckedCompareParams, k: u64) -> Result<Guarantee> {
    let asked = params.guarantee.requirements().iter().find_map(|requirement| match requirement {
        Requirement::K(k) => Some((k.single_bin(), k.several_rows())),
        _ => None,
    });
    let (single_bin, several_rows) = asked.unwrap_or_default();
    let k = Requirement::k_over(k, single_bin, several_rows)?;
    Ok(params.guarantee.clone().with(k))
}

/// Tries a release on a fold with these inducers; a tree, and the table as it is, without a release, count as one.
pub(super) fn attempt(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    fold: usize,
    ask: Option<Ask>,
    inducers: &[&dyn Inducer],
) -> Result<Vec<Found>> {
    let (train, test) = divided.fold(fold)?;
    let told = |error: crate::Error| error.to_string();
    let found = match ask {
        None => learned(divided, &train, &test, inducers, (None, None)),
        Some(Ask { method: Method::Tree(method), k }) => {
            let tried = || {
                let params = TreeParams::new(method, guarantee(params, k)?).check()?;
                let mined = mine_tree(&train, divided.source.policy, &params, &Silent)?;
                tree_scores(divided, &mined.tree, &test)
            };
            vec![tried().map(|scores| Tried { scores, suppressed: None, loss: None }).map_err(told)]
        }
        Some(Ask { method: Method::Table(method), k }) => {
            let made = || {
                let mut asked = TableParams::new(method, guarantee(params, k)?);
                asked.seed = params.seed;
                let made = mine_table(&train, divided.source.policy, &asked.check()?, &Silent)?;
                let met = made.recoding.apply(&test)?;
                let read = with_numbers(&made.table, &met)?;
                Ok((made, read, met))
            };
            match made() {
                Err(error) => {
                    let told = told(error);
                    inducers.iter().map(|_| Err(told.clone())).collect()
                }
                Ok((made, read, met)) => {
                    let lost = (Some(made.measures.suppressed), Some(made.measures.loss));
                    learned(divided, &read, &met, inducers, lost)
                }
            }
        }
    };
    Ok(found)
}

/// What inducers learn from a table, tried on test rows as they meet it.
fn learned(
    divided: &Divided<'_>,
    train: &Table,
    test: &Table,
    inducers: &[&dyn Inducer],
    (suppressed, loss): (Option<f64>, Option<f64>),
) -> Vec<Found> {
    let inputs: Vec<String> =
        divided.inputs.iter().filter(|name| are_alike(train, test, name)).cloned().collect();
    let examples = Examples { table: train, class: divided.class, inputs: &inputs };
    let of = |inducer: &&dyn Inducer| {
        let classifier = inducer.learn(examples)?;
        let shares = classifier.shares(test)?;
        scores(divided, test, classifier.classes(), &shares)
    };
    let tried = |scores: Scores| Tried { scores, suppressed, loss };
    inducers.iter().map(|inducer| of(inducer).map(tried).map_err(|error| error.to_string())).collect()
}

/// A released table as its reader takes it: columns that hold numbers alone are numbers, where the test rows have numbers.
fn with_numbers(released: &Table, test: &Table) -> Result<Table> {
    let read = |column: &Column| match test.column(column.name()) {
        Some(other) if other.kind() == Kind::Numeric && column.kind() != Kind::Numeric => {
            Ok(numbers(column)?.unwrap_or_else(|| column.clone()))
        }
        _ => Ok(column.clone()),
    };
    Table::new(released.columns().iter().map(read).collect::<Result<_>>()?, released.people().clone())
}

/// The numbers a column of names says; none where it says anything else.
fn numbers(column: &Column) -> Result<Option<Column>> {
    let values = column.values();
    let parsed: Option<Vec<f64>> = (0..values.len())
        .map(|code| values.text(code).parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    let Some(parsed) = parsed else { return Ok(None) };
    let cells: Vec<Option<f64>> =
        column.codes().iter().map(|code| parsed.get(code as usize).copied()).collect();
    Column::from_numbers(column.name(), &cells).map(Some)
}

/// Whether both tables have the column, in the same form: a private column that a release tells in other words than the test rows have it
/// teaches nothing about them.
fn are_alike(train: &Table, test: &Table, name: &str) -> bool {
    matches!((train.column(name), test.column(name)), (Some(a), Some(b)) if a.kind() == b.kind())
}

fn tree_scores(divided: &Divided<'_>, tree: &crate::model::Tree, test: &Table) -> Result<Scores> {
    let predictions = predict(test, tree)?;
    let classes: Vec<String> = tree.class().values.iter().map(ToString::to_string).collect();
    let certain = |label: u32| (0..classes.len()).map(|class| f64::from(class == label as usize)).collect();
    let of_node: Vec<Vec<f64>> = predictions
        .outcomes
        .iter()
        .map(|outcome| outcome.shares().unwrap_or_else(|| certain(outcome.label)))
        .collect();
    let shares: Vec<f64> =
        predictions.node_of_row.iter().flat_map(|&node| of_node[node as usize].iter().copied()).collect();
    scores(divided, test, &classes, &shares)
}

fn scores(divided: &Divided<'_>, test: &Table, classes: &[String], shares: &[f64]) -> Result<Scores> {
    let truth = truth(test, divided.class, classes)?;
    let weights: Vec<u32> = (0..test.rows()).map(|row| test.weight(row)).collect();
    Tested { truth: &truth, classes: classes.len(), shares, weights: Some(&weights) }.scores()
}
