//! Warnings about private values that defeat what a guarantee is for. They name attributes, never values.

use crate::{Folder, incrowd};
use std::fmt::Write;

/// A table in which a disease is spelled in two ways, with salaries that nobody shares.
fn files(folder: &Folder, guarantee: &str) -> [String; 2] {
    let mut rows = "age,disease,salary\n".to_owned();
    for row in 0..40 {
        let disease = if row % 2 == 0 { "Flu" } else { "flu " };
        writeln!(rows, "{},\"{disease}\",{}", 30 + row % 2, 50_001 + 7 * row).unwrap();
    }
    let policy = format!(
        "class = \"disease\"\n[attributes]\nage = {{ role = \"public\", kind = \"numeric\" }}\n\
         disease = {{ role = \"private\" }}\n\
         salary = {{ role = \"private\", kind = \"numeric\", range = [0, 100000] }}\n[guarantee]\n{guarantee}\n"
    );
    [folder.file("d.csv", rows), folder.file("policy.toml", policy)]
}

#[test]
fn values_that_differ_in_spelling_are_warned_about() {
    const WORDS: &str = "some values of `disease` differ only in case or in spaces around them";
    let folder = Folder::new();
    let [data, policy] = files(&folder, "k = 5\ndistinct-l = 2");
    let out = folder.path("o.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    assert_eq!(made.status, 0, "{}", made.err);
    assert!(made.err.contains(WORDS) && !made.err.contains("Flu"), "{}", made.err);
    let audited = incrowd(&["audit", "--table", &out, "--policy", &policy]);
    assert!(audited.err.contains(WORDS), "{}", audited.err);
    // Nothing that depends on values is required.
    let [data, policy] = files(&folder, "k = 5");
    let made = incrowd(&[
        "table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out, "--force",
    ]);
    assert!(!made.err.contains(WORDS), "{}", made.err);
    let profiled = incrowd(&["profile", &data]);
    assert!(profiled.out.contains("some values differ only in case or in blanks"), "{}", profiled.out);
}

#[test]
fn rare_numbers_of_a_declared_range_are_warned_about() {
    let folder = Folder::new();
    let [data, policy] = files(&folder, "k = 5");
    let out = folder.path("o.csv");
    let made =
        incrowd(&["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out]);
    let words = "the release shows 40 rare private numbers (fewer than 5 individuals each): salary (40)";
    assert!(made.status == 0 && made.err.contains(words), "{}", made.err);
    let audited = incrowd(&["audit", "--table", &out, "--policy", &policy, "--json"]);
    assert_eq!(audited.json()["rare_values"], 0, "{}", audited.out);
    assert!(!audited.out.contains("50008") && audited.out.contains("salary (40)"), "{}", audited.out);
}
