//! Boosts trees from a table of `tree_bench`; prints the cost as one line of JSON.
//!
//! - `boost_bench mine FOLDER K ROUNDS LEAVES`: at most so many rounds of trees with at most so many leaves, five attributes
//!   private, the audit included;
//! - `boost_bench adult ADULT K`: Adult itself with the default parameters, three times;
//! - `boost_bench accuracy DATA SET K WORK`: errors by cross-validation on a data set beside those of single trees; its
//!   table and its folds are written to a folder, for other learners;
//! - `boost_bench calibration DATA K WORK`: how well shares predicted for Adult's test rows fit the truth.

use incrowd_bench::accuracy::{METHODS, cross_validated, error, folds, read, standard_error};
use incrowd_bench::cost::{Cost, measured};
use incrowd_bench::folder::{FolderWriter, load};
use incrowd_bench::phases::Phases;
use incrowd_bench::{adult_policy, read_adult};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Policy, Role};
use incrowd_core::predict::{calibration, predict_scores};
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use incrowd_mine::boost::{BoostParams, CheckedBoostParams, MinedEnsemble, mine_boost};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["mine", folder, k, rounds, leaves] => mine(Path::new(folder), k, rounds, leaves),
        ["adult", data, k] => adult(data, k),
        ["accuracy", data, set, k, work] => accuracy(Path::new(data), set, k, Path::new(work)),
        ["calibration", data, k, work] => calibrated(Path::new(data), k, Path::new(work)),
        _ => Err(Error::input("usage: boost_bench mine|adult|accuracy|calibration ...")),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().map_err(|_| Error::input("not a number"))
}

fn params(k: &str) -> Result<BoostParams> {
    Ok(BoostParams::new(Guarantee::k_anonymity(number(k)?)?))
}

fn mine(folder: &Path, k: &str, rounds: &str, leaves: &str) -> Result<()> {
    let mut params = params(k)?;
    (params.rounds, params.leaves) = (number(rounds)?, Some(number(leaves)?));
    print(&load(folder)?, &params.check()?).map(|_| ())
}

fn adult(data: &str, k: &str) -> Result<()> {
    let (table, params) = (read_adult(data)?, params(k)?.check()?);
    (0..3).try_for_each(|_| print(&table, &params).map(|_| ()))
}

fn accuracy(data: &Path, name: &str, k: &str, work: &Path) -> Result<()> {
    let set = read(data, name)?;
    let folds = folds(&set.table)?;
    write_folds(work, &set.table, &set.policy, &folds)?;
    let k = number(k)?;
    let wrong: Vec<(&str, Vec<bool>)> = METHODS
        .iter()
        .map(|&(name, method)| Ok((name, cross_validated(&set, method, k, &folds)?)))
        .collect::<Result<_>>()?;
    let errors: Vec<String> =
        wrong.iter().map(|(name, wrong)| format!("\"{name}\": {:.6}", error(wrong))).collect();
    let of = |name: &str| wrong.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, wrong)| wrong);
    let deviation = standard_error(of("boost"), of("best"));
    let rows = set.table.rows();
    println!("{{\"rows\": {rows}, {}, \"standard_error\": {deviation:.6}}}", errors.join(", "));
    Ok(())
}

/// Writes a table without the attributes that are left out, and the fold of each row.
fn write_folds(work: &Path, table: &Table, policy: &Policy, folds: &[u8]) -> Result<()> {
    let mut writer = FolderWriter::new(work)?;
    let is_used = |name: &str| policy.attribute(name).is_some_and(|own| own.role != Role::Ignored);
    for column in table.columns().iter().filter(|column| is_used(column.name())) {
        writer.column(column.name(), column.values(), column.codes())?;
    }
    writer.finish()?;
    std::fs::write(work.join("folds"), folds).map_err(|error| Error::input(error.to_string()))
}

fn calibrated(data: &Path, k: &str, work: &Path) -> Result<()> {
    let part = |file: &str| read_adult(&data.join(file).to_string_lossy());
    let (train, test) = (part("adult/adult.data")?, part("adult/adult.test")?);
    let policy = adult_policy("private");
    for (part, table) in [("train", &train), ("test", &test)] {
        write_folds(&work.join(part), table, &policy, &[])?;
    }
    let ensemble = mine_boost(&train, &policy, &params(k)?.check()?, &Silent)?.ensemble;
    let predicted = predict_scores(&test, &ensemble)?;
    let found = calibration(&test, ensemble.class(), &predicted.label_of_row, &predicted.shares);
    let found = found.ok_or_else(|| Error::input("there is no class"))?;
    println!(
        "{{\"log_loss\": {:.6}, \"brier_score\": {:.6}, \"calibration_error\": {:.6}}}",
        found.log_loss, found.brier_score, found.calibration_error
    );
    Ok(())
}

fn print(table: &Table, params: &CheckedBoostParams) -> Result<MinedEnsemble> {
    let phases = Phases::new();
    let progress: &dyn Progress = &phases;
    let (mined, cost) = measured(|| mine_boost(table, &adult_policy("private"), params, progress));
    let (mined, Cost { seconds, cpu_seconds, peak_bytes }) = (mined?, cost);
    let summary = &mined.summary;
    println!(
        "{{\"rows\": {}, \"seconds\": {seconds:.4}, \"cpu_seconds\": {cpu_seconds:.2}, \"peak_bytes\": {peak_bytes}, \
         \"table_bytes\": {}, \"max_leaves\": {}, \"columns\": {}, \"learning_rate\": {}, \"trees\": {}, \"leaves\": {}, \"cells\": {}, \"error\": {:.6}, \"k\": {}, \
         \"phases\": {{{}}}}}",
        table.rows(),
        table.bytes(),
        summary.max_leaves.unwrap_or(0),
        summary.columns.unwrap_or(0.0),
        summary.learning_rate.unwrap_or(0.0),
        summary.trees,
        summary.leaves,
        summary.cells,
        summary.error,
        summary.k,
        phases.told()
    );
    Ok(mined)
}
