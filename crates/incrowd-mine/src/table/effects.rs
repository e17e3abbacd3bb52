//! Groups that differ in the effects of public attributes on the class: for learners that are trained on the table.
//!
//! An additive model of all attributes, boosted stumps, gives the effect of each value of a public attribute on the class
//! that other attributes do not explain. The public attributes are divided where these effects differ most, one attribute
//! at a time, until the guarantee allows no more: the division that boosting makes ([`crate::boost`]), released as a
//! table. Every group shows the branches of its part, as with [`Best`](super::TableMethod::Best). The class of a single
//! individual hardly matters to the effects, so that many groups do not overfit, and learners that use private attributes
//! as well err less than behind the leaves of a tree that predicts the class on its own (docs/tables.md).
//!
//! Papers: Lou, Caruana and Gehrke (KDD 2012) for additive models of stumps; LeFevre, `DeWitt` and Ramakrishnan (ICDE
//! 2006) for dividing by one attribute at a time.
//!
//! Without a private class there are no effects; then it is [`Mondrian`](super::TableMethod::Mondrian) by loss.
//!
//! Guarantee: all individuals together meet it; a part is divided only into parts that meet all of it, by another
//! attribute if the best division does not. Deviations: at most 4096 groups; of attributes with more than 254 names, the
//! rarest ones stay together.
//!
//! Running time: 150 stumps on at most about 100,000 rows, one pass over the rows and public attributes per level of the
//! division, and one check of the guarantee per division if it requires more than k.

use super::best::regions;
use super::draft::Draft;
use super::mondrian;
use super::params::CheckedTableParams;
use super::task::Task;
use super::watch::Watch;
use crate::boost::divide_by_effects;
use incrowd_core::Result;
use incrowd_core::predict::predict;
use incrowd_core::progress::Progress;
use incrowd_core::table::People;

pub(crate) fn draft(
    task: &Task<'_>,
    watch: &Watch<'_>,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<Draft> {
    if task.class.is_none() {
        return mondrian::draft(task, watch, params, progress);
    }
    // The division counts rows by their weights, which is all that k asks for unless individuals have several rows.
    let has_subjects = matches!(task.table.people(), People::Subjects { .. });
    let may_be_cell = |rows: &[u32]| watch.holds(rows);
    let asks_more = has_subjects || watch.only_k().is_none();
    let may_be_cell = asks_more.then_some(&may_be_cell as &dyn Fn(&[u32]) -> bool);
    let tree = divide_by_effects(task.table, task.policy, task.guarantee, may_be_cell)?;
    progress.check()?;
    let leaf_of_row = predict(task.table, &tree)?.node_of_row;
    Ok(regions(task, &tree, leaf_of_row))
}
