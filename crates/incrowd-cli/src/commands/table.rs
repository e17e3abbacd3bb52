//! `incrowd table`: a table that others can mine, in which nobody can be singled out.

use super::exposure::Exposure;
use super::guarantee::guarantee;
use super::{figures, warn_left_out};
use crate::Outcome;
use crate::args::{AverageFlag, Common, CommonFlag, CriterionFlag, Table as Arguments, TableMethodFlag};
use crate::commands::tree::method_of_tree;
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::files::Reading;
use incrowd::io::TableRead;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::io::release::Origin;
use incrowd::mine::table::{
    self, Average, CheckedTableParams, Criterion, Made, Measures, Method, TableParams, make_table,
};
use incrowd::table::RowsLeftOut;
use incrowd::tables::TableFiles;
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// How the table was made.
    pub(crate) method: &'static str,
    /// What it was asked to guarantee.
    pub(crate) guarantee: Vec<String>,
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
    /// Everything that was measured, with `--report`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<Measures>,
    pub(crate) seconds: f64,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let files = TableFiles::at(&arguments.out, common.force)?;
    let policy = PolicyFile::read(&arguments.policy)?;
    let params = params(arguments, common, &policy)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let TableRead { table, rows_left_out, .. } = reading.table(&arguments.data, &policy, Purpose::Source)?;
    warn_left_out(console, &rows_left_out);
    let made =
        make_table(&table, &policy.policy, &params, &bar).map_err(|error| error.in_file(&arguments.data))?;
    drop(table);
    made.warnings.iter().for_each(|warning| console.warn(warning));
    if !params.sets.is_empty() {
        console.warn(
            "the guarantee holds for each set of attributes apart: not for someone who knows several of them",
        );
    }
    let mut document = document(&params, &made, rows_left_out);
    files.write(&made, &params, &policy, origin(&params, &document)?, common.force, reading)?;
    document.report = arguments.report.then(|| made.measures.clone());
    document.seconds = start.elapsed().as_secs_f64();
    console.result(&document, || text::made::render(&document, &files))?;
    Ok(Outcome::Done)
}

fn params(arguments: &Arguments, common: &Common, policy: &PolicyFile) -> Result<CheckedTableParams> {
    let guarantee = guarantee(&policy.policy.guarantee, &arguments.guarantee)?;
    let mut params = TableParams::new(method(arguments.method), guarantee);
    params.seed = common.seed;
    params.tree = method_of_tree(arguments.tree);
    params.as_printed = arguments.as_printed;
    params.swapping = arguments.swapping;
    params.noise = arguments.noise;
    params.average = match arguments.average {
        AverageFlag::Mean => Average::Mean,
        AverageFlag::Median => Average::Median,
    };
    params.common = match arguments.common {
        CommonFlag::Frequent => table::Common::Frequent,
        CommonFlag::Ancestor => table::Common::Ancestor,
    };
    params.criterion = match arguments.criterion {
        CriterionFlag::Width => Criterion::Width,
        CriterionFlag::Gain => Criterion::Gain,
        CriterionFlag::Loss => Criterion::Loss,
    };
    params.sets.clone_from(&policy.sets);
    params.check()
}

fn method(flag: TableMethodFlag) -> Method {
    match flag {
        TableMethodFlag::Best => Method::Best,
        TableMethodFlag::Spans => Method::Spans,
        TableMethodFlag::Kactus => Method::Kactus,
        TableMethodFlag::Kactus2 => Method::Kactus2,
        TableMethodFlag::Aggregate => Method::Aggregate,
        TableMethodFlag::Tds => Method::Tds,
        TableMethodFlag::Tdr => Method::Tdr,
        TableMethodFlag::Mondrian => Method::Mondrian,
    }
}

fn document(params: &CheckedTableParams, made: &Made, rows_left_out: RowsLeftOut) -> Document {
    let summary = &made.summary;
    Document {
        method: params.method.name(),
        guarantee: made.report.guarantee(),
        rows: summary.rows,
        rows_lost: summary.rows_lost,
        rows_left_out,
        individuals: made.table.individuals(),
        k: summary.k,
        spans: summary.groups,
        exposure: Exposure::of(&made.report),
        suppressed: summary.suppressed,
        swapped: summary.swapped,
        loss: summary.loss,
        cm: summary.cm,
        report: None,
        seconds: 0.0,
    }
}

/// What the sidecar says: method, parameters, guarantee, and what was measured of the released table. The seed stays with the owner: together
/// with the method it could tell which records were chosen.
fn origin(params: &CheckedTableParams, document: &Document) -> Result<Origin> {
    let parameters = match params.method {
        Method::Spans => serde_json::json!({ "tree": params.tree.name() }),
        Method::Kactus2 => {
            serde_json::json!({ "swapping": params.swapping, "as_printed": params.as_printed })
        }
        _ => serde_json::json!({}),
    };
    let mut parameters = figures(parameters)?;
    if !params.sets.is_empty() {
        parameters.insert("sets".to_owned(), serde_json::json!(params.sets));
    }
    let measured = serde_json::json!({
        "k": document.k,
        "spans": document.spans,
        "exposed": document.exposure.exposed,
        "at_most": document.exposure.at_most,
        "max_confidence": document.exposure.max_confidence,
    });
    Ok(Origin {
        method: Some(document.method.to_owned()),
        parameters,
        guarantee: document.guarantee.clone(),
        measured: figures(measured)?,
    })
}
