//! What the cells of a released table cover, for cells whose text does not show it.

use super::{Extent, MaskedCode, Representatives};
use crate::table::Kind;
use std::collections::BTreeMap;

/// What is needed besides a released table to recode new rows like it.
///
/// It contains the names and kinds of the columns, and what those cells cover whose text does not state it, which are
/// groups of the policy's taxonomies. It contains nothing else about the source, unless it states what stands for cells:
/// functions of the groups and their public values.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// What is recoded together.
    pub unit: Unit,
    /// The recoded attributes, in the order of the table.
    pub attributes: Vec<AttributeLegend>,
}

/// What is recoded together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// A row takes all cells of one group.
    #[default]
    Group,
    /// Every attribute is recoded alone, the same way in all rows: the table has one cut for each.
    Attribute,
}

/// What the cells of one attribute mean.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeLegend {
    /// Its name.
    pub name: String,
    /// Numbers, dates, or anything else for names.
    pub kind: Kind,
    /// What cells cover, by their texts; those whose text states it are left out.
    pub cells: BTreeMap<String, Extent>,
    /// What stands for cells in front of a learner, if the release states it.
    pub representatives: Option<Representatives>,
}

impl AttributeLegend {
    /// The legend of cells, without those whose text states what they cover. Cells that read alike are one.
    pub fn new(name: &str, kind: Kind, cells: impl IntoIterator<Item = (String, Extent)>) -> Self {
        let mut all: BTreeMap<String, Extent> = BTreeMap::new();
        for (text, extent) in cells {
            let known = all.remove(&text);
            all.insert(text, Extent::union(known.into_iter().chain([extent])));
        }
        all.retain(|text, extent| Extent::of_text(kind, text).as_ref() != Some(extent));
        Self { name: name.to_owned(), kind, cells: all, representatives: None }
    }

    /// The same with what stands for cells.
    #[must_use]
    pub fn with_representatives(self, representatives: Representatives) -> Self {
        Self { representatives: Some(representatives), ..self }
    }

    /// What a cell covers; none if neither the legend nor its text states it.
    pub fn extent(&self, text: &str) -> Option<Extent> {
        self.cells.get(text).cloned().or_else(|| Extent::of_text(self.kind, text))
    }
}

impl Legend {
    /// The most names, ranges and codes, with the marks of JSON in their texts, and the most bytes of a legend in a
    /// file.
    const MOST: (usize, usize) = (1 << 20, 32 << 20);

    /// Whether it is small enough for a file, and its codes are short enough.
    pub fn is_bounded(&self) -> bool {
        let (mut listed, mut bytes) = (0, 0);
        let mut add = |text: &str| {
            listed += 1 + text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
            bytes += text.len();
        };
        for attribute in &self.attributes {
            add(&attribute.name);
            match &attribute.representatives {
                Some(Representatives::Names(names)) => {
                    names.iter().for_each(|name| add(name.as_deref().unwrap_or_default()));
                }
                Some(Representatives::Numbers(numbers)) => numbers.iter().for_each(|_| add("")),
                None => {}
            }
            for (text, extent) in &attribute.cells {
                add(text);
                extent.names.iter().for_each(|name| add(name));
                extent.codes.iter().for_each(|code| add(&code.shown));
                extent.ranges.iter().for_each(|_| add(""));
            }
        }
        let mut codes =
            self.attributes.iter().flat_map(|a| a.cells.values()).flat_map(|extent| &extent.codes);
        listed <= Self::MOST.0
            && bytes <= Self::MOST.1
            && codes.all(|code| (1..=MaskedCode::MOST_CHARACTERS).contains(&code.length))
    }
}
