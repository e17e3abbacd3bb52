//! `incrowd boost`: trains k-anonymous boosted trees.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Boost as Arguments, Common};
use crate::console::Console;
use crate::documents::BoostDocument;
use crate::text;
use incrowd::mine::boost::ScoreDetail;
use incrowd::{Error, Result};
use std::time::Instant;

/// The usual number of digits of a score.
const DIGITS: u8 = 6;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    mining::refuse_table_name(&arguments.files.out)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    if arguments.detail == ScoreDetail::Labels && arguments.digits.is_some() {
        return Err(Error::parameters("--digits applies to scores only")
            .help("choose --detail scores, or leave --digits out"));
    }
    let job = data
        .boost()
        .request(arguments.guarantee.request())
        .rounds(arguments.rounds)
        .leaves(arguments.leaves)
        .learning_rate(arguments.learning_rate)
        .columns(arguments.columns)
        .min_leaf(arguments.min_leaf)
        .detail(arguments.detail)
        .digits(arguments.digits.unwrap_or(DIGITS))
        .structure(arguments.structure)
        .balanced(arguments.balanced);
    let ensemble = mining::recorded(job, &arguments.files).mine().map_err(flags::of_ledger)?;
    mining::warn(&ensemble, console);
    ensemble.write_as(&arguments.files.out, mining::existing(common))?;
    let document = BoostDocument::new(arguments.detail, &ensemble, start);
    console.result(&document, || text::boosted::render(&document, &arguments.files.out))?;
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    Ok(Outcome::Done)
}
