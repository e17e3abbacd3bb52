//! Reads tables: CSV and similar text, UCI data files, ARFF, Parquet, JSON lines and Excel workbooks become
//! dictionary-coded tables. Text may be packed with gzip or ZIP, and a table may be divided into several files.
//!
//! Reading streams. Blocks of whole records are split into cells and parsed by several threads, and added to the table
//! in the file's order, so that the table does not depend on the number of threads; besides the table only a few blocks
//! are in memory. Time is linear in the bytes of the file.
//!
//! What cells become:
//! - Spaces around an unquoted cell are dropped; lines without cells are skipped.
//! - A column is numeric if it has a value and all its values are finite numbers, unless the plan declares otherwise.
//!   Numbers are doubles: whole numbers beyond 2^53 are rounded, so declare such codes categorical.
//! - A cell that equals a missing marker is missing, and so is an empty cell of a numeric or subject column. An empty
//!   cell of a categorical column is the value "" unless the empty text is a marker.
//! - Cells of a column that is read exactly (of a released table) differ if the file distinguishes them: by spaces or
//!   quotes around them, or as `NaN` and null. They are shown without spaces and quotes where that makes no two of them
//!   equal.
//! - Values of dropped rows are not in the table, but they count when kinds are determined.
//! - Of a subject column the numbers of individuals are kept, not its values.

mod arff;
mod baskets;
mod block;
mod cells;
mod chain;
mod crew;
mod dialect;
mod dictionary;
mod encoding;
#[cfg(feature = "xlsx")]
mod excel;
mod files;
mod form;
#[cfg(feature = "arrow")]
mod frame;
mod input;
mod json;
mod lines;
mod local;
mod number;
mod parquet;
mod repeats;
mod rules;
mod scan;
mod sniff;
mod speller;
pub(crate) use speller::common_form;
mod source;
mod store;
#[cfg(test)]
mod tests;
mod tidy;
#[cfg(feature = "arrow")]
mod words;

pub use baskets::{
    BasketCounts, BasketsRead, KeepItems, count_baskets, looks_like_baskets, looks_like_table, read_baskets,
};
#[cfg(feature = "arrow")]
pub use frame::{Frame, NumberedWords, cell_texts, number_words, read_frame};

pub use files::{STANDARD_INPUT, files_of, path_of_files};
pub use lines::line_of_row;
pub use repeats::{RepeatedIdentifier, repeated_identifiers};

use crate::plan::{Format, ReadPlan};
use block::{Block, Layout};
use chain::Chain;
use dialect::Dialect;
use incrowd_core::progress::Progress;
use incrowd_core::table::{RowsLeftOut, Table};
use incrowd_core::{Error, Result};
use input::{Looks, Packing};
use repeats::Beginning;
use rules::{Dot, Job, Rules};
use source::{BlockSource, Records, Sizes, Text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::Store;

/// A table that was read, with facts about its file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TableRead {
    /// The table.
    pub table: Table,
    /// The format of the file.
    pub format: Format,
    /// The rows of the file.
    pub rows_read: u64,
    /// Those left out because a value is missing.
    pub rows_left_out: RowsLeftOut,
    /// Which rows of the file these are, counted from 0; ascending.
    pub left_out_at: Vec<u64>,
    /// The delimiter of delimited text; a space means any run of spaces.
    pub delimiter: Option<u8>,
    /// The names of all columns of the file, also of those that were not read.
    pub names: Vec<String>,
    /// Whether the first line of delimited text contains the names.
    pub header: Option<bool>,
    /// The texts that were read as missing values, by column; nulls have none.
    pub marks: BTreeMap<String, Vec<String>>,
    /// The lines that are comments or were skipped.
    pub unread_lines: u64,
}

impl TableRead {
    /// The row of the file that a row of the table is, both counted from 0.
    pub fn row_of_file(&self, row: u64) -> u64 {
        // Every row that was left out before it moves it on by one.
        self.left_out_at.iter().fold(row, |row, &left_out| if left_out <= row { row + 1 } else { row })
    }
}

/// Reads a table with `threads` threads (0: one for each core).
///
/// The path may name several files, which are read one after the other as one table: see [`files_of`]. They must have
/// the same format and the same columns.
///
/// Keeps the coded table, its dictionaries and a few blocks of the file in memory, never the file. If a column looks
/// numeric at first and is not, the file is read a second time.
///
/// # Errors
/// When the file cannot be read, is not well-formed, or does not match the plan. The error names the file, the line and
/// the column of the first such place, and never quotes a cell.
pub fn read_table(
    path: &Path,
    plan: &ReadPlan,
    threads: usize,
    progress: &dyn Progress,
) -> Result<TableRead> {
    read_sized(path, plan, crew_of(threads), Sizes::default(), progress).map_err(|error| error.in_file(path))
}

/// The names of the columns of delimited text, cut as a plan says; none if the file has another format or is a pipe,
/// whose bytes come once.
///
/// # Errors
/// When the file cannot be read.
pub fn names_of_columns(path: &Path, plan: &ReadPlan) -> Result<Vec<String>> {
    let progress = &incrowd_core::progress::Silent;
    let job = Reader::new(path, plan, 1, Sizes::default(), progress)?;
    if !job.is_rereadable_text() {
        return Ok(Vec::new());
    }
    let found = sniff::find(&mut job.table_text(0)?, job.format(), plan)?;
    Ok(found.columns.into_iter().map(|column| column.name).collect())
}

/// The number of threads meant: 0 means one for each core.
fn crew_of(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        some => some,
    }
}

/// The same with blocks and records of any size.
fn read_sized(
    path: &Path,
    plan: &ReadPlan,
    threads: usize,
    sizes: Sizes,
    progress: &dyn Progress,
) -> Result<TableRead> {
    let reader = Reader::new(path, plan, threads, sizes, progress)?;
    let stage = progress.stage("reading", reader.size());
    let read = read_in(&reader);
    stage.finish()?;
    read
}

fn read_in(job: &Reader<'_>) -> Result<TableRead> {
    match job.format() {
        Format::Parquet => job.read_parquet(),
        Format::Arff => job.read_arff(),
        Format::Csv | Format::Uci => job.read_delimited(),
        Format::JsonLines => job.read_objects(),
        #[cfg(feature = "xlsx")]
        Format::Excel => job.read_workbook(),
        #[cfg(not(feature = "xlsx"))]
        Format::Excel => Err(Error::input("this is an Excel workbook, which this build cannot read")
            .help("save the sheet as CSV, or build with the feature `xlsx`")),
        Format::Frame => Err(Error::parameters("a frame is not a file").of_parameter("format")),
    }
}

/// One of the files of a table.
struct Part {
    path: PathBuf,
    looks: Looks,
}

/// Fails if a sheet is named and the file is not a workbook.
fn check_sheet(parts: &[Part], plan: &ReadPlan) -> Result<()> {
    match parts.iter().find(|part| part.looks.format != Format::Excel && plan.sheet.is_some()) {
        Some(part) => Err(Error::input("a sheet is named, but the file is not an Excel workbook")
            .in_file(&part.path)
            .help("leave out `sheet`, or name a file in the format .xlsx")),
        None => Ok(()),
    }
}

/// The files of a table in progress.
struct Reader<'a> {
    /// At least one.
    parts: Vec<Part>,
    plan: &'a ReadPlan,
    threads: usize,
    sizes: Sizes,
    /// The number of first blocks to read, unless all are.
    blocks: Option<u64>,
    progress: &'a dyn Progress,
}

impl<'a> Reader<'a> {
    fn new(
        path: &Path,
        plan: &'a ReadPlan,
        threads: usize,
        sizes: Sizes,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let look = |path: PathBuf| match input::look(&path, plan) {
            Ok(looks) => Ok(Part { path, looks }),
            Err(error) => Err(error.in_file(path)),
        };
        let parts = files_of(path)?.into_iter().map(look).collect::<Result<Vec<_>>>()?;
        chain::check_formats(&parts)?;
        check_sheet(&parts, plan)?;
        Ok(Self { parts, plan, threads, sizes, blocks: None, progress })
    }

    /// The format of all files.
    fn format(&self) -> Format {
        self.parts[0].looks.format
    }

    /// The size of all files, if it is known.
    fn size(&self) -> Option<u64> {
        let size: u64 = self.parts.iter().map(|part| part.looks.size).sum();
        (size > 0).then_some(size)
    }

    /// Whether the files can be read a second time.
    fn is_regular(&self) -> bool {
        self.parts.iter().all(|part| part.looks.regular)
    }

    /// Whether it is one file of delimited text that can be read a second time.
    fn is_rereadable_text(&self) -> bool {
        self.parts.len() == 1 && self.is_regular() && matches!(self.format(), Format::Csv | Format::Uci)
    }

    fn read_delimited(&self) -> Result<TableRead> {
        let mut text = self.table_text(0)?;
        let found = sniff::find(&mut text, self.format(), self.plan)?;
        let dot = match (self.plan.trailing_dot, self.format()) {
            (Some(true), _) => Dot::Goes,
            (None, Format::Uci) => Dot::GoesFromText,
            _ => Dot::Stays,
        };
        let rules = rules::settle(found.columns.clone(), self.plan, None, dot)?;
        let rules = Rules { other_delimiter: found.other_delimiter, ..rules };
        let (line, delimiter) = (text.line(), found.dialect.delimiter);
        let dialect = Dialect { cuts: rules.cuts(self.format()), ..found.dialect.clone() };
        let layout = Layout::Text(dialect.clone());
        let mut first = Some(text);
        let read = self.read(rules, &layout, usize::from(found.header), || {
            let text = first.take().map_or_else(|| self.text(0, line - 1), Ok)?;
            let first = Records::new(text, dialect.clone());
            Ok(self.chained(first, |part| {
                let text = self.further_text(part, &found)?;
                Ok(Box::new(Records::new(text, dialect.clone())))
            }))
        })?;
        Ok(TableRead { delimiter: Some(delimiter), header: Some(found.header), ..read })
    }

    /// The text of a further file behind its header, which must have the same names as that of the first.
    fn further_text(&self, part: usize, found: &sniff::SniffedForm) -> Result<Text<'a>> {
        let plan = self.plan.clone().with_delimiter(found.dialect.delimiter).with_header(found.header);
        let mut text = self.table_text(part)?;
        let own = sniff::find(&mut text, self.format(), &plan)?;
        chain::check_columns(&own.columns, &found.columns, &self.parts[0].path)?;
        if found.header {
            text.skip_record(&found.dialect)?;
        }
        Ok(text)
    }

    fn read_arff(&self) -> Result<TableRead> {
        let mut text = self.text(0, self.plan.skip_lines)?;
        let (columns, comments) = arff::head(&mut text)?;
        let rules = rules::settle(columns.clone(), self.plan, Some("?"), Dot::Stays)?;
        let line = text.line();
        let dialect = Dialect { cuts: rules.cuts(Format::Arff), ..arff::dialect() };
        let mut first = Some(text);
        let read = self.read(rules, &Layout::Text(dialect), 0, || {
            let text = first.take().map_or_else(|| self.text(0, line - 1), Ok)?;
            Ok(self.chained(Records::new(text, arff::dialect()), |part| {
                let mut text = self.text(part, self.plan.skip_lines)?;
                let (own, _) = arff::head(&mut text)?;
                chain::check_columns(&own, &columns, &self.parts[0].path)?;
                Ok(Box::new(Records::new(text, arff::dialect())))
            }))
        })?;
        Ok(TableRead { unread_lines: read.unread_lines + comments, ..read })
    }

    fn read_parquet(&self) -> Result<TableRead> {
        let columns = parquet::File::open(&self.parts[0].path)?.columns()?;
        let rules = rules::settle(columns.clone(), self.plan, None, Dot::Stays)?;
        let rules = Rules { delimited: false, ..rules };
        let kept: Vec<bool> = rules.columns.iter().map(|rule| rule.job != Job::Skip).collect();
        let exact = rules.exact();
        let read = self.read(rules, &Layout::Ready, 0, || {
            let rows = |part: usize| {
                let file = parquet::File::open(&self.parts[part].path)?;
                chain::check_columns(&file.columns()?, &columns, &self.parts[0].path)?;
                Ok(parquet::Rows::new(file, &kept, &exact, self.progress))
            };
            Ok(self.chained(rows(0)?, move |part| Ok(Box::new(rows(part)?))))
        })?;
        Ok(TableRead { unread_lines: 0, ..read })
    }

    fn read_objects(&self) -> Result<TableRead> {
        let mut keys = json::Keys::default();
        let mut first = None;
        if self.is_regular() && self.blocks.is_none() {
            for (part, Part { path, .. }) in self.parts.iter().enumerate() {
                let text = self.text(part, self.plan.skip_lines);
                text.and_then(|text| keys.learn(text)).map_err(|error| error.in_file(path))?;
            }
        } else {
            let mut text = self.text(0, self.plan.skip_lines)?;
            keys.learn_first(&mut text, self.plan)?;
            first = Some(text);
        }
        let columns = keys.columns()?;
        let rules = rules::settle(columns.clone(), self.plan, None, Dot::Stays)?;
        let layout = Layout::Objects(Box::new(json::Objects::new(columns, &rules)));
        self.read(rules, &layout, 0, || {
            let text = first.take().map_or_else(|| self.text(0, self.plan.skip_lines), Ok)?;
            Ok(self.chained(Records::new(text, json::dialect()), |part| {
                let text = self.text(part, self.plan.skip_lines)?;
                Ok(Box::new(Records::new(text, json::dialect())))
            }))
        })
    }

    #[cfg(feature = "xlsx")]
    fn read_workbook(&self) -> Result<TableRead> {
        let open = |part: usize| excel::Sheet::open(&self.parts[part].path, self.plan);
        let sheet = open(0)?;
        let columns = sheet.columns();
        let rules = rules::settle(columns.clone(), self.plan, None, Dot::Stays)?;
        let header = sheet.has_header();
        drop(sheet);
        let read = self.read(rules, &Layout::Ready, 0, || {
            Ok(self.chained(open(0)?.rows(self.progress), |part| {
                let sheet = open(part)?;
                chain::check_columns(&sheet.columns(), &columns, &self.parts[0].path)?;
                Ok(Box::new(sheet.rows(self.progress)))
            }))
        })?;
        Ok(TableRead { header: Some(header), ..read })
    }

    /// The text of a file after this many lines.
    fn text(&self, part: usize, skipped: u64) -> Result<Text<'a>> {
        let Part { path, looks } = &self.parts[part];
        let bytes = input::bytes(path, looks.packing, self.progress)?;
        let mut text = Text::new(encoding::decoded(bytes, self.plan.encoding), self.sizes)?;
        text.skip_lines(skipped)?;
        Ok(text)
    }

    /// Delimited text from the header on.
    fn table_text(&self, part: usize) -> Result<Text<'a>> {
        let mut text = self.text(part, self.plan.skip_lines)?;
        text.skip_separator_line()?;
        Ok(text)
    }

    /// The blocks of the first file, and then those of the others.
    fn chained<'s>(
        &'s self,
        first: impl BlockSource + 's,
        further: impl Fn(usize) -> Result<Box<dyn BlockSource + 's>> + Send + 's,
    ) -> Box<dyn BlockSource + 's> {
        if self.parts.len() == 1 {
            return Box::new(first);
        }
        let paths = self.parts.iter().map(|part| part.path.as_path().into()).collect();
        Box::new(Chain::new(paths, Box::new(first), Box::new(further)))
    }

    /// Reads until no column turns out to be of another kind than its beginning: once or twice.
    fn read<'s>(
        &self,
        mut rules: Rules,
        layout: &Layout,
        heading: usize,
        mut open: impl FnMut() -> Result<Box<dyn BlockSource + 's>>,
    ) -> Result<TableRead> {
        loop {
            let mut source = match self.blocks {
                Some(left) => Box::new(Beginning { source: open()?, left }),
                None => open()?,
            };
            let store = self.pass(source.as_mut(), &mut rules, layout, heading)?;
            let turned = store.turned(&rules);
            if turned.is_empty() {
                return self.finish(store, &rules);
            }
            self.check_again(&rules, turned[0])?;
            turned.into_iter().for_each(|column| rules.columns[column].job = Job::Texts);
            self.progress.end();
            self.progress.begin("reading again", self.size());
        }
    }

    fn pass(
        &self,
        source: &mut dyn BlockSource,
        rules: &mut Rules,
        layout: &Layout,
        heading: usize,
    ) -> Result<Store> {
        let mut first = Block { heading, ..Block::default() };
        // The heading must be in the first block, behind however many empty lines and comments.
        while first.is_empty() && first.error.is_none() {
            if !source.fill(&mut first)? {
                return Err(Error::input("the file has no rows").help("check that it is complete"));
            }
            first.number(layout, rules);
        }
        first.settle(rules);
        first.understand(layout, rules);
        let store = Store::new(rules, self.expected_rows(&first));
        crew::read_all(source, layout, rules, self.threads, store, first)
    }

    /// About how many rows the file has, if it goes on as it begins.
    fn expected_rows(&self, first: &Block) -> usize {
        if let Some(rows) = self.parts[0].looks.rows {
            return rows.min(u32::MAX as usize);
        }
        let is_packed = self.parts.iter().any(|part| part.looks.packing != Packing::None);
        if is_packed || self.format() == Format::Excel || first.end == 0 {
            return first.rows;
        }
        let rows = u128::from(self.size().unwrap_or(0)) * first.rows as u128 / first.end as u128;
        // A little more, so that lines slightly shorter further down do not make the columns grow again.
        usize::try_from(rows + rows / 50 + 64).unwrap_or(first.rows).min(u32::MAX as usize)
    }

    fn check_again(&self, rules: &Rules, turned: usize) -> Result<()> {
        if self.is_regular() {
            return Ok(());
        }
        Err(Error::input("the column looks numeric at first but is not, and a pipe cannot be read twice")
            .of_attribute(&rules.columns[turned].name)
            .help("declare the attribute categorical, or read from a file"))
    }

    fn finish(&self, mut store: Store, rules: &Rules) -> Result<TableRead> {
        let (rows_read, rows_left_out) = (store.rows_read, store.left_out(rules));
        let left_out_at = std::mem::take(&mut store.dropped);
        let unread_lines = store.comments + self.plan.skip_lines;
        let names = rules.columns.iter().map(|rule| rule.name.clone()).collect();
        let marks = store.marks(rules);
        let table = store.finish(rules, self.threads)?;
        if rows_read == rows_left_out.total {
            let what = if rows_read == 0 { "the file has no rows" } else { "every row has a missing value" };
            return Err(Error::input(what).help("check the file and the missing markers"));
        }
        check_left_out(&rows_left_out, self.plan.max_rows_left_out)?;
        let format = self.format();
        let (delimiter, header) = (None, None);
        Ok(TableRead {
            table,
            format,
            rows_read,
            rows_left_out,
            left_out_at,
            delimiter,
            names,
            header,
            marks,
            unread_lines,
        })
    }
}

/// Fails where more rows are left out than the plan allows (`max_rows_left_out`): that many are hardly left out on
/// purpose.
///
/// # Errors
/// When their share is larger.
pub fn check_left_out(rows: &RowsLeftOut, most: Option<f64>) -> Result<()> {
    match most {
        Some(most) if rows.share() > most => Err(Error::input(format!("{} would be left out", rows.rows())).help(format!(
            "correct the missing markers (`missing`), keep such rows (missing-rows = \"keep\"), or allow more than {} % in [file]: max-rows-left-out = {:.2}",
            most * 100.0,
            (rows.share() * 100.0).ceil() / 100.0
        ))),
        _ => Ok(()),
    }
}
