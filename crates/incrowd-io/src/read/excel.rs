//! Excel workbooks (`.xlsx`), read with the `calamine` crate, cell by cell.
//!
//! The table begins with the first row that has a cell: its names, unless the plan says that there is no header. Values
//! behave like the same values in CSV: numbers in their shortest form, `TRUE` as `true`, an empty cell as an empty cell,
//! an error such as `#N/A` as its text. Dates are written as `2024-02-29`, with a time as `2024-02-29T23:59:59`. Rows
//! without cells are skipped.
//!
//! Files are untrusted: before the crate opens an archive, its members are unpacked once to check that they have the
//! sizes that it states, within bounds. The crate's readers may panic on a damaged file, which ends as an error.

use super::block::Block;
use super::cells::Span;
use super::files;
use super::form::LONGEST_TEXT;
use super::input;
use super::rules::DeclaredColumn;
use super::scan::CHUNK;
use super::source::BlockSource;
use crate::bounds::{MAX_COLUMNS, check_columns};
use crate::plan::ReadPlan;
use crate::zip;
use calamine::{Cell, DataRef, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxCellReader, XlsxError};
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use std::fs::File;
use std::io::{self, BufReader, Read, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The most bytes of all members but the sheets, unpacked: shared texts and styles are kept in memory.
const MAX_SHARED: u64 = 256 << 20;
/// The most bytes of a sheet, unpacked; they are streamed.
const MAX_SHEET: u64 = 4 << 30;
/// About how many cells and bytes of text are in a block.
const CELLS: usize = 1 << 16;
const TEXT: usize = 1 << 20;

type Workbook = Xlsx<BufReader<File>>;

/// A sheet with a table.
pub(super) struct Sheet {
    path: PathBuf,
    name: String,
    /// The rows before the first of data, counted from 0.
    skipped: u32,
    /// The column in which the table begins, and the number of its columns.
    left: u32,
    names: Vec<String>,
    has_header: bool,
}

impl Sheet {
    /// Finds the table: its sheet, its first row and its columns.
    pub(super) fn open(path: &Path, plan: &ReadPlan) -> Result<Self> {
        check_members(path)?;
        guarded(|| {
            let mut workbook = open(path)?;
            let name = sheet_of(&workbook, plan.sheet.as_deref())?;
            let mut cells = workbook.worksheet_cells_reader(&name).map_err(|error| ill(&error))?;
            let (row, first) = first_row(&mut cells, plan.skip_lines)?;
            let has_header = plan.header.unwrap_or(plan.names.is_none() || names_in(&first, plan));
            let left = first.first().map_or(0, |(column, _)| *column);
            let width = first.last().map_or(0, |(column, _)| column - left + 1) as usize;
            check_columns(width)?;
            let names = named(&first, left, width, has_header);
            let skipped = if has_header { row + 1 } else { row };
            Ok(Self { path: path.to_owned(), name, skipped, left, names, has_header })
        })
    }

    pub(super) fn columns(&self) -> Vec<DeclaredColumn> {
        self.names.iter().map(DeclaredColumn::of_line).collect()
    }

    pub(super) fn has_header(&self) -> bool {
        self.has_header
    }

    /// The rows of the table. The crate's reader borrows its workbook, so both live in a thread of their own, which
    /// ends when the blocks are no longer wanted.
    pub(super) fn rows(self, progress: &dyn Progress) -> Rows<'_> {
        let (send, blocks) = sync_channel(2);
        std::thread::spawn(move || {
            if let Err(error) = guarded(|| self.send_rows(&send)) {
                let _ = send.send(Err(error));
            }
        });
        Rows { blocks, progress }
    }

    fn send_rows(&self, send: &SyncSender<Result<Filled>>) -> Result<()> {
        let mut workbook = open(&self.path)?;
        let mut cells = workbook.worksheet_cells_reader(&self.name).map_err(|error| ill(&error))?;
        let width = self.names.len();
        let mut filled = Filled::default();
        let mut last = None;
        while let Some(cell) = next(&mut cells)? {
            let (row, column) = cell.get_position();
            if row < self.skipped {
                continue;
            }
            if last.is_some_and(|last| row < last) {
                return Err(damaged());
            }
            if last != Some(row) {
                // Rows of a block are numbered without gaps, and blocks are not too large.
                let is_next = last.is_some_and(|last| row == last + 1);
                let is_done = !filled.cells.is_empty() && (!is_next || filled.is_full());
                if is_done && send.send(Ok(std::mem::take(&mut filled))).is_err() {
                    return Ok(());
                }
                if filled.cells.is_empty() {
                    filled.row = u64::from(row) + 1;
                }
                filled.cells.resize(filled.cells.len() + width, Span::new(0, 0));
                last = Some(row);
            }
            let Some(place) = column.checked_sub(self.left).filter(|place| (*place as usize) < width) else {
                let what = format!("a cell is outside of the table's columns in row {}", row + 1);
                return Err(Error::input(what)
                    .help("give its column a name in the first row, or remove it; notes do not belong beside a table"));
            };
            let start = filled.text.len();
            write_cell(cell.get_value(), &mut filled.text)?;
            if filled.text.len() - start > LONGEST_TEXT {
                return Err(Error::limit(format!("a cell is too long in row {}", row + 1)));
            }
            let at = filled.cells.len() - width + place as usize;
            filled.cells[at] = Span::new(start, filled.text.len());
        }
        if !filled.cells.is_empty() {
            // A receiver that has stopped needs no last block.
            let _ = send.send(Ok(filled));
        }
        Ok(())
    }
}

/// The cells of some rows.
#[derive(Default)]
struct Filled {
    row: u64,
    text: Vec<u8>,
    cells: Vec<Span>,
}

impl Filled {
    fn is_full(&self) -> bool {
        self.cells.len() >= CELLS || self.text.len() >= TEXT
    }
}

/// The rows of a sheet: a source of blocks whose cells are ready.
pub(super) struct Rows<'a> {
    blocks: Receiver<Result<Filled>>,
    progress: &'a dyn Progress,
}

impl BlockSource for Rows<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        self.progress.check()?;
        let Ok(filled) = self.blocks.recv() else { return Ok(false) };
        let Filled { row, text, cells } = filled?;
        (block.line, block.text, block.cells) = (row, text, cells);
        block.end = block.text.len();
        block.text.extend_from_slice(&[0; CHUNK]);
        Ok(true)
    }
}

fn open(path: &Path) -> Result<Workbook> {
    Xlsx::new(BufReader::new(input::open(path)?)).map_err(|error| ill(&error))
}

/// The sheet that is meant: the one that the plan names, or the only one.
fn sheet_of(workbook: &Workbook, asked: Option<&str>) -> Result<String> {
    let is_table = |sheet: &&calamine::Sheet| sheet.typ == SheetType::WorkSheet;
    let names: Vec<&str> =
        workbook.sheets_metadata().iter().filter(is_table).map(|sheet| sheet.name.as_str()).collect();
    let list = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (asked, &names[..]) {
        (_, []) => Err(Error::input("the workbook has no sheet with cells")),
        (None, [only]) => Ok((*only).to_owned()),
        (None, _) => Err(Error::input(format!("the workbook has {} sheets: {}", names.len(), list()))
            .help("set `sheet` to the name of the one to read")),
        (Some(asked), _) if names.contains(&asked) => Ok(asked.to_owned()),
        (Some(_), _) => {
            Err(Error::input("the workbook has no such sheet").help(format!("its sheets are {}", list())))
        }
    }
}

/// The first row with a cell behind this many rows, and the texts of its cells by column.
fn first_row(
    cells: &mut XlsxCellReader<'_, BufReader<File>>,
    skipped: u64,
) -> Result<(u32, Vec<(u32, String)>)> {
    let mut first: Option<u32> = None;
    let mut texts: Vec<(u32, String)> = Vec::new();
    while let Some(cell) = next(cells)? {
        let (row, column) = cell.get_position();
        if u64::from(row) < skipped {
            continue;
        }
        if *first.get_or_insert(row) != row {
            break;
        }
        if texts.last().is_some_and(|(last, _)| *last >= column) || texts.len() > MAX_COLUMNS {
            return Err(damaged());
        }
        let mut text = Vec::new();
        write_cell(cell.get_value(), &mut text)?;
        texts.push((column, String::from_utf8_lossy(&text).trim().to_owned()));
    }
    let row =
        first.ok_or_else(|| Error::input("the sheet has no rows").help("check `sheet` and `skip-lines`"))?;
    Ok((row, texts))
}

/// Whether the first row consists of the plan's names.
fn names_in(first: &[(u32, String)], plan: &ReadPlan) -> bool {
    plan.names.as_ref().is_some_and(|names| first.iter().map(|(_, text)| text).eq(names))
}

fn named(first: &[(u32, String)], left: u32, width: usize, has_header: bool) -> Vec<String> {
    let mut names: Vec<String> = (1..=width).map(|number| format!("column{number}")).collect();
    for (column, text) in first.iter().filter(|(_, text)| has_header && !text.is_empty()) {
        names[(column - left) as usize].clone_from(text);
    }
    names
}

/// The next cell that is not empty.
fn next<'a>(cells: &mut XlsxCellReader<'a, BufReader<File>>) -> Result<Option<Cell<DataRef<'a>>>> {
    loop {
        match cells.next_cell().map_err(|error| ill(&error))? {
            Some(cell) if *cell.get_value() == DataRef::Empty => {}
            other => return Ok(other),
        }
    }
}

fn write_cell(value: &DataRef<'_>, text: &mut Vec<u8>) -> Result<()> {
    let written = match value {
        DataRef::Empty => Ok(()),
        DataRef::Int(number) => write!(text, "{number}"),
        DataRef::Float(number) => write!(text, "{number}"),
        DataRef::String(words) | DataRef::DateTimeIso(words) | DataRef::DurationIso(words) => {
            text.write_all(words.as_bytes())
        }
        DataRef::SharedString(words) => text.write_all(words.as_bytes()),
        DataRef::Bool(flag) => write!(text, "{flag}"),
        DataRef::DateTime(date) => write_date(date, text),
        DataRef::Error(error) => write!(text, "{error}"),
    };
    written.map_err(|_| Error::internal("a cell cannot be written to memory"))
}

/// A date, a date with a time, or a time alone.
fn write_date(date: &ExcelDateTime, text: &mut Vec<u8>) -> io::Result<()> {
    let days = date.as_f64();
    if date.is_duration() || (0.0..1.0).contains(&days) {
        let seconds = (days * 86_400.0).round();
        let (sign, seconds) = if seconds < 0.0 { ("-", -seconds as u64) } else { ("", seconds as u64) };
        return write!(text, "{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    write!(text, "{year:04}-{month:02}-{day:02}")?;
    if (hour, minute, second, milli) != (0, 0, 0, 0) {
        write!(text, "T{hour:02}:{minute:02}:{second:02}")?;
        if milli > 0 {
            write!(text, ".{milli:03}")?;
        }
    }
    Ok(())
}

/// Unpacks every member once and discards it: none is larger than it states, and together they are within bounds.
fn check_members(path: &Path) -> Result<()> {
    if files::is_standard_input(path) {
        return Err(
            Error::input("a workbook cannot be read from standard input").help("save it to a file first")
        );
    }
    let broken = |error: io::Error| input::unreadable(&error);
    let mut shared = 0_u64;
    for member in zip::members(&mut input::open(path)?).map_err(broken)? {
        let size = u64::from(member.packing.size);
        let is_sheet = member.name.starts_with("xl/worksheets/");
        shared += if is_sheet { 0 } else { size };
        if shared > MAX_SHARED || size > MAX_SHEET {
            return Err(Error::limit("the workbook is too large")
                .help("save the sheet as CSV; a workbook can have 256 MiB of texts and styles"));
        }
        let unpacked = zip::unpack(BufReader::new(input::open(path)?), member.packing).map_err(broken)?;
        io::copy(&mut unpacked.take(size + 1), &mut io::sink()).map_err(broken)?;
    }
    Ok(())
}

/// Calls the `calamine` crate, whose readers may panic on a damaged file.
fn guarded<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(damaged()))
}

fn damaged() -> Error {
    Error::input("not an Excel workbook, or a damaged one")
        .help("open it in Excel and save it again, or save it as CSV")
}

/// What the crate reports, without its words: they may quote the file.
fn ill(error: &XlsxError) -> Error {
    match error {
        XlsxError::Password => {
            Error::input("the workbook is protected by a password").help("save it without one")
        }
        _ => damaged(),
    }
}
