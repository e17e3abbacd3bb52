//! `cargo xtask bench clusters`: clusters of synthetic points against scikit-learn's `KMeans`, and of the clinic with
//! four private numbers, each in a separate process.

use super::{Bench, number};
use crate::shell::{Done, command, root, run as show};
use serde_json::Value;

const ROWS: [&str; 3] = ["20000", "100000", "1000000"];

/// The number of patients of the clinic, which are clustered by all their attributes.
const PATIENTS: &str = "30000";

pub(super) fn run(bench: &Bench) -> Done {
    println!("| rows | program | seconds | peak MB | clusters | smallest span |");
    println!("| ---: | --- | ---: | ---: | ---: | ---: |");
    for rows in ROWS {
        let file = bench.file(&format!("points-{rows}"), |path| {
            show(&mut command(root().join("target/release/clusters_bench"), &["make", rows, path]))
        })?;
        for method in ["mst", "k-means"] {
            let ours = super::ours("clusters_bench", &["mine", &file.name(), method])?;
            print(rows, &format!("incrowd, {method}"), &ours)?;
        }
        print(rows, "scikit-learn, KMeans", &bench.peer("sklearn_kmeans.py", &[&file.name()])?)?;
    }
    for method in ["mst", "k-means"] {
        let ours = super::ours("clusters_bench", &["clinic", PATIENTS, method])?;
        print(PATIENTS, &format!("incrowd, {method}, the clinic"), &ours)?;
    }
    Ok(())
}

fn print(rows: &str, program: &str, of: &Value) -> Done {
    let (seconds, peak, clusters) =
        (number(of, "seconds")?, number(of, "peak_bytes")?, number(of, "clusters")?);
    let k = of["k"].as_u64().map_or_else(|| "not required".to_owned(), |k| k.to_string());
    println!("| {rows} | {program} | {seconds:.2} | {:.0} | {clusters} | {k} |", peak / 1e6);
    Ok(())
}
