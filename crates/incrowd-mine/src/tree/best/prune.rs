//! Pruning by weakest links (Breiman, Friedman, Olshen, Stone 1984): how much better than a leaf a node's subtree must
//! be to be kept.

use crate::tree::grower::Grower;

/// For each node the complexity price from which on it is a leaf: errors saved, as a share of all rows, for each leaf
/// more. Leaves have −∞.
///
/// Time O(nodes²), nodes being few.
pub(super) fn links(grower: &Grower<'_>) -> Vec<f64> {
    let total = grower.node(0).size().max(1) as f64;
    let count = grower.nodes.len();
    let leaf_errors = |node: usize| {
        let counts = &grower.nodes[node].counts;
        counts.iter().sum::<u64>() - counts.iter().max().copied().unwrap_or(0)
    };
    let mut links: Vec<f64> = grower
        .nodes
        .iter()
        .map(|node| if node.split.is_some() { f64::INFINITY } else { f64::NEG_INFINITY })
        .collect();
    loop {
        let (mut errors, mut leaves) = (vec![0; count], vec![0_u64; count]);
        // Children come after their parents.
        for node in (0..count).rev() {
            let children = grower.nodes[node].children();
            if links[node] < f64::INFINITY {
                (errors[node], leaves[node]) = (leaf_errors(node), 1);
            } else {
                errors[node] = children.clone().map(|child| errors[child as usize]).sum();
                leaves[node] = children.map(|child| leaves[child as usize]).sum();
            }
        }
        let worth =
            |node: usize| (leaf_errors(node) - errors[node]) as f64 / total / (leaves[node] - 1) as f64;
        let open: Vec<usize> = (0..count).filter(|&node| links[node] == f64::INFINITY).collect();
        let Some(weakest) = open.iter().map(|&node| worth(node)).reduce(f64::min) else { return links };
        let price = links.iter().copied().filter(|link| link.is_finite()).fold(weakest, f64::max);
        open.into_iter().filter(|&node| worth(node) <= weakest).for_each(|node| links[node] = price);
    }
}
