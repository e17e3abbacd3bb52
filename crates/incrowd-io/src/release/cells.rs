//! Cells of ensembles in release files. The comments of the raw types become the schema's descriptions.

use super::attributes::{self, at, places};
use super::object::Object;
use super::raw::{RawAttribute, RawTest};
use super::tree::{TestReader, write_test};
use crate::bounds::check_cells;
use incrowd_core::model::{CellPlan, CellTree, CellValue, Domain, Leaf, LeafContents, ModelAttribute, Node};
use incrowd_core::{Error, Result};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// Cells: a tree whose leaves have values of their own, which the trees of an ensemble test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "cells"))]
pub(super) struct RawCells {
    /// The attributes that the cells define.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) attributes: Vec<Object<RawAttribute>>,
    /// The nodes by number; 0 is the root. A child comes after its parent and has no other.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) nodes: Vec<RawCellNode>,
    /// For each cell its value of each attribute.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) values: Vec<Vec<RawCellValue>>,
}

/// A test, or the cell of a leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "cell-node"))]
pub(super) enum RawCellNode {
    Test(Object<RawTest>),
    /// The place of the leaf's values, counted from 0.
    Cell(u32),
}

/// A name or a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "cell-value"))]
pub(super) enum RawCellValue {
    Name(String),
    Number(f64),
}

pub(super) fn read(raw: RawCells, sources: &[ModelAttribute]) -> Result<CellPlan> {
    let attributes = attributes::read(raw.attributes)?;
    check_cells(raw.values.len().saturating_mul(attributes.len()))?;
    let mut tests = TestReader::new(sources);
    let node = |(number, node): (usize, RawCellNode)| match node {
        RawCellNode::Test(Object(test)) => {
            tests.test(test).map(Node::Test).map_err(|error| at(format_args!("cells: node {number}"), error))
        }
        RawCellNode::Cell(label) => Ok(Node::Leaf(Leaf { label, told: LeafContents::Nothing })),
    };
    let nodes = raw.nodes.into_iter().enumerate().map(node).collect::<Result<_>>()?;
    let values = read_values(&raw.values, &attributes)?;
    Ok(CellPlan { attributes, nodes, values })
}

fn read_values(raw: &[Vec<RawCellValue>], attributes: &[ModelAttribute]) -> Result<Vec<Vec<CellValue>>> {
    let known: Vec<_> = attributes
        .iter()
        .map(|attribute| match &attribute.domain {
            Domain::Values(names) => places(names),
            Domain::Numbers { .. } => places(&[]),
        })
        .collect();
    let mut all = Vec::with_capacity(raw.len());
    for (cell, own) in raw.iter().enumerate() {
        if own.len() != attributes.len() {
            return Err(Error::input(format!("cell {cell} needs a value of each attribute of cells"))
                .help("give as many values as \"attributes\" of \"cells\""));
        }
        let value = |(value, known): (&RawCellValue, &std::collections::HashMap<&str, u32>)| match value {
            RawCellValue::Number(number) => Ok(CellValue::Number(*number)),
            RawCellValue::Name(name) => {
                known.get(name.as_str()).map(|&place| CellValue::Name(place)).ok_or_else(|| {
                    Error::input(format!("cell {cell} has a name that its attribute does not list"))
                        .help("list it under \"values\" of the attribute")
                })
            }
        };
        all.push(own.iter().zip(&known).map(value).collect::<Result<_>>()?);
    }
    Ok(all)
}

pub(super) fn write(cells: &CellTree) -> RawCells {
    let sources = cells.tree().attributes();
    let node = |node: &Node| match node {
        Node::Leaf(leaf) => RawCellNode::Cell(leaf.label),
        Node::Test(test) => RawCellNode::Test(Object(write_test(sources, test))),
    };
    let value = |(value, attribute): (&CellValue, &ModelAttribute)| match (value, &attribute.domain) {
        (CellValue::Name(place), Domain::Values(names)) => RawCellValue::Name(names[*place as usize].clone()),
        (CellValue::Number(number), _) => RawCellValue::Number(*number),
        // Checked when the cells were made.
        (CellValue::Name(_), Domain::Numbers { .. }) => RawCellValue::Name(String::new()),
    };
    let values = |own: &Vec<CellValue>| own.iter().zip(cells.attributes()).map(value).collect();
    RawCells {
        attributes: attributes::write(cells.attributes()),
        nodes: cells.tree().nodes().iter().map(node).collect(),
        values: cells.values().iter().map(values).collect(),
    }
}
