//! `incrowd ledger`: lists the releases of a ledger, and checks that nothing was changed.

use super::flags;
use crate::Outcome;
use crate::args::Ledger as Arguments;
use crate::console::Console;
use crate::text;
use incrowd::Result;

pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Outcome> {
    let head = arguments.head.as_deref();
    let found = incrowd::ledger(&arguments.file, &arguments.earlier, head).map_err(flags::of_ledger)?;
    console.result(&found, || text::ledger::render(&found))?;
    Ok(if found.holds { Outcome::Done } else { Outcome::Breach })
}
