//! `cargo xtask bench boost`: boosted trees under k, the choice of parameters and the audit included, against `LightGBM`
//! without any guarantee, each in a separate process.

use super::{Bench, number, ours, tree, verdict};
use crate::shell::{Done, command, data, root, run as show};
use serde_json::Value;

const K: &str = "100";
const ROUNDS: &str = "100";
const LEAVES: &str = "31";
const THREADS: &str = "2";
const SIZES: [u64; 2] = [1_000_000, 10_000_000];

/// The longest time of incrowd, as a multiple of `LightGBM`'s.
const MOST: f64 = 1.5;

pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else { return Err("the benchmark data with Adult is missing".to_owned()) };
    let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
    println!("| rows | program | seconds | processor seconds | peak MB | trees | training error % |");
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut verdicts = Vec::new();
    for rows in SIZES {
        let files = bench.file(&format!("tree-{rows}"), |path| tree::make(&adult, rows, path))?;
        let path = files.path().to_string_lossy();
        let own = ours("boost_bench", &["mine", &path, K, ROUNDS, LEAVES])?;
        line(rows, "incrowd", &own)?;
        let theirs = bench.peer("lightgbm_boost.py", &[&path, ROUNDS, LEAVES, THREADS])?;
        line(rows, "LightGBM", &theirs)?;
        let ratio = |name: &str| -> Result<f64, String> { Ok(number(&own, name)? / number(&theirs, name)?) };
        for (what, ratio, most) in
            [("time", ratio("seconds")?, MOST), ("peak memory", ratio("peak_bytes")?, 1.0)]
        {
            let met = verdict(ratio <= most);
            verdicts.push(format!("{rows} rows: {what} against LightGBM {ratio:.2}, at most {most}: {met}"));
        }
    }
    println!();
    verdicts.iter().for_each(|line| println!("{line}"));
    println!("\nAdult itself, default parameters, k = 10 (wanted: below 2 s):");
    show(&mut command(root().join("target/release/boost_bench"), &["adult", &adult, "10"]))
}

/// Prints a line.
fn line(rows: u64, program: &str, result: &Value) -> Done {
    let (seconds, cpu) = (number(result, "seconds")?, number(result, "cpu_seconds")?);
    let (peak, trees) = (number(result, "peak_bytes")? / 1e6, number(result, "trees")?);
    let error = 100.0 * number(result, "error")?;
    println!("| {rows} | {program} | {seconds:.2} | {cpu:.2} | {peak:.0} | {trees} | {error:.2} |");
    Ok(())
}
