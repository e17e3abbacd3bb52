//! `incrowd boost`: trains k-anonymous boosted trees.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Boost as Arguments, Common};
use crate::console::Console;
use crate::documents::BoostDocument;
use crate::text;
use incrowd::Result;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    mining::refuse_table_name(&arguments.files.out)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let job = data
        .boost()
        .request(arguments.guarantee.request())
        .rounds(arguments.rounds)
        .leaves(arguments.leaves)
        .learning_rate(arguments.learning_rate)
        .columns(arguments.columns)
        .min_leaf(arguments.min_leaf)
        .digits(arguments.digits)
        .structure(arguments.structure)
        .balanced(arguments.balanced);
    let ensemble = mining::recorded(job, &arguments.files).mine().map_err(flags::of_ledger)?;
    mining::warn(&ensemble, console);
    ensemble.write_as(&arguments.files.out, mining::existing(common))?;
    let document = BoostDocument::new(&ensemble, start);
    console.result(&document, || text::boosted::render(&document, &arguments.files.out))?;
    report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    Ok(Outcome::Done)
}
