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
        (ENSEMBLE.replace("[[], [1.0], [-1.0]]", "[[], [1.0], []]"), "finite score"),
        (ENSEMBLE.replace("\"left\": [1, -1, -1]", "\"left\": [1, -1, 1]"), "only one branch"),
        (ENSEMBLE.replace("\"base\": [-0.5]", "\"base\": []"), "base score"),
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

/// What its `save_model` writes, over the columns of the table.
const LIGHTGBM: &str = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=1\nobjective=binary sigmoid:1\nfeature_names=age home\nfeature_infos=[20:55] 0:1:2\n\nTree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=30.5\ndecision_type=2\nleft_child=-1\nright_child=-2\nleaf_value=1 -1\nis_linear=0\n\nTree=1\nnum_leaves=2\nnum_cat=1\nsplit_feature=1\nthreshold=0\ndecision_type=9\nleft_child=-1\nright_child=-2\nleaf_value=0.25 0.75\ncat_boundaries=0 1\ncat_threshold=5\nis_linear=0\n\nend of trees\n\npandas_categorical:[[\"a\", \"b\", \"c\"]]\n";

#[test]
fn files_of_lightgbm_are_audited_for_the_policys_class() {
    let folder = Folder::new();
    let (model, table) = (folder.file("model.txt", LIGHTGBM), folder.file("t.csv", TABLE));
    let public = folder.file("public.toml", policy("public"));
    let audit = |policy: &str| {
        incrowd(&["audit", &model, "--data", &table, "--policy", policy, "--k", "2", "--json"])
    };
    let found = audit(&public).json();
    let same = folder.file("e.json", ENSEMBLE);
    let same = incrowd(&["audit", &same, "--data", &table, "--policy", &public, "--k", "2", "--json"]).json();
    for figure in ["k", "spans", "exposed", "excluded", "breaches", "first_trees", "exposed_to"] {
        assert_eq!(found[figure], same[figure], "{figure}");
    }
    assert_eq!(found["warnings"], same["warnings"]);
    // The file lists the smallest and the largest age.
    let private = folder.file("private.toml", policy("public").replacen("public", "private", 1));
    let warned = audit(&private);
    assert!(warned.json()["warnings"].to_string().contains("largest value of `age`"), "{}", warned.out);
    let nameless = folder.file("n.toml", policy("public").replace("class = \"ill\"\n", ""));
    let refused = audit(&nameless);
    assert!(refused.status == 2 && refused.err.contains("does not name the class"), "{}", refused.err);
    for ran in [
        incrowd(&["predict", &model, "--data", &table]),
        incrowd(&["export", &model, "--to", "json", "--out", &folder.path("out.json")]),
    ] {
        assert!(ran.status == 2 && ran.err.contains("only be audited and displayed"), "{}", ran.err);
    }
    let other = folder.file("o.csv", TABLE.replace("55,a,no", "55,a,perhaps"));
    let refused = incrowd(&["audit", &model, "--data", &other, "--policy", &public, "--k", "2"]);
    assert!(refused.status == 2 && refused.err.contains("has 3 values"), "{}", refused.err);
}

#[test]
fn ensembles_are_shown() {
    let folder = Folder::new();
    let model = folder.file("e.json", ENSEMBLE);
    let policy = folder.file("p.toml", policy("private"));
    let shown = incrowd(&["show", &model, "--policy", &policy]).out;
    for part in [
        "ensemble: 2 trees, 4 leaves; class ill: no, yes",
        "the sum of the scores is the log-odds of yes",
        "importance by role: public 94.1 %, private 5.9 %",
        "tree 1 (leaves: scores):",
        "├─ <= 30.5  → 1\n",
        "tree 2 (leaves: scores):",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let words = |start: &str| {
        let line = shown.lines().find(|line| line.trim_start().starts_with(start)).expect("a line");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words("age "), "age 94.1 % 1 1 public");
    assert_eq!(words("home "), "home 5.9 % 1 1 private");
    let json = incrowd(&["show", &model, "--json"]).json();
    assert_eq!((&json["trees"], &json["link"]), (&2.into(), &"logistic".into()));
    assert_eq!(json["first_trees"][0]["nodes"][1]["scores"], serde_json::json!([1.0]));
    let nasty = folder.file("n.json", ENSEMBLE.replace("\"home\"", "\"</text><script>\""));
    let picture = incrowd(&["show", &nasty, "--as", "svg"]);
    assert_eq!(picture.status, 0, "{}", picture.err);
    assert!(picture.out.starts_with("<svg ") && picture.out.contains("tree 2 of 2"), "{}", picture.out);
    assert!(!picture.out.contains("<script>"), "{}", picture.out);
    assert_eq!(incrowd(&["show", &model, "--as", "dot"]).status, 2);
}
