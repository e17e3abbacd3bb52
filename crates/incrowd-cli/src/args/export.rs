//! The arguments of `incrowd export`.

use super::choice;
use clap::Args;
use incrowd::io::Target;
use std::path::PathBuf;

/// Export a tree for other programs. The exported tree makes the same predictions as incrowd.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd export tree.json --to sql\n  incrowd export tree.json --to onnx --out tree.onnx"
)]
pub(crate) struct Export {
    /// Tree: a release, or a tree from another program.
    pub(crate) tree: PathBuf,
    /// Target language.
    #[arg(long, value_name = "LANGUAGE", value_parser = choice::<Target>())]
    pub(crate) to: Target,
    /// File to write to instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
