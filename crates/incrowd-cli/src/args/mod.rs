//! The program's arguments, as given. Each command resolves its own into a plan.

mod audit;
mod boost;
mod choices;
mod clusters;
mod compare;
mod data;
mod demo;
mod export;
mod files;
mod guarantee;
mod ledger;
mod look;
mod methods;
mod policy;
mod predict;
mod profile;
mod refused;
mod report;
mod rules;
mod share;
mod show;
mod sources;
mod table;
mod transform;
mod tree;

pub(crate) use audit::{Audit, UnlistedFlag};
pub(crate) use boost::Boost;
pub(crate) use choices::choice;
pub(crate) use clusters::Clusters;
pub(crate) use compare::Compare;
pub(crate) use data::{CacheFlag, Data, DataCommand, DataGet, DataList};
pub(crate) use demo::Demo;
pub(crate) use export::Export;
pub(crate) use guarantee::{GuaranteeFlags, RequirementFlags};
pub(crate) use ledger::Ledger;
pub(crate) use look::LookFlags;
pub(crate) use policy::{PolicyArguments, PolicyCheckArguments, PolicyCommand, PolicyDiffArguments};
pub(crate) use predict::Predict;
pub(crate) use profile::Profile;
pub(crate) use refused::refused;
pub(crate) use report::{Report, Verify};
pub(crate) use rules::Rules;
pub(crate) use share::share;
pub(crate) use show::{Show, ShowForm};
pub(crate) use sources::MiningFiles;
pub(crate) use table::Table;
pub(crate) use transform::Transform;
pub(crate) use tree::{DetailFlag, Tree};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Mine the data, release the knowledge, keep everyone in a crowd of k.
///
/// Train k-anonymous models, make k-anonymous tables, and check whether models and tables are safe to release. Results
/// go to standard output, progress and warnings to standard error.
#[derive(Debug, Parser)]
#[command(name = "incrowd", version, arg_required_else_help = true)]
#[command(
    after_help = "Examples:\n  incrowd demo\n  incrowd profile patients.csv --out policy.toml\n  incrowd audit --table released.csv --policy policy.toml --k 10\n\nExit status:\n    0  Success; the guarantee holds.\n    1  The guarantee does not hold, or no release can meet it; `verify` or `ledger` found a difference, or the second policy of `policy diff` is or may be weaker.\n    2  The command failed.\n  130  Interrupted."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// The flags of the command that were given, by the names of their fields.
    #[arg(skip)]
    given: Vec<String>,
}

/// The options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Common {
    /// Print the whole result as one JSON document.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print only errors to standard error.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads; 0 means one per core. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Random seed.
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Overwrite existing files.
    #[arg(long, global = true)]
    pub(crate) force: bool,
}

// `about` instead of doc comments: doc comments here would replace the long help of the arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "Demonstrate linking attacks and k-anonymous releases on built-in data")]
    Demo(Demo),
    #[command(about = "Measure how identifying a table is, and write a first policy")]
    Profile(Profile),
    #[command(about = "Check whether a release or table meets its privacy guarantee")]
    Audit(Audit),
    #[command(about = "Write what a data protection board needs to know about a release")]
    Report(Report),
    #[command(about = "Check that files are the ones a report describes")]
    Verify(Verify),
    #[command(about = "List the releases of a ledger, and check that nothing was changed")]
    Ledger(Ledger),
    #[command(about = "Train a k-anonymous decision tree")]
    Tree(Tree),
    #[command(about = "Train k-anonymous boosted trees")]
    Boost(Boost),
    #[command(about = "Make a k-anonymous table that others can mine")]
    Table(Table),
    #[command(about = "Find k-anonymous clusters")]
    Clusters(Clusters),
    #[command(about = "Find k-anonymous association rules")]
    Rules(Rules),
    #[command(about = "Apply a model to a table, and measure the error")]
    Predict(Predict),
    #[command(about = "Recode new rows like a released table")]
    Transform(Transform),
    #[command(about = "Display a model or a released table in the terminal or as a picture")]
    Show(Show),
    #[command(about = "Export a tree or an ensemble to PMML, ONNX, SQL, Python or JSON")]
    Export(Export),
    #[command(about = "Check a policy without data, or compare two policies")]
    Policy(PolicyArguments),
    #[command(about = "List and download public data sets")]
    Data(Data),
    #[command(about = "Compare the accuracy, information loss and risk of several methods over k")]
    Compare(Compare),
    #[command(about = "Print shell completions")]
    Completions(Completions),
    #[command(about = "Print the man page, or write one per command to a folder")]
    Man(Man),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd completions bash > ~/.local/share/bash-completion/completions/incrowd"
)]
pub(crate) struct Completions {
    /// Shell to print completions for.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd man --out man/man1")]
pub(crate) struct Man {
    /// Folder to write one page per command to.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Print one Markdown page with all commands instead.
    #[arg(long, conflicts_with = "out")]
    pub(crate) markdown: bool,
}
