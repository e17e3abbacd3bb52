//! The arguments of `incrowd show`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Display a model or a released table in the terminal or as a picture.
///
/// Trees: as text, for Graphviz (dot) or as a self-contained picture (svg). Clusters: as text or as a picture. Rules: as
/// text, with the highest confidence first. Ensembles: as text or as a picture, with the importance of each attribute,
/// the cells and the first trees. Released tables: as text or as a picture, with the sizes of groups and what the cells
/// of each column cover; with --data also the distributions before and after.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd show tree.json\n  incrowd show rules.json\n  incrowd show anon.json --data patients.csv --policy policy.toml\n  incrowd show tree.json --as svg --out tree.svg\n  incrowd show boosted.json --policy policy.toml --as svg --out boosted.svg\n  incrowd show tree.json --as dot | dot -Tpng -o tree.png\n  incrowd show clusters.json --as svg --data patients.csv --policy policy.toml --out clusters.svg"
)]
pub(crate) struct Show {
    /// Tree, ensemble, clusters or rules: a release, or a model from another program. Or the release file of a table.
    pub(crate) model: PathBuf,
    /// Output form.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = ShowForm::Text)]
    pub(crate) form: ShowForm,
    /// For a released table, with --policy: its source. For clusters as a picture: table whose rows are drawn as points.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Policy file with the roles of the attributes. For ensembles: to mark public and private attributes. For clusters
    /// as a picture, with --data: to draw the groups of rows that an attacker can tell apart (spans).
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Only for clusters as a picture: the two attributes to draw. Without this flag, two principal components are
    /// drawn if there are more than two attributes.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) plane: Option<Vec<String>>,
    /// Only for trees and the first trees of an ensemble: maximum depth to display. Each deeper subtree is folded into
    /// one leaf.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// File to write to instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowForm {
    /// Text for a terminal.
    Text,
    /// Graphviz.
    Dot,
    /// A picture.
    Svg,
}
