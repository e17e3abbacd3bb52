//! Learning without a guarantee: the model is not released; it is only evaluated and discarded.
//!
//! [`induce_tree`] is C4.5 as in `kadet-c45` with k = 1 (so with the details of Weka's J48 without subtree raising),
//! pruned. Nothing is audited.

use super::grower::Grower;
use super::params::{CheckedTreeParams, TreeMethod, TreeParams};
use super::task::Task;
use super::{c45, prune, release};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Tree;
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, People, Table};
use incrowd_core::{Error, Result};

/// Learns a tree that predicts a class from some columns: C4.5, pruned. Rows without a class are not learned from;
/// every other row counts as often as its weight.
///
/// The leaves have counts. Missing values are a separate value for names and go with most rows for numbers.
///
/// # Errors
/// When a column is missing or occurs twice, or no row has a class.
pub fn induce_tree(table: &Table, class: &str, inputs: &[String]) -> Result<Tree> {
    let lesson = Lesson::new(table, class, inputs)?;
    let task = lesson.task()?;
    let mut grower = Grower::new(&task);
    c45::grow(&mut grower, &lesson.params, &Silent);
    let cut = prune::prune(&grower, lesson.params.confidence_factor);
    release::model(&grower, &cut)
}

/// What is learned from: the columns that matter, equal rows merged.
pub(super) struct Lesson {
    table: Table,
    class: String,
    pub(super) params: CheckedTreeParams,
}

impl Lesson {
    pub(super) fn new(table: &Table, class: &str, inputs: &[String]) -> Result<Self> {
        let columns: Vec<&Column> = inputs
            .iter()
            .map(String::as_str)
            .chain([class])
            .map(|name| table.require(name))
            .collect::<Result<_>>()?;
        let missing = table.require(class)?.missing_code();
        let has_class =
            |row: &u32| table.require(class).is_ok_and(|class| class.code(*row as usize) != missing);
        let rows: Vec<u32> = (0..table.rows() as u32).filter(has_class).collect();
        if rows.is_empty() {
            return Err(Error::input("no row has a class to learn from").of_attribute(class));
        }
        let people = match table.people() {
            People::Weights(weights) => {
                People::Weights(rows.iter().map(|&row| weights[row as usize]).collect())
            }
            // Learning counts rows, not individuals.
            _ => People::Rows,
        };
        let columns = columns.into_iter().map(|column| column.select(&rows)).collect();
        Ok(Self {
            table: Table::new(columns, people)?.merged(),
            class: class.to_owned(),
            params: TreeParams::new(TreeMethod::KadetC45, Guarantee::k_anonymity(1)?).check()?,
        })
    }

    pub(super) fn task(&self) -> Result<Task<'_>> {
        Task::learning(&self.table, &self.class, &self.params)
    }
}
