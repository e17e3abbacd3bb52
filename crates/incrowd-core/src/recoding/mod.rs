//! Applies a released table's recoding to new rows.
//!
//! A model trained on a released table has learned from generalized values, so the rows that it predicts must be
//! generalized in the same way. A [`Recoding`] is made from the public cells of the released table and their
//! [`Legend`], nothing else of the source.
//!
//! The rule: a row gets all cells of the *nearest* group. The distance between a row and a group is the sum, over the
//! attributes, of the distances between the row's value and the group's cell: 0 if the cell covers the value; for
//! numbers and dates 1 − r / (g + r), where g is the gap between the value and the cell and r the range of all cells of
//! the attribute (half for a gap as wide as the range); 1 otherwise, such as for names that the cell does not cover. Of
//! several nearest groups the most specific one is taken: the one whose cells cover the least of their attributes, then
//! the first in the order of the cells' texts. So a row that some group covers has distance 0 and gets cells that are
//! true of it. A row that no group covers gets the cells of a similar group; such rows are counted.
//!
//! If the table has one cut for every attribute ([`Unit::Attribute`]), each value gets its nearest cell by the same
//! rule, and `*` if no cell is nearer than 1.
//!
//! Running time: rows with equal values are recoded once, and a tree over the groups leaves out those that cannot be
//! the nearest.

mod apply;
mod bind;
mod extent;
mod index;
mod legend;
mod represent;
mod set_text;
#[cfg(test)]
mod tests;

pub use apply::{RecodingCounts, UnseenValues};
pub use extent::{Extent, MaskedCode, NumberRange};
pub use legend::{AttributeLegend, Legend, Unit};
pub use represent::{Places, Representatives, Shown};
pub use set_text::name_in_set;
pub(crate) use set_text::quoted_parts;

use crate::error::{Error, Result};
use crate::group::group_rows;
use crate::table::{Codes, Column, People, Table, Values};
use crate::taxonomy::{ANY, MISSING};
use bind::Cells;
use index::Index;
use std::sync::OnceLock;

/// The recoding of a released table, for new rows.
#[derive(Debug, Clone)]
pub struct Recoding {
    legend: Legend,
    attributes: Vec<Recoded>,
    groups: usize,
    /// Made when the first rows are recoded.
    indices: OnceLock<Vec<Index>>,
}

/// The cells of one attribute.
#[derive(Debug, Clone)]
struct Recoded {
    cells: Cells,
    /// The texts of the cells, ascending.
    texts: Vec<String>,
    /// The cells, the most specific first.
    by_width: Vec<u32>,
    /// The cell of each group; the most specific groups come first.
    of_group: Vec<u32>,
}

impl PartialEq for Recoding {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Recoded, &Recoded)| a.texts == b.texts && a.of_group == b.of_group;
        (&self.legend, self.groups) == (&other.legend, other.groups)
            && self.attributes.iter().zip(&other.attributes).all(same)
    }
}

impl Recoding {
    /// The recoding of a released table, whose other columns are ignored.
    ///
    /// # Errors
    /// When the table lacks an attribute of the legend, a cell is neither in the legend nor states what it covers, or the
    /// legend states other representatives than those of the table's groups.
    pub fn new(legend: Legend, released: &Table) -> Result<Self> {
        let columns: Vec<&Column> =
            legend.attributes.iter().map(|own| released.require(&own.name)).collect::<Result<_>>()?;
        let first = group_rows(released.rows(), &columns).first_rows();
        let recoded = |(own, column): (&AttributeLegend, &Column)| Recoded::new(own, column, &first);
        let attributes = legend.attributes.iter().zip(columns).map(recoded).collect::<Result<_>>()?;
        let mut recoding = Self { legend, attributes, groups: first.len(), indices: OnceLock::new() };
        recoding.sort();
        recoding.check_representatives()?;
        Ok(recoding)
    }

    /// Sorts the groups: the most specific first, then by their texts.
    fn sort(&mut self) {
        let cells = |group: u32| self.attributes.iter().map(move |own| own.of_group[group as usize]);
        let width = |group: u32| -> f64 {
            self.attributes.iter().map(|own| own.cells.width(own.of_group[group as usize])).sum()
        };
        let mut order: Vec<(f64, u32)> = (0..self.groups as u32).map(|group| (width(group), group)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| cells(a.1).cmp(cells(b.1))));
        for own in &mut self.attributes {
            own.of_group = order.iter().map(|&(_, group)| own.of_group[group as usize]).collect();
        }
    }

    /// What is needed besides the released table.
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The public cells of the released table, one row for each group.
    ///
    /// # Errors
    /// Never for a recoding that was made from a table.
    pub fn cells(&self) -> Result<Table> {
        let named = self.attributes.iter().zip(&self.legend.attributes);
        let columns = named.map(|(own, legend)| own.column(&legend.name, own.of_group.iter().copied()));
        Table::new(columns.collect::<Result<_>>()?, People::Rows)
    }

    /// The texts that recoded rows can have, for each attribute: numbers and dates ascending, names by the alphabet.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let of_one = |own: &Recoded| {
            let mut cells: Vec<u32> = (0..own.texts.len() as u32).collect();
            cells.sort_by(|&a, &b| {
                let (a, b) = (own.cells.place(a), own.cells.place(b));
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
            let mut texts: Vec<String> = cells.iter().map(|&cell| own.texts[cell as usize].clone()).collect();
            if self.legend.unit == Unit::Attribute && !texts.iter().any(|text| text == ANY) {
                texts.push(ANY.to_owned());
            }
            texts
        };
        self.attributes.iter().map(of_one).collect()
    }

    /// The cell of a group.
    fn cell(&self, place: usize, group: u32) -> u32 {
        self.attributes[place].of_group[group as usize]
    }
}

impl Recoded {
    /// The cells of a released column, and those of the groups that begin at these rows.
    fn new(legend: &AttributeLegend, column: &Column, first: &[u32]) -> Result<Self> {
        let column = column.select(first).compacted();
        let values = column.values();
        let mut texts: Vec<String> = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
        // ARFF has one notation for a cell `?` and a missing one.
        texts.extend(column.has_missing().then(|| MISSING.to_owned()));
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by(|&a, &b| texts[a].cmp(&texts[b]));
        let mut number = vec![0; texts.len()];
        let mut sorted: Vec<String> = Vec::with_capacity(texts.len());
        for place in order {
            if sorted.last() != Some(&texts[place]) {
                sorted.push(texts[place].clone());
            }
            number[place] = sorted.len() as u32 - 1;
        }
        let extent = |text: &String| legend.extent(text).ok_or_else(|| unknown(legend));
        let extents: Vec<Extent> = sorted.iter().map(extent).collect::<Result<_>>()?;
        let cells = Cells::new(legend.kind, &extents);
        let mut by_width: Vec<u32> = (0..sorted.len() as u32).collect();
        by_width.sort_by(|&a, &b| cells.width(a).total_cmp(&cells.width(b)).then(a.cmp(&b)));
        let of_group = column.codes().iter().map(|code| number[code as usize]).collect();
        Ok(Self { cells, texts: sorted, by_width, of_group })
    }

    /// A column of cells; one past the last is `*`.
    fn column(&self, name: &str, cells: impl Iterator<Item = u32>) -> Result<Column> {
        let mut values: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        let any = values.partition_point(|text| *text < ANY);
        let has_any = values.get(any) == Some(&ANY);
        if !has_any {
            values.insert(any, ANY);
        }
        let code = |cell: u32| match cell as usize {
            cell if cell == self.texts.len() => any as u32,
            cell => (cell + usize::from(!has_any && cell >= any)) as u32,
        };
        let codes = Codes::collect(values.len() + 1, cells.map(code));
        Column::new(name, Values::Categorical(values.into_iter().collect()), codes)
    }
}

fn unknown(legend: &AttributeLegend) -> Error {
    Error::input("the table has a cell that its recoding does not explain")
        .of_attribute(&legend.name)
        .help("check that the table and the release file belong together")
}
