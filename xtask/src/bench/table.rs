//! `cargo xtask bench table`: anonymizes a table from file to file, against anonypy, anjana and ai-privacy-toolkit,
//! each in a separate process.

use super::{Bench, number, verdict};
use crate::shell::{Done, command, data, root, run as show};
use serde_json::Value;
use std::path::Path;

const K: &str = "10";
const SIZES: [u64; 3] = [100_000, 1_000_000, 10_000_000];
const METHODS: [&str; 7] = ["best", "mondrian", "tds", "tdr", "kactus2", "kactus", "aggregate"];

/// Each peer with the most similar method and its maximum number of rows, above which it takes too long.
pub(super) const PEERS: [(&str, &str, u64); 3] =
    [("anonypy", "mondrian", 100_000), ("anjana", "tds", 1_000_000), ("ai_privacy_toolkit", "best", 100_000)];

/// The time limit of a peer in seconds.
const LIMIT: &str = "300";

/// The maximum number of rows for methods other than the first two.
const ALL_METHODS: u64 = 1_000_000;

pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else { return Err("the benchmark data with Adult is missing".to_owned()) };
    show(&mut command("cargo", &["build", "--quiet", "--release", "--package", "incrowd-cli"]))?;
    let adult = data.join("adult/adult.data").to_string_lossy().into_owned();
    let taxonomies = data.join("adult/hierarchies");
    let policy = bench.file("table-policy.toml", |path| {
        std::fs::write(path, policy(&taxonomies)).map_err(|error| error.to_string())
    })?;
    println!("| rows | program | seconds | processor seconds | peak MB | loss |");
    println!("| ---: | --- | ---: | ---: | ---: | ---: |");
    let mut verdicts = Vec::new();
    let file = bench.file("table-adult.csv", |path| example(&["csv", &adult, path]))?;
    verdicts.extend(measure(bench, "Adult", 0, &file.name(), &policy.name(), &taxonomies)?);
    drop(file);
    for rows in SIZES {
        let folder = bench
            .file(&format!("tree-{rows}"), |path| example(&["make", &adult, &rows.to_string(), path]))?;
        let file =
            bench.file(&format!("table-{rows}.csv"), |path| example(&["csv", &folder.name(), path]))?;
        verdicts.extend(measure(bench, &rows.to_string(), rows, &file.name(), &policy.name(), &taxonomies)?);
    }
    println!();
    verdicts.iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn example(arguments: &[&str]) -> Done {
    show(&mut command(root().join("target/release/tree_bench"), arguments))
}

/// Prints one line per program, and returns how much faster incrowd is than each peer.
fn measure(
    bench: &Bench,
    title: &str,
    rows: u64,
    file: &str,
    policy: &str,
    taxonomies: &Path,
) -> Result<Vec<String>, String> {
    let methods = if rows <= ALL_METHODS { &METHODS[..] } else { &METHODS[..2] };
    let mut of_method = Vec::new();
    for method in methods {
        of_method.push((*method, ours(bench, title, method, file, policy)?));
    }
    let mut verdicts = Vec::new();
    for (peer, method, most) in PEERS {
        let alike = of_method.iter().find(|(other, _)| *other == method);
        let Some((_, alike)) = alike.filter(|_| rows <= most) else { continue };
        let out = bench.files.join("table-peer.csv").to_string_lossy().into_owned();
        let taxonomies = taxonomies.to_string_lossy();
        let result = bench.peer("limited.py", &[LIMIT, "table_peer.py", peer, file, K, &taxonomies, &out])?;
        std::fs::remove_file(&out).ok();
        let seconds = number(&result, "seconds")?;
        let stopped = result["stopped"] == true;
        let note = if stopped { "> " } else { "" };
        println!(
            "| {title} | {peer} | {note}{seconds:.1} | {} | {} | |",
            shown(&result, "cpu_seconds", 1.0),
            shown(&result, "peak_bytes", 1e6)
        );
        let times = seconds / alike;
        let met = verdict(times >= 100.0);
        let least = if stopped { "at least " } else { "" };
        verdicts.push(format!(
            "{title}: {method} {least}{times:.0} times as fast as {peer}, at least 100: {met}"
        ));
    }
    Ok(verdicts)
}

fn shown(result: &Value, name: &str, unit: f64) -> String {
    result[name].as_f64().map_or_else(String::new, |value| format!("{:.0}", value / unit))
}

/// Runs incrowd from file to file, prints its line and returns its time in seconds.
fn ours(bench: &Bench, title: &str, method: &str, file: &str, policy: &str) -> Result<f64, String> {
    let out = bench.files.join("table-ours.csv").to_string_lossy().into_owned();
    let program = root().join("target/release/incrowd").to_string_lossy().into_owned();
    let arguments = [
        &program, "table", "--data", file, "--policy", policy, "--k", K, "--method", method, "--out", &out,
        "--force", "--json", "--quiet",
    ];
    let result = bench.peer("measured.py", &arguments)?;
    for file in [out.clone(), out.replace(".csv", ".json")] {
        std::fs::remove_file(file).ok();
    }
    let (seconds, cpu) = (number(&result, "seconds")?, number(&result, "cpu_seconds")?);
    let (peak, loss) = (number(&result, "peak_bytes")?, number(&result, "loss")?);
    println!("| {title} | incrowd {method} | {seconds:.2} | {cpu:.2} | {:.0} | {loss:.3} |", peak / 1e6);
    Ok(seconds)
}

/// Nine public attributes with taxonomies, three private ones and the class. The others are ignored.
pub(super) fn policy(taxonomies: &Path) -> String {
    let mut text = "class = \"class\"\n[attributes]\nage = { role = \"public\" }\n".to_owned();
    for name in [
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
    ] {
        let file = taxonomies.join(format!("{name}.csv"));
        text += &format!("{name} = {{ role = \"public\", taxonomy = \"{}\" }}\n", file.display());
    }
    for name in ["capital-gain", "capital-loss", "hours-per-week", "class"] {
        text += &format!("{name} = {{ role = \"private\" }}\n");
    }
    for name in ["fnlwgt", "education-num"] {
        text += &format!("{name} = {{ role = \"ignored\" }}\n");
    }
    text
}
