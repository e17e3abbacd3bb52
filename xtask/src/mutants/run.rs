//! Runs, for every mutant, the tests that meet it.

use super::list::Mutant;
use super::trace::{Test, tests_of_mutants};
use super::{VARIABLE, write};
use crate::shell::{Done, root};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the tests said of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Caught,
    TimedOut,
    Missed,
    /// No test comes by.
    NotMet,
}

/// Tries every mutant and writes down those that were missed.
pub(super) fn report(copy: &Path, mutants: &[Mutant]) -> Done {
    let tests = tests_of_mutants(copy)?;
    let next = AtomicUsize::new(0);
    let verdicts: Mutex<Vec<(usize, Verdict)>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(place) else { return };
                    let verdict = tried(mutant.id, tests.get(&mutant.id).map_or(&[][..], Vec::as_slice));
                    if matches!(verdict, Verdict::Missed | Verdict::NotMet) {
                        println!("{verdict:?}: {} #{}", mutant.name, mutant.id);
                    }
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts.push((place, verdict));
                        if verdicts.len().is_multiple_of(20) {
                            println!("{} of {}", verdicts.len(), mutants.len());
                        }
                    }
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().map_err(|_| "a thread failed")?;
    verdicts.sort_unstable_by_key(|&(place, _)| place);
    let count = |wanted: Verdict| verdicts.iter().filter(|(_, verdict)| *verdict == wanted).count();
    let (caught, timed_out) = (count(Verdict::Caught), count(Verdict::TimedOut));
    let share = 100.0 * (caught + timed_out) as f64 / mutants.len().max(1) as f64;
    println!(
        "caught {caught}, timed out {timed_out}, missed {}, met by no test {}: {share:.1} % noticed",
        count(Verdict::Missed),
        count(Verdict::NotMet)
    );
    let named = |(place, verdict): &(usize, Verdict)| {
        format!("{verdict:?}\t{} #{}\n", mutants[*place].name, mutants[*place].id)
    };
    let lines: String =
        verdicts.iter().filter(|(_, verdict)| *verdict != Verdict::Caught).map(named).collect();
    write(&root().join("target/mutants/missed.txt"), lines.as_bytes())
}

fn tried(id: u32, tests: &[Test]) -> Verdict {
    if tests.is_empty() {
        return Verdict::NotMet;
    }
    let verdicts = tests.iter().map(|test| verdict(id, test));
    verdicts.into_iter().find(|verdict| *verdict != Verdict::Missed).unwrap_or(Verdict::Missed)
}

/// What one test says with a mutant switched on. It may take five times as long as without, and half a minute more.
fn verdict(id: u32, test: &Test) -> Verdict {
    let limit = test.takes * 5 + Duration::from_secs(30);
    let ran = Command::new(&test.binary)
        .args(["--exact", &test.name])
        .current_dir(&test.folder)
        .env(VARIABLE, id.to_string())
        .env(
            "INCROWD_DATA",
            crate::shell::data().and_then(|data| data.canonicalize().ok()).unwrap_or_default(),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    let Ok(mut ran) = ran else { return Verdict::Missed };
    let start = Instant::now();
    loop {
        match ran.try_wait() {
            Ok(Some(status)) if status.success() => return Verdict::Missed,
            Ok(Some(_)) => return Verdict::Caught,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                // With the programs that the test started.
                let group = format!("-{}", ran.id());
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                let _ = ran.wait();
                return Verdict::TimedOut;
            }
        }
    }
}
