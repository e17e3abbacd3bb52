//! `incrowd transform`: recodes new rows like a released table.

use super::{flags, mining};
use crate::Outcome;
use crate::args::{Common, Transform as Arguments};
use crate::console::Console;
use crate::documents::TransformDocument;
use crate::text;
use incrowd::io::write::{refuse_existing, refuse_input};
use incrowd::io::{PolicyFile, format_of_name, write_table};
use incrowd::recoding::Shown;
use incrowd::table::Column;
use incrowd::{Error, ErrorKind, Result, Transformed};
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    format_of_name(&arguments.out)?;
    let loaded = flags::load(&arguments.release)?;
    refuse_input(&arguments.out, &[loaded.table_path()?])?;
    refuse_existing(&arguments.out, common.force)?;
    let shown = if arguments.representatives { Shown::Representatives } else { Shown::Cells };
    let job = loaded.transform(&arguments.data).shown(shown).options(mining::options(common));
    let job = match &arguments.policy {
        Some(policy) => job.policy(PolicyFile::read(policy)?),
        None => job.plan(arguments.look.plan()),
    };
    let transformed = job.run().map_err(|error| with_flags(error, arguments))?;
    write_table(&arguments.out, &transformed.table, common.force, |_| Ok(()))?;
    let document = document(transformed, start);
    console.result(&document, || text::transform::render(&document, &arguments.out))?;
    if let Some(warning) = document.rows_left_out.by_policy() {
        console.warn(&warning);
    }
    if !document.columns_left_out.is_empty() && arguments.policy.is_none() {
        console.note("other columns are left out; with --policy FILE, private columns are kept");
    }
    console.note("the recoded rows are not audited and are not a release: nothing is guaranteed about them");
    Ok(Outcome::Done)
}

fn document(transformed: Transformed, start: Instant) -> TransformDocument {
    TransformDocument {
        counts: transformed.counts,
        rows_left_out: transformed.rows_left_out,
        columns: transformed.table.columns().iter().map(Column::name).map(str::to_owned).collect(),
        columns_left_out: transformed.columns_left_out,
        audited: false,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// Without a policy, adds flags to the help of an error about a cell or the layout of the file.
fn with_flags(error: Error, arguments: &Arguments) -> Error {
    let is_of_cell =
        error.kind == ErrorKind::Input && error.place.line.is_some() && error.place.attribute.is_some();
    if arguments.policy.is_some() {
        return error;
    }
    if !is_of_cell {
        return flags::of_layout(error);
    }
    error.help(super::predict::FLAGS_OF_CELLS)
}
