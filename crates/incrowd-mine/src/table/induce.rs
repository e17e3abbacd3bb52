//! The tree that the tree-based methods work on: the public attributes as the method sees them, and the class.

use super::task::Task;
use crate::tree::{PlainTree, plain_tree};
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use incrowd_core::table::{Column, Table};

/// Public attributes in some form: each by its place in the task.
pub(crate) type PublicColumns = Vec<(usize, Column)>;

/// Grows a tree from public attributes and the class; nothing else is looked at, and no taxonomy. Its tests name
/// columns by their place in `seen`.
///
/// # Errors
/// Without a private class to learn.
pub(crate) fn induce(task: &Task<'_>, seen: &PublicColumns, progress: &dyn Progress) -> Result<PlainTree> {
    let class = task.learned_class()?;
    let columns = seen.iter().map(|(_, column)| column).chain([class]).cloned();
    let table = Table::new(columns.collect(), task.table.people().clone())?;
    plain_tree(&table, class.name(), progress)
}
