//! The accuracy of predictions.

use super::Predictions;
use super::calibration::Calibration;
use crate::model::{Class, ModelAttribute, Tree};
use crate::span::bind::domain_codes;
use crate::table::{Column, Table};
use serde::Serialize;

/// Predictions compared with the true classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The rows judged: those with a class.
    pub judged: u64,
    /// Those predicted wrongly.
    pub wrong: u64,
    /// For each class value (and, last, for values the tree does not know, if there are any) how often each class value
    /// was predicted.
    pub confusion: Vec<Vec<u64>>,
    /// How well the predicted shares fit, if an ensemble predicted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

impl Evaluation {
    /// The share of rows predicted wrongly; 0 if there are none.
    pub fn error(&self) -> f64 {
        self.wrong as f64 / self.judged.max(1) as f64
    }

    /// The share of rows predicted correctly.
    pub fn accuracy(&self) -> f64 {
        1.0 - self.error()
    }
}

/// Compares the predictions of a tree with the table's class column; `None` if it has none. Rows without a class are
/// not judged, and a class value that the tree does not list counts as an error whatever is predicted. A row counts as
/// often as its weight.
pub fn evaluate(table: &Table, tree: &Tree, predictions: &Predictions) -> Option<Evaluation> {
    evaluate_labels(table, tree.class(), |row| predictions.of(row).label)
}

/// The same for the class values that some classifier predicts, by row.
pub fn evaluate_labels(
    table: &Table,
    class: &Class,
    label_of_row: impl Fn(usize) -> u32,
) -> Option<Evaluation> {
    let column = table.column(&class.name)?;
    let actual = class_of_code(class, column);
    let mut confusion = vec![vec![0_u64; class.values.len()]; class.values.len() + 1];
    for row in 0..table.rows() {
        if let Some(&actual) = actual.get(column.code(row) as usize) {
            confusion[actual as usize][label_of_row(row) as usize] += u64::from(table.weight(row));
        }
    }
    if confusion.last().is_some_and(|counts| counts.iter().all(|&count| count == 0)) {
        confusion.pop();
    }
    let judged = confusion.iter().flatten().sum();
    let right: u64 = confusion.iter().enumerate().filter_map(|(i, counts)| counts.get(i)).sum();
    Some(Evaluation { judged, wrong: judged - right, confusion, calibration: None })
}

/// The class value of each value of a column; one past the last for values that are not of the class.
pub(super) fn class_of_code(class: &Class, column: &Column) -> Vec<u32> {
    let domain = ModelAttribute::categorical(&class.name, class.values.clone());
    let unknown = class.values.len() as u32;
    let values = domain_codes(&domain.domain, column.values()).into_iter();
    values.map(|value| value.unwrap_or(unknown)).collect()
}
