//! The arguments of `incrowd data`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use incrowd::io::data::{DataSet, sets};
use std::path::PathBuf;

/// Public data sets to try things on: what there is, and fetching it from where it is published.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd data list\n  incrowd data get adult --out adult\n  incrowd tree --data adult/adult.data --policy adult/policy.toml --out tree.json"
)]
pub(crate) struct Data {
    #[command(subcommand)]
    pub(crate) command: DataCommand,
}

// `about` and no doc comments: these would hide what the arguments say of themselves at length.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    #[command(about = "Which data sets there are, and which of them are in the cache")]
    List(DataList),
    #[command(about = "Fetch a data set, with a policy to begin with")]
    Get(DataGet),
}

/// Which data sets there are, and which of them are in the cache.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd data list --json")]
pub(crate) struct DataList {
    #[command(flatten)]
    pub(crate) cache: CacheFlag,
}

/// Fetch a data set from where it is published, once, with a policy to begin with.
///
/// A file gets its name only if its size and SHA-256 are those that incrowd knows. What is in the cache is not fetched again. Proxies are those of the environment.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd data get adult --out adult\n  incrowd tree --data adult/adult.data --policy adult/policy.toml --out tree.json"
)]
pub(crate) struct DataGet {
    /// Which data set.
    #[arg(value_name = "NAME", value_parser = named())]
    pub(crate) set: &'static DataSet,
    /// Put the files into this folder; otherwise they are left in the cache.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Fetch from this mirror instead: the address of a folder that is like the cache, NAME/FILE; http:// will do.
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) cache: CacheFlag,
}

#[derive(Debug, Args)]
pub(crate) struct CacheFlag {
    /// Keep fetched files here instead of in the user's cache folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,
}

/// The name of a data set. Completions know all of them.
fn named() -> impl TypedValueParser<Value = &'static DataSet> {
    let names = PossibleValuesParser::new(sets().iter().map(|set| set.name));
    names.try_map(|name| sets().iter().find(|set| set.name == name).ok_or("there is no such data set"))
}
