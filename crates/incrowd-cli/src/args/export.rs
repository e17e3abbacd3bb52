//! The arguments of `incrowd export`.

use super::choice;
use clap::Args;
use incrowd::io::Target;
use std::path::PathBuf;

/// Export a tree or an ensemble for other programs. The exported model makes the same predictions as incrowd.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd export tree.json --to sql\n  incrowd export tree.json --to onnx --out tree.onnx\n  incrowd export boosted.json --to pmml --out boosted.pmml"
)]
pub(crate) struct Export {
    /// Tree or ensemble: a release, or a model from another program.
    pub(crate) model: PathBuf,
    /// Target language.
    #[arg(long, value_name = "LANGUAGE", value_parser = choice::<Target>())]
    pub(crate) to: Target,
    /// File to write to instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
