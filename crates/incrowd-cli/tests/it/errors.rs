//! Wrong input gets an error that names the place and a way out, never a panic and never a cell of the table.

use crate::{Folder, incrowd};

const POLICY: &str = "[file]\nmissing = [\"?\"]\n[attributes.age]\nrole = \"public\"\nkind = \"numeric\"\n\
                      [attributes.ill]\nrole = \"private\"\nkind = \"numeric\"\n";

/// Audits a table and returns the error; no cell with the word `secret` may be in it.
fn error(table: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let (table, policy) = (folder.file("table.csv", table), folder.file("policy.toml", POLICY));
    let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(!ran.err.contains("secret") && !ran.err.contains("panicked"), "{}", ran.err);
    ran.err
}

fn assert_says(error: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| error.contains(part)), "{parts:?} are not all in\n{error}");
}

#[test]
fn a_broken_table_is_named_with_line_and_column() {
    assert_says(&error("age,ill\n1,2\n3\n"), &["table.csv", "line 3"]);
    assert_says(&error("age,ill\n1,2\n3,4,5\n"), &["table.csv", "line 3"]);
    assert_says(&error("age,ill\n1,2\n3,secret\n"), &["line 3", "column 2", "attribute `ill`"]);
    assert_says(&error("age,ill\n1,2\n3,\"secret\n4,5\n"), &["line 3", "quote"]);
    assert_says(&error("age,ill\n1,\"secret\"x\n"), &["line 2", "quote"]);
    assert_says(&error(b"age,ill\n1,2\n3,\xff\xfe\n"), &["line 3", "UTF-8"]);
    assert_says(&error("age\n1\n"), &["`ill`"]);
    assert_says(&error(""), &["empty"]);
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new();
    let policy = folder.file("policy.toml", POLICY);
    let audit = |table: &str, policy: &str| incrowd(&["audit", "--table", table, "--policy", policy]);
    let missing = audit(&folder.path("nowhere.csv"), &policy);
    assert_eq!(missing.status, 2);
    assert_says(&missing.err, &["nowhere.csv", "way out"]);
    let directory = audit(&folder.path(""), &policy);
    assert_eq!(directory.status, 2);
    assert_says(&directory.err, &["way out"]);
    assert_eq!(audit(&policy, &folder.path("nowhere.toml")).status, 2);
}

#[test]
fn a_wrong_policy_is_named_with_its_line() {
    let folder = Folder::new();
    let table = folder.file("table.csv", "age,ill\n1,2\n");
    let wrong = [
        (POLICY.replace("role = \"private\"", "rolle = \"private\""), "line 7"),
        (POLICY.replace("\"private\"", "\"secretive\""), "line 7"),
        (format!("{POLICY}[guarantee]\nk = 0\n"), "line 10"),
        (format!("class = \"nothing\"\n{POLICY}"), "line 1"),
        ("[attributes.age\n".to_owned(), "line 1"),
    ];
    for (text, place) in wrong {
        let policy = folder.file("policy.toml", &text);
        let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
        assert_eq!(ran.status, 2, "{text}");
        assert_says(&ran.err, &["policy.toml", place]);
    }
}

#[test]
fn a_wrong_release_is_named_with_its_place() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", "age,ill\n1,2\n"), folder.file("policy.toml", POLICY));
    for (text, part) in [
        ("{\"format\":", "line 1"),
        ("{}", "release"),
        ("[1, 2]", "release"),
        ("{\"format\":\"incrowd-release\",\"version\":99,\"family\":\"tree\"}", "version"),
    ] {
        let release = folder.file("release.json", text);
        let ran = incrowd(&["audit", &release, "--data", &table, "--policy", &policy]);
        assert_eq!(ran.status, 2, "{text}");
        assert_says(&ran.err, &["release.json", part]);
    }
}

#[test]
fn errors_are_documents_too() {
    let folder = Folder::new();
    let ran = incrowd(&["profile", &folder.path("nowhere.csv"), "--json"]);
    assert_eq!(ran.status, 2);
    assert!(ran.json()["error"]["file"].as_str().is_some_and(|file| file.ends_with("nowhere.csv")));
}
