//! `incrowd audit`: checks whether a release or table meets its guarantee.

use super::mining;
use crate::Outcome;
use crate::args::{Audit, Common};
use crate::console::Console;
use crate::documents::Timed;
use crate::text;
use incrowd::io::policy::PolicyFile;
use incrowd::{Error, Result};
use std::time::Instant;

pub(crate) fn run(arguments: &Audit, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let (options, policy) = (mining::options(common), PolicyFile::read(&arguments.policy)?);
    let request = arguments.guarantee.request();
    let report = match (&arguments.table, &arguments.release) {
        (Some(table), _) => {
            options.audit_table(table, policy).request(request).without(arguments.without.clone()).run()?
        }
        (None, Some(release)) => {
            options.audit(release, arguments.data.as_deref(), policy).request(request).run()?
        }
        (None, None) => {
            return Err(
                Error::parameters("nothing to audit").help("name a release file, or a table with --table")
            );
        }
    };
    report.warnings.iter().for_each(|warning| console.warn(warning));
    let document = Timed::new(&report, start);
    console.result(&document, || text::audit::render(&report))?;
    Ok(if report.holds { Outcome::Done } else { Outcome::Breach })
}
