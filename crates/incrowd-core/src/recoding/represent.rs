//! What stands for the cells of a group in front of a learner: a number or a name instead of an interval or a set.
//!
//! A representative is a function of the groups and of public values alone, such as the mean of a group's numbers. An
//! attacker who knows the public table and the groups can compute it, so it reveals nothing that the cells do not.

use super::Recoding;
use super::apply::RecodedCells;
use super::legend::Unit;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::table::{Codes, Column, Table, Values};
use crate::taxonomy::ANY;

/// What recoded rows show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    /// The cells of the released table, as texts.
    #[default]
    Cells,
    /// What stands for them, if the release states it.
    Representatives,
}

/// What stands for the cells of an attribute, in the order of the cells' texts: one value for each group or, if every
/// attribute is recoded alone, for each different cell. None if values are missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Representatives {
    /// Numbers; of dates, days since 1970-01-01.
    Numbers(Vec<Option<f64>>),
    /// Names.
    Names(Vec<Option<String>>),
}

impl Representatives {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Names(names) => names.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that occur, and for each representative its code; missing ones have the last.
    fn coded(&self) -> (Values, Vec<u32>) {
        fn codes<T: PartialOrd>(all: &[Option<T>], sorted: &[&T]) -> Vec<u32> {
            let code = |one: &T| sorted.partition_point(|other| *other < one);
            all.iter().map(|one| one.as_ref().map_or(sorted.len(), code) as u32).collect()
        }
        match self {
            Self::Numbers(all) => {
                let mut sorted: Vec<&f64> = all.iter().flatten().collect();
                sorted.sort_by(|a, b| a.total_cmp(b));
                sorted.dedup();
                let codes = codes(all, &sorted);
                (Values::Numeric(sorted.into_iter().copied().collect()), codes)
            }
            Self::Names(all) => {
                let mut sorted: Vec<&String> = all.iter().flatten().collect();
                sorted.sort_unstable();
                sorted.dedup();
                let codes = codes(all, &sorted);
                (Values::Categorical(sorted.into_iter().collect()), codes)
            }
        }
    }
}

/// Which representatives stand for rows.
#[derive(Debug, Clone)]
pub struct Places {
    /// For each row the place of its representative: of all attributes, or of each.
    of_row: Vec<Vec<u32>>,
    /// For each attribute the number of representatives.
    counts: Vec<usize>,
}

impl Places {
    /// For each row the place of an attribute's representative, and how many there are.
    pub fn of(&self, attribute: usize) -> (&[u32], usize) {
        let of_row = self.of_row.get(attribute).or(self.of_row.first());
        (of_row.map_or(&[], Vec::as_slice), self.counts[attribute])
    }
}

impl Recoding {
    /// Which representatives stand for the rows of a table that groups of the release cover.
    ///
    /// # Errors
    /// When the table lacks a public attribute of the release, or the release has no group for a row.
    pub fn places(&self, table: &Table, progress: &dyn Progress) -> Result<Places> {
        let rows = self.new_rows(table)?;
        let found = self.find(&rows, progress)?;
        let ranks = self.ranks_of_groups();
        let counts: Vec<usize> = (0..self.attributes.len()).map(|place| self.expected(place)).collect();
        let of_row = |attribute: usize| {
            let place = |&alike: &u32| {
                let place = self.place(attribute, &ranks, &found[alike as usize]);
                let place = place.ok_or_else(|| Error::internal("the release has no group for a row"))?;
                Ok(place as u32)
            };
            rows.alike.of_row.iter().map(place).collect::<Result<Vec<u32>>>()
        };
        let lists = if self.legend.unit == Unit::Group { 1 } else { self.attributes.len() };
        Ok(Places { of_row: (0..lists).map(of_row).collect::<Result<_>>()?, counts })
    }

    /// The recoding with what stands for its cells, attribute by attribute.
    ///
    /// # Errors
    /// When there is not one representative for each group.
    pub fn with_representatives(mut self, all: Vec<Representatives>) -> Result<Self> {
        if all.len() != self.legend.attributes.len() {
            return Err(Error::internal("not every attribute has representatives"));
        }
        for (attribute, own) in self.legend.attributes.iter_mut().zip(all) {
            attribute.representatives = Some(own);
        }
        self.check_representatives()?;
        Ok(self)
    }

    /// Whether the release states what stands for its cells.
    pub fn has_representatives(&self) -> bool {
        self.legend.attributes.iter().all(|attribute| attribute.representatives.is_some())
    }

    /// Fails unless there is a representative of every group, or none at all.
    pub(super) fn check_representatives(&self) -> Result<()> {
        for (place, legend) in self.legend.attributes.iter().enumerate() {
            let expected = self.expected(place);
            if legend.representatives.as_ref().is_some_and(|all| all.len() != expected) {
                return Err(Error::input("the recoding does not state one representative for each group")
                    .of_attribute(&legend.name)
                    .help("check that the table and the release file belong together"));
            }
        }
        Ok(())
    }

    /// The number of representatives of an attribute.
    fn expected(&self, place: usize) -> usize {
        match self.legend.unit {
            Unit::Group => self.groups,
            Unit::Attribute => self.attributes[place].texts.len(),
        }
    }

    /// The place of the representative for a row that takes these cells.
    fn place(&self, attribute: usize, ranks: &[u32], row: &RecodedCells) -> Option<usize> {
        let texts = &self.attributes[attribute].texts;
        match self.legend.unit {
            Unit::Group => row.group.map(|group| ranks[group as usize] as usize),
            // A value that is far from all cells has a cell of its own, `*`.
            Unit::Attribute if row.cells[attribute] as usize == texts.len() => {
                texts.iter().position(|text| text == ANY)
            }
            Unit::Attribute => Some(row.cells[attribute] as usize),
        }
    }

    /// Fails if the release does not state what stands for its cells.
    pub(super) fn require_representatives(&self) -> Result<()> {
        if self.has_representatives() {
            return Ok(());
        }
        Err(Error::input("the release does not state what stands for its cells")
            .help("make the table again with representatives, or recode rows to cells"))
    }

    /// For each group its place in the order of the cells' texts.
    pub(super) fn ranks_of_groups(&self) -> Vec<u32> {
        // The texts of every attribute are sorted, so cells are ordered as their texts.
        let cells = |group: u32| self.attributes.iter().map(move |own| own.of_group[group as usize]);
        let mut order: Vec<u32> = (0..self.groups as u32).collect();
        order.sort_by(|&a, &b| cells(a).cmp(cells(b)));
        let mut ranks = vec![0; order.len()];
        (0..).zip(order).for_each(|(rank, group)| ranks[group as usize] = rank);
        ranks
    }

    /// A column of representatives, for rows that take these cells.
    pub(super) fn representatives<'r>(
        &self,
        place: usize,
        ranks: &[u32],
        rows: impl Iterator<Item = &'r RecodedCells>,
    ) -> Result<Column> {
        let legend = &self.legend.attributes[place];
        let stated = legend.representatives.as_ref().ok_or_else(|| Error::internal("no representatives"))?;
        let (values, code_of) = stated.coded();
        let code =
            |row: &RecodedCells| self.place(place, ranks, row).map_or(values.len() as u32, |of| code_of[of]);
        let codes = Codes::collect(values.len() + 1, rows.map(code));
        Column::new(&legend.name, values, codes)
    }
}
