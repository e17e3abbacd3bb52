//! Frames: tables in memory of other programs, as Arrow record batches.
//!
//! Types become cells as in Parquet files, so a frame and its file give the same table: whole and floating numbers and
//! decimals are numeric, booleans are `true` and `false`, dates and times are text as there, nulls are missing.
//! Durations are whole numbers in their unit. Dictionaries are not expanded; their values that occur are the column's
//! values, their order does not matter. Values are compared as machine words or as bytes; only the different ones of a
//! block are written as text, so the plan can declare any column to be of any kind.

mod cell;
mod numbered;

use super::block::{Block, Layout};
use super::cells::Span;
use super::form::{Form, LONGEST_TEXT, Style};
use super::input::{Looks, Packing};
use super::local::{LocalColumn, PADDING, TypedCells, Written};
use super::repeats::{RepeatedIdentifier, plan_of as plan_of_identifiers, repeated};
use super::rules::{self, DeclaredColumn, Dot, Job, Rules};
use super::source::{BlockSource, Sizes};
use super::{Part, Reader, TableRead, crew_of};
use crate::plan::{ColumnPlan, Decimal, Format, ReadPlan};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, Field, SchemaRef};
use cell::{Words, has_numbers, number_of, put_cell, texts_of};
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::{Column, Kind, People, Table};
use incrowd_core::{Error, Result};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

pub use numbered::{NumberedWords, number_words};

/// About how many cells are read at once.
const CELLS: usize = 1 << 20;
/// The first rows that are looked at for identifiers that repeat.
const FIRST: usize = 100_000;
/// Text of one block.
const TEXT: usize = 1 << 30;

/// A table in memory of another program: record batches of one schema.
pub struct Frame {
    schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    rows: Option<usize>,
    weights: Option<String>,
}

impl Frame {
    /// Takes the batches that a reader returns, one after the other. `rows` is their number of rows where it is known,
    /// so that memory is taken once.
    pub fn new(reader: impl RecordBatchReader + Send + 'static, rows: Option<usize>) -> Self {
        let schema = reader.schema();
        Self { schema, batches: Box::new(reader), rows, weights: None }
    }

    /// Takes batches in memory.
    pub fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        Self { schema, batches: Box::new(batches.into_iter().map(Ok)), rows: Some(rows), weights: None }
    }

    /// Names the column that contains how many individuals each row represents. Rows that represent none are left out,
    /// and the column is not part of the table.
    #[must_use]
    pub fn weighted_by(mut self, column: impl Into<String>) -> Self {
        self.weights = Some(column.into());
        self
    }

    /// The names of its columns.
    pub fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// Finds the identifiers many of whose values repeat, among the first rows. Nothing is taken from the frame.
    ///
    /// # Errors
    /// When the other program fails, or an identifier has a type that cannot be read.
    pub fn repeated_identifiers(
        &mut self,
        plan: &ReadPlan,
        identifiers: &[String],
    ) -> Result<Vec<RepeatedIdentifier>> {
        let Some(first) = self.batches.next().transpose().map_err(|error| broken(&error))? else {
            return Ok(Vec::new());
        };
        let batches = std::mem::replace(&mut self.batches, Box::new(std::iter::empty()));
        self.batches = Box::new(std::iter::once(Ok(first.clone())).chain(batches));
        if identifiers.is_empty() {
            return Ok(Vec::new());
        }
        let first = first.slice(0, first.num_rows().min(FIRST));
        let frame = Self::of_batches(self.schema.clone(), vec![first]);
        Ok(repeated(&read_frame(frame, &plan_of_identifiers(plan, identifiers), 1, &Silent)?))
    }

    /// All batches, to be read more than once.
    ///
    /// # Errors
    /// When the other program fails.
    pub fn collect(self) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        let batches = self.batches.collect::<Result<_, _>>().map_err(|error| broken(&error))?;
        Ok((self.schema, batches))
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame")
            .field("columns", &self.names())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// Reads a frame with `threads` threads (0: one for each core). What the plan states about the layout of a file is
/// ignored; its kinds, markers and rules for missing values hold as for a Parquet file.
///
/// # Errors
/// When the frame does not match the plan. The error names the row and the column of the first such place, and never
/// quotes a cell.
pub fn read_frame(
    frame: Frame,
    plan: &ReadPlan,
    threads: usize,
    progress: &dyn Progress,
) -> Result<TableRead> {
    let plan = plan_of(&frame, plan)?;
    let stage = progress.stage("reading", frame.rows.map(|rows| rows as u64));
    let weights = frame.weights.clone();
    let read = read(frame, &plan, crew_of(threads), progress);
    stage.finish()?;
    let read = read.map_err(of_frame)?;
    match weights {
        Some(name) => weighted(read, &name),
        None => Ok(read),
    }
}

/// The texts of an array's values as the cells of a column; none where a value is missing.
///
/// # Errors
/// When the type cannot be read.
pub fn cell_texts(array: &dyn Array) -> Result<Vec<Option<String>>> {
    let (style, _) = cell::style(array.data_type()).map_err(Error::input)?;
    let form = Form::new("", style, false);
    let text = |row| {
        let mut text = Vec::new();
        let has_value = put_cell(array, row, &form, &mut text)?;
        Ok(has_value.then(|| String::from_utf8_lossy(&text).into_owned()))
    };
    (0..array.len()).map(text).collect()
}

/// The plan without what describes a file, and with the column of weights.
fn plan_of(frame: &Frame, plan: &ReadPlan) -> Result<ReadPlan> {
    let names = frame.names().into_iter().map(str::to_owned).collect();
    let mut plan = ReadPlan { names: Some(names), format: None, ..plan.clone() };
    if let Some(name) = &frame.weights {
        let column = ColumnPlan { kind: Some(Kind::Numeric), ..ColumnPlan::default() };
        if plan.columns.insert(name.clone(), column).is_some() {
            return Err(Error::input("the column of weights has a role").of_attribute(name));
        }
    }
    Ok(plan)
}

fn read(frame: Frame, plan: &ReadPlan, threads: usize, progress: &dyn Progress) -> Result<TableRead> {
    let fields = frame.schema.fields();
    let styles: Vec<_> = fields.iter().map(|field| cell::style(field.data_type())).collect();
    let declared = fields.iter().zip(&styles).map(|(field, style)| declared(field, style.as_ref())).collect();
    let mut rules = Rules { delimited: false, ..rules::settle(declared, plan, None, Dot::Stays)? };
    let form = |(rule, style): (&mut rules::Rule, &Result<(Style, Kind), &'static str>)| {
        let (style, kind) = style.as_ref().ok()?;
        if *kind == Kind::Numeric {
            rule.decimal = Decimal::Point;
        }
        let form = Form::new(rule.name.clone(), *style, rule.exact);
        (rule.job != Job::Skip).then(|| form.taking_numbers(rule.takes_numbers()))
    };
    let forms: Vec<Option<Form>> = rules.columns.iter_mut().zip(&styles).map(form).collect();
    let size = (CELLS / forms.len().max(1)).max(1);
    let packing = Packing::None;
    let looks = Looks { format: Format::Frame, packing, size: 0, rows: frame.rows, regular: false };
    let parts = vec![Part { path: PathBuf::new(), looks }];
    let reader = Reader { parts, plan, threads, sizes: Sizes::default(), blocks: None, progress };
    let mut batches = Some(frame.batches);
    reader.read(rules, &Layout::Frame(forms), 0, || {
        let batches = batches.take().ok_or_else(|| Error::internal("a frame is read once"))?;
        Ok(Box::new(Rows { batches, held: None, size, row: 1, progress }))
    })
}

/// What a frame states about a column.
fn declared(field: &Field, style: Result<&(Style, Kind), &&'static str>) -> DeclaredColumn {
    let mut declared = DeclaredColumn::named(field.name());
    match style {
        Ok((_, kind)) => declared.kind = Some(*kind),
        Err(why) => declared.unfit = Some((*why).to_owned()),
    }
    declared
}

/// The rows of a frame: a source of blocks.
struct Rows<'a> {
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    held: Option<RecordBatch>,
    /// Rows of a block.
    size: usize,
    /// The number of the next row, from 1.
    row: u64,
    progress: &'a dyn Progress,
}

impl BlockSource for Rows<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        self.progress.check()?;
        while self.held.as_ref().is_none_or(|batch| batch.num_rows() == 0) {
            let Some(batch) = self.batches.next() else { return Ok(false) };
            self.held = Some(batch.map_err(|error| broken(&error))?);
        }
        let Some(batch) = self.held.take() else { return Ok(false) };
        let count = batch.num_rows().min(self.size);
        block.line = self.row;
        block.rows = count;
        block.batch = Some(batch.slice(0, count));
        self.held = Some(batch.slice(count, batch.num_rows() - count));
        self.row += count as u64;
        self.progress.advance(count as u64);
        Ok(true)
    }
}

/// Numbers the columns of a block's batch.
pub(super) fn number(block: &mut Block, forms: &[Option<Form>]) -> Result<()> {
    let Some(batch) = block.batch.take() else { return Ok(()) };
    block.text.clear();
    if batch.num_columns() != forms.len() {
        return Err(Error::input("the batches of the frame have different columns"));
    }
    for ((array, form), column) in batch.columns().iter().zip(forms).zip(&mut block.columns) {
        if let Some(form) = form {
            number_column(&**array, form, &mut block.text, column)
                .map_err(|error| error.of_attribute(&form.name))?;
        }
    }
    Ok(())
}

fn number_column(array: &dyn Array, form: &Form, text: &mut Vec<u8>, column: &mut LocalColumn) -> Result<()> {
    if let Some(words) = Words::of(array) {
        let numbers = form.takes_numbers() && has_numbers(array);
        let cells = Cells { array, form, words, numbers, nulls: array.nulls() };
        column.number_words(text, array.len(), &cells)?;
    } else {
        let spans = texts_of(array, form, text)?;
        text.extend_from_slice(&[0; PADDING]);
        column.number(text, spans.into_iter());
    }
    if text.len() > TEXT { Err(Error::limit("the cells are too long")) } else { Ok(()) }
}

/// The values of an array that are words.
struct Cells<'a> {
    array: &'a dyn Array,
    form: &'a Form,
    words: Words<'a>,
    /// Whether the values are numbers that are taken as they are.
    numbers: bool,
    nulls: Option<&'a NullBuffer>,
}

impl TypedCells for Cells<'_> {
    fn words(&self, rows: Range<usize>, to: &mut Vec<u64>) {
        self.words.put(rows, to);
    }

    fn have_nulls(&self) -> bool {
        self.nulls.is_some()
    }

    fn is_null(&self, row: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(row))
    }

    fn write(&self, row: usize, text: &mut Vec<u8>) -> Result<Written> {
        if let Some(number) = number_of(self.array, row).filter(|_| self.numbers) {
            return Ok(Written::Number(number));
        }
        Ok(if put_cell(self.array, row, self.form, text)? { Written::Text } else { Written::Nothing })
    }

    fn are_cheap(&self) -> bool {
        self.numbers
    }
}

/// The same table, whose rows represent as many individuals as a column states.
fn weighted(read: TableRead, name: &str) -> Result<TableRead> {
    let wrong = |what: &str| {
        Error::input(what)
            .of_attribute(name)
            .help("a weight is the number of individuals that a row represents: a whole number from 0")
    };
    let column = read.table.require(name)?;
    if *read.table.people() != People::Rows {
        return Err(wrong("a table with a subject column cannot have weights"));
    }
    let numbers = column.values().numbers().unwrap_or_default();
    let is_count = |number: &f64| (0.0..=f64::from(u32::MAX)).contains(number) && number.fract() == 0.0;
    if column.has_missing() || !numbers.iter().all(is_count) {
        return Err(wrong("a weight is not a whole number"));
    }
    let weight = |row: usize| numbers[column.code(row) as usize] as u32;
    let rows: Vec<u32> = (0..column.len()).filter(|&row| weight(row) > 0).map(|row| row as u32).collect();
    if rows.is_empty() {
        return Err(wrong("every weight is zero"));
    }
    let weights = rows.iter().map(|&row| weight(row as usize)).collect();
    let all = rows.len() == column.len();
    let pick = |column: &Column| if all { column.clone() } else { column.select(&rows).compacted() };
    let others = read.table.columns().iter().filter(|other| other.name() != name);
    let table = Table::new(others.map(pick).collect(), People::Weights(weights))?;
    let names = read.names.iter().filter(|other| *other != name).cloned().collect();
    Ok(TableRead { table, names, ..read })
}

/// The error of another program, without its words: they may quote a cell.
fn broken(_: &ArrowError) -> Error {
    Error::input("the program that made the frame could not hand it over")
        .help("convert the frame to a pyarrow table first; its message shows what is wrong")
}

/// What is said about files, said about a frame.
fn of_frame(mut error: Error) -> Error {
    error.what = error.what.replace("the file", "the frame");
    error.place.column = None;
    error
}

/// Fails for a cell that is longer than a file may have.
fn check_length(length: usize) -> Result<()> {
    if length > LONGEST_TEXT { Err(Error::limit("a cell is longer than 16 megabytes")) } else { Ok(()) }
}

/// A span of the text of a block, which is bounded so that its places fit.
fn span_of(start: usize, end: usize) -> Result<Span> {
    if end > TEXT { Err(Error::limit("the cells are too long")) } else { Ok(Span::new(start, end)) }
}
