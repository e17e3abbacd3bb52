//! The documents of `incrowd data`.

use serde::Serialize;
use std::path::PathBuf;

/// An entry in the list of data sets.
#[derive(Serialize)]
pub(crate) struct DataSetEntry {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) licence: &'static str,
    pub(crate) cached: bool,
}

/// A data set that was downloaded or found in the cache.
#[derive(Serialize)]
pub(crate) struct DataSetFiles {
    pub(crate) name: &'static str,
    pub(crate) files: Vec<DataSetFile>,
    pub(crate) policy: PathBuf,
    pub(crate) licence: &'static str,
    pub(crate) citation: &'static str,
    #[serde(skip)]
    pub(crate) baskets: bool,
}

/// A file of a data set.
#[derive(Serialize)]
pub(crate) struct DataSetFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) sha256: &'static str,
    pub(crate) fetched: bool,
}
