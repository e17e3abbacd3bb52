//! `incrowd table`: makes a k-anonymous table that others can mine.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Common, MiningFiles, Table as Arguments};
use crate::console::Console;
use crate::documents::TableDocument;
use crate::text;
use incrowd::Result;
use incrowd::io::Decimal;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::tables::TableFiles;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    TableFiles::at(&arguments.files.out, common.force)?;
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
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    if let Some(note) = notation(&arguments.files)? {
        console.note(&note);
    }
    Ok(Outcome::Done)
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
