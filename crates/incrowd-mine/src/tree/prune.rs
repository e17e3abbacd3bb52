//! Pruning as C4.5 does it, without raising subtrees.
//!
//! First, from the root down, a subtree that does not classify the rows better than a leaf would is cut off. Then, from
//! the leaves up, a subtree is cut off if a leaf's pessimistic error is not above its own: the errors it would make at
//! the upper end of a confidence interval of its error rate.
//!
//! **Guarantee.** A tree with subtrees cut off is a coarser function of the same tests, so its spans are unions of
//! spans; k-anonymity and every requirement on the class still hold (docs/proofs.md). Raising a subtree would send
//! individuals down other tests, and is never done.

use super::grower::Grower;
use super::release::Cut;

/// What a leaf may be worse by and still be preferred, in errors.
pub(super) const FAVOUR: f64 = 0.1;

/// Errors closer than this are equal.
const CLOSE: f64 = 1e-6;

/// Which nodes become leaves.
pub(crate) fn prune(grower: &Grower<'_>, confidence: f64) -> Cut {
    let mut cut = Cut::nothing(grower);
    collapse(grower, &mut cut);
    replace(grower, &mut cut, confidence);
    cut
}

/// Cuts subtrees off that do not classify the rows better than a leaf.
fn collapse(grower: &Grower<'_>, cut: &mut Cut) {
    let count = grower.nodes.len();
    let mut errors = vec![0; count];
    // Children come after their parents.
    for node in (0..count).rev() {
        let children = grower.nodes[node].children();
        errors[node] = if children.is_empty() {
            as_leaf(grower, node)
        } else {
            children.map(|child| errors[child as usize]).sum()
        };
    }
    for (node, (cut, errors)) in cut.0.iter_mut().zip(errors).enumerate() {
        *cut |= grower.nodes[node].split.is_some() && errors >= as_leaf(grower, node);
    }
}

/// Cuts subtrees off that are not better than a leaf by their pessimistic error.
fn replace(grower: &Grower<'_>, cut: &mut Cut, confidence: f64) {
    let pessimism = Pessimism::new(confidence);
    let count = grower.nodes.len();
    let mut estimated = vec![0.0; count];
    for node in (0..count).rev() {
        let size = grower.nodes[node].size() as f64;
        let wrong = as_leaf(grower, node) as f64;
        let leaf = if size == 0.0 { 0.0 } else { wrong + pessimism.more_errors(size, wrong) };
        let children = grower.nodes[node].children();
        estimated[node] = if children.is_empty() || cut.0[node] {
            leaf
        } else {
            let subtree: f64 = children.map(|child| estimated[child as usize]).sum();
            cut.0[node] = leaf - (subtree + FAVOUR) < CLOSE;
            if cut.0[node] { leaf } else { subtree }
        };
    }
}

/// The rows a node would classify wrongly as a leaf.
fn as_leaf(grower: &Grower<'_>, node: usize) -> u64 {
    let node = &grower.nodes[node];
    node.size() - node.counts.iter().max().copied().unwrap_or(0)
}

/// The pessimism of C4.5: a one-sided confidence interval of an error rate.
pub(crate) struct Pessimism {
    confidence: f64,
    z: f64,
}

impl Pessimism {
    /// With a confidence factor above 0 and up to 0.5.
    pub(crate) fn new(confidence: f64) -> Self {
        Self { confidence, z: normal_quantile(1.0 - confidence) }
    }

    /// The expected number of errors beyond `wrong` of `size`, at the upper end of the interval.
    pub(crate) fn more_errors(&self, size: f64, wrong: f64) -> f64 {
        if wrong < 1.0 {
            let none = size * (1.0 - self.confidence.powf(1.0 / size));
            return if wrong == 0.0 { none } else { none + wrong * (self.more_errors(size, 1.0) - none) };
        }
        if wrong + 0.5 >= size {
            return (size - wrong).max(0.0);
        }
        let (f, z2) = ((wrong + 0.5) / size, self.z * self.z);
        let root = (f / size - f * f / size + z2 / (4.0 * size * size)).sqrt();
        let rate = (f + z2 / (2.0 * size) + self.z * root) / (1.0 + z2 / size);
        rate * size - wrong
    }
}

/// The quantile of the standard normal distribution for a share from 0.5 to just under 1, by bisection.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        if normal_share(middle) < share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The share of the standard normal distribution below `x`, by the series x + x³/3 + x⁵/(3·5) + …
fn normal_share(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * f64::EPSILON {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}
