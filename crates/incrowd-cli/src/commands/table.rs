//! `incrowd table`: makes a k-anonymous table that others can mine.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Common, MiningFiles, Table as Arguments};
use crate::console::Console;
use crate::documents::TableDocument;
use crate::text;
use incrowd::io::Decimal;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::io::write::{refuse_existing, write_new};
use incrowd::tables::TableFiles;
use incrowd::{Error, Result};
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    TableFiles::at(&arguments.files.out, common.force)?;
    arguments.dictionary.as_deref().map_or(Ok(()), |path| check_dictionary(path, arguments, common))?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let job =
        data.table().request(arguments.guarantee.request()).method(arguments.method).seed(common.seed).with(
            |params| {
                params.tree = arguments.tree;
                params.as_printed = arguments.as_printed;
                params.swapping = arguments.swapping;
                params.noise = arguments.noise;
                params.average = arguments.average;
                params.common = arguments.common;
                params.criterion = arguments.criterion;
                params.rounds = arguments.rounds;
                params.max_suppressed = arguments.max_suppressed;
                params.structure = arguments.structure;
                // Representatives are those of the groups that the recoding gives.
                params.closed = arguments.closed || arguments.representatives;
                params.representatives = arguments.representatives;
            },
        );
    let table = mining::recorded(job, &arguments.files).mine().map_err(flags::of_ledger)?;
    drop(data);
    mining::warn(&table, console);
    let files = table.write_as(&arguments.files.out, mining::existing(common))?;
    let mut document = TableDocument::new(arguments.method, &table, start);
    document.report = arguments.measures.then(|| table.measures.clone());
    console.result(&document, || text::made::render(&document, &files))?;
    if let Some(path) = &arguments.dictionary {
        write_dictionary(path, &files, common)
            .map_err(|error| mining::after_writing(error, &arguments.files, "data dictionary"))?;
        console.note(&format!("data dictionary written to {}", path.display()));
    }
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    if let Some(note) = notation(&arguments.files)? {
        console.note(&note);
    }
    Ok(Outcome::Done)
}

/// Fails before the table is made if its dictionary cannot be written.
fn check_dictionary(path: &Path, arguments: &Arguments, common: &Common) -> Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["md", "json"].contains(&ending.to_ascii_lowercase().as_str()) {
        return Err(Error::parameters("a data dictionary cannot be written to a file with this ending")
            .in_file(path)
            .help("end it in .md or .json"));
    }
    // An existing file may be a release that later ones are checked with.
    refuse_existing(path, common.force && arguments.files.ledger.ledger.is_none())
}

/// Writes the dictionary of a table that was released.
fn write_dictionary(path: &Path, files: &TableFiles, common: &Common) -> Result<()> {
    let outline = incrowd::load(&files.sidecar)?.table_outline(&mining::options(common))?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let text = if is_json {
        serde_json::to_string_pretty(&outline).map_err(|_| Error::internal("the dictionary is not JSON"))?
            + "\n"
    } else {
        outline.markdown()
    };
    write_new(path, common.force, |file| file.write_all(text.as_bytes()))
}

/// A note on the notation of a released CSV file, if the source has another one.
fn notation(files: &MiningFiles) -> Result<Option<String>> {
    let is_csv = files.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let policy = PolicyFile::read(&files.policy)?;
    let delimiter = policy.file.delimiter.filter(|&delimiter| delimiter != b',');
    let plan = policy.read_plan(Purpose::Source);
    let has_commas = plan.decimal == Decimal::Comma
        || plan.columns.values().any(|column| column.decimal == Some(Decimal::Comma));
    let note = match (delimiter, has_commas) {
        (None, false) => return Ok(None),
        (Some(_), false) => "commas as delimiters",
        (None, true) => "decimal points",
        (Some(_), true) => "commas as delimiters and decimal points",
    };
    Ok(is_csv.then(|| format!("the released table has {note}, unlike the source")))
}
