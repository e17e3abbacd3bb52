//! The documentation describes what the program does: its examples read, and it has every key and no other.

use incrowd_io::PolicyFile;
use incrowd_io::policy::keys::SECTIONS;
use std::fs;
use std::path::{Path, PathBuf};

fn doc(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(path).expect("the documentation is part of the project")
}

/// The fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

/// A folder with the taxonomy the examples name.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("policy-docs");
    fs::create_dir_all(folder.join("taxonomies")).expect("a folder for the test");
    let taxonomy = blocks(&doc("taxonomies.md"), "csv").concat();
    fs::write(folder.join("taxonomies/education.csv"), taxonomy).expect("a file for the test");
    folder
}

#[test]
fn the_examples_read() {
    let folder = folder();
    let examples = blocks(&doc("policy.md"), "toml");
    assert_eq!(examples.len(), 6);
    for example in examples {
        let read = PolicyFile::parse(&example, folder.join("policy.toml"));
        assert!(read.is_ok(), "{example}\n{}", read.unwrap_err());
    }
}

/// The keys in the first column of the table under a heading.
fn documented<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let is_heading = |line: &str| line.trim_start_matches('#').trim() == heading && line.starts_with("##");
    text.lines()
        .skip_while(|line| !is_heading(line))
        .skip(1)
        .take_while(|line| !line.starts_with("##"))
        .filter_map(|line| line.strip_prefix("| `").and_then(|rest| rest.split('`').next()))
        .collect()
}

#[test]
fn every_key_is_documented_and_no_other() {
    let text = doc("policy.md");
    for (heading, keys) in SECTIONS {
        assert_eq!(documented(&text, heading), *keys, "under {heading}");
    }
}
