//! The releases of each method from all training rows, one by one: their figures, time and memory.

use super::data::Divided;
use super::memory::{forget_peak, peak};
use super::tried::{Ask, guarantee};
use super::{CheckedCompareParams, ComparedMethod};
use crate::Result;
use crate::audit::{Report, SizeClass};
use crate::progress::Unreported;
use incrowd_eval::comparison::{MethodRelease, Sizes};
use incrowd_mine::boost::{BoostParams, mine_boost};
use incrowd_mine::table::{TableParams, mine_table};
use incrowd_mine::tree::{MinedTree, TreeParams, mine_tree};
use std::time::Instant;

/// Makes a release and measures it.
pub(super) fn measure(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    ask: Ask,
    progress: Unreported<'_>,
) -> Result<MethodRelease> {
    forget_peak();
    let start = Instant::now();
    let mut released = match ask.method {
        ComparedMethod::Tree(_) => {
            let mined = grow(divided, params, ask, progress)?;
            let mut released = figures(ask, &mined.report);
            released.cm = Some(mined.summary.cm);
            released.leaves = Some(mined.summary.leaves);
            released
        }
        ComparedMethod::Boost => {
            let asked = BoostParams::new(guarantee(params, ask.k)?).check()?;
            let mined = mine_boost(divided.source.table, divided.source.policy, &asked, &progress)?;
            let mut released = figures(ask, &mined.report);
            released.leaves = Some(mined.summary.leaves);
            released
        }
        ComparedMethod::Table(method) => {
            let mut asked = TableParams::new(method, guarantee(params, ask.k)?);
            asked.seed = params.seed;
            let made = mine_table(divided.source.table, divided.source.policy, &asked.check()?, &progress)?;
            let mut released = figures(ask, &made.report);
            released.rows = made.summary.rows;
            released.cm = made.summary.cm;
            released.suppressed = Some(made.measures.suppressed);
            released.loss = made.measures.loss;
            released
        }
    };
    released.seconds = start.elapsed().as_secs_f64();
    released.peak_bytes = peak();
    Ok(released)
}

/// Grows the tree from all training rows.
pub(super) fn grow(
    divided: &Divided<'_>,
    params: &CheckedCompareParams,
    ask: Ask,
    progress: Unreported<'_>,
) -> Result<MinedTree> {
    let ComparedMethod::Tree(method) = ask.method else {
        return Err(crate::Error::input(format!("{} does not make trees", ask.method)));
    };
    let asked = TreeParams::new(method, guarantee(params, ask.k)?).check()?;
    mine_tree(divided.source.table, divided.source.policy, &asked, &progress)
}

fn figures(ask: Ask, report: &Report) -> MethodRelease {
    let sizes = |class: &SizeClass| Sizes {
        from: class.from,
        to: class.to,
        spans: class.spans,
        individuals: class.individuals,
    };
    MethodRelease {
        method: ask.method.name().to_owned(),
        k: ask.k,
        k_held: report.k,
        rows: report.rows,
        individuals: report.individuals,
        spans: report.spans,
        sizes: report.sizes.iter().map(sizes).collect(),
        exposed: report.exposed,
        at_most: report.at_most,
        max_confidence: report.max_confidence,
        suppressed: None,
        loss: None,
        cm: None,
        leaves: None,
        seconds: 0.0,
        peak_bytes: None,
    }
}
