//! No command replaces a file that it reads, whatever name it is given under.

use crate::{Folder, incrowd};

const TABLE: &str = "zip,c\n1,x\n1,y\n2,x\n2,y\n";
const POLICY: &str = "class = \"c\"\n[attributes.zip]\nrole = \"public\"\nkind = \"categorical\"\n\
                      taxonomy = \"zip.csv\"\n[attributes.c]\nrole = \"private\"\n[guarantee]\nk = 2\n";

/// Runs the command and checks that it is refused and that no file has changed.
#[track_caller]
fn refused(folder: &Folder, arguments: &[&str]) {
    let contents = |name: &String| std::fs::read(folder.path(name)).unwrap();
    let before: Vec<_> = folder.names().iter().map(contents).collect();
    let ran = incrowd(&[arguments, &["--force"]].concat());
    assert_eq!(ran.status, 2, "{arguments:?}: {}", ran.err);
    assert!(ran.err.contains("also an input of the command"), "{arguments:?}: {}", ran.err);
    assert_eq!(before, folder.names().iter().map(contents).collect::<Vec<_>>(), "{arguments:?}");
}

#[test]
fn outputs_are_never_inputs() {
    let folder = Folder::new();
    let table = folder.file("t.csv", TABLE);
    let policy = folder.file("p.toml", POLICY);
    let taxonomy = folder.file("zip.csv", "1;*\n2;*\n");
    let source = ["--data", table.as_str(), "--policy", policy.as_str()];
    for out in [&table, &policy, &taxonomy] {
        for command in ["tree", "table", "clusters"] {
            refused(&folder, &[&[command], &source[..], &["--out", out]].concat());
        }
        let rules = ["--min-support", "0.1", "--min-confidence", "0.5", "--out", out];
        refused(&folder, &[&["rules"], &source[..], &rules].concat());
    }
    refused(&folder, &["profile", &table, "--out", &table]);
    let tree = folder.path("tree.json");
    assert_eq!(incrowd(&[&["tree"], &source[..], &["--out", &tree]].concat()).status, 0);
    refused(&folder, &["predict", &tree, "--data", &table, "--out", &table]);
    refused(&folder, &["show", &tree, "--out", &tree]);
    refused(&folder, &["export", &tree, "--to", "json", "--out", &tree]);
}

/// The sidecar of a table, and the files of a comparison, are outputs too.
#[test]
fn outputs_beside_the_named_one_are_never_inputs() {
    let folder = Folder::new();
    let table = folder.file("comparison.csv", TABLE);
    let policy = folder.file("anon.json", POLICY);
    folder.file("zip.csv", "1;*\n2;*\n");
    let source = ["--data", table.as_str(), "--policy", policy.as_str()];
    let anon = folder.path("anon.csv");
    refused(&folder, &[&["table"], &source[..], &["--out", &anon]].concat());
    let beside = folder.path("");
    refused(&folder, &[&["compare"], &source[..], &["--out", &beside]].concat());
}

#[cfg(unix)]
#[test]
fn links_do_not_hide_an_input() {
    let folder = Folder::new();
    let (table, policy) = (folder.file("t.csv", TABLE), folder.file("p.toml", POLICY));
    folder.file("zip.csv", "1;*\n2;*\n");
    let (hard, soft) = (folder.path("hard.csv"), folder.path("soft.csv"));
    std::fs::hard_link(&table, &hard).unwrap();
    std::os::unix::fs::symlink(&table, &soft).unwrap();
    for out in [&hard, &soft] {
        refused(&folder, &["tree", "--data", &table, "--policy", &policy, "--out", out]);
    }
}
