//! A tree that is never released: C4.5 without a guarantee, for the table methods.
//!
//! A table made from a tree meets its guarantee by what the method does with the tree's leaves, and is itself audited.
//! So nothing is required of the tree, and nothing of it is released or audited.

use super::grower::Grower;
use super::params::{TreeMethod, TreeParams};
use super::release::Cut;
use super::split::Split;
use super::task::Task;
use super::{c45, prune};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model;
use incrowd_core::progress::Progress;
use incrowd_core::table::Table;
use std::ops::Range;

/// A tree over the rows it was grown from. Node 0 is the root; children come after their parents.
pub(crate) struct PlainTree {
    pub(crate) nodes: Vec<PlainNode>,
}

/// A node of it.
pub(crate) struct PlainNode {
    /// The node above, and which of its branches leads here.
    pub(crate) parent: Option<(u32, u32)>,
    /// Its rows, ascending, if it is a leaf.
    pub(crate) rows: Vec<u32>,
    /// What it tests, if it is none.
    pub(crate) test: Option<PlainTest>,
}

/// A test.
pub(crate) struct PlainTest {
    /// The place of the column in the table the tree was grown from.
    pub(crate) column: usize,
    /// For a test of names the code of each branch, the missing code included; empty for a test of numbers.
    pub(crate) codes: Vec<u32>,
    /// The nodes at the ends of its branches.
    pub(crate) children: Range<u32>,
}

/// Grows a tree by C4.5 as `kadet-c45` does, pruned, without requirements.
///
/// # Errors
/// When there is nothing to learn from.
pub(crate) fn plain_tree(table: &Table, class: &str, progress: &dyn Progress) -> Result<PlainTree> {
    let params = TreeParams::new(TreeMethod::KadetC45, Guarantee::k_anonymity(1)?).check()?;
    let task = Task::learning(table, class, &params)?;
    let mut grower = Grower::new(&task);
    c45::grow(&mut grower, &params, progress);
    progress.check()?;
    let cut = prune::prune(&grower, params.confidence_factor);
    Ok(told(&grower, &cut))
}

fn told(grower: &Grower<'_>, cut: &Cut) -> PlainTree {
    let kept = cut.nodes(grower);
    let mut number = vec![0; grower.nodes.len()];
    (0..).zip(&kept).for_each(|(new, &old)| number[old as usize] = new);
    let mut nodes: Vec<PlainNode> = Vec::with_capacity(kept.len());
    for &old in &kept {
        let node = grower.node(old);
        let parent =
            node.parent.map(|parent| (number[parent as usize], old - grower.node(parent).children().start));
        let test = node.split.as_ref().filter(|_| cut.keeps(grower, old)).map(|(split, first)| {
            let first = number[*first as usize];
            test(grower, split, first..first + split.branches)
        });
        let mut rows = if test.is_none() { grower.rows(old).to_vec() } else { Vec::new() };
        // Cutting a subtree off leaves its rows in the order of its branches.
        rows.sort_unstable();
        nodes.push(PlainNode { parent, rows, test });
    }
    PlainTree { nodes }
}

fn test(grower: &Grower<'_>, split: &Split, children: Range<u32>) -> PlainTest {
    let asked = grower.task.attributes[split.attribute].column;
    let columns = grower.task.table.columns();
    let column = columns.iter().position(|column| column.name() == asked.name()).unwrap_or(0);
    let codes = match &split.told {
        model::Split::Thresholds(_) => Vec::new(),
        model::Split::Values(of_value) => {
            let mut codes = vec![asked.missing_code(); split.branches as usize];
            let own = (0..).zip(of_value).filter_map(|(code, &branch)| Some((code, branch?)));
            own.for_each(|(code, branch)| codes[branch as usize] = code);
            codes
        }
    };
    PlainTest { column, codes, children }
}
