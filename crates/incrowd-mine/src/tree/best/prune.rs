//! Pruning by weakest links (Breiman, Friedman, Olshen, Stone 1984): how much better than a leaf a node's subtree must
//! be to be kept.

use super::criterion::Criterion;
use crate::tree::grower::Grower;

/// What a leaf must save to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Price {
    /// Rows that are misclassified.
    Errors,
    /// Gini impurity, as in CART: it also counts how sure the leaves are, so where rows are few it depends less on
    /// single rows.
    Impurity,
}

impl Price {
    /// What a leaf with these counts by class costs.
    fn of(self, counts: &[u64]) -> f64 {
        match self {
            Self::Errors => (counts.iter().sum::<u64>() - counts.iter().max().copied().unwrap_or(0)) as f64,
            Self::Impurity => Criterion::Gini.of(counts),
        }
    }
}

/// For each node the complexity price from which on it is a leaf: what is saved, as a share of all rows, for each leaf
/// more. Leaves have −∞.
///
/// Time O(nodes · (prices + depth)).
pub(super) fn links(grower: &Grower<'_>, price: Price) -> Vec<f64> {
    let total = grower.node(0).size().max(1) as f64;
    let mut subtrees = Subtrees::of(grower, price);
    let inner = |node: usize| grower.nodes[node].split.is_some();
    let mut links = vec![f64::NEG_INFINITY; grower.nodes.len()];
    let mut open: Vec<usize> = (0..grower.nodes.len()).filter(|&node| inner(node)).collect();
    let mut price = f64::NEG_INFINITY;
    let mut cut = Vec::new();
    loop {
        let worth = |&node: &usize| subtrees.saved(node) / total / subtrees.more_leaves(node) as f64;
        let Some(weakest) = open.iter().map(worth).reduce(f64::min) else { return links };
        price = price.max(weakest);
        cut.clear();
        cut.extend(open.iter().copied().filter(|node| worth(node) <= weakest));
        open.retain(|node| worth(node) > weakest);
        for &node in &cut {
            links[node] = price;
            subtrees.cut(grower, node);
        }
    }
}

/// The costs and the leaves below each node. Errors are whole numbers, so their sums are exact.
struct Subtrees {
    /// The cost of each node as a leaf.
    own: Vec<f64>,
    costs: Vec<f64>,
    leaves: Vec<u64>,
    is_leaf: Vec<bool>,
}

impl Subtrees {
    fn of(grower: &Grower<'_>, price: Price) -> Self {
        let own: Vec<f64> = grower.nodes.iter().map(|node| price.of(&node.counts)).collect();
        let (mut costs, mut leaves) = (own.clone(), vec![1; own.len()]);
        // Children come after their parents.
        for node in (0..own.len()).rev().filter(|&node| grower.nodes[node].split.is_some()) {
            let children = || grower.nodes[node].children().map(|child| child as usize);
            costs[node] = children().map(|child| costs[child]).sum();
            leaves[node] = children().map(|child| leaves[child]).sum();
        }
        let is_leaf = grower.nodes.iter().map(|node| node.split.is_none()).collect();
        Self { own, costs, leaves, is_leaf }
    }

    /// What a node's subtree saves.
    fn saved(&self, node: usize) -> f64 {
        self.own[node] - self.costs[node]
    }

    /// By how many leaves a node's subtree has more than one.
    fn more_leaves(&self, node: usize) -> u64 {
        self.leaves[node] - 1
    }

    /// Makes a node a leaf.
    fn cut(&mut self, grower: &Grower<'_>, node: usize) {
        let (more, fewer) = (self.saved(node), self.more_leaves(node));
        let mut above = Some(node);
        while let Some(node) = above.filter(|&node| !self.is_leaf[node]) {
            self.costs[node] += more;
            self.leaves[node] -= fewer;
            above = grower.nodes[node].parent.map(|parent| parent as usize);
        }
        self.is_leaf[node] = true;
    }
}
