//! `incrowd tree`: a decision tree nobody can be linked through.

use super::exposure::Exposure;
use super::guarantee::guarantee;
use super::{figures, warn_left_out};
use crate::Outcome;
use crate::args::{Common, DetailFlag, MethodFlag, Tree as Arguments};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::files::Reading;
use incrowd::io::TableRead;
use incrowd::io::policy::{PolicyFile, Purpose};
use incrowd::io::release::{ModelRelease, Origin, Release, write_release};
use incrowd::io::write::refuse_existing;
use incrowd::mine::tree::{CheckedTreeParams, Method, Mined, TreeParams, mine_tree};
use incrowd::model::{Detail, Model};
use incrowd::table::RowsLeftOut;
use incrowd::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Instant;

/// The digits of a share in whole percent.
const WHOLE_PERCENT: u8 = 2;

/// The document of `--json`.
#[derive(Serialize)]
pub(crate) struct Document {
    /// How the tree was grown.
    pub(crate) method: &'static str,
    /// What it was asked to guarantee.
    pub(crate) guarantee: Vec<String>,
    /// How much its leaves tell.
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
    refuse_existing(&arguments.out, common.force)?;
    let policy = PolicyFile::read(&arguments.policy)?;
    let params = params(arguments, &policy)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let TableRead { table, rows_left_out, .. } = reading.table(&arguments.data, &policy, Purpose::Source)?;
    warn_left_out(console, &rows_left_out);
    let mined =
        mine_tree(&table, &policy.policy, &params, &bar).map_err(|error| error.in_file(&arguments.data))?;
    mined.warnings.iter().for_each(|warning| console.warn(warning));
    let document = document(&params, &mined, rows_left_out, start);
    write_release(&arguments.out, &release(mined, &document)?, common.force)?;
    console.result(&document, || text::mined::render(&document, &arguments.out))?;
    Ok(Outcome::Done)
}

fn params(arguments: &Arguments, policy: &PolicyFile) -> Result<CheckedTreeParams> {
    let guarantee = guarantee(&policy.policy.guarantee, &arguments.guarantee)?;
    let mut params = TreeParams::new(method_of_tree(arguments.method), guarantee);
    params.max_leaves = arguments.max_leaves;
    params.prune = !arguments.no_prune;
    params.detail = detail(arguments)?;
    params.check()
}

fn detail(arguments: &Arguments) -> Result<Detail> {
    match (arguments.detail, arguments.digits) {
        (DetailFlag::Shares, digits) => Ok(Detail::Shares { digits: digits.unwrap_or(WHOLE_PERCENT) }),
        (_, Some(_)) => {
            Err(Error::new("only shares have digits").help("give --detail shares, or leave --digits out"))
        }
        (DetailFlag::Counts, None) => Ok(Detail::Counts),
        (DetailFlag::Labels, None) => Ok(Detail::Labels),
    }
}

pub(crate) fn method_of_tree(flag: MethodFlag) -> Method {
    match flag {
        MethodFlag::Best => Method::Best,
        MethodFlag::KadetC45 => Method::KadetC45,
        MethodFlag::KadetId3 => Method::KadetId3,
    }
}

fn document(
    params: &CheckedTreeParams,
    mined: &Mined,
    rows_left_out: RowsLeftOut,
    start: Instant,
) -> Document {
    let summary = &mined.summary;
    Document {
        method: params.method.name(),
        guarantee: mined.report.guarantee(),
        detail: params.detail,
        rows: summary.rows,
        rows_left_out,
        individuals: summary.individuals,
        leaves: summary.leaves,
        spans: summary.spans,
        k: summary.k,
        cm: summary.cm,
        exposure: Exposure::of(&mined.report),
        error: summary.error,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// The release, with what its audit measured; how long it took is nobody's business.
fn release(mined: Mined, document: &Document) -> Result<Release> {
    let origin = Origin {
        method: Some(document.method.to_owned()),
        guarantee: document.guarantee.clone(),
        measured: measured(document)?,
        ..Origin::default()
    };
    Ok(Release::Model(ModelRelease {
        model: Model::Tree(mined.tree),
        individuals: Some(document.individuals),
        origin,
    }))
}

/// The figures of a release. Those that rest on the people of each class are left out where the leaves do not tell them either.
fn measured(document: &Document) -> Result<Map<String, Value>> {
    let mut measured = figures(serde_json::json!({
        "leaves": document.leaves,
        "spans": document.spans,
        "k": document.k,
        "exposed": document.exposure.exposed,
        "at_most": document.exposure.at_most,
        "max_confidence": document.exposure.max_confidence,
        "error": document.error,
    }))?;
    if document.detail != Detail::Counts {
        measured.retain(|name, _| matches!(name.as_str(), "leaves" | "spans" | "k"));
    }
    Ok(measured)
}
