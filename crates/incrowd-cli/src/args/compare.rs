//! The arguments of `incrowd compare`.

use super::RequirementFlags;
use clap::Args;
use std::path::PathBuf;

/// What k costs: accuracy, information loss and risk over k, for several methods, as a report to open in a browser, CSV and JSON.
///
/// Every method makes its releases from the training rows of each fold alone; inducers learn from released tables, and what they learned is tried on the test rows. An interrupted
/// comparison goes on where it was when it is started again. The report is for the table's owner: all these releases together tell more than one.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  incrowd compare --data patients.csv --policy policy.toml --k 5,10,20,50,100 --out report\n  incrowd compare --data train.csv --test test.csv --policy policy.toml --k 10,100 --methods best,kactus2,tds --inducers c45,naive-bayes --out report"
)]
pub(crate) struct Compare {
    /// The table to learn from.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Test rows of their own, instead of cross-validation.
    #[arg(long, value_name = "FILE", conflicts_with = "cv")]
    pub(crate) test: Option<PathBuf>,
    /// The policy: who knows what, the class, taxonomies, and what must hold besides k.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// The k to compare.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "5,10,20,50,100")]
    pub(crate) k: Vec<u64>,
    /// The methods: best, kadet-c45, kadet-id3 (trees); best-table, spans, kactus, kactus2, aggregate, tds, tdr, mondrian (tables).
    #[arg(
        long,
        value_name = "NAME,NAME,...",
        value_delimiter = ',',
        default_value = "best,kadet-c45,best-table,kactus2,tds,mondrian"
    )]
    pub(crate) methods: Vec<String>,
    /// What learns from tables: c45, part, naive-bayes, logistic.
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',', default_value = "c45,naive-bayes")]
    pub(crate) inducers: Vec<String>,
    /// Cross-validation: the number of folds, or times x folds.
    #[arg(long, value_name = "TIMESxFOLDS", default_value = "5x2")]
    pub(crate) cv: String,
    /// Write report.html, comparison.json and comparison.csv into this folder; what was found so far is kept there as well.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) guarantee: RequirementFlags,
}
