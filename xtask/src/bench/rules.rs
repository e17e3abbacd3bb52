//! `cargo xtask bench rules`: mines rules from baskets in memory, against mlxtend, and measures the cost of the
//! guarantee.

use super::{Bench, agree, number, ours, verdict};
use crate::shell::{Done, data};

/// A file with its minimum support and confidence. No rule has a confidence of 0.2001. At exactly 0.2, mlxtend, which
/// divides shares, and incrowd, which divides counts, round differently.
const CASES: [(&str, &str, &str); 4] = [
    ("groceries.csv", "0.005", "0.2001"),
    ("groceries.csv", "0.002", "0.2001"),
    ("mushroom.dat", "0.4", "0.8"),
    ("mushroom.dat", "0.3", "0.8"),
];

/// The required speedup over the peer.
const TARGET: f64 = 50.0;

pub(super) fn run(bench: &Bench) -> Done {
    let Some(data) = data() else {
        return Err("the benchmark data with the baskets is missing".to_owned());
    };
    println!("| baskets | support | confidence | rules | mlxtend s | incrowd s | times | target met |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for (name, support, confidence) in CASES {
        let file = data.join("transactions").join(name).to_string_lossy().into_owned();
        let [mine, peer] = ["ours", "theirs"]
            .map(|who| bench.files.join(format!("rules-{who}.txt")).to_string_lossy().into_owned());
        let ours = ours("rules_bench", &["all", &file, support, confidence, &mine])?;
        let theirs = bench.peer("mlxtend_rules.py", &[&file, support, confidence, &peer])?;
        agree(&ours, &theirs, &["rows", "rules"])?;
        same(&mine, &peer)?;
        let (a, b) = (number(&ours, "seconds")?, number(&theirs, "seconds")?);
        let (rules, times) = (number(&ours, "rules")?, b / a);
        let met = verdict(times >= TARGET);
        println!("| {name} | {support} | {confidence} | {rules} | {b:.3} | {a:.4} | {times:.0} | {met} |");
    }
    guarantee(&data.join("transactions"))
}

/// Fails if two files differ, because then the programs found different rules.
fn same(one: &str, other: &str) -> Done {
    let read = |path: &str| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let is_same = read(one)? == read(other)?;
    for path in [one, other] {
        std::fs::remove_file(path).map_err(|error| format!("{path}: {error}"))?;
    }
    if is_same { Ok(()) } else { Err("incrowd and its peer found different rules".to_owned()) }
}

/// The cost of the guarantee: the spans of every rule, channels between their supports, and the audit of the released
/// rules. Closing the channels is also listed separately.
fn guarantee(folder: &std::path::Path) -> Done {
    println!(
        "\n| baskets | support | confidence | k | rules | released | channels kept | spans | seconds | for the guarantee | for closing channels |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, support, confidence) in CASES {
        let file = folder.join(name).to_string_lossy().into_owned();
        for k in ["10", "100"] {
            let ours = ours("rules_bench", &["safe", &file, support, confidence, k])?;
            let of = |figure: &str| number(&ours, figure);
            let (rules, released, open) = (of("rules")?, of("released")?, of("released_open")?);
            let (spans, seconds) = (of("spans")?, of("seconds")?);
            let (guarantee, closing) = (of("guarantee_seconds")?, of("closing_seconds")?);
            println!(
                "| {name} | {support} | {confidence} | {k} | {rules} | {released} | {open} | {spans} | {seconds:.3} | {guarantee:.3} | {closing:.3} |"
            );
        }
    }
    Ok(())
}
