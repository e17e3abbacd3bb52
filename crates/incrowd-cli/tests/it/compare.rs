//! `incrowd compare` as its users see it.

use crate::{Folder, Ran, incrowd};

const POLICY: &str = r#"
class = "diagnosis"
[attributes]
sex = { role = "public", taxonomy = { flat = {} } }
age = { role = "public" }
visits = { role = "private" }
diagnosis = { role = "private" }
"#;

struct Ward {
    folder: Folder,
    data: String,
    policy: String,
}

/// People whose diagnosis has to do with their age.
fn ward() -> Ward {
    let folder = Folder::new();
    let mut text = "sex,age,visits,diagnosis\n".to_owned();
    for i in 0..240_u32 {
        let (sex, age) = (["f", "m"][i as usize % 2], 20 + i * 7 % 60);
        let ill = if (age > 50) == (i % 5 > 0) { "flu" } else { "none" };
        text += &format!("{sex},{age},{},{ill}\n", i % 4);
    }
    let data = folder.file("ward.csv", text);
    let policy = folder.file("policy.toml", POLICY);
    Ward { folder, data, policy }
}

fn compare(ward: &Ward, flags: &[&str]) -> Ran {
    let out = ward.folder.path("report");
    incrowd(&[&["compare", "--data", &ward.data, "--policy", &ward.policy, "--out", &out], flags].concat())
}

const FEW: [&str; 8] = ["--k", "5,20", "--methods", "best,tds", "--inducers", "naive-bayes", "--cv", "2"];

#[test]
fn a_report_is_written_and_told() {
    let ward = ward();
    let ran = compare(&ward, &FEW);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for word in [
        "accuracy by k",
        "240 rows of ward.csv",
        "2-fold cross-validation",
        "itself",
        "naive-bayes",
        "report.html",
    ] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
    let read = |name: &str| std::fs::read_to_string(ward.folder.0.join("report").join(name)).unwrap();
    let html = read("report.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("ward.csv") && html.contains("<svg"));
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org").count()
    );
    // Two folds, for the unprotected table, and for the tree and the table at two k each.
    assert_eq!(read("comparison.csv").lines().count(), 1 + 2 + 2 * 2 + 2 * 2);
    let json: serde_json::Value = serde_json::from_str(&read("comparison.json")).unwrap();
    assert_eq!(json["ks"], serde_json::json!([5, 20]));
    assert_eq!(json["series"].as_array().unwrap().len(), 3);
    assert!(json["series"][1]["area"].as_f64().unwrap() > 15.0 * 50.0);
}

#[test]
fn the_same_comparison_goes_on_and_another_one_asks() {
    let ward = ward();
    let first = compare(&ward, &[&FEW[..], &["--json"]].concat());
    let again = compare(&ward, &[&FEW[..], &["--json"]].concat());
    assert_eq!(
        (again.status, &again.out),
        (0, &first.out),
        "nothing is done twice, not even the clock is read"
    );
    let other = compare(&ward, &["--k", "5", "--methods", "best", "--cv", "2"]);
    assert_eq!(other.status, 2);
    assert!(other.err.contains("another comparison") && other.err.contains("--force"), "{}", other.err);
    let forced = compare(&ward, &["--k", "5", "--methods", "best", "--cv", "2", "--force"]);
    assert_eq!(forced.status, 0, "{}", forced.err);
}

#[test]
fn threads_change_nothing_but_the_time() {
    let ward = ward();
    let timeless = |threads: &str| {
        let out = ward.folder.path(&format!("report-{threads}"));
        let plain = [
            "compare",
            "--data",
            &ward.data,
            "--policy",
            &ward.policy,
            "--out",
            &out,
            "--json",
            "--threads",
            threads,
        ];
        let mut json = incrowd(&[&plain[..], &FEW].concat()).json();
        for released in json["releases"].as_array_mut().unwrap() {
            released["seconds"] = serde_json::json!(0);
            released["peak_bytes"] = serde_json::json!(0);
        }
        json
    };
    assert_eq!(timeless("1"), timeless("3"));
}

#[test]
fn test_rows_may_have_a_file_of_their_own() {
    let ward = ward();
    let test =
        ward.folder.file("test.csv", "sex,age,visits,diagnosis\nf,60,1,flu\nm,30,2,none\nf,25,0,none\n");
    let ran = compare(&ward, &["--k", "5", "--methods", "best", "--test", &test]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("tested on 3 separate rows"), "{}", ran.out);
}

/// Accuracies on rows that were learned from say nothing about new rows.
#[test]
fn test_rows_that_are_the_data_are_refused() {
    let ward = ward();
    let text = std::fs::read_to_string(&ward.data).unwrap();
    let copy = ward.folder.file("copy.csv", text);
    for test in [&ward.data, &copy] {
        let ran = compare(&ward, &["--k", "5", "--methods", "best", "--test", test]);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("--test") && ran.err.contains("rows of the data"), "{}", ran.err);
    }
}

#[test]
fn wrong_input_has_a_way_out() {
    let ward = ward();
    for (flags, said) in [
        (&["--methods", "kactus9"][..], "kactus9"),
        (&["--inducers", "c5"], "c5"),
        (&["--cv", "two"], "two"),
        (&["--cv", "1"], "at least two folds"),
        (&["--k", "0"], "at least 1"),
        (&["--methods", "tds", "--inducers", ""], "help:"),
    ] {
        let ran = compare(&ward, flags);
        assert_eq!(ran.status, 2, "{flags:?}: {}", ran.out);
        assert!(ran.err.contains(said) && ran.err.contains("help:"), "{flags:?}: {}", ran.err);
        assert!(!ward.folder.names().contains(&"report".to_owned()), "{flags:?}");
    }
    let classless = ward.folder.file("classless.toml", POLICY.replace("class = \"diagnosis\"", ""));
    let out = ward.folder.path("report");
    let ran = incrowd(&["compare", "--data", &ward.data, "--policy", &classless, "--out", &out]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("names no class"), "{}", ran.err);
}

#[test]
fn nothing_of_somebody_else_is_replaced() {
    let ward = ward();
    let report = ward.folder.0.join("report");
    for name in ["report.html", "comparison.csv", "comparison.json", "cells.jsonl", "plan.json"] {
        std::fs::create_dir_all(&report).unwrap();
        std::fs::write(report.join(name), "mine").unwrap();
        let ran = compare(&ward, &FEW);
        assert_eq!(ran.status, 2, "{name}: {}", ran.out);
        assert!(ran.err.contains(name) && ran.err.contains("--force"), "{name}: {}", ran.err);
        assert_eq!(std::fs::read_to_string(report.join(name)).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(&report).unwrap().count(), 1, "{name}");
        std::fs::remove_dir_all(&report).unwrap();
    }
    // What a failed comparison left is replaced.
    let too_large =
        compare(&ward, &["--methods", "best", "--inducers", "naive-bayes", "--cv", "2", "--k", "5000"]);
    assert!(too_large.status != 0 && report.exists(), "{}", too_large.out);
    assert_eq!(compare(&ward, &FEW).status, 0);
    std::fs::remove_dir_all(&report).unwrap();
    let file = ward.folder.file("report", "mine");
    for flags in [&FEW[..], &[&FEW[..], &["--force"]].concat()] {
        let ran = compare(&ward, flags);
        assert!(ran.status == 2 && ran.err.contains("name a folder"), "{}", ran.err);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
}

/// The report of one table is not taken for that of another whose file has the same name.
#[test]
fn another_table_of_the_same_name_is_another_comparison() {
    let ward = ward();
    let first = compare(&ward, &FEW);
    assert_eq!(first.status, 0, "{}", first.err);
    let written = std::fs::read_to_string(&ward.data).unwrap();
    std::fs::write(&ward.data, written.replacen("f,20", "m,20", 1)).unwrap();
    let other = compare(&ward, &FEW);
    assert!(other.status == 2 && other.err.contains("another comparison"), "{}", other.err);
    std::fs::write(&ward.data, written).unwrap();
    std::fs::write(
        &ward.policy,
        POLICY.replace("visits = { role = \"private\" }", "visits = { role = \"public\" }"),
    )
    .unwrap();
    let other = compare(&ward, &FEW);
    assert!(other.status == 2 && other.err.contains("another comparison"), "{}", other.err);
}

/// What would be in the way in the end is in the way at once, and what cannot be compared leaves no folder.
#[test]
fn nothing_is_begun_that_cannot_be_finished() {
    let ward = ward();
    for name in ["report.html", "cells.jsonl", "plan.json"] {
        std::fs::create_dir_all(ward.folder.0.join("report").join(name)).unwrap();
        let ran = compare(&ward, &[&FEW[..], &["--force"]].concat());
        assert!(ran.status == 2 && ran.err.contains("folder of this name"), "{name}: {}", ran.err);
        assert_eq!(std::fs::read_dir(ward.folder.0.join("report")).unwrap().count(), 1, "{name}");
        std::fs::remove_dir_all(ward.folder.0.join("report")).unwrap();
    }
    std::fs::write(&ward.data, "sex,age,visits,diagnosis\nf,30,1,flu\n").unwrap();
    let ran = compare(&ward, &FEW);
    assert!(ran.status == 2 && ran.err.contains("help:"), "{}", ran.err);
    assert!(!ward.folder.names().contains(&"report".to_owned()));
}

/// A link would lead what is found to another file, and a device has no end.
#[cfg(unix)]
#[test]
fn findings_are_kept_in_a_plain_file_only() {
    let ward = ward();
    let elsewhere = ward.folder.file("elsewhere", "mine");
    for goal in [elsewhere.as_str(), "/dev/zero"] {
        let report = ward.folder.0.join("report");
        std::fs::create_dir_all(&report).unwrap();
        std::os::unix::fs::symlink(goal, report.join("cells.jsonl")).unwrap();
        let ran = compare(&ward, &[&FEW[..], &["--force"]].concat());
        assert!(ran.status == 2 && ran.err.contains("plain file"), "{goal}: {}", ran.err);
        std::fs::remove_dir_all(&report).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine");
}

#[test]
fn test_rows_are_of_the_same_kind() {
    let ward = ward();
    let test = ward.folder.file("test.csv", "sex,age,visits,diagnosis\nf,very-old,1,flu\nm,30,2,none\n");
    let ran = compare(&ward, &["--k", "5", "--methods", "best,mondrian", "--test", &test]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("`age`") && ran.err.contains("help:"), "{}", ran.err);
    assert!(!ran.err.contains("very-old"), "{}", ran.err);
}

/// Test rows may lack a class, and have classes that are not in the training rows; training rows need a class.
#[test]
fn who_has_no_class_is_not_learned_from() {
    let ward = ward();
    let policy = format!("{POLICY}[file]\nmissing = [\"\"]\nmissing-rows = \"keep\"\n");
    std::fs::write(&ward.policy, policy).unwrap();
    let test =
        ward.folder.file("test.csv", "sex,age,visits,diagnosis\nf,60,1,\nm,30,2,rare-pox\nf,30,2,none\n");
    let ran = compare(&ward, &["--k", "5", "--methods", "best,tds", "--test", &test]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for name in ["cells.jsonl", "plan.json", "comparison.json", "comparison.csv", "report.html"] {
        let text = std::fs::read_to_string(ward.folder.0.join("report").join(name)).unwrap();
        assert!(!text.contains("rare-pox"), "{name}");
    }
    let written = std::fs::read_to_string(&ward.data).unwrap();
    std::fs::write(&ward.data, format!("{written}f,60,1,\n")).unwrap();
    let ran = compare(&ward, &["--force"]);
    assert!(ran.status == 2 && ran.err.contains("missing-rows = \"drop\""), "{}", ran.err);
}
