//! The program's arguments, as given. Each command resolves its own into a plan.

mod audit;
mod choices;
mod clusters;
mod compare;
mod data;
mod demo;
mod export;
mod files;
mod guarantee;
mod look;
mod predict;
mod profile;
mod refused;
mod rules;
mod show;
mod sources;
mod table;
mod tree;

pub(crate) use audit::Audit;
pub(crate) use choices::choice;
pub(crate) use clusters::Clusters;
pub(crate) use compare::Compare;
pub(crate) use data::{CacheFlag, Data, DataCommand, DataGet, DataList};
pub(crate) use demo::Demo;
pub(crate) use export::Export;
pub(crate) use guarantee::{GuaranteeFlags, RequirementFlags};
pub(crate) use look::LookFlags;
pub(crate) use predict::Predict;
pub(crate) use profile::Profile;
pub(crate) use refused::refused;
pub(crate) use rules::Rules;
pub(crate) use show::{Show, ShowForm};
pub(crate) use sources::MiningFiles;
pub(crate) use table::Table;
pub(crate) use tree::{DetailFlag, Tree};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Mine the data, release the knowledge, keep everyone in a crowd of k.
///
/// Results go to standard output, progress and warnings to standard error. Exit status: 0 done, 1 the guarantee does not hold or no release can meet it, 2 could not do it, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "incrowd", version, arg_required_else_help = true)]
#[command(
    after_help = "Example:\n  incrowd demo\n  incrowd profile patients.csv --out policy.toml\n  incrowd audit --table released.csv --policy policy.toml --k 10"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What means the same for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// Give the whole result as one JSON document.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing on standard error but errors.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use this many threads; 0 means one for each core. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// The seed of everything random.
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Overwrite files that exist.
    #[arg(long, global = true)]
    pub(crate) force: bool,
}

// `about` and no doc comments: these would hide what the arguments say of themselves at length.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "The whole story on built-in data")]
    Demo(Demo),
    #[command(about = "How identifying a table is; writes a first policy")]
    Profile(Profile),
    #[command(about = "Is this release, or this table, safe? Who is exposed, and how?")]
    Audit(Audit),
    #[command(about = "A decision tree nobody can be linked through")]
    Tree(Tree),
    #[command(about = "A table that others can mine, in which nobody can be singled out")]
    Table(Table),
    #[command(about = "Clusters nobody can be linked through")]
    Clusters(Clusters),
    #[command(about = "Association rules nobody can be linked through")]
    Rules(Rules),
    #[command(about = "What a model says of the rows of a table, and how often it is right")]
    Predict(Predict),
    #[command(about = "A model to look at: in the terminal, and trees and clusters also as a picture")]
    Show(Show),
    #[command(about = "A tree for other programs: PMML, ONNX, SQL, Python, JSON")]
    Export(Export),
    #[command(about = "Public data sets to try things on")]
    Data(Data),
    #[command(about = "What k costs: accuracy, information loss and risk over k, for several methods")]
    Compare(Compare),
    #[command(about = "Shell completions, to standard output")]
    Completions(Completions),
    #[command(about = "Man pages, to standard output or into a folder")]
    Man(Man),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd completions bash > ~/.local/share/bash-completion/completions/incrowd"
)]
pub(crate) struct Completions {
    /// For which shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd man --out man/man1")]
pub(crate) struct Man {
    /// Write one page for each command into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// One page of Markdown with all commands instead.
    #[arg(long, conflicts_with = "out")]
    pub(crate) markdown: bool,
}
