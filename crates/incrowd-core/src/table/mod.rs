//! Tables about individuals: dictionary-coded columns and weighted rows.
//!
//! A cell is a code into its column's sorted value table, so algorithms compare small integers. Equal rows may be
//! merged into one with a weight; a declared subject column makes several rows count as one individual.

mod codes;
mod column;
mod date;
mod left_out;
mod merge;
mod recode;
mod texts;

pub use codes::{Code, CodeIter, Codes};
pub use column::{Column, Kind, Values};
pub use date::{Date, DateOrder};
pub use left_out::RowsLeftOut;
pub use texts::Texts;

use crate::error::{Error, Result};
use crate::group::code_sizes;
use crate::nearest::which_column;
use crate::words::counted;
use std::collections::BTreeMap;

/// A table: columns of equal length, with the individuals of its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
    people: People,
}

/// The individuals of the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum People {
    /// Each row is one individual.
    #[default]
    Rows,
    /// Each row represents this many equal individuals (at least one).
    Weights(Vec<u32>),
    /// Each row belongs to the individual with this number; several rows of one individual count once.
    Subjects {
        /// The individual of each row, numbered from 0 in order of first appearance.
        of_row: Vec<u32>,
        /// The number of individuals.
        count: u32,
    },
}

impl People {
    /// Numbers individuals by the codes of a subject column, in order of first appearance.
    pub fn from_subject(column: &Column) -> Self {
        let mut number = vec![u32::MAX; column.code_count()];
        let mut count = 0;
        let of_row = (0..column.len())
            .map(|row| {
                let slot = &mut number[column.code(row) as usize];
                if *slot == u32::MAX {
                    *slot = count;
                    count += 1;
                }
                *slot
            })
            .collect();
        Self::Subjects { of_row, count }
    }

    /// Renumbers individuals by the number of each row, in order of first appearance.
    pub fn of_subjects(numbers: &[u32]) -> Self {
        Self::from_subject(&Column::from_codes_of_numbers("subject", numbers))
    }
}

impl Table {
    /// The table with one more column, of numbers: one for each row.
    ///
    /// # Errors
    /// When the name is taken, or there are not as many numbers as rows.
    pub fn with_numbers(&self, name: &str, numbers: &[u32]) -> Result<Self> {
        let column = Column::from_codes_of_numbers(name, numbers);
        Self::new([self.columns(), &[column]].concat(), self.people().clone())
    }

    /// Combines columns.
    ///
    /// # Errors
    /// When lengths differ, a name occurs twice, there are more than `u32::MAX` rows, or a weight is zero.
    pub fn new(columns: Vec<Column>, people: People) -> Result<Self> {
        let rows = match (&people, columns.first()) {
            (People::Weights(weights), _) => weights.len(),
            (People::Subjects { of_row, .. }, _) => of_row.len(),
            (People::Rows, Some(column)) => column.len(),
            (People::Rows, None) => 0,
        };
        if let Some(column) = columns.iter().find(|column| column.len() != rows) {
            let what = format!("{} where the table has {rows}", counted(column.len() as u64, "row"));
            return Err(Error::input(what).of_attribute(column.name()));
        }
        if u32::try_from(rows).is_err() {
            return Err(Error::limit(format!("{rows} rows are too many for one table"))
                .help("merge equal rows into weighted ones first"));
        }
        for (i, column) in columns.iter().enumerate() {
            if columns[..i].iter().any(|other| other.name() == column.name()) {
                return Err(Error::input("duplicate column name").of_attribute(column.name()));
            }
        }
        if matches!(&people, People::Weights(weights) if weights.contains(&0)) {
            return Err(Error::input("a row has weight zero").help("remove such rows"));
        }
        Ok(Self { columns, rows, people })
    }

    /// The columns in schema order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns alone.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// The column of that name, or an error that names it.
    ///
    /// # Errors
    /// When the table has no such column.
    pub fn require(&self, name: &str) -> Result<&Column> {
        self.column(name).ok_or_else(|| {
            let names: Vec<_> = self.columns.iter().map(Column::name).collect();
            Error::input("the table has no such column").of_attribute(name).help(which_column(name, &names))
        })
    }

    /// The number of rows that are stored (merged rows count once).
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The individuals of the rows.
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Whether an individual has several rows.
    pub fn has_several_rows(&self) -> bool {
        matches!(&self.people, People::Subjects { count, .. } if (*count as usize) < self.rows())
    }

    /// The number of individuals that the table is about.
    pub fn individuals(&self) -> u64 {
        match &self.people {
            People::Rows => self.rows as u64,
            People::Weights(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
            People::Subjects { count, .. } => u64::from(*count),
        }
    }

    /// The number of source rows that a stored row represents.
    #[inline]
    pub fn weight(&self, row: usize) -> u32 {
        match &self.people {
            People::Weights(weights) => weights[row],
            People::Rows | People::Subjects { .. } => 1,
        }
    }

    /// The number of individuals of some rows; one with several of these rows counts once.
    ///
    /// # Panics
    /// When the table has no such row.
    pub fn individuals_among(&self, rows: &[u32]) -> u64 {
        match &self.people {
            People::Rows => rows.len() as u64,
            People::Weights(weights) => rows.iter().map(|&row| u64::from(weights[row as usize])).sum(),
            People::Subjects { of_row, .. } => {
                let mut subjects: Vec<u32> = rows.iter().map(|&row| of_row[row as usize]).collect();
                subjects.sort_unstable();
                subjects.dedup();
                subjects.len() as u64
            }
        }
    }

    /// How many individuals have each number of rows, by that number; `None` where every individual has one row.
    pub fn individuals_by_rows(&self) -> Option<BTreeMap<u32, u64>> {
        let People::Subjects { of_row, count } = &self.people else { return None };
        if !self.has_several_rows() {
            return None;
        }
        let mut rows = vec![0_u32; *count as usize];
        of_row.iter().for_each(|&subject| rows[subject as usize] += 1);
        let mut by_rows = BTreeMap::new();
        rows.iter().for_each(|&rows| *by_rows.entry(rows).or_insert(0) += 1);
        Some(by_rows)
    }

    /// The share of individuals who have the most frequent value of a column of this table; one with several values
    /// counts for each.
    pub fn most_frequent_share(&self, column: &Column) -> f64 {
        match code_sizes(self, column) {
            Some(sizes) => self.highest_share(&sizes),
            None => self.most_frequent_of(column.codes().iter()),
        }
    }

    /// The share of individuals who have the most frequent of some codes, one per row.
    pub(crate) fn most_frequent_of(&self, codes: impl Iterator<Item = u32>) -> f64 {
        let mut counts: Vec<u64> = Vec::new();
        let mut add = |code: u32, weight: u64| {
            if counts.len() <= code as usize {
                counts.resize(code as usize + 1, 0);
            }
            counts[code as usize] += weight;
        };
        match &self.people {
            People::Subjects { of_row, .. } => {
                let mut pairs: Vec<(u32, u32)> = codes.zip(of_row.iter().copied()).collect();
                pairs.sort_unstable();
                pairs.dedup();
                pairs.iter().for_each(|&(code, _)| add(code, 1));
            }
            People::Rows | People::Weights(_) => {
                codes.enumerate().for_each(|(row, code)| add(code, u64::from(self.weight(row))));
            }
        }
        self.highest_share(&counts)
    }

    /// The highest of some counts of individuals, as a share of all.
    fn highest_share(&self, counts: &[u64]) -> f64 {
        counts.iter().max().copied().unwrap_or(0) as f64 / self.individuals().max(1) as f64
    }

    /// The same rows, in the order given, each index below [`Table::rows`].
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let pick = |values: &[u32]| rows.iter().map(|&row| values[row as usize]).collect::<Vec<_>>();
        let people = match &self.people {
            People::Rows => People::Rows,
            People::Weights(weights) => People::Weights(pick(weights)),
            People::Subjects { of_row, .. } => People::of_subjects(&pick(of_row)),
        };
        let columns = self.columns.iter().map(|column| column.select(rows)).collect();
        Self { columns, rows: rows.len(), people }
    }

    /// The bytes of the coded table in memory: codes, value tables, weights and subjects.
    pub fn bytes(&self) -> usize {
        let people = match &self.people {
            People::Rows => 0,
            People::Weights(ids) | People::Subjects { of_row: ids, .. } => size_of_val(ids.as_slice()),
        };
        people + self.columns.iter().map(Column::bytes).sum::<usize>()
    }
}
