//! `incrowd table` as its users see it.

use crate::{Folder, Ran, incrowd};

const POLICY: &str = r#"
class = "diagnosis"
[attributes]
sex = { role = "public", taxonomy = { flat = {} } }
age = { role = "public", taxonomy = { round = {} } }
zip = { role = "public", taxonomy = { prefix = {} } }
visits = { role = "private" }
diagnosis = { role = "private" }
"#;

/// Every method.
const METHODS: [&str; 9] =
    ["best", "effects", "spans", "kactus", "kactus2", "aggregate", "tds", "tdr", "mondrian"];

struct Ward {
    folder: Folder,
    data: String,
    policy: String,
}

/// People whose diagnosis has to do with their age.
fn ward() -> Ward {
    let folder = Folder::new();
    let mut text = "sex,age,zip,visits,diagnosis\n".to_owned();
    for i in 0..400_u32 {
        let (sex, age) = (["f", "m"][i as usize % 2], 20 + i * 7 % 60);
        let ill = if (age > 50) == (i % 5 > 0) { "flu" } else { "none" };
        text += &format!("{sex},{age},{},{},{ill}\n", 10_000 + i % 13, i % 4);
    }
    let data = folder.file("ward.csv", text);
    let policy = folder.file("policy.toml", POLICY);
    Ward { folder, data, policy }
}

fn table(ward: &Ward, out: &str, flags: &[&str]) -> Ran {
    let out = ward.folder.path(out);
    incrowd(&[&["table", "--data", &ward.data, "--policy", &ward.policy, "--out", &out], flags].concat())
}

fn audit(ward: &Ward, release: &str, k: &str) -> i32 {
    incrowd(&["audit", &ward.folder.path(release), "--policy", &ward.policy, "--k", k]).status
}

#[test]
fn every_method_writes_a_table_that_passes_its_audit() {
    let ward = ward();
    for method in METHODS {
        let ran = table(&ward, &format!("{method}.csv"), &["--k", "7", "--method", method, "--json"]);
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
        let json = ran.json();
        assert_eq!(json["rows"].as_u64().unwrap() + json["rows_lost"].as_u64().unwrap(), 400, "{method}");
        assert!(json["k"].as_u64().unwrap() >= 7, "{method}");
        for key in ["suppressed", "swapped", "cm", "seconds"] {
            assert!(json[key].is_number(), "{method}: {key}");
        }
        assert_eq!(json["loss"].is_number(), method != "aggregate", "{method}: means have no loss");
        assert_eq!(audit(&ward, &format!("{method}.json"), "7"), 0, "{method}");
        let path = ward.folder.path(&format!("{method}.csv"));
        let by_hand = incrowd(&["audit", "--table", &path, "--policy", &ward.policy, "--k", "7"]);
        assert_eq!(by_hand.status, 0, "{method}: {}", by_hand.err);
    }
}

#[test]
fn every_format_says_the_same() {
    let ward = ward();
    let ks: Vec<i32> = ["csv", "arff", "parquet"]
        .into_iter()
        .map(|ending| {
            let ran = table(&ward, &format!("{ending}.{ending}"), &["--k", "5", "--method", "mondrian"]);
            assert_eq!(ran.status, 0, "{ending}: {}", ran.err);
            audit(&ward, &format!("{ending}.json"), "5")
        })
        .collect();
    assert_eq!(ks, [0, 0, 0]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let ward = ward();
    for method in METHODS {
        let bytes = |name: &str, threads: &str| {
            let ran = table(&ward, name, &["--k", "9", "--method", method, "--threads", threads, "--force"]);
            assert_eq!(ran.status, 0, "{method}: {}", ran.err);
            std::fs::read(ward.folder.path(name)).unwrap()
        };
        assert_eq!(bytes("one.csv", "1"), bytes("many.csv", "8"), "{method}");
    }
}

#[test]
fn no_number_of_the_source_shows_where_a_tree_asked() {
    let ward = ward();
    assert_eq!(table(&ward, "best.csv", &["--k", "5"]).status, 0);
    let text = std::fs::read_to_string(ward.folder.path("best.csv")).unwrap();
    let shows_age = |age: u32| text.lines().any(|line| line.split(',').nth(1) == Some(&age.to_string()));
    assert!(!(20..80).any(shows_age));
}

#[test]
fn a_report_tells_every_measure() {
    let ward = ward();
    let ran = table(&ward, "anon.csv", &["--k", "5", "--method", "mondrian", "--measures", "--json"]);
    let report = &ran.json()["report"];
    for key in [
        "loss",
        "entropy_loss",
        "discernibility",
        "average_group",
        "suppressed",
        "swapped",
        "cm",
        "rows_lost",
    ] {
        assert!(report[key].is_number(), "{key}: {report}");
    }
    assert_eq!(report["loss_of"].as_array().unwrap().len(), 3);
    let ran = table(&ward, "anon.csv", &["--k", "5", "--method", "mondrian", "--measures", "--force"]);
    assert!(ran.out.contains("discernibility"), "{}", ran.out);
}

#[test]
fn bad_requests_are_refused_in_words() {
    let ward = ward();
    let refused = |out: &str, flags: &[&str], says: &str| {
        let ran = table(&ward, out, flags);
        assert_eq!(ran.status, 2, "{flags:?}: {}", ran.out);
        assert!(ran.err.contains(says) && ran.err.contains("help:"), "{flags:?}: {}", ran.err);
    };
    let unmet = table(&ward, "anon.csv", &["--k", "401"]);
    assert_eq!(unmet.status, 1, "{}", unmet.err);
    assert!(unmet.err.contains("help: the largest k possible for this table is 400"), "{}", unmet.err);
    refused("anon.xls", &["--k", "5"], "cannot be written to a file with this ending");
    refused("no/anon.csv", &["--k", "5"], "folder");
    refused("anon.csv", &[], "no guarantee");
    refused("anon.csv", &["--k", "5", "--as-printed"], "choose the method kactus2");
    refused("anon.csv", &["--k", "5", "--method", "kactus2", "--swapping", "2"], "swapping threshold");
    assert_eq!(ward.folder.names(), ["policy.toml", "ward.csv"]);
}

#[test]
fn names_without_a_taxonomy_are_shown_all_at_once_or_not_at_all() {
    let ward = ward();
    ward.folder
        .file("policy.toml", POLICY.replace(", taxonomy = { prefix = {} }", ", kind = \"categorical\""));
    let ran = table(&ward, "anon.csv", &["--k", "5", "--method", "tds"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let flat =
        POLICY.replace("taxonomy = { prefix = {} }", "kind = \"categorical\", taxonomy = { flat = {} }");
    ward.folder.file("policy.toml", flat);
    let declared = table(&ward, "flat.csv", &["--k", "5", "--method", "tds"]);
    assert_eq!(declared.status, 0, "{}", declared.err);
    let read = |name: &str| std::fs::read_to_string(ward.folder.path(name)).unwrap();
    assert_eq!(read("anon.csv"), read("flat.csv"), "as under a flat taxonomy");
}

#[test]
fn what_exists_stays_without_force() {
    let ward = ward();
    ward.folder.file("anon.json", "mine");
    let ran = table(&ward, "anon.csv", &["--k", "5"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("exists") && ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(ward.folder.path("anon.json")).unwrap(), "mine");
    assert_eq!(table(&ward, "anon.csv", &["--k", "5", "--force"]).status, 0);
}

/// Several rows of one person count once, in memory and in the written file.
#[test]
fn individuals_are_counted_not_rows() {
    let folder = Folder::new();
    let mut text = "who,town,ill\n".to_owned();
    for i in 0..60 {
        text += &format!("p{},t{},{}\n", i / 3, i / 30, i % 2);
    }
    let data = folder.file("visits.csv", text);
    let policy = folder.file(
        "policy.toml",
        "class = \"ill\"\nsubject = \"who\"\n[attributes]\ntown = { role = \"public\" }\nill = { role = \"private\", kind = \"categorical\" }\n",
    );
    let ran = |k: &str| {
        let out = folder.path("anon.csv");
        incrowd(&[
            "table", "--data", &data, "--policy", &policy, "--k", k, "--out", &out, "--method", "mondrian",
            "--force", "--json",
        ])
    };
    assert_eq!(ran("10").json()["k"], 10);
    // Each town has 30 rows of 10 people, so 11 are only found in both together.
    assert_eq!(ran("11").json()["k"], 20);
    assert_eq!(ran("21").status, 1);
}

#[test]
fn the_clinic_can_be_given_away() {
    let folder = Folder::new();
    let demo = incrowd(&["demo", "--patients", "2000", "--out", &folder.path("clinic")]);
    assert_eq!(demo.status, 0, "{}", demo.err);
    let at = |name: &str| folder.path(&format!("clinic/{name}"));
    let out = folder.path("anon.csv");
    let ran = incrowd(&[
        "table",
        "--data",
        &at("patients.csv"),
        "--policy",
        &at("policy.toml"),
        "--k",
        "10",
        "--out",
        &out,
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let header = std::fs::read_to_string(&out).unwrap().lines().next().unwrap().to_owned();
    assert!(!header.contains("name") && !header.contains("insurance"), "{header}");
}
