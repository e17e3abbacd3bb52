//! Runs the copy's tests once per mutant.

use super::list::Mutant;
use super::{VARIABLE, cargo, write};
use crate::shell::{Done, root};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the tests said of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Caught,
    TimedOut,
    Missed,
}

/// The tests of these packages are asked, one after the other, until one notices the mutant.
const STAGES: [&str; 3] = ["package(incrowd-core)", "package(incrowd-mine)", "package(incrowd-cli)"];

/// Tries every mutant and writes down those that were missed.
pub(super) fn report(copy: &Path, mutants: &[Mutant]) -> Done {
    let mut limits = Vec::new();
    for stage in STAGES {
        let start = Instant::now();
        if verdict(copy, stage, 0, Duration::from_hours(1))? != Verdict::Missed {
            return Err(format!("the tests of {stage} fail without a mutant"));
        }
        limits.push(start.elapsed() * 3 + Duration::from_secs(20));
        println!("{stage}: {:.1} s without a mutant", start.elapsed().as_secs_f64());
    }
    let mut missed: Vec<&Mutant> = Vec::new();
    let (mut caught, mut timed_out) = (0_u32, 0_u32);
    for (done, mutant) in mutants.iter().enumerate() {
        match tried(copy, mutant, &limits)? {
            Verdict::Caught => caught += 1,
            Verdict::TimedOut => timed_out += 1,
            Verdict::Missed => {
                println!("missed: {}", mutant.name);
                missed.push(mutant);
            }
        }
        if (done + 1) % 20 == 0 {
            println!("{} of {}: {} missed", done + 1, mutants.len(), missed.len());
        }
    }
    let share = 100.0 * f64::from(caught + timed_out) / mutants.len().max(1) as f64;
    println!("caught {caught}, timed out {timed_out}, missed {}: {share:.1} % noticed", missed.len());
    let names: String = missed.iter().map(|mutant| format!("{} #{}\n", mutant.name, mutant.id)).collect();
    write(&root().join("target/mutants/missed.txt"), names.as_bytes())
}

fn tried(copy: &Path, mutant: &Mutant, limits: &[Duration]) -> Result<Verdict, String> {
    let is_of_core = mutant.file.contains("incrowd-core");
    for (stage, limit) in STAGES.iter().zip(limits).skip(usize::from(!is_of_core)) {
        let verdict = verdict(copy, stage, mutant.id, *limit)?;
        if verdict != Verdict::Missed {
            return Ok(verdict);
        }
    }
    Ok(Verdict::Missed)
}

/// What the tests of a stage say with a mutant switched on.
fn verdict(copy: &Path, stage: &str, id: u32, limit: Duration) -> Result<Verdict, String> {
    let arguments = ["nextest", "run", "--workspace", "--fail-fast", "--filterset", stage];
    let mut tests = cargo(copy, &arguments)
        .env(VARIABLE, id.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cargo could not be run: {error}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = tests.try_wait().map_err(|error| error.to_string())? {
            return Ok(if status.success() { Verdict::Missed } else { Verdict::Caught });
        }
        if start.elapsed() > limit {
            stop(tests.id());
            tests.wait().map_err(|error| error.to_string())?;
            return Ok(Verdict::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Asks the test runner to end; it ends its tests.
fn stop(id: u32) {
    let _ = Command::new("kill").args(["-TERM", &id.to_string()]).status();
}
