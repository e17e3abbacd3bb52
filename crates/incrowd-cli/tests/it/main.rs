//! The program as its users see it: output, exit status, errors, files.

mod advice;
mod agree;
mod agree_rules;
mod agreement;
mod attack;
mod audit;
mod board;
mod boost;
mod calendar;
mod clusters;
mod compare;
mod databases;
#[cfg(feature = "download")]
mod datasets;
mod demo;
mod differential;
mod distances;
mod dossier;
mod dossier_claims;
mod dossier_page;
mod ensemble_exports;
mod ensembles;
mod errors;
mod exports;
mod foreign;
mod foreign_ensembles;
mod foreign_spelling;
mod formats;
mod grow;
mod hostile_files;
mod hostile_numbers;
mod inputs;
mod interrupt;
mod judged;
mod kadet;
mod ledger;
mod ledger_promises;
mod loss;
mod manners;
mod mistakes;
mod newcomer;
mod officer;
mod peers;
mod predict;
mod presets;
mod profile;
mod proven_rules;
mod pycanon;
mod rare;
mod released;
mod risk;
mod rules;
mod sets;
mod show;
mod sidecar;
mod small_tables;
mod spellings;
mod strict;
mod survey;
mod table;
mod tied;
mod together;
mod transform;
mod tree;
mod tutorial;
mod walk;
mod warned;
mod words;

use incrowd_testkit::ADULT;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A folder of its own for a test, removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("incrowd-it-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file and returns its path as text.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run of the program gave.
struct Ran {
    status: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

fn incrowd(arguments: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_incrowd")).args(arguments))
}

fn run(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { status: status.code().unwrap_or(-1), out: text(stdout), err: text(stderr) }
}

/// A run that is stopped, and fails the test, if it takes too long. Only its status and errors are returned.
fn run_within(command: &mut Command, limit: Duration) -> Ran {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a run");
    let start = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if start.elapsed() > limit {
            child.kill().expect("an end");
            panic!("it does not end: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output");
    let err = String::from_utf8(output.stderr).expect("text");
    Ran { status: output.status.code().unwrap_or(-1), out: String::new(), err }
}

/// A file of the benchmark data.
fn data(path: &str) -> Option<String> {
    incrowd_testkit::data(path).map(|file| file.to_str().unwrap().to_owned())
}

/// A policy for Adult with the given public columns; the class is private, the others are ignored.
fn adult_policy(public: &[&str], more: &str) -> String {
    let names = ADULT.map(|name| format!("{name:?}"));
    let mut text = format!(
        "class = \"class\"\n[file]\nformat = \"uci\"\nnames = [{}]\nmissing = [\"?\"]\nmissing-rows = \"drop\"\n",
        names.join(", ")
    );
    for name in ADULT {
        let role = match name {
            "class" => "private",
            name if public.contains(&name) => "public",
            _ => "ignored",
        };
        text += &format!("[attributes.{name}]\nrole = {role:?}\n");
    }
    text + more
}
