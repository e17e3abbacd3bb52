//! Re-identification risks on Adult agree with an independent script, `risk.py`, which computes them from their
//! definitions in plain Python (those of El Emam that ARX implements, and sdcMicro's individual risk).

use crate::{Folder, adult_policy, data, incrowd};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = include_str!("risk.py");

const FIVE: &[&str] = &["age", "sex", "race", "marital-status", "native-country"];

/// The figures of the script for some cases.
fn theirs(python: &Path, adult: &str, cases: &Value) -> Vec<Value> {
    let run = Command::new(python).args(["-I", "-c", SCRIPT, adult, &cases.to_string()]).output();
    let output = run.expect("INCROWD_PYTHON runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the script prints JSON")
}

/// The first complete rows of Adult.
fn first_rows(adult: &str, rows: usize) -> String {
    let text = std::fs::read_to_string(adult).unwrap();
    let lines = text.lines().filter(|line| !line.contains('?') && !line.trim().is_empty());
    lines.take(rows).map(|line| format!("{line}\n")).collect()
}

fn near(ours: &Value, theirs: &Value, tolerance: f64) {
    let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
    assert!((ours - theirs).abs() <= tolerance * theirs.abs().max(1e-9), "{ours} is not {theirs}");
}

fn same_figures(ours: &Value, theirs: &Value) {
    ["highest", "average", "above_threshold"].iter().for_each(|name| near(&ours[name], &theirs[name], 1e-9));
}

#[test]
fn risks_agree_with_an_independent_script_on_adult() {
    let (Some(python), Some(adult)) = (incrowd_testkit::python(), data("adult/adult.data")) else { return };
    let folder = Folder::new();
    let policy = folder.file("p.toml", adult_policy(FIVE, ""));
    let sample = folder.file("sample.data", first_rows(&adult, 2000));
    let adult = folder.file("adult.data", first_rows(&adult, usize::MAX));
    let case = |rows: Option<u32>, size: Option<u32>, population: bool, threshold: f64| {
        json!({"public": FIVE, "rows": rows, "size": size, "population": population, "threshold": threshold,
            "pitman": rows.is_some()})
    };
    let cases = json!([
        case(None, None, false, 0.2),
        case(Some(2000), None, true, 0.09),
        case(Some(2000), Some(30_162), false, 0.09),
        case(None, Some(100_000), false, 0.2),
    ]);
    let theirs = theirs(&python, &adult, &cases);
    let ours = |table: &str, more: &[&str]| {
        let ran = incrowd(&[&["audit", "--table", table, "--policy", &policy, "--json"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.json()["risk"].clone()
    };
    let ours = [
        ours(&adult, &["--risk-threshold", "0.2"]),
        ours(&sample, &["--population", &adult, "--risk-threshold", "0.09"]),
        ours(&sample, &["--population-size", "30162", "--risk-threshold", "0.09"]),
        ours(&adult, &["--population-size", "100000"]),
    ];
    for (ours, theirs) in ours.iter().zip(&theirs) {
        same_figures(&ours["prosecutor"], &theirs["prosecutor"]);
        assert_eq!(ours["sample_uniques"], theirs["sample_uniques"]);
        if theirs["journalist"].is_object() {
            same_figures(&ours["journalist"], &theirs["journalist"]);
            near(&ours["marketer"], &theirs["marketer"], 1e-9);
        }
    }
    let population = &ours[1]["population"];
    assert_eq!(population["k_map"], theirs[1]["k_map"]);
    near(&population["presence"]["lowest"], &theirs[1]["presence"][0], 1e-12);
    near(&population["presence"]["highest"], &theirs[1]["presence"][1], 1e-12);
    near(&population["uniques"]["individuals"], &theirs[1]["uniques"], 0.0);
    let estimated = &ours[2]["population"]["uniques"];
    assert_eq!(
        (&estimated["estimator"], &estimated["other"]["estimator"]),
        (&json!("pitman"), &json!("zayatz"))
    );
    near(&estimated["individuals"], &theirs[2]["pitman"], 1e-5);
    near(&estimated["other"]["individuals"], &theirs[2]["zayatz"], 1e-7);
    // How good the estimates are, as docs/measures.md states: 2,080 of 30,162 individuals are unique.
    assert_eq!(theirs[2]["uniques"], 2080);
    near(&estimated["individuals"], &json!(1337), 1e-3);
    near(&estimated["other"]["individuals"], &json!(1688), 1e-3);
    assert_eq!(ours[3]["population"]["uniques"]["estimator"], "zayatz");
    near(&ours[3]["population"]["uniques"]["individuals"], &theirs[3]["zayatz"], 1e-7);
}

#[test]
fn a_population_must_include_the_table() {
    let folder = Folder::new();
    let policy =
        folder.file("p.toml", "[attributes.age]\nrole = \"public\"\n[attributes.x]\nrole = \"private\"\n");
    let table = folder.file("t.csv", "age,x\n30,a\n30,b\n40,a\n");
    let small = folder.file("small.csv", "age\n30\n40\n50\n");
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy, "--population", &small]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("more individuals in the table than in the population"), "{}", ran.err);
    let large = folder.file("large.csv", "age\n30\n40\n50\n30\n30\n40\n");
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy, "--population", &large]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("k-map") && ran.out.contains("delta-presence"), "{}", ran.out);
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy, "--population-size", "2"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--population-size"), "{}", ran.err);
}

#[test]
fn a_population_is_linked_to_the_spans_of_a_model() {
    let folder = Folder::new();
    let policy = folder.file(
        "p.toml",
        "class = \"c\"\n[attributes.age]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n[guarantee]\nk = 2\n",
    );
    let rows: String =
        (0..40).map(|i| format!("{},{}\n", 20 + i, if i < 20 { "no" } else { "yes" })).collect();
    let table = folder.file("t.csv", format!("age,c\n{rows}"));
    let ages: String = (0..200).map(|i| format!("{}\n", 20 + i % 50)).collect();
    let population = folder.file("population.csv", format!("age\n{ages}"));
    let tree = folder.path("tree.json");
    let ran = incrowd(&["tree", "--data", &table, "--policy", &policy, "--out", &tree]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = incrowd(&[
        "audit",
        &tree,
        "--data",
        &table,
        "--policy",
        &policy,
        "--population",
        &population,
        "--json",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let risk = &ran.json()["risk"];
    // The tree separates ages below 40, of which the table has 20 and the population 80, from the others.
    assert_eq!(risk["population"]["individuals"], 200);
    assert_eq!(risk["population"]["k_map"], 80);
    near(&risk["prosecutor"]["highest"], &json!(1.0 / 20.0), 1e-12);
    near(&risk["journalist"]["highest"], &json!(1.0 / 80.0), 1e-12);
}
