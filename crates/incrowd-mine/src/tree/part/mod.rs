//! PART: rules from partial trees (Frank and Witten, ICML 1998), with the details of Weka's `PART`.
//!
//! A rule is made from the rows that no rule before it covers: a partial C4.5 tree is grown from them, its largest leaf
//! becomes the rule, and the tree is discarded. A partial tree is grown into the branch with the lowest class entropy
//! first. As long as branches turn out to be leaves, the next one is tried; once all of a node are, the node may become
//! a leaf by its pessimistic error, as in C4.5's pruning; the first branch that does not end in a leaf ends the node,
//! and what was not tried is left alone. The last rule has no conditions, so every individual satisfies one.
//!
//! **Running time.** A rule costs one pass over the remaining rows for each attribute and one over its numeric
//! attributes' distinct values, and as much for each node of the partial tree; equal rows are merged before. Prediction
//! costs a row the conditions up to the first matching rule.
//!
//! **Deviations from Weka.** Those of C4.5 (see `c45`): thresholds are short decimals between the two values, and
//! missing values are a separate value for names and go with most rows for numbers, where Weka spreads them over
//! branches in fractions.

mod list;
mod partial;

pub use list::{Condition, ConditionValues, DecisionList, ListRule};

use super::c45::Choices;
use super::grower::Grower;
use super::induce::Lesson;
use super::prune::Pessimism;
use incrowd_core::Result;
use incrowd_core::table::Table;
use partial::Partial;

/// Learns a list of rules that predict a class from some columns: PART. Rows without a class are not learned from;
/// every other row counts as often as its weight.
///
/// # Errors
/// When a column is missing or occurs twice, or no row has a class.
pub fn induce_rules(table: &Table, class: &str, inputs: &[String]) -> Result<DecisionList> {
    let lesson = Lesson::new(table, class, inputs)?;
    let task = lesson.task()?;
    let pessimism = Pessimism::new(lesson.params.confidence_factor);
    let mut left: Vec<u32> = (0..task.table.rows() as u32).collect();
    let mut list = DecisionList::new(&task);
    while !left.is_empty() {
        let partial = Partial::grow(Grower::of_rows(&task, left), lesson.params.min_rows, &pessimism);
        list.push(partial.rule(&task));
        left = partial.uncovered();
    }
    Ok(list)
}
