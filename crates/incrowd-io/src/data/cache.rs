//! Where downloaded files are kept.

use incrowd_core::{Error, Result};
use std::env;
use std::path::PathBuf;

/// The folder for fetched data: `incrowd/data` in the system's cache directory (`XDG_CACHE_HOME`, `~/.cache`, or
/// `LOCALAPPDATA`).
///
/// # Errors
/// When the environment names no such place.
pub fn default_cache() -> Result<PathBuf> {
    // The XDG base directory specification requires that relative paths are ignored.
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CACHE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .or_else(|| folder("LOCALAPPDATA"));
    base.map(|base| base.join("incrowd").join("data")).ok_or_else(|| {
        Error::io("no cache folder: neither XDG_CACHE_HOME nor HOME is a path")
            .help("name a folder (`cache`)")
    })
}
