//! How a data file was read. The same file read in another way can be about other individuals: a policy may skip lines,
//! leave out rows with missing values, or count rows instead of individuals.

use crate::dataset::Dataset;
use incrowd_io::Unlisted;
use sha2::{Digest, Sha256};

/// A digest of how a file was read and of how many rows and individuals that gave; none if rows were left out, because
/// which ones may depend on the columns that a policy uses. Columns themselves are not part of it: a policy may use others.
pub(super) fn digest_of_reading(data: &Dataset) -> Option<String> {
    if data.rows_left_out().total > 0 {
        return None;
    }
    let policy = data.policy_file();
    let mut plan = policy.file.clone();
    plan.columns.clear();
    (plan.max_rows_left_out, plan.unlisted) = (None, Unlisted::default());
    let counts = data.source().ok().map(|table| (table.rows(), table.individuals()));
    let about = (
        plan,
        &policy.missing,
        &policy.date_orders,
        &policy.decimals,
        &policy.spellings,
        &policy.missing_rows,
        &policy.policy.subject,
        counts,
    );
    // Any difference counts, also one between versions of the program.
    let sum = Sha256::digest(format!("{about:?}").as_bytes());
    Some(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}
