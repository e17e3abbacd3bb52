//! `incrowd verify`: whether files are those that a report is about.

use crate::Outcome;
use crate::args::Verify as Arguments;
use crate::console::Console;
use crate::text;
use incrowd::Result;
use incrowd::dossier::VerifyJob;

pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Outcome> {
    let job = incrowd::verify(&arguments.report)?;
    let job = arguments.release.iter().fold(job, VerifyJob::release);
    let job = arguments.policy.iter().fold(job, VerifyJob::policy);
    let job = arguments.data.iter().fold(job, VerifyJob::data);
    let job = arguments.test.iter().fold(job, VerifyJob::test);
    let found = job.run()?;
    console.result(&found, || text::dossier::verified(&found))?;
    Ok(if found.holds() { Outcome::Done } else { Outcome::Breach })
}
