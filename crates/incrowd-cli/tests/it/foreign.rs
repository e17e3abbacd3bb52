//! Trees and centroids that other programs made: audited, used, shown.

use crate::exports::python;
use crate::{Folder, data, incrowd};
use std::process::Command;

/// The Python of the documentation that defines a function.
fn snippet(function: &str) -> String {
    let text = include_str!("../../../../docs/foreign-models.md");
    let all = text.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    all.filter(|python| python.contains(&format!("def {function}("))).collect()
}

fn policy(public: &[&str]) -> String {
    let mut text =
        "class = \"class\"\nunlisted = \"ignored\"\n[attributes.class]\nrole = \"private\"\n".to_owned();
    for name in public {
        text += &format!("[attributes.{name}]\nrole = \"public\"\n");
    }
    text
}

#[test]
fn scikit_learn_on_adult() {
    let (Some(python), Some(adult)) = (python(), data("adult/adult.data")) else { return };
    let folder = Folder::new();
    let script = snippet("write_tree") + include_str!("foreign.py");
    let output = Command::new(python).args(["-c", &script, &adult, &folder.path("")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = folder.path("adult.csv");
    let public = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"];
    let policy = folder.file("policy.toml", policy(&public));
    let audit = |tree: &str, k: &str| {
        incrowd(&["audit", &folder.path(tree), "--data", &table, "--policy", &policy, "--k", k, "--json"])
    };
    let free = audit("free.json", "10");
    assert_eq!((free.status, &free.json()["k"]), (1, &1.into()), "{}", free.err);
    let ten = audit("ten.json", "10");
    assert_eq!((ten.status, &ten.json()["k"]), (0, &10.into()), "{}", ten.err);
    assert_eq!(audit("ten.json", "11").status, 1);
    // Numbers that single precision cannot hold, one-hot and ordinal codes: incrowd predicts what scikit-learn and
    // onnxruntime do.
    for (tree, expected) in [("mixed.json", "mixed.csv"), ("model.onnx", "model.csv")] {
        let out = folder.path("out.csv");
        let ran =
            incrowd(&["predict", &folder.path(tree), "--data", &table, "--out", &out, "--force", "--json"]);
        assert_eq!(ran.json()["rows"], 30162, "{}", ran.err);
        let labels = |path: &str| {
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(labels(&out) == labels(&folder.path(expected)), "{tree}");
    }
    // A stated population that is not the table's is noticed.
    let text = std::fs::read_to_string(folder.path("ten.json")).unwrap();
    let other =
        folder.file("other.json", text.replacen("[10, 0]", "[9, 1]", 1).replacen("[0, 10]", "[1, 9]", 1));
    let ran = incrowd(&["audit", &other, "--data", &table, "--policy", &policy]);
    assert!(ran.status == 2 && ran.err.contains("population"), "{}", ran.err);
}

#[test]
fn k_means_of_scikit_learn() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let script = snippet("write_clusters") + include_str!("foreign_clusters.py");
    let output = Command::new(python).args(["-c", &script, &folder.path("")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = folder.path("people.csv");
    let policy = folder.file(
        "policy.toml",
        "[attributes.age]\nrole = \"public\"\n[attributes.income]\nrole = \"private\"\nrange = [0, 20000]\n[attributes.home]\nrole = \"private\"\n",
    );
    let lines = |path: &str| -> Vec<String> {
        std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
    };
    for model in ["scaled", "plain"] {
        let file = folder.path(&format!("{model}.json"));
        let out = folder.path("out.csv");
        let ran = incrowd(&["predict", &file, "--data", &table, "--out", &out, "--force"]);
        assert_eq!(ran.status, 0, "{model}: {}", ran.err);
        assert!(lines(&out) == lines(&folder.path(&format!("{model}.csv"))), "{model}");
        let audit =
            |k: &str| incrowd(&["audit", &file, "--data", &table, "--policy", &policy, "--k", k, "--json"]);
        // The populations it states are the table's, or the audit would refuse it.
        let found = audit("1");
        assert_eq!((found.status, &found.json()["individuals"]), (0, &600.into()), "{model}: {}", found.err);
        let k = found.json()["k"].as_u64().unwrap();
        assert_eq!((audit(&k.to_string()).status, audit(&(k + 1).to_string()).status), (0, 1), "{model}");
    }
}

const PMML: &str = r#"<?xml version="1.0"?>
<PMML xmlns="http://www.dmg.org/PMML-4_2" version="4.2">
 <DataDictionary>
  <DataField name="age" optype="continuous" dataType="integer"/>
  <DataField name="sex" optype="categorical" dataType="string"><Value value="f"/><Value value="m"/></DataField>
  <DataField name="ill" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
 </DataDictionary>
 <TreeModel functionName="classification">
  <MiningSchema><MiningField name="age"/><MiningField name="sex"/><MiningField name="ill" usageType="predicted"/></MiningSchema>
  <Node id="1" score="no"><True/>
   <Node id="2" score="no"><SimplePredicate field="age" operator="lessThan" value="30"/>
    <ScoreDistribution value="no" recordCount="3"/><ScoreDistribution value="yes" recordCount="0"/></Node>
   <Node id="3" score="yes"><SimplePredicate field="age" operator="greaterOrEqual" value="30"/>
    <Node id="4" score="yes"><SimpleSetPredicate field="sex" booleanOperator="isIn"><Array type="string">f</Array></SimpleSetPredicate>
     <ScoreDistribution value="no" recordCount="1"/><ScoreDistribution value="yes" recordCount="2.0"/></Node>
    <Node id="5" score="no"><SimpleSetPredicate field="sex" booleanOperator="isNotIn"><Array type="string">"f"</Array></SimpleSetPredicate>
     <ScoreDistribution value="no" recordCount="2"/><ScoreDistribution value="yes" recordCount="1"/></Node>
   </Node>
  </Node>
 </TreeModel>
</PMML>"#;

#[test]
fn pmml_is_audited_shown_and_made_a_release() {
    let folder = Folder::new();
    let tree = folder.file("tree.pmml", PMML);
    let rows =
        "age,sex,ill\n20,f,no\n29,m,no\n1,m,no\n30,f,no\n30,f,yes\n31,f,yes\n30,m,no\n40,m,no\n41,m,yes\n";
    let table = folder.file("t.csv", rows);
    let policy = folder.file(
        "p.toml",
        "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.sex]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n",
    );
    let audit = |k: &str| incrowd(&["audit", &tree, "--data", &table, "--policy", &policy, "--k", k]);
    assert_eq!((audit("3").status, audit("4").status), (0, 1), "{}", audit("3").err);
    let shown = incrowd(&["show", &tree]).out;
    assert!(shown.contains("3 leaves, depth 2, 9 individuals"), "{shown}");
    let release = folder.path("tree.json");
    assert_eq!(incrowd(&["export", &tree, "--to", "json", "--out", &release]).status, 0);
    let json = incrowd(&["predict", &release, "--data", &table, "--json"]).json();
    assert_eq!((&json["wrong"], &json["confusion"]), (&2.into(), &serde_json::json!([[5, 1], [1, 2]])));
}

#[test]
fn what_is_not_understood_is_said() {
    let folder = Folder::new();
    let cases = [
        ("<html></html>".to_owned(), "not PMML"),
        ("<PMML".to_owned(), "invalid XML"),
        (PMML.replace("classification", "regression"), "not for classification"),
        (PMML.replace("usageType=\"predicted\"", ""), "which field it predicts"),
        (PMML.replacen("lessThan", "like", 1), "operator"),
        (
            PMML.replacen("field=\"age\" operator=\"lessThan\"", "field=\"weight\" operator=\"lessThan\"", 1),
            "not declared",
        ),
        ("{\"format\": \"scikit-learn-tree\", \"version\": 1}".to_owned(), "missing key"),
        ("\u{8}\u{1}nonsense".to_owned(), "ONNX"),
        ("{\"format\": \"other\"}".to_owned(), "not a release"),
    ];
    for (text, part) in cases {
        let file = folder.file("model", &text);
        let ran = incrowd(&["show", &file]);
        assert!(
            ran.status == 2 && ran.err.contains(part) && ran.err.contains("help:"),
            "{part}: {}",
            ran.err
        );
    }
}
