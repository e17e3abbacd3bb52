//! The arguments of `incrowd compare`.

use super::RequirementFlags;
use clap::Args;
use incrowd::compare::ComparedMethod;
use std::path::PathBuf;

/// Compare the accuracy, information loss and risk of several methods over k.
///
/// Writes an HTML report, CSV and JSON. Every method makes its releases from the training rows of each fold only.
/// Inducers learn from released tables, and their models are evaluated on the test rows. To resume an interrupted
/// comparison, run the same command again. The report is for the table's owner only: together, the releases reveal more
/// than any single one.
#[derive(Debug, Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:\n  incrowd compare --data patients.csv --policy policy.toml --k 5,10,20,50,100 --out report\n  incrowd compare --data train.csv --test test.csv --policy policy.toml --k 10,100 --methods best,kactus2,tds --inducers c45,naive-bayes --out report"
)]
pub(crate) struct Compare {
    /// Table to learn from.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Table of test rows, used instead of cross-validation.
    #[arg(long, value_name = "FILE", conflicts_with = "cv")]
    pub(crate) test: Option<PathBuf>,
    /// Policy file: roles, class, taxonomies, and requirements besides k.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Values of k to compare.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "5,10,20,50,100")]
    pub(crate) k: Vec<u64>,
    #[arg(
        long,
        help = methods(),
        value_name = "NAME,NAME,...",
        value_delimiter = ',',
        default_value = "best,boost,kadet-c45,best-table,kactus2,tds,mondrian"
    )]
    pub(crate) methods: Vec<String>,
    /// Inducers that learn from released tables: c45, part, naive-bayes, logistic.
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',', default_value = "c45,naive-bayes")]
    pub(crate) inducers: Vec<String>,
    /// Cross-validation: number of folds, or repetitions x folds. Or train-test: train on two thirds of the rows and
    /// test on the rest, once.
    #[arg(long, value_name = "TIMESxFOLDS", default_value = "5x2")]
    pub(crate) cv: String,
    /// Compare on a random sample of N individuals if the table has more; the report states it.
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,
    /// Folder for report.html, comparison.json, comparison.csv and intermediate results.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) guarantee: RequirementFlags,
}

/// The help on methods: all that the library has.
fn methods() -> String {
    let (classifiers, tables): (Vec<ComparedMethod>, Vec<ComparedMethod>) =
        ComparedMethod::all().into_iter().partition(|method| method.is_classifier());
    let names = |methods: Vec<ComparedMethod>| {
        methods.into_iter().map(ComparedMethod::name).collect::<Vec<_>>().join(", ")
    };
    format!("Methods to compare: {} (classifiers); {} (tables)", names(classifiers), names(tables))
}
