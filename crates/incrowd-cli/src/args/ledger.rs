//! The arguments of `incrowd ledger`.

use clap::Args;
use std::path::PathBuf;

/// List the releases of a ledger, and check that nothing was changed.
///
/// Every line of a ledger has the digest of the line before it, and the digests of the files of its release. All of them
/// are compared.
///
/// Exit status: 0 everything is as it was recorded, 1 a file differs or is missing, or the ledger does not have the line
/// of --head, 2 the ledger cannot be read or was changed.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd tree --data patients.csv --policy policy.toml --k 10 --out tree.json --ledger releases.jsonl\n  incrowd table --data patients.csv --policy policy.toml --k 10 --out anon.csv --ledger releases.jsonl\n  incrowd ledger releases.jsonl"
)]
pub(crate) struct Ledger {
    /// Ledger.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Release that is not where the ledger says. Can be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) earlier: Vec<PathBuf>,
    /// Digest that this command printed before: the ledger must still have that line.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) head: Option<String>,
}
