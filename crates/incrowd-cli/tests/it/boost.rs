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

#[test]
fn nothing_is_written_where_k_is_more_than_everyone() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", table()), folder.file("p.toml", POLICY));
    let out = folder.path("b.json");
    let ran = incrowd(&["boost", "--data", &table, "--policy", &policy, "--out", &out, "--k", "601"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(!std::path::Path::new(&out).exists());
}
