//! Trees of labels, built path by path and checked on the way.

use super::ANY;
use crate::error::{Error, Result};
use crate::words::counted;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Deeper trees are refused: no taxonomy individuals read has that many levels.
const MAX_LEVELS: usize = 256;

/// A checked tree of labels: one root, no cycle, one parent per label, values only as leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeSpec {
    pub(super) labels: Vec<String>,
    /// The parent of each node; the root has none.
    pub(super) parents: Vec<Option<u32>>,
    /// Which nodes are values; all others are groups.
    pub(super) is_value: Vec<bool>,
}

impl TreeSpec {
    /// A tree from the lines of a file: `value; group; …; root`, each with the line number for errors.
    ///
    /// Equal neighbours in a line are one node, so that short branches can be padded to the same length.
    ///
    /// # Errors
    /// When the file is empty, lines differ in length, a cell is empty, roots differ, a label has two parents, is above
    /// itself, or is both a value and a group. Errors name the line and the cell and quote neither.
    pub fn from_lines<S: AsRef<str>>(lines: impl IntoIterator<Item = (u64, Vec<S>)>) -> Result<Self> {
        let mut grower = Grower::new();
        let mut first: Option<(usize, String)> = None;
        for (line, cells) in lines {
            let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
            let root = cells.last().copied().unwrap_or_default();
            let (width, first_root) = first.get_or_insert_with(|| (cells.len(), root.to_owned()));
            check_cells(&cells, *width)
                .and_then(|()| check_root(&cells, first_root))
                .and_then(|()| grower.add_path(&cells))
                .map_err(|error| error.at_line(line))?;
        }
        if first.is_none() {
            return Err(
                Error::input("the taxonomy is empty").help("write one line per value: value;group;…;root")
            );
        }
        Ok(grower.tree)
    }

    /// The labels of all values, in the order of the lines.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.labels
            .iter()
            .zip(&self.is_value)
            .filter(|(_, is_value)| **is_value)
            .map(|(label, _)| label.as_str())
    }

    /// The label of each value with those of all groups above it, from the lowest to the root.
    pub fn paths(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let values = (0..self.labels.len()).filter(|&node| self.is_value[node]);
        values.map(|node| {
            let above = std::iter::successors(self.parents[node], |node| self.parents[*node as usize]);
            let above = above.map(|node| self.labels[node as usize].as_str()).collect();
            (self.labels[node].as_str(), above)
        })
    }

    /// The label of the root.
    pub fn root(&self) -> &str {
        let root = self.parents.iter().position(Option::is_none);
        root.map_or(ANY, |root| &self.labels[root])
    }
}

fn check_cells(cells: &[&str], width: usize) -> Result<()> {
    if cells.len() != width {
        let what = format!("{} where the first line has {width}", counted(cells.len() as u64, "cell"));
        return Err(Error::input(what).help("pad a short branch by repeating its value"));
    }
    if width > MAX_LEVELS {
        return Err(Error::limit(format!("more than {MAX_LEVELS} levels")));
    }
    if let Some(column) = cells.iter().position(|cell| cell.is_empty()) {
        return Err(Error::input("a label is empty")
            .at_column(column as u64 + 1)
            .help("name it; declare empty cells of the table as missing"));
    }
    Ok(())
}

fn check_root(cells: &[&str], root: &str) -> Result<()> {
    let column = cells.len() as u64;
    if cells.last() != Some(&root) {
        return Err(Error::input("a second root: the last cell differs from the first line's")
            .at_column(column)
            .help("end every line with the same label, such as *"));
    }
    if cells.iter().all(|cell| *cell == root) {
        return Err(Error::input("the value has no group above it")
            .at_column(column)
            .help("a line needs at least a value and the root"));
    }
    Ok(())
}

/// Grows a tree; a label is a node.
#[derive(Debug)]
pub(super) struct Grower {
    /// The nodes by the hash of their labels, which are stored once only.
    ids: HashTable<u32>,
    hasher: DefaultHashBuilder,
    has_children: Vec<bool>,
    pub(super) tree: TreeSpec,
}

impl Grower {
    fn new() -> Self {
        let tree = TreeSpec { labels: Vec::new(), parents: Vec::new(), is_value: Vec::new() };
        Self { ids: HashTable::new(), hasher: DefaultHashBuilder::default(), has_children: Vec::new(), tree }
    }

    /// Begins with a root.
    pub(super) fn with_root(label: &str) -> Self {
        let mut grower = Self::new();
        grower.node(label);
        grower
    }

    /// Adds a value under its groups, of which the last must be the root; returns the value's node.
    ///
    /// The groups above a label must be the same whenever it comes, as rules that make trees ensure: what is above a
    /// known group is not looked at again.
    pub(super) fn add_value(&mut self, value: &str, groups: impl IntoIterator<Item = String>) -> Result<u32> {
        let (leaf, new) = self.node(value);
        if !new {
            return Err(looks_like_a_group());
        }
        self.tree.is_value[leaf as usize] = true;
        let mut below = leaf;
        for label in groups {
            let (group, new) = self.node(&label);
            if group == below {
                continue;
            }
            if self.tree.is_value[group as usize] {
                return Err(looks_like_a_group());
            }
            self.set_parent(below, group);
            if !new {
                break;
            }
            below = group;
        }
        Ok(leaf)
    }

    /// Adds a line of a file, every step of it checked.
    fn add_path(&mut self, cells: &[&str]) -> Result<()> {
        let (leaf, _) = self.node(cells[0]);
        if self.has_children[leaf as usize] {
            return Err(both_value_and_group().at_column(1));
        }
        self.tree.is_value[leaf as usize] = true;
        let mut below = leaf;
        for (column, label) in cells.iter().enumerate().skip(1) {
            let (above, _) = self.node(label);
            if above != below {
                self.link(below, above).map_err(|error| error.at_column(column as u64 + 1))?;
                below = above;
            }
        }
        Ok(())
    }

    fn link(&mut self, below: u32, above: u32) -> Result<()> {
        match self.tree.parents[below as usize] {
            Some(known) if known == above => return Ok(()),
            _ if self.is_above(below, above) => {
                return Err(
                    Error::input("a cycle: the label is above itself").help("give every group its own name")
                );
            }
            Some(_) => {
                return Err(Error::input(
                    "the label before this one has a different parent in an earlier line",
                )
                .help("put it under one parent, or use two names"));
            }
            None => {}
        }
        if self.tree.is_value[above as usize] {
            return Err(both_value_and_group());
        }
        self.set_parent(below, above);
        Ok(())
    }

    fn is_above(&self, above: u32, below: u32) -> bool {
        std::iter::successors(Some(below), |node| self.tree.parents[*node as usize]).any(|node| node == above)
    }

    fn set_parent(&mut self, below: u32, above: u32) {
        self.tree.parents[below as usize] = Some(above);
        self.has_children[above as usize] = true;
    }

    /// The node of a label, and whether it is new.
    fn node(&mut self, label: &str) -> (u32, bool) {
        let labels = &self.tree.labels;
        let hash = self.hasher.hash_one(label);
        if let Some(&id) = self.ids.find(hash, |id| labels[*id as usize] == label) {
            return (id, false);
        }
        let id = labels.len() as u32;
        self.ids.insert_unique(hash, id, |id| self.hasher.hash_one(labels[*id as usize].as_str()));
        self.tree.labels.push(label.to_owned());
        self.tree.parents.push(None);
        self.tree.is_value.push(false);
        self.has_children.push(false);
        (id, true)
    }
}

fn both_value_and_group() -> Error {
    Error::input("the label is both a value and a group of values").help("give the group another name")
}

fn looks_like_a_group() -> Error {
    Error::input("a value of the attribute has the same text as another value or a group of its taxonomy")
        .help("recode the value, choose another mask or pad, or write the taxonomy as a file")
}
