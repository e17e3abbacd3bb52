//! Public data sets to experiment with: downloaded from their publishers, checked, and kept in a cache.
//!
//! The size and SHA-256 of every file are pinned in the catalogue, so its origin does not matter: a file that does not
//! match never gets its name. incrowd includes no third-party data, only a policy for each set.

mod cache;
#[cfg(feature = "download")]
mod fetch;
mod get;
mod place;
mod sets;
mod zip;

#[cfg(test)]
pub(crate) use zip::tests::archive;

pub use cache::default_cache;
pub use get::{CachedFile, Getting, is_cached};
pub use place::{POLICY, Placement, place_file, place_policy};
pub use sets::sets;

/// A public data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataSet {
    /// Its name here, and that of its folder.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The total number of rows, or baskets, in its files.
    pub rows: u64,
    /// Its files; the first is the one to learn from.
    pub files: &'static [DataFile],
    /// A policy to start from, as text.
    pub policy: &'static str,
    /// The licence it is under.
    pub licence: &'static str,
    /// How to cite it.
    pub citation: &'static str,
}

/// A file of a data set: where it is published, and what it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataFile {
    /// Its name.
    pub name: &'static str,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, as 64 hexadecimal digits.
    pub sha256: &'static str,
    /// Where it is published; tried in this order.
    pub sources: &'static [DownloadSource],
}

/// Where a file is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadSource {
    /// The address.
    pub address: &'static str,
    /// The path to the file if there is a ZIP archive at the address: a member, or an archive that is a member and its
    /// member, and so on.
    pub members: &'static [&'static str],
}
