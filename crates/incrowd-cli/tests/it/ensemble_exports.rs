//! Exported ensembles give incrowd's predictions, each checked by a program that reads its language.

use crate::exports::{Trial, python};
use crate::{Folder, adult_policy, data, grow, incrowd};
use incrowd_testkit::ADULT;

const PRIVATE: [&str; 4] = ["relationship", "capital-gain", "capital-loss", "hours-per-week"];

/// The policy for a class, with private attributes.
fn policy(class: &str) -> String {
    let is_public = |name: &&str| *name != class && !PRIVATE.contains(name) && *name != "class";
    let public: Vec<&str> = ADULT.into_iter().filter(is_public).collect();
    let mut text = adult_policy(&public, "").replacen("class = \"class\"", &format!("class = {class:?}"), 1);
    for name in PRIVATE.into_iter().chain([class]) {
        let role = |role: &str| format!("[attributes.{name}]\nrole = {role:?}\n");
        text = text.replace(&role("ignored"), &role("private"));
    }
    text
}

/// A release of boosted trees.
fn boosted(folder: &Folder, class: &str, flags: &[&str]) -> Option<String> {
    let train = data("adult/adult.data")?;
    let (policy, out) = (folder.file("policy.toml", policy(class)), folder.path("boosted.json"));
    let files = ["boost", "--data", &train, "--policy", &policy, "--out", &out, "--force"];
    let ran = incrowd(&[&files, flags].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    Some(std::fs::read_to_string(out).unwrap())
}

/// All test rows of Adult, those with missing values too, and some with a value no tree knows.
#[test]
fn boosted_trees_on_adult() {
    let (Some(python), Some(test)) = (python(), data("adult/adult.test")) else { return };
    let folder = Folder::new();
    let text = std::fs::read_to_string(test).unwrap().replace("Widowed", "Unheard-of");
    let test = folder.file("adult.test", text);
    let rows = |class: &str| grow::table(&test, &policy(class).replace("\"drop\"", "\"keep\""));
    let with_cells = ["--k", "50", "--rounds", "40"];
    let Some(release) = boosted(&folder, "class", &with_cells) else { return };
    assert!(release.contains("\"cells\""));
    let table = rows("class");
    assert_eq!(table.rows(), 16281);
    let trial = Trial::new(&folder, &table);
    trial.check_ensemble(&python, &release, "class");
    let mean = release.replace("\"combination\": \"sum\"", "\"combination\": \"mean\"");
    assert_ne!(mean, release);
    trial.check_ensemble(&python, &mean, "class");
    // Many class values, and cells whose numbers are tested.
    let Some(release) = boosted(&folder, "occupation", &["--k", "500", "--rounds", "5"]) else { return };
    let table = rows("occupation");
    Trial::new(&folder, &table).check_ensemble(&python, &release, "occupation");
}

/// Trees whose leaves have the shares of all class values, which are averaged; rows that all values are known of.
const FOREST: &str = r#"{"format": "tree-ensemble", "version": 1, "class": {"name": "class", "values": ["<=50K", ">50K", "?"]},
 "columns": [{"name": "age"}, {"name": "sex", "codes": ["Female", "Male"]}],
 "precision": "single", "combination": "mean", "link": "identity", "base": [0.0, 0.0, 0.0], "ties": "last",
 "trees": [
  {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -2, -2], "threshold": [40.5, 0, 0],
   "scores": [[], [0.75, 0.25, 0.0], [0.25, 0.5, 0.25]]},
  {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -2, -2], "threshold": [0.5, 0, 0],
   "scores": [[], [0.5, 0.25, 0.25], [0.25, 0.75, 0.0]]}]}"#;

#[test]
fn a_forest_made_elsewhere() {
    let (Some(python), Some(test)) = (python(), data("adult/adult.test")) else { return };
    let folder = Folder::new();
    let table = grow::table(&test, &adult_policy(&["age", "sex"], ""));
    Trial::new(&folder, &table).check_ensemble(&python, FOREST, "class");
}

/// What no test has a branch for is not predicted, in no language.
#[test]
fn rows_that_stop() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let model = folder.file("forest.json", FOREST);
    for (language, file) in [("onnx", "forest.onnx"), ("pmml", "forest.pmml"), ("python", "forest.py")] {
        let out = folder.path(file);
        let ran = incrowd(&["export", &model, "--to", language, "--out", &out]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let ran = std::process::Command::new(python)
        .args(["-X", "utf8", "-c", include_str!("stopped.py")])
        .args(["forest.onnx", "forest.pmml", "forest.py"].map(|file| folder.path(file)))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    match ran.status.code() {
        Some(0) => {}
        Some(3) => _ = incrowd_testkit::needed(None::<()>, &format!("what reads exports: {}", said.trim())),
        _ => panic!("{said}"),
    }
}

#[test]
fn sql_cannot_say_an_ensemble() {
    let folder = Folder::new();
    let model = folder.file("forest.json", FOREST);
    let ran = incrowd(&["export", &model, "--to", "sql"]);
    assert!(ran.status == 2 && ran.err.contains("help:"), "{}", ran.err);
}
