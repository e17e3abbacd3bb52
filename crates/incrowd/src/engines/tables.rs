//! The audit of a released table in an engine.
//!
//! What leaves the engine are the different rows of the released table with their counts. They are what is to be given
//! away; a table that is not anonymized would be read as a whole, so their number is bounded.

use super::coded::{frame, kept};
use super::{arrays, of_engine};
use crate::audit::Report;
use crate::dataset::OpenOptions;
use crate::guarantee::Guarantee;
use crate::released::{check_public, read_with_sets};
use crate::table::RowsLeftOut;
use crate::table_audit::{audit_written, check_private, check_without, skip};
use crate::{Error, Result};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use incrowd_io::policy::{PolicyFile, Purpose};
use incrowd_io::{Frame, ReadPlan, read_frame};
use incrowd_sql::{EngineColumn, Part, Remote, Source, SqlKind};
use std::sync::Arc;

/// Audits a table of any origin in an engine, without some columns.
///
/// # Errors
/// When the guarantee cannot be checked.
pub(crate) fn audit_table_in_engine(
    source: &Source,
    without: &[String],
    policy: &PolicyFile,
    guarantee: &Guarantee,
    options: &OpenOptions,
) -> Result<Report> {
    policy.refuse_baskets()?;
    if let Some(subject) = &policy.policy.subject {
        let what = "tables with several rows per individual cannot be audited in a database yet";
        return Err(Error::input(what)
            .of_attribute(subject)
            .help("export the table to a file (Parquet), and audit the file"));
    }
    let mut plan = policy.read_plan(Purpose::Release);
    skip(&mut plan, without, policy);
    let located = |error: Error| error.in_file(source.to_string());
    let mut remote = Remote::open(source).map_err(located)?;
    let (weights, batch) = counted(&mut remote, &plan, options).map_err(located)?;
    let reading = options.reading();
    let read = |plan: &ReadPlan| {
        let frame = Frame::of_batches(batch.schema(), vec![batch.clone()]).weighted_by(&weights);
        read_frame(frame, plan, reading.threads, reading.progress).map_err(of_engine)
    };
    let read = read_with_sets(policy, &mut plan, read, |_, _| None).map_err(located)?;
    check_without(&read, without, policy).map_err(located)?;
    check_private(&read, without, policy).map_err(located)?;
    check_public(&read, policy, &plan).map_err(of_engine).map_err(located)?;
    let report = audit_written(&read, without, None, policy, guarantee, None);
    let mut report = report.map_err(of_engine).map_err(located)?;
    report.rows = remote.rows();
    report.rows_left_out = RowsLeftOut { of: remote.rows(), ..RowsLeftOut::default() };
    report.table_file = Some(source.to_string());
    Ok(report)
}

/// The different rows of the columns that a plan keeps, with a column of their counts, and its name.
fn counted(remote: &mut Remote, plan: &ReadPlan, options: &OpenOptions) -> Result<(String, RecordBatch)> {
    let places = kept(remote, plan, options)?;
    let parts: Vec<Part<'_>> = places.iter().map(|&place| Part::Values(place)).collect();
    let counted = remote.counted(&parts)?;
    let mut columns: Vec<EngineColumn> = remote.columns().to_vec();
    let rows = counted.counts.len();
    let mut arrays: Vec<ArrayRef> = columns.iter().map(|column| arrays::absent(column, rows)).collect();
    for (&place, keys) in places.iter().zip(&counted.parts) {
        arrays[place] = arrays::array(&columns[place], keys)?;
    }
    let mut name = "number of rows".to_owned();
    while columns.iter().any(|column| column.name == name) || plan.columns.contains_key(&name) {
        name.push('\'');
    }
    columns.push(EngineColumn { name: name.clone(), kind: Some(SqlKind::Whole), type_name: String::new() });
    arrays.push(Arc::new(Int64Array::from(counted.counts.iter().map(|&n| n as i64).collect::<Vec<_>>())));
    let (_, mut batches) = frame(&columns, arrays)?.collect()?;
    let batch = batches.pop().ok_or_else(|| Error::internal("a frame without rows"))?;
    Ok((name, batch))
}
