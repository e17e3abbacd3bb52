//! `incrowd audit`: is this release, or this table, safe?

use super::guarantee::guarantee;
use crate::Outcome;
use crate::args::{Audit, Common};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::audit::Report;
use incrowd::files::{Reading, audit_release_file, audit_table_file};
use incrowd::io::policy::PolicyFile;
use incrowd::{Error, Result};
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    seconds: f64,
}

pub(crate) fn run(arguments: &Audit, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let policy = PolicyFile::read(&arguments.policy)?;
    let guarantee = guarantee(&policy.policy.guarantee, &arguments.guarantee)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let report = match (&arguments.table, &arguments.release) {
        (Some(table), _) => audit_table_file(table, &arguments.without, &policy, &guarantee, reading)?,
        (None, Some(release)) => {
            audit_release_file(release, arguments.data.as_deref(), &policy, &guarantee, reading)?
        }
        (None, None) => {
            return Err(Error::new("nothing to audit").help("name a release file, or a table with --table"));
        }
    };
    report.warnings.iter().for_each(|warning| console.warn(warning));
    let document = Document { report: &report, seconds: start.elapsed().as_secs_f64() };
    console.result(&document, || text::audit::render(&report))?;
    Ok(if report.holds { Outcome::Done } else { Outcome::Breach })
}
