//! Tables typed by hand: spellings of one value, rows without a number of an individual, masked codes, and what a board
//! reads about them.

use crate::{Folder, Ran, incrowd};
use std::fmt::Write;

/// Persons with several rows each, whose towns are spelled in several ways.
fn register(ids: impl Fn(u32) -> String) -> String {
    let mut text = "Aktenzeichen,Ort,PLZ,Hilfe\n".to_owned();
    for row in 0..300_u32 {
        let person = row % 120;
        let town = ["Aachen", "AACHEN", " aachen", "Bonn", "bonn", "\"Bonn \""][row as usize * 7 % 6];
        let code = 52000 + person * 37 % 400;
        let kind = ["Wohngeld", "wohngeld", "Pflege", "k. A."][person as usize / 3 % 4];
        let _ = writeln!(text, "{},{town},{code},{kind}", ids(person));
    }
    text
}

const POLICY: &str = "class = \"Hilfe\"\nsubject = \"Aktenzeichen\"\n[file]\nspelling = \"ignore-case\"\n\
    missing = [\"K. A.\"]\nmissing-rows = \"keep\"\n[attributes]\n\
    Ort = { role = \"public\", values = [\"Aachen\", \"Bonn\"] }\n\
    PLZ = { role = \"public\", kind = \"categorical\", taxonomy = { prefix = {} } }\n\
    Hilfe = { role = \"private\" }\n[guarantee]\nk = 5\n";

fn mined(folder: &Folder, command: &str, out: &str, flags: &[&str]) -> Ran {
    let (data, policy, out) = (folder.path("d.csv"), folder.path("p.toml"), folder.path(out));
    let files = ["--data", &data, "--policy", &policy, "--out", &out];
    incrowd(&[&[command][..], &files, flags].concat())
}

#[test]
fn spellings_are_one_value_in_releases_and_new_rows() {
    let folder = Folder::new();
    folder.file("d.csv", register(|person| format!("A{person}")).replace("A7,", "a7 ,"));
    folder.file("p.toml", POLICY.replace("class = \"Hilfe\"\n", ""));
    let made = mined(&folder, "table", "anon.csv", &["--method", "mondrian", "--json"]);
    assert_eq!(made.status, 0, "{}", made.err);
    // The spelling of a number does not make another individual.
    assert_eq!(made.json()["individuals"], 120, "{}", made.out);
    let released = std::fs::read_to_string(folder.path("anon.csv")).unwrap();
    assert!(released.contains("Aachen") && released.contains("wohngeld"), "{released}");
    assert!(!released.contains("AACHEN") && !released.contains("aachen") && !released.contains("Wohngeld"));
    let (release, policy) = (folder.path("anon.json"), folder.path("p.toml"));
    let audited = incrowd(&["audit", &release, "--policy", &policy]);
    assert_eq!(audited.status, 0, "{}{}", audited.out, audited.err);
    // New rows meet the release under the same rule.
    let new = folder.file("new.csv", "Ort,PLZ\n\" AACHEN\",52100\naachen,52100\nAachen,52100\n");
    let out = folder.path("recoded.csv");
    let recoded = incrowd(&["transform", &release, "--data", &new, "--policy", &policy, "--out", &out]);
    assert_eq!(recoded.status, 0, "{}{}", recoded.out, recoded.err);
    let rows = std::fs::read_to_string(out).unwrap();
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| *row == rows[0]), "{rows:?}");
}

#[test]
fn rows_without_a_number_are_nobody() {
    let folder = Folder::new();
    let text = register(|person| format!("{:05}", 10_000 + person));
    // One row has lost its number.
    let data = folder.file("d.csv", text.replacen("10003,", ",", 1));
    let policy = folder.path("p.toml");
    let said = incrowd(&["profile", &data, "--out", &policy]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("individuals, if Aktenzeichen identifies them"), "{}", said.out);
    let drafted = std::fs::read_to_string(&policy).unwrap();
    assert!(
        drafted.contains("subject = \"Aktenzeichen\"") && drafted.contains("1 row has none"),
        "{drafted}"
    );
    assert!(drafted.contains("\"k. A.\" is read as a value"), "{drafted}");
    folder.file("p.toml", POLICY.replace("class = \"Hilfe\"\n", ""));
    let made = mined(&folder, "table", "anon.csv", &["--method", "mondrian", "--json"]);
    assert_eq!(made.status, 0, "{}", made.err);
    assert_eq!(
        (&made.json()["individuals"], &made.json()["rows_left_out"]["total"]),
        (&120.into(), &1.into())
    );
}

#[test]
fn what_the_table_does_not_show_is_not_stated() {
    let folder = Folder::new();
    folder.file("d.csv", register(|person| format!("A{person}")));
    folder.file("p.toml", POLICY.replace("class = \"Hilfe\"\n", ""));
    let (dictionary, report) = (folder.path("dict.md"), folder.path("board.md"));
    let flags = ["--method", "mondrian", "--dictionary", &dictionary, "--report", &report];
    let made = mined(&folder, "table", "anon.csv", &flags);
    assert_eq!(made.status, 0, "{}", made.err);
    let dictionary = std::fs::read_to_string(dictionary).unwrap();
    let line = dictionary.lines().find(|line| line.starts_with("| PLZ")).unwrap();
    assert!(line.contains("| unknown |"), "{line}");
    let (release, data, policy) = (folder.path("anon.json"), folder.path("d.csv"), folder.path("p.toml"));
    let shown = incrowd(&["show", &release, "--json"]).json();
    let of = |shown: &serde_json::Value| {
        let columns = shown["columns"].as_array().unwrap().clone();
        columns.into_iter().find(|column| column["name"] == "PLZ").unwrap()["width"].clone()
    };
    assert!(of(&shown).is_null(), "{shown}");
    let shown = incrowd(&["show", &release, "--data", &data, "--policy", &policy, "--json"]).json();
    assert!(of(&shown).as_f64().is_some_and(|width| width > 0.0), "{shown}");
    // What the miner warns of is in the report, too.
    assert!(made.err.contains("the same in all rows of each individual"), "{}", made.err);
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report.contains("the same in all rows of each individual"), "{report}");
    assert!(!report.contains("larger group"), "{report}");
}

#[test]
fn mistakes_in_policies_have_a_remedy() {
    let folder = Folder::new();
    let check = |text: &str| incrowd(&["policy", "check", &folder.file("q.toml", text)]).err;
    let age = "[attributes.age]\nrole = \"public\"\n[attributes.d]\nrole = \"private\"\n";
    let said = check(&format!("{age}[attributes.Betrag (€)]\nrole = \"private\"\n"));
    assert!(said.contains("write [attributes.\"Betrag (€)\"]"), "{said}");
    let said = check(&format!("{age}[attributes.Staatsangehörigkeit]\nrole = \"public\"\n"));
    assert!(said.contains("write [attributes.\"Staatsangehörigkeit\"]"), "{said}");
    for written in ["90", "\"90%\""] {
        let said = check(&format!("{age}[guarantee]\nconfidence = {written}\n"));
        assert!(said.contains("write confidence = 0.9"), "{said}");
    }
    let said = check(&format!("{age}[guarantee]\nK = 5\n"));
    assert!(said.contains("did you mean `k`?"), "{said}");
    let said = check(&format!("[file]\nencoding = \"iso-8859-15\"\n{age}"));
    assert!(said.contains("convert the file to UTF-8") && !said.contains("did you mean"), "{said}");
    let said = check(&format!(
        "[file]\nspelling = \"ignore-case\"\n{age}[attributes.t]\nrole = \"public\"\nvalues = [\"A\", \"a\"]\n"
    ));
    assert!(said.contains("differ only in spelling"), "{said}");
}
