//! Ledgers: a new release holds together with all earlier ones.
//!
//! Two releases, each k-anonymous, can single people out together. A ledger ([`incrowd_io::ledger`]) records which
//! releases of a table were given away. With [`Job::ledger`](crate::Job::ledger), a miner starts from the joint spans of
//! these releases, the new release is audited together with all of them, and it gets its file and its line in the ledger
//! together.

mod attacker;
mod earlier;
mod listing;
mod mining;
mod promises;
mod reading;
mod recording;
mod rows;
mod together;

pub(crate) use earlier::NewRelease;
pub(crate) use listing::{EarlierRelease, earlier_of};
pub use listing::{LedgerReport, ListedRelease, ReleaseState, ledger};
pub(crate) use mining::{Attempt, mine_under};
pub(crate) use recording::{Recording, WrittenFile};
pub use together::FiguresTogether;
pub(crate) use together::files_of_ledger;

use std::path::PathBuf;

/// A ledger, and files of its releases that are elsewhere now.
#[derive(Debug, Clone, Default)]
pub(crate) struct LedgerRequest {
    pub(crate) path: PathBuf,
    pub(crate) moved: Vec<PathBuf>,
}
