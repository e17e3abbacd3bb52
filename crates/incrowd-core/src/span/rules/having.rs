//! Who has which items: the rows of a table as sets, one for each item in the rules.

use crate::bits::Bits;
use crate::error::{Error, Result};
use crate::group::{Grouping, group_rows};
use crate::model::{Domain, Item, ModelAttribute, Rule, Rules};
use crate::span::bind::domain_codes;
use crate::table::{Column, People, Table};
use hashbrown::HashMap;

/// The rows of a table, those with the same items taken together, by the items they have.
pub(crate) struct Having<'a> {
    table: &'a Table,
    /// The column of each attribute of the rules.
    pub(super) columns: Vec<&'a Column>,
    /// Rows that are equal in every attribute of the rules.
    pub(super) grouping: Grouping,
    /// The individuals of each group.
    sizes: Vec<u64>,
    groups_of: HashMap<Item, Bits>,
}

impl<'a> Having<'a> {
    pub(crate) fn new(table: &'a Table, rules: &Rules) -> Result<Self> {
        let (mut columns, mut value_of_code) = (Vec::new(), Vec::new());
        for attribute in rules.attributes() {
            let column = table.require(&attribute.name)?;
            value_of_code.push(values_of_codes(attribute, column)?);
            columns.push(column);
        }
        let mut items: Vec<Item> = rules.rules().iter().flat_map(Rule::items).copied().collect();
        items.sort_unstable();
        items.dedup();
        let mut spoken: Vec<usize> = items.iter().map(|item| item.attribute).collect();
        spoken.dedup();
        let grouping =
            group_rows(table.rows(), &spoken.iter().map(|&attribute| columns[attribute]).collect::<Vec<_>>());
        let first = grouping.first_rows();
        let groups_of = |item: Item| {
            let (column, value_of_code) = (columns[item.attribute], &value_of_code[item.attribute]);
            let has = |group: usize| value_of_code[column.code(first[group] as usize) as usize] == item.value;
            (item, Bits::of(first.len(), has))
        };
        let groups_of = items.into_iter().map(groups_of).collect();
        let sizes = grouping.sizes(table);
        Ok(Self { table, columns, grouping, sizes, groups_of })
    }

    /// The number of groups.
    pub(super) fn groups(&self) -> usize {
        self.sizes.len()
    }

    /// The groups that have an item of the rules.
    pub(super) fn of(&self, item: Item) -> &Bits {
        &self.groups_of[&item]
    }

    /// The individuals of a group.
    pub(super) fn individuals(&self, group: usize) -> u64 {
        self.sizes[group]
    }

    /// Whether the rows of a group have all of these items.
    pub(super) fn has(&self, group: usize, items: &[Item]) -> bool {
        items.iter().all(|item| self.groups_of[item].contains(group))
    }

    /// The groups that have all of these items.
    pub(super) fn all(&self, items: &[Item]) -> Bits {
        let mut all = Bits::full(self.groups());
        items.iter().for_each(|item| all.keep(&self.groups_of[item]));
        all
    }

    /// The number of individuals who have all of these items, in one row.
    pub(crate) fn support(&self, items: &[Item]) -> u64 {
        let all = self.all(items);
        match self.table.people() {
            People::Rows | People::Weights(_) => all.iter().map(|group| self.sizes[group]).sum(),
            People::Subjects { of_row, .. } => {
                let rows = self.grouping.of_row.iter().zip(of_row);
                let with = rows.filter(|&(&group, _)| all.contains(group as usize));
                let mut subjects: Vec<u32> = with.map(|(_, &subject)| subject).collect();
                subjects.sort_unstable();
                subjects.dedup();
                subjects.len() as u64
            }
        }
    }
}

/// For each code its place among the values that the release lists, a missing value's last; [`u32::MAX`] for a value
/// that no item names.
pub(super) fn values_of_codes(attribute: &ModelAttribute, column: &Column) -> Result<Vec<u32>> {
    let Domain::Values(_) = &attribute.domain else {
        return Err(Error::input("rules use categorical attributes only").of_attribute(&attribute.name));
    };
    let codes = domain_codes(&attribute.domain, column.values()).into_iter();
    Ok(codes.map(|value| value.unwrap_or(u32::MAX)).chain([u32::MAX]).collect())
}
