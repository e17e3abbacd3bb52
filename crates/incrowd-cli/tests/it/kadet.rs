//! The papers' methods from the command line.

use crate::{Folder, data, incrowd};

const MORTGAGE: &str = "marital,car,risk\nUnmarried,Yes,good\nMarried,Yes,good\nMarried,No,bad\nMarried,No,bad\n\
                        Unmarried,Yes,bad\nUnmarried,No,bad\n";

const POLICY: &str = "class = \"risk\"\n[attributes.marital]\nrole = \"public\"\n[attributes.car]\nrole = \"private\"\n\
                      [attributes.risk]\nrole = \"private\"\n";

struct Mortgage {
    folder: Folder,
    data: String,
    policy: String,
    out: String,
}

fn mortgage() -> Mortgage {
    let folder = Folder::new();
    let (data, policy) = (folder.file("data.csv", MORTGAGE), folder.file("policy.toml", POLICY));
    let out = folder.path("tree.json");
    Mortgage { folder, data, policy, out }
}

fn tree(mortgage: &Mortgage, flags: &[&str]) -> crate::Ran {
    let Mortgage { data, policy, out, .. } = mortgage;
    incrowd(
        &[&["tree", "--data", data, "--policy", policy, "--out", out, "--method", "kadet-id3"], flags]
            .concat(),
    )
}

#[test]
fn figure_1_comes_out_and_passes_its_audit() {
    let mortgage = mortgage();
    let ran = tree(&mortgage, &["--k", "3", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json = ran.json();
    for (key, value) in
        [("leaves", 3), ("spans", 2), ("k", 3), ("cm", 2), ("exposed", 0), ("rows", 6), ("individuals", 6)]
    {
        assert_eq!(json[key], value, "{key}");
    }
    for key in ["max_confidence", "error", "seconds"] {
        assert!(json[key].is_number(), "{key}");
    }
    let audit = |k: &str| {
        let Mortgage { data, policy, out, .. } = &mortgage;
        incrowd(&["audit", out, "--data", data, "--policy", policy, "--k", k]).status
    };
    assert_eq!((audit("3"), audit("4")), (0, 1));
}

#[test]
fn an_existing_file_is_refused_before_anything_is_read() {
    let mortgage = mortgage();
    mortgage.folder.file("tree.json", "mine");
    let missing = mortgage.folder.path("nothing.csv");
    let ran = incrowd(&[
        "tree",
        "--data",
        &missing,
        "--policy",
        &mortgage.policy,
        "--out",
        &mortgage.out,
        "--k",
        "2",
    ]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("already exists"), "{}", ran.err);
    assert_eq!(tree(&mortgage, &["--k", "2", "--force"]).status, 0);
    assert!(std::fs::read_to_string(&mortgage.out).unwrap().contains("incrowd-release"));
}

#[test]
fn nothing_is_written_where_no_tree_is_safe_or_nothing_is_asked() {
    let mortgage = mortgage();
    let ran = tree(&mortgage, &["--k", "7"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("the largest k possible for this table is 6"), "{}", ran.err);
    let ran = tree(&mortgage, &[]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("no guarantee"), "{}", ran.err);
    assert_eq!(mortgage.folder.names(), ["data.csv", "policy.toml"]);
}

#[test]
fn the_same_bytes_come_out_for_any_number_of_threads() {
    let Some(adult) = data("adult/adult.data") else { return };
    let public = ["age", "workclass", "education", "marital-status", "occupation", "sex", "hours-per-week"];
    let folder = Folder::new();
    let policy = folder.file("policy.toml", crate::adult_policy(&public, ""));
    let tree = |threads: &str| {
        let out = folder.path(&format!("tree-{threads}.json"));
        let ran = incrowd(&[
            "tree",
            "--data",
            &adult,
            "--policy",
            &policy,
            "--k",
            "50",
            "--out",
            &out,
            "--threads",
            threads,
        ]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        std::fs::read(out).unwrap()
    };
    assert!(tree("1") == tree("8"));
}
