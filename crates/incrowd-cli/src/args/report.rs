//! The arguments of `incrowd report` and `incrowd verify`.

use super::GuaranteeFlags;
use super::audit::RiskFlags;
use clap::Args;
use std::path::PathBuf;

/// Write what a data protection board needs to know about a release.
///
/// The release is audited, and the report states what it is, under which policy it was made, what the audit measured,
/// and which risks remain: for the owner, or with --public for anyone. The dossier section of the policy states the
/// purpose, the recipient and the approval; what is not stated there is a blank line to be filled in.
///
/// Exit status: 0 if the guarantee holds; 1 if it does not (the report for the owner is still written, and says so); 2
/// if the guarantee could not be checked.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd report tree.json --data patients.csv --policy policy.toml --out board.html --out board.json\n  incrowd report anon.csv --data patients.csv --policy policy.toml --public --out about.html\n  incrowd verify board.json tree.json --policy policy.toml"
)]
pub(crate) struct Report {
    /// Release file, model from another program, or released table.
    #[arg(value_name = "RELEASE")]
    pub(crate) release: PathBuf,
    /// Table or baskets that the release was made from. Optional for a released table: the report then does not state
    /// what the table has lost.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Policy file: roles, guarantee, and what the owner states in its dossier section.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// File to write; it must end in .html, .md or .json. Can be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) out: Vec<PathBuf>,
    /// Write the report for the public: only what the release itself reveals, and what the policy states for the public.
    #[arg(long)]
    pub(crate) public: bool,
    /// Only for trees and ensembles: rows that were not used to make the release, to measure its error.
    #[arg(long, value_name = "FILE")]
    pub(crate) test: Option<PathBuf>,
    /// Ledger whose releases the report lists.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) risk: RiskFlags,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

/// Check that files are the ones a report describes.
///
/// Compares the digests of the files with those in the report.
///
/// Exit status: 0 if all files that were given are the same; 1 if a file differs, is missing or is not in the report; 2
/// if a file cannot be read, or the report is not valid.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd verify board.json tree.json\n  incrowd verify board.json anon.csv anon.json --policy policy.toml --data patients.csv"
)]
pub(crate) struct Verify {
    /// Report written by `incrowd report`, in its .json form.
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,
    /// Files of the release. Of a table and its release file, the other is looked for in the same folder.
    #[arg(value_name = "RELEASE", required = true)]
    pub(crate) release: Vec<PathBuf>,
    /// Policy. The taxonomies that it names are compared as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Data that the release was made from.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Test rows.
    #[arg(long, value_name = "FILE")]
    pub(crate) test: Option<PathBuf>,
}
