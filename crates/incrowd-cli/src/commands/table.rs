//! `incrowd table`: makes a k-anonymous table that others can mine.

use super::exposure::Exposure;
use super::mining;
use crate::Outcome;
use crate::args::{Common, Table as Arguments};
use crate::console::Console;
use crate::text;
use incrowd::mine::table::{Measures, Method, MinedTable};
use incrowd::table::RowsLeftOut;
use incrowd::tables::TableFiles;
use incrowd::{Audited, Result};
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The method that made the table.
    pub(crate) method: &'static str,
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    pub(crate) rows: u64,
    pub(crate) rows_lost: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    pub(crate) k: u64,
    pub(crate) spans: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    pub(crate) suppressed: f64,
    pub(crate) swapped: f64,
    pub(crate) loss: f64,
    pub(crate) cm: Option<u64>,
    /// All measures, with `--report`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<Measures>,
    pub(crate) seconds: f64,
}

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
    let mut document = document(arguments.method, &table, start);
    document.report = arguments.report.then(|| table.measures.clone());
    console.result(&document, || text::made::render(&document, &files))?;
    Ok(Outcome::Done)
}

fn document(method: Method, table: &Audited<MinedTable>, start: Instant) -> Document {
    let summary = &table.summary;
    Document {
        method: method.name(),
        guarantee: table.guarantee().to_vec(),
        weakened: table.weakened().to_vec(),
        rows: summary.rows,
        rows_lost: summary.rows_lost,
        rows_left_out: table.rows_left_out().clone(),
        individuals: table.table.individuals(),
        k: summary.k,
        spans: summary.groups,
        exposure: Exposure::of(table.report()),
        suppressed: summary.suppressed,
        swapped: summary.swapped,
        loss: summary.loss,
        cm: summary.cm,
        report: None,
        seconds: start.elapsed().as_secs_f64(),
    }
}
