//! Tables in databases: what a build without engines says, and what no command does.

use crate::{Folder, Ran, incrowd};

const POLICY: &str =
    "[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 2\n";

fn audit(folder: &Folder, address: &str) -> Ran {
    let policy = folder.file("policy.toml", POLICY);
    incrowd(&["audit", "--table", address, "--policy", &policy])
}

#[test]
fn miners_say_how_to_get_a_file() {
    let folder = Folder::new();
    let (policy, out) = (folder.file("policy.toml", POLICY), folder.path("table.csv"));
    for address in ["duckdb:a.db?table=t", "postgresql://ann@localhost/d?table=t"] {
        let ran = incrowd(&["table", "--data", address, "--policy", &policy, "--out", &out]);
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains("cannot be read for this yet") && ran.err.contains("COPY"), "{}", ran.err);
    }
}

#[cfg(not(feature = "engines"))]
#[test]
fn a_build_without_engines_says_so() {
    for ran in [audit(&Folder::new(), "duckdb:a.db?table=t"), tree(&["--data", "duckdb:a.db?table=t"])] {
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains("--features engines"), "{}", ran.err);
    }
}

/// Trains a tree whose file must not be there.
fn tree(flags: &[&str]) -> Ran {
    let folder = Folder::new();
    let (policy, out) = (folder.file("policy.toml", POLICY), folder.path("tree.json"));
    let ran = incrowd(&[&["tree", "--policy", &policy, "--out", &out], flags].concat());
    assert!(!std::path::Path::new(&out).exists());
    ran
}

#[test]
fn a_table_in_a_database_is_mined_on_its_own() {
    let ran = tree(&["--data", "duckdb:a.db?table=t", "--data", "more.csv"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("without other tables"), "{}", ran.err);
}

/// Nothing is connected to before this is known.
#[cfg(feature = "engines")]
#[test]
fn what_needs_rows_is_refused() {
    let of = |flags: &[&str]| tree(&[&["--data", "duckdb:a.db?table=t"], flags].concat());
    assert!(of(&[]).err.contains("--no-sample"), "{}", of(&[]).err);
    assert!(of(&["--report", "r.html"]).err.contains("(--report)"));
    assert!(of(&["--ledger", "l.jsonl", "--no-sample"]).err.contains("(--ledger)"));
    assert!(of(&["--no-sample"]).err.contains("no such database file"));
}

#[test]
fn passwords_in_addresses_are_not_repeated() {
    let ran = audit(&Folder::new(), "postgresql://ann:s3cret@localhost/d?table=t");
    assert_eq!(ran.status, 2);
    assert!(!ran.err.contains("s3cret") && !ran.out.contains("s3cret"), "{}", ran.err);
}

#[test]
fn a_file_named_like_an_address_is_a_file() {
    let folder = Folder::new();
    let file = folder.file("duckdb:t.csv", "age,ill\n1,yes\n1,no\n");
    let ran = audit(&folder, &file);
    assert_eq!(ran.status, 0, "{}", ran.err);
}
