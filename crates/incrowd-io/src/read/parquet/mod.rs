//! Parquet files with flat schemas, read with the column readers of the `parquet` crate, a few thousand rows at a time.
//!
//! Whole and floating numbers and decimals are numeric (a `NaN` is missing, unless the column is read exactly);
//! booleans are `true` and `false`; byte arrays are UTF-8 text; dates are text as `2024-02-29`, times as `23:59:59.5`,
//! timestamps as `2024-02-29T23:59:59.5` with a `Z` where the file declares UTC; UUIDs are text in their usual form.
//! Nulls are missing. Nested columns, intervals and similar types must be skipped. Cells are converted through their
//! text, so the plan can declare any column to be of any kind.

mod style;

use super::block::Block;
use super::cells::Span;
use super::form::{self, Form};
use super::input;
use super::rules::DeclaredColumn;
use super::scan::CHUNK;
use super::source::BlockSource;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// About how many cells are read at once.
const CELLS: usize = 1 << 18;
/// Text of one block; cells are untrusted and may be long.
const TEXT: usize = 1 << 30;

/// An opened Parquet file.
pub(super) struct File {
    reader: SerializedFileReader<std::fs::File>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = input::open(path)?;
        let length = file.metadata().map_err(|error| input::unreadable(&error))?.len();
        if length == 0 {
            return Err(Error::input("the file is empty").help("check that it is complete"));
        }
        guarded(|| SerializedFileReader::new(file)).map(|reader| Self { reader })
    }

    /// What the file states about its columns.
    pub(super) fn columns(&self) -> Result<Vec<DeclaredColumn>> {
        let schema = self.reader.metadata().file_metadata().schema_descr();
        if schema.num_columns() == 0 {
            return Err(Error::input("the file has no columns"));
        }
        Ok(schema.columns().iter().map(|column| style::declared(column)).collect())
    }
}

/// How the cells of a column are written, and which of them are there.
struct Typed {
    form: Form,
    /// The definition level of a value that is there.
    level: i16,
}

impl Typed {
    fn of(column: &ColumnDescriptor, exact: bool) -> Self {
        let form = Form::new(column.path().string(), style::style(column), exact);
        Self { form, level: column.max_def_level() }
    }

    /// Whether a definition level marks a missing value.
    fn is_null(&self, level: Option<&i16>) -> bool {
        self.level > 0 && level != Some(&self.level)
    }
}

/// The rows of a file: a source of blocks whose cells are ready.
pub(super) struct Rows<'a> {
    file: File,
    columns: Vec<Option<Typed>>,
    progress: &'a dyn Progress,
    group: usize,
    readers: Vec<Option<ColumnReader>>,
    left: usize,
    /// The number of the next row, from 1.
    row: u64,
}

impl<'a> Rows<'a> {
    pub(super) fn new(file: File, kept: &[bool], exact: &[bool], progress: &'a dyn Progress) -> Self {
        let schema = file.reader.metadata().file_metadata().schema_descr();
        let typed = |(i, &kept): (usize, &bool)| {
            let exact = exact.get(i).copied().unwrap_or(false);
            (kept && i < schema.num_columns()).then(|| Typed::of(&schema.column(i), exact))
        };
        let columns = kept.iter().enumerate().map(typed).collect();
        Self { file, columns, progress, group: 0, readers: Vec::new(), left: 0, row: 1 }
    }

    /// Goes to the next row group that has rows; false when there is none.
    fn next_group(&mut self) -> Result<bool> {
        self.progress.check()?;
        while self.left == 0 {
            if self.group == self.file.reader.num_row_groups() {
                return Ok(false);
            }
            let group = guarded(|| self.file.reader.get_row_group(self.group))?;
            self.left = usize::try_from(group.metadata().num_rows()).map_err(|_| damaged())?;
            self.progress.advance(u64::try_from(group.metadata().compressed_size()).unwrap_or(0));
            let open = |(i, column): (usize, &Option<Typed>)| {
                column.as_ref().map(|_| guarded(|| group.get_column_reader(i))).transpose()
            };
            self.readers = self.columns.iter().enumerate().map(open).collect::<Result<_>>()?;
            self.group += 1;
        }
        Ok(true)
    }

    fn fill_columns(&mut self, block: &mut Block, count: usize) -> Result<()> {
        let width = self.columns.len();
        block.text.clear();
        block.cells.clear();
        block.cells.resize(count * width, Span::NULL);
        let columns = self.readers.iter_mut().zip(&self.columns).enumerate();
        for (i, (reader, typed)) in
            columns.filter_map(|(i, (reader, typed))| Some((i, (reader.as_mut()?, typed.as_ref()?))))
        {
            let spans = block.cells.iter_mut().skip(i).step_by(width);
            let mut column = Cells { text: &mut block.text, spans, count, typed };
            guarded(|| Ok(column.read(reader)))??;
        }
        Ok(())
    }
}

impl BlockSource for Rows<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        if !self.next_group()? {
            return Ok(false);
        }
        let count = (CELLS / self.columns.len()).max(1).min(self.left);
        block.line = self.row;
        self.fill_columns(block, count)?;
        block.end = block.text.len();
        block.text.extend_from_slice(&[0; CHUNK]);
        self.left -= count;
        self.row += count as u64;
        Ok(true)
    }
}

/// The cells of one column in a block.
struct Cells<'a, I> {
    text: &'a mut Vec<u8>,
    spans: I,
    count: usize,
    typed: &'a Typed,
}

impl<'a, I: Iterator<Item = &'a mut Span>> Cells<'_, I> {
    fn read(&mut self, reader: &mut ColumnReader) -> Result<()> {
        let form = &self.typed.form;
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                self.put(reader, |value, text| form::put_bool(*value, text))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                self.put(reader, |value, text| form.put_int32(*value, text))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                self.put(reader, |value, text| form.put_int64(*value, text))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                self.put(reader, |value, text| form::put_int96(value.data(), text))
            }
            ColumnReader::FloatColumnReader(reader) => {
                self.put(reader, |value, text| form.put_float(*value, text))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                self.put(reader, |value, text| form.put_float(*value, text))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                self.put(reader, |value, text| form.put_bytes(value.data(), text))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                self.put(reader, |value, text| form.put_bytes(value.data(), text))
            }
        }
    }

    /// Writes the values out; `write` returns whether the cell has a value.
    fn put<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        write: impl Fn(&T::T, &mut Vec<u8>) -> Result<bool>,
    ) -> Result<()> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let (records, _, _) = reader
            .read_records(self.count, Some(&mut levels), None, &mut values)
            .map_err(|error| ill(&error))?;
        if records != self.count {
            return Err(damaged().of_attribute(&self.typed.form.name));
        }
        let mut values = values.iter();
        for row in 0..self.count {
            let Some(cell) = self.spans.next() else { break };
            if self.typed.is_null(levels.get(row)) {
                continue;
            }
            let start = self.text.len();
            let value = values.next().ok_or_else(damaged)?;
            let has_value =
                write(value, self.text).map_err(|error| error.of_attribute(&self.typed.form.name))?;
            if self.text.len() > TEXT {
                return Err(Error::limit("the cells are too long").of_attribute(&self.typed.form.name));
            }
            if has_value {
                *cell = Span::new(start, self.text.len());
            }
        }
        Ok(())
    }
}

/// Calls the `parquet` crate, whose readers may panic on a damaged file.
fn guarded<T>(call: impl FnOnce() -> std::result::Result<T, ParquetError>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(ill(&error)),
        Err(_) => Err(damaged()),
    }
}

fn damaged() -> Error {
    Error::input("not a Parquet file, or a damaged one")
        .help("check the format; if it is Parquet, write the file again")
}

/// What the crate reports, without its words: they may quote the file.
fn ill(error: &ParquetError) -> Error {
    match error {
        ParquetError::NYI(_) => Error::input("the Parquet file uses a feature or codec that cannot be read")
            .help("write it again with the codec snappy, gzip, zstd, lz4 or none"),
        _ => damaged(),
    }
}
