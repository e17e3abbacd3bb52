//! `cargo xtask bench accuracy`: errors of boosted trees beside those of single trees and of `LightGBM` without any
//! guarantee, by cross-validation on the same folds; and how well shares are calibrated. The figures of docs/boost.md.

use super::{Bench, number, ours, verdict};
use crate::shell::{Done, data};
use serde_json::Value;

const SETS: [&str; 5] = ["adult", "bank", "credit-default", "german-credit", "waveform"];
const K: &str = "10";
const ROUNDS: [&str; 2] = ["100", "400"];

/// The share of the gap between `best` and `LightGBM` that boosting shall close.
const CLOSED: f64 = 0.5;

pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else { return Err("the benchmark data is missing".to_owned()) };
    let data = data.to_string_lossy().into_owned();
    println!(
        "| error % | kadet-c45 | best | boost | blind | LightGBM 100 / 400 | gap closed % | boost less best |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for set in SETS {
        let files = bench.file(&format!("accuracy-{set}"), folder)?;
        let path = files.name();
        let own = ours("boost_bench", &["accuracy", &data, set, K, &path])?;
        line(set, &own, &bench.peer("lightgbm_folds.py", &[&path, &ROUNDS.join(",")])?)?;
    }
    println!("\n| Adult's test rows | log loss | Brier score | calibration error |");
    println!("| --- | ---: | ---: | ---: |");
    let files = bench.file("accuracy-calibration", folder)?;
    let path = files.name();
    for k in ["10", "100", "1000"] {
        calibrated(&format!("boost, k = {k}"), &ours("boost_bench", &["calibration", &data, k, &path])?)?;
    }
    let (train, test) = (format!("{path}/train"), format!("{path}/test"));
    let theirs = bench.peer("lightgbm_folds.py", &[&train, &ROUNDS.join(","), &test])?;
    ROUNDS.iter().try_for_each(|rounds| calibrated(&format!("LightGBM, {rounds} rounds"), &theirs[*rounds]))
}

fn folder(path: &str) -> Done {
    std::fs::create_dir_all(path).map_err(|error| format!("{path}: {error}"))
}

/// Prints the errors on a data set, and whether they are as low as wanted.
fn line(set: &str, own: &Value, theirs: &Value) -> Done {
    let error = |name: &str| Ok::<f64, String>(100.0 * number(own, name)?);
    let [few, many] = ROUNDS.map(|rounds| number(theirs, rounds).map(|error| 100.0 * error));
    let (few, many) = (few?, many?);
    let (best, boost, deviation) = (error("best")?, error("boost")?, error("standard_error")?);
    // Of the errors of LightGBM the lower one: its rounds were not chosen.
    let gap = best - few.min(many);
    let closed = (best - boost) / gap;
    println!(
        "| {set} | {:.2} | {best:.2} | {boost:.2} | {:.2} | {few:.2} / {many:.2} | {:.0} ({}) | {:+.2} ± {deviation:.2} ({}) |",
        error("kadet-c45")?,
        error("blind")?,
        100.0 * closed,
        verdict(gap <= 0.0 || closed >= CLOSED),
        boost - best,
        verdict(boost <= best + deviation),
    );
    Ok(())
}

fn calibrated(name: &str, found: &Value) -> Done {
    let (log_loss, brier) = (number(found, "log_loss")?, number(found, "brier_score")?);
    println!("| {name} | {log_loss:.4} | {brier:.4} | {:.4} |", number(found, "calibration_error")?);
    Ok(())
}
