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
    assert!(ran.out.contains("all together") && ran.out.contains("breach: k = 121"), "{}", ran.out);
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
