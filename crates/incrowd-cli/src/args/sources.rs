//! The files of a mining command.

use crate::commands::database;
use clap::{Arg, Args};
use incrowd::Result;
use incrowd::io::path_of_files;
use std::path::PathBuf;

/// The files that a mining command reads and writes.
#[derive(Debug, Args)]
pub(crate) struct MiningFiles {
    /// Table to read: CSV, TSV, UCI .data, ARFF, JSON lines (all also .gz or .zip), Parquet or Excel (.xlsx); - for
    /// standard input. Can be given several times, and can be a pattern such as 'visits-*.csv': files with the same
    /// columns are read as one table.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// Policy file: roles, taxonomies, class and guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// File to write the release to.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Also write a report of the release for a data protection board; the file must end in .html, .md or .json. Can be
    /// given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) ledger: LedgerFlags,
}

/// The ledger of a mining command.
#[derive(Debug, Args)]
pub(crate) struct LedgerFlags {
    /// Ledger of all releases of this table: the release must meet the guarantee together with all of them, and is
    /// recorded. Created if it does not exist.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// New path of an earlier release that was moved. Can be given several times.
    #[arg(long, value_name = "FILE", requires = "ledger")]
    pub(crate) earlier: Vec<PathBuf>,
}

impl MiningFiles {
    /// The path that names all files of the table.
    ///
    /// # Errors
    /// When the files cannot be read as one table.
    pub(crate) fn data(&self) -> Result<PathBuf> {
        self.data.iter().try_for_each(|path| database::refuse(path))?;
        path_of_files(&self.data)
    }
}

/// A flag, with the help that a command has for it if it is the one of this name.
pub(super) fn helped(flag: Arg, name: &str, help: &'static str) -> Arg {
    if flag.get_id() == name { flag.help(help) } else { flag }
}
