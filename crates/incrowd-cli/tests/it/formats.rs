//! The same table in every kind of file gives the same release; policies and roles without files.

use crate::{Folder, Ran, incrowd};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// 60 individuals: an age, a town with a letter beyond ASCII, a weight with decimals, a diagnosis.
fn rows() -> Vec<[String; 4]> {
    let towns = ["Zürich", "Bern", "Genève"];
    let row = |i: usize| {
        let weight = format!("{}.5", 50 + (i * 7) % 40);
        let age = (20 + (i * 13) % 50).to_string();
        let sick = ["flu", "cold", "none"][(i * 5 + i / 7) % 3];
        [age, towns[i % 3].to_owned(), weight, sick.to_owned()]
    };
    (0..60).map(row).collect()
}

const NAMES: [&str; 4] = ["age", "town", "weight", "sick"];

fn csv(delimiter: &str, decimal: &str) -> String {
    let line = |row: &[String; 4]| {
        let [age, town, weight, sick] = row.clone();
        [age, town, weight.replace('.', decimal), sick].join(delimiter) + "\n"
    };
    NAMES.join(delimiter) + "\n" + &rows().iter().map(line).collect::<String>()
}

fn json_lines() -> String {
    let line = |[age, town, weight, sick]: &[String; 4]| {
        format!("{{\"age\": {age}, \"town\": \"{town}\", \"weight\": {weight}, \"sick\": \"{sick}\"}}\n")
    };
    rows().iter().map(line).collect()
}

fn policy(file: &str) -> String {
    format!(
        "class = \"sick\"\n[file]\n{file}\n[attributes]\nage = {{ role = \"public\" }}\n\
         town = {{ role = \"public\" }}\nweight = {{ role = \"public\" }}\nsick = {{ role = \"private\" }}\n\
         [guarantee]\nk = 5\n"
    )
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

fn wide(text: &str) -> Vec<u8> {
    "\u{FEFF}"
        .chars()
        .chain(text.chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect()
}

/// Makes a table and returns its bytes.
#[track_caller]
fn released(folder: &Folder, data: &[&str], policy: &str) -> Vec<u8> {
    let policy = folder.file("p.toml", policy);
    let out = folder.path("anon.csv");
    let mut arguments = vec!["table", "--method", "mondrian", "--policy", &policy, "--out", &out, "--force"];
    data.iter().for_each(|file| arguments.extend(["--data", file]));
    let ran = incrowd(&arguments);
    assert_eq!(ran.status, 0, "{data:?}: {}", ran.err);
    let sidecar = incrowd(&["audit", &folder.path("anon.json"), "--policy", &policy]);
    assert_eq!(sidecar.status, 0, "{data:?}: {}", sidecar.err);
    std::fs::read(out).unwrap()
}

#[test]
fn every_kind_of_file_gives_the_same_release() {
    let folder = Folder::new();
    let plain = csv(",", ".");
    let expected = released(&folder, &[&folder.file("t.csv", &plain)], &policy(""));
    let (header, body) = plain.split_once('\n').unwrap();
    let lines: Vec<&str> = body.lines().collect();
    folder.file("part-1.csv", format!("{header}\n{}\n", lines[..25].join("\n")));
    folder.file("part-2.csv", format!("{header}\n{}\n", lines[25..].join("\n")));
    let same: [(&[&str], &str); 7] = [
        (&[&folder.file("t.jsonl", json_lines())], ""),
        (&[&folder.file("latin.csv", latin(&plain))], "encoding = \"latin-1\""),
        (&[&folder.file("wide.csv", wide(&plain))], "encoding = \"utf-16\""),
        (&[&folder.file("comma.csv", csv(";", ","))], "decimal = \",\""),
        (&[&folder.path("part-1.csv"), &folder.path("part-2.csv")], ""),
        (&[&folder.path("part-*.csv")], ""),
        (&[&folder.file("t.ndjson", json_lines())], "format = \"jsonl\""),
    ];
    for (files, file) in same {
        assert_eq!(released(&folder, files, &policy(file)), expected, "{files:?}");
    }
}

/// A copy of a released table without its release file is read as such, whatever the source is.
#[test]
fn copies_of_released_tables_are_audited() {
    let folder = Folder::new();
    let sources = [
        (folder.file("t.jsonl", json_lines()), policy("format = \"jsonl\"")),
        (folder.file("wide.csv", wide(&csv(",", "."))), policy("encoding = \"utf-16\"")),
    ];
    for (source, policy) in sources {
        released(&folder, &[&source], &policy);
        let copy = folder.path("copy.csv");
        std::fs::copy(folder.path("anon.csv"), &copy).unwrap();
        let ran = incrowd(&["audit", "--table", &copy, "--policy", &folder.path("p.toml")]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(ran.err.contains("copy of a released table"), "{}", ran.err);
    }
}

/// Runs the program with this standard input.
fn with_input(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_incrowd"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { status: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn standard_input_is_a_table() {
    let folder = Folder::new();
    let plain = csv(",", ".");
    let expected = released(&folder, &[&folder.file("t.csv", &plain)], &policy(""));
    let (policy, out) = (folder.file("p.toml", policy("")), folder.path("piped.csv"));
    let arguments =
        ["table", "--method", "mondrian", "--data", "-", "--policy", &policy, "--out", &out, "--force"];
    for input in [plain.clone(), json_lines()] {
        let ran = with_input(&arguments, input.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert_eq!(std::fs::read(&out).unwrap(), expected);
    }
    let report = folder.path("r.html");
    let ran = with_input(&[&arguments[..], &["--report", &report]].concat(), plain.as_bytes());
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("standard input can be read only once"), "{}", ran.err);
}

#[test]
fn wrong_files_are_named() {
    let folder = Folder::new();
    let policy = folder.file("p.toml", policy(""));
    folder.file("a.csv", csv(",", "."));
    folder.file("b.csv", "age,place,weight,sick\n1,x,2,flu\n");
    let try_with = |files: &[&str]| {
        let mut arguments = vec!["table".to_owned(), "--policy".to_owned(), policy.clone()];
        arguments.extend(["--out".to_owned(), folder.path("o.csv")]);
        files.iter().for_each(|file| arguments.extend(["--data".to_owned(), folder.path(file)]));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = incrowd(&arguments);
        assert_eq!(ran.status, 2, "{files:?}: {}", ran.err);
        ran.err
    };
    let error = try_with(&["a.csv", "b.csv"]);
    assert!(error.contains("b.csv") && error.contains("the column is not declared as in"), "{error}");
    assert!(try_with(&["a.csv", "a.csv"]).contains("named twice"));
    assert!(try_with(&["none-*.csv"]).contains("no file matches the pattern"));
    folder.file("n.jsonl", "{\"age\": 1, \"town\": \"x\", \"weight\": [2], \"sick\": \"flu\"}\n");
    let error = try_with(&["n.jsonl"]);
    assert!(error.contains("n.jsonl, line 1") && error.contains("list or an object"), "{error}");
    // An output must not replace one of several inputs.
    let out = folder.path("a.csv");
    let ran =
        incrowd(&["table", "--data", &folder.path("a*.csv"), "--policy", &policy, "--out", &out, "--force"]);
    assert!(ran.status == 2 && ran.err.contains("also an input"), "{}", ran.err);
}

#[test]
fn roles_need_no_policy_file() {
    let folder = Folder::new();
    let table = folder.file("t.csv", csv(",", "."));
    let with = |more: &[&str]| incrowd(&[&["audit", "--table", &table, "--json"], more].concat());
    let by_roles = with(&["--public", "age,town,weight", "--private", "sick", "--k", "2"]);
    let file = folder.file("p.toml", policy("").replace("class = \"sick\"\n", "").replace("k = 5", "k = 2"));
    let by_policy = with(&["--policy", &file]);
    assert_eq!(by_roles.status, by_policy.status, "{}{}", by_roles.err, by_policy.err);
    for figure in ["k", "spans", "exposed", "individuals"] {
        assert_eq!(by_roles.json()[figure], by_policy.json()[figure], "{figure}");
    }
    let some = ["--public", "town", "--private", "sick", "--k", "5"];
    let refused = with(&some);
    assert!(
        refused.status == 2
            && refused
                .err
                .contains("attribute `age`: no flag gives this column a role, nor 1 other of the file"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("--unlisted ignored"), "{}", refused.err);
    let one = with(&[&some[..], &["--unlisted", "ignored"]].concat());
    assert_eq!((one.status, one.json()["k"].as_u64()), (0, Some(20)), "{}", one.err);
    let both = with(&["--public", "town", "--policy", &file]);
    assert_eq!(both.status, 2);
    assert_eq!(with(&["--public", "town", "--private", "town"]).status, 2);
    assert_eq!(with(&[]).status, 2);
    // A model is audited alike.
    let (tree, full) = (folder.path("tree.json"), folder.file("full.toml", policy("")));
    assert_eq!(incrowd(&["tree", "--data", &table, "--policy", &full, "--out", &tree]).status, 0);
    let model = incrowd(&[
        "audit",
        &tree,
        "--data",
        &table,
        "--public",
        "age,town,weight",
        "--private",
        "sick",
        "--k",
        "5",
    ]);
    assert_eq!(model.status, 0, "{}", model.err);
}

#[test]
fn policies_are_checked_and_compared_without_data() {
    let folder = Folder::new();
    let first = folder.file("first.toml", policy(""));
    let check = incrowd(&["policy", "check", &first, "--json"]);
    assert_eq!(check.status, 0, "{}", check.err);
    assert_eq!(check.json()["public"], serde_json::json!(["age", "town", "weight"]));
    assert_eq!(incrowd(&["policy", "check", &folder.file("bad.toml", "k = 5\n")]).status, 2);
    let diff =
        |after: &str| incrowd(&["policy", "diff", &first, &folder.file("second.toml", after), "--json"]);
    let same = diff(&policy(""));
    assert_eq!((same.status, same.json()["changes"].as_array().map(Vec::len)), (0, Some(0)));
    let weaker = diff(&policy("").replace("k = 5", "k = 4"));
    assert_eq!((weaker.status, weaker.json()["is_weaker"].as_bool()), (1, Some(true)));
    assert_eq!(diff(&policy("").replace("k = 5", "k = 6")).status, 0);
    let text = incrowd(&[
        "policy",
        "diff",
        &first,
        &folder.file(
            "t.toml",
            policy("").replace("\"private\"", "\"ignored\"").replace("class = \"sick\"\n", ""),
        ),
    ]);
    assert!(
        text.status == 1 && text.out.contains("role of `sick`") && text.out.contains("weaker"),
        "{}",
        text.out
    );
}
