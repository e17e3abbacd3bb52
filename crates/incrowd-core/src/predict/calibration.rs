//! Whether predicted shares are what comes true.

use super::evaluate::class_of_code;
use crate::model::Class;
use crate::table::Table;
use serde::Serialize;

/// The number of equal intervals of shares that are compared with what comes true.
const INTERVALS: usize = 10;

/// The lowest share whose logarithm is taken.
const LOWEST: f64 = 1e-15;

/// How well predicted shares of the class values fit the true classes. Smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Calibration {
    /// The mean of −ln of the share that was predicted for the true class value.
    pub log_loss: f64,
    /// The mean squared difference of shares and truth, added up over the class values; half of it if there are two.
    pub brier_score: f64,
    /// The expected calibration error: rows are put into ten intervals by the share of the class value that was
    /// predicted; in each, the mean share is compared with how often the prediction is right; the mean difference over
    /// all rows.
    pub calibration_error: f64,
}

/// Compares predicted shares, row after row, with the table's class column. Rows without a class or with a class value
/// that was not predicted for are left out; `None` if no row is left. A row counts as often as its weight.
pub fn calibration(
    table: &Table,
    class: &Class,
    label_of_row: &[u32],
    shares: &[f64],
) -> Option<Calibration> {
    let (column, classes) = (table.column(&class.name)?, class.values.len());
    let actual = class_of_code(class, column);
    let (mut rows, mut log_loss, mut squares) = (0.0, 0.0, 0.0);
    let mut intervals = [(0.0, 0.0); INTERVALS];
    for (row, (own, &label)) in shares.chunks_exact(classes.max(1)).zip(label_of_row).enumerate() {
        let code = column.code(row) as usize;
        let Some(truth) = actual.get(code).map(|&value| value as usize).filter(|&value| value < classes)
        else {
            continue;
        };
        let weight = f64::from(table.weight(row));
        rows += weight;
        log_loss -= weight * own[truth].max(LOWEST).ln();
        let square = |(value, share): (usize, &f64)| (share - f64::from(u8::from(value == truth))).powi(2);
        squares += weight * own.iter().enumerate().map(square).sum::<f64>();
        let share = own[label as usize];
        let interval = &mut intervals[((share * INTERVALS as f64) as usize).min(INTERVALS - 1)];
        interval.0 += weight * share;
        interval.1 += weight * f64::from(u8::from(label as usize == truth));
    }
    let half = if classes == 2 { 0.5 } else { 1.0 };
    let difference: f64 = intervals.iter().map(|(share, right)| (share - right).abs()).sum();
    (rows > 0.0).then(|| Calibration {
        log_loss: log_loss / rows,
        brier_score: half * squares / rows,
        calibration_error: difference / rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, People};

    /// Four rows by hand: shares of the second value 0.8, 0.4, 0.9 and 0.15; truth 1, 0, 0 and missing.
    #[test]
    fn figures_are_what_their_definitions_say() {
        let cells = [Some("b"), Some("a"), Some("a"), None];
        let table = Table::new(vec![Column::from_texts("class", &cells)], People::Rows).unwrap();
        let class = Class { name: "class".to_owned(), values: vec!["a".to_owned(), "b".to_owned()] };
        let second = [0.8, 0.4, 0.9, 0.15];
        let shares: Vec<f64> = second.iter().flat_map(|share| [1.0 - share, *share]).collect();
        let found = calibration(&table, &class, &[1, 0, 1, 0], &shares).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(found.log_loss, -(0.8_f64.ln() + 0.6_f64.ln() + 0.1_f64.ln()) / 3.0);
        close(found.brier_score, (0.04 + 0.16 + 0.81) / 3.0);
        close(found.calibration_error, (0.2 + 0.4 + 0.9) / 3.0);
    }
}
