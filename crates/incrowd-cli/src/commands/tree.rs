//! `incrowd tree`: trains a k-anonymous decision tree.

use super::{database, flags, mining, report};
use crate::Outcome;
use crate::args::{Common, DetailFlag, Tree as Arguments};
use crate::console::Console;
use crate::documents::TreeDocument;
use crate::text;
use incrowd::model::Detail;
use incrowd::{Error, Result};
use std::time::Instant;

/// The digits of a share in whole percent.
const WHOLE_PERCENT: u8 = 2;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let detail = detail(arguments)?;
    let files = &arguments.files;
    mining::refuse_table_name(&files.out)?;
    mining::check(files, &arguments.guarantee, common)?;
    let remote = database::tree(&mining::options(common), &files.data, &files.policy)?;
    if remote.is_some() && !files.report.is_empty() {
        return Err(Error::parameters("a report reads the rows of the table, which stay in the database")
            .of_parameter("report")
            .help("leave the report out, or export the table to a file where that is allowed"));
    }
    let data;
    let job = if let Some(job) = remote {
        job
    } else {
        data = mining::open(files, &arguments.guarantee, common, console)?;
        data.tree()
    };
    let job = job
        .request(arguments.guarantee.request())
        .method(arguments.method)
        .max_leaves(arguments.max_leaves)
        .prune(!arguments.no_prune)
        .sample(!arguments.no_sample)
        .detail(detail);
    let tree = mining::recorded(job, &arguments.files).mine().map_err(flags::of_tree)?;
    mining::warn(&tree, console);
    tree.write_as(&arguments.files.out, mining::existing(common))?;
    let document = TreeDocument::new(arguments.method, detail, &tree, start);
    console.result(&document, || text::mined::render(&document, &arguments.files.out))?;
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    Ok(Outcome::Done)
}

fn detail(arguments: &Arguments) -> Result<Detail> {
    match (arguments.detail, arguments.digits) {
        (DetailFlag::Shares, digits) => Ok(Detail::Shares { digits: digits.unwrap_or(WHOLE_PERCENT) }),
        (_, Some(_)) => Err(Error::parameters("--digits applies to shares only")
            .help("choose --detail shares, or leave --digits out")),
        (DetailFlag::Counts, None) => Ok(Detail::Counts),
        (DetailFlag::Labels, None) => Ok(Detail::Labels),
    }
}
