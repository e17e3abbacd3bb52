//! The strict reading of k: as many individuals have the same spans over all of their rows. Every miner keeps it, if
//! with a coarser release.

use crate::{Folder, Ran, incrowd};

const STRICT: [&str; 4] = ["--k", "3", "--several-rows", "strict"];

struct Visits {
    folder: Folder,
    data: String,
    policy: String,
}

/// Two visits of each individual: many are at each place, but few were at the first one twice. `more` are rows of
/// others.
fn visits(more: &str) -> Visits {
    let pairs = [("p", "q", 24), ("p", "p", 2), ("q", "q", 14)];
    let mut text = "who,place,age,stay,care,ill\n".to_owned();
    let mut who = 0;
    for (one, other, many) in pairs {
        for i in 0..many {
            for place in [one, other] {
                let ill = if place == "p" { "flu" } else { ["cold", "none"][i % 2] };
                let (stay, care) = if place == "p" { (9, "yes") } else { (i % 3, "no") };
                text += &format!("w{who},{place},{},{stay},{care},{ill}\n", 20 + 10 * (i % 2));
            }
            who += 1;
        }
    }
    let folder = Folder::new();
    let data = folder.file("visits.csv", text + more);
    let policy = "class = \"ill\"\nsubject = \"who\"\n[attributes]\nplace = { role = \"public\", taxonomy = { flat = {} } }\n\
                  age = { role = \"public\", taxonomy = { round = {} } }\nstay = { role = \"private\", range = [0, 10] }\nill = { role = \"private\" }\ncare = { role = \"private\" }\n";
    let policy = folder.file("policy.toml", policy);
    Visits { folder, data, policy }
}

impl Visits {
    fn mine(&self, what: &[&str], out: &str) -> Ran {
        let files = ["--data", &self.data, "--policy", &self.policy, "--out", out, "--force", "--json"];
        incrowd(&[&what[..1], &files, &what[1..], &STRICT].concat())
    }

    fn out(&self, what: &[&str]) -> String {
        self.folder.path(if what[0] == "table" { "release.csv" } else { "release.json" })
    }
}

const ALL: [&[&str]; 14] = [
    &["tree", "--method", "kadet-id3"],
    &["tree", "--method", "kadet-c45"],
    &["tree", "--method", "best"],
    &["table", "--method", "spans"],
    &["table", "--method", "best"],
    &["table", "--method", "kactus"],
    &["table", "--method", "kactus2"],
    &["table", "--method", "aggregate"],
    &["table", "--method", "tds"],
    &["table", "--method", "tdr"],
    &["table", "--method", "mondrian"],
    &["clusters", "--method", "mst"],
    &["clusters", "--method", "k-means"],
    &["rules", "--min-support", "0.1", "--min-confidence", "0.3", "--keep-channels"],
];

#[test]
fn every_miner_keeps_the_strict_reading() {
    let visits = visits("");
    for what in ALL {
        let out = visits.out(what);
        let mined = visits.mine(what, &out);
        assert_eq!(mined.status, 0, "{what:?}: {}", mined.err);
        let release = visits.folder.path("release.json");
        let data = ["--data", &visits.data];
        let data: &[&str] = if what[0] == "table" { &[] } else { &data };
        let policy = ["--policy", &visits.policy, "--json"];
        let audited = incrowd(&[&["audit", &release], data, &policy, &STRICT].concat());
        assert_eq!(audited.status, 0, "{what:?}: {}{}", audited.out, audited.err);
        let (audited, mined) = (audited.json(), mined.json());
        assert!(audited["k"].as_u64().unwrap() >= 3, "{what:?}: {audited}");
        assert_eq!(audited["k"], mined["k"], "{what:?}");
    }
}

/// No release hides how many rows someone has.
#[test]
fn a_number_of_rows_that_one_individual_has_is_a_breach_that_is_named() {
    let visits = visits("w99,p,20,1,yes,flu\nw99,p,20,1,no,flu\nw99,q,30,2,no,cold\n");
    for what in ALL {
        let out = visits.out(what);
        let mined = visits.mine(what, &out);
        assert_eq!(mined.status, 1, "{what:?}: {}{}", mined.out, mined.err);
        assert!(mined.err.contains("the largest k possible for this table is 1"), "{what:?}: {}", mined.err);
        assert!(!std::path::Path::new(&out).exists(), "{what:?}");
    }
}

/// Where groups of all attributes distinguish individuals by several rows, the table shows the attributes that do not.
#[test]
fn strict_tables_show_the_attributes_that_they_can() {
    let folder = Folder::new();
    let mut rows = "person,sex,age,ward,cost\n".to_owned();
    for row in 0..120_u32 {
        let person = row / 3;
        // Sex is the same in all rows of a person; age and ward are not.
        rows += &format!(
            "{person},{},{},{},{}\n",
            ["f", "m"][(person % 2) as usize],
            20 + row * 37 % 61,
            ["a", "b", "c"][(row * 7 % 11 % 3) as usize],
            100 + row * 13 % 50
        );
    }
    let data = folder.file("visits.csv", rows);
    let policy = folder.file(
        "policy.toml",
        "subject = \"person\"\n[attributes]\nsex = { role = \"public\" }\nage = { role = \"public\" }\n\
         ward = { role = \"public\" }\ncost = { role = \"private\" }\n[guarantee]\nk = 5\nseveral-rows = \"strict\"\n",
    );
    for method in ["mondrian", "finest", "best"] {
        let out = folder.path(&format!("{method}.csv"));
        let ran = incrowd(&[
            "table", "--data", &data, "--policy", &policy, "--method", method, "--out", &out, "--json",
        ]);
        assert_eq!(ran.status, 0, "{method}: {}", ran.err);
        let (json, text) = (ran.json(), std::fs::read_to_string(&out).unwrap());
        assert!(json["suppressed"].as_f64().unwrap() < 0.7, "{method}: {json}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("f,") || line.starts_with("m,")), "{text}");
    }
}
