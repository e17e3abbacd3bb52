//! Scores of predictions on test rows, and their summaries over folds and over k.
//!
//! Classes without test rows are left out of every mean over classes: their recall is undefined, and their share of
//! rows is zero.

mod auc;
#[cfg(test)]
mod tests;

use crate::comparison::Scores;
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};

/// Test rows and their predictions.
#[derive(Debug, Clone, Copy)]
pub struct Tested<'a> {
    /// The true class of each row as a number; rows without one are not counted. Classes that the classifier does not
    /// know have numbers from `classes` on.
    pub truth: &'a [Option<u32>],
    /// The number of classes of the classifier.
    pub classes: usize,
    /// The share of each class for each row, row by row.
    pub shares: &'a [f64],
    /// The weight of each row; without weights, every row counts once.
    pub weights: Option<&'a [u32]>,
}

impl Tested<'_> {
    /// Computes the four measures.
    ///
    /// - *Accuracy*: the share of rows whose class has the largest share; on ties the first class.
    /// - *Balanced accuracy*: the mean over classes of the share of their rows that were predicted correctly.
    /// - *F1*: the mean over classes of 2·hits / (rows of the class + rows predicted to be of it).
    /// - *AUC*: the probability that a row of a class has a larger share of it than a row of another, ties counting
    ///   half. With two classes, that of the second. With more, or if the test rows have a class that the classifier
    ///   does not know, the mean over classes weighted by their rows. One half if all test rows are of one class.
    ///
    /// Takes O(classes · rows · log rows).
    ///
    /// # Errors
    /// When the numbers of rows differ, no row counts, or the classifier has no classes.
    pub fn scores(&self) -> Result<Scores> {
        self.check()?;
        let predicted = self.predicted();
        let counts = Counts::new(self, &predicted);
        if counts.all <= 0.0 {
            return Err(Error::input("no test row has a class").help("use test rows with a class"));
        }
        Ok(Scores {
            accuracy: counts.hits.iter().sum::<f64>() / counts.all,
            balanced_accuracy: counts.mean(|class| counts.hits[class] / counts.rows[class]),
            f1: counts
                .mean(|class| 2.0 * counts.hits[class] / (counts.rows[class] + counts.predicted[class])),
            auc: auc::auc(self, &counts.rows),
        })
    }

    fn check(&self) -> Result<()> {
        let rows = self.truth.len();
        let fits = self.shares.len() == rows * self.classes
            && self.weights.is_none_or(|weights| weights.len() == rows);
        match (fits, self.classes) {
            (false, _) => Err(Error::input("the number of shares does not match the number of test rows")),
            (true, 0) => Err(Error::input("the classifier has no classes")),
            (true, _) => Ok(()),
        }
    }

    /// The class with the largest share of each row; the first on ties.
    fn predicted(&self) -> Vec<u32> {
        let best = |shares: &[f64]| {
            let better = |best: usize, class: usize| if shares[class] > shares[best] { class } else { best };
            (1..shares.len()).fold(0, better) as u32
        };
        self.shares.chunks(self.classes).map(best).collect()
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| f64::from(weights[row]))
    }
}

/// Rows by class, weighted.
struct Counts {
    all: f64,
    /// The rows of this class.
    rows: Vec<f64>,
    /// The rows predicted to be of it.
    predicted: Vec<f64>,
    /// The rows with both.
    hits: Vec<f64>,
}

impl Counts {
    fn new(tested: &Tested<'_>, predicted: &[u32]) -> Self {
        let unknown = tested.truth.iter().flatten().max().map_or(0, |&class| class as usize + 1);
        let none = vec![0.0; tested.classes.max(unknown)];
        let mut counts = Self { all: 0.0, rows: none.clone(), predicted: none.clone(), hits: none };
        for (row, (truth, predicted)) in tested.truth.iter().zip(predicted).enumerate() {
            let Some(truth) = truth else { continue };
            let weight = tested.weight(row);
            counts.all += weight;
            counts.rows[*truth as usize] += weight;
            counts.predicted[*predicted as usize] += weight;
            if truth == predicted {
                counts.hits[*truth as usize] += weight;
            }
        }
        counts
    }

    /// The mean over the classes with test rows.
    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let there: Vec<usize> = (0..self.rows.len()).filter(|&class| self.rows[class] > 0.0).collect();
        there.iter().map(|&class| of(class)).sum::<f64>() / there.len() as f64
    }
}

/// Returns the class of each row of a table, numbered as in a classifier. Values that the classifier does not know come
/// after its classes, in the table's order.
///
/// # Errors
/// When the table has no such column.
pub fn truth(table: &Table, class: &str, classes: &[String]) -> Result<Vec<Option<u32>>> {
    let missing = || Error::input("no such column to test with").of_attribute(class);
    let column = table.column(class).ok_or_else(missing)?;
    let numbers = numbers(column, classes);
    Ok((0..column.len()).map(|row| numbers.get(column.code(row) as usize).copied()).collect())
}

/// The class number of each value of a column.
fn numbers(column: &Column, classes: &[String]) -> Vec<u32> {
    let mut unknown = classes.len() as u32..;
    let values = (0..column.values().len()).map(|code| column.values().text(code));
    let known = |text: &str| classes.iter().position(|class| class == text).map(|number| number as u32);
    values.map(|text| known(&text).or_else(|| unknown.next()).unwrap_or(u32::MAX)).collect()
}

/// Returns the means over folds and the sample standard deviations; zero with one fold.
pub fn summary(folds: &[Scores]) -> (Scores, Scores) {
    let each = |of: fn(&Scores) -> f64| mean_and_deviation(folds.iter().map(of));
    let (accuracy, balanced) = (each(|scores| scores.accuracy), each(|scores| scores.balanced_accuracy));
    let (f1, auc) = (each(|scores| scores.f1), each(|scores| scores.auc));
    (
        Scores { accuracy: accuracy.0, balanced_accuracy: balanced.0, f1: f1.0, auc: auc.0 },
        Scores { accuracy: accuracy.1, balanced_accuracy: balanced.1, f1: f1.1, auc: auc.1 },
    )
}

/// The mean of some numbers and their standard deviation; zeros if there are none.
pub fn mean_and_deviation(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count();
    if count == 0 {
        return (0.0, 0.0);
    }
    let mean = numbers.clone().sum::<f64>() / count as f64;
    let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / count.saturating_sub(1).max(1) as f64).sqrt())
}

/// Returns the area under accuracy (given as a share, counted in percent) over k, by trapezoids; `None` with fewer than
/// two k.
///
/// Divided by the range of k, it is the mean accuracy in percent for k distributed uniformly over the range. So large
/// k, which are far apart, have the largest weight.
pub fn area_over_k(points: &[(u64, f64)]) -> Option<f64> {
    let mut points = points.to_vec();
    points.sort_by_key(|&(k, _)| k);
    points.dedup_by_key(|&mut (k, _)| k);
    let trapezoid =
        |pair: &[(u64, f64)]| (pair[1].0 - pair[0].0) as f64 * 100.0 * f64::midpoint(pair[0].1, pair[1].1);
    (points.len() > 1).then(|| points.windows(2).map(trapezoid).sum())
}
