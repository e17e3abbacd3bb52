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
    let (policy, out) = (folder.file("policy.toml", POLICY), folder.path("tree.json"));
    for address in ["duckdb:a.db?table=t", "postgresql://ann@localhost/d?table=t"] {
        let ran = incrowd(&["tree", "--data", address, "--policy", &policy, "--out", &out]);
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains("cannot be read for this yet") && ran.err.contains("COPY"), "{}", ran.err);
    }
}

#[cfg(not(feature = "engines"))]
#[test]
fn a_build_without_engines_says_so() {
    let ran = audit(&Folder::new(), "duckdb:a.db?table=t");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--features engines"), "{}", ran.err);
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
