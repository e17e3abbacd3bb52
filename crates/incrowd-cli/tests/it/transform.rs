//! `incrowd transform` as its users see it.

use crate::{Folder, Ran, incrowd};

const POLICY: &str = r#"
class = "diagnosis"
[file]
missing = ["NA"]
missing-rows = "keep"
[attributes]
name = { role = "identifier" }
sex = { role = "public", kind = "categorical" }
age = { role = "public", taxonomy = { round = {} } }
zip = { role = "public", kind = "categorical", taxonomy = { prefix = { pad = "0" } } }
day = { role = "public", kind = "date", taxonomy = { calendar = {} } }
visits = { role = "private" }
diagnosis = { role = "private" }
[guarantee]
k = 7
"#;

/// Every method, and whether transforming the source gives the released cells: not where groups overlap (`mondrian`
/// with taxonomies), rows are changed or left out (`kactus`, `kactus2`, `aggregate`).
const METHODS: [(&str, bool); 9] = [
    ("best", true),
    ("effects", true),
    ("spans", true),
    ("tds", true),
    ("tdr", true),
    ("mondrian", false),
    ("kactus", false),
    ("kactus2", false),
    ("aggregate", false),
];

struct Ward {
    folder: Folder,
    data: String,
    policy: String,
}

fn rows(from: u32, to: u32) -> String {
    let mut text = "name,sex,age,zip,day,visits,diagnosis\n".to_owned();
    for i in from..to {
        let (sex, age) = (["f", "m", "NA"][(i % 17 / 8) as usize], 20 + i * 7 % 60);
        let ill = if (age > 50) == (i % 5 > 0) { "flu" } else { "none" };
        let age = if i % 50 == 49 { "NA".to_owned() } else { age.to_string() };
        let day = format!("2024-{:02}-{:02}", 1 + i % 12, 1 + i % 28);
        text += &format!("person {i},{sex},{age},{},{day},{},{ill}\n", 9_990 + i % 13, i % 4);
    }
    text
}

fn ward() -> Ward {
    let folder = Folder::new();
    let data = folder.file("ward.csv", rows(0, 400));
    let policy = folder.file("policy.toml", POLICY);
    Ward { folder, data, policy }
}

impl Ward {
    fn release(&self, method: &str, out: &str) -> String {
        let at = self.folder.path(out);
        let files = ["table", "--data", &self.data, "--policy", &self.policy, "--out", &at];
        let ran = incrowd(&[&files[..], &["--method", method, "--force"]].concat());
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
        std::path::Path::new(&at).with_extension("json").to_str().unwrap().to_owned()
    }

    fn transform(&self, release: &str, data: &str, flags: &[&str]) -> Ran {
        let out = self.folder.path("out.csv");
        incrowd(&[&["transform", release, "--data", data, "--out", &out, "--force"], flags].concat())
    }

    fn out(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path("out.csv")).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

/// The lines of a table in an order of their own.
fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines[1..].sort();
    lines
}

#[test]
fn the_source_gets_the_released_cells() {
    let ward = ward();
    for (method, is_exact) in METHODS {
        for ending in ["csv", "parquet", "arff"] {
            let release = ward.release(method, &format!("{method}.{ending}"));
            let ran = ward.transform(&release, &ward.data, &["--policy", &ward.policy, "--json"]);
            assert_eq!(ran.status, 0, "{method}, {ending}: {}", ran.err);
            let json = ran.json();
            assert_eq!(json["rows"], 400, "{method}: {json}");
            let (covered, nearest) = (json["covered"].as_u64().unwrap(), json["nearest"].as_u64().unwrap());
            assert_eq!(covered + nearest, 400, "{method}: {json}");
            if !is_exact {
                continue;
            }
            assert_eq!((nearest, json["unseen"].as_array().unwrap().len()), (0, 0), "{method}: {json}");
            if ending == "csv" {
                let released = std::fs::read_to_string(ward.folder.path(&format!("{method}.csv"))).unwrap();
                let released: Vec<String> = released.lines().map(str::to_owned).collect();
                // `spans` generalizes `visits`, by a branch that depends on the path in the tree.
                let (header, left_out) = (&ward.out()[0], &json["columns_left_out"]);
                let is_left_out = left_out.as_array().unwrap().contains(&"visits".into());
                assert_eq!((header.contains("visits"), is_left_out), (method != "spans", method == "spans"));
                let cut = |lines: Vec<String>| {
                    if method == "spans" { first_cells(&lines, 4) } else { lines }
                };
                assert_eq!(sorted(cut(ward.out())), sorted(cut(released)), "{method}");
            }
        }
    }
}

/// The first cells of each line.
fn first_cells(lines: &[String], count: usize) -> Vec<String> {
    let cells = |line: &String| {
        let (mut at, mut quoted, mut left) = (line.len(), false, count);
        for (place, character) in line.char_indices() {
            quoted ^= character == '"';
            left -= usize::from(character == ',' && !quoted);
            if left == 0 {
                at = place;
                break;
            }
        }
        line[..at].to_owned()
    };
    lines.iter().map(cells).collect()
}

/// Every format of the table leads to the same representatives, which stand for groups of at least k rows.
#[test]
fn representatives_stand_for_cells() {
    let ward = ward();
    for method in ["effects", "mondrian", "tds"] {
        let mut shown: Vec<Vec<String>> = Vec::new();
        for ending in ["csv", "parquet", "arff"] {
            let at = ward.folder.path(&format!("{method}.{ending}"));
            let files = ["table", "--data", &ward.data, "--policy", &ward.policy, "--out", &at];
            let ran = incrowd(&[&files[..], &["--method", method, "--representatives", "--force"]].concat());
            assert_eq!(ran.status, 0, "{method}: {}", ran.err);
            let release = ward.folder.path(&format!("{method}.json"));
            let flags = ["--policy", &ward.policy, "--representatives"];
            let ran = ward.transform(&release, &ward.data, &flags);
            assert_eq!(ran.status, 0, "{method}, {ending}: {}", ran.err);
            shown.push(ward.out());
        }
        assert!(shown.windows(2).all(|pair| pair[0] == pair[1]), "{method}");
        let mut groups = std::collections::BTreeMap::new();
        for line in &shown[0][1..] {
            let cells: Vec<&str> = line.split(',').collect();
            assert!(cells[1].parse::<f64>().is_ok() || cells[1].is_empty(), "{method}: {line}");
            assert!(cells[3].parse::<f64>().is_ok_and(|day| (19_723.0..20_089.0).contains(&day)), "{line}");
            *groups.entry(cells[..4].join(",")).or_insert(0) += 1;
        }
        assert!(groups.len() > 1 && groups.values().all(|&rows| rows >= 7), "{method}: {groups:?}");
    }
    let release = ward.release("best", "plain.csv");
    let ran = ward.transform(&release, &ward.data, &["--policy", &ward.policy, "--representatives"]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("does not state what stands for the cells"), "{}", ran.err);
}

#[test]
fn new_rows_keep_their_order_and_lose_who_they_are() {
    let ward = ward();
    let release = ward.release("best", "anon.csv");
    let new = ward.folder.file("new.csv", rows(400, 500));
    let with = ward.transform(&release, &new, &["--policy", &ward.policy]);
    assert_eq!(with.status, 0, "{}", with.err);
    assert!(with.err.contains("not audited and are not a release"), "{}", with.err);
    let lines = ward.out();
    assert_eq!(lines[0], "sex,age,zip,day,visits,diagnosis");
    assert_eq!(lines.len(), 101);
    let visits = |line: &String| line.rsplit(',').nth(1).unwrap().to_owned();
    assert_eq!(lines[1..5].iter().map(visits).collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    // Without a policy only what is recoded is kept; the class may be lacking.
    let bare = ward.transform(&release, &new, &["--missing", "NA", "--json"]);
    assert_eq!(bare.status, 0, "{}", bare.err);
    assert_eq!(bare.json()["columns_left_out"], serde_json::json!(["name", "visits", "diagnosis"]));
    assert_eq!(ward.out(), first_cells(&lines, 4));
    let unlabelled = ward.folder.file("few.csv", "day,zip,age,sex\n2024-01-01,9991,30,f\n");
    assert_eq!(ward.transform(&release, &unlabelled, &["--policy", &ward.policy]).status, 0);
    assert_eq!(ward.out()[0], "day,zip,age,sex");
}

#[test]
fn values_that_no_cell_covers_are_counted() {
    let ward = ward();
    let release = ward.release("mondrian", "anon.csv");
    let new =
        "sex,age,zip,day\nx,30,9991,2024-01-01\nf,200,9991,2024-01-01\nf,30,1,2031-05-05\nNA,NA,NA,NA\n";
    let new = ward.folder.file("new.csv", new);
    let ran = ward.transform(&release, &new, &["--policy", &ward.policy, "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json = ran.json();
    assert_eq!(json["rows"], 4);
    assert!(json["nearest"].as_u64().unwrap() >= 2, "{json}");
    assert_eq!(ward.out().len(), 5);
    assert!(!ward.transform(&release, &new, &["--policy", &ward.policy]).out.is_empty());
}

#[test]
fn wrong_use_is_refused_in_words() {
    let ward = ward();
    let release = ward.release("best", "anon.csv");
    let refused = |release: &str, data: &str, flags: &[&str], says: &str| {
        let ran = ward.transform(release, data, flags);
        assert_eq!(ran.status, 2, "{flags:?}: {}", ran.out);
        assert!(ran.err.contains(says) && ran.err.contains("help:"), "{says}: {}", ran.err);
    };
    let policy = ["--policy", &ward.policy];
    let lacking = ward.folder.file("lacking.csv", "sex,age\nf,30\n");
    refused(&release, &lacking, &policy, "the file has no such column");
    let words = ward.folder.file("words.csv", "sex,age,zip,day\nf,old,9991,2024-01-01\n");
    refused(&release, &words, &[], "--missing MARK");
    let tree = ward.folder.path("tree.json");
    let made = incrowd(&["tree", "--data", &ward.data, "--policy", &ward.policy, "--out", &tree]);
    assert_eq!(made.status, 0, "{}", made.err);
    refused(&tree, &ward.data, &policy, "expected the release file of a table, found tree");
    refused(&ward.folder.path("none.json"), &ward.data, &policy, "no such file");
    let more = POLICY.replace("visits = { role = \"private\" }", "visits = { role = \"public\" }");
    let more = ward.folder.file("more.toml", more);
    refused(&release, &ward.data, &["--policy", &more], "does not recode it");
    let less = POLICY.replace("sex = { role = \"public\"", "sex = { role = \"identifier\"");
    let less = ward.folder.file("less.toml", less);
    refused(&release, &ward.data, &["--policy", &less], "does not release it");
    // A release of an earlier version has no recoding; a table that was changed does not belong to its release.
    let text = std::fs::read_to_string(&release).unwrap();
    let earlier: Vec<&str> = text.lines().filter(|line| !line.contains("\"recoding\"")).collect();
    let earlier = earlier.join("\n").replace("\"},\n}", "\"}\n}").replace(",\n}", "\n}");
    let old = ward.folder.file("old.json", earlier);
    refused(&old, &ward.data, &policy, "does not state how its table was recoded");
    let audited = incrowd(&["audit", &old, "--policy", &ward.policy]);
    assert_eq!(audited.status, 0, "an earlier release still loads: {}", audited.err);
    let table = ward.folder.path("anon.csv");
    let changed = std::fs::read_to_string(&table).unwrap() + "f,*,*,*,1,flu\n";
    ward.folder.file("anon.csv", changed);
    refused(&release, &ward.data, &policy, "digests differ");
    std::fs::remove_file(&table).unwrap();
    refused(&release, &ward.data, &policy, "the released table is missing");
}

#[test]
fn no_file_is_replaced_by_accident() {
    let ward = ward();
    let release = ward.release("best", "anon.csv");
    let run = |out: &str, flags: &[&str]| {
        let out = ward.folder.path(out);
        incrowd(
            &[&["transform", &release, "--data", &ward.data, "--policy", &ward.policy, "--out", &out], flags]
                .concat(),
        )
    };
    for input in ["anon.csv", "ward.csv"] {
        let ran = run(input, &["--force"]);
        assert_eq!(ran.status, 2, "{input}: {}", ran.out);
        assert!(ran.err.contains("help:"), "{}", ran.err);
    }
    assert_eq!(run("new.txt", &[]).status, 2);
    assert_eq!(run("new.csv", &[]).status, 0);
    let again = run("new.csv", &[]);
    assert!(again.status == 2 && again.err.contains("--force"), "{}", again.err);
    assert_eq!(run("new.csv", &["--force"]).status, 0);
}

/// The recoding of a file from elsewhere must not crash, hang or take memory.
#[test]
fn hostile_recodings_are_refused() {
    let ward = ward();
    let release = ward.release("best", "anon.csv");
    let text = std::fs::read_to_string(&release).unwrap();
    let line =
        text.lines().find(|line| line.contains("\"recoding\"")).unwrap().trim_end_matches(',').to_owned();
    let with = |recoding: &str| text.replace(&line, &format!(" \"recoding\": {recoding}"));
    let one = |cells: &str| {
        format!(
            r#"{{"version": 1, "unit": "group", "attributes": [{{"name": "age", "kind": "date", "cells": {{{cells}}}}}]}}"#
        )
    };
    for (recoding, says) in [
        ("{}".to_owned(), "missing key"),
        (r#"{"version": 9, "unit": "group", "attributes": []}"#.to_owned(), "version 9"),
        (r#"{"version": 1, "unit": "group", "attributes": []}"#.to_owned(), "no attributes"),
        (one(""), "does not explain"),
        (one(r#""f": {"codes": [{"beginning": "f", "length": 4000000000, "pad": "0"}]}"#), "limit"),
        (one(r#""f": {"ranges": [{"from": 2, "to": 1}]}"#), "ends before"),
        (one(r#""f": {"ranges": [{"from": 1e999}]}"#), "number out of range"),
        (
            r#"{"version": 1, "unit": "group", "attributes": [{"name": "none", "kind": "date"}]}"#.to_owned(),
            "none",
        ),
    ] {
        let file = ward.folder.file("hostile.json", with(&recoding));
        let ran = ward.transform(&file, &ward.data, &["--missing", "NA"]);
        assert_eq!(ran.status, 2, "{recoding}: {}", ran.out);
        assert!(ran.err.contains(says) && !ran.err.contains("defect"), "{says}: {}", ran.err);
    }
}
