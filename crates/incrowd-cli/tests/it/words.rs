//! What a first-time user reads: figures marked as bounds, warnings with help, messages without parser jargon.

use crate::{Folder, Ran, incrowd};
use std::fmt::Write;

/// Encounters of patients who have one to four rows each, none or few of them with the same groups in all rows.
fn encounters() -> (Folder, String, String) {
    let mut text = "patient,age,ward,result,stay\n".to_owned();
    for row in 0..240_usize {
        // Patients have 1, 2, 3 or 4 rows; the last one has 5.
        let patient = if row >= 235 { 999 } else { row - row % (1 + row / 60) };
        let result = ["good", "poor", "none"][row * 7 % 3];
        let _ =
            writeln!(text, "p{patient},{},{},{result},{}", 20 + 10 * (row * 13 % 5), row * 11 % 4, row % 6);
    }
    let folder = Folder::new();
    let data = folder.file("encounters.csv", text);
    let policy = folder.file(
        "policy.toml",
        "class = \"result\"\nsubject = \"patient\"\n[attributes]\nage = { role = \"public\", taxonomy = { round = {} } }\n\
         ward = { role = \"public\", kind = \"categorical\" }\nresult = { role = \"private\" }\n\
         stay = { role = \"private\" }\n[guarantee]\nk = 5\n",
    );
    (folder, data, policy)
}

fn made(command: &str, data: &str, policy: &str, out: &str, more: &[&str]) -> Ran {
    incrowd(&[&[command, "--data", data, "--policy", policy, "--out", out, "--force"], more].concat())
}

#[test]
fn upper_bounds_are_called_so_and_explained_everywhere() {
    let (folder, data, policy) = encounters();
    for (command, out, more) in
        [("table", "t.csv", ["--method", "mondrian"]), ("tree", "t.json", ["--method", "kadet-id3"])]
    {
        let out = folder.path(out);
        let said = made(command, &data, &policy, &out, &more);
        assert_eq!(said.status, 0, "{}", said.err);
        assert!(
            said.out.contains("  at most ") && said.out.contains("individuals have several rows"),
            "{}",
            said.out
        );
        assert!(said.out.contains("an upper bound (the true number may be 0), because"), "{}", said.out);
        assert!(!said.out.contains("larger groups"), "one group cannot get fewer: {}", said.out);
        assert!(said.out.contains("prevents this"), "one individual has five rows: {}", said.out);
        let found = made(command, &data, &policy, &out, &[&more[..], &["--json"]].concat()).json();
        assert_eq!(found["at_most"], true, "{found}");
        assert!(found["alone_over_rows"].as_u64().is_some_and(|alone| alone > 0), "{found}");
        let release = std::fs::read_to_string(folder.path("t.json")).unwrap();
        let release: serde_json::Value = serde_json::from_str(&release).unwrap();
        assert_eq!(release["measured"]["at_most"], true, "{command}");
        let data = ["--data", &data];
        let data: &[&str] = if command == "table" { &[] } else { &data };
        let audited = incrowd(&[&["audit", &folder.path("t.json"), "--policy", &policy], data].concat());
        assert_eq!(audited.status, 0, "{}", audited.err);
        assert!(audited.out.contains("individuals have several rows"), "{}", audited.out);
    }
    let shown = incrowd(&["show", &folder.path("t.json")]);
    assert!(shown.out.contains("each counts once for every leaf and class value they have"), "{}", shown.out);
    let predicted = incrowd(&["predict", &folder.path("t.json"), "--data", &data, "--policy", &policy]);
    assert!(
        predicted.out.contains("an individual counts once for each class value they have there"),
        "{}",
        predicted.out
    );
    let report = folder.path("report");
    let flags = ["compare", "--data", &data, "--policy", &policy, "--out", &report, "--k", "5", "--cv", "2"];
    let compared = incrowd(&[&flags[..], &["--methods", "mondrian", "--inducers", "naive-bayes"]].concat());
    assert!(compared.status == 0, "{}{}", compared.out, compared.err);
    let releases = std::fs::read_dir(&report).unwrap().map(|entry| entry.unwrap().path());
    let text: String = releases.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    // No individual is exposed, which needs no bound; the files still state what the figure is.
    assert!(text.contains("\"at_most\""), "the files say so");
}

#[test]
fn where_every_individual_has_one_row_figures_are_exact() {
    let folder = Folder::new();
    let rows: String = (0..60).map(|row| format!("{},{}\n", row % 3, ["a", "b"][row % 2])).collect();
    let data = folder.file("t.csv", format!("age,ill\n{rows}"));
    let policy = "class = \"ill\"\n[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 5\n";
    let policy = folder.file("policy.toml", policy);
    let said = made("tree", &data, &policy, &folder.path("tree.json"), &["--json"]).json();
    assert_eq!(said["at_most"], false, "{said}");
    assert!(said.get("alone_over_rows").is_none(), "{said}");
    // Releases of before have no such figure.
    let release = std::fs::read_to_string(folder.path("tree.json")).unwrap();
    let mut release: serde_json::Value = serde_json::from_str(&release).unwrap();
    release["measured"].as_object_mut().unwrap().remove("at_most").expect("stated now");
    let before = folder.file("before.json", release.to_string());
    assert_eq!(incrowd(&["audit", &before, "--data", &data, "--policy", &policy]).status, 0);
}

#[test]
fn the_strict_reading_says_why_nothing_can_meet_it() {
    let (folder, data, policy) = encounters();
    let strict = ["--several-rows", "strict"];
    let refused = made("tree", &data, &policy, &folder.path("t.json"), &strict);
    assert_eq!(refused.status, 1, "{}", refused.out);
    for words in [
        "no release hides how many rows an individual has",
        " a number of rows that no other individual has",
        "the largest k possible for this table is 1",
        "for k = 5, keep at most 4 rows of each individual (1 individual has more), or",
    ] {
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
    }
}

#[test]
fn rare_values_of_a_table_are_in_its_report() {
    let folder = Folder::new();
    let rows: String =
        (0..60).map(|row| format!("{},{}\n", row % 3, if row == 7 { "x" } else { "y" })).collect();
    let data = folder.file("t.csv", format!("age,ill\n{rows}"));
    let policy = "class = \"ill\"\n[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 5\n";
    let policy = folder.file("policy.toml", policy);
    let out = folder.path("released.csv");
    let said = made("table", &data, &policy, &out, &["--method", "mondrian"]);
    assert!(said.out.contains("rare values  1 private value in the release"), "{}{}", said.out, said.err);
    assert_eq!(
        made("table", &data, &policy, &out, &["--method", "mondrian", "--json"]).json()["rare_values"],
        1
    );
}

#[test]
fn a_table_that_says_nothing_comes_with_a_warning() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|row| format!("{row},{}\n", ["a", "b"][row % 2])).collect();
    let data = folder.file("t.csv", format!("age,ill\n{rows}"));
    let policy = "class = \"ill\"\n[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 40\n";
    let policy = folder.file("policy.toml", policy);
    let said = made("table", &data, &policy, &folder.path("released.csv"), &[]);
    assert_eq!(said.status, 0, "the guarantee holds: {}", said.err);
    assert!(said.err.contains("warning: the table contains no public information"), "{}", said.err);
    assert!(said.err.contains("a smaller k"), "{}", said.err);
}

#[test]
fn confidence_is_not_measured_where_nothing_is_told() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|row| format!("{},{}\n", row % 2 * 50, 20 + row % 2)).collect();
    let data = folder.file("t.csv", format!("age,income\n{rows}"));
    let policy = "[attributes]\nage = { role = \"public\", kind = \"numeric\" }\nincome = { role = \"private\", kind = \"numeric\" }\n[guarantee]\nk = 5\n";
    let policy = folder.file("policy.toml", policy);
    let out = folder.path("clusters.json");
    let mined = made("clusters", &data, &policy, &out, &["--attributes", "age"]);
    let audited = incrowd(&["audit", &out, "--data", &data, "--policy", &policy]);
    for said in [mined, audited] {
        assert_eq!(said.status, 0, "{}", said.err);
        assert!(said.out.contains("confidence") && !said.out.contains("0.0 % in a value"), "{}", said.out);
        assert!(said.out.contains("smallest bin"), "{}", said.out);
    }
}

#[test]
fn messages_have_no_words_of_parsers() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "name,age,ill\nx,1,a\ny,2,b\n");
    let policy = "class = \"ill\"\n[attributes]\nname = { role = \"identifier\" }\nage = { role = \"public\" }\nill = { role = \"private\" }\n";
    let policy = folder.file("policy.toml", policy);
    let out = folder.path("o.json");
    let no_number = made("tree", &data, &policy, &out, &["--k", "ten"]);
    assert!(no_number.status == 2 && no_number.err.contains("give a whole number"), "{}", no_number.err);
    let no_share = made("tree", &data, &policy, &out, &["--confidence", "high"]);
    assert!(no_share.status == 2 && no_share.err.contains("give a number"), "{}", no_share.err);
    let table = incrowd(&["show", &data]);
    assert!(table.status == 2 && table.err.contains("but not a table"), "{}", table.err);
    assert_eq!(made("table", &data, &policy, &folder.path("r.csv"), &["--k", "2"]).status, 0);
    let sidecar = incrowd(&["show", &folder.path("r.json")]);
    assert!(sidecar.status == 0 && sidecar.out.contains("group"), "{}{}", sidecar.out, sidecar.err);
    let identifier = made("clusters", &data, &policy, &out, &["--k", "1", "--attributes", "name"]);
    assert!(identifier.status == 2 && identifier.err.contains("an identifier"), "{}", identifier.err);
    let release = std::fs::read_to_string(folder.path("r.json")).unwrap();
    let changed = folder.file("c.json", release.replacen("\"categorical\"", "\"verbal\"", 1));
    let kind = incrowd(&["audit", &changed, "--policy", &policy]);
    assert!(
        kind.status == 2 && !kind.err.contains("variant") && !kind.err.contains("verbal"),
        "{}",
        kind.err
    );
}

#[test]
fn predicting_without_a_policy_names_the_flags_that_help() {
    let folder = Folder::new();
    let rows: String = (0..60).map(|row| format!("{},{}\n", row, if row < 30 { "a" } else { "b" })).collect();
    let data = folder.file("t.csv", format!("age,ill\n{rows}"));
    let policy = "class = \"ill\"\n[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 5\n";
    let policy = folder.file("policy.toml", policy);
    let tree = folder.path("tree.json");
    assert_eq!(made("tree", &data, &policy, &tree, &[]).status, 0);
    let other = folder.file("other.csv", "age,ill\n12,a\n-,b\n");
    let refused = incrowd(&["predict", &tree, "--data", &other]);
    assert!(refused.status == 2 && refused.err.contains("--missing MARK"), "{}", refused.err);
    assert_eq!(incrowd(&["predict", &tree, "--data", &other, "--missing=-"]).status, 0);
}

#[test]
fn parquet_under_a_policy_for_text_is_named() {
    let folder = Folder::new();
    let data = folder.file("t.parquet", [b"PAR1".as_slice(), &[21, 4, 21, 250, 0, 1, 2, 3]].concat());
    let policy = "[file]\nformat = \"csv\"\n[attributes]\nage = { role = \"public\" }\n[guarantee]\nk = 5\n";
    let policy = folder.file("policy.toml", policy);
    let refused = incrowd(&["audit", "--table", &data, "--policy", &policy]);
    assert!(refused.status == 2 && refused.err.contains("the file is Parquet"), "{}", refused.err);
}

/// `of = "class"` without a class means every private attribute.
#[test]
fn the_scope_class_needs_no_class() {
    let folder = Folder::new();
    let data = folder.file("t.csv", "age,ill\n1,a\n1,b\n1,a\n1,b\n");
    let policy = "[attributes]\nage = { role = \"public\" }\nill = { role = \"private\" }\n[guarantee]\nk = 2\nconfidence = 0.5\nof = \"class\"\n";
    let policy = folder.file("policy.toml", policy);
    let audited = incrowd(&["audit", "--table", &data, "--policy", &policy]);
    assert!(
        audited.status == 0 && audited.out.contains("confidence <= 0.5 of ill"),
        "{}{}",
        audited.out,
        audited.err
    );
    let flagged = incrowd(&["audit", "--table", &data, "--policy", &policy, "--of", "class"]);
    assert_eq!(flagged.status, 0, "{}", flagged.err);
}
