//! Private values that few individuals share stay out of print, whatever is mined, and the audit counts those that are
//! in print.

use crate::{Folder, Ran, incrowd};
use std::collections::{BTreeMap, BTreeSet};

struct Hospital {
    folder: Folder,
    data: String,
    policy: String,
    /// How many patients have each private name.
    patients: BTreeMap<String, u64>,
}

const CODES: usize = 240;

/// A patient for each row: 240 codes of diagnoses, of which 80 are one patient's each, and a ward that two patients are
/// on.
fn hospital() -> Hospital {
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    };
    let mut patients: BTreeMap<String, u64> = BTreeMap::new();
    let mut text = "age,sex,code,ward,stay,outcome\n".to_owned();
    let mut rows = 0;
    for code in 0..CODES {
        let many = if code < 80 { 1 } else { 2 + code % 11 };
        for _ in 0..many {
            let ward = if rows < 2 { "isolation" } else { ["east", "west", "south"][code % 3] };
            let outcome = ["home", "stays"][usize::from(below(100) < [10, 85][code % 2])];
            let code = format!("icd-{code:03}.");
            text += &format!(
                "{},{},{code},{ward},{},{outcome}\n",
                20 + below(40),
                ["f", "m"][below(2) as usize],
                below(12)
            );
            for name in [code, ward.to_owned()] {
                *patients.entry(name).or_default() += 1;
            }
            rows += 1;
        }
    }
    let folder = Folder::new();
    let (data, policy) = (folder.file("hospital.csv", text), folder.file("policy.toml", policy("")));
    Hospital { folder, data, policy, patients }
}

fn policy(values: &str) -> String {
    format!(
        "class = \"outcome\"\n[attributes]\nage = {{ role = \"public\", taxonomy = {{ round = {{}} }} }}\n\
         sex = {{ role = \"public\", taxonomy = {{ flat = {{}} }} }}\ncode = {{ role = \"private\"{values} }}\n\
         ward = {{ role = \"private\" }}\nstay = {{ role = \"private\", range = [0, 100] }}\noutcome = {{ role = \"private\" }}\n"
    )
}

impl Hospital {
    /// The private names that fewer patients have than required.
    fn rare(&self, required: u64) -> BTreeSet<&str> {
        let rare = self.patients.iter().filter(|&(_, &patients)| patients < required);
        rare.map(|(name, _)| name.as_str()).collect()
    }

    fn mine(&self, what: &[&str], out: &str, flags: &[&str]) -> Ran {
        let files = ["--data", &self.data, "--policy", &self.policy, "--out", out, "--force", "--json"];
        incrowd(&[&what[..1], &files, &what[1..], flags].concat())
    }

    fn audit(&self, release: &str, flags: &[&str]) -> Ran {
        let table = ["--data", &self.data];
        let is_table = std::path::Path::new(release).extension().is_some_and(|ending| ending == "csv");
        let what: Vec<&str> = if is_table { vec!["--table", release] } else { vec![release] };
        let table: &[&str] = if is_table { &[] } else { &table };
        incrowd(&[&["audit"], &what[..], table, &["--policy", &self.policy, "--json"], flags].concat())
    }
}

/// All commands that do not write private columns unchanged.
const PRINTS_NONE: [&[&str]; 8] = [
    &["tree", "--method", "kadet-id3"],
    &["tree", "--method", "kadet-c45"],
    &["tree", "--method", "best"],
    &["table", "--method", "spans", "--tree", "kadet-id3"],
    &["table", "--method", "spans", "--tree", "best"],
    &["clusters", "--method", "mst"],
    &["clusters", "--method", "k-means"],
    &["rules", "--min-support", "0.02", "--min-confidence", "0.3"],
];

const GUARANTEES: [(&[&str], u64); 3] =
    [(&["--k", "5"], 5), (&["--k", "8"], 8), (&["--k", "5", "--smallest-bin", "8"], 8)];

#[test]
fn no_release_names_what_few_patients_have() {
    let hospital = hospital();
    let mut named = 0;
    for (flags, required) in GUARANTEES {
        let rare = hospital.rare(required);
        assert!(rare.len() > 100 && rare.contains("isolation"));
        for what in PRINTS_NONE {
            let out = hospital.folder.path(if what[0] == "table" { "release.csv" } else { "release.json" });
            let mined = hospital.mine(what, &out, flags);
            assert_eq!(mined.status, 0, "{what:?} {flags:?}: {}", mined.err);
            let release = std::fs::read_to_string(&out).unwrap();
            let printed: Vec<&&str> = rare.iter().filter(|&&name| release.contains(name)).collect();
            assert!(printed.is_empty(), "{what:?} {flags:?}: {printed:?}");
            named += usize::from(release.contains("icd-"));
            let audited = hospital.audit(&out, flags);
            assert_eq!(audited.status, 0, "{what:?} {flags:?}: {}{}", audited.out, audited.err);
            let (audited, mined) = (audited.json(), mined.json());
            assert_eq!(audited["rare_values"], 0, "{what:?} {flags:?}");
            assert_eq!(audited["k"], mined["k"], "{what:?} {flags:?}");
            assert_eq!(audited["exposed"], mined["exposed"], "{what:?} {flags:?}");
        }
    }
    assert!(named > 0, "no release names any code");
}

/// Tables with unchanged private columns state how many rare values are in print; a smallest bin forbids them.
#[test]
fn tables_with_private_columns_say_how_many_rare_values_they_print() {
    let hospital = hospital();
    let out = hospital.folder.path("release.csv");
    for method in ["best", "kactus2", "tds", "tdr", "mondrian"] {
        let mined = hospital.mine(&["table", "--method", method], &out, &["--k", "5"]);
        assert_eq!(mined.status, 0, "{method}: {}", mined.err);
        let rare = hospital.rare(5).len();
        assert!(
            mined.err.contains(&format!("the release shows {rare} rare private values")),
            "{method}: {}",
            mined.err
        );
        let audited = hospital.audit(&out, &["--k", "5"]).json();
        assert_eq!((&audited["rare_values"], &audited["holds"]), (&rare.into(), &true.into()), "{method}");
        let refused =
            hospital.mine(&["table", "--method", method], &out, &["--k", "5", "--smallest-bin", "5"]);
        assert_eq!(refused.status, 1, "{method}: {}", refused.err);
        assert!(refused.err.contains("smallest bin") && refused.err.contains("help:"), "{}", refused.err);
    }
}

/// The headline, the document and the exit status agree on a release whose only breach is a rare value in print.
#[test]
fn what_is_printed_breaks_a_smallest_bin() {
    let folder = Folder::new();
    let ill = ["flu", "flu", "flu", "flu", "flu", "flu", "cold", "cold", "cold", "cold"];
    let lines: String = ill.iter().map(|ill| format!("f,{ill}\n")).collect();
    let data = folder.file("table.csv", format!("sex,ill\n{lines}"));
    let policy = |values: &str| {
        let text = format!(
            "[attributes]\nsex = {{ role = \"public\" }}\nill = {{ role = \"private\"{values} }}\n[guarantee]\nk = 5\nsmallest-bin = 2\n"
        );
        folder.file("policy.toml", text)
    };
    let undeclared = policy("");
    let audit = |policy: &str, more: &[&str]| {
        incrowd(&[&["audit", "--table", &data, "--policy", policy], more].concat())
    };
    let text = audit(&undeclared, &[]);
    assert_eq!(text.status, 1, "{}", text.out);
    let headline = text.out.lines().next().unwrap_or_default();
    assert!(headline.contains("fails") && headline.contains("1 private value is shown"), "{}", text.out);
    assert!(text.out.contains("broken by 1 rare value"), "{}", text.out);
    let json = audit(&undeclared, &["--json"]);
    assert_eq!(json.status, 1);
    let json = json.json();
    assert_eq!(
        (&json["holds"], &json["breaches"], &json["rare_values"]),
        (&false.into(), &0.into(), &1.into())
    );
    let asked = json["asked"].as_array().unwrap();
    assert!(asked.iter().any(|asked| asked["rare_values"] == 1), "{json}");
    let declared = policy(", values = [\"flu\", \"cold\"]");
    let text = audit(&declared, &[]);
    assert_eq!(text.status, 0, "{}{}", text.out, text.err);
}

#[test]
fn notes_of_one_individual_each_are_not_written() {
    let folder = Folder::new();
    let row = |row: usize| {
        format!(
            "{},note-{row},{}\n",
            ["f", "m"][row / 2 % 2],
            ["no", "yes"][usize::from(row.is_multiple_of(3))]
        )
    };
    let data = folder.file("notes.csv", format!("sex,note,ill\n{}", (0..400).map(row).collect::<String>()));
    let policy = "class = \"ill\"\n[attributes]\nsex = { role = \"public\" }\nnote = { role = \"private\" }\nill = { role = \"private\" }\n";
    let policy = folder.file("policy.toml", policy);
    for what in PRINTS_NONE.iter().filter(|what| what[0] != "clusters") {
        let out = folder.path(if what[0] == "table" { "release.csv" } else { "release.json" });
        let files = ["--data", &data, "--policy", &policy, "--out", &out, "--force", "--k", "10"];
        let mined = incrowd(&[&what[..1], &files, &what[1..]].concat());
        assert_eq!(mined.status, 0, "{what:?}: {}", mined.err);
        assert!(!std::fs::read_to_string(&out).unwrap().contains("note-"), "{what:?}");
        assert!(!mined.out.contains("note-") && !mined.err.contains("note-"), "{what:?}");
    }
}
