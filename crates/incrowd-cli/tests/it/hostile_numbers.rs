//! Every search ends: neighbouring doubles, subnormals, -0.0 and huge numbers in every numeric column, with every
//! method.

use super::{Folder, Ran, run, run_within};
use std::process::Command;
use std::time::Duration;

/// How long a run may take that has ten rows to look at.
const LIMIT: Duration = Duration::from_secs(60);

/// Numbers that searches stumble over.
const COLUMNS: [(&str, [&str; 10]); 5] = [
    (
        "neighbours",
        [
            "0.3",
            "0.30000000000000004",
            "0.3",
            "0.30000000000000004",
            "0.3",
            "0.30000000000000004",
            "0.3",
            "0.3",
            "0.30000000000000004",
            "0.30000000000000004",
        ],
    ),
    ("subnormal", ["5e-324", "1e-323", "0", "5e-324", "1e-323", "5e-324", "5e-324", "0", "1e-323", "1e-323"]),
    ("zeros", ["-0.0", "0.0", "-0.0", "0", "5e-324", "-5e-324", "0.0", "-0.0", "-5e-324", "5e-324"]),
    (
        "huge",
        [
            "1e308",
            "-1e308",
            "1.7976931348623157e308",
            "1e308",
            "-1e308",
            "9.999999999999999e307",
            "1e308",
            "1e308",
            "-1e308",
            "-1.7976931348623157e308",
        ],
    ),
    (
        "mixed",
        [
            "0.3",
            "1e308",
            "0.30000000000000004",
            "-0.0",
            "5e-324",
            "1",
            "1.0000000000000002",
            "-1e308",
            "0.3",
            "1",
        ],
    ),
];

/// Every method of trees, tables, clusters and rules.
const COMMANDS: [&[&str]; 14] = [
    &["tree", "--method", "best"],
    &["tree", "--method", "kadet-c45"],
    &["tree", "--method", "kadet-id3"],
    &["table", "--method", "best"],
    &["table", "--method", "spans"],
    &["table", "--method", "spans", "--tree", "kadet-c45"],
    &["table", "--method", "kactus"],
    &["table", "--method", "kactus2"],
    &["table", "--method", "aggregate"],
    &["table", "--method", "tds"],
    &["table", "--method", "mondrian"],
    &["clusters", "--method", "mst"],
    &["clusters", "--method", "k-means"],
    &["rules", "--min-support", "0.2", "--min-confidence", "0.2"],
];

/// The requirements besides k = 1: none, and one that makes searches check each split.
const GUARANTEES: [&[&str]; 4] =
    [&[], &["--distinct-l", "1"], &["--t-closeness", "1"], &["--single-bin", "exempt"]];

/// A run that is ended, and fails the test, if it takes too long.
fn limited(arguments: &[&str]) -> Ran {
    run_within(Command::new(env!("CARGO_BIN_EXE_incrowd")).args(arguments), LIMIT)
}

fn policy(public: &str, private: &str) -> String {
    format!(
        "class = \"class\"\n[file]\nformat = \"csv\"\n[attributes.{public}]\nrole = \"public\"\n[attributes.{private}]\nrole = \"private\"\n\
         [attributes.n]\nrole = \"private\"\nvalues = [\"a\", \"b\"]\n[attributes.class]\nrole = \"private\"\nvalues = [\"g\", \"b\"]\n[guarantee]\nk = 1\n"
    )
}

/// Whatever can be mined passes its audit; nothing hangs, and nothing crashes.
#[test]
fn every_search_ends() {
    let folder = Folder::new();
    for (name, numbers) in COLUMNS {
        let rows = numbers.iter().enumerate().map(|(i, number)| {
            let class = if numbers[0] == *number { "g" } else { "b" };
            let (other, known) = (numbers[(i * 3 + 1) % 10], if i % 2 == 0 { "a" } else { "b" });
            format!("{number},{other},{known},{class}\n")
        });
        let data = folder.file("data.csv", format!("p,q,n,class\n{}", rows.collect::<String>()));
        for (public, private) in [("p", "q"), ("q", "p")] {
            let policy = folder.file("policy.toml", policy(public, private));
            for command in COMMANDS {
                for guarantee in GUARANTEES {
                    let out = folder.path(if command[0] == "table" { "out.csv" } else { "out.json" });
                    let rest = ["--data", &data, "--policy", &policy, "--out", &out, "--force", "--quiet"];
                    let mined = limited(&[command, &rest, guarantee].concat());
                    assert!(
                        (0..3).contains(&mined.status),
                        "{name} {command:?} {guarantee:?}: {}",
                        mined.err
                    );
                    assert!(
                        !mined.err.contains("bug in incrowd"),
                        "{name} {command:?} {guarantee:?}: {}",
                        mined.err
                    );
                    if mined.status == 0 && command[0] != "table" {
                        let audit = ["audit", &out, "--data", &data, "--policy", &policy];
                        let audited =
                            run(Command::new(env!("CARGO_BIN_EXE_incrowd"))
                                .args([&audit, guarantee].concat()));
                        assert_eq!(audited.status, 0, "{name} {command:?} {guarantee:?}: {}", audited.err);
                    }
                }
            }
        }
    }
}
