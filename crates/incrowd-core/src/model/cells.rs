//! Cells of an ensemble: a tree of public tests whose leaves have values of their own, which the trees test instead of
//! the public attributes.

use super::detail::LeafContents;
use super::domain::{Domain, ModelAttribute};
use super::tree::{Class, Node, Tree};
use crate::error::{Error, Result};
use crate::words::counted;

/// What a cell has of a derived attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellValue {
    /// A name, by its place in the attribute's domain.
    Name(u32),
    /// A number.
    Number(f64),
}

/// The cells of an ensemble before they are checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CellPlan {
    /// The attributes that the cells define, such as the number of the cell or a typical age.
    pub attributes: Vec<ModelAttribute>,
    /// The tree of cells; the label of a leaf is its cell.
    pub nodes: Vec<Node>,
    /// For each cell its value of each attribute.
    pub values: Vec<Vec<CellValue>>,
}

/// The cells of an ensemble. Every individual is in one of them, by the attributes that the tree of cells tests.
#[derive(Debug, Clone, PartialEq)]
pub struct CellTree {
    attributes: Vec<ModelAttribute>,
    tree: Tree,
    values: Vec<Vec<CellValue>>,
}

/// The number of cells times derived attributes.
const MOST_VALUES: usize = 1 << 22;

impl CellTree {
    /// Checked cells over some attributes.
    pub(super) fn new(sources: &[ModelAttribute], plan: CellPlan) -> Result<Self> {
        let CellPlan { attributes, mut nodes, values } = plan;
        for node in &mut nodes {
            if let Node::Leaf(leaf) = node {
                leaf.told = LeafContents::Nothing;
            }
        }
        if attributes.is_empty() {
            return Err(Error::input(
                "the cells define no attribute, so the trees have nothing of them to test",
            )
            .help("give the cells an attribute, or leave them out"));
        }
        if let Some(own) = attributes.iter().find(|attribute| attribute.missing || attribute.dates) {
            return Err(Error::input("an attribute that cells define cannot be missing or a date")
                .of_attribute(&own.name)
                .help("give each cell a name or a number"));
        }
        if values.len().saturating_mul(attributes.len()) > MOST_VALUES {
            return Err(Error::limit(format!("the cells have more than {MOST_VALUES} values"))
                .help("make fewer cells"));
        }
        for (cell, own) in values.iter().enumerate() {
            let fits = own.len() == attributes.len() && own.iter().zip(&attributes).all(|(v, a)| fits(*v, a));
            if !fits {
                return Err(Error::input(format!(
                    "cell {cell} needs a possible value of each attribute of the cells"
                ))
                .help("give it one value per attribute, within the attribute's domain"));
            }
        }
        let names = (0..values.len()).map(|cell| cell.to_string()).collect();
        // The name is never shown, and never that of a column.
        let class = Class { name: String::new(), values: names };
        let tree = Tree::new(sources.to_vec(), class, nodes)
            .map_err(|error| error.about(format_args!("the tree of cells")))?;
        Ok(Self { attributes, tree, values })
    }

    /// The attributes that the cells define.
    pub fn attributes(&self) -> &[ModelAttribute] {
        &self.attributes
    }

    /// The tree of cells; the label of a leaf is its cell.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// For each cell its value of each attribute.
    pub fn values(&self) -> &[Vec<CellValue>] {
        &self.values
    }

    /// The names of the attributes that the tree of cells tests.
    pub fn tested(&self) -> Vec<&str> {
        let mut tested = vec![false; self.tree.attributes().len()];
        for node in self.tree.nodes() {
            if let Node::Test(test) = node {
                tested[test.attribute] = true;
            }
        }
        let all = self.tree.attributes().iter().zip(tested);
        all.filter(|(_, tested)| *tested).map(|(attribute, _)| attribute.name.as_str()).collect()
    }

    /// How many cells there are, in words.
    pub fn counted(&self) -> String {
        counted(self.values.len() as u64, "cell")
    }
}

fn fits(value: CellValue, attribute: &ModelAttribute) -> bool {
    match (value, &attribute.domain) {
        (CellValue::Name(place), Domain::Values(names)) => (place as usize) < names.len(),
        (CellValue::Number(number), Domain::Numbers { low, high }) => {
            number.is_finite() && *low <= number && number <= *high
        }
        _ => false,
    }
}
