//! What a tree makes of rows that were held out.

use crate::tree::grower::Grower;
use crate::tree::partition::Partition;
use crate::tree::release::majority;
use incrowd_core::table::Table;

/// How a pruned tree does on held-out rows, beside a single leaf.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    /// The rows that the tree misclassifies.
    pub(super) wrong: u64,
    /// The rows that it classifies correctly and a single leaf does not.
    pub(super) better: u64,
    /// The rows that a single leaf classifies correctly and the tree does not.
    pub(super) worse: u64,
}

impl Held {
    /// Of two parts of the rows together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            wrong: self.wrong + other.wrong,
            better: self.better + other.better,
            worse: self.worse + other.worse,
        }
    }

    /// Whether the tree is not better than a single leaf by so many standard errors (as in `McNemar`'s test: only rows
    /// on which they differ matter). Every row was held out `repeats` times, which tells little more than once.
    pub(super) fn is_doubtful(self, repeats: u64, errors: f64) -> bool {
        let of_one = |rows: u64| rows as f64 / repeats as f64;
        of_one(self.better) - of_one(self.worse) <= errors * of_one(self.better + self.worse).sqrt()
    }
}

/// The held-out rows of each class at each node of a tree.
pub(super) struct Passing<'p, 't> {
    grower: &'p Grower<'t>,
    rows: Vec<Vec<u64>>,
}

impl<'p, 't> Passing<'p, 't> {
    pub(super) fn new(grower: &'p Grower<'t>, table: &Table, held: &[u32]) -> Self {
        let mut rows = at_leaves(grower, table, held);
        for node in (1..grower.nodes.len()).rev() {
            let Some(parent) = grower.nodes[node].parent else { continue };
            let own = std::mem::take(&mut rows[node]);
            rows[parent as usize].iter_mut().zip(&own).for_each(|(sum, n)| *sum += n);
            rows[node] = own;
        }
        Self { grower, rows }
    }

    /// For each price (descending) how the tree pruned by it does.
    pub(super) fn held(&self, links: &[f64], alphas: &[f64]) -> Vec<Held> {
        let nodes = &self.grower.nodes;
        let leaf_from = leaf_from(self.grower, links);
        let mut changes = vec![[0_i64; 3]; alphas.len() + 1];
        for node in 0..links.len() {
            let above = nodes[node].parent.map_or(f64::INFINITY, |parent| leaf_from[parent as usize]);
            // It is a leaf of the pruned tree for prices from its own link up to where a node above becomes one.
            let from = alphas.partition_point(|&alpha| alpha >= above);
            let to = alphas.partition_point(|&alpha| alpha >= leaf_from[node]);
            for (place, n) in self.as_leaf(node).into_iter().enumerate() {
                changes[from][place] += n.cast_signed();
                changes[to][place] -= n.cast_signed();
            }
        }
        let mut sum = [0; 3];
        let all = changes.iter().take(alphas.len()).map(|change| {
            sum = [0, 1, 2].map(|place| sum[place] + change[place]);
            let [wrong, better, worse] = sum.map(i64::cast_unsigned);
            Held { wrong, better, worse }
        });
        all.collect()
    }

    /// The rows that a node as a leaf misclassifies, and those on which it is better and worse than the root.
    fn as_leaf(&self, node: usize) -> [u64; 3] {
        let label = |node: usize| majority(&self.grower.nodes[node].counts) as usize;
        let (rows, own, root) = (&self.rows[node], label(node), label(0));
        let wrong = rows.iter().sum::<u64>() - rows[own];
        if own == root { [wrong, 0, 0] } else { [wrong, rows[own], rows[root]] }
    }
}

/// The price from which on each node is a leaf of the pruned tree, or below one.
fn leaf_from(grower: &Grower<'_>, links: &[f64]) -> Vec<f64> {
    let mut from = vec![f64::INFINITY; links.len()];
    for (node, &link) in links.iter().enumerate() {
        let above = grower.nodes[node].parent.map_or(f64::INFINITY, |parent| from[parent as usize]);
        from[node] = above.min(link);
    }
    from
}

/// The held-out rows of each class at each leaf.
fn at_leaves(grower: &Grower<'_>, table: &Table, held: &[u32]) -> Vec<Vec<u64>> {
    let mut found = vec![vec![0; grower.task.class.count]; grower.nodes.len()];
    let Some(class) = table.column(grower.task.class.column.name()) else { return found };
    let columns: Vec<_> =
        grower.task.attributes.iter().map(|attribute| table.column(attribute.column.name())).collect();
    let rows: Vec<u32> = (0..).zip(held).filter(|&(_, &held)| held > 0).map(|(row, _)| row).collect();
    let mut parts = vec![0..0; grower.nodes.len()];
    parts[0] = 0..rows.len() as u32;
    let mut partition = Partition::of(rows);
    // Children come after their parents.
    for (node, grown) in grower.nodes.iter().enumerate() {
        if let Some((split, first)) = &grown.split {
            let Some(column) = columns[split.attribute] else { continue };
            let below = partition.divide(&parts[node], column.codes(), &split.branch_of_code, split.branches);
            parts[*first as usize..].iter_mut().zip(below).for_each(|(part, below)| *part = below);
        } else {
            for &row in partition.rows(&parts[node]) {
                found[node][class.code(row as usize) as usize] += u64::from(held[row as usize]);
            }
        }
    }
    found
}
