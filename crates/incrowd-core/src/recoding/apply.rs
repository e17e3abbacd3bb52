//! New rows recoded like a released table.

use super::bind::{Cells, Point};
use super::index::{Index, Nearest};
use super::{Recoding, Shown, Unit};
use crate::error::Result;
use crate::group::{Grouping, group_rows};
use crate::progress::{Progress, Silent};
use crate::table::{Column, Table};
use rayon::prelude::*;

/// The rows that are recoded between two looks at whether the work is cancelled.
const BLOCK: usize = 1 << 10;

/// How many rows were recoded, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct RecodingCounts {
    /// The rows recoded.
    pub rows: u64,
    /// The rows whose cells cover their values.
    pub covered: u64,
    /// The rows that take the nearest cells, some of which are not true of them.
    pub nearest: u64,
    /// The rows with a value that no cell of the released table covers, for each attribute with such rows.
    pub unseen: Vec<UnseenValues>,
}

/// How many rows have a value of an attribute that no released cell covers.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct UnseenValues {
    /// The attribute.
    pub attribute: String,
    /// The rows.
    pub rows: u64,
}

/// New rows as the released cells see them: each combination of values once.
pub(super) struct NewRows<'t> {
    columns: Vec<&'t Column>,
    /// The values of each column, by code.
    points: Vec<Vec<Point>>,
    /// The combination of each row.
    pub(super) alike: Grouping,
    /// The first row of each combination.
    first: Vec<u32>,
}

/// The cells that a row takes, by attribute, and whether they cover it.
pub(super) struct RecodedCells {
    pub(super) cells: Vec<u32>,
    /// The group whose cells they are, if rows take all cells of one.
    pub(super) group: Option<u32>,
    is_covered: bool,
}

impl Recoding {
    /// The table with its public attributes recoded as in the release; other columns are unchanged.
    ///
    /// # Errors
    /// When the table lacks a public attribute of the release.
    pub fn apply(&self, table: &Table) -> Result<Table> {
        self.apply_counted(table, &Silent).map(|(table, _)| table)
    }

    /// The same, and how many rows are covered.
    ///
    /// # Errors
    /// As [`Self::apply`], or when the work is cancelled.
    pub fn apply_counted(&self, table: &Table, progress: &dyn Progress) -> Result<(Table, RecodingCounts)> {
        self.apply_shown(table, Shown::Cells, progress)
    }

    /// The same, with the cells or what stands for them.
    ///
    /// # Errors
    /// As [`Self::apply_counted`], or when the release does not state what stands for its cells.
    pub fn apply_shown(
        &self,
        table: &Table,
        shown: Shown,
        progress: &dyn Progress,
    ) -> Result<(Table, RecodingCounts)> {
        let ranks = match shown {
            Shown::Cells => Vec::new(),
            Shown::Representatives => {
                self.require_representatives()?;
                self.ranks_of_groups()
            }
        };
        let rows = self.new_rows(table)?;
        let found = self.find(&rows, progress)?;
        let counts = self.count(table, &rows, &found);
        let recoded = |column: &Column| {
            let own = self.legend.attributes.iter().position(|own| own.name == column.name());
            let Some(place) = own else { return Ok(column.clone()) };
            let taken = rows.alike.of_row.iter().map(|&alike| &found[alike as usize]);
            match shown {
                Shown::Cells => {
                    self.attributes[place].column(column.name(), taken.map(|taken| taken.cells[place]))
                }
                Shown::Representatives => self.representatives(place, &ranks, taken),
            }
        };
        let columns = table.columns().iter().map(recoded).collect::<Result<_>>()?;
        Ok((Table::new(columns, table.people().clone())?, counts))
    }

    pub(super) fn new_rows<'t>(&self, table: &'t Table) -> Result<NewRows<'t>> {
        let names = self.legend.attributes.iter().map(|own| own.name.as_str());
        let columns: Vec<&Column> = names.map(|name| table.require(name)).collect::<Result<_>>()?;
        let points =
            self.attributes.par_iter().zip(&columns).map(|(own, column)| own.cells.points(column)).collect();
        let alike = group_rows(table.rows(), &columns);
        Ok(NewRows { columns, points, first: alike.first_rows(), alike })
    }

    /// What each combination of values takes.
    pub(super) fn find(&self, rows: &NewRows<'_>, progress: &dyn Progress) -> Result<Vec<RecodedCells>> {
        let indices = self.indices.get_or_init(|| self.index());
        let all: Vec<&Cells> = self.attributes.iter().map(|own| &own.cells).collect();
        let of_block = |block: &[u32]| -> Result<Vec<RecodedCells>> {
            progress.check()?;
            Ok(block.iter().map(|&row| self.take(indices, &all, &rows.points_of(row))).collect())
        };
        let blocks: Vec<Vec<RecodedCells>> =
            rows.first.par_chunks(BLOCK).map(of_block).collect::<Result<_>>()?;
        Ok(blocks.into_iter().flatten().collect())
    }

    /// One index of all groups, or one of the cells of each attribute.
    fn index(&self) -> Vec<Index> {
        match self.legend.unit {
            Unit::Group => {
                let all: Vec<&Cells> = self.attributes.iter().map(|own| &own.cells).collect();
                vec![Index::new(&all, self.groups, &|place, group| self.cell(place, group))]
            }
            Unit::Attribute => (0..self.attributes.len()).map(|place| self.index_of(place)).collect(),
        }
    }

    /// An index of the cells of one attribute.
    fn index_of(&self, place: usize) -> Index {
        let own = &self.attributes[place];
        Index::new(&[&own.cells], own.by_width.len(), &|_, rank| own.by_width[rank as usize])
    }

    fn take(&self, indices: &[Index], all: &[&Cells], row: &[&Point]) -> RecodedCells {
        if self.legend.unit == Unit::Group {
            let nearest = indices[0].nearest(all, row, &|place, group| self.cell(place, group));
            let any = |place: usize| self.attributes[place].texts.len() as u32;
            let cell = |place: usize| nearest.map_or(any(place), |nearest| self.cell(place, nearest.group));
            return RecodedCells {
                cells: (0..all.len()).map(cell).collect(),
                group: nearest.map(|nearest| nearest.group),
                is_covered: nearest.is_some_and(|nearest| nearest.distance <= 0.0),
            };
        }
        let mut found = RecodedCells { cells: Vec::with_capacity(all.len()), group: None, is_covered: true };
        for (place, own) in self.attributes.iter().enumerate() {
            let nearest = self.nearest_cell(&indices[place], place, row[place]);
            found.is_covered &= nearest.is_some_and(|nearest| nearest.distance <= 0.0);
            let near = nearest.filter(|nearest| nearest.distance < 1.0);
            found.cells.push(near.map_or(own.texts.len() as u32, |near| own.by_width[near.group as usize]));
        }
        found
    }

    /// The rank of the nearest cell of one attribute.
    fn nearest_cell(&self, index: &Index, place: usize, point: &Point) -> Option<Nearest> {
        let own = &self.attributes[place];
        index.nearest(&[&own.cells], &[point], &|_, rank| own.by_width[rank as usize])
    }

    fn count(&self, table: &Table, rows: &NewRows<'_>, found: &[RecodedCells]) -> RecodingCounts {
        let weight = |row: usize| u64::from(table.weight(row));
        let mut counts = RecodingCounts::default();
        for (row, &alike) in rows.alike.of_row.iter().enumerate() {
            counts.rows += weight(row);
            counts.covered += if found[alike as usize].is_covered { weight(row) } else { 0 };
        }
        counts.nearest = counts.rows - counts.covered;
        if counts.nearest == 0 {
            return counts;
        }
        for (place, own) in self.legend.attributes.iter().enumerate() {
            let index = self.index_of(place);
            let is_unseen = |point: &Point| {
                self.nearest_cell(&index, place, point).is_none_or(|nearest| nearest.distance > 0.0)
            };
            let unseen: Vec<bool> = rows.points[place].iter().map(is_unseen).collect();
            let codes = rows.columns[place].codes().iter().enumerate();
            let rows = codes.filter(|&(_, code)| unseen[code as usize]).map(|(row, _)| weight(row)).sum();
            if rows > 0 {
                counts.unseen.push(UnseenValues { attribute: own.name.clone(), rows });
            }
        }
        counts
    }
}

impl NewRows<'_> {
    fn points_of(&self, row: u32) -> Vec<&Point> {
        let columns = self.columns.iter().zip(&self.points);
        columns.map(|(column, points)| &points[column.code(row as usize) as usize]).collect()
    }
}
