//! Common mistakes, and messages that name them.

use crate::{Folder, incrowd};
use std::fmt::Write;

const POLICY: &str = "[file]\ndelimiter = \";\"\n[attributes]\nplz = { role = \"public\" }\n\"Bürge\" = { role = \"private\" }\n[guarantee]\nk = 1\n";

#[test]
fn names_in_another_encoding_are_called_so() {
    let folder = Folder::new();
    let data = folder.file("t.csv", b"plz;B\xFCrge\n1;ja\n2;nein\n");
    let policy = folder.file("policy.toml", POLICY);
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("not UTF-8") && ran.err.contains("save the file as UTF-8"), "{}", ran.err);
}

#[test]
fn another_delimiter_in_the_first_line_is_named() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "plz,Bürge\n1,ja\n2,nein\n");
    let policy = folder.file("policy.toml", POLICY);
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("its first line contains `,`: set `delimiter`"), "{}", ran.err);
}

#[test]
fn an_existing_release_file_is_called_that_of_the_table() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "plz;Bürge\n1;ja\n2;nein\n");
    let (policy, _) = (folder.file("policy.toml", POLICY), folder.file("o.json", "{}"));
    let ran = incrowd(&["table", "--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("the release file of the table would be written here: the file already exists"),
        "{}",
        ran.err
    );
}

#[test]
fn a_table_read_as_baskets_is_warned_about() {
    let folder = Folder::new();
    let mut table = "ward,sex,drug\n".to_owned();
    for row in 0..60_usize {
        let _ = writeln!(table, "w{},{},{}", row % 3, ["f", "m"][row % 2], ["insulin", "none"][row / 3 % 2]);
    }
    let policy = folder.file("policy.toml", "[items]\nprivate = [\"insulin\"]\n[guarantee]\nk = 2\n");
    let mine = |name: &str, text: &str| {
        let (data, out) = (folder.file(name, text), folder.path("rules.json"));
        let files = ["rules", "--data", &data, "--policy", &policy, "--out", &out, "--force"];
        let ran = incrowd(&[&files[..], &["--min-support", "0.1", "--min-confidence", "0.4"]].concat());
        assert_eq!(ran.status, 0, "{name}: {}", ran.err);
        ran.err
    };
    let err = mine("table.csv", &table);
    assert!(err.contains("the file looks like a table, but the policy describes baskets"), "{err}");
    let baskets = "milk,bread\nbread\nmilk,beer,bread\nbeer\nmilk\nbeer,milk,bread,insulin\n".repeat(5);
    assert!(!mine("baskets.csv", &baskets).contains("looks like a table"));
}

#[test]
fn ranges_of_numbers_are_given_in_words() {
    let clusters = incrowd(&["clusters", "--data", "x", "--policy", "y", "--out", "z", "--clusters", "0"]);
    assert!(
        clusters.status == 2 && clusters.err.contains("give a number from 1 to 10,000"),
        "{}",
        clusters.err
    );
    let few = incrowd(&["profile", "x", "--few", "1"]);
    assert!(few.status == 2 && few.err.contains("give 2 or more"), "{}", few.err);
}

/// A misspelled column gets the name that was probably meant, in the policy and in flags.
#[test]
fn misspelled_columns_are_answered_with_the_nearest_name() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "age,town,ill\n1,a,flu\n1,a,none\n2,b,flu\n2,b,none\n");
    let policy = |town: &str, ill: &str| {
        let roles = [("age", "public"), (town, "public"), (ill, "private")];
        let roles = roles.map(|(name, role)| format!("[attributes.{name}]\nrole = {role:?}\n")).concat();
        folder.file("policy.toml", format!("{roles}[guarantee]\nk = 2\n"))
    };
    let table = |policy: &str, flags: &[&str]| {
        let files = ["--data", &data, "--policy", policy, "--out", &folder.path("o.csv")];
        incrowd(&[&["table"], &files[..], flags].concat())
    };
    let ran = table(&policy("twon", "ill"), &[]);
    assert!(ran.status == 2 && ran.err.contains("did you mean `town`? its columns are"), "{}", ran.err);
    // A private column may be absent from a table to audit, so the name that is not in the policy is the first mistake.
    let ran = incrowd(&["audit", "--table", &data, "--policy", &policy("town", "Ill")]);
    assert!(ran.status == 2 && ran.err.contains("the policy mentions `Ill`"), "{}", ran.err);
    let right = policy("town", "ill");
    let ran = incrowd(&["audit", "--table", &data, "--policy", &right, "--without", "twon"]);
    assert!(ran.status == 2 && ran.err.contains("did you mean `town`?"), "{}", ran.err);
    let ran = table(&right, &["--distinct-l", "2", "--of", "il"]);
    assert!(ran.status == 2 && ran.err.contains("did you mean `ill`?"), "{}", ran.err);
    let clusters = ["clusters", "--data", &data, "--policy", &right, "--out", &folder.path("c.json")];
    let ran = incrowd(&[&clusters[..], &["--attributes", "agee"]].concat());
    assert!(ran.status == 2 && ran.err.contains("did you mean `age`?"), "{}", ran.err);
}
