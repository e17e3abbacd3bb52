//! The program's arguments, as given. Each command resolves its own into a plan.

mod clusters;
mod compare;
mod data;
mod files;
mod look;
mod refused;
mod rules;
mod table;

pub(crate) use clusters::{ClusterMethodFlag, Clusters};
pub(crate) use compare::Compare;
pub(crate) use data::{CacheFlag, Data, DataCommand, DataGet, DataList};
pub(crate) use look::LookFlags;
pub(crate) use refused::refused;
pub(crate) use rules::{Rules, UsefulnessFlag};
pub(crate) use table::{AverageFlag, CommonFlag, CriterionFlag, Table, TableMethodFlag};

use clap::{Args, Parser, Subcommand, ValueEnum};
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

/// The whole story on built-in data: how identifying a clinic's table is, what a linking attack finds, and what an audit says of a release.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd demo --out clinic\n  incrowd audit clinic/tree.json --data clinic/patients.csv --policy clinic/policy.toml"
)]
pub(crate) struct Demo {
    /// How many patients the clinic has.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub(crate) patients: u32,
    /// Write the clinic's table, its policy and the release into this folder, to go on with.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

/// How identifying each column and combination of columns is, and what follows from what; writes a first policy.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd profile patients.csv --missing '?' --out policy.toml")]
pub(crate) struct Profile {
    /// The table: CSV, TSV, UCI .data, ARFF (also .gz), or Parquet.
    pub(crate) file: PathBuf,
    /// Write a first policy here, with a comment on every guess.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Read the table as this policy's [file] part says.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
    /// Call groups of fewer individuals than this few.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) few: u64,
}

/// Is this release, or this table, safe? Who is exposed, and how?
///
/// Exit status 0: the guarantee holds; 1: breach; 2: it could not be checked. Without a k in the policy or here, the largest k that holds is reported.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd audit tree.json --data patients.csv --policy policy.toml --k 10\n  incrowd audit --table released.csv --policy policy.toml --k 5 --distinct-l 2 --json"
)]
pub(crate) struct Audit {
    /// The release file: a tree, clusters, rules, or the sidecar of a table; or a model made elsewhere (trees of scikit-learn as JSON, PMML, ONNX; rules of arules and mlxtend).
    #[arg(required_unless_present = "table", conflicts_with = "table")]
    pub(crate) release: Option<PathBuf>,
    /// The table, or the baskets, the release was made from.
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub(crate) data: Option<PathBuf>,
    /// Audit this table, whoever made it, as it stands.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// --table: audit as if these columns were left out. The policy's subject column still tells individuals apart.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "table")]
    pub(crate) without: Vec<String>,
    /// The policy: who knows what, and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

/// A decision tree nobody can be linked through: grown under the guarantee, audited, and written only if the audit passes.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd tree --data patients.csv --policy policy.toml --k 10 --out tree.json\n  incrowd show tree.json"
)]
pub(crate) struct Tree {
    /// The table to learn from.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// The policy: who knows what, the class, and the guarantee.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Write the release here.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How the tree is grown.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodFlag::Best)]
    pub(crate) method: MethodFlag,
    /// best: the most leaves the tree is grown to before it is pruned.
    #[arg(long, value_name = "N", default_value_t = 255, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_leaves: u32,
    /// kadet-c45: do not prune.
    #[arg(long)]
    pub(crate) no_prune: bool,
    /// What the release tells of the people in a leaf. The guarantee is judged as if it were counts, whichever is chosen.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = DetailFlag::Counts)]
    pub(crate) detail: DetailFlag,
    /// --detail shares: to how many decimal digits; 2 if not given, whole percent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=9))]
    pub(crate) digits: Option<u8>,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetailFlag {
    /// How many individuals of each class value, and the label.
    Counts,
    /// The share of each class value, rounded, and the label.
    Shares,
    /// The label alone.
    Labels,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MethodFlag {
    /// Binary splits, best first, pruned by cross-validation.
    Best,
    /// The papers' C4.5: gain ratio, thresholds, pessimistic pruning.
    KadetC45,
    /// The papers' ID3: information gain, one branch a value, no pruning.
    KadetId3,
}

/// The guarantee; each flag goes before what the policy says.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (each goes before what the policy says)")]
pub(crate) struct GuaranteeFlags {
    /// At least N individuals in every span.
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) besides: RequirementFlags,
}

/// What can be asked for besides k.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee (each goes before what the policy says)")]
pub(crate) struct RequirementFlags {
    /// Whether spans with a single bin need k individuals.
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) single_bin: Option<SingleBinFlag>,
    /// What k counts where individuals have several rows.
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) several_rows: Option<SeveralRowsFlag>,
    /// At least L different private values.
    #[arg(long, value_name = "L")]
    pub(crate) distinct_l: Option<u32>,
    /// Entropy of the private values of at least log L.
    #[arg(long, value_name = "L")]
    pub(crate) entropy_l: Option<f64>,
    /// Recursive (c,l)-diversity.
    #[arg(long, value_name = "C,L", value_parser = pair)]
    pub(crate) recursive: Option<(f64, u32)>,
    /// No private value held by more than this share of a span.
    #[arg(long, value_name = "SHARE")]
    pub(crate) confidence: Option<f64>,
    /// t-closeness.
    #[arg(long, value_name = "T")]
    pub(crate) t_closeness: Option<f64>,
    /// How far apart two values are for t-closeness.
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) t_distance: Option<DistanceFlag>,
    /// The alpha of (alpha,k)-anonymity.
    #[arg(long, value_name = "SHARE")]
    pub(crate) alpha: Option<f64>,
    /// Basic beta-likeness.
    #[arg(long, value_name = "BETA")]
    pub(crate) beta: Option<f64>,
    /// No published or derivable cell with 1 to N - 1 individuals.
    #[arg(long, value_name = "N")]
    pub(crate) smallest_bin: Option<u64>,
    /// Which private attributes these look at: class, tested, all, or names separated by commas.
    #[arg(long, value_name = "WHICH")]
    pub(crate) of: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SingleBinFlag {
    /// They do (PKDD Definition 7).
    Counted,
    /// They do not (VLDB Claim 3).
    Exempt,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SeveralRowsFlag {
    /// The different individuals with a row in a span.
    Counted,
    /// The individuals with the same spans over all of their rows.
    Strict,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum DistanceFlag {
    /// Any two are 1 apart.
    Equal,
    /// By rank.
    Ordered,
}

fn pair(text: &str) -> Result<(f64, u32), String> {
    let pair = text.split_once(',').and_then(|(c, l)| Some((c.trim().parse().ok()?, l.trim().parse().ok()?)));
    pair.ok_or_else(|| "give two numbers, for example 3,2".to_owned())
}

/// What a tree says of every row of a table: its label and, where the tree tells populations or shares, the share of each class value.
///
/// Of clusters, the number of the nearest centroid. If the table has the class of a tree, the error and a confusion matrix are reported. Without a policy, the columns the model rests on are read as it declares them.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd predict tree.json --data new.csv --out predictions.csv\n  incrowd predict tree.json --data test.csv --policy policy.toml --json"
)]
pub(crate) struct Predict {
    /// The tree or clusters: a release, or made elsewhere.
    pub(crate) model: PathBuf,
    /// The table to predict for.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Read the table as this policy says; rows with a missing value are left out if it says so.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    /// Write the label and the shares of every row here, as CSV.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
}

/// A tree to look at: in the terminal, for Graphviz (dot), or as a picture that needs no other file (svg). Clusters in the terminal or as a picture. Rules are shown in the terminal, the most confident first.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd show tree.json\n  incrowd show rules.json\n  incrowd show tree.json --as svg --out tree.svg\n  incrowd show tree.json --as dot | dot -Tpng -o tree.png\n  incrowd show clusters.json --as svg --data patients.csv --policy policy.toml --out clusters.svg"
)]
pub(crate) struct Show {
    /// The tree, the clusters or the rules: a release, or made elsewhere.
    pub(crate) model: PathBuf,
    /// As what.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = ShowForm::Text)]
    pub(crate) form: ShowForm,
    /// Clusters as a picture: the table whose rows are shown as points.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Clusters as a picture: the policy, to show the spans of the rows.
    #[arg(long, value_name = "FILE", requires = "data")]
    pub(crate) policy: Option<PathBuf>,
    /// Clusters as a picture: the two attributes to show; without them two principal components if there are more.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) plane: Option<Vec<String>>,
    /// Trees: show this many tests from the root; what lies deeper is folded into one leaf.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Write it here instead of to standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowForm {
    /// Lines for a terminal.
    Text,
    /// Graphviz.
    Dot,
    /// A picture.
    Svg,
}

/// A tree for other programs, which then predict exactly what incrowd does.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd export tree.json --to sql\n  incrowd export tree.json --to onnx --out tree.onnx"
)]
pub(crate) struct Export {
    /// The tree: a release, or one made elsewhere.
    pub(crate) tree: PathBuf,
    /// To which language.
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    pub(crate) to: ExportTarget,
    /// Write it here instead of to standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportTarget {
    /// PMML 4.4.
    Pmml,
    /// ONNX; takes the raw columns.
    Onnx,
    /// One SQL expression.
    Sql,
    /// A Python module.
    Python,
    /// A release file.
    Json,
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
