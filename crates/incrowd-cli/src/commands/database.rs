//! Tables in a database, which are named by an address instead of a file.

use incrowd::io::policy::PolicyFile;
use incrowd::{AuditWork, Error, Job, OpenOptions, Result, TableAuditWork, TreeWork};
use std::path::{Path, PathBuf};

/// Prepares the audit of a release against a file, or of a tree against a table in a database.
pub(crate) fn audit(
    options: &OpenOptions,
    release: &Path,
    data: Option<&Path>,
    policy: PolicyFile,
) -> Result<Job<AuditWork<'static>>> {
    match data.and_then(address) {
        #[cfg(feature = "engines")]
        Some(address) => {
            Ok(options.audit_in_engine(release, incrowd::engines::Source::parse(address)?, policy))
        }
        #[cfg(not(feature = "engines"))]
        Some(_) => Err(not_built()),
        None => Ok(options.audit(release, data, policy)),
    }
}

/// Prepares the audit of a table in a file or in a database.
pub(crate) fn audit_table(
    options: &OpenOptions,
    table: &Path,
    policy: PolicyFile,
) -> Result<Job<TableAuditWork>> {
    match address(table) {
        #[cfg(feature = "engines")]
        Some(address) => Ok(options.audit_table_in_engine(incrowd::engines::Source::parse(address)?, policy)),
        #[cfg(not(feature = "engines"))]
        Some(_) => Err(not_built()),
        None => Ok(options.audit_table(table, policy)),
    }
}

/// Prepares a tree of a table in a database, if some path is the address of one.
///
/// # Errors
/// When it is not the only path, or this build has no engines.
pub(crate) fn tree(
    options: &OpenOptions,
    data: &[PathBuf],
    policy: &Path,
) -> Result<Option<Job<TreeWork<'static>>>> {
    match data.iter().find_map(|path| address(path)) {
        None => Ok(None),
        Some(_) if data.len() > 1 => {
            Err(Error::parameters("a table in a database is mined on its own, without other tables")
                .of_parameter("data")
                .help("give one address, of a view if need be"))
        }
        #[cfg(feature = "engines")]
        Some(address) => {
            let source = incrowd::engines::Source::parse(address)?;
            Ok(Some(options.tree_in_engine(source, PolicyFile::read(policy)?)))
        }
        #[cfg(not(feature = "engines"))]
        Some(_) => {
            let _ = (options, policy);
            Err(not_built())
        }
    }
}

/// Fails if a path is the address of a table in a database, where only a file can be read.
///
/// # Errors
/// When it is one.
pub(crate) fn refuse(path: &Path) -> Result<()> {
    match address(path) {
        None => Ok(()),
        Some(_) => Err(Error::parameters("a table in a database cannot be read for this yet, only for a tree and for the audit of one tree or one table")
            .of_parameter("data")
            .help(
                "where that is allowed, export the table (in DuckDB: COPY (SELECT …) TO 'table.parquet') or a sample of \
                 individuals (… USING SAMPLE 100000 ROWS), and give the file",
            )),
    }
}

/// The address of a table in a database. A file of that name is a file.
fn address(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let schemes = ["postgresql://", "postgres://", "duckdb:"];
    (schemes.iter().any(|scheme| text.starts_with(scheme)) && !path.exists()).then_some(text)
}

#[cfg(not(feature = "engines"))]
fn not_built() -> Error {
    Error::parameters("this build cannot read tables in a database")
        .help("build the program with: cargo install --path crates/incrowd-cli --features engines")
}
