//! Tables whose groups are functions of the public attributes alone.
//!
//! Groups are made under k, and by nothing that looks at private values. The whole guarantee is checked once, at the end;
//! what breaks it is refused. A coarser second try would reveal that the first one failed (docs/proofs.md, "Blind
//! structure").

use super::params::CheckedTableParams;
use super::task::Task;
use super::watch::Watch;
use super::{MinedTable, closed, draft, refuse_hopeless, release};
use crate::refused::unseen;
use crate::structure::check_blind;
use incrowd_core::audit::undeclared;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::table::{People, Table};
use incrowd_core::{Error, Result};

/// Makes a table with a blind structure, with dates as days, and audits it under the policy in which they are dates.
pub(super) fn mine(
    (table, policy): (&Table, &Policy),
    audited_under: &Policy,
    params: &CheckedTableParams,
    progress: &dyn Progress,
) -> Result<MinedTable> {
    let only_k = Guarantee::k_anonymity(check_blind(table, policy, &params.guarantee)?)?;
    let task = Task::new(table, policy, &only_k)?;
    if task.private.is_empty() {
        return Err(Error::parameters("without a private column there is nothing to be blind to")
            .of_parameter("structure")
            .help("choose another structure"));
    }
    if matches!(table.people(), People::Weights(weights) if weights.iter().any(|&weight| weight != 1)) {
        return Err(Error::parameters(
            "a table whose rows stand for several individuals cannot have a blind structure",
        )
        .of_parameter("structure")
        .help("give every individual a row, or choose another structure"));
    }
    let watch = Watch::new(&task);
    refuse_hopeless(&task, &watch, params.method)?;
    let private: Vec<&str> = task.private.iter().map(|&place| table.columns()[place].name()).collect();
    let undeclared = undeclared(table, policy, &private)?;
    let stage = progress.stage("grouping", None);
    let mut draft = draft(&task, &watch, params, progress)?;
    if params.closed {
        draft = closed::close(&task, &watch, draft, params.method, progress)?;
    }
    stage.finish()?;
    let _stage = progress.stage("auditing", None);
    let whole = Task::new(table, policy, &params.guarantee)?.audited_under(audited_under);
    let mut made = release::release(&whole, &draft, params).map_err(refused)?;
    made.warnings.extend(undeclared);
    Ok(made)
}

fn refused(error: Error) -> Error {
    if !error.is_about_the_guarantee() {
        return unseen(error);
    }
    Error::unsatisfiable("a table with a blind structure breaks the guarantee")
        .of_parameter("structure")
        .help("a blind structure does not adapt to requirements on private values; choose weaker ones, a larger k or another structure")
}
