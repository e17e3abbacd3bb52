//! `cargo xtask bench loss`: what tables lose, compared with ARX's local recoding of the same rows with the same
//! taxonomies. ARX is not installed: if `INCROWD_ARX` is a class path with it, it is run as well.

use super::{Bench, number};
use crate::shell::{Done, command, data, output, root, run as show};
use std::path::Path;

const METHODS: [&str; 2] = ["finest", "mondrian"];
const KS: [u32; 5] = [5, 10, 50, 100, 1000];

/// Each set of taxonomies, and the share of the rows that ARX recodes in a step; none where ARX lacks the taxonomies.
const SETS: [(&str, Option<&str>); 4] = [
    ("adult-arx", Some("0.0002")),
    ("adult-nodes", Some("0.001")),
    ("adult-free", None),
    ("bank-nodes", Some("0.001")),
];

/// For the largest k, larger steps lose less.
const LARGEST: (&str, u32, &str) = ("adult-arx", 1000, "0.01");

pub(super) fn run(bench: &Bench) -> Done {
    let data = data().ok_or("the benchmark data is missing (set INCROWD_DATA)")?;
    show(&mut command("cargo", &["build", "--quiet", "--release", "--package", "incrowd-cli"]))?;
    let script = root().join("xtask/peers/loss_tables.py");
    let folder = bench.file("loss", |path| {
        let arguments = [script.as_os_str(), data.as_os_str(), path.as_ref()];
        output(command(&bench.python, &["-I"]).args(arguments)).map(drop)
    })?;
    let arx = std::env::var("INCROWD_ARX").ok();
    if arx.is_none() {
        println!("ARX is not run: INCROWD_ARX is not set to a class path with it.");
    }
    println!("| taxonomies | k | program | loss | seconds | processor seconds |");
    println!("| --- | ---: | --- | ---: | ---: | ---: |");
    for (set, step) in SETS {
        for k in KS {
            for method in METHODS {
                ours(bench, &folder.path().join(set), set, k, method)?;
            }
            if let Some((arx, step)) = arx.as_deref().zip(step) {
                let step = if (set, k) == (LARGEST.0, LARGEST.1) { LARGEST.2 } else { step };
                local_recoding(&folder.path().join(set), set, k, step, arx)?;
            }
        }
    }
    Ok(())
}

/// Makes a table from file to file.
fn ours(bench: &Bench, folder: &Path, set: &str, k: u32, method: &str) -> Done {
    let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let program = root().join("target/release/incrowd").to_string_lossy().into_owned();
    let (table, policy, out, k) = (place("table.csv"), place("policy.toml"), place("out.csv"), k.to_string());
    let arguments = [
        &program, "table", "--data", &table, "--policy", &policy, "--k", &k, "--method", method, "--out",
        &out, "--force", "--json", "--quiet",
    ];
    let result = bench.peer("measured.py", &arguments)?;
    let (loss, seconds) = (number(&result, "loss")?, number(&result, "seconds")?);
    println!(
        "| {set} | {k} | {method} | {loss:.4} | {seconds:.1} | {:.1} |",
        number(&result, "cpu_seconds")?
    );
    Ok(())
}

/// Prints what ARX says.
fn local_recoding(folder: &Path, set: &str, k: u32, step: &str, arx: &str) -> Done {
    let source = root().join("xtask/peers/arx/LocalRecoding.java");
    let mut java = command("java", &["-cp", arx]);
    java.arg(source)
        .arg(folder.join("table.csv"))
        .arg(folder.join("taxonomies"))
        .args([&k.to_string(), step]);
    println!("| {set} | {k} | ARX: {} | | | |", output(&mut java)?.trim());
    Ok(())
}
