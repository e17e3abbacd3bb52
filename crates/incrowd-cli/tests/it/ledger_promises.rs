//! What a second release of a ledger must not do, although the file of the data is the same: read other individuals from
//! it, count them otherwise, or require less.

use crate::{Folder, Ran, incrowd};

const GUARANTEE: &str = "[guarantee]\nk = 5\n";

/// 200 people; the first one has no town. Some have several rows.
fn people() -> String {
    let mut text = "id,sex,town,ill\n".to_owned();
    for row in 0..200_u32 {
        let town = if row == 0 { "?" } else { ["north", "south"][(row % 2) as usize] };
        let (sex, ill) = (["f", "m"][(row / 2 % 2) as usize], ["asthma", "flu"][(row / 3 % 2) as usize]);
        text += &format!("{},{sex},{town},{ill}\n", row / 2);
    }
    text
}

struct Releases {
    folder: Folder,
    data: String,
    ledger: String,
}

impl Releases {
    fn new() -> Self {
        let folder = Folder::new();
        let (data, ledger) = (folder.file("people.csv", people()), folder.path("releases.jsonl"));
        Self { folder, data, ledger }
    }

    /// Records a tree of labels, whose release states no numbers of individuals.
    fn record(&self, out: &str, top: &str, file: &str, guarantee: &str) -> Ran {
        let policy = format!(
            "class = \"ill\"\n{top}[file]\nmissing = [\"?\"]\n{file}[attributes]\nid = {{ role = \"identifier\" }}\n\
             sex = {{ role = \"public\" }}\ntown = {{ role = \"public\" }}\nill = {{ role = \"private\" }}\n{guarantee}"
        );
        let policy = self.folder.file(&format!("{out}.toml"), policy);
        let (out, ledger) = (self.folder.path(out), self.ledger.as_str());
        let files = ["--data", &self.data, "--policy", &policy, "--out", &out, "--ledger", ledger];
        incrowd(&[&["tree", "--detail", "labels"], &files[..]].concat())
    }
}

#[track_caller]
fn refused(first: [&str; 3], second: [&str; 3], words: &str) {
    let releases = Releases::new();
    let ran = releases.record("a.json", first[0], first[1], first[2]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = releases.record("b.json", second[0], second[1], second[2]);
    assert!(ran.status == 2 && ran.err.contains(words), "{}", ran.err);
    assert!(!std::path::Path::new(&releases.folder.path("b.json")).exists());
    // The same once more is accepted.
    let ran = releases.record("c.json", first[0], first[1], first[2]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

const KEEP: &str = "missing-rows = \"keep\"\n";

#[test]
fn other_individuals_of_the_same_file_are_refused() {
    let other = "reads other individuals from it";
    for file in ["missing-rows = \"drop\"\n", "missing-rows = \"keep\"\ncomment = \"0,\"\n"] {
        refused(["", KEEP, GUARANTEE], ["", file, GUARANTEE], other);
    }
    refused(["", "missing-rows = \"drop\"\n", GUARANTEE], ["", KEEP, GUARANTEE], other);
    let exchanged = "missing-rows = \"keep\"\nheader = true\nnames = [\"id\", \"town\", \"sex\", \"ill\"]\n";
    refused(["", KEEP, GUARANTEE], ["", exchanged, GUARANTEE], other);
}

#[test]
fn rows_are_not_counted_after_individuals() {
    let other = "reads other individuals from it";
    refused(["subject = \"id\"\n", KEEP, GUARANTEE], ["", KEEP, GUARANTEE], other);
}

#[test]
fn promises_of_earlier_releases_are_kept() {
    let subject = "subject = \"id\"\n";
    for (first, second, lost) in [
        ("k = 5\nseveral-rows = \"strict\"\n", "k = 5\n", "promises k = 5 (over all rows of an individual)"),
        ("k = 5\n", "k = 5\nsingle-bin = \"exempt\"\n", "promises k = 5"),
        ("k = 5\n", "k = 4\n", "promises k = 5"),
        ("k = 5\ndistinct-l = 2\n", "k = 5\n", "promises distinct l = 2"),
        ("k = 5\nconfidence = 0.9\n", "k = 5\nconfidence = 0.95\n", "promises confidence <= 0.9"),
        (
            "k = 5\nconfidence = 0.9\nof = \"all\"\n",
            "k = 5\nconfidence = 0.9\n",
            "requirements for every private attribute",
        ),
        ("k = 5\nsmallest-bin = 5\n", "k = 5\n", "promises smallest bin = 5"),
    ] {
        let releases = Releases::new();
        let guarantee = |text: &str| format!("[guarantee]\n{text}");
        let ran = releases.record("a.json", subject, KEEP, &guarantee(first));
        assert_eq!(ran.status, 0, "{first}: {}", ran.err);
        let ran = releases.record("b.json", subject, KEEP, &guarantee(second));
        assert!(ran.status == 2 && ran.err.contains(lost), "{first}, then {second}: {}", ran.err);
    }
}
