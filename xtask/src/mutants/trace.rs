//! One run of all tests that notes which test meets which mutant and how long each test takes.

use super::cargo;
use crate::shell::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// The tests that are asked.
const PACKAGES: &str = "package(incrowd-core) or package(incrowd-mine) or package(incrowd-cli)";

/// A test: its binary, where it runs, and how long it takes without a mutant.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) binary: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) name: String,
    pub(super) takes: Duration,
}

/// The tests that meet each mutant, the quickest first.
pub(super) fn tests_of_mutants(copy: &Path) -> Result<BTreeMap<u32, Vec<Test>>, String> {
    let folder = root().join("target/mutants/trace");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let took = durations(copy, &folder)?;
    let binaries = binaries(copy)?;
    let mut met: BTreeMap<u32, BTreeSet<(String, String)>> = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
        let text = fs::read_to_string(entry.map_err(|error| error.to_string())?.path()).unwrap_or_default();
        for line in text.lines() {
            let mut parts = line.split('\t').map(str::to_owned);
            let (Some(id), Some(binary), Some(test)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            if let Ok(id) = id.parse() {
                met.entry(id).or_default().insert((binary, test));
            }
        }
    }
    let test = |(binary, name): (String, String)| {
        let (path, folder) = binaries.get(&binary)?.clone();
        let takes = *took.get(&(binary, name.clone()))?;
        Some(Test { binary: path, folder, name, takes })
    };
    let sorted = |tests: BTreeSet<(String, String)>| {
        let mut tests: Vec<Test> = tests.into_iter().filter_map(test).collect();
        tests.sort_by_key(|test| test.takes);
        tests
    };
    Ok(met.into_iter().map(|(id, tests)| (id, sorted(tests))).collect())
}

/// How long every test takes, by its binary and its name. All must pass.
fn durations(copy: &Path, trace: &Path) -> Result<HashMap<(String, String), Duration>, String> {
    let arguments =
        ["nextest", "run", "--workspace", "--no-fail-fast", "--color=never", "--filterset", PACKAGES];
    let ran = cargo(copy, &arguments)
        .env("INCROWD_MUTANT_TRACE", trace)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("cargo could not be run: {error}"))?;
    let text = String::from_utf8_lossy(&ran.stderr);
    if !ran.status.success() {
        return Err(format!("the tests fail without a mutant:\n{text}"));
    }
    let mut took = HashMap::new();
    for line in text.lines().filter(|line| line.trim_start().starts_with("PASS [")) {
        let seconds = line.split(['[', ']']).nth(1).and_then(|text| text.trim().strip_suffix('s'));
        let rest = line.split(')').nth(1).unwrap_or_default().trim();
        if let (Some(Ok(seconds)), Some((binary, test))) = (seconds.map(str::parse), rest.split_once(' ')) {
            took.insert((binary.to_owned(), test.to_owned()), Duration::from_secs_f64(seconds));
        }
    }
    println!(
        "{} tests pass without a mutant, {:.0} s in all",
        took.len(),
        took.values().map(Duration::as_secs_f64).sum::<f64>()
    );
    Ok(took)
}

/// Where the test binaries are, and where they run.
fn binaries(copy: &Path) -> Result<HashMap<String, (PathBuf, PathBuf)>, String> {
    let listed = cargo(copy, &["nextest", "list", "--workspace", "--message-format", "json"])
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("cargo could not be run: {error}"))?;
    let listed: Value = serde_json::from_slice(&listed.stdout).map_err(|error| error.to_string())?;
    let suites = listed["rust-suites"].as_object().ok_or("nextest lists no tests")?;
    let place = |suite: &Value| {
        Some((PathBuf::from(suite["binary-path"].as_str()?), PathBuf::from(suite["cwd"].as_str()?)))
    };
    Ok(suites.iter().filter_map(|(id, suite)| Some((id.clone(), place(suite)?))).collect())
}
