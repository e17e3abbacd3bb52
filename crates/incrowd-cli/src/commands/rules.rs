//! `incrowd rules`: finds k-anonymous association rules.

use super::{flags, mining, report};
use crate::Outcome;
use crate::args::{Common, Rules as Arguments};
use crate::console::Console;
use crate::documents::RulesDocument;
use crate::text;
use incrowd::Result;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    mining::refuse_table_name(&arguments.files.out)?;
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let job = data
        .rules()
        .request(arguments.guarantee.request())
        .min_support(arguments.min_support)
        .min_confidence(arguments.min_confidence)
        .max_length(arguments.max_length)
        .first(arguments.first)
        .with(|params| {
            params.max_consequent = arguments.max_consequent;
            params.most = arguments.most;
            params.keep_channels = arguments.keep_channels;
        });
    let rules = mining::recorded(job, &arguments.files).mine().map_err(flags::of_ledger)?;
    mining::warn(&rules, console);
    let is_safe = !rules.useful.is_empty();
    if is_safe {
        rules.write_as(&arguments.files.out, mining::existing(common))?;
    }
    let document = RulesDocument::new(arguments.first, &rules, start);
    console.result(&document, || text::rules::render(&document, &arguments.files.out))?;
    if is_safe {
        report::of_mined(&arguments.files.out, &arguments.files, &arguments.guarantee, common, console)?;
    }
    Ok(if is_safe { Outcome::Done } else { Outcome::Breach })
}
