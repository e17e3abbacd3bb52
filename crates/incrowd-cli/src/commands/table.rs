//! `incrowd table`: makes a k-anonymous table that others can mine.

use super::mining;
use crate::Outcome;
use crate::args::{Common, Table as Arguments};
use crate::console::Console;
use crate::documents::TableDocument;
use crate::text;
use incrowd::Result;
use incrowd::tables::TableFiles;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    TableFiles::at(&arguments.files.out, common.force)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let table = data
        .table()
        .request(arguments.guarantee.request())
        .method(arguments.method)
        .seed(common.seed)
        .with(|params| {
            params.tree = arguments.tree;
            params.as_printed = arguments.as_printed;
            params.swapping = arguments.swapping;
            params.noise = arguments.noise;
            params.average = arguments.average;
            params.common = arguments.common;
            params.criterion = arguments.criterion;
        })
        .mine()?;
    drop(data);
    mining::warn(&table, console);
    let files = table.write_as(&arguments.files.out, mining::existing(common))?;
    let mut document = TableDocument::new(arguments.method, &table, start);
    document.report = arguments.report.then(|| table.measures.clone());
    console.result(&document, || text::made::render(&document, &files))?;
    Ok(Outcome::Done)
}
