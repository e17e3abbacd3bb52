//! Taxonomies: trees of values over an attribute, their levels and their cuts.
//!
//! Every leaf is a value, every inner node a group of values, and the root covers all of them. A taxonomy is built from
//! a [`TaxonomySpec`] (a tree from a file, or a rule that makes one) against a [`Column`], so that each code of the
//! column has its leaf. It guarantees what the file formats promise: one root, no cycle, one parent per node, no
//! duplicate label, every value of the column covered.
//!
//! **Levels** are depths, counted from the root: the root has depth 0 and [`Taxonomy::height`] is the depth of the
//! deepest leaf. Where a branch is shorter, its leaf is repeated on all levels below.
//!
//! **Missing values** are a separate value: a leaf labelled [`MISSING`] directly under the root. A tree that already
//! has a leaf of that label determines where missing values belong.
//!
//! Building takes time linear in values × levels; going up takes one step per level.

mod build;
mod calendar;
mod cut;
mod decimal;
mod number;
mod prefix;
mod spec;
mod tree;

pub use cut::{Cut, Level};
pub use decimal::short_decimal_between;
pub use number::interval_label;
pub use spec::{Intervals, Prefix, Quantiles, TaxonomySpec};
pub use tree::TreeSpec;

use crate::error::Result;
use crate::table::{Column, Texts};
use std::ops::Range;

/// The label of the leaf for missing values.
pub const MISSING: &str = "?";

/// The label of the root where a rule makes the tree.
pub const ANY: &str = "*";

/// A node of a taxonomy, numbered level by level: the root is 0 and siblings are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxonomyNode(u32);

impl TaxonomyNode {
    /// The root of every taxonomy.
    pub const ROOT: Self = Self(0);

    /// The node's number, below [`Taxonomy::len`].
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree of values over an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taxonomy {
    attribute: String,
    labels: Texts,
    parents: Vec<TaxonomyNode>,
    depths: Vec<u32>,
    /// The children of a node are neighbours: first and one past the last.
    children: Vec<Range<u32>>,
    /// The leaves under a node are neighbours in `leaves`.
    under: Vec<Range<u32>>,
    leaves: Vec<TaxonomyNode>,
    codes: Vec<Option<u32>>,
    leaf_of: Vec<TaxonomyNode>,
}

impl Taxonomy {
    /// Builds the taxonomy for a column; each row counts once where rows are counted ([`Quantiles`]).
    ///
    /// # Errors
    /// When the rule does not fit the column's kind, a value is not covered, or a value looks like a group.
    pub fn build(spec: &TaxonomySpec, column: &Column) -> Result<Self> {
        Self::build_weighted(spec, column, |_| 1)
    }

    /// Builds the taxonomy for a column whose rows have weights.
    ///
    /// # Errors
    /// As [`Taxonomy::build`].
    pub fn build_weighted(
        spec: &TaxonomySpec,
        column: &Column,
        weight: impl Fn(usize) -> u32,
    ) -> Result<Self> {
        build::build(spec, column, &weight).map_err(|error| error.of_attribute(column.name()))
    }

    /// The attribute it is over.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// The number of nodes; the root is always one.
    #[allow(clippy::len_without_is_empty, reason = "a taxonomy has a root, so it is never empty")]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The depth of the deepest leaf.
    pub fn height(&self) -> u32 {
        self.depths.last().copied().unwrap_or(0)
    }

    /// All nodes, level by level from the root.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = TaxonomyNode> + use<> {
        (0..self.parents.len() as u32).map(TaxonomyNode)
    }

    /// The node's label.
    pub fn label(&self, node: TaxonomyNode) -> &str {
        self.labels.get(node.index())
    }

    /// The node of that label, by linear search.
    pub fn find(&self, label: &str) -> Option<TaxonomyNode> {
        self.labels.position(label).map(|index| TaxonomyNode(index as u32))
    }

    /// The node above; none above the root.
    pub fn parent(&self, node: TaxonomyNode) -> Option<TaxonomyNode> {
        (node != TaxonomyNode::ROOT).then(|| self.parents[node.index()])
    }

    /// The depth of the node: its number of steps below the root.
    pub fn depth(&self, node: TaxonomyNode) -> u32 {
        self.depths[node.index()]
    }

    /// The nodes directly below, in the order of the file or of the values.
    pub fn children(&self, node: TaxonomyNode) -> impl ExactSizeIterator<Item = TaxonomyNode> + use<> {
        self.children[node.index()].clone().map(TaxonomyNode)
    }

    /// Whether nothing is below.
    pub fn is_leaf(&self, node: TaxonomyNode) -> bool {
        self.children[node.index()].is_empty()
    }

    /// The number of leaves below a node, a leaf itself counted; values that do not occur in the column count too.
    pub fn leaf_count(&self, node: TaxonomyNode) -> usize {
        self.under[node.index()].len()
    }

    /// The leaves under a node, a leaf itself included.
    pub fn leaves(&self, node: TaxonomyNode) -> &[TaxonomyNode] {
        let Range { start, end } = self.under[node.index()];
        &self.leaves[start as usize..end as usize]
    }

    /// The leaf of a code.
    ///
    /// # Panics
    /// When the column has no such code.
    pub fn leaf(&self, code: u32) -> TaxonomyNode {
        self.leaf_of[code as usize]
    }

    /// The number of codes of the column that have a leaf: all of them.
    pub fn code_count(&self) -> usize {
        self.leaf_of.len()
    }

    /// The code of a leaf; none for inner nodes and for values that the column does not have.
    pub fn code(&self, node: TaxonomyNode) -> Option<u32> {
        self.codes[node.index()]
    }

    /// The codes of the column under a node.
    pub fn codes_under(&self, node: TaxonomyNode) -> impl Iterator<Item = u32> {
        self.leaves(node).iter().filter_map(|&leaf| self.code(leaf))
    }

    /// The group of a code on a level counted from the root; a leaf is repeated on all levels below its own.
    ///
    /// # Panics
    /// When the column has no such code.
    pub fn ancestor_at_depth(&self, code: u32, depth: u32) -> TaxonomyNode {
        let mut node = self.leaf(code);
        while self.depth(node) > depth {
            node = self.parents[node.index()];
        }
        node
    }

    /// The group of a code that many levels above the deepest one: what ARX calls its generalization level.
    ///
    /// A value of a short branch stays itself until the level is above it.
    ///
    /// # Panics
    /// When the column has no such code.
    pub fn generalize(&self, code: u32, levels_up: u32) -> TaxonomyNode {
        self.ancestor_at_depth(code, self.height().saturating_sub(levels_up))
    }

    /// Whether `below` is `above` or is below it.
    pub fn contains(&self, above: TaxonomyNode, below: TaxonomyNode) -> bool {
        // Nodes on one path from the root have nested leaves, and those of others have none in common.
        let (outer, inner) = (&self.under[above.index()], &self.under[below.index()]);
        outer.start <= inner.start && inner.end <= outer.end && self.depth(above) <= self.depth(below)
    }

    /// The deepest node that contains both.
    pub fn lowest_common_ancestor(&self, a: TaxonomyNode, b: TaxonomyNode) -> TaxonomyNode {
        let (mut a, mut b) = (a, b);
        while a != b {
            // Nodes are numbered level by level, so the larger number is never the shallower node.
            if a > b { a = self.parents[a.index()] } else { b = self.parents[b.index()] }
        }
        a
    }

    /// The deepest node that contains all codes; none for no codes.
    ///
    /// # Panics
    /// When the column has no such code.
    pub fn cover(&self, codes: impl IntoIterator<Item = u32>) -> Option<TaxonomyNode> {
        codes
            .into_iter()
            .map(|code| self.leaf(code))
            .reduce(|cover, leaf| self.lowest_common_ancestor(cover, leaf))
    }
}

#[cfg(test)]
mod tests;
