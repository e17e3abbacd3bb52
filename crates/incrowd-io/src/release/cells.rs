//! Cells of ensembles in release files. The comments of the raw types become the schema's descriptions.

use super::attributes::{self, at, places};
use super::object::Object;
use super::raw::{RawAttribute, RawTest};
use super::tree::{TestReader, write_test};
use crate::bounds::check_cells;
use incrowd_core::model::{CellPlan, CellTree, CellValue, Domain, Leaf, LeafContents, ModelAttribute, Node};
use incrowd_core::words::counted;
use incrowd_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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
#[serde(untagged, expecting = "the value of a cell must be a name or a number")]
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
        RawCellNode::Cell(cell) if cell as usize >= raw.values.len() => {
            let listed = counted(raw.values.len() as u64, "cell");
            let what = format!(
                "cells: node {number} is cell {cell}, but \"values\" of \"cells\" lists only {listed}"
            );
            Err(Error::input(what).help("number the cells from 0, in the order of \"values\""))
        }
        RawCellNode::Cell(cell) => Ok(Node::Leaf(Leaf { label: cell, told: LeafContents::Nothing })),
    };
    let nodes = raw.nodes.into_iter().enumerate().map(node).collect::<Result<_>>()?;
    let values = read_values(&raw.values, &attributes)?;
    Ok(CellPlan { attributes, nodes, values })
}

fn read_values(raw: &[Vec<RawCellValue>], attributes: &[ModelAttribute]) -> Result<Vec<Vec<CellValue>>> {
    let known: Vec<_> = attributes.iter().map(|attribute| places(attributes::values(attribute))).collect();
    let mut all = Vec::with_capacity(raw.len());
    for (cell, own) in raw.iter().enumerate() {
        if own.len() != attributes.len() {
            let (values, listed) =
                (counted(own.len() as u64, "value"), counted(attributes.len() as u64, "attribute"));
            let what = format!("cells: cell {cell} has {values}, but the cells define {listed}");
            return Err(Error::input(what).help("give each cell one value per attribute of \"cells\""));
        }
        let each = own.iter().zip(attributes.iter().zip(&known));
        let value = |(value, (attribute, known))| read_value(value, attribute, known);
        let values = each.map(value).collect::<Result<_>>();
        all.push(values.map_err(|error| at(format_args!("cells: cell {cell}"), error))?);
    }
    Ok(all)
}

fn read_value(
    value: &RawCellValue,
    attribute: &ModelAttribute,
    known: &HashMap<&str, u32>,
) -> Result<CellValue> {
    let wrong = |what: &str, help: &str| Err(Error::input(what).of_attribute(&attribute.name).help(help));
    match (value, &attribute.domain) {
        (RawCellValue::Name(name), Domain::Values(_)) => {
            if let Some(&place) = known.get(name.as_str()) {
                return Ok(CellValue::Name(place));
            }
            let help = "list the name under \"values\" of the attribute";
            wrong("the name is not one of the attribute's values", help)
        }
        (RawCellValue::Number(number), Domain::Numbers { low, high }) => {
            if (*low..=*high).contains(number) {
                return Ok(CellValue::Number(*number));
            }
            let help = "correct the number, or \"low\" and \"high\" of the attribute";
            wrong("the number is outside the range of the attribute", help)
        }
        (RawCellValue::Name(_), Domain::Numbers { .. }) => {
            wrong("a name, but the attribute is numeric", "give a number")
        }
        (RawCellValue::Number(_), Domain::Values(_)) => {
            wrong("a number, but the attribute has names", "give one of the names under \"values\"")
        }
    }
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
