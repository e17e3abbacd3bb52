//! Compares methods over k: the accuracy of models learned from their releases, information loss, and exposure.
//!
//! A [comparison](crate::Dataset::compare) divides the rows into folds. In each fold every method makes its release
//! from the training rows only, for every k. A tree or an ensemble is evaluated on the test rows directly. From a table, each inducer
//! learns a model, and the table's [`Recoding`](incrowd_mine::table::Recoding) is applied to the test rows. Everything
//! is fitted inside the fold: discretization, cuts, pruning, the audit. Then each release is made again from all
//! training rows, one by one, to measure its figures, time and memory.
//!
//! Results are stored as soon as they are found (`Cells`), with a digest of everything they depend on. So an
//! interrupted comparison can be resumed, and if a method or a k is added, only its own results are computed. Results
//! do not depend on the number of threads, except for time and memory.
//!
//! A comparison is for the owner only. Each release in it satisfies its guarantee, but together the releases reveal
//! more than any single one.

mod cells;
mod choose;
mod data;
mod failures;
mod finding;
mod folder;
mod gather;
mod memory;
mod method;
mod params;
mod released;
mod sample;
#[cfg(test)]
mod tests;
mod tried;

pub(crate) use cells::Cells;
pub(crate) use data::CompareData;
pub use folder::ReportFolder;
pub use method::ComparedMethod;
pub use params::{CheckedCompareParams, CompareParams};
pub(crate) use sample::sampled;

use crate::policy::Role;
use crate::progress::{Progress, Unreported};
use crate::table::Table;
use crate::{Error, Result};
use data::Divided;
use failures::{Failure, NotMade};
use gather::Line;
use incrowd_eval::comparison::{About, Comparison, MethodRelease};
use incrowd_eval::inducer::Inducer;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use tried::{Ask, TrialResult, attempt};

/// Compares methods.
///
/// A release that cannot be made (for example, because no table is safe at that k) is a note in the result, not an
/// error.
///
/// # Errors
/// When the tables do not fit the policy, the class is missing, rows cannot be divided as required, or results cannot
/// be stored.
pub(crate) fn compare(
    source: CompareData<'_>,
    params: &CheckedCompareParams,
    cells: &Cells,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let divided = Divided::new(source, params)?;
    let (ks, too_large) = possible(&divided, params)?;
    let run = Run { divided: &divided, params, ks: &ks, cells, progress };
    let asks = run.asks();
    let work = asks.len() * divided.times() + asks.len() - 1;
    let stage = progress.stage("comparing", Some(work as u64));
    let found = run.try_all(&asks)?;
    let released = run.measure_all(&asks)?;
    stage.finish()?;
    let (mut series, mut failures) = (Vec::new(), Vec::new());
    for line in run.lines(&asks, &found) {
        let (of_line, more) = line.series();
        series.push(of_line);
        failures.extend(more);
    }
    let releases: Vec<MethodRelease> = released
        .into_iter()
        .filter_map(|found| found.map_err(|failure| failures.push(failure)).ok())
        .collect();
    if releases.is_empty() {
        return Err(failures::nothing_made(&failures));
    }
    let chosen = choose::choose(&divided, params, &series, &releases, Unreported(progress))?;
    let about = about(&divided, params);
    let undecided = divided.source.policy.undecided();
    let sample = divided.sample().map(|sample| format!("all figures are about {sample}"));
    let notes =
        sample.into_iter().chain(undecided).chain(too_large).chain(failures::notes(&failures)).collect();
    // A method that failed at every k is in the notes, not in the figures.
    series.retain(|series| !series.points.is_empty());
    Ok(Comparison { about, ks, series, releases, chosen, notes })
}

/// The values of k for which there are enough training rows, and a note on the others.
fn possible(divided: &Divided<'_>, params: &CheckedCompareParams) -> Result<(Vec<u64>, Option<String>)> {
    let largest = divided.smallest_training();
    let (ks, too_large): (Vec<u64>, Vec<u64>) = params.ks.iter().partition(|&&k| k <= largest);
    let too_large: Vec<String> = too_large.iter().map(u64::to_string).collect();
    let note = format!("k = {} is left out", too_large.join(", "));
    let why = format!("the largest k possible is {largest}, the number of individuals in the training rows");
    match (ks.is_empty(), too_large.is_empty()) {
        (true, _) => Err(Error::unsatisfiable("every k is too large for the table").help(why)),
        (false, true) => Ok((ks, None)),
        (false, false) => Ok((ks, Some(format!("{note}: {why}")))),
    }
}

/// A running comparison.
struct Run<'a> {
    divided: &'a Divided<'a>,
    params: &'a CheckedCompareParams,
    ks: &'a [u64],
    cells: &'a Cells,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    /// The releases to make. The first makes no release: it is the baseline.
    fn asks(&self) -> Vec<Option<Ask>> {
        let methods = self.params.methods.iter();
        let asks = methods.flat_map(|&method| self.ks.iter().map(move |&k| Some(Ask { method, k })));
        std::iter::once(None).chain(asks).collect()
    }

    /// The inducers that learn from a release: none from a classifier.
    fn inducers(&self, ask: Option<Ask>) -> Vec<Option<&dyn Inducer>> {
        match ask {
            Some(Ask { method, .. }) if method.is_classifier() => vec![None],
            _ => self.params.inducers.iter().map(|inducer| Some(&**inducer)).collect(),
        }
    }

    /// The results of each inducer, per release and fold.
    fn try_all(&self, asks: &[Option<Ask>]) -> Result<Vec<Vec<TrialResult>>> {
        let times = self.divided.times();
        (0..asks.len() * times).into_par_iter().map(|i| self.try_one(asks[i / times], i % times)).collect()
    }

    fn try_one(&self, ask: Option<Ask>, fold: usize) -> Result<Vec<TrialResult>> {
        self.progress.check()?;
        let inducers = self.inducers(ask);
        let keys: Vec<String> =
            inducers.iter().map(|i| self.key(&format!("fold {fold}"), ask, i.map(Inducer::name))).collect();
        let known: Vec<Option<TrialResult>> = keys.iter().map(|key| self.cells.get(key)).collect();
        let missing: Vec<usize> = (0..keys.len()).filter(|&i| known[i].is_none()).collect();
        let mut found: Vec<Option<TrialResult>> = known;
        if !missing.is_empty() {
            let wanted: Vec<&dyn Inducer> = missing.iter().filter_map(|&i| inducers[i]).collect();
            let tried = attempt(self.divided, self.params, fold, ask, &wanted, Unreported(self.progress))?;
            // What was cancelled is not a finding.
            self.progress.check()?;
            for (&i, tried) in missing.iter().zip(tried) {
                self.cells.keep(&keys[i], &tried)?;
                found[i] = Some(tried);
            }
        }
        self.progress.advance(1);
        Ok(found.into_iter().flatten().collect())
    }

    /// Makes every release from all training rows, one by one, so that time and memory are measured separately.
    fn measure_all(&self, asks: &[Option<Ask>]) -> Result<Vec<std::result::Result<MethodRelease, Failure>>> {
        asks.iter().flatten().map(|&ask| self.measure_one(ask)).collect()
    }

    fn measure_one(&self, ask: Ask) -> Result<std::result::Result<MethodRelease, Failure>> {
        let key = self.key("all rows", Some(ask), None);
        let known: Option<std::result::Result<MethodRelease, NotMade>> = self.cells.get(&key);
        let measured = if let Some(known) = known {
            known
        } else {
            let progress = Unreported(self.progress);
            let measured = released::measure(self.divided, self.params, ask, progress).map_err(NotMade::from);
            self.progress.check()?;
            self.cells.keep(&key, &measured)?;
            measured
        };
        self.progress.advance(1);
        let method = ask.method.name().to_owned();
        Ok(measured.map_err(|not_made| not_made.of(method, ask.k)))
    }

    /// A digest of everything a finding depends on.
    fn key(&self, part: &str, ask: Option<Ask>, inducer: Option<&str>) -> String {
        let rests_on = format!(
            "{}\n{}\n{:?}\n{}\n{}\n{part}\n{ask:?}\n{inducer:?}",
            env!("CARGO_PKG_VERSION"),
            self.divided.fingerprint,
            self.params.guarantee,
            self.divided.protocol(self.params.protocol),
            self.params.seed,
        );
        data::hex(&Sha256::digest(rests_on))
    }

    /// The trials, by method and inducer.
    fn lines(&self, asks: &[Option<Ask>], found: &[Vec<TrialResult>]) -> Vec<Line> {
        let methods = std::iter::once(None).chain(self.params.methods.iter().copied().map(Some));
        let mut lines = Vec::new();
        for method in methods {
            let places: Vec<usize> =
                (0..asks.len()).filter(|&i| asks[i].map(|ask| ask.method) == method).collect();
            let Some(&first) = places.first() else { continue };
            for (i, inducer) in self.inducers(asks[first]).into_iter().enumerate() {
                let tried =
                    places.iter().map(|&place| (asks[place], self.of_folds(found, place, i))).collect();
                lines.push(Line { method, inducer: inducer.map(|i| i.name().to_owned()), tried });
            }
        }
        lines
    }

    fn of_folds(&self, found: &[Vec<TrialResult>], ask: usize, inducer: usize) -> Vec<TrialResult> {
        let times = self.divided.times();
        found[ask * times..(ask + 1) * times].iter().map(|of_fold| of_fold[inducer].clone()).collect()
    }
}

/// The share of rows with the most frequent value of a column.
fn majority(table: &Table, class: &str) -> f64 {
    let Some(column) = table.column(class) else { return 0.0 };
    let mut counts = vec![0_u64; column.code_count()];
    (0..table.rows()).for_each(|row| counts[column.code(row) as usize] += u64::from(table.weight(row)));
    counts.iter().max().copied().unwrap_or(0) as f64 / counts.iter().sum::<u64>().max(1) as f64
}

fn about(divided: &Divided<'_>, params: &CheckedCompareParams) -> About {
    let source = divided.source;
    let with_role = |role| source.policy.with_role(role).map(str::to_owned).collect();
    About {
        data: source.name.to_owned(),
        rows: source.table.rows() as u64,
        individuals: source.table.individuals(),
        class: divided.class.to_owned(),
        classes: divided.classes as u64,
        majority: majority(source.table, divided.class),
        public: with_role(Role::Public),
        private: with_role(Role::Private),
        guarantee: params.besides(),
        protocol: divided.protocol(params.protocol),
        folds: divided.times() as u64,
        seed: params.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
