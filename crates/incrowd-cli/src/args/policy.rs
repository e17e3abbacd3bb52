//! The arguments of `incrowd policy`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Check a policy without data, or compare two policies.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd policy check policy.toml\n  incrowd policy diff approved.toml policy.toml"
)]
pub(crate) struct PolicyArguments {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

// `about` instead of doc comments: doc comments here would replace the long help of the arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    #[command(about = "Check a policy and its taxonomies without data")]
    Check(PolicyCheckArguments),
    #[command(about = "List what differs between two policies, and whether the second is weaker")]
    Diff(PolicyDiffArguments),
}

/// Check a policy and its taxonomies without data.
///
/// Reads the policy and every taxonomy file that it names, and lists roles, requirements, and what the owner should
/// look at. What only a table can show (columns that are not there, values that a taxonomy lacks) is not checked.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  incrowd policy check policy.toml\n  incrowd policy check policy.toml --json"
)]
pub(crate) struct PolicyCheckArguments {
    /// Policy file.
    pub(crate) policy: PathBuf,
}

/// List what differs between two policies, and whether the second is weaker.
///
/// Exit status: 0 if the second policy protects at least as much, 1 if it may protect less, 2 if a policy is invalid.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  incrowd policy diff approved.toml policy.toml")]
pub(crate) struct PolicyDiffArguments {
    /// First policy, such as the one that was approved.
    pub(crate) before: PathBuf,
    /// Second policy.
    pub(crate) after: PathBuf,
}
