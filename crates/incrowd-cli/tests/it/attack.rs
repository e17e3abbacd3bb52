//! Random cases through the built program, held against the verifier in `verify/`, which shares nothing with it.
//!
//! `cargo xtask attack` is the long run; see `docs/attack.md`.

use crate::Folder;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs some cases of some families; any disagreement fails the test.
fn attack(families: &str, cases: u32) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verify/attack.py");
    let folder = Folder::new();
    let done = Command::new("python3")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_incrowd"))
        .args(["--families", families, "--cases", &cases.to_string(), "--keep", "1", "--jobs", "1"])
        .args(["--out", &folder.path("findings")])
        .output()
        .expect("python3 is needed for this test");
    let printed = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{printed}\n{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn hand_made_trees_and_tables_are_judged_as_by_the_verifier() {
    attack("tree,table,hostile", 150);
}

#[test]
fn hand_made_rules_and_clusters_are_judged_as_by_the_verifier() {
    attack("rules,clusters", 150);
}

#[test]
fn ensembles_are_judged_as_by_the_verifier() {
    attack("ensemble,mined-boost", 150);
}

#[test]
fn mined_trees_and_tables_pass_both_audits() {
    attack("mined-tree,mined-table", 150);
}

#[test]
fn mined_clusters_and_rules_pass_both_audits() {
    attack("mined-clusters", 150);
    attack("mined-rules", 50);
}

/// Readers who do not trust the program read the verifier instead: it has to stay short.
#[test]
fn the_verifier_has_at_most_700_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verify");
    let lines = |name: &str| fs::read_to_string(folder.join(name)).unwrap().lines().count();
    let total: usize = ["incrowd_verify.py", "inputs.py", "models.py", "spans.py"].map(lines).iter().sum();
    assert!(total <= 700, "{total} lines");
}
