//! Dates are days of the calendar in every family, not names.

use crate::{Folder, incrowd};

/// Admissions of 120 patients, two days apart, and their outcomes.
fn files(folder: &Folder) -> (String, String) {
    let row = |i: usize| {
        format!(
            "2023-{:02}-{:02},{},{}\n",
            1 + i / 10,
            1 + 2 * (i % 10),
            ["f", "m"][i % 2],
            ["no", "yes"][i / 7 % 2]
        )
    };
    let rows: String = (0..120).map(row).collect();
    let table = folder.file("t.csv", format!("admitted,sex,readmitted\n{rows}"));
    let policy = "class = \"readmitted\"\n[attributes]\nadmitted = { role = \"public\", kind = \"date\" }\n\
                  sex = { role = \"public\" }\nreadmitted = { role = \"private\" }\n[guarantee]\nk = 5\n";
    (table, folder.file("p.toml", policy))
}

#[test]
fn rules_have_no_items_for_single_days() {
    let folder = Folder::new();
    let (table, policy) = files(&folder);
    let out = folder.path("rules.json");
    let limits = ["--min-support", "0.01", "--min-confidence", "0.1", "--out", &out];
    let ran = incrowd(&[&["rules", "--data", &table, "--policy", &policy], &limits[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("`admitted`"), "{}", ran.err);
    assert!(!std::fs::read_to_string(&out).unwrap().contains("2023-"), "no day is in the release");
}

#[test]
fn aggregated_dates_are_median_days() {
    let folder = Folder::new();
    let (table, policy) = files(&folder);
    let out = folder.path("anon.csv");
    let method = ["--method", "aggregate", "--k", "120", "--out", &out];
    let ran = incrowd(&[&["table", "--data", &table, "--policy", &policy], &method[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&out).unwrap();
    // Of 120 different days the 60th.
    assert!(text.lines().skip(1).all(|line| line.starts_with("2023-06-19,")), "{text}");
}

/// Dates are recoded like numbers: to intervals of days, whose loss is their width.
#[test]
fn dates_of_tables_are_intervals() {
    let folder = Folder::new();
    let (table, plain) = files(&folder);
    let text = std::fs::read_to_string(&plain).unwrap();
    let calendar = text.replace("kind = \"date\"", "kind = \"date\", taxonomy = { calendar = {} }");
    let calendar = folder.file("calendar.toml", calendar);
    let methods = ["mondrian", "finest", "best", "cells", "spans", "kactus", "kactus2", "tdr", "tds"];
    for (policy, methods) in [(&plain, &methods[..]), (&calendar, &methods[..7])] {
        for method in methods {
            let out = folder.path("anon.csv");
            let files = ["--data", &table, "--policy", policy, "--out", &out, "--force", "--json"];
            let made = incrowd(&[&["table", "--method", method, "--measures"], &files[..]].concat());
            assert_eq!(made.status, 0, "{method}: {}", made.err);
            let released = std::fs::read_to_string(&out).unwrap();
            assert!(!released.contains('{'), "{method}: no sets of dates\n{released}");
            let json = made.json();
            let suppressed = json["suppressed"].as_f64().unwrap();
            if ["mondrian", "finest"].contains(method) {
                assert!(
                    released.contains("[2023-") && suppressed < 0.01,
                    "{method} {suppressed}: {released}"
                );
                assert!((loss_of_days(&released) - of_admission(&json)).abs() < 1e-9, "{method}: {json}");
            }
            let audited = incrowd(&["audit", &out, "--policy", policy]);
            assert_eq!(audited.status, 0, "{method}: {}", audited.err);
            let new = folder.file("new.csv", "admitted,sex\n2023-03-04,f\n2025-01-01,m\n");
            let sidecar = folder.path("anon.json");
            let recoded =
                ["transform", &sidecar, "--data", &new, "--policy", policy, "--out", &folder.path("n.csv")];
            let recoded = incrowd(&[&recoded[..], &["--force"]].concat());
            assert_eq!(recoded.status, 0, "{method}: {}", recoded.err);
        }
    }
}

/// The loss of the dates that the program states.
fn of_admission(json: &serde_json::Value) -> f64 {
    let losses = json["report"]["loss_of"].as_array().unwrap();
    losses.iter().find(|own| own["attribute"] == "admitted").unwrap()["loss"].as_f64().unwrap()
}

/// The mean width of the intervals of a table, as a share of all days from the first to the last.
fn loss_of_days(released: &str) -> f64 {
    let day = |text: &str| f64::from(incrowd::table::Date::parse(text.trim(), None).unwrap().days());
    let width = |line: &str| {
        let cell = line.split('"').nth(1).unwrap_or_else(|| line.split(',').next().unwrap());
        let inside = cell.trim_matches(['[', ']']);
        inside.split_once(',').map_or(0.0, |(low, high)| day(high) - day(low))
    };
    let widths: Vec<f64> = released.lines().skip(1).map(width).collect();
    widths.iter().sum::<f64>() / widths.len() as f64 / (day("2023-12-19") - day("2023-01-01"))
}

/// A policy need not say that a private column of a table has dates or times.
#[test]
fn private_dates_without_a_kind_are_audited() {
    for spelling in ["2024-01-0#", "0#.01.2024", "2024-01-0# 10:30:00", "2024-01-0#T10:30:00"] {
        let folder = Folder::new();
        let seen = |i: usize| spelling.replace('#', &(1 + i % 9).to_string());
        let row = |i: usize| format!("{},{},{}\n", 20 + i % 4, seen(i), ["a", "b"][i % 2]);
        let rows: String = (0..36).map(row).collect();
        let table = folder.file("t.csv", format!("age,seen,c\n{rows}"));
        let policy = "class = \"c\"\n[attributes]\nage = { role = \"public\" }\nseen = { role = \"private\" }\n\
                      c = { role = \"private\" }\n[guarantee]\nk = 5\n";
        let policy = folder.file("p.toml", policy);
        let ran = incrowd(&["audit", "--table", &table, "--policy", &policy]);
        assert_eq!(ran.status, 0, "{spelling}: {}", ran.err);
    }
}

const PRIVATE_DATE: &str = "class = \"c\"\n[attributes.x]\nrole = \"public\"\n[attributes.c]\nrole = \"private\"\n\
                            [attributes.d]\nrole = \"private\"\nkind = \"date\"\n";

/// A private date that the release does not contain, tied to what it contains, is a day to miners and audits.
#[test]
fn tied_dates_outside_the_release_are_days() {
    let folder = Folder::new();
    let data =
        folder.file("d.csv", "x,d,c\na,2020-01-01,u\na,2020-01-02,v\nb,2020-01-03,v\nb,2020-01-03,u\n");
    let tie = "[[dependencies]]\nfrom = [\"d\", \"c\"]\nto = \"x\"\n[guarantee]\nk = 2\n";
    for range in ["range = [\"2020-01-01\", \"2020-01-03\"]\n", ""] {
        let policy = folder.file("policy.toml", format!("{PRIVATE_DATE}{range}{tie}"));
        let out = folder.path("release.json");
        let made: [&[&str]; 4] = [
            &["tree", "--method", "best"],
            &["tree", "--method", "kadet-id3"],
            &["tree", "--method", "kadet-c45"],
            &["clusters", "--attributes", "x,c"],
        ];
        for command in made {
            let files = ["--data", &data, "--policy", &policy];
            let mined = incrowd(&[command, &files, &["--out", &out, "--force", "--json"]].concat());
            assert_eq!(mined.status, 0, "{command:?}: {}", mined.err);
            let audited = incrowd(&[&["audit", &out, "--json"], &files[..]].concat());
            assert_eq!(audited.status, 0, "{command:?}: {}", audited.err);
            assert_eq!(audited.json()["k"], mined.json()["k"], "{command:?}");
        }
    }
}

/// A tree divides private dates by days, so that a table made along it can be read back.
#[test]
fn tables_along_trees_show_private_dates_as_intervals() {
    let folder = Folder::new();
    let mut text = "x,d,c\n".to_owned();
    for (day, class) in [("2020-01-01", "u"), ("2020-02-01", "v")] {
        let last = day.replace("-01-01", "-01-02").replace("-02-01", "-02-02");
        (0..3).for_each(|_| text += &format!("a,{day},{class}\n"));
        text += &format!("a,{last},{class}\n");
    }
    let data = folder.file("d.csv", text);
    let policy = folder.file("policy.toml", format!("{PRIVATE_DATE}taxonomy = {{ calendar = {{}} }}\n"));
    let out = folder.path("anon.csv");
    for k in ["1", "2"] {
        let files = ["--data", &data, "--policy", &policy, "--out", &out, "--force"];
        let ran =
            incrowd(&[&["table", "--method", "spans", "--tree", "kadet-id3", "--k", k], &files[..]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(std::fs::read_to_string(&out).unwrap().contains("<= 2020-01-"));
        let audited = incrowd(&["audit", "--table", &out, "--policy", &policy, "--k", k]);
        assert_eq!(audited.status, 0, "{}", audited.err);
    }
}
