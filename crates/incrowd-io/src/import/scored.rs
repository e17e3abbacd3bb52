//! Trees whose leaves have scores, as files of ensembles have them.

use super::binary::{self, Binary};
use super::columns::Columns;
use incrowd_core::model::{Class, Leaf, LeafContents, Member, Node};
use incrowd_core::{Error, Result};

/// A tree of an ensemble.
pub(super) struct ScoredNodes {
    /// The nodes; the first is the root.
    pub(super) nodes: Vec<Binary>,
    /// The numbers of each leaf; those of tests are not used.
    pub(super) scores: Vec<Vec<f64>>,
    /// The score that the leaves add to; without it they have one number for each score.
    pub(super) output: Option<u32>,
}

impl ScoredNodes {
    /// The tree as an ensemble has it. `cells` counts the values that the tests of all trees cover.
    pub(super) fn member(mut self, columns: &Columns, cells: &mut usize) -> Result<Member> {
        let (nodes, order) = binary::ordered(columns, &self.nodes, cells)?;
        let scores = nodes.iter().zip(order).map(|(node, place)| match node {
            Node::Leaf(_) => std::mem::take(&mut self.scores[place]),
            Node::Test(_) => Vec::new(),
        });
        Ok(Member { scores: scores.collect(), output: self.output, nodes })
    }
}

/// A leaf without anything but its scores.
pub(super) fn leaf() -> Binary {
    Binary::Leaf(Leaf { label: 0, told: LeafContents::Nothing })
}

/// The error with the tree it is about.
pub(super) fn of_tree(number: usize) -> impl Fn(Error) -> Error {
    move |error| error.about(format_args!("tree {number}"))
}

/// The class of a file that does not name it, over these columns: its values are numbered.
pub(super) fn unnamed_class(columns: &Columns, values: usize) -> Class {
    let is_taken = |name: &str| columns.attributes.iter().any(|attribute| attribute.name == name);
    let mut name = "class".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    Class { name, values: (0..values).map(|value| value.to_string()).collect() }
}
