//! The arguments of `incrowd export`.

use super::choice;
use clap::Args;
use incrowd::io::Target;
use std::path::PathBuf;

/// A tree for other programs, which then predict exactly what incrowd does.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  incrowd export tree.json --to sql\n  incrowd export tree.json --to onnx --out tree.onnx"
)]
pub(crate) struct Export {
    /// The tree: a release, or one made elsewhere.
    pub(crate) tree: PathBuf,
    /// To which language.
    #[arg(long, value_name = "LANGUAGE", value_parser = choice::<Target>())]
    pub(crate) to: Target,
    /// Write it here instead of to standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
