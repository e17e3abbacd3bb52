//! Levels and cuts: ways to generalize all values of an attribute at once.

use super::{Taxonomy, TaxonomyNode};
use crate::error::{Error, Result};

/// A depth counted from the root: 0 is the root, [`Taxonomy::height`] the values themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u32);

/// A frontier: nodes none of which is below another and that together cover all leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    nodes: Vec<TaxonomyNode>,
    of_code: Vec<TaxonomyNode>,
}

impl Cut {
    /// A cut through these nodes.
    ///
    /// # Errors
    /// When a node is not in the taxonomy, is below another (or occurs twice), or a leaf is not covered.
    pub fn new(taxonomy: &Taxonomy, mut nodes: Vec<TaxonomyNode>) -> Result<Self> {
        let bad = |what: &str| Err(Error::input(what).of_attribute(taxonomy.attribute()));
        if nodes.iter().any(|node| node.index() >= taxonomy.len()) {
            return bad("a node of the cut is not in the taxonomy");
        }
        nodes.sort_unstable_by_key(|node| taxonomy.under[node.index()].start);
        let mut covered = 0;
        for node in &nodes {
            let under = &taxonomy.under[node.index()];
            if under.start < covered {
                return bad("a node of the cut is below another");
            }
            if under.start > covered {
                return bad("a value is not below the cut");
            }
            covered = under.end;
        }
        if covered as usize != taxonomy.leaf_count(TaxonomyNode::ROOT) {
            return bad("a value is not below the cut");
        }
        Ok(Self::trusted(taxonomy, nodes))
    }

    /// All nodes on a level, and the leaves of shorter branches.
    pub fn at(taxonomy: &Taxonomy, level: Level) -> Self {
        let on_level = |node: &TaxonomyNode| {
            let depth = taxonomy.depth(*node);
            depth == level.0 || depth < level.0 && taxonomy.is_leaf(*node)
        };
        let mut nodes: Vec<TaxonomyNode> = taxonomy.nodes().filter(on_level).collect();
        nodes.sort_unstable_by_key(|node| taxonomy.under[node.index()].start);
        Self::trusted(taxonomy, nodes)
    }

    fn trusted(taxonomy: &Taxonomy, nodes: Vec<TaxonomyNode>) -> Self {
        let mut of_code = vec![TaxonomyNode::ROOT; taxonomy.code_count()];
        for &node in &nodes {
            for code in taxonomy.codes_under(node) {
                of_code[code as usize] = node;
            }
        }
        Self { nodes, of_code }
    }

    /// The nodes, from the first leaves of the taxonomy to the last.
    pub fn nodes(&self) -> &[TaxonomyNode] {
        &self.nodes
    }

    /// The node a code generalizes to.
    ///
    /// # Panics
    /// When the column has no such code.
    pub fn map(&self, code: u32) -> TaxonomyNode {
        self.of_code[code as usize]
    }
}
