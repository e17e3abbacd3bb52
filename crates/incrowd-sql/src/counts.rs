//! Dictionaries and counts of a table in an engine, checked against its number of rows.

use crate::cells::CellCounts;
use crate::engine::{Answer, Engine, EngineColumn, open};
use crate::select::{Part, Writer, unmapped};
use crate::source::Source;
use incrowd_core::{Error, Result};
use std::collections::HashMap;

/// The largest number of different values of a column that are read.
pub const MOST_VALUES: usize = 1 << 20;
/// The largest number of different combinations that rows are counted by.
pub const MOST_COUNTED: usize = 1 << 24;

/// A table in an engine.
pub struct Remote {
    engine: Box<dyn Engine>,
    rows: u64,
    kept: u64,
    /// The condition for rows that are counted; empty for all.
    filter: String,
}

/// The different values of a column, in no particular order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dictionary {
    /// The values as texts; none for a null.
    pub keys: Vec<Option<String>>,
    /// The number of rows of each.
    pub counts: Vec<u64>,
}

/// Values of a column that mean that the value is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The column's place in the table.
    pub column: usize,
    /// These values; none for a null.
    pub keys: Vec<Option<String>>,
}

/// Rows counted by parts, in no particular order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counted {
    /// For each part one text per combination: the value, or the number of the class.
    pub parts: Vec<Vec<Option<String>>>,
    /// The number of rows of each combination.
    pub counts: Vec<u64>,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote")
            .field("columns", &self.columns())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Remote {
    /// Opens a table and counts its rows.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(source: &Source) -> Result<Self> {
        Self::of_engine(open(source)?)
    }

    /// A table in an engine that is connected.
    ///
    /// # Errors
    /// When the engine cannot count its rows.
    pub fn of_engine(engine: Box<dyn Engine>) -> Result<Self> {
        let mut remote = Self { engine, rows: 0, kept: 0, filter: String::new() };
        remote.rows = remote.count_rows()?;
        remote.kept = remote.rows;
        Ok(remote)
    }

    /// The columns of the table, in its order.
    pub fn columns(&self) -> &[EngineColumn] {
        self.engine.columns()
    }

    /// The number of rows of the table.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of rows that are counted.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// The different values of a column among the rows that are counted.
    ///
    /// # Errors
    /// When the engine fails, the column has a type that cannot be read, or there are more than [`MOST_VALUES`].
    pub fn dictionary(&mut self, column: usize) -> Result<Dictionary> {
        let own =
            self.columns().get(column).ok_or_else(|| Error::internal("the table has no such column"))?;
        if own.kind.is_none() {
            return Err(unmapped(own));
        }
        let name = own.name.clone();
        let mut counted = self
            .counted_up_to(&[Part::Values(column)], MOST_VALUES)
            .map_err(|error| error.of_attribute(name))?;
        Ok(Dictionary { keys: counted.parts.pop().unwrap_or_default(), counts: counted.counts })
    }

    /// Leaves out rows with a missing value from now on. Returns how many these are, and how many because of each column.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn leave_out(&mut self, missing: &[Missing]) -> Result<(u64, Vec<u64>)> {
        if missing.is_empty() {
            return Ok((0, Vec::new()));
        }
        let writer = self.writer();
        let conditions: Vec<String> =
            missing.iter().map(|one| writer.is_one_of(one.column, &one.keys)).collect::<Result<_>>()?;
        let answer = self.engine.query(&self.writer().missing(&conditions))?;
        let counts: Vec<u64> =
            (0..=conditions.len()).map(|place| first_number(&answer, place)).collect::<Result<_>>()?;
        self.filter = format!("NOT ({})", conditions.join(" OR "));
        self.kept = self.count_rows()?;
        if self.kept + counts[0] != self.rows {
            return Err(changed());
        }
        Ok((counts[0], counts[1..].to_vec()))
    }

    /// Counts rows by parts.
    ///
    /// # Errors
    /// When the engine fails, there are more than [`MOST_COUNTED`] combinations, or the table is not what it was.
    pub fn counted(&mut self, parts: &[Part<'_>]) -> Result<Counted> {
        self.counted_up_to(parts, MOST_COUNTED)
    }

    /// How often the values of a column repeat among all rows, without nulls and some texts: the rows with the value of
    /// another one before them, and the most rows of one value.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn repeats(&mut self, column: usize, except: &[String]) -> Result<(u64, u64)> {
        let sql = self.writer().repeats(column, except)?;
        let answer = self.engine.query(&sql)?;
        Ok((first_number(&answer, 0)?, first_number(&answer, 1)?))
    }

    /// Counts rows of cells, in one query. Returns the counts for each wanted cell and pair.
    ///
    /// # Errors
    /// As [`Remote::counted`].
    pub fn counted_in_cells(&mut self, counts: &CellCounts<'_>) -> Result<Vec<Counted>> {
        let sql = self.writer().cell_counts(counts, MOST_COUNTED)?;
        let mut answer = self.engine.query(&sql)?;
        if answer.rows() > MOST_COUNTED {
            return Err(too_many(MOST_COUNTED));
        }
        let places = counts.wanted.iter().zip(0..);
        let place: HashMap<(usize, usize), usize> = places.map(|(&wanted, place)| (wanted, place)).collect();
        let [pairs, cells, rows] = [answer.numbers(0)?, answer.numbers(1)?, answer.numbers(4)?];
        let (a, b) = (answer.take_texts(2)?, answer.take_texts(3)?);
        let empty = Counted { parts: vec![Vec::new(); 2], counts: Vec::new() };
        let mut counted = vec![empty; counts.wanted.len()];
        for (((pair, cell), rows), (a, b)) in pairs.into_iter().zip(cells).zip(rows).zip(a.into_iter().zip(b))
        {
            let wanted = (
                usize::try_from(cell).map_err(|_| changed())?,
                usize::try_from(pair).map_err(|_| changed())?,
            );
            let own = &mut counted[*place.get(&wanted).ok_or_else(changed)?];
            own.parts[0].push(a);
            own.parts[1].push(b);
            own.counts.push(u64::try_from(rows).map_err(|_| changed())?);
        }
        Ok(counted)
    }

    fn counted_up_to(&mut self, parts: &[Part<'_>], most: usize) -> Result<Counted> {
        if parts.is_empty() {
            return Ok(Counted { parts: Vec::new(), counts: vec![self.kept] });
        }
        let sql = self.writer().counts(parts, most)?;
        let mut answer = self.engine.query(&sql)?;
        if answer.rows() > most {
            return Err(too_many(most));
        }
        let counts: Vec<u64> = answer
            .numbers(parts.len())?
            .into_iter()
            .map(u64::try_from)
            .collect::<Result<_, _>>()
            .map_err(|_| changed())?;
        if counts.iter().sum::<u64>() != self.kept {
            return Err(changed());
        }
        let parts = (0..parts.len()).map(|place| answer.take_texts(place)).collect::<Result<_>>()?;
        Ok(Counted { parts, counts })
    }

    fn count_rows(&mut self) -> Result<u64> {
        let sql = self.writer().rows();
        first_number(&self.engine.query(&sql)?, 0)
    }

    fn writer(&self) -> Writer<'_> {
        let engine = &*self.engine;
        Writer {
            dialect: engine.dialect(),
            relation: engine.relation(),
            columns: engine.columns(),
            filter: &self.filter,
        }
    }
}

fn first_number(answer: &Answer, column: usize) -> Result<u64> {
    let number = answer.numbers(column)?.first().copied().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| Error::internal("the engine returned no count"))
}

fn too_many(most: usize) -> Error {
    Error::limit(format!("there are more than {most} different values or combinations"))
        .help("give columns with very many values the role `ignored`, or round them in a view")
}

/// The error for counts that do not add up.
pub(crate) fn changed() -> Error {
    Error::input("the table changed while it was read: its counts do not add up").help(
        "read a table or files that nothing writes to, or a view without random or time-dependent parts",
    )
}
