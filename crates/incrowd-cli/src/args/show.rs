//! The arguments of `incrowd show`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
