//! The tree that the tree-based methods work on: the public attributes as the method sees them, and the class.

use super::task::Task;
use crate::tree::{PlainTree, plain_tree};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Policy, Role, Undeclared};
use incrowd_core::progress::Progress;
use incrowd_core::table::{Column, Table};

/// Public attributes in some form: each by its place in the task.
pub(crate) type Seen = Vec<(usize, Column)>;

/// Grows a tree from public attributes and the class; nothing else is looked at, and no taxonomy. Its tests name
/// columns by their place in `seen`.
///
/// # Errors
/// When there is no private class to learn.
pub(crate) fn induce(task: &Task<'_>, seen: &Seen, progress: &dyn Progress) -> Result<PlainTree> {
    let class = task.learned_class()?;
    let public = seen.iter().map(|(_, column)| (column, Role::Public));
    let attributes = public.chain([(class, Role::Private)]).map(|(c, role)| Attribute::new(c.name(), role));
    let policy = Policy {
        attributes: attributes.collect(),
        class: Some(class.name().to_owned()),
        subject: None,
        dependencies: Vec::new(),
        undeclared: Undeclared::Warn,
        guarantee: Guarantee::default(),
    };
    let columns = seen.iter().map(|(_, column)| column).chain([class]).cloned();
    let table = Table::new(columns.collect(), task.table.people().clone())?;
    plain_tree(&table, &policy, progress)
}
