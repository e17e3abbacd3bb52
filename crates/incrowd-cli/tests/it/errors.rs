//! Wrong input causes an error with a place and help, never a panic and never a cell of the table.

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
    assert_says(&error("ill\n1\n"), &["`age`"]);
    assert_says(&error(""), &["empty"]);
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new();
    let policy = folder.file("policy.toml", POLICY);
    let audit = |table: &str, policy: &str| incrowd(&["audit", "--table", table, "--policy", policy]);
    let missing = audit(&folder.path("nowhere.csv"), &policy);
    assert_eq!(missing.status, 2);
    assert_says(&missing.err, &["nowhere.csv", "help:"]);
    let directory = audit(&folder.path(""), &policy);
    assert_eq!(directory.status, 2);
    assert_says(&directory.err, &["help:"]);
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

/// Wrong input of `incrowd tree` and of commands that use trees causes an error with help, and no file.
#[test]
fn wrong_input_for_trees_has_a_way_out() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "age,ill\n1,no\n2,yes\n3,no\n4,yes\n");
    let named = POLICY.replace("private\"\nkind = \"numeric\"", "private\"");
    let good = folder.file("p.toml", format!("class = \"ill\"\n{named}"));
    let out = folder.path("o.json");
    let wrong_table = |name: &str, text: &str| folder.file(name, text);
    let cases: Vec<(Vec<String>, &[&str])> = vec![
        (tree(&table, &folder.path("none.toml"), &out, &[]), &["none.toml", "incrowd profile"]),
        (tree(&table, &folder.path(""), &out, &[]), &["folder"]),
        (tree(&table, &folder.file("s.toml", "class = \"ill\n"), &out, &[]), &["s.toml, line 1", "TOML"]),
        (tree(&table, &folder.file("n.toml", &named), &out, &["--k", "2"]), &["class"]),
        (tree(&folder.path("none.csv"), &good, &out, &["--k", "2"]), &["none.csv"]),
        (tree(&wrong_table("empty.csv", ""), &good, &out, &["--k", "2"]), &["empty.csv", "empty"]),
        (tree(&wrong_table("head.csv", "age,ill\n"), &good, &out, &["--k", "2"]), &["head.csv", "no rows"]),
        (
            tree(&wrong_table("one.csv", "age,ill\n1,no\n"), &good, &out, &["--k", "2"]),
            &["one.csv", "same value"],
        ),
        (tree(&table, &good, &out, &[]), &["no guarantee"]),
        (tree(&table, &good, &out, &["--k", "0"]), &["--k", "at least 1"]),
        (tree(&table, &good, &out, &["--k", "2", "--confidence", "2"]), &["--confidence"]),
        (tree(&table, &good, &out, &["--k", "2", "--threads", "100000000"]), &["threads"]),
        (
            tree(&folder.path("none.csv"), &good, &folder.path("no/o.json"), &["--k", "2"]),
            &["no/o.json", "folder"],
        ),
        (tree(&table, &good, &out, &["--k", "2", "--digits", "1"]), &["--detail shares"]),
    ];
    for (arguments, says) in cases {
        let ran = incrowd(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.out);
        assert_says(&ran.err, &[says, &["help:"]].concat());
        assert!(
            !ran.err.contains("panicked") && !folder.names().contains(&"o.json".to_owned()),
            "{}",
            ran.err
        );
    }
    for flags in [["--k", "-1"], ["--max-leaves", "0"], ["--digits", "10"]] {
        let arguments = tree(&table, &good, &out, &flags);
        let ran = incrowd(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.status, 2);
        assert_says(&ran.err, &["invalid value", flags[0]]);
    }
}

fn tree(table: &str, policy: &str, out: &str, flags: &[&str]) -> Vec<String> {
    let all = [&["tree", "--data", table, "--policy", policy, "--out", out], flags].concat();
    all.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_deeply_nested_release_is_refused_in_words() {
    let folder = Folder::new();
    let nested = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let head = "\"format\": \"incrowd-release\", \"version\": 1, \"family\": \"tree\"";
    let deep = format!("{{{head}, \"parameters\": {nested}}}");
    let release = folder.file("deep.json", deep);
    for command in [&["show"][..], &["export", "--to", "sql"], &["predict", "--data", "none.csv"]] {
        let ran = incrowd(&[command, &[&release]].concat());
        assert_eq!(ran.status, 2);
        assert_says(&ran.err, &["deep.json", "nested deeper", "help:"]);
    }
}
