//! Mining and auditing agree: whatever is written with exit status 0 passes the audit under the same policy, with the
//! same figures.

use super::{Folder, incrowd};
use incrowd::random::Random;
use serde_json::Value;

const CASES: u32 = 60;

const COLUMNS: [(&str, &[&str]); 6] = [
    ("a", &["p", "q"]),
    ("b", &["u", "v", "w"]),
    ("x", &["k", "l", "m"]),
    ("y", &["s", "t"]),
    ("num", &["1", "2", "3.5", "7"]),
    ("cls", &["g", "b"]),
];

const COMMANDS: [&[&str]; 6] = [
    &["tree", "--method", "best"],
    &["tree", "--method", "kadet-c45"],
    &["tree", "--method", "kadet-id3"],
    &["clusters", "--method", "mst"],
    &["clusters", "--method", "k-means"],
    &["rules", "--min-support", "0.2", "--min-confidence", "0.3"],
];

const REQUIREMENTS: [&[&str]; 8] = [
    &[],
    &["--distinct-l", "2"],
    &["--confidence", "0.8"],
    &["--t-closeness", "0.5"],
    &["--entropy-l", "1.3"],
    &["--beta", "1.5"],
    &["--smallest-bin", "2"],
    &["--single-bin", "exempt"],
];

/// A table and a policy, with subjects or without; and the names of the private attributes.
fn case(random: &mut Random, folder: &Folder) -> (String, String, Vec<&'static str>) {
    let (rows, with_subjects) = (4 + random.below(20), random.percent(40));
    let mut table = if with_subjects { "id,".to_owned() } else { String::new() };
    table += "a,b,x,y,num,cls\n";
    for _ in 0..rows {
        if with_subjects {
            table += &format!("s{},", random.below(rows / 2 + 1));
        }
        let mut cell = |values: &[&'static str]| values[random.below(values.len() as u32) as usize];
        let cells: Vec<&str> = COLUMNS.iter().map(|(_, values)| cell(values)).collect();
        table += &(cells.join(",") + "\n");
    }
    let mut policy = "class = \"cls\"\n".to_owned();
    policy += if with_subjects { "subject = \"id\"\n" } else { "" };
    policy += "[file]\nformat = \"csv\"\n";
    let mut private = Vec::new();
    for (name, _) in COLUMNS {
        let is_private = name != "a" && (name == "x" || random.percent(60));
        let role = if is_private { "private" } else { "public" };
        private.extend(is_private.then_some(name));
        policy += &format!("[attributes.{name}]\nrole = \"{role}\"\n");
        policy += if name == "num" { "range = [0, 10]\n" } else { "" };
    }
    policy += if with_subjects { "[attributes.id]\nrole = \"identifier\"\n" } else { "" };
    (folder.file("data.csv", table), folder.file("policy.toml", policy), private)
}

/// A figure of a document, or of the summary in it.
fn figure<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    document.get(name).or_else(|| document.get("summary")?.get(name))
}

#[test]
fn what_is_mined_passes_its_audit_with_the_same_figures() {
    let (folder, mut random, mut compared) = (Folder::new(), Random::of(11, 0), 0);
    for number in 0..CASES {
        let (data, policy, private) = case(&mut random, &folder);
        let command = COMMANDS[random.below(6) as usize];
        let of = match random.below(4) {
            0 => "class".to_owned(),
            1 => "tested".to_owned(),
            2 => "all".to_owned(),
            _ => private[random.below(private.len() as u32) as usize].to_owned(),
        };
        let k = (1 + random.below(4)).to_string();
        let guarantee = [&["--k", &k, "--of", &of], REQUIREMENTS[random.below(8) as usize]].concat();
        let out = folder.path("out.json");
        let files = ["--data", &data, "--policy", &policy, "--json"];
        let mined = incrowd(&[command, &files, &["--out", &out, "--force"], &guarantee].concat());
        assert!(!mined.err.contains("bug in incrowd"), "{number} {command:?} {guarantee:?}: {}", mined.err);
        if mined.status != 0 {
            continue;
        }
        let audited = incrowd(&[&["audit", &out], &files[..], &guarantee].concat());
        assert_eq!(audited.status, 0, "{number} {command:?} {guarantee:?}: {}", audited.err);
        let (mined, audited) = (mined.json(), audited.json());
        for name in ["k", "spans", "exposed", "max_confidence", "rows", "individuals"] {
            if let (Some(ours), Some(theirs)) = (figure(&mined, name), figure(&audited, name)) {
                assert_eq!(ours, theirs, "{number} {command:?} {guarantee:?}: {name}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} figures");
}
