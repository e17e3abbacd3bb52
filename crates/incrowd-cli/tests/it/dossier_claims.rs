//! What `incrowd report` claims about a release is true of it.

use crate::{Folder, Ran, incrowd};
use std::fmt::Write as _;

/// The report of a release, as Markdown and JSON.
struct Board {
    markdown: String,
    json: serde_json::Value,
}

fn mined(folder: &Folder, family: &str, out: &str, flags: &[&str]) -> String {
    let (data, policy, out) = (folder.path("data.csv"), folder.path("policy.toml"), folder.path(out));
    let ran = incrowd(&[&[family, "--data", &data, "--policy", &policy, "--out", &out], flags].concat());
    assert_eq!(ran.status, 0, "{family}: {}", ran.err);
    out
}

fn reported(folder: &Folder, release: &str, flags: &[&str]) -> Ran {
    let (data, policy) = (folder.path("data.csv"), folder.path("policy.toml"));
    let (markdown, json) = (folder.path("b.md"), folder.path("b.json"));
    let files = ["report", release, "--data", &data, "--policy", &policy];
    let outs = ["--out", &markdown, "--out", &json, "--force"];
    incrowd(&[&files[..], &outs, flags].concat())
}

fn board(folder: &Folder, release: &str, flags: &[&str]) -> Board {
    let ran = reported(folder, release, flags);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = |name: &str| std::fs::read_to_string(folder.path(name)).expect("a file");
    Board { markdown: text("b.md"), json: serde_json::from_str(&text("b.json")).expect("JSON") }
}

/// Claims by age: a diagnosis that varies in every group, and a decision that follows from the age.
fn claims(folder: &Folder, guarantee: &str) {
    let mut data = "age,diagnosis,granted\n".to_owned();
    for row in 0..240_u32 {
        let granted = if row / 60 == 0 { "no" } else { ["yes", "no"][(row / 3 % 2) as usize] };
        let _ = writeln!(data, "{},{},{granted}", 20 + row / 60, ["a", "b", "c"][(row % 3) as usize]);
    }
    folder.file("data.csv", data);
    let policy = "[attributes.age]\nrole = \"public\"\n[attributes.diagnosis]\nrole = \"private\"\n\
                  [attributes.granted]\nrole = \"private\"\n[guarantee]\nk = 10\n";
    folder.file("policy.toml", format!("{policy}{guarantee}"));
}

#[test]
fn the_highest_confidence_is_that_of_all_private_attributes() {
    let folder = Folder::new();
    claims(&folder, "confidence = 0.84\nof = \"all\"\nexcept = [\"granted\"]\n");
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    let own = board(&folder, &release, &[]);
    let tile = own.markdown.lines().find(|line| line.contains("highest confidence in a private value"));
    let tile = tile.expect("a tile");
    assert!(tile.contains("(granted, not limited)") && tile.contains("100.0 %"), "{tile}");
    let meaning = |own: &Board| own.json["guarantee"][1]["meaning"].as_str().expect("a text").to_owned();
    let said = meaning(&own);
    assert!(said.contains("applies to diagnosis.") && said.contains("inferred about granted,"), "{said}");
    let public = board(&folder, &release, &["--public"]);
    assert_eq!(meaning(&public), said);
    let verdict = public.markdown.split("## 1.").next().expect("a beginning");
    assert!(verdict.contains("inferred about granted,"), "{verdict}");
}

#[test]
fn an_attribute_under_a_cap_is_called_limited() {
    let folder = Folder::new();
    claims(&folder, "confidence = 0.84\n");
    let policy = std::fs::read_to_string(folder.path("policy.toml")).expect("a policy");
    folder
        .file("policy.toml", policy.replace("granted]\nrole = \"private\"", "granted]\nrole = \"ignored\""));
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    let own = board(&folder, &release, &[]);
    assert!(own.markdown.contains("(diagnosis, limited)"), "{}", own.markdown);
    let public = board(&folder, &release, &["--public"]);
    assert!(!public.markdown.contains("No requirement limits"), "{}", public.markdown);
}

#[test]
fn the_data_are_not_held_out_rows() {
    let folder = Folder::new();
    claims(&folder, "");
    let policy = std::fs::read_to_string(folder.path("policy.toml")).expect("a policy");
    folder.file("policy.toml", format!("class = \"granted\"\n{policy}"));
    let release = mined(&folder, "tree", "tree.json", &[]);
    let data = std::fs::read_to_string(folder.path("data.csv")).expect("data");
    let copy = folder.file("copy.csv", &data);
    for test in [folder.path("data.csv"), copy] {
        let ran = reported(&folder, &release, &["--test", &test]);
        assert!(ran.status == 2 && ran.err.contains("rows that were not used"), "{}", ran.err);
        assert!(!folder.names().contains(&"b.json".to_owned()));
    }
    // Rows with few values are equal by chance.
    let other: String = data.lines().take(200).map(|line| format!("{line}\n")).collect();
    let other = folder.file("other.csv", other);
    assert_eq!(board(&folder, &release, &["--test", &other]).json["utility"]["on_test"]["rows"], 199);
}

#[test]
fn copied_rows_are_not_held_out_rows() {
    let folder = Folder::new();
    let rows: Vec<String> = (0..400_u32)
        .map(|row| {
            format!("{},{},{}\n", 20 + row % 40, 1_000 + row * 7, ["yes", "no"][(row / 3 % 2) as usize])
        })
        .collect();
    let (data, other) = rows.split_at(240);
    let head = "age,income,granted\n";
    let file = |name: &str, parts: &[&[String]]| {
        folder.file(name, format!("{head}{}", parts.iter().map(|rows| rows.concat()).collect::<String>()))
    };
    file("data.csv", &[data]);
    folder.file(
        "policy.toml",
        "class = \"granted\"\n[attributes]\nage = { role = \"public\" }\nincome = { role = \"private\" }\n\
         granted = { role = \"private\" }\n[guarantee]\nk = 10\n",
    );
    let release = mined(&folder, "tree", "tree.json", &[]);
    // Part of the data, in another order.
    let part: Vec<String> = data.iter().rev().take(100).cloned().collect();
    let ran = reported(&folder, &release, &["--test", &file("part.csv", &[&part])]);
    assert!(ran.status == 2 && ran.err.contains("rows that were not used"), "{}", ran.err);
    // Other rows, and then some rows of the data among them.
    let own = board(&folder, &release, &["--test", &file("other.csv", &[other])]);
    assert_eq!(own.json["utility"]["on_test"]["rows"], 160);
    assert!(own.json["utility"].get("copied").is_none(), "{}", own.json["utility"]);
    let own = board(&folder, &release, &["--test", &file("mixed.csv", &[other, &part])]);
    assert_eq!(own.json["utility"]["copied"]["rows"], 100);
    let said = "100 of 260 test rows are equal to rows that the release was made from";
    assert!(own.markdown.contains(said), "{}", own.markdown);
}

#[test]
fn individuals_who_were_left_out_are_counted() {
    let folder = Folder::new();
    let headed = |head: &str| {
        let policy = std::fs::read_to_string(folder.path("policy.toml")).expect("a policy");
        let file = "[file]\nmissing = [\"?\"]\nmissing-rows = \"drop\"\n";
        folder.file("policy.toml", format!("{head}\n{file}{policy}"));
    };
    let replaced = |from: &str, to: &str, times: usize| {
        let data = std::fs::read_to_string(folder.path("data.csv")).expect("data");
        folder.file("data.csv", data.replacen(from, to, times));
    };
    let about = |release: &str| reported(&folder, release, &[]).out;
    // Without a subject, a row that is left out is an individual.
    claims(&folder, "");
    headed("class = \"granted\"");
    replaced("20,", "?,", 3);
    for (family, out) in [("tree", "tree.json"), ("table", "anon.csv")] {
        let said = about(&mined(&folder, family, out, &[]));
        assert!(said.contains("The release is about 237 of 240 individuals."), "{said}");
    }
    // With one, individuals are lost only with all of their rows: w0 with both, w5 with one of them.
    visits(&folder, "k = 5");
    let policy = std::fs::read_to_string(folder.path("policy.toml")).expect("a policy");
    let policy = policy.replacen("subject", "class = \"ill\"\nsubject", 1);
    let policy =
        policy.replacen("[attributes", "[file]\nmissing = [\"?\"]\nmissing-rows = \"drop\"\n[attributes", 1);
    folder.file("policy.toml", policy);
    replaced("w0,20", "w0,?", 2);
    replaced("w5,20,no\n", "w5,?,no\n", 1);
    let said = about(&mined(&folder, "tree", "tree.json", &["--force"]));
    assert!(said.contains("The release is about 199 of 200 individuals."), "{said}");
}

#[test]
fn the_report_names_its_own_json_file_and_counts_its_warnings() {
    let folder = Folder::new();
    claims(&folder, "confidence = 0.84\nof = \"all\"\nexcept = [\"granted\"]\n");
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    for flags in [&[][..], &["--public"]] {
        let own = board(&folder, &release, flags);
        assert!(own.markdown.contains("incrowd verify b.json RELEASE"), "{}", own.markdown);
    }
    let own = board(&folder, &release, &[]);
    assert_eq!(
        own.json["audit"]["warnings"].as_array().map(Vec::len),
        Some(1),
        "{}",
        own.json["audit"]["warnings"]
    );
    assert!(own.markdown.contains("The audit has 1 warning. Read it under"), "{}", own.markdown);
    // Without a JSON form, no name is made up.
    let (data, policy, out) = (folder.path("data.csv"), folder.path("policy.toml"), folder.path("only.md"));
    let ran = incrowd(&["report", &release, "--data", &data, "--policy", &policy, "--out", &out]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(std::fs::read_to_string(out).expect("a file").contains("incrowd verify REPORT.json RELEASE"));
}

#[test]
fn a_file_that_does_not_exist_is_missing() {
    let folder = Folder::new();
    claims(&folder, "");
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    board(&folder, &release, &[]);
    let report = folder.path("b.json");
    let ran = incrowd(&["verify", &report, "nope.json"]);
    assert!(ran.status == 1 && ran.out.contains("nope.json"), "{}{}", ran.out, ran.err);
    for role in ["--policy", "--data"] {
        let ran = incrowd(&["verify", &report, &release, role, "nope"]);
        assert!(ran.status == 1 && ran.out.starts_with("nope: no such file"), "{}{}", ran.out, ran.err);
    }
    // The release file is looked for beside the table that was named.
    std::fs::remove_file(&release).expect("a file");
    let ran = incrowd(&["verify", &report, &release]);
    assert!(ran.status == 1 && ran.out.starts_with(&format!("{release}: no such file")), "{}", ran.out);
    let states: Vec<String> = incrowd(&["verify", &report, &release, "--json"]).json()["files"]
        .as_array()
        .expect("files")
        .iter()
        .filter_map(|file| file["state"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(states[..2], ["same", "missing"]);
}

/// A tree tests a private number: groups have ranges of it, whose shares are above that of any single number.
#[test]
fn ranges_are_not_compared_with_single_values() {
    let folder = Folder::new();
    let mut data = "age,visits,ill\n".to_owned();
    for row in 0..400_u32 {
        let visits = row * 7 % 10;
        let ill = if visits > 5 { "yes" } else { "no" };
        let _ = writeln!(data, "{},{visits},{ill}", 20 + row % 4);
    }
    folder.file("data.csv", data);
    folder.file(
        "policy.toml",
        "class = \"ill\"\n[attributes.age]\nrole = \"public\"\n[attributes.visits]\nrole = \"private\"\n\
         kind = \"numeric\"\n[attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 10\n",
    );
    let release = mined(&folder, "tree", "tree.json", &[]);
    let own = board(&folder, &release, &[]);
    let inferred = own.markdown.split("What an attacker can infer").nth(1).expect("a table");
    let row =
        |name: &str| inferred.lines().find(|line| line.starts_with(&format!("| {name}"))).expect("a row");
    assert!(
        row("visits").contains("shown in ranges") && !row("visits").contains("10.0 %"),
        "{}",
        row("visits")
    );
    assert!(row("ill").contains("60.0 %"), "{}", row("ill"));
}

/// 200 individuals with two rows each. Some pairs of ages are those of a single individual.
fn visits(folder: &Folder, k: &str) {
    let mut data = "who,age,ill\n".to_owned();
    for who in 0..200_u32 {
        for visit in 0..2 {
            let age = 20 + (if visit == 0 { who } else { who / 7 }) % 5;
            let _ = writeln!(data, "w{who},{age},{}", ["yes", "no", "no"][(who % 3) as usize]);
        }
    }
    folder.file("data.csv", data);
    let policy =
        "subject = \"who\"\n[attributes.age]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";
    folder.file("policy.toml", format!("{policy}[guarantee]\n{k}\n"));
}

#[test]
fn k_of_rows_is_not_called_k_of_individuals() {
    let folder = Folder::new();
    for (k, is_strict) in [("k = 5", false), ("k = 5\nseveral-rows = \"strict\"", true)] {
        visits(&folder, k);
        let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian", "--force"]);
        for flags in [&[][..], &["--public"]] {
            let own = board(&folder, &release, flags);
            let meaning = own.json["guarantee"][0]["meaning"].as_str().expect("a text");
            assert_eq!(
                meaning.starts_with("Every row looks like rows of at least 5 different individuals."),
                !is_strict,
                "{meaning}"
            );
            assert_eq!(meaning.starts_with("Every individual is in a group"), is_strict, "{meaning}");
            let limits = own.markdown.split("does not protect against").nth(1).expect("limits");
            assert_eq!(limits.contains("Rows that belong together."), !is_strict, "{limits}");
        }
    }
}

/// Attackers of whom one knows the sex and one the town: together they tell everyone apart.
fn towns(folder: &Folder) {
    let mut data = "sex,town,ill\n".to_owned();
    for row in 0..80_u32 {
        let _ = writeln!(data, "s{},t{},{}", row % 8, row / 8, ["a", "b", "c"][(row % 3) as usize]);
    }
    folder.file("data.csv", data);
    let roles = "[attributes.sex]\nrole = \"public\"\n[attributes.town]\nrole = \"public\"\n\
                 [attributes.ill]\nrole = \"private\"\n[guarantee]\nk = 5\nconfidence = 0.9\nof = \"all\"\n";
    folder.file("policy.toml", format!("class = \"ill\"\nsets = [[\"sex\"], [\"town\"]]\n{roles}"));
}

#[test]
fn a_guarantee_of_sets_is_said_to_be_one() {
    let folder = Folder::new();
    towns(&folder);
    let release = mined(&folder, "table", "anon.csv", &["--method", "tdr"]);
    for flags in [&[][..], &["--public"]] {
        let own = board(&folder, &release, flags);
        let begin = own.markdown.split("## 1.").next().expect("a beginning");
        assert!(begin.contains("Caution:") && begin.contains("(1) sex; (2) town"), "{begin}");
        assert!(begin.contains("attributes of several sets can tell more individuals apart"), "{begin}");
        assert!(!begin.contains("all their public attributes"), "{begin}");
        for asked in own.json["guarantee"].as_array().expect("requirements") {
            let meaning = asked["meaning"].as_str().expect("a text");
            assert!(meaning.contains("only for someone who knows one of these sets"), "{meaning}");
        }
        assert!(own.markdown.contains("**Attackers who know several sets.**"), "{}", own.markdown);
        if !flags.is_empty() {
            assert!(
                own.markdown.contains("of everyone one of these sets: (1) sex; (2) town"),
                "{}",
                own.markdown
            );
            continue;
        }
        assert!(
            begin.contains("With all public attributes there are 42 groups; the smallest has 1 individual"),
            "{begin}"
        );
        assert_eq!(own.json["audit"]["all_attributes"]["alone"], 30);
    }
    let policy = folder.path("policy.toml");
    let audited = incrowd(&["audit", &release, "--policy", &policy]);
    assert_eq!(audited.status, 0, "{}", audited.err);
    assert!(audited.err.contains("someone who knows attributes of several sets"), "{}", audited.err);
    let preset = incrowd(&["audit", &release, "--policy", &policy, "--preset", "wp216"]);
    assert_eq!(preset.status, 1, "{}", preset.out);
    assert!(preset.out.contains("30 individuals in a group of their own"), "{}", preset.out);
    let checked = incrowd(&["policy", "check", &policy]);
    assert!(checked.out.contains("(1) sex; (2) town"), "{}", checked.out);
}

/// The box is amber in both forms if a private value is certain for many, or nothing limits an attribute.
#[test]
fn the_form_for_the_public_is_never_greener() {
    for (guarantee, is_limited) in [("confidence = 1.0\nof = \"all\"\n", true), ("", false)] {
        let folder = Folder::new();
        claims(&folder, guarantee);
        let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
        for flags in [&[][..], &["--public"]] {
            let own = board(&folder, &release, flags);
            let begin = own.markdown.split("## 1.").next().expect("a beginning");
            assert!(begin.contains("Caution:"), "{is_limited}: {begin}");
            assert_eq!(begin.contains("reasons for caution"), is_limited && !flags.is_empty(), "{begin}");
        }
    }
}

#[test]
fn a_weakened_guarantee_is_not_called_the_required_one() {
    let folder = Folder::new();
    claims(&folder, "confidence = 0.84\nof = \"all\"\nexcept = [\"granted\"]\n");
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian", "--k", "3", "--weaken"]);
    let own = board(&folder, &release, &["--k", "3", "--weaken"]);
    let begin = own.markdown.split("## 1.").next().expect("a beginning");
    assert!(begin.contains("Caution: The release meets less than the policy requires."), "{begin}");
    assert!(begin.contains("k = 10") && begin.contains("3 (policy: 10)"), "{begin}");
    assert!(!begin.contains("meets the required guarantee"), "{begin}");
}

/// All rows of the five people in A show one value, one of them with two rows: five of ten, no more and no less.
#[test]
fn what_is_certain_for_all_of_a_group_is_said_with_several_rows() {
    let folder = Folder::new();
    let mut data = "who,town,ill\na,A,hiv\na,A,hiv\n".to_owned();
    for (who, town, ill) in
        [("b", "A", "hiv"), ("c", "A", "hiv"), ("d", "A", "hiv"), ("e", "A", "hiv")].into_iter().chain([
            ("f", "B", "flu"),
            ("g", "B", "cough"),
            ("h", "B", "flu"),
            ("i", "B", "cough"),
            ("j", "B", "flu"),
        ])
    {
        let _ = writeln!(data, "{who},{town},{ill}");
    }
    folder.file("data.csv", data);
    let roles = "[attributes.town]\nrole = \"public\"\n[attributes.ill]\nrole = \"private\"\n";
    folder.file("policy.toml", format!("subject = \"who\"\n{roles}[guarantee]\nk = 5\n"));
    let release = mined(&folder, "table", "anon.csv", &["--method", "mondrian"]);
    let own = board(&folder, &release, &[]);
    assert!(own.markdown.contains("For 5 individuals (50.0 % of all), a private value"), "{}", own.markdown);
    assert!(own.markdown.contains("| 5 | town = A | met | ill |"), "{}", own.markdown);
    assert!(own.markdown.contains("| individuals with a certain private value | 5 |"), "{}", own.markdown);
    assert!(!own.markdown.contains("or 0"), "{}", own.markdown);
    assert_eq!(own.json["audit"]["exposed_at_least"], 5);
    let audited = incrowd(&["audit", &release, "--policy", &folder.path("policy.toml")]);
    assert!(audited.out.contains("for 5 individuals, ill can be inferred"), "{}", audited.out);
    assert!(audited.out.contains("certain for all"), "{}", audited.out);
}
