//! The arguments of `incrowd audit`.

use super::{GuaranteeFlags, LookFlags, share};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Check whether a release or table meets its privacy guarantee, and report who is exposed.
///
/// The audit carries out the linking attack: individuals whom an attacker cannot tell apart by their public attributes
/// (quasi-identifiers) form a group, and every group must meet the guarantee. If neither the policy nor a flag sets k,
/// the largest k that holds is reported.
///
/// Exit status: 0 if the guarantee holds, 1 if it does not, 2 if it could not be checked.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd audit tree.json --data patients.csv --policy policy.toml --k 10\n  incrowd audit --table released.csv --policy policy.toml --k 5 --distinct-l 2 --json\n  incrowd audit --table released.csv --public age,sex,town --private diagnosis --k 5\n  incrowd audit tree.json --data patients.csv --policy policy.toml --population-size 250000\n  incrowd audit tree.json rules.json anon.csv --data patients.csv --policy policy.toml"
)]
pub(crate) struct Audit {
    /// Release file of a tree, an ensemble, clusters, rules or a table; or a table that incrowd released; or a model from another program (scikit-learn
    /// trees as JSON, LightGBM, XGBoost, PMML, ONNX; rules from arules and mlxtend). Several releases that incrowd made
    /// from the same data are audited together, for an attacker who has all of them.
    pub(crate) release: Vec<PathBuf>,
    /// Table or baskets that the model was made from. Not allowed for a single released table. For a tree it can be the
    /// address of a table in a database, such as duckdb:FILE?table=NAME (docs/engines.md).
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Audit this table instead of a release file. Any program may have written it. It can be the address of a table in
    /// a database.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Only with --table: audit the table without these columns. The file may lack them. The policy's subject column
    /// still identifies individuals.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// Policy file: roles and guarantee. Required unless roles are given with --public.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["names", "delimiter", "no_header", "decimal", "encoding", "skip_lines", "sheet", "missing"])]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) roles: RoleFlags,
    #[command(flatten)]
    pub(crate) risk: RiskFlags,
    #[command(flatten)]
    pub(crate) guarantee: GuaranteeFlags,
}

/// The roles of columns, for an audit without a policy file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Without a policy file")]
pub(crate) struct RoleFlags {
    /// Columns that an attacker may know (quasi-identifiers).
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) public: Vec<String>,
    /// Columns that must not be linked to few individuals (sensitive attributes).
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "policy")]
    pub(crate) private: Vec<String>,
    /// What happens to columns without a role.
    #[arg(long, value_name = "HOW", value_enum, default_value_t, conflicts_with = "policy")]
    pub(crate) unlisted: UnlistedFlag,
    /// Column that identifies individuals with several rows.
    #[arg(long, value_name = "NAME", conflicts_with = "policy")]
    pub(crate) subject: Option<String>,
    #[command(flatten)]
    pub(crate) look: LookFlags,
}

/// What happens to columns without a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum UnlistedFlag {
    /// They are an error.
    #[default]
    Refuse,
    /// They are not checked, and listed.
    Ignored,
}

/// What re-identification risks are measured against.
#[derive(Debug, Args)]
#[command(next_help_heading = "Re-identification risk")]
pub(crate) struct RiskFlags {
    /// Report the share of individuals with a risk above this.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    pub(crate) risk_threshold: f64,
    /// Number of individuals that the table is a random sample of. Population uniques and risks are estimated.
    #[arg(long, value_name = "N", conflicts_with = "population")]
    pub(crate) population_size: Option<u64>,
    /// Table of the population: one row per individual, with the public attributes written as in the audited table or
    /// the data. It must include the individuals of that table.
    #[arg(long, value_name = "FILE")]
    pub(crate) population: Option<PathBuf>,
}
