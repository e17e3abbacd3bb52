//! Small tables with missing values, sets of attackers and several rows per individual, released and audited.

use crate::{Folder, incrowd};

const KEEP: &str = "[file]\nmissing = [\"NA\"]\nmissing-rows = \"keep\"\n";

/// Makes a table and audits it as a table of any origin; what its file contains.
fn released(policy: &str, rows: &str, flags: &[&str]) -> (Folder, String) {
    let folder = Folder::new();
    let (data, policy) = (folder.file("d.csv", rows), folder.file("policy.toml", policy));
    let out = folder.path("o.csv");
    let ran = incrowd(&[&["table", "--data", &data, "--policy", &policy, "--out", &out], flags].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&out).unwrap();
    if !policy_has_subject(&policy) {
        let ran = incrowd(&["audit", "--table", &out, "--policy", &policy]);
        assert_eq!(ran.status, 0, "{}{text}", ran.err);
    }
    (folder, text)
}

fn policy_has_subject(path: &str) -> bool {
    std::fs::read_to_string(path).unwrap().contains("subject")
}

#[test]
fn closing_a_table_ends_with_several_sets_of_attackers() {
    let policy = format!(
        "class = \"cls\"\nsets = [[\"d0\", \"a\"], [\"a\", \"c\"]]\n{KEEP}[attributes]\n\
         d0 = {{ role = \"public\", kind = \"date\" }}\na = {{ role = \"public\", kind = \"numeric\" }}\n\
         c = {{ role = \"public\" }}\ncls = {{ role = \"private\" }}\n[guarantee]\nk = 3\n"
    );
    let rows = "d0,a,c,cls\n1583-02-11,24,u,n\n1582-10-07,43,NA,n\n1582-10-30,31,NA,n\n1583-02-11,43,u,n\n\
                1582-10-16,14,u,n\n1582-10-07,26,NA,n\n1582-10-07,5,v,y\n";
    for flag in ["--representatives", "--closed"] {
        released(&policy, rows, &["--method", "tdr", flag]);
    }
}

#[test]
fn a_single_date_beside_missing_ones_is_read_back() {
    let policy = format!(
        "class = \"cls\"\n{KEEP}[attributes]\n\
         d = {{ role = \"public\", kind = \"date\", range = [\"2019-01-01\", \"2021-12-31\"] }}\n\
         cls = {{ role = \"private\" }}\n[guarantee]\nk = 3\n"
    );
    let rows = "d,cls\n2020-01-01,y\n2020-01-01,n\nNA,y\n";
    for method in ["mondrian", "finest"] {
        let (_, text) = released(&policy, rows, &["--method", method]);
        assert!(text.contains("[2020-01-01, 2020-01-01] or ?"), "{text}");
    }
}

#[test]
fn a_group_of_missing_values_shows_no_interval() {
    for (kind, low, high) in [("date", "1999-12-30", "2000-01-01"), ("numeric", "5", "7")] {
        let policy = format!(
            "class = \"cls\"\n{KEEP}[attributes]\nd = {{ role = \"public\", kind = \"{kind}\" }}\n\
             cls = {{ role = \"private\" }}\n[guarantee]\nk = 1\n"
        );
        let rows =
            format!("d,cls\n{}{}NA,y\n", format!("{high},n\n").repeat(20), format!("{low},y\n").repeat(20));
        let (_, text) = released(&policy, &rows, &["--method", "effects"]);
        let empty = ["[2000-01-01, 1999-12-31]", "(6, 6]"];
        assert!(!empty.iter().any(|cell| text.contains(cell)), "{text}");
    }
}

/// Missing dates go to a branch in which the tests leave no day.
#[test]
fn a_group_of_missing_dates_alone_shows_a_missing_value() {
    let policy = format!(
        "class = \"cls\"\n{KEEP}[attributes]\nd = {{ role = \"public\", kind = \"date\" }}\nx = {{ role = \"public\" }}\n\
         cls = {{ role = \"private\" }}\n[guarantee]\nk = 2\n"
    );
    let counts = [
        ("NA,u,y", 8),
        ("NA,v,y", 3),
        ("2020-01-01,u,n", 3),
        ("2020-01-01,u,y", 1),
        ("2020-01-01,v,n", 4),
        ("2020-01-01,v,y", 1),
        ("2020-01-02,u,n", 1),
        ("2020-01-02,u,y", 1),
        ("2020-01-02,v,n", 2),
        ("2020-01-02,v,y", 2),
        ("2020-01-03,u,n", 3),
        ("2020-01-03,u,y", 1),
        ("2020-01-03,v,y", 1),
        ("2020-01-04,u,n", 7),
        ("2020-01-04,u,y", 1),
        ("2020-01-04,v,n", 1),
    ];
    let rows: String = counts.iter().map(|(row, count)| format!("{row}\n").repeat(*count)).collect();
    let (_, text) = released(&policy, &format!("d,x,cls\n{rows}"), &["--method", "effects"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("?,")).count(), 11, "{text}");
}

#[test]
fn a_constant_date_that_is_not_shown_is_lost() {
    let folder = Folder::new();
    let policy = "class = \"cls\"\n[attributes]\nd = { role = \"public\", kind = \"date\" }\n\
                  cls = { role = \"private\" }\n[guarantee]\nk = 2\n";
    let (data, policy) = (
        folder.file("d.csv", "d,cls\n2020-01-01,y\n2020-01-01,n\n2020-01-01,n\n"),
        folder.file("policy.toml", policy),
    );
    let files = ["--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")];
    let ran = incrowd(&[&["table", "--method", "tds", "--measures"], &files[..]].concat());
    assert!(std::fs::read_to_string(folder.path("o.csv")).unwrap().contains("*,n"), "{}", ran.err);
    assert!(ran.out.contains("1.000 per public cell"), "{}", ran.out);
}

/// A missing cell may hide a number that the attacker knows, so that a dependency on it cannot be checked.
#[test]
fn missing_numbers_that_private_values_depend_on_are_named() {
    let folder = Folder::new();
    let policy = "class = \"cls\"\n[file]\nmissing = []\nmissing-rows = \"keep\"\n[attributes]\n\
                  n = { role = \"public\", kind = \"numeric\" }\np = { role = \"private\" }\ncls = { role = \"private\" }\n\
                  [[dependencies]]\nfrom = [\"p\"]\nto = \"n\"\n[guarantee]\nk = 2\n";
    let rows = "n,p,cls\n1,a,y\n1,a,n\n,b,y\n,b,n\n2,c,y\n2,c,n\n";
    let (data, policy) = (folder.file("d.csv", rows), folder.file("policy.toml", policy));
    let files = ["--data", &data, "--policy", &policy, "--out", &folder.path("o.csv")];
    let ran = incrowd(&[&["table", "--method", "mondrian"], &files[..]].concat());
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("`n`") && ran.err.contains("some cells of which are missing"), "{}", ran.err);
}

#[test]
fn a_mean_is_taken_over_individuals() {
    let policy = format!(
        "class = \"cls\"\nsubject = \"who\"\n{KEEP}[attributes]\nn = {{ role = \"public\", kind = \"numeric\" }}\n\
         cls = {{ role = \"private\" }}\n[guarantee]\nk = 2\n"
    );
    let rows = "who,n,cls\ns1,5,y\ns1,7,n\ns2,NA,y\n";
    let (folder, _) = released(&policy, rows, &["--method", "mondrian", "--representatives"]);
    let release = std::fs::read_to_string(folder.path("o.json")).unwrap();
    let release: serde_json::Value = serde_json::from_str(&release).unwrap();
    assert_eq!(
        release["recoding"]["attributes"][0]["representatives"][0],
        serde_json::Value::Null,
        "{release}"
    );
}
