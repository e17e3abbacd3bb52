//! Which file was judged: the same file by whatever name it is given, and its name in the answer.

use crate::{Folder, incrowd};

const POLICY: &str = "subject = \"id\"\nclass = \"ill\"\n[file]\nmissing = []\nmissing-rows = \"drop\"\nmax-rows-left-out = 0.5\n\
    [attributes.age]\nrole = \"public\"\nkind = \"numeric\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 3\n";

/// Thirty individuals with two rows each. Individual 4 has no age at all, individual 7 has one of two.
fn visits() -> String {
    let age = |i: u32, visit: u32| match (i, visit) {
        (4, _) | (7, 0) => String::new(),
        _ => (20 + i % 10).to_string(),
    };
    let row = |i: u32, visit: u32| format!("{i},{},{}\n", age(i, visit), ["no", "yes"][(i % 3 / 2) as usize]);
    let rows: String = (0..60).map(|row_number| row(row_number / 2, row_number % 2)).collect();
    format!("id,age,ill\n{rows}")
}

fn released(folder: &Folder) -> (String, String, String) {
    let (data, policy) = (folder.file("visits.csv", visits()), folder.file("policy.toml", POLICY));
    let out = folder.path("anon.csv");
    let made = ["table", "--data", &data, "--policy", &policy, "--method", "mondrian", "--out", &out];
    let ran = incrowd(&made);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("1 individual loses all of their rows"), "{}", ran.out);
    (data, policy, out)
}

#[test]
fn audits_name_the_table_that_they_judged() {
    let folder = Folder::new();
    let (_, policy, table) = released(&folder);
    let sidecar = folder.path("anon.json");
    let audited = |file: &[&str]| incrowd(&[&["audit", "--policy", &policy, "--json"], file].concat());
    let by_release = audited(&[&sidecar]);
    assert_eq!(by_release.status, 0, "{}", by_release.err);
    assert_eq!(by_release.json()["table_file"], table.as_str());
    let text = incrowd(&["audit", &sidecar, "--policy", &policy]);
    assert!(text.out.contains(&table), "{}", text.out);
    // The table itself stands for its release file.
    let mut findings = [by_release, audited(&[&table])].map(|ran| ran.json());
    findings.iter_mut().for_each(|finding| finding["seconds"] = 0.into());
    assert_eq!(findings[0], findings[1]);
    assert_eq!(audited(&["--table", &table]).json()["table_file"], table.as_str());
    // A release file that names another table is seen to do so.
    let moved = folder.file("moved.csv", std::fs::read(&table).unwrap());
    let release = std::fs::read_to_string(&sidecar).unwrap().replace("\"anon.csv\"", "\"moved.csv\"");
    let other = folder.file("other.json", release);
    assert_eq!(audited(&[&other]).json()["table_file"], moved.as_str());
}

/// A table of another program is audited as such, and rules in CSV are still rules.
#[test]
fn audits_and_reports_resolve_files_alike() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "age,ill\n1,a\n1,b\n2,a\n2,b\n");
    let policy =
        "[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 2\n";
    let policy = folder.file("policy.toml", policy);
    for command in [&["audit"][..], &["report", "--out", &folder.path("r.json")]] {
        let ran = incrowd(&[command, &[&table, "--policy", &policy]].concat());
        assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
    }
    // With data, it should have been a model.
    let ran = incrowd(&["audit", &table, "--policy", &policy, "--data", &table]);
    assert!(ran.status == 2 && ran.err.contains("to audit a table: incrowd audit --table"), "{}", ran.err);
    let rules = "\"rules\",\"support\",\"confidence\",\"coverage\",\"lift\",\"count\"\n\"{age=1} => {ill=a}\",0.25,0.5,0.5,1,1\n";
    let rules = folder.file("rules.csv", rules);
    for command in [&["audit"][..], &["report", "--force", "--out", &folder.path("r.json")]] {
        let ran = incrowd(&[command, &[&rules, "--policy", &policy, "--data", &table]].concat());
        assert!(ran.status <= 1 && !ran.err.contains("error"), "{command:?}: {} {}", ran.status, ran.err);
    }
    let both = incrowd(&["audit", &rules, "--table", &table, "--policy", &policy]);
    assert!(both.status == 2 && both.err.contains("only one of the two"), "{}", both.err);
}

#[test]
fn individuals_without_a_row_are_counted() {
    let folder = Folder::new();
    let (data, policy, _) = released(&folder);
    let out = folder.path("tree.json");
    let tree = incrowd(&["tree", "--data", &data, "--policy", &policy, "--out", &out, "--json"]);
    assert_eq!(tree.status, 0, "{}", tree.err);
    let left_out = &tree.json()["rows_left_out"];
    assert_eq!((left_out["total"].as_u64(), left_out["individuals"].as_u64()), (Some(3), Some(1)));
    let audit = incrowd(&["audit", &out, "--data", &data, "--policy", &policy]);
    assert!(audit.out.contains("1 individual loses all of their rows"), "{}", audit.out);
    // A table whose rows are individuals has nothing to add.
    let plain = folder.file(
        "plain.toml",
        POLICY.replace("subject = \"id\"\n", "") + "[attributes.id]\nrole = \"ignored\"\n",
    );
    let tree = incrowd(&["tree", "--data", &data, "--policy", &plain, "--out", &out, "--force", "--json"]);
    assert!(tree.json()["rows_left_out"]["individuals"].is_null(), "{}", tree.err);
}

#[test]
fn verification_names_the_files_that_were_given() {
    let folder = Folder::new();
    let (data, policy, table) = released(&folder);
    let board = folder.path("board.json");
    let report = incrowd(&["report", &table, "--data", &data, "--policy", &policy, "--out", &board]);
    assert_eq!(report.status, 0, "{}", report.err);
    let copy = folder.file("copy-of-the-data.csv", std::fs::read(&data).unwrap());
    let ran = incrowd(&["verify", &board, &table, "--data", &copy]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains(&copy) && !ran.out.contains("visits.csv"), "{}", ran.out);
    // Of a file that was not given, the report has the name.
    assert!(ran.out.contains("policy.toml") && ran.out.contains("not checked"), "{}", ran.out);
}
