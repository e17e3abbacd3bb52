//! Ensembles of trees made elsewhere: audited, used for predictions, written as releases.

use crate::{Folder, incrowd};

/// Two stumps, one on each column: together they single out what neither does.
const ENSEMBLE: &str = r#"{"format": "tree-ensemble", "version": 1, "class": {"name": "ill", "values": ["no", "yes"]},
 "columns": [{"name": "age"}, {"name": "home", "codes": ["a", "b", "c"], "missing": true}],
 "precision": "single", "combination": "sum", "link": "logistic", "base": [-0.5],
 "trees": [
  {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -2, -2], "threshold": [30.5, 0, 0], "scores": [[], [1.0], [-1.0]]},
  {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -2, -2], "threshold": [0, 0, 0], "scores": [[], [0.25], [0.75]],
   "missing_left": [false, false, false], "codes": [[0, 2], null, null]}]}"#;

const TABLE: &str =
    "age,home,ill\n20,a,yes\n25,c,yes\n30,a,no\n22,b,yes\n40,b,no\n45,b,no\n50,b,yes\n55,a,no\n";

fn policy(home: &str) -> String {
    format!(
        "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.home]\nrole = \"{home}\"\n[attributes.ill]\nrole = \"private\"\n"
    )
}

#[test]
fn each_tree_divides_what_the_others_left() {
    let folder = Folder::new();
    let (model, table) = (folder.file("e.json", ENSEMBLE), folder.file("t.csv", TABLE));
    let public = folder.file("public.toml", policy("public"));
    let audit = |policy: &str, k: &str| {
        incrowd(&["audit", &model, "--data", &table, "--policy", policy, "--k", k, "--json"])
    };
    let found = audit(&public, "2");
    assert_eq!(found.status, 1, "{}", found.err);
    let json = found.json();
    assert_eq!((&json["family"], &json["k"], &json["spans"]), (&"ensemble".into(), &1.into(), &4.into()));
    assert_eq!(json["at_most"], true);
    let curve: Vec<(u64, u64)> = json["first_trees"]
        .as_array()
        .expect("a curve")
        .iter()
        .map(|first| (first["k"].as_u64().expect("k"), first["alone"].as_u64().expect("alone")))
        .collect();
    assert_eq!(curve, [(4, 0), (1, 2)]);
    // With `home` private only the first tree can be followed.
    let private = folder.file("private.toml", policy("private"));
    assert_eq!(audit(&private, "4").status, 0, "{}", audit(&private, "4").err);
    assert_eq!(audit(&private, "5").status, 1);
    let shown = incrowd(&["audit", &model, "--data", &table, "--policy", &public, "--k", "2"]).out;
    assert!(shown.contains("first trees"), "{shown}");
    assert!(shown.contains("age <= 30.5, home = b"), "{shown}");
}

#[test]
fn scores_are_added_up() {
    let folder = Folder::new();
    let (model, table) = (folder.file("e.json", ENSEMBLE), folder.file("t.csv", TABLE));
    let out = folder.path("p.csv");
    let ran = incrowd(&["predict", &model, "--data", &table, "--out", &out, "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let written = std::fs::read_to_string(&out).expect("predictions");
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines[0], "prediction,p(no),p(yes)");
    let share = 1.0 / (1.0 + (-0.75_f64).exp());
    assert_eq!(lines[1], format!("yes,{},{share}", 1.0 - share));
    assert_eq!(lines[5].split(',').next(), Some("no"));
    // The same model as a release.
    let release = folder.path("release.json");
    assert_eq!(incrowd(&["export", &model, "--to", "json", "--out", &release]).status, 0);
    let again = folder.path("again.csv");
    assert_eq!(incrowd(&["predict", &release, "--data", &table, "--out", &again]).status, 0);
    assert_eq!(std::fs::read_to_string(&again).expect("predictions"), written);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    let table = folder.file("t.csv", TABLE);
    let policy = folder.file("p.toml", policy("public"));
    let cases = [
        (ENSEMBLE.replace("[[], [1.0], [-1.0]]", "[[], [1.0], []]"), "finite scores"),
        (ENSEMBLE.replace("\"left\": [1, -1, -1]", "\"left\": [1, -1, 1]"), "one branch only"),
        (ENSEMBLE.replace("\"base\": [-0.5]", "\"base\": []"), "base scores"),
        (ENSEMBLE.replace("\"link\": \"logistic\"", "\"link\": \"probit\""), "unknown word"),
        (ENSEMBLE.replace("\"values\": [\"no\", \"yes\"]", "\"values\": [\"no\"]"), "two class values"),
        (ENSEMBLE.replace("\"codes\": [[0, 2], null, null]", "\"codes\": [null]"), "one entry per node"),
        (ENSEMBLE.replace("\"a\", \"b\", \"c\"", "\"a\", \"b\", \"d\""), "not in the model"),
    ];
    for (text, part) in cases {
        let file = folder.file("e.json", &text);
        let ran = incrowd(&["audit", &file, "--data", &table, "--policy", &policy, "--k", "2"]);
        assert!(
            ran.status == 2 && ran.err.contains(part) && ran.err.contains("help:"),
            "{part}: {}",
            ran.err
        );
    }
}
