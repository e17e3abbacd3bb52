//! Several releases of one table, audited together.

use crate::{Folder, incrowd};

const POLICY: &str = "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.weight]\nrole = \"public\"\n\
    [attributes.smokes]\nrole = \"private\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 5\n";

/// Age and weight each explain a part of the illness.
fn patients() -> String {
    let mut text = "age,weight,smokes,ill\n".to_owned();
    for i in 0..120_u32 {
        let (age, weight) = (20 + i % 40, 50 + (i * 7) % 50);
        let ill = age >= 40 && weight >= 75;
        let smokes = if i % 3 == 0 { "yes" } else { "no" };
        text += &format!("{age},{weight},{smokes},{}\n", if ill { "yes" } else { "no" });
    }
    text
}

fn mined(folder: &Folder, data: &str, command: &str, policy: &str, out: &str, more: &[&str]) -> String {
    let out = folder.path(out);
    let ran = incrowd(&[&[command, "--data", data, "--policy", policy, "--out", &out], more].concat());
    assert_eq!(ran.status, 0, "{command}: {}", ran.err);
    out
}

#[test]
fn releases_that_hold_alone_can_break_together() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("patients.csv", patients()), folder.file("policy.toml", POLICY));
    let tree = mined(&folder, &data, "tree", &policy, "tree.json", &[]);
    let table = mined(&folder, &data, "table", &policy, "anon.csv", &["--method", "mondrian"]);
    let rules = mined(
        &folder,
        &data,
        "rules",
        &policy,
        "rules.json",
        &["--min-support", "0.1", "--min-confidence", "0.5"],
    );
    let ran = incrowd(&["audit", &tree, &rules, &table, "--data", &data, "--policy", &policy, "--json"]);
    assert!(ran.status <= 1, "{}", ran.err);
    let report = ran.json();
    let k = |finding: &serde_json::Value| finding["k"].as_u64().unwrap();
    let together = k(&report["together"]);
    assert!(report["releases"].as_array().unwrap().iter().all(|one| k(one) >= 5 && k(one) >= together));
    assert_eq!(report["pairs"].as_array().unwrap().len(), 3);
    assert!(report["pairs"].as_array().unwrap().iter().all(|pair| k(pair) >= together));
    assert_eq!(report["holds"], ran.status == 0);
    assert_eq!(report["holds"], together >= 5);
    let ran = incrowd(&["audit", &tree, &rules, &table, "--data", &data, "--policy", &policy, "--k", "121"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("all together") && ran.out.contains("fails: k = 121"), "{}", ran.out);
}

/// Groups of a table are described by the released cells, which all members share.
#[test]
fn groups_of_tables_are_described_by_released_cells() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("patients.csv", patients()), folder.file("policy.toml", POLICY));
    let tree = mined(&folder, &data, "tree", &policy, "tree.json", &[]);
    let table = mined(&folder, &data, "table", &policy, "anon.csv", &["--method", "mondrian"]);
    let ran = incrowd(&["audit", &table, &tree, "--data", &data, "--policy", &policy, "--json"]);
    assert!(ran.status <= 1, "{}", ran.err);
    let released = std::fs::read_to_string(&table).unwrap();
    let report = ran.json();
    let groups = report["together"]["groups"].as_array().unwrap();
    assert!(!groups.is_empty());
    for rule in groups.iter().map(|group| group["rule"].as_str().unwrap()) {
        let own = rule.split("anon.csv: ").nth(1).unwrap().split("; ").next().unwrap();
        let (age, weight) = own.strip_prefix("age = ").unwrap().split_once(", weight = ").unwrap();
        assert!(released.contains(&format!("\"{age}\",\"{weight}\"")), "{own} is not in\n{released}");
    }
}

#[test]
fn a_release_adds_nothing_to_itself() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("patients.csv", patients()), folder.file("policy.toml", POLICY));
    let tree = mined(&folder, &data, "tree", &policy, "tree.json", &[]);
    let ran = incrowd(&["audit", &tree, &tree, "--data", &data, "--policy", &policy, "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report = ran.json();
    assert_eq!(report["together"]["k"], report["releases"][0]["k"]);
    assert_eq!(report["together"]["spans"], report["releases"][0]["spans"]);
}

#[test]
fn what_cannot_be_judged_together_is_refused() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("patients.csv", patients()), folder.file("policy.toml", POLICY));
    let tree = mined(&folder, &data, "tree", &policy, "tree.json", &[]);
    let ran = incrowd(&["audit", &tree, &tree, "--policy", &policy]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--data"), "{}", ran.err);
    let ran = incrowd(&["audit", &tree, &tree, "--data", &data, "--policy", &policy, "--smallest-bin", "3"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("smallest bin"), "{}", ran.err);
    // A table of other people is not the one that a release was made from.
    let other = folder.file("other.csv", patients().replace("20,50,yes", "20,50,no"));
    let table = mined(&folder, &data, "table", &policy, "anon.csv", &["--method", "mondrian"]);
    let ran = incrowd(&["audit", &table, &table, "--data", &other, "--policy", &policy]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("unknown who is in which"), "{}", ran.err);
}

/// Ages and weights in which the best groups overlap.
#[test]
fn tables_that_agree_with_their_recoding_are_judged_together() {
    let folder = Folder::new();
    let row = |i: u32| {
        format!(
            "{},{},{},{}\n",
            i * i % 47,
            i * 31 % 53,
            ["no", "yes"][i as usize % 2],
            "no yes yes".split(' ').nth(i as usize * 7 % 3).unwrap()
        )
    };
    let rows: String = (0..400).map(row).collect();
    let (data, policy) =
        (folder.file("d.csv", format!("age,weight,smokes,ill\n{rows}")), folder.file("policy.toml", POLICY));
    let tree = mined(&folder, &data, "tree", &policy, "tree.json", &[]);
    let audited = |table: &str| incrowd(&["audit", table, &tree, "--data", &data, "--policy", &policy]);
    let open = mined(&folder, &data, "table", &policy, "open.csv", &["--method", "finest"]);
    let ran = audited(&open);
    assert!(ran.status == 2 && ran.err.contains("incrowd table --closed"), "{}", ran.err);
    let closed = mined(&folder, &data, "table", &policy, "closed.csv", &["--method", "finest", "--closed"]);
    let ran = audited(&closed);
    assert!(ran.status <= 1, "{}", ran.err);
    let release = std::fs::read_to_string(folder.path("closed.json")).unwrap();
    let release: serde_json::Value = serde_json::from_str(&release).unwrap();
    assert_eq!(release["parameters"]["closed"], true);
}

/// An ensemble whose cells single out the one individual with `g = a`.
const CELLS: &str = r#"{"format": "incrowd-release", "version": 1, "family": "ensemble",
    "class": {"name": "cls", "values": ["n", "y"]}, "attributes": [{"name": "g", "values": ["a", "b"]}],
    "scoring": {"combination": "sum", "link": "logistic", "base": [0.0]},
    "trees": [{"nodes": [{"test": {"attribute": "cell", "branches": [{"values": ["1"], "to": 1},
        {"values": ["2"], "to": 2}], "otherwise": 0}}, {"scores": [0.0]}, {"scores": [0.1]}]}],
    "cells": {"attributes": [{"name": "cell", "values": ["1", "2"]}],
        "nodes": [{"test": {"attribute": "g", "branches": [{"values": ["a"], "to": 1}, {"values": ["b"], "to": 2}],
            "otherwise": 0}}, {"cell": 0}, {"cell": 1}], "values": [["1"], ["2"]]}}"#;

const LEAF: &str = r#"{"format": "incrowd-release", "version": 1, "family": "tree",
    "class": {"name": "cls", "values": ["n", "y"]}, "attributes": [], "nodes": [{"leaf": {"label": "y"}}]}"#;

#[test]
fn broken_cells_are_named() {
    let folder = Folder::new();
    let (data, policy) = (folder.file("patients.csv", patients()), folder.file("policy.toml", POLICY));
    let numeric = r#""attributes": [{"name": "cell", "numeric": true, "low": 0, "high": 1}]"#;
    let names = r#""attributes": [{"name": "cell", "values": ["1", "2"]}]"#;
    let values = r#""values": [["1"], ["2"]]"#;
    let changes: [(&[(&str, &str)], &str); 7] = [
        (&[(r#"{"cell": 1}"#, r#"{"cell": 7}"#)], "node 2 is cell 7"),
        (&[(values, r#""values": [["1"], ["2", "1"]]"#)], "cell 1 has 2 values"),
        (&[(values, r#""values": [["1"], ["9"]]"#)], "cell 1: the name is not one of"),
        (&[(values, r#""values": [["1"], [2]]"#)], "cell 1: a number, but"),
        (&[(values, r#""values": [["1"], [null]]"#)], "must be a name or a number"),
        (&[(names, numeric)], "cell 0: a name, but"),
        (&[(names, numeric), (values, r#""values": [[0], [2]]"#)], "cell 1: the number is outside"),
    ];
    for (changes, says) in changes {
        let text = changes.iter().fold(CELLS.to_owned(), |text, (from, to)| text.replace(from, to));
        let broken = folder.file("broken.json", text);
        let ran = incrowd(&["audit", &broken, "--data", &data, "--policy", &policy]);
        assert!(ran.status == 2 && ran.err.contains(says), "{says}: {}", ran.err);
        assert!(ran.err.contains("help:") && ran.err.contains("broken.json"), "{says}: {}", ran.err);
    }
}

#[test]
fn cells_of_an_ensemble_count_in_a_joint_audit() {
    let policy = "class = \"cls\"\n[attributes.g]\nrole = \"public\"\n[attributes.cls]\nrole = \"private\"\n";
    let guarantee = "[guarantee]\nk = 2\n";
    let folder = Folder::new();
    let (cells, leaf) = (folder.file("cells.json", CELLS), folder.file("leaf.json", LEAF));
    let plain = folder.file("plain.csv", "g,cls\na,y\nb,n\nb,y\nb,n\n");
    let own = folder.file("policy.toml", format!("{policy}{guarantee}"));
    let ran = incrowd(&["audit", &cells, &leaf, "--data", &plain, "--policy", &own, "--json"]);
    assert_eq!((ran.status, ran.json()["together"]["k"].as_u64()), (1, Some(1)), "{}", ran.err);
    // A column of the same name must not be taken for what the cells define.
    let named = folder.file("named.csv", "g,cls,cell\na,y,1\nb,n,2\nb,y,1\nb,n,2\n");
    let more = format!("{policy}[attributes.cell]\nrole = \"private\"\nkind = \"categorical\"\n{guarantee}");
    let more = folder.file("more.toml", more);
    let ran = incrowd(&["audit", &cells, &leaf, "--data", &named, "--policy", &more]);
    assert!(ran.status == 2 && ran.err.contains("same name"), "{} {}", ran.out, ran.err);
}
