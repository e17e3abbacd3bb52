//! Short runs of every target, regressions, and long runs (`cargo xtask fuzz MINUTES`).

use incrowd_fuzz::{Finding, fuzz, targets};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an input may take on a slow machine that is busy with other tests.
const LONGEST: Duration = Duration::from_secs(20);

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("findings").join(target)
}

/// Keeps the input, so that the next run begins with it.
fn report(finding: &Finding) -> ! {
    let folder = folder(finding.target);
    let file = folder.join(format!("{}-{}", finding.seed, finding.number));
    let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &finding.input));
    panic!(
        "{}: {} (seed {}, input {}); {} {}",
        finding.target,
        finding.what,
        finding.seed,
        finding.number,
        if kept.is_ok() { "kept as" } else { "could not be kept as" },
        file.display()
    );
}

/// A few hundred inputs for each target, the same ones every time.
#[test]
fn short_runs() {
    for target in targets() {
        let enough = |inputs, taken| inputs >= 300 || taken > Duration::from_millis(800);
        if let Err(finding) = fuzz(&target, 1, LONGEST, enough) {
            report(&finding);
        }
    }
}

/// Seeds must reach what is behind the reader.
#[test]
fn every_target_has_seeds() {
    targets().iter().for_each(|target| assert!(!target.seeds().is_empty(), "{}", target.name()));
}

#[test]
fn what_was_found_before() {
    for target in targets() {
        let Ok(files) = std::fs::read_dir(folder(target.name())) else { continue };
        for file in files {
            let path = file.expect("an entry").path();
            target.run(&std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
}

/// As long as `INCROWD_FUZZ_MINUTES` says, all targets in turn, from the seed `INCROWD_SEED`.
#[test]
#[ignore = "long; `cargo xtask fuzz MINUTES` runs it"]
fn long_runs() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok());
    let minutes = number("INCROWD_FUZZ_MINUTES").expect("INCROWD_FUZZ_MINUTES");
    let seed = number("INCROWD_SEED").unwrap_or(1.0) as u64;
    let only = std::env::var("INCROWD_FUZZ_TARGET").ok();
    let chosen: Vec<_> = targets()
        .into_iter()
        .filter(|target| only.as_deref().is_none_or(|only| only == target.name()))
        .collect();
    assert!(!chosen.is_empty(), "unknown target");
    let each = Duration::from_secs_f64(minutes * 60.0 / chosen.len() as f64);
    for target in chosen {
        match fuzz(&target, seed, LONGEST, |_, taken| taken >= each) {
            Ok(inputs) => eprintln!("{}: {inputs} inputs, seed {seed}", target.name()),
            Err(finding) => report(&finding),
        }
    }
}
