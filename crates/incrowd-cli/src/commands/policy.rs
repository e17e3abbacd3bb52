//! `incrowd policy`: checks a policy without data, and compares two policies.

use crate::Outcome;
use crate::args::{PolicyArguments, PolicyCheckArguments, PolicyCommand, PolicyDiffArguments};
use crate::console::Console;
use crate::text;
use incrowd::Result;
use incrowd::io::PolicyFile;
use incrowd::policies::{PolicyComparison, PolicySummary};

pub(crate) fn run(arguments: &PolicyArguments, console: &Console) -> Result<Outcome> {
    match &arguments.command {
        PolicyCommand::Check(check) => run_check(check, console),
        PolicyCommand::Diff(diff) => run_diff(diff, console),
    }
}

fn run_check(arguments: &PolicyCheckArguments, console: &Console) -> Result<Outcome> {
    let summary = PolicySummary::new(&PolicyFile::read(&arguments.policy)?);
    summary.warnings.iter().for_each(|warning| console.warn(warning));
    console.result(&summary, || text::policy::summary(&summary))?;
    Ok(Outcome::Done)
}

fn run_diff(arguments: &PolicyDiffArguments, console: &Console) -> Result<Outcome> {
    let (before, after) = (PolicyFile::read(&arguments.before)?, PolicyFile::read(&arguments.after)?);
    let comparison = PolicyComparison::new(&before, &after);
    console.result(&comparison, || text::policy::comparison(&comparison))?;
    Ok(if comparison.is_weaker { Outcome::Breach } else { Outcome::Done })
}
