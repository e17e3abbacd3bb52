//! How often a classifier is right.

use super::content::Scores;
use crate::dataset::OpenOptions;
use crate::loaded::Loaded;
use incrowd_core::Result;
use incrowd_core::predict::Evaluation;
use incrowd_io::policy::PolicyFile;
use std::path::Path;

/// How often a tree or an ensemble is right on rows with a class. None for other models, and without a class.
pub(crate) fn scores(
    loaded: &Loaded,
    rows: &Path,
    policy: &PolicyFile,
    options: &OpenOptions,
) -> Result<Option<Scores>> {
    let job = || loaded.predict(rows).policy(policy.clone()).options(options.clone());
    let evaluation = match loaded.family() {
        "tree" => job().classes()?.evaluation,
        "ensemble" => job().scores()?.evaluation,
        _ => None,
    };
    Ok(evaluation.filter(|evaluation| evaluation.judged > 0).map(|evaluation| of(&evaluation)))
}

fn of(evaluation: &Evaluation) -> Scores {
    let most = evaluation.confusion.iter().map(|counts| counts.iter().sum::<u64>()).max().unwrap_or(0);
    Scores {
        rows: evaluation.judged,
        wrong: evaluation.wrong,
        error: evaluation.error(),
        baseline: 1.0 - most as f64 / evaluation.judged.max(1) as f64,
    }
}
