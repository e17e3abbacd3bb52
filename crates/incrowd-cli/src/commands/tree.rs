//! `incrowd tree`: trains a k-anonymous decision tree.

use super::exposure::Exposure;
use super::mining;
use crate::Outcome;
use crate::args::{Common, DetailFlag, Tree as Arguments};
use crate::console::Console;
use crate::text;
use incrowd::mine::tree::{Method, MinedTree};
use incrowd::model::Detail;
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, Error, Result};
use serde::Serialize;
use std::time::Instant;

/// The digits of a share in whole percent.
const WHOLE_PERCENT: u8 = 2;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The method that grew the tree.
    pub(crate) method: &'static str,
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    /// What its leaves contain.
    pub(crate) detail: Detail,
    pub(crate) rows: u64,
    pub(crate) rows_left_out: RowsLeftOut,
    pub(crate) individuals: u64,
    pub(crate) leaves: u64,
    pub(crate) spans: u64,
    pub(crate) k: u64,
    pub(crate) cm: u64,
    #[serde(flatten)]
    pub(crate) exposure: Exposure,
    /// The share of the training rows it classifies wrongly.
    pub(crate) error: f64,
    pub(crate) seconds: f64,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let detail = detail(arguments)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let tree = data
        .tree()
        .request(arguments.guarantee.request())
        .method(arguments.method)
        .max_leaves(arguments.max_leaves)
        .prune(!arguments.no_prune)
        .detail(detail)
        .mine()?;
    mining::warn(&tree, console);
    tree.write_as(&arguments.files.out, mining::existing(common))?;
    let document = document(arguments.method, detail, &tree, start);
    console.result(&document, || text::mined::render(&document, &arguments.files.out))?;
    Ok(Outcome::Done)
}

fn detail(arguments: &Arguments) -> Result<Detail> {
    match (arguments.detail, arguments.digits) {
        (DetailFlag::Shares, digits) => Ok(Detail::Shares { digits: digits.unwrap_or(WHOLE_PERCENT) }),
        (_, Some(_)) => Err(Error::parameters("--digits applies to shares only")
            .help("add --detail shares, or leave --digits out")),
        (DetailFlag::Counts, None) => Ok(Detail::Counts),
        (DetailFlag::Labels, None) => Ok(Detail::Labels),
    }
}

fn document(method: Method, detail: Detail, tree: &Audited<MinedTree>, start: Instant) -> Document {
    let summary = &tree.summary;
    Document {
        method: method.name(),
        guarantee: tree.guarantee().to_vec(),
        weakened: tree.weakened().to_vec(),
        detail,
        rows: summary.rows,
        rows_left_out: tree.rows_left_out().clone(),
        individuals: summary.individuals,
        leaves: summary.leaves,
        spans: summary.spans,
        k: summary.k,
        cm: summary.cm,
        exposure: Exposure::of(tree.report()),
        error: summary.error,
        seconds: start.elapsed().as_secs_f64(),
    }
}
