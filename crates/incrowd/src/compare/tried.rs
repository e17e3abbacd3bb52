//! One trial: a release made from the training rows of a fold, evaluated on the test rows.

use super::CheckedCompareParams;
use super::ComparedMethod;
use super::data::Divided;
use crate::Result;
use crate::guarantee::{Guarantee, Requirement};
use crate::predict::{predict, predict_scores};
use crate::progress::Unreported;
use crate::table::{Column, Kind, Table};
use incrowd_eval::comparison::Scores;
use incrowd_eval::inducer::{Examples, Inducer};
use incrowd_eval::score::{Tested, truth};
use incrowd_mine::boost::{BoostParams, mine_boost};
use incrowd_mine::table::{TableParams, mine_table};
use incrowd_mine::tree::{TreeParams, mine_tree};
use serde::{Deserialize, Serialize};

/// A release to make: the method and k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) method: ComparedMethod,
    pub(super) k: u64,
}

/// The result of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Trial {
    pub(super) scores: Scores,
    pub(super) suppressed: Option<f64>,
    pub(super) loss: Option<f64>,
}

/// The result of a trial, or the reason for its failure.
pub(super) type TrialResult = std::result::Result<Trial, String>;

/// The guarantee of the comparison with this k.
pub(super) fn guarantee(params: &CheckedCompareParams, k: u64) -> Result<Guarantee> {
    let k = Requirement::k_over(k, params.guarantee.single_bin(), params.guarantee.several_rows())?;
    Ok(params.guarantee.clone().with(k))
}

/// Evaluates a release on a fold with these inducers. A classifier has one result. Without a release to make, the unprotected
/// table is used.
pub(super) fn attempt(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    fold: usize,
    ask: Option<Ask>,
    inducers: &[&dyn Inducer],
    progress: Unreported<'_>,
) -> Result<Vec<TrialResult>> {
    let (train, test) = divided.fold(fold)?;
    let told = |error: crate::Error| error.to_string();
    let found = match ask {
        None => learned(divided, &train, &test, inducers, (None, None)),
        Some(Ask { method: ComparedMethod::Tree(method), k }) => {
            let tried = || {
                let params = TreeParams::new(method, guarantee(params, k)?).check()?;
                let mined = mine_tree(&train, divided.source.policy, &params, &progress)?;
                tree_scores(divided, &mined.tree, &test)
            };
            vec![tried().map(|scores| Trial { scores, suppressed: None, loss: None }).map_err(told)]
        }
        Some(Ask { method: ComparedMethod::Boost, k }) => {
            let tried = || {
                let params = BoostParams::new(guarantee(params, k)?).check()?;
                let mined = mine_boost(&train, divided.source.policy, &params, &progress)?;
                let predictions = predict_scores(&test, &mined.ensemble)?;
                scores(divided, &test, &mined.ensemble.class().values, &predictions.shares)
            };
            vec![tried().map(|scores| Trial { scores, suppressed: None, loss: None }).map_err(told)]
        }
        Some(Ask { method: ComparedMethod::Table(method), k }) => {
            let made = || {
                let mut asked = TableParams::new(method, guarantee(params, k)?);
                asked.seed = params.seed;
                let made = mine_table(&train, divided.source.policy, &asked.check()?, &progress)?;
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
                    let lost = (Some(made.measures.suppressed), made.measures.loss);
                    learned(divided, &read, &met, inducers, lost)
                }
            }
        }
    };
    Ok(found)
}

/// Evaluates what inducers learn from a table on test rows in the same recoding.
fn learned(
    divided: &Divided<'_>,
    train: &Table,
    test: &Table,
    inducers: &[&dyn Inducer],
    (suppressed, loss): (Option<f64>, Option<f64>),
) -> Vec<TrialResult> {
    let inputs: Vec<String> =
        divided.inputs.iter().filter(|name| are_alike(train, test, name)).cloned().collect();
    let examples = Examples { table: train, class: divided.class, inputs: &inputs };
    let of = |inducer: &&dyn Inducer| {
        let classifier = inducer.learn(examples)?;
        let shares = classifier.shares(test)?;
        scores(divided, test, classifier.classes(), &shares)
    };
    let tried = |scores: Scores| Trial { scores, suppressed, loss };
    inducers.iter().map(|inducer| of(inducer).map(tried).map_err(|error| error.to_string())).collect()
}

/// A released table as read from a file: columns with only numbers are numeric if the test rows are numeric.
fn with_numbers(released: &Table, test: &Table) -> Result<Table> {
    let read = |column: &Column| match test.column(column.name()) {
        Some(other) if other.kind() == Kind::Numeric && column.kind() != Kind::Numeric => {
            Ok(numbers(column)?.unwrap_or_else(|| column.clone()))
        }
        _ => Ok(column.clone()),
    };
    Table::new(released.columns().iter().map(read).collect::<Result<_>>()?, released.people().clone())
}

/// The numbers in a categorical column; `None` if it has anything else.
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

/// Whether both tables have the column in the same form. A private column that the release recodes differently from the
/// test rows is of no use for them.
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
