//! `incrowd profile`: what identifies, what follows, and a first policy that works.

use crate::{Folder, data, incrowd};
use incrowd_testkit::ADULT;

#[test]
fn adult_is_flagged_for_education_and_its_number() {
    let Some(adult) = data("adult/adult.data") else { return };
    let folder = Folder::new();
    let policy = folder.path("policy.toml");
    let ran = incrowd(&["profile", &adult, "--names", &ADULT.join(","), "--missing", "?", "--out", &policy]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("education ↔ education-num"), "{}", ran.out);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("to = \"education\"") && text.contains("class = \"class\""), "{text}");
    let audit = incrowd(&["audit", "--table", &adult, "--policy", &policy, "--k", "2", "--weaken", "--json"]);
    assert_eq!((audit.status, &audit.json()["rows"]), (1, &32561.into()), "{}", audit.err);
}

#[test]
fn a_first_policy_is_never_written_over_another() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "name,age,ill\nann,30,flu\nbob,31,flu\neve,30,cold\n");
    let out = folder.file("policy.toml", "precious");
    let refused = incrowd(&["profile", &table, "--out", &out]);
    assert_eq!((refused.status, std::fs::read_to_string(&out).unwrap().as_str()), (2, "precious"));
    assert_eq!(incrowd(&["profile", &table, "--out", &out, "--force"]).status, 0);
    assert_ne!(std::fs::read_to_string(&out).unwrap(), "precious");
    assert_eq!(folder.names(), ["policy.toml", "t.csv"]);
}

#[test]
fn json_names_its_figures() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "age,zip\n30,1\n30,2\n31,1\n31,1\n");
    let json = incrowd(&["profile", &table, "--json"]).json();
    assert_eq!((&json["rows"], &json["individuals"]), (&4.into(), &4.into()));
    assert_eq!((&json["columns"][1]["name"], &json["columns"][1]["unique"]), (&"zip".into(), &0.25.into()));
    assert!(json["seconds"].is_number());
}

/// A policy describes the layout of the file; the profile covers all columns, whether the policy lists them or not.
#[test]
fn a_policy_tells_how_to_read() {
    let folder = Folder::new();
    let table = folder.file("t.data", "1 x\n2 y\n2 ?\n");
    let policy = "[file]\nformat = \"uci\"\ndelimiter = \" \"\nnames = [\"a\", \"b\"]\nmissing = [\"?\"]\n\
                  [attributes.a]\nrole = \"ignored\"\n[attributes.b]\nrole = \"private\"\n";
    let policy = folder.file("p.toml", policy);
    let ran = incrowd(&["profile", &table, "--policy", &policy, "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.json()["columns"].as_array().unwrap().len(), 2);
}

/// Decimal commas, from the profile to a release that is audited and used.
#[test]
fn decimal_commas_are_read_from_profile_to_prediction() {
    let folder = Folder::new();
    let row = |i: usize| {
        let ill = if i % 40 < 20 { "yes" } else { "no" };
        format!("{};{},{};2024-0{}-11;{ill}\n", ["f", "m"][i % 2], 50 + i % 40, i % 10, 1 + i % 9)
    };
    let rows: String = (0..200).map(row).collect();
    let data = folder.file("t.csv", format!("sex;height;visited;ill\n{rows}"));
    let policy = folder.path("policy.toml");
    let said = incrowd(&["profile", &data, "--out", &policy]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("numeric, decimal comma"), "{}", said.out);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("kind = \"numeric\"\ndecimal = \",\"\n"), "{text}");
    let tree = folder.path("tree.json");
    let files = ["--data", &data, "--policy", &policy];
    assert_eq!(incrowd(&[&["tree", "--out", &tree, "--k", "5", "--weaken"], &files[..]].concat()).status, 0);
    assert_eq!(incrowd(&[&["audit", &tree, "--k", "5", "--weaken"], &files[..]].concat()).status, 0);
    let predicted = incrowd(&[&["predict", &tree, "--json"], &files[..]].concat()).json();
    let flagged = incrowd(&["predict", &tree, "--json", "--data", &data, "--decimal", ","]).json();
    assert_eq!(predicted["error"], flagged["error"]);
    let out = folder.path("released.csv");
    assert_eq!(incrowd(&[&["table", "--out", &out, "--k", "5", "--weaken"], &files[..]].concat()).status, 0);
    let audited = incrowd(&["audit", "--table", &out, "--policy", &policy, "--k", "5", "--weaken"]);
    assert_eq!(audited.status, 0, "{}{}", audited.out, audited.err);
}

/// One impossible date makes a column of dates one of names, and a leading zero a column of numbers one of codes.
#[test]
fn bad_cells_and_leading_zeros_are_told_without_their_text() {
    let folder = Folder::new();
    let row = |i: u32| {
        let date = if i == 40 {
            "1970-02-30".to_owned()
        } else {
            format!("19{}-0{}-1{}", 50 + i % 40, 1 + i % 9, i % 9)
        };
        format!("{date},{:05},{}\n", 1738 + i % 13 * 700, ["yes", "no"][(i % 2) as usize])
    };
    let table = format!("birth_date,district,ill\n{}", (0..120).map(row).collect::<String>());
    let (table, policy) = (folder.file("t.csv", table), folder.path("policy.toml"));
    let ran = incrowd(&["profile", &table, "--out", &policy]);
    let text = std::fs::read_to_string(&policy).unwrap();
    for said in [&ran.out, &text] {
        assert!(said.contains("1 of 120 cells is not a date (first in line 42)"), "{said}");
        assert!(!said.contains("1970-02-30"), "{said}");
    }
    let district = &text[text.find("[attributes.district]").unwrap()..];
    assert!(district.contains("kind = \"categorical\"\ntaxonomy = { prefix = {} }"), "{text}");
    let out = folder.path("anonymous.csv");
    let ran = incrowd(&["table", "--data", &table, "--policy", &policy, "--method", "tds", "--out", &out]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

/// A file without a header is called so, and its first policy names the columns, so that nothing is detected again.
#[test]
fn a_missing_header_is_mentioned_and_written_down() {
    let folder = Folder::new();
    let rows: String = (0..60).map(|row| format!("{},{}\n", 20 + row % 9, ["yes", "no"][row % 2])).collect();
    let (data, policy) = (folder.file("t.csv", &rows), folder.path("policy.toml"));
    let ran = incrowd(&["profile", &data, "--out", &policy]);
    assert!(ran.status == 0 && ran.err.contains("warning: no header was found"), "{}", ran.err);
    assert!(ran.err.contains("column1 to column2") && ran.err.contains("--names"), "{}", ran.err);
    let text = std::fs::read_to_string(&policy).unwrap();
    assert!(text.contains("header = false\nnames = [\"column1\", \"column2\"]\n"), "{text}");
    let files = ["--data", &data, "--policy", &policy];
    let out = folder.path("out.csv");
    let made = incrowd(&[&["table", "--method", "mondrian", "--out", &out], &files[..]].concat());
    assert_eq!(made.status, 0, "{}", made.err);
    // The released table has a header, and so has its copy.
    let copy = folder.file("copy.csv", std::fs::read_to_string(&out).unwrap());
    let audited = incrowd(&["audit", "--table", &copy, "--policy", &policy, "--json"]);
    assert_eq!((audited.status, &audited.json()["rows"]), (0, &60.into()), "{}", audited.err);
    let source = incrowd(&["audit", "--table", &data, "--policy", &policy, "--json"]);
    assert_eq!(source.json()["rows"], 60, "{}", source.err);
    for flags in [&["--names", "age,ill"][..], &["--no-header"]] {
        let ran = incrowd(&[&["profile", &data, "--out", &policy, "--force"], flags].concat());
        assert!(ran.status == 0 && !ran.err.contains("no header"), "{}", ran.err);
        let audited = incrowd(&["audit", "--table", &data, "--policy", &policy, "--json"]);
        assert_eq!(audited.json()["rows"], 60, "{}", audited.err);
    }
}

/// The marks of missing values that are mentioned are those that occur, in all columns that have them.
#[test]
fn only_marks_that_occur_are_mentioned() {
    let row = |row: usize| {
        let mark = |every: usize, mark: &str, value: String| {
            if row.is_multiple_of(every) { mark.into() } else { value }
        };
        let age = mark(5, "?", (20 + row % 30).to_string());
        let score = mark(4, "-", (300 + row % 90).to_string());
        let height = mark(6, "", (150 + row % 30).to_string());
        let town = mark(3, "?", ["a", "b", "c"][row / 3 % 3].to_owned());
        format!("{age},{score},{height},{town},{}\n", ["yes", "no"][row % 2])
    };
    let folder = Folder::new();
    let rows: String = (0..240).map(row).collect();
    let data = folder.file("t.csv", format!("age,points,height,town,ill\n{rows}"));
    let policy = folder.path("policy.toml");
    let ran = incrowd(&["profile", &data, "--missing", "?", "--missing", "-", "--out", &policy]);
    let line = "  missing values: \"?\" in age, town; \"-\" in points; \"\" in height\n";
    assert!(ran.out.contains(line), "{}{}", ran.out, ran.err);
    let text = std::fs::read_to_string(&policy).unwrap();
    let stated: Vec<&str> = text.lines().filter(|line| line.starts_with("missing =")).collect();
    assert_eq!(stated, ["missing = [\"?\", \"-\"]", "missing = [\"?\", \"-\", \"\"]"], "{text}");
    let age = &text[text.find("[attributes.age]").unwrap()..text.find("[attributes.points]").unwrap()];
    assert!(!age.contains("missing"), "{text}");
    let json = incrowd(&["profile", &data, "--missing", "?", "--missing", "-", "--json"]).json();
    assert_eq!(json["missing_marks"]["town"], serde_json::json!(["?"]), "{json}");
    let files = ["--data", &data, "--policy", &policy, "--out", &folder.path("tree.json")];
    let tree = incrowd(&[&["tree", "--k", "5", "--weaken"], &files[..]].concat());
    assert_eq!(tree.status, 0, "{}", tree.err);
}
