//! `cargo xtask mutants [N]`: a random sample of the mutants of cargo-mutants, all compiled into one copy of the
//! project.
//!
//! To build the project once per mutant would take hours. Here every mutant of the sample becomes a branch that an
//! environment variable switches on and the copy is built once, optimized. One run of all tests notes which tests meet
//! which mutant; then each mutant is tried by the tests that meet it, the quickest first, until one fails. Mutants the
//! compiler rejects are left out of the count, as in cargo-mutants; so are the few that cannot become a branch:
//! constants, functions that return an `impl Trait`, and deleted arms or fields.

mod list;
mod plant;
mod run;
mod trace;

use crate::shell::{Done, command, output, root};
use list::Mutant;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many mutants are tried unless asked otherwise.
const SAMPLE: usize = 360;

/// The seed of the sample.
const SEED: u64 = 1;

/// The variable that switches a mutant on.
const VARIABLE: &str = "INCROWD_MUTANT";

/// Tries a sample of mutants and reports those that no test notices.
pub(crate) fn run(size: Option<&str>) -> Done {
    let size = match size {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of mutants"))?,
        None => SAMPLE,
    };
    let all = list::all()?;
    let sample = list::sample(&all, size, SEED);
    println!("{} mutants, a sample of {} (seed {SEED})", all.len(), sample.len());
    let copy = copy()?;
    let viable = build(&copy, &sample)?;
    println!("{} of them compile as a branch", viable.len());
    run::report(&copy, &viable)
}

/// A copy of what is committed or about to be, beside the project's own build.
fn copy() -> Result<PathBuf, String> {
    let copy = root().join("target/mutants/project");
    let files = output(&mut command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    remove_others(&copy, &copy, &files.lines().collect())?;
    for file in files.lines().filter(|file| root().join(file).is_file()) {
        let to = copy.join(file);
        let text = fs::read(root().join(file)).map_err(|error| format!("{file}: {error}"))?;
        write(&to, &text)?;
    }
    Ok(copy)
}

/// Removes what an earlier copy had and the project has no longer.
fn remove_others(folder: &Path, copy: &Path, files: &BTreeSet<&str>) -> Done {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.strip_prefix(copy).unwrap_or(&path).to_string_lossy().into_owned();
        if path.is_dir() {
            remove_others(&path, copy, files)?;
        } else if name != "Cargo.lock" && !files.contains(name.as_str()) {
            fs::remove_file(&path).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// Plants the sample and builds the copy's tests, leaving out what does not compile.
fn build(copy: &Path, sample: &[Mutant]) -> Result<Vec<Mutant>, String> {
    let mut left_out = BTreeSet::new();
    loop {
        let planted = plant::all(copy, sample, &left_out)?;
        let rejected = plant::rejected(copy, &planted)?;
        if rejected.is_empty() {
            let ids: BTreeSet<u32> = planted.iter().map(|place| place.id).collect();
            return Ok(sample.iter().filter(|mutant| ids.contains(&mutant.id)).cloned().collect());
        }
        println!("{} do not compile", rejected.len());
        left_out.extend(rejected);
    }
}

/// Cargo in the copy, with the target folder of its own and the data beside the project.
fn cargo(copy: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .args(arguments)
        .current_dir(copy)
        .env("RUSTFLAGS", "--cap-lints=allow")
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "2")
        .env("CARGO_TARGET_DIR", root().join("target/mutants/target"));
    if let Some(data) = crate::shell::data() {
        cargo.env("INCROWD_DATA", fs::canonicalize(&data).unwrap_or(data));
    }
    cargo
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file unless it has that text already, so that cargo builds only what changed.
fn write(path: &Path, text: &[u8]) -> Done {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
