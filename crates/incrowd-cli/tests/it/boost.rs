//! `incrowd boost`, and what can be done with its release.

use crate::{Folder, incrowd};
use std::fmt::Write;

const POLICY: &str = "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.home]\nrole = \"public\"\n\
    [attributes.dose]\nrole = \"private\"\nkind = \"numeric\"\n[attributes.ill]\nrole = \"private\"\n";

/// People whose illness depends on age, home and dose.
fn table() -> String {
    let mut text = "age,home,dose,ill\n".to_owned();
    for i in 0..600_u32 {
        let (age, home, dose) = (20 + i * 7 % 60, ["a", "b", "c"][(i % 3) as usize], i * 13 % 50);
        let ill = (age > 45 && dose > 20) || (home == "b" && dose > 35);
        let ill = ill ^ (i % 17 == 0);
        writeln!(text, "{age},{home},{dose}.5,{}", if ill { "yes" } else { "no" }).expect("text");
    }
    text
}

#[test]
fn a_release_is_audited_predicted_and_shown() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table()), folder.file("p.toml", POLICY));
    let out = folder.path("b.json");
    let mine = |out: &str, flags: &[&str]| {
        incrowd(&[&["boost", "--data", &table, "--policy", &policy, "--out", out], flags].concat())
    };
    let ran = mine(&out, &["--k", "20"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("boosted trees: k = 20 holds for all 600 individuals"), "{}", ran.out);
    let audit = ["audit", &out, "--data", &table, "--policy", &policy, "--k", "20", "--json"];
    let audit = incrowd(&audit);
    assert_eq!(audit.status, 0, "{}", audit.err);
    assert!(audit.json()["k"].as_u64().expect("k") >= 20);
    assert!(audit.json()["spans"].as_u64().expect("spans") > 1);
    let predicted = incrowd(&["predict", &out, "--data", &table, "--json"]);
    assert_eq!(predicted.status, 0, "{}", predicted.err);
    let error = predicted.json()["error"].as_f64().expect("an error");
    assert!(error < 0.12, "{error}");
    let shown = incrowd(&["show", &out]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    // The same bytes for any number of threads.
    let again = folder.path("again.json");
    assert_eq!(mine(&again, &["--k", "20", "--threads", "1"]).status, 0);
    let text = |path: &str| std::fs::read_to_string(path).expect("a release");
    assert_eq!(text(&out), text(&again));
    // Cells over an attribute that is private in another policy cannot be audited.
    let other = folder.file("other.toml", POLICY.replacen("public", "private", 1));
    let refused = incrowd(&["audit", &out, "--data", &table, "--policy", &other, "--k", "2"]);
    assert_eq!(refused.status, 2, "{}{}", refused.out, refused.err);
}

/// Rounded scores are in the release, and predict as well as they can: trees learn after the rounding of those before.
#[test]
fn scores_have_as_many_digits_as_asked_for() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table()), folder.file("p.toml", POLICY));
    let out = folder.path("b.json");
    let mine = |digits: &str| {
        let files = ["boost", "--data", &table, "--policy", &policy, "--out", &out, "--force"];
        incrowd(&[&files[..], &["--k", "20", "--digits", digits]].concat())
    };
    let ran = mine("1");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let release = std::fs::read_to_string(&out).expect("a release");
    let json: serde_json::Value = serde_json::from_str(&release).expect("JSON");
    let mut scores = Vec::new();
    listed(&json, "scores", &mut scores);
    assert!(scores.iter().any(|score| *score != 0.0), "{release}");
    let has_one_digit = |score: &f64| ((score * 10.0).round() - score * 10.0).abs() < 1e-9;
    assert!(scores.iter().all(has_one_digit), "{scores:?}");
    let predicted = incrowd(&["predict", &out, "--data", &table, "--json"]);
    assert!(predicted.json()["error"].as_f64().expect("an error") < 0.15, "{}", predicted.out);
    let refused = mine("0");
    assert!(refused.status == 2 && refused.err.contains("1 to 9 digits"), "{}", refused.err);
}

/// Leaves that only vote: all scores of a release have one size, which is the learning rate that was chosen.
#[test]
fn leaves_can_state_votes_alone() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table()), folder.file("p.toml", POLICY));
    let out = folder.path("b.json");
    let mine = |flags: &[&str]| {
        let files = ["boost", "--data", &table, "--policy", &policy, "--out", &out, "--force", "--k", "20"];
        incrowd(&[&files[..], flags].concat())
    };
    let ran = mine(&["--detail", "labels", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let (leaves, rate) = (ran.json()["max_leaves"].as_u64(), ran.json()["learning_rate"].as_f64());
    assert!(matches!(leaves, Some(8 | 15 | 31)), "{}", ran.out);
    assert_eq!(ran.json()["detail"], "labels");
    let release: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&out).expect("a release")).expect("JSON");
    let mut scores = Vec::new();
    listed(&release, "scores", &mut scores);
    let votes: Vec<f64> = scores.into_iter().filter(|score| *score != 0.0).collect();
    let rate = rate.expect("a rate");
    assert!(!votes.is_empty() && votes.iter().all(|vote| (vote.abs() - rate).abs() < 1e-12), "{votes:?}");
    let audit = incrowd(&["audit", &out, "--data", &table, "--policy", &policy, "--k", "20"]);
    assert_eq!(audit.status, 0, "{}", audit.err);
    let predicted = incrowd(&["predict", &out, "--data", &table, "--json"]);
    assert!(predicted.json()["error"].as_f64().expect("an error") < 0.15, "{}", predicted.out);
    let refused = mine(&["--detail", "labels", "--digits", "2"]);
    assert!(
        refused.status == 2 && refused.err.contains("--digits applies to scores only"),
        "{}",
        refused.err
    );
    let given = mine(&["--leaves", "9", "--learning-rate", "0.3", "--json"]);
    assert_eq!((&given.json()["max_leaves"], &given.json()["learning_rate"]), (&9.into(), &0.3.into()));
    let shown = mine(&[]);
    assert!(shown.out.contains(" leaves per tree, a share of features of 0."), "{}", shown.out);
}

/// All numbers under a key, wherever it is.
fn listed(json: &serde_json::Value, key: &str, into: &mut Vec<f64>) {
    match json {
        serde_json::Value::Object(fields) => fields.iter().for_each(|(name, own)| {
            if name == key {
                numbers(own, into);
            } else {
                listed(own, key, into);
            }
        }),
        serde_json::Value::Array(all) => all.iter().for_each(|own| listed(own, key, into)),
        _ => {}
    }
}

fn numbers(json: &serde_json::Value, into: &mut Vec<f64>) {
    match json {
        serde_json::Value::Array(all) => all.iter().for_each(|own| numbers(own, into)),
        other => into.extend(other.as_f64()),
    }
}

#[test]
fn nothing_is_written_where_k_is_more_than_everyone() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table()), folder.file("p.toml", POLICY));
    let out = folder.path("b.json");
    let ran = incrowd(&["boost", "--data", &table, "--policy", &policy, "--out", &out, "--k", "601"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(!std::path::Path::new(&out).exists());
}

/// An ensemble that predicts the same class for every row has learned nothing, and the owner is told so.
#[test]
fn an_ensemble_without_tests_is_warned_about() {
    let folder = Folder::new();
    let mut text = "age,home,dose,ill\n".to_owned();
    for i in 0..90_u32 {
        writeln!(text, "40,a,1.5,{}", if i % 3 == 0 { "yes" } else { "no" }).expect("text");
    }
    let (data, policy) = (folder.file("t.csv", text), folder.file("p.toml", POLICY));
    let boost = |data: &str, out: &str| {
        let out = folder.path(out);
        let ran = incrowd(&["boost", "--data", data, "--policy", &policy, "--out", &out, "--k", "20"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran
    };
    let ran = boost(&data, "b.json");
    assert!(ran.err.contains("it predicts the same class for every row"), "{}", ran.err);
    let error = "33.3 % of the training rows (33.3 % if the most frequent class is always predicted)";
    assert!(ran.out.contains(error), "{}", ran.out);
    let learned = boost(&folder.file("learned.csv", table()), "learned.json");
    assert!(!learned.err.contains("the same class for every row"), "{}", learned.err);
}

/// Without k, groups may be of any size: the owner is told how small they are.
#[test]
fn a_policy_without_k_is_warned_about() {
    let folder = Folder::new();
    let data = folder.file("t.csv", table());
    let policy = folder.file("p.toml", format!("{POLICY}[guarantee]\nconfidence = 0.95\n"));
    let tree = |out: &str, flags: &[&str]| {
        let out = folder.path(out);
        incrowd(&[&["tree", "--data", &data, "--policy", &policy, "--out", &out], flags].concat())
    };
    let ran = tree("t.json", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("no k is required; the smallest group has "), "{}", ran.err);
    let with_k = tree("k.json", &["--k", "5"]);
    assert_eq!(with_k.status, 0, "{}", with_k.err);
    assert!(!with_k.err.contains("no k is required"), "{}", with_k.err);
}
