//! The arguments of `incrowd ledger`.

use clap::Args;
use std::path::PathBuf;

/// List the releases of a ledger, and check that nothing was changed.
///
/// Every line of a ledger has the digest of the line before it, and the digests of the files of its release. All of them
/// are compared.
///
/// Exit status: 0 if everything is as recorded; 1 if a file differs or is missing, or if the ledger lacks the line of
/// --head; 2 if the ledger cannot be read or was changed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd tree --data patients.csv --policy policy.toml --k 10 --out tree.json --ledger releases.jsonl\n  incrowd table --data patients.csv --policy policy.toml --k 10 --out anon.csv --ledger releases.jsonl\n  incrowd ledger releases.jsonl"
)]
pub(crate) struct Ledger {
    /// Ledger.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// New path of a release that was moved. Can be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) earlier: Vec<PathBuf>,
    /// Check that the ledger still has the line with this digest.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) head: Option<String>,
}
