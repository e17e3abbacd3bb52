//! The arguments of `incrowd data`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use incrowd::io::data::{DataSet, sets};
use std::path::PathBuf;

/// List and download public data sets.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd data list\n  incrowd data get adult --out adult\n  incrowd tree --data adult/adult.data --policy adult/policy.toml --out tree.json"
)]
pub(crate) struct Data {
    #[command(subcommand)]
    pub(crate) command: DataCommand,
}

// `about` instead of doc comments: doc comments here would replace the long help of the arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    #[command(about = "List the available data sets and which of them are in the cache")]
    List(DataList),
    #[command(about = "Download a data set with a first policy")]
    Get(DataGet),
}

/// List the available data sets and which of them are in the cache.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd data list --json")]
pub(crate) struct DataList {
    #[command(flatten)]
    pub(crate) cache: CacheFlag,
}

/// Download a data set from its publisher, with a first policy.
///
/// The size and SHA-256 of every file are checked before the file is stored. Files in the cache are not downloaded
/// again. Proxy settings are taken from the environment.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd data get adult --out adult\n  incrowd tree --data adult/adult.data --policy adult/policy.toml --out tree.json"
)]
pub(crate) struct DataGet {
    /// Name of the data set.
    #[arg(value_name = "NAME", value_parser = named())]
    pub(crate) set: &'static DataSet,
    /// Folder to copy the files to. Without this flag, the files stay in the cache.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Download from this mirror: the URL of a folder laid out like the cache, NAME/FILE; http:// is allowed.
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) cache: CacheFlag,
}

#[derive(Debug, Args)]
pub(crate) struct CacheFlag {
    /// Cache folder to use instead of the user's cache.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,
}

/// Returns a parser for the name of a data set. Completions list all names.
fn named() -> impl TypedValueParser<Value = &'static DataSet> {
    let names = PossibleValuesParser::new(sets().iter().map(|set| set.name));
    names.try_map(|name| sets().iter().find(|set| set.name == name).ok_or("unknown data set"))
}
