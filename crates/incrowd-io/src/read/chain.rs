//! Several files as one table: the same format and the same columns, read one after the other.

use super::Part;
use super::block::Block;
use super::rules::DeclaredColumn;
use super::source::BlockSource;
use crate::plan::Format;
use incrowd_core::words::counted;
use incrowd_core::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// Opens a further file by its number.
type Opening<'a> = Box<dyn Fn(usize) -> Result<Box<dyn BlockSource + 'a>> + Send + 'a>;

/// The blocks of several files.
pub(super) struct Chain<'a> {
    paths: Vec<Arc<Path>>,
    /// The file that is being read.
    part: usize,
    source: Box<dyn BlockSource + 'a>,
    open: Opening<'a>,
}

impl<'a> Chain<'a> {
    pub(super) fn new(paths: Vec<Arc<Path>>, source: Box<dyn BlockSource + 'a>, open: Opening<'a>) -> Self {
        Self { paths, part: 0, source, open }
    }

    fn next(&mut self, block: &mut Block) -> Result<bool> {
        while !self.source.fill(block)? {
            if self.part + 1 == self.paths.len() {
                return Ok(false);
            }
            self.part += 1;
            self.source = (self.open)(self.part)?;
        }
        Ok(true)
    }
}

impl BlockSource for Chain<'_> {
    fn fill(&mut self, block: &mut Block) -> Result<bool> {
        let filled = self.next(block);
        let path = &self.paths[self.part];
        block.file = Some(Arc::clone(path));
        filled.map_err(|error| error.in_file(path))
    }
}

/// Fails unless all files have the same format.
pub(super) fn check_formats(parts: &[Part]) -> Result<()> {
    let first = &parts[0];
    if parts.len() > 1 && !parts.iter().all(|part| part.looks.regular) {
        return Err(
            Error::parameters("a pipe cannot be one of several files").help("save it to a file first")
        );
    }
    match parts.iter().find(|part| part.looks.format != first.looks.format) {
        Some(other) => Err(Error::input(format!(
            "the file is {}, but {} is {}",
            name(other.looks.format),
            first.path.display(),
            name(first.looks.format)
        ))
        .in_file(&other.path)
        .help("several files are read as one table only if they have the same format")),
        None => Ok(()),
    }
}

fn name(format: Format) -> &'static str {
    match format {
        Format::Csv => "delimited text",
        Format::Uci => "a UCI data file",
        Format::Arff => "ARFF",
        Format::Parquet => "Parquet",
        Format::JsonLines => "JSON lines",
        Format::Excel => "an Excel workbook",
        Format::Frame => "a frame",
    }
}

/// Fails unless a file has the columns of the first, in the same order.
pub(super) fn check_columns(own: &[DeclaredColumn], first: &[DeclaredColumn], file: &Path) -> Result<()> {
    let differs = |(own, first): (&DeclaredColumn, &DeclaredColumn)| own != first;
    let help = "several files are read as one table only if they have the same columns in the same order";
    if own.len() != first.len() {
        let (own, first) = (counted(own.len() as u64, "column"), first.len());
        let what = format!("the file has {own}, and {} has {first}", file.display());
        return Err(Error::input(what).help(help));
    }
    match own.iter().zip(first).position(differs) {
        // What a first line contains may be someone's row, so only its place is stated.
        Some(column) => {
            let what = format!("the column is not declared as in {}", file.display());
            Err(Error::input(what).at_column(column as u64 + 1).help(help))
        }
        None => Ok(()),
    }
}
