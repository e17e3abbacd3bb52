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
    assert!(said.out.contains("numeric (3,5)"), "{}", said.out);
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
